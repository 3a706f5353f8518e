"""Lisbon Tram 28: the legal decisions of each step. What they do is in _lisbon_rules.pyx."""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_paying cimport may_swap, natural, payable
from wattman.engine.games._lisbon_rails cimport any_step, list_shunts, list_steps, lowest
from wattman.engine.games._lisbon_state cimport (
    BOARD,
    BONUS,
    COLOURS,
    DECLINE,
    END,
    FRESH,
    HALT,
    HAS_BELL,
    HAS_FREE,
    KEEP,
    KEEPING,
    MOVE,
    MOVING,
    NONE,
    PAID,
    PAY,
    PAYING,
    PLACING,
    RING,
    RING3,
    RUNG,
    SHUNTING,
    SWAP,
    TURN,
    WAYS,
    Data,
    State,
    any_of,
    other_colour,
    own_seats,
)
from wattman.engine.games._lisbon_tickets cimport empty_stops


cdef inline int add_claims(const Data* d, const State* s, int32_t* ids, int n) noexcept nogil:
    cdef const uint8_t* aboard = s.aboard[s.player]
    cdef const uint8_t* demand
    cdef int i, card
    for i in range(d.n_spaces):
        card = s.display[d.spaces[i]]
        if card == NONE or d.card_place[card] != s.at[s.player]:
            continue
        demand = d.demand[card]
        if demand[0] > aboard[0] or demand[1] > aboard[1] or demand[2] > aboard[2] or demand[3] > aboard[3]:
            continue
        if s.n_row[s.player] == 0:
            ids[n] = d.claim + 3 * card
            n += 1
        else:
            ids[n] = d.claim + 3 * card + 1
            ids[n + 1] = d.claim + 3 * card + 2
            n += 2
    return n


cdef inline bint finds_seat(const Data* d, const State* s, const uint8_t* group) noexcept nogil:
    cdef int c, seats = own_seats(d, s, s.player)
    for c in range(COLOURS):
        if group[c] and s.aboard[s.player][c] < seats:
            return True
    return False


cdef inline int legal_turn(const Data* d, const State* s, int32_t* ids) noexcept nogil:
    cdef const uint8_t* hand = s.hand[s.player]
    cdef const uint8_t* group
    cdef uint8_t three[COLOURS]
    cdef int place = s.at[s.player], free = s.bonuses[s.player] & ~s.used & HAS_FREE, c, i, n = 0, n_steps = 0
    if free and not d.german:
        n = n_steps = list_steps(d, s, s.player, ids, d.paths)
        for i in range(n):
            ids[i] += d.free
    if s.actions:
        if s.n_hand[s.player] and (n_steps or any_step(d, s, s.player)):
            for c in range(COLOURS):
                if hand[c]:
                    ids[n] = MOVE + c
                    n += 1
        if d.stop_of[place] != NONE:
            group = s.waiting[d.stop_of[place]]
            if s.open >> place & 1 and payable(hand, group) and finds_seat(d, s, group):
                ids[n] = BOARD
                n += 1
                if any_of(s.bag) or any_of(s.gone):
                    ids[n] = RING
                    n += 1
                    if s.bonuses[s.player] & ~s.used & HAS_BELL:
                        ids[n] = RING3
                        n += 1
        elif d.colour_of[place] != NONE:
            c = d.colour_of[place]
            memset(three, 0, COLOURS)
            three[c] = 3
            if not s.bonuses[s.player] & d.bonus_of[s.player][c] and payable(hand, three):
                ids[n] = BONUS
                n += 1
        else:
            n = add_claims(d, s, ids, n)
    ids[n] = END
    return n + 1


cdef inline int legal_move(const Data* d, const State* s, int32_t* ids) noexcept nogil:
    cdef const uint8_t* hand = s.hand[s.player]
    cdef int c, i, m, n_steps = list_steps(d, s, s.player, ids, d.paths), n = 0
    cdef int first[2 + COLOURS]
    # What a step may cost: which ids it has.
    m = 0
    if s.move.free_open:
        first[m] = d.free
        m += 1
    if s.move.colour < COLOURS and hand[s.move.colour] - (s.move.late == s.move.colour + 1) >= 1:
        first[m] = d.step
        m += 1
    if s.move.stage == PAID:
        for c in range(COLOURS):
            if c != s.move.colour and hand[c] - (s.move.late == c + 1) >= 3:
                first[m] = d.exchange + c
                m += 1
    for i in range(1, m):
        n = i * n_steps
        for c in range(n_steps):
            ids[n + c] = first[i] + (4 * ids[c] if first[i] >= d.exchange else ids[c])
    if m:
        for c in range(n_steps):
            ids[c] = first[0] + (4 * ids[c] if first[0] >= d.exchange else ids[c])
    n = m * n_steps
    if s.move.stage != FRESH:
        ids[n] = HALT
        n += 1
    return n


cdef inline int legal_payment(const Data* d, const State* s, int32_t* ids) noexcept nogil:
    cdef int x, i, n = 0
    for x in range(COLOURS):
        for i in range(3):
            if may_swap(s, x, other_colour(x, i)):
                ids[n] = SWAP + 3 * x + i
                n += 1
    if natural(s):
        ids[n] = PAY
        n += 1
    if s.purpose & RUNG:
        ids[n] = DECLINE
        n += 1
    return n


cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef uint8_t places[WAYS]
    cdef uint64_t stops
    cdef int i, n = 0
    if s.phase == TURN:
        return legal_turn(d, s, ids)
    if s.phase == MOVING:
        return legal_move(d, s, ids)
    if s.phase == PAYING:
        return legal_payment(d, s, ids)
    if s.phase == KEEPING:
        for i in range(COLOURS):
            if s.drawn[i]:
                ids[n] = KEEP + i
                n += 1
    elif s.phase == SHUNTING:
        n = list_shunts(d, s, places)
        for i in range(n):
            ids[i] = d.shunt + places[i]
    elif s.phase == PLACING:
        stops = empty_stops(d, s)
        while stops:
            ids[n] = d.place + d.stop_of[lowest(stops)]
            stops &= stops - 1
            n += 1
    return n
