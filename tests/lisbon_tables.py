"""Positions of Lisbon Tram 28 for tests: set up once, asked alike of the reference and of the engine."""

from collections import Counter
from functools import cache

import pytest
from lisbon_rails import DEFAULT_BOARD, Rails
from lisbon_reference import Reference, letters

from wattman import load_game


@cache
def stops_of(board):
    return Rails(board).stops


def position(players=2, hands=(), *, waiting=None, others="B", **parts):
    """A reference in a position; see :meth:`Reference.from_parts`. Stops not named in `waiting` have the passengers `others`."""
    stops = stops_of(parts.get("board", DEFAULT_BOARD[players]))
    return Reference.from_parts(players, hands=list(hands), waiting=dict.fromkeys(stops, others) | (waiting or {}), **parts)


NOTHING_GOING_ON = {
    **dict.fromkeys(("trail", "purpose", "need", "pay", "swapped", "drawn", "end", "before", "landing"), ""),
    **{key: [] for key in ("move", "trail_move", "pushed", "line")},
    **dict.fromkeys(("count", "space", "placed"), 0),
}


def position_data(game):
    """The position of a reference, at a decision of a turn, as the engine's plain data: what the player on turn knows."""
    used = [bonus for bonus, spent in (("free_move", game.free_used), ("bell", game.bell_used)) if spent]
    players = [
        {
            "tram": game.trams[player],
            "hand": letters(hand) if player == game.turn else "?" * hand.total(),
            "aboard": letters(game.aboard[player]),
            "bonuses": sorted(game.bonuses[player]),
            "row": list(game.rows[player]),
        }
        for player, hand in enumerate(game.hands)
    ]
    return {
        "player": game.turn,
        "to_move": game.turn,
        "step": "turn",
        "on_turn": game.turn,
        "actions": game.actions_left,
        "used": used,
        "drew": sorted(game.drew),
        "rounds_without_claim": game.quiet_rounds,
        "claimed_this_round": game.claimed,
        "last_round": game.last_round,
        "stalled": False,
        "stops": {stop: letters(group) for stop, group in game.waiting.items()},
        "bag": letters(game.bag),
        "set_aside": letters(game.gone),
        "ticket_pile": game.pile.total(),
        "discard": letters(game.discard),
        "display": [card or "" for card in game.display],
        "next_card": game.upcoming or "",
        "face_up": game.face_up,
        "cards_unseen": sorted(game.unseen),
        "players": players,
        "turn": NOTHING_GOING_ON,
    }


def options(game):
    """The options of a reference as the engine takes them."""
    return {
        "players": game.players,
        "rules": game.rules,
        "board": game.rails.name,
        "refill_model": game.refill_model,
        "stall_rounds": game.stall_rounds,
    }


@cache
def loaded(**options):
    """The engine's game with these options: it is never changed, so one serves for all tests."""
    return load_game("lisbon", **options)


def engine_info(game):
    """What the player on turn knows in the position of a reference, as the engine has it."""
    return loaded(**options(game)).info_from_dict(position_data(game))


def hands(table):
    """The hands in the engine's description of a table."""
    return [player["hand"] for player in table["players"]]


def engine_state(game):
    """The engine's state of the position of a reference: of the worlds that the player on turn holds possible the one with these hands."""
    info, wanted = engine_info(game), [letters(hand) for hand in game.hands]
    for seed in range(20_000):
        state = info.sample(seed)
        if hands(state.to_dict()) == wanted:
            return state
    raise AssertionError(f"no world with the hands {wanted}")


def any_engine_state(game, seed):
    """A world that the player on turn holds possible; the reference's hands and pile are changed to those of this world."""
    state = engine_info(game).sample(seed)
    table = state.to_dict()
    for player, hand in enumerate(hands(table)):
        assert player != game.turn or hand == letters(game.hands[player])
        game.hands[player] = Counter(hand)
    game.pile = Counter(table["deck"])
    return state


class ReferenceTable:
    """A position on the reference's side."""

    def __init__(self, game):
        self.game = game

    @classmethod
    def start(cls, players=2, **parts):
        return cls(Reference(players, **parts))

    def player(self):
        return self.game.current_player()

    def legal(self):
        return self.game.legal()

    def chance(self):
        return self.game.chance()

    def apply(self, text):
        self.game.apply(text)
        self.game.conserved()

    def scores(self):
        return self.game.scores()

    def returns(self):
        return self.game.returns()

    def facts(self):
        return self.game.facts()

    # what follows uses only the above, for both sides

    def has(self, verb):
        """The legal decisions that begin with `verb`, without it."""
        return {text.partition(" ")[2] for text in self.legal() if text.split()[0] == verb}

    def at(self, player):
        return self.facts()["trams"][player]

    def hand(self, player):
        return self.facts()["hands"][player]

    def aboard(self, player):
        return self.facts()["aboard"][player]

    def waiting(self, stop):
        return self.facts()["waiting"][stop]

    def play(self, *texts):
        """Play `texts`, each of which must be possible."""
        for text in texts:
            possible = self.chance() if self.player() == -1 else self.legal()
            assert text in possible, f"{text!r} should be possible, there are {sorted(possible)}"
            self.apply(text)
        return self

    def refuses(self, *texts):
        """Whether none of `texts` is possible and playing one raises ValueError without changing anything."""

        def now():
            return self.player(), self.legal(), self.chance(), self.scores(), self.facts()

        before = now()
        for text in texts:
            if text in self.legal() or text in self.chance():
                return False
            try:
                self.apply(text)
            except ValueError:
                pass
            else:
                return False
        return before == now()

    def draw(self, number=1):
        """Let chance happen `number` times: always the first outcome there is."""
        for _ in range(number):
            assert self.player() == -1
            self.apply(min(self.chance(), key=lambda text: ["RYGB".find(text[-1]), text]))
        return self

    def end_turn(self):
        """End the turn and draw, until the next player is on turn or the game is over."""
        if self.player() >= 0:
            self.play("end")
        while self.player() == -1:
            self.draw()
        return self


class EngineTable(ReferenceTable):
    """A position on the engine's side."""

    def __init__(self, game):
        self.state = engine_state(game)

    @classmethod
    def start(cls, players=2, **parts):
        table = cls.__new__(cls)
        table.state = loaded(players=players, **parts).new_initial_state()
        return table

    def player(self):
        return self.state.current_player()

    def legal(self):
        return {self.state.action_to_string(action) for action in self.state.legal_actions()} if self.player() >= 0 else set()

    def chance(self):
        if not self.state.is_chance_node():
            return {}
        return {self.state.action_to_string(action): probability for action, probability in self.state.chance_outcomes()}

    def apply(self, text):
        self.state.apply_action(self.state.string_to_action(text))

    def scores(self):
        return list(self.state.scores())

    def returns(self):
        return list(self.state.returns())

    def facts(self):
        return facts(self.state.to_dict())


def facts(table):
    """``Reference.facts()`` from the engine's description of a table."""
    players = table["players"]
    return {
        "trams": [player["tram"] for player in players],
        "hands": hands(table),
        "aboard": [player["aboard"] for player in players],
        "bonuses": [sorted(player["bonuses"]) for player in players],
        "rows": [list(player["row"]) for player in players],
        "waiting": dict(table["stops"]),
        "bag": table["bag"],
        "gone": table["set_aside"],
        "pile": table["deck"],
        "discard": table["discard"],
        "display": list(table["display"]),
        "upcoming": table["next_card"],
    }


SIDES = [pytest.param(ReferenceTable, id="reference"), pytest.param(EngineTable, id="engine")]
