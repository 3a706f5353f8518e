"""Networks that are carried over to another board, another number of players, or other options."""

import shlex

import numpy as np
import pytest
from commands import refused, run
from test_weights import decisions, forward, random_arrays

from wattman import load_agent, load_game
from wattman.engine import boards
from wattman.models import weights
from wattman.models.evaluator import NetEvaluator
from wattman.models.terms import describe
from wattman.models.transfer import carry, carry_over, rows

LEDUC, TRAMBAHN, PORTLAND = load_game("leduc"), load_game("trambahn"), load_game("portland")
GONE, CAME = "Beaverton--Washington_Square:wes", "Beaverton--Washington_Square:teal"


def saved(path, game, arrays=None, **more):
    weights.save(path, weights.card_for(game, **more), random_arrays(game) if arrays is None else arrays)
    return path


def board_text(change=True):
    """Portland's board, one route of another type: a route is gone, and another one there."""
    files = {file.name: file for file in boards.resources.files("wattman.engine").joinpath("data", "portland").iterdir()}
    text = files["portland.toml"].read_text(encoding="utf-8")
    line = '{a = "Beaverton", b = "Washington Square", type = "wes", length = 2'
    assert text.count(line) == 1
    return text.replace(line, line.replace("wes", "teal")) if change else text


@pytest.fixture
def other_board(tmp_path):
    (tmp_path / "mine.toml").write_text(board_text(), encoding="utf-8")
    return load_game("portland", board=str(tmp_path / "mine.toml"))


@pytest.mark.parametrize("path", sorted(weights.SHIPPED.glob("*.npz")), ids=lambda path: path.name)
def test_to_its_own_options_nothing_changes(path, tmp_path):
    card, arrays = weights.load(path)
    game = load_game(card.game, **card.options)
    found = carry_over(path, game)
    weights.save(tmp_path / "net.npz", found.card, found.arrays)
    again, kept = weights.load(tmp_path / "net.npz")
    assert kept.keys() == arrays.keys()
    assert all(kept[name].tobytes() == arrays[name].tobytes() for name in arrays)
    assert (again.options, again.search, again.notes, again.default) == (card.options, card.search, card.notes, False)
    assert found.inputs[1] == found.terms[1] == 0
    assert weights.misfit(again, game) is None


def test_another_board(other_board, tmp_path):
    """What a route weighs is kept, wherever it stands in the file; the new one is known by its length and the like alone."""
    path = saved(tmp_path / "a.npz", PORTLAND)
    arrays = weights.load(path)[1]
    found = carry_over(path, other_board)
    assert found.inputs[1] == 3 + 5, "it may be paid for, claimed, and be owned by five seats"
    assert found.terms[1] == 1
    assert found.values
    assert weights.load(path)[0].names["terms"].count(f"claim {GONE}") == 1
    assert f"claim {CAME}" in other_board.term_names()
    assert f"claim {GONE}" not in other_board.term_names()
    met = set()
    for seed in range(3):
        for state in decisions(other_board, seed, every=2):
            player, actions = state.current_player(), describe(state)
            tensor = state.observation_tensor(player)
            seen = dict(zip(other_board.observation_names(), tensor, strict=True))
            before = forward(arrays, np.array([seen.get(name, 0) for name in PORTLAND.observation_names()]))
            after = forward(found.arrays, tensor)
            assert after == pytest.approx(before, abs=1e-9)
            then, now = (
                dict(zip(game.term_names(), np.float64(net["policy.weight"]) @ x + net["policy.bias"], strict=True))
                for game, net, x in ((PORTLAND, arrays, before), (other_board, found.arrays, after))
            )
            assert now.pop(f"claim {CAME}") == 0
            assert all(abs(then[name] - number) < 1e-9 for name, number in now.items())
            met |= {state.action_to_string(int(action)) for action in actions["legal"]}
    assert f"claim {CAME}" in met
    assert sum(text.startswith("claim") for text in met) > 60
    weights.save(tmp_path / "b.npz", found.card, found.arrays)
    agent = load_agent(f"ismcts:simulations=30,net={tmp_path / 'b.npz'},net_value=0", other_board, 1)
    for state in decisions(other_board, 1, every=9):
        info = state.info_state()
        assert agent.choose(info) in info.legal_actions()


def test_a_board_whose_routes_stand_in_another_order(tmp_path):
    """The same network, number for number."""
    head, _, rest = board_text(change=False).partition("[routes]")
    listed = rest.split("list = [\n", 1)[1].split("\n]", 1)[0]
    turned = "\n".join(listed.split("\n")[::-1])
    file = tmp_path / "mine.toml"
    file.write_text(f"{head}[routes]{rest.replace(listed, turned)}", encoding="utf-8")
    game = load_game("portland", board=str(file))
    assert game.term_names() != PORTLAND.term_names()
    path = saved(tmp_path / "a.npz", PORTLAND, random_arrays(PORTLAND) | {"policy.base": np.zeros(1)})  # the game's own weights may differ
    found = carry_over(path, game)
    assert found.inputs[1] == found.terms[1] == 0
    before, after = NetEvaluator(PORTLAND, weights.load(path)[1], {}), NetEvaluator(game, found.arrays, {})
    for theirs in decisions(PORTLAND, 4, every=10):
        ours = game.new_initial_state()
        for text in theirs.events():
            ours.apply_action(ours.string_to_action(text))
        wanted = {theirs.action_to_string(action): share for action, share in before.policy(theirs).items()}
        shares = {ours.action_to_string(action): share for action, share in after.policy(ours).items()}
        assert shares == pytest.approx(wanted, abs=1e-5)
        assert after.values(ours, 0) == pytest.approx(before.values(theirs, 0), abs=1e-3)


@pytest.mark.parametrize("name", ["portland", "lisbon"])
def test_from_two_players_to_three(name, tmp_path):
    two, three = load_game(name), load_game(name, players=3)
    found = carry_over(saved(tmp_path / "a.npz", two, search={"net_value": 0.5, "cutoff": 3, "c": 0.5}), three)
    assert found.card.search == {"c": 0.5, "net_value": 0}
    assert not found.values
    assert not found.arrays["value.weight"].any()
    assert found.arrays["value.bias"].shape == (9,)
    before, after = weights.load(tmp_path / "a.npz")[1]["layer0.weight"], found.arrays["layer0.weight"]
    at = {name: i for i, name in enumerate(two.observation_names())}
    for i, name in enumerate(three.observation_names()):
        if name == "seat 2 present":
            assert not after[i].any()
        elif name.startswith(("seat 1 ", "seat 2 ")) and name != "seat 1 present":
            assert np.allclose(after[i], before[at[f"seat 1 {name[7:]}"]] / 2, atol=1e-5), "two opponents weigh what one did"
        elif name == "3 players":
            assert np.array_equal(after[i], before[at["2 players"]])
        else:
            assert np.array_equal(after[i], before[at[name]])
    assert np.array_equal(found.arrays["policy.weight"], weights.load(tmp_path / "a.npz")[1]["policy.weight"])
    weights.save(tmp_path / "b.npz", found.card, found.arrays)
    agent = load_agent(f"ismcts:simulations=30,net={tmp_path / 'b.npz'}", three, 1)
    state = next(decisions(three, 1, every=30))
    assert agent.choose(state.info_state()) in state.legal_actions()


@pytest.mark.parametrize("players", [3, 4])
def test_the_shipped_networks_for_more_players_are_carried_over(players):
    game = load_game("lisbon", players=players)
    found, shipped = carry_over(weights.SHIPPED / "lisbon.npz", game).arrays, weights.load(weights.SHIPPED / f"lisbon-{players}.npz")[1]
    assert found.keys() == shipped.keys()
    assert all(np.array_equal(found[name].astype(np.float16), shipped[name]) for name in shipped)


def test_to_the_other_side_of_the_board():
    """Steps between places that both sides have are known by their names; the others begin with 0."""
    two, four = load_game("lisbon"), load_game("lisbon", players=4)
    found, shipped = carry_over(weights.SHIPPED / "lisbon.npz", four), weights.load(weights.SHIPPED / "lisbon.npz")[1]
    at = {name: i for i, name in enumerate(two.term_names())}
    shared = [name for name in four.term_names() if name in at]
    assert {"step", "claim", "place", "shunt", "board"} <= {name.split()[0] for name in shared}
    assert found.terms == (len(four.term_names()), len(four.term_names()) - len(shared))
    for i, name in enumerate(four.term_names()):
        row = found.arrays["policy.weight"][i]
        assert np.array_equal(row, shipped["policy.weight"][at[name]]) if name in at else not row.any()


def test_from_one_player_to_two(tmp_path):
    """Nobody sat opposite: what another player does means nothing yet."""
    two = load_game("tramways", players=2)
    found = carry_over(weights.SHIPPED / "tramways-solo.npz", two)
    names = two.observation_names()
    assert not any(found.arrays["layer0.weight"][i].any() for i, name in enumerate(names) if name.startswith("seat 1 "))
    own = weights.load(weights.SHIPPED / "tramways-solo.npz")[1]["layer0.weight"]
    assert np.array_equal(found.arrays["layer0.weight"][names.index("seat 0 money")], own[names.index("seat 0 money")])
    assert np.array_equal(found.arrays["layer0.weight"][names.index("2 players")], own[names.index("1 players")])
    net = NetEvaluator(two, found.arrays, {})
    for state in decisions(two, 1, every=25):
        assert sum(net.policy(state).values()) == pytest.approx(1, abs=1e-4)


def test_rows():
    names = ["2 players", "seat 0 x", "seat 1 x", "seat 1 present", "y"]
    own = ["3 players", "2 players", "seat 0 x", "seat 1 x", "seat 2 x", "seat 2 present", "y", "z", "seat 3 x"]
    assert list(rows(names, own, 2, 3)) == [0, 0, 1, 2, 2, -1, 4, -1, -1]
    assert list(rows(own, names, 3, 2)) == [0, 2, 3, -1, 6]
    assert list(rows(names, names[::-1])) == [4, 3, 2, 1, 0]


# --- what is refused, and the command ---


def test_other_options_stay_refused_with_the_way_out(tmp_path):
    path = saved(tmp_path / "a b.npz", PORTLAND)
    with pytest.raises(ValueError, match="it is for players=2, not for players=3; to carry it over: ") as error:
        load_agent(f"ismcts:net={path}", load_game("portland", players=3))
    words = shlex.split(str(error.value).partition("carry it over: wattman ")[2])
    words[words.index("NEW.npz")] = str(tmp_path / "new.npz")
    text = " ".join(run(*words).stdout.split())
    assert "new.npz: 983 of 984 inputs kept, 171 of 171 terms kept, values begin at 0" in text
    load_agent(f"ismcts:net={tmp_path / 'new.npz'}", load_game("portland", players=3))
    assert "there is such a file already" in refused(*words)
    with pytest.raises(ValueError, match=r"--players 2 --option halving=on_need$"):
        load_agent(f"ismcts:net={saved(tmp_path / 't.npz', TRAMBAHN)}", load_game("trambahn", halving="on_need"))


def test_a_board_that_was_changed_since_is_noticed(other_board, tmp_path):
    """A network knows its board by the names on it, so it can be carried over to what has become of the file."""
    path = saved(tmp_path / "a.npz", other_board)
    arrays = weights.load(path)[1]
    file = tmp_path / "mine.toml"
    file.write_text(board_text(change=False), encoding="utf-8")
    game = load_game("portland", board=str(file))
    reason = (
        f"the board or data file has changed since: it was made for 'paying for {CAME}', where there is 'paying for {GONE}' now; to carry"
    )
    with pytest.raises(ValueError, match=reason):
        load_agent(f"ismcts:net={path}", game)
    assert carry_over(path, game).terms == (171, 1)
    card = weights.card_for(other_board)
    weights.save(path, weights.Card(**card.__dict__ | {"names": {}}), arrays)  # as older files are
    file.write_text(board_text().replace('    {a = "Hillsboro", b = "Sunset"', '#   {a = "Hillsboro", b = "Sunset"'), encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.npz: layer0\.weight: 984 rows, but the game that it is for has 976; its board or data file"):
        carry_over(path, load_game("portland", players=3))


def test_what_cannot_be_carried_over_is_refused_in_one_line(tmp_path):
    path = saved(tmp_path / "a.npz", LEDUC)
    out = ["--out", tmp_path / "b.npz"]
    assert "a.npz: it is for leduc, not for trambahn" in refused("transfer", "trambahn", path, *out)
    weights.save(path, weights.Card(**weights.card_for(LEDUC).__dict__ | {"layout": 9}), random_arrays(LEDUC))
    assert "it was made for layout 9 of the observation" in refused("transfer", "leduc", path, *out)
    assert "no such file" in refused("transfer", "leduc", tmp_path / "none.npz", *out)
    names, blind = weights.names_of(PORTLAND), random_arrays(PORTLAND, policy=False)
    with pytest.raises(ValueError, match="it has values only, and those for 2 players say nothing about 3"):
        carry(blind, names, 2, load_game("portland", players=3))
    with pytest.raises(ValueError, match="it has no hidden layer"):
        carry({"policy.weight": np.zeros((171, 8))}, names, 2, PORTLAND)
    del blind["value.bias"]
    weights.save(path, weights.card_for(PORTLAND), blind)
    assert "a.npz: value.bias: missing" in refused("transfer", "portland", path, *out)
    for odd in ({"names": {"observation": []}}, {"options": {}}):
        weights.save(path, weights.Card(**weights.card_for(LEDUC).__dict__ | odd), random_arrays(LEDUC))
        assert "a.npz: this is no file of weights" in refused("transfer", "leduc", path, *out)
    assert not (tmp_path / "b.npz").exists()


# --- training that begins with a network ---

TRAINING = ["train", "leduc", "--iterations", 1, "--games", 8, "--simulations", 10, "--match", 4, "--seed", 1]


def test_training_begins_with_a_network(tmp_path):
    pytest.importorskip("torch").set_num_threads(1)
    path, other, out = saved(tmp_path / "a.npz", LEDUC), tmp_path / "other.npz", tmp_path / "t"
    weights.save(other, weights.card_for(LEDUC), random_arrays(LEDUC, seed=5))
    assert "it is for leduc, not for trambahn" in refused("train", "trambahn", "--start", path, "--out", out)
    assert "--width 8,8: the network of" in refused(*TRAINING, "--out", out, "--start", path, "--width", "8,8")
    assert "--bootstrap: " in refused(*TRAINING, "--out", out, "--start", path, "--bootstrap", 10)
    assert not out.exists()
    text = run(*TRAINING, "--out", out, "--start", path).stdout
    assert "% against the last network" in text, "the first new network plays against that from which all began"
    kept, first = weights.load(out / "start.npz")[1], weights.load(path)[1]
    assert all(np.array_equal(kept[name], first[name]) for name in first)
    net = weights.load(out / "iteration-000" / "net.npz")
    assert net[1]["layer0.weight"].shape == first["layer0.weight"].shape
    assert len(net[0].notes["start"]) == 64
    games = (out / "iteration-000" / "games" / "games-00000.jsonl").read_text()
    assert "start.npz" in games, "they were guided by it"
    run(*TRAINING, "--out", out, "--start", path, "--resume")
    assert "another training: start is " in refused(*TRAINING, "--out", out, "--start", other, "--resume")
    assert "another training: hidden is [24, 16]" in refused(*TRAINING, "--out", out, "--resume")
    assert "another training: start is " in refused(*TRAINING, "--out", out, "--width", "24,16", "--resume")


def test_training_goes_on_from_two_players_to_three(tmp_path):
    pytest.importorskip("torch").set_num_threads(1)
    command = ["train", "portland", "--players", 3, "--iterations", 1, "--games", 1, "--simulations", 4, "--match", 3, "--seed", 1]
    text = run(*command, "--out", tmp_path / "t", "--start", weights.SHIPPED / "portland.npz").stdout
    assert "the best network is" in text
    assert weights.load(tmp_path / "t" / "start.npz")[0].options["players"] == 3
