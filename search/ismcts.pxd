# One search from one root; see ismcts.pyx.
from libc.stdint cimport uint64_t

from wattman.engine.game cimport Game, InfoState
from wattman.search.context cimport Context
from wattman.search.evaluator cimport Evaluator


cdef class Search:
    cdef readonly Game game
    cdef readonly InfoState info
    cdef readonly dict options
    cdef readonly uint64_t seed
    cdef Context c
    cdef Evaluator evaluator     # keeps the network that `c.guide` points to
    cdef object _lock
    cdef uint64_t _roots
    cdef bint _set_root(self) except -1
