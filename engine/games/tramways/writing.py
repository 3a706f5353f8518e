"""Plain data of Tramways as a position file's tables; `position.py` reads them."""

from __future__ import annotations

from itertools import groupby

from wattman.engine.games.tramways.position import CHANCE, NUMBERS, WITHIN
from wattman.engine.games.tramways.view import data_of, square


def tables(data: dict) -> dict:
    """A file's keys and tables, those that say nothing left out."""
    step, action = data["step"], data["action"]
    so_far = _so_far(data) if step in WITHIN else []
    if so_far:
        step = "bid" if so_far[0].startswith("bid") else "kind"
    seats = range(len(data["players"]))
    table = {
        "game": "tramways",
        "player": data["player"],
        "to_move": data["on_turn"],
        "step": step,
        "so_far": so_far,
        "round": data["round"],
        "part": data["lap"] + 1,
        "left": data["left"],
        "dealt": data["dealt"],
        "order": data["order"],
        "arrivals": data["arrivals"],
        "boards": data["boards"],
        "links": [_link(link) for link in data["links"]],
        "supply": data["supply"] if step in CHANCE[:2] else 0,
        "offer": cards(data["offer"]),
        "out": cards([kind for kind, count in data["out"].items() for _ in range(max(0, count))]),
    }
    kept = ("game", "player", "to_move", "step", "round", "part", "left", "order", "arrivals", "boards")
    table = {key: value for key, value in table.items() if value or key in kept}
    table["options"] = dict(data["options"])
    table["tiles"] = {name: _spot(place["squares"]) for name, place in data["places"].items() if len(name) == 1}
    table["passengers"] = {name: place["passengers"] for name, place in data["places"].items() if place["passengers"]}
    if step == "bid":
        auction = data["auction"] if data["step"] == "bid" else data["auction"] | {"high": 0}
        table["auction"] = {"high": auction["high"], **({"bidder": auction["bidder"]} if auction["high"] else {})}
        table["auction"]["folded"] = [seat for seat in reversed(auction["new_order"]) if seat is not None]
    if step == "discard" and action["discards"]:
        kinds = list(data_of(data).kind_numbers)
        table["discards"] = {"count": action["discards"], "last": kinds[action["last"]], "purging": action["purging"]}
    if step in ("buy", "market"):
        rides = [f"{there} {owner}" for there, owner in action["rides"]]
        table["bonus"] = {"from": action["from"], "rides": rides, **{key: action[key] for key in ("budget", "bought", "last")}}
    table["you"] = _player(data, data["player"])
    others = {str(seat): _player(data, seat) for seat in seats if seat != data["player"]}
    if others:
        table["players"] = others
    return table


def cards(kinds: list[str]) -> str:
    """Cards as a file writes them: ``s1 d1 x2``; unknown ones one by one."""
    words = []
    for kind, group in groupby(kinds):
        count = len(list(group))
        words += [kind] * count if kind == "?" else [kind] + [f"x{count}"] * (count > 1)
    return " ".join(words)


def _spot(squares: list[str]) -> str:
    first, last = square(squares[0]), square(squares[-1])
    return squares[0] + "v" * (last[0] > first[0])


def _link(link: dict) -> str:
    return " ".join([f"{link['owner']}: {link['from']}-{link['to']}", *link["path"], *["upgraded"] * link["upgraded"]])


def _so_far(data: dict) -> list[str]:
    """The decisions of an action that is not paid for yet."""
    action, step = data["action"], data["step"]
    kind = action["kind"]
    if kind == "bid":
        told = [f"bid {data['auction']['high']}"]
    elif kind in ("build", "upgrade"):
        told = [kind, *[f"{word} {action[word]}" for word in ("from", "to") if action[word]], *(f"lay {at}" for at in action["path"])]
        told += ["join"] if kind == "build" and step == "pay" else []
    else:
        told = [kind, *([f"at {action['from']}"] if action["from"] else []), *([f"type {action['type']}"] if action["type"] else [])]
        told += [f"ride {there} {owner}" for there, owner in action["rides"]]
        told += ["stop"] if kind == "move" and step == "pay" else []
    return told + [f"pay {card}" for card in action["named"]]


def _player(data: dict, seat: int) -> dict:
    """A player's table, as it was before an action that is not paid for yet."""
    player, action = data["players"][seat], data["action"]
    kinds = [*data_of(data).kind_numbers, "?"]
    hand, within = list(player["hand"]), data["step"] in WITHIN and seat == data["on_turn"]
    table = {key: player[key] for key in NUMBERS} | {"stress": player["stress"], "rails": player["rails"]}
    if within:
        hand = sorted([*hand, *action["named"]], key=kinds.index)
        table["rails"] += len(action["path"])
        if action["kind"] == "bid":
            table["money"] = data["auction"]["high"] - action["cost"]
    table["hand"] = cards(hand)
    if seat == data["player"]:
        table["deck"] = cards(player["unseen"])
    else:
        table |= {"deck": player["deck"], "unseen": cards(player["unseen"])}
    table["pool"] = cards(player["pool"])
    parcels = [f"{name} {place['type'] * place['room']}".strip() for name, place in data["places"].items() if place["owner"] == seat]
    table["parcels"] = parcels
    memory = data.get("memory", {})
    if seat == data["player"] and memory:
        known = memory["known"][seat] + (action["named"] if within else [])
        table["shown"] = cards(sorted(known, key=kinds.index))
    if memory and memory["shuffles"][seat]:
        table["shuffles"] = memory["shuffles"][seat]
    return {key: value for key, value in table.items() if value not in ("", []) or key in ("hand", "unseen")}
