"""Putting the city together: boards, and where the special tiles may lie."""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from wattman.engine.games.tramways.bits cimport WORDS, Squares, beside, bit, clear, drop, has, low, put
from wattman.engine.games.tramways.state cimport (
    BIG_AIRPORT,
    EXCHANGE,
    FUNFAIR,
    IN_PLAY,
    NONE,
    PARK,
    SMALL_AIRPORT,
    SPECIALS,
    SQUARES,
    STATION,
    Data,
    State,
)


cdef void place_board(const Data* d, State* s, int board, int turns) noexcept nogil:
    """Lays a board, turned clockwise, on the next place."""
    cdef int place = s.count, i, j, square, what, t, k
    s.board[place] = 4 * board + turns
    for i in range(d.edge):
        for j in range(d.edge):
            square = (place // d.place_columns * d.edge + i) * d.grid.columns + place % d.place_columns * d.edge + j
            what = d.square[board][turns][i * d.edge + j]
            if what < 3:
                put(&s.free, square)
                put(&s.ground[what], square)
            else:
                t = what - 16
                k = 0 if s.at[t][0] == NONE else 1
                s.at[t][k] = square
    s.count += 1


cdef inline bint same_or_beside(const Data* d, int place, int other) noexcept nogil:
    cdef int k = d.place_columns
    return abs(place // k - other // k) + abs(place % k - other % k) <= 1


cdef bint may_lie(const Data* d, const State* s, int tile, int square, int second, int small_airport) noexcept nogil:
    """Whether a tile may lie on two squares (`second` -1: on one), each of which is allowed; `small_airport`: the place of its board."""
    cdef int i, other, place = d.place_of[square], place_too = d.place_of[second] if second >= 0 else place
    if tile == FUNFAIR:
        for i in range(2):
            other = s.at[d.special + STATION][i]
            if other != NONE and (d.place_of[other] == place or d.place_of[other] == place_too):
                return False
    if tile == SMALL_AIRPORT or tile == BIG_AIRPORT:
        if place != place_too:
            return False
        if tile == BIG_AIRPORT and same_or_beside(d, place, small_airport):
            return False
    return True


cdef void allowed_squares(const Data* d, const State* s, int tile, Squares* out) noexcept nogil:
    """Squares on which the tile may lie, each for itself."""
    cdef int t, w, i, park
    cdef uint64_t left
    out[0] = s.free
    if tile != EXCHANGE and tile != PARK:
        for w in range(WORDS):
            out.w[w] &= ~s.ground[1].w[w]
    if tile != PARK:
        for t in range(d.special):
            if d.is_parcel[t] and s.at[t][0] != NONE:
                for w in range(WORDS):
                    out.w[w] &= ~d.near[s.at[t][0]].w[w]
    park = s.at[d.special + PARK][0]
    if park != NONE:
        for w in range(WORDS):
            out.w[w] &= ~d.near[park].w[w]
    if tile == PARK:  # four neighbours, all of them free
        for w in range(WORDS):
            left = out.w[w]
            while left:
                i = 64 * w + low(left)
                left &= left - 1
                if i < d.grid.columns or i >= d.squares - d.grid.columns or i % d.grid.columns in (0, d.grid.columns - 1):
                    drop(out, i)
                elif (
                    d.near[i].w[0] & ~s.free.w[0] or d.near[i].w[1] & ~s.free.w[1] or d.near[i].w[2] & ~s.free.w[2] or d.near[i].w[3] & ~s.free.w[3]
                ):
                    drop(out, i)


cdef void place_tile(const Data* d, State* s, int tile, int square, bint vertical) noexcept nogil:
    cdef int t = d.special + tile
    s.at[t][0] = square
    drop(&s.free, square)
    if d.tile_squares[tile] == 2:
        s.at[t][1] = square + (d.grid.columns if vertical else 1)
        drop(&s.free, s.at[t][1])


cdef int list_places(const Data* d, const State* s, int tile, int small_airport, int32_t* ids, int most) noexcept nogil:
    """The places of a tile as outcomes, `most` of them at most; for the small airport also those that leave none for the big one."""
    cdef Squares allowed
    cdef int w, square, vertical, second, n = 0
    cdef uint64_t left
    allowed_squares(d, s, tile, &allowed)
    for w in range(d.grid.words):
        left = allowed.w[w]
        while left:
            square = 64 * w + low(left)
            left &= left - 1
            for vertical in range(d.tile_squares[tile]):
                second = -1
                if d.tile_squares[tile] == 2:
                    second = square + d.grid.columns if vertical else square + 1
                    if second >= d.squares or (vertical == 0 and second % d.grid.columns == 0) or not has(&allowed, second):
                        continue
                if may_lie(d, s, tile, square, second, small_airport):
                    ids[n] = d.place + 2 * square + vertical
                    n += 1
                    if n == most:
                        return n
    return n


cdef int list_tile_places(const Data* d, const State* s, int tile, int32_t* ids) noexcept nogil:
    """All places of a tile as outcomes."""
    cdef int32_t one[1]
    cdef uint8_t known[IN_PLAY]
    cdef int i, place, n, kept = 0, small = s.at[d.special + SMALL_AIRPORT][0]
    n = list_places(d, s, tile, d.place_of[small] if small != NONE else 0, ids, 2 * SQUARES)
    if tile != SMALL_AIRPORT:
        return n
    # The big airport must find a place on another board that has no edge in common with this one: that depends on the board alone.
    memset(known, 0, IN_PLAY)
    for i in range(n):
        place = d.place_of[(ids[i] - d.place) >> 1]
        if known[place] == 0:
            known[place] = 1 + (list_places(d, s, BIG_AIRPORT, place, one, 1) > 0)
        if known[place] == 2:
            ids[kept] = ids[i]
            kept += 1
    return kept


cdef void next_tile(const Data* d, State* s) noexcept nogil:
    """Moves s.count to the next tile that has a place; SPECIALS if there is none."""
    cdef int32_t ids[2 * SQUARES]
    while s.count < SPECIALS:
        if d.has[s.count] and not (s.count == BIG_AIRPORT and s.at[d.special + SMALL_AIRPORT][0] == NONE):
            if list_tile_places(d, s, s.count, ids):
                return
        s.count += 1
