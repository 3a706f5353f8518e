# Payments of Lisbon Tram 28: what a hand can pay with swaps, three tickets of one colour for one of another.
from libc.stdint cimport uint8_t

from wattman.engine.games._lisbon_state cimport COLOURS, State


cdef inline bint payable(const uint8_t* hand, const uint8_t* need) noexcept nogil:
    """Whether `hand` can pay `need`, swaps counted.

    A swap for a colour that itself gives tickets to another swap is never needed: the second may take from where the first does.
    """
    cdef int c, left, missing = 0, spare = 0
    for c in range(COLOURS):
        left = hand[c] - need[c]
        if left < 0:
            missing -= left
        else:
            spare += left // 3
    return missing <= spare


cdef inline bint natural(const State* s) noexcept nogil:
    """Whether what is left to pay is in hand by itself."""
    cdef const uint8_t* hand = s.hand[s.player]
    cdef int c
    for c in range(COLOURS):
        if hand[c] - s.pay[c] < s.need[c]:
            return False
    return True


cdef inline bint rest_payable(const int* have, const int* need, int x) noexcept nogil:
    """Whether `have` can pay `need` with swaps for colours above x alone. What is needed of x is in hand."""
    cdef int c, left, missing = 0, spare = 0
    for c in range(COLOURS):
        left = have[c] - need[c]
        if left >= 0:
            spare += left // 3
        elif c > x and have[c] >= 0:
            missing -= left
        else:
            return False
    return missing <= spare


cdef inline bint payable_from(const int* have, const int* need, int x, int d) noexcept nogil:
    """Whether `have` can pay `need` with swaps not earlier than x<d, in the order of (X, D)."""
    cdef int h[COLOURS]
    cdef int n[COLOURS]
    cdef int c, i, j, first, second, third, k = 0, missing = need[x] - have[x]
    cdef int donor[3]
    if missing <= 0:
        return rest_payable(have, need, x)
    for c in range(COLOURS):
        h[c] = have[c]
        n[c] = need[c]
        if c >= d and c != x:
            donor[k] = c
            k += 1
    n[x] = have[x]
    if k == 0:
        return False
    # Which colours give for x: all ways to share the missing ones between at most three.
    for i in range(missing + 1 if k > 1 else 1):
        for j in range(missing - i + 1 if k > 2 else 1):
            first, second, third = missing - i - j, i, j
            for c in range(COLOURS):
                h[c] = have[c]
            h[donor[0]] -= 3 * first
            if k > 1:
                h[donor[1]] -= 3 * second
            if k > 2:
                h[donor[2]] -= 3 * third
            if rest_payable(h, n, x):
                return True
    return False


cdef inline bint may_swap(const State* s, int x, int d) noexcept nogil:
    """Whether x<d is a legal swap now."""
    cdef const uint8_t* hand = s.hand[s.player]
    cdef int have[COLOURS]
    cdef int need[COLOURS]
    cdef int c
    if s.need[x] == 0 or hand[d] - s.pay[d] < 3 or x == d or 4 * x + d < s.swapped:
        return False
    for c in range(COLOURS):
        have[c] = hand[c] - s.pay[c]
        need[c] = s.need[c]
    have[d] -= 3
    need[x] -= 1
    return payable_from(have, need, x, d)


cdef inline bint any_swap(const State* s) noexcept nogil:
    cdef const uint8_t* hand = s.hand[s.player]
    cdef int x, d
    for d in range(COLOURS):
        if hand[d] - s.pay[d] >= 3:
            for x in range(COLOURS):
                if may_swap(s, x, d):
                    return True
    return False
