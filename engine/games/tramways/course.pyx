"""The course of a game of Tramways: set-up, rounds, the auction, whose action it is, and the end of a round.

Each function goes on to the next thing that is to be decided or drawn.
"""
from libc.string cimport memcpy, memset

from wattman.engine.games.tramways.memory cimport Memory, gain, shuffle
from wattman.engine.games.tramways.state cimport (
    BID,
    CARDS,
    DISCARD,
    DRAW,
    KIND,
    NONE,
    OVER,
    PATH,
    REVEAL,
    SEATS,
    SETUP_ORDER,
    SETUP_PARCEL,
    SETUP_TYPE,
    STATION,
    TAKE,
    TRIP,
    Data,
    Player,
    State,
    in_play,
    places_at,
    type_of,
)


# --- set-up ---

cdef void people_the_city(const Data* d, State* s, Memory* m) noexcept nogil:
    """The city lies: its first passengers, and what each player begins with."""
    cdef int t, p, i, n
    t = d.special + STATION
    if in_play(s, t):
        s.stations = d.stations
        s.waiting[t] = d.station_passengers
    for t in range(d.special):
        if in_play(s, t) and not d.is_parcel[t]:
            n = min(<int>d.capacity[t], <int>s.supply)
            s.waiting[t] = n
            s.supply -= n
    for p in range(d.players):
        s.players[p].money = d.start_money
        s.players[p].workers = d.start_workers
        s.players[p].rails = d.start_rails
        for i in range(d.n_starters):
            gain(s, m, p, d.starter_kind + i)
    s.count = s.player = 0
    s.phase = SETUP_PARCEL
    if d.parcels_each == 0:
        start_order(d, s, m)


cdef void start_order(const Data* d, State* s, Memory* m) noexcept nogil:
    s.count = s.player = 0
    s.phase = SETUP_ORDER
    if d.players == 1:
        s.n_order = 1
        start_types(d, s, m)


cdef void start_types(const Data* d, State* s, Memory* m) noexcept nogil:
    s.phase = SETUP_TYPE
    if s.n_arrivals == d.rounds - 1:
        start_round(d, s, m)


# --- rounds ---

cdef void start_round(const Data* d, State* s, Memory* m) noexcept nogil:
    s.round += 1
    s.turn = s.player = 0
    if s.round <= d.auction_rounds:
        s.phase = REVEAL
    else:
        start_auction(d, s, m)


cdef void start_auction(const Data* d, State* s, Memory* m) noexcept nogil:
    s.turn = 0
    if d.players == 1:
        end_auction(d, s, m)
        return
    s.phase = BID
    s.high = s.folded = 0
    s.high_bidder = NONE
    s.places = d.players
    s.turn = d.players - 1
    next_bidder(d, s, m)


cdef void next_bidder(const Data* d, State* s, Memory* m) noexcept nogil:
    cdef int p, i
    for i in range(d.players):
        s.turn = s.turn + 1 if s.turn + 1 < d.players else 0
        p = s.order[s.turn]
        if p != s.high_bidder and not s.folded >> p & 1:
            s.player = p
            return
    if s.high_bidder != NONE:
        s.new_order[0] = s.high_bidder
        memcpy(s.order, s.new_order, d.players)
    end_auction(d, s, m)


cdef void end_auction(const Data* d, State* s, Memory* m) noexcept nogil:
    cdef Player* first = &s.players[s.order[0]]
    first.stress = min(first.stress + d.first_stress[s.round - 1], d.stress_most)
    s.high = s.high_bidder = s.folded = s.places = 0
    memset(s.new_order, 0, SEATS)
    s.turn = 0
    if s.round <= d.auction_rounds and s.n_offer:
        s.phase = TAKE
        s.player = s.order[0]
    else:
        start_actions(d, s)


cdef void start_actions(const Data* d, State* s) noexcept nogil:
    memset(s.offer, 0, SEATS)
    s.n_offer = 0
    s.lap = s.turn = 0
    s.left = d.actions[0]
    s.player = s.order[0]
    s.phase = KIND


cdef void clear_action(State* s) noexcept nogil:
    s.action = s.a = s.b = s.type = s.cost = s.n_path = s.n_rides = s.here = s.bought = s.last = s.discards = s.purging = s.n_named = 0
    s.budget = 0
    memset(s.path, 0, PATH)
    memset(s.ride, 0, TRIP)
    memset(s.named, 0, CARDS)


cdef void end_action(const Data* d, State* s, Memory* m) noexcept nogil:
    clear_action(s)
    s.phase = KIND
    s.left -= 1
    if s.left:
        return
    s.turn += 1
    if s.turn == d.players:
        s.turn = 0
        s.lap += 1
        if s.lap == 2:
            end_round(d, s, m)
            return
    s.left = d.actions[s.lap]
    s.player = s.order[s.turn]


cdef void end_round(const Data* d, State* s, Memory* m) noexcept nogil:
    cdef int p, t
    s.lap = s.left = 0
    for p in range(d.players):
        if s.players[p].stress >= d.stress_high:
            s.players[p].hp = max(0, s.players[p].hp + d.stress_high_hp)
    if s.round == d.rounds:
        s.phase = OVER
        return
    t = d.special + STATION
    if in_play(s, t):
        bring(s, t, d.station_passengers)
    for t in range(d.special):
        if in_play(s, t) and type_of(d, s, t) == s.arrivals[s.round - 1] + 1:
            bring(s, t, places_at(d, s, t))
    s.turn = 0
    s.player = s.order[0]
    s.phase = DISCARD
    go_on_discarding(d, s, m)


cdef void go_on_discarding(const Data* d, State* s, Memory* m) noexcept nogil:
    """Passes on where all can see that a player can discard no more."""
    cdef const Player* p
    cdef bint can
    cdef int i
    while True:
        p = &s.players[s.player]
        can = s.discards < d.discards_most and (s.discards < d.free_discards or p.money >= d.fee)
        if can:
            can = p.n_pool and (not s.purging or p.pool[p.n_pool - 1] >= s.last)
            if p.n_hand and not s.purging:
                can = True
        if can:
            return
        clear_action(s)
        s.turn += 1
        if s.turn == d.players:
            s.turn = 0
            next_draw(d, s, m)
            return
        s.player = s.order[s.turn]


cdef void next_draw(const Data* d, State* s, Memory* m) noexcept nogil:
    cdef Player* p
    while s.turn < d.players:
        s.player = s.order[s.turn]
        p = &s.players[s.player]
        if p.n_hand < d.hand_limit:
            if p.n_deck == 0 and p.n_pool:
                shuffle(s, m, s.player)
            if p.n_deck:
                s.phase = DRAW
                return
        s.turn += 1
    start_round(d, s, m)
