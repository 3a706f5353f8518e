# Trambahn: what moves cards between places, and the course of a turn. The decisions and the draws are in _trambahn_rules.pyx.
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcpy, memset

from wattman.engine.games._trambahn_memory cimport Memory, remember_banked, remember_paid, remember_reshuffle, remember_scored
from wattman.engine.games._trambahn_state cimport *


# --- cards between places. In an Info a card that is looked for may be one of the unknown ones. ---

cdef inline void take_from_hand(State* s, int player, int card) noexcept nogil:
    cdef uint8_t* hand = s.hand[player]
    cdef int i, n = s.n_hand[player] - 1
    s.n_hand[player] = n
    if hand[n] == UNKNOWN:  # never in a State: an opponent's card in an Info
        for i in range(n):
            if hand[i] == card:
                break
        else:
            hand[n] = 0
            return
    # The hand is sorted and filled up with zeros: what is not below the card moves down by one place.
    for i in range(HAND - 1):
        hand[i] = hand[i] if hand[i] < card else hand[i + 1]
    hand[HAND - 1] = 0


cdef inline void put_into_hand(State* s, int player, int card) noexcept nogil:
    cdef uint8_t* hand = s.hand[player]
    cdef int i = s.n_hand[player]
    s.n_hand[player] = i + 1
    while i > 0 and hand[i - 1] > card:
        hand[i] = hand[i - 1]
        i -= 1
    hand[i] = card


cdef inline void take_from_deck(State* s, int card) noexcept nogil:
    cdef uint8_t* place = <uint8_t*>memchr(s.deck, card, s.n_deck)
    if place == NULL:
        place = <uint8_t*>memchr(s.deck, UNKNOWN, s.n_deck)
    s.n_deck -= 1
    if place != NULL:
        place[0] = s.deck[s.n_deck]


cdef inline void put_on_pile(State* s, Memory* memory, int player, int card, int seen) noexcept nogil:
    s.pile[player][s.n_pile[player]] = card
    s.n_pile[player] += 1
    remember_banked(s, memory, player, seen)


cdef inline void pay(State* s, Memory* memory, int player, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        s.n_pile[player] -= 1
        s.discard[s.n_discard] = s.pile[player][s.n_pile[player]]
        s.n_discard += 1
        remember_paid(s, memory, player)


cdef inline void halve_and_reshuffle(State* s, Memory* memory) noexcept nogil:
    cdef int player
    for player in range(PLAYERS):
        pay(s, memory, player, s.n_pile[player] // 2)
    if s.n_discard:
        remember_reshuffle(s, memory)
        memcpy(s.deck, s.discard, s.n_discard)
        s.n_deck = s.n_discard
        s.n_discard = 0


# --- the course of a turn. Each of these ends at the next thing to decide or to draw. ---

cdef inline bint can_build(const State* s) noexcept nogil:
    """Whether the player on turn can build. An unknown card of his might fit anywhere."""
    cdef const uint8_t* hand = s.hand[s.player]
    cdef const Column* newest
    cdef int i, lowest, n = s.n_hand[s.player]
    if n == 0:
        return False
    if s.opened == 0:
        return True  # any card opens a column
    if hand[n - 1] >= s.opened - 1 - (s.opened - 1) // 11:
        return True  # the highest card opens another; the first card that may is colour * 10 + value - 1
    # Only the newest column is left to build on, and only stations are there.
    newest = &s.columns[s.player][s.n_columns[s.player] - 1]
    lowest = newest.colour * 10 + newest.top
    for i in range(n):
        if <uint32_t>(hand[i] - lowest) < <uint32_t>(10 - newest.top):
            return True
    return False


cdef inline bint can_buy(const State* s) noexcept nogil:
    cdef int i, money = s.n_pile[s.player]
    if not ((s.supply[0] and money >= 5) or (s.supply[1] and money >= 10) or (s.supply[2] and money >= 15)):
        return False
    for i in range(s.column, s.n_columns[s.player]):
        if s.columns[s.player][i].tram == 0:
            return True
    return False


cdef inline void abandon_columns(State* s, Memory* memory) noexcept nogil:
    """Columns without a tram go onto the owner's money pile, their cards in the order they were played."""
    cdef int player = s.player, i, value, stations, conductors, kept = 0
    cdef Column* column
    for i in range(s.n_columns[player]):
        column = &s.columns[player][i]
        if column.tram:
            if kept < i:
                s.columns[player][kept] = column[0]
            kept += 1
            continue
        stations = conductors = 0
        for value in range(1, 12):
            while conductors < column.n_conductors and (column.conductors >> (4 * conductors) & 15) == <uint32_t>stations:
                put_on_pile(s, memory, player, CONDUCTOR, 3)
                conductors += 1
            if column.values >> value & 1:
                put_on_pile(s, memory, player, column.colour * 10 + value - 1, 3)
                stations += 1
    if kept < s.n_columns[player]:
        memset(&s.columns[player][kept], 0, (s.n_columns[player] - kept) * sizeof(Column))
        s.n_columns[player] = kept


cdef inline void refill_supply(State* s) noexcept nogil:
    cdef int i, missing = SUPPLY - s.supply[0] - s.supply[1] - s.supply[2]
    for i in range(TRAMS):
        while missing > 0 and s.stack[i]:
            s.stack[i] -= 1
            s.supply[i] += 1
            missing -= 1


cdef inline void next_draw(State* s, Memory* memory) noexcept nogil:
    """The next draw of the clean-up, or the next turn."""
    while True:
        if s.n_hand[s.player] < HAND:
            if s.n_deck == 0 and s.n_discard:
                halve_and_reshuffle(s, memory)
            if s.n_deck:
                s.phase = DRAWING
                return
        refill_supply(s)
        s.player = 1 - s.player
        if s.n_hand[s.player]:
            s.phase = PASSENGERS
            return
        # Contrived: no hand, so nothing but the clean-up is left of this turn.
        if s.n_hand[1 - s.player] == 0 and s.n_deck == 0 and s.n_discard == 0:
            s.phase = OVER
            return


cdef inline void clean_up(State* s, Memory* memory) noexcept nogil:
    s.column = s.opened = s.banked = 0
    abandon_columns(s, memory)
    next_draw(s, memory)


cdef inline void settle(State* s, Memory* memory) noexcept nogil:
    """Passes over the steps in which nothing but `done` is possible."""
    if s.phase == STATIONS:
        if can_build(s):
            return
        s.phase = INCOME
    if s.phase == INCOME:
        if s.n_hand[s.player] and s.hand[s.player][s.n_hand[s.player] - 1] + 1 >= s.banked:
            return
        s.phase = PURCHASE
        s.column = s.opened = s.banked = 0
    if s.phase == PURCHASE and not can_buy(s):
        clean_up(s, memory)


cdef inline void catch_up(State* s, Memory* memory, int phase) noexcept nogil:
    """In an Info the end of the other player's stations and income steps goes unseen: later events show it."""
    while s.phase != phase:
        if s.phase == STATIONS:
            s.phase = INCOME
        elif s.phase == INCOME:
            s.phase = PURCHASE
            s.column = s.opened = s.banked = 0
        elif s.phase == PURCHASE:
            clean_up(s, memory)
        else:
            return


cdef inline void score(State* s, Memory* memory, int colour) noexcept nogil:
    """A regular scoring. Every column with cards from earlier turns has a tram, and no other is there in this step."""
    cdef int player, i
    cdef const Column* column
    for player in range(PLAYERS):
        for i in range(s.n_columns[player]):
            column = &s.columns[player][i]
            if column.colour == colour:
                s.regular[player] += column.points * column.tram
    for i in range(ROW):
        s.discard[s.n_discard] = s.row[colour][i]
        s.n_discard += 1
        s.row[colour][i] = 0
        remember_scored(s, memory)
    s.n_row[colour] = 0
    s.scorings += 1


cdef inline void add_card(State* s, Column* column, int card) noexcept nogil:
    cdef int value
    if card == CONDUCTOR:
        column.conductors |= <uint32_t>(column.count - column.n_conductors) << (4 * column.n_conductors)
        column.n_conductors += 1
    else:
        value = card - 10 * column.colour + 1
        column.values |= 1 << value
        column.top = value
        column.points += points_of(value)
    column.count += 1
    if column.count == 8:
        s.extra[s.player] += column.points * column.tram
