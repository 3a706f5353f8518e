"""The exact solver against brute force in plain Python, and against the search.

WATTMAN_GAMES=1000 compares 1,000 endings of every game, over all its options together (default: 12 of each).
"""

import json
import random
import sys
from pathlib import Path

import pytest
import tactics
from commands import refused, run
from knowledge import GAMES as BUDGET
from knowledge import LOADED, games, title

from wattman import load_agent, load_game
from wattman.engine import positions
from wattman.search.solver import Solver
from wattman.search.solving import WIDE, dealt, enumerated, measure, proved_move, solve

PATIENCE = 500  # positions and results that the brute force looks at for one game
WAYS = {"win": ((1.0, 0.0, 0.0), WIDE), "margin": ((0.0, 1.0, 0.0), WIDE), "own": ((0.2, 0.3, 0.5), 50.0)}


sys.setrecursionlimit(10_000)  # for the brute force: some frames for each event of an ending


class TooLarge(Exception):
    pass


def unit(points, scale):
    return 0.5 + 0.5 * max(-1.0, min(1.0, points / scale))


class Brute:
    """Each player's value, by trying out everything.

    Of equally good moves the one of greatest weight is taken, as the solver has it. `value` also tells whether nothing depends on that: no
    decision has two best moves that differ for the others.
    """

    def __init__(self, way, patience):
        self.weights, self.scale = WAYS[way]
        self.known = {}
        self.left = patience

    def value(self, state):
        if state in self.known:
            return self.known[state]
        self.left -= 1
        if self.left < 0:
            raise TooLarge
        if state.is_terminal():
            win, margin, own = self.weights
            rows = state.values().tolist()
            found = [win * row[0] + margin * unit(row[1], self.scale) + own * unit(row[2], self.scale) for row in rows], True
        elif state.is_chance_node():
            total, sure = [0.0] * state.game.num_players(), True
            for action, p in state.chance_outcomes():
                value, same = self.after(state, action)
                total = [a + p * b for a, b in zip(total, value, strict=True)]
                sure = sure and same
            found = total, sure
        else:
            found = self.decided(state)
        self.known[state] = found
        return found

    def after(self, state, action):
        child = state.clone()
        child.apply_action(action)
        return self.value(child)

    def decided(self, state):
        player, order = state.current_player(), state.info_state().weights()
        children = [self.after(state, action) for action in sorted(order, key=lambda action: -order[action])]
        most = max(value[player] for value, _ in children)
        best = [value for value, _ in children if value[player] > most - 1e-12]
        same = all(abs(a - b) < 1e-9 for value in best for a, b in zip(value, best[0], strict=True))
        return best[0], same and all(sure for _, sure in children)


def endings(game, number, seed):
    """Random endings that brute force can do, with what it found: of each random game several, back to as early as it can."""
    rng = random.Random(seed)
    while True:
        states = [state.clone() for state in games(game, rng.getrandbits(30))][-40:-1]
        way = rng.choice(list(WAYS))
        back, brute = 1, Brute(way, PATIENCE // 4)  # of many games the last decision alone is too large
        while back <= len(states):
            try:
                found = brute.value(states[-back])
            except TooLarge:
                break
            yield states[-back], way, *found, brute
            number -= 1
            if not number:
                return
            brute.left += PATIENCE if back == 1 else 0
            back += rng.choice([1, 2, 5])


@pytest.mark.parametrize("game", LOADED, ids=title)
def test_brute_force(game):
    solvers = {way: Solver(game, *WAYS[way], memory=4) for way in WAYS}
    number = 12 if BUDGET < 500 else -(-BUDGET // sum(other.name == game.name for other in LOADED))
    for state, way, expected, sure, brute in endings(game, number, 1):
        values = solvers[way].values(state, 10**9)
        if sure or (game.num_players() == 2 and way != "own"):
            for (low, high), value in zip(values, expected, strict=True):
                assert (low, high) == pytest.approx((value, value), abs=1e-9)
        else:  # several best moves: the value of whoever decides stays the same, what is left for the others need not
            assert all(0 <= low <= high <= 1 for low, high in values)
            if state.current_player() >= 0 and all(brute.after(state, action)[1] for action in state.legal_actions()):
                assert values[state.current_player()] == pytest.approx([expected[state.current_player()]] * 2, abs=1e-9)
        few = Solver(game, *WAYS[way], memory=4).values(state, 3)
        for (low, high), (least, most) in zip(few, values, strict=True):  # bounds at a limit hold
            assert 0 <= low <= least + 1e-9 <= most + 2e-9 <= high + 3e-9 <= 1 + 4e-9


def test_leduc_as_it_is_known():
    """With a king: all worlds are enumerated, with their probabilities."""
    game = load_game("leduc")
    state = game.new_initial_state()
    for text in ("deal K", "deal J", "call", "call", "flop Q"):
        state.apply_action(state.string_to_action(text))
    info = state.info_state(0)
    worlds = {world.to_dict()["cards"][1]: share for world, share in enumerated(info)}
    assert worlds == pytest.approx({"J": 0.5, "Q": 0.25, "K": 0.25})
    found = solve(info, "margin")
    assert (found.method, found.worlds, found.exact) == ("all", 3, True)
    # Calling: against a jack nobody bets with open cards, so one wins 1 chip; the queen raises, and one folds (-1); kings share.
    assert {move.action: move.low for move in found.moves}["call"] == pytest.approx(0.5 * 1 + 0.25 * -1 + 0.25 * 0)
    opened = solve(state, "margin")
    assert (opened.method, opened.worlds, opened.moves[0].low) == ("open", 1, 1.0)
    assert opened.line[0] in opened.best
    assert enumerated(load_game("trambahn").new_initial_state().info_state(0)) is not None
    with pytest.raises(ValueError, match="nothing to decide"):
        solve(game.new_initial_state())
    with pytest.raises(ValueError, match="player 1 is not to move"):
        solve(state.info_state(1))
    with pytest.raises(ValueError, match="worlds: 0 is not allowed"):
        solve(info, worlds=0)
    with pytest.raises(ValueError, match="by: 'luck' is not allowed; allowed: win, margin, reward"):
        solve(info, "luck")


CHEAP = [path for path in tactics.positions() if not path.stem.startswith(("tour", "scoring-3", "missed-3"))]  # whose proof is


@pytest.mark.parametrize("path", CHEAP, ids=lambda path: path.stem)
def test_last_turns_of_trambahn(path):
    """One scoring is to come: the proof in `tactics`, over all hands of the other, and the solver over a sample of worlds agree."""
    info = positions.load(path)
    found = solve(info, "win", seconds=60, worlds=60, seed=1)
    assert found.exact
    assert found.method == "sample"
    proof = tactics.Ending(info).moves()
    for move in found.moves:
        assert abs(move.low - float(proof[move.action])) < 4.5 * max(move.stderr, 0.02)
    most = max(proof.values())
    assert any(proof[action] == most for action in found.best)


@pytest.mark.parametrize("stem", ["missed-1", "tour-first-1", "scoring-2"])
def test_the_line_is_the_best_turn(stem):
    """Along the line nothing is lost: after each of its moves the rest of the turn is worth what the whole is."""
    info = positions.load(tactics.FOLDER / f"{stem}.toml")
    found = solve(info, "margin", seconds=60, worlds=20, seed=1)
    assert found.exact
    assert found.line[0] in found.best
    solver = Solver(info.game, *measure(info.game, "margin"), memory=8)
    worlds, shares = zip(*dealt(info, 20, 1)[1], strict=True)
    for text in found.line:
        values = {action: low for action, low, high in solver.moves(list(worlds), list(shares), info.player, 10**8) if high - low < 1e-9}
        assert values[info.string_to_action(text)] == pytest.approx(max(values.values()), abs=1e-9)
        for world in worlds:
            world.apply_action(info.string_to_action(text))
    assert all(world.current_player() != info.player for world in worlds)


def test_a_limit_gives_bounds():
    info = positions.load("examples/trambahn-midgame.toml")
    found = solve(info, "margin", nodes=50, worlds=3)
    assert not found.exact
    assert found.best == [move.action for move in found.moves]
    assert all(move.low < move.high for move in found.moves)
    quick = solve(info, "win", seconds=0.2)
    assert quick.seconds < 20
    assert not quick.exact


def test_the_own_turn_keeps_to_the_limit_too():
    """Planning the rest of a turn (here some 7,000 positions) is cut off like everything behind it."""
    found = solve(positions.load(tactics.FOLDER / "missed-3.toml"), nodes=50, worlds=2)
    assert found.nodes <= 50 * len(found.moves)
    assert not found.exact


def test_the_same_seed_gives_the_same():
    info = positions.load("tests/tactics/deny-3.toml")
    results = [solve(info, seed=seed, worlds=30).to_json() for seed in (1, 1, 2)]
    for result in results:
        result["seconds"] = 0
    assert results[0] == results[1]
    assert results[0] != results[2]


def test_idle_draws_change_nothing():
    """Where Trambahn says that what is drawn cannot matter any more, it does not: every card leads to the same value."""
    game, found = load_game("trambahn"), 0
    for path in tactics.positions()[:8]:
        info = positions.load(path)
        for seed in range(3):
            state, rng = info.sample(seed), random.Random(seed)
            while not state.is_terminal() and not state.is_chance_node():
                state.apply_action(rng.choice(state.legal_actions()))
            if state.is_terminal():
                continue
            values = set()
            for action in state.legal_actions():
                child = state.clone()
                child.apply_action(action)
                values.add(tuple(solve_open(game, child)))
            assert len(values) == 1
            found += 1
    assert found >= 10


def solve_open(game, state):
    return Solver(game, (0.0, 1.0, 0.0), WIDE, memory=1).values(state, 10**7)


def test_the_search_takes_what_is_proved():
    """What the trees alone miss, the choice and the analysis have; the proof does not depend on which moves come first."""
    info = positions.load(tactics.FOLDER / "missed-1.toml")
    for prove in ("no", "yes"):
        agent = load_agent(f"ismcts:simulations=2000,prove={prove}", info.game, 1)
        assert (info.action_to_string(agent.choose(info)) == "build G1>new") == (prove == "yes")
    analysis = load_agent("ismcts:simulations=2000,prove=yes", info.game, 1).analyze(info)
    assert analysis.proved == ["build G1>new"]
    assert analysis.best.action == "build G1>new"
    legal = info.legal_actions()
    for order in (legal, legal[::-1]):
        assert proved_move(info, (1.0, 0.0, 0.0), 10**6, 1, order) == [info.string_to_action("build G1>new")]
    assert proved_move(info, (1.0, 0.0, 0.0), 100, 1, legal) == []  # too few positions
    assert proved_move(info, (1.0, 0.0, 0.0), 10**9, 1, legal, seconds=0) == []


def test_one_solver_for_several_groups_of_worlds():
    """What was found out about some worlds together is not taken for others that begin with the same one."""
    info = positions.load(tactics.FOLDER / "deny-2.toml")
    worlds = [info.sample(seed) for seed in range(4)]
    solver = Solver(info.game, *measure(info.game, "margin"), memory=8)
    together = []
    for group in ([worlds[0], each] for each in worlds[1:]):
        fresh = Solver(info.game, *measure(info.game, "margin"), memory=8).moves(group, [0.5, 0.5], info.player, 10**6)
        assert solver.moves(group, [0.5, 0.5], info.player, 10**6) == fresh
        together.append(fresh)
    assert any(other != together[0] for other in together)


# --- the command ---


def test_command(tmp_path, monkeypatch):
    text = run("solve", "tests/tactics/deny-2.toml", "--seed", 1).stdout
    assert "player 0 to move · solved · over a sample of" in text
    assert "buy 3>3" in text
    data = json.loads(run("solve", "tests/tactics/deny-2.toml", "--seed", 1, "--by", "margin", "--json").stdout)
    assert list(data) == ["game", "to_move", "by", "method", "exact", "worlds", "nodes", "seconds", "moves", "line"]
    assert data["exact"]
    monkeypatch.chdir(tmp_path)
    run("play", "leduc", "--seed", 3, "--opponent", "random", "--save", "game.jsonl", text="1\n" * 20)
    data = json.loads(run("solve", "game.jsonl", "--open", "--json").stdout)
    assert data["method"] == "open"
    assert json.loads(run("solve", "game.jsonl", "--json").stdout)["method"] == "all"


def test_the_line_is_shown():
    text = run("solve", "tests/tactics/missed-1.toml", "--seed", 1).stdout
    assert " best turn: " in text
    assert json.loads(run("solve", "tests/tactics/missed-1.toml", "--seed", 1, "--json").stdout)["line"]


def test_refusals(tmp_path, monkeypatch):
    monkeypatch.chdir(Path(__file__).parent.parent)
    assert "--open is for records" in refused("solve", "examples/trambahn-midgame.toml", "--open")
    assert "by: 'x' is not allowed" in refused("solve", "examples/trambahn-midgame.toml", "--by", "x")
    assert "worlds: 0 is not allowed; allowed: 1 to 5000" in refused("solve", "examples/trambahn-midgame.toml", "--worlds", 0)
    assert "--time: '-1' is not at least 0" in refused("solve", "examples/trambahn-midgame.toml", "--time", -1)
    assert "No such file" in refused("solve", "nothing.toml")
    monkeypatch.chdir(tmp_path)
    run("play", "leduc", "--seed", 3, "--opponent", "random", "--save", "game.jsonl", text="1\n" * 20)
    over = len(json.loads(Path("game.jsonl").read_text())["actions"])
    assert "there is nothing to decide here" in refused("solve", "game.jsonl", "--ply", over)
    assert "there is nothing to decide here" in refused("solve", "game.jsonl", "--ply", 0, "--player", 1)
    assert "player 1 is not to move" in refused("solve", "game.jsonl", "--ply", 2, "--player", 1)
