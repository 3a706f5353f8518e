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
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._trambahn_state cimport (
    BANK,
    BOARD_CONDUCTOR,
    BUILD,
    BUY,
    COLOURS,
    CONDUCTOR,
    DONE,
    HAND,
    INCOME,
    MAX_COLUMNS,
    MAX_LEGAL,
    OPEN,
    OPEN_CONDUCTOR,
    OVER,
    PASSENGERS,
    PLAYERS,
    ROW,
    SCORINGS,
    STATIONS,
    TRAMS,
    Column,
    State,
)
from wattman.engine.rng cimport Rng, rng_uniform

cdef enum:
    PUSH_0            # a passenger into a row of 0, 1, 2: share of the lead that it is worth
    PUSH_1
    PUSH_2
    PUSH_2_BEHIND     # the same in the other's favour: he can score at once
    SCORE             # the fourth passenger
    BUILT_LATER       # share of a hand card's points counted as lead, since it can be built before the row is full
    USE               # share of a passenger's worth as a station that is lost
    CONDUCTOR_USE     # a conductor as a passenger is lost for later
    SECOND            # the second passenger: what the card would else be good for
    SECOND_AHEAD      # the same per point of the score's margin: who is ahead hurries
    TILT              # how much a lead draws scorings to its colour
    GAP               # skipped values: share of their points that could still have come
    GROWTH            # a column: share of the points above it that will still come
    TOUR              # progress towards the eighth card
    OPENING           # a new column
    OPENING_TWIN      # the same beside an own one of its colour that still grows
    MONEY_FIXED       # worth of a unit of money
    MONEY_TIME        # the same per share of the game that is left
    MONEY_MUCH        # falls with what there is
    MONEY_HALVED      # share of it that stays when the draw pile is low
    NEW_CARD          # a fresh hand card instead of this one
    HOLD              # share of a card's worth on a column that keeping it saves
    HOLD_CONDUCTOR
    HOLD_COLOUR       # per other hand card of the colour, for a column to be opened later
    UNPAID            # a column that cannot be paid for
    BUYING
    SOFTNESS          # points that make one decision clearly less likely than another
    EXPECTED_OFFSET
    PARAMETERS

# In the order above.
cdef float[PARAMETERS] P = [
    0.08, 0.15, 0.25, 0.5, 1.0, 0.5, 0.5, 1.5, -1.0, 0.02,
    2.0, 0.5, 0.4, 0.3, 0.0, -4.0, 0.3, 1.5, 0.03, 0.6,
    0.3, 0.5, 1.0, 0.3, -20, 0.0, 1.5, 0.3,
]

# Points of a station, and of all stations above a value.
cdef uint8_t[11] POINTS = [0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3]
cdef uint8_t[11] ABOVE = [15, 14, 13, 12, 11, 10, 9, 7, 5, 3, 0]


cdef struct Look:
    float mine[COLOURS]       # what a scoring of the colour gives the player on turn
    float lead[COLOURS]       # that less what it gives the other
    float expected[COLOURS]   # scorings of the colour to come
    float time                # share of the game that is left
    float money               # what a unit of money is worth
    int margin                # of the scores so far
    int tramless              # own columns that still need a tram
    int next_tram             # the multiplier that one more new column would get (cheapest first), 0: none is left
    int price                 # of the trams for all of these


cdef inline void look(const State* s, Look* k) noexcept nogil:
    cdef int player = s.player, i, waiting = 0, left = SCORINGS - s.scorings
    cdef float total = 20, share, spread
    cdef float theirs[COLOURS]
    cdef const Column* column
    k.tramless = 0
    for i in range(COLOURS):
        k.mine[i] = theirs[i] = 0
        waiting += s.n_row[i]
    for i in range(s.n_columns[player]):
        column = &s.columns[player][i]
        k.mine[column.colour] += column.points * column.tram
        k.tramless += column.tram == 0
    for i in range(s.n_columns[1 - player]):
        column = &s.columns[1 - player][i]
        theirs[column.colour] += column.points * column.tram
    k.margin = s.regular[player] + s.extra[player] - s.regular[1 - player] - s.extra[1 - player]
    for i in range(COLOURS):
        k.lead[i] = k.mine[i] - theirs[i]
        total += k.lead[i] if k.lead[i] > 0 else -k.lead[i]
    # Passengers still to come, spread over the colours; a lead either way makes somebody want the colour.
    share = P[TILT] / total
    spread = 0
    for i in range(COLOURS):
        k.expected[i] = 1 + share * (k.lead[i] if k.lead[i] > 0 else -k.lead[i])
        spread += k.expected[i]
    spread = (ROW * left - waiting + 2) / spread
    for i in range(COLOURS):
        k.expected[i] = (k.expected[i] * spread + s.n_row[i]) * 0.25 - P[EXPECTED_OFFSET]
        if k.expected[i] < 0.05:
            k.expected[i] = 0.05
    k.time = left * <float>0.1
    k.money = (P[MONEY_FIXED] + P[MONEY_TIME] * k.time) / (1 + P[MONEY_MUCH] * s.n_pile[player])
    if s.n_deck < 8:
        k.money *= P[MONEY_HALVED]
    k.price = 0
    k.next_tram = 0
    waiting = k.tramless + 1
    for i in range(TRAMS):
        left = s.supply[i]
        if waiting > 0 and left > 0:
            k.next_tram = i + 2
            if left > waiting:
                left = waiting
            k.price += 5 * (i + 1) * left
            waiting -= left
    if waiting > 0:
        k.next_tram = 0


cdef inline float on_column(const State* s, const Look* k, const Column* column, int card) noexcept nogil:
    """What a card that fits gains on a column."""
    cdef int tram = column.tram if column.tram else 2, value, points = 0, skipped, i, held, colour = column.colour
    cdef float gain, each = tram * k.expected[colour]
    gain = 0
    if card != CONDUCTOR:
        value = card - 10 * colour + 1
        points = POINTS[value]
        skipped = ABOVE[column.top] - ABOVE[value] - points
        gain = each * (points - P[GAP] * k.time * skipped)
        for i in range(s.n_hand[s.player]):
            held = s.hand[s.player][i] - 10 * colour + 1
            if column.top < held < value:
                gain -= each * POINTS[held]
    if column.count == 7:
        gain += tram * (column.points + points)
    elif 3 <= column.count < 7 and column.top < 10:
        gain += P[TOUR] * k.time * (column.count - 2) * tram
    return gain - k.money


cdef inline float opened(const State* s, const Look* k, int card, int colour) noexcept nogil:
    """What a new column gains that begins with a card."""
    cdef int i, held, top = 0, chain = 0, cards = 0
    cdef float gain, each
    for i in range(s.n_hand[s.player]):
        held = s.hand[s.player][i]
        if held >= card and 10 * colour <= held < 10 * colour + 10 and held - 10 * colour + 1 > top:
            top = held - 10 * colour + 1
            chain += POINTS[top]
            cards += 1
    if k.next_tram == 0 or s.n_pile[s.player] + s.n_hand[s.player] - cards < k.price:
        return P[UNPAID]
    each = k.next_tram * k.expected[colour]
    gain = P[OPENING] + each * (chain + P[GROWTH] * k.time * ABOVE[top])
    for i in range(s.n_columns[s.player]):
        if s.columns[s.player][i].colour == colour and s.columns[s.player][i].top < 8:
            gain += P[OPENING_TWIN]
    if card == CONDUCTOR:
        gain -= 10
    return gain - k.money * (5 * (k.next_tram - 1) + 1)


cdef inline float as_station(const State* s, const Look* k, int card) noexcept nogil:
    """What a station is worth on the best of the own columns; 0 if it fits nowhere."""
    cdef int i, colour = card // 10, value = card - 10 * colour + 1
    cdef float gain, best = 0
    cdef const Column* column
    for i in range(s.n_columns[s.player]):
        column = &s.columns[s.player][i]
        if column.colour == colour and column.top < value:
            gain = column.tram * k.expected[colour] * (POINTS[value] - P[GAP] * k.time * (ABOVE[column.top] - ABOVE[value] - POINTS[value]))
            if gain > best:
                best = gain
    return best


cdef void passengers(const State* s, const Look* k, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef int i, j, card, row, margin, colour
    cdef float gain, push[COLOURS], later[COLOURS], use[HAND]
    cdef const Column* column
    for i in range(COLOURS):
        later[i] = 0
    for j in range(s.n_hand[s.player]):
        card = s.hand[s.player][j]
        use[j] = as_station(s, k, card) if card < CONDUCTOR else 0
        if card < CONDUCTOR and use[j] > 0:
            later[card // 10] += 2 * POINTS[card - card // 10 * 10 + 1]
    for row in range(COLOURS):
        gain = k.lead[row]
        if s.n_row[row] == ROW - 1:
            if s.scorings == SCORINGS - 1:
                margin = k.margin + <int>k.lead[row]
                gain += 100 if margin > 0 else -100 if margin < 0 else 0
            push[row] = P[SCORE] * gain
            continue
        gain += P[BUILT_LATER] * later[row]
        if s.n_row[row] == 2:
            push[row] = (P[PUSH_2] if gain > 0 else P[PUSH_2_BEHIND]) * gain
        else:
            push[row] = P[PUSH_0 + s.n_row[row]] * gain
    for i in range(n):
        if ids[i] == DONE:
            out[i] = -P[SECOND] - P[SECOND_AHEAD] * k.margin
            continue
        card = ids[i]
        if card >= BOARD_CONDUCTOR:
            out[i] = push[card - BOARD_CONDUCTOR] - P[CONDUCTOR_USE] * k.time
            continue
        for j in range(s.n_hand[s.player]):
            if s.hand[s.player][j] == card:
                break
        out[i] = push[card // 10] - P[USE] * use[j]


cdef void stations(const State* s, const Look* k, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef int i, j, card, column
    cdef float best_of_card[CONDUCTOR + 1]
    cdef float best_on[MAX_COLUMNS + 1]
    cdef float total
    for i in range(s.n_hand[s.player]):
        best_of_card[s.hand[s.player][i]] = 0
    for i in range(MAX_COLUMNS + 1):
        best_on[i] = 0
    for i in range(n):
        if ids[i] == DONE:
            out[i] = 0
            continue
        if ids[i] < OPEN:
            card = (ids[i] - BUILD) // MAX_COLUMNS
            out[i] = on_column(s, k, &s.columns[s.player][ids[i] - BUILD - card * MAX_COLUMNS], card)
            if card == CONDUCTOR:
                out[i] -= P[HOLD_CONDUCTOR] * k.time
        elif ids[i] < OPEN_CONDUCTOR:
            card = ids[i] - OPEN
            out[i] = opened(s, k, card, card // 10)
        else:
            card = CONDUCTOR
            out[i] = opened(s, k, CONDUCTOR, ids[i] - OPEN_CONDUCTOR)
        if out[i] > best_of_card[card]:
            best_of_card[card] = out[i]
    # A card belongs where it gains most; a column's number, and new columns after all others, set the order.
    for i in range(n):
        if ids[i] == DONE:
            continue
        column = MAX_COLUMNS
        if ids[i] < OPEN:
            card = (ids[i] - BUILD) // MAX_COLUMNS
            column = ids[i] - BUILD - card * MAX_COLUMNS
        else:
            card = ids[i] - OPEN if ids[i] < OPEN_CONDUCTOR else CONDUCTOR
        if out[i] < best_of_card[card]:
            out[i] -= best_of_card[card]
        if out[i] > best_on[column]:
            best_on[column] = out[i]
    total = 0
    for i in range(MAX_COLUMNS, s.column - 1, -1):
        total += best_on[i]
        best_on[i] = total
    for i in range(n):
        if ids[i] < OPEN:
            column = (ids[i] - BUILD) % MAX_COLUMNS
            out[i] += best_on[column + 1]


cdef void income(const State* s, const Look* k, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef int i, j, card, same
    cdef float after[CONDUCTOR + 2]
    cdef float gain, total = 0, hold
    for i in range(s.n_hand[s.player] - 1, -1, -1):  # from the highest card down: what comes after each
        card = s.hand[s.player][i]
        if card == CONDUCTOR:
            hold = P[HOLD_CONDUCTOR] * k.time
        else:
            hold = P[HOLD] * as_station(s, k, card)
            same = 0
            for j in range(s.n_hand[s.player]):
                same += s.hand[s.player][j] // 10 == card // 10
            hold += P[HOLD_COLOUR] * (same - 1) * k.time
        gain = k.money + P[NEW_CARD] * k.time - hold
        after[card] = total + gain
        if gain > 0:
            total += gain
    for i in range(n):
        out[i] = 0 if ids[i] == DONE else after[ids[i] - BANK]


cdef void purchase(const State* s, const Look* k, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef int i, tram, j
    cdef float best_on[MAX_COLUMNS + 1]
    cdef float total, gain
    cdef const Column* column
    for i in range(MAX_COLUMNS + 1):
        best_on[i] = 0
    for i in range(n):
        out[i] = 0
        if ids[i] == DONE:
            continue
        tram = 2 + (ids[i] - BUY) // MAX_COLUMNS
        j = (ids[i] - BUY) % MAX_COLUMNS
        column = &s.columns[s.player][j]
        gain = tram * k.expected[column.colour] * (column.points + P[GROWTH] * k.time * ABOVE[column.top])
        out[i] = gain + P[BUYING] - k.money * (5 * (tram - 1) - column.count)
        if out[i] > best_on[j]:
            best_on[j] = out[i]
    total = 0
    for i in range(s.n_columns[s.player], -1, -1):
        total += best_on[i]
        best_on[i] = total
    for i in range(n):
        if ids[i] != DONE:
            tram = 2 + (ids[i] - BUY) // MAX_COLUMNS
            if s.n_pile[s.player] >= 5 * (tram - 1) + 5:
                out[i] += best_on[(ids[i] - BUY) % MAX_COLUMNS + 1]


cdef void gains(const State* s, const int32_t* ids, int n, float* out) noexcept nogil:
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


cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef int i
    cdef float best, away, scale = 1 / P[SOFTNESS]
    gains(<const State*>state, ids, n, out)
    best = out[0]
    for i in range(1, n):
        if out[i] > best:
            best = out[i]
    for i in range(n):
        away = (best - out[i]) * scale
        out[i] = 1 / (1 + away * (1 + away * (<float>0.5 + away * <float>0.1667)))


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil:
    cdef int32_t ids[MAX_LEGAL]
    cdef float w[MAX_LEGAL]
    cdef float pick = 0
    cdef int i, n = game.legal(game, state, ids)
    if n == 1:
        return ids[0]
    weights(game, state, ids, n, w)
    for i in range(n):
        pick += w[i]
    pick *= <float>rng_uniform(rng)
    for i in range(n - 1):
        pick -= w[i]
        if pick < 0:
            return ids[i]
    return ids[n - 1]


cdef void values(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int player
    cdef double margin = s.regular[0] + s.extra[0] - s.regular[1] - s.extra[1]
    cdef double share = 1 / (1 + exp(-margin / 25))
    if s.phase == OVER:
        share = margin if margin else s.n_pile[0] - s.n_pile[1]
        share = 0.5 if share == 0 else <double>(share > 0)
    for player in range(PLAYERS):
        out[3 * player] = share
        out[3 * player + 1] = margin
        out[3 * player + 2] = s.regular[player] + s.extra[player]
        share = 1 - share
        margin = -margin
