"""Tables and knowledge of Tramways as plain data, and back.

Layout of a table (`State.to_dict()`, `InfoState.to_dict()`); squares are texts like "3.4", cards are kinds

player              the observer, -1: all is shown
to_move             as `current_player()`
step                what comes next: board, place, parcel, order, arrivals, reveal, draw (chance); bid, take, kind, from, to, lay, at, type,
                    ride, pay, buy, market, discard, over
on_turn             who decides or draws
round, lap, left    round from 1; in the first or second lap (0, 1) of actions; actions left to who is on turn, this one included
turn                how many are through in this round of the auction, of actions, discards or draws
dealt               in the set-up, boards laid, tiles looked at, or parcels dealt to who is on turn
order               players in turn order
arrivals            types by round, a letter each
type_tiles          those left: {"R": 5, ..}
layout              rows and columns of boards
boards              by place, row by row: "A.1"
city                the rows of squares: . ~ ^ and the letters and digits of buildings, parcels and special tiles
places              of each terminal in play: {"Aa": {"squares", "type" ("" where nothing is built), "owner" (of a parcel, or None),
                    "room" (for passengers), "passengers"}}
links               [{"from", "to", "owner", "path" (squares in order), "upgraded"}]
offer, reserve      auction cards face up, and those not seen yet
stock               building and development cards left: {"bR": 2, ..}
supply              passengers
out                 cards out of the game
auction             {"high", "bidder" (or None), "folded": players, "free": places, "new_order": who has taken which place, None: free}
action              {"kind" ("" if none is in progress), "from", "to", "type", "cost", "path", "rides": [["T", owner], ..], "here", "budget",
                    "bought", "last", "discards", "purging", "named"}; "from" is also the place or origin, "to" the destination
players             [{"hp", "money", "stress", "workers", "rails", "hand", "deck", "unseen", "pool"}]; "deck": how many cards; "unseen": cards
                    in the deck or, if they are some player's whose hand is hidden, in the hand; "?" stands for the latter in "hand"

"memory" is what a position file keeps besides: "known", of each player the cards in hand of which all know, and "shuffles", how often each
deck was shuffled.
"""
from libc.stdint cimport uint8_t
from libc.string cimport memcpy, memset

from wattman.engine.games.tramways.bits cimport has
from wattman.engine.games.tramways.knowledge cimport Info, prepare
from wattman.engine.games.tramways.setup cimport place_board, place_tile
from wattman.engine.games.tramways.state cimport (
    BIDDING,
    CARDS,
    IN_PLAY,
    KINDS,
    LINKS,
    NONE,
    OVER,
    ROUNDS,
    SEATS,
    SPECIALS,
    SQUARES,
    STATION,
    TERMINALS,
    TYPES,
    Data,
    State,
    add_card,
    in_play,
    places_at,
    type_of,
)
from wattman.engine.games.tramways.trips cimport link_at

from wattman.engine.games.tramways.notation import KINDS as ACTIONS
from wattman.engine.games.tramways.notation import TILES
from wattman.engine.games.tramways.notation import TYPES as LETTERS

# Names of the phases, in the order of their numbers.
STEPS = (
    "board", "place", "parcel", "order", "arrivals", "reveal", "draw", "bid", "take", "kind", "from", "to", "lay", "at", "type", "ride", "pay",
    "buy", "market", "discard", "over",
)
DECISIONS = STEPS[7:20]
PURPOSES = (*ACTIONS, "bid")


# --- writing ---

cdef list cards_of(const uint8_t* cards, int n, kinds):
    return ["?" if cards[i] == NONE else kinds[cards[i]] for i in range(n)]


cdef list path_of(const Data* d, const State* s, int number, notation):
    """The squares of a link from end to end: of several ways through them the first."""
    squares = [i for i in range(d.squares) if s.rail[i] == number]

    def beside(t):
        return [i for i in squares if any(s.at[t][k] != NONE and has(&d.near[s.at[t][k]], i) for k in range(2))]

    last = beside(s.links[number].b)

    def onward(way):
        if len(way) == len(squares):
            return way if way[len(way) - 1] in last else None
        for i in squares:
            if i not in way and has(&d.near[<int>way[len(way) - 1]], i) and (found := onward([*way, i])):
                return found
        return None

    ways = (onward([start]) for start in beside(s.links[number].a))
    return [notation.square(i) for i in next((way for way in ways if way), squares)]


cdef list city_rows(const Data* d, const State* s, notation):
    rows = []
    for row in range(d.squares // d.grid.columns):
        line = []
        for column in range(d.grid.columns):
            square = row * d.grid.columns + column
            sign = next((".~^"[g] for g in range(3) if has(&s.ground[g], square)), " ")
            for t in range(d.terminals):
                if in_play(s, t) and square in (s.at[t][0], s.at[t][1]):
                    sign = notation.places[t][-1]
            line.append(sign)
        rows.append("".join(line))
    return rows


cdef dict cards_out(const Data* d, const State* s):
    """By kind, how many cards are neither with a player nor on the table: those that have left the game."""
    cdef int p, i, t
    left = dict.fromkeys(range(d.kinds), 0)
    for i in range(d.kinds):
        t = d.parcel_of[i]
        if t != NONE:
            left[i] = s.owner[t] != NONE
        elif d.starter_kind <= i < d.starter_kind + d.n_starters:
            left[i] = d.players if s.phase > 1 else 0
        elif d.auction_kind <= i < d.auction_kind + d.n_auction:
            left[i] = d.copies[i] - s.reserve[i - d.auction_kind]
        elif d.development_kind <= i < d.development_kind + d.n_development:
            left[i] = d.development - s.development[i - d.development_kind]
        elif i < d.building_kind + TYPES:
            left[i] = d.buildings - s.stacks[i - d.building_kind]
        elif i == d.building_kind + 4:
            left[i] = d.stations - s.stations if in_play(s, d.special + STATION) and s.phase > 1 else 0
    for i in range(s.n_offer):
        left[s.offer[i]] -= 1
    for i in range(s.n_named):
        left[s.named[i]] -= 1
    for p in range(d.players):
        for i in range(s.players[p].n_hand):
            if s.players[p].hand[i] != NONE:
                left[s.players[p].hand[i]] -= 1
        for i in range(s.players[p].n_pool):
            left[s.players[p].pool[i]] -= 1
        for i in range(unseen_of(&s.players[p].hand[0], s.players[p].n_hand, s.players[p].n_deck)):
            left[s.players[p].deck[i]] -= 1
    return left


cdef int unseen_of(const uint8_t* hand, int n_hand, int n_deck):
    return n_deck + sum(hand[i] == NONE for i in range(n_hand))


cdef dict action_to_dict(const Data* d, const State* s, notation):
    on = s.phase in (10, 11, 12, 13, 14, 15, 16, 17, 18)
    places = notation.places
    moving = on and s.action == 4
    rides, here = [], s.a
    for i in range(s.n_rides):
        link = s.links[s.ride[i]]
        there = link.b if link.a == here else link.a
        rides.append([places[there], link.owner])
        here = there
        if there == d.special + 4 or there == d.special + 5:
            here = 2 * d.special + 9 - there
    return {
        "kind": PURPOSES[s.action] if on else "",
        "from": places[s.a] if on and s.phase not in (10, 13) and s.action < 6 else "",
        "to": places[s.b] if on and ((s.action < 2 and s.phase > 11) or (moving and s.phase >= 16)) else "",
        "type": LETTERS[s.type] if on and s.action == 2 and s.phase == 16 else "",
        "cost": s.cost,
        "path": [notation.square(s.path[i]) for i in range(s.n_path)],
        "rides": rides,
        "here": places[s.here] if moving and s.phase != 13 else "",
        "budget": s.budget,
        "bought": s.bought,
        "last": s.last,
        "discards": s.discards,
        "purging": bool(s.purging),
        "named": cards_of(s.named, s.n_named, notation.kinds),
    }


cdef dict table_to_dict(const Data* d, const State* s, int player, notation):
    """What lies on the table and in hands, as `s` has it."""
    cdef int p, t, i, n
    places, kinds = notation.places, notation.kinds
    terminals = {}
    for t in range(d.terminals):
        if in_play(s, t):
            type = type_of(d, s, t)
            terminals[places[t]] = {
                "squares": [notation.square(s.at[t][i]) for i in range(2) if s.at[t][i] != NONE],
                "type": LETTERS[type - 1] if type else "",
                "owner": s.owner[t] if s.owner[t] != NONE else None,
                "room": places_at(d, s, t),
                "passengers": s.waiting[t],
            }
    stock = {kinds[d.building_kind + i]: s.stacks[i] for i in range(TYPES)} | {kinds[d.building_kind + 4]: s.stations}
    stock |= {kinds[d.development_kind + i]: s.development[i] for i in range(d.n_development)}
    bidding = s.phase == 7 or (s.phase == 16 and s.action == BIDDING)
    taken = {d.players - 1 - i: None for i in range(d.players)}
    decides = 7 <= s.phase < OVER
    return {
        "player": player,
        "to_move": -4 if s.phase == OVER else s.player if decides else -1,
        "step": STEPS[s.phase],
        "on_turn": s.player,
        "round": s.round,
        "lap": s.lap,
        "left": s.left,
        "turn": s.turn,
        "dealt": s.count,
        "order": [s.order[i] for i in range(s.n_order)],
        "arrivals": "".join([LETTERS[s.arrivals[i]] for i in range(s.n_arrivals)]),
        "type_tiles": {LETTERS[i]: s.type_tiles[i] for i in range(TYPES)},
        "layout": [d.n_places // d.place_columns, d.place_columns],
        "boards": [f"{notation.boards[s.board[i] >> 2]}.{s.board[i] & 3}" for i in range(s.count if s.phase == 0 else d.n_places)],
        "city": city_rows(d, s, notation),
        "places": terminals,
        "links": [
            {
                "from": places[s.links[i].a], "to": places[s.links[i].b], "owner": s.links[i].owner, "path": path_of(d, s, i, notation),
                "upgraded": bool(s.links[i].upgraded),
            }
            for i in range(s.n_links)
        ],
        "offer": cards_of(s.offer, s.n_offer, kinds),
        "reserve": {kinds[d.auction_kind + i]: s.reserve[i] for i in range(d.n_auction) if s.reserve[i]},
        "stock": stock,
        "supply": s.supply,
        "out": {kinds[i]: n for i, n in cards_out(d, s).items() if n},
        "auction": {
            "high": s.high if bidding else 0,
            "bidder": s.high_bidder if bidding and s.high_bidder != NONE else None,
            "folded": [p for p in range(d.players) if s.folded >> p & 1],
            "free": s.places,
            "new_order": [s.new_order[i] if bidding and i >= s.places else None for i in range(d.players)],
        },
        "action": action_to_dict(d, s, notation),
        "players": [
            {
                "hp": s.players[p].hp,
                "money": s.players[p].money,
                "stress": s.players[p].stress,
                "workers": s.players[p].workers,
                "rails": s.players[p].rails,
                "hand": cards_of(s.players[p].hand, s.players[p].n_hand, kinds),
                "deck": s.players[p].n_deck,
                "unseen": cards_of(
                    s.players[p].deck, unseen_of(&s.players[p].hand[0], s.players[p].n_hand, s.players[p].n_deck), kinds
                ),
                "pool": cards_of(s.players[p].pool, s.players[p].n_pool, kinds),
            }
            for p in range(d.players)
        ],
    }


cdef dict memory_to_dict(const Data* d, const Info* k, notation):
    return {
        "known": [cards_of(k.memory.known[p], k.memory.n_known[p], notation.kinds) for p in range(d.players)],
        "shuffles": [k.memory.epoch[p] for p in range(d.players)],
    }


# --- reading ---

cdef int read_cards(cards, uint8_t* out, numbers) except -1:
    """Cards as a sorted list; "?" comes last. Returns how many there are."""
    cdef int i
    for i, kind in enumerate(sorted(NONE if kind == "?" else numbers[kind] for kind in cards)):
        out[i] = kind
    return len(cards)


cdef object dict_to_info(const Data* d, dict data, Info* k, notation):
    """Fills an Info (zeroed) from plain data that a position file's reader has checked; ValueError if the parts do not fit together."""
    cdef State* s = &k.state
    cdef int i, p, t, turns, square
    cdef uint8_t n
    numbers = {kind: i for i, kind in enumerate(notation.kinds)}
    place = {name: t for t, name in enumerate(notation.places)}

    def where(text):
        row, _, column = text.partition(".")
        return int(row) * d.grid.columns + int(column)

    k.observer = data["player"]
    memset(s.at, NONE, sizeof(s.at))
    memset(s.owner, NONE, TERMINALS)
    memset(s.rail, NONE, SQUARES)
    for text in data["boards"]:
        letter, _, turn = text.partition(".")
        place_board(d, s, notation.boards.index(letter), int(turn))
    for i, tile in enumerate(TILES):
        if tile in data["places"]:
            squares = sorted(map(where, data["places"][tile]["squares"]))
            place_tile(d, s, i, squares[0], len(squares) > 1 and squares[1] > squares[0] + 1)
    s.phase, s.player, s.round, s.lap, s.left, s.turn, s.count = (
        STEPS.index(data["step"]), data["on_turn"], data["round"], data["lap"], data["left"], data["turn"], data["dealt"]
    )
    for i, p in enumerate(data["order"]):
        s.order[i] = p
    s.n_order = len(data["order"])
    for i, letter in enumerate(data["arrivals"]):
        s.arrivals[i] = LETTERS.index(letter)
    s.n_arrivals = len(data["arrivals"])
    for i in range(TYPES):
        s.type_tiles[i] = data["type_tiles"][LETTERS[i]]
    for name, entry in data["places"].items():
        t = place[name]
        s.waiting[t] = entry["passengers"]
        if entry["owner"] is not None:
            s.owner[t] = entry["owner"]
        if d.is_parcel[t] and entry["type"]:
            s.built[t] = 1 + LETTERS.index(entry["type"])
            s.extended[t] = entry["room"] > 1
    links = sorted(data["links"], key=lambda link: (place[link["from"]], place[link["to"]], link["owner"]))
    s.n_links = len(links)
    for i, link in enumerate(links):
        s.links[i].a, s.links[i].b, s.links[i].owner = place[link["from"]], place[link["to"]], link["owner"]
        s.links[i].tiles, s.links[i].upgraded = len(link["path"]), link["upgraded"]
        for text in link["path"]:
            square = where(text)
            s.rail[square] = i
            s.free.w[square >> 6] &= ~(<unsigned long long>1 << (square & 63))
    s.n_offer = read_cards(data["offer"], s.offer, numbers)
    for kind, count in data["reserve"].items():
        s.reserve[numbers[kind] - d.auction_kind] = count
    for i in range(TYPES):
        s.stacks[i] = data["stock"][notation.kinds[d.building_kind + i]]
    s.stations = data["stock"][notation.kinds[d.building_kind + 4]]
    for i in range(d.n_development):
        s.development[i] = data["stock"][notation.kinds[d.development_kind + i]]
    s.supply = data["supply"]
    read_auction(d, data["auction"], s)
    for p in range(d.players):
        player = data["players"][p]
        s.players[p].hp, s.players[p].money, s.players[p].stress = player["hp"], player["money"], player["stress"]
        s.players[p].workers, s.players[p].rails, s.players[p].n_deck = player["workers"], player["rails"], player["deck"]
        s.players[p].n_hand = read_cards(player["hand"], s.players[p].hand, numbers)
        s.players[p].n_pool = read_cards(player["pool"], s.players[p].pool, numbers)
        read_cards(player["unseen"], s.players[p].deck, numbers)
        if len(player["unseen"]) != player["deck"] + player["hand"].count("?"):
            raise ValueError(
                f"player {p}: {len(player['unseen'])} cards unseen; expected as many as there are in the deck ({player['deck']}) "
                f"and hidden in the hand ({player['hand'].count('?')})"
            )
        if p == k.observer and "?" in player["hand"]:
            raise ValueError(f"player {p}: the observer knows his own hand; expected cards, not ?")
    read_action(d, data["action"], s, place, numbers, where)
    memory = data.get("memory", {})
    for p, cards in enumerate(memory.get("known", [])):
        k.memory.n_known[p] = read_cards(cards, k.memory.known[p], numbers)
    for p, count in enumerate(memory.get("shuffles", [])):
        k.memory.epoch[p] = count
    for p in range(d.players):
        if p != k.observer:  # what all know of a rival's hand is what the observer knows of it
            n = 0
            memset(k.memory.known[p], 0, CARDS)
            for i in range(s.players[p].n_hand):
                if s.players[p].hand[i] != NONE:
                    add_card(k.memory.known[p], &n, s.players[p].hand[i])
            k.memory.n_known[p] = n
    prepare(d, k)


cdef object read_auction(const Data* d, dict auction, State* s):
    bidding = s.phase == 7 or (s.phase == 16 and auction["free"])
    if not bidding:
        return
    s.high, s.places = auction["high"], auction["free"]
    s.high_bidder = NONE if auction["bidder"] is None else auction["bidder"]
    for p in auction["folded"]:
        s.folded |= 1 << <int>p
    for i, p in enumerate(auction["new_order"]):
        if p is not None:
            s.new_order[i] = p


cdef object read_action(const Data* d, dict action, State* s, place, numbers, where):
    cdef int here, there, i
    if action["kind"]:
        s.action = PURPOSES.index(action["kind"])
    s.a = place[action["from"]] if action["from"] else 0
    s.b = place[action["to"]] if action["to"] else 0
    s.type = LETTERS.index(action["type"]) if action["type"] else 0
    s.here = place[action["here"]] if action["here"] else 0
    s.cost, s.budget, s.bought, s.last, s.discards, s.purging = (
        action["cost"], action["budget"], action["bought"], action["last"], action["discards"], action["purging"]
    )
    for i, text in enumerate(action["path"]):
        s.path[i] = where(text)
        s.free.w[s.path[i] >> 6] &= ~(<unsigned long long>1 << (s.path[i] & 63))
    s.n_path = len(action["path"])
    here = s.a
    for i, (name, owner) in enumerate(action["rides"]):
        there = place[name]
        s.ride[i] = link_at(s, here, there, owner)
        here = there
        if there == d.special + 4 or there == d.special + 5:
            here = 2 * d.special + 9 - there
    s.n_rides = len(action["rides"])
    s.n_named = read_cards(action["named"], s.named, numbers)
