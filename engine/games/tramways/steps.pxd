from libc.stdint cimport int32_t

from wattman.engine.games.tramways.memory cimport Memory
from wattman.engine.games.tramways.state cimport Data, State

cdef void step(const Data* d, State* s, Memory* m, int32_t event) noexcept nogil
