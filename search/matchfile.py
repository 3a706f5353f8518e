"""A match on disk: JSON Lines, first a line that says which match it is, then one line a game, the games of a deal together."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from wattman.search.linefile import LineFile, parsed
from wattman.search.matchgame import Match, MatchGame

FORMAT = 1


class MatchFile:
    """The file of a match, open for adding to it.

    A deal is written in one piece and is on the disk when `add` returns. What a killed process left of a deal is cut off on opening.

    Parameters
    ----------
    path : path
    match : Match
        What is played. Only the number of games may differ from what the file was begun with.
    resume : bool
        Go on with the file if it is there; without it that is an error.

    Attributes
    ----------
    deals : list of list of MatchGame
        The whole deals that were in the file.
    """

    def __init__(self, path: str | os.PathLike, match: Match, resume: bool) -> None:
        self.match = match
        self.deals: list[list[MatchGame]] = []
        self._file = LineFile(path, {"match": FORMAT, **description(match)}, resume)
        try:
            self._file.cut(self._read())
        except BaseException:
            self._file.close()
            raise

    def add(self, games: Sequence[MatchGame]) -> None:
        """Write the games of one deal."""
        self._file.add(game.to_json() for game in games)

    def close(self) -> None:
        self._file.close()

    def _read(self) -> int:
        """Fill `deals`; the place in the file where the next deal belongs."""
        end, deal, known = self._file.first, [], set()
        for number, line, place in self._file.lines():
            try:
                game = MatchGame.from_json(parsed(line), self.match.game.num_players())
                if deal and game.deal != deal[0].deal:
                    raise ValueError(f"the games of deal {deal[0].deal} are not all there")
                deal.append(game)
                expected = self.match.games_of(game.deal)
                if game.deal in known or game.number != len(deal) - 1 or tuple(game.seats) != expected[game.number]:
                    raise ValueError(f"game {game.number} of deal {game.deal} does not belong here")
            except ValueError as error:
                raise ValueError(f"{self._file.path}: line {number}: {error}") from None
            if len(deal) == len(expected):
                self.deals.append(deal)
                known.add(game.deal)
                deal, end = [], place
        return end


def description(match: Match) -> dict[str, Any]:
    """What makes a match this one: everything that decides its games but their number."""
    return {"game": match.game.name, "options": dict(match.game.options), "agents": match.names, "seed": match.seed}
