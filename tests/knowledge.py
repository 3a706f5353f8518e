"""Random games for the tests of what players know: in several styles, watched by every player."""

import os
import random
import re
from collections import Counter
from pathlib import Path

from wattman import load_game
from wattman.engine.game import Deal
from wattman.engine.games import names

GAMES = int(os.environ.get("WATTMAN_GAMES", "60"))

# By game, options to play it with.
SMALL = str(Path(__file__).parent / "boards" / "portland_small.toml")  # full of passes: resets, short piles, skips
OPTIONS = {
    "lisbon": [{"players": 2}, {"players": 3, "rules": "german", "refill_model": "slot"}, {"players": 4}],
    "portland": [{"players": 2}, {"players": 3, "board": SMALL, "payment": "free"}, {"players": 4, "board": SMALL}, {"players": 5}],
    "trambahn": [{"halving": "on_empty"}, {"halving": "on_need"}],
    "tramways": [{"players": 1}, {"players": 2}, {"players": 4, "expansions": "station+funfair"}],
}
LOADED = [load_game(name, **options) for name in names() for options in OPTIONS.get(name, [{}])]


def title(game):
    """For the names of tests."""
    words = [Path(value).stem for value in game.options.values() if isinstance(value, str)]
    return "-".join([game.name, *([str(game.num_players())] if len(game.OPTIONS["players"].choices) > 1 else []), *words])


def prefer(*patterns, odds=0.9):
    """A style: most of the time the first of these patterns that a legal decision matches."""

    def choose(texts, rng, state):
        if rng.random() < odds:
            for pattern in patterns:
                found = [text for text in texts if re.match(pattern, text)]
                if found:
                    return rng.choice(found)
        return rng.choice(texts)

    return choose


def uniform(texts, rng, state):
    return rng.choice(texts)


def hoarder(texts, rng, state):
    """One passenger a turn, into the emptiest row, and all the rest to the money pile: the longest games, with the most reshuffles."""
    table = state.to_dict()
    if table["step"] == "passengers" and "done" not in texts:
        rows = table["rows"]
        return min(texts, key=lambda text: (len(rows[text.partition(">")[2] or text.split()[1][0]]), rng.random()))
    return next((text for text in texts if text.startswith("bank")), "done")


STYLES = {
    "lisbon": {
        "boarder": prefer("claim", "ring3|keep", "pay", "board|ring", "bonus", "free", "move", "step", odds=0.85),
        # Bells that fail, half of them by choice.
        "ringer": prefer("claim", "ring", "decline|pay|swap", "place", "bonus|board", "move", odds=0.8),
        # Big hands, then none: the tickets go round.
        "hoarder": prefer("end", "claim|board|bonus", "halt", odds=0.7),
        "mover": prefer("step", "move", "free", odds=0.9),
    },
    "leduc": {"uniform": uniform, "raiser": prefer("raise")},
    "trambahn": {
        "uniform": uniform,
        "columns": prefer("buy", r"build .*>\d", "board", "build", odds=0.8),
        "banker": prefer("done$|bank|buy", "board", odds=0.95),
        "hoarder": hoarder,
        "boarder": prefer("board", "done"),
        "holder": prefer("done", odds=0.6),
        # Columns that nobody pays for go onto the money pile openly.
        "opener": prefer("build .*>new", "bank", odds=0.7),
    },
    "portland": {
        "uniform": uniform,
        "claimer": prefer("claim", "pay", "take (?!pass)", "draw"),
        "collector": prefer("draw", "take (?!pass)", odds=0.97),
        "traveller": prefer("tickets", r"keep \S+$", "draw", odds=0.8),
        "passer": prefer("take pass", "claim", "draw"),
    },
    "tramways": {
        "uniform": uniform,
        "builder": prefer("construct", "build", "extend", "join", "from|to|lay|at", "take"),
        "mover": prefer("move", "ride", "stop", "build", "join", "buy", "market"),
        # Many cards and few: decks are used up often, or never.
        "spender": prefer("money", "worker", "pay", "bid", odds=0.8),
        "thinner": prefer("trash", "purge", "pass", odds=0.7),
    },
}


def share(game, parts):
    """How many games make one of `parts` equal parts of a test: fewer of them where a game has a thousand events."""
    return -(-GAMES // (parts * {"lisbon": 4, "portland": 4, "tramways": 4}.get(game.name, 1)))


def style(game, name):
    return STYLES.get(game.name, {"uniform": uniform})[name]


def style_names(game):
    return list(STYLES.get(game.name, {"uniform": uniform}))


def step(state, rng, deal, styles):
    """Apply one event: a card from `deal`, or a decision in the mover's style."""
    if state.is_chance_node():
        state.apply_action(deal.choose(state))
    else:
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        state.apply_action(state.string_to_action(styles[state.current_player()](texts, rng, state)))


def games(game, seed, picked=None):
    """The states of one random game, each of them once and the same object: copy what is to be kept.

    Parameters
    ----------
    game : Game
    seed : int
    picked : str, optional
        A style for all players; one for each player is drawn if it is left out.
    """
    rng, deal, state = random.Random(seed), Deal(seed), game.new_initial_state()
    styles = [style(game, picked or rng.choice(style_names(game))) for _ in range(game.num_players())]
    yield state
    while not state.is_terminal():
        step(state, rng, deal, styles)
        yield state


def every_card(table):
    """All cards of Trambahn that `State.to_dict()` shows, wherever they lie."""
    cards = Counter(table["deck"] + table["discard"])
    for row in table["rows"].values():
        cards.update(row)
    for player in table["players"]:
        cards.update(player["hand"] + player["money"])
        for column in player["columns"]:
            cards.update(column["cards"])
    return cards


TRAMBAHN_CARDS = Counter({f"{colour}{value}": 2 if value in (1, 10) else 3 for colour in "BRGY" for value in range(1, 11)} | {"C": 8})


def conserved(state):
    """No card is missing, doubled or unknown in a full state."""
    table = state.to_dict()
    if table["game"] == "trambahn":
        assert every_card(table) == TRAMBAHN_CARDS
        assert all(player["hand"] == sorted(player["hand"], key=list(TRAMBAHN_CARDS).index) for player in table["players"])
    elif table["game"] == "portland":
        conserved_portland(state.game.notation.board, table)
    elif table["game"] == "tramways":
        conserved_tramways(table)
    elif table["game"] == "leduc":
        cards = Counter(card for card in [*table["cards"], table["public"]] if card)
        assert "?" not in cards
        assert max(cards.values(), default=0) <= 2
    elif table["game"] == "lisbon":
        players = table["players"]
        tickets = Counter(table["deck"] + table["discard"] + "".join(player["hand"] for player in players))
        assert tickets == Counter(dict.fromkeys("RYGB", 27))
        waiting = "".join([*table["stops"].values(), *(player["aboard"] for player in players)])
        assert Counter(waiting + table["bag"] + table["set_aside"] + table["turn"]["drawn"]) == Counter(dict.fromkeys("RYGB", 15))
        cards = [*table["display"], table["next_card"], *(card for player in players for card in player["row"])]
        assert len({*filter(None, cards), *table["cards_unseen"]}) == 22 == len([*filter(None, cards), *table["cards_unseen"]])


def conserved_tramways(table):
    assert all(count > 0 for count in table["out"].values())
    for player in table["players"]:
        assert player["deck"] == len(player["unseen"])
        for pile in ("hand", "unseen", "pool"):
            assert "?" not in player[pile]
            assert player[pile] == sorted(player[pile], key=player[pile].index)  # equal cards stand together
    waiting = sum(place["passengers"] for place in table["places"].values())
    assert waiting + table["supply"] == 30 + 2 * ("S" in table["places"]) or table["step"] in ("board", "place")
    for link in table["links"]:
        assert len(link["path"]) == len(set(link["path"]))


def conserved_portland(board, table):
    cards = Counter(table["market"]) + Counter(table["discards"]) + Counter(table["deck"])
    tickets = Counter(table["fresh"] + table["returned"] + table["offer"])
    for player in table["players"]:
        cards += Counter(player["hand"])
        tickets.update(player["tickets"] + player["offered"])
        assert sum(player["hand"].values()) == player["cards"]
        assert len(player["tickets"]) == player["tickets_held"]
    assert cards == Counter({kind.id: kind.count for kind in board.types})
    assert tickets == Counter(ticket.text for ticket in board.tickets)
    assert sum(table["deck"].values()) == table["draw_pile"]
    assert len(table["fresh"]) == table["tickets_left"]
