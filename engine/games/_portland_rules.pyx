"""Stop Requested: Portland: the rules. What they are is told in portland.pyx.

A turn's chance events come one at a time; `fill_market` and `next_turn` go on from one to the next thing to decide or to draw. The same
functions bring an observer's Info forward, in which the draw pile and the others' hands hold nothing that he does not know: counts that
are not known there have no meaning until `prepare` sets them (see _portland_knowledge.pyx).
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from wattman.engine.abi cimport CHANCE, TERMINAL, GameC
from wattman.engine.games._portland_memory cimport (
    Memory,
    remember_blind,
    remember_deal,
    remember_face_up,
    remember_guard,
    remember_kept,
    remember_offered,
    remember_payment,
    remember_reshuffle,
    remember_skip,
    remember_taken,
)
from wattman.engine.games._portland_state cimport (
    CHOOSE,
    DEAL_HANDS,
    DEAL_TICKETS,
    DRAW_FIRST,
    DRAW_SECOND,
    KEEP,
    LENGTHS,
    NONE,
    NORMAL,
    OFFER,
    OFFERED,
    OVER,
    PAY,
    REFILL,
    RESETS,
    SECOND,
    SECOND_NEXT,
    TICKETS_NEXT,
    TURN,
    TURN_NEXT,
    TYPES,
    UNKNOWN,
    Data,
    Route,
    State,
    drop,
    has,
    low_bit,
    put,
)


# --- what comes next ---

cdef void next_turn(const Data* d, State* s) noexcept nogil:
    """The turn is over, the market filled."""
    if s.turns_left:
        s.turns_left -= 1
        if s.turns_left == 0:
            s.phase = OVER
            return
    elif s.trains[s.player] <= d.last_round:
        s.turns_left = d.players
    if s.skips == d.players:
        s.phase = OVER
        return
    s.player = s.player + 1 if s.player + 1 < d.players else 0
    s.phase = TURN


cdef void second_card(const Data* d, State* s, Memory* memory) noexcept nogil:
    """The second card, if there is one that may be taken."""
    if s.n_market > s.market[d.wild] or s.n_deck or s.n_discard:
        s.phase = SECOND
    else:
        s.after = TURN_NEXT
        fill_market(d, s, memory)


cdef void reshuffle(State* s, Memory* memory) noexcept nogil:
    if memory != NULL:
        remember_reshuffle(s, memory)
    memcpy(s.deck, s.discard, TYPES)
    memset(s.discard, 0, TYPES)
    s.n_deck = s.n_discard
    s.n_discard = 0


cdef bint may_reset(const Data* d, const State* s) noexcept nogil:
    """Whether market, pile and discards together hold enough cards that are no passes."""
    return (
        s.n_market + s.n_deck + s.n_discard
        >= NORMAL + s.market[d.wild] + s.deck[d.wild] + s.discard[d.wild]
    )


cdef void fill_market(const Data* d, State* s, Memory* memory) noexcept nogil:
    """The next card for the market; if it is filled, the check for passes, and then what comes after."""
    cdef int i
    cdef bint reset
    while True:
        if s.n_market < d.face_up:
            if s.n_deck == 0 and s.n_discard:
                reshuffle(s, memory)
            if s.n_deck:
                s.phase = REFILL
                return
        if s.market[d.wild] < d.pass_limit or s.resets >= RESETS:
            break
        reset = may_reset(d, s)
        if memory != NULL:
            reset = remember_guard(s, memory, reset)
        if not reset:
            break
        for i in range(d.types):
            s.discard[i] += s.market[i]
        s.n_discard += s.n_market
        memset(s.market, 0, TYPES)
        s.n_market = 0
        s.resets += 1
    s.resets = 0
    if s.after == TURN_NEXT:
        next_turn(d, s)
    elif s.after == SECOND_NEXT:
        second_card(d, s, memory)
    else:
        s.phase = DEAL_TICKETS
        s.player = 0
    s.after = 0


cdef inline void end_turn(const Data* d, State* s, Memory* memory) noexcept nogil:
    s.after = TURN_NEXT
    fill_market(d, s, memory)


# --- chance events ---

cdef inline void card_comes(const Data* d, State* s, Memory* memory, int kind) noexcept nogil:
    """A card from the pile; in an Info it may be UNKNOWN."""
    cdef int player = s.player
    s.n_deck -= 1
    if s.phase == REFILL:
        s.deck[kind] -= 1
        s.market[kind] += 1
        s.n_market += 1
        if memory != NULL:
            remember_face_up(memory, kind)
        fill_market(d, s, memory)
        return
    if kind != UNKNOWN:
        s.deck[kind] -= 1
        s.hand[player][kind] += 1
    s.n_hand[player] += 1
    if memory != NULL:
        remember_blind(memory, player, kind)
    if s.phase == DRAW_FIRST:
        second_card(d, s, memory)
    elif s.phase == DRAW_SECOND:
        end_turn(d, s, memory)
    elif s.n_hand[player] == d.hand:
        if player + 1 < d.players:
            s.player = player + 1
        else:
            s.after = TICKETS_NEXT
            fill_market(d, s, memory)


cdef inline void ticket_lies(const Data* d, State* s, Memory* memory) noexcept nogil:
    """The ticket that was drawn lies in the offer."""
    cdef int player = s.player
    if s.phase == DEAL_TICKETS:
        if s.n_offer < d.start_offered:
            return
        memcpy(s.first[player], s.offer, OFFERED)
        memset(s.offer, 0, OFFERED)
        s.n_offer = 0
        if player + 1 < d.players:
            s.player = player + 1
            return
        s.player = 0
        s.phase = CHOOSE
        if d.start_offered == 1:
            while s.phase == CHOOSE:
                choose(d, s, memory, 1)
    elif s.n_offer == d.more_offered or s.n_fresh + s.n_queue == 0:
        s.phase = KEEP
        if s.n_offer == 1:
            keep(d, s, memory, 1)


cdef inline void ticket_comes(const Data* d, State* s, Memory* memory, int ticket) noexcept nogil:
    """A ticket from the deck; in an Info it may be UNKNOWN."""
    if memory != NULL:
        remember_offered(s, memory)
    if s.n_fresh:
        if ticket != UNKNOWN:
            drop(s.fresh, ticket)
        s.n_fresh -= 1
    else:
        if ticket == UNKNOWN:
            ticket = s.queue[0]
        s.n_queue -= 1
        memmove(s.queue, s.queue + 1, s.n_queue)
        s.queue[s.n_queue] = 0
    s.offer[s.n_offer] = ticket
    s.n_offer += 1
    ticket_lies(d, s, memory)


# --- decisions ---

cdef inline void give(State* s, int player, const uint8_t* offer, int n, int mask) noexcept nogil:
    """The tickets of `mask` go to the player, the others to the bottom of the deck."""
    cdef int i
    for i in range(n):
        if mask >> i & 1:
            if offer[i] != UNKNOWN:
                put(s.held[player], offer[i])
            s.n_tickets[player] += 1
        else:
            s.queue[s.n_queue] = offer[i]
            s.n_queue += 1


cdef void keep(const Data* d, State* s, Memory* memory, int mask) noexcept nogil:
    if memory != NULL:
        remember_kept(s, memory, s.player, s.offer, s.n_offer, mask)
    give(s, s.player, s.offer, s.n_offer, mask)
    memset(s.offer, 0, OFFERED)
    s.n_offer = 0
    end_turn(d, s, memory)


cdef void choose(const Data* d, State* s, Memory* memory, int mask) noexcept nogil:
    """The first tickets; they are given when all have chosen."""
    cdef int player
    s.chosen[s.player] = mask
    if s.player + 1 < d.players:
        s.player += 1
        return
    for player in range(d.players):
        if memory != NULL:
            remember_kept(s, memory, player, s.first[player], d.start_offered, s.chosen[player])
        give(s, player, s.first[player], d.start_offered, s.chosen[player])
    memset(s.first, 0, sizeof(s.first))
    memset(s.chosen, 0, sizeof(s.chosen))
    s.player = 0
    s.phase = TURN


cdef void paid(const Data* d, State* s, Memory* memory, int route, int kind, int passes) noexcept nogil:
    """The player on turn claims a route for cards of a type and passes (passes only: the type is the wild one)."""
    cdef const Route* r = &d.route[route]
    cdef int player = s.player, cards = r.length - passes, i
    if memory != NULL:
        remember_payment(d, s, memory, route, kind, passes)
    s.hand[player][kind] -= cards
    s.discard[kind] += cards
    s.hand[player][d.wild] -= passes
    s.discard[d.wild] += passes
    s.n_hand[player] -= r.length
    s.n_discard += r.length
    s.trains[player] -= r.length
    s.score[player] += r.points
    s.route = NONE
    s.skips = 0
    put(s.owned[player], route)
    for i in range(d.players):
        drop(s.open[i], route)
    if r.other != NONE:
        if d.single:
            for i in range(d.players):
                drop(s.open[i], r.other)
        else:
            drop(s.open[player], r.other)
    end_turn(d, s, memory)


cdef inline void pay(const Data* d, State* s, Memory* memory, int32_t event) noexcept nogil:
    cdef int kind
    if event == d.pay_pass:
        paid(d, s, memory, s.route, d.wild, d.route[s.route].length)
    else:
        kind = (event - d.pay) // d.longest
        paid(d, s, memory, s.route, kind, event - d.pay - kind * d.longest)


cdef int payments(const Data* d, const State* s, int route, int32_t* ids) noexcept nogil:
    """The ways in which the player on turn can pay for a route that he can claim."""
    cdef const Route* r = &d.route[route]
    cdef const uint8_t* hand = s.hand[s.player]
    cdef int passes = hand[d.wild], length = r.length, kind, least, k, n = 0
    cdef int first = r.type, end = r.type + 1
    if r.type == d.wild:
        first = 0
        end = d.wild
    for kind in range(first, end):
        if hand[kind] == 0 or hand[kind] + passes < length:
            continue
        least = length - hand[kind] if hand[kind] < length else 0
        if d.free:
            for k in range(least, min(passes, length - 1) + 1):
                ids[n] = d.pay + kind * d.longest + k
                n += 1
        else:
            ids[n] = d.pay + kind * d.longest + least
            n += 1
    if passes >= length and (d.free or n == 0):
        ids[n] = d.pay_pass
        n += 1
    return n


cdef int32_t keep_event(const Data* d, const uint8_t* tickets, int n) noexcept nogil:
    """The id of keeping these tickets, in this order."""
    cdef int a = tickets[0], b, c
    if n == 1:
        return d.keep_one + a
    b = tickets[1] - (tickets[1] > a)
    if n == 2:
        return d.keep_two + a * (d.tickets - 1) + b
    c = tickets[2] - (tickets[2] > a) - (tickets[2] > tickets[1])
    return d.keep_three + (a * (d.tickets - 1) + b) * (d.tickets - 2) + c


cdef int kept_tickets(const Data* d, int32_t event, uint8_t* tickets) noexcept nogil:
    """The other way round: the tickets of an id. Returns how many."""
    cdef int a, b, c
    if event < d.keep_two:
        tickets[0] = event - d.keep_one
        return 1
    c = -1
    if event < d.keep_three:
        event -= d.keep_two
    else:
        event -= d.keep_three
        c = event % (d.tickets - 2)
        event //= d.tickets - 2
    a = event // (d.tickets - 1)
    b = event % (d.tickets - 1)
    b += b >= a
    tickets[0] = a
    tickets[1] = b
    if c < 0:
        return 2
    c += c >= min(a, b)
    c += c >= max(a, b)
    tickets[2] = c
    return 3


cdef inline int places(const Data* d, int32_t event, const uint8_t* offer, int n) noexcept nogil:
    """Which of the tickets offered a `keep` keeps, as bits."""
    cdef uint8_t tickets[OFFERED]
    cdef int i, mask = 0, j = 0, count = kept_tickets(d, event, tickets)
    for i in range(n):
        if j < count and offer[i] == tickets[j]:
            mask |= 1 << i
            j += 1
    return mask


cdef inline int keeps(const Data* d, const uint8_t* offer, int n, int least, int32_t* ids) noexcept nogil:
    """The ways to keep at least so many of the tickets offered."""
    cdef uint8_t tickets[OFFERED]
    cdef int mask, i, count, ways = 0
    least = min(least, n)
    for mask in range(1, 1 << n):
        count = 0
        for i in range(n):
            if mask >> i & 1:
                tickets[count] = offer[i]
                count += 1
        if count >= least:
            ids[ways] = keep_event(d, tickets, count)
            ways += 1
    return ways


# --- the contract ---

cdef void init(const GameC* game, void* state, void* memory) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef State* s = <State*>state
    cdef int i
    memset(s, 0, sizeof(State))
    for i in range(d.types):
        s.deck[i] = d.count[i]
        s.n_deck += d.count[i]
    for i in range(d.tickets):
        put(s.fresh, i)
    s.n_fresh = d.tickets
    s.route = NONE
    for i in range(d.players):
        s.trains[i] = d.trains
        memcpy(s.open[i], d.short[LENGTHS - 1], sizeof(s.open[i]))
    if memory != NULL:
        remember_deal(d, <Memory*>memory)
    s.phase = DEAL_HANDS
    if d.hand == 0:
        s.after = TICKETS_NEXT
        fill_market(d, s, <Memory*>memory)


cdef int to_move(const GameC* game, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if (1 << SECOND | 1 << TURN | 1 << PAY | 1 << KEEP | 1 << CHOOSE) >> s.phase & 1:
        return s.player
    return TERMINAL if s.phase == OVER else CHANCE


cdef int legal_turn(const Data* d, const State* s, int32_t* ids) noexcept nogil:
    cdef int player = s.player, kind, have, most = 0, n = 0, passes = s.hand[player][d.wild]
    cdef const uint8_t* hand = s.hand[player]
    cdef const uint64_t* affordable
    cdef uint64_t low = 0, high = 0
    for kind in range(d.types):
        ids[n] = kind
        n += s.market[kind] != 0
    ids[n] = d.draw
    n += (s.n_deck | s.n_discard) != 0
    ids[n] = d.offer
    n += (s.n_fresh | s.n_queue) != 0
    for kind in range(d.wild):
        have = hand[kind]
        most = max(most, have)
        affordable = d.of_type[kind][min(have + passes, LENGTHS - 1)]
        low |= affordable[0]
        high |= affordable[1]
    affordable = d.of_type[d.wild][min(most + passes, LENGTHS - 1)]
    low |= affordable[0]
    high |= affordable[1]
    affordable = d.short[min(<int>s.trains[player], LENGTHS - 1)]
    low &= affordable[0] & s.open[player][0]
    high &= affordable[1] & s.open[player][1]
    while low:
        ids[n] = d.claim + low_bit(low)
        n += 1
        low &= low - 1
    while high:
        ids[n] = d.claim + 64 + low_bit(high)
        n += 1
        high &= high - 1
    if n == 0:
        ids[0] = d.skip
        n = 1
    return n


cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int kind, n = 0
    if s.phase == TURN:
        return legal_turn(d, s, ids)
    if s.phase == SECOND:
        for kind in range(d.wild):
            ids[n] = kind
            n += s.market[kind] != 0
        ids[n] = d.draw
        return n + ((s.n_deck | s.n_discard) != 0)
    if s.phase == PAY:
        return payments(d, s, s.route, ids)
    if s.phase == KEEP:
        return keeps(d, s.offer, s.n_offer, d.more_keep, ids)
    if s.phase == CHOOSE:
        return keeps(d, s.first[s.player], d.start_offered, d.start_keep, ids)
    return 0


cdef void apply(const GameC* game, void* state, void* notes, int32_t event) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef State* s = <State*>state
    cdef Memory* memory = <Memory*>notes
    cdef int32_t ids[TYPES * LENGTHS]
    cdef int player = s.player
    if event >= d.card:
        if event < d.ticket:
            card_comes(d, s, memory, event - d.card)
        elif event < d.card_unseen:
            ticket_comes(d, s, memory, event - d.ticket)
        elif event == d.card_unseen:
            card_comes(d, s, memory, UNKNOWN)
        else:
            ticket_comes(d, s, memory, UNKNOWN)
    elif event <= d.draw:
        s.skips = 0
        if event == d.draw:
            if s.n_deck == 0:
                reshuffle(s, memory)
            s.phase = DRAW_FIRST if s.phase == TURN else DRAW_SECOND
            return
        s.market[event] -= 1
        s.n_market -= 1
        s.hand[player][event] += 1
        s.n_hand[player] += 1
        if memory != NULL:
            remember_taken(memory, player, event)
        s.after = SECOND_NEXT if s.phase == TURN and event != d.wild else TURN_NEXT
        fill_market(d, s, memory)
    elif event >= d.keep_one:
        if s.phase == CHOOSE:
            choose(d, s, memory, places(d, event, s.first[player], d.start_offered))
        else:
            keep(d, s, memory, places(d, event, s.offer, s.n_offer))
    elif event >= d.pay:
        pay(d, s, memory, event)
    elif event >= d.claim:
        s.route = event - d.claim
        s.phase = PAY
        if payments(d, s, s.route, ids) == 1:
            pay(d, s, memory, ids[0])
    elif event == d.offer:
        s.skips = 0
        s.phase = OFFER
    else:
        s.skips += 1
        if memory != NULL:
            remember_skip(d, s, memory)
        end_turn(d, s, memory)


cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil:
    """A State as it is: what has no order is counted or a set in it, and what is not in use is zero."""
    memcpy(out, state, sizeof(State))
    return sizeof(State)
