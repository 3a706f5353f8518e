# A trained network in the search; see evaluator.pyx.
from wattman.engine.game cimport Game
from wattman.search.evaluator cimport Evaluator

cdef enum:
    MOST_LAYERS = 4

cdef struct Net:
    int inputs
    int layers                      # hidden ones
    int width[MOST_LAYERS]
    int outputs                     # of the value head: VALUES numbers per player
    float scale                     # points of a margin or score of 1
    const float* weight[MOST_LAYERS]      # [inputs of the layer][width]
    const float* bias[MOST_LAYERS]        # [width]
    const float* policy_weight      # [terms][last width], NULL: it has no policy
    const float* policy_bias        # [terms]
    int most_terms                  # of one action
    float base                      # power of the game's weights that the policy corrects; 0: it stands alone
    const float* value_weight       # [last width][outputs]
    const float* value_bias         # [outputs]


cdef class NetEvaluator(Evaluator):
    cdef Net net
    cdef readonly Game game
    cdef list _kept
    cdef const float* _take(self, dict arrays, str name, tuple shape) except NULL
