"""What an action of Tramways is like, for a network's policy.

The city is another one in each game, so little can be learnt of a place or a square by its number. Terms say what kind of place it is, what
lies there, and what icons a card has; the network gives each a number that depends on the table (layout 1, as the observation's).

| terms | what |
| --- | --- |
| 6 | done with a payment, with the market, with discards; join; stop; fold |
| 10 | kind of the action |
| 2 | a bid; its amount / 10 |
| 4 | type of a new building |
| 9 x 21 | per use of a place (build from, upgrade from, build to, upgrade to, construct, extend, move from, add, ride to), what is there: R C L I; an own empty parcel; S X K F V W; passengers / 2; room left / 2; own links / 4; others' / 4; arrivals of its type now; later ones / 3; own hand cards with its icon / 3; tiles of the link, or squares between, / 7; another's link; an upgraded one |
| 4 | next square of a path: rails / 2; distance left / 7; free squares beside it / 4; places beside it / 2 |
| 14 x 16 | per use of a card (payment of each kind of action, of a bid, discard from hand, from pool, auction): icons, rails / 3, money / 5 |
| 96 | kind of card, in a payment or an auction |
| 8 | development card |
| 21 | HP bought |
| 2 | share of the money that is spent; what is left / 10 |
"""
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC
from wattman.engine.games.tramways.bits cimport has, ones
from wattman.engine.games.tramways.state cimport (
    ADD,
    BUILD,
    CONSTRUCT,
    DEVELOPMENT,
    EXTEND,
    FUNFAIR,
    ICON_F,
    ICON_MONEY,
    ICON_S,
    KINDS,
    MARKET,
    MOVE,
    NONE,
    PAY,
    STATION,
    Data,
    Link,
    Player,
    State,
    ground_at,
    in_play,
    places_at,
    type_of,
)
from wattman.engine.terms cimport Terms, add

from wattman.engine.games.tramways.data import PURPOSES
from wattman.engine.games.tramways.notation import KINDS as ACTION_NAMES
from wattman.engine.games.tramways.notation import TILES
from wattman.engine.games.tramways.notation import TYPES as LETTERS
from wattman.engine.naming import padded

cdef enum:
    ENDS = 0
    ACTIONS = 6
    BIDS = 16
    NEW_TYPES = 18
    PLACES = 22
    PLACE = 21          # of each use
    PATHS = 211         # PLACES + 9 * PLACE
    CARD_USES = 215
    CARD = 16           # of each use
    CARD_KINDS = 439    # CARD_USES + 14 * CARD
    BONUS_CARDS = 535
    BUYS = 543
    MOST_BUY = 20
    SPENT = 564
    # Uses of places.
    BUILD_FROM = 0
    UPGRADE_FROM = 1
    BUILD_TO = 2
    UPGRADE_TO = 3
    CONSTRUCT_AT = 4
    EXTEND_AT = 5
    MOVE_FROM = 6
    ADD_AT = 7
    RIDE_TO = 8
    # Uses of cards: kinds of actions and BIDDING, then these.
    TRASH_CARD = 11
    PURGE_CARD = 12
    TAKE_CARD = 13


cdef inline int between(const Data* d, const State* s, int t, int square) noexcept nogil:
    """Squares between a place and a square, whatever lies there."""
    cdef int i, x, k = d.grid.columns, least = 1000
    for i in range(2):
        x = s.at[t][i]
        if x != NONE:
            least = min(least, abs(x // k - square // k) + abs(x % k - square % k))
    return least - 1


cdef void place_terms(const Data* d, const State* s, int use, int t, int owner, Terms* out) noexcept nogil:
    """A place, and the link that leads to it in this use: a ride's is `owner`'s."""
    cdef int i, other, own = 0, others = 0, later = 0, icons = 0, tiles = 0, icon = -1, kind = type_of(d, s, t), base = PLACES + PLACE * use
    cdef bint foreign = False, upgraded = False
    cdef const Link* link
    cdef const Player* p = &s.players[s.player]
    if t >= d.special:
        add(out, base + 5 + t - d.special, 1)
        icon = ICON_S if t == d.special + STATION else ICON_F if t == d.special + FUNFAIR else -1
    elif kind:
        add(out, base + kind - 1, 1)
        icon = kind - 1
        for i in range(s.round, s.n_arrivals):
            later += s.arrivals[i] == icon
        if s.round and s.round <= s.n_arrivals and s.arrivals[s.round - 1] == icon:
            add(out, base + 15, 1)
    else:
        add(out, base + 4, 1)
    for i in range(s.n_links):
        link = &s.links[i]
        if link.a != t and link.b != t:
            continue
        own += link.owner == s.player
        others += link.owner != s.player
        other = link.a if link.b == t else link.b
        if use == UPGRADE_TO and other == s.a and link.owner == s.player or use == RIDE_TO and other == s.here and link.owner == owner:
            tiles = link.tiles
            foreign = link.owner != s.player
            upgraded = link.upgraded
    if use == BUILD_TO:
        tiles = between(d, s, t, s.at[s.a][0])
    if icon >= 0:
        for i in range(p.n_hand):
            if p.hand[i] != NONE:
                icons += d.icons[p.hand[i]] >> icon & 1
    add(out, base + 11, s.waiting[t] / <float>2)
    add(out, base + 12, (places_at(d, s, t) - s.waiting[t]) / <float>2)
    add(out, base + 13, own / <float>4)
    add(out, base + 14, others / <float>4)
    add(out, base + 16, later / <float>3)
    add(out, base + 17, icons / <float>3)
    add(out, base + 18, tiles / <float>7)
    add(out, base + 19, foreign)
    add(out, base + 20, upgraded)


cdef void path_terms(const Data* d, const State* s, int square, Terms* out) noexcept nogil:
    cdef int i, t, free = 0, places = 0
    for i in range(d.grid.words):
        free += ones(d.near[square].w[i] & s.free.w[i])
    for t in range(d.terminals):
        if in_play(s, t):
            for i in range(2):
                if s.at[t][i] != NONE and has(&d.near[square], s.at[t][i]):
                    places += 1
    add(out, PATHS, d.ground_cost[ground_at(s, square)] / <float>2)
    add(out, PATHS + 1, between(d, s, s.b, square) / <float>7)
    add(out, PATHS + 2, free / <float>4)
    add(out, PATHS + 3, places / <float>2)


cdef void card_terms(const Data* d, int use, int kind, bint named, Terms* out) noexcept nogil:
    cdef int i, base = CARD_USES + CARD * use
    for i in range(ICON_MONEY + 1):
        add(out, base + i, d.icons[kind] >> i & 1)
    add(out, base + 14, d.rails[kind] / <float>3)
    add(out, base + 15, d.money[kind] / <float>5)
    if named:
        add(out, CARD_KINDS + kind, 1)


cdef int action_terms(const GameC* game, const void* state, int32_t id, int32_t* terms, float* factors) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int x, price
    cdef Terms out
    out.n, out.ids, out.factors = 0, terms, factors
    if id == d.done:
        add(&out, ENDS + (0 if s.phase == PAY else 1 if s.phase == MARKET else 2), 1)
    elif id == d.join:
        add(&out, ENDS + 3, 1)
    elif id == d.stop:
        add(&out, ENDS + 4, 1)
    elif id == d.fold:
        add(&out, ENDS + 5, 1)
    elif id < d.fold:
        add(&out, BIDS, 1)
        add(&out, BIDS + 1, (id - d.bid + 1) / <float>10)
    elif id < d.kind:
        card_terms(d, TAKE_CARD, id - d.take + d.auction_kind, True, &out)
    elif id < d.from_:
        add(&out, ACTIONS + id - d.kind, 1)
    elif id < d.to:
        place_terms(d, s, BUILD_FROM if s.action == BUILD else UPGRADE_FROM, id - d.from_, 0, &out)
    elif id < d.lay:
        place_terms(d, s, BUILD_TO if s.action == BUILD else UPGRADE_TO, id - d.to, 0, &out)
    elif id < d.join:
        path_terms(d, s, id - d.lay, &out)
    elif id < d.type:
        x = CONSTRUCT_AT if s.action == CONSTRUCT else EXTEND_AT if s.action == EXTEND else ADD_AT if s.action == ADD else MOVE_FROM
        place_terms(d, s, x, id - d.at, 0, &out)
    elif id < d.ride:
        add(&out, NEW_TYPES + id - d.type, 1)
    elif id < d.stop:
        x = id - d.ride
        place_terms(d, s, RIDE_TO, x // d.players, x % d.players, &out)
    elif id < d.done:
        card_terms(d, s.action, id - d.pay, True, &out)
    elif id < d.market:
        x = id - d.buy
        price = d.funfair_price if s.b == d.special + FUNFAIR else d.leisure_price
        add(&out, BUYS + min(x, <int>MOST_BUY), 1)
        if s.budget > 0:
            add(&out, SPENT, x * price / <float>s.budget)
            add(&out, SPENT + 1, (s.budget - x * price) / <float>10)
    elif id < d.trash:
        add(&out, BONUS_CARDS + id - d.market, 1)
    elif id < d.purge:
        card_terms(d, TRASH_CARD, id - d.trash, False, &out)
    else:
        card_terms(d, PURGE_CARD, id - d.purge, False, &out)
    return out.n


def term_names(made, notation) -> list[str]:
    """What each of these terms is, see `Game.term_names`. `made`: a `_tramways_board.Data`; `notation`: a `notation.Notation`."""
    uses = ("build from", "upgrade from", "build to", "upgrade to", "construct at", "extend at", "move from", "add at", "ride to")
    place = (
        *LETTERS, "own empty parcel", *TILES, "passengers", "room", "own links", "others' links", "arrivals now", "arrivals later",
        "own cards with its icon", "length", "another's link", "upgraded link",
    )
    icons = (*LETTERS, "S", "F", "up", "con", "lot", "w", "pax", "calm", "strip", "money")
    development = [kind.text for kind in made.kinds if kind.family == "development"]
    return [
        "done with a payment", "done with the market", "done with discards", "join", "stop", "fold",
        *ACTION_NAMES,
        "bid: one", "bid: amount",
        *(f"type {letter}" for letter in LETTERS),
        *(f"{use}: {what}" for use in uses for what in place),
        "lay: rails", "lay: distance left", "lay: free squares beside it", "lay: places beside it",
        *(f"{use}: {what}" for use in (*(f"pay for {kind}" for kind in PURPOSES), "trash", "purge", "take")
          for what in (*(f"icon {icon}" for icon in icons), "rails", "money on the card")),
        *(f"card {kind}" for kind in padded(notation.kinds, KINDS)),
        *(f"market {kind}" for kind in padded(development, DEVELOPMENT)),
        *(f"buy {n}" for n in range(MOST_BUY)), f"buy {MOST_BUY} or more",
        "buy: share of the money spent", "buy: money left",
    ]
