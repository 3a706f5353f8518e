"""Ways to play Tramways for the tests: weights of legal decisions, so that random games get to different places."""

SELDOM = {"pass": 0.02, "trash": 0.3, "purge": 0.3, "bid": 0.1}


def uniform(text, game):
    """Every legal decision alike."""
    return 1


def _weights(**more):
    weights = SELDOM | more
    return lambda text, game: weights.get(text.split()[0], 1)


def _bidder(text, game):
    """High bids, with cards if need be; cards by all means."""
    verb, _, what = text.partition(" ")
    return {"bid": 2 + int(what) if verb == "bid" else 0, "fold": 0.5, "pass": 0.05, "market": 20, "construct": 20}.get(verb, 1)


def _long_links(text, game):
    """Links as long as can be paid, many workers, upgrades."""
    return {"lay": 20, "join": 0.5, "build": 20, "worker": 5, "upgrade": 10, "money": 2, "pass": 0.02, "done": 0.2}.get(text.split()[0], 1)


def _far_trips(text, game):
    """Passengers by as many links as possible, over other players' links as well."""
    return {"move": 50, "ride": 10, "stop": 1, "build": 10, "worker": 3, "add": 5, "pass": 0.02, "bid": 0.1}.get(text.split()[0], 1)


POLICIES = {
    "uniform": uniform,
    "builder": _weights(build=8, construct=8, extend=8, upgrade=4, worker=3, move=2),
    "mover": _weights(move=30, build=5, buy=2, market=3),
    "bidder": _bidder,
    "long links": _long_links,
    "far trips": _far_trips,
    "thinner": _weights(trash=5, purge=5, done=0.3, move=10, build=5, calm=5),  # small decks, stress taken off
    "careless": _weights(**{"pay": 1, "done": 20, "pass": 0.02, "calm": 0.02, "build": 5, "move": 8}),  # few cards, much stress
}
