# What the players of Tramways have seen and could remember beyond what lies on the table. All functions do without (NULL).
#
# All cards are gained, paid and discarded openly; hidden are draws alone. So of each player all know which cards are his, which lie in his
# pool, and of some that they are in his hand: those gained there and not yet played, and all that he held when his deck was last used up.
# What else he holds was drawn from his deck, and each choice of cards from hidden ones is as likely as any other.
from libc.stdint cimport uint8_t, uint16_t
from libc.string cimport memcpy, memset

from wattman.engine.games.tramways.state cimport AUCTION, CARDS, SEATS, TYPES, State, add_card, take_card


cdef struct Memory:
    uint16_t epoch[SEATS]           # how often the deck was shuffled
    uint8_t n_known[SEATS]          # cards of which all know that they are in the hand
    uint8_t known[SEATS][CARDS]
    uint8_t n_start[SEATS]          # the deck when it was shuffled, or the world dealt (for Deal)
    uint8_t start[SEATS][CARDS]
    uint8_t start_reserve[AUCTION]
    uint8_t start_types[TYPES]


cdef inline void gain(State* s, Memory* m, int player, int kind) noexcept nogil:
    """A card comes to a hand openly."""
    add_card(s.players[player].hand, &s.players[player].n_hand, kind)
    if m != NULL:
        add_card(m.known[player], &m.n_known[player], kind)


cdef inline void lose(State* s, Memory* m, int player, int kind) noexcept nogil:
    """A card leaves a hand openly. Of equal cards one of which all knew goes first: it tells nothing of the others."""
    take_card(s.players[player].hand, &s.players[player].n_hand, kind)
    if m != NULL:
        take_card(m.known[player], &m.n_known[player], kind)


cdef inline void shuffle(State* s, Memory* m, int player) noexcept nogil:
    """The pool becomes the deck, which is empty: all that is in the hand is known."""
    memcpy(s.players[player].deck, s.players[player].pool, CARDS)
    memset(s.players[player].pool, 0, CARDS)
    s.players[player].n_deck = s.players[player].n_pool
    s.players[player].n_pool = 0
    if m != NULL:
        m.epoch[player] += 1
        m.n_known[player] = s.players[player].n_hand
        memset(m.known[player], 0, CARDS)
        memcpy(m.known[player], s.players[player].hand, s.players[player].n_hand)
        m.n_start[player] = s.players[player].n_deck
        memcpy(m.start[player], s.players[player].deck, CARDS)
