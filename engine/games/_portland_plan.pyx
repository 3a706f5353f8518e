"""Which routes a player of Portland wants: the cheapest ones that complete his tickets; once he has those, the ones with most points a turn.

A route costs the turns that it takes (one to claim it, and those for the cards that he lacks), in points, less the points that it gives;
own routes cost nothing. Tickets are joined to the plan one by one, each by the cheapest way over what is owned or planned already, so that
they share routes (a cheap stand-in for a Steiner tree). A ticket is left out if there are not enough trains or turns for it.
"""
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_state cimport (
    LENGTHS,
    NONE,
    OFFERED,
    ROUTES,
    STATIONS,
    TICKETS,
    TYPES,
    Data,
    Route,
    State,
    Ticket,
    bits_of,
    drop,
    has,
    low_bit,
    put,
)

cdef enum:
    FAR = 255       # longest distance, in half points
    TARGETS = 3     # routes wanted for their points at one time

cdef float DRAWN = 1.85           # cards of use in a turn of drawing
cdef float FREE_TURN = 2.2        # points in a turn without tickets to be joined
cdef float TRAINS_A_TURN = 1.2
cdef double BELIEF = 0.4          # log weight of a train that a ticket's owner has saved by his routes


# --- time ---

cdef float turns_left(const Data* d, const State* s) noexcept nogil:
    """Own turns to come, about, for whoever is on turn: until the first player has placed his trains, as he has placed them so far."""
    cdef int p, placed, routes, lacks
    cdef float turns, least = 1000
    if s.turns_left:
        return 1
    for p in range(d.players):
        placed = d.trains - s.trains[p]
        routes = bits_of(s.owned[p][0]) + bits_of(s.owned[p][1])
        lacks = s.trains[p] - d.last_round
        if lacks <= 0:
            return 2
        turns = lacks * (routes + 3) / <float>(placed + 9)  # as if he had claimed three of three spaces besides
        lacks -= s.n_hand[p] * 3 // 4
        if lacks > 0:
            turns += lacks / DRAWN
        least = min(least, turns)
    return least + 1


# --- what routes cost ---

cdef struct Ways:
    # Costs of routes, and the cheapest ways from one station.
    float turns[ROUTES]       # that a route takes
    uint8_t cost[ROUTES]      # in half points
    uint8_t distance[STATIONS]
    uint8_t via[STATIONS]     # the route by which a station was reached
    uint64_t filled[4]        # distances at which stations wait; empty between two searches
    uint64_t queue[FAR + 1]   # stations at each distance


cdef struct Draft:
    # A plan in the making.
    int trains                # not yet planned for
    float turns               # likewise
    float value               # points of the tickets joined, less the cost of the ways and the points of those left out
    int hopeless              # tickets left out
    int points                # of the tickets joined and the routes wanted, less those of the tickets left out
    uint64_t usable[2]
    uint64_t free[2]          # owned or wanted: they cost nothing
    uint64_t wanted[2]


cdef inline float turns_for(const Data* d, const State* s, int player, const Route* r, int most) noexcept nogil:
    """Turns that a route takes; `most`: cards of the type of which he has most."""
    cdef int lacks = r.length - (most if r.type == d.wild else s.hand[player][r.type])
    return 1 + lacks * d.toil[r.type] if lacks > 0 else 1


cdef void begin(const Data* d, const State* s, int player, const Style* style, Ways* w, Draft* draft) noexcept nogil:
    """What routes cost, and a plan without any."""
    cdef int word, i, most = most_of_a_type(d, s, player)
    cdef float cost
    cdef uint64_t left
    cdef const Route* r
    memset(w.filled, 0, sizeof(w.filled))
    memset(draft, 0, sizeof(Draft))
    draft.trains = s.trains[player]
    draft.turns = turns_left(d, s) * style.gamble + s.hand[player][d.wild] * <float>0.5
    for word in range(2):
        draft.free[word] = s.owned[player][word]
        left = s.open[player][word]
        draft.usable[word] = s.owned[player][word] | left
        while left:
            i = 64 * word + low_bit(left)
            left &= left - 1
            r = &d.route[i]
            w.turns[i] = turns_for(d, s, player, r, most)
            cost = 2 * (style.turn * w.turns[i] + style.train * r.length - r.points)
            w.cost[i] = <uint8_t>max(<float>1, min(cost, <float>100))


cdef bint find_way(const Data* d, Ways* w, const Draft* draft, int start, int end) noexcept nogil:
    """The cheapest way: `via` leads back from its end. False if there is none."""
    cdef int i, k, station, route, other, there, at
    cdef uint64_t here, done = 0
    memset(w.distance, FAR, STATIONS)
    w.distance[start] = 0
    w.queue[0] = <uint64_t>1 << start
    w.filled[0] = 1
    k = 0
    while True:
        while w.filled[k] == 0:
            k += 1
            if k == 4:
                return False
        at = 64 * k + low_bit(w.filled[k])
        here = w.queue[at]
        station = low_bit(here)
        here &= here - 1
        w.queue[at] = here
        if here == 0:
            w.filled[k] &= w.filled[k] - 1
        if done >> station & 1:
            continue
        done |= <uint64_t>1 << station
        if station == end:
            break
        for i in range(d.ways[station]):
            route = d.way[station][i]
            if not has(draft.usable, route):
                continue
            other = d.route[route].a + d.route[route].b - station
            there = at + (0 if has(draft.free, route) else w.cost[route])
            if there < w.distance[other]:
                w.distance[other] = there
                w.via[other] = route
                if has(w.filled, there):
                    w.queue[there] |= <uint64_t>1 << other
                else:
                    put(w.filled, there)
                    w.queue[there] = <uint64_t>1 << other
    memset(w.filled, 0, sizeof(w.filled))
    return True


cdef void join(const Data* d, Ways* w, Draft* draft, int ticket) noexcept nogil:
    """Adds the cheapest way for a ticket to the plan if trains and turns last for it."""
    cdef const Ticket* t = &d.ticket_at[ticket]
    cdef int station = t.b, route, trains = 0, cost = 0
    cdef float turns = 0
    cdef bint found = find_way(d, w, draft, t.a, t.b)
    while found and station != t.a:
        route = w.via[station]
        station = d.route[route].a + d.route[route].b - station
        if not has(draft.free, route):
            trains += d.route[route].length
            turns += w.turns[route]
            cost += w.cost[route]
    if not found or trains > draft.trains or turns > draft.turns:
        draft.hopeless += 1
        draft.value -= t.points
        draft.points -= t.points
        return
    draft.trains -= trains
    draft.turns -= turns
    draft.value += t.points - <float>0.5 * cost
    draft.points += t.points
    station = t.b
    while station != t.a:
        route = w.via[station]
        station = d.route[route].a + d.route[route].b - station
        if not has(draft.free, route):
            put(draft.free, route)
            put(draft.wanted, route)
            draft.points += d.route[route].points
            if d.route[route].other != NONE:
                drop(draft.usable, d.route[route].other)


# --- the plan ---

cdef int list_tickets(const Data* d, const State* s, int player, uint8_t* tickets) noexcept nogil:
    """The tickets that he holds, the most valuable first; returns how many. [TICKETS]"""
    cdef int k, n = 0
    for k in range(d.tickets):
        if has(s.held[player], d.by_points[k]):
            tickets[n] = d.by_points[k]
            n += 1
    return n


cdef void join_held(const Data* d, const State* s, int player, const Style* style, Ways* w, Draft* best) noexcept nogil:
    """The plan for the tickets held: of some orders of joining them the one that gives most."""
    cdef Draft start
    cdef Draft draft
    cdef uint8_t tickets[TICKETS]
    cdef int k, order, n = list_tickets(d, s, player, tickets)
    begin(d, s, player, style, w, &start)
    best[0] = start
    for order in range(min(style.orders, n)):
        draft = start
        for k in range(n):
            # The most valuable first; then each of the others first, the rest in that order.
            join(d, w, &draft, tickets[order if k == 0 else k - 1 if k <= order else k])
        if order == 0 or draft.value > best.value:
            best[0] = draft


cdef uint64_t stations_of(const Data* d, const uint64_t* routes) noexcept nogil:
    """The ends of routes."""
    cdef int word
    cdef uint64_t left, found = 0
    cdef const Route* r
    for word in range(2):
        left = routes[word]
        while left:
            r = &d.route[64 * word + low_bit(left)]
            left &= left - 1
            found |= (<uint64_t>1 << r.a) | (<uint64_t>1 << r.b)
    return found


cdef void plan_extra(const Data* d, const State* s, int player, const Style* style, Plan* plan) noexcept nogil:
    """Routes for their points: the best few by points a turn, of different types."""
    cdef int word, i, k, last, most = most_of_a_type(d, s, player), passes = s.hand[player][d.wild]
    cdef int lacks, trains = s.trains[player]
    cdef int target[TARGETS]
    cdef float rate[TARGETS]
    cdef float value, turns = turns_left(d, s)
    cdef uint64_t left, own = stations_of(d, s.owned[player])
    cdef const Route* r
    for k in range(TARGETS):
        rate[k] = 0
        target[k] = NONE
    for word in range(2):
        left = s.open[player][word] & d.short[min(trains, LENGTHS - 1)][word]
        while left:
            i = 64 * word + low_bit(left)
            left &= left - 1
            r = &d.route[i]
            lacks = r.length - (most if r.type == d.wild else s.hand[player][r.type]) - passes
            value = 1 + lacks * d.toil[r.type] if lacks > 0 else 1
            if value > turns + <float>0.5:
                continue
            value = r.points / value
            if r.length < style.least:
                value *= <float>0.25
            if own >> r.a & 1 or own >> r.b & 1:
                value *= 1 + style.near
            if value <= rate[TARGETS - 1]:
                continue
            # Goes to its place; one of the same type that is worse goes out.
            last = TARGETS - 1
            for k in range(TARGETS):
                if target[k] != NONE and d.route[target[k]].type == r.type:
                    last = k
                    break
            if value <= rate[last]:
                continue
            while last > 0 and rate[last - 1] < value:
                rate[last] = rate[last - 1]
                target[last] = target[last - 1]
                last -= 1
            rate[last] = value
            target[last] = i
    plan.extra = 1
    plan.rate = rate[0]
    for k in range(TARGETS):
        if target[k] == NONE or d.route[target[k]].length > trains:
            break
        put(plan.wanted, target[k])
        trains -= d.route[target[k]].length


cdef void count_needs(const Data* d, const State* s, int player, Plan* plan) noexcept nogil:
    """Cards for the wanted routes, those that he has by now left out."""
    cdef int word, planned = 0
    cdef uint64_t left
    cdef const Route* r
    memset(plan.need, 0, TYPES)
    for word in range(2):
        plan.wanted[word] &= ~s.owned[player][word]
        left = plan.wanted[word]
        while left:
            r = &d.route[64 * word + low_bit(left)]
            left &= left - 1
            plan.need[r.type] += r.length
            planned += r.length
    plan.trains = s.trains[player]
    plan.spare_trains = 0 if plan.extra or planned > plan.trains else plan.trains - planned


cdef void keep_up(const Data* d, const State* s, int player, const Style* style, Plan* plan) noexcept nogil:
    """Makes the plan, or what has changed of it: other tickets, a route that somebody else took, one that was claimed."""
    cdef Ways w
    cdef Draft draft
    cdef bint blocked = (
        plan.wanted[0] & ~(s.owned[player][0] | s.open[player][0]) | plan.wanted[1] & ~(s.owned[player][1] | s.open[player][1])
    ) != 0
    cdef bint claimed = plan.trains != s.trains[player]
    cdef bint race = style.race or plan.race
    if not plan.made or blocked or plan.held[0] != s.held[player][0] or plan.held[1] != s.held[player][1]:
        plan.made = 1
        plan.extra = plan.hopeless = 0
        plan.wanted[0] = plan.wanted[1] = 0
        memcpy(plan.held, s.held[player], sizeof(plan.held))
        if not race and (plan.held[0] | plan.held[1]):
            join_held(d, s, player, style, &w, &draft)
            memcpy(plan.wanted, draft.wanted, sizeof(plan.wanted))
            plan.hopeless = draft.hopeless
        claimed = True
    if claimed:
        if plan.extra:
            plan.wanted[0] = plan.wanted[1] = 0
        count_needs(d, s, player, plan)
        if not (plan.wanted[0] | plan.wanted[1]):
            plan_extra(d, s, player, style, plan)
            count_needs(d, s, player, plan)


cdef void rate_offers(const Data* d, const State* s, int player, const uint8_t* offer, int n, const Style* style, float* value) noexcept nogil:
    """What each choice of the tickets offered (as bits, from 0) is worth in points: theirs, less what the turns for them cost. [2**n]"""
    cdef Ways w
    cdef Draft drafts[1 << OFFERED]
    cdef Draft draft
    cdef int mask, i
    cdef bint rated
    if style.race:
        for mask in range(1 << n):
            value[mask] = 0
            for i in range(n):
                value[mask] -= d.ticket_at[offer[i]].points if mask >> i & 1 else 0
        return
    join_held(d, s, player, style, &w, &drafts[0])
    value[0] = drafts[0].value
    for mask in range(1, 1 << n):
        rated = False
        for i in range(n):  # the ticket that is joined last
            if mask >> i & 1 and (style.orders > 1 or mask >> i == 1):
                draft = drafts[mask & ~(1 << i)]
                join(d, &w, &draft, offer[i])
                if not rated or draft.value > drafts[mask].value:
                    drafts[mask] = draft
                rated = True
        value[mask] = drafts[mask].value - style.ticket * bits_of(mask)


cdef float points_to_come(const Data* d, const State* s, int player, const Style* style) noexcept nogil:
    """Points that he may expect beyond those he has: what his plan gives, and trains placed in the turns that are left then."""
    cdef Ways w
    cdef Draft draft
    join_held(d, s, player, style, &w, &draft)
    return draft.points + FREE_TURN * max(0, min(draft.turns, draft.trains / TRAINS_A_TURN))


# --- beliefs ---

cdef double fit(const GameC* game, const void* state, int observer) noexcept nogil:
    """How well the others' routes fit the tickets that they hold here: trains that the routes save on the shortest ways, as log weight."""
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef Ways w
    cdef Draft now
    cdef Draft bare
    cdef const Ticket* t
    cdef int p, k, word, i, saved = 0
    cdef uint64_t left
    memset(w.filled, 0, sizeof(w.filled))
    memset(&bare, 0, sizeof(Draft))
    for i in range(d.routes):
        w.cost[i] = d.route[i].length
        put(bare.usable, i)
    memset(&now, 0, sizeof(Draft))
    for p in range(d.players):
        if p == observer or not (s.owned[p][0] | s.owned[p][1]):
            continue
        for word in range(2):
            now.free[word] = s.owned[p][word]
            now.usable[word] = s.owned[p][word] | s.open[p][word]
        for word in range(2):
            left = s.held[p][word]
            while left:
                t = &d.ticket_at[64 * word + low_bit(left)]
                left &= left - 1
                if find_way(d, &w, &bare, t.a, t.b):
                    k = w.distance[t.b]
                    if find_way(d, &w, &now, t.a, t.b) and w.distance[t.b] < k:
                        saved += k - w.distance[t.b]
    return BELIEF * saved
