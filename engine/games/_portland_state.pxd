# Portland's board and state as plain data. The rules are in _portland_rules.pyx; what the players remember and know in
# _portland_memory.pxd and _portland_knowledge.pyx.
#
# Stations, routes, card types and tickets are numbers in the order of the board's file; the wild card, `pass`, is the last type. Sets of
# routes and of tickets are 128 bits: two words, bit i % 64 of word i // 64.
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint64_t

from wattman.engine.bits cimport bits_of, low_bit  # for all modules of the game

cdef enum:
    STATIONS = 64       # caps, as in _portland_board_check.py
    ROUTES = 128
    TYPES = 16
    TICKETS = 80
    LENGTHS = 10        # lengths of routes are 0 .. LENGTHS - 1, numbers of cards above that count as the last
    OFFERED = 3
    SEATS = 5
    RESETS = 10         # most resets of the market between two decisions
    NORMAL = 3          # cards that are no passes: with fewer in market, pile and discards the market is not reset
    NONE = 255          # no route
    UNKNOWN = 255       # in an Info: a ticket

cdef enum Phase:
    DEAL_HANDS          # chance: a card for `player`
    REFILL              # chance: a card for the market
    DEAL_TICKETS        # chance: a ticket for `player`
    CHOOSE              # the first tickets
    TURN
    DRAW_FIRST          # chance: a blind draw
    SECOND
    DRAW_SECOND         # chance: a blind draw
    OFFER               # chance: a ticket
    KEEP
    PAY
    OVER

cdef enum After:
    # What comes when the market is filled.
    TICKETS_NEXT
    SECOND_NEXT
    TURN_NEXT


cdef struct Route:
    uint8_t a
    uint8_t b
    uint8_t type        # the wild type: gray, any one type
    uint8_t length
    uint8_t points      # its bonus included
    uint8_t other       # the other one of a double, or NONE


cdef struct Ticket:
    uint8_t a
    uint8_t b
    uint8_t points


cdef struct Data:
    # The board and the options, and what follows from them.
    int players
    int stations
    int routes
    int tickets
    int types
    int wild            # the last type
    int trains          # of each player at the beginning
    int last_round      # a turn that ends with so many or fewer brings it
    int longest_path    # points of the bonus
    int hand            # cards dealt
    int face_up         # cards in the market
    int pass_limit
    int start_offered
    int start_keep
    int more_offered
    int more_keep
    bint single         # one route of a double closes the other
    bint free           # payment: every split of type and passes
    int longest         # the longest route
    # Event ids: the first of each kind; takes begin at 0. See _portland_text.py.
    int32_t draw
    int32_t offer
    int32_t skip
    int32_t claim       # + route
    int32_t pay         # + type * longest + passes
    int32_t pay_pass
    int32_t keep_one    # + ticket
    int32_t keep_two    # + rank among the ordered pairs
    int32_t keep_three
    int32_t card        # + type: the first chance event
    int32_t ticket      # + ticket
    int32_t card_unseen  # the first partial label
    int32_t ticket_unseen
    int32_t keep_unseen  # a first choice
    int32_t kept        # + tickets kept - 1
    int32_t first_kept  # + all players' numbers of tickets kept, as digits
    int32_t last_kept   # + what the last to choose kept (bits - 1), and the others' numbers
    int32_t claimed     # + claimed_from[route] + payment
    int32_t told        # number of ids and labels so far: with `, reset` and `, left` behind them they come again
    int digits          # possible numbers of first tickets kept: start_keep .. start_offered
    int32_t claimed_from[ROUTES]
    uint8_t count[TYPES]     # cards of each type
    Route route[ROUTES]
    Ticket ticket_at[TICKETS]
    uint64_t of_type[TYPES][LENGTHS][2]  # [type][n]: routes of that type (wild: gray ones) not longer than n
    uint64_t short[LENGTHS][2]           # [n]: routes not longer than n
    uint8_t by_points[TICKETS]           # the tickets, the most valuable first
    float toil[TYPES]                    # turns that a card of the type takes, about; the wild type: a card for a gray route
    uint8_t ways[STATIONS]               # routes at a station
    uint8_t way[STATIONS][ROUTES]        # which they are


cdef struct State:
    uint8_t phase
    uint8_t after       # After: what comes when the market is filled
    uint8_t player      # on turn; in the set-up: who is dealt to or chooses
    uint8_t resets      # of the market since the last decision
    uint8_t skips       # in a row
    uint8_t turns_left  # of the last round, 0: it has not begun
    uint8_t route       # being paid for, or NONE
    uint8_t n_deck
    uint8_t n_discard
    uint8_t n_market
    uint8_t n_fresh     # tickets never offered
    uint8_t n_queue     # tickets returned
    uint8_t n_offer
    uint8_t offer[OFFERED]
    uint8_t first[SEATS][OFFERED]   # set-up: the tickets offered
    uint8_t chosen[SEATS]           # set-up: bit i if the i-th of them is kept, 0: has not chosen
    uint8_t trains[SEATS]
    uint8_t n_hand[SEATS]
    uint8_t n_tickets[SEATS]        # kept
    int16_t score[SEATS]            # points of routes
    uint8_t deck[TYPES]             # counts by type
    uint8_t market[TYPES]
    uint8_t discard[TYPES]
    uint8_t hand[SEATS][TYPES]
    uint64_t fresh[2]
    uint64_t held[SEATS][2]
    uint64_t owned[SEATS][2]
    uint64_t open[SEATS][2]         # routes that the player may still claim
    uint8_t queue[TICKETS]          # tickets returned, the next one first


cdef inline bint has(const uint64_t* mask, int i) noexcept nogil:
    return mask[i >> 6] >> (i & 63) & 1


cdef inline void put(uint64_t* mask, int i) noexcept nogil:
    mask[i >> 6] |= <uint64_t>1 << (i & 63)


cdef inline void drop(uint64_t* mask, int i) noexcept nogil:
    mask[i >> 6] &= ~(<uint64_t>1 << (i & 63))
