"""Lisbon Tram 28's structs as plain data (dicts, lists, texts, ints) and back: for views, position files and records.

Tickets and passengers are letters in the order RYGB, "?" for a ticket that is not known; places and cards are ids of the board file:

    {"player": 0, "to_move": 0, "step": "turn", "on_turn": 0, "actions": 2, "used": ["free_move"], "drew": [0, 1],
     "rounds_without_claim": 0, "claimed_this_round": False, "last_round": False, "stalled": False,
     "stops": {"chiado": "RRY", "rato": "", ...}, "bag": "RRYGBB", "set_aside": "RYG", "ticket_pile": 83, "discard": "RRY",
     "display": ["", "carmo_1", "se_2", "castelo_1"], "next_card": "estrela_1", "face_up": 9, "cards_unseen": ["se_1", ...],
     "players": [{"tram": "rossio", "hand": "RYYGB", "aboard": "RG", "bonuses": ["seats"], "row": ["se_2"], "points": 1, "connections": 0},
                 {"hand": "?????", ...}],
     "turn": {"count": 0, "trail": "", "move": [], "trail_move": [], "purpose": "", "need": "", "pay": "", "swapped": "", "drawn": "",
              "space": 0, "pushed": [], "placed": 0, "line": [], "end": "", "before": "", "landing": ""},
     "memory": {...}}

`player` is the observer, -1 for the whole truth, which also has the pile's tickets under "deck". "face_up" counts the cards lying face up
on the pile, the next one included. "turn" is what is going on inside an action; most of it is empty at the start of one:

count       the set-up's events of this kind so far, or draws still to be made
trail       "step" or "ring": the last thing all saw, where what followed is hidden
move        of a move action [colour, stage, ticket drawn in it]; stage "", "begun" (by the free step) or "paid", then "free" if that is open
purpose     what is being paid: "group", "bonus" or "ring"; while three passengers are drawn for the bell bonus "bell"
need, pay   tickets still to be paid, tickets set aside by swaps; `swapped` is the last of these, as "R<Y"
drawn       passengers out of the bag
pushed      trams of a push from the mover outwards, the first `placed` of them with a new place; `line`: places that it must not enter;
            it ends at `end`, come from `before`; the mover will stand at `landing`

"memory" is what a position file keeps of what the observer remembers (see `memory_to_dict`); without it he is taken to know what lies on
the table and nothing else.
"""
from libc.stdint cimport uint8_t
from libc.string cimport memset

from wattman.engine.games._lisbon_knowledge cimport Info, prepare
from wattman.engine.games._lisbon_memory cimport DREW, LOG, PAID_ONE, PILES, RESHUFFLED, Memory
from wattman.engine.games._lisbon_state cimport (
    AFTER_RING,
    AFTER_STEP,
    BEGUN,
    CARDS,
    COLOURS,
    END_TICKET,
    FOR_BONUS,
    FOR_GROUP,
    HAS_BELL,
    HAS_FREE,
    KEEPING,
    MOVING,
    NEXT_CARD,
    NONE,
    OVER,
    PAID,
    PAYING,
    PLACING,
    PUSH_TICKET,
    REFILL_BAG,
    RING_BAG,
    RUNG,
    SEATS_AT_TABLE,
    SETUP_BAG,
    SETUP_CARD,
    SETUP_TICKET,
    SHUNTING,
    SPACE_CARD,
    SPACES,
    TURN,
    UNKNOWN,
    Data,
    Move,
    State,
    bit,
)

from wattman.engine.games._lisbon_board import BONUSES
from wattman.engine.games._lisbon_board import COLOURS as LETTERS

# Names of the phases, in the order of their numbers.
STEPS = (
    "setup bag", "setup ticket", "setup card", "turn", "moving", "paying", "keep", "shunt", "place",
    "ring", "refill", "next card", "card", "push ticket", "ticket", "over",
)
TRAILS = ("", "step", "ring")
STAGES = ("", "begun", "paid")
PURPOSES = {0: "", FOR_GROUP: "group", FOR_BONUS: "bonus", FOR_GROUP | RUNG: "ring", RUNG: "bell"}
TICKETS = LETTERS + "?"


cdef str letters(const uint8_t* counts):
    return "".join([LETTERS[c] * counts[c] for c in range(COLOURS)])


cdef int read_letters(str text, uint8_t* counts) except -1:
    """Counts the letters RYGB; returns how many there are in all."""
    cdef int c, n = 0
    for c in range(COLOURS):
        counts[c] = text.count(LETTERS[c])
        n += counts[c]
    return n


cdef list row_to_list(const State* s, int player, cards):
    row = []
    card = s.row_left[player]
    while card != NONE and len(row) < CARDS:
        row.append(cards[card].id)
        card = s.right_of[card]
    return row


cdef list move_to_list(const Move* move, bint on):
    if not on:
        return []
    colour = TICKETS[move.colour]
    late = "" if move.late == 0 else TICKETS[move.late - 1]
    return [colour, STAGES[move.stage], late] + (["free"] if move.free_open else [])


cdef dict table_to_dict(const Data* d, const State* s, int player, board):
    """What lies on the table and in hands, as `s` has it."""
    cdef int p, i
    places, cards = board.places, board.cards
    # A reshuffle comes with the draw for which it is due. The whole truth shows it; an observer's data keep what the discard held.
    cdef bint due = player < 0 and s.n_deck == 0 and s.n_discard and (s.phase == SETUP_TICKET or s.phase == PUSH_TICKET or s.phase == END_TICKET)
    on_move = s.phase == MOVING or s.move.stage or (s.phase == PUSH_TICKET and s.move.stage)

    def named(place):
        return places[place].id if place < len(places) else ""

    pushing = s.phase == SHUNTING or s.phase == PUSH_TICKET
    data = {
        "player": player,
        "to_move": mover(d, s),
        "step": STEPS[s.phase],
        "on_turn": s.player,
        "actions": s.actions,
        "used": [BONUSES[i] for i in range(4) if s.used >> i & 1],
        "drew": [p for p in range(d.players) if s.drew >> p & 1],
        "rounds_without_claim": s.idle,
        "claimed_this_round": bool(s.claimed),
        "last_round": bool(s.last_round),
        "stalled": bool(s.stalled),
        "stops": {places[d.stop_place[i]].id: letters(s.waiting[i]) for i in range(d.stops)},
        "bag": letters(s.bag),
        "set_aside": letters(s.gone),
        "ticket_pile": s.n_discard if due else s.n_deck,
        "discard": "" if due else letters(s.discard),
        "display": ["" if s.display[i] == NONE else cards[s.display[i]].id for i in range(len(board.refill_symbols))],
        "next_card": "" if s.next_card == NONE else cards[s.next_card].id,
        "face_up": s.face_up,
        "cards_unseen": [cards[i].id for i in range(d.cards) if s.pile >> i & 1],
        "players": [
            {
                "tram": named(s.at[p]),
                "hand": letters(s.hand[p]) + "?" * (s.n_hand[p] - s.hand[p][0] - s.hand[p][1] - s.hand[p][2] - s.hand[p][3]),
                "aboard": letters(s.aboard[p]),
                "bonuses": [BONUSES[i] for i in range(4) if s.bonuses[p] >> i & 1],
                "row": row_to_list(s, p, cards),
                "points": s.vp[p],
                "connections": s.links[p],
            }
            for p in range(d.players)
        ],
        "turn": {
            "count": s.count,
            "trail": TRAILS[s.trail],
            "move": move_to_list(&s.move, on_move),
            "trail_move": move_to_list(&s.trail_move, s.trail == AFTER_STEP),
            "purpose": PURPOSES[s.purpose],
            "need": letters(s.need),
            "pay": letters(s.pay),
            "swapped": f"{LETTERS[s.swapped >> 2]}<{LETTERS[s.swapped & 3]}" if s.swapped else "",
            "drawn": letters(s.drawn),
            "space": s.space,
            "pushed": [s.pushed[i] for i in range(s.n_pushed)],
            "placed": s.placed,
            "line": [places[i].id for i in range(d.places) if s.line >> i & 1],
            "end": named(s.node) if pushing else "",
            "before": named(s.before) if pushing else "",
            "landing": named(s.landing) if pushing else "",
        },
    }
    if player < 0:
        data["deck"] = letters(&s.discard[0] if due else &s.deck[0])
    return data


cdef int mover(const Data* d, const State* s):
    if TURN <= s.phase <= KEEPING:
        return s.player
    if s.phase == SHUNTING:
        return s.pushed[s.placed]
    if s.phase == PLACING:
        return (s.player + d.players - 1) % d.players
    return -4 if s.phase == OVER else -1


# --- memory ---

cdef dict memory_to_dict(const State* s, const Memory* m):
    """What an observer remembers, as texts and lists that a position file can hold.

    `reshuffles` of the tickets, `refills` of the bag; `log`: since the first reshuffle that counts, "1+" player 1 drew a ticket, "1R" he paid
    one, "/" the discard became the pile again; `held`: how many tickets each player had when the log began, `hand`: which the observer had;
    `piles`: what was in the piles of the log, `drawn`: what the observer drew from each; `rang`: for each player who rang and of whom it is
    not known since what he holds: [player, the group he could pay, tickets paid since, number of tickets drawn since].
    """
    cdef int i, p, observer = s.observer - 1
    log = []
    for i in range(m.n_log):
        entry = m.log[i]
        log.append("/" if entry == RESHUFFLED else f"{entry - DREW}+" if entry < PAID_ONE else f"{(entry - PAID_ONE) >> 2}{LETTERS[entry & 3]}")
    return {
        "reshuffles": m.reshuffles,
        "refills": m.refills,
        "held": [m.n_held[p] for p in range(SEATS_AT_TABLE)] if m.n_piles else [],
        "hand": letters(m.recall[observer].held),
        "piles": [letters(m.piles[i]) for i in range(m.n_piles)],
        "drawn": [letters(m.recall[observer].drawn[i]) for i in range(m.n_piles)],
        "log": log,
        "rang": [[p, letters(m.group[p]), letters(m.since[p]), m.fresh[p]] for p in range(SEATS_AT_TABLE) if m.rang[p]],
    }


cdef object read_memory(const Data* d, dict data, const State* s, Memory* m):
    """Fills `m` from `memory_to_dict`'s layout; ValueError naming the key."""
    cdef int i, p, observer = s.observer - 1
    known = ("reshuffles", "refills", "held", "hand", "piles", "drawn", "log", "rang")
    for key in data:
        if key not in known:
            raise ValueError(f"[memory].{key}: unknown key; allowed: {', '.join(known)}")

    def number(key, value, high):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= high:
            raise ValueError(f"[memory].{key}: {value!r} is no number from 0 to {high}")
        return value

    def tickets(key, value):
        if not isinstance(value, str) or set(value) - set(LETTERS) or any(value.count(c) > d.tickets_each for c in LETTERS):
            raise ValueError(f"[memory].{key}: {value!r} are no tickets, as letters of {LETTERS}")
        return value

    def several(key, length):
        value = data.get(key, [])
        if not isinstance(value, list) or len(value) > length:
            raise ValueError(f"[memory].{key}: expected a list of at most {length} entries")
        return value

    m.reshuffles = number("reshuffles", data.get("reshuffles", 0), 65535)
    m.refills = number("refills", data.get("refills", 0), 65535)
    piles, drawn, held = several("piles", PILES), several("drawn", PILES), several("held", SEATS_AT_TABLE)
    if len(drawn) != len(piles):
        raise ValueError("[memory].drawn: expected as many entries as in piles")
    if (len(held) == SEATS_AT_TABLE) != (len(piles) > 0):
        raise ValueError(f"[memory].held: expected {SEATS_AT_TABLE} numbers where there are piles, else none")
    m.n_piles = len(piles)
    for i in range(m.n_piles):
        read_letters(tickets("piles", piles[i]), m.piles[i])
        read_letters(tickets("drawn", drawn[i]), m.recall[observer].drawn[i])
    for p in range(len(held)):
        m.n_held[p] = number("held", held[p], COLOURS * d.tickets_each)
    read_letters(tickets("hand", data.get("hand", "")), m.recall[observer].held)
    log = several("log", LOG)
    if log and not piles:
        raise ValueError("[memory].log: expected none without piles")
    for i, entry in enumerate(log):
        if entry == "/":
            m.log[i] = RESHUFFLED
        elif isinstance(entry, str) and len(entry) == 2 and entry[0] in "0123"[: d.players] and entry[1] in LETTERS + "+":
            p = int(entry[0])
            m.log[i] = DREW + p if entry[1] == "+" else PAID_ONE + 4 * p + LETTERS.index(entry[1])
        else:
            raise ValueError(f'[memory].log: {entry!r} is not allowed; expected "/", "1+" (a ticket drawn) or "1R" (a ticket paid)')
    m.n_log = len(log)
    if log.count("/") + 1 > max(m.n_piles, 1):
        raise ValueError("[memory].log: more reshuffles than piles")
    for entry in several("rang", SEATS_AT_TABLE):
        if not isinstance(entry, list) or len(entry) != 4:
            raise ValueError("[memory].rang: expected entries like [1, \"RRY\", \"\", 0]")
        p = number("rang", entry[0], d.players - 1)
        m.rang[p] = 1
        read_letters(tickets("rang", entry[1]), m.group[p])
        read_letters(tickets("rang", entry[2]), m.since[p])
        m.fresh[p] = number("rang", entry[3], s.n_hand[p])


# --- positions ---

cdef object read_move(list entry, Move* move):
    move.colour = TICKETS.index(entry[0])
    move.stage = STAGES.index(entry[1])
    move.late = 1 + TICKETS.index(entry[2]) if entry[2] else 0
    move.free_open = len(entry) > 3


cdef object dict_to_info(const Data* d, dict data, Info* k, board):
    """Fills an Info (zeroed) from plain data that a position file's reader has checked; ValueError if the parts do not fit together."""
    cdef State* s = &k.state
    cdef int p, i, known
    cdef uint8_t counts[COLOURS]
    place, card = board.place_numbers, board.card_numbers
    turn = data["turn"]
    s.observer = 1 + data["player"]
    s.phase = STEPS.index(data["step"])
    s.player = data["on_turn"]
    s.actions = data["actions"]
    for name in data["used"]:
        s.used |= 1 << BONUSES.index(name)
    for p in data["drew"]:
        s.drew |= 1 << p
    s.idle, s.claimed, s.last_round, s.stalled = data["rounds_without_claim"], data["claimed_this_round"], data["last_round"], data["stalled"]
    s.open = d.always_open
    for i in range(d.stops):
        if read_letters(data["stops"][board.places[d.stop_place[i]].id], s.waiting[i]):
            s.open |= bit(d.stop_place[i])
    read_letters(data["bag"], s.bag)
    read_letters(data["set_aside"], s.gone)
    s.n_deck = data["ticket_pile"]
    s.n_discard = read_letters(data["discard"], s.discard)
    memset(s.display, NONE, SPACES)
    memset(s.row_left, NONE, SEATS_AT_TABLE)
    memset(s.row_right, NONE, SEATS_AT_TABLE)
    memset(s.right_of, NONE, CARDS)
    for i, name in enumerate(data["display"]):
        s.display[i] = card[name] if name else NONE
    s.next_card = card[data["next_card"]] if data["next_card"] else NONE
    s.face_up = data["face_up"]
    for name in data["cards_unseen"]:
        s.pile |= 1 << card[name]
    for p in range(d.players):
        player = data["players"][p]
        s.at[p] = place[player["tram"]]
        s.n_hand[p] = len(player["hand"])
        known = read_letters(player["hand"], counts)
        if known and p != data["player"]:
            raise ValueError(f"player {p}: what another player holds cannot be known here")
        if p == data["player"]:
            if known < s.n_hand[p]:
                raise ValueError(f"player {p}: the observer knows his own hand; expected tickets as letters of {LETTERS}")
            for i in range(COLOURS):
                s.hand[p][i] = counts[i]
        read_letters(player["aboard"], s.aboard[p])
        for name in player["bonuses"]:
            s.bonuses[p] |= 1 << BONUSES.index(name)
        before = None
        for name in player["row"]:
            i = card[name]
            s.vp[p] += d.card_vp[i]
            if before is None:
                s.row_left[p] = i
            else:
                s.right_of[before] = i
                s.links[p] += (d.right[before] & d.left[i]).bit_count()
            s.row_right[p] = before = i
            s.n_row[p] += 1
    s.count, s.space, s.placed = turn["count"], turn["space"], turn["placed"]
    s.trail = TRAILS.index(turn["trail"])
    if turn["move"]:
        read_move(turn["move"], &s.move)
    if turn["trail_move"]:
        read_move(turn["trail_move"], &s.trail_move)
    s.purpose = {text: number for number, text in PURPOSES.items()}[turn["purpose"]]
    read_letters(turn["need"], s.need)
    read_letters(turn["pay"], s.pay)
    if turn["swapped"]:
        s.swapped = 4 * LETTERS.index(turn["swapped"][0]) + LETTERS.index(turn["swapped"][2])
    read_letters(turn["drawn"], s.drawn)
    for i, p in enumerate(turn["pushed"]):
        s.pushed[i] = p
    s.n_pushed = len(turn["pushed"])
    for name in turn["line"]:
        s.line |= bit(place[name])
    if turn["landing"]:
        s.node, s.before, s.landing = place[turn["end"]], place[turn["before"]], place[turn["landing"]]
    if data.get("memory"):
        read_memory(d, data["memory"], s, &k.memory)
    prepare(d, k)
    if k.impossible:
        total = COLOURS * d.tickets_each
        raise ValueError(f"the tickets do not fit together: hands, pile and discard must be {total} in all, {d.tickets_each} of each colour")
