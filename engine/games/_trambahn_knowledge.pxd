# What one player of Trambahn knows, and dealing full states from it; see _trambahn_knowledge.pyx and _trambahn_recycled.pyx.
from libc.stdint cimport int8_t, int32_t, uint8_t, uint16_t, uint32_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._trambahn_memory cimport LOG, Memory
from wattman.engine.games._trambahn_state cimport CARDS, DECK, HAND, State
from wattman.engine.rng cimport Rng

cdef enum:
    COPIES = 8          # most cards of a kind
    GAP = 16            # most cards of idle kinds between two others
    STATION = 3         # most of a kind of station
    SPLITS = 8          # most split income steps that are kept apart


cdef struct Leaving:
    # A card that left the other player's hand since the last reshuffle: was it drawn since then (fresh) or held before (old)?
    uint8_t draws             # fresh cards that came to the hand between the leaving before this one and this one
    uint8_t kind              # shown: which of Info.kinds; CARDS: put on the money pile
    uint8_t place             # put on the pile: which of Info.offset it is; DECK: shown
    uint8_t banked            # 1: put on the pile
    uint16_t offset           # put on the pile: that place's byte in State
    uint32_t fresh[HAND + 1]  # [f]: probability that it was a fresh one, if f fresh cards were left after it, times 2**31


cdef struct Case:
    # A kind of station, if so many of the cards shown were fresh.
    uint32_t limit[STATION]   # the number of mixed ones (see Draft.mixed) is that of the limits not above a number below 2**31
    float weight              # what makes up for the chain's approximation
    int8_t known              # cards of the kind known to be in the draw pile that have not been seen, less the mixed ones
    int8_t others             # cards not known to be there that have not been seen, plus the mixed ones


cdef struct Crowd:
    # The same for conductors: [f] with f fresh ones.
    uint32_t limit[COPIES + 1][COPIES]
    float weight[COPIES + 1]
    int8_t known[COPIES + 1]
    int8_t others[COPIES + 1]


cdef struct Kind:
    # Cards of one kind since the last reshuffle.
    uint8_t card
    uint8_t known             # known to have gone into the draw pile then
    uint8_t others            # the others that the observer did not see then
    uint8_t drawn             # drawn by the observer since
    uint8_t shown             # shown by the other player since
    uint8_t only              # after two reshuffles: the class of all of `others`, EPOCHS: they are of several
    uint8_t gap               # how many of Info.idle_others stand between the kind before and this one
    Case cases[STATION + 1]   # of a station, by how many of those shown were fresh


cdef struct Split:
    # An income step of which only the lower cards still lie in their places: the higher ones went into a draw pile.
    uint8_t first             # first place
    uint8_t count             # places
    uint8_t lost              # cards that went
    uint16_t lean[CARDS]      # [card]: roughly how well it agrees with the lost ones that the places' highest is that card


cdef struct Info:
    State state               # with UNKNOWN where the observer does not know
    Memory memory             # his own recall only
    # The rest follows from these two (`prepare`) and makes `fill` fast.
    uint8_t impossible        # no world agrees with them
    uint8_t n_places          # unknown cards outside the draw pile; the other player's hand first, then his income by steps
    uint8_t n_hand            # how many of them are in his hand
    uint8_t n_sorted          # income steps of his with at least two unknown cards
    uint16_t n_unseen         # cards that the observer does not see: those for the places and for the draw pile
    uint16_t offset[DECK]     # places: byte in State
    uint8_t cap[DECK]         # places: highest class that can lie there
    uint8_t sorted_from[64]   # these steps: first place
    uint8_t sorted_count[64]  # and how many, from the lowest card up
    uint8_t unseen[DECK]      # the unseen cards, sorted
    uint8_t counts[CARDS]     # the same by kind
    # After a reshuffle: see _trambahn_recycled.pyx.
    uint8_t n_splits
    uint8_t n_leaving
    uint8_t n_kinds           # kinds that need a look: seen since the reshuffle, or all
    uint8_t n_idle_known      # unseen cards of the other kinds: known to be in the draw pile,
    uint8_t n_idle_others     # and others;
    uint8_t n_idle_seen       # and those of them that were seen to come out of it, but were not known to be in it
    uint8_t last_gap          # idle_others above the highest of `kinds`
    uint8_t n_fixed           # places of cards that were there before the reshuffle
    uint8_t n_mixed           # unknown cards that went into the draw pile
    uint8_t n_shown           # cards that the other player has shown
    uint8_t draws_after       # fresh cards that came to the other's hand after the last leaving
    uint32_t fresh_now[HAND + 1]  # [f]: probability that at most f of his hand cards are fresh, times 2**31
    uint8_t idle_known[DECK]
    uint8_t idle_others[GAP + DECK]  # ascending, from GAP on
    uint8_t idle_seen[DECK]
    uint16_t fixed[DECK]      # byte in State
    double by_fresh[DECK + 1]  # factors of a try's weight; by how many of the cards shown were fresh,
    double by_mixed[DECK + 1]  # by how many of the cards seen to come from the draw pile were not known to be in it,
    double by_others[DECK + 1]  # and by how many of the others were seen in all
    double tilt               # odds of an unknown card of the draw pile against any other that is not known
    double bound              # tries of at least this weight are taken, others in proportion
    Split splits[SPLITS]
    Kind kinds[CARDS]         # conductors, if they are among them, last
    Crowd crowd
    Leaving leaving[LOG]


cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil
cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil
cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil
cdef void prepare(Info* info) noexcept nogil
