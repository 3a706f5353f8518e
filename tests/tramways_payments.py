"""Paying with icons, for the reference: every payment that a hand allows, by trying out which icon pays for what.

A *cost* is (rails, needs): so many rails, and one icon out of each set of `needs`. A price is a list of costs, any of which may be paid.
"""

from itertools import product

ANY_TWO = ({"R", "C", "L", "I", "S"}, {"R", "C", "L", "I", "S"})


def uses(data, hand, needs):
    """Every choice of different icons, one for each need: tuples of (card, icon), where a card is (kind, copy)."""
    cards = [(kind, copy) for kind in data.kinds for copy in range(hand[kind])]
    slots = [[(card, icon) for card in cards for icon in data.icons[card[0]] if icon in need] for need in needs]
    return [chosen for chosen in product(*slots) if len(set(chosen)) == len(chosen)]


def rail_sets(data, hand, rails):
    """Sets of cards whose rails make `rails`, none of which could be left out.

    One that could be left out would make the payment worse: without it there is a card less, or an icon less and so less stress.
    """
    cards = [(kind, copy) for kind in data.kinds for copy in range(hand[kind]) if data.worth(kind, "r")]
    found = []

    def choose(start, chosen, total):
        if total >= rails:
            if all(total - data.worth(card[0], "r") < rails for card in chosen):
                found.append(frozenset(chosen))
            return
        for number in range(start, len(cards)):
            choose(number + 1, [*chosen, cards[number]], total + data.worth(cards[number][0], "r"))

    choose(0, [], 0)
    return found


def payments(data, hand, price, room):
    """The legal payments of a price as sorted tuples of kinds, each with its stress, which is at most `room`."""
    least = {}
    for rails, needs in price:
        ways = rail_sets(data, hand, rails)
        for chosen in uses(data, hand, needs):
            for way in ways:
                cards = {card for card, _ in chosen} | way
                stress = len(chosen) + len(way) - len(cards)
                kinds = tuple(sorted((kind for kind, _ in cards), key=data.kinds.index))
                least[kinds] = min(stress, least.get(kinds, stress))
    good = {}
    for kinds in sorted(least, key=len):  # a part of a payment is shorter; if it is itself no good, what spoils it spoils this one too
        cards = numbered(kinds)
        if least[kinds] <= room and not any(other < cards and least[part] <= least[kinds] for part, other in good.items()):
            good[kinds] = cards
    return {kinds: least[kinds] for kinds in good}


def numbered(kinds):
    """A multiset of kinds as a set of (kind, copy), so that a part of it is a subset."""
    return frozenset((kind, kinds[:place].count(kind)) for place, kind in enumerate(kinds))


def most_rails(data, hand, needs, room):
    """The most rails that can be paid beside `needs`; -1 if these cannot be paid."""
    best, whole = -1, sum(number * data.worth(kind, "r") for kind, number in hand.items())
    for chosen in uses(data, hand, needs):
        used = {card for card, _ in chosen}
        left = room - (len(chosen) - len(used))
        if left >= 0:
            second = sorted((data.worth(kind, "r") for kind, _ in used), reverse=True)  # a further icon of a card in use: 1 stress
            best = max(best, whole - sum(second) + sum(second[:left]))
    return best
