"""Leduc poker: the smallest complete game here, and the one to read first when adding another.

Rules (Southey et al., "Bayes' Bluff: Opponent Modelling in Poker", UAI 2005)
------------------------------------------------------------------------------
Six cards: two each of J, Q, K. Two players put in an ante of 1 chip and get one private card each. A round of betting, one public card, a
second round; player 0 begins both. A raise is 2 chips in the first round, 4 in the second, at most two raises a round. `fold` is possible
only against a raise. At the showdown a card that pairs the public one wins, else the higher card; equal cards share the pot.
`returns()` are the chips won.

Parameters: `players` (2).

Events
------
| when | events | seen by |
| --- | --- | --- |
| dealing | `deal J` (player 0's card, then player 1's) | its owner; the other sees `deal ?` |
| turn | `fold`, `call` (also a check), `raise` | both; the last `call` shows the hands, each sees it as `call, shown J` (the other's card) |
| between the rounds | `flop K` (the public card) | both |

Observation (layout 1): own card one-hot [3], public card one-hot [3], second round [1], own chips in the pot / 13 [1], the other's / 13 [1],
raises this round / 2 [1].
"""
from libc.stdint cimport int8_t, int32_t, uint8_t
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, NOTHING, TERMINAL, GameC, Stream
from wattman.engine.game cimport Game, InfoState
from wattman.engine.game cimport State as PyState
from wattman.engine.rng cimport Rng, rng_below, rng_uniform

from wattman.engine import boards
from wattman.engine.game import Option

cdef enum:
    FOLD = 0
    CALL = 1
    RAISE = 2
    DEAL = 3        # + card: outcomes
    FLOP = 6        # + card
    DEAL_UNSEEN = 9  # partial labels
    SHOWDOWN = 10    # + the other player's card: a call that ends the game shows both hands
    KINDS = 3
    COPIES = 2
    NO_CARD = 254
    UNKNOWN = 255


cdef struct Data:
    # From engine/data/leduc.toml; what a game loads, it keeps here and reaches by game.data.
    uint8_t ante
    uint8_t raises[2]   # chips, by round
    uint8_t most_raises


cdef struct State:
    uint8_t card[2]     # private cards: 0..2 (J Q K), NO_CARD before the deal, UNKNOWN in an Info
    uint8_t public
    uint8_t round       # 0, 1
    uint8_t player      # to act
    uint8_t raises      # this round
    uint8_t acted       # decisions this round since the last raise, that one included
    uint8_t folded      # 1 + player who folded, 0: nobody
    uint8_t over
    uint8_t chips[2]    # in the pot


cdef struct Memory:
    uint8_t start[KINDS]  # cards in the deck when the game, or the dealt world, began (for Deal)


cdef struct Info:
    State state
    uint8_t observer


cdef void init(const GameC* game, void* state, void* memory) noexcept nogil:
    cdef State* s = <State*>state
    memset(s, 0, sizeof(State))
    s.card[0] = s.card[1] = s.public = NO_CARD
    s.chips[0] = s.chips[1] = (<const Data*>game.data).ante
    if memory != NULL:
        memset(memory, COPIES, sizeof(Memory))


cdef int to_move(const GameC* game, const void* state) noexcept nogil:
    cdef const State* s = <const State*>state
    if s.over:
        return TERMINAL
    if s.card[1] == NO_CARD or (s.round == 1 and s.public == NO_CARD):
        return CHANCE
    return s.player


cdef int legal(const GameC* game, const void* state, int32_t* ids) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int n = 0
    if s.chips[0] != s.chips[1]:
        ids[n] = FOLD
        n += 1
    ids[n] = CALL
    n += 1
    if s.raises < (<const Data*>game.data).most_raises:
        ids[n] = RAISE
        n += 1
    return n


cdef void apply(const GameC* game, void* state, void* memory, int32_t event) noexcept nogil:
    cdef State* s = <State*>state
    cdef int other = 1 - s.player
    if event == DEAL_UNSEEN or DEAL <= event < FLOP:
        s.card[0 if s.card[0] == NO_CARD else 1] = UNKNOWN if event == DEAL_UNSEEN else event - DEAL
    elif event >= FLOP:
        s.public = event - FLOP
    elif event == FOLD:
        s.folded = 1 + s.player
        s.over = 1
    elif event == RAISE:
        s.chips[s.player] = s.chips[other] + (<const Data*>game.data).raises[s.round]
        s.raises += 1
        s.acted = 1
        s.player = other
    else:
        s.chips[s.player] = s.chips[other]
        s.acted += 1
        s.player = other
        if s.acted == 2:
            if s.round == 1:
                s.over = 1
            else:
                s.round = 1
                s.raises = s.acted = s.player = 0


cdef int left(const State* s, int kind) noexcept nogil:
    """Copies of a card that are still in the deck."""
    return COPIES - (s.card[0] == kind) - (s.card[1] == kind) - (s.public == kind)


cdef int first_outcome(const State* s) noexcept nogil:
    return DEAL if s.card[1] == NO_CARD else FLOP


cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int kind, n = 0, total = 0
    for kind in range(KINDS):
        if left(s, kind):
            total += left(s, kind)
            ids[n] = first_outcome(s) + kind
            probabilities[n] = left(s, kind)
            n += 1
    for kind in range(n):
        probabilities[kind] /= total
    return n


cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int kind, pick = rng_below(rng, left(s, 0) + left(s, 1) + left(s, 2))
    for kind in range(KINDS):
        pick -= left(s, kind)
        if pick < 0:
            break
    return first_outcome(s) + kind


cdef void stream(const GameC* game, const void* state, const void* memory, Stream* out) noexcept nogil:
    cdef const State* s = <const State*>state
    cdef int kind
    out.stream = 0
    out.epoch = 0
    out.n = KINDS
    for kind in range(KINDS):
        out.ids[kind] = first_outcome(s) + kind
        out.kind[kind] = kind
        out.start[kind] = (<const Memory*>memory).start[kind]
        out.left[kind] = left(s, kind)


cdef int net(const State* s) noexcept nogil:
    """Chips that player 0 wins; before the end as if the cards were shown now."""
    cdef int mine, theirs
    if s.folded:
        return s.chips[1] if s.folded == 2 else -s.chips[0]
    mine = s.card[0] + 10 * (s.card[0] == s.public)
    theirs = s.card[1] + 10 * (s.card[1] == s.public)
    if mine == theirs:
        return 0
    return s.chips[1] if mine > theirs else -s.chips[0]


cdef void scores(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef const State* s = <const State*>state
    out[0] = net(s) if s.over else 0
    out[1] = 0 - out[0]  # not -0.0


cdef void values(const GameC* game, const void* state, double* out) noexcept nogil:
    cdef int player, won = net(<const State*>state)
    for player in range(2):
        out[3 * player] = 0.5 if won == 0 else <double>(won > 0)
        out[3 * player + 1] = won
        out[3 * player + 2] = won
        won = -won


cdef bint ends_by_call(const State* s) noexcept nogil:
    return s.round == 1 and s.acted == 1


cdef int32_t seen(const GameC* game, const void* state, int32_t event, int observer) noexcept nogil:
    cdef const State* s = <const State*>state
    if event == CALL and ends_by_call(s) and s.card[1 - observer] < KINDS:
        return SHOWDOWN + s.card[1 - observer]
    if DEAL <= event < FLOP and observer != (0 if s.card[0] == NO_CARD else 1):
        return DEAL_UNSEEN
    return event


# --- hidden information. In an Info the card that its observer does not know is UNKNOWN. ---

cdef void hide(const GameC* game, const void* state, const void* memory, int observer, void* info) noexcept nogil:
    cdef State* s = <State*>info
    memcpy(s, state, sizeof(State))
    (<Info*>info).observer = observer
    # At a showdown both cards are shown; a folded hand is not.
    if s.card[1 - observer] != NO_CARD and not (s.over and not s.folded):
        s.card[1 - observer] = UNKNOWN


cdef void fill(const GameC* game, const void* info, Rng* rng, void* state, void* memory) noexcept nogil:
    cdef State* s = <State*>state
    cdef int kind, player, pick
    memcpy(s, info, sizeof(State))
    for player in range(2):
        if s.card[player] == UNKNOWN:
            pick = rng_below(rng, left(s, 0) + left(s, 1) + left(s, 2))
            for kind in range(KINDS):
                pick -= left(s, kind)
                if pick < 0:
                    break
            s.card[player] = kind
    if memory != NULL:
        for kind in range(KINDS):
            (<Memory*>memory).start[kind] = left(s, kind)


cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil:
    cdef State* s = <State*>info
    cdef int32_t ids[3]
    cdef int i, who = to_move(game, info)
    if who == TERMINAL:
        return 1
    if who >= 0:
        if label >= SHOWDOWN:
            if not ends_by_call(s):
                return 2
            who = 0 if s.card[0] == UNKNOWN else 1
            if left(s, label - SHOWDOWN) == 0:
                return 2
            s.card[who] = label - SHOWDOWN
            apply(game, info, NULL, CALL)
            return 0
        for i in range(legal(game, info, ids)):
            if ids[i] == label and not (label == CALL and ends_by_call(s)):
                apply(game, info, NULL, label)
                return 0
        return 2
    if s.card[1] == NO_CARD and (label == DEAL_UNSEEN) == ((<Info*>info).observer == (0 if s.card[0] == NO_CARD else 1)):
        return 3
    if label == DEAL_UNSEEN:
        if s.card[1] != NO_CARD:
            return 2
    elif not first_outcome(s) <= label < first_outcome(s) + KINDS or left(s, label - first_outcome(s)) == 0:
        return 2
    apply(game, info, NULL, label)
    return 0


# --- for the players ---

cdef void weights(const GameC* game, const void* state, const int32_t* ids, int n, float* out) noexcept nogil:
    """Raise with a pair or a king, call with the rest, fold a jack that does not pair."""
    cdef const State* s = <const State*>state
    cdef int i, card = s.card[s.player]
    cdef bint strong = card == s.public or card == 2
    for i in range(n):
        if ids[i] == RAISE:
            out[i] = 3 if strong else 0.5
        elif ids[i] == FOLD:
            out[i] = 1.5 if card == 0 and not strong else 0.1
        else:
            out[i] = 1


cdef int32_t playout(const GameC* game, const void* state, void* scratch, Rng* rng) noexcept nogil:
    cdef int32_t ids[3]
    cdef float w[3]
    cdef double pick
    cdef int i, n = legal(game, state, ids)
    weights(game, state, ids, n, w)
    pick = 0
    for i in range(n):
        pick += w[i]
    pick *= rng_uniform(rng)
    for i in range(n):
        pick -= w[i]
        if pick < 0:
            return ids[i]
    return ids[n - 1]


cdef void observe(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    cdef const State* s = <const State*>state
    memset(out, 0, 10 * sizeof(float))
    if s.card[player] < KINDS:
        out[s.card[player]] = 1
    if s.public < KINDS:
        out[3 + s.public] = 1
    out[6] = s.round
    out[7] = s.chips[player] / 13.0
    out[8] = s.chips[1 - player] / 13.0
    out[9] = s.raises / 2.0


cdef void hidden_targets(const GameC* game, const void* state, int player, float* out) noexcept nogil:
    cdef const State* s = <const State*>state
    memset(out, 0, 3 * sizeof(float))
    if s.card[1 - player] < KINDS:
        out[s.card[1 - player]] = 1


cdef int canonical(const GameC* game, const void* state, uint8_t* out) noexcept nogil:
    memcpy(out, state, sizeof(State))
    return sizeof(State)


# --- the Python side ---

NOTATION = ["fold", "call", "raise", "deal J", "deal Q", "deal K", "flop J", "flop Q", "flop K", "deal ?",
            "call, shown J", "call, shown Q", "call, shown K"]
LETTERS = "JQK"


cdef class Leduc(Game):
    """Leduc poker."""

    NAME = "leduc"
    TITLE = "Leduc poker"
    LAYOUT = 1
    OPTIONS = {"players": Option(2, (2,), "number of players")}

    cdef Data _data

    def _load(self):
        cdef GameC* c = &self.c
        betting = boards.load("leduc")["betting"]
        self._data.ante, self._data.most_raises = betting["ante"], betting["most_raises"]
        self._data.raises[0], self._data.raises[1] = betting["raises"]
        c.data = &self._data
        c.players, c.actions, c.outcomes, c.labels = 2, 3, 6, 4
        c.max_legal, c.max_outcomes, c.max_events = 3, 3, 11
        c.state_size, c.memory_size, c.info_size = sizeof(State), sizeof(Memory), sizeof(Info)
        c.observation_size, c.hidden_size = 10, 3
        c.reward[0], c.reward[1], c.reward[2] = 0, 1, 0  # chips are what counts
        c.scale = 13
        c.init, c.to_move, c.legal, c.apply, c.chance, c.sample, c.stream = init, to_move, legal, apply, chance, sample, stream
        c.scores, c.values, c.returns, c.seen, c.hide, c.fill, c.admit = scores, values, scores, seen, hide, fill, admit
        c.playout, c.weights, c.observe, c.hidden_targets, c.canonical = playout, weights, observe, hidden_targets, canonical

    def max_return(self) -> float:
        return 13.0  # chips

    def observation_names(self) -> list[str]:
        cards = [f"{place} {letter}" for place in ("own card", "public card") for letter in LETTERS]
        return [*cards, "second round", "seat 0 chips", "seat 1 chips", "raises"]

    def event_to_string(self, int event) -> str:
        if not 0 <= event < len(NOTATION):
            raise ValueError(f"id {event} is no event; ids run from 0 to {len(NOTATION) - 1}")
        return NOTATION[event]

    def string_to_event(self, str text) -> int:
        if text.strip() not in NOTATION:
            raise ValueError(f"{text!r} is no event of Leduc poker; events: {', '.join(NOTATION)}")
        return NOTATION.index(text.strip())

    def admit_error(self, int code) -> str:
        return {1: "the game is over", 3: "a player sees his own card and no other"}.get(code, "it is not possible here")

    def describe(self, PyState state) -> dict:
        return self._table(<const State*>state.state)

    def describe_info(self, InfoState info) -> dict:
        return self._table(<const State*>info.info)

    cdef dict _table(self, const State* s):
        return {
            "game": "leduc",
            "to_move": to_move(&self.c, s),
            "round": s.round,
            "cards": ["?" if s.card[p] == UNKNOWN else "" if s.card[p] == NO_CARD else LETTERS[s.card[p]] for p in range(2)],
            "public": "" if s.public == NO_CARD else LETTERS[s.public],
            "chips": [s.chips[0], s.chips[1]],
            "raises": s.raises,
        }
