# What the players of Lisbon Tram 28 have seen and could remember beyond what lies on the table. All functions do without (NULL).
#
# Tickets are drawn face down and paid face up. Until the first reshuffle every ticket that a player does not see is as likely in one hidden
# place as in another, so nothing needs to be noted. A reshuffle tells two kinds apart: what was in the hands then (together: all that is
# neither in the new pile nor in one's own hand), and what is drawn from the new pile, whose tickets all had seen in the discard. From then
# on a log keeps who drew and who paid what, over the last piles (with two players only the last matters: a player sees his own hand, and all
# that was in no pile was in the other). What happened before is summed up by how many tickets each player held and, each for himself, which.
from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy, memmove, memset

from wattman.engine.games._lisbon_state cimport COLOURS, SEATS_AT_TABLE, UNKNOWN, State

cdef enum:
    PILES = 8           # piles that the log covers at most
    LOG = 1024
    LONGEST = 481       # entries between two reshuffles: 240 tickets are drawn at most, and as many paid
    # Entries of the log.
    DREW = 0            # + player
    PAID_ONE = 4        # + 4 * player + colour
    RESHUFFLED = 20


cdef struct Recall:
    # What one player alone knows.
    uint8_t held[COLOURS]           # his hand when the log began
    uint8_t drawn[PILES][COLOURS]   # what he drew from each pile of the log


cdef struct Memory:
    uint16_t reshuffles             # of the tickets
    uint16_t refills                # of the bag, passengers put back after a choice counted too
    uint16_t n_log
    uint8_t n_piles                 # piles of the log, 0: there was no reshuffle yet
    uint8_t start_deck[COLOURS]     # the ticket pile when it was shuffled, or the world dealt (for Deal)
    uint8_t start_bag[COLOURS]
    uint8_t piles[PILES][COLOURS]   # what was in the piles of the log
    uint8_t n_held[SEATS_AT_TABLE]  # tickets in hand when the log began
    # A player who rang could pay the group that was there: a fact about his hand until he pays after having drawn.
    uint8_t rang[SEATS_AT_TABLE]
    uint8_t group[SEATS_AT_TABLE][COLOURS]
    uint8_t since[SEATS_AT_TABLE][COLOURS]  # tickets paid since then
    uint8_t fresh[SEATS_AT_TABLE]           # tickets drawn since then
    Recall recall[SEATS_AT_TABLE]
    uint8_t log[LOG]


cdef inline void note(Memory* m, int entry) noexcept nogil:
    if m.n_piles and m.n_log < LOG:
        m.log[m.n_log] = entry
        m.n_log += 1


cdef inline void forget_ring(Memory* m, int player) noexcept nogil:
    if m != NULL and m.rang[player]:
        m.rang[player] = m.fresh[player] = 0
        memset(m.group[player], 0, COLOURS)
        memset(m.since[player], 0, COLOURS)


cdef inline void remember_ring(Memory* m, int player, const uint8_t* group) noexcept nogil:
    if m != NULL:
        forget_ring(m, player)
        m.rang[player] = 1
        memcpy(m.group[player], group, COLOURS)


cdef inline void remember_drawn(Memory* m, int player, int colour) noexcept nogil:
    if m == NULL:
        return
    m.fresh[player] += m.rang[player]
    note(m, DREW + player)
    if m.n_piles and colour < UNKNOWN:
        m.recall[player].drawn[m.n_piles - 1][colour] += 1


cdef inline void remember_paid(Memory* m, int player, int colour, int n) noexcept nogil:
    cdef int i
    if m == NULL or n == 0:
        return
    if m.fresh[player]:
        forget_ring(m, player)
    elif m.rang[player]:
        m.since[player][colour] += n
    for i in range(n):
        note(m, PAID_ONE + 4 * player + colour)


cdef inline void drop_first_pile(const State* s, Memory* m) noexcept nogil:
    """The log begins at its second pile."""
    cdef int i = 0, p, c, entry
    for i in range(m.n_log):
        entry = m.log[i]
        if entry == RESHUFFLED:
            break
        if entry < PAID_ONE:
            m.n_held[entry] += 1
            continue
        p = (entry - PAID_ONE) >> 2
        m.n_held[p] -= 1
        if s.observer == 0 or s.observer == p + 1:
            # May pass below zero for a moment: what was drawn from the pile is added at the end.
            m.recall[p].held[(entry - PAID_ONE) & 3] -= 1
    i = min(i + 1, <int>m.n_log)
    m.n_log -= i
    memmove(m.log, m.log + i, m.n_log)
    memset(m.log + m.n_log, 0, i)
    for p in range(SEATS_AT_TABLE):
        for c in range(COLOURS):
            m.recall[p].held[c] += m.recall[p].drawn[0][c]
        memmove(m.recall[p].drawn[0], m.recall[p].drawn[1], (PILES - 1) * COLOURS)
        memset(m.recall[p].drawn[PILES - 1], 0, COLOURS)
    memmove(m.piles[0], m.piles[1], (PILES - 1) * COLOURS)
    memset(m.piles[PILES - 1], 0, COLOURS)
    m.n_piles -= 1


cdef inline void remember_reshuffle(const State* s, Memory* m, int players) noexcept nogil:
    """The discard is about to become the ticket pile."""
    cdef int p
    if m == NULL:
        return
    m.reshuffles += 1
    memcpy(m.start_deck, s.discard, COLOURS)
    if m.n_piles == 0:
        for p in range(SEATS_AT_TABLE):
            m.n_held[p] = s.n_hand[p]
            memcpy(m.recall[p].held, s.hand[p], COLOURS)
    else:
        note(m, RESHUFFLED)
        while m.n_piles and (players == 2 or m.n_piles == PILES or m.n_log > LOG - LONGEST):
            drop_first_pile(s, m)
    memcpy(m.piles[m.n_piles], s.discard, COLOURS)
    m.n_piles += 1


cdef inline void remember_refill(Memory* m, const uint8_t* bag) noexcept nogil:
    """The bag's contents are mixed anew."""
    if m != NULL:
        m.refills += 1
        memcpy(m.start_bag, bag, COLOURS)
