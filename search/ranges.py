"""Where the values of a parameter are looked for, when parameters are searched."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

from wattman.search.options import Parameter

RANGES: dict[str, tuple[float, float]] = {
    "c": (0.05, 2),
    "strength": (0.1, 10),
    "sharpness": (0.1, 2),
    "uniform": (0, 0.5),
    "fpu": (-0.1, 0.3),
    "cutoff": (20, 320),
    "over": (0, 120),
    "mast": (0, 1),
    "worlds": (5, 100),
    "win": (0, 1),
    "margin": (0, 1),
    "score": (0, 1),
    "noise": (0, 0.5),
    "net_playout": (0.5, 16),
}
"""Ends of a range where none is given. A number that does not stand here is looked for from a quarter of its default to four times it."""
BUDGETS = ("time", "simulations", "threads", "memory", "roots", "settle")
"""Parameters that are no matter of taste: more is better."""


@dataclass(frozen=True)
class Range:
    """Where the values of one parameter are looked for.

    Attributes
    ----------
    parameter : Parameter
    least, most : float
        Ends, if it is a number. Values are drawn evenly on a logarithmic scale if `least` is above 0, else evenly.
    """

    parameter: Parameter
    least: float = 0.0
    most: float = 0.0

    @classmethod
    def read(cls, text: str, parameters: tuple[Parameter, ...], agent: str) -> Range:
        """From `c` or `c=0.1..1`; ValueError if there is no such parameter, or no range for it."""
        name, equals, ends = (part.strip() for part in text.partition("="))
        open_to = {
            parameter.name: parameter
            for parameter in parameters
            if parameter.name not in BUDGETS and (parameter.kind is not str or parameter.choices)  # a file has no range
        }
        if name not in open_to:
            raise ValueError(f"parameters: {agent} has no {name!r} that can be searched; it has {', '.join(open_to) or 'none'}")
        parameter = open_to[name]
        if parameter.choices or parameter.kind is bool:
            if equals:
                raise ValueError(f"parameters: {text}: {name} has no range, it is {parameter.allowed()}")
            return cls(parameter)
        if equals:
            first, _, last = ends.partition("..")
            try:
                least, most = (parameter.parse(end.strip()) for end in (first, last))
            except ValueError as error:
                raise ValueError(f"parameters: {text}: expected {name}=LOW..HIGH, e.g. {name}=0.1..1 ({error})") from None
            if least >= most:
                raise ValueError(f"parameters: {text}: the lower end comes first")
            return cls(parameter, least, most)
        if name not in RANGES and not parameter.default:
            raise ValueError(f"parameters: {name} has no range of its own; give one, e.g. {name}=0.1..1")
        least, most = RANGES.get(name) or (parameter.default / 4, parameter.default * 4)
        if parameter.least is not None:
            least = max(least, parameter.least)
        if parameter.most is not None:
            most = min(most, parameter.most)
        return cls(parameter, least, most)

    def values(self) -> list[Any]:
        """The choices, or both ends."""
        if self.parameter.kind is bool:
            return [False, True]
        return list(self.parameter.choices or (self.least, self.most))

    def draw(self, rng: random.Random) -> Any:
        """A value; numbers have three digits, or are whole."""
        if self.parameter.kind is bool or self.parameter.choices:
            return rng.choice(self.values())
        if self.least > 0:
            value = math.exp(rng.uniform(math.log(self.least), math.log(self.most)))
        else:
            value = rng.uniform(self.least, self.most)
        if self.parameter.kind is int:
            return min(max(round(value), math.ceil(self.least)), math.floor(self.most))
        return min(max(float(f"{value:.3g}"), self.least), self.most)
