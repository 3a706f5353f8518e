"""Trambahn's turns as people type and read them.

`parse_turn` reads a line such as ``board Y3; build B9>0 C>0; bank R2`` into the engine's events in the engine's order, `explain` says what
an event brings. They know a game only through a view (`to_dict`), so they follow one turn on it by themselves
(`Turn`); whether a move is legal in the end the engine decides.
"""

from __future__ import annotations

import re
from contextlib import suppress

from wattman.engine.games._trambahn_text import (
    CARDS,
    COST,
    EXTRA_TOUR,
    NAMES,
    ORDER,
    ROW,
    SCORINGS,
    TRAMS,
    column_points,
    column_top,
    fits,
    opening_key,
    regular_score,
)

STEP_OF = {"board": "passengers", "build": "stations", "bank": "income", "buy": "trams", "draw": "draw", "deal": "deal"}
_ORDER = ("passengers", "stations", "income", "trams", "draw", "over")
_WORDS = "board, build, bank, buy, done (ends the step) and end (ends the turn)"
_COURSE = "a turn goes passengers (board), stations (build), income (bank), trams (buy)"
_PLAYED = {"board": "play as a passenger", "build": "build", "bank": "bank"}


class Turn:
    """One turn as far as a view shows it.

    Parameters
    ----------
    view : dict
        Plain data of a state or of a player's knowledge.
    settled : bool
        Pass over steps without a choice at once, as the engine does. Only a test of the present step itself does without.
    """

    def __init__(self, view: dict, settled: bool = True):
        self.view = view
        self.player = view["on_turn"]
        self.step = view["step"]
        self.scorings = view["scorings"]
        self.rows = {colour: list(cards) for colour, cards in view["rows"].items()}
        self.columns = [[{**column, "cards": list(column["cards"])} for column in player["columns"]] for player in view["players"]]
        self.mine = self.columns[self.player]
        self.hand = list(view["players"][self.player]["hand"])
        self.money = len(view["players"][self.player]["money"])
        self.supply = {tram: view["supply"].count(tram) for tram in TRAMS}
        turn = view["turn"]
        self.boarded, self.lowest, self.bought = turn["boarded"], turn["column"], turn["bought"]
        opened, banked = turn["opened"], turn["banked"]
        self.opened = opening_key(opened[0], opened[1]) if opened[:1] == "C" else opening_key(opened, opened[0]) if opened else -1
        self.banked = ORDER.get(banked, -1)
        if settled and self.step in _ORDER[1:4]:
            self.settle()

    @property
    def knows_hand(self) -> bool:
        """Whether the view is one that shows the mover's hand; if not, where his stations and income steps end is not seen either."""
        return "?" not in self.hand and self.view["player"] in (self.player, -1)

    # --- steps ---

    def pending(self) -> bool:
        """Whether something besides `done` can be done in this step."""
        if self.step == "passengers":
            return bool(self.hand)
        if self.step == "stations":
            return any(self._can_build(card) for card in self.hand)
        if self.step == "income":
            return any(ORDER.get(card, len(CARDS)) >= self.banked for card in self.hand)
        if self.step == "trams":
            cheap = min((COST[tram] for tram, count in self.supply.items() if count), default=999)
            return cheap <= self.money and any(not column["tram"] for column in self.mine[self.bought + 1 :])
        return False

    def _can_build(self, card: str) -> bool:
        if card == "?" or self.opened < 0:
            return True
        if any(fits(card, column) for column in self.mine[self.lowest :]):
            return True
        return opening_key(card, "Y" if card == "C" else card[0]) >= self.opened

    def finish(self) -> None:
        """End this step, and pass over the next ones in which there is no choice."""
        self.step = _ORDER[_ORDER.index(self.step) + 1]
        self.settle()

    def settle(self) -> None:
        """Pass over steps in which there is no choice."""
        while self.step in _ORDER[1:4] and not self.pending():
            self.step = _ORDER[_ORDER.index(self.step) + 1]

    def leave_for(self, step: str) -> list[str]:
        """Go on to a later step; the `done`s that the view's player sees of that."""
        dones = []
        self.settle()
        while self.step in _ORDER[:4] and _ORDER.index(self.step) < _ORDER.index(step):
            if self.step in ("passengers", "trams") or self.knows_hand:
                dones.append("done")
            self.finish()
        return dones

    # --- events ---

    def apply(self, event: str) -> str:
        """Carry out one of the mover's events and say in a few words what it brings; ValueError where it makes no sense at all.

        The order inside a step is not checked: earlier moves may yet be sorted together with these.
        """
        verb, _, rest = event.partition(" ")
        card, _, place = rest.partition(">")
        if event == "done":
            return self._done()
        if verb in ("draw", "deal"):
            return ""
        if STEP_OF[verb] != self.step:
            self.settle()
        if STEP_OF[verb] != self.step:
            raise ValueError(f"{event}: {self._wrong_step(STEP_OF[verb])}")
        if verb == "buy":
            note = self._buy(event, int(card), int(place))
        else:
            self._take(event, verb, card)
            note = getattr(self, f"_{verb}")(event, card, place)
        return note

    def _wrong_step(self, step: str) -> str:
        if self.step == "over":
            return "the game is over by then"
        if self.step == "passengers" and not self.boarded:
            return "a turn begins with 1 or 2 passengers (board)"
        if step == "trams" and self.step != "trams":
            return f"no tram can be bought; it takes an own column without one and the money (x2 5, x3 10, x4 15; there is {self.money})"
        if self.step not in _ORDER[:4]:
            return f"the turn is over by then; {_COURSE}"
        if _ORDER.index(step) < _ORDER.index(self.step):
            return f"the {step} step is over, this is the {self.step} step; {_COURSE}"
        return f"this is the {self.step} step"

    def _done(self) -> str:
        self.settle()
        words = {"passengers": "no second passenger", "stations": "build no more", "income": "bank no more", "trams": "buy no more"}
        note = words.get(self.step, "")
        if self.step in _ORDER[:4]:
            self.finish()
        return note

    def _take(self, event: str, verb: str, card: str) -> None:
        if card not in self.hand:
            if "?" not in self.hand:
                held = " ".join(self.hand) or "no card"
                raise ValueError(f"{event}: no {card} left in hand to {_PLAYED[verb]}; there is {held}")
            card = "?"
        self.hand.remove(card)

    def _board(self, event: str, card: str, place: str) -> str:
        colour = place or card[0]
        self.rows[colour].append(card)
        self.boarded += 1
        note = ""
        if len(self.rows[colour]) == ROW:
            self.rows[colour] = []
            self.scorings += 1
            note = f"scores {NAMES[colour]}: {self.gains(colour)}"
            if self.scorings == SCORINGS:
                self.step = "over"
                return note + ", the last scoring"
        if self.boarded == 2 or not self.hand:
            self.step = "stations"
        return note

    def gains(self, colour: str) -> str:
        """What a scoring of a colour would give now, in words."""
        gains = [regular_score(columns, colour) for columns in self.columns]
        me = self.view["player"]
        if me not in (0, 1):
            return f"player 0 {gains[0]}, player 1 {gains[1]}"
        return f"you {gains[me]}, opponent {gains[1 - me]}"

    def _build(self, event: str, card: str, place: str) -> str:
        if place.startswith("new"):
            colour = place[3:] or card[0]
            self.mine.append({"colour": colour, "cards": [card], "tram": 0})
            self.lowest, self.opened = len(self.mine) - 1, opening_key(card, colour)
            return f"opens a {NAMES[colour]} column, number {self.lowest}"
        number = int(place)
        if number >= len(self.mine):
            raise ValueError(f"{event}: no column {number}; {self._own_columns()}")
        column = self.mine[number]
        if not fits(card, column):
            top = column_top(column)
            takes = (
                "is complete"
                if top == 10
                else f"takes {NAMES[column['colour']]} above {top} and conductors"
                if top
                else f"takes only {NAMES[column['colour']]} and conductors"
            )
            raise ValueError(f"{event}: column {number} ({NAMES[column['colour']]}) {takes}")
        column["cards"].append(card)
        self.lowest = number
        notes = []
        if len(column["cards"]) == EXTRA_TOUR:
            notes.append(f"Extra Tour: +{column_points(column) * column['tram']}")
        if card[1:] == "10":
            notes.append("completes the column")
        return ", ".join(notes)

    def _bank(self, event: str, card: str, place: str) -> str:
        self.money += 1
        self.banked = ORDER.get(card, -1)
        return ""

    def _buy(self, event: str, tram: int, number: int) -> str:
        if number >= len(self.mine):
            raise ValueError(f"{event}: no column {number}; {self._own_columns()}")
        column = self.mine[number]
        if column["tram"]:
            raise ValueError(f"{event}: column {number} has its tram (x{column['tram']}) already")
        if not self.supply[tram]:
            there = ", ".join(f"x{other}" for other, count in self.supply.items() if count) or "none"
            raise ValueError(f"{event}: no x{tram} is open; open: {there}")
        if self.money < COST[tram]:
            raise ValueError(f"{event}: a x{tram} costs {COST[tram]}, there is {self.money} money")
        self.money -= COST[tram]
        self.supply[tram] -= 1
        column["tram"], self.bought = tram, number
        points = column_points(column)
        return f"costs {COST[tram]}; {NAMES[column['colour']]} is then {points} VP x{tram} = {points * tram}"

    def _own_columns(self) -> str:
        return f"own columns are numbered 0 to {len(self.mine) - 1}" if self.mine else "there are none yet, >new opens one"


# --- in words ---


def explain(event: str, view: dict) -> str:
    """A move or event in words: its notation, and in brackets what it brings, e.g. ``board R2 (scores Red: you 0, opponent 15)``.

    Parameters
    ----------
    event : str
        The notation of an event, or of what an onlooker sees of one.
    view : dict
        Plain data of the state before it.
    """
    note = ""
    if event in ("bank ?", "draw ?", "deal ?"):
        note = "a card face down" if event == "bank ?" else "a card unseen"
    else:
        with suppress(ValueError, KeyError):  # an event that is not of this turn: nothing to say about it
            note = Turn(view).apply(event)
    return f"{event} ({note})" if note else event


# --- typed turns ---


def sort_turn(texts: list[str], view: dict) -> list[str]:
    """Events typed in any order within each step, in the engine's order and with the `done`s between steps; see `parse_turn`."""
    return parse_turn("; ".join(texts), view)


def parse_turn(line: str, view: dict) -> list[str]:
    """The events of a typed line, in the order in which the engine takes them.

    - A verb holds for the cards behind it: ``build B9>0 C>0``. Several cards onto one column: ``build B8 B9 C>0``, ``build G1 G4>new``.
    - Cards of a step may come in any order, except that passengers, and cards onto one column, stay in the order typed. The columns opened
      on the line have the numbers that they have as typed (the next free ones); sorting renumbers them, also for ``buy 2>3``. ``buy 2>new``
      means the only one.
    - Steps in between are ended: the result holds the `done`s that the engine will ask for. The last step stays open unless the line says
      ``done`` (ends the step that is then open) or ``end`` (ends the turn).
    - Small letters will do, parts are separated by ``;``, ``,`` or blanks, and ``?*3`` is ``? ? ?``.
    - A turn of another player may be typed as it is seen (``bank ?*2``); the result leaves out the `done`s that are not seen.

    Parameters
    ----------
    line : str
    view : dict
        Plain data as the mover (or an onlooker) sees it before the line.

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        If the line cannot be read or makes no sense. The engine still decides whether each event is legal.
    """
    turn, events = Turn(view), []
    typed = Turn(view)  # the same with the columns numbered as on the line, so that errors name those numbers
    renumbered: dict[int, int] = {}
    groups = _groups(line)
    for number, (verb, items) in enumerate(groups):
        if verb == "done":
            following = groups[number + 1][0] if number + 1 < len(groups) else ""
            if turn.step in _ORDER[:4] and STEP_OF.get(following) != turn.step:  # else the step that is meant has ended by itself
                events += turn.leave_for(_ORDER[_ORDER.index(turn.step) + 1])
        elif verb == "end":
            if turn.step == "passengers" and not turn.boarded:
                raise ValueError("end: a turn begins with 1 or 2 passengers (board)")
            events += turn.leave_for("draw")
        elif verb in ("draw", "deal"):
            events += turn.leave_for("draw") if verb == "draw" else []
            events += [f"{verb} {card}" for cards, _ in items for card in cards]
        else:
            if turn.step != "passengers" or turn.boarded:
                events += turn.leave_for(STEP_OF[verb])
            step = _sorted(verb, items, turn, renumbered)
            typed.step = turn.step
            for event in _as_typed(verb, items, typed, renumbered):
                typed.apply(event)
            for event in step:
                turn.apply(event)
            events += step
            turn.settle()
    return events


def _groups(line: str) -> list[tuple[str, list[tuple[list[str], str]]]]:
    """The parts of a line: a verb with its items, each some cards and their place ("" where none belongs)."""
    words = re.sub(r"\s*>\s*", ">", line.replace("×", "x")).replace(";", " ").replace(",", " ").split()
    groups: list[tuple[str, list[tuple[list[str], str]]]] = []
    waiting: list[str] = []  # cards of a build whose column comes with a later card
    verb = ""
    for word in [*words, "done"]:
        lower = word.lower()
        if lower in STEP_OF or lower in ("done", "end"):
            if waiting:
                raise ValueError(
                    f"build {' '.join(waiting)}: onto which column? write {waiting[-1]}>0 (an own column) or {waiting[-1]}>new"
                )
            if groups and not groups[-1][1] and groups[-1][0] in STEP_OF:
                raise ValueError(f"{verb}: which? write for example {_EXAMPLES[verb]}")
            verb = lower
            if not (groups and groups[-1][0] == verb and verb in STEP_OF):
                groups.append((verb, []))
            continue
        if verb not in STEP_OF:
            raise ValueError(f"{_quoted(word)}: expected one of {_WORDS}")
        cards, place = _item(verb, word)
        if verb == "build" and not place:
            waiting += cards
            continue
        groups[-1][1].append((waiting + cards, place))
        waiting = []
    return groups[:-1]


_EXAMPLES = {
    "board": "board B7 or board C>R",
    "build": "build B7>0 or build B7>new",
    "bank": "bank B7",
    "buy": "buy 3>0",
    "draw": "draw B7",
    "deal": "deal B7",
}


def _item(verb: str, word: str) -> tuple[list[str], str]:
    """One word behind a verb: cards (or a tram) and a place, as the notation writes them."""
    what, arrow, place = word.partition(">")
    place = place.lower()
    if verb == "buy":
        tram = what.lower().removeprefix("x")
        if tram not in ("2", "3", "4"):
            raise ValueError(f"buy {_quoted(word)}: trams are 2, 3 and 4; write for example {_EXAMPLES[verb]}")
        if place != "new" and not _number(place):
            raise ValueError(f"buy {_quoted(word)}: for which column? write for example buy {tram}>0")
        return [tram], place
    unseen = re.fullmatch(r"\?(?:\*(\d\d?))?", what)
    if unseen and not arrow and verb in ("bank", "draw", "deal"):
        return ["?"] * int(unseen[1] or 1), ""
    card = what.upper()
    if card not in ORDER:
        raise ValueError(f"{verb} {_quoted(word)}: {_quoted(what)} is not a card; a card is a colour B, R, G or Y with a value 1..10, or C")
    if verb == "board":
        row = place.upper()
        if card == "C" and row not in NAMES:
            raise ValueError(f"board {_quoted(word)}: into which row? write C>B, C>R, C>G or C>Y")
        if card != "C" and row not in ("", card[0]):
            raise ValueError(f"board {_quoted(word)}: a station goes to the row of its own colour; write board {card}")
        return [card], row if card == "C" else ""
    if verb == "build":
        if not arrow or _number(place):
            return [card], place
        colour = place[3:].upper()
        if not place.startswith("new") or colour not in ("", *NAMES):
            raise ValueError(f"build {_quoted(word)}: onto which column? write {card}>0 (an own column) or {card}>new")
        if card == "C":
            return [card], "new" + colour
        if colour not in ("", card[0]):
            raise ValueError(f"build {_quoted(word)}: a {NAMES[card[0]]} card opens a {NAMES[card[0]]} column; write {card}>new")
        return [card], "new"
    if arrow:
        raise ValueError(f"{verb} {_quoted(word)}: nothing comes behind the card; write for example {_EXAMPLES[verb]}")
    return [card], ""


def _number(place: str) -> bool:
    return place.isascii() and place.isdigit() and len(place) < 3


def _quoted(word: str) -> str:
    return repr(word[:24])


def _as_typed(verb: str, items: list[tuple[list[str], str]], turn: Turn, renumbered: dict[int, int]) -> list[str]:
    """The events of one step in the order typed, with the numbers that columns have on the line."""
    if verb == "board":
        return [f"board {card}>{row}" if row else f"board {card}" for cards, row in items for card in cards]
    if verb == "bank":
        return [f"bank {card}" for cards, _ in items for card in cards]
    if verb == "buy":
        return [f"buy {tram}>{_the_new_column(tram, renumbered) if place == 'new' else place}" for (tram,), place in items]
    events, columns = [], len(turn.mine)
    for (card, *more), place in items:
        number = place
        if place.startswith("new"):
            place = f"new{_colour([card, *more], place)}" if card == "C" else "new"
            number = columns
            columns += 1
        events.append(f"build {card}>{place}")
        events += [f"build {other}>{number}" for other in more]
    return events


def _the_new_column(tram: str, renumbered: dict[int, int]) -> int:
    """The column that ``buy 2>new`` means."""
    if len(renumbered) != 1:
        raise ValueError(f"buy {tram}>new: {len(renumbered) or 'no'} columns are opened on this line; write the column's number")
    return next(iter(renumbered))


def _sorted(verb: str, items: list[tuple[list[str], str]], turn: Turn, renumbered: dict[int, int]) -> list[str]:
    """The events of one step in the engine's order; `renumbered` gets, and gives, the numbers of the columns opened on the line."""
    if verb == "build":
        return _sorted_builds(items, turn, renumbered)
    if verb == "buy":
        wanted = [(_the_new_column(tram, renumbered) if place == "new" else int(place), tram) for (tram,), place in items]
        return [f"buy {tram}>{number}" for number, tram in sorted((renumbered.get(number, number), tram) for number, tram in wanted)]
    events = _as_typed(verb, items, turn, renumbered)
    return events if verb == "board" else sorted(events, key=lambda event: ORDER.get(event.split()[1], len(CARDS)))


def _sorted_builds(items: list[tuple[list[str], str]], turn: Turn, renumbered: dict[int, int]) -> list[str]:
    """Cards by column, new columns by their first card; the order within a column is kept."""
    first = len(turn.mine)
    old: dict[int, list[str]] = {}
    new: list[tuple[str, list[str]]] = []  # colour and cards, in the order typed
    for cards, place in items:
        if place.startswith("new"):
            new.append((_colour(cards, place), list(cards)))
        elif int(place) < first:
            old.setdefault(int(place), []).extend(cards)
        elif int(place) < first + len(new):
            new[int(place) - first][1].extend(cards)
        else:
            there = f"own columns are numbered 0 to {first + len(new) - 1}" if first + len(new) else "there are none yet"
            raise ValueError(f"build {cards[-1]}>{place}: no column {place}; {there}, >new opens one")
    order = sorted(range(len(new)), key=lambda number: opening_key(new[number][1][0], new[number][0]))
    renumbered.update({first + number: first + place for place, number in enumerate(order)})
    events = [f"build {card}>{number}" for number in sorted(old) for card in old[number]]
    for place, number in enumerate(order):
        colour, (card, *more) = new[number]
        events.append(f"build C>new{colour}" if card == "C" else f"build {card}>new")
        events += [f"build {card}>{first + place}" for card in more]
    return events


def _colour(cards: list[str], place: str) -> str:
    """The colour of a new column: as declared, or that of its stations."""
    colours = dict.fromkeys([*place[3:], *(card[0] for card in cards if card != "C")])
    if not colours:
        raise ValueError(f"build {' '.join(cards)}>new: of which colour? write C>newB, C>newR, C>newG or C>newY")
    if len(colours) > 1:
        raise ValueError(f"build {' '.join(cards)}>{place}: a column has one colour; write >new behind the first card of each column")
    return next(iter(colours))
