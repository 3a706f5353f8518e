"""Names of the numbers of observation tensors and of the terms of actions: they are what the table shows, in every position of some games.

What a number must be is worked out here from the plain data of the table (`to_dict`) by its name alone, so that names which slip against
the code that writes the numbers are found.
"""

import random
from collections import Counter

import numpy as np
import pytest

from wattman import load_game
from wattman.engine.game import Deal
from wattman.engine.games import game_class, names
from wattman.engine.games._lisbon_board import load_board as lisbon_board
from wattman.engine.games._portland_board import load_board
from wattman.engine.games._tramways_board import load_data
from wattman.models.terms import describe, has_terms, policy_terms

GAMES = [load_game(name, players=players) for name in names() for players in game_class(name).OPTIONS["players"].choices]

BOARD, DATA = load_board("portland"), load_data()
PLAYING = ["draw", "bid", "take", "kind", "from", "to", "lay", "at", "type", "ride", "pay", "buy", "market", "discard"]  # steps of Tramways


@pytest.fixture(params=GAMES, ids=lambda game: f"{game.name}-{game.num_players()}")
def game(request):
    return request.param


def positions(game, seed, every):
    """Some positions of a random game, chance nodes and the end among them."""
    rng, deal, state, number = random.Random(seed), Deal(seed), game.new_initial_state(), 0
    while not state.is_terminal():
        if number % every == 0:
            yield state
        number += 1
        state.apply_action(deal.choose(state) if state.is_chance_node() else rng.choice(state.legal_actions()))
    yield state


def test_each_number_and_each_term_has_a_name_of_its_own(game):
    for found, size in ((game.observation_names(), game.observation_tensor_shape()[0]), (game.term_names(), policy_terms(game))):
        assert len(found) == size
        assert [name for name, count in Counter(found).items() if count > 1] == []
        assert all(name.strip() == name and name.isprintable() for name in found)


def test_names_do_not_depend_on_the_number_of_players():
    """So that one network may serve several."""
    for name in names():
        boards = Counter()
        for players in game_class(name).OPTIONS["players"].choices:
            game = load_game(name, players=players)
            boards[game.options.get("board"), *game.observation_names(), *game.term_names()] += 1
        assert len(boards) == len({board for board, *_ in boards})


# --- what the numbers must be, by their names ---


def leduc(view, p, n):
    card, public = view["cards"][p], view["public"]
    yield from ((f"own card {x}", x == card) for x in "JQK")
    yield from ((f"public card {x}", x == public) for x in "JQK")
    yield "second round", view["round"]
    yield "raises", view["raises"] / 2
    yield from ((f"seat {i} chips", view["chips"][(p + i) % 2] / 13) for i in range(2))


def trambahn(view, p, n):
    kinds = [f"{colour}{value}" for colour in "BRGY" for value in range(1, 11)] + ["C"]
    hand = Counter(view["players"][p]["hand"])
    yield from ((f"hand {card}", hand[card]) for card in kinds)
    yield from ((f"passengers {colour}", len(row) / 4) for colour, row in view["rows"].items())
    yield "regular scorings", view["scorings"] / 10
    yield "draw pile", view["draw_pile"] / 120
    yield "discard pile", len(view["discard"]) / 120
    for i, tram in enumerate((2, 3, 4)):
        yield f"open tram x{tram}", view["supply"].count(tram) / 3
        yield f"stacked tram x{tram}", view["stack"][i] / 7
    on_table = Counter(card for row in view["rows"].values() for card in row)
    for i in range(2):
        mine = view["players"][(p + i) % 2]
        yield f"seat {i} score", (mine["regular"] + mine["extra"]) / 100
        yield f"seat {i} money cards", len(mine["money"]) / 20
        yield f"seat {i} hand cards", len(mine["hand"]) / 6
        yield f"seat {i} columns", len(mine["columns"]) / 12
        what = [f"colour {colour}" for colour in "BRGY"]
        what += ["multiplier", "highest station", "points", "cards", "conductors", "eight cards", "complete", "open"]
        yield from ((f"seat {i} column {k} {each}", 0) for k in range(len(mine["columns"]), 12) for each in what)
        points = Counter()
        for k, column in enumerate(mine["columns"]):
            cards = column["cards"]
            on_table += Counter(cards)
            values = [int(card[1:]) for card in cards if card != "C"]
            worth = sum(3 if value == 10 else 2 if value > 6 else 1 for value in values)
            points[column["colour"]] += worth * column["tram"]
            if k < 12:
                yield from ((f"seat {i} column {k} colour {colour}", colour == column["colour"]) for colour in "BRGY")
                yield f"seat {i} column {k} multiplier", column["tram"] / 4
                yield f"seat {i} column {k} highest station", max(values, default=0) / 10
                yield f"seat {i} column {k} points", worth / 15
                yield f"seat {i} column {k} cards", len(cards) / 10
                yield f"seat {i} column {k} conductors", cards.count("C") / 8
                yield f"seat {i} column {k} eight cards", len(cards) >= 8
                yield f"seat {i} column {k} complete", 10 in values
        yield from ((f"seat {i} scoring of {colour}", points[colour] / 30) for colour in "BRGY")
    for card in kinds:
        copies = 8 if card == "C" else 2 if card[1:] in ("1", "10") else 3
        yield f"elsewhere {card}", (copies - hand[card] - on_table[card]) / copies
    if view["on_turn"] == p:
        yield from ((f"own step {step}", view["step"] == step) for step in ("passengers", "stations", "income", "trams"))
        yield "other's passengers", 0
    else:
        yield "other's passengers", view["step"] == "passengers"
    yield "clean-up", view["step"] == "draw"
    yield "set-up", view["step"] == "deal"
    yield "passengers played", view["turn"]["boarded"]


def lisbon(view, p, n):
    turn, on_turn, board = view["turn"], view["on_turn"] == p, lisbon_board(view["options"]["board"])
    places, cards = [place.id for place in board.places], {card.id: card for card in board.cards}
    yield "German rules", view["options"]["rules"] == "german"
    yield from ((f"{k} players", k == n) for k in (2, 3, 4))
    yield "last round", view["last_round"]
    yield "rounds without a claim", view["rounds_without_claim"] / 10
    yield "claim in this round", view["claimed_this_round"]
    yield "free move used", "free_move" in view["used"]
    yield "bell bonus used", "bell" in view["used"]
    yield "ticket pile", view["ticket_pile"] / 100
    yield "face-up cards", view["face_up"] / 20
    yield "decides", view["to_move"] == p
    for letter in "RYGB":
        yield f"hand {letter}", view["players"][p]["hand"].count(letter) / 10
        yield f"set aside {letter}", view["set_aside"].count(letter) / 4
        yield f"bag {letter}", view["bag"].count(letter) / 4
        yield f"discard {letter}", view["discard"].count(letter) / 27
        if on_turn:
            yield "actions left", view["actions"] / 3
            yield f"paid for others {letter}", turn["pay"].count(letter) / 10
            yield f"needed {letter}", turn["need"].count(letter) / 10
            yield f"drawn {letter}", turn["drawn"].count(letter) / 4
    for place, waiting in view["stops"].items():
        yield from ((f"{place} passengers {letter}", waiting.count(letter) / 4) for letter in "RYGB")
        yield f"{place} open", waiting != ""
    for i in range(4):
        yield f"seat {i} present", i < n
        if i < n:
            q = (p + i) % n
            mine = view["players"][q]
            yield f"seat {i} on turn", view["on_turn"] == q
            yield f"seat {i} has drawn a push ticket", q in view["drew"]
            yield from ((f"seat {i} tram at {place}", place == mine["tram"]) for place in places)
            row = [cards[card] for card in mine["row"]]
            yield f"seat {i} points", mine["points"] / 20
            for k, letter in enumerate("RYGB"):
                yield f"seat {i} left edge {letter}", bool(row) and k in row[0].left
                yield f"seat {i} right edge {letter}", bool(row) and k in row[-1].right
            yield from ((f"seat {i} bonus {bonus}", bonus in mine["bonuses"]) for bonus in ("seats", "action", "free_move", "bell"))
            yield from ((f"seat {i} aboard {letter}", mine["aboard"].count(letter) / 4) for letter in "RYGB")
            yield f"seat {i} passengers", len(mine["aboard"]) / 8
            yield f"seat {i} tickets", len(mine["hand"]) / 10
            yield f"seat {i} cards", len(mine["row"]) / 10
            yield f"seat {i} connections", mine["connections"] / 5
    spaces = {f"space {i}": card for i, card in enumerate(view["display"])} | {"next card": view["next_card"]}
    for space, card in spaces.items():
        yield f"{space} there", card != ""
        if card:
            aboard = Counter(view["players"][p]["aboard"])
            yield f"{space} points", cards[card].vp / 4
            yield from ((f"{space} at {place}", place == places[cards[card].monument]) for place in places)
            for k, letter in enumerate("RYGB"):
                yield f"{space} demand {letter}", cards[card].demand[k] / 4
                yield f"{space} left edge {letter}", k in cards[card].left
                yield f"{space} right edge {letter}", k in cards[card].right
            met = sum(min(aboard[letter], n) for letter, n in zip("RYGB", cards[card].demand, strict=True))
            yield f"{space} aboard of its demand", met / sum(cards[card].demand)
    pushing = view["step"] in ("shunt", "push ticket")
    yield "trams pushed", len(turn["pushed"]) / 3
    for place in places:
        yield f"push ends at {place}", pushing and place == turn["end"]
        yield f"landing at {place}", pushing and place == turn["landing"]


def portland(view, p, n):
    board = BOARD
    mine = view["players"][p]
    copies = {kind.id: kind.count for kind in board.types}
    yield "on turn", view["on_turn"] == p
    yield "draw pile", view["draw_pile"] / 120
    yield "discards", sum(view["discards"].values()) / 120
    yield "draw pile empty", view["draw_pile"] == 0
    yield "fresh tickets", view["tickets_left"] / 30
    yield "returned tickets", len(view["returned"]) / 30
    yield "last round", view["turns_left"] > 0
    yield "turns left", view["turns_left"] / n
    yield "skips in a row", view["skips"] / n
    for kind, count in copies.items():
        market, gone, hand = (where.get(kind, 0) for where in (view["market"], view["discards"], mine["hand"]))
        yield f"market {kind}", market / 5
        yield f"discards {kind}", gone / count
        yield f"hand {kind}", hand / 5
        yield f"elsewhere {kind}", (count - market - gone - hand) / count
    for ticket, number in board.ticket_numbers.items():
        yield f"ticket {ticket}", ticket in mine["tickets"]
        yield f"completed {ticket}", ticket in mine["tickets"] and connected(mine["routes"], board.tickets[number])
        yield f"offered {ticket}", ticket in (view["offer"] if view["on_turn"] == p and view["offer"] else mine["offered"])
    taken = {route for player in view["players"] for route in player["routes"]}
    for route, number in board.route_numbers.items():
        yield f"paying for {route}", view["on_turn"] == p and route == view["claiming"]
        if route in taken:
            yield f"may claim {route}", 0
            yield f"can pay for {route}", 0
        elif board.routes[number].other < 0:
            kind, hand = board.routes[number].type, [mine["hand"].get(kind, 0) for kind in copies]
            cards = hand[-1] + (max(hand[:-1]) if kind < 0 else hand[kind])
            yield f"may claim {route}", 1
            yield f"can pay for {route}", cards >= board.routes[number].length <= mine["trains"]
    for i in range(5):
        yield f"seat {i} present", i < n
        if i < n:
            q = (p + i) % n
            other = view["players"][q]
            yield f"seat {i} on turn", view["on_turn"] == q
            yield f"seat {i} trains", other["trains"] / 45
            yield f"seat {i} hand", other["cards"] / 20
            yield f"seat {i} tickets", other["tickets_held"] / 5
            yield f"seat {i} points", other["score"] / 100
        yield from ((f"seat {i} owns {route}", i < n and route in other["routes"]) for route in board.route_numbers)


def connected(routes, ticket):
    """Whether these routes lead from one end of a ticket to the other."""
    reached, grown = set(), {ticket.a}
    while grown > reached:
        reached = set(grown)
        for route in (BOARD.routes[BOARD.route_numbers[text]] for text in routes):
            if route.a in grown or route.b in grown:
                grown |= {route.a, route.b}
    return ticket.b in reached


def tramways(view, p, n):
    mine, on_turn = view["players"][p], view["on_turn"] == p
    yield from ((f"{k} players", k == n) for k in range(1, 6))
    yield f"step {view['step']}", 1
    yield "round", view["round"] / 6
    yield "lap", view["lap"]
    yield "actions left", view["left"] / 3
    yield "supply", view["supply"] / 30
    yield "decides", view["to_move"] == p
    now, later = view["arrivals"][max(0, view["round"] - 1) :][:1] if view["round"] else "", Counter(view["arrivals"][view["round"] :])
    for letter in "RCLI":
        yield f"arrivals now {letter}", letter == now
        yield f"arrivals later {letter}", later[letter]
        yield f"type tiles {letter}", view["type_tiles"][letter] / 5
        yield f"buildings in stock {letter}", view["stock"][f"b{letter}"] / 4
    yield "Station cards", view["stock"]["bS"] / 4
    yield from ((f"in stock {kind}", count / 5) for kind, count in view["stock"].items() if kind[0] == "d")
    offer = Counter(view["offer"])
    yield from ((f"offer {kind}", offer[kind]) for kind in view["reserve"])
    action = view["action"]
    yield from ((f"payment {kind}", count) for kind, count in Counter(action["named"]).items())
    for what, value in (("owed", action["cost"] / 10), ("budget", action["budget"] / 20), ("cards bought", action["bought"] / 2)):
        yield what, value
    yield "discards", action["discards"] / 3
    yield "purging", action["purging"]
    yield "path", len(action["path"]) / 7
    yield "links of the trip", len(action["rides"]) / 8
    for where, cards in (("hand", mine["hand"]), ("pool", mine["pool"]), ("deck", mine["unseen"])):
        cards = Counter(cards)
        yield from ((f"{where} {kind.text}", cards[kind.text] / 2) for kind in DATA.kinds)
    for i in range(5):
        yield f"seat {i} present", i < n
        if i < n:
            q = (p + i) % n
            other = view["players"][q]
            for what, value in (("HP", other["hp"] / 30), ("money", other["money"] / 20), ("stress", other["stress"] / 12)):
                yield f"seat {i} {what}", value
            yield f"seat {i} workers", other["workers"] / 5
            yield f"seat {i} tiles", other["rails"] / 24
            yield f"seat {i} cards in hand", len(other["hand"]) / 10
            yield f"seat {i} cards in deck", other["deck"] / 10
            yield f"seat {i} cards in pool", len(other["pool"]) / 20
            yield f"seat {i} has folded", q in view["auction"]["folded"]
            yield f"seat {i} high bidder", view["auction"]["bidder"] == q
            yield f"seat {i} decides", view["on_turn"] == q and view["step"] in PLAYING
            if i:
                for where, cards in (("hand or deck", other["hand"] + other["unseen"]), ("pool", other["pool"])):
                    cards = Counter(cards)
                    yield from ((f"seat {i} {where} {kind.text}", cards[kind.text] / 2) for kind in DATA.kinds)
            if len(view["order"]) == n:
                yield f"seat {i} place in the turn order", (1 + view["order"].index(q)) / 5
    for name, place in view["places"].items():
        yield f"{name} in play", 1
        yield from ((f"{name} {letter}", letter == place["type"]) for letter in "RCLI")
        yield f"{name} own", place["owner"] == p
        yield f"{name} another's", place["owner"] not in (None, p)
        yield f"{name} passengers", place["passengers"] / 2
        yield f"{name} room", place["room"] / 2
        yield from ((f"{name} {tile}", name == tile) for tile in "SXKFVW")
        at = [link for link in view["links"] if name in (link["from"], link["to"])]
        for whose, links in (
            ("own", [link for link in at if link["owner"] == p]),
            ("others'", [link for link in at if link["owner"] != p]),
        ):
            yield f"{name} {whose} links", len(links) / 4
            yield f"{name} {whose} tiles", sum(len(link["path"]) for link in links) / 8
            yield f"{name} {whose} upgraded links", sum(link["upgraded"] for link in links) / 4
        if on_turn and view["action"]["kind"] == "build" and view["step"] == "to":
            yield f"{name} first end", name == view["action"]["from"]


# How many of the names are met with a number that is not zero, at least; all that a game has here are checked in each position.
TRUTHS = {
    "leduc": (leduc, 9),
    "trambahn": (trambahn, 190),
    "lisbon": (lisbon, 170),
    "portland": (portland, 300),
    "tramways": (tramways, 200),
}


def test_numbers_are_what_their_names_say(game):
    truth, least = TRUTHS[game.name]
    index = {name: i for i, name in enumerate(game.observation_names())}
    met, checked = set(), set()
    for seed in range(12 if game.name == "leduc" else 2):
        for state in positions(game, seed, 1 if game.name == "leduc" else 5 * game.num_players()):
            for p in range(game.num_players()):
                tensor, expected = state.observation_tensor(p), {}
                for name, value in truth(state.to_dict(p), p, game.num_players()):
                    expected[name] = float(value)
                found = tensor[[index[name] for name in expected]]
                wrong = np.flatnonzero(np.abs(found - list(expected.values())) > 1e-5)
                told = [f"{name}: {found[i]}, not {value}" for i, (name, value) in enumerate(expected.items()) if i in wrong]
                assert not told, (p, str(state)[-200:], told[:5])
                checked |= expected.keys()
                met |= {name for name, value in expected.items() if value}
    assert len(met) >= least, (len(met), len(checked), len(index))


# --- terms of actions ---


def portland_terms(text, view):
    board = BOARD
    verb, _, what = text.partition(" ")
    hand = view["players"][view["to_move"]]["hand"]
    if verb == "take":
        return {text: 1, "take: one": 1, "take: cards of the type in the hand": hand.get(what, 0) / 5}
    if verb == "claim":
        route = board.routes[board.route_numbers[what]]
        points = board.points(board.route_numbers[what]) / 15
        return {text: 1, "claim: one": 1, "claim: length": route.length / 6, "claim: points": points, "claim: gray": route.type < 0}
    if verb == "pay":
        kind, _, passes = what.partition("+")
        return {f"pay {kind}": 1, "pay: passes": int(passes or 0) / 3}
    if verb == "keep":
        kept = what.split()
        points = sum(board.tickets[board.ticket_numbers[ticket]].points for ticket in kept) / 30
        count = {f"keep: {word}": i == len(kept) for i, word in enumerate(("one ticket", "two tickets", "three tickets"), 1)}
        return {f"keep {ticket}": 1 for ticket in kept} | count | {"keep: points": points}
    return {text: 1}


def tramways_terms(text, view):
    kinds = {kind.text: kind for kind in DATA.kinds}
    verb, _, what = text.partition(" ")
    action = view["action"]["kind"]
    at = {"from": f"{action} from", "to": f"{action} to", "at": "move from" if action == "move" else f"{action} at"}
    if verb in ("pay", "trash", "purge", "take") and what:
        use = f"pay for {action or 'bid'}" if verb == "pay" else verb
        icons = kinds[what].icons
        found = {f"{use}: icon {icon}": icon in icons for icon in ("R", "C", "L", "I", "S", "F", "up", "con", "lot", "w", "pax", "calm")}
        return found | ({f"card {what}": 1} if verb in ("pay", "take") else {})
    if verb in ("from", "to", "at", "ride"):
        use = at.get(verb, "ride to")
        name = what.split()[0]
        place = view["places"][name]
        found = {f"{use}: {letter}": letter == place["type"] for letter in "RCLI"} | {f"{use}: {tile}": tile == name for tile in "SXKFVW"}
        return found | {f"{use}: passengers": place["passengers"] / 2, f"{use}: room": (place["room"] - place["passengers"]) / 2}
    if verb == "lay":
        return {"join": 0}
    if verb == "bid":
        return {"bid: one": 1, "bid: amount": int(what) / 10}
    if verb == "buy":
        return {f"buy {n}": n == int(what) for n in range(20)}
    if verb == "done":
        return {"done with " + {"pay": "a payment", "market": "the market", "discard": "discards"}[view["step"]]: 1}
    return {text: 1}


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", ["portland", "tramways"])
def test_terms_are_what_their_names_say(name, players):
    game = load_game(name, players=players)
    index = {name: i for i, name in enumerate(game.term_names())}
    verbs = Counter()
    for seed in range(2):
        for state in positions(game, seed, 5):
            if state.current_player() < 0:
                continue
            found, view = describe(state), state.to_dict(state.current_player())
            legal = range(len(found["legal"])) if len(found["legal"]) < 60 else range(0, len(found["legal"]), 7)
            ends = np.cumsum(found["term_counts"])
            for i in legal:
                run = slice(ends[i] - found["term_counts"][i], ends[i])
                factors = dict(zip(found["terms"][run], found["factors"][run], strict=True))
                text = state.action_to_string(int(found["legal"][i]))
                expected = (portland_terms if name == "portland" else tramways_terms)(text, view)
                for term, value in expected.items():
                    assert abs(factors.get(index[term], 0) - value) < 1e-5, (text, term)
                verbs[text.split()[0]] += 1
    assert len(verbs) > (5 if name == "portland" else 15), verbs


def test_ids_that_are_terms_have_the_actions_as_names(game):
    if not has_terms(game):
        state = next(state for state in positions(game, 1, 1) if state.current_player() >= 0)
        assert all(game.term_names()[action] == state.action_to_string(action) for action in state.legal_actions())
