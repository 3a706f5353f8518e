# Playouts that learn from one simulation to the next.
#
# MAST (Finnsson and Björnsson, "Simulation-based approach to general game playing", 2008) remembers for each player and action the mean
# reward of the simulations in which he took it, wherever. NAST (Tak, Winands and Björnsson, "N-grams and the last-good-reply policy", 2012)
# with pairs remembers it for the action after his last one. A share of a playout's decisions takes the action of best mean (epsilon-greedy,
# Powley, Cowling and Whitehouse, "Information capture and reuse strategies", 2014), the rest is left to the game's policy.
from libc.stdint cimport int8_t, int32_t, uint32_t, uint64_t

from wattman.engine.abi cimport CHANCE, MAX_PLAYERS, TERMINAL, GameC
from wattman.engine.rng cimport Rng, mix64, rng_below, rng_uniform

cdef enum:
    CELLS = 1 << 14   # cells of the table; two that collide share their means


cdef struct Cell:
    float total
    uint32_t count


cdef struct Mast:
    double share            # of a playout's decisions
    bint pairs              # NAST with pairs
    Cell* cells             # [CELLS]
    uint32_t* trail         # [max_events] cells of this simulation's decisions
    int8_t* trail_player    # [max_events] whose
    int length
    int32_t last[MAX_PLAYERS]   # each player's last action, -1: none


cdef inline uint32_t mast_cell(const Mast* m, int player, int32_t action) noexcept nogil:
    cdef uint64_t key = (<uint64_t>player << 60) ^ <uint64_t>(action + 1)
    if m.pairs:
        key ^= <uint64_t>(m.last[player] + 1) << 30
    return <uint32_t>(mix64(key) & (CELLS - 1))


cdef inline void mast_note(Mast* m, int player, int32_t action) noexcept nogil:
    """A decision of this simulation, in the tree or after it."""
    m.trail[m.length] = mast_cell(m, player, action)
    m.trail_player[m.length] = player
    m.length += 1
    m.last[player] = action


cdef inline int32_t mast_best(const Mast* m, int player, const int32_t* ids, int n) noexcept nogil:
    """The action of best mean; one that was never taken counts as the best there can be."""
    cdef const Cell* cell
    cdef double mean, best = -1
    cdef int k, choice = 0
    for k in range(n):
        cell = &m.cells[mast_cell(m, player, ids[k])]
        mean = cell.total / cell.count if cell.count else 1
        if mean > best:
            best = mean
            choice = k
    return ids[choice]


cdef inline void mast_learn(Mast* m, const double* reward) noexcept nogil:
    """The simulation's rewards go to all of its decisions."""
    cdef int i
    cdef Cell* cell
    for i in range(m.length):
        cell = &m.cells[m.trail[i]]
        cell.total += <float>reward[m.trail_player[i]]
        cell.count += 1


cdef inline int play_out_learned(
    const GameC* game, Mast* m, void* state, void* scratch, int32_t* ids, Rng* chance, Rng* policy, bint uniform, int most, int over, int last
) noexcept nogil:
    """As `play_out`, with a share of the decisions by what was learned."""
    cdef int who, n, events = 0
    cdef int32_t action
    while True:
        who = game.to_move(game, state)
        if who == TERMINAL:
            break
        if events >= most and (events >= most + over or (who != CHANCE and who != last)):
            break
        if who == CHANCE:
            action = game.sample(game, state, chance)
        else:
            last = who
            if rng_uniform(policy) < m.share:
                n = game.legal(game, state, ids)
                action = mast_best(m, who, ids, n)
            elif uniform:
                n = game.legal(game, state, ids)
                action = ids[rng_below(policy, n) if n > 1 else 0]
            else:
                action = game.playout(game, state, scratch, policy)
            mast_note(m, who, action)
        game.apply(game, state, NULL, action)
        events += 1
    return events
