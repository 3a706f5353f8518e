# Tramways as plain data: what was loaded (Data) and the state of a game. The rules are in rules.pyx, and by concern in setup.pyx, tracks.pyx
# (links), trips.pyx and paying.pyx; what players know in knowledge.pyx.
#
# Card kinds, places (buildings, parcels and special tiles; "terminals" in code) and boards are numbers in the order of the data file, special
# tiles behind the boards'. Hands, decks and pools are sorted lists of kinds.
from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memmove

from wattman.engine.games.tramways.bits cimport Grid, Squares, bit, low

cdef enum:
    SEATS = 5
    NONE = 255
    # Caps of the arrays; loading refuses data beyond them.
    BOARDS = 12
    IN_PLAY = 10
    EDGE = 5
    SQUARES = 250
    TERMINALS = 64
    KINDS = 96
    CARDS = 48          # of one player
    LINKS = 108         # of all players
    DEVELOPMENT = 8
    AUCTION = 60
    PATH = 7
    TRIP = 8
    ROUNDS = 6
    TRAIL = 128
    # Special tiles, from Data.special on.
    STATION = 0
    EXCHANGE = 1
    PARK = 2
    FUNFAIR = 3
    SMALL_AIRPORT = 4
    BIG_AIRPORT = 5
    SPECIALS = 6
    # Icons as bits of Data.icons; types of buildings are 0..3.
    RESIDENCE = 0
    COMMERCE = 1
    LEISURE = 2
    INDUSTRY = 3
    TYPES = 4
    ICON_S = 4
    ICON_F = 5
    ICON_UP = 6
    ICON_CON = 7
    ICON_LOT = 8
    ICON_WORKER = 9
    ICON_PAX = 10
    ICON_CALM = 11
    ICON_STRIP = 12
    ICON_MONEY = 13
    ICON_RAILS = 14
    ICONS = 15
    DESTINATIONS = 31   # R C L I S
    # What comes next.
    SETUP_BOARD = 0
    SETUP_PLACE = 1
    SETUP_PARCEL = 2
    SETUP_ORDER = 3
    SETUP_TYPE = 4
    REVEAL = 5
    DRAW = 6            # the last chance phase
    BID = 7
    TAKE = 8
    KIND = 9
    FROM = 10
    TO = 11
    LAY = 12
    AT = 13
    TYPE = 14
    RIDE = 15
    PAY = 16
    BUY = 17
    MARKET = 18
    DISCARD = 19
    OVER = 20
    # Kinds of actions; BIDDING is what a payment may be for besides.
    BUILD = 0
    UPGRADE = 1
    CONSTRUCT = 2
    EXTEND = 3
    MOVE = 4
    ADD = 5
    MONEY = 6
    WORKER = 7
    CALM = 8
    PASS = 9
    BIDDING = 10
    N_KINDS = 10
    LAST = 63           # bit of `options`: done, stop or join


cdef struct Link:
    uint8_t a           # terminals, a < b
    uint8_t b
    uint8_t owner
    uint8_t tiles
    uint8_t upgraded


cdef struct Player:
    int16_t hp
    int16_t money
    uint8_t stress
    uint8_t workers
    uint8_t rails       # tiles in stock
    uint8_t n_hand
    uint8_t n_deck
    uint8_t n_pool
    uint8_t hand[CARDS]
    uint8_t deck[CARDS]
    uint8_t pool[CARDS]


cdef struct State:
    # --- where the game stands ---
    uint64_t options    # of the decision that is next, by bits; see options in rules.pyx
    uint8_t phase
    uint8_t player      # who decides, draws, or gets a parcel
    uint8_t round       # 1..
    uint8_t turn        # index in `order`
    uint8_t lap         # 0: first actions, 1: second
    uint8_t left        # actions left, this one included
    uint8_t count       # in set-up: things dealt so far
    # --- set-up and the table ---
    uint8_t board[IN_PLAY]          # 4 * board + turns, by place
    uint8_t order[SEATS]
    uint8_t n_order
    uint8_t arrivals[ROUNDS]        # types by round
    uint8_t n_arrivals
    uint8_t type_tiles[TYPES]       # left
    uint8_t offer[SEATS]            # auction cards face up, sorted
    uint8_t n_offer
    uint8_t reserve[AUCTION]        # auction cards not seen yet
    uint8_t stacks[TYPES]           # building cards
    uint8_t stations
    uint8_t development[DEVELOPMENT]
    uint8_t supply                  # passengers
    # --- auction ---
    uint8_t high                    # bid
    uint8_t high_bidder
    uint8_t folded                  # players, as bits
    uint8_t places                  # free ones in the new order
    uint8_t new_order[SEATS]
    # --- the action in progress ---
    uint8_t action
    uint8_t a                       # from, at
    uint8_t b                       # to
    uint8_t type
    uint8_t cost                    # rails of the path so far; what is left of a bid
    uint8_t n_path
    uint8_t path[PATH]
    uint8_t n_rides
    uint8_t ride[TRIP]              # numbers of links
    uint8_t here                    # terminal that the passenger has come to
    int16_t budget                  # that may be spent at the destination
    uint8_t bought                  # development cards
    uint8_t last                    # kind named last: payment, market, discards
    uint8_t discards
    uint8_t purging
    uint8_t n_named
    uint8_t named[CARDS]            # cards of the payment so far; out of the hand already
    # --- the city ---
    uint8_t n_links
    uint8_t waiting[TERMINALS]      # passengers
    uint8_t owner[TERMINALS]        # of parcels; NONE
    uint8_t built[TERMINALS]        # parcels: 0 empty, else 1 + type
    uint8_t extended[TERMINALS]
    uint8_t at[TERMINALS][2]        # squares, the second NONE if there is none; both NONE: not in play
    uint8_t rail[SQUARES]           # number of the link that has a tile here; NONE
    Link links[LINKS]               # sorted by a, b, owner
    Squares free                    # without terminals and tiles
    Squares ground[3]               # empty, water, mountain
    Player players[SEATS]
    # --- what followed by itself upon the last event; see `more` in knowledge.pyx ---
    uint8_t n_trail
    int16_t trail[TRAIL]


cdef struct Data:
    int players
    int n_boards
    int n_places            # boards in play
    int place_columns
    int edge
    int squares
    int terminals
    int special             # number of the first special tile
    int kinds
    Grid grid
    uint8_t has[SPECIALS]   # special tiles that are wanted
    uint8_t tile_squares[SPECIALS]
    # Boards: what is on each square after 0..3 quarter turns: 0..2 ground, 16 + terminal.
    uint8_t square[BOARDS][4][EDGE * EDGE]
    uint8_t place_of[SQUARES]
    Squares near[SQUARES]       # the squares beside each
    # Terminals.
    uint8_t is_parcel[TERMINALS]
    uint8_t printed[TERMINALS]      # 1 + type of a printed building
    uint8_t board_of[TERMINALS]
    uint8_t capacity[TERMINALS]     # of printed buildings and the Station
    uint8_t card_of[TERMINALS]      # parcels
    # Cards.
    uint16_t icons[KINDS]
    uint8_t rails[KINDS]
    uint8_t money[KINDS]
    uint8_t copies[KINDS]
    uint8_t parcel_of[KINDS]        # terminal of a parcel card
    int n_parcel_kinds
    int building_kind               # bR; bC bL bI bS bF follow
    int starter_kind
    int n_starters
    int development_kind
    int n_development
    int auction_kind
    int n_auction
    # Numbers.
    int rounds, auction_rounds, type_tiles, free_discards
    int actions[2]
    int first_stress[ROUNDS]
    int start_money, start_workers, start_rails, passengers, parcels_each, hand_limit
    int link_hp, link_workers, tile_money, cheapest, longest, upgraded_hp, trip_longest
    int ground_cost[3]
    int industry_stress, industry_workers, residence_stress
    int leisure_price, leisure_most, commerce_price, commerce_most, construct_hp, extend_hp
    int stress_most, stress_high, stress_high_hp
    int penalty[32]
    int fee, discards_most, bid_most, solo_goal
    int buildings, stations, offer, development
    int station_passengers, exchange_money, park_stress, funfair_price, funfair_most, airport_money
    # Numbers of events: decisions, chance outcomes, labels.
    int bid, fold, take, kind, from_, to, lay, join, at, type, ride, stop, pay, done, buy, market, trash, purge
    int board, place, parcel, order, type_tile, reveal, draw, draw_unseen, by, events
    int n_buy


# --- sorted lists of cards ---

cdef inline void add_card(uint8_t* cards, uint8_t* n, int kind) noexcept nogil:
    cdef int i = n[0]
    while i and cards[i - 1] > kind:
        cards[i] = cards[i - 1]
        i -= 1
    cards[i] = kind
    n[0] += 1


cdef inline int find_card(const uint8_t* cards, int n, int kind) noexcept nogil:
    """Its index, -1 if there is none."""
    cdef int i
    for i in range(n):
        if cards[i] == kind:
            return i
    return -1


cdef inline bint take_card(uint8_t* cards, uint8_t* n, int kind) noexcept nogil:
    """Takes one out; whether there was one."""
    cdef int i = find_card(cards, n[0], kind)
    if i < 0:
        return False
    n[0] -= 1
    memmove(cards + i, cards + i + 1, n[0] - i)
    cards[n[0]] = 0
    return True


# --- small questions ---

cdef inline bint in_play(const State* s, int t) noexcept nogil:
    return s.at[t][0] != NONE


cdef inline int type_of(const Data* d, const State* s, int t) noexcept nogil:
    """1 + type of a building, 0 where there is none."""
    return s.built[t] if d.is_parcel[t] else d.printed[t]


cdef inline int places_at(const Data* d, const State* s, int t) noexcept nogil:
    """For how many passengers there is place."""
    if d.is_parcel[t]:
        return 1 + s.extended[t] if s.built[t] else 0
    return d.capacity[t]


cdef inline bint is_end(const Data* d, const State* s, int t, int player) noexcept nogil:
    """Whether a player's link may end here."""
    return in_play(s, t) and (not d.is_parcel[t] or s.built[t] or s.owner[t] == player)


cdef inline int other_airport(const Data* d, int t) noexcept nogil:
    """The other airport, or -1 if this is none."""
    cdef int which = t - d.special
    if which == SMALL_AIRPORT:
        return d.special + BIG_AIRPORT
    return d.special + SMALL_AIRPORT if which == BIG_AIRPORT else -1


cdef inline void around(const Data* d, const State* s, int t, Squares* out) noexcept nogil:
    """The squares beside a terminal."""
    cdef int i
    out[0] = d.near[s.at[t][0]]
    if s.at[t][1] != NONE:
        for i in range(4):
            out.w[i] |= d.near[s.at[t][1]].w[i]


cdef inline int ground_at(const State* s, int square) noexcept nogil:
    return 1 if (s.ground[1].w[square >> 6] >> (square & 63)) & 1 else 2 if (s.ground[2].w[square >> 6] >> (square & 63)) & 1 else 0
