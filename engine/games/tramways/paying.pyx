"""Paying with cards: which payments there are for what an action needs, and how many rails a hand can pay.

Stress is icons used minus cards used. What a set of cards can pay at least stress is worked out from counts (`least_stress`), for an
action needs at most three icons besides rails: each icon comes from another card if the cards allow it, and the rails of a card that
gives an icon cost one more. A payment is legal if none of its proper parts pays at the same stress or less, which is to say: without any
one of its cards the rest pays only at more stress, or not at all.
"""
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from wattman.engine.games.tramways.bits cimport bit, low, ones
from wattman.engine.games.tramways.state cimport (
    ADD,
    BIDDING,
    BUILD,
    CALM,
    CARDS,
    CONSTRUCT,
    DESTINATIONS,
    EXTEND,
    FUNFAIR,
    ICON_CALM,
    ICON_CON,
    ICON_F,
    ICON_LOT,
    ICON_MONEY,
    ICON_PAX,
    ICON_S,
    ICON_STRIP,
    ICON_UP,
    ICON_WORKER,
    ICONS,
    LAST,
    MONEY,
    MOVE,
    NONE,
    STATION,
    TERMINALS,
    UPGRADE,
    WORKER,
    Data,
    Player,
    State,
    in_play,
    type_of,
)


cdef void look_at(const Data* d, const Player* p, Hand* out) noexcept nogil:
    cdef int i, x, kind
    memset(out, 0, sizeof(Hand))
    out.n = p.n_hand
    out.room = d.stress_most - p.stress
    for i in range(p.n_hand):
        kind = p.hand[i]
        x = d.icons[kind]
        out.rails += d.rails[kind]
        out.worth[d.rails[kind]] |= bit(i)
        if several(x & DESTINATIONS):
            out.double |= bit(i)
        while x:
            out.icon[low(x)] |= bit(i)
            x &= x - 1


cdef inline bint several(uint64_t cards) noexcept nogil:
    """Whether there is more than one."""
    return (cards & (cards - 1)) != 0


cdef inline int least_rails(const uint64_t* worth, uint64_t cards) noexcept nogil:
    """Rails of the card that has the fewest; `cards` is not empty."""
    return 0 if cards & worth[0] else 1 if cards & worth[1] else 2 if cards & worth[2] else 3


cdef inline uint64_t without_least(const uint64_t* worth, uint64_t cards) noexcept nogil:
    """`cards` without one that has the fewest rails."""
    return cards & ~bit(low(cards & worth[least_rails(worth, cards)]))


# --- what an action needs ---

cdef inline int icon_of(const Data* d, const State* s, int t) noexcept nogil:
    """The icons that will do for a link that ends here, as bits; the Funfair's are special."""
    cdef int type = type_of(d, s, t)
    if type:
        return 1 << (type - 1)
    if d.is_parcel[t]:
        return 1 << ICON_LOT
    return 1 << ICON_S if t == d.special + STATION else 0


cdef void rails_for(const Data* d, const State* s, const Hand* hand, int player, int* out, int* funfair) noexcept nogil:
    """How many rails can be paid together with the icon of each end, -1: none; and with what a link to the Funfair needs."""
    cdef int by_icon[ICONS]
    cdef int i, t, icons, most
    cdef uint64_t cards
    cdef const Player* p = &s.players[player]
    for i in range(ICONS):
        by_icon[i] = -1
        cards = hand.icon[i]
        if cards:
            by_icon[i] = hand.rails if hand.room else hand.rails - least_rails(hand.worth, cards)
    for t in range(d.terminals):
        out[t] = -1
        if not in_play(s, t):
            continue
        icons = icon_of(d, s, t)
        if icons == 1 << ICON_LOT:
            if s.owner[t] != player:
                continue
            cards = hand.icon[ICON_LOT]
            while cards:
                i = low(cards)
                cards &= cards - 1
                if p.hand[i] == d.card_of[t]:
                    out[t] = hand.rails if hand.room else hand.rails - d.rails[p.hand[i]]
        elif icons:
            out[t] = by_icon[low(icons)]
    most = by_icon[ICON_F]
    cards = hand.icon[0] | hand.icon[1] | hand.icon[2] | hand.icon[3] | hand.icon[ICON_S]
    if several(cards):
        i = least_rails(hand.worth, cards)
        most = max(most, hand.rails - (0 if hand.room > 1 else i if hand.room else i + least_rails(hand.worth, without_least(hand.worth, cards))))
    if hand.double and hand.room:
        most = max(most, hand.rails - (0 if hand.room > 1 else least_rails(hand.worth, hand.double)))
    funfair[0] = most
    out[d.special + FUNFAIR] = most


cdef inline void variant(Need* need, int first, int second, int third) noexcept nogil:
    """One way to pay; an icon 0 is none."""
    cdef int v = need.variants
    need.variants += 1
    need.n[v] = 0
    if first:
        need.slot[v][need.n[v]] = first
        need.n[v] += 1
    if second:
        need.slot[v][need.n[v]] = second
        need.n[v] += 1
    if third:
        need.slot[v][need.n[v]] = third
        need.n[v] += 1


cdef void need_of(const Data* d, const State* s, int action, int a, int b, int type, int cost, Need* out) noexcept nogil:
    """What an action needs. `a` and `b`: ends of a link, the place of what is built, origin and destination; `type`: of what is built."""
    cdef int funfair = d.special + FUNFAIR, first = 0, icons
    out.rails = out.variants = 0
    out.lot[0] = out.lot[1] = -1
    if action == BUILD or action == UPGRADE:
        first = 1 << ICON_UP if action == UPGRADE else 0
        if action == BUILD:
            out.rails = cost
        if a == funfair or b == funfair:
            variant(out, first, DESTINATIONS, DESTINATIONS)
            variant(out, first, 1 << ICON_F, 0)
            return
        icons = icon_of(d, s, a) | icon_of(d, s, b)
        if d.is_parcel[a] and not s.built[a]:
            out.lot[0] = d.card_of[a]
        if d.is_parcel[b] and not s.built[b]:
            out.lot[1] = d.card_of[b]
        if icons:
            variant(out, first, icons, 0)
    elif action == CONSTRUCT:
        out.lot[0] = d.card_of[a]
        variant(out, 1 << ICON_CON, 1 << ICON_LOT, 1 << type)
    elif action == EXTEND:
        variant(out, (1 << ICON_UP) | (1 << ICON_CON), 1 << (s.built[a] - 1), 0)
    elif action == MOVE:
        if b == funfair:
            variant(out, 1 << ICON_STRIP, DESTINATIONS, DESTINATIONS)
            variant(out, 1 << ICON_STRIP, 1 << ICON_F, 0)
        else:
            variant(out, 1 << ICON_STRIP, icon_of(d, s, b), 0)
    elif action == ADD:
        variant(out, 1 << ICON_PAX, 0, 0)


# --- sets of cards ---

cdef struct Table:
    # Cards laid out for a need: those named first, then those of the hand that could follow, by kind.
    int n
    int room
    int rails                   # needed
    int variants
    int slots[2]
    bint twins[2]               # whether the last two slots are the same
    uint64_t slot[2][3]         # cards that will do
    uint64_t double
    uint64_t worth[4]
    uint8_t kind[CARDS]
    uint8_t place[CARDS]        # in the hand


cdef inline int icons_of(const Data* d, const Need* need, int kind) noexcept nogil:
    cdef int icons = d.icons[kind]
    if icons >> ICON_LOT & 1 and kind != need.lot[0] and kind != need.lot[1]:
        icons &= ~(1 << ICON_LOT)
    return icons


cdef inline void lay_out(const Data* d, const Need* need, Table* t, int kind, int place, bint all_cards) noexcept nogil:
    """Adds a card to the table if it is of any use, or in any case."""
    cdef int v, i, icons = icons_of(d, need, kind), useful = all_cards or (need.rails and d.rails[kind])
    cdef uint64_t here = bit(t.n)
    for v in range(need.variants):
        for i in range(need.n[v]):
            if icons & need.slot[v][i]:
                t.slot[v][i] |= here
                useful = True
    if useful:
        t.worth[d.rails[kind]] |= here
        if several(icons & DESTINATIONS):
            t.double |= here
        t.kind[t.n] = kind
        t.place[t.n] = place
        t.n += 1


cdef inline void begin_table(const Need* need, int room, Table* t) noexcept nogil:
    cdef int v
    memset(t, 0, sizeof(Table) - 2 * CARDS)
    t.room = room
    t.rails = need.rails
    t.variants = need.variants
    for v in range(need.variants):
        t.slots[v] = need.n[v]
        t.twins[v] = need.n[v] > 1 and need.slot[v][need.n[v] - 1] == need.slot[v][need.n[v] - 2]


cdef inline int rails_of(const Table* t, uint64_t cards) noexcept nogil:
    return ones(cards & t.worth[1]) + 2 * ones(cards & t.worth[2]) + 3 * ones(cards & t.worth[3])


cdef int with_rails(const Table* t, int v, uint64_t cards) noexcept nogil:
    """The least stress at which some of `cards` pay rails and one icon, or two alike."""
    cdef int spare = rails_of(t, cards) - t.rails, least, second
    cdef uint64_t giving = cards & t.slot[v][0], double
    if spare < 0 or giving == 0:
        return NEVER
    least = least_rails(t.worth, giving)
    if t.slots[v] == 1:
        return 0 if spare >= least else 1
    double = cards & t.double
    if giving & (giving - 1):
        second = least_rails(t.worth, without_least(t.worth, giving))
        if spare >= least + second:
            return 0
        if spare >= least:
            return 1
    elif double == 0:
        return NEVER
    return 1 if double and spare >= least_rails(t.worth, double) else 2


cdef int without_rails(const Table* t, int v, uint64_t cards) noexcept nogil:
    """The least stress at which some of `cards` show one to three icons."""
    cdef uint64_t a = cards & t.slot[v][0], b, c
    cdef int missing
    if a == 0:
        return NEVER
    if t.slots[v] == 1:
        return 0
    b = cards & t.slot[v][1]
    if b == 0:
        return NEVER
    if t.slots[v] == 2:
        return 0 if several(a | b) else 1
    c = cards & t.slot[v][2]
    if t.twins[v]:
        if several(b):
            return 0 if ones(a | b) > 2 else 1
        if b & t.double:
            return 1 if several(a | b) else 2
        return NEVER
    if c == 0:
        return NEVER
    missing = max(0, 3 - ones(a | b | c))
    return max(missing, 0 if several(a | b) and several(a | c) and several(b | c) else 1)


cdef inline int least_stress(const Table* t, uint64_t cards) noexcept nogil:
    cdef int v, stress, best = NEVER
    for v in range(t.variants):
        stress = with_rails(t, v, cards) if t.rails else without_rails(t, v, cards)
        best = min(best, stress)
    return best


cdef bint is_payment(const Table* t, uint64_t cards, int stress) noexcept nogil:
    """Whether no proper part of `cards`, which pay at `stress`, pays at that or less."""
    cdef uint64_t left = cards
    if stress > t.room:
        return False
    while left:
        if least_stress(t, cards & ~(left & (~left + 1))) <= stress:
            return False
        left &= left - 1
    return True


cdef bint leads_on(const Table* t, uint64_t cards, int following) noexcept nogil:
    """Whether `cards`, some of those from `following` on added, are a payment."""
    cdef int i, stress = least_stress(t, cards)
    if stress < NEVER and is_payment(t, cards, stress):
        return True
    # Whatever is added has to lower the stress.
    if stress == 0 or following == t.n or least_stress(t, cards | (bit(t.n) - bit(following))) > min(t.room, stress - 1):
        return False
    for i in range(following, t.n):
        if (i == following or t.kind[i] != t.kind[i - 1]) and leads_on(t, cards | bit(i), i + 1):
            return True
    return False


cdef bint payable(const Data* d, const State* s, const Hand* hand, const Need* need) noexcept nogil:
    """Whether the hand can pay."""
    cdef Table t
    cdef int i
    cdef const Player* p = &s.players[s.player]
    if need.variants == 0:
        return False
    begin_table(need, hand.room, &t)
    for i in range(p.n_hand):
        lay_out(d, need, &t, p.hand[i], i, False)
    return least_stress(&t, bit(t.n) - 1) <= t.room


cdef inline void lay_out_all(const Data* d, const State* s, const Need* need, Table* t) noexcept nogil:
    cdef int i
    cdef const Player* p = &s.players[s.player]
    begin_table(need, d.stress_most - p.stress, t)
    for i in range(s.n_named):
        lay_out(d, need, t, s.named[i], i, True)
    for i in range(p.n_hand):
        if p.hand[i] >= s.last:
            lay_out(d, need, t, p.hand[i], i, False)


cdef int stress_of(const Data* d, const State* s) noexcept nogil:
    """The stress of the payment named so far; NEVER if it is none yet."""
    cdef Need need
    cdef Table t
    cdef int i
    if s.action >= MONEY:
        return 0
    need_of(d, s, s.action, s.a, s.b, s.type, s.cost, &need)
    begin_table(&need, d.stress_most - s.players[s.player].stress, &t)
    for i in range(s.n_named):
        lay_out(d, &need, &t, s.named[i], i, True)
    return least_stress(&t, bit(t.n) - 1)


cdef bint settled(const Data* d, const State* s) noexcept nogil:
    """Whether the cards named pay and no card could follow, whatever is in the hand."""
    cdef int i, sum = 0
    if s.n_named == 0:
        return False
    if s.action == BIDDING:
        for i in range(s.n_named):
            sum += d.money[s.named[i]]
        return sum >= s.cost
    if s.action == CALM:
        return s.n_named == s.players[s.player].stress
    return s.action < MONEY and stress_of(d, s) == 0


cdef bint coins_lead_on(const uint8_t* money, int n, int following, int sum, int least, int owed) noexcept nogil:
    """Whether cards worth `sum`, the smallest worth `least`, with some from `following` on make a payment without one too many."""
    cdef int i
    if sum >= owed:
        return sum - least < owed
    for i in range(following, n):
        if money[i] and coins_lead_on(money, n, i + 1, sum + money[i], min(least, money[i]), owed):
            return True
    return False


cdef uint64_t bid_options(const Data* d, const State* s) noexcept nogil:
    cdef const Player* p = &s.players[s.player]
    cdef uint8_t money[CARDS]
    cdef int i, sum = 0, least = NONE
    cdef uint64_t options = 0
    for i in range(s.n_named):
        sum += d.money[s.named[i]]
        least = min(least, d.money[s.named[i]])
    for i in range(p.n_hand):
        money[i] = d.money[p.hand[i]] if p.hand[i] >= s.last else 0
    for i in range(p.n_hand):
        if money[i] and not (i and p.hand[i] == p.hand[i - 1]):
            if coins_lead_on(money, p.n_hand, i + 1, sum + money[i], min(least, money[i]), s.cost):
                options |= bit(i)
    return options


cdef uint64_t payment_options(const Data* d, const State* s) noexcept nogil:
    """The cards that may be named next, by their places in the hand; LAST: done."""
    cdef const Player* p = &s.players[s.player]
    cdef Need need
    cdef Table t
    cdef int i, icon, stress
    cdef uint64_t options = 0, named
    if s.action == BIDDING:
        return bid_options(d, s)
    if s.action >= MONEY:
        icon = ICON_MONEY if s.action == MONEY else ICON_WORKER if s.action == WORKER else ICON_CALM
        if s.action != CALM or s.n_named < p.stress:
            for i in range(p.n_hand):
                if p.hand[i] >= s.last and d.icons[p.hand[i]] >> icon & 1 and not (i and p.hand[i] == p.hand[i - 1]):
                    options |= bit(i)
        return options | bit(LAST) if s.n_named else options
    need_of(d, s, s.action, s.a, s.b, s.type, s.cost, &need)
    lay_out_all(d, s, &need, &t)
    named = bit(s.n_named) - 1
    for i in range(s.n_named, t.n):
        if (i == s.n_named or t.kind[i] != t.kind[i - 1]) and leads_on(&t, named | bit(i), i + 1):
            options |= bit(t.place[i])
    if s.n_named:
        stress = least_stress(&t, named)
        if stress < NEVER and is_payment(&t, named, stress):
            options |= bit(LAST)
    return options
