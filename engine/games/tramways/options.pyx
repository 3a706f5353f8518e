"""What is legal: worked out once for each decision, and kept in the state as bits (`find_options`); `list_options` writes it out."""
from libc.stdint cimport int32_t, uint64_t

from wattman.engine.games.tramways.bits cimport Squares, bit, low
from wattman.engine.games.tramways.paying cimport Hand, Need, look_at, need_of, payable, payment_options
from wattman.engine.games.tramways.state cimport (
    ADD,
    AT,
    BID,
    BUILD,
    BUY,
    CALM,
    CONSTRUCT,
    DISCARD,
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
    KIND,
    LAST,
    LAY,
    MARKET,
    MONEY,
    MOVE,
    PASS,
    PAY,
    RIDE,
    TAKE,
    TO,
    TYPE,
    TYPES,
    UPGRADE,
    WORKER,
    Data,
    Player,
    State,
    in_play,
    places_at,
)
from wattman.engine.games.tramways.tracks cimport from_options, lay_candidates, lay_options, to_options, upgrade_options
from wattman.engine.games.tramways.trips cimport origin_options, ride_options


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
