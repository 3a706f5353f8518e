# The loaded board as C data; see _portland_data.pyx.
from wattman.engine.games._portland_state cimport Data

cdef int set_data(Data* d, board, notation, int players, bint free) except -1
cdef int most_events(const Data* d) noexcept
cdef int most_legal(const Data* d) noexcept
