"""`Deal`: luck that two games share."""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc

from wattman.engine.abi cimport GameC, Stream
from wattman.engine.rng cimport mix64

from wattman.engine.seeds import seed_of


cdef class Deal:
    """Decides chance events so that two games share luck whatever the players do.

    In each pile and reshuffle epoch the next card is the one of least hash(seed, pile, epoch, card) among those left, as if the pile
    had been shuffled once. Over seeds every outcome has its true probability. A Deal keeps no state: after an undo the same card comes.
    """

    def __init__(self, seed: int):
        self.seed = seed_of(seed)

    def choose(self, state) -> int:
        """The outcome of this chance node of a State."""
        if not state.is_chance_node():
            raise ValueError("Deal: no chance event is next here")
        return state.sample_chance(self)

    cdef int next_card(self, const GameC* game, const void* state, const void* memory) except -1:
        cdef int size = game.max_outcomes
        cdef int32_t* room = <int32_t*>malloc(4 * size * sizeof(int32_t))
        cdef Stream pile
        cdef int i, j, rank, best = -1
        cdef uint64_t salt, h, low, last, best_hash = 0
        if room == NULL:
            raise MemoryError()
        pile.ids = room
        pile.start = room + size
        pile.left = room + 2 * size
        pile.kind = room + 3 * size
        game.stream(game, state, memory, &pile)
        salt = mix64(mix64(self.seed ^ mix64(pile.stream + 1)) ^ <uint64_t>pile.epoch)
        for i in range(pile.n):
            if pile.left[i] <= 0:
                continue
            # start cards of this kind, numbered 0.. ; start - left of them, those of least hash, are gone: the next is the one after.
            last = 0
            for rank in range(pile.start[i] - pile.left[i] + 1):
                low = <uint64_t>0xFFFFFFFFFFFFFFFF
                for j in range(pile.start[i]):
                    h = mix64(salt ^ mix64((<uint64_t>pile.kind[i] << 32) + <uint64_t>j))
                    if h < low and (rank == 0 or h > last):
                        low = h
                last = low
            if best < 0 or last < best_hash:
                best = pile.ids[i]
                best_hash = last
        free(room)
        if best < 0:
            raise ValueError("Deal: this chance node has no outcome")
        return best

    def __reduce__(self):
        return Deal, (self.seed,)

    def __eq__(self, other):
        return isinstance(other, Deal) and self.seed == (<Deal>other).seed

    def __hash__(self):
        return hash(("Deal", self.seed))

    def __repr__(self):
        return f"Deal({self.seed})"
