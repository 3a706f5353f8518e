"""The parameters of agents: names, defaults, what is allowed, and how they are read from text."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wattman.engine.game import Game
from wattman.search.defaults import own_defaults
from wattman.search.guides import evaluator
from wattman.search.ismcts import game_defaults


@dataclass(frozen=True)
class Parameter:
    """One parameter of an agent.

    Attributes
    ----------
    name : str
    kind : type
        int, float, bool or str.
    default : object
        None: see `help`.
    help : str
        One line.
    least, most : float, optional
        Bounds of a number, both allowed.
    choices : tuple of str, optional
        What a text may be.
    """

    name: str
    kind: type
    default: Any
    help: str
    least: float | None = None
    most: float | None = None
    choices: tuple[str, ...] | None = None

    def allowed(self) -> str:
        """What a value may be, in words."""
        if self.choices:
            return " or ".join(self.choices)
        if self.kind is bool:
            return "yes or no"
        if self.kind is str:
            return "a text"
        noun = "a whole number" if self.kind is int else "a number"
        bounds = [f"{word} {bound:g}" for word, bound in (("at least", self.least), ("at most", self.most)) if bound is not None]
        return " ".join([noun, " and ".join(bounds)]).strip()

    def parse(self, value: object) -> Any:
        """`value` (a Python value or its text) as a value of this parameter; ValueError otherwise."""
        error = ValueError(f"{self.name}={value}: must be {self.allowed()}")
        if self.kind is bool:
            word = str(value).lower()
            if word not in ("yes", "no", "true", "false", "1", "0"):
                raise error
            return word in ("yes", "true", "1")
        if self.kind is str and not self.choices:
            return str(value)
        if self.choices:
            if value not in self.choices:
                raise error
            return value
        try:
            number = self.kind(value)
            if isinstance(value, bool) or number != float(value):
                raise error
        except (TypeError, ValueError, OverflowError):
            raise error from None
        if math.isnan(number) or (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            raise error
        return number


BUDGET = (
    Parameter("time", float, None, "seconds a turn (its decisions share them); 1 if no simulations are given", least=0.001, most=1e6),
    Parameter("simulations", int, None, "simulations a decision, over all threads", least=1, most=10**12),
    Parameter("threads", int, 1, "independent searches side by side, whose visits are added", least=1, most=64),
    Parameter(
        "memory", int, 256, "megabytes for the trees; when they are full the search goes on without growing them", least=1, most=10**6
    ),
    Parameter(
        "reuse",
        str,
        "turn",
        "the trees are kept from one decision to the next: within a turn, in the whole game, or not at all",
        choices=("game", "turn", "no"),
    ),
    Parameter("settle", bool, True, "stop early when the rest of the budget cannot change the move"),
    Parameter("prove", bool, False, "near the end of a game solve some worlds exactly, and take a move that is proved the best"),
    Parameter("roots", int, 8, "independent searches of an analysis, which give its standard errors", least=1, most=64),
)
SEARCH = (
    Parameter(
        "select", str, "puct", "rule of selection: puct, or bias (confidence bounds with progressive bias)", choices=("puct", "bias")
    ),
    Parameter("c", float, 0.35, "weight of exploration", least=0, most=100),
    Parameter("strength", float, 1.0, "of the prior under bias", least=0, most=1000),
    Parameter("sharpness", float, 0.4, "of the prior: the power to which the game's weights are raised", least=0, most=100),
    Parameter("uniform", float, 0.1, "share of the prior that is spread evenly over the legal moves", least=0, most=1),
    Parameter("fpu", float, 0.0, "a move not tried yet counts as much less than the mean of the others", least=-10, most=10),
    Parameter("playout", str, "game", "moves after the trees end: the game's policy, or uniformly random", choices=("game", "random")),
    Parameter("cutoff", int, 80, "events after which a playout is estimated instead of played; 0: played to the end", least=0, most=10**9),
    Parameter(
        "over", int, 60, "events by which a playout may overrun the cut-off to the beginning of another player's turn", least=0, most=10**9
    ),
    Parameter(
        "mast",
        float,
        0.0,
        "share of a playout's decisions by the mean reward that an action has had in this search (MAST)",
        least=0,
        most=1,
    ),
    Parameter("pairs", bool, False, "of an action after the player's last one (NAST with pairs)"),
    Parameter("expand", int, 2, "visits with which a node of the trees grows; until then the policy moves there", least=2, most=60000),
    Parameter("common", bool, True, "all root moves meet the same worlds in the same order, so that luck cancels out between them"),
    Parameter(
        "trees",
        str,
        "all",
        "who has a tree: all players, or the searcher alone, while the others follow the policy",
        choices=("all", "own"),
    ),
    Parameter(
        "draws",
        str,
        "auto",
        "trees branch on chance events (label) or not (open); auto: where these have at most 8 outcomes",
        choices=("auto", "open", "label"),
    ),
    Parameter(
        "hands",
        str,
        "auto",
        "another player's tree begins apart for each hand that he may hold, or mixes them; auto: apart where draws=auto is label",
        choices=("auto", "apart", "mixed"),
    ),
    Parameter(
        "belief",
        int,
        1,
        "worlds dealt before all else, from which the simulations take theirs, the more often the better what the others have done fits "
        "their hidden things in it (only where the game rates that); 1: nothing is read into what they did",
        least=1,
        most=100_000,
    ),
    Parameter("win", float, None, "weight of winning in the reward; the game's own by default", least=0, most=1e6),
    Parameter("margin", float, None, "weight of the score margin, likewise", least=0, most=1e6),
    Parameter("score", float, None, "weight of the own score, likewise", least=0, most=1e6),
    Parameter("paranoid", bool, False, "all others play against the searcher, instead of each for himself"),
)
NET_HELP = "a trained network that guides the search: none, a file of weights, shipped, or auto: the shipped one where it measured better"
GUIDE = (
    Parameter("net", str, "auto", NET_HELP),
    Parameter("net_prior", float, 1.0, "the network's share in the priors; the rest are the game's weights", least=0, most=1),
    Parameter("net_value", float, 1.0, "its share in the estimate of a playout that is cut off; the rest is the game's", least=0, most=1),
    Parameter(
        "net_playout",
        float,
        0.0,
        "moves after the trees end are drawn from its policy, its probabilities raised to this power; 0: they are the game's; `mast` and "
        "playout=random go first",
        least=0,
        most=100,
    ),
    Parameter(
        "views",
        str,
        "mover",
        "its estimate is made from what the player to move sees in the world dealt, or from what each sees, and the mean taken",
        choices=("mover", "all"),
    ),
    Parameter("renew", int, 1, "worlds over which its priors of a node are averaged", least=1, most=1000),
    Parameter("noise", float, 0.0, "share of the root's priors that is random, so that self-play explores", least=0, most=1),
)
CHOICE = (
    Parameter(
        "temperature",
        float,
        0.0,
        "softens the choice: a move is chosen with a probability proportional to its visits to the power of 1 / this; 0: the most visited",
        least=0,
        most=100,
    ),
    Parameter(
        "loss",
        float,
        0.1,
        "with a temperature: moves whose mean reward is lower than the best one's by more are not chosen",
        least=0,
        most=1,
    ),
)


def without(parameters: tuple[Parameter, ...], *names: str) -> tuple[Parameter, ...]:
    """The parameters but these."""
    return tuple(parameter for parameter in parameters if parameter.name not in names)


WORLDS = Parameter(
    "worlds", int, 20, "worlds that are dealt, each searched by itself with an equal share of the budget", least=1, most=10**4
)


def complete(parameters: tuple[Parameter, ...], given: Mapping[str, object], game: Game | None = None) -> dict[str, Any]:
    """Every parameter with its value: the given one, else that of the network (if one is used), the game's own, or the general default.

    ValueError that lists what exists if one is unknown or a value is not allowed.
    """
    table = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in table:
            raise ValueError(f"no parameter {name!r}; parameters: {', '.join(table) or 'none'}")
    default = {name: parameter.default for name, parameter in table.items()}
    if game is not None:
        default.update((name, value) for name, value in own_defaults(game.name).items() if name in table)
        if "net" in table and (guide := evaluator(game, str(given.get("net", default["net"])))) is not None:
            default.update((name, table[name].parse(value)) for name, value in guide.search.items() if name in table)
    return {name: parameter.parse(given[name]) if name in given else default[name] for name, parameter in table.items()}


def for_game(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """The search options with what depends on the game filled in: the reward (weights of sum 1), `draws` and `hands`."""
    options = dict(options)
    rewards, outcomes = game_defaults(game)
    weights = [
        default if options[name] is None else options[name] for name, default in zip(("win", "margin", "score"), rewards, strict=True)
    ]
    if sum(weights) <= 0:
        raise ValueError("win, margin, score: at least one weight must be more than 0")
    options.update(zip(("win", "margin", "score"), (weight / sum(weights) for weight in weights), strict=True))
    if options["draws"] == "auto":
        options["draws"] = "label" if outcomes <= 8 else "open"
    if options["hands"] == "auto":
        options["hands"] = "apart" if outcomes <= 8 else "mixed"
    return options
