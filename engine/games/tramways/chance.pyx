"""Chance: the possible outcomes, one of them, and the node as a pile of physical cards."""
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC, Stream
from wattman.engine.games.tramways.memory cimport Memory
from wattman.engine.games.tramways.setup cimport list_tile_places
from wattman.engine.games.tramways.state cimport (
    DRAW,
    NONE,
    REVEAL,
    SETUP_BOARD,
    SETUP_ORDER,
    SETUP_PARCEL,
    SETUP_PLACE,
    SETUP_TYPE,
    SQUARES,
    TYPES,
    Data,
    Player,
    State,
    find_card,
    in_play,
)
from wattman.engine.rng cimport Rng, rng_below


cdef inline const Data* data_of(const GameC* game) noexcept nogil:
    return <const Data*>game.data


cdef int list_outcomes(const Data* d, const State* s, int32_t* ids, int* counts) noexcept nogil:
    """The possible outcomes, and in how many ways each can come about."""
    cdef int i, n = 0, t
    cdef const Player* p = &s.players[s.player]
    if s.phase == SETUP_PLACE:
        n = list_tile_places(d, s, s.count, ids)
        for i in range(n):
            counts[i] = 1
        return n
    if s.phase == SETUP_BOARD:
        for i in range(4 * d.n_boards):
            for t in range(s.count):
                if s.board[t] >> 2 == i >> 2:
                    break
            else:
                ids[n] = d.board + i
                counts[n] = 1
                n += 1
    elif s.phase == SETUP_PARCEL:
        for i in range(d.n_parcel_kinds):
            t = d.parcel_of[i]
            if in_play(s, t) and s.owner[t] == NONE:
                ids[n] = d.parcel + i
                counts[n] = 1
                n += 1
    elif s.phase == SETUP_ORDER:
        for i in range(d.players):
            if find_card(s.order, s.n_order, i) < 0:
                ids[n] = d.order + i
                counts[n] = 1
                n += 1
    elif s.phase == SETUP_TYPE:
        for i in range(TYPES):
            if s.type_tiles[i]:
                ids[n] = d.type_tile + i
                counts[n] = s.type_tiles[i]
                n += 1
    elif s.phase == REVEAL:
        for i in range(d.n_auction):
            if s.reserve[i]:
                ids[n] = d.reveal + i
                counts[n] = s.reserve[i]
                n += 1
    else:
        for i in range(p.n_deck):
            if i and p.deck[i] == p.deck[i - 1]:
                counts[n - 1] += 1
            else:
                ids[n] = d.draw + p.deck[i]
                counts[n] = 1
                n += 1
    return n


cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil:
    cdef int counts[2 * SQUARES]
    cdef int i, total = 0, n = list_outcomes(data_of(game), <const State*>state, ids, counts)
    for i in range(n):
        total += counts[i]
    for i in range(n):
        probabilities[i] = <double>counts[i] / total
    return n


cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef const State* s = <const State*>state
    cdef int32_t ids[2 * SQUARES]
    cdef int counts[2 * SQUARES]
    cdef int i, n, total = 0
    if s.phase == DRAW:
        return d.draw + s.players[s.player].deck[rng_below(rng, s.players[s.player].n_deck)]
    n = list_outcomes(d, s, ids, counts)
    for i in range(n):
        total += counts[i]
    total = rng_below(rng, total)
    i = 0
    while total >= counts[i]:
        total -= counts[i]
        i += 1
    return ids[i]


cdef void stream(const GameC* game, const void* state, const void* memory, Stream* out) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef const State* s = <const State*>state
    cdef const Memory* m = <const Memory*>memory
    cdef int counts[2 * SQUARES]
    cdef int i, j, kind, p = s.player
    out.n = list_outcomes(d, s, out.ids, counts)
    out.stream = s.phase
    out.epoch = 0
    for i in range(out.n):
        out.kind[i] = out.ids[i]
        out.left[i] = out.start[i] = counts[i]
        if s.phase == SETUP_TYPE:
            out.start[i] = m.start_types[out.ids[i] - d.type_tile]
        elif s.phase == REVEAL:
            out.start[i] = m.start_reserve[out.ids[i] - d.reveal]
        elif s.phase == DRAW:
            kind = out.ids[i] - d.draw
            out.start[i] = 0
            for j in range(m.n_start[p]):
                out.start[i] += m.start[p][j] == kind
    if s.phase == DRAW:
        out.stream = DRAW + 1 + p
        out.epoch = m.epoch[p]
    elif s.phase == SETUP_PLACE:
        out.epoch = s.count
