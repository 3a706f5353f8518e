"""Many games at once: each of them is a game that the engine could have played, alone."""

import pickle
import threading

import numpy as np
import pytest

from wattman import load_game
from wattman.engine.batch import BatchEnv
from wattman.engine.games import game_class, names

GAMES = [load_game(name, players=players) for name in names() for players in game_class(name).OPTIONS["players"].choices]


@pytest.fixture(params=GAMES, ids=lambda game: f"{game.name}-{game.num_players()}")
def game(request):
    return request.param


def rows(env):
    return [array.copy() for array in (env.players, env.observations, env.masks, env.rewards, env.ended, env.games)]


def same(first, second):
    return all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def follow(states, env, i):
    """Those of the states that agree with a row. Chance is not told, so every outcome of it that may have come is tried."""
    found, todo = {}, list(states)
    while todo:
        state = todo.pop()
        if state.is_chance_node():
            for outcome, _ in state.chance_outcomes():
                other = state.clone()
                other.apply_action(outcome)
                todo.append(other)
        elif (
            state.current_player() == env.players[i]
            and state.legal_actions() == np.flatnonzero(env.masks[i]).tolist()
            and np.array_equal(state.observation_tensor(), env.observations[i])
        ):
            found[state] = state
    return list(found)


def test_leduc_beside_the_engine():
    """Every row is one that the rules allow after the rows before it, to the end, and the results are those of that game."""
    game = load_game("leduc")
    env = BatchEnv(game, 6, seed=3)
    states = [follow([game.new_initial_state()], env, i) for i in range(6)]
    results = set()
    for _ in range(300):
        actions = env.sample()
        for i, action in enumerate(actions):
            for state in states[i]:
                state.apply_action(int(action))
        env.step(actions)
        for i in range(6):
            if env.ended[i]:
                over = [state.returns() for state in states[i] if state.is_terminal()]
                assert env.rewards[i].tolist() in over
                results.add(tuple(env.rewards[i].tolist()))
                states[i] = follow([game.new_initial_state()], env, i)
            else:
                assert not env.rewards[i].any()
                states[i] = follow(states[i], env, i)
            assert states[i]
    assert len(results) > 8
    assert env.games.sum() > 300


def test_rows_are_of_one_game(game):
    """The mask and what is seen belong to the player to move; something is legal; results come at the end and only there."""
    env = BatchEnv(game, 3, seed=1)
    assert env.observations.shape == (3, *game.observation_tensor_shape())
    assert env.masks.shape == (3, game.num_distinct_actions())
    assert env.rewards.shape == (3, game.num_players())
    movers, most = set(), game.max_return()
    for _ in range(3000):
        env.step(env.sample())
        movers.update(env.players.tolist())
        assert env.masks.any(1).all()
        assert np.isfinite(env.observations).all()
        views = [env.observations_of(player) for player in range(game.num_players())]
        assert all(np.array_equal(views[player][i], env.observations[i]) for i, player in enumerate(env.players))
        if env.ended.any():
            assert np.abs(env.rewards[env.ended]).max() <= most
            assert game.num_players() == 1 or np.abs(env.rewards[env.ended]).max() > 0  # alone, the result is the score, and may be 0
        assert not env.rewards[~env.ended].any()
        if env.games.min() >= 1:
            break
    assert env.games.min() >= 1
    assert movers == set(range(game.num_players()))


def test_a_game_does_not_depend_on_the_others(game):
    small, large = BatchEnv(game, 2, seed=9), BatchEnv(game, 5, seed=9)
    for _ in range(40):
        assert same(rows(small), [array[:2] for array in rows(large)])
        small.step(small.sample())
        large.step(large.sample())
    assert same(rows(small), [array[:2] for array in rows(large)])


def test_seeds_and_reset(game):
    first, again, other = BatchEnv(game, 3, seed=1), BatchEnv(game, 3, seed=1), BatchEnv(game, 3, seed=2)
    for env in (first, again, other):
        for _ in range(20):
            env.step(env.sample())
    assert same(rows(first), rows(again))
    assert not same(rows(first), rows(other))
    for env in (first, other):
        env.reset(7)
    assert same(rows(first), rows(other))
    assert not first.games.any()
    before = rows(first)
    first.reset()
    assert not same(rows(first), before) or game.name == "leduc"  # new luck


def test_what_is_not_legal_changes_nothing(game):
    env = BatchEnv(game, 3, seed=4)
    right, before = env.sample(), rows(env)
    illegal = int(np.flatnonzero(~env.masks[1])[0])
    for wrong in (illegal, -1, game.num_distinct_actions(), 2**40):
        actions = right.astype(np.int64)
        actions[1] = wrong
        with pytest.raises(ValueError, match=rf"game 1 of the batch: action {wrong} is not legal for player \d; legal: \d+ \("):
            env.step(actions)
    for wrong in (right[:2], right.astype(float), [[1, 2, 3]]):
        with pytest.raises(ValueError, match="an array of 3 whole numbers is wanted"):
            env.step(wrong)
    assert same(rows(env), before)
    env.step(right.tolist())
    assert not same(rows(env), before)


def test_writing_into_the_arrays_allows_nothing():
    env = BatchEnv(load_game("leduc"), 1)
    env.masks[:] = True
    with pytest.raises(ValueError, match="is not legal"):
        env.step([0])


def test_chance_has_its_probabilities():
    """The first card of Leduc: a third each, in 3,000 games."""
    env = BatchEnv(load_game("leduc"), 3000, seed=5)
    assert np.abs(env.observations[:, :3].mean(0) - 1 / 3).max() < 0.035  # four standard errors


def test_batches_in_threads():
    """Several batches stepped by threads at once do as they do alone."""
    game = load_game("trambahn")

    def run(env):
        for _ in range(60):
            env.step(env.sample())

    batches = [BatchEnv(game, 20, seed) for seed in range(4)]
    threads = [threading.Thread(target=run, args=(env,)) for env in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, env in enumerate(batches):
        alone = BatchEnv(game, 20, seed)
        run(alone)
        assert same(rows(env), rows(alone))


def test_arguments():
    game = load_game("leduc")
    for count in (0, -1):
        with pytest.raises(ValueError, match="must be at least 1"):
            BatchEnv(game, count)
    with pytest.raises(ValueError, match="is neither a seed"):
        BatchEnv(game, 1, "one")
    with pytest.raises(ValueError, match="players are 0 to 1"):
        BatchEnv(game, 1).observations_of(2)
    env = BatchEnv(game, 2)
    assert len(env) == 2
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(env)
    with pytest.raises(TypeError, match="begun anew by reset"):
        env.__init__(game, 3)
