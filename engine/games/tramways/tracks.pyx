"""Where links can be built: ends between which a path can still be laid and paid, and the squares that such a path may take next.

A walk over free squares that is short enough and cheap enough contains a path that is both, for every square costs something. So it is
enough to know, for each sum of costs, which squares can be reached with it (`spread`).
"""
from libc.stdint cimport uint64_t
from libc.string cimport memset

from wattman.engine.games.tramways.bits cimport WORDS, Squares, beside, bit, clear, has, low, meet, some
from wattman.engine.games.tramways.paying cimport Hand, Need, look_at, need_of, payable, rails_for
from wattman.engine.games.tramways.state cimport (
    BUILD,
    FUNFAIR,
    ICON_UP,
    LAST,
    PATH,
    TERMINALS,
    UPGRADE,
    Data,
    State,
    around,
    ground_at,
    is_end,
)

cdef enum:
    COSTS = 36      # a path costs less: 7 squares, 5 rails each


cdef int spread(const Data* d, const State* s, const Squares* start, int budget, int length, Squares* reach) noexcept nogil:
    """reach[c]: the last squares of walks from `start` that cost c rails, and no less if `length` sets no limit. Returns the last c used."""
    cdef Squares seen
    cdef Squares onward[COSTS]
    cdef Squares long_ways[2][COSTS]
    cdef int c, g, w, rest, l, now
    cdef uint64_t x
    budget = min(budget, <int>COSTS - 1)
    clear(&reach[0])
    if budget < (length + 1) * d.cheapest:
        clear(&seen)
        onward[0] = start[0]
        for c in range(1, budget + 1):
            clear(&reach[c])
            for g in range(3):
                rest = c - d.ground_cost[g]
                if rest >= 0:
                    for w in range(d.grid.words):
                        reach[c].w[w] |= onward[rest].w[w] & s.ground[g].w[w]
            for w in range(d.grid.words):
                x = reach[c].w[w] & s.free.w[w] & ~seen.w[w]
                reach[c].w[w] = x
                seen.w[w] |= x
            beside(&d.grid, &reach[c], &onward[c])
        return budget
    # The number of squares counts too: square by square.
    for c in range(budget + 1):
        clear(&reach[c])
        clear(&long_ways[0][c])
    long_ways[0][0] = start[0]
    now = 0
    for l in range(length):
        for c in range(budget + 1):
            clear(&long_ways[1 - now][c])
        for c in range(budget):
            if not some(&d.grid, &long_ways[now][c]):
                continue
            for g in range(3):
                rest = c + d.ground_cost[g]
                if rest <= budget:
                    for w in range(d.grid.words):
                        long_ways[1 - now][rest].w[w] |= long_ways[now][c].w[w] & s.ground[g].w[w] & s.free.w[w]
        now = 1 - now
        for c in range(1, budget + 1):
            for w in range(d.grid.words):
                reach[c].w[w] |= long_ways[now][c].w[w]
            seen = long_ways[now][c]
            beside(&d.grid, &seen, &long_ways[now][c])
        clear(&long_ways[now][0])
    return budget


cdef uint64_t ends_of(const Data* d, const State* s) noexcept nogil:
    """Terminals where a link of the player may end."""
    cdef int t
    cdef uint64_t ends = 0
    for t in range(d.terminals):
        if is_end(d, s, t, s.player):
            ends |= bit(t)
    return ends


cdef uint64_t partners(const Data* d, const State* s, int a, uint64_t others, const int* rails, int funfair, int length, bint one) noexcept nogil:
    """Those of `others` to which a link from `a` can be built; with `one` any of them will do."""
    cdef Squares reach[COSTS]
    cdef Squares start, edge
    cdef Squares near[TERMINALS]
    cdef int limit[TERMINALS]
    cdef int i, t, c, last, most = 0
    cdef uint64_t left = others, open = 0, found = 0
    around(d, s, a, &start)
    if not meet(&d.grid, &start, &s.free):
        return 0
    while left:
        t = low(left)
        left &= left - 1
        limit[t] = funfair if a == d.special + FUNFAIR or t == d.special + FUNFAIR else max(rails[a], rails[t])
        if limit[t] > 0:
            around(d, s, t, &near[t])
            open |= bit(t)
            most = max(most, limit[t])
    if open == 0:
        return 0
    last = spread(d, s, &start, most, length, reach)
    for c in range(1, last + 1):
        left = open
        while left:
            t = low(left)
            left &= left - 1
            if c > limit[t]:
                open &= ~bit(t)
            elif meet(&d.grid, &reach[c], &near[t]):
                open &= ~bit(t)
                found |= bit(t)
                if one:
                    return found
        if open == 0:
            break
    return found


cdef uint64_t linked(const State* s, int a) noexcept nogil:
    """Terminals to which the player has a link from `a`."""
    cdef int i
    cdef uint64_t found = 0
    for i in range(s.n_links):
        if s.links[i].owner == s.player:
            if s.links[i].a == a:
                found |= bit(s.links[i].b)
            elif s.links[i].b == a:
                found |= bit(s.links[i].a)
    return found


cdef uint64_t from_options(const Data* d, const State* s, bint one) noexcept nogil:
    """Terminals from which a link can be built to a later one; with `one` any of them will do."""
    cdef Hand hand
    cdef int rails[TERMINALS]
    cdef int funfair, t, length = min(d.longest, <int>s.players[s.player].rails)
    cdef uint64_t ends, left, others, found = 0
    if s.players[s.player].workers < d.link_workers or length == 0:
        return 0
    look_at(d, &s.players[s.player], &hand)
    if hand.rails == 0:
        return 0
    rails_for(d, s, &hand, s.player, rails, &funfair)
    left = ends = ends_of(d, s)
    while left:
        t = low(left)
        left &= left - 1
        others = left & ~linked(s, t)
        if others and partners(d, s, t, others, rails, funfair, length, True):
            found |= bit(t)
            if one:
                break
    return found


cdef uint64_t to_options(const Data* d, const State* s) noexcept nogil:
    """The other ends to which a link can be built from s.a."""
    cdef Hand hand
    cdef int rails[TERMINALS]
    cdef int funfair
    look_at(d, &s.players[s.player], &hand)
    rails_for(d, s, &hand, s.player, rails, &funfair)
    return partners(
        d, s, s.a, ends_of(d, s) & ~(bit(s.a + 1) - 1) & ~linked(s, s.a), rails, funfair, min(d.longest, <int>s.players[s.player].rails), False
    )


cdef void lay_candidates(const Data* d, const State* s, Squares* out) noexcept nogil:
    """The free squares beside the path's last one, or beside the first end."""
    cdef int w
    if s.n_path:
        out[0] = d.near[s.path[s.n_path - 1]]
    else:
        around(d, s, s.a, out)
    for w in range(WORDS):
        out.w[w] &= s.free.w[w]


cdef uint64_t lay_options(const Data* d, const State* s) noexcept nogil:
    """The squares that may come next: the i-th of the candidates as bit i; LAST: join."""
    cdef Hand hand
    cdef int rails[TERMINALS]
    cdef int funfair, budget, length, c, w, i, square, last = 0
    cdef Squares near, next_squares, within
    cdef Squares reach[COSTS]
    cdef uint64_t options = 0, left
    look_at(d, &s.players[s.player], &hand)
    rails_for(d, s, &hand, s.player, rails, &funfair)
    budget = funfair if s.a == d.special + FUNFAIR or s.b == d.special + FUNFAIR else max(rails[s.a], rails[s.b])
    budget -= s.cost
    if budget < 0:  # what lies there cannot be paid: only in a world with a hand that is not possible
        return 0
    around(d, s, s.b, &near)
    if s.n_path and has(&near, s.path[s.n_path - 1]):
        options |= bit(LAST)
    lay_candidates(d, s, &next_squares)
    length = min(d.longest, s.players[s.player].rails + s.n_path) - s.n_path
    if budget == 0 or length <= 0 or not some(&d.grid, &next_squares):
        return options
    # From the other end back.
    last = spread(d, s, &near, budget, length, reach)
    clear(&within)
    for c in range(1, last + 1):
        for w in range(d.grid.words):
            within.w[w] |= reach[c].w[w]
    i = 0
    for w in range(d.grid.words):
        left = next_squares.w[w]
        while left:
            square = 64 * w + low(left)
            left &= left - 1
            if has(&within, square):
                options |= bit(i)
            i += 1
    return options


cdef void lay_costs(const Data* d, const State* s, int* out) noexcept nogil:
    """What it costs to come from each of the candidates, its own square included, to the other end at least; COSTS: one cannot."""
    cdef Squares near, next_squares
    cdef Squares reach[COSTS]
    cdef int c, w, i = 0, square, last
    cdef uint64_t left
    around(d, s, s.b, &near)
    lay_candidates(d, s, &next_squares)
    last = spread(d, s, &near, COSTS - 1, d.longest - s.n_path, reach)
    for w in range(d.grid.words):
        left = next_squares.w[w]
        while left:
            square = 64 * w + low(left)
            left &= left - 1
            out[i] = COSTS
            for c in range(1, last + 1):
                if has(&reach[c], square):
                    out[i] = c
                    break
            i += 1


cdef uint64_t upgrade_options(const Data* d, const State* s, int a, bint one) noexcept nogil:
    """First ends of own links that can be upgraded, or the other ends of those that begin at `a`; with `one` any of them will do."""
    cdef Hand hand
    cdef Need need
    cdef int i
    cdef uint64_t found = 0
    look_at(d, &s.players[s.player], &hand)
    if hand.icon[ICON_UP] == 0:
        return 0
    for i in range(s.n_links):
        if s.links[i].owner != s.player or s.links[i].upgraded or (a >= 0 and s.links[i].a != a):
            continue
        if a < 0 and found >> s.links[i].a & 1:
            continue
        need_of(d, s, UPGRADE, s.links[i].a, s.links[i].b, 0, 0, &need)
        if payable(d, s, &hand, &need):
            found |= bit(s.links[i].b if a >= 0 else s.links[i].a)
            if one:
                break
    return found
