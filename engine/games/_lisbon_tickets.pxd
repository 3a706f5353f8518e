# Tickets and passengers between hands, piles and the bag, inline. In an Info a hand may hold tickets that are not known, and the pile is
# not known at all.
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.games._lisbon_memory cimport Memory, remember_drawn, remember_paid, remember_refill, remember_reshuffle
from wattman.engine.games._lisbon_state cimport COLOURS, UNKNOWN, Data, State, any_of, bit, hidden_mover


cdef inline bint ticket_left(const State* s) noexcept nogil:
    return s.n_deck + s.n_discard > 0


cdef inline void draw_ticket(const Data* d, State* s, Memory* m, int player, int colour) noexcept nogil:
    if s.n_deck == 0:
        remember_reshuffle(s, m, d.players)
        memcpy(s.deck, s.discard, COLOURS)
        s.n_deck = s.n_discard
        memset(s.discard, 0, COLOURS)
        s.n_discard = 0
        if s.observer:
            memset(s.deck, 0, COLOURS)
    s.n_deck -= 1
    s.n_hand[player] += 1
    if colour < UNKNOWN:
        s.deck[colour] -= s.observer == 0
        s.hand[player][colour] += 1
    remember_drawn(m, player, colour)


cdef inline void pay_tickets(State* s, Memory* m, int colour, int n) noexcept nogil:
    """The player on turn puts tickets onto the discard."""
    s.n_hand[s.player] -= n
    if not hidden_mover(s):
        s.hand[s.player][colour] -= n
    s.discard[colour] += n
    s.n_discard += n
    remember_paid(m, s.player, colour, n)


cdef inline bint bag_ready(State* s, Memory* m) noexcept nogil:
    """Whether a passenger can be drawn; refills the bag if it is due."""
    if not any_of(s.bag):
        if not any_of(s.gone):
            return False
        memcpy(s.bag, s.gone, COLOURS)
        memset(s.gone, 0, COLOURS)
        remember_refill(m, s.bag)
    return True


cdef inline uint64_t empty_stops(const Data* d, const State* s) noexcept nogil:
    """Tram stops without passengers and trams."""
    cdef uint64_t stops = ~(d.always_open | s.open) & (bit(d.places) - 1)
    cdef int p
    for p in range(d.players):
        stops &= ~bit(s.at[p])
    return stops


cdef inline int drawer_of_push(const State* s) noexcept nogil:
    return s.pushed[s.placed - 1] if s.placed else s.player
