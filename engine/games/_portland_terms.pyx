"""What an action of Portland is like, for a network's policy: 25,000 ids, nearly all of them ways to keep tickets, as some 170 terms.

Layout 1, as the observation's: T types, R routes, N tickets.

| terms | what |
| --- | --- |
| T | take a card of this type |
| 2 | take a card: cards of the type in the own hand / 5; one |
| 3 | draw, tickets, skip |
| R | claim this route |
| 9 | claim a route: one; length / 6; points / 15; gray; passes needed / 3; ends at own routes / 2; joins two own parts; ends at others' routes / 2; own open tickets that begin or end there / 2 |
| T | pay with this type |
| 1 | passes paid / 3 |
| N | keep this ticket |
| 4 | how many are kept: 1, 2, 3; their points / 30 |
"""
from libc.stdint cimport int32_t, uint8_t

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_rules cimport kept_tickets
from wattman.engine.games._portland_state cimport OFFERED, STATIONS, Data, Route, State, has
from wattman.engine.games._portland_trail cimport connect
from wattman.engine.terms cimport Terms, add

cdef enum:
    TAKING = 2      # terms of a kind besides the named thing
    CLAIMING = 9
    KEEPING = 4


cdef int terms_size(const Data* d) noexcept:
    return d.types + TAKING + 3 + d.routes + CLAIMING + d.types + 1 + d.tickets + KEEPING


cdef bint touches(const Data* d, const State* s, int player, int station) noexcept nogil:
    """Whether a route of the player ends at a station."""
    cdef int i
    for i in range(d.ways[station]):
        if has(s.owned[player], d.way[station][i]):
            return True
    return False


cdef void claim_terms(const Data* d, const State* s, int route, int base, Terms* out) noexcept nogil:
    cdef const Route* r = &d.route[route]
    cdef const uint8_t* hand = s.hand[s.player]
    cdef uint8_t part[STATIONS]
    cdef int i, k, most = 0, own = 0, others = 0, open = 0, station
    for i in range(d.wild):
        if r.type == i or r.type == d.wild:
            most = max(most, <int>hand[i])
    for k in range(2):
        station = r.b if k else r.a
        own += touches(d, s, s.player, station)
        for i in range(d.players):
            if i != s.player and touches(d, s, i, station):
                others += 1
                break
    connect(d, s.owned[s.player], part)
    for i in range(d.tickets):
        if has(s.held[s.player], i) and part[d.ticket_at[i].a] != part[d.ticket_at[i].b]:
            for k in range(2):
                station = d.ticket_at[i].b if k else d.ticket_at[i].a
                open += station == r.a or station == r.b
    add(out, base, 1)
    add(out, base + 1, r.length / <float>6)
    add(out, base + 2, r.points / <float>15)
    add(out, base + 3, r.type == d.wild)
    add(out, base + 4, max(0, r.length - most) / <float>3)
    add(out, base + 5, own / <float>2)
    add(out, base + 6, own == 2 and part[r.a] != part[r.b])
    add(out, base + 7, others / <float>2)
    add(out, base + 8, open / <float>2)


cdef int action_terms(const GameC* game, const void* state, int32_t id, int32_t* terms, float* factors) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef uint8_t tickets[OFFERED]
    cdef int i, n, points = 0, base = d.types + TAKING
    cdef Terms out
    out.n, out.ids, out.factors = 0, terms, factors
    if id < d.draw:
        add(&out, id, 1)
        add(&out, d.types, s.hand[s.player][id] / <float>5)
        add(&out, d.types + 1, 1)
        return out.n
    if id < d.claim:
        add(&out, base + id - d.draw, 1)
        return out.n
    base += 3
    if id < d.pay:
        add(&out, base + id - d.claim, 1)
        claim_terms(d, s, id - d.claim, base + d.routes, &out)
        return out.n
    base += d.routes + CLAIMING
    if id < d.keep_one:
        if id == d.pay_pass:
            add(&out, base + d.wild, 1)
        else:
            add(&out, base + (id - d.pay) // d.longest, 1)
            add(&out, base + d.types, (id - d.pay) % d.longest / <float>3)
        return out.n
    base += d.types + 1
    n = kept_tickets(d, id, tickets)
    for i in range(n):
        add(&out, base + tickets[i], 1)
        points += d.ticket_at[tickets[i]].points
    add(&out, base + d.tickets + n - 1, 1)
    add(&out, base + d.tickets + 3, points / <float>30)
    return out.n


def term_names(notation) -> list[str]:
    """What each of these terms is, see `Game.term_names`. `notation`: a `_portland_text.Notation`."""
    types, routes, tickets = notation.types, notation.routes, notation.tickets
    claiming = (
        "one", "length", "points", "gray", "passes needed", "ends at own routes", "joins two own parts", "ends at others' routes",
        "own open tickets",
    )
    return [
        *(f"take {kind}" for kind in types), "take: cards of the type in the hand", "take: one",
        "draw", "tickets", "skip",
        *(f"claim {route}" for route in routes), *(f"claim: {what}" for what in claiming),
        *(f"pay {kind}" for kind in types), "pay: passes",
        *(f"keep {ticket}" for ticket in tickets), "keep: one ticket", "keep: two tickets", "keep: three tickets", "keep: points",
    ]
