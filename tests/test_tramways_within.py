"""Tramways: what a rival may hold while it is he who decides: hands dealt by the engine beside all hands, tried one by one.

Two things are known of his hidden cards then: they allow what he has begun, and they leave him a choice.
"""

import itertools
import math
from collections import Counter
from functools import cache

import pytest

from wattman.engine import positions

CITY = """
game = "tramways"
to_move = 1
round = 2
part = 2
left = 2
boards = ["A.0", "B.0", "C.0", "D.0"]
arrivals = "RCLIR"
links = ["1: Aa-Ab 1.4"]
[options]
expansions = "base"
[passengers]
Aa = 1
Bb = 2
"""
UNSEEN = ["A2", "s1", "s2", "s3", "t3", "t13", "d1", "d2"]
BEGUN = {
    "an action": [],
    "a link": ["build", "from Ba", "to Bb"],
    "its payment": ["build", "from Ba", "to Bb", "lay 1.6", "join"],
    "a card paid": ["build", "from Ba", "to Bb", "lay 1.6", "join", "pay s1"],
    "a trip": ["move", "at Aa", "ride Ab 1", "stop"],
    "money": ["money"],
}


def known(so_far, player, rival):
    """What a player knows with player 1 in the middle of an action; `rival`: how player 1's table is written."""
    mine = '[{}]\nhand = "A1 s1 s2 s3"\nparcels = ["A1"]\n{}'
    seats = [mine.format("you", "") if player == 0 else mine.format("players.0", "deck = 0\n")]
    seats.append(f'[{"you" if player else "players.1"}]\nworkers = 1\nparcels = ["A2"]\n{rival}')
    begun = f"player = {player}\nso_far = [{', '.join(f'{chr(34)}{text}{chr(34)}' for text in so_far)}]\n"
    return positions.loads(CITY.replace("to_move", begun + "to_move") + "".join(seats))


@cache
def possible(name, hidden):
    """All choices of so many of his unseen cards that agree with what is known: tried from his own seat."""
    found, so_far = [], BEGUN[name]
    for hand in itertools.combinations(UNSEEN, hidden):
        deck = " ".join(card for card in UNSEEN if card not in hand)
        try:
            info = known(so_far, 1, f'hand = "{" ".join(hand)}"\ndeck = "{deck}"\n')
        except positions.PositionError as error:
            if "so_far" not in str(error) and "can do nothing here" not in str(error):
                raise
            continue
        if len(info.legal_actions()) > 1:
            found.append(tuple(sorted(set(hand) - {text.split()[1] for text in so_far if text.startswith("pay ")})))
    return found


@pytest.mark.parametrize(("name", "hidden"), [*((name, 3) for name in BEGUN), ("its payment", 4)])
def test_hands_within_an_action(name, hidden):
    so_far, samples = BEGUN[name], 700
    hands = possible(name, hidden)
    assert 1 < len(hands) <= math.comb(len(UNSEEN), hidden)
    unseen = " ".join(UNSEEN)
    info = known(so_far, 0, f'hand = "{"? " * hidden}"\ndeck = {len(UNSEEN) - hidden}\nunseen = "{unseen}"\n')
    found = Counter()
    for seed in range(samples):
        world = info.sample(seed)
        if seed < 40:
            assert world.info_state(0) == info
            assert world.current_player() == 1
        found[tuple(sorted(world.to_dict()["players"][1]["hand"]))] += 1
    assert set(found) <= set(hands)
    off = sum(abs(found[hand] / samples - 1 / len(hands)) for hand in hands) / 2
    noise = sum(math.sqrt(2 / len(hands) * (1 - 1 / len(hands)) / (math.pi * samples)) for _ in hands) / 2
    assert off < noise + 1.4 / math.sqrt(samples), (off, noise)


def test_what_he_has_begun_matters():
    """Else the test above would compare nothing: each beginning leaves fewer hands than there are."""
    counts = {name: len(possible(name, 3)) for name in BEGUN}
    assert all(counts[name] < math.comb(len(UNSEEN), 3) for name in BEGUN if name not in ("an action", "money")), counts


def test_a_hand_that_is_hardly_ever_dealt():
    """A high bid that only five of 22 cards together can better: one hand of 26,334; each world dealt has it."""
    others = "A2 B2 C2 D2 s1 s3 d2 x2 d3 x2 t1 t2 t3 t4 t6 t8 t9"
    text = CITY.replace("to_move = 1", 'player = 0\nto_move = 1\nstep = "bid"').replace("left = 2\n", "")
    text += '[auction]\nhigh = 16\nbidder = 0\n[you]\nhand = "A1"\nparcels = ["A1"]\n'
    text += '[players.1]\nmoney = 0\nparcels = ["A2", "B2", "C2", "D2"]\nhand = "? ? ? ? ?"\ndeck = 17\n'
    info = positions.loads(text + f'unseen = "{others} t5 t7 t10 t13 t21"\n')
    for seed in range(6):
        world = info.sample(seed)
        assert sorted(world.to_dict()["players"][1]["hand"]) == ["t10", "t13", "t21", "t5", "t7"]
        assert world.info_state(0) == info
        assert {world.action_to_string(action) for action in world.legal_actions()} == {"bid 17", "fold"}
