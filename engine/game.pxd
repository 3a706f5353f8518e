# The Python face of every game; see game.pyx.
from libc.stdint cimport uint8_t

from wattman.engine.abi cimport GameC
from wattman.engine.rng cimport Rng


cdef class Game:
    cdef GameC c                   # the contract's table; filled by the subclass in _load
    cdef readonly dict options     # every option with its value, defaults written out


cdef class State:
    cdef readonly Game game
    cdef uint8_t* state            # c.state_size bytes
    cdef uint8_t* memory           # c.memory_size bytes, NULL if that is 0
    # Since this state began: [(player or CHANCE, event, (label seen by player 0, by player 1, ...), (further labels, seen by all))]
    cdef list _events
    cdef tuple _before             # per player: text of what he had seen before that

    cdef int _apply(self, int event) except -1
    cdef State _copy(self)


cdef class InfoState:
    cdef readonly Game game
    cdef readonly int player       # the observer
    cdef uint8_t* info             # c.info_size bytes
    cdef str _before               # text of what he had seen before the first of _events
    cdef list _events              # [text of what he saw]

    cdef InfoState _copy(self)
    cdef State _deal(self, Rng* rng)


cdef InfoState blank_info(Game game, int player)   # knows nothing yet: c.info_size zero bytes
