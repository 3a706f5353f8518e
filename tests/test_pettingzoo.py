"""The games in PettingZoo: its own tests pass on them, and what agents get is what the engine says."""

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs PettingZoo: pip install -e '.[pettingzoo]'")

from pettingzoo.test import api_test, render_test, seed_test

from wattman import load_agent, load_game
from wattman.engine.games import game_class, names
from wattman.engine.interop import pettingzoo

GAMES = [(name, players) for name in names() for players in game_class(name).OPTIONS["players"].choices]
# Warnings are failures, but for what PettingZoo's test remarks on unless it knows an environment by name; all are as its pages want them.
pytestmark = pytest.mark.filterwarnings(
    "error",
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # at the end of a game
)


@pytest.fixture(params=GAMES, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def made(request):
    """A function that makes the environment."""
    name, players = request.param
    return lambda raw=False, **more: (pettingzoo.raw_env if raw else pettingzoo.env)(name, players=players, **more)


def play(env, seed, steps=10**9):
    """A random game: what each agent was given when it moved, and the rewards."""
    env.reset(seed=seed)
    generator, rows, total = np.random.default_rng(seed), [], dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(steps):
        observation, reward, termination, truncation, info = env.last()
        total[agent] += reward
        rows.append((agent, observation, info))
        env.step(None if termination or truncation else int(generator.choice(np.flatnonzero(observation["action_mask"]))))
    return rows, total


def test_api(made, capsys):
    api_test(made(), num_cycles=300)
    api_test(made(raw=True), num_cycles=300)
    assert capsys.readouterr().out.count("Passed API test") == 2


def test_seeds(made):
    seed_test(made, num_cycles=100)
    seed_test(lambda: made(raw=True), num_cycles=100)


def test_rendering(made, capsys):
    pytest.importorskip("PIL", reason="pictures need Pillow: pip install -e '.[pettingzoo]'")
    render_test(made)
    assert len(capsys.readouterr().out.splitlines()) > 5  # "human" prints


def test_a_game(made):
    """Observations, masks, rewards and turns beside the engine."""
    env = made()
    env.reset(seed=4)
    generator, asked = np.random.default_rng(4), 0
    for agent in env.agent_iter():
        engine = env.unwrapped.engine
        observation, reward, termination, _, info = env.last()
        player = env.possible_agents.index(agent)
        assert env.observation_space(agent).contains(observation)
        assert np.array_equal(observation["observation"], engine.observation_tensor(player))
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        if termination:
            assert reward == engine.returns()[player]
            assert not observation["action_mask"].any()
            env.step(None)
            continue
        assert reward == 0
        assert player == engine.current_player()
        assert np.flatnonzero(observation["action_mask"]).tolist() == engine.legal_actions()
        others = [env.observe(other)["action_mask"] for other in env.agents if other != agent]
        assert not any(mask.any() for mask in others)
        env.step(int(generator.choice(engine.legal_actions())))
        asked += 1
    assert asked >= 2
    assert env.unwrapped.engine.is_terminal()


def test_seeds_decide_games_and_no_seed_gives_new_ones():
    def texts(env):
        first, _ = play(env, 3)
        env.reset()
        return len(first), env.unwrapped.engine.events(), play(env, None)[1]

    one, other = pettingzoo.env("leduc"), pettingzoo.env("leduc")
    assert texts(one)[:2] == texts(other)[:2]  # the games after the seeded one are decided by it too
    deals = {tuple(fresh.unwrapped.engine.events()) for fresh in (pettingzoo.env("trambahn") for _ in range(3)) if fresh.reset() is None}
    assert len(deals) == 3


def test_illegal_actions():
    env = pettingzoo.env("leduc")
    env.reset(seed=1)
    env.step(0)  # nothing to fold against
    assert all(env.terminations.values())
    assert env.rewards == {"player_0": -1.0, "player_1": 0}
    raw = pettingzoo.raw_env("leduc")
    raw.reset(seed=1)
    with pytest.raises(ValueError, match="legal for player 0: call, raise"):
        raw.step(0)
    with pytest.raises(AssertionError):
        env.reset(seed=1) or env.step(99)


def test_nobody_is_shown_what_is_hidden(capsys):
    """Two deals that differ in the other's card alone look the same to the one who moves."""
    shown = {}
    for seed in range(40):
        env = pettingzoo.raw_env("leduc", render_mode="ansi")
        env.reset(seed=seed)
        mine, other = env.engine.to_dict()["cards"]
        if mine == "Q":
            shown.setdefault(other, set()).add((env.render(), env.observe("player_0")["observation"].tobytes()))
    assert {"J", "K"} <= set(shown)
    assert len(set().union(*shown.values())) == 1


def test_our_agents_play_in_it():
    env = pettingzoo.env("trambahn")
    env.reset(seed=2)
    greedy, steps = load_agent("greedy", env.unwrapped.game), 0
    for agent in env.agent_iter():
        *_, termination, _, info = env.last()
        action = None if termination else greedy.choose(env.unwrapped.info_state(agent))
        assert action is None or info["action_mask"][action]
        env.step(action)
        steps += 1
    assert steps > 50


def test_arguments():
    assert pettingzoo.raw_env(load_game("leduc")).game == load_game("leduc")
    with pytest.raises(ValueError, match="render_mode: 'oil' is not allowed; allowed: ansi, rgb_array, human"):
        pettingzoo.env("leduc", render_mode="oil")
    with pytest.raises(ValueError, match="this one is loaded"):
        pettingzoo.env(load_game("leduc"), players=2)
    with pytest.raises(ValueError, match="no game 'chess'"):
        pettingzoo.env("chess")


def colours(picture):
    return len(set(map(tuple, picture.reshape(-1, 3).tolist())))


def test_pictures(monkeypatch):
    pytest.importorskip("PIL", reason="pictures need Pillow: pip install -e '.[pettingzoo]'")
    from wattman.engine.interop import raster

    env = pettingzoo.env("trambahn", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert first.shape == (raster.ROWS * 16, 800, 3)
    assert colours(first) > 20  # letters with soft edges
    play(env, 1, steps=12)
    assert env.render().shape == first.shape
    assert not np.array_equal(env.render(), first)
    monkeypatch.setattr(raster, "FONTS", ())  # a system without a font
    raster.font.cache_clear()
    raster.glyph.cache_clear()
    try:
        assert raster.font()[1] is False
        assert colours(raster.picture("┌ ×3 ┐")) > 3
    finally:
        raster.font.cache_clear()
        raster.glyph.cache_clear()
