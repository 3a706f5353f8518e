"""Trambahn's table as numbers, as one player sees it.

Layout 1, 409 floats. "Own" is the observer's, then comes the other player's. Nothing that is hidden from the observer is read: of the other
player's turn after his passengers no step is told apart, since when he ended one cannot be seen.

| from | floats | what |
| --- | --- | --- |
| 0 | 41 | own hand: cards of each kind, in card order |
| 41 | 41 | share of the cards of each kind that lie neither in the own hand nor in a row or column |
| 82 | 4 | passengers in each row / 4 |
| 86 | 1 | regular scorings so far / 10 |
| 87 | 3 | scores / 100: own, the other's, own less the other's |
| 90 | 2 | money cards / 20 |
| 92 | 2 | hand cards / 6 |
| 94 | 2 | draw pile / 120, discard pile / 120 |
| 96 | 6 | open trams x2, x3, x4 / 3; the same in the stack / 7 |
| 102 | 8 | step, one of: own passengers, stations, income, trams; the other's passengers, his later steps; clean-up; set-up. At the end none |
| 110 | 1 | passengers played this turn |
| 111 | 8 | what a scoring of each colour would give / 30: own, the other's |
| 119 | 2 | columns / 12 |
| 121 | 288 | own columns 0..11, then the other's, 12 floats each (no column: zeros) |

A column: colour (4, one-hot) · multiplier / 4 · highest station / 10 · points / 15 · cards / 10 · conductors / 8 · eight cards or more ·
complete · own, and may still be built on or get a tram in this step.
"""
from libc.string cimport memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._trambahn_state cimport *

from wattman.engine.games import _trambahn_text as text_module

cdef enum:
    SLOTS = 12         # columns shown of each player
    SLOT = 12          # floats of one


cdef void observe_columns(const State* s, int owner, bint own, float* points, float* out) noexcept nogil:
    cdef int i
    cdef const Column* column
    cdef float* slot
    for i in range(s.n_columns[owner]):
        column = &s.columns[owner][i]
        points[column.colour] += column.points * column.tram / <float>30
        if i >= SLOTS:
            continue
        slot = out + i * SLOT
        slot[column.colour] = 1
        slot[4] = column.tram / <float>4
        slot[5] = column.top / <float>10
        slot[6] = column.points / <float>15
        slot[7] = column.count / <float>10
        slot[8] = column.n_conductors / <float>8
        slot[9] = column.count >= 8
        slot[10] = column.top == 10
        if own and s.player == owner and i >= s.column:
            slot[11] = s.phase == STATIONS or (s.phase == PURCHASE and column.tram == 0)


cdef void observe(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int other = 1 - player, i, j, value, step
    cdef float left[CARDS]
    memset(out, 0, OBSERVATION * sizeof(float))
    for i in range(CARDS):
        left[i] = 8 if i == CONDUCTOR else 2 if i % 10 == 0 or i % 10 == 9 else 3
        out[41 + i] = left[i]
    for i in range(s.n_hand[player]):
        if s.hand[player][i] < CARDS:
            out[s.hand[player][i]] += 1
            out[41 + s.hand[player][i]] -= 1
    for i in range(COLOURS):
        out[82 + i] = s.n_row[i] / <float>4
        for j in range(s.n_row[i]):
            out[41 + s.row[i][j]] -= 1
    for i in range(PLAYERS):
        for j in range(s.n_columns[i]):
            out[41 + CONDUCTOR] -= s.columns[i][j].n_conductors
            for value in range(1, 11):
                if s.columns[i][j].values >> value & 1:
                    out[41 + s.columns[i][j].colour * 10 + value - 1] -= 1
    for i in range(CARDS):
        out[41 + i] /= left[i]
    out[86] = s.scorings / <float>10
    out[87] = (s.regular[player] + s.extra[player]) / <float>100
    out[88] = (s.regular[other] + s.extra[other]) / <float>100
    out[89] = out[87] - out[88]
    out[90] = s.n_pile[player] / <float>20
    out[91] = s.n_pile[other] / <float>20
    out[92] = s.n_hand[player] / <float>6
    out[93] = s.n_hand[other] / <float>6
    out[94] = s.n_deck / <float>120
    out[95] = s.n_discard / <float>120
    for i in range(TRAMS):
        out[96 + i] = s.supply[i] / <float>3
        out[99 + i] = s.stack[i] / <float>7
    if s.phase != OVER:
        if s.phase == DEALING:
            step = 7
        elif s.phase == DRAWING:
            step = 6
        elif s.player == player:
            step = s.phase - PASSENGERS
        else:
            step = 4 if s.phase == PASSENGERS else 5
        out[102 + step] = 1
    out[110] = s.boarded
    out[119] = s.n_columns[player] / <float>SLOTS
    out[120] = s.n_columns[other] / <float>SLOTS
    observe_columns(s, player, True, out + 111, out + 121)
    observe_columns(s, other, False, out + 111 + COLOURS, out + 121 + SLOTS * SLOT)


cdef void hidden_targets(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    """How many cards of each kind the other player holds. [CARDS]"""
    cdef const State* s = <const State*>state
    cdef int i
    memset(out, 0, CARDS * sizeof(float))
    for i in range(s.n_hand[1 - player]):
        if s.hand[1 - player][i] < CARDS:
            out[s.hand[1 - player][i]] += 1


def observation_names() -> list[str]:
    """What each of these numbers is, see `Game.observation_names`."""
    cards, colours, trams = text_module.CARDS, text_module.COLOURS, text_module.TRAMS
    column = [
        *(f"colour {colour}" for colour in colours), "multiplier", "highest station", "points", "cards", "conductors", "eight cards",
        "complete", "open",
    ]
    return [
        *(f"hand {card}" for card in cards),
        *(f"elsewhere {card}" for card in cards),
        *(f"passengers {colour}" for colour in colours),
        "regular scorings",
        "seat 0 score", "seat 1 score", "lead",
        *(f"seat {seat} {what}" for what in ("money cards", "hand cards") for seat in range(PLAYERS)),
        "draw pile", "discard pile",
        *(f"{where} tram x{tram}" for where in ("open", "stacked") for tram in trams),
        *(f"own step {step}" for step in text_module.STEPS[1:5]),
        "other's passengers", "other's later steps", "clean-up", "set-up",
        "passengers played",
        *(f"seat {seat} scoring of {colour}" for seat in range(PLAYERS) for colour in colours),
        *(f"seat {seat} columns" for seat in range(PLAYERS)),
        *(f"seat {seat} column {i} {what}" for seat in range(PLAYERS) for i in range(SLOTS) for what in column),
    ]
