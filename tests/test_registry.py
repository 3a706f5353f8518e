"""A game is complete with its rules module, its data file, its test and its playthrough; each missing one fails here."""

import importlib.util
import inspect
from pathlib import Path

import pytest
from playthrough import FOLDER, playthrough

from wattman import load_game
from wattman.engine import games

TESTS = Path(__file__).parent
NAMES = games.names()


def test_the_games_are_there():
    assert {"leduc", "trambahn"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_rules_module(name):
    kind = games.game_class(name)
    assert name == kind.NAME
    assert kind.TITLE
    assert "players" in kind.OPTIONS
    assert all(option.help for option in kind.OPTIONS.values()), "every option says what it does"
    for word in ("Rules", "Parameters", "Events"):
        assert word in inspect.getmodule(kind).__doc__, f"the module's docstring has no section {word!r}"


@pytest.mark.parametrize("name", NAMES)
def test_data_file(name):
    spec = importlib.util.find_spec("wattman.engine")
    data = Path(spec.submodule_search_locations[0]) / "data"
    assert (data / f"{name}.toml").is_file() or list((data / name).glob("*.toml")), f"no data file engine/data/{name}.toml"


@pytest.mark.parametrize("name", NAMES)
def test_test(name):
    assert list(TESTS.glob(f"test_{name}*.py")), f"no tests/test_{name}.py"


@pytest.mark.parametrize("name", NAMES)
def test_playthrough(name):
    path = FOLDER / f"{name}.txt"
    assert path.is_file(), f"no playthrough; write it with: python {TESTS.name}/playthrough.py"
    assert playthrough(name).splitlines() == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_unknown_options_and_values_list_what_exists(name):
    kind = games.game_class(name)
    with pytest.raises(ValueError, match=f"unknown option 'colour'; options are: {', '.join(kind.OPTIONS)}"):
        load_game(name, colour="blue")
    for option, spec in kind.OPTIONS.items():
        if spec.choices:
            with pytest.raises(ValueError, match=f"option {option}: 'nonsense' is not allowed; allowed: {spec.choices[0]}"):
                load_game(name, **{option: "nonsense"})
            for choice in spec.choices:
                assert load_game(name, **{option: str(choice)}).options[option] == choice


def test_unknown_game_lists_the_games():
    with pytest.raises(ValueError, match=f"no game 'chess'; games are: {', '.join(NAMES)}"):
        load_game("chess")
