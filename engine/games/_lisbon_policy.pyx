"""Lisbon Tram 28: a cheap goal-directed policy (`weights`, `playout`) and an estimate of the result (`values`).

The policy thinks in points. A card on display is worth its points and connections; who has some of its passengers aboard has a share of
that, the larger the fewer are missing. So a group at a stop is worth what it adds to these shares, a monument what it still lacks of the
whole, a bonus stop what its bonus brings in the rounds to come; tickets, actions and steps are taken off. The player goes to the place
that leaves most. Only what the player on turn can see is looked at: his own hand, and what lies on the table.
"""
from libc.math cimport exp, sqrt
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_look cimport (
    ACTION,
    ACTION_ROUND,
    BELL_ROUND,
    CRAMPED,
    FAR,
    FREE_ROUND,
    LATER,
    LINK,
    NEARER,
    PLAYOUT_SHARPNESS,
    PRIOR_SHARPNESS,
    SEATS_ROUND,
    TICKET,
    Look,
    P,
    bits_of,
    measure,
    standing_of,
    want_cards,
)
from wattman.engine.games._lisbon_paying cimport natural, payable
from wattman.engine.games._lisbon_rails cimport lowest
from wattman.engine.games._lisbon_rules cimport standing
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
    PLACES,
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
    other_colour,
    own_seats,
    passengers,
)
from wattman.engine.rng cimport Rng, rng_below, rng_uniform


# --- what things are worth to the player on turn ---

cdef enum:
    MOST = 1024         # legal decisions that a playout has room for


cdef inline float discount(int short) noexcept nogil:
    """Part of a gain that is left if so many tickets are still to be drawn for it."""
    cdef float part = 1
    while short > 0:
        part *= P[LATER]
        short -= 1
    return part


cdef inline float when_paid(float gain, const uint8_t* hand, const uint8_t* need, int steps) noexcept nogil:
    """A gain with the tickets for it taken off, less the longer one must wait for them. `steps` tickets go on the way."""
    cdef int c, left, tickets = 0, held = 0, missing = 0, spare = 0, swaps
    for c in range(COLOURS):
        tickets += need[c]
        held += hand[c]
        left = hand[c] - need[c]
        if left < 0:
            missing -= left
        else:
            spare += left // 3
    swaps = min(missing, spare)
    tickets += 2 * swaps
    gain -= P[TICKET] * tickets
    if gain <= 0:
        return gain
    return gain * discount(missing - swaps + max(0, steps - max(0, held - tickets)))


cdef inline float boarding(const Data* d, const State* s, const Look* k, const uint8_t* hand, const uint8_t* group, int steps) noexcept nogil:
    """What picking up a group so many steps away brings."""
    cdef uint8_t aboard[COLOURS]
    cdef const uint8_t* now = s.aboard[s.player]
    cdef int c, seats = own_seats(d, s, s.player)
    for c in range(COLOURS):
        aboard[c] = min(now[c] + group[c], max(seats, <int>now[c]))
    return when_paid(standing_of(d, k, aboard) - k.ready, hand, group, steps)


cdef inline float earning(const Data* d, const State* s, const Look* k, const uint8_t* hand, int colour, int steps) noexcept nogil:
    """What taking the bonus at the stop of a colour brings."""
    cdef uint8_t need[COLOURS]
    cdef int bonus = d.bonus_of[s.player][colour], i
    cdef float gain = 0
    if s.bonuses[s.player] & bonus:
        return -1
    if bonus == HAS_SEATS:
        gain = P[SEATS_ROUND] * k.rounds
        for i in range(k.n):
            if k.cramped[i]:
                gain += P[CRAMPED] * k.worth[i]
    elif bonus == HAS_ACTION:
        gain = P[ACTION_ROUND] * k.rounds
    elif bonus == HAS_FREE:
        gain = P[FREE_ROUND] * k.rounds
    else:
        gain = P[BELL_ROUND] * k.rounds
    memset(need, 0, COLOURS)
    need[colour] = 3
    return when_paid(gain, hand, need, steps)


cdef inline float delivering(const Data* d, const State* s, const Look* k, int place) noexcept nogil:
    """What claiming at a monument brings, as far as the passengers are aboard."""
    cdef int i
    cdef float best = 0
    for i in range(k.n):
        if d.card_place[k.card[i]] == place and k.missing[i] == 0 and k.card[i] != s.next_card:
            best = max(best, k.worth[i])
    return best


cdef inline float worth_of_place(const Data* d, const State* s, const Look* k, const uint8_t* hand, int place, int steps) noexcept nogil:
    """What there is to be done at a place so many steps away, the steps and the action not taken off."""
    cdef int stop = d.stop_of[place]
    if stop != NONE:
        return boarding(d, s, k, hand, s.waiting[stop], steps) if any_of(s.waiting[stop]) else 0
    if d.colour_of[place] != NONE:
        return earning(d, s, k, hand, d.colour_of[place], steps)
    return delivering(d, s, k, place)


cdef struct Goal:
    int place           # NONE: there is nothing to go for
    float gain          # steps and one action taken off


cdef inline void find_goal(const Data* d, const State* s, const Look* k, Goal* goal) noexcept nogil:
    """Where the player on turn wants to go: the place that leaves most when the way there is taken off."""
    cdef const uint8_t* hand = s.hand[s.player]
    cdef uint64_t places = s.open & ~(<uint64_t>1 << s.at[s.player])
    cdef int place
    cdef float gain
    goal.place = NONE
    goal.gain = 0
    while places:
        place = lowest(places)
        places &= places - 1
        gain = worth_of_place(d, s, k, hand, place, k.steps[place])
        if gain <= 0:
            continue
        gain -= P[ACTION] + (P[TICKET] + P[NEARER]) * k.steps[place]
        if gain > goal.gain:
            goal.gain = gain
            goal.place = place


# --- turn ---

cdef inline float ringing(const Data* d, const State* s, const Look* k, const uint8_t* group, float plain, bint choose) noexcept nogil:
    """What ringing first brings: one passenger more, or the loss of the action if the hand cannot pay for him."""
    cdef uint8_t larger[COLOURS]
    cdef const uint8_t* bag = s.bag
    cdef int c, total
    cdef float gain, sum = 0, best = -1
    if not any_of(bag):
        bag = s.gone
    total = passengers(bag)
    memcpy(larger, group, COLOURS)
    for c in range(COLOURS):
        if bag[c] == 0:
            continue
        larger[c] += 1
        gain = boarding(d, s, k, s.hand[s.player], larger, 0) if payable(s.hand[s.player], larger) else 0
        larger[c] -= 1
        sum += gain * bag[c] / total
        best = max(best, gain)
    return <float>0.6 * best + <float>0.4 * sum if choose else sum


cdef inline float moving_with(const Data* d, const State* s, const Look* k, const Goal* goal, int colour) noexcept nogil:
    """What beginning a move action with a colour brings."""
    cdef uint8_t hand[COLOURS]
    cdef int c, steps, natural_steps, left, spare = 0
    cdef float gain
    if goal.place == NONE:
        return -1
    steps = k.steps[goal.place]
    memcpy(hand, s.hand[s.player], COLOURS)
    natural_steps = min(<int>hand[colour], steps)
    hand[colour] -= natural_steps
    left = steps - natural_steps
    for c in range(COLOURS):
        if c != colour:
            spare += hand[c] // 3
    # What is to be done there, with the hand that is left, shows which colour can be spared.
    gain = goal.gain
    if left == 0:
        gain += worth_of_place(d, s, k, hand, goal.place, 0) - worth_of_place(d, s, k, s.hand[s.player], goal.place, steps)
    else:
        gain -= P[ACTION] + (0 if left <= spare else P[NEARER] * left)
    return gain


cdef inline bint can_act(const int32_t* ids, int n) noexcept nogil:
    """Whether a group or a bonus can be paid for here."""
    cdef int i
    for i in range(n):
        if ids[i] == BOARD or ids[i] == BONUS:
            return True
    return False


cdef void turn_gains(const Data* d, const State* s, const int32_t* ids, int n, Look* k, Goal* goal, uint8_t* steps, float* out) noexcept nogil:
    """Points that each decision of a turn brings. `steps`: to the goal, if there is one."""
    cdef const uint8_t* group = s.waiting[d.stop_of[s.at[s.player]]] if d.stop_of[s.at[s.player]] != NONE else NULL
    cdef int i, event, card, edges
    cdef float here = 0, waiting = 0
    goal.place = NONE
    if n > 1:
        want_cards(d, s, s.player, k)
        measure(d, s.open, s.at[s.player], k.steps)
        find_goal(d, s, k, goal)
        if goal.place != NONE:
            measure(d, s.open, goal.place, steps)
        if not can_act(ids, n):
            waiting = worth_of_place(d, s, k, s.hand[s.player], s.at[s.player], 0)
    for i in range(n):
        event = ids[i]
        if event == END:  # waiting for tickets for what is to be done here
            out[i] = max(<float>0, waiting - P[ACTION])
        elif event < BOARD:
            out[i] = moving_with(d, s, k, goal, event)
        elif event == BOARD:
            here = boarding(d, s, k, s.hand[s.player], group, 0)
            out[i] = here - P[ACTION]
        elif event == RING or event == RING3:
            out[i] = ringing(d, s, k, group, here, event == RING3) - P[ACTION]
        elif event == BONUS:
            out[i] = earning(d, s, k, s.hand[s.player], d.colour_of[s.at[s.player]], 0) - P[ACTION]
        elif event < d.shunt:
            card = (event - d.claim) // 3
            edges = 0
            if s.n_row[s.player]:
                edges = d.right[card] & d.left[s.row_left[s.player]] if (event - d.claim) % 3 == 1 else d.right[s.row_right[s.player]] & d.left[card]
            out[i] = 2 + d.card_vp[card] + P[LINK] * bits_of(edges)
        elif goal.place != NONE:  # a free step
            out[i] = <float>0.05 + (k.steps[goal.place] - steps[d.path[event - d.free].landing]) * (P[TICKET] + P[NEARER])
        else:
            out[i] = <float>-0.05


# --- inside an action ---

cdef inline void move_gains(const Data* d, const State* s, const int32_t* ids, int n, const uint8_t* steps, float here, float* out) noexcept nogil:
    """The steps of a move action: towards where `steps` are counted to. `here`: what there is to be done where the tram stands."""
    cdef int i, event, path, away = steps[s.at[s.player]]
    cdef float cost
    for i in range(n):
        event = ids[i]
        if event == HALT:
            out[i] = here
            continue
        if event < d.step:
            path, cost = event - d.free, 0
        elif event < d.exchange:
            path, cost = event - d.step, P[TICKET]
        else:
            path, cost = (event - d.exchange) >> 2, 3 * P[TICKET]
        out[i] = (away - steps[d.path[path].landing]) * (P[NEARER] + P[TICKET] + P[ACTION]) - cost


cdef inline void payment_gains(const Data* d, const State* s, const int32_t* ids, int n, float* out) noexcept nogil:
    """Pay what is there; swap from what is plenty."""
    cdef int i, event, x, give
    cdef bint there = natural(s)
    cdef Look k
    cdef float bad = -1
    if s.purpose & RUNG:
        want_cards(d, s, s.player, &k)
        bad = -boarding(d, s, &k, s.hand[s.player], s.waiting[d.stop_of[s.at[s.player]]], 0)
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
        out[i] = boarding(d, s, &k, s.hand[s.player], larger, 0) if payable(s.hand[s.player], larger) else 0
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


cdef inline void soften(float* out, int n, float sharpness) noexcept nogil:
    """Gains become weights: about exp(sharpness * (gain - best gain))."""
    cdef int i
    cdef float best = out[0], away
    for i in range(1, n):
        best = max(best, out[i])
    for i in range(n):
        away = (best - out[i]) * sharpness
        out[i] = 1 / (1 + away * (1 + away * (<float>0.5 + away * <float>0.1667)))


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
    cdef uint8_t steps[PLACES]
    cdef float here
    if s.phase == TURN:
        turn_gains(d, s, ids, n, &k, &goal, steps, out)
    elif s.phase == MOVING:
        want_cards(d, s, s.player, &k)
        measure(d, s.open, s.at[s.player], k.steps)
        find_goal(d, s, &k, &goal)
        here = worth_of_place(d, s, &k, s.hand[s.player], s.at[s.player], 0)
        # Another step must bring more than what there is to be done here.
        if goal.place == NONE or (here > 0 and here - P[ACTION] >= goal.gain):
            measure(d, s.open, s.at[s.player], steps)
        else:
            measure(d, s.open, goal.place, steps)
        move_gains(d, s, ids, n, steps, 0, out)
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
    cdef float pick = 0
    cdef int i, n = game.legal(game, state, ids)
    if n == 1:
        return ids[0]
    if s.phase == TURN:
        turn_gains(d, s, ids, n, &k, &goal, notes.steps, w)
        notes.going = 1 + goal.place if goal.place != NONE else 0
        notes.player = s.player
    elif s.phase == MOVING:
        if notes.going == 0 or notes.player != s.player:  # begun by the search, or under way without a goal
            want_cards(d, s, s.player, &k)
            measure(d, s.open, s.at[s.player], k.steps)
            find_goal(d, s, &k, &goal)
            notes.going = 1 + goal.place if goal.place != NONE else 1 + s.at[s.player]
            notes.player = s.player
            measure(d, s.open, notes.going - 1, notes.steps)
        move_gains(d, s, ids, n, notes.steps, 0, w)
    else:
        other_gains(game, d, s, ids, n, w)
    soften(w, n, P[PLAYOUT_SHARPNESS])
    for i in range(n):
        pick += w[i]
    pick *= <float>rng_uniform(rng)
    for i in range(n - 1):
        pick -= w[i]
        if pick < 0:
            n = i + 1
            break
    return ids[n - 1]


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
