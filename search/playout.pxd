# From the leaf to a result: the playout and the rewards.
from libc.stdint cimport int32_t
from libc.string cimport memset

from wattman.engine.abi cimport CHANCE, TERMINAL, VALUES, GameC
from wattman.engine.rng cimport Rng, rng_below

cdef struct Reward:
    double weight[VALUES]   # of win share, margin and own score; sum 1
    double scale            # points that count as all of a margin or score
    bint paranoid           # all others play against the observer


cdef inline int play_out(
    const GameC* game, void* state, void* scratch, int32_t* ids, Rng* chance, Rng* policy, bint uniform, int most, int over, int last
) noexcept nogil:
    """Plays on by the game's policy, or uniformly at random; returns the number of events.

    After `most` events it goes on for at most `over` more to the beginning of another player's decisions, since an estimate within a turn
    says less. `last` is who decided last. Chance and the policy have generators of their own.
    """
    cdef int who, n, events = 0
    while True:
        who = game.to_move(game, state)
        if who == TERMINAL:
            break
        if events >= most and (events >= most + over or (who != CHANCE and who != last)):
            break
        if who == CHANCE:
            game.apply(game, state, NULL, game.sample(game, state, chance))
        else:
            last = who
            if uniform:
                n = game.legal(game, state, ids)
                game.apply(game, state, NULL, ids[rng_below(policy, n) if n > 1 else 0])
            else:
                game.apply(game, state, NULL, game.playout(game, state, scratch, policy))
        events += 1
    return events


cdef inline double unit(double points, double scale) noexcept nogil:
    """Points as a share: from -scale or less (0) to scale or more (1)."""
    points /= scale
    return 0.5 + 0.5 * (1 if points > 1 else -1 if points < -1 else points)


cdef inline void rewards(const GameC* game, const Reward* reward, const double* values, int observer, double* out) noexcept nogil:
    """Each player's reward in [0, 1] from the game's values. [players]"""
    cdef int player
    for player in range(game.players):
        out[player] = (
            reward.weight[0] * values[VALUES * player]
            + reward.weight[1] * unit(values[VALUES * player + 1], reward.scale)
            + reward.weight[2] * unit(values[VALUES * player + 2], reward.scale)
        )
    if reward.paranoid:
        for player in range(game.players):
            if player != observer:
                out[player] = 1 - out[observer]
