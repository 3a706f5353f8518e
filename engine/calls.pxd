from wattman.engine.abi cimport GameC

# `game.observe` or `game.hidden_targets`
ctypedef void (*Writer)(const GameC*, const void*, int, float*) noexcept nogil

cdef list legal_ids(const GameC* game, const void* state)                         # legal decisions, ascending
cdef list outcomes(const GameC* game, const void* state)                          # [(event, probability)]
cdef tuple more_labels(const GameC* game, const void* state)                      # labels of what followed by itself
cdef dict weights_of(const GameC* game, const void* state)                        # legal decision -> weight, ascending
cdef list scores_of(const GameC* game, const void* state)                         # [players]
cdef list returns_of(const GameC* game, const void* state)                        # [players]
cdef object values_of(const GameC* game, const void* state)                       # array (players, VALUES)
cdef object floats(int size, Writer write, const GameC* game, const void* state, int player)   # array (size,), float32
cdef bytes canonical_bytes(const GameC* game, const void* state)
