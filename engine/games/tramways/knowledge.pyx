"""What one player of Tramways sees (`seen`, `more`) and knows (`hide`, `admit`), and worlds that agree with it (`fill`).

Hidden are draws alone, so what is hidden of a rival is which of some known cards are in his hand and which in his deck. While he decides
there is one thing more to know: that his cards allow what he has begun, and that he has a choice now; else the game would have gone on.

Decisions with one legal answer are told like those that were made (`more`), since what is forced may depend on a hidden hand. So an Info
moves on by single decisions, and what can be told from a hand's having had a choice is left aside as soon as the choice is made.
"""
from libc.stdint cimport int16_t, int32_t, uint8_t, uint64_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport GameC
from wattman.engine.games.tramways.bits cimport put
from wattman.engine.games.tramways.chance cimport list_outcomes
from wattman.engine.games.tramways.course cimport next_draw
from wattman.engine.games.tramways.options cimport find_options, list_options
from wattman.engine.games.tramways.rules cimport is_decision, settle
from wattman.engine.games.tramways.state cimport (
    AUCTION,
    CARDS,
    DRAW,
    KIND,
    NONE,
    OVER,
    PATH,
    PAY,
    SEATS,
    SQUARES,
    TRAIL,
    TRIP,
    TYPES,
    Data,
    Player,
    State,
    add_card,
    find_card,
    take_card,
)
from wattman.engine.games.tramways.steps cimport step
from wattman.engine.rng cimport Rng, rng_below

cdef enum:
    TRIES = 3000        # worlds dealt until one agrees with what is seen of a rival's decision
    THINNED = 200       # after that, hands that are made to agree with it


cdef inline const Data* data_of(const GameC* game) noexcept nogil:
    return <const Data*>game.data


# --- seen ---

cdef int32_t seen(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef const State* s = <const State*>state
    return d.draw_unseen if s.phase == DRAW and s.player != observer else event


cdef int more(const GameC* game, const void* state, int32_t* labels) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int i
    for i in range(s.n_trail):
        labels[i] = s.trail[i]
    return s.n_trail


# --- hide ---

cdef inline int hidden_cards(const Player* p) noexcept nogil:
    """How many cards of a rival's hand an Info does not know."""
    cdef int n = 0
    while n < p.n_hand and p.hand[p.n_hand - 1 - n] == NONE:
        n += 1
    return n


cdef void hide_hand(Player* p, const Memory* m, int player) noexcept nogil:
    """Leaves in a hand what all know of it, and puts the rest to the deck."""
    cdef uint8_t rest[CARDS]
    cdef uint8_t hand[CARDS]
    cdef uint8_t n_rest = p.n_hand, n_cards = p.n_deck
    cdef int i
    memcpy(rest, p.hand, CARDS)
    memset(hand, 0, CARDS)
    memcpy(hand, m.known[player], m.n_known[player])
    for i in range(m.n_known[player]):
        take_card(rest, &n_rest, hand[i])
    for i in range(n_rest):
        hand[m.n_known[player] + i] = NONE
        add_card(p.deck, &n_cards, rest[i])
    memcpy(p.hand, hand, CARDS)


cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef Info* k = <Info*>info
    cdef int p
    memset(k, 0, sizeof(Info))
    memcpy(&k.state, state, sizeof(State))
    memcpy(&k.memory, memory, sizeof(Memory))
    k.observer = observer
    for p in range(d.players):
        if p != observer:
            hide_hand(&k.state.players[p], &k.memory, p)
    prepare(d, k)


cdef void show_hand(Player* p) noexcept nogil:
    """The deck is empty: all cards of which it was not known are in the hand."""
    cdef uint8_t n = hidden_cards(p)
    cdef int i
    p.n_hand -= n
    for i in range(n):
        p.hand[p.n_hand] = 0
        add_card(p.hand, &p.n_hand, p.deck[i])
    memset(p.deck, 0, CARDS)


cdef void prepare(const Data* d, Info* k) noexcept nogil:
    """Everything in an Info that follows from the rest of it."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef Player* x
    cdef int p
    for p in range(d.players):
        x = &s.players[p]
        if x.n_deck == 0:
            if p != k.observer:
                show_hand(x)
            m.n_known[p] = x.n_hand
            memcpy(m.known[p], x.hand, CARDS)
    memset(m.n_start, 0, SEATS)
    memset(m.start, 0, SEATS * CARDS)
    memset(m.start_reserve, 0, AUCTION)
    memset(m.start_types, 0, TYPES)
    memset(s.trail, 0, TRAIL * sizeof(int16_t))
    s.n_trail = 0
    s.options = 0
    if is_decision(s.phase) and s.player == k.observer:
        find_options(d, s)


# --- fill ---

cdef void deal_hand(Player* p, const Player* known, Rng* rng) noexcept nogil:
    """Some of the cards that may be in hand or deck come to the hand, each choice as likely as any other."""
    cdef uint8_t cards[CARDS]
    cdef int hidden = hidden_cards(known), n = hidden + known.n_deck, i, j, left = hidden
    cdef int known_cards = known.n_hand - hidden
    memcpy(cards, known.deck, CARDS)
    memcpy(p.hand, known.hand, CARDS)
    memset(p.hand + known_cards, 0, CARDS - known_cards)
    memset(p.deck, 0, CARDS)
    p.n_hand = known_cards
    p.n_deck = 0
    # One by one in order, so that the deck stays sorted: each is taken with the probability that is left to it.
    for i in range(n):
        j = rng_below(rng, n - i)
        if j < left:
            left -= 1
            add_card(p.hand, &p.n_hand, cards[i])
        else:
            p.deck[p.n_deck] = cards[i]
            p.n_deck += 1


cdef int choices(const Data* d, State* s, int32_t* ids) noexcept nogil:
    """How many legal decisions there are with the mover's hand as it is."""
    find_options(d, s)
    return list_options(d, s, ids)


cdef bint thin_out(const Data* d, State* s, const Player* known, int32_t* ids, Rng* rng) noexcept nogil:
    """A hand that leaves a choice, where one that is dealt hardly ever does: all cards that it may have, taken away one by one in a random
    order as long as there is a choice. Each hand that leaves one can come of it (more cards never leave less choice), though not each as
    likely as another. Returns whether one did; else there are too many cards left.
    """
    cdef Player* p = &s.players[s.player]
    cdef uint8_t cards[CARDS]
    cdef int hidden = hidden_cards(known), n = hidden + known.n_deck, i, j
    cdef uint8_t size = n, kind
    memcpy(cards, known.deck, CARDS)
    for i in range(n - 1):
        j = i + rng_below(rng, n - i)
        kind = cards[i]
        cards[i] = cards[j]
        cards[j] = kind
    memcpy(p.hand, known.hand, CARDS)
    p.n_hand = known.n_hand - hidden
    memset(p.hand + p.n_hand, 0, CARDS - p.n_hand)
    memset(p.deck, 0, CARDS)
    p.n_deck = 0
    for i in range(n):
        add_card(p.hand, &p.n_hand, cards[i])
    for i in range(n):
        if size == hidden:
            return True
        take_card(p.hand, &p.n_hand, cards[i])
        if choices(d, s, ids) > 1:
            add_card(p.deck, &p.n_deck, cards[i])
            size -= 1
        else:
            add_card(p.hand, &p.n_hand, cards[i])
    return size == hidden


cdef void take_back(const Data* d, State* s) noexcept nogil:
    """The action in progress has not begun."""
    cdef Player* p = &s.players[s.player]
    cdef int i
    for i in range(s.n_path):
        put(&s.free, s.path[i])
    p.rails += s.n_path
    for i in range(s.n_named):
        add_card(p.hand, &p.n_hand, s.named[i])
    s.action = s.a = s.b = s.type = s.cost = s.n_path = s.n_rides = s.here = s.last = s.n_named = 0
    memset(s.path, 0, PATH)
    memset(s.ride, 0, TRIP)
    memset(s.named, 0, CARDS)
    s.phase = KIND
    find_options(d, s)


cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef const Info* k = <const Info*>info
    cdef State* s = <State*>state
    cdef Memory* m = <Memory*>memory
    cdef int32_t ids[512]
    cdef int p, attempt, n = 2
    memcpy(s, &k.state, sizeof(State))
    for p in range(d.players):
        if p != k.observer:
            deal_hand(&s.players[p], &k.state.players[p], rng)
    p = s.player
    if is_decision(s.phase) and p != k.observer:
        n = choices(d, s, ids)
        if n < 2 and hidden_cards(&k.state.players[p]) and k.state.players[p].n_deck:
            for attempt in range(TRIES):
                deal_hand(&s.players[p], &k.state.players[p], rng)
                n = choices(d, s, ids)
                if n > 1:
                    break
            if n < 2:
                for attempt in range(THINNED):
                    if thin_out(d, s, &k.state.players[p], ids, rng):
                        break
                else:  # between two labels of one event he may have none
                    for attempt in range(TRIES):
                        deal_hand(&s.players[p], &k.state.players[p], rng)
                        if choices(d, s, ids):
                            break
                n = choices(d, s, ids)
    if m != NULL:
        memcpy(m, &k.memory, sizeof(Memory))
        for p in range(d.players):
            m.n_start[p] = s.players[p].n_deck
            memcpy(m.start[p], s.players[p].deck, CARDS)
        memcpy(m.start_reserve, s.reserve, AUCTION)
        memcpy(m.start_types, s.type_tiles, TYPES)
    if n < 2:
        # What was told of a rival cannot have been all: after a position, or between two labels of one event. The world goes on by itself.
        if n == 0:
            take_back(d, s)
        settle(d, s, m, s.player)
        memset(s.trail, 0, TRAIL * sizeof(int16_t))
        s.n_trail = 0


# --- admit ---

cdef enum:
    GAME_OVER = 1
    NOT_NOW = 2
    NO_SUCH_CARD = 3
    NOT_SEEN = 4
    NO_EVENT = 5
    NOT_POSSIBLE = 6
    NOT_HIS_TURN = 7


cdef int plain_label(const Data* d, int label) noexcept nogil:
    """The decision of a label that also says whose it is."""
    cdef int what = (label - d.by) % (3 + d.n_auction)
    if what == 0:
        return d.fold
    if what == 1:
        return d.kind + 9
    return d.done if what == 2 else d.take + what - 3


cdef bint among(const int32_t* ids, int n, int label) noexcept nogil:
    cdef int i
    for i in range(n):
        if ids[i] == label:
            return True
    return False


cdef int admit_chance(const Data* d, Info* k, int32_t label) noexcept nogil:
    cdef State* s = &k.state
    cdef Player* p = &s.players[s.player]
    cdef int32_t ids[2 * SQUARES]
    cdef int counts[2 * SQUARES]
    if s.phase > DRAW:
        return NOT_NOW
    if s.phase == DRAW:
        if label != d.draw_unseen and not d.draw <= label < d.draw_unseen:
            return NOT_NOW
        if (label == d.draw_unseen) == (s.player == k.observer):
            return NOT_SEEN
        if label == d.draw_unseen:
            p.n_deck -= 1
            add_card(p.hand, &p.n_hand, NONE)
            if p.n_deck == 0:
                show_hand(p)
            next_draw(d, s, &k.memory)
            return 0
    if not among(ids, list_outcomes(d, s, ids, counts), label):
        return NO_SUCH_CARD if s.phase == DRAW and d.draw <= label < d.draw_unseen else NOT_NOW
    step(d, s, &k.memory, label)
    return 0


cdef int admit_decision(const Data* d, Info* k, int32_t label) noexcept nogil:
    cdef State* s = &k.state
    cdef State trial
    cdef Player* p
    cdef int32_t ids[512]
    cdef int i, n, kind, hidden
    if not is_decision(s.phase):
        return NOT_NOW
    memcpy(&trial, s, sizeof(State))
    p = &trial.players[s.player]
    hidden = 0
    if s.player != k.observer:
        # What could be in his hand allows whatever his hand allows.
        hidden = hidden_cards(p)
        p.n_hand -= hidden
        memset(p.hand + p.n_hand, 0, hidden)
        if hidden:
            for i in range(hidden + p.n_deck):
                add_card(p.hand, &p.n_hand, p.deck[i])
    find_options(d, &trial)
    n = list_options(d, &trial, ids)
    if not among(ids, n, label):
        return NOT_POSSIBLE
    p = &s.players[s.player]
    kind = label - d.pay if d.pay <= label < d.done else label - d.trash if d.trash <= label < d.purge else -1
    if kind >= 0 and find_card(p.hand, p.n_hand - hidden, kind) < 0:
        if hidden == 0:
            return NO_SUCH_CARD
        n = hidden + p.n_deck  # one of those that were hidden
        take_card(p.hand, &p.n_hand, NONE)
        add_card(p.hand, &p.n_hand, kind)
        take_from(p.deck, n, kind)
        add_card(k.memory.known[s.player], &k.memory.n_known[s.player], kind)
    step(d, s, &k.memory, label)
    return 0


cdef void take_from(uint8_t* cards, int n, int kind) noexcept nogil:
    cdef uint8_t count = n
    take_card(cards, &count, kind)


cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil:
    cdef const Data* d = data_of(game)
    cdef Info trial
    cdef State* s = &trial.state
    cdef int code
    memcpy(&trial, info, sizeof(Info))
    if not 0 <= label < d.events:
        return NO_EVENT
    if s.phase == OVER:
        return GAME_OVER
    if label >= d.by:
        if not is_decision(s.phase) or s.player != (label - d.by) // (3 + d.n_auction):
            return NOT_HIS_TURN
        code = admit_decision(d, &trial, plain_label(d, label))
    elif label >= game.actions:
        code = admit_chance(d, &trial, label)
    else:
        code = admit_decision(d, &trial, label)
    if code == 0:
        prepare(d, &trial)
        memcpy(info, &trial, sizeof(Info))
    return code
