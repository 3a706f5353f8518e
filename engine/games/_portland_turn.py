"""Portland's turns as people type and read them.

`parse_turn` reads a line such as ``claim gate jade green`` or ``take red blue``, `explain` says what a move is for: which ticket
it brings nearer, and whom it hinders. Both know a game only through a view (`to_dict`); whether a move is legal the engine decides.
"""

from __future__ import annotations

from contextlib import suppress

from wattman.engine.games._portland_board import ANY, WILD, Board
from wattman.engine.games._portland_view import FAR, blocks, board_of, closed, costs, helps, open_routes, payable, remaining, way
from wattman.engine.tomlfile import listed, show

_SHOWN = 2  # tickets that are named
_NORMAL = 3  # with fewer cards that are no passes the market is not replaced


# --- in words ---


def explain(event: str, view: dict) -> str:
    """A move or event in words: its notation, and in brackets what it is for.

    Parameters
    ----------
    event : str
        The notation of an event, or of what an onlooker sees of one.
    view : dict
        Plain data of the state before it.
    """
    note = ""
    with suppress(ValueError, KeyError, IndexError):  # an event that is not of this moment: nothing to say about it
        base, _, told = event.partition(", ")
        verb, _, what = base.partition(" ")
        note = _NOTES.get(verb, lambda view, what, told: "")(view, what, told)
    return f"{event} ({note})" if note else event


def _mine(view: dict) -> bool:
    """Whether the viewer himself is on turn, so that his hand and tickets say something about the move."""
    return view["player"] in (-1, view["on_turn"])


def _note_claim(view: dict, what: str, told: str) -> str:
    board, seat = board_of(view), view["on_turn"]
    number = board.route_numbers[what]
    route = board.routes[number]
    points = board.points(number)
    notes = [f"{route.length} {'space' if route.length == 1 else 'spaces'}, {points} {'point' if points == 1 else 'points'}"]
    if _mine(view):
        notes += _aims(view, seat, number)
        notes += [_blocked(view, *entry) for entry in blocks(view, seat, number)]
    else:
        notes += _in_the_way(view, number)
    return "; ".join(notes)


def _aims(view: dict, seat: int, number: int) -> list[str]:
    """What a route does for a player's tickets."""
    board = board_of(view)
    open_tickets = sorted(
        (ticket for ticket in view["players"][seat]["tickets"] if 0 < remaining(view, seat, ticket)[0] < FAR),
        key=lambda text: -board.tickets[board.ticket_numbers[text]].points,
    )
    found = helps(view, seat, number, open_tickets)
    words = [f"completes {ticket}" if not then else f"for {ticket}: {then} to go" for ticket, then in found[:_SHOWN]]
    if len(found) > _SHOWN:
        words.append(f"and {len(found) - _SHOWN} more")
    return words


def _blocked(view: dict, rival: int, a: str, b: str, now: int, then: int) -> str:
    who = "you" if rival == view["player"] else f"player {rival}"
    return f"blocks {who} between {a} and {b}: " + (f"{then} instead of {now}" if then < FAR else "no other way")


def _in_the_way(view: dict, number: int) -> list[str]:
    """What another player's route costs the viewer."""
    board, seat = board_of(view), view["player"]
    if seat < 0 or number in closed(view, seat):
        return []
    gone = [number]
    other = board.routes[number].other
    if other >= 0 and len(view["players"]) <= board.one_of_a_double:
        gone.append(other)
    words = []
    for text in view["players"][seat]["tickets"]:
        ticket = board.tickets[board.ticket_numbers[text]]
        now = remaining(view, seat, text)[0]
        then = way(board, costs(view, seat, without=gone), ticket.a, ticket.b)[0]
        if now < then:
            words.append(f"in your way: {text} needs {then} instead of {now}" if then < FAR else f"{text} is lost")
    return words[:_SHOWN]


def _note_take(view: dict, what: str, told: str) -> str:
    if not _mine(view):
        return ""
    hand = dict(view["players"][view["on_turn"]]["hand"])
    before = dict(hand)
    hand[what] = hand.get(what, 0) + 1
    board, seat = board_of(view), view["on_turn"]
    wanted = []
    for ticket in view["players"][seat]["tickets"]:
        wanted += remaining(view, seat, ticket)[1]
    enough = [
        board.routes[number].text for number in dict.fromkeys(wanted) if payable(view, number, before) and not payable(view, number, hand)
    ]
    nearer = [board.routes[number] for number in dict.fromkeys(wanted) if payable(view, number, hand) < payable(view, number, before)]
    if enough:
        return f"{hand[what]} then: enough for {listed(enough[:2], 'and')}"
    if nearer and what != WILD:
        route = nearer[0]
        return (
            f"{hand[what]} then, for {route.text}: {route.length - payable(view, board.route_numbers[route.text], hand)} of {route.length}"
        )
    return f"{hand[what]} then"


def _note_keep(view: dict, what: str, told: str) -> str:
    board, seat = board_of(view), view["on_turn"]
    if "/" in what:  # what is told when the last one has chosen
        return "players " + ", ".join(f"{player}: {kept}" for player, kept in enumerate(what.split("/")))
    notes = []
    for text in what.split(" "):
        ticket = board.tickets[board.ticket_numbers[text]]
        spaces = remaining(view, seat, text)[0]
        told = "complete already" if not spaces else "cannot be completed" if spaces >= FAR else f"{spaces} to go"
        notes.append(f"{ticket.points} points, {told}")
    return "; ".join(notes)


def _note_ticket(view: dict, what: str, told: str) -> str:
    board = board_of(view)
    return f"{board.tickets[board.ticket_numbers[what]].points} points"


def _note_card(view: dict, what: str, told: str) -> str:
    """Whether a card that fills the market leaves it with too many passes."""
    board, market = board_of(view), dict(view["market"])
    market[what] = market.get(what, 0) + 1
    full = sum(market.values()) == board.face_up or view["draw_pile"] + sum(view["discards"].values()) == 1
    if view["step"] != "refill" or not full or market.get(WILD, 0) < board.pass_limit or view["resets"] >= 10:
        return ""
    others = sum(count for cards in (market, view["discards"]) for kind, count in cards.items() if kind != WILD)
    replaced = told == "reset" or (told != "left" and others >= _NORMAL)
    passes = f"{market[WILD]} passes"
    return f"{passes}: the market is replaced" if replaced else f"{passes}, and too few other cards: the market stays"


def _note_tickets(view: dict, what: str, told: str) -> str:
    deck = view["tickets_left"] + len(view["returned"])
    offered = min(board_of(view).more_tickets.offered, deck)
    return f"{offered} of {deck}, keep at least {min(board_of(view).more_tickets.keep, offered)}"


def _note_skip(view: dict, what: str, told: str) -> str:
    return "nothing else is possible"


_NOTES = {
    "claim": _note_claim,
    "take": _note_take,
    "keep": _note_keep,
    "ticket": _note_ticket,
    "card": _note_card,
    "tickets": _note_tickets,
    "skip": _note_skip,
}


# --- typed turns ---


def parse_turn(line: str, view: dict) -> list[str]:
    """The events of a typed line.

    Raises
    ------
    ValueError
        Naming the part that cannot be read, and what is allowed.
    """
    found: list[str] = []
    for part in line.split(";"):
        words = part.split()
        if words:
            found += _move(words, view)
    return found


def _move(words: list[str], view: dict) -> list[str]:
    board = board_of(view)
    verb, rest = words[0].lower(), words[1:]
    if verb in ("take", "t"):
        return [f"take {_kind(board, word)}" for word in rest] or _wrong("take", "which card? for example: take " + board.types[0].id)
    if verb in ("draw", "d"):
        if not rest or rest == ["draw"]:
            return ["draw"] * (1 + len(rest))
        return ["draw"] * int(rest[0]) if rest in (["1"], ["2"]) else _wrong("draw", f"{show(' '.join(rest))}; expected draw or draw 2")
    if verb in ("claim", "c"):
        return _claim(rest, view)
    if verb in ("pay", "p"):
        return [_pay(rest)]
    if verb in ("keep", "k"):
        return [_keep(rest, view)]
    if verb in ("tickets", "ticket", "skip") and not rest:
        return ["tickets" if verb != "skip" else "skip"]
    if verb in ("card", "ticket"):  # what people do not type, but a real table shows
        return [" ".join(words)]
    return _wrong(words[0], "no move; moves are: take, draw, claim, pay, tickets, keep, skip")


def _wrong(word: str, problem: str) -> list[str]:
    raise ValueError(f"{word}: {problem}")


def _kind(board: Board, word: str) -> str:
    fits = [kind for kind in board.type_numbers if kind == word.lower()] or [
        kind for kind in board.type_numbers if kind.startswith(word.lower())
    ]
    if len(fits) != 1:
        raise ValueError(
            f"{show(word)} is {'no type of card' if not fits else 'more than one type'}; types are: {', '.join(board.type_numbers)}"
        )
    return fits[0]


def _pay(words: list[str]) -> str:
    text = "".join(words).lower()
    if not text:
        raise ValueError("pay: how? for example: pay red+1, one pass and the rest red")
    return f"pay {text if '+' in text or text == WILD else text + '+0'}"


def _claim(words: list[str], view: dict) -> list[str]:
    payment: list[str] = []
    lower = [word.lower() for word in words]
    for mark in ("pay", "with"):
        if mark in lower:
            at = lower.index(mark)
            words, payment = words[:at], [_pay(words[at + 1 :])]
            break
    return [f"claim {_route(words, view)}", *payment]


def _route(words: list[str], view: dict) -> str:
    """A route as the notation has it, from as much of it as makes it plain."""
    board = board_of(view)
    text = " ".join(words)
    if not text:
        raise ValueError("claim: which route? for example: claim " + board.routes[0].text)
    exact = {name.casefold(): name for name in board.route_numbers}
    if text.casefold() in exact:
        return exact[text.casefold()]
    if "--" in text:
        ends, _, kind = text.partition(":")
        names = [name for name in ends.split("--") if name.strip()] + ([kind] if kind else [])
    else:
        names = words
    possible = open_routes(view, view["on_turn"])
    fits = [number for number in possible if _fits(board, number, names)]
    if not fits:
        other = [number for number in range(len(board.routes)) if _fits(board, number, names)]
        if other:
            raise ValueError(f"claim {text}: {board.routes[other[0]].text} is taken or closed")
        raise ValueError(f"claim {text}: no route is called so; expected beginnings of two stations' names, and the type if there are two")
    if len(fits) > 1:
        found = [board.routes[number].text for number in fits[:6]]
        raise ValueError(f"claim {text}: which one? {', '.join(found)}{' ..' if len(fits) > 6 else ''}")
    return board.routes[fits[0]].text


def _fits(board: Board, number: int, names: list[str]) -> bool:
    """Whether words mean a route: one for each station, in any order, and perhaps its type."""
    route = board.routes[number]
    kind = "gray" if route.type == ANY else board.types[route.type].id
    if len(names) == 3:
        mark = route.text.partition("#")[2]
        third = names[2].lower()
        if not (kind.startswith(third) or third in (f"{kind}#{mark}", f"#{mark}")):
            return False
        names = names[:2]
    if len(names) != 2:
        return False
    a, b = board.stations[route.a].text, board.stations[route.b].text
    return (_begins(a, names[0]) and _begins(b, names[1])) or (_begins(b, names[0]) and _begins(a, names[1]))


def _begins(station: str, word: str) -> bool:
    """Whether a word is the beginning of a station's name, or of a word of it."""
    name, word = station.casefold(), "_".join(word.split()).casefold()
    return name.startswith(word) or any(part.startswith(word) for part in name.split("_"))


def _keep(words: list[str], view: dict) -> str:
    """Tickets by their places, or by what makes them plain."""
    board = board_of(view)
    offered = view["offer"] or view["players"][view["on_turn"]]["offered"]
    offered = [ticket for ticket in offered if ticket != "?"]
    if [word.lower() for word in words] == ["all"]:
        return "keep " + " ".join(offered)
    if not words:
        raise ValueError(f"keep: which ones? {_numbered(offered)}")
    chosen = []
    for word in words:
        if word.isdecimal():
            if not 1 <= int(word[:3]) <= len(offered):
                raise ValueError(f"keep {word}: the tickets are numbered from 1: {_numbered(offered)}")
            chosen.append(offered[int(word) - 1])
            continue
        fits = [name for name in offered if name.casefold() == word.casefold()]
        parts = [part for part in word.split(">") if part]
        fits = fits or [name for name in offered if all(any(_begins(end, part) for end in name.split(">")) for part in parts)]
        if not fits and word.casefold() in {name.casefold() for name in board.ticket_numbers}:
            raise ValueError(f"keep {word}: that ticket is not offered; offered are {_numbered(offered)}")
        if len(fits) != 1:
            raise ValueError(f"keep {word}: {'which one' if fits else 'no such ticket'}; offered are {_numbered(offered)}")
        chosen.append(fits[0])
    return "keep " + " ".join(ticket for ticket in offered if ticket in chosen)


def _numbered(offered: list[str]) -> str:
    return ", ".join(f"{i} {ticket}" for i, ticket in enumerate(offered, 1)) or "none"
