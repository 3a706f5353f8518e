"""Portland's hidden information: what an observer sees of events (`seen`) and what one player knows (`hide`).

In an Info the others' hands hold the cards that are known to be there, their tickets are those that are known to be theirs, and what the
observer does not know of offers and of returned tickets is UNKNOWN; draw pile and fresh tickets are empty sets with their true sizes.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport NOTHING, GameC
from wattman.engine.games._portland_memory cimport LOTS, NOTHING_TOLD, TOLD_LEFT, TOLD_RESET, Memory, Offered, Tickets, undecided
from wattman.engine.games._portland_rules cimport kept_tickets, payments
from wattman.engine.games._portland_state cimport (
    CHOOSE,
    DEAL_TICKETS,
    DRAW_SECOND,
    KEEP,
    LENGTHS,
    NONE,
    OFFER,
    OFFERED,
    PAY,
    REFILL,
    RESETS,
    SEATS,
    TURN,
    TYPES,
    UNKNOWN,
    Data,
    Route,
    State,
    bits_of,
    drop,
    has,
    put,
)
from wattman.engine.games._portland_worlds cimport gauge


# --- seen ---

cdef inline int32_t claimed_label(const Data* d, int route, int kind, int passes) noexcept nogil:
    """A claim as the others see it: with its payment (kind wild: passes only)."""
    cdef const Route* r = &d.route[route]
    if r.type == d.wild:
        return d.claimed + d.claimed_from[route] + kind * r.length + (passes if kind != d.wild else 0)
    return d.claimed + d.claimed_from[route] + passes


cdef inline int32_t payment_label(const Data* d, int route, int32_t payment) noexcept nogil:
    cdef int kind
    if payment == d.pay_pass:
        return claimed_label(d, route, d.wild, d.route[route].length)
    kind = (payment - d.pay) // d.longest
    return claimed_label(d, route, kind, payment - d.pay - kind * d.longest)


cdef int32_t first_counts(const Data* d, const State* s, int players, int last) noexcept nogil:
    """How many tickets the first players keep, as digits; `last`: the number of the one who is choosing."""
    cdef int32_t code = 0
    cdef int p, n
    for p in range(players - 1, -1, -1):
        n = last if p == s.player else bits_of(s.chosen[p])
        code = code * d.digits + n - d.start_keep
    return code


cdef int32_t seen_choice(const Data* d, const State* s, int32_t event, int observer) noexcept nogil:
    """A choice of first tickets: the last one shows how many all have kept."""
    cdef uint8_t tickets[OFFERED]
    cdef int i, j = 0, n, mask = 0
    if s.player + 1 < d.players:
        return event if observer == s.player else d.keep_unseen
    n = kept_tickets(d, event, tickets)
    if observer != s.player:
        return d.first_kept + first_counts(d, s, d.players, n)
    for i in range(d.start_offered):
        if j < n and s.first[observer][i] == tickets[j]:
            mask |= 1 << i
            j += 1
    i = 1
    for n in range(d.players - 1):
        i *= d.digits
    return d.last_kept + (mask - 1) * i + first_counts(d, s, d.players - 1, 0)


cdef int told_by(const Data* d, const State* s, int32_t event) noexcept nogil:
    """What an event tells about the pile because the market is checked after it: see `remember_guard`."""
    cdef int32_t ids[TYPES * LENGTHS]
    cdef int kind, wild = d.wild, normal, deck = s.n_deck, normal_deck = s.n_deck - s.deck[wild], market = s.n_market
    normal = s.n_market - s.market[wild] + s.n_discard - s.discard[wild]
    if s.phase == REFILL or s.phase == DRAW_SECOND:
        kind = event - d.card
        deck -= 1
        normal_deck -= kind != wild
        if s.phase == REFILL:
            market += 1
            normal += kind != wild
    elif s.phase == PAY or (s.phase == TURN and d.claim <= event < d.pay):
        if s.phase == TURN:
            if payments(d, s, event - d.claim, ids) > 1:
                return NOTHING_TOLD
            kind = d.route[event - d.claim].length
            event = ids[0]
        else:
            kind = d.route[s.route].length
        if event != d.pay_pass:
            normal += kind - (event - d.pay) % d.longest
    elif s.phase == OFFER:
        if s.n_offer or (s.n_fresh + s.n_queue > 1 and d.more_offered > 1):
            return NOTHING_TOLD
    elif s.phase != KEEP:
        return NOTHING_TOLD
    if market < d.face_up and (deck or s.n_discard) or undecided(normal, deck) == 0:
        return NOTHING_TOLD
    return TOLD_RESET if undecided(normal, deck) <= normal_deck else TOLD_LEFT


cdef int32_t seen(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int32_t ids[TYPES * LENGTHS]
    cdef uint8_t tickets[OFFERED]
    cdef int32_t label = event
    cdef int told
    if s.phase == CHOOSE:
        return seen_choice(d, s, event, observer)
    if observer != s.player:
        if event >= d.card:
            if s.phase != REFILL:
                label = d.card_unseen if event < d.ticket else d.ticket_unseen
        elif event >= d.keep_one:
            label = d.kept + kept_tickets(d, event, tickets) - 1
        elif event >= d.pay:
            label = payment_label(d, s.route, event)
        elif event >= d.claim:
            if payments(d, s, event - d.claim, ids) > 1:
                return NOTHING
            label = payment_label(d, event - d.claim, ids[0])
    if s.market[d.wild] + (s.phase == REFILL) >= d.pass_limit and s.resets < RESETS:
        if s.market[d.wild] >= d.pass_limit or event == d.card + d.wild:
            told = told_by(d, s, event)
            if told != NOTHING_TOLD:
                return d.told + (told - 1) * d.told + label
    return label


# --- hide ---

cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef Info* k = <Info*>info
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int p, i
    memset(k, 0, sizeof(Info))
    memcpy(s, state, sizeof(State))
    memcpy(m, memory, sizeof(Memory))
    m.observer = 1 + observer
    memset(m.start, 0, TYPES)
    if s.phase == PAY and s.player != observer:  # a claim is seen with its payment
        s.phase = TURN
        s.route = NONE
    for p in range(d.players):
        if p == observer:
            continue
        memset(m.own[p], 0, sizeof(m.own[p]))
        memset(&m.tickets[p], 0, sizeof(Tickets))
        for i in range(m.n_guards):
            m.guards[i].own[p] = 0
        if s.phase == CHOOSE or (s.phase == DEAL_TICKETS and p < s.player):
            memset(s.first[p], UNKNOWN, d.start_offered)
        if s.chosen[p]:
            s.chosen[p] = UNKNOWN
    for i in range(s.n_queue):
        if m.owner[i] != observer:
            s.queue[i] = UNKNOWN
    if s.player != observer:
        for i in range(s.n_offer):
            if m.offer_owner[i] != observer:
                s.offer[i] = UNKNOWN
    prepare(d, k)


cdef int barred(const Data* d, const Info* k, int player, int lot) noexcept nogil:
    """The types that a lot cannot be although its pile has some."""
    cdef int kind, types = 0, pile = k.memory.hand[player].lots[lot].pile
    for kind in range(d.types):
        if k.memory.hand[player].lots[lot].never >> kind & 1 and k.pool[pile][kind]:
            types |= 1 << kind
    return types


cdef void add_share(Info* k, int player, int lot, int never) noexcept nogil:
    """The lots that can be the fewest cards come first, those that can be any of their pile last and by piles."""
    cdef Share share
    cdef int i = k.n_shares
    share.player = player
    share.lot = lot
    share.pile = k.memory.hand[player].lots[lot].pile
    share.n = k.memory.hand[player].lots[lot].n
    share.never = never
    while i > 0 and k.ease[player][lot] < k.ease[k.shares[i - 1].player][k.shares[i - 1].lot]:
        k.shares[i] = k.shares[i - 1]
        i -= 1
    while i > 0 and never == 0 and k.shares[i - 1].never == 0 and share.pile < k.shares[i - 1].pile:
        k.shares[i] = k.shares[i - 1]
        i -= 1
    k.shares[i] = share
    k.n_shares += 1


cdef void list_shares(const Data* d, Info* k) noexcept nogil:
    """The lots to which cards have to be dealt. With `relaxed` some facts are left out, see `gauge`."""
    cdef Memory* m = &k.memory
    cdef int p, i, g, t, never, room
    k.plain = m.n_piles <= 1 and m.n_guards == 0
    k.n_shares = 0
    memset(k.shares, 0, sizeof(k.shares))
    for p in range(d.players):
        if p == m.observer - 1:
            continue
        if m.hand[p].n_spent or m.hand[p].n_limits:
            k.plain = 0
        for i in range(m.hand[p].n_lots):
            g = m.hand[p].lots[i].pile
            never = 0 if k.relaxed > 1 or (k.relaxed and g < m.n_piles - 1) else barred(d, k, p, i)
            room = k.n_pool[g]
            for t in range(d.types):
                room -= k.pool[g][t] if never >> t & 1 else 0
            k.ease[p][i] = max(<float>room / k.n_pool[g], <float>0.01) if k.n_pool[g] else 1
            if never:
                k.plain = 0
            add_share(k, p, i, never)


cdef void prepare(const Data* d, Info* k) noexcept nogil:
    """Sets everything in an Info that its observer does not know, or that follows from its State and Memory."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int observer = m.observer - 1, p, i, g, t, n
    cdef int lots[SEATS * LOTS]
    memset(s.deck, 0, TYPES)
    memset(s.fresh, 0, sizeof(s.fresh))
    for p in range(d.players):
        if p != observer:
            memcpy(s.hand[p], m.hand[p].known, TYPES)
            memcpy(s.held[p], m.tickets[observer].held[p], sizeof(s.held[p]))
    memset(<uint8_t*>k + sizeof(State) + sizeof(Memory), 0, sizeof(Info) - sizeof(State) - sizeof(Memory))
    memset(lots, 0, sizeof(lots))
    for g in range(m.n_piles):
        for t in range(d.types):
            if m.pile[g][t] < m.own[observer][g][t]:
                k.impossible = 1
                return
            k.pool[g][t] = m.pile[g][t] - m.own[observer][g][t]
            k.n_pool[g] += k.pool[g][t]
    # Every card that the observer does not see is in a lot or in the pile.
    for p in range(d.players):
        if p == observer:
            continue
        n = s.n_hand[p]
        for t in range(d.types):
            n -= m.hand[p].known[t]
        for i in range(m.hand[p].n_lots):
            n -= m.hand[p].lots[i].n
            lots[m.hand[p].lots[i].pile] += m.hand[p].lots[i].n
        for i in range(m.hand[p].n_spent):
            n += m.hand[p].spent[i].n
        if n:
            k.impossible = 1
    for g in range(m.n_piles):
        if k.n_pool[g] != lots[g] + (s.n_deck if g == m.n_piles - 1 else 0):
            k.impossible = 1
    list_tickets(d, k, observer)
    if k.impossible:
        return
    while k.relaxed <= RELAXED:
        list_shares(d, k)
        if gauge(d, k):
            break
        if simple(d, k):
            k.impossible = 1
            break
        k.relaxed += 1
    if k.plain:
        n = 0
        for t in range(d.types):
            if m.n_piles:
                memset(&k.cards[n], t, k.pool[0][t])
                n += k.pool[0][t]


cdef bint simple(const Data* d, const Info* k) noexcept nogil:
    """Whether so few facts restrict the lots that `gauge` would have found a world if there were one."""
    cdef int p, i, facts = 0
    for i in range(k.n_shares):
        facts += k.shares[i].never != 0
    for p in range(d.players):
        if p != k.memory.observer - 1:
            facts += k.memory.hand[p].n_spent
    return facts <= 8 or k.relaxed == RELAXED


cdef inline void strike(uint64_t* open, int ticket) noexcept nogil:
    if ticket != UNKNOWN:
        drop(open, ticket)


cdef void list_tickets(const Data* d, Info* k, int observer) noexcept nogil:
    """The tickets that may be anywhere, and how many of the others' the observer does not know."""
    cdef State* s = &k.state
    cdef Tickets* t = &k.memory.tickets[observer]
    cdef Offered* offer
    cdef uint64_t open[2]
    cdef uint64_t own[2]
    cdef int p, i, j, places = s.n_fresh
    memset(open, 0, sizeof(open))
    for i in range(d.tickets):
        put(open, i)
    memcpy(own, s.held[observer], sizeof(own))
    if t.n_log == 0:
        for i in range(s.n_queue):
            strike(open, s.queue[i])
            places += s.queue[i] == UNKNOWN
        for i in range(s.n_offer):
            strike(open, s.offer[i])
            places += s.offer[i] == UNKNOWN
        if s.phase == CHOOSE or s.phase == DEAL_TICKETS:
            for p in range(d.players):
                for i in range(d.start_offered if s.phase == CHOOSE or p < s.player else 0):
                    strike(open, s.first[p][i])
                    places += s.first[p][i] == UNKNOWN
    else:  # as it was when the log began
        for i in range(t.n_log):
            offer = &t.log[i]
            if offer.player == observer:
                for j in range(offer.n):
                    if offer.kept >> j & 1:
                        drop(own, offer.tickets[j])
        for i in range(t.n_queue):
            strike(open, t.queue[i])
    for p in range(d.players):
        if p == observer:
            open[0] &= ~own[0]
            open[1] &= ~own[1]
            continue
        open[0] &= ~s.held[p][0]
        open[1] &= ~s.held[p][1]
        k.n_hidden[p] = s.n_tickets[p] - bits_of(s.held[p][0]) - bits_of(s.held[p][1])
        places += k.n_hidden[p]
    memcpy(k.unseen_set, open, sizeof(open))
    for i in range(d.tickets):
        if has(open, i):
            k.unseen[k.n_unseen] = i
            k.n_unseen += 1
    if t.n_log == 0 and places != k.n_unseen:
        k.impossible = 1
