# What the cheap policy of Lisbon Tram 28 goes by: distances, the cards that can be had, and how far somebody is on the way to them.
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from wattman.engine.games._lisbon_rails cimport lowest
from wattman.engine.games._lisbon_state cimport (
    COLOURS,
    NONE,
    PLACES,
    SPACES,
    Data,
    State,
    bit,
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
    """
    const float[] P "lisbon_parameters"

cdef enum:
    WANTED = SPACES + 1     # cards on display and the next one
    FAR = 99

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
    uint8_t cramped[WANTED]         # those of them for whom the tram has no seats at all
    float worth[WANTED]             # points of a card, its connections, and what it is worth to have it first
    float ready                     # `standing_of` the player's passengers now
    uint8_t steps[PLACES]           # from the player's tram


cdef inline int bits_of(int mask) noexcept nogil:
    """Of four bits, how many are set."""
    return (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1)


cdef inline void measure(const Data* d, uint64_t open, int start, uint8_t* steps) noexcept nogil:
    """Steps from a place to all others; empty stops are run through, trams and missing turns not looked at."""
    cdef uint64_t reached = bit(start), edge = bit(start), landing, near
    cdef int level = 0, v
    memset(steps, FAR, PLACES)
    steps[start] = 0
    while edge:
        level += 1
        landing = 0
        while edge:
            v = lowest(edge)
            edge &= edge - 1
            near = d.near_mask[v] & ~reached
            reached |= near
            landing |= near & open
            edge |= near & ~open  # in this same step
            while near:
                steps[lowest(near)] = level
                near &= near - 1
        edge = landing


cdef inline int links_gained(const Data* d, const State* s, int player, int card) noexcept nogil:
    """Complete tickets that a card makes at the better end of a row."""
    if s.n_row[player] == 0:
        return 0
    return max(bits_of(d.right[card] & d.left[s.row_left[player]]), bits_of(d.right[s.row_right[player]] & d.left[card]))


cdef inline float rounds_left(const Data* d, const State* s) noexcept nogil:
    """Rounds to come after this one, roughly: how long claims take."""
    if s.last_round:
        return 0
    return <float>0.5 + s.face_up * (<float>1.9 if d.players == 2 else <float>1.35 if d.players == 3 else <float>1.05)


cdef inline int lacking(const uint8_t* demand, const uint8_t* aboard) noexcept nogil:
    cdef int c, n = 0
    for c in range(COLOURS):
        n += max(0, demand[c] - aboard[c])
    return n


cdef inline int over_seats(const Data* d, const State* s, int player, const uint8_t* demand) noexcept nogil:
    """Passengers of a demand for whom the tram has no seats at all."""
    cdef int c, n = 0, seats = own_seats(d, s, player)
    for c in range(COLOURS):
        n += max(0, demand[c] - seats)
    return n


cdef inline float share(int missing) noexcept nogil:
    return P[SHARE + min(missing, 7)]


cdef inline float standing_of(const Data* d, const Look* k, const uint8_t* aboard) noexcept nogil:
    """What passengers aboard are worth: the best card's share, and part of the others', which ask for some of the same."""
    cdef int i
    cdef float worth, best = 0, sum = 0
    for i in range(k.n):
        worth = k.worth[i] * share(lacking(d.demand[k.card[i]], aboard) + 2 * k.cramped[i])
        sum += worth
        best = max(best, worth)
    return best + P[OTHERS] * (sum - best)


cdef inline void want_cards(const Data* d, const State* s, int player, Look* k) noexcept nogil:
    """The cards that a player may go for, and what he has for them."""
    cdef int i, card
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
        k.cramped[k.n] = over_seats(d, s, player, d.demand[card])
        k.missing[k.n] = lacking(d.demand[card], s.aboard[player])
        k.n += 1
    k.ready = standing_of(d, k, s.aboard[player])
