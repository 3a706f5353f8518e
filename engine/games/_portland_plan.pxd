# Which routes a player of Portland wants; see _portland_plan.pyx.
from libc.stdint cimport uint8_t, uint64_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_state cimport OFFERED, TYPES, Data, State

cdef struct Style:
    # How a policy plans and plays. Points and turns.
    float turn            # points that a turn is worth: what planning charges for one
    float train           # points that a train is worth: likewise
    float gamble          # a plan may take so many times the turns that are left
    float more_turns      # tickets are drawn if more turns are left ...
    float more_rate       # ... and routes alone would bring fewer points a turn than this
    float pass_worth      # a face-up pass, in wanted cards
    float passes_spent    # on a wanted route while there is time: this share of its length
    float time            # there is, while more turns are left than this
    int grab              # a route of so many points is claimed outside the plan, with cards and trains that the plan leaves over
    int least             # length of the shortest route that is claimed for its points, if there are longer ones
    float near            # a route at an own one counts for so much more of its points, for the longest path
    float ticket          # points that a ticket offered has to bring for itself
    int orders            # in which a plan tries to join the tickets
    bint race             # tickets count for nothing


cdef struct Plan:
    # A player's plan. All zero: none yet.
    uint8_t made
    uint8_t style         # in playouts: 1 the usual one, 2 the patient one; 0: not chosen yet
    uint8_t race          # in playouts: he does not care for tickets
    uint8_t extra         # `wanted` are there for their points, no ticket needs them
    uint8_t hopeless      # tickets left out
    uint8_t spare_trains  # that the plan leaves over
    uint8_t trains        # his, when `need` was counted
    uint8_t need[TYPES]   # cards that the wanted routes take, by their type; the wild type stands for gray
    float rate            # extra: points a turn that the best one brings
    uint64_t held[2]      # tickets for which it was made
    uint64_t wanted[2]    # routes to be claimed


cdef inline int most_of_a_type(const Data* d, const State* s, int player) noexcept nogil:
    """Cards of the type of which he has most."""
    cdef int i, most = 0
    for i in range(d.wild):
        most = max(most, <int>s.hand[player][i])
    return most


cdef float turns_left(const Data* d, const State* s) noexcept nogil
cdef void keep_up(const Data* d, const State* s, int player, const Style* style, Plan* plan) noexcept nogil
cdef void rate_offers(const Data* d, const State* s, int player, const uint8_t* offer, int n, const Style* style, float* value) noexcept nogil
cdef float points_to_come(const Data* d, const State* s, int player, const Style* style) noexcept nogil
cdef double fit(const GameC* game, const void* state, int observer) noexcept nogil
