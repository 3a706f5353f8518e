"""Boards of Lisbon Tram 28 that nobody printed: more tangled rails, fewer tickets and smaller wishes than the real ones."""

import itertools
import json

from wattman import load_game

COLOURS = "RYGB"


def random_board(rng, file, players, tickets=None):
    """Write a random board for `players` players that the engine takes (it refuses rails that are too tangled).

    Many stops, so that steps and pushes run far once these are empty, dead ends, rails that do not meet; few tickets and passengers, so
    that piles run out; cards that want one to three passengers, so that games end.

    Parameters
    ----------
    rng : random.Random
    file : pathlib.Path
    players : int
    tickets : int, optional
        Of each colour; a random number if left out.

    Returns
    -------
    str
        The option `board`.
    """
    while True:
        file.write_text(_board(rng, players, tickets), encoding="utf-8")
        try:
            load_game("lisbon", players=players, board=str(file))
        except ValueError as error:
            if "different steps" not in str(error) and "emptied stops" not in str(error):
                raise
        else:
            return str(file)


def _board(rng, players, tickets):
    """The text of a random board."""
    monuments = [f"m{i}" for i in range(rng.randint(2, 5))]
    names = ["rossio", "red", "yellow", "green", "blue", *monuments, *(f"s{i}" for i in range(rng.randint(5, 12)))]
    kinds = {"r": "rossio", "m": "monument", "s": "stop"}
    colours = {"red": "R", "yellow": "Y", "green": "G", "blue": "B"}
    spots = rng.sample(list(itertools.product(range(0, 101, 5), repeat=2)), len(names))
    places = []
    for name, xy in zip(names, spots, strict=True):
        place = {"id": name, "kind": "bonus" if name in colours else kinds[name[0]], "label": name.title(), "xy": list(xy)}
        if name in colours:
            place["colour"] = colours[name]
        if place["kind"] == "monument":
            place["refill_symbol"] = rng.random() < 0.5
        places.append(place)
    rails = _rails(rng, names)
    turns = []
    for via in names:
        next_to = sorted({name for rail in rails if via in rail for name in rail} - {via})
        if len(next_to) > 2:
            turns += [[here, via, there] for here, there in itertools.combinations(next_to, 2) if rng.random() < 0.15]
    spaces = rng.randint(2, 4)
    covered = [rng.randrange(spaces)] if spaces > 2 and rng.random() < 0.5 else []
    cards = _cards(rng, monuments)
    face_up = rng.randint(spaces + 1, min(spaces + 5, len(cards)))
    box = {
        "tickets": {
            "each_colour": tickets or rng.choice([7, 9, 12, 27]),
            "start_hand": rng.randint(0, 6),
            "end_of_turn": rng.randint(2, 5),
        },
        "passengers": {"each_colour": rng.choice([9, 10, 15]), "each_stop": rng.randint(1, 3)},
        "seats": {"start": rng.randint(1, 2), "with_bonus": rng.randint(3, 4)},
    }
    setup = {str(players): {"face_up": face_up} | ({"closed_spaces": covered} if covered else {})}
    tables = {
        "setup": setup,
        "display": {"refill_symbols": [rng.random() < 0.6 for _ in range(spaces)]},
        "places": {"list": places},
        "rails": {"ways": [{"line": "1E", "places": rail} for rail in rails], "no_turn": turns},
        "cards": {"list": cards},
        **box,
        "player_boards": {"list": _player_boards(rng)},
    }
    lines = ['game = "lisbon"', 'label = "Nowhere"']
    for table, keys in tables.items():
        lines += [f"[{table}]", 'basis = "reconstruction"', *(f"{key} = {toml(value)}" for key, value in keys.items())]
    return "\n".join(lines) + "\n"


def _rails(rng, names):
    """A random tree and some more rails, at most six at a place."""
    rails = [[name, rng.choice(names[max(0, i - 4) : i])] for i, name in enumerate(names) if i]
    for _ in range(rng.randint(len(names) // 3, len(names))):
        rail = rng.sample(names, 2)
        met = [other for other in rails if set(other) & set(rail)]
        if set(rail) not in map(set, rails) and max(sum(name in other for other in met) for name in rail) < 5:
            rails.append(rail)
    return rails


def _cards(rng, monuments):
    cards = []
    for number, monument in enumerate(monuments * 8):
        edges = ["".join(colour for colour in COLOURS if rng.random() < 0.4) for _ in range(2)]
        demand = "".join(sorted(rng.choices(COLOURS, k=rng.randint(1, 3)), key=COLOURS.index))
        entry = {"id": f"c{number}", "monument": monument, "vp": rng.randint(1, 4), "demand": demand}
        cards.append(entry | {"left": edges[0], "right": edges[1]})
    return cards[: rng.randint(10, 16)]


def _player_boards(rng):
    orders = rng.sample(list(itertools.permutations(COLOURS)), 4)
    bonuses = "seats", "action", "free_move", "bell"
    names = "pink", "blue", "light_blue", "yellow"
    return [{"id": name, "label": name.title()} | dict(zip(bonuses, order, strict=True)) for name, order in zip(names, orders, strict=True)]


def toml(value):
    """A value as TOML writes it on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)
