"""Playthroughs: one random game per registered game, written out step by step and compared by tests/test_registry.py.

A changed line means that the rules, the notation, the views or the numbers changed. If that was meant, write the files anew and read the
difference before committing it:

    python tests/playthrough.py
"""

import hashlib
import json
import random
from pathlib import Path

from wattman import load_game
from wattman.engine.game import Deal
from wattman.engine.games import names

FOLDER = Path(__file__).parent / "playthroughs"
SEED = 20
EVERY = 20  # steps between two full views


def playthrough(name: str) -> str:
    """The text of a game's playthrough."""
    game = load_game(name)
    state, deal, rng = game.new_initial_state(), Deal(SEED), random.Random(SEED)
    sizes = f"actions {game.num_distinct_actions()}, outcomes {game.max_chance_outcomes()}, observation {game.observation_tensor_shape()}"
    lines = [f"{game!r}", sizes]
    step = 0
    while not state.is_terminal():
        if state.is_chance_node():
            action = deal.choose(state)
            outcomes = dict(state.chance_outcomes())
            lines.append(f"{step:4} chance    {state.action_to_string(action)}  (p = {outcomes[action]:.6f}, one of {len(outcomes)})")
        else:
            legal = state.legal_actions()
            action = rng.choice(legal)
            texts = " | ".join(state.action_to_string(a) for a in legal)
            lines.append(f"{step:4} player {state.current_player()}  {state.action_to_string(action)}  (of: {texts})")
        state.apply_action(action)
        step += 1
        if step % EVERY == 0 or state.is_terminal():
            lines += view(state)
    lines.append(f"     scores {state.scores()}, returns {state.returns()}")
    return "\n".join(lines) + "\n"


def view(state) -> list[str]:
    """What each player sees, and fingerprints of what he knows."""
    lines = [f"     now {state.current_player()}, scores {state.scores()}"]
    for player in range(state.game.num_players()):
        table = {key: value for key, value in state.to_dict(player).items() if key not in ("game", "options")}
        string = hashlib.sha256(state.information_state_string(player).encode()).hexdigest()[:12]
        tensor = state.observation_tensor(player)
        lines.append(f"     seen by {player}: {json.dumps(table)}")
        lines.append(f"     information {string}, observation sum {float(tensor.sum()):.4f}")
    return lines


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in names():
        (FOLDER / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")
        print(FOLDER / f"{name}.txt")
