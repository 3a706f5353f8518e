"""Trambahn (Helmut Ohley, Lookout Games / Mayfair Games 2015): tram lines in Munich, two players, hidden hands.

Rules
-----
120 cards: in each of the colours B(lue), R(ed), G(reen), Y(ellow) two each of the values 1 and 10 and three each of 2..9, and 8
conductors. A station is worth 1 point (values 1..6), 2 (7..9) or 3 (10); conductors are worth none. Player 0 starts with 12 cards as
money, player 1 with 15, dealt face down and seen by nobody; then both get 6 cards. A turn has five steps:

1. *Passengers*: one or two hand cards into the rows (a station into the row of its colour, a conductor into any). The fourth card in a
   row makes a regular scoring of that colour for both players, at once; the tenth of them ends the game on the spot.
2. *Stations*: any number of hand cards onto own columns, each of one colour, values strictly ascending; a 10 completes a column. A
   conductor fits onto any column that is not complete. The eighth card in a column scores it for its owner: an Extra Tour.
3. *Income*: any number of hand cards face down onto the own money pile, one unit each.
4. *Trams*: any of the open ones (x2 costs 5, x3 10, x4 15 cards from the top of the money pile), each for an own column without one.
5. *Clean-up*: columns without a tram go onto the owner's money pile, the hand is filled up to 6, the supply to three trams. When the
   draw pile becomes empty, both players discard half of their money pile (rounded down) and the discard pile becomes the draw pile.

A scoring gives, for each column of the colour, the sum of its stations' points times its tram's multiplier. The higher score wins; the
larger money pile breaks a tie.

Source: the English rulebook, translated by Grzegorz Kobiela, Lookout GmbH 2015. Where it is silent: payments and halvings take from the
top of the money pile; columns of a colour may be opened freely beside others; equal values do not fit; a column opened by a conductor
gets its colour then.

Parameters
----------
players : 2
halving : "on_empty" (default: the money piles are halved at the instant the draw pile becomes empty) or "on_need" (only when a card is
    wanted and the draw pile is empty)

Events
------
Columns are numbered from 0 in the order they were opened. To reach the same turn in one way only, column numbers never decrease within
the stations step, columns are opened in ascending order of their first card, money goes down in card order (B1..B10, R.., G.., Y.., C)
and the numbers of columns that get trams increase. A decision in which only `done` is possible is passed over.

| step | events | the other player sees |
| --- | --- | --- |
| set-up (chance) | `deal B7` | `deal ?` (of a money card its owner sees no more) |
| passengers | `board B7`, `board C>R`, `done` | all |
| stations | `build B7>0`, `build B7>new`, `build C>0`, `build C>newB`, `done` | all but `done` |
| income | `bank B7`, `done` | `bank ?`, nothing of `done` |
| trams | `buy 3>0`, `done` | all |
| clean-up (chance) | `draw B7` | `draw ?` |

Observation
-----------
Layout 1: the table in `_trambahn_observation.pyx`.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memchr, memcpy, memset

from wattman.engine.abi cimport CHANCE, NOTHING, TERMINAL, GameC, Stream
from wattman.engine.game cimport Game, InfoState, blank_info
from wattman.engine.game cimport State as PyState
from wattman.engine.games._trambahn_data cimport dict_to_info, memory_to_dict, table_to_dict
from wattman.engine.games._trambahn_knowledge cimport Info, admit, fill, hide
from wattman.engine.games._trambahn_memory cimport (
    Memory,
    remember_banked,
    remember_bought,
    remember_built,
    remember_drawn,
    remember_income,
    remember_paid,
    remember_reshuffle,
    remember_scored,
    remember_shown,
)
from wattman.engine.games._trambahn_observation cimport OBSERVATION, hidden_targets, observe
from wattman.engine.games._trambahn_policy cimport playout, values, weights
from wattman.engine.games._trambahn_state cimport (
    ACTIONS,
    BANK,
    BOARD,
    BOARD_CONDUCTOR,
    BUILD,
    BUY,
    CARDS,
    COLOURS,
    CONDUCTOR,
    DEAL,
    DEAL_UNSEEN,
    DEALING,
    DEALS,
    DONE,
    DRAW,
    DRAW_UNSEEN,
    DRAWING,
    EVENTS,
    HAND,
    INCOME,
    MAX_COLUMNS,
    MAX_LEGAL,
    OPEN,
    OPEN_CONDUCTOR,
    OTHER_MONEY,
    OVER,
    PASSENGERS,
    PLAYERS,
    PURCHASE,
    ROW,
    SCORINGS,
    START_MONEY,
    STATIONS,
    SUPPLY,
    TRAMS,
    UNKNOWN,
    BANK_UNSEEN,
    Column,
    State,
    copies,
)
from wattman.engine.rng cimport Rng, rng_below

from wattman.engine.game import Option
from wattman.engine.games import _trambahn_text as text_module

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


cdef struct Data:
    uint8_t halve_on_need


# What each id means; constant once this module is loaded.
cdef Meaning MEANING[EVENTS]
cdef uint8_t POINTS[11]


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
    for i in range(1, 11):
        POINTS[i] = 1 if i < 7 else 2 if i < 10 else 3


set_meanings()


# --- cards between places. In an Info a card that is looked for may be one of the unknown ones. ---

cdef inline void take_from_hand(State* s, int player, int card) noexcept nogil:
    cdef uint8_t* hand = s.hand[player]
    cdef int i, n = s.n_hand[player] - 1
    s.n_hand[player] = n
    if hand[n] == UNKNOWN:  # never in a State: an opponent's card in an Info
        for i in range(n):
            if hand[i] == card:
                break
        else:
            hand[n] = 0
            return
    # The hand is sorted and filled up with zeros: what is not below the card moves down by one place.
    for i in range(HAND - 1):
        hand[i] = hand[i] if hand[i] < card else hand[i + 1]
    hand[HAND - 1] = 0


cdef inline void put_into_hand(State* s, int player, int card) noexcept nogil:
    cdef uint8_t* hand = s.hand[player]
    cdef int i = s.n_hand[player]
    s.n_hand[player] = i + 1
    while i > 0 and hand[i - 1] > card:
        hand[i] = hand[i - 1]
        i -= 1
    hand[i] = card


cdef inline void take_from_deck(State* s, int card) noexcept nogil:
    cdef uint8_t* place = <uint8_t*>memchr(s.deck, card, s.n_deck)
    if place == NULL:
        place = <uint8_t*>memchr(s.deck, UNKNOWN, s.n_deck)
    s.n_deck -= 1
    if place != NULL:
        place[0] = s.deck[s.n_deck]


cdef inline void put_on_pile(State* s, Memory* memory, int player, int card, int seen) noexcept nogil:
    s.pile[player][s.n_pile[player]] = card
    s.n_pile[player] += 1
    remember_banked(s, memory, player, seen)


cdef inline void pay(State* s, Memory* memory, int player, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        s.n_pile[player] -= 1
        s.discard[s.n_discard] = s.pile[player][s.n_pile[player]]
        s.n_discard += 1
        remember_paid(s, memory, player)


cdef void halve_and_reshuffle(State* s, Memory* memory) noexcept nogil:
    cdef int player
    for player in range(PLAYERS):
        pay(s, memory, player, s.n_pile[player] // 2)
    if s.n_discard:
        remember_reshuffle(s, memory)
        memcpy(s.deck, s.discard, s.n_discard)
        s.n_deck = s.n_discard
        s.n_discard = 0


# --- the course of a turn. Each of these ends at the next thing to decide or to draw. ---

cdef inline bint can_build(const State* s) noexcept nogil:
    """Whether the player on turn can build. An unknown card of his might fit anywhere."""
    cdef const uint8_t* hand = s.hand[s.player]
    cdef const Column* newest
    cdef int i, lowest, n = s.n_hand[s.player]
    if n == 0:
        return False
    if s.opened == 0:
        return True  # any card opens a column
    if hand[n - 1] >= s.opened - 1 - (s.opened - 1) // 11:
        return True  # the highest card opens another; the first card that may is colour * 10 + value - 1
    # Only the newest column is left to build on, and only stations are there.
    newest = &s.columns[s.player][s.n_columns[s.player] - 1]
    lowest = newest.colour * 10 + newest.top
    for i in range(n):
        if <uint32_t>(hand[i] - lowest) < <uint32_t>(10 - newest.top):
            return True
    return False


cdef inline bint can_buy(const State* s) noexcept nogil:
    cdef int i, money = s.n_pile[s.player]
    if not ((s.supply[0] and money >= 5) or (s.supply[1] and money >= 10) or (s.supply[2] and money >= 15)):
        return False
    for i in range(s.column, s.n_columns[s.player]):
        if s.columns[s.player][i].tram == 0:
            return True
    return False


cdef void abandon_columns(State* s, Memory* memory) noexcept nogil:
    """Columns without a tram go onto the owner's money pile, their cards in the order they were played."""
    cdef int player = s.player, i, value, stations, conductors, kept = 0
    cdef Column* column
    for i in range(s.n_columns[player]):
        column = &s.columns[player][i]
        if column.tram:
            if kept < i:
                s.columns[player][kept] = column[0]
            kept += 1
            continue
        stations = conductors = 0
        for value in range(1, 12):
            while conductors < column.n_conductors and (column.conductors >> (4 * conductors) & 15) == <uint32_t>stations:
                put_on_pile(s, memory, player, CONDUCTOR, 3)
                conductors += 1
            if column.values >> value & 1:
                put_on_pile(s, memory, player, column.colour * 10 + value - 1, 3)
                stations += 1
    if kept < s.n_columns[player]:
        memset(&s.columns[player][kept], 0, (s.n_columns[player] - kept) * sizeof(Column))
        s.n_columns[player] = kept


cdef inline void refill_supply(State* s) noexcept nogil:
    cdef int i, missing = SUPPLY - s.supply[0] - s.supply[1] - s.supply[2]
    for i in range(TRAMS):
        while missing > 0 and s.stack[i]:
            s.stack[i] -= 1
            s.supply[i] += 1
            missing -= 1


cdef void next_draw(State* s, Memory* memory) noexcept nogil:
    """The next draw of the clean-up, or the next turn."""
    while True:
        if s.n_hand[s.player] < HAND:
            if s.n_deck == 0 and s.n_discard:
                halve_and_reshuffle(s, memory)
            if s.n_deck:
                s.phase = DRAWING
                return
        refill_supply(s)
        s.player = 1 - s.player
        if s.n_hand[s.player]:
            s.phase = PASSENGERS
            return
        # Contrived: no hand, so nothing but the clean-up is left of this turn.
        if s.n_hand[1 - s.player] == 0 and s.n_deck == 0 and s.n_discard == 0:
            s.phase = OVER
            return


cdef void clean_up(State* s, Memory* memory) noexcept nogil:
    s.column = s.opened = s.banked = 0
    abandon_columns(s, memory)
    next_draw(s, memory)


cdef void settle(State* s, Memory* memory) noexcept nogil:
    """Passes over the steps in which nothing but `done` is possible."""
    if s.phase == STATIONS:
        if can_build(s):
            return
        s.phase = INCOME
    if s.phase == INCOME:
        if s.n_hand[s.player] and s.hand[s.player][s.n_hand[s.player] - 1] + 1 >= s.banked:
            return
        s.phase = PURCHASE
        s.column = s.opened = s.banked = 0
    if s.phase == PURCHASE and not can_buy(s):
        clean_up(s, memory)


cdef void catch_up(State* s, Memory* memory, int phase) noexcept nogil:
    """In an Info the end of the other player's stations and income steps goes unseen: later events show it."""
    while s.phase != phase:
        if s.phase == STATIONS:
            s.phase = INCOME
        elif s.phase == INCOME:
            s.phase = PURCHASE
            s.column = s.opened = s.banked = 0
        elif s.phase == PURCHASE:
            clean_up(s, memory)
        else:
            return


cdef void score(State* s, Memory* memory, int colour) noexcept nogil:
    """A regular scoring. Every column with cards from earlier turns has a tram, and no other is there in this step."""
    cdef int player, i
    cdef const Column* column
    for player in range(PLAYERS):
        for i in range(s.n_columns[player]):
            column = &s.columns[player][i]
            if column.colour == colour:
                s.regular[player] += column.points * column.tram
    for i in range(ROW):
        s.discard[s.n_discard] = s.row[colour][i]
        s.n_discard += 1
        s.row[colour][i] = 0
        remember_scored(s, memory)
    s.n_row[colour] = 0
    s.scorings += 1


cdef inline void add_card(State* s, Column* column, int card) noexcept nogil:
    cdef int value
    if card == CONDUCTOR:
        column.conductors |= <uint32_t>(column.count - column.n_conductors) << (4 * column.n_conductors)
        column.n_conductors += 1
    else:
        value = card - 10 * column.colour + 1
        column.values |= 1 << value
        column.top = value
        column.points += POINTS[value]
    column.count += 1
    if column.count == 8:
        s.extra[s.player] += column.points * column.tram


# --- the contract ---

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


# --- the Python side ---

cdef class Trambahn(Game):
    """Trambahn for two players; see this module's docstring for the rules, the events and the observation."""

    NAME = "trambahn"
    TITLE = "Trambahn"
    LAYOUT = 1
    HELP = text_module.HELP
    OPTIONS = {
        "players": Option(2, (2,), "number of players"),
        "halving": Option("on_empty", ("on_empty", "on_need"), "when the money piles are halved: as the draw pile becomes empty, or when a card is wanted"),
    }
    cdef Data _data

    def _load(self):
        cdef GameC* c = &self.c
        self._data.halve_on_need = self.options["halving"] == "on_need"
        c.data = &self._data
        c.players, c.actions, c.outcomes, c.labels = PLAYERS, ACTIONS, DEAL_UNSEEN - DEAL, EVENTS - DEAL_UNSEEN
        c.max_legal, c.max_outcomes, c.max_events = MAX_LEGAL, CARDS, 1024
        c.state_size, c.memory_size, c.info_size, c.scratch_size = sizeof(State), sizeof(Memory), sizeof(Info), 0
        c.observation_size, c.hidden_size = OBSERVATION, CARDS
        c.reward[0], c.reward[1], c.reward[2] = 0.5, 0.5, 0
        c.scale = 100
        c.init, c.to_move, c.legal, c.apply, c.chance, c.sample, c.stream = init, to_move, legal, apply, chance, sample, stream
        c.scores, c.values, c.returns, c.seen = scores, values, returns, seen
        c.hide, c.fill, c.admit = hide, fill, admit
        c.playout, c.weights, c.observe, c.hidden_targets, c.canonical = playout, weights, observe, hidden_targets, canonical

    def event_to_string(self, int event) -> str:
        if not 0 <= event < EVENTS:
            raise ValueError(f"id {event} is no event; ids run from 0 to {EVENTS - 1}")
        return text_module.EVENTS[event]

    def string_to_event(self, str text) -> int:
        return text_module.parse(text)

    def admit_error(self, int code) -> str:
        return text_module.REFUSALS[code]

    def describe(self, PyState state) -> dict:
        table = table_to_dict(<const State*>state.state, -1, (<const Memory*>state.memory).reshuffles)
        return {"game": self.NAME, "options": dict(self.options)} | table

    def describe_info(self, InfoState info) -> dict:
        cdef const Info* k = <const Info*>info.info
        return {"game": self.NAME, "options": dict(self.options)} | table_to_dict(&k.state, info.player, k.memory.reshuffles)

    def info_to_dict(self, InfoState info) -> dict:
        cdef const Info* k = <const Info*>info.info
        return self.describe_info(info) | {"memory": memory_to_dict(&k.state, &k.memory)}

    def info_from_dict(self, dict data) -> InfoState:
        cdef InfoState info = blank_info(self, data["player"])
        dict_to_info(data, <Info*>info.info)
        return info

    def template(self) -> str:
        return text_module.template()

    def draw(self, dict view):
        return text_module.draw(view)

    def explain(self, str event, dict view) -> str:
        return text_module.explain(event, view)

    def parse_turn(self, str line, dict view) -> list[str]:
        return text_module.parse_turn(line, view)
