"""The search: deterministic, blind to what is hidden, within its budgets, and right where the right answer is known."""

import _thread
import json
import math
import random
import threading
import time

import pytest

from wattman import load_agent, load_game
from wattman.search.bench import bench, midgame
from wattman.search.ismcts import Search
from wattman.search.options import SEARCH, complete, for_game
from wattman.search.play import play_game
from wattman.search.root import RootSearch, standard_error

LEDUC = load_game("leduc")


def leduc(*events):
    """A state of Leduc poker after these events."""
    state = LEDUC.new_initial_state()
    for event in events:
        state.apply_action(state.string_to_action(event))
    return state


def middle(name, seed=1):
    """What the mover knows halfway through a greedy game."""
    return midgame(load_game(name), seed).info_state()


def options(**given):
    return complete(SEARCH, given)


def search(info, simulations, seed=0, memory=2**28, **given):
    result = Search(info, for_game(info.game, options(**given)), seed, memory)
    result.run(simulations)
    return result


def visits(root):
    return [(move.action, move.visits, move.total) for move in root.moves()]


# --- the same seed, simulations and threads give the same result ---


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"select": "bias"},
        {"playout": "random"},
        {"draws": "open"},
        {"paranoid": True},
        {"cutoff": 1},
        {"common": False},
        {"trees": "own"},
        {"mast": 0.2},
        {"mast": 0.2, "pairs": True},
    ],
)
def test_same_seed_same_result(given):
    info = leduc("deal Q", "deal K", "call").info_state(1)
    assert search(info, 3000, 5, **given).root() == search(info, 3000, 5, **given).root()
    assert search(info, 3000, 5, **given).root() != search(info, 3000, 6, **given).root()


def test_cutting_into_slices_changes_nothing():
    info = leduc("deal Q", "deal K").info_state(0)
    whole = search(info, 5000)
    sliced = search(info, 1)
    for n in (3, 252, 1, 255, 256, 257, 3975):
        sliced.run(n)
    assert sliced.simulations == 5000
    assert sliced.root() == whole.root()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_same_threads_same_result(threads):
    info = leduc("deal Q", "deal K").info_state(0)
    results = []
    for _ in range(3):
        root = RootSearch(info, options(), 1, roots=threads, threads=threads)
        root.run(simulations=4001)
        assert root.simulations == 4001
        results.append(visits(root))
    assert results[0] == results[1] == results[2]
    other = RootSearch(info, options(), 1, roots=threads, threads=1)  # how many threads work on the same roots does not matter
    other.run(simulations=4001)
    assert visits(other) == results[0]


def test_looking_at_a_search_does_not_change_it():
    info = leduc("deal Q", "deal K").info_state(0)
    quiet = search(info, 2000)
    watched = search(info, 1000)
    for row in watched.root():
        watched.line(row[0])
    watched.run(1000)
    assert watched.root() == quiet.root()


# --- nothing that is hidden counts ---


@pytest.mark.parametrize("line", [(), ("call", "raise"), ("raise", "call", "flop J")])
def test_the_hidden_card_does_not_matter(line):
    roots = []
    for card in "QK":
        root = RootSearch(leduc("deal Q", f"deal {card}", *line).info_state(0), options(), 3, roots=2)
        root.run(simulations=4000)
        roots.append(visits(root))
    assert roots[0] == roots[1]


@pytest.mark.parametrize("name", ["leduc", "trambahn"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_other_truths_with_the_same_knowledge(name, seed):
    info = middle(name, seed)
    expected = search(info, 600, 9).root()
    for other in range(5):
        same = info.sample(other).info_state(info.player)
        assert same == info
        assert search(same, 600, 9).root() == expected


# --- budgets ---


def test_memory_is_bounded_and_the_search_goes_on():
    info = leduc("deal Q", "deal K").info_state(0)
    for limit in (1 << 16, 1 << 17):
        result = search(info, 50_000, memory=limit, draws="label")
        assert result.memory_used <= limit
        assert result.simulations == 50_000 == sum(row[1] for row in result.root())
        assert result.root() == search(info, 50_000, memory=limit, draws="label").root()


@pytest.mark.parametrize("given", [{}, {"draws": "label", "playout": "random", "cutoff": 1}])
def test_memory_of_a_large_tree_is_bounded(given):
    info = middle("trambahn")
    result = search(info, 30_000, memory=1 << 20, **given)
    assert result.memory_used <= 1 << 20
    assert result.simulations == 30_000 == sum(row[1] for row in result.root())
    halves = search(info, 12_345, memory=1 << 20, **given)
    halves.run(30_000 - 12_345)
    assert halves.root() == result.root()


def test_time_is_kept():
    info = leduc("deal Q", "deal K").info_state(0)
    for threads in (1, 2):
        root = RootSearch(info, options(), 0, roots=4, threads=threads)
        start = time.perf_counter()
        root.run(seconds=0.3)
        assert 0.25 < time.perf_counter() - start < 1.5
        assert root.simulations > 1000
        assert not root.interrupted


def test_a_short_time_still_gives_a_move():
    root = RootSearch(leduc("deal Q", "deal K").info_state(0), options(), 0, roots=8)
    root.run(seconds=1e-6)
    assert root.simulations >= 8
    assert root.best() in (1, 2)


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_gives_the_best_so_far(threads, interrupts):
    root = RootSearch(leduc("deal Q", "deal K").info_state(0), options(), 0, roots=threads, threads=threads)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    start = time.perf_counter()
    root.run(simulations=10**12)
    assert time.perf_counter() - start < 10
    assert root.interrupted
    assert root.simulations > 100
    assert root.analysis().interrupted
    done = root.simulations
    time.sleep(0.05)
    assert root.simulations == done  # no thread is left running


def test_progress():
    seen = []
    root = RootSearch(leduc("deal Q", "deal K").info_state(0), options(), 0, roots=4, threads=2)
    root.run(seconds=0.9, progress=lambda simulations, seconds, snapshot: seen.append((simulations, seconds, snapshot)))
    assert 1 <= len(seen) <= 6
    assert [s for s, _, _ in seen] == sorted(s for s, _, _ in seen)
    assert all(sum(move.visits for move in snapshot.moves) > 0 for _, _, snapshot in seen)


def test_an_error_in_progress_stops_all_threads():
    def stop(*_):
        raise RuntimeError("stop")

    root = RootSearch(leduc("deal Q", "deal K").info_state(0), options(), 0, roots=2, threads=2)
    with pytest.raises(RuntimeError, match="stop"):
        root.run(simulations=10**12, progress=stop)


def test_only_for_who_is_to_move():
    with pytest.raises(ValueError, match="player 1 is not to move"):
        search(leduc("deal Q", "deal K").info_state(1), 1)


# --- known answers ---


@pytest.mark.parametrize("select", ["puct", "bias"])
def test_never_folds_the_best_hand(select):
    state = leduc("deal K", "deal J", "call", "call", "flop K", "raise", "raise")
    for seed in range(20):
        root = RootSearch(state.info_state(0), options(select=select), seed)
        root.run(simulations=300)
        assert state.action_to_string(root.best()) == "call"


def test_values_of_a_last_decision_are_exact():
    # Own Q, public J, two raises: of the other's cards J, K, K beat a Q and Q shares. A call costs 4 more, 11 in all.
    state = leduc("deal Q", "deal K", "raise", "raise", "call", "flop J", "raise", "raise")
    info = state.info_state(0)
    report = load_agent("ismcts:simulations=40000", LEDUC).analyze(info)
    moves = {move.action: move for move in report.moves}
    pot = LEDUC.describe(state)["chips"]
    assert moves["fold"].win == 0
    assert moves["fold"].margin == -pot[0]
    lost = -pot[1]
    n = moves["call"].visits
    assert moves["call"].win == pytest.approx(0.125, abs=5 * 0.22 / math.sqrt(n))
    assert moves["call"].margin == pytest.approx(0.75 * lost, abs=5 * abs(lost) * 0.44 / math.sqrt(n))


def test_more_than_random():
    agents = {name: load_agent(name, LEDUC, 1) for name in ("ismcts:simulations=500", "random")}
    won = 0
    for seed in range(200):
        for seat in range(2):
            seats = ["random", "random"]
            seats[seat] = "ismcts:simulations=500"
            won += play_game(LEDUC, [agents[name] if name != "random" else name for name in seats], seed).returns[seat]
    assert won / 400 > 0.6  # chips a game


def test_reward_is_what_is_asked_for():
    # Winning alone: a bluff that wins the pot counts as much as a showdown, so the reward of a fold is 0 and of a sure win 1.
    state = leduc("deal K", "deal J", "call", "call", "flop K", "raise", "raise")
    result = search(state.info_state(0), 500, win=1, margin=0, score=0)
    totals = {row[0]: row[2] / row[1] for row in result.root() if row[1]}
    assert totals[LEDUC.string_to_event("call")] == 1
    assert totals.get(LEDUC.string_to_event("fold"), 0) == 0


# --- analysis ---


def test_analysis_as_json():
    report = load_agent("ismcts:simulations=2000,roots=4", LEDUC).analyze(leduc("deal Q", "deal K").info_state(0))
    data = json.loads(json.dumps(report.to_json()))
    assert list(data) == ["game", "to_move", "simulations", "seconds", "worlds", "proved", "moves"]
    assert data["game"] == "leduc"
    assert data["to_move"] == 0
    assert data["simulations"] == 2000 == sum(move["visits"] for move in data["moves"])
    assert max(move["visits"] for move in data["moves"]) <= data["worlds"] <= 2000
    for move in data["moves"]:
        assert list(move) == ["action", "visits", "win", "win_stderr", "margin", "prior", "pv"]
        assert 0 <= move["win"] <= 1
        assert move["win_stderr"] > 0
        assert move["pv"][0] == move["action"]
    assert [move["visits"] for move in data["moves"]] == sorted((move["visits"] for move in data["moves"]), reverse=True)
    assert sum(move["prior"] for move in data["moves"]) == pytest.approx(1)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_lines_are_whole_turns(seed):
    info = middle("trambahn", seed)
    report = load_agent("ismcts:simulations=8000,roots=2", info.game).analyze(info)
    for move in report.moves:
        state = info.sample(0)
        for text in move.pv:
            assert state.current_player() == info.player
            state.apply_action(state.string_to_action(text))
    # The best line has been searched to the end of the turn.
    state = info.sample(0)
    for text in report.best.pv:
        state.apply_action(state.string_to_action(text))
    assert state.current_player() != info.player


def test_standard_errors_cover():
    # Means of independent searches: the error bars must contain the pooled truth about as often as they claim.
    rng = random.Random(1)
    inside = 0
    for _ in range(400):
        samples = []
        for _ in range(8):
            p = min(1, max(0, rng.gauss(0.4, 0.05)))
            n = rng.randrange(50, 200)
            samples.append((n, sum(rng.random() < p for _ in range(n))))
        mean = sum(t for _, t in samples) / sum(n for n, _ in samples)
        inside += abs(mean - 0.4) < 2.36 * standard_error(samples)  # Student's t with 7 degrees of freedom
    assert 0.9 < inside / 400 < 0.99
    assert standard_error([]) is None
    assert standard_error([(0, 0.0)]) is None
    assert standard_error([(100, 50.0)]) == 0.05


def test_deal_decides_the_same_game():
    specs = ["ismcts:simulations=200", "ismcts:simulations=100,threads=2"]
    first, second = (play_game(LEDUC, specs, 7) for _ in range(2))
    assert first.actions == second.actions


@pytest.mark.parametrize("name", ["leduc", "trambahn"])
def test_bench(name):
    game = load_game(name)
    first = bench(game, seed=3, scale=0.002)
    assert list(first) == [
        "ns_per_step",
        "steps_per_playout",
        "playouts_per_s",
        "dealt_playouts_per_s",
        "simulations_per_s",
        "simulations_per_s_random",
        "clone_ns",
        "fill_ns",
        "signature",
    ]
    assert all(value > 0 for value in first.values() if not isinstance(value, str))
    assert bench(game, seed=3, scale=0.002)["signature"] == first["signature"]
    assert bench(game, seed=4, scale=0.002)["signature"] != first["signature"]


def test_an_opponent_knows_his_own_card():
    """King against an unknown card, a jack on the table, a raise to answer: the raiser may hold the jack, so calling beats raising again.

    By hand: against the best replies a call is worth more, since a queen or king folds to another raise and a jack does not.
    """
    info = leduc("deal K", "deal Q", "call", "call", "flop J", "call", "raise").info_state(0)
    for seed in range(3):
        apart = RootSearch(info, complete(SEARCH, {"playout": "random", "cutoff": 0}), seed)
        apart.run(20_000)
        assert info.action_to_string(apart.best()) == "call"
