# Trambahn's state as plain data. The rules are in _trambahn_rules.pyx; what the players remember and know in _trambahn_memory.pxd and
# _trambahn_knowledge.pyx.
#
# Cards are numbers 0..40 in card order: colour * 10 + value - 1 (colours B R G Y = 0..3), 40 = conductor. UNKNOWN stands for a card
# that an Info does not know; it sorts last.
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t

cdef enum:
    PLAYERS = 2
    COLOURS = 4
    CARDS = 41          # kinds
    CONDUCTOR = 40
    UNKNOWN = 63
    DECK = 120          # physical cards
    HAND = 6
    ROW = 4             # passengers that make a scoring
    TRAMS = 3           # kinds: x2, x3, x4
    SUPPLY = 3          # open trams
    MAX_COLUMNS = 21    # 16 with a tram and at most 5 without, inside a turn
    SCORINGS = 10       # regular scorings that end the game
    START_MONEY = 12    # player 0's
    OTHER_MONEY = 15    # player 1's
    DEALS = 39          # cards dealt in the set-up

# Event ids: the first of each kind.
cdef enum:
    BOARD = 0                                  # + station
    BOARD_CONDUCTOR = BOARD + CONDUCTOR        # + row
    BUILD = BOARD_CONDUCTOR + COLOURS          # + card * MAX_COLUMNS + column
    OPEN = BUILD + CARDS * MAX_COLUMNS         # + station
    OPEN_CONDUCTOR = OPEN + CONDUCTOR          # + colour
    BANK = OPEN_CONDUCTOR + COLOURS            # + card
    BUY = BANK + CARDS                         # + (multiplier - 2) * MAX_COLUMNS + column
    DONE = BUY + TRAMS * MAX_COLUMNS
    ACTIONS = DONE + 1
    DEAL = ACTIONS                             # + card
    DRAW = DEAL + CARDS                        # + card
    DEAL_UNSEEN = DRAW + CARDS                 # partial labels
    DRAW_UNSEEN = DEAL_UNSEEN + 1
    BANK_UNSEEN = DRAW_UNSEEN + 1
    EVENTS = BANK_UNSEEN + 1
    MAX_LEGAL = 144                            # 6 cards onto 21 columns or to new ones, done

cdef enum Phase:
    DEALING             # chance: the set-up
    PASSENGERS
    STATIONS
    INCOME
    PURCHASE
    DRAWING             # chance: the clean-up
    OVER


cdef struct Column:
    uint8_t colour
    uint8_t tram          # 0: none yet, else its multiplier 2, 3 or 4
    uint8_t count         # cards: stations and conductors
    uint8_t top           # value of the highest station, 0: none
    uint8_t points        # sum of the stations' victory points
    uint8_t n_conductors
    uint16_t values       # bit v: station of value v lies here
    uint32_t conductors   # nibble i: how many stations lay here when the i-th conductor came (their place in the row of cards)


cdef struct State:
    uint8_t phase
    uint8_t player        # on turn (while dealing: who gets the next card)
    uint8_t boarded       # passengers played this turn
    uint8_t scorings      # regular scorings so far
    uint8_t column        # stations: lowest column that may still be built on; purchase: lowest that may still get a tram
    uint8_t opened        # stations: 1 + sort key (colour * 11 + value - 1, conductor: 10) of the last column opened this turn; 0: none
    uint8_t banked        # income: 1 + the last card banked this turn (no lower one may follow), 0: none yet
    uint8_t dealt         # cards dealt in the set-up
    uint8_t supply[TRAMS]     # open
    uint8_t stack[TRAMS]      # in the stack
    uint8_t n_row[COLOURS]
    uint8_t row[COLOURS][ROW]         # waiting passengers in order of arrival
    uint8_t n_hand[PLAYERS]
    uint8_t hand[PLAYERS][HAND]       # sorted
    uint8_t n_columns[PLAYERS]
    uint8_t n_deck
    uint8_t n_discard
    uint8_t n_pile[PLAYERS]
    int16_t regular[PLAYERS]          # points of the regular scorings
    int16_t extra[PLAYERS]            # points of the Extra Tours
    Column columns[PLAYERS][MAX_COLUMNS]
    uint8_t deck[DECK]                # a multiset: the order means nothing
    uint8_t discard[DECK]             # in order of arrival
    uint8_t pile[PLAYERS][DECK]       # money, bottom to top


cdef inline int copies(int card) noexcept nogil:
    """How many cards of a kind there are."""
    if card == CONDUCTOR:
        return 8
    return 2 if card % 10 == 0 or card % 10 == 9 else 3


cdef inline int points_of(int value) noexcept nogil:
    """Victory points of a station."""
    return 1 + (value >= 7) + (value == 10)
