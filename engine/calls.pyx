"""Calls of a game's C functions with Python values as results, for `State` and `InfoState` alike."""
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free, malloc

from wattman.engine.abi cimport MAX_PLAYERS, VALUES, GameC

import numpy as np


cdef list legal_ids(const GameC* game, const void* state):
    cdef int32_t* ids = <int32_t*>malloc(game.max_legal * sizeof(int32_t))
    if ids == NULL:
        raise MemoryError()
    cdef int n = game.legal(game, state, ids)
    result = sorted([ids[i] for i in range(n)])
    free(ids)
    return result


cdef list outcomes(const GameC* game, const void* state):
    cdef int n
    cdef int32_t* ids = <int32_t*>malloc(game.max_outcomes * sizeof(int32_t))
    cdef double* p = <double*>malloc(game.max_outcomes * sizeof(double))
    if ids == NULL or p == NULL:
        free(ids)
        free(p)
        raise MemoryError()
    n = game.chance(game, state, ids, p)
    result = [(ids[i], p[i]) for i in range(n)]
    free(ids)
    free(p)
    return result


cdef tuple more_labels(const GameC* game, const void* state):
    """What all have seen to follow by itself upon the last event."""
    if game.more == NULL:
        return ()
    cdef int32_t* labels = <int32_t*>malloc(game.max_more * sizeof(int32_t))
    if labels == NULL:
        raise MemoryError()
    cdef int n = game.more(game, state, labels)
    result = tuple([labels[i] for i in range(n)])
    free(labels)
    return result


cdef dict weights_of(const GameC* game, const void* state):
    legal = legal_ids(game, state)
    cdef int i, n = len(legal)
    cdef int32_t* ids = <int32_t*>malloc(n * sizeof(int32_t))
    cdef float* out = <float*>malloc(n * sizeof(float))
    if ids == NULL or out == NULL:
        free(ids)
        free(out)
        raise MemoryError()
    for i in range(n):
        ids[i] = legal[i]
    game.weights(game, state, ids, n, out)
    result = {legal[i]: out[i] for i in range(n)}
    free(ids)
    free(out)
    return result


cdef list scores_of(const GameC* game, const void* state):
    cdef double out[MAX_PLAYERS]
    game.scores(game, state, out)
    return [out[p] for p in range(game.players)]


cdef list returns_of(const GameC* game, const void* state):
    cdef double out[MAX_PLAYERS]
    game.returns(game, state, out)
    return [out[p] for p in range(game.players)]


cdef object values_of(const GameC* game, const void* state):
    cdef double out[MAX_PLAYERS * VALUES]
    game.values(game, state, out)
    return np.array([out[i] for i in range(game.players * VALUES)]).reshape(-1, VALUES)


cdef object floats(int size, Writer write, const GameC* game, const void* state, int player):
    cdef float[::1] view
    out = np.zeros(size, np.float32)
    if size:
        view = out
        write(game, state, player, &view[0])
    return out


cdef bytes canonical_bytes(const GameC* game, const void* state):
    cdef uint8_t* out = <uint8_t*>calloc(1, game.state_size)
    if out == NULL:
        raise MemoryError()
    cdef int n = game.canonical(game, state, out)
    result = <bytes>out[:n]
    free(out)
    return result
