# The contract between a game and everything else.
#
# A game is plain data (`State`, `Memory`, `Info`: structs without pointers, of sizes fixed when the game is loaded; copying one is
# memcpy) and one table of C functions, `GameC`. Search, agents, records and the terminal know a game through this table alone.
#
# Numbers. An *event* is a decision or a chance outcome. Its id is fixed for a loaded game:
#     0 .. actions-1                                decisions
#     actions .. actions+outcomes-1                 chance outcomes
#     actions+outcomes .. actions+outcomes+labels-1 partial labels: what an observer sees of an event that is not wholly shown to him
# A *label* is what an observer notices of an event: its id (all of it), a partial label, or NOTHING.
#
# State   the truth: everything that lies on the table, hidden or not, and whose turn it is.
# Memory  what the players have seen and could remember beyond what lies there (who saw which discarded card, when a pile was reshuffled).
#         Only states that are played keep one; a search steps through States without (memory = NULL) and pays nothing for it.
# Info    what one observer knows: begins with a State in which the hidden things are marked unknown, then whatever `fill` needs.
#         When the observer is to move, `to_move`, `legal`, `scores`, `observe` and `weights` work on it as on a State.
#         All bytes are determined by what he knows: equal knowledge is equal bytes.
from libc.stdint cimport int32_t, uint8_t, uint64_t

from wattman.engine.rng cimport Rng

cdef enum:
    CHANCE = -1        # to_move: a chance event is next
    TERMINAL = -4      # to_move: the game is over
    NOTHING = -1       # label: the observer notices nothing
    MAX_PLAYERS = 5
    VALUES = 3         # numbers per player that `values` writes


cdef struct Stream:
    # A chance node seen as a pile of physical cards, for duplicate deals (see deal.pyx).
    int stream         # which pile: deck, tickets, bag, market, ...
    int epoch          # how often that pile has been reshuffled
    int n              # outcomes possible now
    int32_t* ids       # [max_outcomes] their event ids
    int32_t* kind      # [max_outcomes] which card of the pile each is, the same wherever that card turns up
    int32_t* start     # [max_outcomes] cards of that kind in the pile when the epoch, or a dealt world, began
    int32_t* left      # [max_outcomes] cards of that kind in the pile now


cdef struct GameC:
    # --- sizes ---
    int players            # 1..MAX_PLAYERS
    int actions            # number of decision ids
    int outcomes           # number of chance ids
    int labels             # number of partial labels
    int max_legal          # most legal actions at one decision
    int max_outcomes       # most outcomes at one chance node
    int max_events         # no game has more events than this
    int max_more           # most labels that `more` writes
    size_t state_size      # bytes
    size_t memory_size     # bytes, 0: nothing to remember
    size_t info_size       # bytes, at least state_size
    size_t scratch_size    # bytes of a playout's notes
    int observation_size   # floats written by observe
    int hidden_size        # floats written by hidden_targets
    int terms              # number of terms by which actions are described to a network, see `action_terms`
    int most_terms         # most terms of one action
    double reward[VALUES]  # default weights of win share, margin and own score in a search's reward; sum 1
    double scale           # points: margins and scores are divided by this (and held to [-1, 1]) in rewards
    const void* data       # the loaded board and options; owned by the Python Game, never written after loading

    # --- the course of the game ---
    # The state before the first event. `memory` may be NULL here and everywhere below.
    void (*init)(const GameC* game, void* state, void* memory) noexcept nogil
    # The player to decide (any player, also out of turn), CHANCE or TERMINAL.
    int (*to_move)(const GameC* game, const void* state) noexcept nogil
    # Writes the legal decisions' ids, each once, and returns how many (at least 1 at a decision).
    int (*legal)(const GameC* game, const void* state, int32_t* ids) noexcept nogil
    # Carries out a legal decision or possible outcome and everything automatic after it.
    void (*apply)(const GameC* game, void* state, void* memory, int32_t event) noexcept nogil
    # The possible outcomes with their probabilities (sum 1); returns how many.
    int (*chance)(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil
    # One outcome, with those probabilities.
    int32_t (*sample)(const GameC* game, const void* state, Rng* rng) noexcept nogil
    # The same chance node as a pile of physical cards. `memory` may not be NULL if memory_size > 0.
    void (*stream)(const GameC* game, const void* state, const void* memory, Stream* out) noexcept nogil
    # For exact solving: whether at this chance node the result is the same whichever outcome comes, however all play on. NULL: nobody can say.
    bint (*idle)(const GameC* game, const void* state) noexcept nogil
    # The points so far, or at the end. [players]
    void (*scores)(const GameC* game, const void* state, double* out) noexcept nogil
    # At the end the result, before it a cheap estimate of it. Per player VALUES numbers: share of the win in [0, 1],
    # score margin in points (to the best other player), own score in points. [players * VALUES]
    void (*values)(const GameC* game, const void* state, double* out) noexcept nogil
    # The results at the end as `State.returns()` gives them: ranks from +1 to -1, in betting games the chips won. [players]
    void (*returns)(const GameC* game, const void* state, double* out) noexcept nogil

    # --- hidden information ---
    # What `observer` will notice of `event`, asked before it is applied.
    int32_t (*seen)(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil
    # Asked right after `apply`: labels of decisions that followed by themselves, which all see as if they had been made one by one.
    # What is forced may depend on hidden things; where it does not, nothing need be told. Returns how many. NULL: there never are any.
    int (*more)(const GameC* game, const void* state, int32_t* labels) noexcept nogil
    # What `observer` knows. `memory` may not be NULL if memory_size > 0.
    void (*hide)(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil
    # Deals one full State that agrees with `info`, each possible one with its probability. Never sees the truth.
    # With `memory`, also what the players remember in that world (the others': as far as the observer knows what they know).
    void (*fill)(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil
    # The logarithm of how well what the others have done fits what they hold in this world, for beliefs: worlds of larger weight are more
    # likely than `fill` deals them. NULL: the game has no belief.
    double (*fit)(const GameC* game, const void* state, int observer) noexcept nogil
    # Brings `info` forward by one label that its observer has seen. 0, or a code > 0 for why it is impossible, `info` untouched.
    # NULL: not supported.
    int (*admit)(const GameC* game, void* info, int32_t label) noexcept nogil

    # --- for the players ---
    # One decision of a cheap goal-directed policy (at most about 1 us). `scratch`: scratch_size bytes, zeroed before each playout.
    int32_t (*playout)(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil
    # A positive weight for each legal decision, larger is better: priors, and the greedy agent. [n]
    void (*weights)(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil
    # What `player` can see on the table, as numbers. Reads nothing that is hidden from him. [observation_size]
    void (*observe)(const GameC* game, const void* state, int player, float* out) noexcept nogil
    # What a legal decision of the player to move is like, for a network's policy: *terms* (0 .. terms-1), each with a factor. The network has a
    # number for each term; a decision's logit is the sum of its terms', times the factors. So there may be far more ids than a network has
    # outputs, and decisions that are alike share what is learnt of one. Reads nothing that is hidden from him. Returns how many.
    # NULL: each id is a term of its own.
    int (*action_terms)(const GameC* game, const void* state, int32_t id, int32_t* terms, float* factors) noexcept nogil
    # What is hidden from `player`: targets for auxiliary learning. [hidden_size]
    void (*hidden_targets)(const GameC* game, const void* state, int player, float* out) noexcept nogil
    # Bytes that are equal if and only if the states are (order inside a multiset does not count); returns how many,
    # at most state_size.
    int (*canonical)(const GameC* game, const void* state, uint8_t* out) noexcept nogil
