# The random generator: xoroshiro128+ (Blackman and Vigna), seeded by splitmix64. Inline, without the GIL.
# Every draw takes the generator by pointer; there is no global one.
from libc.stdint cimport uint32_t, uint64_t


cdef struct Rng:
    uint64_t s0
    uint64_t s1


cdef inline uint64_t mix64(uint64_t x) noexcept nogil:
    """The splitmix64 finaliser: a bijection of 64 bits that scatters neighbouring inputs."""
    x += <uint64_t>0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t>0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline void rng_seed(Rng* rng, uint64_t seed) noexcept nogil:
    rng.s0 = mix64(seed)
    rng.s1 = mix64(rng.s0 ^ seed)
    if rng.s0 == 0 and rng.s1 == 0:
        rng.s1 = 1  # the all-zero state is a fixed point


cdef inline uint64_t rng_next(Rng* rng) noexcept nogil:
    cdef uint64_t a = rng.s0, b = rng.s1, result = a + b
    b ^= a
    rng.s0 = ((a << 24) | (a >> 40)) ^ b ^ (b << 16)
    rng.s1 = (b << 37) | (b >> 27)
    return result


cdef inline uint32_t rng_below(Rng* rng, uint32_t n) noexcept nogil:
    """Uniform in 0..n-1 (Lemire's multiply-shift; the bias is below n / 2**32)."""
    return <uint32_t>(((rng_next(rng) >> 32) * <uint64_t>n) >> 32)


cdef inline double rng_uniform(Rng* rng) noexcept nogil:
    """Uniform in [0, 1) with 53 bits."""
    return <double>(rng_next(rng) >> 11) * (1.0 / 9007199254740992.0)
