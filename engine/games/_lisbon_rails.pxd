# Movement in Lisbon Tram 28: which steps a tram can take, and the line along which a push goes.
from libc.stdint cimport int32_t, uint8_t, uint64_t

from wattman.engine.bits cimport low_bit as lowest
from wattman.engine.games._lisbon_state cimport NONE, PLACES, Data, Path, Run, State, bit


cdef inline uint64_t in_the_way(const Data* d, const State* s, int mover) noexcept nogil:
    """Places of the other trams, as bits; those in Rossio are in nobody's way."""
    cdef uint64_t result = 0
    cdef int p
    for p in range(d.players):
        if p != mover:
            result |= bit(s.at[p])
    return result & ~bit(d.rossio)


cdef inline int tram_at(const Data* d, const State* s, int place, int mover) noexcept nogil:
    """Whose tram other than the mover's stands there."""
    cdef int p
    for p in range(d.players):
        if p != mover and s.at[p] == place:
            return p
    return NONE


cdef inline bint can_finish(const Data* d, uint64_t open, uint64_t trams, uint64_t line, int before, int node, int waiting) noexcept nogil:
    """Whether a line that has come to `node` from `before` can be led on until the trams that wait for a place have found one."""
    cdef uint64_t ways = d.onward[node][d.way_to[node][before]] & ~line
    cdef int v, left
    while ways:
        v = lowest(ways)
        ways &= ways - 1
        if v == d.rossio:
            return True
        left = waiting + <int>(trams >> v & 1) - <int>(open >> v & 1)
        if left == 0 or can_finish(d, open, trams, line | bit(v), node, v, left):
            return True
    return False


cdef inline int before_landing(const Data* d, const Path* path, int start) noexcept nogil:
    return d.path_places[path.at + path.length - 2] if path.length > 1 else start


cdef inline int count_bits(uint64_t mask) noexcept nogil:
    cdef int n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


cdef inline bint push_possible(const Data* d, uint64_t open, uint64_t trams, int start, const Path* path) noexcept nogil:
    """Whether the trams on a path can be pushed out of the way."""
    cdef uint64_t line = path.mask
    if path.landing == d.rossio:
        return True
    if start != d.rossio:
        line |= bit(start)
    return can_finish(d, open, trams, line, before_landing(d, path, start), path.landing, count_bits(path.mask & trams))


cdef inline int list_steps(const Data* d, const State* s, int mover, int32_t* paths, int most) noexcept nogil:
    """The paths of the legal steps of a tram, at most `most` of them; returns how many."""
    cdef uint64_t open = s.open, trams = in_the_way(d, s, mover)
    cdef int start = s.at[mover], i = d.runs[start], end = d.runs[start + 1], n = 0
    cdef const Run* run
    while i < end:
        run = &d.tree[i]
        if not open >> run.place & 1:
            i += 1  # run through
            continue
        i += run.skip
        if d.path[run.path].mask & trams == 0 or push_possible(d, open, trams, start, &d.path[run.path]):
            paths[n] = run.path
            n += 1
            if n == most:
                return n
    return n


cdef inline bint any_step(const Data* d, const State* s, int mover) noexcept nogil:
    cdef int32_t path
    return list_steps(d, s, mover, &path, 1) > 0


cdef inline int list_shunts(const Data* d, const State* s, uint8_t* places) noexcept nogil:
    """Where the line of a push can be led on from its end; returns how many. Called with a line that can be completed."""
    cdef uint64_t trams = in_the_way(d, s, s.player)
    cdef int way = d.way_to[s.node][s.before], i, v, left, n = 0
    cdef uint64_t ways = d.onward[s.node][way] & ~s.line
    if ways & (ways - 1) == 0:
        places[0] = lowest(ways)
        return 1
    for i in range(d.degree[s.node]):
        v = d.straight[s.node][way][i] if d.german else d.near[s.node][i]
        if not ways >> v & 1:
            continue
        left = s.n_pushed - s.placed + <int>(trams >> v & 1) - <int>(s.open >> v & 1)
        if v == d.rossio or left == 0 or can_finish(d, s.open, trams, s.line | bit(v), s.node, v, left):
            places[n] = v
            n += 1
            if d.german:
                break
    return n
