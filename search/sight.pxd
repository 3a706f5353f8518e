# What each player has seen since the root, as a hash: the key of the node of his tree at which he is.
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, MAX_PLAYERS, NOTHING, GameC
from wattman.engine.rng cimport mix64

cdef enum:
    MOST_MORE = 256     # labels; no game's max_more is greater


cdef struct Sight:
    uint64_t seen[MAX_PLAYERS]
    uint64_t run[MAX_PLAYERS]   # sum over the chance labels since the last decision: the order of a run of draws does not matter


cdef inline void look(const GameC* game, const void* state, int32_t event, int who, bint branch, bint openly, Sight* sight) noexcept nogil:
    """All players see an event that is about to happen; all of it, if `openly` (a world in which nothing is hidden)."""
    cdef int player
    cdef int32_t label
    cdef uint64_t before
    if who == CHANCE:
        if branch:
            for player in range(game.players):
                label = event if openly else game.seen(game, state, event, player)
                if label != NOTHING:
                    sight.run[player] += mix64(<uint64_t>label + 1)
        return
    for player in range(game.players):
        before = sight.seen[player]
        if sight.run[player]:
            before = mix64(before ^ sight.run[player])
            sight.run[player] = 0
        label = event if openly else game.seen(game, state, event, player)
        if player == who:  # he knows what he chose, and may see more of it than that
            before = mix64(before ^ <uint64_t>(event + 1))
            if label == event:
                label = NOTHING
        if label != NOTHING:
            before = mix64(before ^ ((<uint64_t>label + 1) << 32))
        sight.seen[player] = before


cdef inline void notice(const GameC* game, int32_t label, Sight* sight) noexcept nogil:
    """All see a decision that followed by itself."""
    cdef int player
    cdef uint64_t before
    for player in range(game.players):
        before = sight.seen[player]
        if sight.run[player]:
            before = mix64(before ^ sight.run[player])
            sight.run[player] = 0
        sight.seen[player] = mix64(before ^ ((<uint64_t>label + 1) << 32))


cdef inline void look_on(const GameC* game, const void* state, Sight* sight) noexcept nogil:
    """All see what followed by itself upon the event that has just happened."""
    cdef int32_t labels[MOST_MORE]
    cdef int i
    if game.more == NULL:
        return
    for i in range(game.more(game, state, labels)):
        notice(game, labels[i], sight)


cdef inline uint64_t node_key(const Sight* sight, int player) noexcept nogil:
    """The key of his node, never 0."""
    cdef uint64_t key = sight.seen[player]
    if sight.run[player]:
        key = mix64(key ^ sight.run[player])
    return key if key else 1


cdef inline void look_from_root(const GameC* game, Sight* sight) noexcept nogil:
    """Nobody has seen anything yet."""
    cdef int player
    memset(sight, 0, sizeof(Sight))
    for player in range(game.players):
        sight.seen[player] = mix64(player + 1)


cdef inline void look_back(const GameC* game, int32_t label, int who, int observer, bint branch, uint64_t salt, Sight* sight) noexcept nogil:
    """The root moves past an event of somebody else, or of chance, of which `observer` saw `label`.

    His own sight goes on as if the search had been there. So do those of the others if all was open; else nobody knows what they saw, and
    their trees begin anew, at keys that `salt` makes new.
    """
    cdef int player
    cdef uint64_t before
    if who == CHANCE:
        if branch:
            for player in range(game.players):
                if player == observer:
                    sight.run[player] += mix64(<uint64_t>label + 1)
                else:
                    sight.seen[player] = mix64(sight.seen[player] ^ salt)
        return
    for player in range(game.players):
        before = sight.seen[player]
        if sight.run[player]:
            before = mix64(before ^ sight.run[player])
            sight.run[player] = 0
        if player != observer and label >= game.actions:
            before = mix64(before ^ salt)
        elif player == who:
            before = mix64(before ^ <uint64_t>(label + 1))
        else:
            before = mix64(before ^ ((<uint64_t>label + 1) << 32))
        sight.seen[player] = before


cdef inline void look_at_own(const GameC* game, const void* state, const void* memory, uint8_t* view, int observer, Sight* sight) noexcept nogil:
    """At the root the others know what they hold in this world: each begins at a node of his own for it. `view` is room for an Info."""
    cdef int player
    cdef size_t i
    cdef uint64_t word
    for player in range(game.players):
        if player == observer:
            continue
        game.hide(game, state, memory, player, view)
        i = 0
        while i < game.info_size:  # eight bytes at a time
            word = 0
            memcpy(&word, view + i, min(<size_t>8, game.info_size - i))
            sight.seen[player] = mix64(sight.seen[player] ^ word)
            i += 8
