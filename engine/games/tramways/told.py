"""Whole actions of Tramways on one line: the steps of which one consists as people type it, and what it brings."""

from __future__ import annotations

from wattman.engine.games.tramways import view as look
from wattman.engine.games.tramways.turn import GAINS, explain, tile_cost, trip_notes

Pair = tuple[str, dict]  # an event, and plain data of the state before it


def tell(events: list[Pair]) -> list[tuple[str, str]]:
    """What happened, for people.

    Parameters
    ----------
    events : list of (str, dict)
        Events of one player in a row, those that followed by themselves too.

    Returns
    -------
    list of (str, str)
        What was done, as it can be typed, and the same in words. The steps of an action that is told from its beginning stand on one line.
    """
    found, place = [], 0
    while place < len(events):
        action = _Action(events, place)
        if action.line:
            found.append((action.line, f"{action.line} ({action.note})" if action.note else action.line))
            place = action.end
        elif action.opened:
            steps = [text for text, _ in events[place:]]
            found.append(("; ".join(steps), f"{_opened(steps)} .."))
            place = len(events)
        else:
            text, view = events[place]
            found.append((text, explain(text, view)))
            place += 1
    return found


class _Action:
    """Reads the action that begins at a place of a list of events.

    Attributes
    ----------
    line : str
        As it can be typed, or "" if none begins there, or one that is not told as far as its payment.
    note : str
        What it costs and brings.
    opened : bool
        Whether one begins there that is not told to its end, but more than where it begins.
    end : int
        The place behind it.
    """

    def __init__(self, events: list[Pair], place: int):
        self.events, self.end = events, place + 1
        verb, self.view = events[place]
        self.line = self.note = ""
        self.opened = False
        read = getattr(self, f"_{verb}", None) if verb in ("build", "upgrade", "construct", "extend", "add", "move") else None
        if read:
            what = read()
            if what:
                cards = self._all("pay")
                self._one("done")
                self.line = " ".join([verb, what, *(["pay", *cards] if cards else []), *(self._bonus() if verb == "move" else [])])
            self.opened = not what and self.end == len(events) > place + 1
        elif verb in GAINS:
            cards = self._all("pay")
            self._one("done")
            self.line = f"{verb} {' '.join(cards)}" if cards else ""

    # --- steps ---

    def _one(self, verb: str) -> str:
        """What stands behind the word of the next step, or the word itself; "" if the next step is another."""
        if self.end < len(self.events):
            word, _, what = self.events[self.end][0].partition(" ")
            if word == verb:
                self.end += 1
                return what or word
        return ""

    def _all(self, verb: str) -> list[str]:
        found = []
        while what := self._one(verb):
            found.append(what)
        return found

    # --- actions: what stands behind their word, "" if a step is missing ---

    def _build(self) -> str:
        one, other, squares = self._one("from"), self._one("to"), self._all("lay")
        if not (one and other and squares and self._one("join")):
            return ""
        city = look.city_of(self.view)
        rails = sum(tile_cost(self.view, city, look.square(square)) for square in squares)
        self.note = f"{_number(len(squares), 'tile')}, {_number(rails, 'rail')}"
        return f"{one}-{other} {' '.join(squares)}"

    def _upgrade(self) -> str:
        one, other = self._one("from"), self._one("to")
        return f"{one}-{other}" if one and other else ""

    def _construct(self) -> str:
        place, letter = self._one("at"), self._one("type")
        if not (place and letter):
            return ""
        self.note = f"{look.data_of(self.view).types[letter][0]}, {look.data_of(self.view).numbers['construction']['hp']} HP"
        return f"{place} {letter}"

    def _extend(self) -> str:
        self.note = f"{look.data_of(self.view).numbers['construction']['extension_hp']} HP"
        return self._one("at")

    def _add(self) -> str:
        return self._one("at")

    def _move(self) -> str:
        origin, rides = self._one("at"), [ride.split(" ") for ride in self._all("ride")]
        if not (origin and rides and self._one("stop")):
            return ""
        self.note = "; ".join(trip_notes(self.view, origin, [(there, int(owner)) for there, owner in rides]))
        # The Funfair by player 1's link is F:1 where F1 is a parcel.
        words = [f"{there}{':' * (there + owner in self.view['places'])}{owner}" for there, owner in rides]
        return " ".join([origin, *words])

    def _bonus(self) -> list[str]:
        number = self._one("buy")
        if number:
            return ["buy", number]
        cards = self._all("market")
        self._one("done")
        return ["market", *cards] if cards else []


def _opened(steps: list[str]) -> str:
    """As much of an action as is told: ``build Aa-K 2.3``."""
    words = [steps[0]]
    for step in steps[1:]:
        verb, _, what = step.partition(" ")
        if verb == "to":
            words[-1] += f"-{what}"
        else:
            words.append(what.replace(" ", "") or verb)
    return " ".join(words)


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"
