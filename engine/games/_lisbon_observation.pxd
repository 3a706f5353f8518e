from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_state cimport COLOURS, PLACES, SEATS_AT_TABLE, SPACES

cdef enum:
    PHASES = 16
    COMMON = PHASES + 3 + 4 + 3 + 8 * COLOURS + 14 + 2 * PLACES
    SEAT = 3 + PLACES + 4 + COLOURS + 5 + 2 * COLOURS
    CARD = 2 + COLOURS + 2 * COLOURS + 2 + PLACES
    OBSERVATION = COMMON + SEATS_AT_TABLE * SEAT + PLACES * (COLOURS + 2) + (SPACES + 1) * CARD
    HIDDEN = (SEATS_AT_TABLE - 1) * COLOURS


cdef void observe(const GameC* game, const void* state, int player, float* out) noexcept nogil
cdef void hidden_targets(const GameC* game, const void* state, int player, float* out) noexcept nogil
