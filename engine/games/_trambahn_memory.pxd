# What the players of Trambahn have seen and can remember beyond what lies on the table: who knows which card of a money pile or of the
# discard pile, and, after a reshuffle, which cards went into the draw pile. The rules call the hooks below where something becomes visible
# or moves; all are no-ops when memory is NULL (inside a search).
#
# Epochs. Reshuffle e begins epoch e (the deal: 0). A card that an observer knew on the discard pile at reshuffle e, and has not seen since,
# is of *class* e: it can only be in the draw pile or where cards drawn in epoch e or later have gone. Cards never seen are of class 0.
# A hidden card put down in epoch e has the *cap* e: no card of a higher class can be there. With more than EPOCHS - 1 reshuffles
# the oldest class is given up (its cards count as class 0), which only forgets.
from libc.stdint cimport uint8_t
from libc.string cimport memset

from wattman.engine.games._trambahn_state cimport CARDS, DECK, PASSENGERS, PLAYERS, UNKNOWN, State

cdef enum:
    EPOCHS = 4
    LOG = 240           # at most 120 draws and 120 cards leaving a hand between two reshuffles
    INCOME_STEPS = 192  # income steps; a game has at most 49 turns with a passenger, a position file at most 100 steps before
    # Entries of a log; a plain card 0..40 is one that the other player showed.
    OWN_DRAW = 64       # + card: drawn by the observer
    OTHER_DRAW = 128    # the other player drew one
    OTHER_BANK = 129    # the other player put one on his money pile, face down


cdef struct Recall:
    # What one observer remembers of the cards since the last reshuffle.
    uint8_t recycled[EPOCHS][CARDS]   # [e]: cards of class e (for the current epoch: when it began)
    uint8_t mixed[EPOCHS]             # [cap]: unknown cards that were among the discards when the epoch began
    uint8_t hand                      # the other player's hand cards when the epoch began
    uint8_t n_log
    uint8_t log[LOG]                  # what happened since, in order


cdef struct Memory:
    uint8_t observer                  # 0: both players' recall is kept; 1 + p: only player p's (inside his Info)
    uint8_t epoch                     # reshuffles so far, at most EPOCHS - 1
    uint8_t reshuffles                # reshuffles so far
    uint8_t groups                    # income steps so far in which cards were put down
    uint8_t turn_banked               # cards put down by the player on turn in this turn's income step
    uint8_t turn_column               # State.column and State.opened after this turn's last build
    uint8_t turn_opened
    uint8_t turn_bought               # trams bought this turn
    uint8_t start[CARDS]              # the draw pile when the epoch began (for Deal); zero in an Info
    # Beside each money card: bits 0-1 who knows which it is, bits 2-3 its cap; and the income step it came from, 0: none.
    uint8_t tag[PLAYERS][DECK]
    uint8_t group[PLAYERS][DECK]
    uint8_t lost[INCOME_STEPS]        # by income step: cards of it that went into a draw pile while lower ones stayed on the money pile
    uint8_t discard_tag[DECK]
    uint8_t discard_group[DECK]
    Recall recall[PLAYERS]


cdef inline bint keeps(const Memory* memory, int observer) noexcept nogil:
    return memory.observer == 0 or memory.observer == 1 + observer


cdef inline void note(Memory* memory, int observer, int entry) noexcept nogil:
    cdef Recall* recall = &memory.recall[observer]
    # Before the first reshuffle all unseen cards are alike: there is nothing to note.
    if memory.epoch and keeps(memory, observer) and recall.n_log < LOG:
        recall.log[recall.n_log] = entry
        recall.n_log += 1


# How many cards of `player`'s hand the one who remembers does not know. (A position may say what some of the others' cards are.)
cdef inline int hidden_in_hand(const State* state, const Memory* memory, int player) noexcept nogil:
    cdef int i, n = 0
    if memory.observer == 0:
        return state.n_hand[player]
    for i in range(state.n_hand[player]):
        n += state.hand[player][i] == UNKNOWN
    return n


# Whether he knows that `player` holds `card`.
cdef inline bint known_in_hand(const State* state, const Memory* memory, int player, int card) noexcept nogil:
    cdef int i
    if memory.observer:
        for i in range(state.n_hand[player]):
            if state.hand[player][i] == card:
                return True
    return False


# `player` is about to show `card` of his hand (board, build): the card is still in his hand.
cdef inline void remember_shown(State* state, Memory* memory, int player, int card) noexcept nogil:
    if memory == NULL:
        return
    if state.phase == PASSENGERS and state.boarded == 0:
        memory.turn_banked = memory.turn_column = memory.turn_opened = memory.turn_bought = 0
    if not known_in_hand(state, memory, player, card):
        note(memory, 1 - player, card)


# A card has just been built: state.column and state.opened are as they are now.
cdef inline void remember_built(State* state, Memory* memory) noexcept nogil:
    if memory == NULL:
        return
    memory.turn_column = state.column
    memory.turn_opened = state.opened


cdef inline void remember_bought(State* state, Memory* memory) noexcept nogil:
    if memory == NULL:
        return
    memory.turn_bought += 1


# `player` has just drawn `card` from the draw pile to his hand.
cdef inline void remember_drawn(State* state, Memory* memory, int player, int card) noexcept nogil:
    if memory == NULL:
        return
    note(memory, player, OWN_DRAW + card)
    note(memory, 1 - player, OTHER_DRAW)


# A card has just been put on top of `player`'s money pile. `seen`: bit p set if player p knows which (0 for the start money, the owner's bit
# for income, 3 for an abandoned column).
cdef inline void remember_banked(State* state, Memory* memory, int player, int seen) noexcept nogil:
    if memory == NULL:
        return
    cdef int i = state.n_pile[player] - 1
    memory.tag[player][i] = seen | (memory.epoch << 2)
    memory.group[player][i] = 0
    if seen == 1 << player:
        memory.group[player][i] = memory.groups
        memory.turn_banked += 1
        note(memory, 1 - player, OTHER_BANK)


# `player` begins an income step in which he puts cards on his pile in card order (called before the first of them).
cdef inline void remember_income(State* state, Memory* memory, int player) noexcept nogil:
    if memory == NULL:
        return
    memory.groups = min(memory.groups + 1, INCOME_STEPS - 1)


# The top card of `player`'s money pile has just moved to the discard pile (n_pile already less, n_discard already more).
cdef inline void remember_paid(State* state, Memory* memory, int player) noexcept nogil:
    if memory == NULL:
        return
    cdef int top = state.n_pile[player], i = state.n_discard - 1
    memory.discard_tag[i] = memory.tag[player][top]
    memory.discard_group[i] = memory.group[player][top]
    memory.tag[player][top] = memory.group[player][top] = 0


# A card that both players know (a scored passenger) has just been put on the discard pile.
cdef inline void remember_scored(State* state, Memory* memory) noexcept nogil:
    if memory == NULL:
        return
    memory.discard_tag[state.n_discard - 1] = 3
    memory.discard_group[state.n_discard - 1] = 0


# The discard pile is about to become the new draw pile (the deck is empty, the discard still in place).
cdef inline void remember_reshuffle(State* state, Memory* memory) noexcept nogil:
    if memory == NULL:
        return
    cdef int observer, i
    cdef Recall* recall
    if memory.epoch == EPOCHS - 1:
        forget_oldest(memory)
    memory.reshuffles = min(memory.reshuffles + 1, 255)
    memory.epoch += 1
    memset(memory.start, 0, sizeof(memory.start))
    for i in range(state.n_discard):
        if state.discard[i] < CARDS and memory.observer == 0:
            memory.start[state.discard[i]] += 1
    for observer in range(PLAYERS):
        if not keeps(memory, observer):
            continue
        recall = &memory.recall[observer]
        if memory.epoch > 1:
            forget_seen(recall, memory.epoch - 1)
        memset(recall.recycled[memory.epoch], 0, CARDS)
        memset(recall.mixed, 0, EPOCHS)
        for i in range(state.n_discard):
            if memory.discard_tag[i] >> observer & 1:
                recall.recycled[memory.epoch][state.discard[i]] += 1
            else:
                recall.mixed[memory.discard_tag[i] >> 2] += 1
        recall.hand = hidden_in_hand(state, memory, 1 - observer)
        recall.n_log = 0
        memset(recall.log, 0, LOG)
    split_steps(state, memory)
    memset(memory.discard_tag, 0, DECK)
    memset(memory.discard_group, 0, DECK)


cdef inline void forget_seen(Recall* recall, int epoch) noexcept nogil:
    """Classes keep what has not been seen again in this epoch. Where a card seen could have been of several classes it counts as one of
    the highest: that leaves more open, so that nothing possible is excluded."""
    cdef int i, c, card, entry, draws = 0, highest
    cdef uint8_t shown[CARDS]
    memset(shown, 0, CARDS)
    for i in range(recall.n_log):
        entry = recall.log[i]
        draws += entry == OTHER_DRAW
        card = entry - OWN_DRAW if OWN_DRAW <= entry < OTHER_DRAW else entry
        if card >= CARDS:
            continue
        highest = epoch
        if entry < CARDS:
            # He has drawn too few in this epoch: one more card of this kind shown must have been in his hand before.
            if shown[card] >= draws:
                highest = epoch - 1
            else:
                shown[card] += 1
        for c in range(highest, 0, -1):
            if recall.recycled[c][card]:
                recall.recycled[c][card] -= 1
                break


cdef inline void split_steps(State* state, Memory* memory) noexcept nogil:
    """`lost` for the income steps of which some cards go into the draw pile and others stay on the money pile."""
    cdef uint8_t there[INCOME_STEPS]
    cdef int i, p
    memset(there, 0, INCOME_STEPS)
    for i in range(state.n_discard):
        memory.lost[memory.discard_group[i]] += 1
    for p in range(PLAYERS):
        for i in range(state.n_pile[p]):
            there[memory.group[p][i]] = 1
    for i in range(INCOME_STEPS):
        if i == 0 or not there[i]:
            memory.lost[i] = 0


cdef inline void forget_oldest(Memory* memory) noexcept nogil:
    """Give up class 1: every class and cap moves down by one."""
    cdef int observer, e, card, p, i, cap
    memory.epoch -= 1
    for observer in range(PLAYERS):
        for e in range(1, EPOCHS):
            for card in range(CARDS):
                memory.recall[observer].recycled[e][card] = memory.recall[observer].recycled[e + 1][card] if e + 1 < EPOCHS else 0
    for p in range(PLAYERS):
        for i in range(DECK):
            cap = memory.tag[p][i] >> 2
            if cap:
                memory.tag[p][i] -= 1 << 2
    for i in range(DECK):
        if memory.discard_tag[i] >> 2:
            memory.discard_tag[i] -= 1 << 2
