# Sets of squares as bits, and stepping from squares to those beside them. A square's number is row * columns + column.
from libc.stdint cimport uint64_t

from wattman.engine.bits cimport bits_of as ones, low_bit as low

cdef enum:
    WORDS = 4           # 256 squares


cdef struct Squares:
    uint64_t w[WORDS]


cdef struct Grid:
    int words           # that are in use
    int columns
    Squares all
    Squares not_first   # all but the first column
    Squares not_last


cdef inline uint64_t bit(int i) noexcept nogil:
    return <uint64_t>1 << i


cdef inline void clear(Squares* x) noexcept nogil:
    x.w[0] = x.w[1] = x.w[2] = x.w[3] = 0


cdef inline void put(Squares* x, int square) noexcept nogil:
    x.w[square >> 6] |= bit(square & 63)


cdef inline void drop(Squares* x, int square) noexcept nogil:
    x.w[square >> 6] &= ~bit(square & 63)


cdef inline bint has(const Squares* x, int square) noexcept nogil:
    return (x.w[square >> 6] >> (square & 63)) & 1


cdef inline bint meet(const Grid* g, const Squares* x, const Squares* y) noexcept nogil:
    if g.words == 2:
        return ((x.w[0] & y.w[0]) | (x.w[1] & y.w[1])) != 0
    return ((x.w[0] & y.w[0]) | (x.w[1] & y.w[1]) | (x.w[2] & y.w[2]) | (x.w[3] & y.w[3])) != 0


cdef inline bint some(const Grid* g, const Squares* x) noexcept nogil:
    return (x.w[0] | x.w[1] | x.w[2] | x.w[3]) != 0


cdef inline void beside(const Grid* g, const Squares* x, Squares* out) noexcept nogil:
    """All squares that share an edge with one of `x`."""
    cdef int i, k = g.columns
    cdef uint64_t up, down, left, right, above, below
    for i in range(g.words):
        # to the right (number + 1) and down (number + columns) carry bits from the word below, the others from the word above
        below = x.w[i - 1] & g.not_last.w[i - 1] if i else 0
        right = ((x.w[i] & g.not_last.w[i]) << 1) | (below >> 63)
        above = x.w[i + 1] & g.not_first.w[i + 1] if i + 1 < g.words else 0
        left = ((x.w[i] & g.not_first.w[i]) >> 1) | (above << 63)
        down = (x.w[i] << k) | ((x.w[i - 1] >> (64 - k)) if i else 0)
        up = (x.w[i] >> k) | ((x.w[i + 1] << (64 - k)) if i + 1 < g.words else 0)
        out.w[i] = (left | right | up | down) & g.all.w[i]
    for i in range(g.words, WORDS):
        out.w[i] = 0
