"""Tramways: the rules. What they are is told in tramways.pyx; links, trips, payments and the set-up of the city have modules of their own.

`step` carries out one event and what is forced by things that all can see. `apply` goes on from there: decisions with one legal answer are
carried out as well, and noted in the state's trail, for what is forced may depend on a hand that others do not see. What is legal at the
next decision is worked out once, at the end of `apply`, and kept in the state as bits (`find_options`).
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from wattman.engine.abi cimport CHANCE, TERMINAL, GameC, Stream
from wattman.engine.games.tramways.bits cimport Squares, bit, drop, low, ones, put
from wattman.engine.games.tramways.memory cimport Memory, gain, lose, shuffle
from wattman.engine.games.tramways.paying cimport (
    Hand,
    Need,
    look_at,
    need_of,
    payable,
    payment_options,
    settled,
    stress_of,
)
from wattman.engine.games.tramways.setup cimport list_tile_places, next_tile, place_board, place_tile
from wattman.engine.games.tramways.state cimport (
    ADD,
    AT,
    AUCTION,
    BID,
    BIDDING,
    BUILD,
    BUY,
    CALM,
    CARDS,
    COMMERCE,
    CONSTRUCT,
    DISCARD,
    DRAW,
    EXTEND,
    FROM,
    FUNFAIR,
    ICON_CALM,
    ICON_CON,
    ICON_LOT,
    ICON_MONEY,
    ICON_PAX,
    ICON_UP,
    ICON_WORKER,
    INDUSTRY,
    KIND,
    LAST,
    LAY,
    LEISURE,
    LINKS,
    MARKET,
    MONEY,
    MOVE,
    N_KINDS,
    NONE,
    OVER,
    PASS,
    PATH,
    PAY,
    RESIDENCE,
    REVEAL,
    RIDE,
    ROUNDS,
    SEATS,
    SETUP_BOARD,
    SETUP_ORDER,
    SETUP_PARCEL,
    SETUP_PLACE,
    SETUP_TYPE,
    SPECIALS,
    SQUARES,
    STATION,
    TAKE,
    TERMINALS,
    TO,
    TRAIL,
    TRIP,
    TYPE,
    TYPES,
    UPGRADE,
    WORKER,
    Data,
    Link,
    Player,
    State,
    add_card,
    find_card,
    ground_at,
    in_play,
    places_at,
    take_card,
    type_of,
)
from wattman.engine.games.tramways.tracks cimport (
    from_options,
    lay_candidates,
    lay_options,
    to_options,
    upgrade_options,
)
from wattman.engine.games.tramways.trips cimport Trip, follow, link_at, origin_options, ride_options
from wattman.engine.rng cimport Rng, rng_below


cdef inline const Data* data_of(const GameC* game) noexcept nogil:
    return <const Data*>game.data


# --- set-up ---

cdef void init(const GameC* game, void* state, void* memory) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef State* s = <State*>state
    cdef int i
    memset(s, 0, sizeof(State))
    if memory != NULL:
        memset(memory, 0, sizeof(Memory))
    s.phase = SETUP_BOARD
    memset(s.at, NONE, sizeof(s.at))
    memset(s.owner, NONE, TERMINALS)
    memset(s.rail, NONE, SQUARES)
    for i in range(TYPES):
        s.type_tiles[i] = d.type_tiles
        if memory != NULL:
            (<Memory*>memory).start_types[i] = d.type_tiles
        s.stacks[i] = d.buildings
    for i in range(d.n_development):
        s.development[i] = d.development
    for i in range(d.n_auction):
        s.reserve[i] = d.copies[d.auction_kind + i]
        if memory != NULL:
            (<Memory*>memory).start_reserve[i] = s.reserve[i]
    s.supply = d.passengers


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


cdef inline void bring(State* s, int t, int n) noexcept nogil:
    """Fills a terminal up to `n` passengers, while the supply lasts."""
    cdef int more = min(n - s.waiting[t], <int>s.supply)
    if more > 0:
        s.waiting[t] += more
        s.supply -= more


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


# --- effects of actions ---

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


# --- carrying out one event ---

cdef void step_action(const Data* d, State* s, Memory* m, int32_t event) noexcept nogil:
    """A decision of an action, or of a payment for it."""
    cdef int kind, square, t, i
    cdef Trip trip
    if s.phase == KIND:
        s.action = event - d.kind
        if s.action == PASS:
            end_action(d, s, m)
        elif s.action >= MONEY:
            s.phase = PAY
        else:
            s.phase = FROM if s.action == BUILD or s.action == UPGRADE else AT
    elif s.phase == FROM:
        s.a = event - d.from_
        s.phase = TO
    elif s.phase == TO:
        s.b = event - d.to
        s.phase = LAY if s.action == BUILD else PAY
    elif s.phase == LAY:
        if event == d.join:
            s.phase = PAY
        else:
            square = event - d.lay
            s.path[s.n_path] = square
            s.n_path += 1
            s.cost += d.ground_cost[ground_at(s, square)]
            drop(&s.free, square)
            s.players[s.player].rails -= 1
    elif s.phase == AT:
        s.a = event - d.at
        if s.action == MOVE:
            s.here = s.a
        s.phase = TYPE if s.action == CONSTRUCT else RIDE if s.action == MOVE else PAY
    elif s.phase == TYPE:
        s.type = event - d.type
        s.phase = PAY
    elif s.phase == RIDE:
        if event == d.stop:
            s.b = s.here
            s.phase = PAY
        else:
            t = (event - d.ride) // d.players
            i = link_at(s, s.here, t, (event - d.ride) % d.players)
            s.ride[s.n_rides] = i
            s.n_rides += 1
            follow(d, s, &trip)
            s.here = trip.here
    elif event == d.done:
        finish_payment(d, s, m)
    else:
        kind = event - d.pay
        lose(s, m, s.player, kind)
        s.named[s.n_named] = kind
        s.n_named += 1
        s.last = kind
        if settled(d, s):
            finish_payment(d, s, m)


cdef void step_auction(const Data* d, State* s, Memory* m, int32_t event) noexcept nogil:
    cdef Player* p = &s.players[s.player]
    cdef int bid, coins
    if s.phase == TAKE:
        take_card(s.offer, &s.n_offer, event - d.take + d.auction_kind)
        gain(s, m, s.player, event - d.take + d.auction_kind)
        s.turn += 1
        if s.turn == d.players or s.n_offer == 0:
            start_actions(d, s)
        else:
            s.player = s.order[s.turn]
    elif event == d.fold:
        s.folded |= 1 << s.player
        s.places -= 1
        s.new_order[s.places] = s.player
        next_bidder(d, s, m)
    else:
        bid = event - d.bid + 1
        s.high = bid
        s.high_bidder = s.player
        coins = min(bid, <int>p.money)
        p.money -= coins
        if coins == bid:
            next_bidder(d, s, m)
        else:
            s.action = BIDDING
            s.cost = bid - coins
            s.phase = PAY


cdef void step_bonus(const Data* d, State* s, Memory* m, int32_t event) noexcept nogil:
    """What is bought at the end of a trip."""
    cdef Player* p = &s.players[s.player]
    cdef int price
    if s.phase == BUY:
        price = d.funfair_price if s.b == d.special + FUNFAIR else d.leisure_price
        p.money -= price * (event - d.buy)
        p.hp += event - d.buy
        collect(d, s, m)
        return
    if event != d.done:
        s.last = event - d.market
        s.bought += 1
        s.development[s.last] -= 1
        s.budget -= d.commerce_price
        p.money -= d.commerce_price
        gain(s, m, s.player, d.development_kind + s.last)
        if can_buy_card(d, s):
            return
    collect(d, s, m)


cdef void step_discard(const Data* d, State* s, Memory* m, int32_t event) noexcept nogil:
    cdef Player* p = &s.players[s.player]
    if event == d.done:
        s.discards = d.discards_most
    else:
        if s.discards >= d.free_discards:
            p.money -= d.fee
        s.discards += 1
        if event >= d.purge:
            s.last = event - d.purge
            s.purging = 1
            take_card(p.pool, &p.n_pool, s.last)
        else:
            s.last = event - d.trash
            lose(s, m, s.player, s.last)
    go_on_discarding(d, s, m)


cdef void step_setup(const Data* d, State* s, Memory* m, int32_t event) noexcept nogil:
    cdef int i
    if s.phase == SETUP_BOARD:
        place_board(d, s, (event - d.board) >> 2, (event - d.board) & 3)
        if s.count == d.n_places:
            s.count = 0
            s.phase = SETUP_PLACE
            next_tile(d, s)
    elif s.phase == SETUP_PLACE:
        place_tile(d, s, s.count, (event - d.place) >> 1, (event - d.place) & 1)
        s.count += 1
        next_tile(d, s)
    elif s.phase == SETUP_PARCEL:
        i = event - d.parcel
        gain(s, m, s.player, i)
        s.owner[d.parcel_of[i]] = s.player
        s.count += 1
        if s.count == d.parcels_each:
            s.count = 0
            s.player += 1
            if s.player == d.players:
                start_order(d, s, m)
    elif s.phase == SETUP_ORDER:
        s.order[s.n_order] = event - d.order
        s.n_order += 1
        if s.n_order == d.players - 1:
            for i in range(d.players):
                if find_card(s.order, s.n_order, i) < 0:
                    s.order[s.n_order] = i
            s.n_order += 1
            start_types(d, s, m)
    else:
        i = event - d.type_tile
        s.type_tiles[i] -= 1
        s.arrivals[s.n_arrivals] = i
        s.n_arrivals += 1
        start_types(d, s, m)
    if s.phase == SETUP_PLACE and s.count == SPECIALS:
        people_the_city(d, s, m)


cdef void step(const Data* d, State* s, Memory* m, int32_t event) noexcept nogil:
    """Carries out a decision or chance outcome, and what all can see that it forces."""
    cdef Player* p = &s.players[s.player]
    cdef int kind
    if s.phase <= SETUP_TYPE:
        step_setup(d, s, m, event)
    elif s.phase == REVEAL:
        s.reserve[event - d.reveal] -= 1
        add_card(s.offer, &s.n_offer, event - d.reveal + d.auction_kind)
        if s.n_offer == d.offer:
            start_auction(d, s, m)
    elif s.phase == DRAW:
        kind = event - d.draw
        take_card(p.deck, &p.n_deck, kind)
        add_card(p.hand, &p.n_hand, kind)
        next_draw(d, s, m)
    elif s.phase == BID or s.phase == TAKE:
        step_auction(d, s, m, event)
    elif s.phase == BUY or s.phase == MARKET:
        step_bonus(d, s, m, event)
    elif s.phase == DISCARD:
        step_discard(d, s, m, event)
    else:
        step_action(d, s, m, event)


# --- what is legal ---

cdef uint64_t type_options(const Data* d, const State* s, const Hand* hand, int t, bint one) noexcept nogil:
    """What can be built and paid for on an own empty parcel."""
    cdef Need need
    cdef int type
    cdef uint64_t found = 0
    for type in range(TYPES):
        if s.stacks[type] and hand.icon[type]:
            need_of(d, s, CONSTRUCT, t, 0, type, 0, &need)
            if payable(d, s, hand, &need):
                found |= bit(type)
                if one:
                    break
    return found


cdef uint64_t at_options(const Data* d, const State* s, const Hand* hand, int action, bint one) noexcept nogil:
    """Where something can be constructed, extended or added; with `one` any of the places will do."""
    cdef Need need
    cdef int t
    cdef bint can
    cdef uint64_t found = 0
    if action == CONSTRUCT and not (hand.icon[ICON_CON] and hand.icon[ICON_LOT]):
        return 0
    if action == EXTEND and not (hand.icon[ICON_CON] | hand.icon[ICON_UP]):
        return 0
    if action == ADD and not (hand.icon[ICON_PAX] and s.supply):
        return 0
    for t in range(d.terminals):
        if action == ADD:
            can = in_play(s, t) and s.waiting[t] < places_at(d, s, t)
        elif s.owner[t] != s.player:
            can = False
        elif action == CONSTRUCT:
            can = s.built[t] == 0 and type_options(d, s, hand, t, True)
        else:
            can = s.built[t] and not s.extended[t]
            if can:
                need_of(d, s, EXTEND, t, 0, 0, 0, &need)
                can = payable(d, s, hand, &need)
        if can:
            found |= bit(t)
            if one:
                break
    return found


cdef uint64_t kind_options(const Data* d, const State* s) noexcept nogil:
    cdef Hand hand
    cdef uint64_t options = bit(PASS)
    cdef int action
    look_at(d, &s.players[s.player], &hand)
    if from_options(d, s, True):
        options |= bit(BUILD)
    if hand.icon[ICON_UP] and upgrade_options(d, s, -1, True):
        options |= bit(UPGRADE)
    if at_options(d, s, &hand, CONSTRUCT, True):
        options |= bit(CONSTRUCT)
    if at_options(d, s, &hand, EXTEND, True):
        options |= bit(EXTEND)
    if at_options(d, s, &hand, ADD, True):
        options |= bit(ADD)
    if origin_options(d, s, True):
        options |= bit(MOVE)
    if hand.icon[ICON_MONEY]:
        options |= bit(MONEY)
    if hand.icon[ICON_WORKER]:
        options |= bit(WORKER)
    if hand.icon[ICON_CALM] and s.players[s.player].stress:
        options |= bit(CALM)
    return options


cdef void find_options(const Data* d, State* s) noexcept nogil:
    """Sets s.options, where the phase uses them: terminals, types or kinds of actions by number, cards by their place in the hand."""
    cdef Hand hand
    s.options = 0
    if s.phase == KIND:
        s.options = kind_options(d, s)
    elif s.phase == FROM:
        s.options = from_options(d, s, False) if s.action == BUILD else upgrade_options(d, s, -1, False)
    elif s.phase == TO:
        s.options = to_options(d, s) if s.action == BUILD else upgrade_options(d, s, s.a, False)
    elif s.phase == LAY:
        s.options = lay_options(d, s)
    elif s.phase == AT:
        if s.action == MOVE:
            s.options = origin_options(d, s, False)
        else:
            look_at(d, &s.players[s.player], &hand)
            s.options = at_options(d, s, &hand, s.action, False)
    elif s.phase == TYPE:
        look_at(d, &s.players[s.player], &hand)
        s.options = type_options(d, s, &hand, s.a, False)
    elif s.phase == RIDE:
        s.options = ride_options(d, s)
    elif s.phase == PAY:
        s.options = payment_options(d, s)


cdef int list_lay(const Data* d, const State* s, int32_t* ids) noexcept nogil:
    cdef Squares squares
    cdef int w, i = 0, n = 0
    cdef uint64_t left
    lay_candidates(d, s, &squares)
    for w in range(d.grid.words):
        left = squares.w[w]
        while left:
            if s.options >> i & 1:
                ids[n] = d.lay + 64 * w + low(left)
                n += 1
            i += 1
            left &= left - 1
    if s.options >> LAST & 1:
        ids[n] = d.join
        n += 1
    return n


cdef int list_rides(const Data* d, const State* s, int32_t* ids) noexcept nogil:
    cdef int i, k = 0, n = 0, there
    for i in range(s.n_links):
        if s.links[i].a == s.here or s.links[i].b == s.here:
            if s.options >> k & 1:
                there = s.links[i].b if s.links[i].a == s.here else s.links[i].a
                ids[n] = d.ride + there * d.players + s.links[i].owner
                n += 1
            k += 1
    if s.options >> LAST & 1:
        ids[n] = d.stop
        n += 1
    return n


cdef int list_discards(const Data* d, const State* s, int32_t* ids) noexcept nogil:
    cdef const Player* p = &s.players[s.player]
    cdef int i, n = 0
    if not s.purging:
        for i in range(p.n_hand):
            if p.hand[i] >= s.last and not (i and p.hand[i] == p.hand[i - 1]):
                ids[n] = d.trash + p.hand[i]
                n += 1
    for i in range(p.n_pool):
        if (not s.purging or p.pool[i] >= s.last) and not (i and p.pool[i] == p.pool[i - 1]):
            ids[n] = d.purge + p.pool[i]
            n += 1
    ids[n] = d.done
    return n + 1


cdef int list_bids(const Data* d, const State* s, int32_t* ids) noexcept nogil:
    cdef const Player* p = &s.players[s.player]
    cdef int i, n = 0, most = p.money
    for i in range(p.n_hand):
        most += d.money[p.hand[i]]
    for i in range(s.high + 1, min(most, d.bid_most) + 1):
        ids[n] = d.bid + i - 1
        n += 1
    ids[n] = d.fold
    return n + 1


cdef int list_options(const Data* d, const State* s, int32_t* ids) noexcept nogil:
    """The legal decisions, of phases that use them after `find_options`."""
    cdef int i, n = 0, first
    cdef uint64_t left = s.options
    cdef const Player* p = &s.players[s.player]
    if s.phase == LAY:
        return list_lay(d, s, ids)
    if s.phase == RIDE:
        return list_rides(d, s, ids)
    if s.phase == BID:
        return list_bids(d, s, ids)
    if s.phase == DISCARD:
        return list_discards(d, s, ids)
    if s.phase == TAKE:
        for i in range(s.n_offer):
            if not (i and s.offer[i] == s.offer[i - 1]):
                ids[n] = d.take + s.offer[i] - d.auction_kind
                n += 1
        return n
    if s.phase == BUY:
        n = min(d.funfair_most, s.budget // d.funfair_price) if s.b == d.special + FUNFAIR else min(d.leisure_most, s.budget // d.leisure_price)
        for i in range(n + 1):
            ids[i] = d.buy + i
        return n + 1
    if s.phase == MARKET:
        for i in range(s.last, d.n_development):
            if s.development[i]:
                ids[n] = d.market + i
                n += 1
        ids[n] = d.done
        return n + 1
    if s.phase == PAY:
        while left & ~bit(LAST):
            ids[n] = d.pay + p.hand[low(left)]
            n += 1
            left &= left - 1
        if left:
            ids[n] = d.done
            n += 1
        return n
    first = d.kind if s.phase == KIND else d.from_ if s.phase == FROM else d.to if s.phase == TO else d.at if s.phase == AT else d.type
    while left:
        ids[n] = first + low(left)
        n += 1
        left &= left - 1
    return n


cdef bint uses_options(int phase) noexcept nogil:
    return KIND <= phase <= PAY


cdef void note(const Data* d, State* s, int who, int32_t event) noexcept nogil:
    """What follows by itself, as all see it. Whose decision it was is told if it is not who made the event."""
    cdef int label = event
    if s.n_trail == TRAIL:
        return
    if s.player != who:
        label = d.by + s.player * (3 + d.n_auction)
        if event == d.kind + PASS:
            label += 1
        elif event == d.done:
            label += 2
        elif event != d.fold:
            label += 3 + event - d.take
    s.trail[s.n_trail] = label
    s.n_trail += 1


cdef void settle(const Data* d, State* s, Memory* m, int who) noexcept nogil:
    """Carries out decisions with one legal answer."""
    cdef int32_t ids[512]
    cdef int32_t event
    while REVEAL < s.phase < OVER and s.phase != DRAW:
        find_options(d, s)
        if uses_options(s.phase):
            if s.options & (s.options - 1):
                return
            list_options(d, s, ids)
        elif list_options(d, s, ids) > 1:
            return
        event = ids[0]
        note(d, s, who, event)
        step(d, s, m, event)
    s.options = 0


# --- the table of functions ---

cdef int to_move(const GameC* game, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.phase == OVER:
        return TERMINAL
    if s.phase <= DRAW:
        return CHANCE
    return s.player


cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil:
    return list_options(data_of(game), <const State*>state, ids)


cdef void apply(const GameC* game, void* state, void* memory, int32_t event) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef State* s = <State*>state
    cdef int who = to_move(game, state)
    if s.n_trail:
        memset(s.trail, 0, s.n_trail * sizeof(int16_t))
        s.n_trail = 0
    step(d, s, <Memory*>memory, event)
    settle(d, s, <Memory*>memory, who)


cdef int list_outcomes(const Data* d, const State* s, int32_t* ids, int* counts) noexcept nogil:
    """The possible outcomes, and in how many ways each can come about."""
    cdef State trial
    cdef int i, n = 0, t
    cdef const Player* p = &s.players[s.player]
    if s.phase == SETUP_PLACE:
        memcpy(&trial, s, sizeof(State))
        n = list_tile_places(d, &trial, s.count, ids, 2 * SQUARES)
        for i in range(n):
            counts[i] = 1
        return n
    if s.phase == SETUP_BOARD:
        for i in range(4 * d.n_boards):
            for t in range(s.count):
                if s.board[t] >> 2 == i >> 2:
                    break
            else:
                ids[n] = d.board + i
                counts[n] = 1
                n += 1
    elif s.phase == SETUP_PARCEL:
        for i in range(d.n_parcel_kinds):
            t = d.parcel_of[i]
            if in_play(s, t) and s.owner[t] == NONE:
                ids[n] = d.parcel + i
                counts[n] = 1
                n += 1
    elif s.phase == SETUP_ORDER:
        for i in range(d.players):
            if find_card(s.order, s.n_order, i) < 0:
                ids[n] = d.order + i
                counts[n] = 1
                n += 1
    elif s.phase == SETUP_TYPE:
        for i in range(TYPES):
            if s.type_tiles[i]:
                ids[n] = d.type_tile + i
                counts[n] = s.type_tiles[i]
                n += 1
    elif s.phase == REVEAL:
        for i in range(d.n_auction):
            if s.reserve[i]:
                ids[n] = d.reveal + i
                counts[n] = s.reserve[i]
                n += 1
    else:
        for i in range(p.n_deck):
            if i and p.deck[i] == p.deck[i - 1]:
                counts[n - 1] += 1
            else:
                ids[n] = d.draw + p.deck[i]
                counts[n] = 1
                n += 1
    return n


cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil:
    cdef int counts[2 * SQUARES]
    cdef int i, total = 0, n = list_outcomes(data_of(game), <const State*>state, ids, counts)
    for i in range(n):
        total += counts[i]
    for i in range(n):
        probabilities[i] = <double>counts[i] / total
    return n


cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef const State* s = <const State*>state
    cdef int32_t ids[2 * SQUARES]
    cdef int counts[2 * SQUARES]
    cdef int i, n, total = 0
    if s.phase == DRAW:
        return d.draw + s.players[s.player].deck[rng_below(rng, s.players[s.player].n_deck)]
    n = list_outcomes(d, s, ids, counts)
    for i in range(n):
        total += counts[i]
    total = rng_below(rng, total)
    i = 0
    while total >= counts[i]:
        total -= counts[i]
        i += 1
    return ids[i]


cdef void stream(const GameC* game, const void* state, const void* memory, Stream* out) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef const State* s = <const State*>state
    cdef const Memory* m = <const Memory*>memory
    cdef int counts[2 * SQUARES]
    cdef int i, j, kind, p = s.player
    out.n = list_outcomes(d, s, out.ids, counts)
    out.stream = s.phase
    out.epoch = 0
    for i in range(out.n):
        out.kind[i] = out.ids[i]
        out.left[i] = out.start[i] = counts[i]
        if s.phase == SETUP_TYPE:
            out.start[i] = m.start_types[out.ids[i] - d.type_tile]
        elif s.phase == REVEAL:
            out.start[i] = m.start_reserve[out.ids[i] - d.reveal]
        elif s.phase == DRAW:
            kind = out.ids[i] - d.draw
            out.start[i] = 0
            for j in range(m.n_start[p]):
                out.start[i] += m.start[p][j] == kind
    if s.phase == DRAW:
        out.stream = DRAW + 1 + p
        out.epoch = m.epoch[p]
    elif s.phase == SETUP_PLACE:
        out.epoch = s.count


cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef const State* s = <const State*>state
    cdef int p
    for p in range(d.players):
        out[p] = s.players[p].hp
        if s.phase == OVER:
            out[p] -= d.penalty[s.players[p].stress]


cdef void rank(const Data* d, const State* s, int* out) noexcept nogil:
    """Each player's place, 0 for the best; there are no ties."""
    cdef int p, q, better, i
    cdef const Player* x
    cdef const Player* y
    for p in range(d.players):
        out[p] = 0
        x = &s.players[p]
        for q in range(d.players):
            if q == p:
                continue
            y = &s.players[q]
            better = (y.hp - d.penalty[y.stress]) - (x.hp - d.penalty[x.stress])
            if better == 0:
                better = x.stress - y.stress
            if better == 0:
                better = y.money - x.money
            if better == 0:
                better = find_card(s.order, d.players, p) - find_card(s.order, d.players, q)
            out[p] += better > 0


cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef int places[SEATS]
    cdef int p
    if d.players == 1:
        scores(game, state, out)
        return
    rank(d, <const State*>state, places)
    for p in range(d.players):
        out[p] = 1 - 2.0 * places[p] / (d.players - 1)


cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil:
    cdef State* s = <State*>out
    memcpy(s, state, sizeof(State))
    s.n_trail = 0
    memset(s.trail, 0, sizeof(s.trail))
    return sizeof(State)
