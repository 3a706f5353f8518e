"""Lisbon Tram 28: a cheap goal-directed policy (`weights`, `playout`) and an estimate of the result (`values`).

The policy thinks in points. A card on display is worth its points and connections; who has some of its passengers aboard has a share of
that, the larger the fewer are missing. So a group at a stop is worth what it adds to these shares, a monument what it still lacks of the
whole, a bonus stop what its bonus brings in the rounds to come; tickets, actions and steps are taken off. The player goes to the place
that leaves most. Only what the player on turn can see is looked at: his own hand, and what lies on the table.
"""
from libc.math cimport exp, sqrt
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_look cimport (
    ACTION,
    ACTION_ROUND,
    BELL_ROUND,
    CRAMPED,
    FREE_ROUND,
    LATER,
    LINK,
    NEARER,
    PLAYOUT_SHARPNESS,
    PRIOR_SHARPNESS,
    SEATS_ROUND,
    TICKET,
    Look,
    BITS,
    P,
    excess,
    pack,
    standing_of,
    steps_between,
    want_cards,
)
from wattman.engine.games._lisbon_paying cimport natural, payable
from wattman.engine.games._lisbon_rails cimport lowest
from wattman.engine.games._lisbon_scoring cimport standing
from wattman.engine.games._lisbon_state cimport (
    BOARD,
    BONUS,
    COLOURS,
    DECLINE,
    END,
    HALT,
    HAS_ACTION,
    HAS_BELL,
    HAS_FREE,
    HAS_SEATS,
    KEEP,
    KEEPING,
    MOVING,
    NONE,
    OVER,
    PAY,
    PAYING,
    PLACING,
    RING,
    RING3,
    RUNG,
    SEATS_AT_TABLE,
    SWAP,
    TURN,
    Data,
    State,
    any_of,
    bit,
    other_colour,
    passengers,
)
from wattman.engine.policy cimport draw_weighted, soften
from wattman.engine.rng cimport Rng


# --- what things are worth to the player on turn ---

cdef enum:
    MOST = 4096         # legal decisions that a playout has room for


cdef inline float discount(int short) noexcept nogil:
    """Part of a gain that is left if so many tickets are still to be drawn for it."""
    cdef float part = 1
    while short > 0:
        part *= P[LATER]
        short -= 1
    return part


cdef inline float when_paid(float gain, const uint8_t* hand, const uint8_t* need, int steps) noexcept nogil:
    """A gain with the tickets for it taken off, less the longer one must wait for them. `steps` tickets go on the way."""
    cdef int c, left, below, tickets = 0, held = 0, missing = 0, spare = 0, swaps
    for c in range(COLOURS):
        tickets += need[c]
        held += hand[c]
        left = hand[c] - need[c]
        below = left >> 31  # -1 or 0: no branch to guess wrong
        missing -= left & below
        spare += (left & ~below) * 171 >> 9  # a third
    swaps = min(missing, spare)
    tickets += 2 * swaps
    gain -= P[TICKET] * tickets
    missing += max(0, steps - max(0, held - tickets)) - swaps
    return gain * discount(missing) if gain > 0 else gain


cdef inline float seating(const Data* d, const State* s, const Look* k, const uint8_t* group) noexcept nogil:
    """What the passengers of a group that find seats are worth."""
    cdef uint32_t all = pack(group), seated = all - excess(all, k.room)
    return standing_of(k, pack(s.aboard[s.player]) + seated) - k.ready if seated else 0


cdef inline float boarding(const Data* d, const State* s, const Look* k, const uint8_t* group) noexcept nogil:
    """What picking up a group at the own stop brings."""
    return when_paid(seating(d, s, k, group), s.hand[s.player], group, 0)


cdef inline float earning(const Data* d, const State* s, const Look* k, int colour) noexcept nogil:
    """What the bonus of a colour is worth."""
    cdef int bonus = d.bonus_of[s.player][colour], i
    cdef float gain
    if s.bonuses[s.player] & bonus:
        return 0
    if bonus == HAS_SEATS:
        gain = P[SEATS_ROUND] * k.rounds
        for i in range(k.n):
            if k.cramped[i]:
                gain += P[CRAMPED] * k.worth[i]
        return gain
    if bonus == HAS_ACTION:
        return P[ACTION_ROUND] * k.rounds
    if bonus == HAS_FREE:
        return P[FREE_ROUND] * k.rounds
    return P[BELL_ROUND] * k.rounds


cdef struct Goal:
    int place               # NONE: there is nothing to go for
    int steps               # to it
    float worth             # of what there is to be done there
    float gain              # tickets, steps and one action taken off
    uint8_t need[COLOURS]   # tickets for it


cdef inline void consider(const Data* d, const State* s, int place, float worth, const uint8_t* need, Goal* goal) noexcept nogil:
    """Takes a place as the goal if it is better."""
    cdef int steps = steps_between(d, s.open, s.at[s.player], place)
    cdef float gain, way = P[ACTION] + (P[TICKET] + P[NEARER]) * steps
    if worth - way <= goal.gain:
        return
    gain = when_paid(worth, s.hand[s.player], need, steps) - way
    if gain > goal.gain:
        goal.place = place
        goal.steps = steps
        goal.worth = worth
        goal.gain = gain
        memcpy(goal.need, need, COLOURS)


cdef inline void find_goal(const Data* d, const State* s, const Look* k, Goal* goal) noexcept nogil:
    """Where the player on turn wants to go: the place that leaves most when the way there is taken off."""
    cdef uint8_t need[COLOURS]
    cdef int i, place, here = s.at[s.player]
    cdef uint64_t stops = s.open & ~d.always_open & ~bit(here)
    goal.place = NONE
    goal.gain = 0
    memset(need, 0, COLOURS)
    for i in range(k.n):
        place = d.card_place[k.card[i]]
        if k.missing[i] == 0 and place != here and k.card[i] != s.next_card:
            consider(d, s, place, k.worth[i], need, goal)
    for i in range(COLOURS):
        place = d.bonus_stop[i]
        if place != here and not s.bonuses[s.player] & d.bonus_of[s.player][i]:
            need[i] = 3
            consider(d, s, place, earning(d, s, k, i), need, goal)
            need[i] = 0
    while stops:
        place = lowest(stops)
        stops &= stops - 1
        consider(d, s, place, seating(d, s, k, s.waiting[d.stop_of[place]]), s.waiting[d.stop_of[place]], goal)


cdef inline float to_be_done(const Data* d, const State* s, const Look* k) noexcept nogil:
    """What boarding or a bonus brings where the tram stands."""
    cdef uint8_t need[COLOURS]
    cdef int here = s.at[s.player]
    if d.stop_of[here] != NONE:
        return max(<float>0, boarding(d, s, k, s.waiting[d.stop_of[here]]))
    if d.colour_of[here] == NONE:
        return 0
    memset(need, 0, COLOURS)
    need[d.colour_of[here]] = 3
    return max(<float>0, when_paid(earning(d, s, k, d.colour_of[here]), s.hand[s.player], need, 0))


# --- turn ---

cdef inline float ringing(const Data* d, const State* s, const Look* k, const uint8_t* group, float* best) noexcept nogil:
    """What ringing first brings: one passenger more, or the loss of the action if the hand cannot pay for him. `best`: if one can choose."""
    cdef uint8_t larger[COLOURS]
    cdef const uint8_t* bag = s.bag
    cdef int c, total
    cdef float gain, sum = 0
    if not any_of(bag):
        bag = s.gone
    total = passengers(bag)
    memcpy(larger, group, COLOURS)
    best[0] = -1
    for c in range(COLOURS):
        if bag[c] == 0:
            continue
        larger[c] += 1
        gain = boarding(d, s, k, larger) if payable(s.hand[s.player], larger) else 0
        larger[c] -= 1
        sum += gain * bag[c]
        best[0] = max(best[0], gain)
    sum /= total
    best[0] = <float>0.6 * best[0] + <float>0.4 * sum
    return sum


cdef inline float moving_with(const State* s, const Goal* goal, int colour) noexcept nogil:
    """What beginning a move action with a colour brings."""
    cdef uint8_t hand[COLOURS]
    cdef int c, left, spare = 0, now = min(<int>s.hand[s.player][colour], goal.steps)
    cdef float gain = goal.gain
    memcpy(hand, s.hand[s.player], COLOURS)
    hand[colour] -= now
    left = goal.steps - now
    if left == 0:  # with the hand that is left there: which colour can be spared?
        return gain + when_paid(goal.worth, hand, goal.need, 0) - when_paid(goal.worth, s.hand[s.player], goal.need, goal.steps)
    for c in range(COLOURS):
        if c != colour:
            spare += hand[c] // 3
    return gain - P[ACTION] - (0 if left <= spare else P[NEARER] * left)


cdef inline bint can_act(const int32_t* ids, int n) noexcept nogil:
    """Whether a group or a bonus can be paid for here."""
    cdef int i
    for i in range(n):
        if ids[i] == BOARD or ids[i] == BONUS:
            return True
    return False


cdef void turn_gains(const Data* d, const State* s, const int32_t* ids, int n, Look* k, Goal* goal, float* out) noexcept nogil:
    """Points that each decision of a turn brings."""
    cdef const uint8_t* group = s.waiting[d.stop_of[s.at[s.player]]] if d.stop_of[s.at[s.player]] != NONE else NULL
    cdef int i, event, card, edges
    cdef float waiting = 0, choosing = 0
    goal.place = NONE
    if n > 1:
        want_cards(d, s, s.player, k)
        find_goal(d, s, k, goal)
        if not can_act(ids, n):
            waiting = to_be_done(d, s, k)
    for i in range(n):
        event = ids[i]
        if event == END:  # waiting for tickets for what is to be done here
            out[i] = max(<float>0, waiting - P[ACTION])
        elif event < BOARD:
            out[i] = moving_with(s, goal, event) if goal.place != NONE else -1
        elif event == BOARD:
            out[i] = boarding(d, s, k, group) - P[ACTION]
        elif event == RING:  # comes before `ring3`
            out[i] = ringing(d, s, k, group, &choosing) - P[ACTION]
        elif event == RING3:
            out[i] = choosing - P[ACTION]
        elif event == BONUS:
            out[i] = to_be_done(d, s, k) - P[ACTION]
        elif event < d.shunt:
            card = (event - d.claim) // 3
            edges = 0
            if s.n_row[s.player]:
                edges = d.right[card] & d.left[s.row_left[s.player]] if (event - d.claim) % 3 == 1 else d.right[s.row_right[s.player]] & d.left[card]
            out[i] = 2 + d.card_vp[card] + P[LINK] * BITS[edges]
        elif goal.place != NONE:  # a free step
            out[i] = <float>0.05 + (goal.steps - steps_between(d, s.open, d.path[event - d.free].landing, goal.place)) * (P[TICKET] + P[NEARER])
        else:
            out[i] = <float>-0.05


# --- inside an action ---

cdef inline void move_gains(const Data* d, const State* s, const int32_t* ids, int n, int goal, float* out) noexcept nogil:
    """The steps of a move action towards a place."""
    cdef int i, event, path, away = steps_between(d, s.open, s.at[s.player], goal)
    cdef float cost
    for i in range(n):
        event = ids[i]
        if event == HALT:
            out[i] = 0
            continue
        if event < d.step:
            path, cost = event - d.free, 0
        elif event < d.exchange:
            path, cost = event - d.step, P[TICKET]
        else:
            path, cost = (event - d.exchange) >> 2, 3 * P[TICKET]
        out[i] = (away - steps_between(d, s.open, d.path[path].landing, goal)) * (P[NEARER] + P[TICKET] + P[ACTION]) - cost


cdef inline void payment_gains(const Data* d, const State* s, const int32_t* ids, int n, float* out) noexcept nogil:
    """Pay what is there; swap from what is plenty."""
    cdef int i, event, x, give
    cdef bint there = natural(s)
    cdef Look k
    cdef float bad = -1
    if s.purpose & RUNG:
        want_cards(d, s, s.player, &k)
        bad = -boarding(d, s, &k, s.waiting[d.stop_of[s.at[s.player]]])
    for i in range(n):
        event = ids[i]
        if event == PAY:
            out[i] = 0
        elif event == DECLINE:
            out[i] = bad
        else:
            x = (event - SWAP) // 3
            give = other_colour(x, (event - SWAP) % 3)
            out[i] = P[TICKET] * (s.hand[s.player][give] - s.pay[give] - s.need[give] - s.hand[s.player][x] - 3 - 3 * there)


cdef inline void keep_gains(const Data* d, const State* s, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef uint8_t larger[COLOURS]
    cdef Look k
    cdef int i
    want_cards(d, s, s.player, &k)
    memcpy(larger, s.waiting[d.stop_of[s.at[s.player]]], COLOURS)
    for i in range(n):
        larger[ids[i] - KEEP] += 1
        out[i] = boarding(d, s, &k, larger) if payable(s.hand[s.player], larger) else 0
        larger[ids[i] - KEEP] -= 1


cdef inline void place_gains(const GameC* game, const Data* d, const State* s, const int32_t* ids, int n, float* out) noexcept nogil:
    """New passengers near to oneself and away from the others."""
    cdef int i, p, place, chooser = game.to_move(game, s)
    for i in range(n):
        place = d.stop_place[ids[i] - d.place]
        out[i] = 0
        for p in range(d.players):
            if p == chooser:
                out[i] -= P[NEARER] * d.distance[s.at[p]][place]
            else:
                out[i] += P[NEARER] * d.distance[s.at[p]][place] / (d.players - 1)


cdef inline void other_gains(const GameC* game, const Data* d, const State* s, const int32_t* ids, int n, float* out) noexcept nogil:
    """Decisions outside of turns and moves."""
    cdef int i
    if s.phase == PAYING:
        payment_gains(d, s, ids, n, out)
    elif s.phase == KEEPING:
        keep_gains(d, s, ids, n, out)
    elif s.phase == PLACING:
        place_gains(game, d, s, ids, n, out)
    else:
        for i in range(n):
            out[i] = 0


cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef Look k
    cdef Goal goal
    cdef float here
    if s.phase == TURN:
        turn_gains(d, s, ids, n, &k, &goal, out)
    elif s.phase == MOVING:
        want_cards(d, s, s.player, &k)
        find_goal(d, s, &k, &goal)
        here = to_be_done(d, s, &k)
        # Another step must bring more than what there is to be done here.
        if goal.place == NONE or (here > 0 and here - P[ACTION] >= goal.gain):
            goal.place = s.at[s.player]
        move_gains(d, s, ids, n, goal.place, out)
    else:
        other_gains(game, d, s, ids, n, out)
    soften(out, n, P[PRIOR_SHARPNESS])


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef Scratch* notes = <Scratch*>scratch
    cdef Look k
    cdef Goal goal
    cdef int32_t ids[MOST]
    cdef float w[MOST]
    cdef int n = game.legal(game, state, ids)
    if n == 1:
        return ids[0]
    if s.phase == TURN:
        turn_gains(d, s, ids, n, &k, &goal, w)
        notes.going = 1 + goal.place if goal.place != NONE else 0
        notes.player = s.player
    elif s.phase == MOVING:
        if notes.going == 0 or notes.player != s.player:  # begun by the search, or under way without a goal
            want_cards(d, s, s.player, &k)
            find_goal(d, s, &k, &goal)
            notes.going = 1 + goal.place if goal.place != NONE else 1 + s.at[s.player]
            notes.player = s.player
        move_gains(d, s, ids, n, notes.going - 1, w)
    else:
        other_gains(game, d, s, ids, n, w)
    soften(w, n, P[PLAYOUT_SHARPNESS])
    return draw_weighted(ids, w, n, rng)


# --- the estimate ---

cdef inline float turns_left(const Data* d, const State* s, const Look* k, int player) noexcept nogil:
    """Turns that a player still has, the present one counted by its actions."""
    cdef float turns = k.rounds
    if player > s.player:
        turns += 1
    elif player == s.player and s.phase != OVER:
        turns += s.actions * <float>0.4
    return turns


cdef double projected(const Data* d, const State* s, int player) noexcept nogil:
    """The score that a player can expect at the end."""
    cdef Look k
    cdef double turns, rate = 0.55
    want_cards(d, s, player, &k)
    turns = turns_left(d, s, &k, player)
    if s.bonuses[player] & HAS_ACTION:
        rate += 0.6 * P[ACTION_ROUND]
    if s.bonuses[player] & HAS_FREE:
        rate += 0.6 * P[FREE_ROUND]
    if s.bonuses[player] & HAS_SEATS:
        rate += 0.6 * P[SEATS_ROUND]
    return (
        s.vp[player]
        + s.links[player]
        + min(1.0, 0.5 * turns) * k.ready
        + min(turns, 3.0) * 0.33 * P[TICKET] * min(<int>s.n_hand[player], 14)
        + rate * turns
    )


cdef void values(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef double own[SEATS_AT_TABLE]
    cdef double best, top = 0, sum = 0, spread
    cdef int p, q
    for p in range(d.players):
        own[p] = s.vp[p] + s.links[p] if s.phase == OVER else projected(d, s, p)
        top = max(top, own[p])
    spread = 1 / (0.5 + 0.5 * sqrt(<double>s.face_up + 1))
    for p in range(d.players):
        best = -1000
        for q in range(d.players):
            if q != p:
                best = max(best, own[q])
        out[3 * p + 1] = own[p] - best
        out[3 * p + 2] = own[p]
        if s.phase == OVER:
            out[3 * p] = 1
            for q in range(d.players):
                if standing(s, q) > standing(s, p):
                    out[3 * p] = 0
        else:
            out[3 * p] = exp((own[p] - top) * spread)
        sum += out[3 * p]
    for p in range(d.players):
        out[3 * p] /= sum
