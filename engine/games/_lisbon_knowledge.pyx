"""What one player of Lisbon Tram 28 sees (`seen`) and knows (`hide`, `admit`).

Hidden are the tickets in other hands, the order of the ticket pile, and of the mover's choices those that nobody can see: which colour he
moves with before he pays, whether he stopped moving or had to, what he swaps before he pays, and whether he declined to pay after a ring
or could not. An Info in which another player is on turn therefore stays at the last thing seen: after a step as if the move action went
on, after a ring as if the group were going to be paid for. The next label tells; where the turn passes on without one (there is no ticket
left to be drawn), `hide` shows the next player on turn, and `admit` learns it from the next label.
"""
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport NOTHING, GameC
from wattman.engine.games._lisbon_chance cimport drawer
from wattman.engine.games._lisbon_memory cimport Memory, Recall
from wattman.engine.games._lisbon_paying cimport any_swap
from wattman.engine.games._lisbon_rails cimport list_steps
from wattman.engine.games._lisbon_rules cimport end_action, start_paying, stop_paying, take_payment
from wattman.engine.games._lisbon_state cimport (
    AFTER_STEP,
    BEGUN,
    BOARD,
    BONUS,
    COLOURS,
    DECLINE,
    END,
    END_TICKET,
    FOR_BONUS,
    FOR_GROUP,
    FRESH,
    HALT,
    HAS_BELL,
    HAS_FREE,
    KEEP,
    MOVE,
    MOVING,
    NONE,
    OVER,
    PAID,
    PATHS,
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
    SETUP_TICKET,
    SHUNTING,
    SWAP,
    TURN,
    UNKNOWN,
    Data,
    Move,
    State,
    any_of,
    bit,
    hidden_mover,
    other_colour,
    own_seats,
    passengers,
)


cdef inline const Data* data_of(const GameC* game) noexcept nogil:
    return <const Data*>game.data


# --- seen ---

cdef inline int32_t paid_label(const Data* d, const State* s) noexcept nogil:
    """What all see of the payment that `s` stands before."""
    cdef int c
    cdef int32_t number = 0
    for c in range(COLOURS):
        number = number * d.digit + s.need[c] + s.pay[c]
    return (d.paid if s.purpose & RUNG else d.board_for if s.purpose & FOR_GROUP else d.bonus_for) + number


cdef int32_t seen_of_payment(const Data* d, const State* s, int32_t event) noexcept nogil:
    cdef State after
    cdef int x, give
    if event == PAY:
        return paid_label(d, s)
    # Where this leaves no choice, the payment comes at once.
    memcpy(&after, s, sizeof(State))
    if event == BOARD or event == BONUS:
        start_paying(d, &after, NULL, FOR_GROUP if event == BOARD else FOR_BONUS)
    else:
        x = (event - SWAP) // 3
        give = other_colour(x, (event - SWAP) % 3)
        after.need[x] -= 1
        after.pay[give] += 3
        after.swapped = 4 * x + give
    if after.purpose & RUNG or any_swap(&after):
        return NOTHING
    return paid_label(d, &after)


cdef int32_t seen(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef const State* s = <const State*>state
    if d.ticket <= event < d.card:
        return event if drawer(d, s) == observer else d.ticket_unseen
    if observer == s.player:
        return event
    if event < BOARD or event == HALT or event == DECLINE:
        return NOTHING
    if event == BOARD or event == BONUS or event == PAY or SWAP <= event < KEEP:
        return seen_of_payment(d, s, event)
    if s.phase == MOVING and s.move.stage != PAID and d.free <= event < d.exchange:
        if event >= d.step:
            return (d.first_step if s.move.stage == FRESH else d.step_for) + 4 * (event - d.step) + s.move.colour
        if s.move.stage == FRESH:
            return d.first_free + event - d.free
    return event


# --- hide ---

cdef inline void mask_move(Move* move) noexcept nogil:
    """What the others do not know of a move action: the ticket drawn in it, and its colour until a ticket of it is paid."""
    if move.late:
        move.late = 1 + UNKNOWN
    if move.stage == BEGUN:
        move.colour = UNKNOWN


cdef void rewind(const Data* d, State* s, int observer) noexcept nogil:
    """Back to the last thing that the observer saw of the turn of another."""
    if observer == s.player:
        return
    mask_move(&s.move)
    mask_move(&s.trail_move)
    if not (s.phase == TURN or s.phase == MOVING or s.phase == PAYING or (s.phase == END_TICKET and s.trail)):
        return
    stop_paying(s)
    s.move = s.trail_move
    s.count = 0
    s.phase = TURN
    if s.trail == AFTER_STEP:
        s.phase = MOVING
    elif s.trail:
        start_paying(d, s, NULL, FOR_GROUP | RUNG)


cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef Info* k = <Info*>info
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int p
    memset(k, 0, sizeof(Info))
    memcpy(s, state, sizeof(State))
    memcpy(m, memory, sizeof(Memory))
    s.observer = 1 + observer
    memset(s.deck, 0, COLOURS)
    for p in range(SEATS_AT_TABLE):
        if p != observer:
            memset(s.hand[p], 0, COLOURS)
            memset(&m.recall[p], 0, sizeof(Recall))
    rewind(d, s, observer)
    prepare(d, k)


cdef void prepare(const Data* d, Info* k) noexcept nogil:
    """Everything in an Info that follows from its State and Memory."""
    cdef const State* s = &k.state
    cdef int c, p, left, total = 0, hidden = s.n_deck
    k.impossible = 0
    memset(k.memory.start_deck, 0, COLOURS)
    memset(k.memory.start_bag, 0, COLOURS)
    for c in range(COLOURS):
        left = d.tickets_each - s.hand[s.observer - 1][c] - s.discard[c]
        if left < 0:
            k.impossible = 1
            left = 0
        k.unseen[c] = left
        total += left
    for p in range(d.players):
        if p != s.observer - 1:
            hidden += s.n_hand[p]
    if total != hidden:
        k.impossible = 1


# --- admit ---

cdef enum:
    GAME_OVER = 1
    NOT_NOW = 2
    NO_SUCH_TICKET = 3
    NOT_SEEN = 4
    NO_WAY = 5
    NO_PAYMENT = 6
    NO_EVENT = 7
    NOT_OWN = 8


cdef bint is_legal(const GameC* game, const State* s, int label) noexcept nogil:
    """Whether a decision of which all see everything is legal."""
    cdef int32_t ids[5 * PATHS]
    cdef int i
    for i in range(game.legal(game, s, ids)):
        if ids[i] == label:
            return True
    return False


cdef bint is_way(const Data* d, const State* s, int path) noexcept nogil:
    """Whether the tram on turn can take a step along this path."""
    cdef int32_t paths[PATHS]
    cdef int i
    for i in range(list_steps(d, s, s.player, paths, d.paths)):
        if paths[i] == path:
            return True
    return False


cdef bint may_be_paid(const uint8_t* need, const uint8_t* tickets) noexcept nogil:
    """Whether `tickets` can stand for `need`, some swaps counted."""
    cdef int c, total, gives
    cdef int u[COLOURS]
    cdef int give[COLOURS]
    # u[c]: how many of need[c] are swapped away; give[c]: swaps that are paid in colour c. No colour gives for itself.
    for u[0] in range(need[0] + 1):
        for u[1] in range(need[1] + 1):
            for u[2] in range(need[2] + 1):
                for u[3] in range(need[3] + 1):
                    total = u[0] + u[1] + u[2] + u[3]
                    gives = 0
                    for c in range(COLOURS):
                        give[c] = tickets[c] - need[c] + u[c]
                        if give[c] < 0 or give[c] % 3 or u[c] + give[c] // 3 > total:
                            break
                        gives += give[c] // 3
                    else:
                        if gives == total:
                            return True
    return False


cdef bint could_pay(const Info* k, const uint8_t* need) noexcept nogil:
    """Whether the hand of the player on turn, which the observer does not see, could pay `need`."""
    cdef int c, own, missing = 0, spare = 0, tickets = 0
    for c in range(COLOURS):
        own = min(need[c], k.unseen[c])
        tickets += own
        missing += need[c] - own
        spare += (k.unseen[c] - own) // 3
    return missing <= spare and tickets + 3 * missing <= k.state.n_hand[k.state.player]


cdef void settle(const Data* d, Info* k) noexcept nogil:
    """What another player did after the last thing seen was nothing that is seen: the action is over."""
    stop_paying(&k.state)
    end_action(d, &k.state, &k.memory)


cdef inline bint open_ended(const State* s) noexcept nogil:
    """Whether what the player on turn did after the last thing seen is hidden."""
    return hidden_mover(s) and (s.phase == MOVING or s.phase == PAYING)


cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef Info trial
    cdef int code
    memcpy(&trial, info, sizeof(Info))
    if not 0 <= label < d.events:
        return NO_EVENT
    code = admit_to(game, d, &trial, label)
    if code == 0:
        prepare(d, &trial)
        if trial.impossible:
            return NO_SUCH_TICKET
        memcpy(info, &trial, sizeof(Info))
    return code


cdef int admit_to(const GameC* game, const Data* d, Info* k, int32_t label) noexcept nogil:
    cdef State* s = &k.state
    cdef int observer = s.observer - 1, code
    if s.phase == OVER:
        return GAME_OVER
    if open_ended(s):
        code = admit_more(game, d, k, label)
        if code >= 0:
            return code
        settle(d, k)
        if s.phase == OVER:
            return GAME_OVER
    if d.bag <= label < d.first_step or label == d.ticket_unseen:
        return admit_chance(game, d, k, label)
    if s.phase == TURN and s.player != observer:
        return admit_turn(game, d, k, label)
    # What is decided now is decided by the observer, or for all to see.
    if game.to_move(game, s) < 0:
        return NOT_NOW
    if label >= d.bag:
        return NOT_OWN if game.to_move(game, s) == observer else NOT_NOW
    if not is_legal(game, s, label):
        return NOT_NOW
    game.apply(game, s, &k.memory, label)
    return 0


cdef int admit_chance(const GameC* game, const Data* d, Info* k, int32_t label) noexcept nogil:
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int c, pile
    if label >= d.card and label != d.ticket_unseen:
        if game.to_move(game, s) != -1 or s.phase in (SETUP_BAG, RING_BAG, REFILL_BAG, SETUP_TICKET, PUSH_TICKET, END_TICKET):
            return NOT_NOW
        if not s.pile >> (label - d.card) & 1:
            return NOT_NOW
    elif label < d.ticket:
        if s.phase not in (SETUP_BAG, RING_BAG, REFILL_BAG) or s.bag[label - d.bag] == 0:
            return NOT_NOW
    else:
        if s.phase not in (SETUP_TICKET, PUSH_TICKET, END_TICKET):
            return NOT_NOW
        if (drawer(d, s) == s.observer - 1) != (label != d.ticket_unseen):
            return NOT_SEEN
        if label != d.ticket_unseen:
            c = label - d.ticket
            if (s.discard[c] if s.n_deck == 0 else k.unseen[c]) == 0:
                return NO_SUCH_TICKET
            pile = m.n_piles - 1
            if s.n_deck and pile >= 0 and m.recall[s.observer - 1].drawn[pile][c] >= m.piles[pile][c]:
                return NO_SUCH_TICKET
    game.apply(game, s, m, label)
    return 0


cdef int admit_paid(const GameC* game, const Data* d, Info* k, int32_t label) noexcept nogil:
    """The player on turn pays for what `need` says."""
    cdef State* s = &k.state
    cdef uint8_t tickets[COLOURS]
    cdef int c, number = label - (d.paid if s.purpose & RUNG else d.board_for if s.purpose & FOR_GROUP else d.bonus_for)
    for c in range(COLOURS - 1, -1, -1):
        tickets[c] = number % d.digit
        number //= d.digit
    if not may_be_paid(s.need, tickets):
        return NO_PAYMENT
    if passengers(tickets) > s.n_hand[s.player]:
        return NO_SUCH_TICKET
    for c in range(COLOURS):
        if tickets[c] > k.unseen[c]:
            return NO_SUCH_TICKET
    take_payment(d, s, &k.memory, tickets)
    return 0


cdef int admit_step(const GameC* game, const Data* d, Info* k, int path, int colour, int price) noexcept nogil:
    """Whether the player on turn can take a step and pay for it."""
    cdef State* s = &k.state
    if not is_way(d, s, path):
        return NO_WAY
    if price and (s.n_hand[s.player] - (s.move.late != 0) < price or k.unseen[colour] < price):
        return NO_SUCH_TICKET
    return 0


cdef int admit_more(const GameC* game, const Data* d, Info* k, int32_t label) noexcept nogil:
    """What another player may do in the action of which the last thing was seen. -1: it is nothing of that kind."""
    cdef State* s = &k.state
    cdef int code
    if s.phase == PAYING:
        return admit_paid(game, d, k, label) if label >= d.paid else -1
    if d.free <= label < d.step:
        if not s.move.free_open:
            return -1
        code = admit_step(game, d, k, label - d.free, 0, 0)
    elif d.step <= label < d.exchange:
        if s.move.stage != PAID:
            return NOT_SEEN
        code = admit_step(game, d, k, label - d.step, s.move.colour, 1)
    elif d.exchange <= label < d.bag:
        if s.move.stage != PAID or (label - d.exchange) & 3 == s.move.colour:
            return NOT_NOW
        code = admit_step(game, d, k, (label - d.exchange) >> 2, (label - d.exchange) & 3, 3)
    elif d.step_for <= label < d.ticket_unseen:
        if s.move.stage != BEGUN:
            return NOT_NOW
        code = admit_step(game, d, k, (label - d.step_for) >> 2, (label - d.step_for) & 3, 1)
        if code == 0:
            s.move.colour = (label - d.step_for) & 3
            label = d.step + ((label - d.step_for) >> 2)
    else:
        return -1
    if code == 0:
        game.apply(game, s, &k.memory, label)
    return code


cdef int admit_turn(const GameC* game, const Data* d, Info* k, int32_t label) noexcept nogil:
    """What another player may do with his turn."""
    cdef State* s = &k.state
    cdef int place = s.at[s.player], stop = d.stop_of[place], code
    if label == RING or label == RING3:
        if s.actions == 0 or stop == NONE or not any_of(s.waiting[stop]) or not (any_of(s.bag) or any_of(s.gone)):
            return NOT_NOW
        if label == RING3 and not s.bonuses[s.player] & ~s.used & HAS_BELL:
            return NOT_NOW
        if not room_for(d, s, stop):
            return NOT_NOW
        if not could_pay(k, s.waiting[stop]):
            return NO_SUCH_TICKET
    elif d.board_for <= label < d.bonus_for:
        if s.actions == 0 or stop == NONE or not any_of(s.waiting[stop]) or not room_for(d, s, stop):
            return NOT_NOW
        start_paying(d, s, NULL, FOR_GROUP)
        return admit_paid(game, d, k, label)
    elif d.bonus_for <= label < d.paid:
        if s.actions == 0 or d.colour_of[place] == NONE or s.bonuses[s.player] & d.bonus_of[s.player][d.colour_of[place]]:
            return NOT_NOW
        start_paying(d, s, NULL, FOR_BONUS)
        return admit_paid(game, d, k, label)
    elif d.first_step <= label < d.first_free:
        if s.actions == 0:
            return NOT_NOW
        code = admit_step(game, d, k, (label - d.first_step) >> 2, (label - d.first_step) & 3, 1)
        if code:
            return code
        game.apply(game, s, &k.memory, MOVE + ((label - d.first_step) & 3))
        label = d.step + ((label - d.first_step) >> 2)
    elif d.first_free <= label < d.step_for:
        if s.actions == 0 or not d.german or not s.bonuses[s.player] & HAS_FREE or s.n_hand[s.player] == 0:
            return NOT_NOW
        code = admit_step(game, d, k, label - d.first_free, 0, 0)
        if code:
            return code
        game.apply(game, s, &k.memory, MOVE)
        s.move.colour = UNKNOWN
        label = d.free + label - d.first_free
    elif label == END or d.claim <= label < d.shunt or d.free <= label < d.step:
        if not is_legal(game, s, label):
            return NOT_NOW
    elif label < d.bag:
        return NOT_SEEN if label < d.claim else NOT_NOW
    else:
        return NOT_NOW
    game.apply(game, s, &k.memory, label)
    return 0


cdef bint room_for(const Data* d, const State* s, int stop) noexcept nogil:
    """Whether one of the group finds a seat with the player on turn."""
    cdef int c
    for c in range(COLOURS):
        if s.waiting[stop][c] and s.aboard[s.player][c] < own_seats(d, s, s.player):
            return True
    return False
