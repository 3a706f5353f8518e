"""Agents by text, and games between agents, broken ones included."""

import contextlib
import time

import pytest

from wattman import load_agent, load_game
from wattman.engine.game import InfoState
from wattman.engine.games import names
from wattman.search import defaults, levels
from wattman.search.agents import AGENTS, TurnClock
from wattman.search.bench import midgame
from wattman.search.match import run_match
from wattman.search.play import IllegalMove, decide, play_game

LEDUC = load_game("leduc")


def start(*events):
    state = LEDUC.new_initial_state()
    for event in events or ("deal Q", "deal K"):
        state.apply_action(state.string_to_action(event))
    return state


# --- texts ---


@pytest.mark.parametrize(
    "spec", ["random", "greedy", "ismcts", "ismcts:time=0.05", "ismcts:simulations=200,threads=2", " ismcts : simulations = 50 "]
)
def test_specs(spec):
    agent = load_agent(spec, LEDUC, 1)
    if spec != "ismcts":
        assert agent.choose(start().info_state(0)) in (1, 2)


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ("nobody", ["no agent 'nobody'", "random", "greedy", "ismcts"]),
        ("", ["no agent ''", "random, greedy, ismcts"]),
        ("random:x=1", ["no parameter 'x'", "none"]),
        ("ismcts:depth=3", ["no parameter 'depth'", "time", "simulations", "threads", "cutoff"]),
        ("ismcts:time", ["'time' is not NAME=VALUE"]),
        ("ismcts:time=soon", ["time=soon", "a number at least 0.001"]),
        ("ismcts:time=-1", ["time=-1", "at least 0.001"]),
        ("ismcts:time=nan", ["time=nan"]),
        ("ismcts:time=inf", ["time=inf"]),
        ("ismcts:simulations=1.5", ["simulations=1.5", "a whole number at least 1"]),
        ("ismcts:simulations=0", ["simulations=0"]),
        ("ismcts:time=1,time=2", ["time is given twice"]),
        ("ismcts:select=best", ["select=best", "puct or bias"]),
        ("ismcts:paranoid=maybe", ["paranoid=maybe", "yes or no"]),
        ("ismcts:win=0,margin=0,score=0", ["at least one weight"]),
    ],
)
def test_bad_specs_say_what_exists(spec, texts):
    with pytest.raises(ValueError) as error:
        load_agent(spec, LEDUC)
    for text in texts:
        assert text in str(error.value)
    assert "\n" not in str(error.value)


def test_every_parameter_is_described():
    for kind in AGENTS.values():
        assert kind.help
        for parameter in kind.parameters:
            assert parameter.help
            assert parameter.allowed()
            if parameter.default is not None:
                assert parameter.parse(str(parameter.default)) == parameter.default


def test_agents_that_do_not_search_have_nothing_to_report():
    with pytest.raises(ValueError, match="does not search"):
        load_agent("greedy", LEDUC).analyze(start().info_state(0))


def test_a_single_parameter_needs_no_name():
    assert load_agent("level:1", LEDUC).options == load_agent("level:n=1", LEDUC).options
    with pytest.raises(ValueError, match="n is given twice"):
        load_agent("level:1,2", LEDUC)
    with pytest.raises(ValueError, match="n=6: must be a whole number at least 1 and at most 5"):
        load_agent("level:6", LEDUC)


# --- defaults ---


@pytest.mark.parametrize("game", defaults.GAMES)
def test_own_defaults_are_parameters_and_differ(game):
    assert game in names()
    table = {parameter.name: parameter for parameter in AGENTS["ismcts"].parameters}
    for name, value in defaults.GAMES[game].items():
        assert table[name].parse(value) == value != table[name].default


def test_a_game_may_have_its_own_defaults(monkeypatch):
    monkeypatch.setitem(defaults.GAMES, "leduc", {"c": 0.77, "win": 1.0})
    for kind in ("ismcts", "pimc", "flat"):
        assert load_agent(kind, LEDUC).options["c"] == 0.77
        assert load_agent(kind, load_game("trambahn")).options["c"] == 0.35
        assert load_agent(f"{kind}:c=0.5", LEDUC).options["c"] == 0.5
    assert load_agent("random", LEDUC).choose(start().info_state(0)) in (1, 2)


# --- levels ---


@pytest.mark.parametrize("name", names())
def test_every_level_plays_every_game(name):
    game = load_game(name)
    info = midgame(game).info_state()
    specs = {number: levels.level(name, number) for number in range(1, levels.MOST + 1)}
    assert len(set(specs.values())) == levels.MOST
    for number, spec in specs.items():
        agent = load_agent(f"level:{number}", game, 3)
        assert agent.spec == f"level:{number}"
        assert agent.options == load_agent(spec, game).options
        if agent.seconds is None:
            assert agent.choose(info) in info.legal_actions()
            assert agent.choose(info) == load_agent(f"level:n={number}", game, 3).choose(info)
    assert load_agent("level:5", game).seconds == 2
    assert load_agent("level", game).options == load_agent("level:3", game).options


def test_levels_are_known_games():
    assert set(levels.GAMES) <= set(names())
    assert all(number in range(1, levels.MOST + 1) for own in levels.GAMES.values() for number in own)


def test_level_1_makes_no_nonsense():
    """It never folds the best hand, and it beats who plays at random."""
    state = start("deal K", "deal J", "call", "call", "flop K", "raise", "raise")
    for seed in range(30):
        assert state.action_to_string(load_agent("level:1", LEDUC, seed).choose(state.info_state(0))) == "call"
    result = run_match(load_game("trambahn"), ["level:1", "random"], 12, seed=1)
    assert result.wins == [12, 0]


# --- softened choice ---


def test_a_softened_choice_stays_within_the_loss():
    info = midgame(load_game("trambahn")).info_state()
    search = "flat:simulations=400"
    root = load_agent(search, info.game, 1)._new_root(info)
    root.run(400)
    means = {move.action: move.total / move.visits for move in root.moves() if move.visits}
    best = means[root.best()]
    for loss in (0.0, 0.01, 0.05, 0.2):
        agent = load_agent(f"{search},temperature=1,loss={loss}", info.game, 1)
        found = set()
        for seed in range(200):  # the search stays the same, the choice among its moves does not
            agent.seed = seed
            found.add(agent._pick(info, root))
        assert min(means[action] for action in found) >= best - loss
        assert (len(found) > 1) == any(best - loss <= mean and action != root.best() for action, mean in means.items())


def test_a_higher_temperature_plays_less_well():
    info = start("deal K", "deal J", "call", "call", "flop K", "raise").info_state(1)
    chosen = {}
    for temperature in (0, 0.01, 1):
        spec = f"flat:simulations=200,temperature={temperature},loss=1"
        chosen[temperature] = [info.action_to_string(load_agent(spec, LEDUC, seed).choose(info)) for seed in range(40)]
    assert len(set(chosen[0])) == 1
    best = chosen[0][0]
    assert chosen[0.01].count(best) > chosen[1].count(best) > 5


# --- choosing ---


@pytest.mark.parametrize("spec", ["random", "greedy", "ismcts:simulations=300"])
def test_a_choice_depends_on_knowledge_and_seed_alone(spec):
    for seed in range(5):
        choices = {load_agent(spec, LEDUC, seed).choose(start("deal Q", f"deal {card}", "call", "raise").info_state(0)) for card in "JQK"}
        assert len(choices) == 1
    agent = load_agent(spec, LEDUC, 3)
    assert len({agent.choose(start().info_state(0)) for _ in range(3)}) == 1


def test_random_is_random_over_seeds():
    info = start().info_state(0)
    assert {load_agent("random", LEDUC, seed).choose(info) for seed in range(30)} == {1, 2}


def test_greedy_takes_the_greatest_weight():
    info = start("deal K", "deal Q").info_state(0)
    weights = info.weights()
    assert weights[load_agent("greedy", LEDUC).choose(info)] == max(weights.values())


def test_time_is_shared_by_the_decisions_of_a_turn():
    clock = TurnClock()
    state = start()
    assert clock.start(state.info_state(0), 1.0) == 1.0
    clock.stop(state.info_state(0), state.string_to_action("call"), 0.25)
    state.apply_action(state.string_to_action("call"))
    assert clock.start(state.info_state(1), 1.0) == 1.0  # another player
    clock = TurnClock()
    clock.start(state.info_state(1), 1.0)
    clock.stop(state.info_state(1), state.string_to_action("call"), 0.25)
    for event in ("call", "flop J", "call"):
        state.apply_action(state.string_to_action(event))
    assert clock.start(state.info_state(1), 1.0) == 1.0  # the other has decided in between
    state = start("deal J", "deal K", "call")
    clock = TurnClock()
    clock.start(state.info_state(1), 1.0)
    clock.stop(state.info_state(1), state.string_to_action("call"), 0.25)
    state.apply_action(state.string_to_action("call"))
    state.apply_action(state.string_to_action("flop K"))
    assert clock.start(state.info_state(1), 1.0) == 0.75  # only chance has
    assert TurnClock().start(state.info_state(1), None) is None


def test_a_turn_keeps_its_time():
    agent = load_agent("ismcts:time=0.2", LEDUC)
    began = time.perf_counter()
    agent.choose(start().info_state(0))
    assert time.perf_counter() - began < 1.0


# --- games ---


def test_games_are_reproducible():
    for seed in range(5):
        games = [play_game(LEDUC, ["random", "greedy"], seed) for _ in range(2)]
        assert games[0].actions == games[1].actions
        assert games[0].returns == games[1].returns
        assert games[0].fault is None
    assert len({tuple(play_game(LEDUC, ["random", "random"], seed).actions) for seed in range(20)}) > 10


def test_the_number_of_agents_must_fit():
    with pytest.raises(ValueError, match="1 agents given"):
        play_game(LEDUC, ["random"], 0)


class Calls:
    """A stranger's agent: nothing but `choose`."""

    def choose(self, info):
        assert isinstance(info, InfoState)
        assert info.to_dict()["cards"][1 - info.player] == "?"
        return info.string_to_action("call")


class Crashes:
    def choose(self, info):
        raise RuntimeError("out of order")


class Answers:
    def __init__(self, answer):
        self.answer = answer

    def choose(self, info):
        return self.answer


class Sleeps:
    def choose(self, info):
        time.sleep(30)


class Exits:
    def choose(self, info):
        raise SystemExit(3)


class Meddles:
    """Tries to change the game through what it was handed."""

    def choose(self, info):
        with contextlib.suppress(ValueError):
            info.admit("call")
        return LEDUC.string_to_event("call")


def test_strangers_may_play():
    result = play_game(LEDUC, [Calls(), "random"], 1)
    assert result.fault is None
    assert result.decisions[0] >= 1


@pytest.mark.parametrize("answer", [99, -1, None, "call", 1.0, True, [1], 10**30])
def test_illegal_answers_lose_the_game(answer):
    for seat in (0, 1):
        agents = ["greedy", "greedy"]
        agents[seat] = Answers(answer)
        result = play_game(LEDUC, agents, 2)
        assert result.fault.player == seat
        assert result.fault.kind == "illegal move"
        assert result.returns[seat] == -1
        assert result.returns[1 - seat] == 1


def test_a_crash_loses_the_game():
    result = play_game(LEDUC, ["greedy", Crashes()], 2)
    assert (result.fault.player, result.fault.kind, result.fault.message) == (1, "crash", "RuntimeError: out of order")
    assert result.returns == [1, -1]
    assert play_game(LEDUC, [Exits(), "greedy"], 2).fault.kind == "crash"


def test_an_endless_agent_loses_the_game():
    began = time.perf_counter()
    result = play_game(LEDUC, [Sleeps(), "greedy"], 2, limit=0.2)
    assert time.perf_counter() - began < 5
    assert result.fault.kind == "too slow"
    assert result.returns == [-1, 1]


def test_an_agent_cannot_meddle():
    assert play_game(LEDUC, [Meddles(), Meddles()], 4).actions == play_game(LEDUC, [Calls(), Calls()], 4).actions


def test_decide_checks_the_answer():
    state = start()
    with pytest.raises(IllegalMove, match=r"answered 0; legal: 1 \(call\), 2 \(raise\)"):
        decide(Answers(0), state)
    assert decide(Calls(), state) == 1
    assert state.history() == start().history()
    with pytest.raises(ValueError, match="nobody is to move"):
        decide(Calls(), LEDUC.new_initial_state())
