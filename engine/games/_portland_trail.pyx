"""The longest path of a player of Portland: a trail in his graph, every route at most once, stations as often as one likes.

It is found exactly, part by part (connected parts of the graph), the heaviest part first:

- a part with at most two stations of odd degree is one trail (Euler);
- branches without a circle can only be the trail's ends: they are cut off leaf by leaf, and each station keeps its two longest ones. What
  is left of a tree is nothing, and the longest trail is then the longest two branches that met;
- what is left, the *core*, is searched depth first. A trail that leaves unused routes at a station of odd degree cannot use them all:
  for each two such stations at least half of their shortest routes' lengths is lost. That bound ends the search early;
- rarely, on boards with many short routes, that takes too long. Then a *sweep* over the stations decides: routes are taken or left one by one, and
  of all choices so far that look alike at the stations still open (their parities, and which of them are connected) the longest is kept.

Networks of 40 trains on the boards that come with Wattman take some 30 us on average, also those with as many circles as can be.
Only one of 99 one-space routes that cross each other all over is too much for the sweep as well; then the longest that FOREVER steps find counts.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from wattman.engine.games._portland_state cimport ROUTES, STATIONS, Data, Route, low_bit, put
from wattman.engine.rng cimport mix64

cdef enum:
    PATIENCE = 100      # steps of the search before the sweep
    STARTS = 8          # orders of the stations that are tried for a quick sweep
    WIDTH = 16          # most open stations of a sweep
    FEW = 1 << 11       # choices that a sweep tells apart; if they are more it begins anew with
    MOST = 1 << 18      # so many, and with more the search goes on for
    FOREVER = 1 << 25   # steps


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
    int patience              # steps left
    int spur                  # the longest branch


cdef void walk(Graph* g, int station, int length) noexcept nogil:
    """Goes on with a trail that has come to a station."""
    cdef int i, route, other, end, odd
    g.patience -= 1
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
        if g.best >= g.goal or g.patience < 0:
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
            if g.best >= g.goal or g.patience < 0:
                return


# --- the sweep ---

cdef struct Choice:
    # Which routes were taken, as far as it matters for the rest.
    uint64_t labels     # of the open stations, 4 bits each: those with the same are connected, 0: no route there yet
    uint16_t odd        # open stations with an odd number of routes
    uint8_t ends        # closed stations with an odd number: ends of the trail
    int length


cdef struct Sweep:
    Choice* now
    Choice* then
    uint32_t* place     # hash table of `then`, twice as long: 1 + place, 0: none
    int room            # most choices, a power of two
    int n_now
    int n_then
    int rest            # length of the routes still to come


cdef uint64_t plan(const Graph* g, const uint8_t* stations, int n, int start, uint8_t* order) noexcept nogil:
    """An order of a part's stations that keeps few of them open, greedily from `start`. Returns what a sweep may cost, 0: too many
    would be open at once."""
    cdef uint8_t open_ways[STATIONS]    # routes of a station to others not in the order yet
    cdef bint taken[STATIONS]
    cdef int i, j, k, route, station, other, closes, least, best, width = 0
    cdef uint64_t cost = 0
    for i in range(n):
        taken[stations[i]] = False
        open_ways[stations[i]] = g.n_at[stations[i]]
    for i in range(n):
        best = start
        least = 1000
        for j in range(n if i else 0):
            station = stations[j]
            if taken[station]:
                continue
            closes = 0
            k = 0
            for k in range(g.n_at[station]):
                route = g.at[station][k]
                other = g.a[route] + g.b[route] - station
                if taken[other]:
                    closes += open_ways[other] == 1
            if open_ways[station] == g.n_at[station]:
                continue  # beside no open one
            if (open_ways[station] > 0) - closes < least:
                least = (open_ways[station] > 0) - closes
                best = station
        order[i] = best
        taken[best] = True
        width += 1
        if width >= WIDTH:
            return 0
        cost += <uint64_t>1 << 2 * width
        for k in range(g.n_at[best]):
            route = g.at[best][k]
            other = g.a[route] + g.b[route] - best
            open_ways[other] -= 1
            if taken[other] and open_ways[other] == 0:
                width -= 1
        if open_ways[best] == 0:
            width -= 1
    return cost


cdef inline uint64_t relabelled(uint64_t labels) noexcept nogil:
    """The same parts, numbered in the order of their first stations."""
    cdef uint8_t number[16]
    cdef uint64_t result = 0
    cdef int i, label, n = 0, shift = 0
    for i in range(16):
        number[i] = 0
    while labels:
        label = labels & 15
        if label:
            if number[label] == 0:
                n += 1
                number[label] = n
            result |= <uint64_t>number[label] << shift
        labels >>= 4
        shift += 4
    return result


cdef bint note(Sweep* w, Choice* choice, int best) noexcept nogil:
    """Keeps a choice if it can become the longest and nothing like it is longer. False: there is no room."""
    cdef uint32_t at
    cdef Choice* there
    if choice.length + w.rest <= best:
        return True
    choice.labels = relabelled(choice.labels)
    at = <uint32_t>mix64(choice.labels ^ mix64(<uint64_t>choice.odd << 2 | choice.ends)) & (2 * w.room - 1)
    while w.place[at]:
        there = &w.then[w.place[at] - 1]
        if there.labels == choice.labels and there.odd == choice.odd and there.ends == choice.ends:
            there.length = max(there.length, choice.length)
            return True
        at = (at + 1) & (2 * w.room - 1)
    if w.n_then == w.room:
        return False
    w.then[w.n_then] = choice[0]
    w.n_then += 1
    w.place[at] = w.n_then
    return True


cdef void turn_over(Sweep* w) noexcept nogil:
    """What was noted is what there is now."""
    cdef Choice* other = w.now
    cdef uint32_t at
    cdef int i
    for i in range(w.n_then):
        at = <uint32_t>mix64(w.then[i].labels ^ mix64(<uint64_t>w.then[i].odd << 2 | w.then[i].ends)) & (2 * w.room - 1)
        while w.place[at]:  # all of the run: whatever lay behind it is taken out by its own turn
            w.place[at] = 0
            at = (at + 1) & (2 * w.room - 1)
    w.now = w.then
    w.n_now = w.n_then
    w.then = other
    w.n_then = 0


cdef bint take_or_leave(Sweep* w, int one, int other, int length, int best) noexcept nogil:
    """The next route, between two open stations."""
    cdef Choice choice
    cdef int i, j, a, b
    w.rest -= length
    for i in range(w.n_now):
        choice = w.now[i]
        if not note(w, &choice, best):
            return False
        choice = w.now[i]
        a = choice.labels >> 4 * one & 15
        b = choice.labels >> 4 * other & 15
        if a == 0 and b == 0:
            a = 15  # at most 8 parts have two open stations or more, and each has one at least: 15 is free unless all are open
            while has_label(choice.labels, a):
                a -= 1
        elif a == 0:
            a = b
        elif b and a != b:
            for j in range(WIDTH):
                if choice.labels >> 4 * j & 15 == <uint64_t>b:
                    choice.labels = relabel(choice.labels, j, a)
        choice.labels = relabel(relabel(choice.labels, one, a), other, a)
        choice.odd ^= 1 << one | 1 << other
        choice.length += length
        if not note(w, &choice, best):
            return False
    turn_over(w)
    return True


cdef inline uint64_t relabel(uint64_t labels, int slot, int label) noexcept nogil:
    return (labels & ~(<uint64_t>15 << 4 * slot)) | <uint64_t>label << 4 * slot


cdef inline bint has_label(uint64_t labels, int label) noexcept nogil:
    while labels:
        if labels & 15 == <uint64_t>label:
            return True
        labels >>= 4
    return False


cdef bint close_station(Sweep* w, int slot, int* best) noexcept nogil:
    """All routes of a station have been decided."""
    cdef Choice choice
    cdef int i, label
    for i in range(w.n_now):
        choice = w.now[i]
        label = choice.labels >> 4 * slot & 15
        if label:
            choice.ends += choice.odd >> slot & 1
            choice.odd &= ~(1 << slot)
            choice.labels = relabel(choice.labels, slot, 0)
            if choice.ends > 2:
                continue
            if not has_label(choice.labels, label):  # nothing can be added to this part
                if choice.labels == 0:
                    best[0] = max(best[0], choice.length)
                continue
        if not note(w, &choice, best[0]):
            return False
    turn_over(w)
    return True


cdef bint pass_over(const Graph* g, Sweep* w, const uint8_t* order, int n, int* best) noexcept nogil:
    """Once over all stations; `best` becomes the length of the longest trail if one is longer. False: there are too many choices."""
    cdef uint8_t slot[STATIONS]
    cdef int ways[STATIONS]
    cdef bint met[STATIONS]
    cdef int i, k, station, other, route, free_slots = (1 << WIDTH) - 1
    w.rest = 0
    for i in range(n):
        station = order[i]
        met[station] = False
        ways[station] = g.n_at[station]
        for k in range(g.n_at[station]):
            w.rest += g.length[g.at[station][k]]
    w.rest //= 2  # each route was met at both ends
    w.now[0].labels = 0
    w.now[0].odd = 0
    w.now[0].ends = 0
    w.now[0].length = 0
    w.n_now = 1
    w.n_then = 0
    for i in range(n):
        station = order[i]
        slot[station] = low_bit(free_slots)
        free_slots &= free_slots - 1
        met[station] = True
        for k in range(g.n_at[station]):
            route = g.at[station][k]
            other = g.a[route] + g.b[route] - station
            if not met[other]:
                continue
            if not take_or_leave(w, slot[station], slot[other], g.length[route], best[0]):
                return False
            ways[station] -= 1
            ways[other] -= 1
            if ways[other] == 0:
                free_slots |= 1 << slot[other]
                if not close_station(w, slot[other], best):
                    return False
        if ways[station] == 0:
            free_slots |= 1 << slot[station]
            if not close_station(w, slot[station], best):
                return False
    return True


cdef bint sweep(Graph* g, const uint8_t* stations, int n, int room) noexcept nogil:
    """Sets `best` to the longest trail of a part if one is longer. False: it has too many stations open at once, or too many choices.

    First only trails are looked for that are nearly as long as can be, which leaves few choices; then shorter ones.
    """
    cdef Sweep w
    cdef uint8_t order[STATIONS]
    cdef uint8_t trial[STATIONS]
    cdef uint64_t cost, least = 0
    cdef int i, j, least_length, length, short = 1
    cdef bint done = False
    i = 0
    while i < n:
        cost = plan(g, stations, n, stations[i], trial)
        if cost and (least == 0 or cost < least):
            least = cost
            for j in range(n):
                order[j] = trial[j]
        i += 1 + n // STARTS if room == FEW else 1
    if least == 0:
        return False
    w.room = room
    w.now = <Choice*>malloc(room * sizeof(Choice))
    w.then = <Choice*>malloc(room * sizeof(Choice))
    w.place = <uint32_t*>calloc(2 * room, sizeof(uint32_t))
    if w.now != NULL and w.then != NULL and w.place != NULL:
        while True:
            least_length = max(g.best, g.goal - short)
            length = least_length
            done = pass_over(g, &w, order, n, &length)
            if not done:
                break
            if length > least_length or least_length == g.best:
                g.best = length
                break
            short *= 3
    free(w.now)
    free(w.then)
    free(w.place)
    return done


# --- all of it ---

cdef int longest_trail(const Data* d, const uint64_t* routes) noexcept nogil:
    """Length of the longest trail in trains."""
    return longest_with(d, routes, PATIENCE)


cdef int longest_with(const Data* d, const uint64_t* routes, int patience) noexcept nogil:
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
        g.patience = patience
        search_core(&g, stations, n)
        if g.patience < 0 and g.best < g.goal and not sweep(&g, stations, n, FEW) and not sweep(&g, stations, n, MOST):
            g.patience = FOREVER
            search_core(&g, stations, n)
        best = g.best


def longest_path(edges, int patience = PATIENCE) -> int:
    """Length of the longest trail of any graph, as it is scored.

    Parameters
    ----------
    edges : list of (int, int, int)
        Two stations (0 .. 63) and a length (1 .. 99); at most 128.
    patience : int
        Steps of the search before the sweep; -1: the sweep at once.
    """
    cdef Data* d = <Data*>calloc(1, sizeof(Data))
    cdef uint64_t routes[2]
    if d == NULL:
        raise MemoryError()
    try:
        routes[0] = routes[1] = 0
        d.stations = STATIONS
        for i, (a, b, length) in enumerate(edges):
            if not (i < ROUTES and 0 <= a < STATIONS and 0 <= b < STATIONS and a != b and 1 <= length < 100):
                raise ValueError(f"edge {i}: {a}, {b}, {length}; expected two stations below {STATIONS} and a length below 100")
            d.route[i].a, d.route[i].b, d.route[i].length = a, b, length
            put(routes, i)
        return longest_with(d, routes, patience)
    finally:
        free(d)
