"""Trambahn's structs as plain data (dicts, lists, texts, ints) and back: for views, position files and records.

The layout (cards as in the notation, "?" where unknown; players by seat):

    {"player": 0, "to_move": 0, "step": "passengers", "scorings": 4, "draw_pile": 36, "reshuffles": 0,
     "turn": {"boarded": 0, "column": 0, "opened": "", "banked": "", "bought": -1, "dealt": 39},
     "rows": {"B": ["B2", "C"], "R": [], "G": [], "Y": []}, "supply": [2, 2, 3], "stack": [0, 3, 7], "discard": ["B2", "?"],
     "players": [{"hand": [...], "money": [bottom, ..., top], "columns": [{"colour": "B", "cards": ["B3", "C"], "tram": 2}],
                  "regular": 20, "extra": 8}, {...}],
     "memory": {...}}

`player` is the observer, -1 for the whole truth, which also lists the draw pile under "deck". "memory" is what a position file keeps of
what the observer remembers (see `memory_to_dict`); without it he is taken to know what lies on the table and nothing else.
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from wattman.engine.games._trambahn_knowledge cimport Info, prepare
from wattman.engine.games._trambahn_memory cimport EPOCHS, INCOME_STEPS, LOG, OTHER_BANK, OTHER_DRAW, OWN_DRAW, Memory, Recall, hidden_in_hand
from wattman.engine.games._trambahn_state cimport (
    CARDS,
    COLOURS,
    CONDUCTOR,
    DEALING,
    DECK,
    DRAWING,
    HAND,
    INCOME,
    OVER,
    PLAYERS,
    PURCHASE,
    STATIONS,
    TRAMS,
    UNKNOWN,
    Column,
    State,
)

from wattman.engine.games._trambahn_text import CARDS as NAMES
from wattman.engine.games._trambahn_text import COLOURS as LETTERS
from wattman.engine.games._trambahn_text import COPIES, ORDER, POINTS, START_MONEY, STEPS


cdef enum:
    MAX_STEPS = 100     # income steps that a position file may count; a game adds at most 49


cdef str name(int card):
    return "?" if card == UNKNOWN else NAMES[card]


cdef int number(str text) except -1:
    return UNKNOWN if text == "?" else ORDER[text]


cdef list cards_of(const uint8_t* cards, int n):
    return [name(cards[i]) for i in range(n)]


cdef dict column_to_dict(const Column* column):
    cards = []
    conductors = [column.conductors >> (4 * i) & 15 for i in range(column.n_conductors)]
    stations = 0
    for value in range(1, 11):
        if column.values >> value & 1:
            cards += ["C"] * conductors.count(stations)
            cards.append(f"{LETTERS[column.colour]}{value}")
            stations += 1
    cards += ["C"] * conductors.count(stations)
    return {"colour": LETTERS[column.colour], "cards": cards, "tram": column.tram}


cdef dict table_to_dict(const State* s, int player, int reshuffles):
    """What lies on the table and in hands, as `s` has it."""
    opened = ""
    if s.opened:
        colour, place = divmod(s.opened - 1, 11)
        opened = "C" + LETTERS[colour] if place == 10 else f"{LETTERS[colour]}{place + 1}"
    banked = ""
    if s.banked:
        banked = "?" if player >= 0 and player != s.player else NAMES[s.banked - 1]
    data = {
        "player": player,
        "to_move": -1 if s.phase == DEALING or s.phase == DRAWING else -4 if s.phase == OVER else s.player,
        "step": STEPS[s.phase],
        "on_turn": s.player,
        "scorings": s.scorings,
        "draw_pile": s.n_deck,
        "reshuffles": reshuffles,
        "turn": {
            "boarded": s.boarded,
            "column": s.column if s.phase != PURCHASE else 0,
            "opened": opened,
            "banked": banked,
            "bought": s.column - 1 if s.phase == PURCHASE else -1,
            "dealt": s.dealt,
        },
        "rows": {LETTERS[i]: cards_of(s.row[i], s.n_row[i]) for i in range(COLOURS)},
        "supply": [tram + 2 for tram in range(TRAMS) for _ in range(s.supply[tram])],
        "stack": [s.stack[tram] for tram in range(TRAMS)],
        "discard": cards_of(s.discard, s.n_discard),
        "players": [
            {
                "hand": cards_of(s.hand[p], s.n_hand[p]),
                "money": cards_of(s.pile[p], s.n_pile[p]),
                "columns": [column_to_dict(&s.columns[p][i]) for i in range(s.n_columns[p])],
                "regular": s.regular[p],
                "extra": s.extra[p],
            }
            for p in range(PLAYERS)
        ],
    }
    if player < 0:
        data["deck"] = sorted(cards_of(s.deck, s.n_deck), key=ORDER.get)
    return data


# --- memory ---

cdef dict memory_to_dict(const State* s, const Memory* m):
    """What an observer remembers, as lists that a position file can hold.

    `tags` beside each money card and discard: bits 0-1 who knows it, bits 2-3 its epoch; `steps`: the income step it came from; `lost`: by
    income step, cards that went into a draw pile while lower ones stayed; `recycled`: cards known to have gone into the draw pile, by
    epoch; `mixed`: unknown ones, by their epoch; `log`: what happened since the last reshuffle: "+B7" own draw, "+" the other's, "B7"
    shown by the other, "$" money of his.
    """
    cdef const Recall* recall = &m.recall[m.observer - 1]
    log = []
    for i in range(recall.n_log):
        entry = recall.log[i]
        log.append("+" if entry == OTHER_DRAW else "$" if entry == OTHER_BANK else "+" + NAMES[entry - OWN_DRAW] if entry >= OWN_DRAW else NAMES[entry])
    return {
        "epoch": m.epoch,
        "steps": m.groups,
        "turn": [m.turn_banked, m.turn_column, m.turn_opened, m.turn_bought],
        "money_tags": [[m.tag[p][i] for i in range(s.n_pile[p])] for p in range(PLAYERS)],
        "money_steps": [[m.group[p][i] for i in range(s.n_pile[p])] for p in range(PLAYERS)],
        "discard_tags": [m.discard_tag[i] for i in range(s.n_discard)],
        "discard_steps": [m.discard_group[i] for i in range(s.n_discard)],
        "lost": [m.lost[i] for i in range(1, m.groups + 1)] if any(m.lost[i] for i in range(INCOME_STEPS)) else [],
        "recycled": [[NAMES[card] for card in range(CARDS) for _ in range(recall.recycled[e][card])] for e in range(EPOCHS)],
        "mixed": [recall.mixed[e] for e in range(EPOCHS)],
        "hand": recall.hand,
        "log": log,
    }


cdef class Reader:
    """Reads a memory table, refusing what does not fit."""

    cdef dict data

    def __init__(self, data):
        self.data = data

    def number(self, value, int high, str key):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= high:
            raise ValueError(f"[memory].{key}: {value!r} is no number from 0 to {high}")
        return value

    def one(self, str key, int high):
        return self.number(self.data.get(key, 0), high, key)

    def numbers(self, value, int length, int high, str key):
        if not isinstance(value, list) or len(value) != length:
            raise ValueError(f"[memory].{key}: expected a list of {length} numbers")
        return [self.number(item, high, key) for item in value]

    def pair(self, str key, lengths, int high):
        value = self.data.get(key)
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(f"[memory].{key}: expected two lists, one for each player")
        return [self.numbers(value[p], lengths[p], high, key) for p in range(2)]

    def texts(self, value, str key, allowed):
        if not isinstance(value, list):
            raise ValueError(f"[memory].{key}: expected a list")
        for item in value:
            if not isinstance(item, str) or not allowed(item):
                raise ValueError(f"[memory].{key}: {item!r} is not allowed here")
        return value


cdef object read_memory(dict data, const State* s, Memory* m):
    """Fills `m` from `memory_to_dict`'s layout."""
    cdef Recall* recall = &m.recall[m.observer - 1]
    read = Reader(data)
    known = ("epoch", "steps", "turn", "money_tags", "money_steps", "discard_tags", "discard_steps", "lost", "recycled", "mixed", "hand", "log")
    for key in data:
        if key not in known:
            raise ValueError(f"[memory].{key}: unknown key; allowed: {', '.join(known)}")
    m.epoch = read.one("epoch", min(<int>m.reshuffles, EPOCHS - 1))
    m.groups = read.one("steps", MAX_STEPS)
    turn = read.numbers(data.get("turn", [0, 0, 0, 0]), 4, 255, "turn")
    m.turn_banked, m.turn_column, m.turn_opened, m.turn_bought = turn
    if m.turn_column > s.n_columns[s.player] or m.turn_opened > 44:
        raise ValueError("[memory].turn: does not fit the columns")
    if s.player != m.observer - 1 and s.n_hand[s.player] and s.phase in (STATIONS, INCOME, PURCHASE):
        seen = (m.turn_banked > 0, m.turn_column, m.turn_opened) if m.turn_bought == 0 else ()
        if seen != ((s.phase == INCOME, s.column, s.opened) if s.phase != PURCHASE else ()):
            raise ValueError("[memory].turn: does not fit the step of the other player's turn")
    piles = [s.n_pile[p] for p in range(PLAYERS)]
    tags, steps = read.pair("money_tags", piles, 15), read.pair("money_steps", piles, m.groups)
    for p in range(PLAYERS):
        for i in range(s.n_pile[p]):
            m.tag[p][i], m.group[p][i] = tags[p][i], steps[p][i]
    tags = read.numbers(data.get("discard_tags"), s.n_discard, 15, "discard_tags")
    steps = read.numbers(data.get("discard_steps"), s.n_discard, m.groups, "discard_steps")
    for i in range(s.n_discard):
        m.discard_tag[i], m.discard_group[i] = tags[i], steps[i]
    observer = m.observer - 1
    hidden = [(s.pile[p][i], m.tag[p][i]) for p in range(PLAYERS) for i in range(s.n_pile[p])]
    hidden += [(s.discard[i], m.discard_tag[i]) for i in range(s.n_discard)]
    if any((card == UNKNOWN) == (tag >> observer & 1) for card, tag in hidden):
        raise ValueError("[memory]: money_tags or discard_tags do not fit the cards that are known")
    lost = data.get("lost", [])
    for i, count in enumerate(read.numbers(lost, m.groups if lost else 0, HAND, "lost")):
        m.lost[i + 1] = count
    recycled = data.get("recycled")
    if not isinstance(recycled, list) or len(recycled) != EPOCHS:
        raise ValueError(f"[memory].recycled: expected {EPOCHS} lists of cards")
    for e in range(EPOCHS):
        for text in read.texts(recycled[e], "recycled", ORDER.__contains__):
            if recall.recycled[e][ORDER[text]] >= COPIES[text]:
                raise ValueError(f"[memory].recycled: more cards {text} than there are")
            recall.recycled[e][ORDER[text]] += 1
    mixed = read.numbers(data.get("mixed"), EPOCHS, DECK, "mixed")
    if sum(mixed) > DECK:
        raise ValueError(f"[memory].mixed: more than {DECK} cards")
    for e in range(EPOCHS):
        recall.mixed[e] = mixed[e]
    recall.hand = read.one("hand", 6)
    log = read.texts(data.get("log"), "log", lambda text: text in ("+", "$") or text.removeprefix("+") in ORDER)
    if len(log) > LOG:
        raise ValueError(f"[memory].log: longer than {LOG} entries")
    hand = recall.hand
    for text in log:
        hand += (text == "+") - (text[0] != "+")
        if not 0 <= hand <= 6:
            raise ValueError("[memory].log: the other player's hand would not hold 0 to 6 cards")
        recall.log[recall.n_log] = OTHER_DRAW if text == "+" else OTHER_BANK if text == "$" else ORDER[text.removeprefix("+")]
        if len(text) > 1 and text[0] == "+":
            recall.log[recall.n_log] += OWN_DRAW
        recall.n_log += 1


cdef void assume_memory(const State* s, Memory* m):
    """What an observer remembers who knows what lies there and nothing else."""
    cdef int observer = m.observer - 1, p, i
    m.epoch = min(<int>m.reshuffles, EPOCHS - 1)
    for p in range(PLAYERS):
        for i in range(s.n_pile[p]):
            # The start money lies at the bottom, and nobody saw it; a card above is known to its owner at least.
            m.tag[p][i] = (0 if i < START_MONEY[p] or p == observer else 1 << p) if s.pile[p][i] == UNKNOWN else 3 if p != observer else 1 << p
            m.tag[p][i] |= m.epoch << 2
    for i in range(s.n_discard):
        m.discard_tag[i] = (0 if s.discard[i] == UNKNOWN else 3) | m.epoch << 2
    m.recall[observer].hand = hidden_in_hand(s, m, 1 - observer)
    m.recall[observer].mixed[max(<int>m.epoch - 1, 0)] = s.n_deck if m.epoch else 0
    m.turn_banked = s.banked > 0
    m.turn_column = s.column if s.phase == STATIONS or s.phase == INCOME else 0
    m.turn_opened = s.opened
    m.turn_bought = s.phase == PURCHASE and s.column > 0


cdef object dict_to_info(dict data, Info* k):
    """Fills an Info (zeroed) from plain data that a position file's reader has checked; ValueError if the parts do not fit together."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef Column* column
    turn = data["turn"]
    m.observer = 1 + data["player"]
    m.reshuffles = min(data["reshuffles"], 255)
    s.phase = STEPS.index(data["step"])
    s.player = data["on_turn"] if "on_turn" in data else data["to_move"] if data["to_move"] >= 0 else 0
    s.scorings = data["scorings"]
    s.boarded, s.dealt = turn["boarded"], turn["dealt"]
    s.column = turn["bought"] + 1 if s.phase == PURCHASE else turn["column"]
    if turn["opened"]:
        text = turn["opened"]
        s.opened = 1 + (LETTERS.index(text[1]) * 11 + 10 if text[0] == "C" else LETTERS.index(text[0]) * 11 + int(text[1:]) - 1)
    if turn["banked"]:
        s.banked = 1 if turn["banked"] == "?" else 1 + ORDER[turn["banked"]]
    for i, letter in enumerate(LETTERS):
        for card in data["rows"][letter]:
            s.row[i][s.n_row[i]] = number(card)
            s.n_row[i] += 1
    for tram in data["supply"]:
        s.supply[tram - 2] += 1
    for tram in range(TRAMS):
        s.stack[tram] = data["stack"][tram]
    if len(data["discard"]) > DECK or not 0 <= data["draw_pile"] <= DECK:
        raise ValueError(f"there are only {DECK} cards")
    for card in data["discard"]:
        s.discard[s.n_discard] = number(card)
        s.n_discard += 1
    s.n_deck = data["draw_pile"]
    for p in range(PLAYERS):
        player = data["players"][p]
        if len(player["money"]) > DECK:
            raise ValueError(f"there are only {DECK} cards")
        for i, card in enumerate(sorted(number(card) for card in player["hand"])):
            s.hand[p][i] = card
            s.n_hand[p] += 1
        for card in player["money"]:
            s.pile[p][s.n_pile[p]] = number(card)
            s.n_pile[p] += 1
        for entry in player["columns"]:
            column = &s.columns[p][s.n_columns[p]]
            s.n_columns[p] += 1
            column.colour, column.tram = LETTERS.index(entry["colour"]), entry["tram"]
            for card in entry["cards"]:
                if card == "C":
                    column.conductors |= <uint32_t>(column.count - column.n_conductors) << (4 * column.n_conductors)
                    column.n_conductors += 1
                else:
                    column.top = int(card[1:])
                    column.values |= 1 << column.top
                    column.points += POINTS[card]
                column.count += 1
        s.regular[p], s.extra[p] = player["regular"], player["extra"]
    if data.get("memory"):
        read_memory(data["memory"], s, m)
    else:
        assume_memory(s, m)
    prepare(k)
    if k.impossible:
        raise ValueError("the cards do not fit together: hands, piles, rows, columns and what is remembered leave no possible deal")
