"""The yardsticks: perfect-information Monte Carlo and flat search do what their names say, within what the player knows."""

import threading
import time
from _thread import interrupt_main

import pytest

from wattman import load_agent, load_game
from wattman.search.agents import FlatAgent, PimcAgent
from wattman.search.bench import midgame
from wattman.search.ismcts import Search
from wattman.search.options import complete, for_game
from wattman.search.play import play_game
from wattman.search.root import RootSearch

LEDUC = load_game("leduc")
PIMC = {**complete(PimcAgent.PARAMETERS, {}), **PimcAgent.FIXED}
FLAT = {**complete(FlatAgent.PARAMETERS, {}), **FlatAgent.FIXED}


def leduc(*events):
    state = LEDUC.new_initial_state()
    for event in events:
        state.apply_action(state.string_to_action(event))
    return state


def in_world(info, world, simulations, seed=0):
    search = Search(info, for_game(info.game, PIMC), seed, 2**24, world)
    search.run(simulations)
    return search


def means(search):
    """The observer's share of the win after each root action that was tried."""
    return {search.game.event_to_string(row[0]): row[4] / row[1] for row in search.root() if row[1]}


# --- perfect-information Monte Carlo ---


def test_a_world_is_searched_by_itself():
    """The last decision: own Q, public J; the other holds J or K and wins, or Q and shares. One world has one result."""
    state = leduc("deal Q", "deal K", "raise", "raise", "call", "flop J", "raise", "raise")
    info = state.info_state(0)
    expected = {"J": 0.0, "K": 0.0, "Q": 0.5}
    seen = set()
    for seed in range(12):
        world = info.sample(seed)
        card = LEDUC.describe(world)["cards"][1]
        assert means(in_world(info, world, 100))["call"] == expected[card]
        seen.add(card)
    assert seen == set(expected)


def test_everybody_sees_everything_in_it():
    """King and a king on the table: nobody who saw that would call a raise, whatever he holds."""
    state = leduc("deal K", "deal Q", "call", "call", "flop K")
    info = state.info_state(0)
    search = in_world(info, state, 2000)
    line = search.line(LEDUC.string_to_event("raise"))
    assert line[:2] == ["raise", "fold"]


def test_it_believes_that_it_will_know():
    """Strategy fusion: a queen against a raise. Who sees the other's card raises where he wins and folds elsewhere; who does not loses."""
    info = leduc("deal Q", "deal K", "call", "raise").info_state(0)
    margin = {}
    for spec in ("pimc:simulations=20000,worlds=100", "ismcts:simulations=20000,playout=random,cutoff=0"):
        moves = load_agent(spec, LEDUC, 1).analyze(info).moves
        margin[spec.split(":")[0]] = next(move.margin for move in moves if move.action == "raise")
    assert margin["pimc"] > 1
    assert margin["ismcts"] < 0


def test_the_worlds_are_dealt_from_what_is_known():
    """Own Q, a J on the table: of the four cards left (J, Q, K, K) the Q shares the win, and each is dealt as often as the others."""
    info = leduc("deal Q", "deal K", "raise", "raise", "call", "flop J", "raise", "raise").info_state(0)
    root = RootSearch(info, PIMC, 5, 2000, fixed=True)
    root.run(simulations=20_000)
    assert root.worlds == 2000
    shared = [means(search)["call"] for search in root.searches]
    assert set(shared) == {0.0, 0.5}
    assert abs(shared.count(0.5) / 2000 - 0.25) < 0.05  # five standard errors


def test_another_world_is_refused():
    info = leduc("deal Q", "deal K").info_state(0)
    with pytest.raises(ValueError, match="does not agree"):
        in_world(info, leduc("deal J", "deal K"), 1)
    with pytest.raises(ValueError, match="does not agree"):
        in_world(info, load_game("trambahn").new_initial_state(), 1)


@pytest.mark.parametrize(("worlds", "simulations", "dealt"), [(20, 1000, 20), (7, 1000, 7), (20, 5, 5), (1, 30, 1)])
def test_the_budget_is_shared_evenly(worlds, simulations, dealt):
    info = midgame(load_game("trambahn")).info_state()
    agent = load_agent(f"pimc:simulations={simulations},worlds={worlds}", info.game, 2)
    root = agent._new_root(info)
    root.run(simulations)
    shares = [search.simulations for search in root.searches]
    assert len(shares) == dealt
    assert sum(shares) == simulations
    assert max(shares) - min(shares) <= 1
    report = agent.analyze(info)
    assert report.worlds == dealt
    assert sum(move.visits for move in report.moves) == simulations


def test_time_is_shared_evenly():
    info = midgame(load_game("trambahn")).info_state()
    root = load_agent("pimc:worlds=50", info.game, 2)._new_root(info)
    began = time.process_time()
    root.run(seconds=0.5)
    assert time.process_time() - began < 2
    shares = [search.simulations for search in root.searches]
    assert min(shares) > 0
    assert max(shares) <= 3 * min(shares)


def test_threads_change_nothing():
    info = midgame(load_game("trambahn")).info_state()
    found = []
    for threads in (1, 3):
        root = load_agent(f"pimc:simulations=500,threads={threads}", info.game, 2)._new_root(info)
        root.run(500)
        found.append([(move.action, move.visits, move.total) for move in root.moves()])
    assert found[0] == found[1]


def test_ctrl_c(interrupts):
    agent = load_agent("pimc:simulations=1000000000,worlds=500", LEDUC)
    threading.Timer(0.3, interrupt_main).start()
    report = agent.analyze(leduc("deal Q", "deal K").info_state(0))
    assert agent.interrupted
    assert report.interrupted
    assert report.worlds == 500


# --- flat search ---


@pytest.mark.parametrize("name", ["leduc", "trambahn"])
def test_no_tree_below_the_root(name):
    info = midgame(load_game(name)).info_state()
    search = Search(info, for_game(info.game, FLAT), 1, 2**24)
    search.run(3000)
    assert search.nodes == 1
    assert sum(row[1] for row in search.root()) == 3000
    assert search.line(search.root()[0][0])[0] == info.action_to_string(search.root()[0][0])


def test_flat_search_meets_the_same_worlds():
    """It stands beside a tree search with trees that never grow: the same deals, the same playouts."""
    info = leduc("deal Q", "deal K", "raise", "raise", "call", "flop J", "raise", "raise").info_state(0)
    flat, tree = (
        (search.run(500), search.root())[1]
        for search in (Search(info, for_game(LEDUC, FLAT | extra), 3, 2**24) for extra in ({}, {"trees": "all"}))
    )
    assert flat == tree  # the last decision of the game: there is nothing below it


# --- both ---


@pytest.mark.parametrize("spec", ["pimc:simulations=300", "flat:simulations=300"])
def test_they_play(spec):
    first, second = (play_game(LEDUC, [spec, "random"], 4) for _ in range(2))
    assert first.fault is None
    assert first.actions == second.actions
    won = sum(
        play_game(LEDUC, [spec, "random"], seed).returns[0] + play_game(LEDUC, ["random", spec], seed).returns[1] for seed in range(60)
    )
    assert won / 120 > 0.4  # chips a game


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("pimc:worlds=0", "worlds=0: must be a whole number at least 1"),
        ("pimc:roots=4", "no parameter 'roots'"),
        ("pimc:hands=apart", "no parameter 'hands'"),
        ("flat:trees=own", "no parameter 'trees'"),
        ("flat:worlds=3", "no parameter 'worlds'"),
        ("ismcts:trees=none", "must be all or own"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(spec, text):
    with pytest.raises(ValueError, match=text):
        load_agent(spec, LEDUC)
