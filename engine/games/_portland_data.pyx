"""The loaded board as C data, and the most that a game on it can need."""
from libc.stdint cimport int32_t
from libc.string cimport memset

from wattman.engine.games._portland_state cimport LENGTHS, NONE, RESETS, Data, put


cdef int set_data(Data* d, board, notation, int players, bint free) except -1:
    """Fills `d` from a checked board (see _portland_board.py) and the ids of its events (see _portland_text.py)."""
    cdef int i, length
    memset(d, 0, sizeof(Data))
    d.players = players
    d.stations, d.routes, d.tickets = len(board.stations), len(board.routes), len(board.tickets)
    d.types, d.wild = len(board.types), board.wild
    d.trains, d.last_round, d.longest_path = board.trains[players], board.last_round, board.longest_path
    d.hand, d.face_up, d.pass_limit = board.hand, board.face_up, board.pass_limit
    d.start_offered, d.start_keep = board.start_tickets.offered, board.start_tickets.keep
    d.more_offered, d.more_keep = board.more_tickets.offered, board.more_tickets.keep
    d.single = players <= board.one_of_a_double
    d.free = free
    d.longest = notation.longest
    first = notation.first
    d.draw, d.offer, d.skip, d.claim, d.pay, d.pay_pass = (first[n] for n in ("draw", "tickets", "skip", "claim", "pay", "pay_pass"))
    d.keep_one, d.keep_two, d.keep_three = first["keep_one"], first["keep_two"], first["keep_three"]
    d.card, d.ticket = first["card"], first["ticket"]
    d.card_unseen, d.ticket_unseen, d.keep_unseen = first["card_unseen"], first["ticket_unseen"], first["keep_unseen"]
    d.kept, d.first_kept, d.last_kept, d.claimed = first["kept"], first["first_kept"], first["last_kept"], first["claimed"]
    d.told = notation.told
    d.digits = len(notation.counts)
    mean = sum(kind.count for kind in board.types[:-1]) / (d.types - 1)
    for i, kind in enumerate(board.types):
        d.count[i] = kind.count
        # Two useful cards a turn at best. Rare ones have to be waited for, though other cards come meanwhile.
        d.toil[i] = 0.54 if i == d.wild else 0.54 * (1 + min(2.0, 0.4 * max(0.0, mean / max(1, kind.count) - 1)))
    for i, ticket in enumerate(board.tickets):
        d.ticket_at[i].a, d.ticket_at[i].b, d.ticket_at[i].points = ticket.a, ticket.b, ticket.points
    for i, (_, number) in enumerate(sorted([(-ticket.points, number) for number, ticket in enumerate(board.tickets)])):
        d.by_points[i] = number
    for i, route in enumerate(board.routes):
        d.claimed_from[i] = notation.claimed_from[i]
        d.route[i].a, d.route[i].b, d.route[i].length = route.a, route.b, route.length
        d.route[i].type = d.wild if route.type < 0 else route.type
        d.route[i].points = board.points(i)
        d.route[i].other = NONE if route.other < 0 else route.other
        for end in (route.a, route.b):
            d.way[end][d.ways[end]] = i
            d.ways[end] += 1
        for length in range(route.length, LENGTHS):
            put(d.of_type[d.route[i].type][length], i)
            put(d.short[length], i)
    return 0


cdef int most_legal(const Data* d) noexcept:
    return max(d.types + 2 + d.routes, (d.types - 1) * d.longest + 1, 7)


cdef int most_events(const Data* d) noexcept:
    """A bound on the events of a game.

    A hand draw needs a card, and a card comes back only by paying with it: at most all cards and all trains once. Every turn but a skip draws
    a card, claims a route or keeps a ticket, and n skips in a row end the game.
    """
    cdef int cards = 0, turns, i
    for i in range(d.types):
        cards += d.count[i]
    turns = cards + d.players * d.trains + min(d.routes, d.players * d.trains) + d.tickets
    # A turn: at most six events, its market filled and reset; between two of them the others skip.
    return turns * (6 + (RESETS + 1) * d.face_up + d.players) + 10 * (cards + d.tickets)
