"""Ways to play Lisbon Tram 28 in which something happens: for games of the engine beside the reference, and of either alone.

A policy is ``policy(text, game) -> weight``, `game` being a :class:`lisbon_reference.Reference` at that decision. Random play hardly ever
claims a card, so all but ``uniform`` go to where passengers wait and where they can be delivered, each with a taste of its own.
"""

from collections import Counter
from functools import cache

from lisbon_rails import COLOURS, Rails


@cache
def distances(board):
    """Rails between any two places of a board, {from: {to: number}}."""
    rails = Rails(board)
    result = {}
    for start in rails.kind:
        reached = {start: 0}
        queue = [start]
        for here in queue:
            for there in rails.next_to[here]:
                if there not in reached:
                    reached[there] = reached[here] + 1
                    queue.append(there)
        result[start] = reached
    return result


def wishes(game):
    """What the player on turn lacks: {card on display: Counter}, and the most of each colour that one of them lacks."""
    cards = [card for card in game.display if card]
    lacking = {card: Counter(game.rails.cards[card].demand) - game.aboard[game.turn] for card in cards}
    return lacking, {colour: max([lack[colour] for lack in lacking.values()], default=2) for colour in COLOURS}


def lure(game, place, lacking, most, taste):
    """How good it is for the player on turn to be at `place`; `lacking` and `most`: his wishes."""
    player, worth = game.turn, 0
    hand = game.hands[player]
    if any(game.rails.cards[card].monument == place and not lack for card, lack in lacking.items()):
        worth = 9
    group = game.waiting.get(place)
    if group and group.total():
        aboard, seats = game.aboard[player], game.seats(player)
        useful = sum([min(most[colour], group[colour], seats - aboard[colour]) for colour in COLOURS])
        if useful:
            worth = max(worth, 2 + useful + 3 * sum([min(group[colour], hand[colour]) for colour in COLOURS]) / group.total())
    colour = game.rails.colour.get(place)
    if colour and hand[colour] >= 3 and game.rails.player_boards[player][colour] not in game.bonuses[player]:
        worth = max(worth, taste.get("bonus", 4))
    return worth


def pull(game, place, taste):
    """The best that can be had from `place` on, less for what is far away; kept until the next event."""
    known = game.__dict__.setdefault("_pulls", {})
    now = (game.events.total(), game.turn, taste["name"])
    if known.get("now") != now:
        known.clear()
        known["now"] = now
        mine = wishes(game)
        known["goals"] = [(goal, worth) for goal in game.rails.kind if (worth := lure(game, goal, *mine, taste))]
    far = distances(game.rails.name)[place]
    return max((worth - 1.5 * far[goal] for goal, worth in known["goals"]), default=0)


def travel(game, path, taste):
    """Weight of going along `path`."""
    pushes = sum(place in game.trams and place != game.rails.rossio for place in path.split("-"))
    return 3.0 ** min(8, max(-8, pull(game, path.split("-")[-1], taste))) * taste.get("push", 1) ** pushes


def policy(name, **taste):
    """A policy with a taste: factors on the kinds of decisions, and ``push`` for every tram in the way, ``bonus`` for bonus stops."""
    taste["name"] = name

    def weight(text, game):
        verb, *words = text.split()
        here = game.trams[game.turn]
        if verb in ("step", "free"):
            value = travel(game, words[0], taste) * (0.2 if len(words) > 1 else 1)
        elif verb == "halt":
            value = 3.0 ** min(8, max(-8, pull(game, here, taste)))
        elif verb == "move":
            stay = lure(game, here, *wishes(game), taste) > 2
            value = (0.3 if stay else 1) * game.hands[game.turn][words[0]] ** 2
        elif verb in ("board", "ring", "ring3"):
            value = {"board": 12, "ring": 2, "ring3": 12}[verb] * (lure(game, here, *wishes(game), taste) > 0 or 0.05)
        else:
            value = {"claim": 100, "bonus": 20, "end": 0.1, "pay": 10, "swap": 0.5, "decline": 0.3}.get(verb, 1)
        return value * taste.get(verb, 1)

    return weight


def uniform(text, game):
    """Every legal decision alike."""
    return 1


POLICIES = {
    "uniform": uniform,
    "busy": policy("busy"),
    "pusher": policy("pusher", push=40, halt=0.3, bonus=5),
    "ringer": policy("ringer", ring=30, ring3=30, decline=3, swap=10, bonus=7),
    "bonuses": policy("bonuses", bonus=9, free=10, swap=5),
    "saver": policy("saver", move=0.1, end=3),
    "hoarder": policy("hoarder", move=0.01, board=0.2, ring=0.2, bonus=0, end=100),
}
