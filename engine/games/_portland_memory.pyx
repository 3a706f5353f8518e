"""What the players of Portland have seen and can remember beyond what lies on the table.

*Known* cards of a hand were taken face up. *Lots* are cards drawn blind, told apart by the pile they came from (a reshuffle begins a new
one, made of the discards, which all have seen) and by what they cannot be: who had to use passes for a type has shown that he had no
more cards of it. A payment takes known cards first; what it takes beyond them came out of a lot, and where it could have come out of
several that differ, it is kept in mind as *spent* and left to `fill`.

All this is the same for all observers of a hand. What differs is that each knows his own blind draws (`own`) and his own tickets.

With two players all is known at a reshuffle: the pile is empty then, so whatever is not seen is in the other's hand. With more players that
holds for a pile of which one player has all that is left.

The lists are long enough for any game that people play. If one is full, the oldest entries are taken together: that forgets something, and
rules nothing out that is possible.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from wattman.engine.games._portland_state cimport NONE, NORMAL, OFFERED, SEATS, TICKETS, TYPES, UNKNOWN, Data, State, bits_of, has, low_bit, put


cdef void remember_deal(const Data* d, Memory* m) noexcept nogil:
    memset(m, 0, sizeof(Memory))
    m.players = d.players
    m.wild = d.wild
    memset(m.offer_owner, NONE, OFFERED)
    m.n_piles = 1
    memcpy(m.pile[0], d.count, TYPES)
    memcpy(m.start, d.count, TYPES)


# --- lots ---

cdef inline uint16_t squeeze(uint16_t mask, int bit) noexcept nogil:
    """The mask without that bit's place."""
    return (mask & ((1 << bit) - 1)) | (mask >> (bit + 1) << bit)


cdef void drop_lot(Memory* m, int player, int lot) noexcept nogil:
    cdef Hand* h = &m.hand[player]
    cdef int i
    h.n_lots -= 1
    memmove(&h.lots[lot], &h.lots[lot + 1], (h.n_lots - lot) * sizeof(Lot))
    memset(&h.lots[h.n_lots], 0, sizeof(Lot))
    for i in range(h.n_spent):
        h.spent[i].lots = squeeze(h.spent[i].lots, lot)
    for i in range(h.n_limits):
        h.limits[i].lots = squeeze(h.limits[i].lots, lot)
    for i in range(m.n_guards):
        m.guards[i].lots[player] = squeeze(m.guards[i].lots[player], lot)


cdef void drop_spent(Hand* h, int entry) noexcept nogil:
    cdef int i
    h.n_spent -= 1
    memmove(&h.spent[entry], &h.spent[entry + 1], (h.n_spent - entry) * sizeof(Spent))
    memset(&h.spent[h.n_spent], 0, sizeof(Spent))
    for i in range(h.n_limits):
        if h.limits[i].spent > entry:
            h.limits[i].spent -= 1


cdef void drop_guard(Memory* m, int guard) noexcept nogil:
    m.n_guards -= 1
    memmove(&m.guards[guard], &m.guards[guard + 1], (m.n_guards - guard) * sizeof(Guard))
    memset(&m.guards[m.n_guards], 0, sizeof(Guard))


cdef void take_out(Memory* m, int player, int lot, int kind, int n, int entry) noexcept nogil:
    """So many cards of a type, of which all know now that they came from that lot, were paid. `entry`: which of `spent` it was."""
    cdef Hand* h = &m.hand[player]
    cdef Guard* guard
    cdef int i, pile = h.lots[lot].pile
    h.lots[lot].n -= n
    m.pile[pile][kind] -= n
    if keeps(m, player):
        m.own[player][pile][kind] -= n
    for i in range(h.n_limits):
        if h.limits[i].lots >> lot & 1 and entry >= h.limits[i].spent:
            h.limits[i].base[kind] += n
    if kind == m.wild:
        return
    for i in range(m.n_guards):
        guard = &m.guards[i]
        if guard.lots[player] >> lot & 1:
            seen_of_guard(guard, n)
            if keeps(m, player):
                guard.own[player] -= n


cdef inline void seen_of_guard(Guard* guard, int n) noexcept nogil:
    guard.least -= min(n, <int>guard.least)
    if guard.most != NO_BOUND:
        guard.most -= min(n, <int>guard.most)


cdef void remove_pile(Memory* m, int pile) noexcept nogil:
    """A pile of which nothing is left in a lot."""
    cdef int p, i
    m.n_piles -= 1
    memmove(m.pile[pile], m.pile[pile + 1], (m.n_piles - pile) * TYPES)
    memset(m.pile[m.n_piles], 0, TYPES)
    for p in range(SEATS):
        memmove(m.own[p][pile], m.own[p][pile + 1], (m.n_piles - pile) * TYPES)
        memset(m.own[p][m.n_piles], 0, TYPES)
        for i in range(m.hand[p].n_lots):
            m.hand[p].lots[i].pile -= m.hand[p].lots[i].pile > pile
    i = 0
    while i < m.n_guards:
        if m.guards[i].pile == pile:
            drop_guard(m, i)
            continue
        m.guards[i].pile -= m.guards[i].pile > pile
        i += 1


cdef void merge_piles(Memory* m, int one, int other) noexcept nogil:
    """Tells two piles, one before the other, apart no more."""
    cdef int p, i
    i = 0
    while i < m.n_guards:
        if m.guards[i].pile == one:
            drop_guard(m, i)
        else:
            i += 1
    for i in range(TYPES):
        m.pile[one][i] += m.pile[other][i]
        for p in range(SEATS):
            m.own[p][one][i] += m.own[p][other][i]
    for p in range(SEATS):
        for i in range(m.hand[p].n_lots):
            if m.hand[p].lots[i].pile == other:
                m.hand[p].lots[i].pile = one
    remove_pile(m, other)


cdef void merge_lots(Memory* m, int player, int one, int other) noexcept nogil:
    """Tells two lots, one before the other, apart no more."""
    cdef Hand* h = &m.hand[player]
    cdef int i
    cdef uint16_t both = 1 << one | 1 << other
    if h.lots[one].pile != h.lots[other].pile:
        merge_piles(m, min(h.lots[one].pile, h.lots[other].pile), max(h.lots[one].pile, h.lots[other].pile))
    i = 0
    while i < m.n_guards:  # a guard of a part of them says nothing now
        if m.guards[i].lots[player] & both and m.guards[i].lots[player] & both != both:
            drop_guard(m, i)
        else:
            i += 1
    i = 0
    while i < h.n_limits:
        if h.limits[i].lots & both and h.limits[i].lots & both != both:
            drop_limit(h, i)
        else:
            i += 1
    for i in range(h.n_spent):
        if h.spent[i].lots & both:
            h.spent[i].lots |= both
    h.lots[one].n += h.lots[other].n
    h.lots[one].never &= h.lots[other].never
    drop_lot(m, player, other)


cdef void drop_limit(Hand* h, int limit) noexcept nogil:
    h.n_limits -= 1
    memmove(&h.limits[limit], &h.limits[limit + 1], (h.n_limits - limit) * sizeof(Limit))
    memset(&h.limits[h.n_limits], 0, sizeof(Limit))


cdef void settle(Memory* m, int player) noexcept nogil:
    """What is spent and can only have come out of one lot is taken out of it; empty lots go."""
    cdef Hand* h = &m.hand[player]
    cdef int i
    cdef bint again = True
    while again:
        again = False
        i = 0
        while i < h.n_lots:
            if h.lots[i].n == 0:
                drop_lot(m, player, i)
            else:
                i += 1
        for i in range(h.n_spent):
            if h.spent[i].lots & (h.spent[i].lots - 1) == 0:
                take_out(m, player, low_bit(h.spent[i].lots), h.spent[i].type, h.spent[i].n, i)
                drop_spent(h, i)
                again = True
                break


cdef void merge_likest(Memory* m, int player) noexcept nogil:
    """Tells two neighbouring lots apart no more: those that differ least."""
    cdef Hand* h = &m.hand[player]
    cdef int i, differ, least = 1000, best = 0
    for i in range(h.n_lots - 1):
        differ = bits_of(h.lots[i].never ^ h.lots[i + 1].never)
        if h.lots[i].pile != h.lots[i + 1].pile:
            differ += 2 * TYPES
        if differ < least:
            least = differ
            best = i
    merge_lots(m, player, best, best + 1)
    settle(m, player)


cdef void draw_into_lot(Memory* m, int player) noexcept nogil:
    cdef Hand* h = &m.hand[player]
    cdef Lot* last
    cdef int i
    if h.n_lots and not h.closed:
        last = &h.lots[h.n_lots - 1]
        if last.pile == m.n_piles - 1 and last.never == 0:
            last.n += 1
            return
    if h.n_lots == LOTS:
        merge_likest(m, player)
    h.lots[h.n_lots].pile = m.n_piles - 1
    h.lots[h.n_lots].n = 1
    h.n_lots += 1
    h.closed = 0
    for i in range(m.n_guards):
        if m.guards[i].pile == m.n_piles - 1:
            m.guards[i].lots[player] |= 1 << (h.n_lots - 1)


# --- cards ---

cdef void remember_blind(Memory* m, int player, int kind) noexcept nogil:
    """A player has drawn a card blind. In an Info of another it is UNKNOWN."""
    cdef int i
    draw_into_lot(m, player)
    if kind == UNKNOWN or not keeps(m, player):
        return
    m.own[player][m.n_piles - 1][kind] += 1
    for i in range(m.n_guards):
        if m.guards[i].pile == m.n_piles - 1:
            m.guards[i].own[player] += kind != m.wild


cdef void remember_face_up(Memory* m, int kind) noexcept nogil:
    """A card was turned up."""
    cdef int i
    m.pile[m.n_piles - 1][kind] -= 1
    if kind != m.wild:
        for i in range(m.n_guards):
            if m.guards[i].pile == m.n_piles - 1:
                seen_of_guard(&m.guards[i], 1)


cdef void remember_taken(Memory* m, int player, int kind) noexcept nogil:
    """A player has taken a card face up."""
    m.hand[player].known[kind] += 1


cdef int sources(const Memory* m, int player, int kind) noexcept nogil:
    """The lots that can hold a card of a type, as bits."""
    cdef const Hand* h = &m.hand[player]
    cdef int i, lots = 0
    for i in range(h.n_lots):
        if not h.lots[i].never >> kind & 1 and m.pile[h.lots[i].pile][kind]:
            lots |= 1 << i
    return lots


cdef void spend(Memory* m, int player, int kind, int n) noexcept nogil:
    """A player has paid so many cards of a type."""
    cdef Hand* h = &m.hand[player]
    cdef int i, lots, known = min(n, <int>h.known[kind])
    h.known[kind] -= known
    n -= known
    if n == 0:
        return
    lots = sources(m, player, kind)
    if lots & (lots - 1) and not h.n_limits:
        for i in range(h.n_spent):
            if h.spent[i].type == kind and h.spent[i].lots == lots:
                h.spent[i].n += n
                return
    while lots & (lots - 1) and h.n_spent == SPENT:
        merge_likest(m, player)
        lots = sources(m, player, kind)
    if lots & (lots - 1):
        h.spent[h.n_spent].type = kind
        h.spent[h.n_spent].n = n
        h.spent[h.n_spent].lots = lots
        h.n_spent += 1
        h.closed = 1
    elif lots:
        take_out(m, player, low_bit(lots), kind, n, SPENT)
    settle(m, player)


cdef void remember_payment(const Data* d, const State* s, Memory* m, int route, int kind, int passes) noexcept nogil:
    """The player on turn pays for a route; his hand is still as it was."""
    cdef int player = s.player, i, gone = 0
    if kind != d.wild:
        spend(m, player, kind, d.route[route].length - passes)
    if passes:
        spend(m, player, d.wild, passes)
    if passes == 0 or d.free:
        return
    # Passes are used only where there are no cards of the type left, and passes only where no type that the route takes is there.
    if kind != d.wild:
        gone = 1 << kind
    elif d.route[route].type != d.wild:
        gone = 1 << d.route[route].type
    else:
        gone = (1 << d.wild) - 1
    for i in range(m.hand[player].n_lots):
        m.hand[player].lots[i].never |= gone


cdef void remember_skip(const Data* d, const State* s, Memory* m) noexcept nogil:
    """The player on turn has to skip."""
    cdef Hand* h = &m.hand[s.player]
    cdef Limit* limit
    cdef uint8_t most[TYPES]
    cdef int i, kind, length, least = NO_BOUND
    memset(most, NO_BOUND, TYPES)
    for i in range(d.routes):
        length = d.route[i].length
        if has(s.open[s.player], i) and length <= s.trains[s.player]:
            for kind in range(d.wild):
                if d.route[i].type == kind or d.route[i].type == d.wild:
                    most[kind] = min(<int>most[kind], length - 1)
                    least = min(least, length - 1)
    if least == NO_BOUND or h.n_lots == 0:
        return
    if h.n_limits == LIMITS:
        drop_limit(h, 0)
    limit = &h.limits[h.n_limits]
    limit.lots = (1 << h.n_lots) - 1
    limit.spent = h.n_spent
    memcpy(limit.base, h.known, TYPES)
    memcpy(limit.most, most, TYPES)
    h.n_limits += 1
    h.closed = 1


cdef void know_all(const State* s, Memory* m) noexcept nogil:
    """Two players, and the pile is empty: each knows what is in the other's hand."""
    cdef int p, i, j, n
    cdef Hand* h
    for p in range(2):
        h = &m.hand[p]
        if m.observer == 2 - p:  # in an Info the other's hand follows from what is left
            for i in range(TYPES):
                n = h.known[i]
                for j in range(m.n_piles):
                    n += m.pile[j][i] - m.own[1 - p][j][i]
                for j in range(h.n_spent):
                    if h.spent[j].type == i:
                        n -= h.spent[j].n
                h.known[i] = n
        else:
            memcpy(h.known, s.hand[p], TYPES)
        memset(<uint8_t*>h + TYPES, 0, sizeof(Hand) - TYPES)
    memset(m.pile, 0, sizeof(m.pile))
    memset(m.own, 0, sizeof(m.own))
    memset(m.guards, 0, sizeof(m.guards))
    m.n_guards = m.n_piles = 0


cdef int owners_of(const Memory* m, int pile) noexcept nogil:
    """Who has cards of a pile, as bits."""
    cdef int p, i, owners = 0
    for p in range(m.players):
        for i in range(m.hand[p].n_lots):
            if m.hand[p].lots[i].pile == pile:
                owners |= 1 << p
    return owners


cdef bint settled(const Hand* h, int pile) noexcept nogil:
    """Whether nothing that the player has spent, or that limits his hand, could concern this pile."""
    cdef int i, j
    if h.n_limits:
        return False
    for i in range(h.n_spent):
        for j in range(h.n_lots):
            if h.lots[j].pile == pile and h.spent[i].lots >> j & 1:
                return False
    return True


cdef void know_last_owner(Memory* m, int pile, int player) noexcept nogil:
    """A pile is used up, and what is left of it is in one hand: then all know these cards."""
    cdef Hand* h = &m.hand[player]
    cdef int i
    for i in range(TYPES):
        h.known[i] += m.pile[pile][i]
    i = 0
    while i < h.n_lots:
        if h.lots[i].pile == pile:
            drop_lot(m, player, i)
        else:
            i += 1


cdef void remember_reshuffle(const State* s, Memory* m) noexcept nogil:
    """The discards are about to become the pile, which is empty."""
    cdef int i, owners
    if m.players == 2:
        know_all(s, m)
    i = 0
    while i < m.n_piles:
        owners = owners_of(m, i)
        if owners == 0:
            remove_pile(m, i)
        elif owners & (owners - 1) == 0 and settled(&m.hand[low_bit(owners)], i):
            know_last_owner(m, i, low_bit(owners))
            remove_pile(m, i)
        else:
            i += 1
    if m.n_piles == PILES:
        merge_piles(m, 0, 1)
    memcpy(m.pile[m.n_piles], s.discard, TYPES)
    m.n_piles += 1
    m.reshuffles = min(m.reshuffles + 1, 255)
    if m.observer == 0:
        memcpy(m.start, s.discard, TYPES)


# --- the check of the market ---

cdef int undecided(int normal, int n_deck) noexcept nogil:
    """Of how many cards of the pile it depends whether the market is reset, 0: that is plain to see.

    `normal`: cards that are no passes in market and discards.
    """
    return NORMAL - normal if normal < NORMAL <= normal + n_deck else 0


cdef bint remember_guard(const State* s, Memory* m, bint reset) noexcept nogil:
    """The market is checked and has too many passes. Whether it is reset: given, or, in an Info, seen (`told`)."""
    cdef Guard* guard
    cdef int p, normal = s.n_market - s.market[m.wild] + s.n_discard - s.discard[m.wild]
    cdef int needed = undecided(normal, s.n_deck)
    if needed == 0:
        return normal >= NORMAL
    if m.observer:
        if m.told == NOTHING_TOLD:
            m.told = TOLD_TOO_LITTLE
            return False
        reset = m.told == TOLD_RESET
        m.told = NOTHING_TOLD
    guard = &m.guards[m.n_guards - 1] if m.n_guards else NULL
    if guard == NULL or not of_now(m, guard):
        if m.n_guards == GUARDS:
            drop_guard(m, 0)
        guard = &m.guards[m.n_guards]
        memset(guard, 0, sizeof(Guard))
        guard.pile = m.n_piles - 1
        guard.most = NO_BOUND
        m.n_guards += 1
        for p in range(m.players):
            m.hand[p].closed = 1
    if reset:
        guard.least = max(<int>guard.least, needed)
    else:
        guard.most = min(<int>guard.most, needed - 1)
    return reset


cdef bint of_now(const Memory* m, const Guard* guard) noexcept nogil:
    """Whether a guard is about the pile as it is now: nobody has drawn blind since."""
    cdef int p
    if guard.pile != m.n_piles - 1:
        return False
    for p in range(m.players):
        if not m.hand[p].closed or guard.lots[p]:
            return False
    return True


# --- tickets ---

cdef void remember_offered(const State* s, Memory* m) noexcept nogil:
    """A ticket is about to be drawn from the deck."""
    if s.n_fresh:
        m.offer_owner[s.n_offer] = NONE
    else:
        m.offer_owner[s.n_offer] = m.owner[0]
        memmove(m.owner, m.owner + 1, TICKETS - 1)
        m.owner[TICKETS - 1] = 0


cdef void remember_returned(const State* s, Memory* m, int player, int n) noexcept nogil:
    """So many tickets are about to go to the bottom of the deck."""
    memset(&m.owner[s.n_queue], player, n)


cdef void remember_kept(const State* s, Memory* m, int player, const uint8_t* offer, int n, int mask) noexcept nogil:
    """A player keeps some of the tickets offered to him; nothing has moved yet. In an Info: its observer does."""
    cdef uint8_t known[OFFERED]
    cdef int observer, i, kept = 0
    for i in range(n):
        kept += mask >> i & 1
    for observer in range(m.players):
        if not keeps(m, observer):
            continue
        if observer == player:
            see_kept(s, m, observer, player, offer, n, mask)
            continue
        for i in range(n):
            known[i] = offer[i] if m.offer_owner[i] == observer else UNKNOWN
        see_kept(s, m, observer, player, known, n, kept)
    remember_returned(s, m, player, n - kept)
    memset(m.offer_owner, NONE, OFFERED)


cdef void see_kept(const State* s, Memory* m, int observer, int player, const uint8_t* offer, int n, int kept) noexcept nogil:
    """What an observer sees of a `keep`: `offer` with UNKNOWN for tickets that he does not know; `kept`: how many, or, his own, which."""
    cdef Tickets* t = &m.tickets[observer]
    cdef int i, known = 0
    if t.n_log == 0:
        if observer == player:
            return
        for i in range(n):
            known += offer[i] != UNKNOWN
        if known == 0:
            return
        if kept == n:
            for i in range(n):
                if offer[i] != UNKNOWN:
                    put(t.held[player], offer[i])
            return
        for i in range(n):
            if m.offer_owner[i] == NONE:
                t.n_fresh += 1
            else:
                t.queue[t.n_queue] = offer[i]
                t.n_queue += 1
        for i in range(s.n_queue):
            t.queue[t.n_queue] = s.queue[i] if m.owner[i] == observer else UNKNOWN
            t.n_queue += 1
        memcpy(t.n_held, s.n_tickets, SEATS)
    t.log[t.n_log].player = player
    t.log[t.n_log].n = n
    t.log[t.n_log].kept = kept
    if observer == player:
        memcpy(t.log[t.n_log].tickets, offer, n)
    t.n_log += 1
