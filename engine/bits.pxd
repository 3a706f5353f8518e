# Sets of up to 64 things as bits: what compilers have a single instruction for, each in its own words.
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static __inline int wattman_low_bit(unsigned __int64 mask) {
        unsigned long i;
    #if defined(_WIN64)
        _BitScanForward64(&i, mask);
    #else
        if (!_BitScanForward(&i, (unsigned long)mask)) { _BitScanForward(&i, (unsigned long)(mask >> 32)); i += 32; }
    #endif
        return (int)i;
    }
    static __inline int wattman_bits_of(unsigned __int64 mask) {
        mask -= (mask >> 1) & 0x5555555555555555ULL;
        mask = (mask & 0x3333333333333333ULL) + ((mask >> 2) & 0x3333333333333333ULL);
        return (int)((((mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56);
    }
    #else
    #define wattman_low_bit(mask) __builtin_ctzll(mask)
    #define wattman_bits_of(mask) __builtin_popcountll(mask)
    #endif
    """
    int low_bit "wattman_low_bit"(uint64_t mask) noexcept nogil   # number of the lowest bit that is set; one has to be
    int bits_of "wattman_bits_of"(uint64_t mask) noexcept nogil   # how many are set
