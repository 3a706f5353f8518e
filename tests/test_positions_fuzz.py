"""Position files: whatever the text, nothing comes of it but an error or a position that is fit for use."""

import tomllib

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from trambahn_files import BASE, EXAMPLES, played

from wattman.engine import positions, tomlfile
from wattman.engine.positions import PositionError


def only_an_error_or_a_position(text):
    try:
        info = positions.loads(text, "f.toml")
    except PositionError as error:
        message = str(error)
        assert message.startswith("f.toml: ")
        assert message.isprintable()
        assert len(message) < 800
        return
    # What loads must be fit for use.
    view = info.to_dict()
    info.game.draw(view)
    state = info.sample(1)
    again = state.info_state(info.player).to_dict()
    for seen in (view, again):  # a card of the other's hand that a person wrote down is in the State, but no fact that play keeps
        del seen["players"][1 - info.player]["hand"]
    if "[memory]" not in text:  # one that does not fit the table is taken at its word
        assert again == view
    assert positions.loads(positions.dumps(info)) == info
    for _ in range(60):
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[0])


def texts():
    yield BASE
    yield positions.template("trambahn")
    yield from (path.read_text() for path in EXAMPLES)
    for number, state in enumerate(played(7)):
        if number in (10, 60, 100, 140):
            yield positions.dumps(state.info_state(0))
            yield positions.dumps(state.info_state(1))


TEXTS = list(texts())
FUZZ = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=400)
SCRAPS = st.sampled_from(
    [
        "0",
        "9",
        "-1",
        "120",
        '"',
        "[",
        "]",
        "=",
        "\n",
        ".",
        "C",
        "B",
        "R7",
        "x4",
        '"?*12"',
        "?",
        '"B7",',
        "true",
        "1.5",
        "{}",
        "# ",
        " 10",
        "\0",
        "é",
        "\\",
    ]
)


@FUZZ
@given(st.sampled_from(TEXTS), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), SCRAPS), min_size=1, max_size=3))
def test_mutated_texts(text, cuts):
    for place, length, scrap in cuts:
        start = int(place * len(text))
        text = text[:start] + scrap + text[start + length :]
    only_an_error_or_a_position(text)


@FUZZ
@given(st.sampled_from(TEXTS), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=4))
def test_mixed_up_lines(text, moves):
    lines = text.split("\n")
    for one, other in moves:
        line = lines.pop(int(one * (len(lines) - 1)))
        lines.insert(int(other * len(lines)), line)
    only_an_error_or_a_position("\n".join(lines))


VALUES = st.one_of(
    st.integers(-2, 125),
    st.integers(),
    st.booleans(),
    st.floats(),
    st.text(max_size=8).filter(lambda text: text.isprintable()),
    st.sampled_from(
        ["B7", "C", "?", "?*3", "G10", "B 2 C 4 x2", "Y 3", "stations", "income", "trams", "draw", "deal", "over", "CB", "+B7", "$"]
    ),
    st.lists(st.integers(0, 15), max_size=6),
    st.lists(st.sampled_from(["B7", "C", "?", "R1", "?*3", "Y 1 2 3 4", "G 10 x3", "R 1 x2"]), max_size=7),
    st.just({}),
)


@FUZZ
@given(st.sampled_from(TEXTS), st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), VALUES), min_size=1, max_size=3))
def test_other_values(text, changes):
    data = tomllib.loads(text)
    for table, key, value in changes:
        places = [data, *(inner for inner in data.values() if isinstance(inner, dict))]
        place = places[int(table * (len(places) - 1))]
        keys = list(place)
        if keys:
            place[keys[int(key * (len(keys) - 1))]] = value
    only_an_error_or_a_position(tomlfile.dumps(data))


@FUZZ
@given(st.text())
@example("\ud800")
@example("a" * 10)
def test_any_text(text):
    only_an_error_or_a_position(text)
