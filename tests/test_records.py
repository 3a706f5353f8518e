"""Records: what is written is read back, what does not replay is refused in one line, a view hides what its player did not see."""
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wattman
from wattman.engine import records
from wattman.engine.games import names
from wattman.engine.records import Record, RecordError


def random_game(name: str, seed: int, stop: int | None = None) -> wattman.engine.game.State:
    rng = random.Random(seed)
    state = wattman.load_game(name).new_initial_state()
    while not state.is_terminal() and (stop is None or len(state.history()) < stop):
        state.apply_action(state.sample_chance(rng.random) if state.is_chance_node() else rng.choice(state.legal_actions()))
    return state


def random_record(name: str, seed: int, stop: int | None = None) -> Record:
    state = random_game(name, seed, stop)
    return Record.from_state(state, [f"random {seat}" for seat in range(state.game.num_players())])


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("stop", [None, 0, 1, 5])
def test_round_trip(name, stop, tmp_path):
    path = tmp_path / "games.jsonl"
    written = [random_record(name, seed, stop) for seed in range(5)]
    for record in written:
        records.append(path, record)
    assert list(records.read(path)) == written
    for line, record in zip(path.read_text().splitlines(), records.read(path), strict=True):
        data = json.loads(line)
        assert list(data) == ["format", "game", "options", "players", "actions", "scores", "returns"]
        assert data["options"]["players"] == len(data["players"])
        assert set(data["options"]) == set(wattman.load_game(name).options)
        state = records.final(record)
        assert state.events() == record.actions
        if stop is None:
            assert state.is_terminal()
            assert data["scores"] == state.scores()
            assert data["returns"] == state.returns()
        elif not state.is_terminal():
            assert data["scores"] is None
            assert data["returns"] is None


@pytest.mark.parametrize("name", names())
def test_replay_gives_every_ply(name):
    record = random_record(name, 3)
    plies = list(records.replay(record))
    assert [ply for ply, _ in plies] == list(range(len(record.actions) + 1))
    for ply, state in plies:
        assert state.events() == record.actions[:ply]


def test_pick_and_blank_lines(tmp_path):
    path = tmp_path / "games.jsonl"
    written = [random_record("leduc", seed) for seed in range(3)]
    path.write_text("\n" + "\n\n".join(record.to_json() for record in written))
    assert records.pick(path) == written[2]
    assert [records.pick(path, number) for number in (1, 2, 3)] == written
    assert records.pick(path).source == f"{path}: line 6"
    for number in (0, 4):
        with pytest.raises(RecordError, match="game"):
            records.pick(path, number)
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(RecordError, match="holds no record"):
        records.pick(tmp_path / "empty")


def test_search_entries_survive(tmp_path):
    record = random_record("leduc", 1)
    record.search = [{"visits": {"call": 3}}, None]
    records.append(tmp_path / "games.jsonl", record)
    assert records.pick(tmp_path / "games.jsonl").search == record.search


# --- half-written lines ---


def test_append_after_a_kill(tmp_path):
    """Whatever part of a line was written, the next append leaves whole records only."""
    path = tmp_path / "games.jsonl"
    first, second = random_record("leduc", 1), random_record("leduc", 2)
    line = (second.to_json() + "\n").encode()
    for size in range(len(line) + 1):
        path.unlink(missing_ok=True)
        records.append(path, first)
        with open(path, "ab") as file:
            file.write(line[:size])
        if 0 < size < len(line) - 1:
            with pytest.raises(RecordError, match=r"line 2: .*breaks off"):
                list(records.read(path))
        records.append(path, first)
        whole = size >= len(line) - 1
        assert list(records.read(path)) == ([first, second, first] if whole else [first, first]), size


@pytest.mark.parametrize("text", ["my notes", "# a position\n[you]\n", '{"format": 1}\nnotes', "\n\nnotes\n"])
def test_append_spares_other_files(text, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(RecordError, match=r"notes\.txt"):
        records.append(path, random_record("leduc", 1))
    assert path.read_text() == text


def test_default_path_takes_no_other_file(tmp_path):
    assert [records.default_path("leduc", tmp_path).name for _ in range(3)] == ["leduc-1.jsonl", "leduc-2.jsonl", "leduc-3.jsonl"]
    records.append(tmp_path / "leduc-2.jsonl", random_record("leduc", 1))
    assert records.pick(tmp_path / "leduc-2.jsonl") == random_record("leduc", 1)


# --- what is wrong is said ---


def changed(**changes) -> dict:
    return {**json.loads(random_record("leduc", 5).to_json()), **changes}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "a record is a JSON object"),
        (changed(format=2), "format: 2 is unknown"),
        (changed(format=True), "format: True is unknown"),
        (changed(view=0), "what one player saw"),
        (changed(colour=1), "unknown key 'colour'; keys are: format, game"),
        (changed(actions="deal J"), "actions: 'deal J' is not a list of texts"),
        (changed(scores=[float("inf"), 1]), "Infinity is no number"),
        (changed(scores=[10**400, 1]), "scores: .* is not a list of numbers"),
        (changed(options={}), "options: 'players' is missing; leduc has: players"),
        (changed(options={"players": 2, "self": 1}), "options: 'self' is unknown"),
        (changed(options={"players": [2]}), r"option players: '\[2\]' is not allowed; allowed: 2"),
        (changed(game="chess"), "no game 'chess'; games are: .*leduc"),
        (changed(players=["a"]), "players: 1 names, but the game has 2 players"),
        (changed(actions=["deal J", "deal J", "deal J"]), "ply 2: 'deal J' is not legal for player 0; legal: call, raise"),
        (changed(actions=["deal J", "call"]), "ply 1: 'call' is not possible here; possible: deal J, deal Q, deal K"),
        (changed(actions=["deal X"]), "ply 0: 'deal X' is no event"),
        (changed(actions=["deal J" * 1000]), r"ply 0: 'deal J.*\.\.\. is no move"),
        (changed(game="chess" * 1000), r"no game 'chess.*\.\.\."),
        (changed(options={"players": 2, "x" * 1000: 1}), r"options: 'xxx.*\.\.\."),
        (changed(actions=["deal J", "deal Q"]), "scores: .* although the game is not over"),
        (changed(scores=None), "scores: the record says null, but the game ends with"),
        (changed(returns=[0, 0]), r"returns: the record says \[0, 0\], but the game ends with"),
        (changed(actions=[*changed()["actions"], "call"]), "'call': the game is over by then"),
    ],
)
def test_errors_name_the_place(data, message, tmp_path):
    path = tmp_path / "bad.jsonl"
    path.write_text("\n" + json.dumps(data) + "\n")
    with pytest.raises(RecordError, match=f"bad.jsonl: line 2: .*{message}") as error:
        [records.final(record) for record in records.read(path)]
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 500 + len(str(path))


def test_a_number_without_end():
    with pytest.raises(RecordError, match=r"no record: a number of too many digits$"):
        Record.from_json('{"format": ' + "9" * 5000 + "}")


def test_key_twice():
    with pytest.raises(RecordError, match="'format' is there twice"):
        Record.from_json('{"format": 1, "format": 1}')


def replays(line: bytes) -> None:
    """A line either replays or is refused with a RecordError of one line."""
    try:
        record = Record.from_json(line, "file: line 1")
        records.final(record)
        records.view(record, 0)
    except RecordError as error:
        message = str(error)
    else:
        return
    assert message.startswith("file: line 1: ")
    assert len(message.splitlines()) == 1


@given(st.binary(max_size=300))
@settings(max_examples=300, deadline=None)
def test_any_bytes(data):
    replays(data)


@pytest.mark.parametrize("data", [b"[" * 100000, b'{"format":' * 100000, b"9" * 100000, b'"\\ud800"', b"\xff", b"\x00", b"NaN"])
def test_nasty_bytes(data):
    replays(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_mutated_records(data):
    record = json.loads(random_record(data.draw(st.sampled_from(names())), data.draw(st.integers(0, 20))).to_json())
    for _ in range(data.draw(st.integers(1, 3))):
        key = data.draw(st.sampled_from(list(record)))
        if isinstance(record[key], list) and record[key] and data.draw(st.booleans()):
            index = data.draw(st.integers(0, len(record[key]) - 1))
            record[key][index] = data.draw(JSON | st.sampled_from(["call", "fold", "deal J", "done", "draw B1", "board C>R"]))
        elif data.draw(st.booleans()):
            record[key] = data.draw(JSON)
        else:
            del record[key]
    line = json.dumps(record).encode()
    cut = data.draw(st.integers(0, len(line)))
    replays(line)
    replays(line[:cut])
    replays(line[:cut] + data.draw(st.binary(max_size=4)) + line[cut:])


# --- views ---


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("stop", [None, 40])
def test_view_holds_only_what_was_seen(name, stop):
    for seed in range(5):
        record = random_record(name, seed, stop)
        record.search = [{"secret": 1}]
        state = records.final(record)
        for player in range(len(record.players)):
            seen = records.view(record, player)
            assert set(seen) == {"format", "game", "options", "view", "players", "events", "scores", "returns"}
            assert seen["view"] == player
            assert seen["events"] == state.events(player)
            json.dumps(seen, allow_nan=False)
    with pytest.raises(ValueError, match="players are 0 to"):
        records.view(record, len(record.players))


def test_view_of_leduc_hides_the_other_card():
    """Two games that differ only in what player 0 never saw give him the same view."""
    actions = ["deal J", "deal {}", "raise", "fold"]
    seen = []
    for card in "QK":
        state = wattman.load_game("leduc").new_initial_state()
        for text in actions:
            state.apply_action(state.string_to_action(text.format(card)))
        seen.append(records.view(Record.from_state(state, ["a", "b"]), 0))
    assert seen[0] == seen[1]
    assert seen[0]["events"] == ["deal J", "deal ?", "raise", "fold"]


def test_from_state_needs_the_whole_game():
    state = random_game("leduc", 1, 3)
    dealt = state.info_state(0).sample(1)
    with pytest.raises(ValueError, match="did not begin at its start"):
        Record.from_state(dealt, ["a", "b"])
    with pytest.raises(ValueError, match="1 names for 2 seats"):
        Record.from_state(state, ["a"])
