# What one player of Trambahn knows, and dealing full states from it; see _trambahn_knowledge.pyx.
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._trambahn_memory cimport LOG, Memory
from wattman.engine.games._trambahn_state cimport CARDS, DECK, HAND, State
from wattman.engine.rng cimport Rng


cdef struct Leaving:
    # A card that left the other player's hand since the last reshuffle: was it drawn since then (fresh) or held before (old)?
    uint8_t draws             # fresh cards that came to the hand between the leaving before this one and this one
    uint8_t card              # shown: which; CARDS: put on the money pile
    uint8_t place             # put on the pile: which of Info.offset it is; DECK: shown
    uint32_t fresh[HAND + 1]  # [f]: probability that it was a fresh one, if f fresh cards were left after it, times 2**32


cdef struct Info:
    State state               # with UNKNOWN where the observer does not know
    Memory memory             # his own recall only
    # The rest follows from these two (`prepare`) and makes `fill` fast.
    uint8_t impossible        # the other player's cards cannot have come from where they must
    uint8_t n_places          # unknown cards outside the draw pile; the other player's hand first, then his income by steps
    uint8_t n_hand            # how many of them are in his hand
    uint8_t n_sorted          # income steps of his with at least two unknown cards
    uint8_t n_unseen          # cards that the observer does not see: those for the places and for the draw pile
    uint8_t n_leaving
    uint16_t offset[DECK]     # places: byte in State
    uint8_t cap[DECK]         # places: highest class that can lie there
    uint8_t sorted_from[64]   # these steps: first place
    uint8_t sorted_count[64]  # and how many, from the lowest card up
    uint8_t unseen[DECK]      # the unseen cards, sorted
    uint8_t counts[CARDS]     # the same by kind
    uint8_t own_draws[CARDS]  # drawn by the observer since the last reshuffle
    uint8_t mixed             # unknown cards among those of the last reshuffle
    uint8_t draws_after       # fresh cards that came to the other's hand after the last leaving
    float fresh_now[HAND + 1]  # probability that at most f of his hand cards are fresh
    Leaving leaving[LOG]


cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil
cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil
cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil
cdef void prepare(Info* info) noexcept nogil
