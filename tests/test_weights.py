"""Weights without PyTorch: files, what does not fit, and the search with a network."""

import subprocess
import sys

import numpy as np
import pytest
from commands import refused, run

from wattman import load_agent, load_game
from wattman.engine.game import Deal
from wattman.models import weights
from wattman.models.evaluator import NetEvaluator
from wattman.models.terms import describe, has_terms, policy_terms

TRAMBAHN = load_game("trambahn")
LEDUC = load_game("leduc")
DESCRIBED = [load_game("portland"), load_game("tramways", players=1), load_game("tramways", players=3)]


def random_arrays(game, hidden=(24, 16), seed=0, policy=True):
    rng = np.random.default_rng(seed)
    sizes = [game.observation_tensor_shape()[0], *hidden]
    arrays = {}
    for i, (a, b) in enumerate(zip(sizes, hidden, strict=False)):
        arrays[f"layer{i}.weight"] = rng.normal(0, a**-0.5, (a, b))
        arrays[f"layer{i}.bias"] = rng.normal(0, 0.1, b)
    if policy:
        arrays["policy.weight"] = rng.normal(0, 0.3, (policy_terms(game), sizes[-1]))
        arrays["policy.bias"] = rng.normal(0, 0.3, policy_terms(game))
        arrays["policy.base"] = np.array([0.6])
    arrays["value.weight"] = rng.normal(0, 0.3, (sizes[-1], 3 * game.num_players()))
    arrays["value.bias"] = rng.normal(0, 0.3, 3 * game.num_players())
    return arrays


def saved(path, game, **more):
    weights.save(path, weights.card_for(game, **more), random_arrays(game))
    return path


def decisions(game, seed, every=7):
    """Some decisions of a random game."""
    state, deal = game.new_initial_state(), Deal(seed)
    rng = np.random.default_rng(seed)
    number = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(deal.choose(state))
            continue
        if number % every == 0:
            yield state
        number += 1
        state.apply_action(int(rng.choice(state.legal_actions())))


def forward(arrays, x):
    """The same network in numpy, in float64."""
    i = 0
    while f"layer{i}.weight" in arrays:
        x = np.maximum(x @ np.float64(arrays[f"layer{i}.weight"]) + arrays[f"layer{i}.bias"], 0)
        i += 1
    return x


@pytest.mark.parametrize("game", [TRAMBAHN, LEDUC, load_game("lisbon", players=3)], ids=lambda game: game.name)
def test_evaluation_is_what_the_arrays_say(game):
    arrays = random_arrays(game)
    net = NetEvaluator(game, arrays, {})
    n = game.num_players()
    seen = 0
    for state in decisions(game, 1):
        player = state.current_player()
        legal = state.legal_actions()
        x = forward(arrays, state.observation_tensor(player))
        own = np.array([state.info_state().weights()[action] for action in legal])
        logits = (np.float64(arrays["policy.weight"]) @ x + arrays["policy.bias"])[legal]
        logits += arrays["policy.base"] * np.log(np.maximum(own / own.sum(), 1e-6))
        shares = np.exp(logits - logits.max())
        policy = net.policy(state)
        assert sorted(policy) == legal
        assert [policy[action] for action in legal] == pytest.approx(list(shares / shares.sum()), abs=1e-4)
        for viewer in range(n):
            out = forward(arrays, state.observation_tensor(viewer)) @ arrays["value.weight"] + arrays["value.bias"]
            wins = np.exp(out[:n] - out[:n].max())
            found = net.values(state, viewer)
            scale = 100 if game is not LEDUC else 13  # what the games give as theirs
            for seat in range(n):
                player = (viewer + seat) % n
                assert found[player, 0] == pytest.approx(wins[seat] / wins.sum(), abs=1e-4)
                assert found[player, 1] / found[player, 2] == pytest.approx(out[n + seat] / out[2 * n + seat], rel=1e-2, abs=1e-2)
                if game is TRAMBAHN:
                    assert found[player, 1] == pytest.approx(scale * out[n + seat], abs=1e-2)
        seen += 1
    assert seen > (10 if game is not LEDUC else 0)


def test_the_estimate_reads_only_what_its_viewer_sees():
    """In another world that agrees with what a player knows, the network says the same from his seat."""
    net = NetEvaluator(TRAMBAHN, random_arrays(TRAMBAHN), {})
    for state in decisions(TRAMBAHN, 2, every=25):
        player = state.current_player()
        other = state.resample_from_infostate(player, 5)
        assert np.array_equal(net.values(state, player), net.values(other, player))
        assert net.policy(state) == net.policy(other)


# --- actions that a game describes by terms ---


@pytest.mark.parametrize("game", DESCRIBED, ids=repr)
def test_terms_of_actions(game):
    """They are what their player sees, and the policy is made of them and of the game's own weights."""
    assert has_terms(game)
    assert not has_terms(LEDUC)
    assert policy_terms(LEDUC) == LEDUC.num_distinct_actions()
    arrays = random_arrays(game)
    net = NetEvaluator(game, arrays, {})
    used = set()
    for seed in range(4):
        for state in decisions(game, seed, every=5):
            player = state.current_player()
            found = describe(state)
            legal, counts = found["legal"], found["term_counts"]
            assert list(legal) == state.legal_actions()
            assert counts.min() > 0
            assert counts.sum() == len(found["terms"]) == len(found["factors"])
            assert found["terms"].min() >= 0
            assert found["terms"].max() < policy_terms(game)
            assert np.abs(found["factors"]).max() < 20
            of = np.repeat(np.arange(len(legal)), counts)
            assert len(set(zip(of, found["terms"], strict=True))) == len(of), "a term comes once"
            used |= set(found["terms"])
            own = np.array(list(state.info_state().weights().values()))
            assert found["weights"] == pytest.approx(own / own.sum(), rel=1e-5)
            x = forward(arrays, state.observation_tensor(player))
            logits = np.bincount(of, found["factors"] * (arrays["policy.weight"] @ x + arrays["policy.bias"])[found["terms"]])
            logits += arrays["policy.base"] * np.log(np.maximum(own / own.sum(), 1e-6))
            shares = np.exp(logits - logits.max())
            assert list(net.policy(state).values()) == pytest.approx(list(shares / shares.sum()), abs=1e-4)
            if game.num_players() > 1:
                other = state.resample_from_infostate(player, 5)
                assert all(np.array_equal(array, found[name]) for name, array in describe(other).items())
    assert len(used) > 100
    with pytest.raises(ValueError, match="nobody is to decide"):
        describe(game.new_initial_state())


def test_ways_to_keep_tickets_share_terms():
    game = DESCRIBED[0]
    state, deal = game.new_initial_state(), Deal(1)
    while state.is_chance_node():
        state.apply_action(deal.choose(state))
    found = describe(state)
    ends = np.cumsum(found["term_counts"])
    terms = {
        state.action_to_string(action): set(found["terms"][end - count : end])
        for action, count, end in zip(found["legal"], found["term_counts"], ends, strict=True)
    }
    (all_of_them,) = (text for text in terms if len(text.split()) == 4)
    first, second, third = all_of_them.split()[1:]
    pair = terms[f"keep {first} {second}"]
    assert len(pair & terms[all_of_them]) == 3, "two tickets, and the points"
    assert len(pair & terms[f"keep {second} {third}"]) == 3, "one ticket, how many, and the points"


def test_a_file_comes_back(tmp_path):
    path = saved(tmp_path / "net.npz", TRAMBAHN, search={"cutoff": 7}, notes={"hours": 1})
    card, arrays = weights.load(path)
    assert (card.game, card.options, card.layout, card.search) == ("trambahn", TRAMBAHN.options, 1, {"cutoff": 7})
    assert all(array.dtype == np.float16 for array in arrays.values())
    agent = load_agent(f"ismcts:simulations=20,net={path}", TRAMBAHN)
    assert agent.parameters["cutoff"] == 7, "what goes with the network is the default"
    assert load_agent(f"ismcts:simulations=20,net={path},cutoff=9", TRAMBAHN).parameters["cutoff"] == 9
    assert load_agent("ismcts:simulations=20,net=none", TRAMBAHN).parameters["cutoff"] == 80


MIXED = "net_prior=0.5,net_value=0.5,renew=4,views=all"
WAYS = ["", "net_value=0", "net_prior=0", MIXED, "cutoff=1,noise=0.3", "net_value=0,net_playout=2"]


@pytest.mark.parametrize("text", WAYS)
def test_guided_search_is_legal_and_repeats(tmp_path, text):
    path = saved(tmp_path / "net.npz", TRAMBAHN)
    moves = []
    for state in decisions(TRAMBAHN, 3, every=40):
        spec = f"ismcts:simulations=60,net={path}" + (f",{text}" if text else "")
        info = state.info_state()
        move = load_agent(spec, TRAMBAHN, 4).choose(info)
        assert move in info.legal_actions()
        assert move == load_agent(spec, TRAMBAHN, 4).choose(info)
        moves.append(move)
    assert len(moves) > 2


def test_the_network_has_a_say(tmp_path):
    """A policy that wants one move only, and values that want nothing, change what the search does."""
    state = next(decisions(TRAMBAHN, 1))
    info = state.info_state()
    wanted = info.legal_actions()[-1]
    arrays = {name: np.zeros_like(array) for name, array in random_arrays(TRAMBAHN).items()}
    arrays["policy.bias"][wanted] = 50
    weights.save(tmp_path / "net.npz", weights.card_for(TRAMBAHN), arrays)
    analysis = load_agent(f"ismcts:simulations=400,uniform=0,net={tmp_path / 'net.npz'}", TRAMBAHN).analyze(info)
    best = analysis.moves[0]
    assert best.action == info.action_to_string(wanted)
    assert best.prior == pytest.approx(1)
    arrays["value.bias"][2] = 0.3  # the margin of whoever is asked: 30 points
    weights.save(tmp_path / "net.npz", weights.card_for(TRAMBAHN), arrays)
    analysis = load_agent(f"ismcts:simulations=400,cutoff=1,over=0,net={tmp_path / 'net.npz'}", TRAMBAHN).analyze(info)
    assert all(abs(abs(move.margin) - 30) < 0.1 or move.visits > 1 for move in analysis.moves if move.margin is not None)
    assert all(move.win == pytest.approx(0.5, abs=1e-3) for move in analysis.moves if move.win is not None)


def test_the_network_plays_the_playouts(tmp_path):
    """With a network that folds whenever it may, whoever raises expects to win."""
    state = LEDUC.new_initial_state()
    for text in ("deal J", "deal K"):
        state.apply_action(state.string_to_action(text))
    arrays = {name: np.zeros_like(array) for name, array in random_arrays(LEDUC).items()}
    arrays["policy.bias"][state.string_to_action("fold")] = 50
    weights.save(tmp_path / "net.npz", weights.card_for(LEDUC), arrays)
    for power, sure in ((1, True), (0, False)):
        spec = f"ismcts:simulations=300,trees=own,net={tmp_path / 'net.npz'},net_value=0,net_playout={power}"
        analysis = load_agent(spec, LEDUC, 1).analyze(state.info_state())
        win = next(move.win for move in analysis.moves if move.action == "raise")
        assert (win > 0.99) == sure, (spec, win)


def test_a_high_power_plays_the_likeliest_move(tmp_path):
    """Also where no move is so likely that this power of its probability is more than 0 in float32."""
    state = LEDUC.new_initial_state()
    for text in ("deal J", "deal K"):
        state.apply_action(state.string_to_action(text))
    arrays = {name: np.zeros_like(array) for name, array in random_arrays(LEDUC).items()}
    arrays["policy.bias"][:] = [0.08, 0, 0]  # fold, call, raise
    weights.save(tmp_path / "net.npz", weights.card_for(LEDUC), arrays)
    spec = f"ismcts:simulations=300,trees=own,net={tmp_path / 'net.npz'},net_value=0,net_playout=100"
    analysis = load_agent(spec, LEDUC, 1).analyze(state.info_state())
    assert next(move.win for move in analysis.moves if move.action == "raise") > 0.99


def test_mast_and_random_playouts_go_before_the_network(tmp_path):
    path = saved(tmp_path / "net.npz", TRAMBAHN)
    info = next(decisions(TRAMBAHN, 1)).info_state()
    for text in ("mast=0.3", "playout=random"):
        with_it, without = (
            load_agent(f"ismcts:simulations=60,net={path},net_playout={power},{text}", TRAMBAHN, 1).analyze(info).to_json()
            for power in (2, 0)
        )
        assert with_it["moves"] == without["moves"]


@pytest.mark.parametrize("game", [LEDUC, TRAMBAHN, *DESCRIBED[:1], load_game("lisbon")], ids=repr)
def test_the_truth_does_not_matter_to_a_guided_search(tmp_path, game):
    """Policy, values and playouts of the network: the same knowledge and seed give the same analysis in every world that agrees with it."""
    path = saved(tmp_path / "net.npz", game)
    spec = f"ismcts:simulations=40,net={path},net_value=0.5,net_playout=2,cutoff=6,views=all,renew=3"
    hidden = 0
    for state in decisions(game, 3, every=25 if game is not LEDUC else 1):
        info = state.info_state()
        other = info.sample(8)
        hidden += any(
            not np.array_equal(state.observation_tensor(player), other.observation_tensor(player)) for player in range(game.num_players())
        )
        moves = [load_agent(spec, game, 4).analyze(each).to_json()["moves"] for each in (info, other.info_state(info.player))]
        assert moves[0] == moves[1]
        agents = [load_agent(spec, game, 4).choose(each) for each in (info, other.info_state(info.player))]
        assert agents[0] == agents[1]
    assert hidden, "the worlds were different"


MISFITS = [
    (LEDUC, "leduc", {}, "it is for leduc, not for trambahn"),
    (load_game("trambahn", halving="on_need"), "trambahn", {}, "it is for halving=on_need, not for halving=on_empty"),
    (TRAMBAHN, "trambahn", {"layout": 99}, "it was made for layout 99 of the observation, and this is layout 1"),
]


@pytest.mark.parametrize(("made", "name", "more", "reason"), MISFITS, ids=["game", "options", "layout"])
def test_a_misfit_is_refused_with_the_reason(tmp_path, made, name, more, reason):
    card = weights.card_for(made)
    card = weights.Card(**{**card.__dict__, **more})
    weights.save(tmp_path / "net.npz", card, random_arrays(made))
    with pytest.raises(ValueError, match=reason):
        load_agent(f"ismcts:net={tmp_path / 'net.npz'}", TRAMBAHN)
    assert reason in refused("match", "trambahn", f"ismcts:net={tmp_path / 'net.npz'}", "random", "--games", 2)


def test_a_file_that_is_no_network_is_refused(tmp_path):
    for name, content in (("a.npz", b""), ("b.npz", b"PK\x03\x04 and more"), ("c.npz", b"\x93NUMPY rubbish")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError, match="this is no file of weights"):
            load_agent(f"ismcts:net={tmp_path / name}", TRAMBAHN)
    np.savez(tmp_path / "d.npz", x=np.zeros(3))
    with pytest.raises(ValueError, match="this is no file of weights"):
        load_agent(f"ismcts:net={tmp_path / 'd.npz'}", TRAMBAHN)
    with pytest.raises(ValueError, match="no such file; expected none, auto, shipped, or a file"):
        load_agent("ismcts:net=nowhere.npz", TRAMBAHN)
    arrays = random_arrays(TRAMBAHN)
    for name, array, message in (
        ("value.bias", np.zeros(7), r"value.bias: shape \(7,\), but this game needs \(6,\)"),
        ("layer0.weight", np.zeros((409, 13)), "a width of 13; it must be a multiple of 8"),
        ("policy.bias", None, "policy.bias: missing"),
        ("value.weight", np.full((16, 6), np.nan), "not all numbers are finite"),
    ):
        changed = {key: value for key, value in (arrays | {name: array}).items() if value is not None}
        with pytest.raises(ValueError, match=message):
            NetEvaluator(TRAMBAHN, changed, {})
    with pytest.raises(ValueError, match="numbers beyond float16"):
        weights.save(tmp_path / "e.npz", weights.card_for(TRAMBAHN), arrays | {"value.bias": np.full(6, 1e6)})


def test_damage_anywhere_is_one_kind_of_error(tmp_path):
    """Whichever bytes are wrong: ValueError with the path, or what was changed does not matter."""
    whole = saved(tmp_path / "net.npz", LEDUC).read_bytes()
    rng = np.random.default_rng(1)
    path, refusals = tmp_path / "damaged.npz", []
    for _ in range(300):
        data = bytearray(whole)
        for place in rng.integers(0, len(data), rng.integers(1, 6)):
            data[place] = rng.integers(256)
        path.write_bytes(data)
        try:
            weights.evaluator(path, LEDUC)
        except ValueError as error:
            refusals.append(str(error))
    assert len(refusals) > 100
    assert all(text.startswith(str(path)) for text in refusals)


def test_a_network_without_policy_keeps_the_games_priors(tmp_path):
    weights.save(tmp_path / "net.npz", weights.card_for(TRAMBAHN), random_arrays(TRAMBAHN, policy=False))
    info = next(decisions(TRAMBAHN, 1)).info_state()
    guided = load_agent(f"ismcts:simulations=50,net={tmp_path / 'net.npz'}", TRAMBAHN).analyze(info)
    plain = load_agent("ismcts:simulations=50,net=none", TRAMBAHN).analyze(info)
    assert {move.action: move.prior for move in guided.moves} == {move.action: move.prior for move in plain.moves}


@pytest.mark.parametrize("path", sorted(weights.SHIPPED.glob("*.npz")), ids=lambda path: path.name)
def test_shipped_weights(path):
    card, arrays = weights.load(path)
    assert path.stat().st_size <= weights.LARGEST
    game = load_game(card.game, **card.options)
    assert weights.misfit(card, game) is None
    assert {"data", "hours", "command", "strength"} <= set(card.notes)
    assert weights.shipped(game) == path
    NetEvaluator(game, arrays, card.search)


def test_playing_needs_no_pytorch(tmp_path):
    path = saved(tmp_path / "net.npz", LEDUC)
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from wattman import load_agent, load_game\n"
        "from wattman.search.play import play_game\n"
        "import wattman.cli.main\n"
        "game = load_game('leduc')\n"
        f"print(play_game(game, ['ismcts:simulations=20,net={path}', 'greedy'], 1).fault)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"


def test_training_without_pytorch_says_what_to_install(tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("wattman.models.") or name.split(".")[0] == "torch"]:
        if name in ("wattman.models.loop", "wattman.models.network", "wattman.models.training", "wattman.models.dataset"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "training needs PyTorch: pip install 'wattman[train]'" in refused("train", "leduc", "--out", tmp_path / "t")


def test_agents_explain_the_parameters():
    text = run("agents").stdout
    assert "net_prior" in text
    assert "a trained network" in text
