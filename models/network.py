"""The network that is trained: PyTorch. Nothing else of Wattman imports this at the top of a module, so that it runs without PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from wattman.engine.game import Game
from wattman.models.terms import has_terms, policy_terms

LEAST = 1e-6  # share of the game's weights as which less counts too
VALUES = 3  # numbers per player: win share, margin, own score
HIDDEN = (64, 64)  # widths; see docs/network.md for what others measured


class Network(nn.Module):
    """Hidden layers of rectified units and four linear heads, for one game with its options.

    The policy corrects the game's own `weights`: its logits are added to a multiple `base` of their logarithms, which is learnt too.

    Parameters
    ----------
    game : Game
    hidden : sequence of int
        Widths of the hidden layers, multiples of 8.
    policy : bool
        Whether it has a policy: a number for each term of actions (see engine/abi.pxd), of which logits are made. Games with very many do
        without.
    """

    def __init__(self, game: Game, hidden: Sequence[int] = HIDDEN, policy: bool = True) -> None:
        super().__init__()
        sizes = [game.observation_tensor_shape()[0], *hidden]
        self.players = game.num_players()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(sizes))
        self.policy = nn.Linear(sizes[-1], policy_terms(game)) if policy else None
        self.described = has_terms(game)
        self.base = nn.Parameter(torch.tensor([0.5])) if policy else None
        self.value = nn.Linear(sizes[-1], VALUES * self.players)
        self.hidden = nn.Linear(sizes[-1], game.hidden_targets_shape()[0])
        for layer in (self.value, self.hidden, *([self.policy] if self.policy else [])):
            nn.init.normal_(layer.weight, std=0.01)
            nn.init.zeros_(layer.bias)

    def forward(self, observation: Tensor) -> Tensor:
        """The last hidden layer. (rows, observation) -> (rows, width)"""
        x = observation
        for layer in self.layers:
            x = functional.relu(layer(x))
        return x

    def values(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """From the last hidden layer: log win shares (rows, players), and margins, then scores in units of `scale` (rows, 2 x players).

        By seat from the observer on.
        """
        out = self.value(x)
        return functional.log_softmax(out[:, : self.players], dim=1), out[:, self.players :]

    def logits(self, x: Tensor, row: Tensor, actions: dict[str, Tensor]) -> Tensor:
        """Logits of actions, each in a row of the last hidden layer. x (rows, width), row (n) -> (n)

        actions: `weight` (n), the game's own as a share of the row's; `term` and `factor` (m), terms with their factors, and `of` (m), of
        which of the n actions each is one.
        """
        assert self.policy is not None
        assert self.base is not None
        term, of = actions["term"], actions["of"]
        if self.described:  # few terms, and many in each row
            found = self.policy(x)[row[of], term]
        else:
            found = (x[row[of]] * self.policy.weight[term]).sum(1) + self.policy.bias[term]
        own = torch.zeros(len(row), device=x.device).index_add(0, of, found * actions["factor"])
        return own + self.base * actions["weight"].clamp(min=LEAST).log()

    # --- as arrays, see wattman.models.weights ---

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights as float32 arrays."""
        found = {}
        for i, layer in enumerate(self.layers):
            found[f"layer{i}.weight"], found[f"layer{i}.bias"] = layer.weight.T, layer.bias
        if self.policy is not None:
            found["policy.weight"], found["policy.bias"], found["policy.base"] = self.policy.weight, self.policy.bias, self.base
        found["value.weight"], found["value.bias"] = self.value.weight.T, self.value.bias
        found["hidden.weight"], found["hidden.bias"] = self.hidden.weight.T, self.hidden.bias
        return {name: array.detach().cpu().numpy().astype(np.float32) for name, array in found.items()}

    @classmethod
    def from_arrays(cls, game: Game, arrays: dict[str, np.ndarray]) -> Network:
        """The network of a file of weights."""
        depth = sum(f"layer{i}.weight" in arrays for i in range(len(arrays)))
        network = cls(game, [arrays[f"layer{i}.weight"].shape[1] for i in range(depth)], "policy.weight" in arrays)
        network.load_arrays(arrays)
        return network

    def load_arrays(self, arrays: dict[str, np.ndarray]) -> None:
        """Take the weights of another one of the same sizes."""
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                name = name.replace("layers.", "layer", 1) if name.startswith("layers.") else "policy.base" if name == "base" else name
                array = np.asarray(arrays[name], np.float32) if name in arrays or name != "policy.base" else np.zeros(1, np.float32)
                parameter.copy_(torch.from_numpy(array if name.startswith("policy") or array.ndim == 1 else array.T.copy()))


def log_softmax_by_row(logits: Tensor, row: Tensor, rows: int) -> Tensor:
    """Log of the softmax over all entries with the same row. logits (n), row (n) -> (n)"""
    most = torch.full((rows,), -torch.inf, device=logits.device).scatter_reduce(0, row, logits.detach(), "amax")
    shifted = logits - most[row]
    return shifted - torch.zeros(rows, device=logits.device).index_add(0, row, shifted.exp()).log()[row]
