# Following the trees' best edges: principal variations.
from libc.stdint cimport int32_t, uint8_t, uint32_t

from wattman.engine.abi cimport CHANCE, NOTHING, TERMINAL, GameC
from wattman.search.context cimport Context
from wattman.search.sight cimport Sight, look, look_on, node_key
from wattman.search.tree cimport Edge, Node, tree_find


cdef inline int32_t best_edge(Context* c, const Sight* sight, int who, int32_t* ids, int n, uint32_t least) noexcept nogil:
    """The most visited of a decision's legal actions, -1 if none has so many visits."""
    cdef Node* node = tree_find(&c.tree, node_key(sight, who))
    cdef Edge* edge
    cdef int32_t best = -1
    cdef uint32_t i, most = 0
    cdef int k
    if node.key == 0 or node.first == 0:
        return -1
    for i in range(node.first, node.first + node.count):
        edge = &c.tree.edges[i]
        if edge.visits >= least and edge.visits > most:
            for k in range(n):
                if ids[k] == edge.action:
                    best = edge.action
                    most = edge.visits
                    break
    return best


cdef inline int32_t walk(Context* c, uint8_t* state, Sight* sight, int32_t event, uint32_t least) noexcept nogil:
    """Carries out an event and goes on along the trees' best edges to the next thing that the observer sees.

    Returns the event that is next, not carried out yet, or -1 where the line ends: at the end of the game, where a tree ends, and where
    the observer learns something that chance decides.
    """
    cdef const GameC* game = c.game
    cdef int32_t label
    cdef int who, n, i
    for i in range(game.max_events):
        who = game.to_move(game, state)
        if who == TERMINAL:
            return -1
        if event < 0:
            if who == CHANCE:
                event = game.sample(game, state, &c.chance)
                label = game.seen(game, state, event, c.observer)
                if label == event:
                    return -1
            else:
                n = game.legal(game, state, c.ids)
                event = c.ids[0] if n == 1 else best_edge(c, sight, who, c.ids, n, least)
                if event < 0 or who == c.observer or game.seen(game, state, event, c.observer) != NOTHING:
                    return event
        look(game, state, event, who, c.branch, c.world != NULL, sight)
        game.apply(game, state, NULL, event)
        look_on(game, state, sight)
        event = -1
    return -1
