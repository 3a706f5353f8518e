# The context of one search from one root; see ismcts.pyx.
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from wattman.engine.abi cimport MAX_PLAYERS, GameC
from wattman.engine.game cimport Game, InfoState
from wattman.engine.rng cimport Rng
from wattman.search.playout cimport Reward
from wattman.search.select cimport Rule
from wattman.search.tree cimport Tree


cdef struct Step:
    uint32_t edge
    int32_t player


cdef struct Sight:
    # What the players have seen since the root, as hashes. In `run` chance labels are summed until the next decision, so that the
    # order of a run of draws does not matter.
    uint64_t seen[MAX_PLAYERS]
    uint64_t run[MAX_PLAYERS]


cdef struct Context:
    const GameC* game
    const uint8_t* info
    int observer
    # options
    Rule rule
    Reward reward
    int cutoff             # events in a playout, 0: to the end
    bint uniform           # playouts uniformly at random
    bint branch            # trees branch on chance labels
    # the search so far
    Tree tree
    Rng rng
    uint64_t simulations
    uint64_t events        # stepped through in them
    double* root_win       # [max_legal] sum of the observer's win share, by root edge
    double* root_margin    # [max_legal]
    # room
    uint8_t* state
    uint8_t* scratch
    int32_t* ids           # [max_legal]
    float* weights         # [max_legal]
    uint32_t* mark         # [actions] the stamp of the last decision in which it was legal
    uint32_t stamp
    Step* path             # [max_events + 1]


cdef class Search:
    cdef readonly Game game
    cdef readonly InfoState info
    cdef readonly dict options
    cdef readonly uint64_t seed
    cdef Context c
    cdef object _lock
