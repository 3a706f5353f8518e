"""The games in OpenSpiel: its own tests run on them, and what it gets is what the engine says."""

import pickle
import random
import re

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install -e '.[openspiel]'")

from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.observation import make_observation

from wattman import load_game
from wattman.engine.games import game_class, names
from wattman.engine.interop import openspiel

GAMES = [(name, players) for name in names() for players in game_class(name).OPTIONS["players"].choices]


@pytest.fixture(params=GAMES, ids=lambda pair: f"{pair[0]}-{pair[1]}")
def text(request):
    return f"python_wattman_{request.param[0]}(players={request.param[1]})"


@pytest.fixture
def game(text):
    return pyspiel.load_game(text)


def walk(game, seed, chance=True):
    """The states of one random game; without `chance` the decisions only."""
    rng, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        if chance or not state.is_chance_node():
            yield state
        state.apply_action(rng.choice(state.legal_actions()))


def test_every_game_is_registered():
    registered = {name for name in pyspiel.registered_names() if name.startswith(openspiel.PREFIX)}
    assert registered == {openspiel.PREFIX + name for name in names()} == {openspiel.PREFIX + name for name in openspiel.GAMES}


def test_simulations(game):
    """OpenSpiel's own test of a game: lengths, bounds, masks, chance, tensors, copies, serialisation."""
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_playthrough(text, monkeypatch):
    """The text in which OpenSpiel keeps a game as a reference; played again from its actions it comes out the same."""
    # It rounds each number of each tensor of each state, and numpy's own rounding of one number takes 20 times as long as Python's.
    monkeypatch.setattr(generate_playthrough, "round", lambda number, digits: round(float(number), digits), raising=False)
    first = generate_playthrough.playthrough(text, None, seed=5)
    actions = [int(action) for action in re.findall(r"^action: (\d+)$", first, re.MULTILINE)]
    end = first[first.rindex("\n# State ") :]
    assert f"# State {len(actions)}\n" in end
    assert "IsTerminal() = True" in end
    assert re.search(r"^InformationStateString\(0\) = ", first, re.MULTILINE)
    assert re.search(r"^ObservationTensor\(0\)", first, re.MULTILINE)
    if "leduc" in text or "trambahn" in text:  # the small ones, for the time that it takes
        assert generate_playthrough.playthrough(text, actions, seed=6) == first


def test_it_is_the_engine_that_plays(game):
    """Side by side with the engine: players, actions, chance, results, knowledge."""
    ours = load_game(game.engine.name, players=game.num_players()).new_initial_state()
    first = ours.game.num_distinct_actions()
    rng, state = random.Random(3), game.new_initial_state()
    while not ours.is_terminal():
        assert state.current_player() == ours.current_player()
        legal = state.legal_actions()
        shift = first if state.is_chance_node() else 0
        assert [action + shift for action in legal] == ours.legal_actions()
        assert all(action < (game.max_chance_outcomes() if shift else first) for action in legal)
        if shift:
            assert dict(state.chance_outcomes()) == {event - first: p for event, p in ours.chance_outcomes()}
        action = rng.choice(legal)
        assert state.action_to_string(action) == ours.action_to_string(action + shift)
        state.apply_action(action)
        ours.apply_action(action + shift)
    assert state.is_terminal()
    assert state.returns() == ours.returns()
    assert len(state.history()) == len(ours.history()) > 5 or game.engine.name == "leduc"
    for player in range(game.num_players()):
        assert state.information_state_string(player) == ours.information_state_string(player)
        assert state.observation_tensor(player) == ours.observation_tensor(player).tolist()


def test_observers(game):
    seen = make_observation(game)
    recalled = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))
    assert list(seen.dict) == ["observation"]
    assert recalled.tensor is None
    for step, state in enumerate(walk(game, 4)):
        if step > 60:
            break
        for player in range(game.num_players()):
            seen.set_from(state, player)
            assert np.array_equal(seen.tensor, state.engine.observation_tensor(player))
            assert recalled.string_from(state, player) == state.engine.information_state_string(player)
    assert make_observation(game, pyspiel.IIGObservationType(False, True, pyspiel.PrivateInfoType.NONE)) is None
    with pytest.raises(ValueError, match="have no parameters"):
        make_observation(game, None, {"colour": "red"})


def test_resampled_states_hide_the_truth_and_go_on(game):
    rng = random.Random(8)
    for step, state in enumerate(walk(game, 9, chance=False)):
        if step > 40:
            break
        if step % 8:
            continue
        player = state.current_player()
        world = state.resample_from_infostate(player, rng.random)
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_string(player) == state.observation_string(player)
        assert world.legal_actions() == state.legal_actions()
        assert world.history() == []
        assert str(state.engine) != str(world.engine)
        copies = [world.clone(), pickle.loads(pickle.dumps(world))]
        copies += [pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, world))[1]]
        for other in copies:
            assert other.engine == world.engine
            other.apply_action(other.legal_actions()[0])
            assert other.engine != world.engine


def test_observation_strings_show_nothing_hidden():
    game = pyspiel.load_game("python_wattman_leduc")
    texts = set()
    for card in (1, 2):  # the other's card
        state = game.new_initial_state()
        for action in (0, card):
            state.apply_action(action)
        texts.add((state.observation_string(0), state.information_state_string(0)))
    assert len(texts) == 1


def test_games_and_states_are_pickled(game):
    again = pickle.loads(pickle.dumps(game))
    assert (str(again), again.engine) == (str(game), game.engine)
    for step, state in enumerate(walk(game, 2)):
        if step % 50 == 3:
            other = pickle.loads(pickle.dumps(state))
            assert (str(other), other.history(), other.engine) == (str(state), state.history(), state.engine)


def test_python_ismcts_plays(game):
    """A few decisions of OpenSpiel's search in Python."""
    generator = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, generator), 1.0, 3, random_state=generator)
    asked = 0
    for step, state in enumerate(walk(game, 6, chance=False)):
        if step % 5 == 0:
            assert bot.step(state) in state.legal_actions()
            asked += 1
        if asked == 3:
            break
    assert asked >= 1


def test_parameters_are_the_options():
    game = pyspiel.load_game("python_wattman_trambahn(halving=on_need)")
    assert game.engine == load_game("trambahn", halving="on_need")
    for wrong in ("python_wattman_trambahn(players=5)", "python_wattman_trambahn(halving=sometimes)"):
        with pytest.raises(ValueError, match="is not allowed; allowed: "):
            pyspiel.load_game(wrong)


def test_results_have_bounds(game):
    """No result is beyond what the game is registered with; in Leduc the bound is reached."""
    most = max(abs(result) for seed in range(3) for result in last(walk(game, seed)).returns())
    assert 0 < most <= game.max_utility() == -game.min_utility()
    assert pyspiel.load_game("python_wattman_leduc").max_utility() == 13


def last(states):
    for state in states:
        end = state
    return end
