"""Stop Requested: Portland's engine beyond the worked examples: the longest path, notation, what is asked of a loaded game."""

import random

import pytest
from portland_reference import longest_trail

from wattman import load_game
from wattman.engine.game import Deal


def finished(game, seed):
    """The end of a random game."""
    rng, deal, state = random.Random(seed), Deal(seed), game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(deal.choose(state) if state.is_chance_node() else rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("players", [2, 5])
def test_final_scores(players):
    """Routes, tickets and the longest path, added up from the table and by the reference's search of all trails."""
    game = load_game("portland", players=players)
    board = game.notation.board
    for seed in range(8):
        state = finished(game, seed)
        table = state.to_dict()["players"]
        trails, scores = [], []
        for player in table:
            routes = [board.routes[board.route_numbers[text]] for text in player["routes"]]
            trails.append(longest_trail([(route.a, route.b, route.length) for route in routes]))
            part = {i: i for i in range(len(board.stations))}
            for route in routes:
                old, new = part[route.a], part[route.b]
                part = {i: new if there == old else there for i, there in part.items()}
            tickets = [board.tickets[board.ticket_numbers[text]] for text in player["tickets"]]
            scores.append(player["score"] + sum(t.points if part[t.a] == part[t.b] else -t.points for t in tickets))
        assert state.scores() == [score + 10 * (trail == max(trails)) for score, trail in zip(scores, trails, strict=True)]


def test_notation_of_ways_to_keep():
    game = load_game("portland")
    a, b, c = "Hillsboro>Gresham", "OHSU>PDX", "PSU>Parkrose"
    ways = (a, b, c, f"{a} {b}", f"{b} {a}", f"{a} {b} {c}", f"{c} {b} {a}", f"{c} {a} {b}")
    assert len({game.string_to_event(f"keep {way}") for way in ways}) == len(ways)
    for text in (f"keep {a} {b}, left", f"keep {c} {b} {a}, reset", "keep 1,3, others 2", "keep 3/2", "keep ?", "keep 2"):
        assert game.event_to_string(game.string_to_event(text)) == text
    for wrong, why in (
        (f"keep {a} {a}", "named twice"),
        ("keep Hillsboro>Mars", "'Hillsboro>Mars' is no ticket"),
        (f"keep {a} {b} {c} Tigard>Hollywood", "at most 3"),
        ("take black", "'black' is no card type"),
        ("claim OHSU--PSU:red", "'OHSU--PSU:red' is no route"),
        ("claim OHSU--PSU:gray, pay red+2", "not a payment for this route"),
        ("pay red+9", "with 0 to 5 passes"),
        ("jump", "unknown action 'jump'"),
    ):
        with pytest.raises(ValueError, match=why.replace("+", r"\+")):
            game.string_to_event(wrong)


def test_a_board_of_ones_own(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('game = "portland"\nparts = ["rules"]\n')
    with pytest.raises(ValueError, match=r"mine.toml: \[cards\]: missing"):
        load_game("portland", board=str(path))
    with pytest.raises(ValueError, match="no such board; expected portland or the path"):
        load_game("portland", board="atlantis")
