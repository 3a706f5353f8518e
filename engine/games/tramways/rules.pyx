"""Tramways: the rules. What they are is told in tramways.pyx; links, trips, payments and the set-up of the city have modules of their own.

`step` carries out one event and what is forced by things that all can see. `apply` goes on from there: decisions with one legal answer are
carried out as well, and noted in the state's trail, for what is forced may depend on a hand that others do not see. What is legal at the
next decision is worked out once, at the end of `apply`, and kept in the state as bits (`find_options`).
"""
from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, TERMINAL, GameC
from wattman.engine.games.tramways.memory cimport Memory
from wattman.engine.games.tramways.options cimport find_options, list_options
from wattman.engine.games.tramways.state cimport (
    DRAW,
    KIND,
    NONE,
    OVER,
    PASS,
    PAY,
    REVEAL,
    SEATS,
    SETUP_BOARD,
    SQUARES,
    TERMINALS,
    TRAIL,
    TYPES,
    Data,
    Player,
    State,
    find_card,
)
from wattman.engine.games.tramways.steps cimport step


cdef inline const Data* data_of(const GameC* game) noexcept nogil:
    return <const Data*>game.data


cdef void init(const GameC* game, void* state, void* memory) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef State* s = <State*>state
    cdef int i
    memset(s, 0, sizeof(State))
    if memory != NULL:
        memset(memory, 0, sizeof(Memory))
    s.phase = SETUP_BOARD
    memset(s.at, NONE, sizeof(s.at))
    memset(s.owner, NONE, TERMINALS)
    memset(s.rail, NONE, SQUARES)
    for i in range(TYPES):
        s.type_tiles[i] = d.type_tiles
        if memory != NULL:
            (<Memory*>memory).start_types[i] = d.type_tiles
        s.stacks[i] = d.buildings
    for i in range(d.n_development):
        s.development[i] = d.development
    for i in range(d.n_auction):
        s.reserve[i] = d.copies[d.auction_kind + i]
        if memory != NULL:
            (<Memory*>memory).start_reserve[i] = s.reserve[i]
    s.supply = d.passengers


cdef bint uses_options(int phase) noexcept nogil:
    return KIND <= phase <= PAY


cdef void note(const Data* d, State* s, int who, int32_t event) noexcept nogil:
    """What follows by itself, as all see it. Whose decision it was is told if it is not who made the event."""
    cdef int label = event
    if s.n_trail == TRAIL:
        return
    if s.player != who:
        label = d.by + s.player * (3 + d.n_auction)
        if event == d.kind + PASS:
            label += 1
        elif event == d.done:
            label += 2
        elif event != d.fold:
            label += 3 + event - d.take
    s.trail[s.n_trail] = label
    s.n_trail += 1


cdef void settle(const Data* d, State* s, Memory* m, int who) noexcept nogil:
    """Carries out decisions with one legal answer."""
    cdef int32_t ids[512]
    cdef int32_t event
    while REVEAL < s.phase < OVER and s.phase != DRAW:
        find_options(d, s)
        if uses_options(s.phase):
            if s.options & (s.options - 1):
                return
            list_options(d, s, ids)
        elif list_options(d, s, ids) > 1:
            return
        event = ids[0]
        note(d, s, who, event)
        step(d, s, m, event)
    s.options = 0


cdef int to_move(const GameC* game, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.phase == OVER:
        return TERMINAL
    if s.phase <= DRAW:
        return CHANCE
    return s.player


cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil:
    return list_options(data_of(game), <const State*>state, ids)


cdef void apply(const GameC* game, void* state, void* memory, int32_t event) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef State* s = <State*>state
    cdef int who = to_move(game, state)
    if s.n_trail:
        memset(s.trail, 0, s.n_trail * sizeof(int16_t))
        s.n_trail = 0
    step(d, s, <Memory*>memory, event)
    settle(d, s, <Memory*>memory, who)


cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef const State* s = <const State*>state
    cdef int p
    for p in range(d.players):
        out[p] = s.players[p].hp
        if s.phase == OVER:
            out[p] -= d.penalty[s.players[p].stress]


cdef void rank(const Data* d, const State* s, int* out) noexcept nogil:
    """Each player's place, 0 for the best; there are no ties."""
    cdef int p, q, better, i
    cdef const Player* x
    cdef const Player* y
    for p in range(d.players):
        out[p] = 0
        x = &s.players[p]
        for q in range(d.players):
            if q == p:
                continue
            y = &s.players[q]
            better = (y.hp - d.penalty[y.stress]) - (x.hp - d.penalty[x.stress])
            if better == 0:
                better = x.stress - y.stress
            if better == 0:
                better = y.money - x.money
            if better == 0:
                better = find_card(s.order, d.players, p) - find_card(s.order, d.players, q)
            out[p] += better > 0


cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef int places[SEATS]
    cdef int p
    if d.players == 1:
        scores(game, state, out)
        return
    rank(d, <const State*>state, places)
    for p in range(d.players):
        out[p] = 1 - 2.0 * places[p] / (d.players - 1)


cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil:
    cdef State* s = <State*>out
    memcpy(s, state, sizeof(State))
    s.n_trail = 0
    memset(s.trail, 0, sizeof(s.trail))
    return sizeof(State)
