"""A cheap goal-directed policy for Trambahn, and an estimate of a position's result.

Every legal decision gets a *gain*: the points that it is expected to be worth to the player on turn, from what he sees on the table and in
his own hand. It is built from three quantities:

- what a scoring of each colour gives either player now;
- how many scorings of each colour are still to come, from the rows and from the lead that makes a player want them;
- what a unit of money is worth: less when much lies there, when the draw pile is about to run out (halving), and near the end.

In the steps with an order (columns, cards) a decision also gives up the gains that come before it, and keeps those that come after it.
The weight of a decision falls with its distance from the best one. The constants were fitted by self-play.
"""
from libc.math cimport exp, sqrt
from libc.stdint cimport int32_t, uint8_t, uint64_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._trambahn_state cimport *
from wattman.engine.policy cimport draw_weighted, soften
from wattman.engine.rng cimport Rng

cdef enum:
    PUSH_0            # a passenger into a row of 0, 1, 2: share of the lead that it is worth
    PUSH_1
    PUSH_2
    PUSH_2_BEHIND     # the same in the other's favour: he can score at once
    SCORE             # the fourth passenger
    BUILT_LATER       # share of a hand card's points counted as lead, since it can be built before the row is full
    USE               # share of a passenger's worth as a station that is lost
    CONDUCTOR_USE     # a conductor as a passenger is lost for later
    STOP              # no second passenger: the card is good for something else
    STOP_AHEAD        # less per point of the score's margin: who is ahead hurries
    TILT              # how much a lead draws scorings to its colour
    GAP               # skipped values: share of their points that could still have come
    GROWTH            # a column: share of the points above it that will still come
    TOUR              # progress towards the eighth card
    OPENING_TWIN      # a new column beside an own one of its colour that still grows
    OPENING_BARE      # one opened with a conductor
    MONEY_FIXED       # worth of a unit of money
    MONEY_TIME        # the same per share of the game that is left
    MONEY_MUCH        # falls with what there is
    MONEY_HALVED      # share of it that stays when the draw pile is low
    NEW_CARD          # a fresh hand card instead of this one
    HOLD_CONDUCTOR
    HOLD_COLOUR       # per other hand card of the colour, for a column to be opened later
    UNPAID            # a column that cannot be paid for
    SHARPNESS         # how fast a decision's weight falls with the points that it lies behind the best: as a prior
    PLAYOUT_SHARPNESS # the same in playouts
    EXPECTED_OFFSET
    PARAMETERS

# In the order above.
cdef float[PARAMETERS] P = [
    0.174, 0.281, 0.321, 0.737, 0.248, 0.261, 0.5, 1.5,
    1.5, 0.045, 0.9, 0.3, 0.231, 0.526, -27.0, -12.0,
    0.213, 2.38, 0.03, 0.6, 0.035, 0.31, 0.41, -20.0,
    2.0, 8.0, 0.08,
]

# Points of a station, and of all stations above a value.
cdef uint8_t[11] POINTS = [0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3]
cdef uint8_t[11] ABOVE = [15, 14, 13, 12, 11, 10, 9, 7, 5, 3, 0]

# Points of a set of stations of one colour; bit v - 1: value v.
cdef uint8_t POINTS_OF[1024]


cdef void set_points() noexcept:
    cdef int held, value
    for held in range(1024):
        POINTS_OF[held] = 0
        for value in range(1, 11):
            if held >> (value - 1) & 1:
                POINTS_OF[held] += POINTS[value]


set_points()


cdef struct Look:
    float lead[COLOURS]       # what a scoring of the colour gives the player on turn, less what it gives the other
    float expected[COLOURS]   # scorings of the colour to come
    int open_top[COLOURS]     # own columns with a tram that still grow, the lowest of a colour: its highest station (10: there is none)
    int open_tram[COLOURS]
    int low_top[COLOURS]      # the same of all own columns, those without a tram too
    float time                # share of the game that is left
    float money               # what a unit of money is worth
    int margin                # of the scores so far
    int tramless              # own columns that still need a tram


cdef inline void look(const State* s, Look* k) noexcept nogil:
    cdef int player = s.player, i, colour, waiting, total = 20, left = SCORINGS - s.scorings
    cdef int lead[COLOURS]
    cdef int size[COLOURS]
    cdef float spread
    cdef const Column* column
    k.tramless = 0
    for i in range(COLOURS):
        lead[i] = 0
        k.open_top[i] = 10
        k.open_tram[i] = 0
        k.low_top[i] = 10
    for i in range(s.n_columns[player]):
        column = &s.columns[player][i]
        colour = column.colour
        lead[colour] += column.points * column.tram
        k.tramless += column.tram == 0
        k.low_top[colour] = min(<int>column.top, k.low_top[colour])
        if column.tram and column.top < k.open_top[colour]:
            k.open_top[colour] = column.top
            k.open_tram[colour] = column.tram
    for i in range(s.n_columns[1 - player]):
        column = &s.columns[1 - player][i]
        lead[column.colour] -= column.points * column.tram
    k.margin = s.regular[player] + s.extra[player] - s.regular[1 - player] - s.extra[1 - player]
    waiting = s.n_row[0] + s.n_row[1] + s.n_row[2] + s.n_row[3]
    for i in range(COLOURS):
        size[i] = lead[i] if lead[i] > 0 else -lead[i]
        total += size[i]
    # Passengers still to come, spread over the colours: a lead either way makes somebody want the colour.
    spread = (ROW * left - waiting + 2) * <float>0.25 / (COLOURS * total + P[TILT] * (total - 20))
    for i in range(COLOURS):
        k.lead[i] = lead[i]
        k.expected[i] = max((total + P[TILT] * size[i]) * spread + s.n_row[i] * <float>0.25 - P[EXPECTED_OFFSET], <float>0.05)
    k.time = left * <float>0.1
    k.money = (P[MONEY_FIXED] + P[MONEY_TIME] * k.time) / (<float>1 + P[MONEY_MUCH] * s.n_pile[player])
    if s.n_deck < 12:
        k.money *= P[MONEY_HALVED]


cdef inline float as_station(const Look* k, int card) noexcept nogil:
    """What a station is worth on an own column; 0 if it fits nowhere."""
    cdef int colour = card // 10, value = card - 10 * colour + 1, top = k.open_top[colour]
    cdef float gain
    if value <= top:
        return 0
    gain = k.open_tram[colour] * k.expected[colour] * (POINTS[value] - P[GAP] * k.time * (ABOVE[top] - ABOVE[value] - POINTS[value]))
    return max(gain, <float>0)


cdef inline void passengers(const State* s, const Look* k, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef int i, card, margin
    cdef float gain, stop = P[STOP] - P[STOP_AHEAD] * k.margin
    cdef float push[COLOURS]
    cdef float later[COLOURS]
    cdef float use[CONDUCTOR + 1]
    for i in range(COLOURS):
        later[i] = 0
    for i in range(s.n_hand[s.player]):
        card = s.hand[s.player][i]
        if card < CONDUCTOR:
            use[card] = as_station(k, card)
            if use[card] > 0:
                later[card // 10] += 2 * POINTS[card % 10 + 1]
    for i in range(COLOURS):
        gain = k.lead[i]
        if s.n_row[i] == ROW - 1:
            if s.scorings == SCORINGS - 1:
                margin = k.margin + <int>k.lead[i]
                gain += 100 if margin > 0 else -100 if margin < 0 else 0
            push[i] = P[SCORE] * gain
        else:
            gain += P[BUILT_LATER] * later[i]
            push[i] = (P[PUSH_2_BEHIND] if s.n_row[i] == 2 and gain < 0 else P[PUSH_0 + s.n_row[i]]) * gain
    for i in range(n):
        card = ids[i]
        if card < BOARD_CONDUCTOR:
            out[i] = push[card // 10] - P[USE] * use[card]
        elif card < DONE:
            out[i] = push[card - BOARD_CONDUCTOR] - P[CONDUCTOR_USE] * k.time
        else:
            out[i] = stop


cdef inline float on_column(const State* s, const Look* k, const Column* column, int card, uint64_t held) noexcept nogil:
    """What a card that fits gains on a column. `held`: bit c if card c is in the hand."""
    cdef int tram = column.tram if column.tram else 2, colour = column.colour, value, points = 0, waiting
    cdef float gain
    if card != CONDUCTOR:
        value = card - 10 * colour + 1
        points = POINTS[value]
        # Held cards that could have come first are lost for this column, those that might have been drawn in part.
        waiting = POINTS_OF[held >> (10 * colour) & ((1 << (value - 1)) - (1 << column.top))]
        gain = tram * k.expected[colour] * (points - waiting - P[GAP] * k.time * (ABOVE[column.top] - ABOVE[value] - points))
    else:
        gain = -P[HOLD_CONDUCTOR] * k.time
    if column.count == 7:
        gain += tram * (column.points + points)
    elif 3 <= column.count < 7:
        gain += P[TOUR] * k.time * (column.count - 2) * tram
    return gain - k.money


cdef inline void stations(const State* s, const Look* k, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef const uint8_t* hand = s.hand[s.player]
    cdef int i, colour, value, card, money = s.n_pile[s.player] + s.n_hand[s.player], price = 0, tram = 0, column, waiting
    cdef float gain, total
    cdef uint64_t held = 0
    cdef int chain[COLOURS]        # points of the hand cards of a colour, from the highest down
    cdef int cards[COLOURS]
    cdef int top[COLOURS]
    cdef int chain_of[CONDUCTOR + 1]   # the same from each card up
    cdef int cards_of[CONDUCTOR + 1]
    cdef float best_of[CONDUCTOR + 1]
    cdef float best_on[MAX_COLUMNS + 1]
    cdef uint8_t card_at[MAX_LEGAL]
    cdef uint8_t column_at[MAX_LEGAL]
    for i in range(COLOURS):
        chain[i] = cards[i] = top[i] = 0
    for i in range(s.n_hand[s.player] - 1, -1, -1):
        card = hand[i]
        best_of[card] = 0
        if card < CONDUCTOR:
            colour = card // 10
            value = card - 10 * colour + 1
            top[colour] = max(top[colour], value)
            if not held >> card & 1:
                chain[colour] += POINTS[value]
                cards[colour] += 1
            chain_of[card] = chain[colour]
            cards_of[card] = cards[colour]
        held |= <uint64_t>1 << card
    for i in range(s.n_columns[s.player] + 1):
        best_on[i] = 0
    # The tram that one more column would get, the cheapest going first.
    waiting = k.tramless + 1
    for i in range(TRAMS):
        if waiting > 0 and s.supply[i]:
            tram = i + 2
            price += 5 * (i + 1) * min(waiting, <int>s.supply[i])
            waiting -= s.supply[i]
    if waiting > 0:
        tram = 0
    for i in range(n):
        if ids[i] < OPEN:
            card = (ids[i] - BUILD) // MAX_COLUMNS
            column = ids[i] - BUILD - card * MAX_COLUMNS
            gain = on_column(s, k, &s.columns[s.player][column], card, held)
        elif ids[i] < DONE:
            column = s.n_columns[s.player]
            card = ids[i] - OPEN
            if card < CONDUCTOR:
                colour = card // 10
                gain = chain_of[card]
                money -= cards_of[card]
            else:
                colour = card - CONDUCTOR
                card = CONDUCTOR
                gain = chain[colour]
                money -= cards[colour]
            if tram == 0 or money < price:
                gain = P[UNPAID]
            else:
                gain = tram * k.expected[colour] * (gain + P[GROWTH] * k.time * ABOVE[top[colour]]) - k.money * (5 * tram - 4)
                gain += (P[OPENING_TWIN] if k.low_top[colour] < 8 else 0) + (P[OPENING_BARE] if card == CONDUCTOR else 0)
            money = s.n_pile[s.player] + s.n_hand[s.player]
        else:
            card_at[i] = CONDUCTOR + 1
            continue
        out[i] = gain
        card_at[i] = card
        column_at[i] = column
        best_of[card] = max(best_of[card], gain)
    # A card belongs where it gains most; a column's number, and new columns after all others, set the order.
    for i in range(n):
        if card_at[i] <= CONDUCTOR:
            out[i] -= best_of[card_at[i]] if out[i] < best_of[card_at[i]] else <float>0
            best_on[column_at[i]] = max(best_on[column_at[i]], out[i])
    total = 0
    for i in range(s.n_columns[s.player], s.column - 1, -1):
        total += best_on[i]
        best_on[i] = total
    for i in range(n):
        if card_at[i] > CONDUCTOR:
            out[i] = 0
        elif column_at[i] < s.n_columns[s.player]:
            out[i] += best_on[column_at[i] + 1]


cdef inline void income(const State* s, const Look* k, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef const uint8_t* hand = s.hand[s.player]
    cdef int i, card
    cdef int same[COLOURS + 1]
    cdef float after[CONDUCTOR + 1]
    cdef float gain, total = 0
    for i in range(COLOURS + 1):
        same[i] = -1
    for i in range(s.n_hand[s.player]):
        same[hand[i] // 10] += 1
    for i in range(s.n_hand[s.player] - 1, -1, -1):  # from the highest card down: what comes after each
        card = hand[i]
        gain = k.money + P[NEW_CARD] * k.time
        if card == CONDUCTOR:
            gain -= P[HOLD_CONDUCTOR] * k.time
        else:
            gain -= P[HOLD_COLOUR] * same[card // 10] * k.time
        after[card] = total + gain
        total += max(gain, <float>0)
    for i in range(n):
        out[i] = 0 if ids[i] == DONE else after[ids[i] - BANK]


cdef inline void purchase(const State* s, const Look* k, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef int i, tram, j
    cdef float best_on[MAX_COLUMNS + 1]
    cdef float total = 0
    cdef const Column* column
    for i in range(s.n_columns[s.player] + 1):
        best_on[i] = 0
    for i in range(n):
        out[i] = 0
        if ids[i] == DONE:
            continue
        tram = 2 + (ids[i] - BUY) // MAX_COLUMNS
        j = (ids[i] - BUY) % MAX_COLUMNS
        column = &s.columns[s.player][j]
        out[i] = tram * k.expected[column.colour] * (column.points + P[GROWTH] * k.time * ABOVE[column.top])
        out[i] -= k.money * (5 * (tram - 1) - column.count)  # its cards come back as money otherwise
        best_on[j] = max(best_on[j], out[i])
    for i in range(s.n_columns[s.player], -1, -1):
        total += best_on[i]
        best_on[i] = total
    for i in range(n):
        if ids[i] != DONE:
            tram = 2 + (ids[i] - BUY) // MAX_COLUMNS
            if s.n_pile[s.player] >= 5 * tram:  # money for another one
                out[i] += best_on[(ids[i] - BUY) % MAX_COLUMNS + 1]


cdef inline void weigh(const State* s, const int32_t* ids, int n, float sharpness, float* out) noexcept nogil:
    cdef Look k
    look(s, &k)
    if s.phase == PASSENGERS:
        passengers(s, &k, ids, n, out)
    elif s.phase == STATIONS:
        stations(s, &k, ids, n, out)
    elif s.phase == INCOME:
        income(s, &k, ids, n, out)
    else:
        purchase(s, &k, ids, n, out)
    soften(out, n, sharpness)


cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil:
    weigh(<const State*>state, ids, n, P[SHARPNESS], out)


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil:
    cdef int32_t ids[MAX_LEGAL]
    cdef float w[MAX_LEGAL]
    cdef int n = game.legal(game, state, ids)
    if n == 1:
        return ids[0]
    weigh(<const State*>state, ids, n, P[PLAYOUT_SHARPNESS], w)
    return draw_weighted(ids, w, n, rng)


cdef double projected(const State* s, const Look* k, int player) noexcept nogil:
    """The score that a player can expect at the end. Fitted to games of this policy against itself."""
    cdef int i
    cdef double now = 0, growth = 0, tour = 0
    cdef const Column* column
    for i in range(s.n_columns[player]):
        column = &s.columns[player][i]
        now += k.expected[column.colour] * column.points * column.tram
        growth += k.expected[column.colour] * ABOVE[column.top] * column.tram
        if 4 <= column.count < 8:
            tour += (column.count - 3) * column.tram
    return (
        s.regular[player]
        + s.extra[player]
        + 0.72 * now
        + k.time * (0.2 * growth + 1.05 * tour + 2.5 * s.n_pile[player] + 2.1 * s.n_hand[player] + 4 * (s.player == player))
    )


cdef void values(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef Look k
    cdef int player
    cdef double own, other, margin
    if s.phase == OVER:
        own = s.regular[0] + s.extra[0]
        other = s.regular[1] + s.extra[1]
        margin = own - other
        out[0] = margin if margin else s.n_pile[0] - s.n_pile[1]
        out[0] = 0.5 if out[0] == 0 else <double>(out[0] > 0)
    else:
        look(s, &k)
        own = projected(s, &k, 0)
        other = projected(s, &k, 1)
        margin = own - other
        out[0] = 1 / (1 + exp(-margin / (2 + 4 * sqrt(<double>(SCORINGS - s.scorings)))))
    out[1] = margin
    out[2] = own
    out[3] = 1 - out[0]
    out[4] = -margin
    out[5] = other
