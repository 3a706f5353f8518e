"""One Python face for every game: `Game`, `State`, `InfoState`. (`Option` and `Deal`, which belong to it, stand in modules of their own.)

Method names are OpenSpiel's where it has them. Everything here works through the table of C functions in `abi.pxd`; a game's module
subclasses `Game` and fills that table.
"""
from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcmp, memcpy

from wattman.engine.abi cimport CHANCE, NOTHING, TERMINAL
from wattman.engine.calls cimport canonical_bytes, floats, legal_ids, more_labels, outcomes, returns_of, scores_of, values_of, weights_of
from wattman.engine.deal cimport Deal as DealType
from wattman.engine.rng cimport Rng, rng_seed

import hashlib

import numpy as np

from wattman.engine.deal import Deal
from wattman.engine.options import Option, parse_options
from wattman.engine.seeds import seed_of

CHANCE_PLAYER = CHANCE
TERMINAL_PLAYER = TERMINAL


cdef class Game:
    """A loaded game: rules, board and options. Made by `wattman.load_game`; immutable.

    A subclass gives NAME, OPTIONS, TITLE, and the methods that raise NotImplementedError here.
    """

    NAME = ""       # as in load_game
    TITLE = ""      # for people
    OPTIONS = {}    # name -> Option; "players" is always one of them
    LAYOUT = 0      # version of the layout of the observation tensor, and of the terms of actions
    SCRIPTS = {}    # ways to play without search, each an agent of its own besides `greedy`: name -> a line of help
    HELP = ""       # short forms in which turns may be typed, a line each: the form, two blanks or more, what it means
    OPEN_END = False  # at the end all players show what they held: the last table is drawn openly
    STOPS = ("done",)  # how decisions are written that end a step in which one may go on; typed turns need not name them

    def __init__(self, **options):
        self.options = parse_options(self.NAME, self.OPTIONS, options)
        self._load()
        if self.c.action_terms == NULL:
            self.c.terms, self.c.most_terms = self.c.actions, 1

    def _load(self):
        raise NotImplementedError

    # --- text of events; a game's module writes these two ---

    def event_to_string(self, int event) -> str:
        """The notation of an event id or partial label."""
        raise NotImplementedError

    def string_to_event(self, str text) -> int:
        """The id of an event or partial label; ValueError if the text is none."""
        raise NotImplementedError

    def admit_error(self, int code) -> str:
        """Why `admit` refused, in words."""
        return f"impossible (reason {code})"

    def scripted(self, str name, InfoState info) -> int:
        """The decision of one of the SCRIPTS; the observer is to move."""
        raise NotImplementedError(f"{self.NAME} has no script {name!r}")

    # --- positions and views; a game's module writes these where it supports positions ---

    def describe(self, State state) -> dict:
        """The whole truth as plain data."""
        raise NotImplementedError(f"{self.NAME} has no description")

    def describe_info(self, InfoState info) -> dict:
        """What an observer knows as plain data, without any hidden field."""
        raise NotImplementedError(f"{self.NAME} has no description")

    def info_from_dict(self, dict data) -> InfoState:
        """An InfoState from a position's plain data; ValueError naming the key, what is wrong and what is allowed."""
        raise ValueError(f"{self.NAME}: position files are not supported for this game")

    def info_to_dict(self, InfoState info) -> dict:
        """A position's plain data, without loss: `info_from_dict` gives an equal InfoState."""
        raise ValueError(f"{self.NAME}: position files are not supported for this game")

    def template(self) -> str:
        """A commented position file to start from."""
        raise ValueError(f"{self.NAME}: position files are not supported for this game")

    # --- showing; a game's module replaces these where it has something better ---

    def draw(self, dict view):
        """The table of `view` (from `to_dict`) for a terminal: anything that rich can print."""
        return "\n".join(f"{key:>12}  {value}" for key, value in view.items() if key not in ("game", "options", "memory"))

    def svg(self, dict view) -> str:
        """The table of `view` as an SVG picture: what `draw` gives, unless the game has a picture of its own."""
        from wattman.engine import drawing  # not at the top: loading a game for a search does without rich

        return drawing.to_svg(self.draw(view), self.TITLE or self.NAME)

    def explain(self, str event, dict view) -> str:
        """A move or event in words, where its notation alone says too little."""
        return event

    def tell(self, list events) -> list[tuple[str, str]]:
        """What one player did in a row, from (event, plain data of the state before it): as it can be typed, and in words.

        A game whose actions have many steps puts those of one action on one line.
        """
        return [(text, self.explain(text, view)) for text, view in events]

    def parse_turn(self, str line, dict view) -> list[str]:
        """The events of a typed line, in the order in which they can be applied; ValueError if it cannot be read."""
        return [part.strip() for part in line.split(";") if part.strip()]

    # --- facts ---

    @property
    def name(self) -> str:
        return self.NAME

    def num_players(self) -> int:
        return self.c.players

    def num_distinct_actions(self) -> int:
        """Number of decision ids; they are 0 .. this - 1."""
        return self.c.actions

    def max_chance_outcomes(self) -> int:
        """Number of chance ids; they follow the decision ids."""
        return self.c.outcomes

    def max_game_length(self) -> int:
        """No game has more events (decisions and chance outcomes) than this."""
        return self.c.max_events

    def max_return(self) -> float:
        """No player's result (`State.returns`) is further from 0 than this."""
        return 1.0

    def observation_tensor_shape(self) -> list[int]:
        return [self.c.observation_size]

    def hidden_targets_shape(self) -> list[int]:
        return [self.c.hidden_size]

    def observation_names(self) -> list[str]:
        """What each number of the observation tensor is, each by a name of its own, in their order.

        Names of things on the board are those of the notation, so that boards with the same route or place have a name in common; a network
        is carried over to another board, or number of players, by them (`wattman.models.transfer`). What belongs to a seat begins with
        ``seat 0`` (the observer's), ``seat 1``, .. in turn order; whether anybody sits there is ``seat 1 present``, and how many play
        ``3 players``. A game's module writes them beside the code that writes the numbers.
        """
        raise NotImplementedError(f"{self.NAME} has no names for its observation")

    def term_names(self) -> list[str]:
        """What each term is by which actions are described to a network's policy (`action_terms` in abi.pxd), each by a name of its own.

        Where each id is a term of its own, they are the actions in notation; other games' modules write them.
        """
        return [self.event_to_string(action) for action in range(self.c.actions)]

    def symmetries(self) -> list:
        """Renamings (`wattman.engine.symmetry.Symmetry`) under which a position means the same, for training; none in most games."""
        return []

    @property
    def state_size(self) -> int:
        """Bytes that copying a state inside a search moves."""
        return self.c.state_size

    def new_initial_state(self) -> State:
        """The state before the first event."""
        cdef State state = _blank_state(self)
        self.c.init(&self.c, state.state, state.memory)
        return state

    def __eq__(self, other):
        return isinstance(other, Game) and self.NAME == (<Game>other).NAME and self.options == (<Game>other).options

    def __hash__(self):
        return hash((self.NAME, tuple(sorted(self.options.items()))))

    def __reduce__(self):
        return _restore_game, (type(self), self.options)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        text = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"load_game({self.NAME!r}, {text})"


def _restore_game(kind, options):
    return kind(**options)


cdef State _blank_state(Game game):
    cdef State state = State.__new__(State)
    state.game = game
    state.state = <uint8_t*>calloc(1, game.c.state_size)
    state.memory = <uint8_t*>calloc(1, game.c.memory_size) if game.c.memory_size else NULL
    if state.state == NULL or (game.c.memory_size and state.memory == NULL):
        raise MemoryError()
    state._events = []
    state._before = ("",) * game.c.players
    return state


cdef InfoState blank_info(Game game, int player):
    cdef InfoState info = InfoState.__new__(InfoState)
    info.game = game
    info.player = player
    info.info = <uint8_t*>calloc(1, game.c.info_size)
    if info.info == NULL:
        raise MemoryError()
    info._before = ""
    info._events = []
    return info


cdef class State:
    """The whole truth of one game in progress, its history included. Agents never get one: they get `info_state(player)`."""

    def __init__(self):
        raise TypeError("a State is made by Game.new_initial_state() or InfoState.sample()")

    def __dealloc__(self):
        free(self.state)
        free(self.memory)

    # --- whose turn ---

    def current_player(self) -> int:
        """The player to decide, -1 at a chance node, -4 at the end."""
        return self.game.c.to_move(&self.game.c, self.state)

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def is_terminal(self) -> bool:
        return self.current_player() == TERMINAL

    # --- events ---

    def legal_actions(self) -> list[int]:
        """Ids of the legal decisions, ascending; of the possible outcomes at a chance node; none at the end."""
        cdef int who = self.current_player()
        if who == TERMINAL:
            return []
        if who == CHANCE:
            return sorted(event for event, _ in self.chance_outcomes())
        return legal_ids(&self.game.c, self.state)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """(id, probability) of each possible outcome; ValueError where no chance event is next."""
        if self.current_player() != CHANCE:
            raise ValueError("chance_outcomes: no chance event is next here")
        return outcomes(&self.game.c, self.state)

    def apply_action(self, int action) -> None:
        """Carry out a legal decision or a possible chance outcome; ValueError if it is neither, the state untouched."""
        if action not in self.legal_actions():
            raise ValueError(self._refusal(action))
        self._apply(action)

    def _refusal(self, int action) -> str:
        if self.is_terminal():
            return f"action {action}: the game is over"
        try:
            text = f"{self.game.event_to_string(action)!r} (id {action})"
        except ValueError:
            text = f"id {action}"
        legal = [self.game.event_to_string(event) for event in self.legal_actions()]
        who = "possible outcomes" if self.is_chance_node() else f"legal for player {self.current_player()}"
        return f"action {text} is not possible here; {who}: {', '.join(legal)}"

    cdef int _apply(self, int event) except -1:
        cdef int who = self.game.c.to_move(&self.game.c, self.state)
        labels = tuple([self.game.c.seen(&self.game.c, self.state, event, p) for p in range(self.game.c.players)])
        self.game.c.apply(&self.game.c, self.state, self.memory, event)
        self._events.append((who, event, labels, more_labels(&self.game.c, self.state)))
        return 0

    def sample_chance(self, rng) -> int:
        """One outcome of this chance node, with the outcomes' probabilities. `rng`: a `Deal`, a seed, or a callable in [0, 1)."""
        cdef Rng generator
        if self.current_player() != CHANCE:
            raise ValueError("sample_chance: no chance event is next here")
        if isinstance(rng, Deal):
            return (<DealType>rng).next_card(&self.game.c, self.state, self.memory)
        rng_seed(&generator, seed_of(rng))
        return self.game.c.sample(&self.game.c, self.state, &generator)

    def action_to_string(self, int action) -> str:
        return self.game.event_to_string(action)

    def string_to_action(self, str text) -> int:
        """The id of an event of this game (legal here or not); ValueError if the text is no notation of one."""
        event = self.game.string_to_event(text)
        if event >= self.game.c.actions + self.game.c.outcomes:
            raise ValueError(f"{text!r} is what an onlooker sees of an event, not an event")
        return event

    # --- results ---

    def scores(self) -> list[float]:
        """Points so far, or at the end, per player."""
        return scores_of(&self.game.c, self.state)

    def returns(self) -> list[float]:
        """The result per player at the end (see the game's rules page); zeros before it."""
        if not self.is_terminal():
            return [0.0] * self.game.c.players
        return returns_of(&self.game.c, self.state)

    def values(self) -> np.ndarray:
        """Result or cheap estimate. Shape (players, 3): share of the win, margin in points, own points."""
        return values_of(&self.game.c, self.state)

    def fit(self, player: int) -> float:
        """How well what the others have done fits what is hidden from `player` here: a log weight for beliefs; 0 if the game has none."""
        return self.game.c.fit(&self.game.c, self.state, self._player(player)) if self.game.c.fit != NULL else 0.0

    # --- knowledge ---

    def info_state(self, player: int | None = None) -> InfoState:
        """What `player` (default: the one to move) knows."""
        cdef int p = self._player(player)
        cdef InfoState info = blank_info(self.game, p)
        self.game.c.hide(&self.game.c, self.state, self.memory, p, info.info)
        info._before = self._before[p] or f"{self.game.NAME} player {p}"
        info._events = self.events(p)
        return info

    def events(self, observer: int | None = None, since: int = 0) -> list[str]:
        """The events since this state began but for the first `since`, as text: all of them, or what `observer` saw of them."""
        happened = self._events[since:]
        if observer is None:
            return [self.game.event_to_string(event) for _, event, _, _ in happened]
        cdef int p = self._player(observer)
        seen = [label for _, _, labels, more in happened for label in (labels[p], *more)]
        return [self.game.event_to_string(label) for label in seen if label != NOTHING]

    def seen(self, int action, player: int) -> int | None:
        """What `player` would see of a legal decision or possible outcome: an id of an event or partial label; None if nothing."""
        cdef int32_t label = self.game.c.seen(&self.game.c, self.state, action, self._player(player))
        return None if label == NOTHING else label

    def history(self) -> list[int]:
        """Ids of all decisions and chance outcomes since this state began, in order."""
        return [event for _, event, _, _ in self._events]

    def full_history(self) -> list[tuple[int, int]]:
        """(player, id) of every event in order; the player is -1 for chance."""
        return [(who, event) for who, event, _, _ in self._events]

    def information_state_string(self, player: int | None = None) -> str:
        """All that `player` has seen so far. Equal strings mean equal knowledge and equal legal actions."""
        cdef int p = self._player(player)
        return _seen_text(self.game, p, self._before[p], self.events(p))

    def observation_tensor(self, player: int | None = None) -> np.ndarray:
        """What `player` sees on the table. Shape `game.observation_tensor_shape()`, float32; layout: the game's docs page."""
        return floats(self.game.c.observation_size, self.game.c.observe, &self.game.c, self.state, self._player(player))

    def hidden_targets(self, player: int | None = None) -> np.ndarray:
        """What is hidden from `player`. Shape `game.hidden_targets_shape()`, float32. For training only."""
        return floats(self.game.c.hidden_size, self.game.c.hidden_targets, &self.game.c, self.state, self._player(player))

    def resample_from_infostate(self, player: int, rng) -> State:
        """A State dealt from what `player` knows here. `rng`: a seed or a callable that returns numbers in [0, 1)."""
        return self.info_state(player).sample(rng)

    def to_dict(self, observer: int | None = None) -> dict:
        """The table as plain data: all of it, or what `observer` sees."""
        return self.game.describe(self) if observer is None else self.game.describe_info(self.info_state(observer))

    def _player(self, player) -> int:
        cdef int p = self.current_player() if player is None else int(player)
        if not 0 <= p < self.game.c.players:
            if player is None:
                raise ValueError("player: nobody is to move here; name a player, 0 to " + str(self.game.c.players - 1))
            raise ValueError(f"player {player}: players are 0 to {self.game.c.players - 1}")
        return p

    # --- copies ---

    cdef State _copy(self):
        cdef State other = _blank_state(self.game)
        memcpy(other.state, self.state, self.game.c.state_size)
        if self.memory != NULL:
            memcpy(other.memory, self.memory, self.game.c.memory_size)
        other._events = list(self._events)
        other._before = self._before
        return other

    def clone(self) -> State:
        return self._copy()

    def __copy__(self):
        return self._copy()

    def __deepcopy__(self, memo):
        return self._copy()

    def __reduce__(self):
        memory = (<bytes>self.memory[:self.game.c.memory_size]) if self.memory != NULL else b""
        return _restore_state, (self.game, <bytes>self.state[:self.game.c.state_size], memory, self._events, self._before)

    def __eq__(self, other):
        """Equal positions of equal games; what led there does not count."""
        if not isinstance(other, State):
            return NotImplemented
        cdef State o = other
        return self.game == o.game and canonical_bytes(&self.game.c, self.state) == canonical_bytes(&o.game.c, o.state)

    def __hash__(self):
        return hash(canonical_bytes(&self.game.c, self.state))

    def __str__(self):
        start = ["dealt world"] if any(self._before) else []  # what led to it is not known
        return f"{self.game.NAME}: {'; '.join(start + self.events()) or 'start'}"

    def __repr__(self):
        return f"<State of {self.game.NAME} after {len(self._events)} events>"


def _restore_state(Game game, bytes state, bytes memory, list events, tuple before):
    cdef State s = _blank_state(game)
    if len(state) != game.c.state_size or len(memory) != game.c.memory_size:
        raise ValueError("this pickled State was made by another version")
    memcpy(s.state, <const uint8_t*>state, game.c.state_size)
    if s.memory != NULL:
        memcpy(s.memory, <const uint8_t*>memory, game.c.memory_size)
    s._events = events
    s._before = before
    return s


cdef str _digest(InfoState info):
    return hashlib.sha256(<bytes>info.info[:info.game.c.info_size]).hexdigest()


def _seen_text(Game game, int player, str before, list events) -> str:
    lines = ([before] if before else [f"{game.NAME} player {player}"]) + events
    return "; ".join(lines)


cdef class InfoState:
    """What one player knows, and nothing else: his information set. Agents, analysis and sampling use this.

    `player` is the observer. Everything hidden from him is unknown here; `sample` deals it.
    """

    def __init__(self):
        raise TypeError("an InfoState is made by State.info_state(), from a position file, or from another InfoState")

    def __dealloc__(self):
        free(self.info)

    def current_player(self) -> int:
        """The player to decide as far as the observer can tell, -1 for chance, -4 at the end."""
        return self.game.c.to_move(&self.game.c, self.info)

    def legal_actions(self) -> list[int]:
        """The observer's legal decisions, ascending; ValueError if he is not the one to decide."""
        if self.current_player() != self.player:
            raise ValueError(f"legal_actions: player {self.player} is not to move here")
        return legal_ids(&self.game.c, self.info)

    def scores(self) -> list[float]:
        return scores_of(&self.game.c, self.info)

    def weights(self) -> dict[int, float]:
        """The game's cheap weight of each legal decision (positive, larger is better)."""
        if self.current_player() != self.player:
            raise ValueError(f"weights: player {self.player} is not to move here")
        return weights_of(&self.game.c, self.info)

    def scripted(self, str name) -> int:
        """What one of the game's SCRIPTS does here."""
        if name not in self.game.SCRIPTS:
            raise ValueError(f"{self.game.NAME} has no script {name!r}; scripts: {', '.join(self.game.SCRIPTS) or 'none'}")
        if self.current_player() != self.player:
            raise ValueError(f"scripted: player {self.player} is not to move here")
        return self.game.scripted(name, self)

    def action_to_string(self, int action) -> str:
        return self.game.event_to_string(action)

    def string_to_action(self, str text) -> int:
        return self.game.string_to_event(text)

    def observation_tensor(self) -> np.ndarray:
        """As `State.observation_tensor(player)` of every State that agrees with this."""
        return floats(self.game.c.observation_size, self.game.c.observe, &self.game.c, self.info, self.player)

    def sample(self, rng) -> State:
        """A full State that agrees with all that is known, each possible one with its probability.

        Parameters
        ----------
        rng : int or callable
            A seed, or a callable that returns numbers in [0, 1). The same seed gives the same State.
        """
        cdef Rng generator
        rng_seed(&generator, seed_of(rng))
        return self._deal(&generator)

    cdef State _deal(self, Rng* rng):
        cdef State state = _blank_state(self.game)
        cdef InfoState other
        self.game.c.fill(&self.game.c, self.info, rng, state.state, state.memory)
        before = []
        for p in range(self.game.c.players):
            if p == self.player:
                before.append(self.information_state_string())
            else:  # what the others saw is not known here; their knowledge of this world stands for it
                other = blank_info(self.game, p)
                self.game.c.hide(&self.game.c, state.state, state.memory, p, other.info)
                before.append(f"{self.game.NAME} player {p} {_digest(other)}")
        state._before = tuple(before)
        return state

    def admit(self, event) -> None:
        """Bring the knowledge forward by one thing the observer saw.

        Parameters
        ----------
        event : str or int
            Notation or id: of an event, or, where he sees only a part of it, of that part (as in `events()`).

        Raises
        ------
        ValueError
            If it cannot have happened, with the reason; nothing changes then.
        """
        label = self.game.string_to_event(event) if isinstance(event, str) else int(event)
        text = self.game.event_to_string(label)
        if self.game.c.admit == NULL:
            raise ValueError(f"{self.game.NAME}: events cannot be entered one by one in this game")
        code = self.game.c.admit(&self.game.c, self.info, label)
        if code:
            raise ValueError(f"{text!r} cannot have happened: {self.game.admit_error(code)}")
        self._events.append(text)

    def admissible(self, ids: range) -> list[int]:
        """Those of some ids of events and partial labels that `admit` would accept."""
        cdef const GameC* game = &self.game.c
        cdef int32_t label
        cdef uint8_t* trial
        if game.admit == NULL:
            return []
        trial = <uint8_t*>malloc(game.info_size)
        if trial == NULL:
            raise MemoryError()
        memcpy(trial, self.info, game.info_size)
        found = []
        for label in ids:
            if game.admit(game, trial, label) == 0:
                found.append(label)
                memcpy(trial, self.info, game.info_size)
        free(trial)
        return found

    def events(self) -> list[str]:
        """What the observer saw, in order, since his knowledge began."""
        return list(self._events)

    def information_state_string(self) -> str:
        """As `State.information_state_string(player)`."""
        if not self._before and not self._events:  # from a position: there is no history, the knowledge itself stands for it
            return f"{self.game.NAME} player {self.player} {_digest(self)}"
        return _seen_text(self.game, self.player, self._before, self._events)

    def to_dict(self) -> dict:
        """What is known as plain data."""
        return self.game.describe_info(self)

    cdef InfoState _copy(self):
        cdef InfoState other = blank_info(self.game, self.player)
        memcpy(other.info, self.info, self.game.c.info_size)
        other._before = self._before
        other._events = list(self._events)
        return other

    def clone(self) -> InfoState:
        return self._copy()

    def __copy__(self):
        return self._copy()

    def __deepcopy__(self, memo):
        return self._copy()

    def __reduce__(self):
        return _restore_info, (self.game, self.player, <bytes>self.info[:self.game.c.info_size], self._before, self._events)

    def __eq__(self, other):
        """Equal knowledge of the same observer; how he came by it does not count."""
        if not isinstance(other, InfoState):
            return NotImplemented
        cdef InfoState o = other
        return self.game == o.game and self.player == o.player and memcmp(self.info, o.info, self.game.c.info_size) == 0

    def __hash__(self):
        return hash((self.player, <bytes>self.info[:self.game.c.info_size]))

    def __repr__(self):
        return f"<InfoState of {self.game.NAME}, player {self.player}, after {len(self._events)} events>"


def _restore_info(Game game, int player, bytes info, str before, list events):
    cdef InfoState i = blank_info(game, player)
    if len(info) != game.c.info_size:
        raise ValueError("this pickled InfoState was made by another version")
    memcpy(i.info, <const uint8_t*>info, game.c.info_size)
    i._before = before
    i._events = events
    return i
