"""Lisbon Tram 28's position files: a person's layout to plain data and back. The layout is described by `TEMPLATE`.

Plain data is what ``Game.info_from_dict`` takes (see `_lisbon_data.pyx`): all seats in order, every pile written out, the details of the
turn filled in. What follows from the rest is left out of files.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from wattman.engine.games._lisbon_board import BONUSES, COLOURS, Board
from wattman.engine.games._lisbon_checks import TRAILS, TURN, check_step, turn_defaults
from wattman.engine.games._lisbon_view import in_order, loaded
from wattman.engine.tomlfile import Section, listed, show

STEPS = (
    *("turn", "moving", "paying", "keep", "shunt", "place", "over", "setup bag", "setup ticket", "setup card", "ring", "refill"),
    *("next card", "card", "push ticket", "ticket"),
)
_SIDE = ["tram", "hand", "aboard", "bonuses", "row"]
_STATE = ["actions", "used", "drew", "last_round", "claimed_this_round", "rounds_without_claim", "stalled"]
_PASSENGERS = 'passengers as letters of RYGB, such as "RRY"'
_TICKETS = 'tickets as letters of RYGB, such as "RRY"'


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
    count, board = options["players"], loaded(options["board"])
    player = Section(data).whole("player", 0, count - 1, 0, "the number of your seat,")
    others = [seat for seat in range(count) if seat != player]
    keys = ["game", "player", "on_turn", "step", *_STATE, "options", "turn", "stops", "display", "you"]
    top = Section(data, "", [*keys, *(f"player_{seat}" for seat in others), "passengers", "tickets", "memory"])
    on_turn = top.whole("on_turn", 0, count - 1, player, "the number of the player on turn,")
    step = top.word("step", STEPS, "turn")
    sides = [_read_side(top, "you" if seat == player else f"player_{seat}", seat == player, board) for seat in range(count)]
    plain = {
        "game": "lisbon",
        "options": dict(options),
        "player": player,
        "to_move": -1,
        "step": step,
        "on_turn": on_turn,
        "players": sides,
        "stops": _read_stops(top.section("stops"), board),
        "memory": top.section("memory").data,
    }
    _check_trams(plain, board)
    _read_state(top, plain, board)
    _read_turn(top.section("turn", TURN), plain, board)
    _read_cards(top, plain, board)
    _read_passengers(top.section("passengers", ["bag", "set_aside"]), plain, board)
    _read_tickets(top.section("tickets", ["pile", "discard"]), plain, board)
    check_step(plain, board)
    return plain


def _letters(section: Section, key: str, expected: str, default: str | None = "", unknown: bool = False) -> str:
    """Colours as written, in order; an unknown one is ``?`` where that is allowed."""
    text = section.text(key, expected, default).replace(" ", "").upper()
    wrong = sorted(set(text) - set(COLOURS + "?" * unknown))
    if wrong:
        raise section.error(key, f"{show(text)} has {listed(map(show, wrong), 'and')}; expected {expected}")
    return in_order(text)


def _place(section: Section, key: str, board: Board, default: str | None = None) -> str:
    """The id of a place."""
    name = section.text(key, "the id of a place", default).lower()
    if name not in board.place_numbers and (name or not section.path.endswith("[turn]")):
        raise section.error(key, f"{show(name)} is no place{_close(name, board.place_numbers)}; places: {', '.join(board.place_numbers)}")
    return name


def _close(name: str, names) -> str:
    import difflib

    close = difflib.get_close_matches(name[:60], names, 1)
    return f" (did you mean {close[0]}?)" if close else ""


def _card(section: Section, key: str, name: str, board: Board) -> str:
    if name.lower() not in board.card_numbers:
        raise section.error(key, f"{show(name)} is no card{_close(name, board.card_numbers)}; cards: {', '.join(board.card_numbers)}")
    return name.lower()


def _read_side(top: Section, key: str, own: bool, board: Board) -> dict:
    """One player: the table [you] or [player_1]."""
    if key not in top:
        raise ValueError(f"[{key}]: missing; expected a table with {', '.join(_SIDE)}")
    section = top.section(key, _SIDE)
    if own:
        hand = _letters(section, "hand", "your " + _TICKETS, None)
    elif isinstance(section.data.get("hand"), str):
        raise section.error("hand", f"{show(section.data['hand'])}: what another player holds is hidden; expected the number of tickets")
    else:
        hand = "?" * section.whole("hand", 0, len(COLOURS) * board.tickets_each_colour, what="the number of tickets")
    bonuses = section.texts("bonuses", f"a list of {listed(map(show, BONUSES))}", [])
    for bonus in bonuses:
        if bonus not in BONUSES:
            raise section.error("bonuses", f"{show(bonus)} is no bonus; expected {listed(map(show, BONUSES))}")
        if bonuses.count(bonus) > 1:
            raise section.error("bonuses", f"{show(bonus)} is there twice; each bonus can be had once")
    aboard = _letters(section, "aboard", _PASSENGERS)
    limit = board.bonus_seats if "seats" in bonuses else board.start_seats
    for colour in COLOURS:
        if aboard.count(colour) > limit:
            more = "" if "seats" in bonuses else f" ({board.bonus_seats} with the bonus seats)"
            raise section.error("aboard", f"{aboard.count(colour)} {colour}, but the tram has {limit} seats for each colour{more}")
    row = [_card(section, "row", name, board) for name in section.texts("row", 'a list of cards, such as ["carmo_1"]', [])]
    tram = _place(section, "tram", board, board.places[board.rossio].id)
    return {"tram": tram, "hand": hand, "aboard": aboard, "bonuses": [bonus for bonus in BONUSES if bonus in bonuses], "row": row}


def _read_stops(section: Section, board: Board) -> dict[str, str]:
    names = [board.places[i].id for i in board.stops]
    section = Section(section.data, section.path, names)
    stops = {name: _letters(section, name, _PASSENGERS) for name in names}
    for name, group in stops.items():
        if len(group) > 4 * board.passengers_each_colour:
            raise section.error(name, f"{len(group)} passengers; there are {4 * board.passengers_each_colour}")
    return stops


def _check_trams(plain: dict, board: Board) -> None:
    """One tram at a place, except in Rossio and while a push is going on."""
    if plain["step"] in ("shunt", "push ticket"):
        return
    there: dict[str, int] = {}
    for seat, player in enumerate(plain["players"]):
        place = player["tram"]
        if place in there and place != board.places[board.rossio].id:
            key = "[you]" if seat == plain["player"] else f"[player_{seat}]"
            raise ValueError(f"{key}.tram: {show(place)} has the tram of player {there[place]} already; only Rossio holds several")
        there[place] = seat


def _read_state(top: Section, plain: dict, board: Board) -> None:
    """What of the turn and the round the table does not show."""
    mover = plain["players"][plain["on_turn"]]
    most = 3 if "action" in mover["bonuses"] else 2
    over = plain["step"] == "over" or plain["step"].startswith("setup")
    fresh = most if plain["step"] == "turn" else 2 if plain["step"].startswith("setup") else 0
    if plain["step"].startswith("setup"):
        fresh = 0
    plain["actions"] = top.whole("actions", 0, most, 0 if over else fresh, "the number of actions left,")
    used = top.texts("used", 'a list of "free_move" and "bell"', [])
    for bonus in used:
        if bonus not in ("free_move", "bell"):
            raise top.error("used", f'{show(bonus)} is not used up in a turn; expected "free_move" or "bell"')
        if bonus not in mover["bonuses"]:
            raise top.error("used", f"{show(bonus)}, but the player on turn does not have that bonus")
    plain["used"] = [bonus for bonus in BONUSES if bonus in used]
    drew = top.wholes("drew", "a list of the players who have drawn a ticket for a push in this turn", [])
    for seat in drew:
        if not 0 <= seat < len(plain["players"]):
            raise top.error("drew", f"{show(seat)} is no player; they are 0 to {len(plain['players']) - 1}")
    plain["drew"] = sorted(set(drew))
    claims = sum(len(player["row"]) for player in plain["players"])
    setup = board.setups[plain["options"]["players"]]
    plain["last_round"] = _truth(top, "last_round", claims >= setup.claims_to_trigger and plain["step"] not in ("refill", "place"))
    plain["claimed_this_round"] = _truth(top, "claimed_this_round", False)
    plain["rounds_without_claim"] = top.whole("rounds_without_claim", 0, plain["options"]["stall_rounds"], 0)
    plain["stalled"] = _truth(top, "stalled", False)
    if plain["stalled"] and plain["step"] != "over":
        raise top.error("stalled", 'true, but the step is not "over"')
    if plain["rounds_without_claim"] == plain["options"]["stall_rounds"] and plain["step"] != "over":
        raise top.error(
            "rounds_without_claim", f"{plain['rounds_without_claim']}, which ends the game, but the step is {show(plain['step'])}"
        )


def _truth(section: Section, key: str, default: bool) -> bool:
    return section.value(key, bool, "true or false", default)


def _read_turn(section: Section, plain: dict, board: Board) -> None:
    """What is going on inside an action: [turn], as `turn_defaults` leaves it open."""
    seats = len(plain["players"])
    given: dict = {}
    for key in ("count", "space", "placed"):
        if key in section:
            given[key] = section.whole(key, 0, 255)
    for key in ("need", "pay", "drawn"):
        if key in section:
            given[key] = _letters(section, key, _TICKETS if key != "drawn" else _PASSENGERS)
    if "trail" in section:
        given["trail"] = section.word("trail", TRAILS)
    if "purpose" in section:
        given["purpose"] = section.word("purpose", ("", "group", "bonus", "ring", "bell"))
    if "swapped" in section:
        given["swapped"] = section.text("swapped", 'the last swap, such as "R<Y"').upper()
        if given["swapped"] not in ["", *(f"{x}<{d}" for x in COLOURS for d in COLOURS if x != d)]:
            raise section.error("swapped", f'{show(given["swapped"])} is no swap; write "R<Y" for three yellow in place of a red')
    for key in ("move", "trail_move"):
        if key in section:
            given[key] = _read_move(section, key)
    for key in ("end", "before", "landing"):
        if key in section:
            given[key] = _place(section, key, board)
    if "line" in section:
        names = [name.lower() for name in section.texts("line", "a list of places")]
        for name in names:
            if name not in board.place_numbers:
                raise section.error("line", f"{show(name)} is no place{_close(name, board.place_numbers)}")
        given["line"] = sorted(set(names), key=board.place_numbers.__getitem__)
    if "pushed" in section:
        given["pushed"] = section.wholes("pushed", "a list of players, from the mover outwards")
        for seat in given["pushed"]:
            if not 0 <= seat < seats or seat == plain["on_turn"] or given["pushed"].count(seat) > 1:
                raise section.error("pushed", f"{given['pushed']} is not allowed; expected players other than the one on turn, each once")
    plain["turn"] = given  # for the defaults of what depends on it
    plain["turn"] = turn_defaults(plain, board) | given


def _read_move(section: Section, key: str) -> list[str]:
    """A move action in progress: ``"R"``, or the list that `to_file` writes."""
    expected = '"R" (red tickets, the first step paid) or ["R", "paid", ""]: colour, "" or "begun" or "paid", ticket drawn in it'
    if isinstance(section.data[key], str):
        colour = _letters(section, key, expected)
        if len(colour) != 1:
            raise section.error(key, f"{show(section.data[key])} is not one colour; expected {expected}")
        return [colour, "paid", ""]
    move = section.texts(key, expected)
    if not move:
        return []
    good = len(move) in (3, 4) and move[0] in (*COLOURS, "?") and move[1] in ("", "begun", "paid") and move[2] in ("", "?", *COLOURS)
    if not good or move[3:] not in ([], ["free"]):
        raise section.error(key, f"{move} is not allowed; expected {expected}")
    return move


def _read_cards(top: Section, plain: dict, board: Board) -> None:
    """The display, the next card, and those that nobody has seen."""
    section = top.section("display", ["cards", "next", "face_up"])
    spaces = board.setups[plain["options"]["players"]].spaces
    setup = plain["step"].startswith("setup")
    names = section.texts("cards", f"a list of {len(spaces)} cards, those on display", [] if setup else None)
    if len(names) > len(spaces):
        raise section.error("cards", f"{len(names)} cards; {len(spaces)} are on display with {plain['options']['players']} players")
    names += [""] * (len(spaces) - len(names))
    display = [""] * len(board.refill_symbols)
    for space, name in zip(spaces, names, strict=True):
        display[space] = _card(section, "cards", name, board) if name else ""
    following = section.text("next", 'the next card, face up on the pile ("" if there is none)', "")
    plain["display"] = display
    plain["next_card"] = _card(section, "next", following, board) if following else ""
    out = [card for player in plain["players"] for card in player["row"]] + [card for card in (*display, plain["next_card"]) if card]
    twice = [card for card, count in Counter(out).items() if count > 1]
    if twice:
        raise ValueError(f"{twice[0]}: is there twice; each card lies in one row, on display or on the pile")
    plain["cards_unseen"] = [card.id for card in board.cards if card.id not in out]
    default = face_up_default(plain, board)
    unseen = len(plain["cards_unseen"])
    plain["face_up"] = section.whole(
        "face_up", 0, max(default, 1 + unseen), default, "the number of cards face up on the pile, the next one too,"
    )
    if not setup and plain["step"] != "next card" and bool(plain["next_card"]) != (plain["face_up"] > 0):
        told = "no next card, but" if plain["face_up"] else f"{plain['next_card']}, but"
        raise section.error("next", f"{told} {plain['face_up']} cards lie face up; expected a card exactly if there is one")
    if plain["face_up"] > unseen + bool(plain["next_card"]):
        raise section.error("face_up", f"{plain['face_up']}, but only {unseen} cards are neither in a row nor on display nor the next one")


def face_up_default(plain: dict, board: Board) -> int:
    """How many cards lie face up on the pile, the next one included: one less after every claim."""
    setup = board.setups[plain["options"]["players"]]
    claims = sum(len(player["row"]) for player in plain["players"]) - (plain["step"] in ("refill", "place"))
    return max(0, setup.claims_to_trigger - claims)


def _read_passengers(section: Section, plain: dict, board: Board) -> None:
    """The bag and the passengers set aside: what is nowhere else."""
    each = board.passengers_each_colour
    out = Counter("".join(plain["stops"].values()) + "".join(player["aboard"] for player in plain["players"]) + plain["turn"]["drawn"])
    left = Counter({colour: each - out[colour] for colour in COLOURS})
    for colour in COLOURS:
        if left[colour] < 0:
            raise ValueError(f"[stops]: {out[colour]} {colour} at stops and in trams; there are {each}")
    rest = in_order(left.elements())
    if "bag" in section and "set_aside" not in section:
        bag = _letters(section, "bag", _PASSENGERS)
        aside = _minus(section, "bag", rest, bag)
    else:
        aside = _letters(section, "set_aside", _PASSENGERS, delivered(plain, board, rest))
        bag = _minus(section, "set_aside", rest, aside)
        if "bag" in section and _letters(section, "bag", _PASSENGERS) != bag:
            raise section.error("bag", f"expected {show(bag)}, what is left over; or leave it out")
    plain["bag"], plain["set_aside"] = bag, aside


def _minus(section: Section, key: str, rest: str, part: str) -> str:
    """`rest` without `part`; an error about `key` if it does not hold all of it."""
    over = Counter(part) - Counter(rest)
    if over:
        colour = next(iter(over))
        raise section.error(key, f"{part.count(colour)} {colour}, but stops and trams leave {rest.count(colour)}")
    return in_order((Counter(rest) - Counter(part)).elements())


def delivered(plain: dict, board: Board, rest: str) -> str:
    """The passengers set aside, if the bag was never refilled: those of all claimed cards, as far as they can be there."""
    wanted: Counter = Counter()
    for player in plain["players"]:
        for card in player["row"]:
            wanted.update(dict(zip(COLOURS, board.cards[board.card_numbers[card]].demand, strict=True)))
    possible = {colour: min(wanted[colour], rest.count(colour)) for colour in COLOURS}
    return "".join(colour * possible[colour] for colour in COLOURS)


def _read_tickets(section: Section, plain: dict, board: Board) -> None:
    """Discard and pile: together what is in no hand."""
    each = board.tickets_each_colour
    discard = _letters(section, "discard", _TICKETS)
    own = plain["players"][plain["player"]]["hand"]
    for colour in COLOURS:
        if own.count(colour) + discard.count(colour) > each:
            raise section.error("discard", f"{discard.count(colour)} {colour}, and {own.count(colour)} in your hand; there are {each}")
    held = sum(len(player["hand"]) for player in plain["players"])
    pile = len(COLOURS) * each - held - len(discard)
    if pile < 0:
        raise section.error("discard", f"{len(discard)} tickets, and {held} in all hands; there are {len(COLOURS) * each}")
    given = section.whole("pile", 0, len(COLOURS) * each, pile, "the number of tickets in the pile,")
    if given != pile:
        raise section.error(
            "pile", f"{given}, but hands and discards leave {pile} of {len(COLOURS) * each}; leave it out, or correct those"
        )
    plain["ticket_pile"], plain["discard"] = pile, discard


# --- writing ---


def to_file(data: dict) -> dict:
    """Plain data of one player's knowledge as the tables of a position file, without what `from_file` works out by itself.

    Raises
    ------
    ValueError
        If `data` is the whole truth and not one player's knowledge.
    """
    if data["player"] < 0:
        raise ValueError("a position file holds what one player knows, not the whole truth")
    board = loaded(data["options"]["board"])
    table = {key: data[key] for key in ("game", "player", "on_turn", "step")}
    table |= _written(partial(_read_state, board=board), data, _STATE)
    table["options"] = dict(data["options"])
    defaults = turn_defaults(data, board)
    turn = {key: value for key, value in data["turn"].items() if value != defaults[key]}
    if turn:
        table["turn"] = turn
    table["stops"] = {name: group for name, group in data["stops"].items() if group}
    spaces = board.setups[data["options"]["players"]].spaces
    table["display"] = {"cards": [data["display"][space] for space in spaces], "next": data["next_card"]}
    if data["face_up"] != face_up_default(data, board):
        table["display"]["face_up"] = data["face_up"]
    for seat, player in enumerate(data["players"]):
        own = seat == data["player"]
        side = {"tram": player["tram"], "hand": player["hand"] if own else len(player["hand"]), "aboard": player["aboard"]}
        table["you" if own else f"player_{seat}"] = side | {"bonuses": list(player["bonuses"]), "row": list(player["row"])}
    if data["set_aside"] != delivered(data, board, in_order(data["bag"] + data["set_aside"])):
        table["passengers"] = {"set_aside": data["set_aside"]}
    table["tickets"] = {"discard": data["discard"]}
    memory = {key: value for key, value in data.get("memory", {}).items() if value}
    if memory:
        table["memory"] = memory
    return table


def _written(read, data: dict, keys: list[str]) -> dict:
    """The keys whose values a reader would not find by itself."""
    found = {"players": data["players"], "on_turn": data["on_turn"], "step": data["step"], "options": data["options"]}
    read(Section({}), found)
    return {key: data[key] for key in keys if data[key] != found[key]}


TEMPLATE = """\
# A position of Lisbon Tram 28: what one player knows at one moment. Change it to what lies on your table, then: wattman analyze FILE
# Passengers and tickets are letters: R red, Y yellow, G green, B blue. Places and cards are ids of the board; wattman show FILE draws it.
# What follows from the rest is left out: who is in the bag, the ticket pile, the cards that nobody has seen.
game = "lisbon"
player = 0                # your seat: 0 began the game
on_turn = 0               # whose turn it is
step = "turn"             # turn: an action is chosen; others are named below; over: the game has ended
actions = 2               # left in this turn
# used = ["free_move"]    # bonuses of the player on turn that are used up in this turn: free_move, bell
# drew = [0, 1]           # players who have drawn a ticket for a push in this turn
# last_round = true       # the last face-up card is on display
# claimed_this_round = true
# rounds_without_claim = 1  # complete rounds before this one

[options]
players = 3
# rules = "german"
# board = "my-board.toml"

[stops]                   # who waits where; stops without anybody may be left out
martim_moniz = "RRY"
graca = "YGB"
portas_do_sol = "RGB"
conceicao = "YYG"
rato = "RBB"
campo_ourique = "YGG"
santos = "RYB"
cais_sodre = "RRB"
alcantara = "GGB"
belem = "RYG"

[display]
cards = ["castelo_2", "comercio_2", "estrela_2", "se_1"]
next = "ajuda_2"          # the next card, face up on the pile; "" if there is none
# face_up = 10            # cards face up on the pile, the next one too; follows from the claims made

[you]
tram = "chiado"
hand = "RRYGGB"
aboard = "YG"
bonuses = []              # seats, action, free_move, bell
row = ["carmo_1"]         # claimed cards from left to right

[player_1]
tram = "rossio"
hand = 7                  # the number of tickets
aboard = "RBB"
bonuses = ["seats"]
row = []

[player_2]
tram = "comercio"
hand = 5
aboard = "GG"
bonuses = []
row = []

[tickets]
discard = "RRYYGGBBBYYY"  # the discard pile; what is left over is in the ticket pile

# [passengers]
# set_aside = "RYYGG"     # delivered since the bag was last refilled; without it, the passengers of all claimed cards

# Inside an action: step = "moving" (a step or halt comes next), "paying" (swaps, pay), "keep" (the better bell), "shunt" (a pushed tram's
# owner chooses), "place" (the right neighbour of who claimed chooses a stop). What is going on:
# [turn]
# move = "R"              # moving: the colour of the tickets
# purpose = "group"       # paying: "group", after a ring "ring", for a bonus "bonus"
# drawn = "RYB"           # keep, place: the passengers drawn
"""
