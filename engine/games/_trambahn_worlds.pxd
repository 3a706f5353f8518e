# Dealing worlds after a reshuffle; see _trambahn_worlds.pyx.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.games._trambahn_knowledge cimport Info, Kind
from wattman.engine.games._trambahn_state cimport CARDS, DECK, HAND, State
from wattman.engine.rng cimport Rng, rng_next

cdef enum:
    TRIES = 20000       # before knowledge is called impossible
    SPLIT = 200         # in Info.cap: a place of a split step
    MIDDLE = DECK + 16  # of Draft.cards; 16: GAP


cdef struct Draft:
    # One try.
    uint8_t fresh[CARDS + 1]   # by Info.kinds: of the cards that the other player showed, fresh ones
    uint8_t mixed[CARDS]       # by Info.kinds: of the cards seen to come from the draw pile, those not known to be in it
    uint8_t seen[DECK + 8]     # the cards that `mixed` counts
    # Cards that have not been seen since the reshuffle: up to MIDDLE the others, ascending, from there those that are in
    # the draw pile or fresh.
    uint8_t cards[2 * MIDDLE]
    uint16_t old[DECK + 8]     # places, as byte in State: of the other player's hand and income of this epoch, where an old card lies
    uint16_t new[DECK + 8]     # where a fresh one lies
    uint8_t cap[DECK + 1]      # after two reshuffles: of places; the epoch, where a fresh card lies
    int first                  # in `cards`
    int end
    int n_seen
    int n_old
    int n_new


cdef bint choose_fresh(const Info* info, Rng* rng, Draft* draft) noexcept nogil
cdef double choose_cards(const Info* info, Rng* rng, Draft* draft) noexcept nogil
cdef double deal_splits(const Info* info, Rng* rng, Draft* draft, State* state) noexcept nogil
cdef bint fill_recycled(const Info* info, Rng* rng, State* state, int tries) noexcept nogil


cdef inline double ways(const Kind* kind, int a, int b, int m, double tilt) noexcept nogil:
    """Of `a` cards seen to come from the draw pile m are not those known to be in it, and b old ones were shown: in how many ways, times
    tilt ** m."""
    cdef double w = 1
    cdef int j
    for j in range(a - m):
        w *= kind.known - j
    for j in range(m + b):
        w *= kind.others - j
    for j in range(m):
        w *= tilt * (a - j) / (j + 1)
    return w


cdef inline void order(uint8_t* cards, int i, int j) noexcept nogil:
    cdef uint8_t a = cards[i], b = cards[j]
    cards[i] = min(a, b)
    cards[j] = max(a, b)


cdef inline void sort_six(uint8_t* six) noexcept nogil:
    """Sorts six bytes without a branch (the best network: Knuth, The Art of Computer Programming 3, section 5.3.4)."""
    order(six, 1, 2)
    order(six, 4, 5)
    order(six, 0, 2)
    order(six, 3, 5)
    order(six, 0, 1)
    order(six, 3, 4)
    order(six, 2, 5)
    order(six, 0, 3)
    order(six, 1, 4)
    order(six, 2, 4)
    order(six, 1, 3)
    order(six, 2, 3)


cdef inline void sort_cards(uint8_t* cards, int n) noexcept nogil:
    """Sorts at most HAND cards."""
    cdef uint8_t six[HAND]
    cdef int i
    for i in range(HAND):
        six[i] = cards[i] if i < n else 255
    sort_six(six)
    for i in range(HAND):
        if i < n:
            cards[i] = six[i]


cdef inline void deal(Rng* rng, uint8_t* cards, int n, uint8_t* base, const uint16_t* places, int n_places) noexcept nogil:
    """Deals some of n cards; the others are behind the first n_places afterwards."""
    cdef Rng own = rng[0]  # a copy stays in registers: the compiler cannot know that no card is written over the generator
    cdef uint64_t bits
    cdef int i, j
    for i in range(0, n_places - 1, 2):
        bits = rng_next(&own)  # serves two cards
        j = i + <int>(((bits >> 32) * <uint64_t>(n - i)) >> 32)
        base[places[i]] = cards[j]
        cards[j] = cards[i]
        j = i + 1 + <int>((<uint64_t><uint32_t>bits * <uint64_t>(n - i - 1)) >> 32)
        base[places[i + 1]] = cards[j]
        cards[j] = cards[i + 1]
    if n_places & 1:
        i = n_places - 1
        j = i + <int>(((rng_next(&own) >> 32) * <uint64_t>(n - i)) >> 32)
        base[places[i]] = cards[j]
        cards[j] = cards[i]
    rng[0] = own
