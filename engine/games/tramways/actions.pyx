"""What actions bring when they are paid for."""
from libc.string cimport memmove, memset

from wattman.engine.games.tramways.course cimport next_bidder, clear_action, end_action, bring
from wattman.engine.games.tramways.memory cimport Memory, gain
from wattman.engine.games.tramways.paying cimport stress_of
from wattman.engine.games.tramways.state cimport (
    ADD,
    BID,
    BIDDING,
    BUILD,
    BUY,
    CALM,
    CARDS,
    COMMERCE,
    CONSTRUCT,
    EXTEND,
    FUNFAIR,
    INDUSTRY,
    LEISURE,
    MARKET,
    MONEY,
    MOVE,
    NONE,
    RESIDENCE,
    STATION,
    UPGRADE,
    WORKER,
    Data,
    Link,
    Player,
    State,
    add_card,
    type_of,
)
from wattman.engine.games.tramways.trips cimport Trip, follow, link_at


cdef inline void ease(const Data* d, Player* p, int change) noexcept nogil:
    p.stress = max(0, min(d.stress_most, p.stress + change))


cdef void add_link(const Data* d, State* s, Memory* m) noexcept nogil:
    """The path is a link now. Links stay sorted."""
    cdef int i, at = s.n_links, square
    cdef bint first = True
    cdef Link* link
    cdef int station = d.special + STATION
    for i in range(s.n_links):
        link = &s.links[i]
        if link.owner == s.player and (link.a == station or link.b == station):
            first = False
        if at == s.n_links and (link.a << 16 | link.b << 8 | link.owner) > (s.a << 16 | s.b << 8 | s.player):
            at = i
    memmove(&s.links[at + 1], &s.links[at], (s.n_links - at) * sizeof(Link))
    if at < s.n_links:
        for square in range(d.squares):
            if s.rail[square] >= at and s.rail[square] != NONE:
                s.rail[square] += 1
    s.n_links += 1
    link = &s.links[at]
    link.a, link.b, link.owner, link.tiles, link.upgraded = s.a, s.b, s.player, s.n_path, 0
    for i in range(s.n_path):
        s.rail[s.path[i]] = at
    s.players[s.player].workers -= d.link_workers
    if first and (s.a == station or s.b == station) and s.stations:
        s.stations -= 1
        gain(s, m, s.player, d.building_kind + 4)


cdef void arrive(const Data* d, State* s, Memory* m) noexcept nogil:
    """A trip is paid for: the passenger leaves, HP, the Park, and the destination's bonus as far as there is nothing to decide."""
    cdef Trip trip
    cdef Player* p = &s.players[s.player]
    cdef int i, type = type_of(d, s, s.b)
    follow(d, s, &trip)
    s.waiting[s.a] -= 1
    if s.b == d.special + STATION and s.waiting[s.b] < d.station_passengers:
        s.waiting[s.b] += 1
    else:
        s.supply += 1
    for i in range(d.players):
        s.players[i].hp += trip.hp[i]
    ease(d, p, trip.parks * d.park_stress)
    s.budget = trip.lowest
    if type == RESIDENCE + 1:
        ease(d, p, d.residence_stress)
    elif type == INDUSTRY + 1:
        ease(d, p, d.industry_stress)
        p.workers = min(255, p.workers + d.industry_workers)
    elif type == LEISURE + 1:
        if d.leisure_most and s.budget >= d.leisure_price:
            s.phase = BUY
            return
    elif type == COMMERCE + 1:
        s.phase = MARKET
        if can_buy_card(d, s):
            return
    elif s.b == d.special + FUNFAIR:
        if d.funfair_most and s.budget >= d.funfair_price:
            s.phase = BUY
            return
    collect(d, s, m)


cdef void collect(const Data* d, State* s, Memory* m) noexcept nogil:
    """The money of a trip, at its end."""
    cdef Trip trip
    cdef int i
    follow(d, s, &trip)
    for i in range(d.players):
        s.players[i].money += trip.money[i]
    end_action(d, s, m)


cdef bint can_buy_card(const Data* d, const State* s) noexcept nogil:
    cdef int i
    if s.bought == d.commerce_most or s.budget < d.commerce_price:
        return False
    for i in range(s.last, d.n_development):
        if s.development[i]:
            return True
    return False


cdef void finish_payment(const Data* d, State* s, Memory* m) noexcept nogil:
    """The cards named pay: they go to the pool, and the action has its effect."""
    cdef Player* p = &s.players[s.player]
    cdef int i, kind, stress = stress_of(d, s), action = s.action
    for i in range(s.n_named):
        kind = s.named[i]
        add_card(p.pool, &p.n_pool, kind)
        if action == MONEY:
            p.money += d.money[kind]
        elif action == WORKER:
            p.workers = min(255, p.workers + 1)
        elif action == CALM:
            ease(d, p, -1)
    if action == BIDDING:
        clear_action(s)
        s.phase = BID
        next_bidder(d, s, m)
        return
    ease(d, p, stress)
    if action == MOVE:
        memset(s.named, 0, CARDS)
        s.n_named = s.last = 0
        arrive(d, s, m)
        return
    if action == BUILD:
        add_link(d, s, m)
    elif action == UPGRADE:
        s.links[link_at(s, s.a, s.b, s.player)].upgraded = 1
    elif action == CONSTRUCT:
        s.stacks[s.type] -= 1
        s.built[s.a] = 1 + s.type
        gain(s, m, s.player, d.building_kind + s.type)
        bring(s, s.a, 1)
        p.hp += d.construct_hp
    elif action == EXTEND:
        s.extended[s.a] = 1
        p.hp += d.extend_hp
    elif action == ADD:
        bring(s, s.a, s.waiting[s.a] + 1)
    end_action(d, s, m)
