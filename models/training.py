"""One training run: a network, data, and a number of steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch.nn import functional

from wattman.engine.game import Game
from wattman.models.dataset import Batch, Shards
from wattman.models.network import Network, log_softmax_by_row
from wattman.search.ismcts import game_scale


@dataclass(frozen=True)
class Plan:
    """How to train.

    Attributes
    ----------
    steps : int
        Batches.
    batch : int
        Decisions in each.
    rate : float
        Of learning at the beginning; it falls along a cosine to a hundredth (Loshchilov and Hutter, "SGDR", 2017).
    decay : float
        Of the weights, in AdamW (Loshchilov and Hutter, "Decoupled weight decay regularization", 2019).
    policy, win, margin, score, hidden : float
        Weights of the parts of the loss.
    """

    steps: int
    batch: int = 256
    rate: float = 2e-3
    decay: float = 0.01
    policy: float = 1.0
    win: float = 0.3
    margin: float = 0.6
    score: float = 0.15
    hidden: float = 0.015


@dataclass(frozen=True)
class Losses:
    """Means over the decisions of a run or a test. `policy` is the cross-entropy with the visits less their own entropy, 0 at best;
    `win` the cross-entropy with the result; `margin` the root mean square error in points."""

    policy: float
    win: float
    margin: float


def loss_of(network: Network, batch: Batch, plan: Plan, scale: float) -> tuple[torch.Tensor, np.ndarray]:
    """The loss to make small, and (policy, win, squared margin) for people."""
    n = network.players
    x = network(batch["observation"])
    wins, points = network.values(x)
    value = batch["value"]
    win = -(value[:, :n] * wins).sum(1).mean()
    margin = functional.mse_loss(points[:, :n], value[:, n : 2 * n] / scale)
    loss = plan.win * win + plan.margin * margin + plan.score * functional.mse_loss(points[:, n:], value[:, 2 * n :] / scale)
    if batch["hidden"].shape[1]:
        loss = loss + plan.hidden * functional.mse_loss(network.hidden(x), batch["hidden"])
    policy = torch.zeros(())
    if network.policy is not None and len(batch["row"]):
        rows = len(value)
        logs = log_softmax_by_row(network.logits(x, batch["row"], batch), batch["row"], rows)
        share = batch["share"]
        searched = batch["row"].unique().numel()
        loss = loss - plan.policy * (share * logs).sum() / searched
        policy = (torch.xlogy(share, share) - share * logs).sum().detach() / searched
    return loss, np.array([policy.item(), win.item(), margin.item() * scale**2])


def train(
    network: Network,
    game: Game,
    data: Shards,
    plan: Plan,
    seed: int,
    device: str = "cpu",
    progress: Callable[[int, Losses], None] | None = None,
    part: tuple[float, float] = (0.0, 1.0),
) -> Losses:
    """Train in place; returns the mean losses of the last tenth.

    The same arguments give the same weights on the same machine with one thread. `part`: which part of a longer training this is, from
    0 to 1, for the rate.
    """
    rng = np.random.default_rng(seed)
    scale = game_scale(game)
    network.to(device).train()
    optimizer = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=plan.decay)
    recent: list[np.ndarray] = []
    keep = max(plan.steps // 10, 1)
    for step in range(plan.steps):
        place = part[0] + (part[1] - part[0]) * step / plan.steps
        for group in optimizer.param_groups:
            group["lr"] = plan.rate * (0.01 + 0.495 * (1 + np.cos(np.pi * place)))
        rows = rng.integers(0, len(data), plan.batch)
        symmetry = data.symmetries[rng.integers(len(data.symmetries))] if data.symmetries else None
        batch = {name: tensor.to(device) for name, tensor in data.batch(rows, symmetry).items()}
        loss, parts = loss_of(network, batch, plan, scale)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent = [*recent[-keep + 1 :], parts] if keep > 1 else [parts]
        if progress is not None and (step % 20 == 19 or step == plan.steps - 1):
            progress(step + 1, _losses(recent))
    network.to("cpu").eval()
    return _losses(recent)


def _losses(parts: list[np.ndarray]) -> Losses:
    if not parts:
        return Losses(0.0, 0.0, 0.0)
    policy, win, margin = np.mean(parts, axis=0)
    return Losses(float(policy), float(win), float(np.sqrt(margin)))
