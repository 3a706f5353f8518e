"""Trambahn's rules, told in trambahn.pyx, as functions of the contract (`wattman/engine/abi.pxd`); the turn's course is in
_trambahn_course.pxd.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, NOTHING, TERMINAL, GameC, Stream
from wattman.engine.games._trambahn_course cimport *
from wattman.engine.games._trambahn_memory cimport (
    Memory,
    remember_bought,
    remember_built,
    remember_drawn,
    remember_income,
    remember_shown,
)
from wattman.engine.games._trambahn_state cimport *
from wattman.engine.rng cimport Rng, rng_below

cdef enum Verb:
    BOARDS
    BUILDS
    OPENS
    BANKS
    BUYS
    FINISHES
    DEALS_CARD
    DRAWS_CARD


cdef struct Meaning:
    uint8_t verb
    uint8_t card          # UNKNOWN for partial labels
    uint8_t place         # row, column, or the colour of a new column
    uint8_t tram


# What each id means; constant once this module is loaded.
cdef Meaning MEANING[EVENTS]


cdef void set_meaning(int event, int verb, int card, int place, int tram) noexcept:
    MEANING[event].verb = verb
    MEANING[event].card = card
    MEANING[event].place = place
    MEANING[event].tram = tram


cdef void set_meanings() noexcept:
    cdef int card, i
    for card in range(CARDS):
        if card < CONDUCTOR:
            set_meaning(BOARD + card, BOARDS, card, card // 10, 0)
            set_meaning(OPEN + card, OPENS, card, card // 10, 0)
        for i in range(MAX_COLUMNS):
            set_meaning(BUILD + card * MAX_COLUMNS + i, BUILDS, card, i, 0)
        set_meaning(BANK + card, BANKS, card, 0, 0)
        set_meaning(DEAL + card, DEALS_CARD, card, 0, 0)
        set_meaning(DRAW + card, DRAWS_CARD, card, 0, 0)
    for i in range(COLOURS):
        set_meaning(BOARD_CONDUCTOR + i, BOARDS, CONDUCTOR, i, 0)
        set_meaning(OPEN_CONDUCTOR + i, OPENS, CONDUCTOR, i, 0)
    for i in range(TRAMS * MAX_COLUMNS):
        set_meaning(BUY + i, BUYS, 0, i % MAX_COLUMNS, 2 + i // MAX_COLUMNS)
    set_meaning(DONE, FINISHES, 0, 0, 0)
    set_meaning(DEAL_UNSEEN, DEALS_CARD, UNKNOWN, 0, 0)
    set_meaning(DRAW_UNSEEN, DRAWS_CARD, UNKNOWN, 0, 0)
    set_meaning(BANK_UNSEEN, BANKS, UNKNOWN, 0, 0)


set_meanings()


cdef void init(const GameC* game, void* state, void* memory) noexcept nogil:
    cdef State* s = <State*>state
    cdef int card, i
    memset(s, 0, sizeof(State))
    if memory != NULL:
        memset(memory, 0, sizeof(Memory))
        for card in range(CARDS):
            (<Memory*>memory).start[card] = copies(card)
    for card in range(CARDS):
        for i in range(copies(card)):
            s.deck[s.n_deck] = card
            s.n_deck += 1
    s.supply[0] = 3
    s.stack[0] = 2
    s.stack[1] = 4
    s.stack[2] = 7


cdef int to_move(const GameC* game, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.phase == DEALING or s.phase == DRAWING:
        return CHANCE
    if s.phase == OVER:
        return TERMINAL
    return s.player


cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Column* column
    cdef uint8_t cards[HAND]
    cdef int i, j, card, lowest, room, n = 0, kinds = 0, last = -1, player = s.player
    for i in range(s.n_hand[player]):
        card = s.hand[player][i]
        cards[kinds] = card
        kinds += card != last
        last = card
    if s.phase == PASSENGERS:
        for i in range(kinds):
            ids[i] = BOARD + cards[i]
        n = kinds
        if kinds and cards[kinds - 1] == CONDUCTOR:
            for i in range(COLOURS):
                ids[kinds - 1 + i] = BOARD_CONDUCTOR + i
            n += COLOURS - 1
        if s.boarded == 0:
            return n
    elif s.phase == STATIONS:
        for j in range(s.column, s.n_columns[player]):
            column = &s.columns[player][j]
            if column.top == 10:
                continue
            lowest = column.colour * 10 + column.top
            room = 10 - column.top
            for i in range(kinds):  # without a branch: most cards do not fit
                ids[n] = BUILD + cards[i] * MAX_COLUMNS + j
                n += (<uint32_t>(cards[i] - lowest) < <uint32_t>room) | (cards[i] == CONDUCTOR)
        j = (s.opened - 1) // 11 if s.opened else 0
        lowest = s.opened - 1 - j if s.opened else 0
        if kinds and cards[kinds - 1] == CONDUCTOR:
            kinds -= 1
            for i in range(j, COLOURS):
                ids[n] = OPEN_CONDUCTOR + i
                n += 1
        for i in range(kinds):
            ids[n] = OPEN + cards[i]
            n += cards[i] >= lowest
    elif s.phase == INCOME:
        for i in range(kinds):
            ids[n] = BANK + cards[i]
            n += cards[i] + 1 >= s.banked
    elif s.phase == PURCHASE:
        for j in range(s.column, s.n_columns[player]):
            if s.columns[player][j].tram == 0:
                for i in range(TRAMS):
                    ids[n] = BUY + i * MAX_COLUMNS + j
                    n += s.supply[i] > 0 and s.n_pile[player] >= 5 * (i + 1)
    else:
        return 0
    ids[n] = DONE
    return n + 1


cdef void apply(const GameC* game, void* state, void* notes, int32_t event) noexcept nogil:
    cdef State* s = <State*>state
    cdef Memory* memory = <Memory*>notes
    cdef const Meaning* meaning = &MEANING[event]
    cdef Column* column
    cdef int card = meaning.card, place = meaning.place, verb = meaning.verb, player = s.player
    if verb == DRAWS_CARD:
        if s.phase != DRAWING:
            catch_up(s, memory, DRAWING)
            player = s.player
        take_from_deck(s, card)
        put_into_hand(s, player, card)
        remember_drawn(s, memory, player, card)
        if s.n_deck == 0 and not (<const Data*>game.data).halve_on_need:
            halve_and_reshuffle(s, memory)
        if s.n_hand[player] == HAND or s.n_deck == 0:
            next_draw(s, memory)
    elif verb == FINISHES:
        if s.phase == PASSENGERS:
            s.boarded = 0
            s.phase = STATIONS
        elif s.n_hand[player] and s.hand[player][s.n_hand[player] - 1] == UNKNOWN:
            # The other player's `done` in an Info: of these only the one of the trams step is seen.
            catch_up(s, memory, PURCHASE)
            clean_up(s, memory)
            return
        elif s.phase == STATIONS:
            s.phase = INCOME
        elif s.phase == INCOME:
            s.phase = PURCHASE
            s.column = s.opened = s.banked = 0
        else:
            clean_up(s, memory)
            return
        settle(s, memory)
    elif verb == BANKS:
        if s.phase != INCOME:
            catch_up(s, memory, INCOME)
        if s.banked == 0:
            remember_income(s, memory, player)
        take_from_hand(s, player, card)
        s.banked = 1 if card == UNKNOWN else card + 1
        put_on_pile(s, memory, player, card, 1 << player)
        settle(s, memory)
    elif verb == BOARDS:
        if s.phase != PASSENGERS:
            catch_up(s, memory, PASSENGERS)
            player = s.player
        remember_shown(s, memory, player, card)
        take_from_hand(s, player, card)
        s.row[place][s.n_row[place]] = card
        s.n_row[place] += 1
        s.boarded += 1
        if s.n_row[place] == ROW:
            score(s, memory, place)
            if s.scorings == SCORINGS:
                s.boarded = 0
                s.phase = OVER
                return
        if s.boarded == 2 or s.n_hand[player] == 0:
            s.boarded = 0
            s.phase = STATIONS
            settle(s, memory)
    elif verb == BUILDS:
        remember_shown(s, memory, player, card)
        take_from_hand(s, player, card)
        s.column = place
        add_card(s, &s.columns[player][place], card)
        remember_built(s, memory)
        settle(s, memory)
    elif verb == OPENS:
        remember_shown(s, memory, player, card)
        take_from_hand(s, player, card)
        s.column = s.n_columns[player]
        s.opened = 1 + place * 11 + (10 if card == CONDUCTOR else card - 10 * place)
        column = &s.columns[player][s.column]
        memset(column, 0, sizeof(Column))
        column.colour = place
        s.n_columns[player] += 1
        add_card(s, column, card)
        remember_built(s, memory)
        settle(s, memory)
    elif verb == BUYS:
        if s.phase != PURCHASE:
            catch_up(s, memory, PURCHASE)
        s.supply[meaning.tram - 2] -= 1
        pay(s, memory, player, 5 * (meaning.tram - 1))
        s.columns[player][place].tram = meaning.tram
        s.column = place + 1
        remember_bought(s, memory)
        settle(s, memory)
    else:  # the set-up
        take_from_deck(s, card)
        if s.dealt < START_MONEY + OTHER_MONEY:
            put_on_pile(s, memory, player, card, 0)
        else:
            put_into_hand(s, player, card)
            remember_drawn(s, memory, player, card)
        s.dealt += 1
        if s.dealt == START_MONEY or s.dealt == DEALS - HAND:
            s.player = 1
        elif s.dealt == START_MONEY + OTHER_MONEY:
            s.player = 0
        elif s.dealt == DEALS:
            s.player = 0
            s.phase = PASSENGERS


cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int left[UNKNOWN + 1]
    cdef int card, i, n = 0
    memset(left, 0, sizeof(left))
    for i in range(s.n_deck):
        left[s.deck[i]] += 1
    for card in range(CARDS):
        if left[card]:
            ids[n] = (DEAL if s.phase == DEALING else DRAW) + card
            probabilities[n] = <double>left[card] / s.n_deck
            n += 1
    return n


cdef bint idle(const GameC* game, const void* state) noexcept nogil:
    """Whether the other player's next passenger ends the game, whichever he takes: who draws now will play no card any more."""
    cdef const State* s = <const State*>state
    cdef int other = 1 - s.player, i, colour, card
    if s.phase != DRAWING or s.scorings != SCORINGS - 1 or s.n_hand[other] == 0:
        return False
    for i in range(s.n_hand[other]):
        card = s.hand[other][i]
        for colour in range(COLOURS):
            if (card == CONDUCTOR or card // 10 == colour) and s.n_row[colour] < ROW - 1:
                return False
    return True


cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil:
    cdef const State* s = <const State*>state
    return (DEAL if s.phase == DEALING else DRAW) + s.deck[rng_below(rng, s.n_deck)]


cdef void stream(const GameC* game, const void* state, const void* notes, Stream* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef const Memory* memory = <const Memory*>notes
    cdef int left[UNKNOWN + 1]
    cdef int card, i
    memset(left, 0, sizeof(left))
    for i in range(s.n_deck):
        left[s.deck[i]] += 1
    out.stream = 0
    out.epoch = memory.reshuffles if memory != NULL else 0
    out.n = 0
    for card in range(CARDS):
        if left[card]:
            out.ids[out.n] = (DEAL if s.phase == DEALING else DRAW) + card
            out.kind[out.n] = card
            out.start[out.n] = memory.start[card] if memory != NULL else left[card]
            out.left[out.n] = left[card]
            out.n += 1


cdef int32_t seen(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int verb = MEANING[event].verb
    if verb == DEALS_CARD:
        return event if observer == s.player and s.dealt >= START_MONEY + OTHER_MONEY else DEAL_UNSEEN
    if observer == s.player:
        return event
    if verb == DRAWS_CARD:
        return DRAW_UNSEEN
    if verb == BANKS:
        return BANK_UNSEEN
    if verb == FINISHES and (s.phase == STATIONS or s.phase == INCOME):
        return NOTHING
    return event


cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int player
    for player in range(PLAYERS):
        out[player] = s.regular[player] + s.extra[player]


cdef void returns(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int margin = s.regular[0] + s.extra[0] - s.regular[1] - s.extra[1]
    if margin == 0:
        margin = s.n_pile[0] - s.n_pile[1]
    out[0] = (margin > 0) - (margin < 0)
    out[1] = 0 - out[0]  # not -0.0


cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil:
    """The State without what can no longer matter: the order of draw pile, discard, rows and of the cards in columns with a tram."""
    cdef const State* s = <const State*>state
    cdef State* head = <State*>out
    cdef Column column
    cdef int player, i, j, n
    cdef uint8_t* counts
    memcpy(head, s, <size_t>(<uint8_t*>&s.columns - <uint8_t*>s))
    if s.phase != STATIONS:
        head.opened = 0
        if s.phase != PURCHASE:
            head.column = 0
    for i in range(COLOURS):  # insertion sort
        for j in range(1, s.n_row[i]):
            n = j
            while n > 0 and head.row[i][n - 1] > s.row[i][j]:
                head.row[i][n] = head.row[i][n - 1]
                n -= 1
            head.row[i][n] = s.row[i][j]
    n = <int>(<uint8_t*>&s.columns - <uint8_t*>s)
    for player in range(PLAYERS):
        for i in range(s.n_columns[player]):
            column = s.columns[player][i]
            if column.tram:
                column.conductors = 0
            memcpy(out + n, &column, sizeof(Column))
            n += sizeof(Column)
        memcpy(out + n, s.pile[player], s.n_pile[player])
        n += s.n_pile[player]
    for j in range(2):
        counts = out + n
        memset(counts, 0, CARDS + 1)
        for i in range(s.n_discard if j else s.n_deck):
            counts[min(s.discard[i] if j else s.deck[i], <uint8_t>CARDS)] += 1
        n += CARDS + 1
    return n
