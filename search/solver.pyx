"""Exact values of endings: the rest of a game searched out, chance enumerated.

A value is a player's reward (a weighted mean of win share, margin and own score, see `rewards`), so between 0 and 1. For two players with
nothing but win share and margin in it the players' rewards sum to 1: alpha-beta (Knuth and Moore 1975), at chance nodes Star1 (Ballard,
"The *-minimax search procedure for trees containing chance nodes", 1983). For more players, and for points of one's own: max^n (Luckhardt
and Irani 1986). For one: the maximum.

Everywhere what is known of a value is an interval: what has not been searched, since a window was closed or a limit reached, counts as
anything from 0 to 1. So all that comes out is proved, and exact where both ends meet.

Several worlds that one player cannot tell apart are solved together: the rest of his own decisions up to the next event that is not his is
the same in all of them; behind it each world is solved as if all cards lay open there.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, MAX_PLAYERS, TERMINAL, VALUES, GameC
from wattman.engine.game cimport Game, State
from wattman.engine.rng cimport mix64
from wattman.search.playout cimport Reward, rewards


cdef enum:
    BUCKET = 4        # places of the table in which a position may stand
    ROOM = 1 << 28    # most bytes for the positions of one line

cdef double SAME = 1e-12  # bounds nearer than that are the same number


cdef struct Slot:
    uint64_t key      # two hashes of the position's canonical bytes, so that no other will ever be taken for it
    uint64_t check    # 0: empty


cdef struct Context:
    const GameC* game
    Reward reward
    bint zero_sum
    int width             # values of a position: 1 (player 0's) or one for each player
    int depth             # events that there is room for
    uint64_t nodes
    uint64_t limit
    bint halt             # set by another thread
    bint cut              # whether something was left out because of a limit
    Slot* slots
    double* bounds        # [slots][width][lower, upper]
    uint64_t mask         # number of buckets - 1
    uint8_t* bytes        # [state_size] canonical
    int most              # children of a position
    # by depth
    uint8_t* states       # [depth + 1][state_size]
    int32_t* ids          # [depth][most]
    double* odds          # [depth][most]
    float* weights        # [most]
    double* children      # [depth][most][width][2], with more than one value
    # worlds that are solved together
    int me
    int worlds
    int plan              # own decisions that there is room for
    uint64_t group        # which worlds these are, with their probabilities
    double* share         # [worlds]
    uint8_t* together     # [plan + 1][worlds][state_size]
    int32_t* own          # [plan][max_legal]


cdef inline void fingerprint(Context* c, const uint8_t* state, uint64_t salt, uint64_t* key, uint64_t* check) noexcept nogil:
    cdef int i = 0, n
    cdef uint64_t word, a = mix64(salt + 1), b = mix64(salt + 2)
    memset(c.bytes, 0, c.game.state_size + 8)
    n = c.game.canonical(c.game, state, c.bytes)
    while i < n:
        memcpy(&word, c.bytes + i, 8)
        a = mix64(a ^ word)
        b = mix64(b + word) ^ (word << 1)
        i += 8
    key[0] = mix64(a ^ <uint64_t>n)
    check[0] = mix64(b + <uint64_t>n) | 1


cdef inline double* recall(Context* c, uint64_t key, uint64_t check) noexcept nogil:
    """The bounds of a position, if they are in the table."""
    cdef uint64_t first = (key & c.mask) * BUCKET, i
    for i in range(first, first + BUCKET):
        if c.slots[i].check == check and c.slots[i].key == key:
            return c.bounds + i * 2 * c.width
    return NULL


cdef inline void store(Context* c, uint64_t key, uint64_t check, const double* bounds) noexcept nogil:
    cdef uint64_t first = (key & c.mask) * BUCKET, i, place = first + (check >> 32) % BUCKET
    for i in range(first, first + BUCKET):
        if c.slots[i].check == 0 or (c.slots[i].check == check and c.slots[i].key == key):
            place = i
            break
    c.slots[place].key = key
    c.slots[place].check = check
    memcpy(c.bounds + place * 2 * c.width, bounds, 2 * c.width * sizeof(double))


cdef inline void unknown(Context* c, double* out) noexcept nogil:
    cdef int k
    for k in range(c.width):
        out[2 * k] = 0
        out[2 * k + 1] = 1


cdef inline void result(Context* c, const uint8_t* state, double* out) noexcept nogil:
    """The values of a game that is over."""
    cdef double values[MAX_PLAYERS * VALUES]
    cdef double reward[MAX_PLAYERS]
    cdef int k
    c.game.values(c.game, state, values)
    rewards(c.game, &c.reward, values, 0, reward)
    for k in range(c.width):
        out[2 * k] = out[2 * k + 1] = reward[k]


cdef inline int expand(Context* c, int ply, int who) noexcept nogil:
    """Writes what may happen, likely moves first, and of chance the odds; returns how many."""
    cdef const GameC* game = c.game
    cdef const uint8_t* state = c.states + ply * game.state_size
    cdef int32_t* ids = c.ids + ply * c.most
    cdef int32_t event
    cdef double* odds = c.odds + ply * c.most
    cdef float weight
    cdef int n, i, k
    if who == CHANCE:
        n = game.chance(game, state, ids, odds)
        if game.idle != NULL and game.idle(game, state):  # whatever comes, the result is the same
            odds[0] = 1
            return 1
        return n
    n = game.legal(game, state, ids)
    game.weights(game, state, ids, n, c.weights)
    for i in range(1, n):
        event, weight, k = ids[i], c.weights[i], i
        while k and c.weights[k - 1] < weight:
            ids[k], c.weights[k] = ids[k - 1], c.weights[k - 1]
            k -= 1
        ids[k], c.weights[k] = event, weight
    return n


cdef void solve(Context* c, int ply, double alpha, double beta, double* out) noexcept nogil:
    """Bounds of the values of the position at `ply`; with a single value those outside the window need not be close."""
    cdef const GameC* game = c.game
    cdef uint8_t* state = c.states + ply * game.state_size
    cdef uint64_t key, check
    cdef double* known
    cdef double* child
    cdef double single[2]
    cdef double lower, upper, p, rest
    cdef int who = game.to_move(game, state), n, i, k
    cdef const int32_t* ids = c.ids + ply * c.most
    cdef const double* odds = c.odds + ply * c.most
    if who == TERMINAL:
        result(c, state, out)
        return
    if c.nodes >= c.limit or c.halt or ply >= c.depth:
        c.cut = True
        unknown(c, out)
        return
    c.nodes += 1
    fingerprint(c, state, 0, &key, &check)
    known = recall(c, key, check)
    if known != NULL:
        memcpy(out, known, 2 * c.width * sizeof(double))
        if c.width == 1:
            if out[0] >= out[1] - SAME or out[0] >= beta or out[1] <= alpha:
                return
        elif all_exact(c, out):
            return
    n = expand(c, ply, who)
    if c.width > 1:
        solve_all(c, ply, who, n, out)
        store(c, key, check, out)
        return
    if who == CHANCE:
        lower = upper = 0
        rest = 1
        for i in range(n):
            p = odds[i]
            rest = rest - p if i < n - 1 else 0
            memcpy(state + game.state_size, state, game.state_size)
            game.apply(game, state + game.state_size, NULL, ids[i])
            solve(c, ply + 1, (alpha - upper - rest) / p, (beta - lower) / p, single)
            lower += p * single[0]
            upper += p * single[1]
            if lower >= beta or upper + rest <= alpha:
                upper += rest
                break
        upper = min(upper, 1)
    else:
        # Of player 1 the values are mirrored, so that everybody maximizes.
        lower = upper = 0
        if who:
            alpha, beta = 1 - beta, 1 - alpha
        for i in range(n):
            memcpy(state + game.state_size, state, game.state_size)
            game.apply(game, state + game.state_size, NULL, ids[i])
            p = max(alpha, lower)
            if who:
                solve(c, ply + 1, 1 - beta, 1 - p, single)
                single[0], single[1] = 1 - single[1], 1 - single[0]
            else:
                solve(c, ply + 1, p, beta, single)
            lower = max(lower, single[0])
            upper = max(upper, single[1])
            if lower >= 1 - SAME:
                break
            if lower >= beta:
                if i < n - 1:
                    upper = 1
                break
        if who:
            lower, upper = 1 - upper, 1 - lower
    if known != NULL:  # both are proved
        lower = max(lower, out[0])
        upper = max(min(upper, out[1]), lower)
    out[0] = lower
    out[1] = upper
    store(c, key, check, out)


cdef inline bint all_exact(Context* c, const double* bounds) noexcept nogil:
    cdef int k
    for k in range(c.width):
        if bounds[2 * k] < bounds[2 * k + 1] - SAME:
            return False
    return True


cdef void solve_all(Context* c, int ply, int who, int n, double* out) noexcept nogil:
    """One value a player: each maximizes his own, and of equally good moves takes the first."""
    cdef const GameC* game = c.game
    cdef uint8_t* state = c.states + ply * game.state_size
    cdef double* child = c.children + <size_t>ply * c.most * 2 * c.width
    cdef double best, odds
    cdef int i, k, taken
    cdef bint exact
    for k in range(2 * c.width):
        out[k] = 0
    for i in range(n):
        memcpy(state + game.state_size, state, game.state_size)
        game.apply(game, state + game.state_size, NULL, c.ids[ply * c.most + i])
        solve(c, ply + 1, 0, 1, child + i * 2 * c.width)
        if who == CHANCE:
            odds = c.odds[ply * c.most + i]
            for k in range(2 * c.width):
                out[k] += odds * child[i * 2 * c.width + k]
        elif child[i * 2 * c.width + 2 * who] >= 1 - SAME:
            memcpy(out, child + i * 2 * c.width, 2 * c.width * sizeof(double))
            return
    if who == CHANCE:
        return
    best, exact, taken = -1, True, 0
    for i in range(n):
        if child[i * 2 * c.width + 2 * who] > best + SAME:
            best, taken = child[i * 2 * c.width + 2 * who], i
    for i in range(n):  # a move that may yet be better than the best one so far
        if i != taken and child[i * 2 * c.width + 2 * who + 1] > best + SAME:
            exact = False
    memcpy(out, child + taken * 2 * c.width, 2 * c.width * sizeof(double))
    if exact and out[2 * who + 1] <= out[2 * who] + SAME:
        return
    for i in range(n):
        if child[i * 2 * c.width + 2 * who + 1] >= best - SAME:
            for k in range(c.width):
                out[2 * k] = min(out[2 * k], child[i * 2 * c.width + 2 * k])
                out[2 * k + 1] = max(out[2 * k + 1], child[i * 2 * c.width + 2 * k + 1])
    out[2 * who] = best


cdef void solve_own(Context* c, const uint8_t* state, double* out) noexcept nogil:
    """Bounds of the value of one world for the player whose knowledge it is."""
    cdef double bounds[2 * MAX_PLAYERS]
    memcpy(c.states, state, c.game.state_size)
    solve(c, 0, 0, 1, bounds)
    if c.width > 1:
        out[0], out[1] = bounds[2 * c.me], bounds[2 * c.me + 1]
    elif c.me:
        out[0], out[1] = 1 - bounds[1], 1 - bounds[0]
    else:
        out[0], out[1] = bounds[0], bounds[1]


cdef bint decides(Context* c, int step) noexcept nogil:
    """Whether in all worlds he is to move, with as many choices."""
    cdef const GameC* game = c.game
    cdef uint8_t* state = c.together + <size_t>step * c.worlds * game.state_size
    cdef int w, n = -1
    if step >= c.plan:
        return False
    for w in range(c.worlds):
        if game.to_move(game, state + w * game.state_size) != c.me:
            return False
        if c.worlds > 1:
            if n < 0:
                n = game.legal(game, state, c.own + step * game.max_legal)
            elif n != game.legal(game, state + w * game.state_size, c.own + step * game.max_legal):
                return False
    return True


cdef void solve_together(Context* c, int step, double alpha, double* out) noexcept nogil:
    """Bounds of the mean value over all worlds, with one plan for the rest of the own decisions."""
    cdef const GameC* game = c.game
    cdef size_t size = game.state_size
    cdef uint8_t* state = c.together + <size_t>step * c.worlds * size
    cdef uint8_t* after = state + c.worlds * size
    cdef int32_t* ids = c.own + step * game.max_legal
    cdef double one[2]
    cdef double bounds[2 * MAX_PLAYERS]
    cdef double* known
    cdef double rest = 1
    cdef uint64_t key, check
    cdef int w, i, n
    out[0] = out[1] = 0
    if not decides(c, step):
        for w in range(c.worlds):
            solve_own(c, state + w * size, one)
            rest = rest - c.share[w] if w < c.worlds - 1 else 0
            out[0] += c.share[w] * one[0]
            out[1] += c.share[w] * one[1]
            if out[1] + rest <= alpha:
                break
        out[1] = min(out[1] + rest, 1)
        return
    if c.nodes >= c.limit or c.halt:
        c.cut = True
        out[1] = 1
        return
    c.nodes += 1
    fingerprint(c, state, c.group, &key, &check)  # of the first world: the others went through the same decisions
    known = recall(c, key, check)
    if known != NULL and (known[0] >= known[1] - SAME or known[1] <= alpha):
        out[0], out[1] = known[0], known[1]
        return
    n = game.legal(game, state, ids)
    for i in range(n):
        memcpy(after, state, c.worlds * size)
        for w in range(c.worlds):
            game.apply(game, after + w * size, NULL, ids[i])
        solve_together(c, step + 1, max(alpha, out[0]), one)
        out[0] = max(out[0], one[0])
        out[1] = max(out[1], one[1])
        if out[0] >= 1 - SAME:
            break
    unknown(c, bounds)
    bounds[0], bounds[1] = out[0], out[1]
    store(c, key, check, bounds)


cdef class Solver:
    """Solves positions of one game; what it found out about one helps with the next.

    Parameters
    ----------
    game : Game
    weights : (float, float, float)
        Of win share, margin and own score in the value.
    scale : float
        Points: margins and scores are divided by this, and held to [-1, 1]. 0: as the game's searches have it.
    memory : int
        Megabytes for positions that are kept.

    Attributes
    ----------
    nodes : int
        Positions searched so far.
    """

    cdef Context c
    cdef readonly Game game

    def __cinit__(self, Game game, weights, double scale, int memory=64):
        cdef Context* c = &self.c
        cdef size_t size, each
        cdef uint64_t buckets = 1
        self.game = game
        c.game = &game.c
        for k in range(VALUES):
            c.reward.weight[k] = weights[k]
        c.reward.scale = scale or game.c.scale
        c.zero_sum = game.c.players == 2 and weights[2] == 0
        c.width = 1 if c.zero_sum else game.c.players
        c.most = max(game.c.max_legal, game.c.max_outcomes)
        size = game.c.state_size
        each = size + c.most * (sizeof(int32_t) + sizeof(double)) + (0 if c.zero_sum else c.most * 2 * c.width * sizeof(double))
        c.depth = min(game.c.max_events, min(512, max(16, ROOM // each)))
        while 2 * buckets * BUCKET * (sizeof(Slot) + 2 * c.width * sizeof(double)) <= <uint64_t>memory << 20:
            buckets *= 2
        c.mask = buckets - 1
        c.slots = <Slot*>calloc(buckets * BUCKET, sizeof(Slot))
        c.bounds = <double*>malloc(buckets * BUCKET * 2 * c.width * sizeof(double))
        c.bytes = <uint8_t*>malloc(size + 8)
        c.states = <uint8_t*>malloc((c.depth + 1) * size)
        c.ids = <int32_t*>malloc(c.depth * c.most * sizeof(int32_t))
        c.odds = <double*>malloc(c.depth * c.most * sizeof(double))
        c.weights = <float*>malloc(c.most * sizeof(float))
        c.children = <double*>malloc(1 if c.zero_sum else <size_t>c.depth * c.most * 2 * c.width * sizeof(double))
        if (
            c.slots == NULL or c.bounds == NULL or c.bytes == NULL or c.states == NULL or c.ids == NULL or c.odds == NULL
            or c.weights == NULL or c.children == NULL
        ):
            raise MemoryError("solver: no memory")

    def __dealloc__(self):
        free(self.c.slots)
        free(self.c.bounds)
        free(self.c.bytes)
        free(self.c.states)
        free(self.c.ids)
        free(self.c.odds)
        free(self.c.weights)
        free(self.c.children)

    @property
    def nodes(self) -> int:
        return self.c.nodes

    def halt(self) -> None:
        """End the search that runs in another thread; it answers with what is proved."""
        self.c.halt = True

    def values(self, State state, nodes: int) -> list[tuple[float, float]]:
        """Proved bounds of each player's value in a position with open cards, with at most so many nodes."""
        cdef double out[2 * MAX_PLAYERS]
        self._begin(state, nodes)
        memcpy(self.c.states, state.state, self.game.c.state_size)
        with nogil:
            solve(&self.c, 0, 0, 1, out)
        found = [(out[2 * k], out[2 * k + 1]) for k in range(self.c.width)]
        return found + [(1 - out[1], 1 - out[0])] if self.c.zero_sum else found

    def moves(self, list worlds, list shares, int player, nodes: int, order: list | None = None) -> list[tuple[int, float, float]]:
        """Proved bounds of the value of each of a player's moves.

        Parameters
        ----------
        worlds : list of State
            That he cannot tell apart; he is to move.
        shares : list of float
            Their probabilities, sum 1.
        player : int
        nodes : int
            At most so many for each move.
        order : list of int, optional
            All his moves, likely ones first, if only the best are asked for: of a move that is no better than one before it no more than that
            need be proved, `nodes` are for all moves together, and the result is empty if they are not enough.

        Returns
        -------
        list of (int, float, float)
            Action, lower and upper bound of the mean of his value over the worlds, if he decides the same in all of them up to the next
            event that is not his, and all play with open cards from there on.
        """
        cdef Context* c = &self.c
        cdef size_t size = self.game.c.state_size
        cdef State world
        cdef double out[2]
        cdef int32_t action
        cdef int w
        cdef double least = -1
        cdef uint64_t key, check
        cdef uint64_t end = c.nodes + <uint64_t>max(1, nodes)
        found = []
        c.me = player
        c.worlds = len(worlds)
        c.plan = max(1, min(64, ROOM // (size * c.worlds)))
        c.share = <double*>malloc(c.worlds * sizeof(double))
        c.together = <uint8_t*>malloc((c.plan + 1) * c.worlds * size)
        c.own = <int32_t*>malloc(c.plan * self.game.c.max_legal * sizeof(int32_t))
        try:
            if c.share == NULL or c.together == NULL or c.own == NULL:
                raise MemoryError("solver: no memory")
            c.group = 1
            for w in range(c.worlds):
                world = worlds[w]
                fingerprint(c, world.state, c.group, &key, &check)
                c.group = mix64(key + <uint64_t>(shares[w] * 2.0**60)) | 1  # never 0, which stands for single positions
            for action in order or worlds[0].legal_actions():
                for w in range(c.worlds):
                    world = worlds[w]
                    c.share[w] = shares[w]
                    memcpy(c.together + w * size, world.state, size)
                    self.game.c.apply(&self.game.c, c.together + w * size, NULL, action)
                self._begin(worlds[0], nodes)
                if order:
                    c.limit = end
                with nogil:
                    solve_together(c, 0, least, out)
                if order:
                    if c.cut:
                        return []
                    least = max(least, out[0])
                found.append((action, out[0], out[1]))
        finally:
            free(c.share)
            free(c.together)
            free(c.own)
            c.share, c.together, c.own = NULL, NULL, NULL
        return found

    def line(self, State state, nodes: int) -> list[str]:
        """The best play of all from a position with open cards, up to where chance comes or a best move is not proved."""
        texts = []
        state = state.clone()
        while state.current_player() >= 0:
            player, found = state.current_player(), []
            for action in state.legal_actions():
                after = state.clone()
                after.apply_action(action)
                found.append((*self.values(after, nodes)[player], action))
            low, high, action = max(found, key=lambda each: each[0])
            if any(other[1] > low + SAME for other in found if other[2] != action):
                break
            texts.append(state.action_to_string(action))
            state.apply_action(action)
        return texts

    def _begin(self, State state, nodes) -> None:
        if state.game != self.game:
            raise ValueError("solver: this is a position of another game")
        self.c.cut = False
        self.c.limit = self.c.nodes + <uint64_t>max(1, nodes)
