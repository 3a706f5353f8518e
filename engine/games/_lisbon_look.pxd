# What the cheap policy of Lisbon Tram 28 goes by: distances, the cards that can be had, and how far somebody is on the way to them.
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from wattman.engine.games._lisbon_state cimport (
    COLOURS,
    HAS_SEATS,
    NONE,
    SPACES,
    Data,
    State,
    own_seats,
)

cdef extern from *:
    """
    /* Points, per round where it says so. */
    static const float lisbon_parameters[] = {
        0.85f, 0.55f, 0.33f, 0.18f, 0.09f, 0.04f, 0.02f, 0.01f,
        0.4f, 0.9f, 0.8f, 0.6f,
        0.12f, 0.2f,
        0.2f, 0.25f, 0.2f, 0.05f, 0.3f,
        0.65f, 0.15f, 2.0f, 4.0f,
    };
    static const unsigned char lisbon_bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    /* Four counts below 128 at once: by how much those of `need` exceed those of `have`; and how much that is in all. */
    static inline unsigned lisbon_excess(unsigned need, unsigned have) {
        unsigned left = (need | 0x80808080u) - have, more = left & 0x80808080u;
        return left & (more - (more >> 7));
    }
    static inline int lisbon_lacking(unsigned need, unsigned have) {
        return (lisbon_excess(need, have) * 0x01010101u) >> 24;
    }
    static inline int lisbon_count(unsigned long long mask) {
        mask -= (mask >> 1) & 0x5555555555555555ull;
        mask = (mask & 0x3333333333333333ull) + ((mask >> 2) & 0x3333333333333333ull);
        return (((mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0Full) * 0x0101010101010101ull) >> 56;
    }
    """
    const float[] P "lisbon_parameters"
    const unsigned char[] BITS "lisbon_bits"
    int count "lisbon_count"(uint64_t mask) noexcept nogil
    uint32_t excess "lisbon_excess"(uint32_t need, uint32_t have) noexcept nogil
    int lacking "lisbon_lacking"(uint32_t need, uint32_t have) noexcept nogil

cdef enum:
    WANTED = SPACES + 1     # cards on display and the next one

# Where the parameters stand.
cdef enum:
    SHARE = 0           # + passengers missing: a card's share for who is on the way to it
    OTHERS = 8          # of the shares of the cards that are not the best one
    LINK                # a connection
    FIRST               # added to every card: it keeps the others from it
    NEXT                # part of the next card's worth, while it is not yet on display
    TICKET
    ACTION
    SEATS_ROUND         # a bonus, for each round to come: more seats
    ACTION_ROUND
    FREE_ROUND
    BELL_ROUND
    CRAMPED             # part of a card's worth that waits for more seats
    LATER               # part of a gain that is left for each ticket that must still be drawn
    NEARER              # a step towards where one wants to be
    PRIOR_SHARPNESS     # how fast a decision's weight falls with the points that it lies behind the best: as a prior
    PLAYOUT_SHARPNESS   # the same in playouts


cdef struct Look:
    int n                           # cards
    float rounds                    # to come, roughly
    uint8_t card[WANTED]
    uint8_t missing[WANTED]         # passengers that the player lacks
    uint8_t cramped[WANTED]         # those of its demand for whom the tram has no seats at all
    uint32_t need[WANTED]           # its demand
    float worth[WANTED]             # points of a card, its connections, and what it is worth to have it first
    uint32_t room                   # free seats of each colour
    float ready                     # `standing_of` the player's passengers now


cdef inline uint32_t pack(const uint8_t* counts) noexcept nogil:
    """Four counts as one number, for `lacking`."""
    cdef uint32_t packed
    memcpy(&packed, counts, COLOURS)
    return packed


cdef inline int steps_between(const Data* d, uint64_t open, int a, int b) noexcept nogil:
    """Steps along the way that is shortest when passengers wait at every stop; emptied ones are run through."""
    return count(d.way[a][b] & open)


cdef inline int links_gained(const Data* d, const State* s, int player, int card) noexcept nogil:
    """Complete tickets that a card makes at the better end of a row."""
    if s.n_row[player] == 0:
        return 0
    return max(<int>BITS[d.right[card] & d.left[s.row_left[player]]], <int>BITS[d.right[s.row_right[player]] & d.left[card]])


cdef inline float rounds_left(const Data* d, const State* s) noexcept nogil:
    """Rounds to come after this one, roughly: how long claims take."""
    if s.last_round:
        return 0
    return <float>0.5 + s.face_up * (<float>1.9 if d.players == 2 else <float>1.35 if d.players == 3 else <float>1.05)


cdef inline float share(int missing) noexcept nogil:
    return P[SHARE + min(missing, 7)]


cdef inline float standing_of(const Look* k, uint32_t aboard) noexcept nogil:
    """What passengers aboard are worth: the best card's share, and part of the others', which ask for some of the same."""
    cdef int i
    cdef float worth, best = 0, sum = 0
    for i in range(k.n):
        worth = k.worth[i] * share(lacking(k.need[i], aboard) + 2 * k.cramped[i])
        sum += worth
        best = max(best, worth)
    return best + P[OTHERS] * (sum - best)


cdef inline void want_cards(const Data* d, const State* s, int player, Look* k) noexcept nogil:
    """The cards that a player may go for, and what he has for them."""
    cdef int i, card
    cdef uint32_t aboard = pack(s.aboard[player])
    k.n = 0
    k.rounds = rounds_left(d, s)
    for i in range(d.n_spaces + 1):
        card = s.next_card if i == d.n_spaces else s.display[d.spaces[i]]
        if card == NONE:
            continue
        k.card[k.n] = card
        k.worth[k.n] = d.card_vp[card] + P[LINK] * links_gained(d, s, player, card) + P[FIRST]
        if i == d.n_spaces:
            k.worth[k.n] *= P[NEXT]
        k.cramped[k.n] = d.cramped[s.bonuses[player] & HAS_SEATS][card]
        k.need[k.n] = pack(d.demand[card])
        k.missing[k.n] = lacking(k.need[k.n], aboard)
        k.n += 1
    k.ready = standing_of(k, aboard)
    k.room = excess(own_seats(d, s, player) * <uint32_t>0x01010101, aboard)
