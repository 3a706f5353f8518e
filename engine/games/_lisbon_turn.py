"""Lisbon Tram 28's turns as people type and read them.

`parse_turn` reads a line such as ``move R chiado carmo; board; end`` into events, `explain` says what an event brings. Both know
a game only through a view (`to_dict`); whether a move is legal in the end the engine decides.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress

from wattman.engine.games._lisbon_board import COLOURS, MONUMENT, STOP, Board
from wattman.engine.games._lisbon_view import (
    BONUS_WORDS,
    COLOUR_OF,
    board_of,
    demand,
    in_order,
    lacking,
    moving_tram,
    points,
    seats,
    shown_cards,
    tickets,
    unlocks,
)
from wattman.engine.tomlfile import listed, show

_ALONE = ("board", "ring", "ring3", "bonus", "end", "halt", "pay", "decline")
_WORDS = "move, step, free, board, ring, ring3, swap, pay, decline, keep, claim, bonus, halt, end, shunt, place"
_OTHERS = ("bag", "ticket", "card", "paid")  # what people do not type, but a real table shows
_ALIASES = {"pickup": "board", "push": "shunt", "done": "halt"}


class Turn:
    """A turn as far as a view shows it: where the mover is and who waits where."""

    def __init__(self, view: dict):
        self.view = view
        self.board: Board = board_of(view)
        self.player = view["on_turn"]
        self.at = view["players"][self.player]["tram"]
        self.stops = dict(view["stops"])
        self.aboard = view["players"][self.player]["aboard"]
        hand = view["players"][self.player]["hand"]
        self.hand = None if "?" in hand else Counter(hand)  # None: it is not known, or no longer
        self.colour = view["turn"]["move"][0] if view["step"] == "moving" else ""

    def open(self, place: str) -> bool:
        """Whether trams stop at a place."""
        kind = self.board.places[self.board.place_numbers[place]].kind
        return kind != STOP or bool(self.stops.get(place))

    def runs(self) -> list[list[str]]:
        """The paths of a single step from here, shortest first."""
        board, number = self.board, self.board.place_numbers
        start = number[self.at]
        found: list[list[int]] = []

        def go(path: list[int]) -> None:
            here = path[-1] if path else start
            before = (path[-2] if len(path) > 1 else start) if path else None
            for place in board.neighbours[here]:
                if place == start or place in path or (before is not None and (before, here, place) in board.no_turn):
                    continue
                longer = [*path, place]
                if self.open(board.places[place].id):
                    found.append(longer)
                else:
                    go(longer)

        go([])
        return [[board.places[place].id for place in path] for path in sorted(found, key=lambda path: (len(path), path))]

    def path(self, verb: str, word: str) -> str:
        """A typed path or landing place as the notation writes it; ValueError if no step leads there."""
        word = word.lower()
        for name in word.split("-"):
            if name not in self.board.place_numbers:
                raise ValueError(f"{verb} {show(word)}: {show(name)} is no place{_close(name, self.board)}")
        if "-" in word:
            return word
        runs = self.runs()
        ways = [run for run in runs if run[-1] == word]
        if not ways:
            if word == self.at:
                raise ValueError(f"{verb} {word}: the tram is there already")
            closed = "" if self.open(word) else f"nobody waits at {word}, so trams do not stop there; "
            raise ValueError(f"{verb} {word}: {closed}one step leads from {self.at} to {listed(dict.fromkeys(run[-1] for run in runs))}")
        if len(ways) > 1 and len(ways[0]) == len(ways[1]):
            raise ValueError(f"{verb} {word}: by which way? {listed('-'.join(way) for way in ways)}")
        return "-".join(ways[0])

    def held(self) -> str:
        """What is left in hand, in words."""
        return f"the hand has {in_order(self.hand.elements()) or 'no ticket'}"

    def pay(self, what: str, need: str) -> None:
        """Takes tickets out of the hand; ValueError if it cannot pay, swaps counted."""
        if self.hand is None:
            return
        missing, rest = Counter(need) - self.hand, self.hand - Counter(need)
        if missing.total() > sum(count // 3 for count in rest.values()):
            raise ValueError(f"{what}: {need} to pay, and {self.held()}; three of a colour stand for any one")
        self.hand = None if missing else rest  # which tickets a swap takes, who can tell

    def pick_up(self) -> tuple[str, str]:
        """Who comes aboard from the group here, and who stays; afterwards that is so."""
        group, limit = self.stops.get(self.at, ""), seats(self.board, self.view["players"][self.player])
        coming = ""
        for colour in COLOURS:
            coming += colour * max(0, min(group.count(colour), limit - self.aboard.count(colour)))
        staying = in_order((Counter(group) - Counter(coming)).elements())
        self.stops[self.at] = staying
        self.aboard = in_order(self.aboard + coming)
        return coming, staying


def _close(name: str, board: Board) -> str:
    import difflib

    close = difflib.get_close_matches(name[:60], board.place_numbers, 1)
    return f"; did you mean {close[0]}?" if close else ""


# --- in words ---


def explain(event: str, view: dict) -> str:
    """A move or event in words: its notation, and in brackets what it brings, e.g. ``step carmo (pushes Pink)``.

    Parameters
    ----------
    event : str
        The notation of an event, or of what an onlooker sees of one.
    view : dict
        Plain data of the state before it.
    """
    note = ""
    with suppress(ValueError, KeyError, IndexError):  # an event that is not of this moment: nothing to say about it
        words = event.removeprefix("first ").split()
        if words != event.split() and len(words) == 3:  # "first step carmo R": the colour of the move
            words.insert(2, "for")
        note = _NOTES.get(words[0], lambda turn, *rest: "")(Turn(view), *words[1:])
    return f"{event} ({note})" if note else event


def tram_name(view: dict, seat: int) -> str:
    """A tram in a sentence, by its colour."""
    label = board_of(view).player_boards[seat].label
    return f"{label} (you)" if seat == view["player"] else label


def _note_bag(turn: Turn, colour: str) -> str:
    note = f"a {COLOUR_OF[colour]} passenger"
    if turn.view["step"] != "setup bag":
        return note
    return f"{note} at {next(stop for stop, group in turn.stops.items() if len(group) < turn.board.each_stop)}"


def _note_step(turn: Turn, path: str, *more: str) -> str:
    places = path.split("-")
    met = [seat for place in places for seat in _trams(turn, place)]
    notes = []
    if met:
        notes.append("pushes " + listed((tram_name(turn.view, seat) for seat in met), "and"))
    if more:
        notes.append(f"pays {more[1]}" if more[0] == "for" else f"pays {more[0] * 3}")
    return ", ".join([*notes, *_there(turn, places[-1])])


def _trams(turn: Turn, place: str) -> list[int]:
    """Trams that would be pushed from a place."""
    if turn.board.places[turn.board.rossio].id == place:
        return []
    return [seat for seat, player in enumerate(turn.view["players"]) if player["tram"] == place and seat != turn.player]


def _there(turn: Turn, place: str) -> list[str]:
    """What a landing place offers the mover."""
    board, number = turn.board, turn.board.place_numbers[place]
    waiting = turn.stops.get(place, "")
    notes = [f"{waiting} wait there"] if waiting else []
    notes += [f"card {card}" for card in shown_cards(turn.view, place)]
    if board.places[number].colour >= 0:
        colour = COLOURS[board.places[number].colour]
        bonus = unlocks(board, turn.player)[colour]
        if bonus not in turn.view["players"][turn.player]["bonuses"]:
            notes.append(f"{BONUS_WORDS[bonus]} for {colour * 3}")
    return notes


def _note_board(turn: Turn, *more: str) -> str:
    """Also what others see of it: ``board for RRYYY``."""
    coming, staying = turn.pick_up()
    note = f"picks up {len(coming)}: {coming}" if coming else "picks up nobody"
    return note + (f", {staying} stay{'s' * (len(staying) == 1)}" if staying else "")


def _note_ring(turn: Turn) -> str:
    return f"one more joins {turn.stops[turn.at]}, then all or nobody"


def _note_ring3(turn: Turn) -> str:
    return f"one of three joins {turn.stops[turn.at]}, then all or nobody"


def _note_claim(turn: Turn, card: str, side: str = "") -> str:
    board, row = turn.board, turn.view["players"][turn.player]["row"]
    longer = [card, *row] if side == "L" else [*row, card]
    joined = tickets(board, longer) - tickets(board, row)
    vp = board.cards[board.card_numbers[card]].vp
    note = f"{vp} VP" + (f" and {joined} from tickets" if joined else "")
    return f"{note}: {points(board, longer)} in all"


def _note_bonus(turn: Turn, *more: str) -> str:
    colour = COLOURS[turn.board.places[turn.board.place_numbers[turn.at]].colour]
    return f"{BONUS_WORDS[unlocks(turn.board, turn.player)[colour]]}, for {colour * 3}"


def _note_swap(turn: Turn, swap: str) -> str:
    return f"{swap[2] * 3} for {swap[0]}"


def _note_pay(turn: Turn, *more: str) -> str:
    """Also what others see of it: ``paid RRYYY``."""
    return _note_bonus(turn) if turn.view["turn"]["purpose"] == "bonus" else _note_board(turn)


def _note_shunt(turn: Turn, place: str) -> str:
    return f"{tram_name(turn.view, moving_tram(turn.view)[0])} is pushed towards {place}"


_NOTES = {
    "step": _note_step,
    "free": _note_step,
    "board": _note_board,
    "ring": _note_ring,
    "ring3": _note_ring3,
    "claim": _note_claim,
    "bonus": _note_bonus,
    "swap": _note_swap,
    "pay": _note_pay,
    "paid": _note_pay,
    "decline": lambda turn: "nobody boards, the action is lost",
    "keep": lambda turn, colour: f"a {COLOUR_OF[colour]} passenger stays, the others go back",
    "shunt": _note_shunt,
    "place": lambda turn, stop: f"{turn.view['turn']['drawn']} wait there",
    "end": lambda turn: "",
    "bag": _note_bag,
    "ticket": lambda turn, colour: "a ticket unseen" if colour == "?" else f"a {COLOUR_OF[colour]} ticket",
}


# --- typed turns ---


def parse_turn(line: str, view: dict) -> list[str]:
    """The events of a typed line, in the order in which they can be applied.

    - A verb holds for what stands behind it: ``move R chiado carmo`` is ``move R; step chiado; step carmo``.
    - A step is written by its path or by its landing place alone; stops that are run through are then found, as far as there is one
      shortest way.
    - A colour behind a place says that three of it pay for the step: ``step chiado Y``, also ``YYY``.
    - ``claim carmo L``: the card on display at a monument, if there is one only.
    - Small and capital letters are the same; parts are separated by ``;``, ``,`` or blanks.

    Parameters
    ----------
    line : str
    view : dict
        Plain data as the mover sees it before the line.

    Raises
    ------
    ValueError
        If the line cannot be read or makes no sense. The engine still decides whether each event is legal.
    """
    turn, events = Turn(view), []
    for verb, words in _groups(line, turn.board):
        events += _PARSERS.get(verb, _parse_alone)(turn, verb, words)
    return events


def _groups(line: str, board: Board) -> list[tuple[str, list[str]]]:
    """The parts of a line: a verb and the words behind it."""
    words = re.sub(r"\s*<\s*", "<", line).replace(";", " ; ").replace(",", " ; ").split()
    groups: list[tuple[str, list[str]]] = []
    fresh = True
    for word in words:
        if word == ";":
            fresh = True
            continue
        lower = word.lower()
        verb = _ALIASES.get(lower, lower)
        # A place or a card may be called like a verb: behind a verb that wants one it is one.
        named = lower in board.place_numbers or lower in board.card_numbers
        if (fresh or not named) and (verb in _ALONE or verb in _PARSERS or verb in _OTHERS):
            groups.append((verb, []))
        elif groups:
            groups[-1][1].append(word)
        else:
            raise ValueError(f"{show(word)}: expected one of {_WORDS}")
        fresh = False
    return groups


def _parse_alone(turn: Turn, verb: str, words: list[str]) -> list[str]:
    if verb in _OTHERS:
        return [f"{verb} {word.lower() if verb == 'card' else word.upper()}" for word in words]
    if words:
        raise ValueError(f"{verb} {show(words[0])}: nothing comes behind {verb}; expected one of {_WORDS}")
    if verb in ("board", "ring", "ring3"):
        if not turn.stops.get(turn.at):
            raise ValueError(f"{verb}: nobody waits at {turn.at}")
        turn.pay(verb, turn.stops[turn.at])
    if verb == "board":
        turn.pick_up()
    elif verb == "bonus":
        _check_bonus(turn)
    elif verb in ("ring", "ring3", "pay", "decline", "end"):
        turn.hand = None  # what comes of it is not known
    return [verb]


def _check_bonus(turn: Turn) -> None:
    colour = turn.board.places[turn.board.place_numbers[turn.at]].colour
    if colour < 0:
        raise ValueError(f"bonus: {turn.at} is no bonus stop; they are {listed(turn.board.places[i].id for i in turn.board.bonus_stops)}")
    bonus = unlocks(turn.board, turn.player)[COLOURS[colour]]
    if bonus in turn.view["players"][turn.player]["bonuses"]:
        raise ValueError(f"bonus: {turn.at} unlocks {BONUS_WORDS[bonus]}, which is there already")
    turn.pay("bonus", COLOURS[colour] * 3)


def _parse_move(turn: Turn, verb: str, words: list[str]) -> list[str]:
    if not words or not _colour(words[0]):
        raise ValueError(f"move: with tickets of which colour? write for example move R {turn.runs()[0][-1]}")
    turn.colour = _colour(words[0])[0]
    if turn.hand is not None and not turn.hand[turn.colour]:
        raise ValueError(f"move {turn.colour}: no {COLOUR_OF[turn.colour]} ticket to pay a step; {turn.held()}")
    return [f"move {turn.colour}", *(_parse_steps(turn, "step", words[1:]) if words[1:] else [])]


def _parse_steps(turn: Turn, verb: str, words: list[str]) -> list[str]:
    if not words:
        raise ValueError(f"{verb}: where to? one step leads from {turn.at} to {listed(dict.fromkeys(run[-1] for run in turn.runs()))}")
    events: list[str] = []
    for word, behind in zip(words, [*words[1:], ""], strict=True):
        if events and verb == "step" and _exchange(turn, word) and len(events[-1].split()) == 2:
            events[-1] += f" {_exchange(turn, word)}"
            continue
        path = turn.path(verb, word)
        events.append(f"{verb} {path}")
        pushed = [seat for place in path.split("-") for seat in _trams(turn, place)]
        turn.at = path.split("-")[-1]
        if verb == "step":
            _pay_step(turn, events[-1], _exchange(turn, behind))
        if pushed:
            turn.hand = None  # a ticket will be drawn
    return events


def _exchange(turn: Turn, word: str) -> str:
    """The colour of which three pay for a step, if a word says so."""
    return "" if word.lower() in turn.board.place_numbers else _colour(word)[:1]


def _pay_step(turn: Turn, step: str, exchange: str) -> None:
    if turn.hand is None or not turn.colour:
        return
    colour, count = (exchange, 3) if exchange else (turn.colour, 1)
    if turn.hand[colour] < count:
        told = f"{count} {colour} to pay" if exchange else f"no {colour} is left to pay it"
        raise ValueError(f"{step}: {told}, {turn.held()}; a step costs one {turn.colour}, or three of another colour: {step} Y")
    turn.hand[colour] -= count


def _colour(word: str) -> str:
    """A typed colour, one letter or three of them, in capitals; else nothing."""
    upper = word.upper()
    return upper if upper in {colour * count for colour in COLOURS for count in (1, 3)} else ""


def _parse_claim(turn: Turn, verb: str, words: list[str]) -> list[str]:
    board = turn.board
    here = [card for card in turn.view["display"] if card and board.places[board.cards[board.card_numbers[card]].monument].id == turn.at]
    side = words[-1].upper() if words and words[-1].upper() in ("L", "R") else ""
    names = [word.lower() for word in (words[:-1] if side else words)]
    if len(names) > 1:
        raise ValueError(f"claim {show(' '.join(names))}: one card at a time; write for example claim {names[0]} L")
    wanted = names[0] if names else turn.at
    if wanted in board.place_numbers and wanted not in board.card_numbers:
        kind = board.places[board.place_numbers[wanted]].kind
        there = shown_cards(turn.view, wanted)
        if not there:
            what = "no card of it is on display" if kind == MONUMENT else "it is no monument"
            raise ValueError(f"claim {wanted}: {what}; on display: {listed(card for card in turn.view['display'] if card)}")
        if len(there) > 1:
            raise ValueError(f"claim {wanted}: which card? {listed(there)}")
        wanted = there[0]
    elif wanted not in board.card_numbers:
        raise ValueError(f"claim {show(wanted)}: no such card; here: {listed(here) if here else 'none'}")
    monument = board.places[board.cards[board.card_numbers[wanted]].monument].id
    if monument != turn.at:
        raise ValueError(f"claim {wanted}: it is claimed at {monument}, and the tram is at {turn.at}")
    missing = lacking(demand(board, wanted), turn.aboard)
    if missing and turn.hand is not None:
        raise ValueError(f"claim {wanted}: {missing} lacks aboard")
    row = turn.view["players"][turn.player]["row"]
    if row and not side:
        raise ValueError(f"claim {wanted}: at which end of your row? claim {wanted} L (left) or claim {wanted} R (right)")
    turn.aboard = lacking(turn.aboard, demand(board, wanted))
    return [f"claim {wanted}" + (f" {side}" if side else "")]


def _parse_colours(turn: Turn, verb: str, words: list[str]) -> list[str]:
    if len(words) != 1 or words[0].upper() not in COLOURS:
        raise ValueError(f"{verb}: which colour? write for example {verb} R")
    return [f"{verb} {words[0].upper()}"]


def _parse_swap(turn: Turn, verb: str, words: list[str]) -> list[str]:
    events = []
    for word in words or [""]:
        if not re.fullmatch(r"[RYGB]<[RYGB]", word.upper()):
            raise ValueError(f"swap {show(word)}: write swap R<Y for three yellow in place of one red")
        events.append(f"swap {word.upper()}")
    return events


def _parse_place(turn: Turn, verb: str, words: list[str]) -> list[str]:
    if len(words) != 1:
        raise ValueError(f"{verb}: {'towards' if verb == 'shunt' else 'at'} which place? write one")
    if words[0].lower() not in turn.board.place_numbers:
        raise ValueError(f"{verb} {show(words[0])}: no such place{_close(words[0].lower(), turn.board)}")
    return [f"{verb} {words[0].lower()}"]


_PARSERS = {
    "move": _parse_move,
    "step": _parse_steps,
    "free": _parse_steps,
    "claim": _parse_claim,
    "keep": _parse_colours,
    "swap": _parse_swap,
    "shunt": _parse_place,
    "place": _parse_place,
}
