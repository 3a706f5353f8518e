"""Lisbon Tram 28: points and ranks."""
from wattman.engine.abi cimport GameC
from wattman.engine.games._lisbon_state cimport State, passengers


cdef int standing(const State* s, int player) noexcept nogil:
    """What players are ranked by: points, then connections, passengers aboard, distance from the start player. Never equal."""
    return ((s.vp[player] + s.links[player]) << 16) + (s.links[player] << 8) + (passengers(s.aboard[player]) << 2) + player


cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int p
    for p in range(game.players):
        out[p] = s.vp[p] + s.links[p]


cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int p, q, better
    for p in range(game.players):
        better = 0
        for q in range(game.players):
            better += standing(s, q) > standing(s, p)
        out[p] = 1 - 2.0 * better / (game.players - 1)
