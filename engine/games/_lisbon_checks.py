"""Whether the parts of a position of Lisbon Tram 28 fit together; what is usual inside an action."""

from __future__ import annotations

from collections import Counter

from wattman.engine.games._lisbon_board import COLOURS, ROSSIO, STOP, Board
from wattman.engine.games._lisbon_view import in_order, loaded
from wattman.engine.tomlfile import show

TRAILS = ("", "step", "ring")
TURN = {  # [turn] at the start of an action
    "count": 0,
    "trail": "",
    "move": [],
    "trail_move": [],
    "purpose": "",
    "need": "",
    "pay": "",
    "swapped": "",
    "drawn": "",
    "space": 0,
    "pushed": [],
    "placed": 0,
    "line": [],
    "end": "",
    "before": "",
    "landing": "",
}


def turn_defaults(plain: dict, board: Board) -> dict:
    """What [turn] holds if nothing is said, or as far as it follows from what is said in ``plain["turn"]``."""
    turn = dict(TURN) | {key: list(value) for key, value in TURN.items() if isinstance(value, list)}
    said, step = plain["turn"], plain["step"]
    if step == "moving":
        move = said.get("move", [])
        turn["trail"], turn["trail_move"] = ("step", list(move)) if move and move[1] else ("", [])
    elif step == "paying":
        here = _standing(plain, board)
        turn["purpose"] = "bonus" if here.colour >= 0 else "group"
        purpose = said.get("purpose", turn["purpose"])
        whole = COLOURS[here.colour] * 3 if purpose == "bonus" and here.colour >= 0 else plain["stops"].get(here.id, "")
        turn["need"] = whole if not said.get("pay") else ""
        turn["trail"] = "ring" if purpose == "ring" else ""
    elif step == "ticket":
        turn["count"] = board.end_of_turn
    elif step == "ring":
        turn["count"] = 3 - len(said.get("drawn", "")) if said.get("purpose") == "bell" else 1
    elif step == "refill":
        turn["count"] = board.each_stop - len(said.get("drawn", ""))
    elif step == "setup bag":
        turn["count"] = len("".join(plain["stops"].values()))
    elif step == "setup ticket":
        turn["count"] = sum(len(player["hand"]) for player in plain["players"])
    return turn


def _standing(plain: dict, board: Board):
    """The place of the tram on turn."""
    return board.places[board.place_numbers[plain["players"][plain["on_turn"]]["tram"]]]


def check_step(plain: dict, board: Board) -> None:
    """ValueError, naming the key, if the step cannot be what it is said to be."""
    step = plain["step"]
    mine = plain["on_turn"] == plain["player"]
    _check_leftovers(plain)
    if step == "over":
        return
    if step == "turn":
        mover = plain["players"][plain["on_turn"]]
        free = plain["options"]["rules"] == "english" and "free_move" in mover["bonuses"] and "free_move" not in plain["used"]
        if not plain["actions"] and not free and not plain["turn"]["trail"]:
            raise ValueError("actions: 0, so the turn is over; expected 1 or more, or a free move that is not used yet")
        return
    check = {
        "moving": _check_moving,
        "paying": _check_paying,
        "keep": _check_keep,
        "shunt": _check_push,
        "push ticket": _check_push,
        "place": _check_place,
        "ring": _check_ring,
        "refill": _check_refill,
        "ticket": _check_ticket,
        "next card": _check_space,
        "card": _check_space,
        "setup bag": _check_setup,
        "setup ticket": _check_setup,
        "setup card": _check_setup,
    }
    check[step](plain, board, mine)


# Which steps use which keys of [turn]; the others must be as at the start of an action. "trail" and its move can stay from before.
_USES = {
    "count": ("ticket", "ring", "refill", "setup bag", "setup ticket", "setup card"),
    "move": ("moving", "shunt", "push ticket"),
    "purpose": ("paying", "ring"),
    "need": ("paying",),
    "pay": ("paying",),
    "swapped": ("paying",),
    "drawn": ("keep", "place", "ring", "refill"),
    "space": ("place", "refill", "next card", "card"),
    **dict.fromkeys(("pushed", "placed", "line", "end", "before", "landing"), ("shunt", "push ticket")),
}


def _check_leftovers(plain: dict) -> None:
    turn = plain["turn"]
    for key, steps in _USES.items():
        if plain["step"] not in steps and turn[key] != TURN[key]:
            raise ValueError(
                f"[turn].{key}: belongs to the step {' or '.join(map(show, steps))}, but the step is {show(plain['step'])}; leave it out"
            )
    if (turn["trail"] == "step") != bool(turn["trail_move"]):
        raise ValueError('[turn].trail: "step" and trail_move go together; leave both out, or write both')
    if turn["trail_move"] and not turn["trail_move"][1]:
        raise ValueError("[turn].trail_move: a move without a step leaves no trail")
    if plain["step"] not in ("turn", "moving", "paying", "ticket") and turn["trail"]:
        raise ValueError(f"[turn].trail: belongs to the steps turn, moving, paying and ticket, not to {show(plain['step'])}; leave it out")


def _check_moving(plain: dict, board: Board, mine: bool) -> None:
    move = plain["turn"]["move"]
    if not move:
        raise ValueError('[turn].move: missing; expected the colour of the tickets, such as "R"')
    hand = plain["players"][plain["on_turn"]]["hand"]
    if mine and move[0] == "?":
        raise ValueError('[turn].move: "?": you know the colour of your own move; write it')
    if not mine and plain["turn"]["trail_move"] != move:
        raise ValueError("[turn].move: of another player's move only what he has shown is known; expected the same as in trail_move")
    if move[3:] and plain["options"]["rules"] != "german":
        raise ValueError('[turn].move: "free" is for rules = "german"')
    if mine and not move[1] and move[0] not in hand:
        raise ValueError(f"[turn].move: no {move[0]} ticket in your hand to pay the first step")
    if plain["actions"] == 0 and not move[1]:
        raise ValueError("actions: 0, but the move action has not begun; expected 1 or more")


def _check_paying(plain: dict, board: Board, mine: bool) -> None:
    turn, here = plain["turn"], _standing(plain, board)
    if turn["purpose"] not in ("group", "ring", "bonus"):
        raise ValueError(f'[turn].purpose: {show(turn["purpose"])} is not paid for; expected "group", "ring" or "bonus"')
    if not mine and turn["purpose"] != "ring":
        raise ValueError('[turn].purpose: another player\'s payment is seen when it is made; expected "ring", or the step "turn"')
    if turn["purpose"] == "bonus":
        if here.colour < 0:
            raise ValueError(f"[turn].purpose: {here.id} is no bonus stop")
        whole = COLOURS[here.colour] * 3
    else:
        whole = plain["stops"].get(here.id, "")
        if not whole:
            raise ValueError(f"[turn].purpose: nobody waits at {here.id}")
    if plain["actions"] == 0 and turn["purpose"] != "ring":
        raise ValueError("actions: 0, but a payment takes an action; expected 1 or more")
    if turn["trail"] != ("ring" if turn["purpose"] == "ring" else turn["trail"]) or (turn["purpose"] != "ring" and turn["trail"] == "ring"):
        raise ValueError(f"[turn].trail: {show(turn['trail'])} does not go with the purpose {show(turn['purpose'])}; leave it out")
    swaps = len(turn["pay"]) // 3
    over = Counter(turn["need"]) - Counter(whole)
    if over or len(turn["need"]) + swaps != len(whole) or any(turn["pay"].count(colour) % 3 for colour in COLOURS):
        raise ValueError(f"[turn].need: {show(turn['need'])} and three for each swap in pay must be {show(whole)} together")
    if bool(swaps) != bool(turn["swapped"]):
        raise ValueError('[turn].swapped: expected the last swap, such as "R<Y", exactly if there are any in pay')
    if not mine:
        if swaps:
            raise ValueError("[turn].pay: another player's swaps are not seen before he pays; leave it out")
        return
    hand = plain["players"][plain["on_turn"]]["hand"]
    short = Counter(turn["pay"]) - Counter(hand)
    if short:
        raise ValueError(f"[turn].pay: {turn['pay']}, but the hand has {hand or 'no tickets'}")
    left = Counter(hand) - Counter(turn["pay"])
    missing = sum((Counter(turn["need"]) - left).values())
    spare = sum(count // 3 for count in (left - Counter(turn["need"])).values())
    if missing > spare:
        raise ValueError(
            f"[turn].need: {turn['need']} cannot be paid with {in_order(left.elements()) or 'nothing'}; expected a payment that can be made"
        )


def _check_keep(plain: dict, board: Board, mine: bool) -> None:
    if len(plain["turn"]["drawn"]) not in (1, 2, 3):
        raise ValueError('[turn].drawn: expected the one to three passengers drawn, such as "RYB"')
    _check_group_here(plain, board)


def _check_group_here(plain: dict, board: Board) -> None:
    here = _standing(plain, board)
    if not plain["stops"].get(here.id):
        raise ValueError(
            f"[stops].{here.id}: nobody waits where the player on turn has rung; expected the group"
            if here.kind == STOP
            else f"step: {show(plain['step'])} is for a tram stop, but the tram on turn is at {here.id}"
        )


def _check_ring(plain: dict, board: Board, mine: bool) -> None:
    turn = plain["turn"]
    if turn["purpose"] not in ("", "bell"):
        raise ValueError(f'[turn].purpose: {show(turn["purpose"])}; expected "bell" if three are drawn, else leave it out')
    most = 3 if turn["purpose"] == "bell" else 1
    if not 1 <= turn["count"] <= most or turn["count"] + len(turn["drawn"]) > most:
        raise ValueError(f"[turn].count: {turn['count']} to be drawn and {len(turn['drawn'])} drawn; there are {most}")
    if not plain["bag"]:
        raise ValueError("[passengers].bag: empty, but one is to be drawn")
    _check_group_here(plain, board)


def _check_refill(plain: dict, board: Board, mine: bool) -> None:
    turn = plain["turn"]
    if not 1 <= turn["count"] <= board.each_stop or turn["count"] + len(turn["drawn"]) > board.each_stop:
        raise ValueError(f"[turn].count: {turn['count']} to be drawn and {len(turn['drawn'])} drawn; there are {board.each_stop}")
    if not plain["bag"]:
        raise ValueError("[passengers].bag: empty, but one is to be drawn")
    if not _empty_stops(plain, board):
        raise ValueError("[stops]: no stop is empty and without a tram, so nobody is drawn")
    _check_claim(plain, board)


def _check_place(plain: dict, board: Board, mine: bool) -> None:
    if not 1 <= len(plain["turn"]["drawn"]) <= board.each_stop:
        raise ValueError(f'[turn].drawn: expected the passengers drawn, one to {board.each_stop}, such as "RYB"')
    if len(_empty_stops(plain, board)) < 2:
        raise ValueError("[stops]: fewer than two stops are empty and without a tram, so nobody has to choose")
    _check_claim(plain, board)


def _empty_stops(plain: dict, board: Board) -> list[str]:
    trams = [player["tram"] for player in plain["players"]]
    return [name for name, group in plain["stops"].items() if not group and name not in trams]


def _check_claim(plain: dict, board: Board) -> None:
    _check_space(plain, board, True)
    if not plain["players"][plain["on_turn"]]["row"]:
        raise ValueError(f"step: {show(plain['step'])} comes after a claim, but the player on turn has no card in his row")


def _check_space(plain: dict, board: Board, mine: bool) -> None:
    """The space of the claimed card, still empty; the step after `next card` has it filled."""
    space, spaces = plain["turn"]["space"], board.setups[len(plain["players"])].spaces
    if space not in spaces:
        raise ValueError(f"[turn].space: {space} is no space in use; they are {', '.join(map(str, spaces))}")
    if plain["step"] == "next card":
        if plain["next_card"] or not plain["face_up"]:
            raise ValueError('[display].next: expected "" and face_up at least 1: the next card is about to be seen')
    elif plain["display"][space]:
        raise ValueError(f'[display].cards: {plain["display"][space]} lies where the claimed card was; expected an empty space ("")')
    if plain["step"] == "card" and (plain["next_card"] or not plain["cards_unseen"]):
        raise ValueError("[display].next: a card comes straight from the pile only when none lies face up, and there must be one")


def _check_ticket(plain: dict, board: Board, mine: bool) -> None:
    if not 1 <= plain["turn"]["count"] <= board.end_of_turn:
        raise ValueError(f"[turn].count: {plain['turn']['count']} tickets to be drawn; expected 1 to {board.end_of_turn}")
    _check_ticket_left(plain)


def _check_ticket_left(plain: dict) -> None:
    if not plain["ticket_pile"] and not plain["discard"]:
        raise ValueError("[tickets].discard: no ticket is left to be drawn; expected some, or another step")


def _check_push(plain: dict, board: Board, mine: bool) -> None:
    turn, step, trams = plain["turn"], plain["step"], [player["tram"] for player in plain["players"]]
    if not turn["pushed"]:
        raise ValueError("[turn].pushed: missing; expected the players whose trams are pushed, from the mover outwards")
    if turn["move"] and not turn["move"][1]:
        raise ValueError("[turn].move: a push comes with a step, so the move has begun")
    if step == "push ticket":
        if turn["placed"] > len(turn["pushed"]):
            raise ValueError(
                f"[turn].placed: {turn['placed']}; expected 0 (the mover draws) to {len(turn['pushed'])} (the last one pushed)"
            )
        drawer = turn["pushed"][turn["placed"] - 1] if turn["placed"] else plain["on_turn"]
        if drawer in plain["drew"]:
            raise ValueError(f"drew: player {drawer} has drawn a ticket in this turn; nobody draws twice")
        for name in ("end", "before", "landing"):
            if not turn[name]:
                raise ValueError(f"[turn].{name}: missing; expected a place")
        _check_ticket_left(plain)
        return
    if turn["placed"] >= len(turn["pushed"]):
        raise ValueError(f"[turn].placed: {turn['placed']}; expected fewer than the {len(turn['pushed'])} trams pushed")
    for name in ("end", "before", "landing"):
        if not turn[name] or (turn[name] not in turn["line"] and board.places[board.place_numbers[turn[name]]].kind != ROSSIO):
            raise ValueError(f"[turn].{name}: {show(turn[name])}; expected a place that is in line")
    number = board.place_numbers
    if number[turn["before"]] not in board.neighbours[number[turn["end"]]]:
        raise ValueError(f"[turn].before: no rail joins {turn['before']} and {turn['end']}")
    for seat in turn["pushed"]:
        if trams[seat] not in turn["line"]:
            raise ValueError(f"[turn].pushed: the tram of player {seat} is at {trams[seat]}, which is not in line")
    others = [seat for seat in range(len(trams)) if seat not in turn["pushed"] and seat != plain["on_turn"]]
    if any(trams[seat] in turn["line"] for seat in others):
        raise ValueError("[turn].pushed: another tram stands in line; expected all that are met")
    ways = shunts(plain, board)
    if len(ways) < 2:
        raise ValueError(f"[turn].end: the push can be led on from {turn['end']} in {len(ways)} ways; nobody chooses with fewer than two")


def shunts(plain: dict, board: Board) -> list[str]:
    """The places to which the line of a push can be led on from its end."""
    turn, number = plain["turn"], board.place_numbers
    trams = {number[player["tram"]] for seat, player in enumerate(plain["players"]) if seat != plain["on_turn"]} - {board.rossio}
    closed = {number[name] for name, group in plain["stops"].items() if not group}

    def ways(before: int, node: int, line: frozenset, waiting: int) -> list[int]:
        """Where the line can go on so that all trams that wait find a place."""
        found = []
        for place in board.neighbours[node]:
            if place == before or place in line or (before, node, place) in board.no_turn:
                continue
            left = waiting + (place in trams) - (place not in closed)
            if place == board.rossio or left == 0 or ways(node, place, line | {place}, left):
                found.append(place)
        return found

    line = frozenset(number[name] for name in turn["line"])
    return [
        board.places[place].id for place in ways(number[turn["before"]], number[turn["end"]], line, len(turn["pushed"]) - turn["placed"])
    ]


def _check_setup(plain: dict, board: Board, mine: bool) -> None:
    """The set-up goes in one order, so what lies there tells how far it has come."""
    step, count = plain["step"], plain["turn"]["count"]
    if any(player["row"] or player["aboard"] or player["bonuses"] for player in plain["players"]):
        raise ValueError(f"step: {show(step)}, but players have cards, passengers or bonuses already")
    full = board.each_stop * len(board.stops)
    out = [len(plain["stops"][board.places[i].id]) for i in board.stops]
    expected = [max(0, min(board.each_stop, sum(out) - board.each_stop * i)) for i in range(len(out))]
    if out != expected:
        raise ValueError(f"[stops]: the set-up fills one stop after the other with {board.each_stop} passengers")
    hands = [len(player["hand"]) for player in plain["players"]]
    dealt = [max(0, min(board.start_hand, sum(hands) - board.start_hand * i)) for i in range(len(hands))]
    if hands != dealt:
        raise ValueError(f"[you].hand: the set-up deals {board.start_hand} tickets to one player after the other")
    shown = sum(bool(card) for card in plain["display"])
    spaces = len(board.setups[len(plain["players"])].spaces)
    done = {"setup bag": sum(out), "setup ticket": sum(hands), "setup card": shown}[step]
    limit = {"setup bag": full, "setup ticket": board.start_hand * len(hands), "setup card": spaces + 1}[step]
    if count != done or count >= limit:
        raise ValueError(f"[turn].count: {count}, but {done} of {limit} have come")
    if (step != "setup bag" and sum(out) != full) or (step == "setup card" and sum(hands) != board.start_hand * len(hands)):
        raise ValueError(f"step: {show(step)}, but what comes before it is not done")
    if (step == "setup bag" and sum(hands)) or (step != "setup card" and shown) or plain["next_card"]:
        raise ValueError(f"step: {show(step)}, but something that comes after it is done")


def remarks(data: dict) -> list[str]:
    """What is allowed in plain data but hardly meant."""
    board = loaded(data["options"]["board"])
    setup = board.setups[len(data["players"])]
    claims = sum(len(player["row"]) for player in data["players"])
    found = []
    if not data["discard"] and not data["memory"] and any(player["row"] or player["aboard"] for player in data["players"]):
        found.append("[tickets].discard: empty, although passengers were paid for; the tickets are taken to be in the pile")
    usual = max(0, setup.claims_to_trigger - claims)
    if data["step"] in ("turn", "moving", "paying", "keep") and data["face_up"] != usual:
        found.append(f"[display].face_up: {data['face_up']}; after {claims} claims there are {usual}")
    if data["step"] == "turn" and data["last_round"] != (claims >= setup.claims_to_trigger):
        found.append(f"last_round: {str(data['last_round']).lower()} after {claims} of the {setup.claims_to_trigger} claims that begin it")
    return found
