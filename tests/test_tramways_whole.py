"""Tramways: decision by decision one reaches just what whole actions by brute force reach, and no step is a dead end."""

import json

import pytest
import tramways_whole
from tramways_tables import SIDES, position

FIRST = {
    "build": tramways_whole.builds,
    "upgrade": tramways_whole.upgrades,
    "construct": tramways_whole.constructs,
    "move": tramways_whole.trips,
}
STEPS = {"from", "to", "lay", "join", "at", "type", "ride", "stop", "pay", "buy", "market", "done"}

LINKS = [
    ("Aa-K", 0, "2.3", True),
    ("Aa-K", 1, "3.4"),
    ("Ba-K", 1, "2.5"),
    ("Aa-F", 0, "4.3"),
    ("Da-F", 0, "5.5 6.5"),
    ("Aa-V", 1, "3.2"),
    ("Ab-V", 0, "4.1"),
    ("Da-W", 0, "7.6"),
    ("Ab-X", 0, "3.0 2.0 2.1"),
    ("A2-X", 1, "0.1"),
]
TOWN = {
    "tiles": "SXKFVW",
    "owner": {"A1": 0, "A2": 0, "B1": 1},
    "built": {"A2": ["L", 1]},
    "links": LINKS,
    "passengers": {"Aa": 1, "Da": 1, "A2": 1, "S": 2},
}
POSITIONS = {
    "first link": position(tiles="SK", hands=["s1 s3"]),
    "much rail": position(tiles="K", hands=["A1 s2 d1"], owner={"A1": 0}, links=[("Ba-K", 1, "1.4")], stress=[11]),
    "one left": position(tiles="SXKFVW", hands=["D1 t6"], owner={"D1": 0}, links=[("Ba-S", 0, "2.7")]),
    "town": position(**TOWN, hands=["A1 s3 t13"], coins=[4], stress=[2]),
    "poor town": position(**TOWN, hands=["A1 t3 t13"], coins=[0, 1], stress=[11]),
    "rich town": position(**TOWN, hands=["d2 d3 bF"], coins=[4]),
    "builders": position(owner={"A1": 0, "C1": 0}, hands=["A1 C1 s2 d3 d3"], passengers={"Aa": 1}),
}


@pytest.fixture(params=SIDES)
def side(request):
    """One of the two sides; ``side(position(...))`` is a table."""
    return request.param


def told(facts):
    return json.dumps(facts, sort_keys=True)


def reached(table, kind):
    """The facts at the end of every chain of decisions that begins with `kind`."""
    found = set()

    def follow(now):
        steps = sorted(text for text in now.legal() if text.split()[0] in STEPS)
        if not steps or now.player() != 0:
            found.add(told(now.facts()))
        else:
            assert len(steps) == len(now.legal())
            for text in steps:
                follow(now.copy(text))

    if kind in table.legal():
        follow(table.copy(kind))
    return found


@pytest.mark.parametrize("kind", FIRST)
@pytest.mark.parametrize("name", POSITIONS)
def test_chains_of_decisions_reach_what_whole_actions_reach(side, name, kind):
    table = side(POSITIONS[name])
    assert reached(table, kind) == {told(facts) for facts in FIRST[kind](POSITIONS[name](), 0)}


def test_the_positions_have_something_to_compare():
    counts = {kind: sum(len(list(generate(make(), 0))) for make in POSITIONS.values()) for kind, generate in FIRST.items()}
    assert all(count >= 5 for count in counts.values()), counts
