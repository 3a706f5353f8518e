"""Tramways' policy, its estimates, and the search by them: that they aim at points."""

import pytest

from wattman import load_agent, load_game
from wattman.engine.game import Deal
from wattman.search.measure import playouts
from wattman.search.play import decide, play_game
from wattman.search.worth import worth


def points(spec, seeds, players=1):
    """Final scores of games in which all play the same way."""
    game = load_game("tramways", players=players)
    return [score for seed in seeds for score in play_game(game, [spec] * players, seed).scores]


def positions(players, seed, every):
    """Some states of a greedy game."""
    game = load_game("tramways", players=players)
    agent, deal, state, kept = load_agent("greedy", game, seed), Deal(seed), game.new_initial_state(), []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
            continue
        if len(state.history()) % every == 0:
            kept.append(state.clone())
        state.apply_action(decide(agent, state))
    return kept


@pytest.mark.parametrize("players", [1, 3, 5])
def test_greedy_makes_points(players):
    games = range(6 // players + 2)
    greedy, blind = points("greedy", games, players), points("random", games, players)
    assert sum(greedy) / len(greedy) > 15 + max(0, sum(blind) / len(blind))


def test_search_alone_goes_for_points():
    """Far beyond the rule of thumb, and beyond what it would be content with if points above 40 counted no more."""
    seeds = range(2)
    found = points("ismcts:simulations=60", seeds)
    assert sum(found) > 1.3 * sum(points("greedy", seeds))
    assert max(found) > 45


@pytest.mark.parametrize("players", [1, 2])
def test_estimates_are_near_what_the_policy_reaches(players):
    """`values` in mid-game against the mean of games played on from there by the policy."""
    states = [state for seed in range(3) for state in positions(players, seed, 20)]
    off = [state.values()[player][2] - worth(state, 20, 1)[0][player][2] for state in states for player in range(players)]
    assert len(states) > 6
    assert abs(sum(off) / len(off)) < 8, "points, on average"


@pytest.mark.parametrize("expansions", ["base", "funfair", "full"])
def test_playouts_end_whatever_is_in_play(expansions):
    for players in (1, 2, 4):
        steps, _ = playouts(load_game("tramways", players=players, expansions=expansions).new_initial_state(), 20, 1, uniform=False)
        assert steps > 20 * 60
