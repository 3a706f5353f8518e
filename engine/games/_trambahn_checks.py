"""What must hold in a position of Trambahn, and what follows from the rest of it. Works on plain data, see `_trambahn_position`."""

from __future__ import annotations

from collections import Counter

from wattman.engine.games._trambahn_text import (
    COPIES,
    COST,
    EXTRA_TOUR,
    HAND,
    ROW,
    SCORINGS,
    START_MONEY,
    TRAM_COPIES,
    TRAMS,
    extra_score,
    opening_key,
)
from wattman.engine.games._trambahn_turn import Turn
from wattman.engine.tomlfile import listed, show

DECK = sum(COPIES.values())
DEALT = sum(START_MONEY) + 2 * HAND
STACK = [tram for tram in TRAMS for _ in range(TRAM_COPIES[tram])]  # all trams in their order
TURN = {"boarded": 0, "column": 0, "opened": "", "banked": "", "bought": -1, "dealt": DEALT}
BUILDING = ("stations", "income", "trams")  # the steps in which columns without a tram can lie on the table


def column_text(column: dict) -> str:
    """A column as a position file writes it."""
    words = [column["colour"], *("C" if card == "C" else card[1:] for card in column["cards"])]
    return " ".join(words + ([f"x{column['tram']}"] if column["tram"] else []))


def _first_card(column: dict) -> str:
    """What opened a column, as `opened` says it."""
    return "C" + column["colour"] if column["cards"][0] == "C" else column["cards"][0]


# --- what follows from the rest and need not be written ---


def side_name(plain: dict, seat: int) -> str:
    """The table of a player in a position file."""
    return "[you]" if seat == plain["player"] else "[opponent]"


def tramless(columns: list[dict]) -> list[int]:
    return [number for number, column in enumerate(columns) if not column["tram"]]


def turn_so_far(step: str, columns: list[dict]) -> dict:
    """What the table says by itself about the turn: `TURN` with the column opened last."""
    if step in ("stations", "income") and tramless(columns):
        return TURN | {"column": len(columns) - 1, "opened": _first_card(columns[-1])}
    return TURN


def market(players: list[dict]) -> tuple[list[int], list[int]] | None:
    """The open trams, and how many of each kind are in the stack, when no tram was bought in this turn.

    None if the columns cannot have the trams that they have: three are open at a time, cheap ones first.
    """
    used = Counter(column["tram"] for player in players for column in player["columns"] if column["tram"])
    stack = Counter(STACK[used.total() + 3 :])
    left = Counter(TRAM_COPIES) - used
    return None if used - Counter(STACK[: used.total() + 3]) else (sorted((left - stack).elements()), [stack[tram] for tram in TRAMS])


def lying(data: dict) -> int:
    """Cards in hands, money piles, rows and columns."""
    side = sum(
        len(player["hand"]) + len(player["money"]) + sum(len(column["cards"]) for column in player["columns"]) for player in data["players"]
    )
    return side + sum(map(len, data["rows"].values()))


def paid(players: list[dict]) -> int:
    return sum(COST[column["tram"]] for player in players for column in player["columns"] if column["tram"])


# --- what must hold ---


def check_columns(plain: dict) -> None:
    """Columns without a tram are the mover's, opened in this turn."""
    for seat, player in enumerate(plain["players"]):
        place = f"{side_name(plain, seat)}.columns"
        columns, bare = player["columns"], tramless(player["columns"])
        if not bare:
            continue
        text = show(column_text(columns[bare[0]]))
        if seat != plain["on_turn"]:
            raise ValueError(
                f"{place}: {text} has no tram; only the player on turn can have such columns, write x2, x3 or x4 behind the cards"
            )
        if plain["step"] not in BUILDING:
            raise ValueError(
                f"{place}: {text} has no tram; the step {show(plain['step'])} has no such columns, write x2, x3 or x4 behind the cards"
            )
        if plain["step"] != "trams" and bare[0] != len(columns) - len(bare):
            raise ValueError(f"{place}: {text} has no tram, so it was opened in this turn; a column with a tram cannot come after it")
        built = sum(len(columns[number]["cards"]) for number in bare)
        if built + len(player["hand"]) >= HAND:
            raise ValueError(
                f"{place}: {built} cards in columns without a tram and {len(player['hand'])} in hand; together at most 5 after a passenger"
            )
        if plain["step"] in ("stations", "income"):
            keys = [opening_key(columns[number]["cards"][0], columns[number]["colour"]) for number in bare]
            if keys != sorted(keys):
                raise ValueError(
                    f"{place}: columns without a tram are listed in the order of their first cards (B1..B10, C, R1..); sort them so"
                )


def check_copies(plain: dict, seen: list[str]) -> None:
    """No more copies of a card than there are."""
    places: dict[str, list[str]] = {}
    for seat, player in enumerate(plain["players"]):
        name = side_name(plain, seat)
        for key in ("hand", "money"):
            for card in player[key]:
                places.setdefault(card, []).append(f"{name}.{key}")
        for column in player["columns"]:
            for card in column["cards"]:
                places.setdefault(card, []).append(f"{name}.columns")
    for colour, cards in plain["rows"].items():
        for card in cards:
            places.setdefault(card, []).append(f"[rows].{colour}")
    for card in seen:
        places.setdefault(card, []).append("[discard].seen")
    places.pop("?", None)
    for card, where in places.items():
        if len(where) > COPIES[card]:
            raise ValueError(f"{where[-1]}: {len(where)} cards {card} ({listed(dict.fromkeys(where), 'and')}); there are {COPIES[card]}")


def check_step(plain: dict) -> None:
    """Whether there is something to decide, or to draw, in this step."""
    step, mover = plain["step"], plain["on_turn"]
    player = plain["players"][mover]
    name = side_name(plain, mover)
    hand, discard = len(player["hand"]), len(plain["discard"])
    if step == "deal":
        _check_deal(plain)
    elif step == "over":
        if plain["scorings"] < SCORINGS and (discard or plain["draw_pile"] or any(p["hand"] for p in plain["players"])):
            raise ValueError(
                f'step: "over" after {plain["scorings"]} scorings; a game ends with the tenth (or when nobody can play or draw)'
            )
    elif step == "passengers":
        if not hand:
            raise ValueError(f'{name}.hand: empty, but a passenger is to be played; without cards a turn has only its draws (step "draw")')
        if hand + plain["turn"]["boarded"] > HAND:
            raise ValueError(
                f"{name}.hand: {hand} cards after {plain['turn']['boarded']} passenger; expected at most {HAND - plain['turn']['boarded']}"
            )
    elif step == "draw":
        if hand >= HAND or not plain["draw_pile"]:
            raise ValueError(
                f'step: "draw" with {hand} cards in hand and {plain["draw_pile"]} in the draw pile; expected fewer than 6 and at least 1'
            )
    elif hand >= HAND:
        raise ValueError(f"{name}.hand: {hand} cards in the step {show(step)}; at least one was played as a passenger, expected at most 5")
    elif mover == plain["player"] and not Turn(plain, settled=False).pending():
        needed = {
            "stations": "a hand card that may still be built",
            "income": "a hand card not below the last one banked",
            "trams": "an own column without a tram and the money for an open one",
        }
        raise ValueError(f"step: {show(step)} needs {needed[step]}; where nothing can be decided a step is passed over, write the next one")
    if step == "passengers" and not plain["draw_pile"] and not discard and not any(len(p["hand"]) for p in plain["players"]):
        raise ValueError("step: nobody has a card to play or to draw")


def _check_deal(plain: dict) -> None:
    """Which cards lie where during the set-up is known from their number."""
    dealt = plain["turn"]["dealt"]
    sizes, start = [], 0
    for size in (*START_MONEY, HAND, HAND):
        sizes.append(max(0, min(size, dealt - start)))
        start += size
    for seat, player in enumerate(plain["players"]):
        name = side_name(plain, seat)
        for key, size in (("money", sizes[seat]), ("hand", sizes[2 + seat])):
            if len(player[key]) != size:
                raise ValueError(f"{name}.{key}: {len(player[key])} cards when {dealt} of {DEALT} are dealt; expected {size}")
        if player["columns"] or player["regular"] or player["extra"]:
            raise ValueError(f"{name}: columns or points during the set-up; expected none")
    mover = 0 if dealt < START_MONEY[0] or sum(START_MONEY) <= dealt < DEALT - HAND else 1
    if plain["on_turn"] != mover:
        raise ValueError(f"to_move: the next card is dealt to player {mover}")
    if plain["discard"] or any(plain["rows"].values()) or plain["scorings"] or plain["reshuffles"]:
        raise ValueError('step: "deal", but something was played already; expected empty rows, no scorings and no discards')


# --- what is allowed but hardly meant ---


def remarks(data: dict) -> list[str]:
    """Slips to ask a person about: nothing that no game could get to, but nearly so.

    Parameters
    ----------
    data : dict
        Plain data as `from_file` gives it.
    """
    found = []
    players, discard = data["players"], len(data["discard"])
    if data["step"] in ("deal", "over"):
        return found
    wanted = ROW * data["scorings"] + paid(players)
    if data["reshuffles"] == 0 and discard != wanted:
        draw = data["draw_pile"] + discard - wanted
        found.append(
            f"draw_pile: {data['draw_pile']} leaves {discard} discards; before the first reshuffle they are 4 for each scoring and the"
            f" payments for trams, here {wanted}" + (f", so that draw_pile = {draw}" if draw >= 0 else "")
        )
    elif discard > wanted:
        found.append(
            f"draw_pile: {data['draw_pile']} leaves {discard} discards, more than all {wanted} scored passengers and payments of the game"
        )
    if data["draw_pile"] == 0 and discard and data["options"].get("halving") == "on_empty":
        found.append("draw_pile: 0; the discard pile becomes the draw pile as soon as it is empty")
    for seat, player in enumerate(players):
        name = side_name(data, seat)
        full = HAND - (data["turn"]["boarded"] if seat == data["on_turn"] else 0)
        if (seat != data["on_turn"] or data["step"] == "passengers") and len(player["hand"]) < full:
            found.append(
                f"{name}.hand: {len(player['hand'])} cards; a hand is filled up to {HAND} after each turn, so {full} are expected here"
            )
        own = paid([player])
        if data["reshuffles"] == 0 and len(player["money"]) + own < START_MONEY[seat]:
            found.append(f"{name}.money: {len(player['money'])}; player {seat} began with {START_MONEY[seat]} and has paid {own} for trams")
        if data["scorings"] == 0 and player["regular"]:
            found.append(f"{name}.score: {player['regular']} points of regular scorings before the first one")
        tours = extra_score(player["columns"])
        if player["extra"] != tours:
            found.append(f"{name}: the columns with {EXTRA_TOUR} cards and more gave {tours} points of Extra Tours, not {player['extra']}")
    return found
