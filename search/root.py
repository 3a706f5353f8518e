"""Independent searches from one root: their budget, their threads, and their results taken together."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wattman.engine.game import InfoState
from wattman.search.analysis import Analysis, MoveReport
from wattman.search.evaluator import Evaluator
from wattman.search.ismcts import Search, fingerprint
from wattman.search.options import for_game

SLICE = 0.01  # seconds between two looks at the clock, and at Ctrl-C
ENOUGH = 16  # worlds in which a move must have won at once, to count as a sure win
PROGRESS = 0.2  # seconds between two calls of a progress callback

Progress = Callable[[int, float, Analysis], None]


@dataclass
class Move:
    """One root action, summed over the searches."""

    action: int
    prior: float
    visits: int = 0
    fresh: int = 0  # of the visits, those since it became a root action: wins, margins and ends are theirs
    total: float = 0.0
    wins: float = 0.0
    margins: float = 0.0
    ends: int = 0

    @property
    def sure(self) -> bool:
        """Whether in all worlds so far, and not too few, the game was over at once and won by the observer."""
        return self.ends == self.fresh >= ENOUGH and self.wins == self.ends


class RootSearch:
    """`roots` independent searches, worked on by `threads` threads.

    The same arguments give the same result, however fast the machine is, if the budget is a number of simulations.

    Parameters
    ----------
    info : InfoState
        The observer is to move.
    options : dict
        Search options, complete (see `wattman.search.options.SEARCH`).
    seed : int
    roots, threads : int
        At most so many threads as roots are used.
    memory : int
        Megabytes for all trees together.
    fixed : bool
        Each search keeps to one world of its own, in which everybody sees everything (perfect-information Monte Carlo).
    evaluator : Evaluator, optional
        The network that guides them.
    only : list of int, optional
        Compare these actions and no others, all with equally many visits.
    """

    def __init__(
        self,
        info: InfoState,
        options: dict[str, Any],
        seed: int,
        roots: int = 1,
        threads: int = 1,
        memory: int = 256,
        fixed: bool = False,
        evaluator: Evaluator | None = None,
        only: list[int] | None = None,
    ) -> None:
        options = for_game(info.game, options)
        seeds = [seed + (root << 48) for root in range(roots)]
        worlds = [info.sample(fingerprint(info, ~each)) if fixed else None for each in seeds]
        self.info = info
        self.to_win = options["win"] > 0
        self.threads = min(threads, roots)
        self.searches = [
            Search(info, options, each, memory * 2**20 // roots, world, evaluator, only) for each, world in zip(seeds, worlds, strict=True)
        ]
        self.seconds = 0.0
        self.interrupted = False
        self._failure: BaseException | None = None

    @property
    def simulations(self) -> int:
        """Simulations so far."""
        return sum(search.simulations for search in self.searches)

    @property
    def events_ahead(self) -> float:
        """Events of a simulation on average: how far the end is, as far as the simulations went."""
        return sum(search.events for search in self.searches) / max(1, self.simulations)

    @property
    def worlds(self) -> int:
        """Different deals so far of what the observer cannot see."""
        return sum(search.worlds for search in self.searches)

    def advance(self, info: InfoState, action: int, turn: bool = False) -> bool:
        """Moves on to what the observer knows now, after `action` at the present root, and keeps the trees.

        Returns false if that cannot be done (see `Search.advance`); this object is of no use then.
        """
        for search in self.searches:
            if not search.advance(info, action, turn):
                return False
        self.info = info
        self.seconds = 0.0
        self.interrupted = False
        return True

    def run(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        progress: Progress | None = None,
        settle: bool = False,
        halt: threading.Event | None = None,
    ) -> None:
        """Search until one of the budgets is spent, or until Ctrl-C or `halt`, which set `interrupted`; at least one simulation each.

        `progress` is called now and then with the simulations so far, the seconds, and a snapshot. With `settle` the search stops early
        when the rest of the budget cannot change the best move; with several searches and no time limit it does not, since when it
        stopped would depend on the threads' speed.
        """
        start = time.perf_counter()
        end = math.inf if seconds is None else start + seconds
        count = len(self.searches)
        shares = [math.inf if simulations is None else max(1, simulations // count + (i < simulations % count)) for i in range(count)]
        budget = int(shares[0]) if settle and count == 1 and simulations is not None else 0
        stop = threading.Event()
        reported = start

        def look() -> None:
            nonlocal reported
            now = time.perf_counter()
            if halt is not None and halt.is_set():
                self.interrupted = True
                stop.set()
            if progress is not None and now - reported >= PROGRESS:
                progress(self.simulations, now - start, self.analysis(now - start))
                reported = time.perf_counter()
            if settle and seconds is not None and self._settled((end - now) / (now - start + 1e-9)):
                stop.set()

        def work(first: int, look: Callable[[], None] | None = None) -> None:
            size = 8
            turn = [(self.searches[i], shares[i]) for i in range(first, count, self.threads)]
            length = SLICE / len(turn)  # so that all get about the same when time is short
            while turn and not stop.is_set():
                rest = []
                for search, share in turn:
                    now = time.perf_counter()
                    if stop.is_set() or (now >= end and search.simulations):
                        continue
                    n = int(min(size, share - search.simulations))
                    settled = search.run(n, budget)
                    spent = max(time.perf_counter() - now, 1e-9)
                    # The next slice: as long as wanted, no longer than is left, and not far from the last one.
                    wanted = min(length, max(end - time.perf_counter(), 0.0)) * n / spent
                    size = max(1, int(min(wanted, 4 * size)))
                    if search.simulations < share and not settled:
                        rest.append((search, share))
                    if look is not None:
                        look()
                turn = rest

        def work_aside(first: int) -> None:
            try:
                work(first)
            except BaseException as error:  # handed to the caller's thread
                self._failure = error
                stop.set()

        helpers = [threading.Thread(target=work_aside, args=(i,), daemon=True) for i in range(1, self.threads)]
        try:
            for helper in helpers:
                helper.start()
            work(0, look)
            for helper in helpers:
                helper.join()
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            stop.set()
            for helper in helpers:
                if helper.ident is not None:
                    helper.join()
        if self._failure is not None:
            raise self._failure
        for search in self.searches:
            if search.simulations == 0:  # interrupted before it began
                search.run(1)
        self.seconds += time.perf_counter() - start

    def moves(self) -> list[Move]:
        """All root actions, the best first: a sure win where winning counts, then by visits, then by mean reward."""
        moves: dict[int, Move] = {}
        for search in self.searches:
            for edge in search.root():
                move = moves.setdefault(edge.action, Move(edge.action, edge.prior))
                move.visits += edge.visits
                move.fresh += edge.fresh
                move.total += edge.total
                move.wins += edge.win
                move.margins += edge.margin
                move.ends += edge.ends
        return sorted(moves.values(), key=lambda m: (not (self.to_win and m.sure), -m.visits, -m.total, -m.prior, m.action))

    def _settled(self, left: float) -> bool:
        """Whether the best move stays the best, if `left` times as many simulations as until now are still to come."""
        moves = self.moves()
        second = moves[1].visits if len(moves) > 1 else 0
        return (self.to_win and moves[0].sure) or moves[0].visits - second > left * self.simulations

    def best(self) -> int:
        """The action to take."""
        return self.moves()[0].action

    def analysis(self, seconds: float | None = None) -> Analysis:
        """Everything known about the root's moves so far."""
        roots = [{edge.action: edge for edge in search.root()} for search in self.searches]
        reports = []
        simulations = self.simulations
        for move in self.moves():
            visits = [root[move.action].visits for root in roots]
            lead = max(range(len(roots)), key=lambda i: visits[i])
            reports.append(
                MoveReport(
                    action=self.info.action_to_string(move.action),
                    visits=move.visits,
                    win=move.wins / move.fresh if move.fresh else None,
                    win_stderr=standard_error([(root[move.action].fresh, root[move.action].win) for root in roots]),
                    margin=move.margins / move.fresh if move.fresh else None,
                    prior=move.prior,
                    pv=self.searches[lead].line(move.action),
                )
            )
        return Analysis(
            game=self.info.game.name,
            to_move=self.info.player,
            simulations=simulations,
            seconds=self.seconds if seconds is None else seconds,
            worlds=self.worlds,
            moves=reports,
            interrupted=self.interrupted,
        )


def standard_error(samples: list[tuple[int, float]]) -> float | None:
    """Standard error of the pooled mean of values in [0, 1], from independent searches.

    Parameters
    ----------
    samples : list of (int, float)
        Per search: number of values, and their sum.

    Returns
    -------
    float or None
        From the spread of the searches' means (the variance of a ratio, Cochran, "Sampling Techniques", 1977, 6.5). With fewer than two
        searches that have values: the most that it can be for independent values. None without any.
    """
    samples = [(n, total) for n, total in samples if n]
    count = sum(n for n, _ in samples)
    if not count:
        return None
    if len(samples) < 2:
        return math.sqrt(0.25 / count)
    mean = sum(total for _, total in samples) / count
    squares = sum((total - n * mean) ** 2 for n, total in samples)
    return math.sqrt(squares * len(samples) / (len(samples) - 1)) / count
