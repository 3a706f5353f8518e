"""Training from nothing but self-play: iterations of games, training, and a match of the new network against the old one.

The directory holds `train.json` (what is trained), `start.npz` if it began with weights that were there, and a directory per iteration:

    games/        records and shards of self-play
    start.npz     float32 weights from which the next training goes on
    net.npz       the new network
    gate.jsonl    its match against the network before it, if there is one
    plain.jsonl   the match of the better of both against the search without a network
    done.json     written last: what came of it

Each step leaves files behind that the next one needs, and none is begun twice: whenever the process is killed, the same command with
`resume` goes on, and ends in the same shards.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch

from wattman.engine.game import Game
from wattman.models import weights
from wattman.models.dataset import Shards
from wattman.models.games import play_games
from wattman.models.network import HIDDEN, Network
from wattman.models.npz import read_npz
from wattman.models.tensors import write_shards
from wattman.models.terms import policy_terms
from wattman.models.training import Losses, Plan, train
from wattman.models.transfer import Carried
from wattman.search.alone import compare_alone
from wattman.search.jobs import derived_seed
from wattman.search.match import MatchResult, run_match
from wattman.search.noting import Cap
from wattman.search.selfplay import selfplay
from wattman.search.statistics import elo as elo_of

DESCRIPTION = "train.json"
CHUNK = 4000  # games by the playout policy that are in memory at once
SHARE = 0.2  # of their positions that are learnt from
MOST_TERMS = 4000  # games with more terms of actions get no policy: its weights would not fit into a file

Report = Callable[[str, int, int, str], None]
"""What is done ("self-play"), how much of it is done, how much there is, and what is known so far, in words."""


@dataclass(frozen=True)
class Settings:
    """How much of everything.

    Attributes
    ----------
    games, simulations : int
        Of self-play in each iteration, and of each full search there.
    full, quick : float, int
        See `wattman.search.noting.Cap`.
    noise : float
        Random share of the root's priors.
    bootstrap : int
        Games by the playout policy, without search, from which the values of the first network are learnt before all else.
    unsearched : int
        Games in each iteration without search (`play_games`), for values: by the playout policy at first, then by the network's.
    length : int
        Of the decisions from which such a game is noted, see `play_games`; 0 sets it to the length of a typical game.
    window : int
        Iterations whose games are learnt from.
    passes : float
        How often each decision is learnt from in one iteration, on average.
    root : float
        Share of what the searches expected in the values that are learnt from their games; the rest is the result.
    match : int
        Games of each match.
    hidden : list of int
        Widths of the network's hidden layers.
    search : dict
        Parameters of the search with the network; they go into its card.
    """

    games: int = 200
    simulations: int = 300
    full: float = 0.25
    quick: int = 50
    noise: float = 0.25
    bootstrap: int = 0
    unsearched: int = 0
    length: int = 0
    window: int = 8
    passes: float = 8.0
    batch: int = 256
    rate: float = 2e-3
    root: float = 0.5
    match: int = 60
    hidden: list[int] = field(default_factory=lambda: list(HIDDEN))
    search: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Iteration:
    """What came of one iteration.

    Attributes
    ----------
    number : int
    games : int
        Of self-play, in this iteration.
    losses : Losses
    gate, plain : float or None
        Win rates of the new network against the one before, and of the better of both against the search without one.
    accepted : bool
        Whether the new network goes on.
    elo : float
        Against the first network, summed up over the matches; of the better one.
    """

    number: int
    games: int
    losses: Losses
    gate: float | None
    plain: float | None
    accepted: bool
    elo: float

    @classmethod
    def read(cls, path: Path) -> Iteration:
        data = _json(path)
        try:
            return cls(**data | {"losses": Losses(**data["losses"])})
        except (TypeError, KeyError):
            raise ValueError(f"{path}: this does not say what came of an iteration") from None


class Training:
    """A directory of training; see the module. `start`: the network from which the first iteration goes on.

    Raises
    ------
    ValueError
        If the directory holds something else, or is there already and `resume` is not set.
    """

    def __init__(
        self,
        game: Game,
        folder: str | os.PathLike,
        settings: Settings,
        seed: int,
        *,
        jobs: int = 1,
        device: str = "cpu",
        resume: bool,
        start: Carried | None = None,
    ) -> None:
        self.game, self.folder, self.settings = game, Path(folder).resolve(), settings
        self.seed, self.jobs, self.device = seed, jobs, device
        self.digest = start.digest if start else None
        if "," in str(self.folder):
            raise ValueError(f"{self.folder}: no comma may be in this name: it is written into the agents' texts")
        self.folder.mkdir(parents=True, exist_ok=True)
        wanted = {"train": 1, "game": game.name, "options": dict(game.options), "seed": seed, **asdict(settings)}
        wanted["start"] = self.digest
        path = self.folder / DESCRIPTION
        if any(self.folder.iterdir()):
            if not resume:
                raise ValueError(f"{self.folder}: there is something in this directory already; --resume goes on with it")
            found = _json(path)
            for name, value in wanted.items():
                if found.get(name) != value:
                    raise ValueError(f"{self.folder}: another training: {name} is {json.dumps(found.get(name))}, not {json.dumps(value)}")
        else:
            _write(path, json.dumps(wanted) + "\n")
        if start and not self.start.is_file():
            weights.save(self.start, start.card, start.arrays)

    @property
    def start(self) -> Path:
        """The network from which all began, if there was one."""
        return self.folder / "start.npz"

    def place(self, number: int) -> Path:
        """The directory of an iteration."""
        return self.folder / f"iteration-{number:03d}"

    def done(self) -> list[Iteration]:
        """The iterations that are whole, in order."""
        found = []
        while (path := self.place(len(found)) / "done.json").is_file():
            found.append(Iteration.read(path))
        return found

    def best(self) -> Path | None:
        """The network that is the best so far."""
        accepted = [row.number for row in self.done() if row.accepted]
        if accepted:
            return self.place(accepted[-1]) / "net.npz"
        return self.start if self.start.is_file() else None

    def agent(self, net: Path | None, **more: Any) -> str:
        """The text of the search with a network, or without one."""
        given = {"simulations": self.settings.simulations, **more}
        given |= {"net": net} | self.settings.search if net else {"net": "none"}
        return "ismcts:" + ",".join(f"{name}={value}" for name, value in given.items())

    def iterate(self, report: Report) -> Iteration:
        """Make, or finish, the next iteration."""
        settings, rows = self.settings, self.done()
        number, best = len(rows), self.best()
        place = self.place(number)
        place.mkdir(exist_ok=True)
        played = selfplay(
            self.game,
            place / "games",
            settings.games,
            self.agent(best, noise=settings.noise if best else 0),
            seed=derived_seed(self.seed, number, 0),
            jobs=self.jobs,
            resume=True,
            cap=Cap(settings.full, settings.quick) if best else Cap(1.0, settings.quick),
            progress=lambda done, total: report(f"iteration {number}: self-play", done, total, ""),
        )
        if played.interrupted:
            raise KeyboardInterrupt
        losses = self._learn(number, best, report)
        gate, accepted, elo = None, True, 0.0
        if best is not None:
            agents = [self.agent(place / "net.npz"), self.agent(best)]
            gate = self._match(place / "gate.jsonl", agents, number, "match with the last network", report)
            accepted = gate > 0.5
            elo = (rows[-1].elo if rows else 0.0) + (float(np.clip(elo_of(gate), -400, 400)) if accepted else 0)
        better = place / "net.npz" if accepted or best is None else best
        plain = self._match(place / "plain.jsonl", [self.agent(better), self.agent(None)], number, "match without network", report)
        row = Iteration(number, settings.games, losses, gate, plain, accepted, elo)
        _write(place / "done.json", json.dumps(asdict(row)))
        return row

    def _match(self, path: Path, agents: list[str], number: int, what: str, report: Report) -> float:
        """The win rate of the first of two agents. Alone at the table, whoever has more points in the same game has won it."""
        seed = derived_seed(self.seed, number, 1) >> 1
        if self.game.num_players() == 1:

            def count(done: int, total: int) -> None:
                report(f"iteration {number}: {what}", done, total, "")

            return compare_alone(self.game, agents, self.settings.match, seed=seed, jobs=self.jobs, out=path, progress=count).better

        def progress(done: int, total: int, so_far: Callable[[], MatchResult]) -> None:
            report(f"iteration {number}: {what}", done, total, "")

        result = run_match(self.game, agents, self.settings.match, seed=seed, jobs=self.jobs, out=path, resume=True, progress=progress)
        if result.interrupted:
            raise KeyboardInterrupt
        return result.win_rate[0] or 0.0

    def _learn(self, number: int, best: Path | None, report: Report) -> Losses:
        """Train, unless that has been done, and write the network."""
        settings, place, game = self.settings, self.place(number), self.game
        if (place / "net.npz").is_file():
            return Losses(**_json(place / "losses.json"))
        torch.manual_seed(derived_seed(self.seed, number, 2) >> 1)
        if best is None:
            network = new_network(game, settings.hidden)
            self._bootstrap(network, report)
            mover = None
        else:
            network = Network.from_arrays(game, _arrays(best.parent / "start.npz"))
            mover = weights.evaluator(best, game)
            mover = mover if network.policy is not None else None
        numbers = range(max(0, number + 1 - settings.window), number + 1)
        paths = [path for i in numbers for path in write_shards(game, self.place(i) / "games")]  # lost ones are made again
        more = []
        if settings.unsearched:
            seed = derived_seed(self.seed, number, 3)
            length = settings.length or self._decisions()
            report(f"iteration {number}: games without search", 0, settings.unsearched, "")
            more = [play_games(game, settings.unsearched, seed, SHARE / 2, mover, length)]
        data = Shards(game, paths, more, settings.root)
        if not len(data):
            raise ValueError(f"{place}: there is nothing to learn from: no game had a decision with a choice")
        plan = Plan(max(1, int(len(data) * settings.passes / settings.batch)), settings.batch, settings.rate)

        def progress(step: int, losses: Losses) -> None:
            report(f"iteration {number}: training", step, plan.steps, f"loss: policy {losses.policy:.3f}, win {losses.win:.3f}")

        losses = train(network, game, data, plan, derived_seed(self.seed, number, 4), self.device, progress)
        arrays = network.arrays()
        temporary = place / "start.new.npz"
        np.savez(temporary, **arrays)
        os.replace(temporary, place / "start.npz")
        _write(place / "losses.json", json.dumps(asdict(losses)))
        notes = {"iterations": number + 1, "games": settings.games * (number + 1), "trained": time.strftime("%Y-%m-%d")}
        notes |= {"start": self.digest} if self.digest else {}
        weights.save(place / "net.npz", weights.card_for(game, search=settings.search, notes=notes), arrays)
        return losses

    def _bootstrap(self, network: Network, report: Report) -> None:
        """Learn values from many games by the playout policy, `CHUNK` at a time, each learnt from once. It goes on from the last chunk that
        is on the disk."""
        settings, game, path = self.settings, self.game, self.place(0) / "bootstrap.npz"
        chunks = -(-settings.bootstrap // CHUNK)
        first, length = 0, settings.length or self._decisions()
        if path.is_file():
            arrays = _arrays(path)
            first = int(arrays.pop("chunks"))
            network.load_arrays(arrays)
        for chunk in range(first, chunks):
            data = Shards(game, [], [play_games(game, CHUNK, derived_seed(self.seed, 0, 5, chunk), SHARE, None, length)])
            plan = Plan(max(1, len(data) // settings.batch), settings.batch, settings.rate)
            losses = train(
                network, game, data, plan, derived_seed(self.seed, 0, 6, chunk), self.device, None, (chunk / chunks, (chunk + 1) / chunks)
            )
            temporary = path.with_suffix(".new.npz")
            np.savez(temporary, chunks=chunk + 1, **network.arrays())
            os.replace(temporary, path)
            words = f"win {losses.win:.4f}, margin {losses.margin:.2f}"
            report("values of the playout policy", min((chunk + 1) * CHUNK, settings.bootstrap), settings.bootstrap, words)

    def _decisions(self) -> int:
        """Decisions with a choice in a game, on average."""
        return max(1, len(play_games(self.game, 50, self.seed, 1.0)["value"]) // (50 * self.game.num_players()))


def new_network(game: Game, hidden: list[int]) -> Network:
    """The network with which a training begins."""
    return Network(game, hidden, policy_terms(game) <= MOST_TERMS)


def _json(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        data = None
    if not isinstance(data, dict):
        raise ValueError(f"{path}: this file is missing or damaged, so there is no going on")
    return data


def _arrays(path: Path) -> dict[str, np.ndarray]:
    try:
        return read_npz(path)
    except (FileNotFoundError, ValueError):
        raise ValueError(f"{path}: this file of weights is missing or damaged, so there is no going on") from None


def _write(path: Path, text: str) -> None:
    temporary = path.with_suffix(".new")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)
