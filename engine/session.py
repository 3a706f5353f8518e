"""A game in progress as people play it: typed moves and whole turns, chance, undo.

Everything a screen needs besides drawing, for the command line and for any other front end.
"""
from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

from wattman.engine.game import CHANCE_PLAYER, Deal, Game, InfoState, State
from wattman.engine.records import Record, replay

PASS = "done"  # the notation, in most games, for ending a step in which one may stop; see Game.STOPS
END = "end"  # what people type to end all that is left of their turn


@dataclass(frozen=True)
class Event:
    """A decision or chance outcome that happened: the state before it, who made it (-1: chance) and its id."""

    before: State
    player: int
    action: int


class Session:
    """A game in progress. `state` always waits for a player's decision, or is over.

    Chance is decided by `seed` and does not depend on what is tried out: after an undo the same cards come in the same order, so undoing
    shows nobody a card that he would not have got.

    Parameters
    ----------
    state : State
        Where to begin.
    seed : int
        Decides chance. From the start of a game it is that of a `Deal`.
    """

    def __init__(self, state: State, seed: int):
        self._begin(state.clone(), seed, [])
        if not state.history() and state == self.game.new_initial_state():
            self._deal = Deal(seed)
        self._settle()

    def _begin(self, state: State, seed: int, log: list[Event]) -> None:
        self.game: Game = state.game
        self.seed = seed
        self.state = state
        self._log = log
        self._deal = None  # serves only from the start of a game: it takes it that all cards so far were dealt by itself
        self._known: dict[tuple[str, int], int] = {}

    @classmethod
    def start(cls, game: Game, seed: int) -> Session:
        """A new game."""
        return cls(game.new_initial_state(), seed)

    @classmethod
    def from_info(cls, info: InfoState, seed: int) -> Session:
        """A game that goes on from what one player knows; `seed` also deals what he does not know."""
        return cls(info.sample(seed), seed)

    @classmethod
    def from_record(cls, record: Record, seed: int, settle: bool = True) -> Session:
        """A game that goes on from the end of a record; its moves can be undone. RecordError if it does not replay.

        Without `settle` a chance event that is next at the record's end is left open, for looking at the record only.
        """
        states = [state for _, state in replay(record)]
        session = cls.__new__(cls)
        log = [Event(before, *event) for before, event in zip(states, states[-1].full_history(), strict=False)]
        session._begin(states[-1], seed, log)
        session._known = {session._place(event.before, event.action): event.action for event in log if event.player == CHANCE_PLAYER}
        if settle:
            session._settle()
        return session

    def record(self, players: list[str]) -> Record:
        """The game so far as a record; ValueError if it began at a position."""
        return Record.from_state(self.state, players)

    @property
    def decisions(self) -> int:
        """How many decisions the players have made so far."""
        return sum(event.player != CHANCE_PLAYER for event in self._log)

    def seen(self, observer: int | None, since: int = 0) -> list[tuple[Event, str]]:
        """What `observer` (None: one who sees all) saw from event number `since` on: each event with the text of what he saw of it."""
        texts = []
        for index, event in enumerate(self._log[since:], since + 1):
            after = self._log[index].before if index < len(self._log) else self.state
            texts += [(event, text) for text in after.events(observer)[len(event.before.events(observer)) :]]
        return texts

    def __len__(self) -> int:
        """Number of events, chance included."""
        return len(self._log)

    # --- moves ---

    def play(self, action: int) -> None:
        """Carry out a decision of the player to move, and the chance events after it. ValueError if it is not legal."""
        self._apply(action)
        self._settle()

    def enter(self, line: str) -> list[str]:
        """Carry out what the player to move typed: a move, or the moves of his turn separated by ``;``.

        The moves of one step may come in any order, and a step that is left is ended by itself; ``end`` ends the turn. Either the whole
        line is carried out or, with an error, nothing of it. Where cards come or another player decides in the middle of the turn, this
        holds for what is typed before and behind that, each for itself: nobody learns what comes without having made his move.

        Parameters
        ----------
        line : str
            Moves in the game's notation.

        Returns
        -------
        list of str
            The moves carried out, in the order in which they were.

        Raises
        ------
        ValueError
            Naming the first move that is not legal, and what would be legal in its place; and what was carried out before, if anything.
        """
        player = self._mover()
        exact = _match(self.state, line.strip())
        if exact is not None:
            return self._play_all([exact])
        if line.strip().lower() == END:
            return self.pass_turn()
        texts = self.game.parse_turn(line, self.state.to_dict(player))
        if not texts:
            raise ValueError("nothing to do on this line")
        try:
            actions, rest = _chain(self.state, texts)
        except ValueError as error:
            # A step may be typed move by move in any order, too: take what was played of it together with the new moves.
            first = self._step_start(_kind(texts[0]))
            if first == len(self._log):
                raise
            start = self._log[first].before
            try:
                again = [start.action_to_string(event.action) for event in self._log[first:]] + [line]
                actions, rest = _chain(start, self.game.parse_turn("; ".join(again), start.to_dict(player)))
            except ValueError:
                raise error from None
            self._cut(first)
        done = self._play_all(actions)
        while rest:
            try:
                if rest == [END] and _turn_over(self.state, player):
                    break
                if self.state.current_player() != player:
                    raise ValueError(f"first player {self.state.current_player()} has to decide")
                actions, rest = _chain(self.state, rest)
            except ValueError as error:
                raise ValueError(f"carried out: {'; '.join(done)}. But then {'; '.join(rest)}: {error}") from None
            done += self._play_all(actions)
        return done

    def pass_turn(self) -> list[str]:
        """End every step that is left of the mover's turn. ValueError if he must decide something first."""
        player = self._mover()
        trial, actions = self.state.clone(), []
        while trial.current_player() == player:
            action = way_out(trial, END)
            if action is None:
                raise ValueError(f"the turn cannot end here; legal: {_legal_text(trial)}")
            actions.append(action)
            trial.apply_action(action)
        return self._play_all(actions)

    def undo(self, player: int, turn: bool = False) -> bool:
        """Go back to the last decision of `player`; with `turn`, to the first one of his present or else his last turn.

        Returns
        -------
        bool
            Whether there was one.
        """
        index = next((i for i in range(len(self._log) - 1, -1, -1) if self._log[i].player == player), None)
        if index is None:
            return False
        while turn and index and self._log[index - 1].player == player:
            index -= 1
        self._cut(index)
        return True

    def legal(self) -> list[str]:
        """The legal moves of the player to move, in the game's notation."""
        return [self.state.action_to_string(action) for action in self.state.legal_actions()]

    # --- inside ---

    def _mover(self) -> int:
        if self.state.is_terminal():
            raise ValueError("the game is over")
        return self.state.current_player()

    def _play_all(self, actions: list[int]) -> list[str]:
        for action in actions:
            self.play(action)
        return [self.state.action_to_string(action) for action in actions]

    def _apply(self, action: int) -> None:
        before, after = self.state, self.state.clone()
        after.apply_action(action)
        self.state = after
        self._log.append(Event(before, before.current_player(), action))

    def _cut(self, index: int) -> None:
        """Go back to before event `index`."""
        self.state = self._log[index].before.clone()
        del self._log[index:]

    def _step_start(self, kind: str) -> int:
        """Where the run of decisions of this kind begins that the player to move has just made."""
        player, index = self.state.current_player(), len(self._log)
        while index:
            event = self._log[index - 1]
            if event.player != player or _kind(event.before.action_to_string(event.action)) != kind:
                break
            index -= 1
        return index

    def _settle(self) -> None:
        while self.state.is_chance_node():
            self._apply(self._outcome())

    def _outcome(self) -> int:
        if self._deal:
            return self._deal.choose(self.state)
        possible = self.state.legal_actions()
        place = self._place(self.state, possible[0])
        known = self._known.get(place)
        if known in possible:  # what came here before an undo comes again
            return known
        return self.state.sample_chance(random.Random(f"{self.seed} {place}").getrandbits(63))

    @staticmethod
    def _place(state: State, action: int) -> tuple[str, int]:
        """The kind of a chance event, and how many of that kind came before it."""
        kind = _kind(state.action_to_string(action))
        return kind, sum(who == CHANCE_PLAYER and _kind(state.action_to_string(event)) == kind for who, event in state.full_history())


def _kind(text: str) -> str:
    return text.partition(" ")[0]


def _match(state: State, text: str) -> int | None:
    """The legal action written so, capitals counting only where two differ in nothing else."""
    legal = {state.action_to_string(action): action for action in state.legal_actions()}
    if text in legal:
        return legal[text]
    alike = [action for name, action in legal.items() if name.casefold() == " ".join(text.casefold().split())]
    return alike[0] if len(alike) == 1 else None


def _legal_text(state: State) -> str:
    return ", ".join(state.action_to_string(action) for action in state.legal_actions())


def way_out(state: State, *more: str) -> int | None:
    """The legal action, if any, by which the step is ended; `more` are further notations that end it."""
    actions = (_match(state, text) for text in (*state.game.STOPS, *more))
    return next((action for action in actions if action is not None), None)


def _chain(state: State, texts: list[str]) -> tuple[list[int], list[str]]:
    """The actions that carry out `texts` one after the other, steps in between ended; ValueError at the first that is not legal.

    Where something comes in the middle of the turn that the player does not decide, it ends; also given is what is left of `texts` then.
    A decision that was made by itself, because nothing else was possible, may be among the texts or not.
    """
    player = state.current_player()
    trial, actions = state.clone(), []
    forced: list[str] = []  # decisions that followed by themselves upon the last action
    for place, text in enumerate(texts):
        if text in forced:
            forced = forced[forced.index(text) + 1 :]
            continue
        if actions and _interrupted(trial, player):
            return actions, texts[place:]
        if text in (PASS, *state.game.STOPS) and len(texts) > 1 and (trial.current_player() != player or _match(trial, text) is None):
            continue  # that step is over by itself; what another player may do now is not meant
        if text == END and actions and trial.current_player() != player:
            continue  # so is the turn
        probe, found = trial.clone(), []
        while True:
            action = _match(probe, text) if probe.current_player() == player else None
            leave = way_out(probe) if action is None and probe.current_player() == player else None
            if action is None and leave is None:
                raise ValueError(_refusal(trial, text, player, "by then" if actions else "here"))
            found.append(leave if action is None else action)
            before = len(probe.events(player))
            probe.apply_action(found[-1])
            forced = probe.events(player)[before + 1 :]
            if action is not None:
                break
        trial = probe
        actions += found
    return actions, []


def _interrupted(state: State, player: int) -> bool:
    """Whether a player's turn goes on behind what comes now: chance, of which any outcome will do to find out, or another's decision."""
    if state.current_player() == player:
        return False
    state = state.clone()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return not _turn_over(state, player)


def _turn_over(state: State, player: int) -> bool:
    """Whether, with a decision to come or the game over, it is no longer a player's turn."""
    return state.is_terminal() or (state.current_player() != player and state.to_dict(player).get("on_turn") != player)


def _refusal(state: State, text: str, player: int, when: str) -> str:
    mine = state.current_player() == player
    try:
        state.string_to_action(text)
    except ValueError as error:
        return f"{error}; legal {when}: {_legal_text(state)}" if mine else str(error)
    if not mine:
        return f"{text!r} is not possible: the {'game' if state.is_terminal() else 'turn'} is over by then"
    return f"{text!r} is not legal {when}; legal: {_legal_text(state)}"


def follow(info: InfoState, texts: list[str]) -> list[tuple[int | None, str, str]]:
    """A line of play from a decision, what follows by itself included, as (player, what he does as it can be typed, the same in words).

    Parameters
    ----------
    info : InfoState
        Where the line begins.
    texts : list of str
        Moves as the observer would see them, for instance the `pv` of a move report.

    Returns
    -------
    list of (int or None, str, str)
        The player is -1 for chance, and None from the first event on that cannot be followed, because it depends on what is hidden.
    """
    line: list[tuple[int | None, str, str]] = []
    for player, group in groupby(_line(info, texts), key=lambda event: event[0]):
        line += [(player, *told) for told in info.game.tell([(event, before) for _, event, before in group])]
    return line


def _line(info: InfoState, texts: list[str]) -> list[tuple[int | None, str, dict]]:
    """The events of a line of play: whose, as the observer sees it, plain data before it."""
    state: State | None = info.sample(0)
    view, events = state.to_dict(info.player), []
    for text in texts:
        player, seen = (state.current_player(), [text]) if state else (None, [text])
        before = view
        try:
            if state:
                count = len(state.events(info.player))
                state.apply_action(state.string_to_action(text))
                seen, view = state.events(info.player)[count:], state.to_dict(info.player)
        except ValueError:
            state = player = None
        events += [(*whose(player, event), before) for event in seen]
    return events


def whose(player: int | None, event: str) -> tuple[int | None, str]:
    """Who did something, and what: upon a player's decision another's may follow by itself, and is written ``1: fold``."""
    seat, colon, rest = event.partition(": ")
    return (int(seat), rest) if colon and seat.isdecimal() else (player, event)


def turn_line(info: InfoState, texts: list[str]) -> str:
    """The observer's own turn, with which a line of play begins, as one line to type."""
    state, own = info.sample(0), []
    for text in texts:
        if state.current_player() != info.player:
            break
        state.apply_action(state.string_to_action(text))  # his own moves are legal in every world
        own.append(text)
    view = info.to_dict()
    events = [(event, before) for player, event, before in _line(info, own) if player == info.player]
    told = [typed for typed, _ in info.game.tell(events)]
    if len(told) < len(events):  # whole actions
        line = "; ".join(told)
        with suppress(ValueError):  # what is typed is read at the table as it is: not a link that is built before on the same line
            actions, rest = _chain(info.sample(0), info.game.parse_turn(line, view))
            found = [info.action_to_string(action) for action in actions]
            if not rest and found[: len(own)] == own and all(text in info.game.STOPS for text in found[len(own) :]):
                return line
    return compact(info.game, own, view)


def compact(game: Game, texts: list[str], view: dict) -> str:
    """Moves as one line to type, as short as the game's `parse_turn` allows: ``board Y3; build B9>0 C>0; end``."""
    parts: list[str] = []
    for text in texts:
        kind = _kind(text)
        if text != kind and parts and _kind(parts[-1]) == kind:
            parts[-1] += text[len(kind) :]
        else:
            parts.append(text)
    moves = [part for part in parts if part != PASS]
    for line in ("; ".join([*moves, END]), "; ".join(moves), "; ".join(parts)):
        try:
            if game.parse_turn(line, view) == texts:
                return line
        except ValueError:
            continue
    return "; ".join(texts)
