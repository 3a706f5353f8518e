"""Small positions of Trambahn, most cards parked in columns so that every world can be listed, and random play from them."""

import random
from collections import Counter

from knowledge import STYLES, prefer
from trambahn_posterior import COLOURS, COPIES, ORDER, Posterior, TooMany, World, in_order

from wattman import load_game


def parked(cards):
    """Columns with a tram that hold these cards."""
    columns = []
    left = Counter(cards)
    for colour in COLOURS:
        while kinds := [card for card in ORDER if card[0] == colour and card != "C" and left[card] > 0]:
            columns.append({"colour": colour, "cards": kinds, "tram": 2})
            left.subtract(kinds)
    if left["C"] > 0:
        columns.append({"colour": "B", "cards": ["C"] * left["C"], "tram": 2})
    return columns


def position(rng, halving, *, deck, hand, own, hidden_money, hidden_discard, rest, kinds):
    """A position's plain data: the observer is at the beginning of his turn, no card has been seen but those listed.

    Parameters
    ----------
    rng : random.Random
    halving : str
    deck, hand : int
        Cards of the draw pile and of the other player's hand.
    own : int
        Cards of the observer's hand.
    hidden_money : pair of int
        Cards at the bottom of each money pile that the observer does not know.
    hidden_discard : int
        Cards of the discard pile that he does not know.
    rest : int
        Cards that he knows on money piles and discard pile.
    kinds : int or None
        So many kinds of cards, with (nearly) all their copies, are in play; None: many kinds, with a copy or two of each.
    """
    observer = rng.randrange(2)
    total = deck + hand + own + sum(hidden_money) + hidden_discard + rest
    names = list(ORDER)
    rng.shuffle(names)
    names.remove("C")
    if rng.random() < 0.6:
        names.insert(0, "C")
    if kinds:
        names = names[:kinds]
        free = [card for card in names for _ in range(COPIES[card])]
    else:
        free = [card for card in names[:total] for _ in range(rng.randint(1, 2))]
    rng.shuffle(free)
    free = free[:total]
    left = Counter(COPIES)
    left.subtract(free)
    hidden = deck + hand + sum(hidden_money) + hidden_discard
    known, mine = free[hidden + own :], free[hidden : hidden + own]
    if not mine:
        raise TooMany("no hand")
    money = [["?"] * n for n in hidden_money]
    discard = ["?"] * hidden_discard
    for card in known:
        rng.choice([*money, discard]).append(card)
    players = [{"hand": ["?"] * hand, "money": money[player], "columns": [], "regular": 0, "extra": 0} for player in range(2)]
    players[observer]["hand"] = mine
    for i, column in enumerate(parked(left.elements())):
        players[i % 2]["columns"].append(column)
    return {
        "options": {"halving": halving},
        "player": observer,
        "to_move": observer,
        "step": "passengers",
        "on_turn": observer,
        "scorings": 0,
        "draw_pile": deck,
        "reshuffles": 0,
        "turn": {"boarded": 0, "column": 0, "opened": "", "banked": "", "bought": -1, "dealt": 39},
        "rows": {colour: [] for colour in COLOURS},
        "supply": [2, 2, 2],
        "stack": [2, 4, 7],
        "discard": discard,
        "players": players,
    }


def payer(texts, rng, state):
    """Opens one column a turn, buys it a tram once he has money from more than one step, and puts most of the rest on the money pile."""
    player = state.to_dict()["players"][state.current_player()]
    if any(text.startswith("build") for text in texts):
        waiting = any(not column["tram"] for column in player["columns"])
        return "done" if waiting else rng.choice([text for text in texts if ">new" in text] or texts)
    if any(text.startswith("buy") for text in texts):
        return texts[0] if len(player["money"]) > 5 else "done"
    found = [text for text in texts if text.startswith("bank")]
    return found[0] if found and rng.random() < 0.8 else rng.choice(texts)


# What is in play, and how the other player plays.
MODES = {
    "any": (
        lambda rng: {
            "deck": rng.randint(2, 6),
            "hand": rng.randint(2, 5),
            "own": rng.randint(3, 6),
            "hidden_money": (rng.randint(0, 2), rng.randint(0, 2)),
            "hidden_discard": rng.randint(0, 1),
            "rest": rng.randint(0, 5),
            "kinds": rng.choice([None, 5, 6, 7]),
        },
        None,
    ),
    # Income steps of which only a part is paid.
    "payer": (
        lambda rng: {
            "deck": rng.randint(14, 18),
            "hand": 5,
            "own": 3,
            "hidden_money": (0, 0),
            "hidden_discard": 0,
            "rest": rng.randint(0, 2),
            "kinds": rng.choice([4, 5, 6]),
        },
        payer,
    ),
    # Income steps of which only a part is reshuffled.
    "splitter": (
        lambda rng: {
            "deck": rng.randint(3, 9),
            "hand": rng.randint(4, 6),
            "own": rng.randint(3, 6),
            "hidden_money": (rng.randint(0, 1), rng.randint(0, 1)),
            "hidden_discard": 0,
            "rest": rng.randint(0, 5),
            "kinds": rng.choice([5, 6, 7]),
        },
        prefer("done$|bank|buy", "board", odds=0.85),
    ),
}


class Script:
    """Random play from a small position, watched by the engine and by the list of all worlds.

    Attributes
    ----------
    state : State
        The truth.
    posterior : Posterior
    observer : int
    events : list of (int, str)
        What the observer has seen: (who did it, what he saw of it).
    """

    def __init__(self, seed, mode="any", limit=20_000):
        self.rng = random.Random(seed)
        halving = ("on_empty", "on_need")[seed % 2]
        parts, other_style = MODES[mode]
        table = position(self.rng, halving, **parts(self.rng))
        self.game = load_game("trambahn", halving=halving)
        self.observer = table["player"]
        self.state = self.game.info_from_dict(table).sample(seed)
        self.posterior = Posterior(table, limit)
        styles = [self.rng.choice(list(STYLES["trambahn"].values())) for _ in range(2)]
        if other_style:
            styles[1 - self.observer] = other_style
        self.styles = styles
        self.events = []

    def step(self):
        """One event of the game."""
        state, who = self.state, self.state.current_player()
        if who < 0:
            action = state.sample_chance(self.rng.random)
        else:
            texts = [state.action_to_string(action) for action in state.legal_actions()]
            action = state.string_to_action(self.styles[who](texts, self.rng, state))
        before = len(state.events(self.observer))
        state.apply_action(action)
        for text in state.events(self.observer)[before:]:
            self.posterior.see(who, text)
            self.events.append((who, text))

    def decisions(self, last_epoch=1):
        """Plays on; yields at each decision of the observer while there have been at most so many reshuffles."""
        while not self.state.is_terminal() and self.posterior.reshuffles <= last_epoch:
            if self.state.current_player() == self.observer:
                self.posterior.decides(self.observer)
                if not self.truth().hand:
                    return  # the other player would be passed over, and the next turn would begin unnoticed
                yield self.state.info_state(self.observer)
            self.step()

    def truth(self):
        return world_of(self.state, self.observer)


def world_of(state, observer):
    """A full state as a world of the posterior."""
    table = state.to_dict()
    money = tuple(tuple(player["money"]) for player in table["players"])
    return World(in_order(table["players"][1 - observer]["hand"]), money, tuple(table["discard"]), tuple(table["deck"]))


def scripts(seeds, mode="any", limit=20_000):
    """Scripts of these seeds, without those with too many worlds to list."""
    for seed in seeds:
        try:
            yield seed, Script(seed, mode, limit)
        except TooMany:
            continue
