"""What a player of Lisbon Tram 28 sees, as numbers for a network.

Layout 1: one for all numbers of players, rules and boards; seats are counted from the observer, places and spaces of a smaller board leave
zeros. Colours in the order R Y G B, passengers divided by 4, tickets by 10.

| what | floats |
| --- | --- |
| step, one-hot in the order of `_lisbon_data.STEPS` | 16 |
| 2, 3, 4 players, one-hot | 3 |
| German rules; last round; rounds without a claim / 10; claim in this round | 4 |
| free move used, bell bonus used (this turn); actions left / 3 | 3 |
| own hand; bag; passengers set aside; discard / 27; ticket needed, set aside in a payment; passengers drawn; colour of the move action | 8 x 4 |
| ticket pile / 100; face-up cards / 20; draws still to be made / 4; payment for a group, a bonus, after a ring; move action begun, paid; free step of it open; 1 + colour of an own ticket drawn in it / 5; trams being pushed / 3, of these placed / 3; the tram whose way is chosen is one's own; one is to decide | 14 |
| end of a push's line, landing place of the mover, one-hot each | 2 x 48 |
| per seat: there; on turn; has drawn a push ticket; tram's place one-hot; bonuses (seats, action, free move, bell); passengers aboard; tickets, points / 20, connections / 5, cards / 10, passengers / 8; colours of the left and right edge of the row | 4 x 72 |
| per place: passengers; one may stop there; steps from the own tram / 10 with passengers at all stops | 48 x 6 |
| per display space, then the next card: there; points / 4; demand; left and right edge; passengers aboard that it asks for / its demand; steps from the own tram / 10; monument one-hot | 7 x 64 |
"""
from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_knowledge cimport rewind
from wattman.engine.games._lisbon_state cimport (
    BEGUN,
    COLOURS,
    FOR_BONUS,
    FOR_GROUP,
    HAS_BELL,
    HAS_FREE,
    MOVING,
    NONE,
    PAID,
    PLACES,
    PUSH_TICKET,
    RUNG,
    SEATS_AT_TABLE,
    SHUNTING,
    SPACES,
    Data,
    State,
    passengers,
)

from wattman.engine.games._lisbon_board import BONUSES
from wattman.engine.games._lisbon_board import COLOURS as LETTERS
from wattman.engine.games._lisbon_data import STEPS
from wattman.engine.naming import padded


cdef inline float* put(float* out, const uint8_t* counts, float unit) noexcept nogil:
    cdef int c
    for c in range(COLOURS):
        out[c] = counts[c] / unit
    return out + COLOURS


cdef inline float* put_bits(float* out, int mask) noexcept nogil:
    cdef int c
    for c in range(COLOURS):
        out[c] = mask >> c & 1
    return out + COLOURS


cdef inline float* put_place(float* out, int place, bint there) noexcept nogil:
    if there:
        out[place] = 1
    return out + PLACES


cdef float* observe_common(const GameC* game, const Data* d, const State* s, int player, float* out) noexcept nogil:
    cdef bint pushing = s.phase == SHUNTING or s.phase == PUSH_TICKET
    out[s.phase] = 1
    out[PHASES + d.players - 2] = 1
    out += PHASES + 3
    out[0] = d.german
    out[1] = s.last_round
    out[2] = s.idle / <float>10
    out[3] = s.claimed
    out[4] = s.used & HAS_FREE != 0
    out[5] = s.used & HAS_BELL != 0
    out[6] = s.actions / <float>3
    out += 7
    out = put(out, s.hand[player], 10)
    out = put(out, s.bag, 4)
    out = put(out, s.gone, 4)
    out = put(out, s.discard, 27)
    # Of a payment, the passengers drawn and a move's colour `rewind` has left what this player sees.
    out = put(out, s.need, 10)
    out = put(out, s.pay, 10)
    out = put(out, s.drawn, 4)
    if s.move.stage and s.move.colour < COLOURS or player == s.player and s.phase == MOVING:
        out[s.move.colour] = 1
    out += COLOURS
    out[0] = s.n_deck / <float>100
    out[1] = s.face_up / <float>20
    out[2] = s.count / <float>4
    out[3] = s.purpose & FOR_GROUP != 0
    out[4] = s.purpose & FOR_BONUS != 0
    out[5] = s.purpose & RUNG != 0
    out[6] = s.move.stage == BEGUN
    out[7] = s.move.stage == PAID
    out[8] = s.move.free_open
    out[9] = s.move.late / <float>5
    out[10] = s.n_pushed / <float>3
    out[11] = s.placed / <float>3
    out[12] = s.phase == SHUNTING and s.pushed[s.placed] == player
    out[13] = game.to_move(game, s) == player
    out += 14
    out = put_place(out, s.node, pushing)
    return put_place(out, s.landing, pushing)


cdef float* observe_seat(const Data* d, const State* s, int p, float* out) noexcept nogil:
    out[0] = 1
    out[1] = s.player == p
    out[2] = s.drew >> p & 1
    out = put_place(out + 3, s.at[p], True)
    out = put_bits(out, s.bonuses[p])
    out = put(out, s.aboard[p], 4)
    out[0] = s.n_hand[p] / <float>10
    out[1] = s.vp[p] / <float>20
    out[2] = s.links[p] / <float>5
    out[3] = s.n_row[p] / <float>10
    out[4] = passengers(s.aboard[p]) / <float>8
    out += 5
    out = put_bits(out, d.left[s.row_left[p]] if s.n_row[p] else 0)
    return put_bits(out, d.right[s.row_right[p]] if s.n_row[p] else 0)


cdef void observe_card(const Data* d, const State* s, int player, int card, float* out) noexcept nogil:
    cdef int c, have = 0
    if card == NONE:
        return
    for c in range(COLOURS):
        have += min(s.aboard[player][c], d.demand[card][c])
    out[0] = 1
    out[1] = d.card_vp[card] / <float>4
    out = put(out + 2, d.demand[card], 4)
    out = put_bits(out, d.left[card])
    out = put_bits(out, d.right[card])
    out[0] = have / <float>max(1, passengers(d.demand[card]))
    out[1] = d.distance[s.at[player]][d.card_place[card]] / <float>10
    put_place(out + 2, d.card_place[card], True)


cdef void observe(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef State s
    cdef int i
    memset(out, 0, OBSERVATION * sizeof(float))
    memcpy(&s, state, sizeof(State))
    rewind(d, &s, player)
    out = observe_common(game, d, &s, player, out)
    for i in range(SEATS_AT_TABLE):
        if i < d.players:
            observe_seat(d, &s, (player + i) % d.players, out)
        out += SEAT
    for i in range(PLACES):
        if i < d.places:
            if d.stop_of[i] != NONE:
                put(out, s.waiting[d.stop_of[i]], 4)
            out[COLOURS] = s.open >> i & 1
            out[COLOURS + 1] = d.distance[s.at[player]][i] / <float>10
        out += COLOURS + 2
    for i in range(SPACES):
        observe_card(d, &s, player, s.display[i], out)
        out += CARD
    observe_card(d, &s, player, s.next_card, out)


cdef void hidden_targets(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    """The other hands, by seat from the observer's left neighbour on: tickets of each colour / 10."""
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int i
    memset(out, 0, HIDDEN * sizeof(float))
    for i in range(1, d.players):
        put(out + (i - 1) * COLOURS, s.hand[(player + i) % d.players], 10)


def observation_names(board) -> list[str]:
    """What each of these numbers is, see `Game.observation_names`. `board`: a `_lisbon_board.Board`."""
    places = padded([place.id for place in board.places], PLACES)

    def coloured(*what: str) -> list[str]:
        return [f"{each} {letter}" for each in what for letter in LETTERS]

    seat = [
        "present", "on turn", "has drawn a push ticket", *(f"tram at {place}" for place in places), *(f"bonus {name}" for name in BONUSES),
        *coloured("aboard"), "tickets", "points", "connections", "cards", "passengers", *coloured("left edge", "right edge"),
    ]
    card = [
        "there", "points", *coloured("demand", "left edge", "right edge"), "aboard of its demand", "steps from the own tram",
        *(f"at {place}" for place in places),
    ]
    return [
        *(f"step {step}" for step in STEPS),
        *(f"{n} players" for n in range(2, 5)),
        "German rules", "last round", "rounds without a claim", "claim in this round",
        "free move used", "bell bonus used", "actions left",
        *coloured("hand", "bag", "set aside", "discard", "needed", "paid for others", "drawn", "move"),
        "ticket pile", "face-up cards", "draws to be made",
        "payment for a group", "payment for a bonus", "payment after a ring",
        "move begun", "move paid", "free step of the move", "ticket drawn in the move",
        "trams pushed", "pushed trams placed", "own tram is pushed", "decides",
        *(f"push ends at {place}" for place in places), *(f"landing at {place}" for place in places),
        *(f"seat {i} {what}" for i in range(SEATS_AT_TABLE) for what in seat),
        *(f"{place} {what}" for place in places for what in (*coloured("passengers"), "open", "steps from the own tram")),
        *(f"space {i} {what}" for i in range(SPACES) for what in card), *(f"next card {what}" for what in card),
    ]
