"""Who sits where: the games of one deal, such that no agent is better off for its seats."""

from __future__ import annotations

import math
from itertools import combinations, islice, permutations

SMALL = 3  # seats up to which all orders are played


def seatings(agents: int, seats: int, deal: int = 0) -> list[tuple[int, ...]]:
    """The games of one deal.

    Parameters
    ----------
    agents, seats : int
        See below for what fits.
    deal : int
        Which deal of the match it is. The number of games is the same for all.

    Returns
    -------
    list of tuple of int
        Per game, the agent on each seat.

    Raises
    ------
    ValueError
        If so many agents do not fit so many seats.

    Notes
    -----
    - As many agents as seats, up to 3: all orders (2 games for two, 6 for three). More: each agent once on each seat, round a circle
      whose order changes from deal to deal, so that all neighbourhoods occur.
    - Two agents on more than two seats: one against a table of the others, on every seat, and the same the other way round: 2 games a
      seat. Each agent has half of all seats, so agents of equal strength win half.
    - More agents than seats: every group that fills the table, seated as above.
    """
    if seats < 2:
        raise ValueError("a match needs a game with at least two players")
    if agents < 2:
        raise ValueError("a match needs at least two agents")
    if agents == 2 < seats:
        alone = [tuple(int(place != seat) for place in range(seats)) for seat in range(seats)]
        return alone + [tuple(1 - agent for agent in game) for game in alone]
    if agents < seats:
        raise ValueError(f"{agents} agents for a game of {seats} players: give 2, or {seats} (one may be named several times), or more")
    return [game for group in combinations(range(agents), seats) for game in _all_seats(group, deal)]


def _all_seats(group: tuple[int, ...], deal: int) -> list[tuple[int, ...]]:
    if len(group) <= SMALL:
        return list(permutations(group))
    orders = permutations(group[1:])
    circle = (group[0], *next(islice(orders, deal % math.factorial(len(group) - 1), None)))
    return [circle[shift:] + circle[:shift] for shift in range(len(circle))]
