"""Trambahn's position files: a person's layout to plain data and back. The layout is described by `TEMPLATE`.

Plain data is what ``Game.info_from_dict`` takes: seats instead of "you" and "opponent", every pile as a list of cards with ``"?"`` where a
card is unknown, columns as ``{"colour", "cards", "tram"}``, defaults filled in.
"""

from __future__ import annotations

import re
from collections import Counter

from wattman.engine.games._trambahn_checks import (
    DEALT,
    DECK,
    STACK,
    TURN,
    check_columns,
    check_copies,
    check_step,
    column_text,
    lying,
    market,
    paid,
    turn_so_far,
)
from wattman.engine.games._trambahn_text import (
    CARDS,
    COLOURS,
    EXTRA_TOUR,
    HAND,
    NAMES,
    ORDER,
    ROW,
    SCORINGS,
    STEPS,
    TRAM_COPIES,
    TRAMS,
    column_top,
    extra_score,
    fits,
)
from wattman.engine.tomlfile import Section, listed, show

_KEYS = [
    *("game", "player", "to_move", "step", "scorings", "draw_pile", "reshuffles"),
    *("options", "turn", "rows", "you", "opponent", "discard", "supply", "memory"),
]
_SIDE = ["hand", "money", "columns", "score", "regular", "extra"]
BUILDING = ("stations", "income", "trams")  # the steps in which columns without a tram can lie on the table
_UNKNOWN = re.compile(r"\?(?:\*(\d{1,3}))?")
_COLUMN = (
    'a column is written "R 3 C 7 8 x3": colour B, R, G or Y, the cards in order of play (values 1..10, C), the tram x2, x3 or x4 if any'
)


# --- cards and columns ---


def _card(text: str) -> str:
    """A card as written, or ValueError in words."""
    card = text.strip().upper()
    if card in ORDER:
        return card
    if card[:1] in NAMES and card[1:].isdecimal():
        raise ValueError(f"{show(text)} is no card; values run from 1 to 10 ({card[0]}1..{card[0]}10), C is the conductor")
    raise ValueError(f"{show(text)} is no card; a card is a colour B, R, G or Y with a value 1..10 (B7), or C for the conductor")


def _cards(section: Section, key: str, expected: str, unknown: str, most: int = DECK) -> list[str]:
    """A list of cards; `unknown` says why "?" is wrong, empty if it is allowed."""
    cards = []
    for text in section.texts(key, expected, []):
        unseen = _UNKNOWN.fullmatch(text.strip())
        if unseen and unknown:
            raise section.error(key, f"{show(text)}: {unknown}")
        try:
            cards += ["?"] * int(unseen[1] or 1) if unseen else [_card(text)]
        except ValueError as error:
            raise section.error(key, str(error)) from None
        if len(cards) > most:
            raise section.error(key, f"more than {most} cards; expected {expected}")
    return cards


def _column(text: str) -> dict:
    """A column as written, or ValueError in words."""
    words = text.upper().split()
    if not words or words[0] not in NAMES:
        raise ValueError(f"{show(text)}: begins with no colour; {_COLUMN}")
    column = {"colour": words[0], "cards": [], "tram": 0}
    for word in words[1:]:
        if column["tram"]:
            raise ValueError(f"{show(text)}: the tram x{column['tram']} comes last")
        if word[0] in "X×":
            if word[1:] not in ("2", "3", "4"):
                raise ValueError(f"{show(text)}: {show(word.lower())} is no tram; trams are x2, x3 and x4")
            column["tram"] = int(word[1:])
            continue
        card = "C" if word == "C" else column["colour"] + word
        if card not in ORDER:
            raise ValueError(f"{show(text)}: {show(word)} is neither a value 1..10 nor C; {_COLUMN}")
        top = column_top(column)
        if top == 10:
            raise ValueError(f"{show(text)}: {show(word)} lies behind the 10; a 10 completes a column")
        if not fits(card, column):
            raise ValueError(f"{show(text)}: {word} does not fit behind {top}; values ascend in a column")
        column["cards"].append(card)
    if not column["cards"]:
        raise ValueError(f"{show(text)}: has no card; {_COLUMN}")
    if len(column["cards"]) >= EXTRA_TOUR and not column["tram"]:
        raise ValueError(
            f"{show(text)}: {len(column['cards'])} cards without a tram; a column without one is of this turn and has at most 5"
        )
    return column


# --- reading ---


def from_file(data: dict, options: dict) -> dict:
    """A parsed position file as plain data.

    Parameters
    ----------
    data : dict
        The whole file as tomllib gives it.
    options : dict
        The game's options, defaults filled in.

    Raises
    ------
    ValueError
        At the first problem: one line that names the key, what is wrong and what is allowed.
    """
    top = Section(data, "", _KEYS)
    player = top.whole("player", 0, 1, 0, "the number of your seat,")
    mover = top.whole("to_move", 0, 1, player, "the number of the player on turn,")
    step = top.word("step", STEPS, "passengers")
    scorings = top.whole("scorings", 0, SCORINGS, what="the number of regular scorings so far,")
    reshuffles = top.whole("reshuffles", 0, 250, 0)
    if scorings == SCORINGS and step != "over":
        raise top.error("scorings", f'{SCORINGS}, which ends the game, but the step is {show(step)}; expected 0 to 9, or the step "over"')
    rows = _read_rows(top.section("rows", COLOURS))
    sides = {player: _read_side(top.section("you", _SIDE), True), 1 - player: _read_side(top.section("opponent", _SIDE), False)}
    plain = {
        "game": "trambahn",
        "options": dict(options),
        "player": player,
        "to_move": {"deal": -1, "draw": -1, "over": -4}.get(step, mover),
        "on_turn": mover,
        "step": step,
        "scorings": scorings,
        "draw_pile": 0,
        "reshuffles": reshuffles,
        "turn": dict(TURN),
        "rows": rows,
        "supply": [],
        "stack": [],
        "discard": [],
        "players": [sides[0], sides[1]],
        "memory": top.section("memory").data,
    }
    check_columns(plain)
    _read_supply(top.section("supply", ["open", "stack"]), plain)
    seen = _cards(top.section("discard", ["seen"]), "seen", 'a list of cards known to lie on the discard pile, such as ["B2", "C"]', "")
    check_copies(plain, seen)
    _read_piles(top, plain, seen)
    _read_turn(top.section("turn", TURN), plain)
    check_step(plain)
    return plain


def _read_rows(section: Section) -> dict[str, list[str]]:
    rows = {}
    for colour, name in NAMES.items():
        cards = _cards(
            section,
            colour,
            f'a list of the passengers waiting for {name}, such as ["{colour}2", "C"]',
            "waiting passengers lie open; write the card",
        )
        if len(cards) >= ROW:
            raise section.error(
                colour, f"{len(cards)} passengers wait; at most 3 can, the fourth makes a scoring and the row is empty again"
            )
        for card in cards:
            if card != "C" and card[0] != colour:
                raise section.error(colour, f"{show(card)} waits in the {NAMES[card[0]]} row; here only {colour}1..{colour}10 and C")
        rows[colour] = cards
    return rows


def _read_side(section: Section, own: bool) -> dict:
    """One player: the table [you] or [opponent]."""
    if own:
        hand = _cards(section, "hand", 'a list of your cards, such as ["B9", "C"]', "you know your own hand; write the card", HAND)
        if "hand" not in section:
            raise section.error("hand", 'missing; expected a list of your cards, such as ["B9", "C"]')
    elif isinstance(section.data.get("hand"), list):
        hand = _cards(section, "hand", 'a number of cards, or a list such as ["B9", "?*5"]', "", HAND)
    else:
        hand = ["?"] * section.whole("hand", 0, HAND, HAND, "a number of cards")
    if isinstance(section.data.get("money"), list):
        money = _cards(section, "money", 'a number of cards, or a list from bottom to top such as ["?*12", "B3"]', "")
    else:
        money = ["?"] * section.whole("money", 0, DECK, what="the number of cards in the money pile (or a list of them)")
    columns = []
    for text in section.texts("columns", 'a list of columns such as ["R 3 C 7 8 x3", "Y 1 2"]', []):
        try:
            columns.append(_column(text))
        except ValueError as error:
            raise section.error("columns", str(error)) from None
    return {"hand": sorted(hand, key=lambda card: ORDER.get(card, len(CARDS))), "money": money, "columns": columns} | _read_score(
        section, columns
    )


def _read_score(section: Section, columns: list[dict]) -> dict:
    tours = extra_score(columns)
    if "score" in section:
        for key in ("regular", "extra"):
            if key in section:
                raise section.error(key, "given beside score; write either score (all points) or regular and extra (the two kinds)")
        score = section.whole("score", 0, 2000)
        extra = min(score, tours)
        return {"regular": score - extra, "extra": extra}
    extra = section.whole("extra", 0, 2000, tours)
    if extra and not tours:
        raise section.error("extra", f"{extra} points of Extra Tours, but no column has {EXTRA_TOUR} cards; expected 0")
    return {"regular": section.whole("regular", 0, 2000, 0), "extra": extra}


def _read_supply(section: Section, plain: dict) -> None:
    """Open trams and stack, which together with the columns are all sixteen."""
    players, names = plain["players"], ", ".join(f"{TRAM_COPIES[tram]} x{tram}" for tram in TRAMS)
    used = Counter(column["tram"] for player in players for column in player["columns"] if column["tram"])
    for tram in TRAMS:
        if used[tram] > TRAM_COPIES[tram]:
            raise ValueError(f"columns: {used[tram]} trams x{tram} on the columns of both; there are {names}")
    if not section.data:
        open_and_stack = market(players)
        if open_and_stack is None:
            dear = max(used)
            raise ValueError(
                f"columns: a tram x{dear} cannot be among the first {used.total()} bought; the stack is {names}, three are open at a time"
            )
        plain["supply"], plain["stack"] = open_and_stack
        return
    left = Counter(TRAM_COPIES) - used
    if "stack" in section:
        counts = section.wholes("stack", "how many trams x2, x3, x4 are in the stack, such as [0, 2, 7]")
        if len(counts) != len(TRAMS) or any(not 0 <= count <= TRAM_COPIES[tram] for count, tram in zip(counts, TRAMS, strict=False)):
            raise section.error(
                "stack", "expected three numbers: how many of x2 (at most 5), x3 (at most 4) and x4 (at most 7) are in the stack"
            )
        stack = Counter(dict(zip(TRAMS, counts, strict=True)))
    else:
        stack = None
    if "open" in section:
        trams = section.wholes("open", "a list of the open trams, such as [2, 2, 3]")
        for tram in trams:
            if tram not in TRAMS:
                raise section.error("open", f"{show(tram)} is no tram; trams are 2, 3 and 4")
        if len(trams) > 3:
            raise section.error("open", f"{len(trams)} trams; at most three are open")
        supply = Counter(trams)
    else:
        supply = left - stack
    if stack is None:
        stack = left - supply
    for tram in TRAMS:
        total = used[tram] + supply[tram] + stack[tram]
        if total != TRAM_COPIES[tram]:
            raise ValueError(f"[supply]: {total} trams x{tram} on columns, open and in the stack; there are {TRAM_COPIES[tram]}")
    if sorted(stack.elements()) != STACK[len(STACK) - stack.total() :]:
        lower = [f"{(Counter(STACK[len(STACK) - stack.total() :]))[tram]} x{tram}" for tram in TRAMS]
        raise ValueError(f"[supply]: the stack is sorted with x2 on top, so its last {stack.total()} trams are {listed(lower, 'and')}")
    if supply.total() > 3:
        raise ValueError(f"[supply]: {supply.total()} trams would be open; at most three are")
    if supply.total() < 3 and stack.total() and plain["step"] in ("passengers", "stations", "income"):
        raise ValueError(
            f'[supply]: {supply.total()} open and {stack.total()} in the stack; before the step "trams" three are open while there are any'
        )
    plain["supply"], plain["stack"] = sorted(supply.elements()), [stack[tram] for tram in TRAMS]


def _read_piles(top: Section, plain: dict, seen: list[str]) -> None:
    """The draw pile, and the discard pile from what is left over."""
    left = DECK - lying(plain)
    if left < 0:
        raise ValueError(
            f"[you].money, [opponent].money: {DECK - left} cards lie in hands, money piles, rows and columns; there are {DECK}"
        )
    if "draw_pile" not in top and plain["reshuffles"] == 0:
        # Until the first reshuffle the discard pile holds all scored passengers and all payments.
        draw = left - ROW * plain["scorings"] - paid(plain["players"])
        if draw < 0:
            raise top.error("draw_pile", f"missing; it cannot be worked out (it would be {draw}), expected a number from 0 to {left}")
    else:
        draw = top.whole("draw_pile", 0, DECK, what="the number of cards in the draw pile,")
    if draw > left:
        raise top.error(
            "draw_pile", f"{draw} cards, but {DECK - left} of {DECK} lie in hands, money piles, rows and columns; expected at most {left}"
        )
    plain["draw_pile"] = draw
    if len(seen) > left - draw:
        problem = f"{len(seen)} cards, but the discard pile has {left - draw}, all that the other piles leave of {DECK}"
        raise ValueError(f"[discard].seen: {problem}")
    plain["discard"] = seen + ["?"] * (left - draw - len(seen))


def _read_turn(section: Section, plain: dict) -> None:
    """What happened in this turn, as far as the table does not show it."""
    step, columns = plain["step"], plain["players"][plain["on_turn"]]["columns"]
    turn = plain["turn"] = dict(turn_so_far(step, columns))
    building = step in ("stations", "income")
    for key, steps in {
        "column": building,
        "opened": building,
        "banked": step == "income",
        "bought": step == "trams",
        "dealt": step == "deal",
    }.items():
        if key in section and not steps and section.data[key] != TURN[key]:
            wanted = {"banked": '"income"', "bought": '"trams"', "dealt": '"deal"'}.get(key, '"stations" or "income"')
            raise section.error(key, f"belongs to the step {wanted}, but the step is {show(step)}; leave it out")
    boarded = section.whole("boarded", 0, 1 if step == "passengers" else 2, 0, "the number of passengers played in this turn,")
    turn["boarded"] = boarded if step == "passengers" else 0
    if building:
        turn["column"] = section.whole("column", 0, max(0, len(columns) - 1), turn["column"], "the number of an own column (from 0),")
        _read_opened(section, plain)
        if step == "stations" and turn["opened"] and turn["column"] != len(columns) - 1:
            raise section.error(
                "column", f"{turn['column']}, but column {len(columns) - 1} was opened in this turn; expected {len(columns) - 1}"
            )
    if step == "income":
        banked = section.text("banked", 'a card such as "R3", "?" or ""', "")
        if banked not in ("", "?"):
            try:
                banked = _card(banked)
            except ValueError as error:
                raise section.error("banked", str(error)) from None
        if banked == "?" and plain["on_turn"] == plain["player"]:
            raise section.error("banked", '"?": you know what you banked; write the card')
        turn["banked"] = banked
    if step == "trams":
        turn["bought"] = section.whole(
            "bought", -1, max(-1, len(columns) - 1), -1, "the number of the column that got a tram last (-1: none),"
        )
        if turn["bought"] >= 0 and not columns[turn["bought"]]["tram"]:
            raise section.error(
                "bought", f"column {turn['bought']} has no tram; expected the number of a column that got one in this turn, or -1"
            )
        if turn["bought"] >= 0 and len(plain["supply"]) == 3:
            raise ValueError("[supply].open: three trams are open after a purchase in this turn; write which are left (open = [2, 3])")
    if step == "deal":
        turn["dealt"] = section.whole("dealt", 0, DEALT - 1, None, "the number of cards dealt so far,")


def _read_opened(section: Section, plain: dict) -> None:
    turn = plain["turn"]
    given = section.text(
        "opened", 'the first card of the column opened last, such as "B7" ("CB": a conductor declared Blue)', turn["opened"]
    ).upper()
    if given in ("", turn["opened"]):
        if not given and turn["opened"] and plain["step"] == "stations":
            raise section.error("opened", f'"" but a column without a tram is there, opened in this turn; expected {show(turn["opened"])}')
        turn["opened"] = given
        return
    if not turn["opened"]:
        raise section.error("opened", f"{show(given)}, but no own column is without a tram; leave it out")
    raise section.error("opened", f"{show(given)}, but the last column begins with {show(turn['opened'])}; expected that")


# --- writing ---


def _pile(cards: list[str]) -> list[str]:
    """A list of cards with runs of unknown ones drawn together."""
    words: list[str] = []
    run = 0
    for card in [*cards, None]:
        if card == "?":
            run += 1
            continue
        if run:
            words.append("?" if run == 1 else f"?*{run}")
            run = 0
        if card is not None:
            words.append(card)
    return words


def _number_or_pile(cards: list[str]) -> int | list[str]:
    return _pile(cards) if any(card != "?" for card in cards) else len(cards)


def to_file(data: dict) -> dict:
    """Plain data of one player's knowledge as the tables of a position file, without what `from_file` works out by itself.

    Raises
    ------
    ValueError
        If `data` is the whole truth and not one player's knowledge.
    """
    if data["player"] not in (0, 1):
        raise ValueError("a position file holds what one player knows, not the whole truth")
    table = {key: data[key] for key in ("game", "player", "on_turn", "step", "scorings", "draw_pile", "reshuffles")}
    table = {"to_move" if key == "on_turn" else key: value for key, value in table.items()}
    table["options"] = dict(data["options"])
    mover = data["players"][data["on_turn"]]
    known = turn_so_far(data["step"], mover["columns"])
    turn = {key: data["turn"][key] for key in TURN if data["turn"].get(key, known[key]) != known[key]}
    if turn:
        table["turn"] = turn
    table["rows"] = {colour: list(data["rows"][colour]) for colour in COLOURS}
    for name, seat in (("you", data["player"]), ("opponent", 1 - data["player"])):
        player = data["players"][seat]
        side = table[name] = {"hand": list(player["hand"]) if name == "you" else _number_or_pile(player["hand"])}
        side["money"] = _number_or_pile(player["money"])
        side["columns"] = [column_text(column) for column in player["columns"]]
        if player["extra"] == min(extra_score(player["columns"]), player["regular"] + player["extra"]):
            side["score"] = player["regular"] + player["extra"]
        else:
            side |= {"regular": player["regular"], "extra": player["extra"]}
    seen = list(data["discard"])
    while seen and seen[-1] == "?":
        seen.pop()
    if seen:
        table["discard"] = {"seen": _pile(seen)}
    if market(data["players"]) != (sorted(data["supply"]), list(data["stack"])):
        table["supply"] = {"open": list(data["supply"]), "stack": list(data["stack"])}
    if data.get("memory"):
        table["memory"] = data["memory"]
    return table


TEMPLATE = """\
# A position of Trambahn: what one player knows at one moment. Change it to what lies on your table, then: wattman analyze FILE
# Cards: colour B, R, G or Y with a value 1..10, such as "B7"; "C" is a conductor. What you do not know, leave out or give as a number.
game = "trambahn"
player = 0                # your seat: 0 began the game (with 12 money), 1 is the other player (15 money)
to_move = 0               # whose turn it is
step = "passengers"       # of his turn: passengers, stations, income or trams; over: the game has ended
scorings = 2              # regular scorings so far, of 10
reshuffles = 0            # how often the discard pile has become the draw pile
draw_pile = 52            # cards in it; before the first reshuffle you may leave this out, it follows from the rest

[options]
halving = "on_empty"      # the money is halved as the draw pile becomes empty; "on_need": when a card is wanted and it is empty

# In the middle of a turn: what happened in it. Leave out what does not apply.
# [turn]
# boarded = 1             # step passengers: cards played so far
# column = 2              # step stations: the lowest own column that may still be built on (they are numbered from 0)
# opened = "B7"           # step stations: first card of the column opened last ("CB": a conductor declared Blue)
# banked = "R3"           # step income: the card banked last
# bought = 1              # step trams: the column that got a tram last; write [supply], too

[rows]                    # waiting passengers, in the order in which they came
B = ["B2", "C"]
R = []
G = ["G4"]
Y = ["Y9", "Y1"]

[you]
hand = ["B6", "B9", "R2", "G8", "G10", "C"]
money = 5                 # the number; or from bottom to top with what you know: ["?*3", "R1", "Y2"]
columns = [               # in the order in which they were opened; colour, cards in the order played, tram
    "B 2 4 5 x2",
    "G 3 6 x2",
]
score = 4                 # all your points; or apart: regular = 4, extra = 0 (Extra Tours)

[opponent]
hand = 6                  # the number; or what you know of it: ["B3", "?*5"]
money = 8
columns = ["R 1 3 4 x2", "Y 5 7 x2"]
score = 6

[discard]
seen = ["B1", "B7", "B3", "C", "R9", "R6", "R5", "R2"]   # cards that you know to lie there: the scored passengers

# The trams that are open and those in the stack follow from the columns, except after a purchase in this turn:
# [supply]
# open = [2, 3]
# stack = [0, 3, 7]       # how many of x2, x3 and x4
"""
