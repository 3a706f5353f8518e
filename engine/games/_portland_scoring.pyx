"""Portland's final scoring: tickets, the longest path, ranks.

The longest path of a player is a trail in his graph: every route at most once, stations as often as one likes. It is found exactly, part
by part (connected parts of the graph), the heaviest part first:

- a part with at most two stations of odd degree is one trail (Euler);
- branches without a circle can only be the trail's ends: they are cut off leaf by leaf, and each station keeps its two longest ones. What
  is left of a tree is nothing, and the longest trail is then the longest two branches that met;
- what is left, the *core*, is searched depth first. A trail that leaves unused routes at a station of odd degree cannot use them all:
  for each two such stations at least half of their shortest routes' lengths is lost. That bound ends the search early.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_state cimport OVER, ROUTES, SEATS, STATIONS, TICKETS, Data, Route, State, has, low_bit


# --- parts ---

cdef inline int top(uint8_t* parent, int station) noexcept nogil:
    while parent[station] != station:
        parent[station] = parent[parent[station]]
        station = parent[station]
    return station


cdef void connect(const Data* d, const uint64_t* routes, uint8_t* part) noexcept nogil:
    """For each station one of its part: equal for stations that the routes connect. [STATIONS]"""
    cdef int i, word, a, b
    cdef uint64_t left
    for i in range(d.stations):
        part[i] = i
    for word in range(2):
        left = routes[word]
        while left:
            i = 64 * word + low_bit(left)
            left &= left - 1
            a = top(part, d.route[i].a)
            b = top(part, d.route[i].b)
            part[a] = b
    for i in range(d.stations):
        part[i] = top(part, i)


# --- the longest path ---

cdef struct Graph:
    # One player's routes.
    int n                     # routes
    uint8_t a[ROUTES]
    uint8_t b[ROUTES]
    uint8_t length[ROUTES]
    uint8_t used[ROUTES]      # by the trail, or cut off
    int degree[STATIONS]      # routes that are not used
    int n_at[STATIONS]
    uint8_t at[STATIONS][ROUTES]
    int first[STATIONS]       # the longest branch cut off at a station
    int second[STATIONS]      # the longest other one
    int least[STATIONS]       # the shortest route of the core at a station
    # the search
    int best
    int goal                  # no trail of this part is longer
    int start
    int left                  # length of the core's routes that are not used
    int odd                   # sum of `least` over stations of odd degree, the trail's end aside
    int widest                # largest `least`
    int spur                  # the longest branch


cdef void walk(Graph* g, int station, int length) noexcept nogil:
    """Goes on with a trail that has come to a station."""
    cdef int i, route, other, end, odd
    end = length + (g.second[station] if station == g.start else g.first[station])
    if end > g.best:
        g.best = end
    # The station itself is the trail's end; of the other odd ones one can be its new end, and half of what the rest has at least is lost.
    odd = g.odd - (g.least[station] if g.degree[station] & 1 else 0)
    if length + g.left + g.spur - max(0, (odd - g.widest + 1) // 2) <= g.best:
        return
    for i in range(g.n_at[station]):
        route = g.at[station][i]
        if g.used[route]:
            continue
        other = g.a[route] + g.b[route] - station
        g.used[route] = 1
        g.left -= g.length[route]
        g.odd += -g.least[station] if g.degree[station] & 1 else g.least[station]
        g.odd += -g.least[other] if g.degree[other] & 1 else g.least[other]
        g.degree[station] -= 1
        g.degree[other] -= 1
        walk(g, other, length + g.length[route])
        g.degree[station] += 1
        g.degree[other] += 1
        g.odd += g.least[station] if g.degree[station] & 1 else -g.least[station]
        g.odd += g.least[other] if g.degree[other] & 1 else -g.least[other]
        g.left += g.length[route]
        g.used[route] = 0
        if g.best >= g.goal:
            return


cdef void cut_branches(Graph* g, const uint8_t* stations, int n) noexcept nogil:
    """Cuts a part's branches off leaf by leaf; `best` becomes the longest trail inside them."""
    cdef uint8_t queue[STATIONS]
    cdef int head = 0, tail = 0, i, station, other, route, reach
    for i in range(n):
        if g.degree[stations[i]] == 1:
            queue[tail] = stations[i]
            tail += 1
    while head < tail:
        station = queue[head]
        head += 1
        for i in range(g.n_at[station]):
            route = g.at[station][i]
            if not g.used[route]:
                break
        else:
            continue  # the last one of a tree
        g.used[route] = 1
        other = g.a[route] + g.b[route] - station
        reach = g.first[station] + g.length[route]
        g.best = max(g.best, g.first[other] + reach)
        if reach > g.first[other]:
            g.second[other] = g.first[other]
            g.first[other] = reach
        elif reach > g.second[other]:
            g.second[other] = reach
        g.degree[station] = 0
        g.degree[other] -= 1
        if g.degree[other] == 1:
            queue[tail] = other
            tail += 1


cdef void search_core(Graph* g, const uint8_t* stations, int n) noexcept nogil:
    cdef int i, j, station, spur_one = 0, spur_two = 0
    g.left = g.odd = g.widest = 0
    for i in range(n):
        station = stations[i]
        if g.degree[station] == 0:
            continue
        g.least[station] = 255
        for j in range(g.n_at[station]):
            if not g.used[g.at[station][j]]:
                g.least[station] = min(g.least[station], <int>g.length[g.at[station][j]])
                g.left += g.length[g.at[station][j]]
        if g.degree[station] & 1:
            g.odd += g.least[station]
        g.widest = max(g.widest, g.least[station])
        if g.first[station] > spur_one:
            spur_two = max(spur_one, g.second[station])
            spur_one = g.first[station]
        else:
            spur_two = max(spur_two, g.first[station])
    g.left //= 2  # each route was met at both ends
    g.spur = spur_one
    g.goal = g.left + spur_one + spur_two - max(0, (g.odd - 2 * g.widest + 1) // 2)
    for i in range(n):
        station = stations[i]
        if g.degree[station]:
            g.start = station
            walk(g, station, g.first[station])
            if g.best >= g.goal:
                return


cdef int longest_trail(const Data* d, const uint64_t* routes) noexcept nogil:
    """Length of the longest trail in trains."""
    cdef Graph g
    cdef uint8_t part[STATIONS]
    cdef uint8_t stations[STATIONS]
    cdef int weight[STATIONS]
    cdef int odd[STATIONS]
    cdef int i, j, n, word, most, best = 0
    cdef const Route* r
    cdef uint64_t left
    connect(d, routes, part)
    for i in range(d.stations):
        weight[i] = odd[i] = 0
        g.degree[i] = g.n_at[i] = g.first[i] = g.second[i] = 0
    g.n = 0
    for word in range(2):
        left = routes[word]
        while left:
            r = &d.route[64 * word + low_bit(left)]
            left &= left - 1
            g.a[g.n] = r.a
            g.b[g.n] = r.b
            g.length[g.n] = r.length
            g.used[g.n] = 0
            g.at[r.a][g.n_at[r.a]] = g.n
            g.at[r.b][g.n_at[r.b]] = g.n
            g.n_at[r.a] += 1
            g.n_at[r.b] += 1
            g.degree[r.a] += 1
            g.degree[r.b] += 1
            weight[part[r.a]] += r.length
            g.n += 1
    for i in range(d.stations):
        odd[part[i]] += g.degree[i] & 1
    while True:
        most = best
        n = -1
        for i in range(d.stations):
            if weight[i] > most:
                most = weight[i]
                n = i
        if n < 0:
            return best
        i = n
        weight[i] = 0
        if odd[i] <= 2:
            best = most
            continue
        n = 0
        for j in range(d.stations):
            if part[j] == i:
                stations[n] = j
                n += 1
        g.best = best
        cut_branches(&g, stations, n)
        search_core(&g, stations, n)
        best = g.best


# --- scores ---

cdef void final_result(const Data* d, const State* s, Result* result) noexcept nogil:
    cdef uint8_t part[STATIONS]
    cdef int length[SEATS]
    cdef int p, q, i, word, longest = 0
    cdef uint64_t left
    for p in range(d.players):
        result.score[p] = s.score[p]
        result.completed[p] = 0
        connect(d, s.owned[p], part)
        for word in range(2):
            left = s.held[p][word]
            while left:
                i = 64 * word + low_bit(left)
                left &= left - 1
                if part[d.ticket_at[i].a] == part[d.ticket_at[i].b]:
                    result.completed[p] += 1
                    result.score[p] += d.ticket_at[i].points
                else:
                    result.score[p] -= d.ticket_at[i].points
        length[p] = longest_trail(d, s.owned[p])
        longest = max(longest, length[p])
    for p in range(d.players):
        result.longest[p] = length[p] == longest
        if length[p] == longest:
            result.score[p] += d.longest_path
    for p in range(d.players):
        result.rank[p] = 0
        for q in range(d.players):
            if result.score[q] != result.score[p]:
                result.rank[p] += result.score[q] > result.score[p]
            elif result.completed[q] != result.completed[p]:
                result.rank[p] += result.completed[q] > result.completed[p]
            else:
                result.rank[p] += result.longest[q] > result.longest[p]


cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef Result result
    cdef int p
    if s.phase == OVER:
        final_result(d, s, &result)
    for p in range(d.players):
        out[p] = result.score[p] if s.phase == OVER else s.score[p]


cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil:
    """From +1 for the first to -1 for the last, evenly spaced; equal ranks share the mean."""
    cdef const Data* d = <const Data*>game.data
    cdef Result result
    cdef int p, q, equal
    final_result(d, <const State*>state, &result)
    for p in range(d.players):
        equal = 0
        for q in range(d.players):
            equal += result.rank[q] == result.rank[p]
        out[p] = 1 - (2 * result.rank[p] + equal - 1) / <double>(d.players - 1)
        if out[p] == 0:
            out[p] = 0  # not -0.0
