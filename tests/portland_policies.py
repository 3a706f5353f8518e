"""Ways to play Stop Requested: Portland in which something happens: weights of legal decisions, for ``lockstep.play``."""


def uniform(text, game):
    """Every legal decision alike."""
    return 1


def prefer(**weights):
    """A policy that knows only what kind of decision it is."""

    def weight(text, game):
        verb = text.split(" ")[0]
        return weights.get(verb, 1)

    return weight


def racer(text, game):
    """The longest route, else face-up cards of the type that the hand has most of."""
    verb, _, rest = text.partition(" ")
    if verb == "claim":
        return 8 ** game.board.routes[rest][3]
    if verb == "take":
        return 1 + 3 * game.hands[game.player][rest]
    return {"draw": 6, "tickets": 0.1}.get(verb, 1)


def planner(text, game):
    """Routes between the stations of the own tickets, many tickets, as many of them kept as possible."""
    verb, _, rest = text.partition(" ")
    if verb == "claim":
        ends = {end for ticket in game.tickets[game.player] for end in game.board.tickets[ticket][:2]}
        return 40 if ends & set(game.board.routes[rest][:2]) else 6
    if verb == "keep":
        return 5 ** rest.count(">")
    return {"take": 2, "draw": 4, "tickets": 1}.get(verb, 1)


def passes(text, game):
    """Face-up passes whenever there is one."""
    return 60 if text == "take pass" else prefer(claim=4, draw=6, tickets=0.5)(text, game)


POLICIES = {
    "uniform": uniform,
    "hoarder": prefer(draw=20, take=20, tickets=1, claim=0.02),
    "claimer": prefer(claim=50, draw=4, tickets=0.3),
    "racer": racer,
    "planner": planner,
    "passes": passes,
    "tickets": prefer(tickets=12, claim=4, draw=6),
}
