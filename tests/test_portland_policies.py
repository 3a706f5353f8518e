"""Portland's scripts, playout policy, priors and estimates: what they do, and that they do it in every position."""

import numpy as np
import pytest

from wattman import load_agent, load_game
from wattman.engine.game import Deal
from wattman.search.ismcts import Search
from wattman.search.match import run_match
from wattman.search.measure import playouts
from wattman.search.options import SEARCH, complete, for_game
from wattman.search.play import decide


def play(game, agents, seed, moments=()):
    """The end of a game between agents by text, and its states after so many events."""
    seats = [load_agent(spec, game, seed) for spec in agents]
    state, deal, kept = game.new_initial_state(), Deal(seed), []
    while not state.is_terminal():
        if len(state.history()) in moments:
            kept.append(state.clone())
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
        else:
            state.apply_action(decide(seats[state.current_player()], state))
    return state, kept


def verbs(state, player):
    """How often a player did what: the first words of his decisions."""
    words = [state.action_to_string(event).split()[0] for who, event in state.full_history() if who == player]
    return {word: words.count(word) for word in set(words)}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_scripts_play_whole_games(players):
    game = load_game("portland", players=players)
    for seed in range(3):
        end, _ = play(game, ["planner", "racer", "planner", "racer", "planner"][:players], seed)
        assert min(player["trains"] for player in end.to_dict()["players"]) <= 2, "somebody has placed his trains"


def test_scripts_play_with_free_payment():
    end, _ = play(load_game("portland", payment="free"), ["planner", "racer"], 4)
    assert min(end.scores()) > 0


def test_planner_completes_its_tickets():
    game, done, held = load_game("portland"), 0, 0
    for seed in range(20):
        end, _ = play(game, ["planner", "planner"], seed)
        for player, data in enumerate(end.to_dict()["players"]):
            points = [game.notation.board.tickets[game.notation.tickets.index(ticket)].points for ticket in data["tickets"]]
            held += len(points)
            done += end.scores()[player] - data["score"] >= sum(points)
    assert held > 2 * 40, "it draws more than the first two, in some games"
    assert done >= 24, "all tickets in most games"


def test_racer_claims_long_routes_and_ends_soon():
    game = load_game("portland")
    claims, turns = [], {"planner": 0, "racer": 0}
    for seed in range(10):
        for spec in turns:
            end, _ = play(game, [spec, spec], seed)
            found = verbs(end, 0)
            turns[spec] += found["claim"] + found.get("tickets", 0) + (found.get("take", 0) + found.get("draw", 0)) / 2
            if spec == "racer":
                claims.append(found["claim"])
                assert "tickets" not in found
    assert turns["racer"] < turns["planner"]
    assert sum(claims) / len(claims) < 10, "40 trains on few routes"


@pytest.mark.parametrize(("better", "worse", "rate"), [("planner", "random", 0.95), ("racer", "random", 0.95), ("planner", "racer", 0.55)])
def test_what_is_better(better, worse, rate):
    assert run_match(load_game("portland"), [better, worse], 80, seed=3).win_rate[0] > rate


def test_one_weight_is_the_greatest():
    game = load_game("portland", players=3)
    _, states = play(game, ["random", "planner", "racer"], 8, range(20, 500, 7))
    decisions = [state.info_state() for state in states if not state.is_chance_node()]
    assert len(decisions) > 10
    for info in decisions:
        weights = sorted(info.weights().values())
        assert weights[-1] == 1
        assert weights[0] > 0
        assert len(weights) == 1 or weights[-2] < 1, "what the policy would do stands out"


def test_the_policy_of_priors_is_better_than_the_planner():
    assert run_match(load_game("portland"), ["greedy", "planner"], 300, seed=3).win_rate[0] > 0.5


def test_playouts_are_shorter_than_random_ones():
    start = load_game("portland", players=2).new_initial_state()
    steps, _ = playouts(start, 50, 1, False)
    random_steps, _ = playouts(start, 50, 1, True)
    assert steps < random_steps


def test_estimates_foretell_the_margin():
    game, pairs = load_game("portland"), []
    for seed in range(40):
        end, states = play(game, ["planner", "planner"], seed, [200])
        for state in states:
            values = state.values()
            assert values[:, 0].sum() == pytest.approx(1)
            assert values[0, 1] == pytest.approx(-values[1, 1])
            assert (values[0, 0] > values[1, 0]) == (values[0, 1] > 0)
            pairs.append((values[0, 1], end.scores()[0] - end.scores()[1]))
    assert len(pairs) >= 30
    assert np.corrcoef(np.array(pairs).T)[0, 1] > 0.3


def test_scripts_belong_to_their_game():
    with pytest.raises(ValueError, match=r"no agent 'planner'; agents: random, greedy, .*level$"):
        load_agent("planner", load_game("leduc"))
    with pytest.raises(ValueError, match=r"no agent 'nobody'; agents: random, .*level, planner, racer$"):
        load_agent("nobody", load_game("portland"))
    with pytest.raises(ValueError, match=r"planner.*no parameter 'x'"):
        load_agent("planner:x=1", load_game("portland"))
    info = play(load_game("portland"), ["planner", "racer"], 1, [60, 61, 62])[1][0].info_state(0)
    with pytest.raises(ValueError, match="portland has no script 'nobody'; scripts: planner, racer"):
        info.scripted("nobody")
    other = next(state for state in play(load_game("portland"), ["planner", "racer"], 1, range(60, 90))[1] if state.current_player() == 1)
    with pytest.raises(ValueError, match="player 0 is not to move"):
        other.info_state(0).scripted("planner")


def test_belief_prefers_tickets_that_fit_the_routes():
    game, places = load_game("portland"), []
    for seed in range(30):
        _, states = play(game, ["planner", "planner"], seed, [150])
        for state in states:
            worlds = [state.info_state(0).sample(k) for k in range(40)]
            assert len({world.fit(0) for world in worlds}) > 1
            assert all(world.fit(1) == state.fit(1) for world in worlds), "his own tickets are no question"
            fits = np.array([world.fit(0) for world in worlds])
            places.append(np.mean(fits < state.fit(0)) + np.mean(fits == state.fit(0)) / 2)
    assert sum(places) / len(places) > 0.65, "the truth fits better than most worlds that are dealt"


def test_belief_searches_from_knowledge_alone():
    state = play(load_game("portland"), ["planner", "planner"], 5, range(60, 70))[1][0]
    info = state.info_state()
    searcher = load_agent("ismcts:simulations=200,belief=50", state.game, 3)
    moves = {decide(load_agent("ismcts:simulations=200,belief=50", state.game, 3), info.sample(k)) for k in range(4)}
    assert moves == {decide(searcher, state)}


def test_belief_deals_worlds_by_their_weight():
    state = play(load_game("portland"), ["planner", "planner"], 11, [90])[1][0]
    info, draw = state.info_state(), state.string_to_action("draw")
    margins, fits = [], []
    for seed in range(3000):
        world = info.sample(seed)
        fits.append(world.fit(info.player))
        world.apply_action(draw)
        world.apply_action(world.sample_chance(seed))
        margins.append(world.values()[info.player][1])
    weight = np.exp(np.array(fits) - max(fits))
    weight /= weight.sum()
    plain, believed = np.mean(margins), weight @ margins
    error = np.sqrt(weight**2 @ (margins - believed) ** 2)  # of either pool: this one and the search's
    assert abs(plain - believed) > 8 * error, "a position in which it matters"
    for belief, expected in ((1, plain), (3000, believed)):
        options = for_game(state.game, complete(SEARCH, {"cutoff": 1, "over": 0, "belief": belief}) | {"trees": "none"})
        search = Search(info, options, 1, 1 << 24, only=[draw])
        search.run(3000)
        (row,) = search.root()
        assert row.margin / row.fresh == pytest.approx(expected, abs=4 * error)
