"""Tramways: a cheap goal-directed policy (`weights`, `playout`) and an estimate of the result (`values`).

The policy thinks in points. A trip is worth the HP that it gives the mover, less those of others, its money and the bonus at its end; a
link is worth what passengers at its ends and the network that it joins promise for the rounds to come; stress costs what it will cost at
the end. Only what the player to move can see is looked at: his own cards, and the table. The numbers were found by changing some of them
at random and keeping what brought more points in games of one, two and four players that all play by this policy.
"""
from libc.math cimport exp
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from wattman.engine.abi cimport VALUES, GameC
from wattman.engine.games.tramways.bits cimport low, ones
from wattman.engine.games.tramways.paying cimport stress_of
from wattman.engine.games.tramways.options cimport list_options
from wattman.engine.games.tramways.rules cimport rank
from wattman.engine.games.tramways.state cimport (
    ADD,
    AT,
    BID,
    BUILD,
    BUY,
    CALM,
    COMMERCE,
    CONSTRUCT,
    DISCARD,
    EXCHANGE,
    EXTEND,
    FROM,
    FUNFAIR,
    ICON_CALM,
    ICON_CON,
    ICON_MONEY,
    ICON_PAX,
    ICON_UP,
    ICON_WORKER,
    INDUSTRY,
    KIND,
    LAST,
    LAY,
    LEISURE,
    MARKET,
    MONEY,
    MOVE,
    N_KINDS,
    NONE,
    OVER,
    PARK,
    PASS,
    PAY,
    RESIDENCE,
    RIDE,
    SEATS,
    STATION,
    TAKE,
    TERMINALS,
    TO,
    TYPE,
    UPGRADE,
    WORKER,
    Data,
    Link,
    Player,
    State,
    in_play,
    is_end,
    type_of,
)
from wattman.engine.games.tramways.tracks cimport lay_costs
from wattman.engine.games.tramways.trips cimport Plan, Wishes, best_trip
from wattman.engine.policy cimport draw_weighted, soften
from wattman.engine.rng cimport Rng

cdef enum:
    MOST = 320          # legal decisions that a playout has room for

cdef float TILE = 0.1              # what laying a tile takes, in points
cdef float PRIOR_SHARPNESS = 2.0
cdef float PLAYOUT_SHARPNESS = 3.0


# --- what things are worth to the player to move ---

cdef inline float rounds_left(const Data* d, const State* s) noexcept nogil:
    """With this one; a part of it may be over."""
    return d.rounds - s.round + (<float>0.7 if s.lap == 0 else <float>0.35)


cdef float money_worth(const Data* d, const State* s) noexcept nogil:
    """A $ in points: more for who can bring passengers to the Funfair, or to Leisure, and buy points there."""
    cdef float saved = <float>0.04 + <float>0.025 * (d.rounds - s.round), access = 0
    cdef int i, a, b
    for i in range(s.n_links):
        if s.links[i].owner == s.player:
            a = s.links[i].a
            b = s.links[i].b
            if b == d.special + FUNFAIR or a == d.special + FUNFAIR:
                access = <float>0.7
                break
            if type_of(d, s, a) == LEISURE + 1 or type_of(d, s, b) == LEISURE + 1:
                access = <float>0.3
    # In the last round what comes in late buys nothing any more.
    return saved * (1 - access) + <float>0.48 * access * (1 if s.round < d.rounds else <float>0.3)


cdef float stress_worth(const Data* d, const State* s, int change) noexcept nogil:
    """What a change of the own stress costs in points."""
    cdef int now = s.players[s.player].stress, then = max(0, min(d.stress_most, now + change))
    # Early stress can be worked off; late it stays.
    cdef float part = <float>0.2 + <float>0.8 * s.round / d.rounds
    return (d.penalty[then] - d.penalty[now] + <float>0.49 * (then - now)) * part


cdef float card_worth(const Data* d, int kind) noexcept nogil:
    """A card of the own deck, for all the rounds it comes round in."""
    cdef int icons = d.icons[kind]
    cdef float worth = <float>0.6 * d.rails[kind] + <float>0.15 * d.money[kind] + <float>0.45 * ones(icons & 63)
    if icons >> ICON_WORKER & 1:
        worth += <float>0.35
    if icons >> ICON_CON & 1:
        worth += <float>0.5
    if icons >> ICON_UP & 1:
        worth += <float>0.65
    if icons >> ICON_CALM & 1:
        worth += <float>0.55
    if icons >> ICON_PAX & 1:
        worth += <float>0.2
    return worth


cdef float end_worth(const Data* d, const State* s, int t) noexcept nogil:
    """What a link that ends here promises in each round."""
    cdef int i, own = 0, which = t - d.special
    cdef float worth = <float>0.04 * s.waiting[t]
    if which >= 0:
        worth += <float>0.21 if which == EXCHANGE else <float>0.35 if which == FUNFAIR else <float>0.7 if which == STATION else -<float>0.15
    elif type_of(d, s, t):
        worth += <float>0.3
    else:
        worth += <float>0.1  # an own parcel, to be built on
    for i in range(s.n_links):
        if s.links[i].owner == s.player and (s.links[i].a == t or s.links[i].b == t):
            own += 1
    return worth + <float>0.44 * min(own, 2)


cdef inline int apart(const Data* d, const State* s, int a, int b) noexcept nogil:
    """How many squares are between two places, whatever lies there."""
    cdef int i, j, x, y, k = d.grid.columns, least = 1000
    for i in range(2):
        x = s.at[a][i]
        for j in range(2):
            y = s.at[b][j]
            if x != NONE and y != NONE:
                least = min(least, abs(x // k - y // k) + abs(x % k - y % k))
    return least - 1


cdef float link_worth(const Data* d, const State* s, int a, int b, float left) noexcept nogil:
    """What a new link promises, less what its tiles take."""
    return (end_worth(d, s, a) + end_worth(d, s, b)) * left - TILE * apart(d, s, a, b)


cdef float best_link(const Data* d, const State* s, int a, float left) noexcept nogil:
    """The one from `a` to a later place that is worth most, of those not too far apart."""
    cdef int b
    cdef float most = -10, first = end_worth(d, s, a) * left
    for b in range(a + 1, d.terminals):
        if is_end(d, s, b, s.player) and apart(d, s, a, b) <= d.longest:
            most = max(most, first + end_worth(d, s, b) * left - TILE * apart(d, s, a, b))
    return most


cdef void make_wishes(const Data* d, const State* s, Wishes* w) noexcept nogil:
    cdef int t, type
    cdef float money = money_worth(d, s)
    cdef float by_type[5]
    w.hp_own = 1
    w.hp_rival = <float>0.75 / max(1, d.players - 1) if d.players > 1 else 0
    w.money = money
    w.each_hp[0] = max(<float>0, 1 - d.leisure_price * money)
    w.each_hp[1] = max(<float>0, 1 - d.funfair_price * money)
    w.park = -stress_worth(d, s, d.park_stress)
    by_type[0] = 0
    by_type[RESIDENCE + 1] = -stress_worth(d, s, d.residence_stress)
    by_type[INDUSTRY + 1] = -stress_worth(d, s, d.industry_stress) + <float>1.4 * d.industry_workers * (s.round < d.rounds)
    by_type[COMMERCE + 1] = <float>0.1 * (s.round < d.rounds) if s.players[s.player].money >= d.commerce_price else 0
    by_type[LEISURE + 1] = 0
    for t in range(d.terminals):
        type = type_of(d, s, t) if t < d.special else 0
        w.stop[t] = by_type[type]
    w.stop[d.special + FUNFAIR] = -<float>0.3  # it takes another card


# --- gains of decisions ---

cdef float gain_of_kind(const Data* d, const State* s, int action, Plan* plan) noexcept nogil:
    cdef const Player* p = &s.players[s.player]
    cdef Wishes wishes
    cdef float left = rounds_left(d, s)
    if action == BUILD:
        return <float>1.5 * left
    if action == MOVE:
        make_wishes(d, s, &wishes)
        return -<float>0.4 + <float>0.9 * best_trip(d, s, &wishes, plan)
    if action == CONSTRUCT:
        return d.construct_hp + <float>0.125 * left
    if action == EXTEND:
        return d.extend_hp + <float>0.035 * left
    if action == UPGRADE:
        return <float>0.74 * left * (d.upgraded_hp - d.link_hp)
    if action == ADD:
        return <float>0.3 * left
    if action == MONEY:
        return <float>4.5 * money_worth(d, s)
    if action == WORKER:
        return (<float>0.55 * left if p.workers == 0 else <float>0.04 * left) - <float>0.1
    if action == CALM:
        return -stress_worth(d, s, -1) * <float>0.58
    return 0


cdef float gain_of_card(const Data* d, const State* s, int kind) noexcept nogil:
    """Paying with a card: better with one that does much of what is needed and is of little use else."""
    cdef float gain = -<float>0.18 * card_worth(d, kind)
    if s.action == BUILD:
        return gain + <float>0.6 * min(<int>d.rails[kind], <int>s.cost)
    if s.action == MONEY:
        return d.money[kind] * money_worth(d, s) + gain * <float>0.5
    if s.action == CALM:
        return -stress_worth(d, s, -1) + gain * <float>0.5
    return gain


cdef float gain_of_done(const Data* d, const State* s) noexcept nogil:
    """Stopping where one could name more cards: saves cards, but not stress."""
    if s.phase == PAY:
        if s.action < MONEY:
            return -stress_worth(d, s, stress_of(d, s)) * <float>0.6
        return 0
    return 0


cdef void gains(const Data* d, const State* s, const int32_t* ids, int n, Plan* plan, float* out) noexcept nogil:
    """What each legal decision brings in points, roughly. `plan`: a trip if one is begun, else room for one."""
    cdef int i, x, k
    cdef int costs[8]
    cdef float money = money_worth(d, s), average
    cdef Wishes wishes
    cdef const Player* p = &s.players[s.player]
    if s.phase == LAY:
        lay_costs(d, s, costs)
        k = 0
        for i in range(n):
            if ids[i] == d.join:
                out[i] = 1
                continue
            while not s.options >> k & 1:
                k += 1
            out[i] = <float>-0.8 * (costs[k] - 1)
            k += 1
        return
    if s.phase == RIDE or (s.phase == AT and s.action == MOVE):
        if plan.n == 0:
            make_wishes(d, s, &wishes)
            best_trip(d, s, &wishes, plan)
        k = -1
        if s.phase == RIDE:
            if plan.n > s.n_rides:
                x = plan.ride[s.n_rides]
                k = d.ride + (s.links[x].b if s.links[x].a == s.here else s.links[x].a) * d.players + s.links[x].owner
            else:
                k = d.stop
        else:
            k = d.at + plan.origin
        for i in range(n):
            out[i] = 2 if ids[i] == k else 0
        return
    if s.phase == DISCARD:
        average = 0
        for i in range(p.n_hand):
            average += card_worth(d, p.hand[i])
        for i in range(p.n_pool):
            average += card_worth(d, p.pool[i])
        for i in range(p.n_deck):
            average += card_worth(d, p.deck[i])
        average /= max(1, p.n_hand + p.n_pool + p.n_deck)
        for i in range(n):
            if ids[i] == d.done:
                out[i] = 0
                continue
            x = ids[i] - d.trash if ids[i] < d.purge else ids[i] - d.purge
            out[i] = <float>0.24 * (d.rounds - s.round) * (average - <float>0.075 - card_worth(d, x))
            if s.discards >= d.free_discards:
                out[i] -= d.fee * money
            if p.n_hand + p.n_pool + p.n_deck <= d.hand_limit:
                out[i] -= 1
        return
    for i in range(n):
        x = ids[i]
        if x == d.done:
            out[i] = gain_of_done(d, s)
        elif s.phase == PAY:
            out[i] = gain_of_card(d, s, x - d.pay)
        elif s.phase == KIND:
            out[i] = gain_of_kind(d, s, x - d.kind, plan)
        elif s.phase == BID:
            out[i] = 0 if x == d.fold else <float>0.5 - stress_worth(d, s, d.first_stress[s.round - 1]) - (x - d.bid + 1) * (money + <float>0.05)
        elif s.phase == TAKE:
            out[i] = card_worth(d, x - d.take + d.auction_kind)
        elif s.phase == FROM:
            out[i] = best_link(d, s, x - d.from_, rounds_left(d, s)) if s.action == BUILD else end_worth(d, s, x - d.from_)
        elif s.phase == TO:
            out[i] = link_worth(d, s, s.a, x - d.to, rounds_left(d, s)) if s.action == BUILD else end_worth(d, s, x - d.to)
        elif s.phase == AT:
            out[i] = end_worth(d, s, x - d.at)
        elif s.phase == TYPE:
            out[i] = 0
        elif s.phase == BUY:
            out[i] = (x - d.buy) * (1 - (d.funfair_price if s.b == d.special + FUNFAIR else d.leisure_price) * money)
        else:  # the market
            out[i] = <float>0.1 * (d.rounds - s.round) * card_worth(d, d.development_kind + x - d.market) - d.commerce_price * money


cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil:
    cdef Plan plan
    plan.n = 0
    gains(<const Data*>game.data, <const State*>state, ids, n, &plan, out)
    soften(out, n, PRIOR_SHARPNESS)


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef Scratch* note = <Scratch*>scratch
    cdef int32_t ids[MOST]
    cdef float out[MOST]
    cdef int n = list_options(d, s, ids)
    cdef int32_t choice
    if s.phase == KIND or not note.planned or note.player != s.player:
        note.plan.n = 0
        note.planned = 0
    gains(d, s, ids, n, &note.plan, out)
    if s.phase == RIDE or (s.phase == AT and s.action == MOVE):
        note.planned = 1
        note.player = s.player
        return draw_weighted(ids, out, n, rng) if note.plan.n == 0 else best(ids, out, n)
    soften(out, n, PLAYOUT_SHARPNESS)
    choice = draw_weighted(ids, out, n, rng)
    if s.phase == KIND and choice == d.kind + MOVE:
        note.planned = 1
        note.player = s.player
    return choice


cdef inline int32_t best(const int32_t* ids, const float* out, int n) noexcept nogil:
    cdef int i, most = 0
    for i in range(1, n):
        if out[i] > out[most]:
            most = i
    return ids[most]


# --- values ---

cdef float prospects(const Data* d, const State* s, int player) noexcept nogil:
    """What a player's money and network promise for the rest of the game: a regression over the policy's own games of 1, 2 and 4 players."""
    cdef const Player* p = &s.players[player]
    cdef const Link* link
    cdef float left = d.rounds - s.round + (<float>0.5 if s.lap == 0 else <float>0.2), money = <float>0.1
    cdef int i, links = 0, tiles = 0
    for i in range(s.n_links):
        link = &s.links[i]
        if link.owner == player:
            links += 1 + link.upgraded
            tiles += link.tiles
            if link.a == d.special + FUNFAIR or link.b == d.special + FUNFAIR:
                money = <float>0.55
    return (
        left * (<float>4.7 + <float>0.3 * min(links, 8) + <float>0.18 * tiles)
        + p.money * money * min(left, <float>1)
        + <float>1.8 * min(<int>p.workers, 4) * (left > 1)
    )


cdef void values(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int places[SEATS]
    cdef double points[SEATS]
    cdef double share[SEATS]
    cdef double total = 0, best_other, spread, stress
    cdef int p, q
    cdef bint over = s.phase == OVER
    for p in range(d.players):
        points[p] = s.players[p].hp - d.penalty[s.players[p].stress]
        if not over:
            points[p] += prospects(d, s, p)
    if over and d.players > 1:
        rank(d, s, places)
    spread = 2.5 + 1.5 * (d.rounds - s.round)
    for p in range(d.players):
        if over:
            share[p] = places[p] == 0 if d.players > 1 else 1
        else:
            share[p] = exp(max(-30.0, min(30.0, points[p] / spread)))
        total += share[p]
    for p in range(d.players):
        best_other = points[p] if d.players == 1 else -1e9
        for q in range(d.players):
            if q != p:
                best_other = max(best_other, points[q])
        out[VALUES * p] = share[p] / total
        out[VALUES * p + 1] = points[p] - best_other if d.players > 1 else points[p]
        out[VALUES * p + 2] = points[p]
