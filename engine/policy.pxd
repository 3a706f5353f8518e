# From gains to weights to a move, for the cheap policies of the games.
from libc.stdint cimport int32_t

from wattman.engine.rng cimport Rng, rng_uniform


cdef inline void soften(float* out, int n, float sharpness) noexcept nogil:
    """Gains of n decisions, in place, as weights in (0, 1]: the best has 1, the others about exp(sharpness * (gain - best gain))."""
    cdef int i
    cdef float best = out[0], away
    for i in range(1, n):
        best = max(best, out[i])
    for i in range(n):
        away = (best - out[i]) * sharpness
        # In single precision throughout, so that the compiler does four at a time.
        out[i] = <float>1 / (<float>1 + away * (<float>1 + away * (<float>0.5 + away * <float>0.1667)))


cdef inline int32_t draw_weighted(const int32_t* ids, const float* weights, int n, Rng* rng) noexcept nogil:
    """One of n ids, each as often as its weight says."""
    cdef float pick = 0
    cdef int i
    for i in range(n):
        pick += weights[i]
    pick *= <float>rng_uniform(rng)
    for i in range(n - 1):
        pick -= weights[i]
        if pick < 0:
            return ids[i]
    return ids[n - 1]
