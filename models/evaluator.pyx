"""A trained network in the search: native, without the GIL and without PyTorch.

A multilayer perceptron in float32: hidden layers of rectified units, then three linear heads. Most inputs are zero, and about half of the
hidden units, so a layer adds up the rows of weights of those inputs that are not. The policy is worked out for the legal actions alone: an
action's logit is the sum over its terms (see engine/abi.pxd), and may be a correction of the game's own weight (`policy.base`).

On x86-64 with glibc the loops are compiled twice and the processor picks (AVX2, or SSE2 that each one has); without fused multiply-add, so
that both give the same bits.
"""
from libc.math cimport expf, logf
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport MAX_PLAYERS, VALUES, GameC
from wattman.engine.game cimport Game, State
from wattman.models.terms cimport terms_of
from wattman.search.evaluator cimport Evaluator

import numpy as np

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #include <string.h>
    #if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
    #define BOTH __attribute__((target_clones("avx2", "default")))
    #else
    #define BOTH
    #endif
    #if defined(_MSC_VER)
    #define RESTRICT __restrict
    #else
    #define RESTRICT __restrict__
    #endif

    /* whether the next eight numbers are zero */
    static inline int zeros(const float* x) {
        uint64_t a, b, c, d;
        memcpy(&a, x, 8), memcpy(&b, x + 2, 8), memcpy(&c, x + 4, 8), memcpy(&d, x + 6, 8);
        return (a | b | c | d) == 0;
    }

    /* out[width] += sum over i < n of x[i] * rows[i][width], for the x[i] that are not zero */
    BOTH static void add_rows(float* RESTRICT out, const float* RESTRICT x, int n, const float* RESTRICT rows, int width) {
        int i = 0, j;
        while (i < n) {
            const float* r[4];
            float v[4];
            int found = 0;
            while (i < n && found < 4) {
                if (x[i] != 0.0f) {
                    v[found] = x[i];
                    r[found++] = rows + (size_t)i * width;
                    i++;
                } else {
                    i++;
                    while (i + 8 <= n && zeros(x + i)) i += 8;
                }
            }
            if (found == 4) {
                const float *RESTRICT a = r[0], *RESTRICT b = r[1], *RESTRICT c = r[2], *RESTRICT d = r[3];
                const float va = v[0], vb = v[1], vc = v[2], vd = v[3];
                for (j = 0; j < width; j++)
                    out[j] = (((out[j] + va * a[j]) + vb * b[j]) + vc * c[j]) + vd * d[j];
            } else {
                for (int k = 0; k < found; k++) {
                    const float *RESTRICT a = r[k];
                    const float va = v[k];
                    for (j = 0; j < width; j++)
                        out[j] += va * a[j];
                }
            }
        }
    }

    /* the dot product of two vectors, in eight parts; n is a multiple of eight */
    BOTH static float dot(const float* RESTRICT a, const float* RESTRICT b, int n) {
        float part[8] = {0};
        for (int i = 0; i < n; i += 8)
            for (int k = 0; k < 8; k++)
                part[k] += a[i + k] * b[i + k];
        return ((part[0] + part[4]) + (part[1] + part[5])) + ((part[2] + part[6]) + (part[3] + part[7]));
    }
    """
    void add_rows(float* out, const float* x, int n, const float* rows, int width) noexcept nogil
    float dot(const float* a, const float* b, int n) noexcept nogil

cdef enum:
    UNIT = 8            # widths are multiples of it

cdef inline const float* hidden(const Net* net, const GameC* game, const void* state, int player, float* room) noexcept nogil:
    """The last hidden layer. `room`: the inputs, then every layer."""
    cdef float* x = room
    cdef float* y = room + net.inputs
    cdef int layer, i, n = net.inputs
    game.observe(game, state, player, x)
    for layer in range(net.layers):
        memcpy(y, net.bias[layer], net.width[layer] * sizeof(float))
        add_rows(y, x, n, net.weight[layer], net.width[layer])
        n = net.width[layer]
        for i in range(n):
            y[i] = y[i] if y[i] > 0 else <float>0
        x = y
        y += n
    return x


cdef void softmax(float* x, int n) noexcept nogil:
    cdef float most = x[0], total = 0
    cdef int i
    for i in range(1, n):
        most = max(most, x[i])
    for i in range(n):
        x[i] = expf(x[i] - most)
        total += x[i]
    for i in range(n):
        x[i] /= total


cdef void policy(const void* data, const GameC* game, const void* state, int player, const int32_t* ids, int n, void* room, float* out) noexcept nogil:
    cdef const Net* net = <const Net*>data
    cdef const float* x = hidden(net, game, state, player, <float*>room)
    cdef int i, k, count, width = net.width[net.layers - 1]
    cdef float* factors = <float*>x + width  # behind the layers
    cdef int32_t* terms = <int32_t*>(factors + net.most_terms)
    cdef float total = 0
    if net.base != 0:
        game.weights(game, state, ids, n, out)
        for i in range(n):
            total += out[i]
        for i in range(n):
            out[i] = net.base * logf(max(out[i] / total, <float>1e-6))  # `LEAST` of wattman.models.network
    else:
        memset(out, 0, n * sizeof(float))
    for i in range(n):
        count = terms_of(game, state, ids[i], terms, factors)
        for k in range(count):
            out[i] += factors[k] * (net.policy_bias[terms[k]] + dot(x, net.policy_weight + <size_t>terms[k] * width, width))
    softmax(out, n)


cdef void values(const void* data, const GameC* game, const void* state, int player, void* room, double* out) noexcept nogil:
    cdef const Net* net = <const Net*>data
    cdef const float* x = hidden(net, game, state, player, <float*>room)
    cdef float head[MAX_PLAYERS * VALUES]
    cdef int i, seat, n = game.players
    memcpy(head, net.value_bias, net.outputs * sizeof(float))
    add_rows(head, x, net.width[net.layers - 1], net.value_weight, net.outputs)
    softmax(head, n)  # the win is shared out
    for i in range(n):
        seat = (player + i) % n
        out[VALUES * seat] = head[i]
        out[VALUES * seat + 1] = head[n + i] * net.scale
        out[VALUES * seat + 2] = head[2 * n + i] * net.scale


cdef class NetEvaluator(Evaluator):
    """A network for one game.

    Parameters
    ----------
    game : Game
        Its observation, actions and players give the sizes.
    arrays : dict of numpy arrays
        As `wattman.models.weights` describes them, float16 or float32.
    search : dict
        Search parameters that go with it.

    Raises
    ------
    ValueError
        If an array is missing or of another shape.
    """

    def __init__(self, Game game, dict arrays, dict search):
        cdef Net* net = &self.net
        cdef int layer, last
        self.game = game
        self.search = dict(search)
        self._kept = []
        net.inputs = last = game.c.observation_size
        net.outputs = VALUES * game.c.players
        net.scale = game.c.scale
        net.layers = 0
        while f"layer{net.layers}.weight" in arrays:
            if net.layers == MOST_LAYERS:
                raise ValueError(f"the network has more than {MOST_LAYERS} hidden layers")
            layer = net.layers
            shape = np.shape(arrays[f"layer{layer}.weight"])
            width = shape[1] if len(shape) == 2 else 0
            if width % UNIT or not width:
                raise ValueError(f"layer{layer}.weight: a width of {width}; it must be a multiple of {UNIT}")
            net.weight[layer] = self._take(arrays, f"layer{layer}.weight", (last, width))
            net.bias[layer] = self._take(arrays, f"layer{layer}.bias", (width,))
            net.width[layer] = last = width
            net.layers += 1
        if net.layers == 0:
            raise ValueError("layer0.weight: missing")
        net.most_terms = game.c.most_terms
        net.policy_weight = NULL
        net.policy_bias = NULL
        if "policy.weight" in arrays:
            net.policy_weight = self._take(arrays, "policy.weight", (game.c.terms, last))
            net.policy_bias = self._take(arrays, "policy.bias", (game.c.terms,))
            net.base = self._take(arrays, "policy.base", (1,))[0] if "policy.base" in arrays else 0
        net.value_weight = self._take(arrays, "value.weight", (last, net.outputs))
        net.value_bias = self._take(arrays, "value.bias", (net.outputs,))
        self.guide.data = net
        self.guide.policy = NULL
        if net.policy_weight != NULL:
            self.guide.policy = policy
        self.guide.values = values
        self.guide.room = (net.inputs + sum([net.width[layer] for layer in range(net.layers)]) + 2 * net.most_terms) * sizeof(float)

    cdef const float* _take(self, dict arrays, str name, tuple shape) except NULL:
        cdef const float[::1] flat
        if name not in arrays:
            raise ValueError(f"{name}: missing")
        if np.shape(arrays[name]) != shape:
            raise ValueError(f"{name}: shape {np.shape(arrays[name])}, but this game needs {shape}")
        array = np.ascontiguousarray(arrays[name], np.float32).reshape(-1)
        if not np.isfinite(array).all():
            raise ValueError(f"{name}: not all numbers are finite")
        self._kept.append(array)
        flat = array
        return &flat[0]

    def policy(self, State state) -> dict[int, float]:
        """Probability of each legal action of the player to move, as the search gets it."""
        cdef const GameC* game = &self.game.c
        cdef int i, who = game.to_move(game, state.state)
        if state.game != self.game or who < 0:
            raise ValueError("policy: this is no decision of the network's game")
        if self.net.policy_weight == NULL:
            raise ValueError("policy: this network has none")
        cdef int32_t* ids = <int32_t*>calloc(game.max_legal, sizeof(int32_t))
        cdef float* out = <float*>calloc(game.max_legal, sizeof(float))
        cdef void* room = calloc(1, self.guide.room)
        if ids == NULL or out == NULL or room == NULL:
            raise MemoryError()
        cdef int n = game.legal(game, state.state, ids)
        policy(&self.net, game, state.state, who, ids, n, room, out)
        result = dict(sorted([(ids[i], out[i]) for i in range(n)]))
        free(ids)
        free(out)
        free(room)
        return result

    def values(self, State state, int player, int repeat=1) -> np.ndarray:
        """What the network expects from what `player` sees. Shape (players, 3): share of the win, margin and own score in points.

        `repeat`: so many evaluations, to measure their speed.
        """
        cdef double out[MAX_PLAYERS * VALUES]
        cdef int i
        if state.game != self.game or not 0 <= player < self.game.c.players:
            raise ValueError("values: no player and state of the network's game")
        cdef void* room = calloc(1, self.guide.room)
        if room == NULL:
            raise MemoryError()
        with nogil:
            for i in range(repeat):
                values(&self.net, &self.game.c, state.state, player, room, out)
        free(room)
        return np.array([out[i] for i in range(self.net.outputs)]).reshape(-1, VALUES)
