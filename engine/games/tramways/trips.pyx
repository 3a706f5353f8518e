"""Trips of passengers: what a route brings, and whether there is a way on to a place where it may end."""
from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.string cimport memset

from wattman.engine.games.tramways.bits cimport bit, low
from wattman.engine.games.tramways.paying cimport Hand, Need, look_at, need_of, payable
from wattman.engine.games.tramways.state cimport (
    EXCHANGE,
    FUNFAIR,
    LAST,
    LEISURE,
    LINKS,
    MOVE,
    NONE,
    PARK,
    RIDE,
    SEATS,
    STATION,
    TERMINALS,
    TRIP,
    TYPES,
    Data,
    Link,
    State,
    in_play,
    other_airport,
    type_of,
)


cdef inline bint enter(const Data* d, const State* s, const Link* link, int there, Trip* trip) noexcept nogil:
    """The passenger takes a link. False: the mover cannot pay for it, the trip is spoiled then."""
    cdef int money = link.tiles * d.tile_money, airport
    trip.hp[link.owner] += d.upgraded_hp if link.upgraded else d.link_hp
    if link.owner == s.player:
        trip.cash += money
        trip.money[s.player] += money
    else:
        trip.cash -= money
        trip.money[s.player] -= money
        trip.money[link.owner] += money
        if trip.cash < 0:
            return False
        trip.lowest = min(trip.lowest, trip.cash)
    trip.entered |= bit(there)
    trip.here = there
    if there >= d.special:
        airport = other_airport(d, there)
        if airport >= 0:
            trip.entered |= bit(airport)
            trip.here = airport
            trip.cash += d.airport_money
            trip.money[s.player] += d.airport_money
        elif there == d.special + EXCHANGE:
            trip.cash += d.exchange_money
            trip.money[s.player] += d.exchange_money
        elif there == d.special + PARK:
            trip.parks += 1
    return True


cdef void follow(const Data* d, const State* s, Trip* trip) noexcept nogil:
    """The trip in progress."""
    cdef int i, there
    cdef const Link* link
    memset(trip, 0, sizeof(Trip))
    trip.here = s.a
    trip.entered = bit(s.a)
    trip.cash = trip.lowest = s.players[s.player].money
    for i in range(s.n_rides):
        link = &s.links[s.ride[i]]
        there = link.b if link.a == trip.here else link.a
        enter(d, s, link, there, trip)


cdef int link_at(const State* s, int here, int there, int owner) noexcept nogil:
    """The number of a link, -1 if there is none."""
    cdef int i, a = min(here, there), b = max(here, there)
    for i in range(s.n_links):
        if s.links[i].a == a and s.links[i].b == b and s.links[i].owner == owner:
            return i
    return -1


cdef inline bint may_enter(const Data* d, const State* s, const Trip* trip, int there) noexcept nogil:
    return not trip.entered >> there & 1 and not (d.is_parcel[there] and not s.built[there])


cdef bint payable_stop(const Data* d, const State* s, int t) noexcept nogil:
    """Whether the mover can pay for a trip that ends there."""
    cdef Hand hand
    cdef Need need
    look_at(d, &s.players[s.player], &hand)
    need_of(d, s, MOVE, 0, t, 0, 0, &need)
    return payable(d, s, &hand, &need)


cdef uint64_t stops(const Data* d, const State* s) noexcept nogil:
    """All terminals where a trip may end for which the mover can pay."""
    cdef Hand hand
    cdef Need need
    cdef int t, type
    cdef int known[TYPES + 1]
    cdef uint64_t found = 0
    cdef bint alone
    look_at(d, &s.players[s.player], &hand)
    if hand.n == 0:
        return 0
    # A building: strip and icon are on two cards, or on one for one stress more.
    alone = hand.n > 1 or hand.room > 0
    for type in range(TYPES):
        known[type + 1] = alone and hand.icon[type] != 0
    for t in range(d.special):
        type = type_of(d, s, t)
        if type and known[type] and in_play(s, t):
            found |= bit(t)
    for t in range(d.special, d.terminals):
        if (t == d.special + STATION or t == d.special + FUNFAIR) and in_play(s, t):
            need_of(d, s, MOVE, 0, t, 0, 0, &need)
            if payable(d, s, &hand, &need):
                found |= bit(t)
    return found


cdef struct Net:
    # The links by terminal, as lists.
    uint8_t first[TERMINALS]
    uint8_t following[2 * LINKS]    # of entry 2 * link (from its a) or 2 * link + 1 (from its b)
    uint64_t stops


cdef void lay_net(const State* s, uint64_t ends, Net* net) noexcept nogil:
    cdef int i
    memset(net.first, NONE, TERMINALS)
    for i in range(s.n_links - 1, -1, -1):
        net.following[2 * i] = net.first[s.links[i].a]
        net.first[s.links[i].a] = 2 * i
        net.following[2 * i + 1] = net.first[s.links[i].b]
        net.first[s.links[i].b] = 2 * i + 1
    net.stops = ends


cdef bint leads_to_stop(const Data* d, const State* s, const Net* net, const Trip* trip, int rides) noexcept nogil:
    """Whether with one more link or some the passenger can come to a stop."""
    cdef Trip after
    cdef int entry = net.first[trip.here], there
    cdef const Link* link
    if rides == d.trip_longest:
        return False
    while entry != NONE:
        link = &s.links[entry >> 1]
        there = link.a if entry & 1 else link.b
        entry = net.following[entry]
        if may_enter(d, s, trip, there):
            after = trip[0]
            if enter(d, s, link, there, &after) and (net.stops >> after.here & 1 or leads_to_stop(d, s, net, &after, rides + 1)):
                return True
    return False


cdef uint64_t origin_options(const Data* d, const State* s, bint one) noexcept nogil:
    """Where a trip may begin; with `one` any of the places will do."""
    cdef Net net
    cdef Trip trip
    cdef int t
    cdef uint64_t found = 0
    if s.n_links == 0:
        return 0
    net.stops = stops(d, s)
    if net.stops == 0:
        return 0
    lay_net(s, net.stops, &net)
    for t in range(d.terminals):
        if s.waiting[t] and net.first[t] != NONE:
            memset(&trip, 0, sizeof(Trip))
            trip.here = t
            trip.entered = bit(t)
            trip.cash = s.players[s.player].money
            if leads_to_stop(d, s, &net, &trip, 0):
                found |= bit(t)
                if one:
                    break
    return found


cdef uint64_t ride_options(const Data* d, const State* s) noexcept nogil:
    """The links that may be taken next: the i-th of those from where the passenger is as bit i; LAST: stop."""
    cdef Net net
    cdef Trip trip, after
    cdef int entry, there, i = -1
    cdef const Link* link
    cdef uint64_t options = 0
    net.stops = stops(d, s)
    lay_net(s, net.stops, &net)
    follow(d, s, &trip)
    if s.n_rides and net.stops >> trip.here & 1:
        options |= bit(LAST)
    if s.n_rides == d.trip_longest:
        return options
    entry = net.first[trip.here]
    while entry != NONE:
        link = &s.links[entry >> 1]
        there = link.a if entry & 1 else link.b
        entry = net.following[entry]
        i += 1
        if may_enter(d, s, &trip, there):
            after = trip
            if enter(d, s, link, there, &after) and (net.stops >> after.here & 1 or leads_to_stop(d, s, &net, &after, s.n_rides + 1)):
                options |= bit(i)
    return options


# --- the best trip, for players ---

cdef enum:
    LOOKS = 160     # links looked at before a search for the best trip ends


cdef struct Hunt:
    Net net
    const Wishes* wishes
    Plan way
    Plan* best
    int looks


cdef float trip_worth(const Data* d, const State* s, const Wishes* wishes, const Trip* trip) noexcept nogil:
    cdef int p, type
    cdef float worth = wishes.stop[trip.here] + wishes.money * trip.money[s.player] + wishes.park * trip.parks
    for p in range(d.players):
        worth += trip.hp[p] * (wishes.hp_own if p == s.player else -wishes.hp_rival)
    type = type_of(d, s, trip.here)
    if type == LEISURE + 1:
        worth += wishes.each_hp[0] * min(d.leisure_most, trip.lowest // d.leisure_price)
    elif trip.here == d.special + FUNFAIR:
        worth += wishes.each_hp[1] * min(d.funfair_most, trip.lowest // d.funfair_price)
    return worth


cdef void hunt_on(const Data* d, const State* s, Hunt* hunt, const Trip* trip) noexcept nogil:
    cdef Trip after
    cdef int entry = hunt.net.first[trip.here], there
    cdef float worth
    cdef const Link* link
    if hunt.way.n == d.trip_longest:
        return
    while entry != NONE and hunt.looks < LOOKS:
        link = &s.links[entry >> 1]
        there = link.a if entry & 1 else link.b
        hunt.way.ride[hunt.way.n] = entry >> 1
        entry = hunt.net.following[entry]
        if not may_enter(d, s, trip, there):
            continue
        hunt.looks += 1
        after = trip[0]
        if not enter(d, s, link, there, &after):
            continue
        hunt.way.n += 1
        if hunt.net.stops >> after.here & 1:
            worth = trip_worth(d, s, hunt.wishes, &after)
            if worth > hunt.best.worth:
                hunt.best[0] = hunt.way
                hunt.best.worth = worth
        hunt_on(d, s, hunt, &after)
        hunt.way.n -= 1


cdef float best_trip(const Data* d, const State* s, const Wishes* wishes, Plan* out) noexcept nogil:
    """The trip that is worth most of those looked at; one in progress goes on from where it is. Returns its worth, -1000: none."""
    cdef Hunt hunt
    cdef Trip trip
    cdef int t, i
    hunt.wishes = wishes
    hunt.best = out
    out.worth = -1000
    out.n = 0
    lay_net(s, stops(d, s), &hunt.net)
    if hunt.net.stops == 0:
        return out.worth
    if s.phase == RIDE:
        follow(d, s, &trip)
        hunt.looks = 0
        hunt.way.origin = s.a
        hunt.way.n = s.n_rides
        for i in range(s.n_rides):
            hunt.way.ride[i] = s.ride[i]
        if s.n_rides and hunt.net.stops >> trip.here & 1:
            out[0] = hunt.way
            out.worth = trip_worth(d, s, wishes, &trip)
        hunt_on(d, s, &hunt, &trip)
        return out.worth
    for t in range(d.terminals):
        if s.waiting[t] and hunt.net.first[t] != NONE:
            memset(&trip, 0, sizeof(Trip))
            trip.here = t
            trip.entered = bit(t)
            trip.cash = trip.lowest = s.players[s.player].money
            hunt.looks = 0
            hunt.way.origin = t
            hunt.way.n = 0
            hunt_on(d, s, &hunt, &trip)
    return out.worth
