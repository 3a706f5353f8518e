"""Dealing full states of Lisbon Tram 28 from what a player knows.

Before the first reshuffle every ticket he does not see is as likely in one hidden place as in another: exact. After it the tickets in other
hands are of several kinds: held when the log began, or drawn from one of its piles; what was in each pile is known. Within a
kind all are alike, but of a ticket that was paid since nobody saw which kind it was of. A *way* through the log says that for each of
them. Taking a paid ticket to be a random one of its hand, ways are drawn one payment after the other with the right odds given what came
before (sequential importance sampling with the optimal proposal); what later payments make more or less likely is put right by drawing
several ways and keeping one of them with odds as their weights.
"""
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_knowledge cimport Info
from wattman.engine.games._lisbon_memory cimport DREW, PAID_ONE, PILES, RESHUFFLED, Memory
from wattman.engine.games._lisbon_paying cimport payable
from wattman.engine.games._lisbon_rails cimport any_step
from wattman.engine.games._lisbon_rules cimport end_action, stop_paying
from wattman.engine.games._lisbon_state cimport (
    COLOURS,
    MOVING,
    PAID,
    PAYING,
    SEATS_AT_TABLE,
    UNKNOWN,
    Data,
    State,
    any_of,
    passengers,
)
from wattman.engine.rng cimport Rng, rng_below, rng_uniform

cdef enum:
    KINDS = PILES + 1
    TRIES = 64          # worlds, and dead ways, before giving up
    RINGS = 256         # hands for somebody who rang
    MOST_WAYS = 32      # drawn at a deal
    LEAST_WAYS = 4
    WORK = 800          # payments looked at in all of them


cdef struct Way:
    # Where the tickets paid came from, and so what is left of each kind. Kind 0: held when the log began; kind k: of its pile k - 1.
    uint8_t kinds
    uint8_t slots[SEATS_AT_TABLE][KINDS]            # tickets in each hand
    uint8_t pool[KINDS][COLOURS]                    # tickets in other hands and (the last kind) the pile
    uint8_t total[KINDS]
    uint8_t got[SEATS_AT_TABLE][KINDS][COLOURS]     # tickets paid; once dealt, those in hand too
    uint8_t newest[COLOURS]                         # in the hand of the player on turn, of the last kind


cdef inline int draw(uint8_t* pool, Rng* rng, int total) noexcept nogil:
    """One of `total` tickets, taken out."""
    cdef int c, pick = rng_below(rng, total)
    for c in range(COLOURS - 1):
        pick -= pool[c]
        if pick < 0:
            pool[c] -= 1
            return c
    pool[COLOURS - 1] -= 1
    return COLOURS - 1


cdef void start_alike(const Data* d, const Info* k, Way* way) noexcept nogil:
    """All tickets that the observer does not see are alike."""
    cdef int p
    memset(way, 0, sizeof(Way))
    way.kinds = 1
    for p in range(d.players):
        way.slots[p][0] = k.state.n_hand[p] if p != k.state.observer - 1 else 0
    memcpy(way.pool[0], k.unseen, COLOURS)
    way.total[0] = passengers(way.pool[0])


cdef void start_way(const Data* d, const Info* k, Way* way) noexcept nogil:
    cdef const Memory* m = &k.memory
    cdef int observer = k.state.observer - 1, p, c, pile
    if m.n_piles == 0:
        start_alike(d, k, way)
        return
    memset(way, 0, sizeof(Way))
    way.kinds = m.n_piles + 1
    for p in range(d.players):
        way.slots[p][0] = m.n_held[p] if p != observer else 0
    for c in range(COLOURS):
        way.pool[0][c] = d.tickets_each - m.piles[0][c] - m.recall[observer].held[c]
        for pile in range(m.n_piles):
            way.pool[pile + 1][c] = m.piles[pile][c] - m.recall[observer].drawn[pile][c]
    for pile in range(way.kinds):
        way.total[pile] = passengers(way.pool[pile])


cdef double follow_log(const Info* k, Rng* rng, Way* way) noexcept nogil:
    """Draws a way through the log; returns its weight, 0 if it came to an end."""
    cdef const Memory* m = &k.memory
    cdef int observer = k.state.observer - 1, now = 1, i, entry, p, c, kind, held
    cdef double odds[KINDS]
    cdef double sum, pick, weight = 1
    for i in range(m.n_log):
        entry = m.log[i]
        if entry == RESHUFFLED:
            now += 1
            continue
        if entry < PAID_ONE:
            if entry - DREW != observer:
                way.slots[entry - DREW][now] += 1
            continue
        p = (entry - PAID_ONE) >> 2
        c = (entry - PAID_ONE) & 3
        if p == observer:
            continue
        sum = 0
        held = 0
        for kind in range(now + 1):
            odds[kind] = 0
            held += way.slots[p][kind]
            if way.slots[p][kind] and way.pool[kind][c]:
                odds[kind] = <double>way.slots[p][kind] * way.pool[kind][c] / way.total[kind]
                sum += odds[kind]
        if sum <= 0:
            return 0
        weight *= 4 * sum / held  # the factor keeps the product in range and cancels out
        pick = rng_uniform(rng) * sum
        kind = 0
        while kind < now and (pick >= odds[kind] or odds[kind] == 0):
            pick -= odds[kind]
            kind += 1
        while odds[kind] == 0:  # rounding
            kind -= 1
        way.slots[p][kind] -= 1
        way.pool[kind][c] -= 1
        way.total[kind] -= 1
        way.got[p][kind][c] += 1
    return weight


cdef bint adds_up(const Data* d, const Info* k, const Way* way) noexcept nogil:
    """Whether each kind has as many tickets as places. Knowledge that came about in a game always does."""
    cdef int kind, p, places
    for kind in range(way.kinds):
        places = k.state.n_deck if kind == way.kinds - 1 else 0
        for p in range(d.players):
            places += way.slots[p][kind]
        if places != way.total[kind] or max(way.pool[kind][0], way.pool[kind][1], way.pool[kind][2], way.pool[kind][3]) > d.tickets_each:
            return False
    return True


cdef bint choose_way(const Data* d, const Info* k, Rng* rng, const Way* start, Way* way) noexcept nogil:
    """One way through the log. False: none was found."""
    cdef Way other
    cdef double weight, total = 0
    cdef int i, ways = 0, wanted = min(<int>MOST_WAYS, max(<int>LEAST_WAYS, <int>WORK // (k.memory.n_log + 1)))
    for i in range(TRIES):
        memcpy(&other, start, sizeof(Way))
        weight = follow_log(k, rng, &other)
        if weight > 0:
            total += weight
            if rng_uniform(rng) * total < weight:
                memcpy(way, &other, sizeof(Way))
            ways += 1
            if ways == wanted:
                break
    return ways > 0 and adds_up(d, k, way)


cdef bint deal_hand(const Info* k, Rng* rng, Way* way, State* s, int p) noexcept nogil:
    """Deals one hand. Whether its owner could have paid where he rang."""
    cdef const Memory* m = &k.memory
    cdef int kind, i, c, young = m.fresh[p]
    cdef uint8_t then[COLOURS]  # what he held when he rang
    memcpy(then, m.since[p], COLOURS)
    for kind in range(way.kinds - 1, -1, -1):
        for i in range(way.slots[p][kind]):
            c = draw(way.pool[kind], rng, way.total[kind])
            way.total[kind] -= 1
            way.got[p][kind][c] += 1
            s.hand[p][c] += 1
            if young:
                young -= 1
            else:
                then[c] += 1
            if kind == way.kinds - 1 and p == s.player:
                way.newest[c] += 1
    return not m.rang[p] or payable(then, m.group[p])


cdef void deal_all(const Data* d, const Info* k, Rng* rng, Way* way, State* s) noexcept nogil:
    """Hands and pile of a world. Those who rang come first, each dealt anew until it could pay then."""
    cdef Way before
    cdef int observer = k.state.observer - 1, rang, p, attempt
    for rang in range(1, -1, -1):
        for p in range(d.players):
            if p == observer or k.memory.rang[p] != rang:
                continue
            if rang == 0:
                deal_hand(k, rng, way, s, p)
                continue
            memcpy(&before, way, sizeof(Way))
            for attempt in range(RINGS):
                if deal_hand(k, rng, way, s, p):
                    break
                memcpy(way, &before, sizeof(Way))
                memset(s.hand[p], 0, COLOURS)
            else:
                deal_hand(k, rng, way, s, p)
    memcpy(s.deck, way.pool[way.kinds - 1], COLOURS)


cdef void settle_move(Rng* rng, Way* way, State* s) noexcept nogil:
    """What is hidden of another player's move action: the ticket he drew in it, and its colour while no ticket was paid."""
    cdef uint8_t tickets[COLOURS]
    cdef uint8_t* newest = way.newest
    memcpy(tickets, s.hand[s.player], COLOURS)
    if s.move.late:
        if not any_of(newest):
            newest = s.hand[s.player]
        memcpy(tickets, newest, COLOURS)
        s.move.late = 1 + draw(tickets, rng, passengers(tickets)) if any_of(tickets) else 0
        memcpy(tickets, s.hand[s.player], COLOURS)
        if s.move.late:
            tickets[s.move.late - 1] -= 1
    if s.move.colour == UNKNOWN:
        s.move.colour = draw(tickets, rng, passengers(tickets)) if any_of(tickets) else 0


cdef bint settle_turn(const Data* d, const Info* k, State* s) noexcept nogil:
    """Where another player's action can go on no further, it is over. False: then all would have seen it."""
    if s.phase == MOVING:
        if s.trail and not (can_go_on(s) and any_step(d, s, s.player)):
            end_action(d, s, NULL)
    elif s.phase == PAYING and not payable(s.hand[s.player], s.need):
        stop_paying(s)
        end_action(d, s, NULL)
    return s.player == k.state.player


cdef inline bint can_go_on(const State* s) noexcept nogil:
    cdef int c, left
    if s.move.free_open:
        return True
    for c in range(COLOURS):
        left = s.hand[s.player][c] - (s.move.late == c + 1)
        if left >= 3 and s.move.stage == PAID or left >= 1 and c == s.move.colour:
            return True
    return False


cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const Info* k = <const Info*>info
    cdef State* s = <State*>state
    cdef Way start, way
    cdef int attempt
    start_way(d, k, &start)
    for attempt in range(TRIES):
        memcpy(&way, &start, sizeof(Way))
        if way.kinds > 1 and not choose_way(d, k, rng, &start, &way):
            start_alike(d, k, &way)  # not known to happen: what is known of the piles is left out
        memcpy(s, &k.state, sizeof(State))
        s.observer = 0
        deal_all(d, k, rng, &way, s)
        if k.state.player == k.state.observer - 1:
            break
        if s.move.late == 1 + UNKNOWN or s.move.colour == UNKNOWN:
            settle_move(rng, &way, s)
            if s.trail:
                s.trail_move = s.move
        if settle_turn(d, k, s):
            break
    if memory != NULL:
        write_memory(k, &way, s, <Memory*>memory)


cdef void write_memory(const Info* k, const Way* way, const State* s, Memory* m) noexcept nogil:
    """What the players remember in a world: of each ticket in another hand, and of each one paid, of which kind it is."""
    cdef int p, pile
    memcpy(m, &k.memory, sizeof(Memory))
    memcpy(m.start_deck, s.deck, COLOURS)
    memcpy(m.start_bag, s.bag, COLOURS)
    if way.kinds > 1:
        for p in range(SEATS_AT_TABLE):
            if p != k.state.observer - 1:
                memcpy(m.recall[p].held, way.got[p][0], COLOURS)
                for pile in range(way.kinds - 1):
                    memcpy(m.recall[p].drawn[pile], way.got[p][pile + 1], COLOURS)
