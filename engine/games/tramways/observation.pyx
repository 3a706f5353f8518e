"""What a player of Tramways sees, as numbers for a network.

Layout 1: one for all numbers of players, expansions and data files; seats are counted from the observer. Kinds of cards and places are in
the order of the data file, and what it does not have leaves zeros.

| what | floats |
| --- | --- |
| step, one-hot in the order of `data.STEPS` | 21 |
| 1 to 5 players, one-hot | 5 |
| kind of the action in progress, one-hot, then bidding | 11 |
| round / 6, lap, actions left / 3, high bid / 10, places free in the auction / 5, rails or money owed / 10, budget / 20, cards bought / 2, discards / 3, purging, supply of passengers / 30 | 11 |
| type of the arrivals of this round, one-hot; of the rounds after it; type tiles left / 5; buildings in stock / 4; Station cards / 4; development cards / 5 | 4 + 4 + 4 + 4 + 1 + 8 |
| auction cards face up / cards of the payment so far | 60 + 96 |
| own hand, own deck, own pool / 2, by kind | 3 x 96 |
| per other seat: cards in hand or deck, pool / 2, by kind | 4 x 2 x 96 |
| per seat: there; decides; place in the turn order / 5; HP / 30; money / 20; stress / 12; workers / 5; tiles / 24; cards in hand / 10, deck / 10, pool / 20; has folded; high bidder | 5 x 13 |
| per place: in play; R C L I; empty parcel; own; another's; passengers / 2; room / 2; S X K F V W; first end, place or origin; second end or destination; where the passenger is; entered on this trip; own links / 4, tiles / 8, upgraded ones / 4; others' likewise | 64 x 26 |
| path so far / 7, links of the trip so far / 8; one is to decide | 3 |
"""
from libc.stdint cimport uint8_t
from libc.string cimport memset

from wattman.engine.abi cimport GameC
from wattman.engine.games.tramways.rules cimport is_decision
from wattman.engine.games.tramways.state cimport (
    AT,
    AUCTION,
    BID,
    BIDDING,
    BUY,
    DEVELOPMENT,
    DISCARD,
    DRAW,
    FROM,
    KIND,
    KINDS,
    LAY,
    MARKET,
    MOVE,
    NONE,
    OVER,
    PASS,
    PAY,
    RIDE,
    SEATS,
    SPECIALS,
    TERMINALS,
    TO,
    TYPE,
    TYPES,
    Data,
    Link,
    Player,
    State,
    find_card,
    in_play,
    places_at,
    type_of,
)

from wattman.engine.games.tramways.data import PURPOSES, STEPS
from wattman.engine.games.tramways.notation import TILES
from wattman.engine.games.tramways.notation import TYPES as LETTERS
from wattman.engine.naming import padded


cdef enum:
    PLACE = 26      # floats of a terminal


cdef inline void count_cards(float* out, const uint8_t* cards, int n, float unit) noexcept nogil:
    cdef int i
    for i in range(n):
        if cards[i] != NONE:
            out[cards[i]] += unit


cdef inline int unseen(const Player* p) noexcept nogil:
    """Cards in the deck or, in an Info, perhaps there."""
    cdef int n = p.n_deck, i = p.n_hand - 1
    while i >= 0 and p.hand[i] == NONE:
        n += 1
        i -= 1
    return n


cdef void observe_places(const Data* d, const State* s, int player, bint acting, float* out) noexcept nogil:
    cdef int t, i, side
    cdef float* x
    cdef const Link* link
    for t in range(d.terminals):
        if not in_play(s, t):
            continue
        x = out + PLACE * t
        x[0] = 1
        if type_of(d, s, t):
            x[type_of(d, s, t)] = 1
        if d.is_parcel[t]:
            x[5] = s.built[t] == 0
            if s.owner[t] != NONE:
                x[6 if s.owner[t] == player else 7] = 1
        x[8] = s.waiting[t] / <float>2
        x[9] = places_at(d, s, t) / <float>2
        if t >= d.special:
            x[10 + t - d.special] = 1
        if acting:
            x[16] = s.phase != FROM and s.phase != AT and s.action < 6 and s.a == t
            x[17] = (s.action < 2 and s.phase > TO or s.action == MOVE and s.phase >= PAY) and s.b == t
            x[18] = s.action == MOVE and s.phase != AT and s.here == t
    if acting and s.action == MOVE:
        for i in range(s.n_rides):
            out[PLACE * s.links[s.ride[i]].a + 19] = out[PLACE * s.links[s.ride[i]].b + 19] = 1
    for i in range(s.n_links):
        link = &s.links[i]
        side = 20 if link.owner == player else 23
        for t in range(2):
            x = out + PLACE * (link.b if t else link.a) + side
            x[0] += <float>0.25
            x[1] += link.tiles / <float>8
            x[2] += link.upgraded / <float>4


cdef void observe(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int i, p, seat
    cdef bint acting = KIND < s.phase <= MARKET, bidding = s.phase == BID or (s.phase == PAY and s.action == BIDDING)
    cdef const Player* x
    memset(out, 0, OBSERVATION * sizeof(float))
    out[s.phase] = 1
    out[20 + d.players] = 1
    if acting:
        out[26 + s.action] = 1
    out += 37
    out[0] = s.round / <float>6
    out[1] = s.lap
    out[2] = s.left / <float>3
    out[3] = s.high / <float>10
    out[4] = s.places / <float>5
    out[5] = s.cost / <float>10
    out[6] = s.budget / <float>20
    out[7] = s.bought / <float>2
    out[8] = s.discards / <float>3
    out[9] = s.purging
    out[10] = s.supply / <float>30
    out += 11
    for i in range(s.n_arrivals):
        if s.round and i == s.round - 1:
            out[s.arrivals[i]] = 1
        elif i >= s.round:
            out[TYPES + s.arrivals[i]] += 1
    for i in range(TYPES):
        out[8 + i] = s.type_tiles[i] / <float>5
        out[12 + i] = s.stacks[i] / <float>4
    out[16] = s.stations / <float>4
    for i in range(DEVELOPMENT):
        out[17 + i] = s.development[i] / <float>5
    out += 25
    for i in range(s.n_offer):
        out[s.offer[i] - d.auction_kind] += 1
    count_cards(out + AUCTION, s.named, s.n_named, 1)
    out += AUCTION + KINDS
    x = &s.players[player]
    count_cards(out, x.hand, x.n_hand, 0.5)
    count_cards(out + KINDS, x.deck, x.n_deck, 0.5)
    count_cards(out + 2 * KINDS, x.pool, x.n_pool, 0.5)
    out += 3 * KINDS
    for seat in range(1, d.players):
        x = &s.players[(player + seat) % d.players]
        count_cards(out + 2 * KINDS * (seat - 1), x.hand, x.n_hand, 0.5)
        count_cards(out + 2 * KINDS * (seat - 1), x.deck, unseen(x), 0.5)
        count_cards(out + 2 * KINDS * (seat - 1) + KINDS, x.pool, x.n_pool, 0.5)
    out += 8 * KINDS
    for seat in range(d.players):
        p = (player + seat) % d.players
        x = &s.players[p]
        out[0] = 1
        out[1] = DRAW <= s.phase < OVER and s.player == p
        if s.n_order == d.players:
            out[2] = (1 + find_card(s.order, d.players, p)) / <float>5
        out[3] = x.hp / <float>30
        out[4] = x.money / <float>20
        out[5] = x.stress / <float>12
        out[6] = x.workers / <float>5
        out[7] = x.rails / <float>24
        out[8] = x.n_hand / <float>10
        out[9] = x.n_deck / <float>10
        out[10] = x.n_pool / <float>20
        out[11] = s.folded >> p & 1
        out[12] = bidding and s.high_bidder == p
        out += 13
    out += 13 * (SEATS - d.players)
    observe_places(d, s, player, acting, out)
    out += PLACE * TERMINALS
    out[0] = s.n_path / <float>7
    out[1] = s.n_rides / <float>8
    out[2] = is_decision(s.phase) and s.player == player


cdef void hidden_targets(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    """The hands of the others, by kind; seats are counted from the player."""
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int seat
    cdef const Player* x
    memset(out, 0, HIDDEN * sizeof(float))
    for seat in range(1, d.players):
        x = &s.players[(player + seat) % d.players]
        count_cards(out + KINDS * (seat - 1), x.hand, x.n_hand, 1)


def observation_names(made, notation) -> list[str]:
    """What each of these numbers is, see `Game.observation_names`. `made`: a `_tramways_board.Data`; `notation`: a `notation.Notation`."""
    kinds, places = padded(notation.kinds, KINDS), padded(notation.places, TERMINALS)

    def family(str name, int size) -> list[str]:
        return padded([kind.text for kind in made.kinds if kind.family == name], size)

    seat = (
        "present", "decides", "place in the turn order", "HP", "money", "stress", "workers", "tiles", "cards in hand", "cards in deck",
        "cards in pool", "has folded", "high bidder",
    )
    place = (
        "in play", *LETTERS, "empty parcel", "own", "another's", "passengers", "room", *TILES, "first end", "second end", "passenger is here",
        "entered", *(f"{whose} {what}" for whose in ("own", "others'") for what in ("links", "tiles", "upgraded links")),
    )
    return [
        *(f"step {step}" for step in STEPS),
        *(f"{n} players" for n in range(1, SEATS + 1)),
        *(f"action {kind}" for kind in PURPOSES),
        "round", "lap", "actions left", "high bid", "places in the auction", "owed", "budget", "cards bought", "discards", "purging", "supply",
        *(f"{what} {letter}" for what in ("arrivals now", "arrivals later", "type tiles", "buildings in stock") for letter in LETTERS),
        "Station cards", *(f"in stock {kind}" for kind in family("development", DEVELOPMENT)),
        *(f"offer {kind}" for kind in family("auction", AUCTION)),
        *(f"{where} {kind}" for where in ("payment", "hand", "deck", "pool") for kind in kinds),
        *(f"seat {i} {where} {kind}" for i in range(1, SEATS) for where in ("hand or deck", "pool") for kind in kinds),
        *(f"seat {i} {what}" for i in range(SEATS) for what in seat),
        *(f"{name} {what}" for name in places for what in place),
        "path", "links of the trip", "decides",
    ]
