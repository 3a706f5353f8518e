"""Play the engine and an independent reference side by side and stop at the first difference.

A reference is any object with ``current_player()``, ``legal()`` (set of texts), ``chance()`` (dict of text to probability),
``apply(text)``, ``scores()``, ``returns()`` and ``conserved()``; with ``facts()`` (a dict) the whole table is compared too.
Nothing here knows a game, except what stands at the end.
"""

import math
import random

import lisbon_policies
import portland_policies
import tramways_policies
from lisbon_tables import facts as lisbon_facts
from tramways_tables import facts as tramways_facts

TOLERANCE = 1e-12


class Mismatch(AssertionError):
    """Engine and reference disagree; the message has the seed and every action so far."""


class Sides:
    """An engine state and a reference in the same position.

    Parameters
    ----------
    state : wattman.engine.game.State
    reference : object
    label : str
        Named in every report, so that a failure can be repeated.
    """

    def __init__(self, state, reference, label=""):
        self.state = state
        self.reference = reference
        self.label = label
        self.actions = []
        self.decision_ids = set()
        self.chance_ids = set()

    def fail(self, what, engine, reference):
        where = f"{self.label}, after {len(self.actions)} actions"
        raise Mismatch(f"{where}: {what}: engine {engine}, reference {reference}; played: {', '.join(self.actions)}")

    def same(self, what, engine, reference):
        if engine != reference:
            if isinstance(engine, set | frozenset):
                engine, reference = f"only {sorted(engine - reference)}", f"only {sorted(reference - engine)}"
            self.fail(what, engine, reference)

    def compare(self):
        """Compare everything both can say about the position; the ids of the possible actions by text."""
        state, reference = self.state, self.reference
        player = reference.current_player()
        self.same("current player", state.current_player(), player)
        self.same("is_terminal", state.is_terminal(), player == -4)
        self.same("is_chance_node", state.is_chance_node(), player == -1)
        self.same("scores", [float(score) for score in state.scores()], [float(score) for score in reference.scores()])
        if hasattr(reference, "facts"):
            table = state.to_dict()
            facts = FACTS[table["game"]](table)
            for what, expected in reference.facts().items():
                self.same(what, facts[what], expected)
        if player == -4:
            found, expected = list(state.returns()), reference.returns()
            if any(abs(a - b) > TOLERANCE for a, b in zip(found, expected, strict=True)):
                self.fail("returns", found, expected)
            return {}
        if player == -1:
            return self._compare_chance()
        ids = {}
        for action in state.legal_actions():
            text = state.action_to_string(action)
            if text in ids:
                self.fail("legal actions", f"{text} twice", "once")
            ids[text] = action
        self.same("legal actions", set(ids), set(reference.legal()))
        self.decision_ids.update(ids.values())
        return ids

    def _compare_chance(self):
        expected = self.reference.chance()
        ids, found = {}, {}
        for action, probability in self.state.chance_outcomes():
            text = self.state.action_to_string(action)
            if text in ids:
                self.fail("chance outcomes", f"{text} twice", "once")
            ids[text], found[text] = action, probability
        self.same("chance outcomes", set(found), set(expected))
        for text, probability in expected.items():
            if abs(found[text] - probability) > TOLERANCE:
                self.fail(f"probability of {text}", found[text], probability)
        if abs(math.fsum(found.values()) - 1) > TOLERANCE:
            self.fail("sum of probabilities", math.fsum(found.values()), 1)
        self.chance_ids.update(ids.values())
        return ids

    def apply(self, text, action):
        """Play `text` on both; the engine gets its own id of it, after checking that reading the text gives that id."""
        self.same(f"id of {text!r}", self.state.string_to_action(text), action)
        self.state.apply_action(action)
        self.reference.apply(text)
        self.actions.append(text)


def play(sides, policy, rng, *, conserved=True, stop=None):
    """Play `sides` to the end (or for `stop` actions), comparing at every step.

    Parameters
    ----------
    sides : Sides
    policy : callable or sequence of callables
        ``policy(text, reference) -> weight`` of a legal decision; a sequence has one for each player.
    rng : random.Random
    conserved : bool
        Also check the reference's own invariants at every step.
    stop : int, optional

    Returns
    -------
    int
        Actions played.

    Raises
    ------
    Mismatch
        At the first difference.
    """
    reference = sides.reference
    count = 0
    while True:
        ids = sides.compare()
        if conserved:
            reference.conserved()
        if not ids or count == stop:
            break
        player = reference.current_player()
        texts = sorted(ids)  # sorted: the engine's order must not decide what a seed plays
        if player == -1:
            chance = reference.chance()
            weights = [chance[text] for text in texts]
        else:
            weight = policy[player] if isinstance(policy, list | tuple) else policy
            weights = [weight(text, reference) for text in texts]
        text = rng.choices(texts, weights)[0] if any(weights) else rng.choice(texts)
        sides.apply(text, ids[text])
        count += 1
    if sides.decision_ids & sides.chance_ids:
        sides.fail("ids", f"{sorted(sides.decision_ids & sides.chance_ids)} are decisions and chance", "disjoint")
    return count


def lockstep(name, reference, policy, seed, *, conserved=True, **options):
    """One whole game of the engine against `reference`.

    Parameters
    ----------
    name : str
        Game to load.
    reference : object
        A fresh reference with the same options.
    policy : callable, sequence of callables, or str
        See :func:`play`; a text names one of ``POLICIES[name]``.
    seed : int
    conserved : bool
        See :func:`play`; without it a game takes about half the time.
    **options
        Options of the game.

    Returns
    -------
    Sides
        Both at the end; ``.actions`` is the game.

    Raises
    ------
    Mismatch
        At the first difference.
    """
    from wattman import load_game

    label = f"{name} {options} {policy if isinstance(policy, str) else ''} seed {seed}"
    sides = Sides(load_game(name, **options).new_initial_state(), reference, label)
    play(sides, POLICIES[name][policy] if isinstance(policy, str) else policy, random.Random(seed), conserved=conserved)
    return sides


def alone(reference, policy, seed, until=None):
    """Let `reference` play by itself, checking its invariants at every step.

    Parameters
    ----------
    reference : object
    policy : callable
    seed : int
    until : int, optional
        Stop at the first decision after this many actions; to the end if left out. The same seed plays the same game.

    Returns
    -------
    list of str
        The actions played.
    """
    rng = random.Random(seed)
    actions = []
    while reference.current_player() != -4:
        reference.conserved()
        if until is not None and len(actions) >= until and reference.current_player() >= 0:
            return actions
        chance = reference.chance()
        texts = sorted(chance or reference.legal())
        weights = [chance[text] if chance else policy(text, reference) for text in texts]
        text = rng.choices(texts, weights)[0] if any(weights) else rng.choice(texts)
        reference.apply(text)
        actions.append(text)
    reference.conserved()
    return actions


# ---------------------------------------------------------------------------------------------------- the engine's tables


def trambahn_facts(table):
    """``Reference.facts()`` from the engine's description of a table of Trambahn."""

    def column(part):
        words = [part["colour"]] + [card if card == "C" else card[1:] for card in part["cards"]]
        return " ".join(words + ([f"x{part['tram']}"] if part["tram"] else []))

    return {
        "step": table["step"],
        "scorings": table["scorings"],
        "rows": {colour: sorted(row) for colour, row in table["rows"].items()},
        "open": sorted(table["supply"]),
        "stack": list(table["stack"]),
        "draw": sorted(table["deck"]),
        "discard": sorted(table["discard"]),
        "hands": [sorted(player["hand"]) for player in table["players"]],
        "money": [list(player["money"]) for player in table["players"]],
        "columns": [[column(part) for part in player["columns"]] for player in table["players"]],
    }


def portland_facts(table):
    """``Reference.facts()`` from the engine's description of a table of Portland."""

    def cards(counts):
        return sorted(kind for kind, count in counts.items() for _ in range(count))

    tickets, returned = [], list(table["returned"])
    for player in table["players"]:  # first tickets are given back when all have chosen; in what order is settled before
        chosen = [player["offered"][place - 1] for place in player["chosen"]]
        tickets.append(sorted([*player["tickets"], *chosen]))
        returned += [ticket for ticket in player["offered"] if player["chosen"] and ticket not in chosen]
    return {
        "hands": [cards(player["hand"]) for player in table["players"]],
        "market": cards(table["market"]),
        "pile": cards(table["deck"]),
        "discards": cards(table["discards"]),
        "tickets": tickets,
        "never": sorted(table["fresh"]),
        "returned": returned,
        "owner": dict(sorted((route, seat) for seat, player in enumerate(table["players"]) for route in player["routes"])),
        "trains": [player["trains"] for player in table["players"]],
    }


FACTS = {"lisbon": lisbon_facts, "portland": portland_facts, "trambahn": trambahn_facts, "tramways": tramways_facts}

# ---------------------------------------------------------------------------------------------------- policies


CARDS = [f"{colour}{value}" for colour in "BRGY" for value in range(1, 11)] + ["C"]


def uniform(text, reference):
    """Every legal decision alike."""
    return 1


def _trambahn_columns(text, game):
    """Few, long columns: a next card that leaves a small gap, conductors on the longest, every tram that can be had."""
    verb, _, rest = text.partition(" ")
    card, _, where = rest.partition(">")
    columns = game.columns[game.turn]
    if verb == "build" and where.startswith("new"):
        return 3 if card[1:] in ("1", "2") and len(columns) < 5 else 0.05
    if verb == "build":
        column = columns[int(where)]
        if card == "C":
            return 30 if len(column.cards) >= 4 else 2
        top = max((int(station[1:]) for station in column.stations()), default=0)
        return 200 / (int(card[1:]) - top) ** 3
    if verb == "buy":
        return 50 * int(card)
    if verb == "board":
        return 0.02 if card == "C" or any(column.fits(card) for column in columns) else 1
    if verb == "bank":
        waiting = any(not column.tram for column in columns)
        return 5 if waiting else 0.05 if card == "C" or any(column.fits(card) for column in columns) else 1
    return 2


def _trambahn_banker(text, game):
    """One passenger, nothing built, the whole hand to the money pile: the draw pile runs out early, the piles are large."""
    verb, _, card = text.partition(" ")
    if verb == "bank":  # lowest first: a set has one order, and going high would leave the lower ones in the hand
        return 100 if card == min(game.hands[game.turn], key=CARDS.index) else 0
    return {"board": 1, "build": 0.02, "buy": 0.2, "done": 10 if game.step != "income" else 0.1}[verb]


def _trambahn_spender(text, game):
    """The whole hand to the money pile, one-card columns and trams whenever they can be paid: cards go round fast."""
    verb, _, rest = text.partition(" ")
    if verb == "build":
        return 10 if "new" in rest and len(game.money[game.turn]) + len(game.hands[game.turn]) > 5 else 0.1
    return 100 if verb == "buy" else 0.1 if verb == "done" and game.step == "trams" else _trambahn_banker(text, game)


def _trambahn_holder(text, game):
    """As few cards as possible: one passenger, seldom more; long games with full hands."""
    verb = text.split(" ")[0]
    return {"board": 1, "build": 0.3, "bank": 0.1, "buy": 5, "done": 20}[verb]


def _trambahn_opener(text, game):
    """New columns all the time, far more than can be paid for, many with conductors; some bought, many abandoned."""
    verb = text.split(" ")[0]
    if verb == "board":
        return 0.2 if text.startswith("board C") else 1
    return {"build": 20 if "new" in text else 2, "bank": 2, "buy": 3, "done": 1}[verb]


POLICIES = {
    "lisbon": lisbon_policies.POLICIES,
    "portland": portland_policies.POLICIES,
    "tramways": tramways_policies.POLICIES,
    "trambahn": {
        "uniform": uniform,
        "columns": _trambahn_columns,
        "banker": _trambahn_banker,
        "spender": _trambahn_spender,
        "holder": _trambahn_holder,
        "opener": _trambahn_opener,
    },
}
