# What one player of Portland knows; see _portland_knowledge.pyx, _portland_admit.pyx, and for dealing _portland_worlds.pyx.
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_memory cimport LOTS, PILES, Memory
from wattman.engine.games._portland_state cimport SEATS, TICKETS, TYPES, Data, State
from wattman.engine.rng cimport Rng

cdef enum:
    RELAXED = 3
    CARDS = 256         # room for a pile; boards have at most 240 cards


cdef struct Share:
    # A lot of another player to which cards have to be dealt.
    uint8_t player
    uint8_t lot
    uint8_t pile
    uint8_t n
    uint16_t never      # of the types that are there


cdef struct Info:
    State state               # with what the observer does not know left out, see `prepare`
    Memory memory             # his own alone
    # The rest follows from these two (`prepare`) and makes `fill` fast.
    uint8_t impossible        # no world agrees with them
    uint8_t relaxed           # facts left out because hardly any try agrees with all: 1 what lots of old piles cannot be, 2 of the new one too,
                              # 3 guards and limits
    uint8_t plain             # one pile, any card in any lot
    uint8_t n_shares
    uint8_t n_unseen          # tickets
    uint8_t n_hidden[SEATS]   # tickets held that the observer does not know
    uint8_t pool[PILES][TYPES]        # cards of a pile that he does not see
    uint8_t n_pool[PILES]
    uint8_t cards[CARDS]      # plain: the pool as a list
    uint8_t unseen[TICKETS]   # tickets that may be anywhere; with a log: those that might when it began
    uint64_t unseen_set[2]    # the same
    float ease[SEATS][LOTS]   # share of its pile's cards that a lot can be, 0.01 at least
    Share shares[SEATS * LOTS]        # those with types that they cannot be first
    double bound              # tries of at least this weight are taken, others in proportion; 0: all are


cdef int32_t seen(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil
cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil
cdef void prepare(const Data* d, Info* info) noexcept nogil
