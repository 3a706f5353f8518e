"""Portland's table as numbers, as one player sees it.

Layout 1. Its size follows from the board: T types of cards, R routes, N tickets (11, 100 and 30 on the shipped one: 984 floats). Seats are
counted from the observer on, in turn order; five are always there, those that nobody has are zero. Nothing that is hidden from the observer
is read: another player's claim shows when it is paid.

| floats | what |
| --- | --- |
| 12 | step, one of: set-up; first tickets; turn; second card; paying; keeping; the market is filled; blind draw; tickets are drawn; end. The last two: who is on turn is the observer; set-up over |
| 8 | draw pile / 120, discards / 120, reshufflable or not (draw pile empty), fresh tickets / N, returned ones / N, last round has begun, turns left of it / players, skips in a row / players |
| T | market: cards of each type / 5 |
| T | discards of each type, as a share of its cards |
| T | own hand: cards of each type / 5 |
| T | own hand and passes: share of the type's cards that lie neither there nor in market or discards |
| N | own tickets |
| N | own tickets that are completed |
| N | tickets offered to the observer |
| R | route being paid for by the observer |
| R | routes that the observer may still claim |
| R | routes that he could pay for now |
| 5 | for each seat: present |
| 5 | on turn |
| 5 | trains / 45 |
| 5 | hand cards / 20 |
| 5 | tickets / 5 |
| 5 | points of routes / 100 |
| 5 R | routes of each seat |
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_state cimport (
    CHOOSE,
    DEAL_HANDS,
    DEAL_TICKETS,
    DRAW_FIRST,
    DRAW_SECOND,
    KEEP,
    LENGTHS,
    NONE,
    OFFER,
    OVER,
    PAY,
    REFILL,
    SEATS,
    SECOND,
    STATIONS,
    TICKETS_NEXT,
    TURN,
    Data,
    State,
    has,
)
from wattman.engine.games._portland_trail cimport connect


cdef int observation_size(const Data* d) noexcept:
    return 20 + 4 * d.types + 3 * d.tickets + 3 * d.routes + 6 * SEATS + SEATS * d.routes


cdef int hidden_size(const Data* d) noexcept:
    return (SEATS - 1) * (d.types + d.tickets)


cdef inline int step_of(const State* s, int player) noexcept nogil:
    if s.phase == CHOOSE:
        return 1
    if s.phase == TURN or (s.phase == PAY and s.player != player):
        return 2
    if s.phase == SECOND:
        return 3
    if s.phase == PAY:
        return 4
    if s.phase == KEEP:
        return 5
    if s.phase == REFILL:
        return 6
    if s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        return 7
    if s.phase == OFFER:
        return 8
    return 9 if s.phase == OVER else 0


cdef void observe(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef uint8_t part[STATIONS]
    cdef const uint8_t* hand = s.hand[player]
    cdef int i, q, seat, most = 0, unseen, cards
    cdef float* at = out
    memset(out, 0, game.observation_size * sizeof(float))
    at[step_of(s, player)] = 1
    at[10] = s.player == player
    at[11] = s.phase > CHOOSE or (s.phase == REFILL and s.after != TICKETS_NEXT)
    at[12] = s.n_deck / <float>120
    at[13] = s.n_discard / <float>120
    at[14] = s.n_deck == 0
    at[15] = s.n_fresh / <float>d.tickets
    at[16] = s.n_queue / <float>d.tickets
    at[17] = s.turns_left > 0
    at[18] = s.turns_left / <float>d.players
    at[19] = s.skips / <float>d.players
    at += 20
    for i in range(d.types):
        unseen = d.count[i] - s.market[i] - s.discard[i] - hand[i]
        at[i] = s.market[i] / <float>5
        at[d.types + i] = s.discard[i] / <float>max(1, <int>d.count[i])
        at[2 * d.types + i] = hand[i] / <float>5
        at[3 * d.types + i] = unseen / <float>max(1, <int>d.count[i])
        if i != d.wild:
            most = max(most, <int>hand[i])
    at += 4 * d.types
    connect(d, s.owned[player], part)
    for i in range(d.tickets):
        if has(s.held[player], i):
            at[i] = 1
            at[d.tickets + i] = part[d.ticket_at[i].a] == part[d.ticket_at[i].b]
    at += 2 * d.tickets
    if s.player == player:
        for i in range(s.n_offer):
            at[s.offer[i]] = 1
    if s.phase == CHOOSE or (s.phase == DEAL_TICKETS and player < s.player):
        for i in range(d.start_offered):
            at[s.first[player][i]] = 1
    at += d.tickets
    if s.phase == PAY and s.player == player:
        at[s.route] = 1
    at += d.routes
    for i in range(d.routes):
        if has(s.open[player], i):
            at[i] = 1
            cards = hand[d.wild] + (most if d.route[i].type == d.wild else hand[d.route[i].type])
            at[d.routes + i] = cards >= d.route[i].length <= s.trains[player]
    at += 2 * d.routes
    for seat in range(d.players):
        q = player + seat
        if q >= d.players:
            q -= d.players
        at[seat] = 1
        at[SEATS + seat] = s.player == q
        at[2 * SEATS + seat] = s.trains[q] / <float>45
        at[3 * SEATS + seat] = s.n_hand[q] / <float>20
        at[4 * SEATS + seat] = s.n_tickets[q] / <float>5
        at[5 * SEATS + seat] = s.score[q] / <float>100
        for i in range(d.routes):
            at[6 * SEATS + seat * d.routes + i] = has(s.owned[q], i)


cdef void hidden_targets(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    """For each other seat from the observer on: its hand cards by type, and which tickets it holds."""
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int i, q, seat
    memset(out, 0, game.hidden_size * sizeof(float))
    for seat in range(1, d.players):
        q = player + seat
        if q >= d.players:
            q -= d.players
        for i in range(d.types):
            out[i] = s.hand[q][i]
        for i in range(d.tickets):
            out[d.types + i] = has(s.held[q], i)
        out += d.types + d.tickets


def observation_names(notation) -> list[str]:
    """What each of these numbers is, see `Game.observation_names`. `notation`: a `_portland_text.Notation`."""
    types, routes, tickets = notation.types, notation.routes, notation.tickets
    steps = (
        "set-up", "first tickets", "turn", "second card", "paying", "keeping", "market is filled", "blind draw", "tickets are drawn", "end",
    )
    piles = (
        "draw pile", "discards", "draw pile empty", "fresh tickets", "returned tickets", "last round", "turns left", "skips in a row",
    )
    return [
        *(f"step {step}" for step in steps), "on turn", "set-up over",
        *piles,
        *(f"{where} {kind}" for where in ("market", "discards", "hand", "elsewhere") for kind in types),
        *(f"{what} {ticket}" for what in ("ticket", "completed", "offered") for ticket in tickets),
        *(f"{what} {route}" for what in ("paying for", "may claim", "can pay for") for route in routes),
        *(f"seat {seat} {what}" for what in ("present", "on turn", "trains", "hand", "tickets", "points") for seat in range(SEATS)),
        *(f"seat {seat} owns {route}" for seat in range(SEATS) for route in routes),
    ]
