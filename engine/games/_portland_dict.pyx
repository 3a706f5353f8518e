"""Portland's structs as plain data (dicts, lists, texts, ints) and back: for views, position files and records.

The layout (types, routes and tickets as in the notation, "?" a ticket that the observer does not know; players by seat):

    {"player": 0, "to_move": 0, "step": "turn", "on_turn": 0, "after": "", "claiming": "", "resets": 0, "skips": 0, "turns_left": 0,
     "market": {"red": 2, "pass": 1, ...}, "draw_pile": 61, "discards": {"teal": 4}, "reshuffles": 0,
     "tickets_left": 21, "returned": ["?", "Hillsboro>PDX"], "offer": [],
     "players": [{"trains": 36, "score": 7, "routes": ["Parkrose--PDX:red"], "cards": 5, "hand": {"red": 3, "pass": 2},
                  "tickets_held": 2, "tickets": ["PSU>Parkrose", "OHSU>PDX"], "offered": [], "chosen": []}, ...],
     "memory": {...}}

`player` is the observer, -1 for the whole truth, which also lists the draw pile under "deck" and the fresh tickets under "fresh". In what an
observer knows, `hand` and `tickets` of the others are the cards and tickets known to be theirs. `offered` and `chosen` are the first tickets,
until all have chosen (`chosen`: which of them by their places from 1; ["?"]: hidden). "memory" is what the observer remembers (see
`memory_to_dict`); without it he is taken to know what lies there and nothing else.
"""
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.games._portland_knowledge cimport Info, prepare
from wattman.engine.games._portland_memory cimport (
    GUARDS,
    LIMITS,
    LOTS,
    NO_BOUND,
    PILES,
    SPENT,
    Guard,
    Hand,
    Memory,
    Offered,
    Tickets,
)
from wattman.engine.games._portland_state cimport (
    CHOOSE,
    DEAL_HANDS,
    DEAL_TICKETS,
    KEEP,
    NONE,
    OFFER,
    OFFERED,
    OVER,
    PAY,
    REFILL,
    RESETS,
    SEATS,
    TICKETS,
    TURN,
    TYPES,
    UNKNOWN,
    Data,
    State,
    drop,
    has,
    put,
)

from wattman.engine.tomlfile import show

STEPS = ("deal", "refill", "deal tickets", "choose", "turn", "draw", "second", "draw second", "offer", "keep", "pay", "over")
AFTER = ("tickets", "second", "turn")


# --- to plain data ---

cdef dict counts(object notation, const uint8_t* cards):
    return {name: cards[i] for i, name in enumerate(notation.types) if cards[i]}


cdef list names_of(list names, const uint64_t* mask):
    return [name for i, name in enumerate(names) if has(mask, i)]


cdef list tickets_of(object notation, const uint8_t* tickets, int n):
    return ["?" if tickets[i] == UNKNOWN else notation.tickets[tickets[i]] for i in range(n)]


cdef int mover(const State* s) noexcept:
    if s.phase == OVER:
        return -4
    return s.player if s.phase in (CHOOSE, TURN, 6, KEEP, PAY) else -1


cdef dict table_to_dict(const Data* d, object notation, const State* s, int player, int reshuffles):
    """What lies on the table and in hands, as `s` has it."""
    cdef int p, shown
    players = []
    for p in range(d.players):
        shown = d.start_offered if s.phase == CHOOSE or (s.phase == DEAL_TICKETS and p < s.player) else 0
        chosen = ["?"] if s.chosen[p] == UNKNOWN else [i + 1 for i in range(OFFERED) if s.chosen[p] >> i & 1]
        players.append({
            "trains": s.trains[p],
            "score": s.score[p],
            "routes": names_of(notation.routes, s.owned[p]),
            "cards": s.n_hand[p],
            "hand": counts(notation, s.hand[p]),
            "tickets_held": s.n_tickets[p],
            "tickets": names_of(notation.tickets, s.held[p]),
            "offered": tickets_of(notation, s.first[p], shown),
            "chosen": chosen,
        })
    data = {
        "player": player,
        "to_move": mover(s),
        "step": STEPS[s.phase],
        "on_turn": s.player,
        "after": AFTER[s.after] if s.phase == REFILL else "",
        "claiming": "" if s.route == NONE else notation.routes[s.route],
        "resets": s.resets,
        "skips": s.skips,
        "turns_left": s.turns_left,
        "market": counts(notation, s.market),
        "draw_pile": s.n_deck,
        "discards": counts(notation, s.discard),
        "reshuffles": reshuffles,
        "tickets_left": s.n_fresh,
        "returned": tickets_of(notation, s.queue, s.n_queue),
        "offer": tickets_of(notation, s.offer, s.n_offer),
        "players": players,
    }
    if player < 0:
        data["deck"] = counts(notation, s.deck)
        data["fresh"] = names_of(notation.tickets, s.fresh)
    return data


cdef list bits(int mask):
    return [i for i in range(16) if mask >> i & 1]


cdef dict memory_to_dict(const Data* d, object notation, const Info* k):
    """What an observer remembers.

    `piles`: cards of each pile so far that were not turned up and are not known to have left a hand; `own`: those of them that he drew; `hands`:
    what all can know of each hand, cards taken face up (`known`) and `lots` of cards drawn blind (pile, how many, types that they cannot
    be), what was `spent` and came out of one of several lots (type, how many, lots), `limits` of hands that had to skip, `closed` if the
    next blind draw begins a lot; `guards`: what resets of the market showed; `returned_by`, `offer_from`: who returned each ticket; `log`:
    offers since he could tell tickets of others apart.
    """
    cdef const Memory* m = &k.memory
    cdef const State* s = &k.state
    cdef const Hand* h
    cdef const Guard* guard
    cdef const Tickets* t = &m.tickets[m.observer - 1]
    cdef const Offered* offer
    cdef int p, i, observer = m.observer - 1
    hands = []
    for p in range(d.players):
        h = &m.hand[p]
        hands.append({
            "known": counts(notation, h.known),
            "lots": [[h.lots[i].pile, h.lots[i].n, [notation.types[kind] for kind in bits(h.lots[i].never)]] for i in range(h.n_lots)],
            "spent": [[notation.types[h.spent[i].type], h.spent[i].n, bits(h.spent[i].lots)] for i in range(h.n_spent)],
            "limits": [
                {
                    "lots": bits(h.limits[i].lots),
                    "spent": h.limits[i].spent,
                    "base": counts(notation, h.limits[i].base),
                    "most": {name: h.limits[i].most[j] for j, name in enumerate(notation.types) if h.limits[i].most[j] != NO_BOUND},
                }
                for i in range(h.n_limits)
            ],
            "closed": h.closed,
        })
    guards = []
    for i in range(m.n_guards):
        guard = &m.guards[i]
        guards.append({
            "pile": guard.pile,
            "least": guard.least,
            "most": -1 if guard.most == NO_BOUND else guard.most,
            "own": guard.own[observer],
            "lots": [bits(guard.lots[p]) for p in range(d.players)],
        })
    log = []
    for i in range(t.n_log):
        offer = &t.log[i]
        if offer.player == observer:
            log.append([offer.player, tickets_of(notation, offer.tickets, offer.n), [j + 1 for j in bits(offer.kept)]])
        else:
            log.append([offer.player, offer.n, offer.kept])
    data = {
        "piles": [counts(notation, m.pile[i]) for i in range(m.n_piles)],
        "own": [counts(notation, m.own[observer][i]) for i in range(m.n_piles)],
        "hands": hands,
        "guards": guards,
        "returned_by": [m.owner[i] for i in range(s.n_queue)],
        "offer_from": [-1 if m.offer_owner[i] == NONE else m.offer_owner[i] for i in range(s.n_offer)],
        "held": [names_of(notation.tickets, t.held[p]) for p in range(d.players)],
        "log": log,
    }
    if t.n_log:
        data["log_start"] = {
            "held": [t.n_held[p] for p in range(d.players)],
            "fresh": t.n_fresh,
            "returned": tickets_of(notation, t.queue, t.n_queue),
        }
    return data


# --- from plain data ---

cdef class Reader:
    """Reads one table; whatever does not fit is a ValueError that names its place."""

    cdef readonly dict data
    cdef readonly str path
    cdef readonly object notation

    def __init__(self, data, str path, notation):
        if not isinstance(data, dict):
            raise ValueError(f"{path or 'position'}: {show(data)} is no table")
        self.data, self.path, self.notation = data, path, notation

    def place(self, key):
        return f"{self.path}.{key}" if self.path else str(key)

    def error(self, key, problem):
        return ValueError(f"{self.place(key)}: {problem}")

    def get(self, key):
        if key not in self.data:
            raise self.error(key, "missing")
        return self.data[key]

    def check(self, key, value, int low, int high):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.error(key, f"{show(value)} is no number from {low} to {high}")
        return value

    def number(self, key, int low, int high):
        return self.check(key, self.get(key), low, high)

    def items(self, key, int most, value=None):
        value = self.get(key) if value is None else value
        if not isinstance(value, list) or len(value) > most:
            raise self.error(key, f"expected a list of at most {most}")
        return value

    def numbers(self, key, int length, int low, int high, value=None):
        value = self.items(key, length, value)
        if len(value) != length:
            raise self.error(key, f"expected {length} numbers")
        return [self.check(key, item, low, high) for item in value]

    def word(self, key, allowed, value=None):
        value = self.get(key) if value is None else value
        if not isinstance(value, str) or value not in allowed:
            raise self.error(key, f"{show(value)} is not allowed; expected one of: {', '.join(map(repr, allowed))}")
        return value

    def index(self, key, list names, value):
        return UNKNOWN if value == "?" else names.index(self.word(key, names, value))

    def table(self, key, value=None):
        return Reader(self.get(key) if value is None else value, self.place(key), self.notation)

    def cards(self, key, int most=255):
        """Counts by type."""
        table = self.table(key)
        result = [0] * len(self.notation.types)
        for name in table.data:
            result[self.notation.types.index(table.word("type", self.notation.types, name))] = table.number(name, 0, most)
        return result

    def mask(self, key, int size, value=None):
        """Numbers below `size` as bits."""
        result = 0
        for item in self.items(key, size, value):
            result |= 1 << self.check(key, item, 0, size - 1)
        return result


cdef int set_cards(uint8_t* to, list values) except -1:
    cdef int i
    for i in range(len(values)):
        to[i] = values[i]
    return sum(values)


cdef int set_mask(uint64_t* to, object read, key, list names, int unique) except -1:
    """The set of names under a key; returns how many. `unique`: how many there can be."""
    values = read.items(key, unique)
    for value in values:
        i = names.index(read.word(key, names, value))
        if has(to, i):
            raise read.error(key, f"{value!r} is there twice")
        put(to, i)
    return len(values)


cdef int set_tickets(uint8_t* to, object read, key, int most) except -1:
    values = read.items(key, most)
    for i, value in enumerate(values):
        to[i] = read.index(key, read.notation.tickets, value)
    return len(values)


cdef int read_table(const Data* d, object read, State* s) except -1:
    """The State of an Info, but for what `prepare` sets."""
    cdef int p, q, i
    notation = read.notation
    s.phase = STEPS.index(read.word("step", STEPS))
    s.player = read.number("on_turn", 0, d.players - 1)
    after = read.word("after", ("", *AFTER))
    if (after != "") != (s.phase == REFILL):
        raise read.error("after", f"{after!r} does not fit the step {STEPS[s.phase]!r}")
    s.after = AFTER.index(after) if after else 0
    claiming = read.word("claiming", ("", *notation.routes))
    s.route = notation.routes.index(claiming) if claiming else NONE
    if (claiming != "") != (s.phase == PAY):
        raise read.error("claiming", f"{claiming!r} does not fit the step {STEPS[s.phase]!r}")
    s.resets, s.skips = read.number("resets", 0, RESETS), read.number("skips", 0, d.players)
    s.turns_left = read.number("turns_left", 0, d.players)
    s.n_market = set_cards(s.market, read.cards("market", d.face_up))
    if s.n_market > d.face_up:
        raise read.error("market", f"{s.n_market} cards; at most {d.face_up} lie there")
    s.n_deck = read.number("draw_pile", 0, 240)
    s.n_discard = set_cards(s.discard, read.cards("discards", 99))
    s.n_fresh = read.number("tickets_left", 0, d.tickets)
    s.n_queue = set_tickets(s.queue, read, "returned", d.tickets)
    s.n_offer = set_tickets(s.offer, read, "offer", OFFERED)
    players = read.items("players", d.players)
    if len(players) != d.players:
        raise read.error("players", f"expected {d.players} of them")
    for p in range(d.players):
        memcpy(s.open[p], d.short[9], sizeof(s.open[p]))
        s.trains[p] = d.trains
    for p in range(d.players):
        one = read.table(f"players.{p}", players[p])
        set_mask(s.owned[p], one, "routes", notation.routes, d.routes)
        for i in range(d.routes):
            if not has(s.owned[p], i):
                continue
            if not has(s.open[p], i):
                raise one.error("routes", f"{notation.routes[i]} cannot be claimed: it is taken or closed")
            if d.route[i].length > s.trains[p]:
                raise one.error("routes", f"more than {d.trains} trains are needed for them")
            s.trains[p] -= d.route[i].length
            s.score[p] += d.route[i].points
            for q in range(d.players):
                drop(s.open[q], i)
                if d.route[i].other != NONE and (d.single or q == p):
                    drop(s.open[q], d.route[i].other)
        for key, value in (("trains", s.trains[p]), ("score", s.score[p])):
            if one.data.get(key, value) != value:
                raise one.error(key, f"{show(one.data[key])} does not fit the routes, which leave {value}")
        s.n_hand[p] = one.number("cards", 0, 240)
        set_cards(s.hand[p], one.cards("hand", 99))
        s.n_tickets[p] = one.number("tickets_held", 0, d.tickets)
        set_mask(s.held[p], one, "tickets", notation.tickets, d.tickets)
        set_tickets(s.first[p], one, "offered", d.start_offered)
        chosen = one.items("chosen", OFFERED)
        s.chosen[p] = UNKNOWN if chosen == ["?"] else one.mask("chosen", d.start_offered, [i - 1 for i in chosen if isinstance(i, int)])
    return 0


cdef int read_memory(const Data* d, object read, Info* k) except -1:
    """Fills an Info's memory from `memory_to_dict`'s layout."""
    cdef Memory* m = &k.memory
    cdef State* s = &k.state
    cdef Hand* h
    cdef Tickets* t = &m.tickets[m.observer - 1]
    cdef Guard* guard
    cdef int p, i, observer = m.observer - 1
    notation = read.notation
    piles, own = read.items("piles", PILES), read.items("own", PILES)
    if len(own) != len(piles):
        raise read.error("own", f"expected {len(piles)} of them, as many as piles")
    m.n_piles = len(piles)
    for i in range(m.n_piles):
        set_cards(m.pile[i], Reader({"cards": piles[i]}, read.place(f"piles.{i}"), notation).cards("cards", 99))
        set_cards(m.own[observer][i], Reader({"cards": own[i]}, read.place(f"own.{i}"), notation).cards("cards", 99))
    hands = read.items("hands", d.players)
    if len(hands) != d.players:
        raise read.error("hands", f"expected {d.players} of them")
    for p in range(d.players):
        h = &m.hand[p]
        one = read.table(f"hands.{p}", hands[p])
        set_cards(h.known, one.cards("known", 99))
        h.closed = one.number("closed", 0, 1)
        for pile, n, never in triples(one, "lots", LOTS):
            if m.n_piles == 0:
                raise one.error("lots", "there is no pile that they could come from")
            h.lots[h.n_lots].pile = one.check("lots", pile, 0, m.n_piles - 1)
            h.lots[h.n_lots].n = one.check("lots", n, 1, 240)
            for name in one.items("lots", TYPES, never):
                h.lots[h.n_lots].never |= 1 << notation.types.index(one.word("lots", notation.types, name))
            h.n_lots += 1
        for name, n, lots in triples(one, "spent", SPENT):
            h.spent[h.n_spent].type = notation.types.index(one.word("spent", notation.types, name))
            h.spent[h.n_spent].n = one.check("spent", n, 1, 99)
            h.spent[h.n_spent].lots = one.mask("spent", h.n_lots, lots)
            h.n_spent += 1
        for entry in one.items("limits", LIMITS):
            entry = one.table("limits", entry)
            h.limits[h.n_limits].lots = entry.mask("lots", h.n_lots)
            h.limits[h.n_limits].spent = entry.number("spent", 0, h.n_spent)
            set_cards(h.limits[h.n_limits].base, entry.cards("base", 99))
            memset(h.limits[h.n_limits].most, NO_BOUND, TYPES)
            for name in entry.table("most").data:
                i = notation.types.index(entry.word("most", notation.types, name))
                h.limits[h.n_limits].most[i] = entry.table("most").number(name, 0, 99)
            h.n_limits += 1
    for entry in read.items("guards", GUARDS):
        entry = read.table("guards", entry)
        guard = &m.guards[m.n_guards]
        guard.pile = entry.number("pile", 0, m.n_piles - 1)
        guard.least = entry.number("least", 0, 240)
        i = entry.number("most", -1, 240)
        guard.most = NO_BOUND if i < 0 else i
        guard.own[observer] = entry.number("own", 0, 240)
        lots = entry.items("lots", d.players)
        for p in range(len(lots)):
            guard.lots[p] = entry.mask("lots", m.hand[p].n_lots, lots[p])
        m.n_guards += 1
    for i, p in enumerate(read.numbers("returned_by", s.n_queue, 0, d.players - 1)):
        m.owner[i] = p
    memset(m.offer_owner, NONE, OFFERED)
    for i, p in enumerate(read.numbers("offer_from", s.n_offer, -1, d.players - 1)):
        m.offer_owner[i] = NONE if p < 0 else p
    held = read.items("held", d.players)
    for p in range(len(held)):
        set_mask(t.held[p], Reader({"tickets": held[p]}, read.place(f"held.{p}"), notation), "tickets", notation.tickets, d.tickets)
    for player, offer, kept in triples(read, "log", TICKETS):
        t.log[t.n_log].player = read.check("log", player, 0, d.players - 1)
        if player == observer:
            one = Reader({"log": offer}, read.path, notation)
            t.log[t.n_log].n = set_tickets(t.log[t.n_log].tickets, one, "log", d.more_offered)
            t.log[t.n_log].kept = read.mask("log", t.log[t.n_log].n, [i - 1 for i in read.items("log", OFFERED, kept) if isinstance(i, int)])
            if "?" in offer:
                raise read.error("log", "the observer knows what he was offered")
        else:
            t.log[t.n_log].n = read.check("log", offer, 1, d.more_offered)
            t.log[t.n_log].kept = read.check("log", kept, 1, offer)
        t.n_log += 1
    if t.n_log:
        start = read.table("log_start")
        for p, n in enumerate(start.numbers("held", d.players, 0, d.tickets)):
            t.n_held[p] = n
        t.n_fresh = start.number("fresh", 0, OFFERED)
        t.n_queue = set_tickets(t.queue, start, "returned", d.tickets)
    return 0


cdef list triples(object read, key, int most):
    values = read.items(key, most)
    for value in values:
        if not isinstance(value, list) or len(value) != 3:
            raise read.error(key, f"{show(value)} is no list of three")
    return values


cdef int assume_memory(const Data* d, object read, Info* k) except -1:
    """What an observer remembers who knows what lies there and nothing else."""
    cdef Memory* m = &k.memory
    cdef State* s = &k.state
    cdef Hand* h
    cdef int p, i, n, t, left, observer = m.observer - 1
    m.n_piles = 1
    memset(m.offer_owner, NONE, OFFERED)
    for p in range(d.players):
        h = &m.hand[p]
        if p != observer:
            memcpy(h.known, s.hand[p], TYPES)
        n = s.n_hand[p] - sum([h.known[t] for t in range(TYPES)])
        if n < 0:
            raise read.error(f"players.{p}.hand", f"more cards than the {s.n_hand[p]} of that hand")
        if n:
            h.n_lots = 1
            h.lots[0].n = n
    for t in range(d.types):
        left = d.count[t] - s.market[t] - s.discard[t] - sum([m.hand[p].known[t] for p in range(d.players)])
        if left < s.hand[observer][t]:
            raise read.error("cards", f"more cards {read.notation.types[t]} than the {d.count[t]} there are")
        m.pile[0][t] = left
        m.own[observer][0][t] = s.hand[observer][t]
    for i in range(s.n_queue):
        m.owner[i] = observer if s.queue[i] != UNKNOWN else (observer + 1) % d.players
    for i in range(s.n_offer):
        if s.player != observer and s.offer[i] != UNKNOWN:
            m.offer_owner[i] = observer
    for p in range(d.players):
        if p != observer:
            memcpy(m.tickets[observer].held[p], s.held[p], sizeof(s.held[p]))
    return 0


cdef int dict_to_info(const Data* d, object notation, dict data, Info* k) except -1:
    """Fills an Info (zeroed) from plain data; ValueError that names the key, if something is wrong or the parts do not fit together."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int p, t, observer
    read = Reader(data, "", notation)
    observer = read.number("player", 0, d.players - 1)
    m.observer = 1 + observer
    m.players, m.wild = d.players, d.wild
    m.reshuffles = min(read.number("reshuffles", 0, 10**6), 255)
    read_table(d, read, s)
    if data.get("memory"):
        read_memory(d, read.table("memory"), k)
    else:
        assume_memory(d, read, k)
    check_fit(d, read, k)
    prepare(d, k)
    if k.impossible:
        raise ValueError("cards, tickets and what is remembered do not fit together: they leave no possible deal")
    return 0


cdef int check_fit(const Data* d, object read, Info* k) except -1:
    """What the rules and `fill` take for granted."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int p, i, j, t, n, observer = m.observer - 1
    phase = STEPS[s.phase]
    if s.n_offer and phase not in ("deal tickets", "offer", "keep"):
        raise read.error("offer", f"nothing is offered in the step {phase!r}")
    if phase == "keep" and s.n_offer < 2:
        raise read.error("offer", "expected at least two tickets")
    if phase in ("refill", "draw", "draw second", "deal") and s.n_deck == 0:
        raise read.error("draw_pile", f"no card is left to draw in the step {phase!r}")
    if phase in ("offer", "deal tickets") and s.n_fresh + s.n_queue == 0:
        raise read.error("tickets_left", f"no ticket is left to draw in the step {phase!r}")
    if phase == "pay" and (s.player != observer or not has(s.open[observer], s.route) or d.route[s.route].length > s.trains[observer]):
        raise read.error("claiming", "expected a route that the observer can claim; another's claim is seen with its payment")
    for p in range(d.players):
        n = sum([s.hand[p][t] for t in range(d.types)])
        if n > s.n_hand[p] or (p == observer and n != s.n_hand[p]):
            raise read.error(f"players.{p}.hand", f"{n} cards do not fit a hand of {s.n_hand[p]}")
        n = sum([has(s.held[p], i) for i in range(d.tickets)])
        if n > s.n_tickets[p] or (p == observer and n != s.n_tickets[p]):
            raise read.error(f"players.{p}.tickets", f"{n} tickets do not fit {s.n_tickets[p]} held")
        n = d.start_offered if phase == "choose" or (phase == "deal tickets" and p < s.player) else 0
        if len(read.data["players"][p]["offered"]) != n:
            raise read.error(f"players.{p}.offered", f"expected {n} tickets in the step {phase!r}")
        for i in range(n):
            if (s.first[p][i] == UNKNOWN) != (p != observer):
                raise read.error(f"players.{p}.offered", "expected the own ones, and '?' for the others'")
        n = 0 if phase != "choose" or p >= s.player else 1 if p == observer else 2
        if n != (0 if s.chosen[p] == 0 else 2 if s.chosen[p] == UNKNOWN else 1):
            raise read.error(f"players.{p}.chosen", f"does not fit the step {phase!r}: before player {s.player} all have chosen")
        if n == 1 and bin(s.chosen[p]).count("1") < d.start_keep:
            raise read.error(f"players.{p}.chosen", f"expected at least {d.start_keep}")
        if p != observer:
            for t in range(d.types):
                if s.hand[p][t] != m.hand[p].known[t]:
                    raise read.error(f"players.{p}.hand", "does not fit [memory].hands")
            for i in range(2):
                if s.held[p][i] != m.tickets[observer].held[p][i]:
                    raise read.error(f"players.{p}.tickets", "does not fit [memory].held")
    for i in range(s.n_queue):
        if (s.queue[i] == UNKNOWN) != (m.owner[i] != observer):
            raise read.error("returned", "expected the own ones, and '?' for the others'")
    for i in range(s.n_offer):
        if (s.offer[i] == UNKNOWN) != (s.player != observer and m.offer_owner[i] != observer):
            raise read.error("offer", "does not fit the player on turn: the observer knows his own tickets alone")
    for t in range(d.types):
        n = s.market[t] + s.discard[t] + sum([m.hand[p].known[t] for p in range(d.players)])
        n += sum([m.pile[i][t] for i in range(m.n_piles)])
        for p in range(d.players):
            for j in range(m.hand[p].n_spent):
                n -= m.hand[p].spent[j].n if m.hand[p].spent[j].type == t else 0
        if n != d.count[t]:
            raise read.error("cards", f"{n} cards {read.notation.types[t]} in all, and there are {d.count[t]}")
    n = 0
    for t in range(d.types):
        n = m.hand[observer].known[t] + sum([m.own[observer][i][t] for i in range(m.n_piles)])
        n -= sum([m.hand[observer].spent[j].n for j in range(m.hand[observer].n_spent) if m.hand[observer].spent[j].type == t])
        if n != s.hand[observer][t]:
            raise read.error(f"players.{observer}.hand", f"does not fit [memory]: {n} cards {read.notation.types[t]} there")
    seen = set()
    for i in range(d.tickets):
        n = sum([has(s.held[p], i) for p in range(d.players)])
        n += sum([s.queue[j] == i for j in range(s.n_queue)]) + sum([s.offer[j] == i for j in range(s.n_offer)])
        n += sum([s.first[p][j] == i for p in range(d.players) for j in range(OFFERED if read.data["players"][p]["offered"] else 0)])
        if n > 1:
            raise read.error("tickets", f"{read.notation.tickets[i]} is in {n} places")
    return 0
