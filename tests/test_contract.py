"""What holds for every game: the Python face over the contract in engine/abi.pxd."""

import copy
import pickle
import random

import numpy as np
import pytest

from wattman import load_game
from wattman.engine.game import CHANCE_PLAYER, TERMINAL_PLAYER, Deal
from wattman.engine.games import game_class, names

GAMES = [load_game(name, players=players) for name in names() for players in game_class(name).OPTIONS["players"].choices]


def walk(game, seed):
    """The states of one random game."""
    rng, deal, state = random.Random(seed), Deal(seed), game.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(deal.choose(state) if state.is_chance_node() else rng.choice(state.legal_actions()))
    yield state


@pytest.fixture(params=GAMES, ids=lambda game: f"{game.name}-{game.num_players()}")
def game(request):
    return request.param


def test_ids_of_decisions_and_outcomes_are_disjoint_and_read_back(game):
    decisions, outcomes = game.num_distinct_actions(), game.max_chance_outcomes()
    texts = set()
    for event in range(decisions + outcomes):
        text = game.event_to_string(event)
        assert game.string_to_event(text) == event
        texts.add(text)
    assert len(texts) == decisions + outcomes
    for wrong in (-1, 10**9):
        with pytest.raises(ValueError, match="is no event"):
            game.event_to_string(wrong)


def test_whose_turn_and_what_is_possible(game):
    for state in walk(game, 5):
        who = state.current_player()
        assert state.is_chance_node() == (who == CHANCE_PLAYER)
        assert state.is_terminal() == (who == TERMINAL_PLAYER)
        legal = state.legal_actions()
        assert legal == sorted(set(legal))
        if who == TERMINAL_PLAYER:
            assert legal == []
            if game.num_players() == 1:
                assert state.returns() == state.scores()
            else:
                assert sum(state.returns()) == pytest.approx(0)
        elif who == CHANCE_PLAYER:
            assert legal == sorted(action for action, _ in state.chance_outcomes())
            assert sum(p for _, p in state.chance_outcomes()) == pytest.approx(1)
            assert all(game.num_distinct_actions() <= action for action in legal)
        else:
            assert legal
            assert all(0 <= action < game.num_distinct_actions() for action in legal)
            assert state.returns() == [0.0] * game.num_players()
            with pytest.raises(ValueError, match="no chance event is next"):
                state.chance_outcomes()
            illegal = next(action for action in range(game.num_distinct_actions() + 1) if action not in legal)
            before = pickle.dumps(state)
            with pytest.raises(ValueError, match=f"legal for player {who}: "):
                state.apply_action(illegal)
            assert pickle.dumps(state) == before


def test_a_game_replays_from_its_history(game):
    for seed in range(3):
        *_, end = walk(game, seed)
        assert len(end.history()) <= game.max_game_length()
        again = game.new_initial_state()
        for (who, action), text in zip(end.full_history(), end.events(), strict=True):
            assert again.current_player() == who
            assert again.string_to_action(text) == action
            again.apply_action(action)
        assert again == end
        assert (again.history(), again.scores(), again.returns()) == (end.history(), end.scores(), end.returns())


def test_copies_are_equal_and_independent(game):
    for step, state in enumerate(walk(game, 8)):
        if step > 40 and step % 10 and not state.is_terminal():
            continue
        copies = [state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
        for other in copies:
            assert other == state
            assert hash(other) == hash(state)
            assert other.events() == state.events()
            assert [other.info_state(p) for p in range(game.num_players())] == [state.info_state(p) for p in range(game.num_players())]
        if not state.is_terminal():
            legal = state.legal_actions()
            for other in copies:
                other.apply_action(legal[0])
                assert other != state
            assert state.legal_actions() == legal


def test_states_differ_after_different_outcomes(game):
    state = game.new_initial_state()
    first, second = state.clone(), state.clone()
    outcomes = state.legal_actions()
    first.apply_action(outcomes[0])
    second.apply_action(outcomes[1])
    assert first != second


def test_tensors_have_their_shapes_and_are_finite(game):
    for state in walk(game, 2):
        for player in range(game.num_players()):
            tensor = state.observation_tensor(player)
            assert (list(tensor.shape), tensor.dtype) == (game.observation_tensor_shape(), np.float32)
            assert np.isfinite(tensor).all()
            assert list(state.hidden_targets(player).shape) == game.hidden_targets_shape()
        values = state.values()
        assert values.shape == (game.num_players(), 3)
        assert values[:, 0].sum() == pytest.approx(1)
        if state.is_terminal():
            best = max(state.returns())
            assert all((share > 0) == (result == best) for share, result in zip(values[:, 0], state.returns(), strict=True))


def test_weights_are_positive_and_of_the_legal_moves(game):
    for state in walk(game, 4):
        if state.current_player() >= 0:
            info = state.info_state()
            weights = info.weights()
            assert sorted(weights) == state.legal_actions() == info.legal_actions()
            assert all(weight > 0 and np.isfinite(weight) for weight in weights.values())


def test_deals_share_luck(game):
    """Two games of one Deal whose players do different things get each pile's cards in the same order until it is reshuffled."""
    for seed in range(5):
        drawn = []
        for policy in (0, -1):
            state, deal = game.new_initial_state(), Deal(seed)
            piles = {"ticket": [], "card": []}
            while not state.is_terminal() and sum(map(len, piles.values())) < 60:
                if state.is_chance_node():
                    action = deal.choose(state)
                    word, *_, what = game.event_to_string(action).split()
                    if game.name != "tramways" or word != "draw":  # those decks are made of what the players played
                        piles["ticket" if word == "ticket" else "card"].append(what)
                else:
                    action = state.legal_actions()[policy]
                state.apply_action(action)
            drawn.append(piles)
        lengths = {name: min(len(piles[name]) for piles in drawn) for name in drawn[0]}
        assert lengths["card"] > 1
        for name, n in lengths.items():
            assert drawn[0][name][:n] == drawn[1][name][:n]


def test_deal_does_not_depend_on_what_was_tried_before(game):
    state, deal = game.new_initial_state(), Deal(3)
    assert [deal.choose(state) for _ in range(3)] == [Deal(3).choose(state)] * 3
    assert pickle.loads(pickle.dumps(deal)) == deal


def test_players_and_seeds_are_checked(game):
    state = game.new_initial_state()
    with pytest.raises(ValueError, match=f"player 9: players are 0 to {game.num_players() - 1}"):
        state.info_state(9)
    with pytest.raises(ValueError, match="nobody is to move here"):
        state.info_state()
    with pytest.raises(ValueError, match="is neither a seed"):
        state.info_state(0).sample("seven")
    assert state.resample_from_infostate(0, lambda: 0.25) == state.info_state(0).sample(int(0.25 * 2**53))


def test_games_compare_by_name_and_options():
    for game in GAMES:
        assert pickle.loads(pickle.dumps(game)) == game
        assert load_game(game.name, **game.options) == game
    assert load_game("trambahn") != load_game("trambahn", halving="on_need")
