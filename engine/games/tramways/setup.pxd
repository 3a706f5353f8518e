from libc.stdint cimport int32_t

from wattman.engine.games.tramways.state cimport Data, State

cdef void place_board(const Data* d, State* s, int board, int turns) noexcept nogil
cdef void place_tile(const Data* d, State* s, int tile, int square, bint vertical) noexcept nogil
cdef int list_tile_places(const Data* d, const State* s, int tile, int32_t* ids) noexcept nogil
cdef void next_tile(const Data* d, State* s) noexcept nogil
