"""From a data file (games/_tramways_board.py) to the plain numbers that the rules work with."""
from libc.string cimport memset

from wattman.engine.games.tramways.bits cimport Squares, beside, bit, put
from wattman.engine.games.tramways.state cimport (
    AUCTION,
    BIG_AIRPORT,
    CARDS,
    DEVELOPMENT,
    EDGE,
    EXCHANGE,
    FUNFAIR,
    ICON_CALM,
    ICON_CON,
    ICON_F,
    ICON_LOT,
    ICON_MONEY,
    ICON_PAX,
    ICON_RAILS,
    ICON_S,
    ICON_STRIP,
    ICON_UP,
    ICON_WORKER,
    KINDS,
    LINKS,
    NONE,
    PARK,
    SMALL_AIRPORT,
    SPECIALS,
    STATION,
    TERMINALS,
    Data,
)

from wattman.engine.games.tramways.notation import TILES, TYPES, terminals

ICON_NUMBERS = {
    "R": 0, "C": 1, "L": 2, "I": 3, "S": ICON_S, "F": ICON_F, "up": ICON_UP, "con": ICON_CON, "lot": ICON_LOT, "w": ICON_WORKER,
    "pax": ICON_PAX, "calm": ICON_CALM,
}
RAILS = {"r1": 1, "r2": 2, "r3": 3}
MONEY = {"m1": 1, "m2": 2, "m3": 3, "m5": 5}
GROUND = ".~^"
EXPANSION_OF = ("station", "stock_exchange", "park", "funfair", "airports", "airports")


def turned(rows, turns):
    """Rows of a board after quarter turns clockwise."""
    for _ in range(turns):
        rows = ["".join(row[i] for row in reversed(rows)) for i in range(len(rows))]
    return rows


cdef object load_into(Data* d, made, notation, int players, expansions):
    """Fills `d` (zeroed); ValueError naming the table and key where a file asks for more than fits."""
    numbers = made.numbers
    course, start, hand, links, track = (numbers[name] for name in ("course", "start", "hand", "links", "track"))
    setup = made.setup[players]
    names = terminals(made)
    families = [kind.family for kind in made.kinds]
    cdef int i, j, turns, t
    d.players = players
    check_sizes(made, names, players)
    # The city.
    d.edge = len(made.boards[0].rows)
    d.n_boards = len(made.boards)
    d.n_places = setup.layout[0] * setup.layout[1]
    d.place_columns = setup.layout[1]
    d.squares = d.n_places * d.edge * d.edge
    d.terminals = len(names)
    d.special = d.terminals - SPECIALS
    load_grid(d)
    number = {name: i for i, name in enumerate(names)}
    for i, board in enumerate(made.boards):
        for turns in range(4):
            for j, sign in enumerate("".join(turned(list(board.rows), turns))):
                d.square[i][turns][j] = GROUND.index(sign) if sign in GROUND else 16 + number[board.letter + sign]
        for row in board.rows:
            for sign in row:
                if sign in GROUND:
                    continue
                t = number[board.letter + sign]
                d.board_of[t] = i
                if sign.isdigit():
                    d.is_parcel[t] = 1
                else:
                    d.printed[t] = 1 + TYPES.index(board.types[sign])
                    d.capacity[t] += 1
    for i, tile in enumerate(TILES):
        d.has[i] = EXPANSION_OF[i] in expansions
        d.tile_squares[i] = made.squares[tile]
    # Cards.
    d.kinds = len(made.kinds)
    for i, kind in enumerate(made.kinds):
        d.copies[i] = kind.copies
        d.icons[i] = 1 << ICON_STRIP
        for icon in kind.icons:
            if icon in RAILS:
                d.rails[i] = RAILS[icon]
            elif icon in MONEY:
                d.money[i] = MONEY[icon]
                d.icons[i] |= 1 << ICON_MONEY
            else:
                d.icons[i] |= 1 << ICON_NUMBERS[icon]
        d.parcel_of[i] = NONE
        if kind.family == "parcels":
            d.parcel_of[i] = number[kind.text]
            d.card_of[number[kind.text]] = i
    d.n_parcel_kinds = families.count("parcels")
    d.building_kind = families.index("buildings")
    d.starter_kind, d.n_starters = families.index("starters"), families.count("starters")
    d.development_kind, d.n_development = families.index("development"), families.count("development")
    d.auction_kind, d.n_auction = families.index("auction"), families.count("auction")
    # Numbers.
    d.rounds, d.auction_rounds, d.type_tiles, d.free_discards = (
        course["rounds"], course["auction_rounds"], course["arrivals"], course["free_discards"]
    )
    d.actions[0], d.actions[1] = course["actions"]
    for i, stress in enumerate(course["first_stress"]):
        d.first_stress[i] = stress
    d.start_money, d.start_workers, d.start_rails, d.passengers = start["money"], start["workers"], start["rails"], start["passengers"]
    d.parcels_each, d.hand_limit = hand["parcels"], hand["limit"]
    d.link_hp, d.link_workers, d.tile_money = links["hp"], links["workers"], links["money"]
    d.ground_cost[0], d.ground_cost[1], d.ground_cost[2] = track["empty"], track["water"], track["mountain"]
    d.cheapest = min(d.ground_cost[0], d.ground_cost[1], d.ground_cost[2])
    d.longest, d.upgraded_hp, d.trip_longest = track["longest"], track["upgraded_hp"], numbers["trips"]["longest"]
    d.industry_stress, d.industry_workers = numbers["industry"]["stress"], numbers["industry"]["workers"]
    d.residence_stress = numbers["residence"]["stress"]
    d.leisure_price, d.leisure_most = numbers["leisure"]["price"], numbers["leisure"]["most"]
    d.commerce_price, d.commerce_most = numbers["commerce"]["price"], numbers["commerce"]["most"]
    d.construct_hp, d.extend_hp = numbers["construction"]["hp"], numbers["construction"]["extension_hp"]
    d.stress_most, d.stress_high, d.stress_high_hp = (numbers["stress"][key] for key in ("most", "high", "high_hp"))
    for i, points in enumerate(numbers["stress"]["penalty"]):
        d.penalty[i] = points
    d.fee, d.discards_most = numbers["administration"]["fee"], numbers["administration"]["most"]
    d.bid_most, d.solo_goal = numbers["auction"]["highest"], numbers["solo"]["goal"]
    d.buildings, d.stations, d.offer, d.development = setup.buildings, setup.stations, setup.offer, setup.development
    effects = numbers["expansions"]
    d.station_passengers = d.capacity[d.special + STATION] = effects["station"]["passengers"]
    d.exchange_money, d.park_stress = effects["stock_exchange"]["money"], effects["park"]["stress"]
    d.funfair_price, d.funfair_most = effects["funfair"]["price"], effects["funfair"]["most"]
    d.airport_money = effects["airports"]["money"]
    number_events(d, notation)


def check_sizes(made, names, players):
    """ValueError where a file is within what a file may say, but too large for the engine's arrays."""
    numbers, setup = made.numbers, made.setup[players]
    if len(names) > TERMINALS:
        raise ValueError(f"{made.name}: [boards]: {len(names) - SPECIALS} buildings and parcels; at most {TERMINALS - SPECIALS} are possible")
    turns = numbers["course"]["rounds"] * sum(numbers["course"]["actions"])
    development = sum(kind.family == "development" for kind in made.kinds) * setup.development
    parcels, starters = numbers["hand"]["parcels"], sum(kind.family == "starters" for kind in made.kinds)
    cards = 2 * parcels + starters + numbers["course"]["auction_rounds"] + 1 + min(development, turns * numbers["commerce"]["most"])
    if cards > CARDS:
        raise ValueError(f"{made.name}: [cards]: a player could come to own {cards} cards; at most {CARDS} are possible")
    links = players * min(numbers["start"]["rails"], turns)
    if links > LINKS:
        raise ValueError(f"{made.name}: [course].actions: {players} players could build {links} links; at most {LINKS} are possible")


cdef object load_grid(Data* d):
    cdef Squares one
    cdef int square, column, rows = d.n_places // d.place_columns * d.edge
    d.grid.columns = d.place_columns * d.edge
    d.grid.words = 2 if d.squares <= 128 else 4
    for square in range(d.squares):
        column = square % d.grid.columns
        put(&d.grid.all, square)
        if column:
            put(&d.grid.not_first, square)
        if column < d.grid.columns - 1:
            put(&d.grid.not_last, square)
        d.place_of[square] = square // d.grid.columns // d.edge * d.place_columns + column // d.edge
    for square in range(d.squares):
        memset(&one, 0, sizeof(one))
        put(&one, square)
        beside(&d.grid, &one, &d.near[square])


cdef object number_events(Data* d, notation):
    first = notation.first
    d.bid, d.fold, d.take, d.kind, d.from_, d.to, d.lay, d.join = (
        first[name] for name in ("bid", "fold", "take", "kind", "from", "to", "lay", "join")
    )
    d.at, d.type, d.ride, d.stop, d.pay, d.done, d.buy, d.market, d.trash, d.purge = (
        first[name] for name in ("at", "type", "ride", "stop", "pay", "done", "buy", "market", "trash", "purge")
    )
    d.board, d.place, d.parcel, d.order, d.type_tile, d.reveal, d.draw, d.draw_unseen, d.by = (
        first[name] for name in ("board", "place", "parcel", "order", "arrivals", "reveal", "draw", "draw_unseen", "by")
    )
    d.events = len(notation.texts)
