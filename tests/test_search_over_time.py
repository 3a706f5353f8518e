"""From one decision to the next, and when to stop: trees that are kept, the early end, sure wins."""

import pytest

from wattman import load_agent, load_game
from wattman.engine.game import Deal
from wattman.search.ismcts import Search
from wattman.search.options import SEARCH, complete, for_game
from wattman.search.play import play_game
from wattman.search.root import RootSearch

TRAMBAHN = load_game("trambahn")


def options(game, **given):
    return for_game(game, complete(SEARCH, given))


def walk(name, seed, simulations, turn):
    """A game in which player 0 searches and keeps his trees where he can; yields per decision (search, whether the trees were kept)."""
    game = load_game(name)
    state, deal = game.new_initial_state(), Deal(seed)
    rest = load_agent("greedy", game, seed)
    search, action = None, -1
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
        elif state.current_player() == 0 and len(state.legal_actions()) > 1:
            info = state.info_state(0)
            kept = search is not None and search.advance(info, action, turn)
            if not kept:
                search = Search(info, options(game), seed, 2**26)
            yield search, kept, info
            search.run(simulations)
            action = max(search.root(), key=lambda edge: edge.visits).action
            state.apply_action(action)
        else:
            state.apply_action(rest.choose(state.info_state()))


@pytest.mark.parametrize("turn", [True, False])
def test_trees_are_kept_and_hold_what_is_legal(turn):
    kept_at_all, old_visits = 0, 0
    decisions = 0
    for search, kept, info in walk("trambahn", 3, 300, turn):
        decisions += 1
        edges = search.root()
        assert sorted(edge.action for edge in edges) == info.legal_actions()
        assert search.info == info
        assert all(edge.fresh == 0 and edge.win == 0 for edge in edges)
        kept_at_all += kept
        old_visits += sum(edge.visits for edge in edges)
        if not kept:
            assert sum(edge.visits for edge in edges) == 0
    assert kept_at_all > decisions // 3
    assert old_visits > 50 * kept_at_all
    if not turn:
        assert kept_at_all == decisions - 1  # the trees are kept through the other's turns as well


def test_kept_trees_count_the_simulations_that_came_by():
    state = TRAMBAHN.new_initial_state()
    deal = Deal(5)
    while state.is_chance_node():
        state.apply_action(deal.choose(state))
    search = Search(state.info_state(), options(TRAMBAHN), 1, 2**26)
    search.run(2000)
    best = max(search.root(), key=lambda edge: edge.visits)
    state.apply_action(best.action)
    assert state.current_player() == search.info.player
    assert search.advance(state.info_state(), best.action, True)
    edges = search.root()
    came_by = sum(edge.visits for edge in edges)
    assert best.visits - 2 <= came_by <= best.visits  # all but the simulation that noted the node
    search.run(500)
    assert search.simulations == 500
    assert sum(edge.fresh for edge in search.root()) == 500
    assert sum(edge.visits for edge in search.root()) == came_by + 500


def test_trees_are_not_kept_where_something_else_happened():
    state = TRAMBAHN.new_initial_state()
    deal = Deal(5)
    while state.is_chance_node():
        state.apply_action(deal.choose(state))
    search = Search(state.info_state(), options(TRAMBAHN), 1, 2**26)
    search.run(100)
    action, other = state.legal_actions()[:2]
    state.apply_action(other)
    assert not Search(state.info_state(), options(TRAMBAHN), 1, 2**26).advance(search.info, action, False)  # back in time
    foreign = TRAMBAHN.new_initial_state()
    deal = Deal(6)
    while foreign.is_chance_node():
        foreign.apply_action(deal.choose(foreign))
    assert not search.advance(foreign.info_state(), action, False)


def test_the_same_game_gives_the_same_moves_with_kept_trees():
    spec = "ismcts:simulations=60,reuse=game"
    first, second = (play_game(TRAMBAHN, [load_agent(spec, TRAMBAHN, 1), "greedy"], 9).actions for _ in range(2))
    assert first == second


def test_an_early_end_does_not_change_the_move():
    spared = 0
    for _, _, info in walk("trambahn", 4, 50, True):
        whole = RootSearch(info, complete(SEARCH, {}), 1)
        whole.run(400)
        short = RootSearch(info, complete(SEARCH, {}), 1)
        short.run(400, settle=True)
        assert short.best() == whole.best()
        assert whole.simulations == 400
        spared += 400 - short.simulations
    assert spared > 0


def test_a_sure_win_is_taken_and_ends_the_search():
    game = load_game("leduc")
    state = game.new_initial_state()
    for event in ("deal K", "deal J", "call", "call", "flop K", "raise", "raise"):
        state.apply_action(state.string_to_action(event))
    root = RootSearch(state.info_state(0), complete(SEARCH, {"win": 1, "margin": 0}), 1)
    root.run(seconds=20, settle=True)
    assert root.moves()[0].sure
    assert game.event_to_string(root.best()) == "call"
    assert root.seconds < 19
