"""Portland's final scoring: tickets, the longest path (see `_portland_trail.pyx`), ranks."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_state cimport OVER, SEATS, STATIONS, Data, State, low_bit
from wattman.engine.games._portland_trail cimport connect, longest_trail


cdef void final_result(const Data* d, const State* s, Result* result) noexcept nogil:
    cdef uint8_t part[STATIONS]
    cdef int length[SEATS]
    cdef int p, q, i, word, longest = 0
    cdef uint64_t left
    for p in range(d.players):
        result.score[p] = s.score[p]
        result.completed[p] = 0
        connect(d, s.owned[p], part)
        for word in range(2):
            left = s.held[p][word]
            while left:
                i = 64 * word + low_bit(left)
                left &= left - 1
                if part[d.ticket_at[i].a] == part[d.ticket_at[i].b]:
                    result.completed[p] += 1
                    result.score[p] += d.ticket_at[i].points
                else:
                    result.score[p] -= d.ticket_at[i].points
        length[p] = longest_trail(d, s.owned[p])
        longest = max(longest, length[p])
    for p in range(d.players):
        result.longest[p] = length[p] == longest
        if length[p] == longest:
            result.score[p] += d.longest_path
    for p in range(d.players):
        result.rank[p] = 0
        for q in range(d.players):
            if result.score[q] != result.score[p]:
                result.rank[p] += result.score[q] > result.score[p]
            elif result.completed[q] != result.completed[p]:
                result.rank[p] += result.completed[q] > result.completed[p]
            else:
                result.rank[p] += result.longest[q] > result.longest[p]


cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef Result result
    cdef int p
    if s.phase == OVER:
        final_result(d, s, &result)
    for p in range(d.players):
        out[p] = result.score[p] if s.phase == OVER else s.score[p]


cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil:
    """From +1 for the first to -1 for the last, evenly spaced; equal ranks share the mean."""
    cdef const Data* d = <const Data*>game.data
    cdef Result result
    cdef int p, q, equal
    final_result(d, <const State*>state, &result)
    for p in range(d.players):
        equal = 0
        for q in range(d.players):
            equal += result.rank[q] == result.rank[p]
        out[p] = 1 - (2 * result.rank[p] + equal - 1) / <double>(d.players - 1)
        if out[p] == 0:
            out[p] = 0  # not -0.0
