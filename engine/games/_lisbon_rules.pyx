"""The rules of Lisbon Tram 28: the course of the game. What is legal is in _lisbon_legal.pyx, movement in _lisbon_rails.pxd, payments in
_lisbon_paying.pxd.

`apply` also carries Infos forward (see _lisbon_knowledge.pyx): there the hand of another player is but a number of tickets, and a turn of
his stays at the last thing that was seen of it until the next one shows how it went on.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, TERMINAL, GameC
from wattman.engine.games._lisbon_memory cimport Memory, forget_ring, remember_refill, remember_ring
from wattman.engine.games._lisbon_paying cimport any_swap, payable
from wattman.engine.games._lisbon_rails cimport any_step, before_landing, in_the_way, list_shunts, lowest, tram_at
from wattman.engine.games._lisbon_state cimport (
    AFTER_RING,
    AFTER_STEP,
    ALWAYS,
    BEGUN,
    BOARD,
    BONUS,
    BY_SPACE,
    CARDS,
    COLOURS,
    DECLINE,
    END,
    END_TICKET,
    FIXED,
    FOR_BONUS,
    FOR_GROUP,
    FRESH,
    HALT,
    HAS_ACTION,
    HAS_BELL,
    HAS_FREE,
    KEEP,
    KEEPING,
    MOVE,
    MOVING,
    NEXT_CARD,
    NONE,
    OVER,
    PAID,
    PAY,
    PAYING,
    PLACING,
    PUSH_TICKET,
    REFILL_BAG,
    RING,
    RING3,
    RING_BAG,
    RUNG,
    SEATS_AT_TABLE,
    SETUP_BAG,
    SETUP_CARD,
    SETUP_TICKET,
    SHUNTING,
    SPACE_CARD,
    SPACES,
    SWAP,
    TURN,
    UNKNOWN,
    WAYS,
    Data,
    Move,
    Path,
    State,
    any_of,
    bit,
    hidden_mover,
    other_colour,
    own_seats,
    passengers,
)
from wattman.engine.games._lisbon_tickets cimport bag_ready, draw_ticket, drawer_of_push, empty_stops, pay_tickets, ticket_left


cdef inline const Data* data_of(const GameC* game) noexcept nogil:
    return <const Data*>game.data


# --- turns. Each of these ends at the next thing to decide or to draw. ---

cdef inline void leave_trail(State* s) noexcept nogil:
    """Something was seen that leaves nothing open."""
    s.trail = 0
    memset(&s.trail_move, 0, sizeof(Move))


cdef void start_turn(const Data* d, State* s, int player) noexcept nogil:
    leave_trail(s)
    s.phase = TURN
    s.player = player
    s.actions = 2 + (s.bonuses[player] & HAS_ACTION != 0)
    s.used = s.drew = s.count = 0


cdef void next_turn(const Data* d, State* s) noexcept nogil:
    if s.player < d.players - 1:
        start_turn(d, s, s.player + 1)
        return
    s.idle = 0 if s.claimed else s.idle + 1
    s.claimed = 0
    if s.last_round or s.idle >= d.stall_rounds:
        leave_trail(s)
        s.stalled = not s.last_round
        s.phase = OVER
        s.actions = s.used = s.drew = s.count = 0
        return
    start_turn(d, s, 0)


cdef inline void end_turn(const Data* d, State* s) noexcept nogil:
    s.count = d.end_of_turn
    if s.count and ticket_left(s):
        s.phase = END_TICKET
    else:
        next_turn(d, s)


cdef void end_action(const Data* d, State* s, Memory* m) noexcept nogil:
    """An action or free move is over."""
    memset(&s.move, 0, sizeof(Move))
    if s.actions or (not d.german and (s.bonuses[s.player] & ~s.used & HAS_FREE)):
        s.phase = TURN
    else:
        end_turn(d, s)


# --- moving ---

cdef inline bint can_pay_step(const State* s) noexcept nogil:
    """Whether the mover can pay a later step."""
    cdef const uint8_t* hand = s.hand[s.player]
    cdef int c, left
    if s.move.free_open:
        return True
    for c in range(COLOURS):
        left = hand[c] - (s.move.late == c + 1)
        if left >= (1 if c == s.move.colour else 3 if s.move.stage == PAID else COLOURS * 64):
            return True
    return False


cdef void go_on(const Data* d, State* s, Memory* m) noexcept nogil:
    """A step, with all that came of it, is done."""
    if s.move.stage == FRESH:  # a free move between actions
        end_action(d, s, m)
        return
    s.trail = AFTER_STEP
    s.trail_move = s.move
    if hidden_mover(s) or (can_pay_step(s) and any_step(d, s, s.player)):
        s.phase = MOVING
    else:
        end_action(d, s, m)


cdef void next_push_ticket(const Data* d, State* s, Memory* m) noexcept nogil:
    while s.placed <= s.n_pushed:
        if not s.drew >> drawer_of_push(s) & 1 and ticket_left(s):
            s.phase = PUSH_TICKET
            return
        s.placed += 1
    s.n_pushed = s.placed = s.node = s.before = s.landing = 0
    memset(s.pushed, 0, sizeof(s.pushed))
    s.line = 0
    go_on(d, s, m)


cdef void lead_line(const Data* d, State* s, Memory* m, int to) noexcept nogil:
    """The line of a push goes on to a place, and from there as far as nobody has to choose."""
    cdef uint8_t ways[WAYS]
    cdef int tram
    while True:
        s.line |= bit(to)
        s.before = s.node
        s.node = to
        if to == d.rossio:
            while s.placed < s.n_pushed:
                s.at[s.pushed[s.placed]] = to
                s.placed += 1
        else:
            tram = tram_at(d, s, to, s.player)
            if tram != NONE:
                s.pushed[s.n_pushed] = tram
                s.n_pushed += 1
            if s.open >> to & 1:
                s.at[s.pushed[s.placed]] = to
                s.placed += 1
        if s.placed == s.n_pushed:
            s.at[s.player] = s.landing
            s.placed = 0
            next_push_ticket(d, s, m)
            return
        if list_shunts(d, s, ways) > 1:
            s.phase = SHUNTING
            return
        to = ways[0]


cdef void take_step(const Data* d, State* s, Memory* m, const Path* path) noexcept nogil:
    cdef int i, tram, start = s.at[s.player]
    cdef uint8_t ways[WAYS]
    if path.mask & in_the_way(d, s, s.player) == 0:
        s.at[s.player] = path.landing
        go_on(d, s, m)
        return
    for i in range(path.length):
        tram = tram_at(d, s, d.path_places[path.at + i], s.player)
        if tram != NONE and d.path_places[path.at + i] != d.rossio:
            s.pushed[s.n_pushed] = tram
            s.n_pushed += 1
    s.landing = path.landing
    if path.landing == d.rossio:
        for i in range(s.n_pushed):
            s.at[s.pushed[i]] = path.landing
        s.at[s.player] = path.landing
        next_push_ticket(d, s, m)
        return
    s.line = path.mask
    if start != d.rossio:
        s.line |= bit(start)
    s.before = before_landing(d, path, start)
    s.node = path.landing
    if list_shunts(d, s, ways) > 1:
        s.phase = SHUNTING
    else:
        lead_line(d, s, m, ways[0])


cdef inline void start_step(const Data* d, State* s, Memory* m, bint paid) noexcept nogil:
    """A step inside a move action: the first one costs the action."""
    s.actions -= s.move.stage == FRESH
    s.move.stage = PAID if paid else max(<int>s.move.stage, <int>BEGUN)


# --- boarding and bonuses ---

cdef void start_paying(const Data* d, State* s, Memory* m, int purpose) noexcept nogil:
    s.phase = PAYING
    s.purpose = purpose
    s.swapped = 0
    memset(s.pay, 0, COLOURS)
    if purpose & FOR_GROUP:
        memcpy(s.need, s.waiting[d.stop_of[s.at[s.player]]], COLOURS)
    else:
        memset(s.need, 0, COLOURS)
        s.need[d.colour_of[s.at[s.player]]] = 3


cdef void stop_paying(State* s) noexcept nogil:
    s.purpose = s.swapped = 0
    memset(s.need, 0, COLOURS)
    memset(s.pay, 0, COLOURS)


cdef void take_payment(const Data* d, State* s, Memory* m, const uint8_t* tickets) noexcept nogil:
    """The player on turn pays `tickets` and gets what he pays for."""
    cdef int player = s.player, stop, c, n, earned
    for c in range(COLOURS):
        pay_tickets(s, m, c, tickets[c])
    if not s.purpose & RUNG:
        s.actions -= 1
    else:
        forget_ring(m, player)
    if s.purpose & FOR_GROUP:
        stop = d.stop_of[s.at[player]]
        for c in range(COLOURS):
            n = min(<int>s.waiting[stop][c], own_seats(d, s, player) - s.aboard[player][c])
            s.waiting[stop][c] -= n
            s.aboard[player][c] += n
        if not any_of(s.waiting[stop]):
            s.open &= ~bit(s.at[player])
    else:
        earned = d.bonus_of[player][d.colour_of[s.at[player]]]
        s.bonuses[player] |= earned
        s.actions += earned == HAS_ACTION
    stop_paying(s)
    leave_trail(s)
    end_action(d, s, m)


cdef inline void pay_if_no_choice(const Data* d, State* s, Memory* m) noexcept nogil:
    if not (s.purpose & RUNG) and not any_swap(s):
        pay_now(d, s, m)


cdef inline void pay_now(const Data* d, State* s, Memory* m) noexcept nogil:
    cdef uint8_t tickets[COLOURS]
    cdef int c
    for c in range(COLOURS):
        tickets[c] = s.need[c] + s.pay[c]
    take_payment(d, s, m, tickets)


cdef void after_ring(const Data* d, State* s, Memory* m) noexcept nogil:
    """The ring's passenger stands at the stop."""
    leave_trail(s)
    s.trail = AFTER_RING
    if hidden_mover(s) or payable(s.hand[s.player], s.waiting[d.stop_of[s.at[s.player]]]):
        start_paying(d, s, m, FOR_GROUP | RUNG)
    else:
        end_action(d, s, m)


cdef void draw_passenger(const Data* d, State* s, Memory* m, int colour) noexcept nogil:
    """For a ring or a refill."""
    cdef uint64_t stops
    cdef int c
    s.bag[colour] -= 1
    s.drawn[colour] += 1
    s.count -= 1
    if s.count and bag_ready(s, m):
        return
    s.count = 0
    if s.phase == REFILL_BAG:
        stops = empty_stops(d, s)
        if stops & (stops - 1) == 0:
            fill_stop(d, s, m, lowest(stops))
        else:
            s.phase = PLACING
    elif s.purpose:  # the three of the bell bonus
        s.purpose = 0
        s.phase = KEEPING
    else:
        keep(d, s, m, colour)


cdef void keep(const Data* d, State* s, Memory* m, int colour) noexcept nogil:
    """One of the passengers drawn joins the group, the others go back."""
    cdef int c
    cdef bint back = passengers(s.drawn) > 1
    s.drawn[colour] -= 1
    for c in range(COLOURS):
        s.bag[c] += s.drawn[c]
        s.drawn[c] = 0
    if back:
        remember_refill(m, s.bag)
    s.waiting[d.stop_of[s.at[s.player]]][colour] += 1
    after_ring(d, s, m)


# --- claiming ---

cdef void claim(const Data* d, State* s, Memory* m, int card, int side) noexcept nogil:
    cdef int player = s.player, c, edges = 0
    cdef bint symbol
    leave_trail(s)
    s.actions -= 1
    s.claimed = 1
    for c in range(COLOURS):
        s.aboard[player][c] -= d.demand[card][c]
        s.gone[c] += d.demand[card][c]
    s.vp[player] += d.card_vp[card]
    if s.n_row[player] == 0:
        s.row_left[player] = s.row_right[player] = card
    elif side == 1:
        edges = d.right[card] & d.left[s.row_left[player]]
        s.right_of[card] = s.row_left[player]
        s.row_left[player] = card
    else:
        edges = d.right[s.row_right[player]] & d.left[card]
        s.right_of[s.row_right[player]] = card
        s.row_right[player] = card
    s.n_row[player] += 1
    s.links[player] += (edges & 1) + (edges >> 1 & 1) + (edges >> 2 & 1) + (edges >> 3 & 1)
    s.space = 0
    while s.display[s.space] != card:
        s.space += 1
    s.display[s.space] = NONE
    symbol = d.refill == ALWAYS or (d.symbol_of_space[s.space] if d.refill == BY_SPACE else d.symbol_of_place[d.card_place[card]])
    if symbol and empty_stops(d, s) and bag_ready(s, m):
        s.phase = REFILL_BAG
        s.count = d.each_stop
    else:
        replace_card(d, s, m)


cdef void fill_stop(const Data* d, State* s, Memory* m, int place) noexcept nogil:
    memcpy(s.waiting[d.stop_of[place]], s.drawn, COLOURS)
    memset(s.drawn, 0, COLOURS)
    s.open |= bit(place)
    replace_card(d, s, m)


cdef void replace_card(const Data* d, State* s, Memory* m) noexcept nogil:
    if s.next_card != NONE:
        s.display[s.space] = s.next_card
        s.next_card = NONE
        s.face_up -= 1
        if s.face_up:
            s.phase = NEXT_CARD
            return
        s.last_round = 1
    elif s.pile:
        s.phase = SPACE_CARD
        return
    s.space = 0
    end_action(d, s, m)


# --- the contract ---

cdef void init(const GameC* game, void* state, void* memory) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef State* s = <State*>state
    cdef Memory* m = <Memory*>memory
    memset(s, 0, sizeof(State))
    s.open = d.always_open
    s.pile = <uint32_t>((<uint64_t>1 << d.cards) - 1)
    memset(s.at, d.rossio, d.players)
    memset(s.bag, d.passengers_each, COLOURS)
    memset(s.deck, d.tickets_each, COLOURS)
    s.n_deck = COLOURS * d.tickets_each
    s.face_up = d.face_up
    s.next_card = NONE
    memset(s.display, NONE, SPACES)
    memset(s.row_left, NONE, SEATS_AT_TABLE)
    memset(s.row_right, NONE, SEATS_AT_TABLE)
    memset(s.right_of, NONE, CARDS)
    if m != NULL:
        memset(m, 0, sizeof(Memory))
        memcpy(m.start_deck, s.deck, COLOURS)
        memcpy(m.start_bag, s.bag, COLOURS)


cdef int to_move(const GameC* game, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if TURN <= s.phase <= KEEPING:
        return s.player
    if s.phase == SHUNTING:
        return s.pushed[s.placed]
    if s.phase == PLACING:
        return s.player - 1 if s.player else game.players - 1
    return TERMINAL if s.phase == OVER else CHANCE


cdef inline void apply_fixed(const Data* d, State* s, Memory* m, int event) noexcept nogil:
    """A decision whose id does not depend on the board."""
    cdef int x, give
    if event < BOARD:
        s.phase = MOVING
        s.move.colour = event - MOVE
        s.move.stage = s.move.late = 0
        s.move.free_open = d.german and s.bonuses[s.player] & HAS_FREE != 0
    elif event == BOARD or event == BONUS:
        start_paying(d, s, m, FOR_GROUP if event == BOARD else FOR_BONUS)
        pay_if_no_choice(d, s, m)
    elif event == RING or event == RING3:
        leave_trail(s)
        s.actions -= 1
        remember_ring(m, s.player, s.waiting[d.stop_of[s.at[s.player]]])
        bag_ready(s, m)
        s.phase = RING_BAG
        s.count = 1
        if event == RING3:
            s.count = 3
            s.purpose = RUNG
            s.used |= HAS_BELL
    elif event == END:
        leave_trail(s)
        end_turn(d, s)
    elif event == HALT:
        end_action(d, s, m)
    elif event == PAY:
        pay_now(d, s, m)
    elif event == DECLINE:
        stop_paying(s)
        end_action(d, s, m)
    elif event < KEEP:
        x = (event - SWAP) // 3
        give = other_colour(x, (event - SWAP) % 3)
        s.need[x] -= 1
        s.pay[give] += 3
        s.swapped = 4 * x + give
        pay_if_no_choice(d, s, m)
    else:
        keep(d, s, m, event - KEEP)


cdef inline void apply_step(const Data* d, State* s, Memory* m, int event) noexcept nogil:
    cdef int path, colour
    leave_trail(s)
    if event < d.step:
        path = event - d.free
        if s.phase == MOVING:
            start_step(d, s, m, False)
            s.move.free_open = 0
        else:
            s.used |= HAS_FREE
    elif event < d.exchange:
        path = event - d.step
        start_step(d, s, m, True)
        pay_tickets(s, m, s.move.colour, 1)
    else:
        path = (event - d.exchange) >> 2
        colour = (event - d.exchange) & 3
        start_step(d, s, m, True)
        pay_tickets(s, m, colour, 3)
    take_step(d, s, m, &d.path[path])


cdef inline void apply_ticket(const Data* d, State* s, Memory* m, int colour) noexcept nogil:
    cdef int player
    if s.phase == END_TICKET:
        leave_trail(s)
        draw_ticket(d, s, m, s.player, colour)
        s.count -= 1
        if s.count == 0 or not ticket_left(s):
            next_turn(d, s)
    elif s.phase == PUSH_TICKET:
        player = drawer_of_push(s)
        draw_ticket(d, s, m, player, colour)
        s.drew |= 1 << player
        if player == s.player and s.move.stage != FRESH:
            s.move.late = 1 + colour
        s.placed += 1
        next_push_ticket(d, s, m)
    else:
        draw_ticket(d, s, m, s.count // d.start_hand, colour)
        s.count += 1
        if s.count == d.players * d.start_hand:
            s.count = 0
            s.phase = SETUP_CARD


cdef inline void apply_card(const Data* d, State* s, Memory* m, int card) noexcept nogil:
    s.pile &= ~(<uint32_t>1 << card)
    if s.phase == SETUP_CARD:
        if s.count < d.n_spaces:
            s.display[d.spaces[s.count]] = card
            s.count += 1
            if s.count < d.n_spaces or s.face_up:
                return
            s.last_round = 1  # no card lies face up on the pile: the first round is the last
        else:
            s.next_card = card
        start_turn(d, s, 0)
        return
    if s.phase == NEXT_CARD:
        s.next_card = card
    else:
        s.display[s.space] = card
    s.space = 0
    end_action(d, s, m)


cdef void apply(const GameC* game, void* state, void* memory, int32_t event) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef State* s = <State*>state
    cdef Memory* m = <Memory*>memory
    cdef int stop
    if event < FIXED:
        apply_fixed(d, s, m, event)
    elif event < d.shunt:
        claim(d, s, m, (event - d.claim) // 3, (event - d.claim) % 3)
    elif event < d.place:
        lead_line(d, s, m, event - d.shunt)
    elif event < d.free:
        fill_stop(d, s, m, d.stop_place[event - d.place])
    elif event < d.bag:
        apply_step(d, s, m, event)
    elif event < d.ticket:
        if s.phase != SETUP_BAG:
            draw_passenger(d, s, m, event - d.bag)
            return
        stop = s.count // d.each_stop
        s.bag[event - d.bag] -= 1
        s.waiting[stop][event - d.bag] += 1
        s.open |= bit(d.stop_place[stop])
        s.count += 1
        if s.count == d.stops * d.each_stop:
            s.count = 0
            s.phase = SETUP_TICKET if d.start_hand else SETUP_CARD
    elif event < d.card:
        apply_ticket(d, s, m, event - d.ticket)
    elif event == d.ticket_unseen:
        apply_ticket(d, s, m, UNKNOWN)
    else:
        apply_card(d, s, m, event - d.card)


cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil:
    """The State without what only matters for what is seen."""
    cdef State* s = <State*>out
    memcpy(s, state, sizeof(State))
    leave_trail(s)
    return sizeof(State)
