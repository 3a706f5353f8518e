"""Tramways: what a rival may hold, dealt by the engine beside a list of all hands that agree with what was seen, with their weights.

WATTMAN_GAMES sets the number of games (default 60).
"""

import math
import random
from collections import Counter

import numpy as np
import pytest
from knowledge import GAMES, style, style_names

from wattman import load_game
from wattman.engine.game import Deal
from wattman.engine.games._tramways_board import load_data

SAMPLES = 1000


class Guess:
    """All hands that a player may hold in the eyes of the others. A hand is a sorted tuple of kinds."""

    def __init__(self, hand):
        self.hands = Counter({tuple(sorted(hand)): 1.0})

    def lose(self, kind):
        """A card is shown and leaves. One that was known to be there tells nothing; else it counts as a random one of the hand."""
        sure = min(hand.count(kind) for hand in self.hands)
        after = Counter()
        for hand, weight in self.hands.items():
            if kind in hand:
                rest = list(hand)
                rest.remove(kind)
                after[tuple(rest)] += weight * (1 if sure else hand.count(kind))
        self.hands = after

    def gain(self, kind):
        self.hands = Counter({tuple(sorted((*hand, kind))): weight for hand, weight in self.hands.items()})

    def draw(self, cards):
        """A hidden draw; `cards`: all that is in hand or deck."""
        after = Counter()
        for hand, weight in self.hands.items():
            deck = Counter(cards) - Counter(hand)
            for kind, copies in deck.items():
                after[tuple(sorted((*hand, kind)))] += weight * copies / deck.total()
        self.hands = after

    def shares(self):
        total = sum(self.hands.values())
        return {hand: weight / total for hand, weight in self.hands.items()}


def follow(guess, before, after, drew):
    """What all see of a step, from the truth before and behind it: cards that came to the hand and left it, and whether one was drawn."""
    if drew:
        # The deck may have been shuffled before this card was due, or may be shuffled for the next one.
        guess.draw(before["hand"] + before["unseen"])
        return
    was, now = Counter(before["hand"]), Counter(after["hand"])
    for kind in (was - now).elements():
        guess.lose(kind)
    for kind in (now - was).elements():
        guess.gain(kind)


def counts(hand, kinds):
    """A hand as the engine's targets have it."""
    numbers = np.zeros(96, np.float32)
    for kind in hand:
        numbers[kinds.index(kind)] += 1
    return numbers.tobytes()


def cards(kinds):
    """Reads what `counts` wrote."""

    def read(numbers):
        return tuple(sorted(kinds[i] for i, n in enumerate(np.frombuffer(numbers, np.float32)) for _ in range(int(n))))

    return read


def agree(shares, found):
    off = sum(abs(found[what] / SAMPLES - share) for what, share in shares.items()) / 2
    assert off < noise(shares, SAMPLES) + 1.4 / math.sqrt(SAMPLES), (shares, found)


def noise(shares, n):
    return sum(math.sqrt(2 * p * max(0, 1 - p) / (math.pi * n)) for p in shares.values()) / 2


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", style_names(load_game("tramways")))
def test_hands(players, name):
    game = load_game("tramways", players=players)
    kinds = [kind.text for kind in load_data().kinds]
    compared = 0
    for seed in range(-(-GAMES // 30)):
        rng, deal, state = random.Random(seed), Deal(seed), game.new_initial_state()
        choose, guesses = style(game, name), None
        while not state.is_terminal():
            texts = [state.action_to_string(action) for action in state.legal_actions()]
            text = state.action_to_string(deal.choose(state)) if state.is_chance_node() else choose(texts, rng, state)
            before = state.to_dict()
            state.apply_action(state.string_to_action(text))
            after = state.to_dict()
            if guesses is None:
                if after["round"] == 0:
                    continue
                guesses = [Guess(player["hand"]) for player in before["players"]]
            for p in range(players):
                drew = text.startswith("draw ") and before["on_turn"] == p
                follow(guesses[p], before["players"][p], after["players"][p], drew)
                assert tuple(sorted(after["players"][p]["hand"])) in guesses[p].hands
            mover = state.current_player()
            if mover < 0 or rng.random() > 0.15:
                continue
            possible = {p: guesses[p].shares() for p in range(players) if p != mover}
            if max(map(len, possible.values())) == 1 and rng.random() < 0.9:
                continue
            info = state.info_state(mover)
            # What is hidden from the mover: of each other player the number of each kind in hand.
            worlds = [info.sample(rng.randrange(2**60)).hidden_targets(mover).reshape(4, -1) for _ in range(SAMPLES)]
            for p, shares in possible.items():
                seat = (p - mover) % players - 1
                found = Counter(world[seat].tobytes() for world in worlds)
                assert set(found) <= {counts(hand, kinds) for hand in shares}
                if len(shares) <= SAMPLES // 5:
                    agree(shares, Counter(map(cards(kinds), found.elements())))
                for kind in {kind for hand in shares for kind in hand}:
                    several = Counter()
                    for hand, share in shares.items():
                        several[hand.count(kind)] += share
                    agree(several, Counter(int(world[seat][kinds.index(kind)]) for world in worlds))
                compared += len(shares) > 1
            if compared > 8:
                break
    assert compared or name in ("thinner", "spender")  # who comes down to seven cards or so holds them all: hardly anything is hidden
