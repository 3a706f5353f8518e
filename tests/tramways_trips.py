"""Trips of passengers, for the reference: which way a passenger may go on, and what the ways cost and bring.

`game` is a ``tramways_reference.Reference``.
"""

from dataclasses import dataclass, field


@dataclass
class Trip:
    """A passenger under way.

    Attributes
    ----------
    at : str
        The terminal from which he goes on.
    entered : set of str
        Terminals he has been at, that of the beginning included.
    links : list of Link
    money : list of (int, player or None)
        What the mover gets (or pays, if negative) in travel order, and whom he pays.
    parks : int
        How often he has been through the Park.
    """

    at: str
    entered: set
    links: list = field(default_factory=list)
    money: list = field(default_factory=list)
    parks: int = 0

    def lowest(self):
        """The least that the money comes to on the way, 0 at the beginning."""
        total = least = 0
        for amount, _ in self.money:
            total += amount
            least = min(least, total)
        return least


def after_ride(game, trip, mover, link):
    """The trip after riding one more link; None if it may not be ridden."""
    data = game.data
    there = next(end for end in link.ends if end != trip.at)
    entered, at = {there}, there
    if there in "VW":
        at = "W" if there == "V" else "V"
        entered.add(at)
    if len(trip.links) == data["trips"]["longest"] or entered & trip.entered or game.is_empty_parcel(there):
        return None
    price = data["links"]["money"] * len(link.squares)
    money = [*trip.money, (price, None) if link.owner == mover else (-price, link.owner)]
    if there == "X":
        money.append((data["expansions"]["stock_exchange"]["money"], None))
    if at != there:
        money.append((data["expansions"]["airports"]["money"], None))
    longer = Trip(at, trip.entered | entered, [*trip.links, link], money, trip.parks + (there == "K"))
    return longer if game.coins[mover] + longer.lowest() >= 0 else None


def rides(game, trip, mover):
    """Every next link: text of the decision -> the trip after it."""
    result = {}
    for link in game.links:
        if trip.at in link.ends:
            longer = after_ride(game, trip, mover, link)
            if longer:
                there = next(end for end in link.ends if end != trip.at)
                result[f"ride {there} {link.owner}"] = longer
    return result


def can_stop(game, trip, finals):
    """Whether the trip may end where the passenger is; `finals`: terminals whose icons the mover can pay."""
    return bool(trip.links) and trip.at in finals


def can_end(game, trip, mover, finals):
    """Whether the trip can be brought to an end from here."""
    return can_stop(game, trip, finals) or any(can_end(game, longer, mover, finals) for longer in rides(game, trip, mover).values())
