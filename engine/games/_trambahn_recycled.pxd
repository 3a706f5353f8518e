# What happened since the last reshuffle; see _trambahn_recycled.pyx.
from wattman.engine.games._trambahn_knowledge cimport Info


cdef void follow_hand(Info* info, int observer) noexcept nogil
