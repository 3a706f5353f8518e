# What a network does in a search: priors where a node gets its edges, moves of playouts, values where a playout is cut off.
from libc.math cimport powf
from libc.stdint cimport int32_t, uint32_t

from wattman.engine.abi cimport CHANCE, MAX_PLAYERS, TERMINAL, VALUES, GameC
from wattman.engine.rng cimport rng_uniform
from wattman.search.context cimport Context
from wattman.search.select cimport as_priors
from wattman.search.tree cimport Edge, Node


cdef inline void find_priors(Context* c, int who, int n) noexcept nogil:
    """The priors of the n legal actions `c.ids` of the player to move: from the game's weights, the network, or both; into `c.weights`."""
    cdef int k
    cdef double uniform = c.rule.uniform
    if c.net_prior < 1:
        c.game.weights(c.game, c.state, c.ids, n, c.weights)
        as_priors(c.weights, n, &c.rule)
    if c.net_prior > 0:
        c.guide.policy(c.guide.data, c.game, c.state, who, c.ids, n, c.net_room, c.net_policy)
        for k in range(n):
            c.net_policy[k] = <float>((1 - uniform) * c.net_policy[k] + uniform / n)
            if c.net_prior < 1:
                c.weights[k] += <float>c.net_prior * (c.net_policy[k] - c.weights[k])
            else:
                c.weights[k] = c.net_policy[k]


cdef inline bint wants_priors(const Context* c, const Node* node) noexcept nogil:
    """Whether an action that is legal in this world has its prior from fewer worlds than it is averaged over."""
    cdef uint32_t i
    cdef const Edge* edge
    for i in range(node.first, node.first + node.count):
        edge = &c.tree.edges[i]
        if edge.available < c.renew and c.mark[edge.action] == c.stamp:
            return True
    return False


cdef inline void average_priors(Context* c, Node* node, int n) noexcept nogil:
    """Takes `c.weights`, the priors in one more world, into the means of the node's edges."""
    cdef uint32_t i
    cdef int k
    cdef Edge* edge
    for k in range(n):
        for i in range(node.first, node.first + node.count):
            edge = &c.tree.edges[i]
            if edge.action == c.ids[k]:
                if edge.available < c.renew:
                    edge.prior += (c.weights[k] - edge.prior) / (edge.available + 1)
                break


cdef inline int32_t guided_move(Context* c, int who) noexcept nogil:
    """A decision of a playout, drawn from the network's policy."""
    cdef int k, n = c.game.legal(c.game, c.state, c.ids)
    cdef double total = 0, dice
    cdef float most = 0
    if n == 1:
        return c.ids[0]
    c.guide.policy(c.guide.data, c.game, c.state, who, c.ids, n, c.net_room, c.net_policy)
    for k in range(n):
        most = max(most, c.net_policy[k])
    for k in range(n):
        if c.net_playout != 1:  # of the greatest one, so that not all become 0
            c.net_policy[k] = powf(c.net_policy[k] / most, <float>c.net_playout)
        total += c.net_policy[k]
    dice = total * rng_uniform(&c.policy)
    for k in range(n - 1):
        dice -= c.net_policy[k]
        if dice < 0:
            return c.ids[k]
    return c.ids[n - 1]


cdef inline int play_out_guided(Context* c, int most, int over, int last) noexcept nogil:
    """As `play_out`, with decisions of the network's policy."""
    cdef const GameC* game = c.game
    cdef int who, events = 0
    while True:
        who = game.to_move(game, c.state)
        if who == TERMINAL:
            break
        if events >= most and (events >= most + over or (who != CHANCE and who != last)):
            break
        if who == CHANCE:
            game.apply(game, c.state, NULL, game.sample(game, c.state, &c.chance))
        else:
            last = who
            game.apply(game, c.state, NULL, guided_move(c, who))
        events += 1
    return events


cdef inline void estimate(Context* c, double* values) noexcept nogil:
    """The values of `c.state`, where a playout ended: the result, or an estimate by the game, the network, or both."""
    cdef const GameC* game = c.game
    cdef double own[MAX_PLAYERS * VALUES]
    cdef int who, player, k, size = game.players * VALUES
    if c.net_value > 0:
        while game.to_move(game, c.state) == CHANCE:  # it has learnt from decisions
            game.apply(game, c.state, NULL, game.sample(game, c.state, &c.chance))
    game.values(game, c.state, values)
    who = game.to_move(game, c.state)
    if c.net_value == 0 or who == TERMINAL:
        return
    for k in range(size):
        values[k] *= 1 - c.net_value
    if not c.all_views:
        c.guide.values(c.guide.data, game, c.state, who, c.net_room, own)
        for k in range(size):
            values[k] += c.net_value * own[k]
        return
    for player in range(game.players):
        c.guide.values(c.guide.data, game, c.state, player, c.net_room, own)
        for k in range(size):
            values[k] += c.net_value / game.players * own[k]
