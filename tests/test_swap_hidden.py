"""The truth never matters: with everything swapped that is hidden from a player, he knows, sees, deals, weighs and plays the same.

WATTMAN_GAMES sets the number of games (default 60).
"""

import random

import numpy as np
import pytest
from knowledge import LOADED, games, share, style_names, title

from wattman import load_agent
from wattman.engine.game import CHANCE_PLAYER

GAMES = [game for game in LOADED if game.num_players() > 1]  # alone one sees all
each_game = pytest.mark.parametrize("game", GAMES, ids=title)
each_style = pytest.mark.parametrize(
    ("game", "style"), [pytest.param(game, name, id=f"{title(game)}-{name}") for game in GAMES for name in style_names(game)]
)


def others(state, player, rng, n=3):
    """Other truths that `player` could not tell from this one, each made from the last."""
    result = []
    for _ in range(n):
        state = state.info_state(player).sample(rng.randrange(2**60))
        result.append(state)
    return result


def moments(game, seed, style, odds):
    """Some moments of a random game: (state, a player to watch, a random generator)."""
    rng = random.Random(seed)
    short = game.max_game_length() < 100
    for again in range(20 if short else 1):
        for state in games(game, 100 * seed + again, style):
            if rng.random() < (0.3 if short else odds) and state.history():
                yield state.clone(), rng.randrange(game.num_players()), rng


@each_style
def test_knowledge_and_samples(game, style):
    different = 0
    for seed in range(share(game, 20)):
        for state, player, rng in moments(game, seed, style, 0.05):
            info = state.info_state(player)
            worlds = others(state, player, rng)
            different += sum(world != state for world in worlds)
            samples = [info.sample(i) for i in range(3)]
            for world in worlds:
                same = world.info_state(player)
                assert same == info
                assert same.to_dict() == info.to_dict()
                assert same.information_state_string() == info.information_state_string()
                assert [same.sample(i) for i in range(3)] == samples
                assert np.array_equal(same.observation_tensor(), info.observation_tensor())
                assert np.array_equal(world.observation_tensor(player), state.observation_tensor(player))
                assert np.array_equal(info.observation_tensor(), state.observation_tensor(player))
                if state.current_player() == player:
                    assert same.legal_actions() == info.legal_actions() == world.legal_actions()
                    assert same.weights() == info.weights()
    assert different > 0  # else nothing was swapped


@each_style
def test_what_is_seen_of_the_same_events(game, style):
    """The player's own moves look the same to him whatever the truth, and so does what they lead to."""
    for seed in range(share(game, 20)):
        for state, player, rng in moments(game, seed + 1000, style, 0.1):
            worlds = [state, *others(state, player, rng, 2)]
            while state.current_player() == player:
                action = rng.choice(state.legal_actions())
                shown = []
                for world in worlds:
                    before = len(world.events(player))
                    world.apply_action(action)
                    shown.append(world.events(player)[before:])
                    assert shown[-1] == [game.event_to_string(action)] or tells_more(game, game.event_to_string(action), *shown[-1])
                worlds = [world for world, seen in zip(worlds, shown, strict=True) if seen == shown[0]]
                if state.is_terminal():
                    break  # the end may show what was hidden
                assert len({world.info_state(player) for world in worlds}) == 1
                assert len({world.current_player() for world in worlds}) == 1


def tells_more(game, event, *seen):
    """Whether a player's own move may show him something that was hidden."""
    if game.name == "tramways":  # what follows by itself, which is told to all
        return seen[0] == event
    if game.name == "portland":  # whether the market is reset; how many tickets the others chose
        return seen[0] in (f"{event}, reset", f"{event}, left") or (event.startswith("keep ") and ", others " in seen[0])
    return game.name == "leduc"


AGENTS = ["random", "greedy", "ismcts:simulations=120", "ismcts:simulations=60,threads=2", "ismcts:simulations=60,playout=random"]
AGENTS += ["pimc:simulations=120", "pimc:simulations=60,worlds=7,threads=2", "flat:simulations=120", "flat:simulations=60,threads=2"]
AGENTS += ["level:1"]


@each_game
@pytest.mark.parametrize("spec", AGENTS)
def test_agents(game, spec):
    """The same seed and knowledge give the same move and the same analysis."""
    asked = 0
    for seed in range(share(game, 30)):
        for state, _, rng in moments(game, seed + 2000, None, 0.15):
            player = state.current_player()
            if player == CHANCE_PLAYER or state.is_terminal() or len(state.legal_actions()) < 2:
                continue
            infos = [world.info_state(player) for world in (state, *others(state, player, rng, 2))]
            moves = {load_agent(spec, game, seed=seed).choose(info) for info in infos}
            assert len(moves) == 1
            if ":" in spec:
                reports = []
                for info in infos:
                    report = load_agent(spec, game, seed=seed).analyze(info).to_json()
                    report.pop("seconds")
                    reports.append(report)
                assert reports[0] == reports[1] == reports[2]
            asked += 1
            if asked > (2 if game.name == "tramways" else 12):
                return
    assert asked
