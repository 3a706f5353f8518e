# What the players of Trambahn have seen and can remember: hooks that the rules call where something becomes or stops being visible.
# All are no-ops when memory is NULL (inside a search).
from libc.stdint cimport uint8_t

from wattman.engine.games.trambahn cimport DECK, PLAYERS, State


cdef struct Memory:
    uint8_t epoch         # reshuffles so far


# `player` is about to show `card` of his hand (board, build): the card is still in his hand.
cdef inline void remember_shown(State* state, Memory* memory, int player, int card) noexcept nogil:
    if memory == NULL:
        return


# `player` has just drawn `card` from the draw pile to his hand.
cdef inline void remember_drawn(State* state, Memory* memory, int player, int card) noexcept nogil:
    if memory == NULL:
        return


# A card has just been put on top of `player`'s money pile. `seen`: bit p set if player p knows which (0 for the start money, the owner's bit
# for income, 3 for an abandoned column).
cdef inline void remember_banked(State* state, Memory* memory, int player, int seen) noexcept nogil:
    if memory == NULL:
        return


# `player` begins an income step in which he puts cards on his pile in card order (called before the first of them).
cdef inline void remember_income(State* state, Memory* memory, int player) noexcept nogil:
    if memory == NULL:
        return


# The top card of `player`'s money pile has just moved to the discard pile (n_pile already less, n_discard already more).
cdef inline void remember_paid(State* state, Memory* memory, int player) noexcept nogil:
    if memory == NULL:
        return


# A card that both players know (a scored passenger) has just been put on the discard pile.
cdef inline void remember_scored(State* state, Memory* memory) noexcept nogil:
    if memory == NULL:
        return


# The discard pile is about to become the new draw pile (the deck is empty, the discard still in place).
cdef inline void remember_reshuffle(State* state, Memory* memory) noexcept nogil:
    if memory == NULL:
        return
