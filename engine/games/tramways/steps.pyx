"""Carrying out one event of Tramways (`step`)."""
from libc.stdint cimport int32_t

from wattman.engine.games.tramways.actions cimport collect, can_buy_card, finish_payment
from wattman.engine.games.tramways.bits cimport drop
from wattman.engine.games.tramways.chance cimport chance
from wattman.engine.games.tramways.course cimport (
    people_the_city,
    start_order,
    start_types,
    start_auction,
    next_bidder,
    start_actions,
    end_action,
    go_on_discarding,
    next_draw,
)
from wattman.engine.games.tramways.memory cimport Memory, gain, lose
from wattman.engine.games.tramways.paying cimport settled
from wattman.engine.games.tramways.setup cimport next_tile, place_board, place_tile
from wattman.engine.games.tramways.state cimport (
    AT,
    BID,
    BIDDING,
    BUILD,
    BUY,
    CONSTRUCT,
    DISCARD,
    DRAW,
    FROM,
    FUNFAIR,
    KIND,
    LAY,
    MARKET,
    MONEY,
    MOVE,
    PASS,
    PAY,
    REVEAL,
    RIDE,
    SETUP_BOARD,
    SETUP_ORDER,
    SETUP_PARCEL,
    SETUP_PLACE,
    SETUP_TYPE,
    SPECIALS,
    TAKE,
    TO,
    TYPE,
    UPGRADE,
    Data,
    Player,
    State,
    add_card,
    find_card,
    ground_at,
    take_card,
)
from wattman.engine.games.tramways.trips cimport Trip, follow, link_at


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
