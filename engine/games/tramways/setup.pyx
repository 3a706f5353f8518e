"""Putting the city together: boards, and where the special tiles may lie."""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy

from wattman.engine.games.tramways.bits cimport WORDS, Squares, beside, bit, clear, drop, has, low, put
from wattman.engine.games.tramways.state cimport (
    BIG_AIRPORT,
    EXCHANGE,
    FUNFAIR,
    NONE,
    PARK,
    SMALL_AIRPORT,
    SPECIALS,
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


cdef bint may_lie(const Data* d, const State* s, int tile, const Squares* allowed, int square, int second) noexcept nogil:
    """Whether a tile may lie on one or two squares, of which all but what concerns both is in `allowed`."""
    cdef int place, other, w, i, t
    cdef int two[2]
    if not has(allowed, square) or (second >= 0 and not has(allowed, second)):
        return False
    two[0] = d.place_of[square]
    two[1] = d.place_of[second] if second >= 0 else two[0]
    if tile == FUNFAIR:
        for i in range(2):
            place = s.at[d.special + STATION][i]
            if place != NONE and (d.place_of[place] == two[0] or d.place_of[place] == two[1]):
                return False
    if tile == SMALL_AIRPORT or tile == BIG_AIRPORT:
        if two[0] != two[1]:
            return False
        other = s.at[d.special + SMALL_AIRPORT][0]
        if tile == BIG_AIRPORT and same_or_beside(d, two[0], d.place_of[other]):
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


cdef void take_tile(const Data* d, State* s, int tile) noexcept nogil:
    cdef int i, t = d.special + tile
    for i in range(2):
        if s.at[t][i] != NONE:
            put(&s.free, s.at[t][i])
            s.at[t][i] = NONE


cdef int list_tile_places(const Data* d, State* s, int tile, int32_t* ids, int most) noexcept nogil:
    """The places of a tile as outcomes, `most` of them at most; the state is as it was in the end."""
    cdef Squares allowed
    cdef int square, vertical, second, n = 0
    cdef int32_t one[1]
    allowed_squares(d, s, tile, &allowed)
    for square in range(d.squares):
        if not has(&allowed, square):
            continue
        for vertical in range(d.tile_squares[tile]):
            second = -1
            if d.tile_squares[tile] == 2:
                second = square + d.grid.columns if vertical else square + 1
                if second >= d.squares or (vertical == 0 and second % d.grid.columns == 0):
                    continue
            if not may_lie(d, s, tile, &allowed, square, second):
                continue
            if tile == SMALL_AIRPORT:
                place_tile(d, s, tile, square, vertical)
                second = list_tile_places(d, s, BIG_AIRPORT, one, 1)
                take_tile(d, s, tile)
                if second == 0:
                    continue
            ids[n] = d.place + 2 * square + vertical
            n += 1
            if n == most:
                return n
    return n


cdef void next_tile(const Data* d, State* s) noexcept nogil:
    """Moves s.count to the next tile that has a place; SPECIALS if there is none."""
    cdef int32_t one[1]
    while s.count < SPECIALS:
        if d.has[s.count] and not (s.count == BIG_AIRPORT and s.at[d.special + SMALL_AIRPORT][0] == NONE):
            if list_tile_places(d, s, s.count, one, 1):
                return
        s.count += 1
