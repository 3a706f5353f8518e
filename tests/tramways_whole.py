"""Whole actions of Tramways by brute force: every path, every set of cards, every way over links, straight from the definitions.

Slow, for small positions. `game` is a ``tramways_reference.Reference``; what comes of an action is told as ``Reference.facts`` tells it.
"""

from collections import Counter
from copy import deepcopy
from itertools import combinations, product

from tramways_city import TYPES, around, written

FOUR_AND_S = set("RCLIS")


def sub_multisets(cards):
    """Every multiset of one or more of the cards, as sorted tuples."""
    cards = sorted(cards)
    return {tuple(chosen) for number in range(1, len(cards) + 1) for chosen in combinations(cards, number)}


def least_stress(data, cards, rails, needs):
    """The least stress of paying with exactly these cards, each used; None if they do not pay.

    Every icon of every card is unused, or a rail, or fulfils one of the needs.
    """
    best = None
    icons = [(number, icon) for number, card in enumerate(cards) for icon in data.icons[card]]

    def assign(place, used, left, paid):
        nonlocal best
        if place == len(icons):
            if not left and paid >= rails and len({number for number, _ in used}) == len(cards):
                stress = len(used) - len(cards)
                best = stress if best is None else min(best, stress)
            return
        number, icon = icons[place]
        assign(place + 1, used, left, paid)
        if icon in ("r1", "r2", "r3"):
            assign(place + 1, [*used, icons[place]], left, paid + int(icon[1]))
        for need in {frozenset(need) for need in left if icon in need}:
            assign(place + 1, [*used, icons[place]], without(left, need), paid)
        del number

    assign(0, [], [frozenset(need) for need in needs], 0)
    return best


def without(things, thing):
    things = list(things)
    things.remove(thing)
    return things


def legal_payments(game, player, price):
    """Sorted tuples of kinds with their stress."""
    data, room = game.data, game.data["stress"]["most"] - game.stress[player]
    stress = {}
    for cards in sub_multisets(game.hands[player].elements()):
        found = [least for rails, needs in price if (least := least_stress(data, cards, rails, needs)) is not None]
        if found:
            stress[cards] = min(found)
    parts = {cards: [part for part in stress if part != cards and not Counter(part) - Counter(cards)] for cards in stress}
    return {
        cards: amount for cards, amount in stress.items() if amount <= room and not any(stress[part] <= amount for part in parts[cards])
    }


def paths(game, one, other, most):
    """Every path of squares from one terminal to another."""
    free = set(game.city.ground) - game.city.taken - {square for link in game.links for square in link.squares}
    beside = [{near for square in game.city.terminals[end] for near in around(square)} for end in (one, other)]

    def follow(path):
        if path[-1] in beside[1]:
            yield path
        if len(path) < most:
            for square in around(path[-1]):
                if square in free and square not in path:
                    yield from follow([*path, square])

    for square in beside[0]:
        if square in free:
            yield from follow([square])


def icon(game, terminal):
    """The icon of a link's end; None if it has none."""
    if terminal in game.built:
        return game.built[terminal][0]
    if terminal in game.city.printed:
        return game.city.printed[terminal]
    return {"S": "S"}.get(terminal, f"lot {terminal}" if terminal[1:].isdigit() else None)


def link_price(game, ends, rails, more=()):
    if "F" in ends:
        return [(rails, [*more, FOUR_AND_S, FOUR_AND_S]), (rails, [*more, {"F"}])]
    icons = {icon(game, end) for end in ends} - {None}
    return [(rails, [*more, icons])] if icons else []


def ends(game, player):
    return [name for name in game.city.terminals if not name[1:].isdigit() or name in game.built or game.owner.get(name) == player]


def paid(game, player, cards, stress):
    """The facts after paying."""
    facts = deepcopy(game.facts())
    hand = Counter(facts["hands"][player]) - Counter(cards)
    facts["hands"][player] = sorted(hand.elements())
    facts["pools"][player] = sorted([*facts["pools"][player], *cards])
    facts["stress"][player] += stress
    return facts


def gain_card(facts, player, kind):
    facts["hands"][player] = sorted([*facts["hands"][player], kind])
    facts["stock"] = {name: left for name, number in facts["stock"].items() if (left := number - (name == kind))}


def builds(game, player):
    """What comes of every whole action that builds a link."""
    if not game.workers[player]:
        return
    names = ends(game, player)
    for one, other in combinations(names, 2):
        if any(link.ends == (one, other) and link.owner == player for link in game.links):
            continue
        known = {}
        for path in paths(game, one, other, min(game.data["track"]["longest"], game.rails[player])):
            rails = sum({".": 1, "~": 2, "^": 2}[game.city.ground[square]] for square in path)
            if rails not in known:
                known[rails] = legal_payments(game, player, link_price(game, (one, other), rails))
            for cards, stress in known[rails].items():
                facts = paid(game, player, cards, stress)
                facts["workers"][player] -= 1
                facts["rails"][player] -= len(path)
                facts["links"] = sorted([*facts["links"], [f"{one}-{other}", player, sorted(map(written, path)), False]])
                first = not any("S" in link.ends for link in game.links if link.owner == player)
                if "S" in (one, other) and first and facts["stock"].get("bS"):
                    gain_card(facts, player, "bS")
                yield facts


def upgrades(game, player):
    for place, link in enumerate(sorted(game.facts()["links"])):
        if link[1] == player and not link[3]:
            for cards, stress in legal_payments(game, player, link_price(game, tuple(link[0].split("-")), 0, [{"up"}])).items():
                facts = paid(game, player, cards, stress)
                facts["links"][place][3] = True
                yield facts


def constructs(game, player):
    for parcel, letter in product([name for name in game.owner if game.owner[name] == player and name not in game.built], TYPES):
        if game.stock[f"b{letter}"]:
            for cards, stress in legal_payments(game, player, [(0, [{"con"}, {f"lot {parcel}"}, {letter}])]).items():
                facts = paid(game, player, cards, stress)
                facts["built"][parcel] = [letter, 1]
                facts["hp"][player] += 2
                gain_card(facts, player, f"b{letter}")
                if game.supply:
                    facts["passengers"][parcel] = 1
                    facts["supply"] -= 1
                yield facts


def trips(game, player):
    """What comes of every whole action that moves a passenger."""

    def ways(way, at, entered):
        yield way, at
        for link in game.links:
            if at in link.ends and len(way) < game.data["trips"]["longest"]:
                there = link.ends[1 - link.ends.index(at)]
                goes_on = {"V": "W", "W": "V"}.get(there, there)
                empty = there[1:].isdigit() and there not in game.built
                if not empty and not {there, goes_on} & entered:
                    yield from ways([*way, (link, there)], goes_on, entered | {there, goes_on})

    for origin, number in game.passengers.items():
        for way, final in ways([], origin, {origin}) if number else ():
            letter = game.built[final][0] if final in game.built else game.city.printed.get(final, {"S": "S", "F": "F"}.get(final))
            if not way or letter is None:
                continue
            needs = [[{"strip"}, {letter}]] if letter != "F" else [[{"strip"}, FOUR_AND_S, FOUR_AND_S], [{"strip"}, {"F"}]]
            purse = game.coins[player]
            course = [purse]
            for link, there in way:
                purse += len(link.squares) * (1 if link.owner == player else -1)
                course.append(purse)
                purse += 5 * (there in "XVW")
            if min(course) >= 0:
                for cards, stress in legal_payments(game, player, [(0, need) for need in needs]).items():
                    yield from after_trip(game, player, origin, way, final, letter, min(course), paid(game, player, cards, stress))


def after_trip(game, player, origin, way, final, letter, purse, facts):
    """What comes of a trip that is paid for, for every bonus that can be chosen; `purse`: what may be spent on it."""

    def move(name, number):
        facts["passengers"][name] = facts["passengers"].get(name, 0) + number
        if not facts["passengers"][name]:
            del facts["passengers"][name]

    def calmer(number):
        facts["stress"][player] = min(12, max(0, facts["stress"][player] + number))

    move(origin, -1)
    if final == "S" and facts["passengers"].get("S", 0) < 2:
        move("S", 1)
    else:
        facts["supply"] += 1
    for link, there in way:
        facts["hp"][link.owner] += 2 if link.upgraded else 1
        price = len(link.squares)
        facts["coins"][player] += price if link.owner == player else -price
        if link.owner != player:
            facts["coins"][link.owner] += price
        facts["coins"][player] += 5 * (there in "XVW")
        calmer(-(there == "K"))
    if letter == "R":
        calmer(-1)
    if letter == "I":
        calmer(1)
        facts["workers"][player] += 1
    if letter in "LF":
        price, most = (3, 4) if letter == "L" else (2, 20)
        for number in range(min(most, purse // price) + 1):
            bought = deepcopy(facts)
            bought["hp"][player] += number
            bought["coins"][player] -= number * price
            yield bought
    elif letter == "C":
        kinds = [kind for kind in ("d1", "d2", "d3", "d4") for _ in range(min(2, game.stock[kind]))]
        for cards in {(), *(cards for cards in sub_multisets(kinds) if len(cards) <= 2)}:
            if 3 * len(cards) <= purse:
                bought = deepcopy(facts)
                bought["coins"][player] -= 3 * len(cards)
                for kind in cards:
                    gain_card(bought, player, kind)
                yield bought
    else:
        yield facts
