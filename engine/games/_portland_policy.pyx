"""Portland's policies: one way to play, in several styles, from what the player on turn knows.

He has a plan (see _portland_plan.pyx): routes that he wants. In his turn he claims one of them if he can, the longest first; else he draws
cards that the plan lacks. Once his tickets are joined he draws new ones if there is time for them, and otherwise goes for points.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_plan cimport Plan, Style, keep_up, rate_offers, turns_left
from wattman.engine.games._portland_rules cimport keep_event, kept_tickets, payments
from wattman.engine.games._portland_state cimport (
    CHOOSE,
    KEEP,
    LENGTHS,
    NONE,
    OFFERED,
    PAY,
    SECOND,
    TURN,
    TYPES,
    Data,
    Route,
    State,
    bits_of,
    has,
    low_bit,
)
from wattman.engine.rng cimport Rng, rng_below

cdef Style USUAL       # the numbers won most games, also against PLANNER and RACER (docs/search.md)
USUAL.turn = 0
USUAL.train = 2.0
USUAL.gamble = 0.6
USUAL.more_turns = 10
USUAL.more_rate = 6
USUAL.pass_worth = 0
USUAL.passes_spent = 0
USUAL.time = 5.5
USUAL.grab = 15
USUAL.least = 1
USUAL.near = 0.35
USUAL.ticket = 10
USUAL.orders = 2
USUAL.race = False

cdef Style PRIOR = USUAL     # of priors, where there is time to plan
PRIOR.orders = 4

# USUAL ends games fast. In half of the playouts a player takes more time, and more of his tickets' chances: so the search is ready for both.
cdef Style PATIENT = USUAL
PATIENT.turn = 2.0
PATIENT.gamble = 1.1
PATIENT.more_rate = 7
PATIENT.pass_worth = 1.2
PATIENT.passes_spent = 0.05
PATIENT.time = 4
PATIENT.least = 3
PATIENT.near = 0
PATIENT.ticket = 0

# The scripts: yardsticks, which stay as they are when the others get better.
cdef Style PLANNER = PATIENT
PLANNER.turn = 3.0
PLANNER.train = 2.5
PLANNER.more_turns = 8
PLANNER.more_rate = 6
PLANNER.passes_spent = 0.1
PLANNER.grab = 1000
PLANNER.orders = 4

cdef Style RACER = PLANNER
RACER.pass_worth = 1.3
RACER.least = 6
RACER.race = True


# --- what can be done ---

cdef inline void affordable(const Data* d, const State* s, uint64_t* routes) noexcept nogil:
    """The routes that the player on turn can claim."""
    cdef const uint8_t* hand = s.hand[s.player]
    cdef const uint64_t* mask
    cdef int kind, most = 0, passes = hand[d.wild]
    routes[0] = routes[1] = 0
    for kind in range(d.wild):
        most = max(most, <int>hand[kind])
        mask = d.of_type[kind][min(hand[kind] + passes, LENGTHS - 1)]
        routes[0] |= mask[0]
        routes[1] |= mask[1]
    mask = d.of_type[d.wild][min(most + passes, LENGTHS - 1)]
    routes[0] |= mask[0]
    routes[1] |= mask[1]
    mask = d.short[min(<int>s.trains[s.player], LENGTHS - 1)]
    routes[0] &= mask[0] & s.open[s.player][0]
    routes[1] &= mask[1] & s.open[s.player][1]


# --- claiming ---

cdef inline int spare(const Data* d, const State* s, const Plan* plan) noexcept nogil:
    """Most cards of one type that the plan's coloured routes leave over."""
    cdef int kind, most = 0
    for kind in range(d.wild):
        most = max(most, <int>s.hand[s.player][kind] - <int>plan.need[kind])
    return most


cdef inline int wanted_claim(const Data* d, const State* s, const Style* style, const Plan* plan, const uint64_t* can, float turns) noexcept nogil:
    """The wanted route to claim now, or NONE: the longest one that does not take too many passes or cards meant for others."""
    cdef int word, i, passes, best = NONE, longest = 0, free = spare(d, s, plan)
    cdef uint64_t left
    cdef const Route* r
    for word in range(2):
        left = can[word] & plan.wanted[word]
        while left:
            i = 64 * word + low_bit(left)
            left &= left - 1
            r = &d.route[i]
            if r.length <= longest:
                continue
            passes = r.length - (free if r.type == d.wild else s.hand[s.player][r.type])
            if passes > 0 and turns > style.time and passes > style.passes_spent * r.length + <float>0.5:
                continue
            best = i
            longest = r.length
    return best


cdef inline int richest(const Data* d, const uint64_t* can) noexcept nogil:
    """The route with most points, or NONE."""
    cdef int word, i, best = NONE, most = -1
    cdef uint64_t left
    for word in range(2):
        left = can[word]
        while left:
            i = 64 * word + low_bit(left)
            left &= left - 1
            if d.route[i].points > most:
                most = d.route[i].points
                best = i
    return best


cdef inline int windfall(const Data* d, const State* s, const Style* style, const Plan* plan, const uint64_t* can) noexcept nogil:
    """A route outside the plan that is worth its turn, for cards and trains that the plan does not take; or NONE."""
    cdef int word, i, best = NONE, most = style.grab - 1, free = spare(d, s, plan)
    cdef uint64_t left
    cdef const Route* r
    for word in range(2):
        left = can[word] & ~plan.wanted[word]
        while left:
            i = 64 * word + low_bit(left)
            left &= left - 1
            r = &d.route[i]
            if r.points <= most or r.length > plan.spare_trains:
                continue
            if r.length <= (free if r.type == d.wild else s.hand[s.player][r.type] - plan.need[r.type]):
                most = r.points
                best = i
    return best


cdef inline int32_t pay_with(const Data* d, const State* s, const Plan* plan) noexcept nogil:
    """The payment that takes the fewest passes, and of these the cards that are needed least."""
    cdef int32_t ids[TYPES * LENGTHS]
    cdef int i, kind, passes, value, best_value = -10000, n = payments(d, s, s.route, ids)
    cdef int32_t best = ids[0]
    for i in range(n):
        if ids[i] == d.pay_pass:
            value = -1000
        else:
            kind = (ids[i] - d.pay) // d.longest
            passes = ids[i] - d.pay - kind * d.longest
            value = min(8, <int>s.hand[s.player][kind] - <int>plan.need[kind]) - 6 * passes
        if value > best_value:
            best_value = value
            best = ids[i]
    return best


# --- drawing ---

cdef inline float use_of(const Data* d, const State* s, const Plan* plan, int kind, int gray) noexcept nogil:
    """What a card of a type is worth to the plan, from 0 to about 1. `gray`: the type that is collected for gray routes, -1: none."""
    cdef int lacks = plan.need[kind] - s.hand[s.player][kind]
    if lacks > 0:
        return <float>0.8 + <float>0.4 * d.toil[kind]
    return <float>0.85 if kind == gray else 0


cdef inline int gray_type(const Data* d, const State* s, const Plan* plan, bint market) noexcept nogil:
    """The type to collect for gray routes: that of which most is left over; in the market, if asked for. -1: none is wanted."""
    cdef int kind, over, best = -1, most = -1
    if plan.need[d.wild] == 0:
        return -1
    for kind in range(d.wild):
        over = s.hand[s.player][kind] - plan.need[kind]
        if over > most and (s.market[kind] or not market):
            most = over
            best = kind
    return best


cdef inline int32_t draw_for(const Data* d, const State* s, const Style* style, const Plan* plan) noexcept nogil:
    """The card to draw: one that is lacking, a pass, or a blind one."""
    cdef int kind, best = -1, gray = gray_type(d, s, plan, True)
    cdef float worth, most = 0, second = <float>0.45  # a blind one
    for kind in range(d.wild):
        if s.market[kind] == 0:
            continue
        worth = use_of(d, s, plan, kind, gray)
        if worth > most:
            second = max(second, most)
            most = worth
            best = kind
        else:
            second = max(second, worth)
        if s.market[kind] > 1 and worth > second and (kind == gray or plan.need[kind] - s.hand[s.player][kind] > 1):
            second = worth
    if s.phase == TURN and s.market[d.wild] and max(most, <float>0.45) + second < style.pass_worth:
        return d.wild
    if best >= 0:
        return best
    if s.n_deck | s.n_discard:
        return d.draw
    for kind in range(d.wild):
        if s.market[kind]:
            return kind
    return d.wild


# --- tickets ---

cdef int32_t keep_of(const Data* d, const uint8_t* offer, int n, int mask) noexcept nogil:
    cdef uint8_t tickets[OFFERED]
    cdef int i, count = 0
    for i in range(n):
        if mask >> i & 1:
            tickets[count] = offer[i]
            count += 1
    return keep_event(d, tickets, count)


cdef int32_t choose_tickets(const Data* d, const State* s, const Style* style) noexcept nogil:
    cdef float value[1 << OFFERED]
    cdef bint first = s.phase == CHOOSE
    cdef const uint8_t* offer = &s.first[s.player][0] if first else &s.offer[0]
    cdef int n = d.start_offered if first else s.n_offer, mask, best = 0
    cdef int least = min(n, d.start_keep if first else d.more_keep)
    rate_offers(d, s, s.player, offer, n, style, value)
    for mask in range(1, 1 << n):
        if bits_of(mask) >= least and (best == 0 or value[mask] > value[best]):
            best = mask
    return keep_of(d, offer, n, best)


# --- decisions ---

cdef int32_t decide(const Data* d, const State* s, const Style* style, Plan* plan) noexcept nogil:
    """What a player of that style does."""
    cdef uint64_t can[2]
    cdef int route
    cdef float turns
    if s.phase == CHOOSE or s.phase == KEEP:
        return choose_tickets(d, s, style)
    keep_up(d, s, s.player, style, plan)
    if s.phase == PAY:
        return pay_with(d, s, plan)
    if s.phase == SECOND:
        return draw_for(d, s, style, plan)
    affordable(d, s, can)
    turns = turns_left(d, s)
    if can[0] | can[1]:
        route = wanted_claim(d, s, style, plan, can, turns)
        if route == NONE and turns <= 2:
            route = richest(d, can)
        if route == NONE and plan.spare_trains:
            route = windfall(d, s, style, plan, can)
        if route != NONE:
            return d.claim + route
    if plan.extra and not (style.race or plan.race or plan.hopeless) and turns > style.more_turns and plan.rate < style.more_rate:
        if s.n_fresh + s.n_queue:
            return d.offer
    if s.n_deck | s.n_discard | s.n_market:
        return draw_for(d, s, style, plan)
    if can[0] | can[1]:
        return d.claim + richest(d, can)
    return d.offer if s.n_fresh + s.n_queue else d.skip


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef Plan* plan = &(<Scratch*>scratch).plan[s.player]
    if plan.style == 0:
        plan.style = 1 + rng_below(rng, 2)
    return decide(<const Data*>game.data, s, &USUAL if plan.style == 1 else &PATIENT, plan)


cdef int32_t planner(const GameC* game, const void* state) noexcept nogil:
    """Tickets over the cheapest routes, then points."""
    cdef Plan plan
    memset(&plan, 0, sizeof(Plan))
    return decide(<const Data*>game.data, <const State*>state, &PLANNER, &plan)


cdef int32_t racer(const GameC* game, const void* state) noexcept nogil:
    """Long routes only, to end the game fast."""
    cdef Plan plan
    memset(&plan, 0, sizeof(Plan))
    return decide(<const Data*>game.data, <const State*>state, &RACER, &plan)


# --- priors ---

cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil:
    """The planner's move has 1; the others less, by kind and by use."""
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef Plan plan
    cdef float value[1 << OFFERED]
    cdef int32_t best
    cdef int i, gray
    memset(&plan, 0, sizeof(Plan))
    best = decide(d, s, &PRIOR, &plan)
    gray = gray_type(d, s, &plan, False) if s.phase == TURN or s.phase == SECOND else -1
    for i in range(n):
        if ids[i] == best:
            out[i] = 1
        elif ids[i] < d.wild:
            out[i] = <float>0.03 + <float>0.3 * use_of(d, s, &plan, ids[i], gray)
        elif ids[i] <= d.draw:  # a pass, a blind card
            out[i] = <float>0.2
        elif ids[i] == d.offer:
            out[i] = <float>0.05
        elif d.claim <= ids[i] < d.pay:
            out[i] = <float>0.5 if has(plan.wanted, ids[i] - d.claim) else <float>0.02 + <float>0.01 * d.route[ids[i] - d.claim].points
        else:
            out[i] = <float>0.2
