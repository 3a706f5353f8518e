"""Trambahn's hidden information: what one player knows (`hide`, `admit`), and dealing full states from it (`fill`).

Before the first reshuffle every unseen card is as likely in one hidden place as in another; only the cards of one income step lie in card
order. What a reshuffle adds is in _trambahn_recycled.pyx.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._trambahn_memory cimport Memory, Recall, known_in_hand, note, remember_drawn
from wattman.engine.games._trambahn_recycled cimport follow_hand
from wattman.engine.games._trambahn_state cimport *
from wattman.engine.games._trambahn_worlds cimport SPLIT, TRIES, deal, fill_recycled, order, sort_cards, sort_six
from wattman.engine.rng cimport Rng, rng_below


# --- hide ---

cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil:
    cdef Info* k = <Info*>info
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int other = 1 - observer, p, i
    memset(k, 0, sizeof(Info))
    memcpy(s, state, sizeof(State))
    memcpy(m, memory, sizeof(Memory))
    m.observer = 1 + observer
    memset(m.start, 0, sizeof(m.start))
    memset(&m.recall[other], 0, sizeof(Recall))
    memset(s.hand[other], UNKNOWN, s.n_hand[other])
    for p in range(PLAYERS):
        for i in range(s.n_pile[p]):
            if not m.tag[p][i] >> observer & 1:
                s.pile[p][i] = UNKNOWN
    for i in range(s.n_discard):
        if not m.discard_tag[i] >> observer & 1:
            s.discard[i] = UNKNOWN
    # The other player's `done` in the stations and income steps is not seen: he may still be where the last thing seen was done.
    if s.player == other and s.n_hand[other] and (s.phase == STATIONS or s.phase == INCOME or s.phase == PURCHASE):
        if m.turn_bought == 0:
            s.phase = INCOME if m.turn_banked else STATIONS
            s.column = m.turn_column
            s.opened = m.turn_opened
            s.banked = 1 if m.turn_banked else 0
    prepare(k)


cdef void prepare(Info* k) noexcept nogil:
    """Everything in an Info that follows from its State and Memory."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int observer = m.observer - 1, other = 2 - m.observer
    cdef int p, i, card
    # What lies behind the ends of the arrays has no meaning: zero, so that equal knowledge is equal bytes.
    memset(s.deck, UNKNOWN, s.n_deck)
    memset(s.deck + s.n_deck, 0, DECK - s.n_deck)
    memset(s.discard + s.n_discard, 0, DECK - s.n_discard)
    for p in range(PLAYERS):
        memset(s.pile[p] + s.n_pile[p], 0, DECK - s.n_pile[p])
        memset(s.hand[p] + s.n_hand[p], 0, HAND - s.n_hand[p])
        memset(m.tag[p] + s.n_pile[p], 0, DECK - s.n_pile[p])
        memset(m.group[p] + s.n_pile[p], 0, DECK - s.n_pile[p])
    if s.player != other or not (s.phase == STATIONS or s.phase == INCOME or s.phase == PURCHASE):
        m.turn_banked = m.turn_column = m.turn_opened = m.turn_bought = 0
    # What became of the observer's own money he knows better than that.
    for i in range(s.n_pile[observer]):
        m.lost[m.group[observer][i]] = 0
    for i in range(s.n_discard):
        if m.discard_tag[i] & 3 == m.observer:
            m.lost[m.discard_group[i]] = 0
    memset(<uint8_t*>k + sizeof(State) + sizeof(Memory), 0, sizeof(Info) - sizeof(State) - sizeof(Memory))
    count_unseen(k)
    list_places(k, other)
    k.n_unseen = 0
    for card in range(CARDS):
        for i in range(k.counts[card]):
            k.unseen[k.n_unseen] = card
            k.n_unseen += 1
    if k.n_unseen != k.n_places + s.n_deck:
        k.impossible = 1
    if m.epoch and not k.impossible:
        follow_hand(k, observer)


cdef void count_unseen(Info* k) noexcept nogil:
    """counts: how many cards of each kind the observer does not see."""
    cdef State* s = &k.state
    cdef int left[UNKNOWN + 1]
    cdef int p, i, j, value
    cdef const Column* column
    memset(left, 0, sizeof(left))
    for p in range(PLAYERS):
        for i in range(s.n_hand[p]):
            left[s.hand[p][i]] -= 1
        for i in range(s.n_pile[p]):
            left[s.pile[p][i]] -= 1
        for i in range(s.n_columns[p]):
            column = &s.columns[p][i]
            left[CONDUCTOR] -= column.n_conductors
            for value in range(1, 11):
                left[column.colour * 10 + value - 1] -= column.values >> value & 1
    for i in range(COLOURS):
        for j in range(s.n_row[i]):
            left[s.row[i][j]] -= 1
    for i in range(s.n_discard):
        left[s.discard[i]] -= 1
    for i in range(CARDS):
        left[i] += copies(i)
        if left[i] < 0:
            k.impossible = 1
            left[i] = 0
        k.counts[i] = left[i]


cdef inline void add_place(Info* k, uint8_t* where, int tag) noexcept nogil:
    cdef int epoch = k.memory.epoch
    if k.n_places == DECK:
        k.impossible = 1
        return
    k.offset[k.n_places] = <uint16_t>(where - <uint8_t*>&k.state)
    # Only a card that `follow_hand` finds to be fresh can be of this epoch's class.
    k.cap[k.n_places] = min(tag >> 2, epoch - 1) if epoch else 0
    k.n_places += 1


cdef void list_places(Info* k, int other) noexcept nogil:
    """The hidden places: the other player's hand, his income by steps (within a step in card order), the rest."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int p, i, group, first
    for i in range(s.n_hand[other]):
        if s.hand[other][i] == UNKNOWN:
            add_place(k, &s.hand[other][i], m.epoch << 2)
    k.n_hand = k.n_places
    for group in range(1, m.groups + 1):
        first = k.n_places
        for i in range(s.n_pile[other]):
            if m.group[other][i] == group and s.pile[other][i] == UNKNOWN:
                add_place(k, &s.pile[other][i], m.tag[other][i])
        # Payments take from the top: what lies deeper among the discards was higher on the pile.
        for i in range(s.n_discard - 1, -1, -1):
            if m.discard_group[i] == group and s.discard[i] == UNKNOWN:
                add_place(k, &s.discard[i], m.discard_tag[i])
        if k.n_places - first > HAND:
            k.impossible = 1  # nobody can put down so many at once
        elif k.n_places - first > 1 and k.n_sorted < 64:
            k.sorted_from[k.n_sorted] = first
            k.sorted_count[k.n_sorted] = k.n_places - first
            k.n_sorted += 1
        if k.n_places > first and m.lost[group]:
            split_step(k, first, m.lost[group])
    for p in range(PLAYERS):
        for i in range(s.n_pile[p]):
            if s.pile[p][i] == UNKNOWN and (p != other or m.group[p][i] == 0):
                add_place(k, &s.pile[p][i], m.tag[p][i])
    for i in range(s.n_discard):
        if s.discard[i] == UNKNOWN and m.discard_group[i] == 0:
            add_place(k, &s.discard[i], m.discard_tag[i])


cdef void split_step(Info* k, int first, int lost) noexcept nogil:
    """The places from `first` on are what is left of an income step."""
    cdef Split* split = &k.splits[k.n_splits]
    if k.n_places - first + lost > HAND:
        k.impossible = 1
    elif k.n_splits < SPLITS:
        split.first = first
        split.count = k.n_places - first
        split.lost = lost
        k.n_splits += 1
        if k.memory.epoch == 1:
            memset(k.cap + first, SPLIT, split.count)


# --- fill ---

cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil:
    cdef const Info* k = <const Info*>info
    cdef State* s = <State*>state
    cdef Memory* m
    cdef uint8_t* base = <uint8_t*>state
    cdef int other = 2 - k.memory.observer, i, attempt
    # A world in which the other player could not go on where he is to go on is none. Such are never more than four in five.
    for attempt in range(256):
        memcpy(s, &k.state, sizeof(State))
        if k.memory.epoch == 0 or not fill_recycled(k, rng, s, TRIES):
            fill_alike(k, rng, s)
        sort_steps(k, base)
        sort_cards(s.hand[other], s.n_hand[other])
        if s.player != other or s.n_hand[other] == 0 or choose_step(game, k, rng, s):
            break
    if memory != NULL:
        m = <Memory*>memory
        memcpy(m, &k.memory, sizeof(Memory))
        m.observer = 0
        for i in range(s.n_deck):
            m.start[s.deck[i]] += 1
        if m.epoch:  # what the other player remembers since the last reshuffle is not known: in this world he has forgotten it
            m.recall[other].hand = s.n_hand[1 - other]
            m.recall[other].mixed[0] = s.n_deck
            m.recall[1 - other].hand += s.n_hand[other] - k.n_hand  # in a State what he was told of the hand counts as not known


cdef inline void fill_alike(const Info* k, Rng* rng, State* s) noexcept nogil:
    """Every unseen card is as likely in every hidden place."""
    cdef uint8_t cards[DECK]
    cdef int n = k.n_unseen - k.n_places
    memcpy(cards, k.unseen, DECK)
    deal(rng, cards, k.n_unseen, <uint8_t*>s, k.offset, min(<int>k.n_places, <int>k.n_unseen))
    if n > 0:
        memcpy(s.deck, cards + k.n_places, n)


cdef inline void sort_steps(const Info* k, uint8_t* base) noexcept nogil:
    """Within one income step the cards went down in card order."""
    cdef uint8_t six[HAND]
    cdef const uint16_t* places
    cdef int g, i, n
    for g in range(k.n_sorted):
        places = &k.offset[k.sorted_from[g]]
        n = k.sorted_count[g]
        six[0], six[1] = base[places[0]], base[places[1]]
        if n == 2:
            order(six, 0, 1)
        else:
            for i in range(2, HAND):
                six[i] = base[places[i]] if i < n else 255
            sort_six(six)
            for i in range(2, HAND):
                if i < n:
                    base[places[i]] = six[i]
        base[places[0]], base[places[1]] = six[0], six[1]


cdef bint choose_step(const GameC* game, const Info* k, Rng* rng, State* s) noexcept nogil:
    """Where in his turn the other player may be, as far as it is hidden: each possible step is equally likely. False: nowhere."""
    cdef int32_t ids[MAX_LEGAL]
    cdef int possible[3]
    cdef int phase, column = s.column, opened = s.opened, n = 0
    if s.phase != STATIONS and s.phase != INCOME:
        return True
    for phase in range(s.phase, PURCHASE + 1):
        set_step(s, phase, column, opened)
        if game.legal(game, s, ids) > 1:
            possible[n] = phase
            n += 1
    if n == 0:
        return False
    set_step(s, possible[rng_below(rng, n)], column, opened)
    return True


cdef void set_step(State* s, int phase, int column, int opened) noexcept nogil:
    s.phase = phase
    s.column = column if phase != PURCHASE else 0
    s.opened = opened if phase != PURCHASE else 0
    if phase == INCOME and s.banked:
        s.banked = 1 + s.pile[s.player][s.n_pile[s.player] - 1]
    elif phase == PURCHASE:
        s.banked = 0


# --- admit ---

cdef enum:
    GAME_OVER = 1
    NOT_NOW = 2
    NO_SUCH_CARD = 3
    NOT_SEEN = 4
    TRAMS_OPEN = 5
    NOT_AFTER_RESHUFFLE = 6
    NO_EVENT = 7


cdef int card_of(int label) noexcept nogil:
    """The hand card that a board or build shows, or UNKNOWN."""
    if label < BUILD:
        return min(label - BOARD, <int>CONDUCTOR)
    if label < OPEN:
        return (label - BUILD) // MAX_COLUMNS
    if label < BANK:
        return min(label - OPEN, <int>CONDUCTOR)
    return UNKNOWN


cdef bint is_legal(const GameC* game, const State* s, int label) noexcept nogil:
    cdef int32_t ids[MAX_LEGAL]
    cdef int i
    for i in range(game.legal(game, s, ids)):
        if ids[i] == label:
            return True
    return False


cdef bint could_buy(const GameC* game, const State* s) noexcept nogil:
    """Whether the player on turn, his income step behind him, could buy a tram."""
    cdef int32_t ids[MAX_LEGAL]
    cdef State at = s[0]
    if at.phase != PURCHASE:
        set_step(&at, PURCHASE, 0, 0)
    return game.legal(game, &at, ids) > 1


cdef bint could_come(const Info* k, int card, bint drawn) noexcept nogil:
    """Whether the observer can draw a card, or the other player show it, for all that is known since the last reshuffle.

    To be asked before what happens of itself afterwards: that may be the next reshuffle.
    """
    cdef Info trial = k[0]
    cdef State* s = &trial.state
    cdef int observer = k.memory.observer - 1, other = 1 - observer
    if not drawn and known_in_hand(s, &k.memory, other, card):
        return True
    if k.memory.epoch == 0:
        return k.counts[card] > 0
    if drawn:
        s.n_deck -= 1
        s.hand[observer][s.n_hand[observer]] = card
        s.n_hand[observer] += 1
        remember_drawn(s, &trial.memory, observer, card)
    else:
        s.n_hand[other] -= 1
        s.row[0][s.n_row[0]] = card  # anywhere it is seen
        s.n_row[0] += 1
        note(&trial.memory, observer, card)
    prepare(&trial)
    return not trial.impossible


cdef int end_other_turn(const GameC* game, Info* k) noexcept nogil:
    """The other player's turn went on to its clean-up unseen."""
    if could_buy(game, &k.state):
        return TRAMS_OPEN
    cdef int other = k.state.player
    while k.state.player == other and (k.state.phase == STATIONS or k.state.phase == INCOME or k.state.phase == PURCHASE):
        game.apply(game, &k.state, &k.memory, DONE)
    return 0


cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil:
    cdef Info trial = (<Info*>info)[0]
    cdef int code = admit_to(game, &trial, label)
    if code == 0:
        prepare(&trial)
        if trial.impossible:
            return NOT_AFTER_RESHUFFLE
        (<Info*>info)[0] = trial
    return code


cdef int admit_to(const GameC* game, Info* k, int32_t label) noexcept nogil:
    cdef State* s = &k.state
    cdef int observer = k.memory.observer - 1, other = 1 - observer, code, hidden, card
    cdef bint turns = s.player == other and s.n_hand[other] and (s.phase == STATIONS or s.phase == INCOME or s.phase == PURCHASE)
    if not 0 <= label < EVENTS:
        return NO_EVENT
    if s.phase == OVER:
        return GAME_OVER
    if DEAL <= label < DRAW or label == DEAL_UNSEEN:
        if s.phase != DEALING:
            return NOT_NOW
        hidden = s.dealt < START_MONEY + OTHER_MONEY or s.player == other
    elif DRAW <= label <= DRAW_UNSEEN:
        if turns:
            code = end_other_turn(game, k)
            if code:
                return code
        if s.phase != DRAWING:
            return NOT_NOW
        hidden = s.player == other
    else:
        if s.phase == DEALING or s.phase == DRAWING:
            return NOT_NOW
        if turns and s.phase != PASSENGERS and label < BUILD:
            # A board now can only be the observer's: the other's hand was full, he drew nothing.
            code = end_other_turn(game, k)
            if code:
                return code
        if s.player == observer:
            if not is_legal(game, s, label):
                return NOT_NOW
        else:
            code = admit_other(game, k, label)
            if code:
                return code
        game.apply(game, s, &k.memory, label)
        return 0
    # a chance event
    if hidden != (label >= DEAL_UNSEEN):
        return NOT_SEEN
    if not hidden:
        card = label - (DEAL if label < DRAW else DRAW)
        if k.counts[card] == 0:
            return NO_SUCH_CARD
        if not could_come(k, card, True):
            return NOT_AFTER_RESHUFFLE
    game.apply(game, s, &k.memory, label)
    return 0


cdef int admit_other(const GameC* game, Info* k, int32_t label) noexcept nogil:
    """Whether the other player can have done what is seen as `label`."""
    cdef State shown = k.state
    cdef uint8_t* hand = shown.hand[shown.player]
    cdef int i, n = shown.n_hand[shown.player], card = card_of(label)
    if card < CARDS:
        for i in range(n):
            if hand[i] == card or hand[i] == UNKNOWN:
                break
        else:
            return NO_SUCH_CARD
        if hand[i] == UNKNOWN and k.counts[card] == 0:
            return NO_SUCH_CARD
        hand[0] = card  # what is legal with this card does not depend on the others
        shown.n_hand[shown.player] = 1
        if not is_legal(game, &shown, label):
            return NOT_NOW
        return 0 if could_come(k, card, False) else NOT_AFTER_RESHUFFLE
    if label == BANK_UNSEEN:
        return 0 if n and (shown.phase == STATIONS or shown.phase == INCOME) else NOT_NOW
    if label == DONE:
        if shown.phase == PASSENGERS:
            return 0 if shown.boarded else NOT_NOW
        return 0 if could_buy(game, &shown) else NOT_SEEN
    if BUY <= label < DONE:
        if shown.phase == PASSENGERS:
            return NOT_NOW
        if shown.phase != PURCHASE:
            set_step(&shown, PURCHASE, 0, 0)
        return 0 if is_legal(game, &shown, label) else NOT_NOW
    return NOT_SEEN
