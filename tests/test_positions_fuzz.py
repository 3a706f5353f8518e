"""Position files: whatever the text, nothing comes of it but an error or a position that is fit for use."""

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from position_fuzz import cut, mixed_up, revalued
from trambahn_files import BASE, EXAMPLES, played

from wattman.engine import positions
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
SCRAPS = ["C", "B", "R7", '"?*12"', '"B7",', " 10"]
WORDS = ["B7", "C", "?", "?*3", "G10", "B 2 C 4 x2", "Y 3", "stations", "income", "trams", "draw", "deal", "over", "CB", "+B7", "$"]
LISTS = [
    st.lists(st.integers(0, 15), max_size=6),
    st.lists(st.sampled_from(["B7", "C", "?", "R1", "?*3", "Y 1 2 3 4", "G 10 x3", "R 1 x2"]), max_size=7),
]


@FUZZ
@given(cut(TEXTS, SCRAPS))
def test_mutated_texts(text):
    only_an_error_or_a_position(text)


@FUZZ
@given(mixed_up(TEXTS))
def test_mixed_up_lines(text):
    only_an_error_or_a_position(text)


@FUZZ
@given(revalued(TEXTS, st.sampled_from(WORDS), *LISTS))
def test_other_values(text):
    only_an_error_or_a_position(text)


@FUZZ
@given(st.text())
@example("\ud800")
@example("a" * 10)
def test_any_text(text):
    only_an_error_or_a_position(text)
