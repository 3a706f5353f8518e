"""Options of games: a choice from a list, and free text such as a board's name or file."""

from pathlib import Path

import pytest

from wattman.engine.options import Option, parse_options

KNOWN = {"players": Option(2, (2, 3, 4), "number of players"), "board": Option("city", None, "a board's name or its file")}


def test_defaults_are_written_out_in_the_order_of_the_game():
    assert list(parse_options("tram", KNOWN, {"board": "hills"}).items()) == [("players", 2), ("board", "hills")]


@pytest.mark.parametrize("value", [3, "3", " 3 ", 3.0])
def test_a_choice_as_value_or_text_becomes_the_value(value):
    result = parse_options("tram", KNOWN, {"players": value})["players"]
    assert result == 3
    assert type(result) is int


@pytest.mark.parametrize("value", [1, 5, "two", "", True, None, 2.5, [2]])
def test_other_values_are_refused_with_what_is_allowed(value):
    with pytest.raises(ValueError, match=r"option players: '.*' is not allowed; allowed: 2, 3, 4$"):
        parse_options("tram", KNOWN, {"players": value})


@pytest.mark.parametrize(("value", "text"), [("hills", "hills"), (Path("boards") / "my.toml", str(Path("boards") / "my.toml")), (7, "7")])
def test_free_text_may_be_a_path(value, text):
    assert parse_options("tram", KNOWN, {"board": value})["board"] == text


@pytest.mark.parametrize("value", [None, True, ["city"], {"city": 1}])
def test_free_text_is_no_list(value):
    with pytest.raises(ValueError, match=r"option board: .* is not allowed; expected a word, a number or a file's name"):
        parse_options("tram", KNOWN, {"board": value})


def test_unknown_options_are_named():
    with pytest.raises(ValueError, match=r"^tram: unknown option 'seats'; options are: players, board$"):
        parse_options("tram", KNOWN, {"seats": 3})
