# Everything that one search from one root has: no globals, nothing shared.
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from wattman.engine.abi cimport GameC
from wattman.engine.rng cimport Rng
from wattman.search.evaluator cimport Guide
from wattman.search.mast cimport Mast
from wattman.search.playout cimport Reward
from wattman.search.select cimport Rule
from wattman.search.sight cimport Sight, node_key
from wattman.search.tree cimport Node, Tree, tree_find

cdef struct Step:
    uint32_t edge
    int32_t player


cdef struct Context:
    const GameC* game
    const uint8_t* info
    int observer
    # options
    Rule rule
    Reward reward
    int cutoff             # events in a playout, 0: to the end
    int over               # events by which a playout may overrun the cut-off to the end of a turn
    bint uniform           # playouts uniformly at random
    uint32_t trees         # bit p: player p has a tree; who has none follows the policy
    int expand             # visits with which a node gets its edges; until then the policy moves there
    bint common            # root moves meet the same worlds
    bint branch            # trees branch on chance labels
    bint apart             # the others' trees begin apart for each hand that they may hold
    int belief             # worlds in the pool from which they are taken in proportion to how well they fit; 1: there is no pool
    uint8_t* world         # the one world of this search, in which everybody sees everything; NULL: a new one each time
    Mast mast              # share 0: not used
    Guide guide            # the network
    double net_prior       # its share in the priors, 0: without
    double net_value       # its share in the estimates where playouts are cut off, 0: without
    double net_playout     # the power to which its probabilities are raised in playouts; 0: these are by the game's policy
    bint all_views         # its values from what each player sees, and the mean; else from what the one to move sees
    uint32_t renew         # worlds over which its priors are averaged
    # the root
    Sight sight            # what the players have seen there, in the trees' terms
    int32_t* root_ids      # [max_legal] the observer's legal actions
    int n_root
    bint even              # they get equally many visits
    uint32_t* root_base    # [edges of the root] visits that they had when it became the root
    double* root_win       # [edges of the root] sum of the observer's win share since then
    double* root_margin    # [edges of the root]
    uint32_t* root_ends    # [edges of the root] how often the game was over right after it
    # the search so far
    Tree tree
    uint64_t seed
    Rng chance             # of the present simulation's world: its deal and its draws
    Rng policy             # of its playout
    uint64_t simulations   # from this root
    uint64_t events        # stepped through in them
    # room
    uint8_t* state
    double* pool           # [belief] sums of the weights of the pool's worlds, if there is a pool ...
    bint weighed           # ... and it has been made for this root
    uint8_t* scratch
    uint8_t* memory        # of a dealt world, if `apart`
    uint8_t* view          # an Info, if `apart`
    int32_t* ids           # [max_legal]
    float* weights         # [max_legal]
    float* net_policy      # [max_legal]
    uint8_t* net_room      # what a call of the network needs
    uint32_t* mark         # [actions] the stamp of the last decision in which it was legal
    uint32_t stamp
    Step* path             # [max_events + 1]


cdef inline Node* root_node(Context* c) noexcept nogil:
    return tree_find(&c.tree, node_key(&c.sight, c.observer))
