"""A real game with real cards, followed event by event from one seat: what that player sees goes in, what he knows comes out.

Nothing here knows the truth. Every entry goes through `InfoState.admit`, which refuses what cannot have happened. `wattman advise` is a
screen around this class.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from os import PathLike

from wattman.engine import records
from wattman.engine.game import CHANCE_PLAYER, TERMINAL_PLAYER, Game, InfoState, State
from wattman.engine.games import load_game
from wattman.engine.session import END, way_out

WORLDS = 12  # dealt to find out what may be seen of hidden events
FORCED = 4  # the same, to find out whether only one thing can
SILENT = 8  # unseen events in a row that are looked behind
SHOWN = 8  # possible entries named in a refusal
_KEYS = ("format", "game", "options", "view", "players", "events", "scores", "returns")


@dataclass(frozen=True)
class Entry:
    """What was entered at once: the events, and those that had to follow; `before` is what was known before it."""

    before: InfoState
    events: list[str]
    followed: list[str]


class Companion:
    """One player's side of a game in progress.

    What can be seen in one way only (a card dealt face down to somebody else) enters itself.

    Parameters
    ----------
    start : InfoState
        What the player knows at the beginning: of a game, or of a position. It is not changed.
    players : list of str, optional
        Names of all seats.
    """

    def __init__(self, start: InfoState, players: list[str] | None = None):
        self.game: Game = start.game
        self.player: int = start.player
        self.players = list(players or [""] * self.game.num_players())
        if len(self.players) != self.game.num_players():
            raise ValueError(f"players: {len(self.players)} names for {self.game.num_players()} seats")
        self.info = start.clone()
        self.start = start.clone()
        self.complete = start == self.game.new_initial_state().info_state(start.player)  # so that it can be saved as a view
        self.entries: list[Entry] = []
        self._settled = self._follow(self.info)  # events that came before any entry

    @classmethod
    def begin(cls, game: Game, player: int, players: list[str] | None = None) -> Companion:
        """A new game, seen from seat `player`."""
        return cls(game.new_initial_state().info_state(player), players)

    # --- what may come, and what came ---

    def events(self) -> list[str]:
        """All that was seen so far."""
        return [*self._settled, *(event for entry in self.entries for event in entry.events + entry.followed)]

    def possible(self) -> list[str]:
        """What may be seen next, in the game's notation.

        All that can be seen whole is there; of what the player sees only a part of, whatever some dealt worlds show.
        """
        return [self.game.event_to_string(label) for label in _possible(self.info, WORLDS)]

    def enter(self, line: str) -> list[str]:
        """Take down what was seen: one event, or several separated by ``;``. Either all of the line is taken, or nothing.

        A verb that all possible entries share may be left out, and holds for all that follows it: ``deal B9 R3``, or ``B9 R3``. Turns
        may be typed in the game's short forms. ``end`` says that the one on turn does nothing more that could be seen.

        Returns
        -------
        list of str
            The events, those that had to follow included.

        Raises
        ------
        ValueError
            If it cannot have happened: why, and what can.
        """
        if self.info.current_player() == TERMINAL_PLAYER:
            raise ValueError("the game is over; undo takes back what was entered")
        trial = _Trial(self.info.clone())
        parts = [part.strip() for part in line.split(";") if part.strip()]
        if not parts:
            raise ValueError("nothing was entered")
        try:
            for part in parts:
                trial.take(part)
        except ValueError as error:
            short = _Trial(self.info.clone())
            if not short.take_turn(line):
                fits = f"; nothing of the line is taken, though it fits up to {trial.entered[-1]!r}" if trial.entered else ""
                raise ValueError(f"{error}{fits}") from None
            trial = short
        self.entries.append(Entry(self.info, trial.entered, trial.followed))
        self.info = trial.info
        return trial.entered + trial.followed

    def see(self, event: str | int) -> list[str]:
        """Take down one event or partial label, as `InfoState.admit` takes it; returns the events that had to follow."""
        info = self.info.clone()
        info.admit(event)
        followed = self._follow(info)
        self.entries.append(Entry(self.info, [info.events()[len(self.info.events())]], followed))
        self.info = info
        return list(followed)

    def asked(self) -> None:
        """It is the player's turn to decide, though the last thing that was seen did not tell (others may decide unseen before him).

        ValueError if that cannot be.
        """
        if self.info.current_player() == self.player:
            return
        mine = self._once_asked()
        if mine is None:
            raise ValueError(f"it cannot be the turn of player {self.player} yet")
        self.entries.append(Entry(self.info, [], []))
        self.info = mine

    def may_be_asked(self) -> bool:
        """Whether it may be the player's turn already, though nothing that he saw told (see `asked`)."""
        return self.info.current_player() != self.player and self._once_asked() is not None

    def _once_asked(self) -> InfoState | None:
        """What the player would know if it is his turn now; None if it cannot be."""
        for seed in range(WORLDS):
            mine = _unseen_way(self.info.sample(seed), self.player, SILENT)
            if mine is not None:
                return mine.info_state(self.player)
        return None

    # --- taking back ---

    def undo(self, entries: int = 1) -> bool:
        """Take back the last entry, or the last ones; whether there were so many."""
        if not 0 < entries <= len(self.entries):
            return False
        self.info = self.entries[-entries].before
        del self.entries[-entries:]
        return True

    def correct(self, number: int, line: str) -> None:
        """Put `line` in the place of entry `number` (from 1), and what came later behind it.

        Raises
        ------
        ValueError
            If the new entry or a later one cannot have happened then; nothing changes.
        """
        if not 1 <= number <= len(self.entries):
            raise ValueError(f"entry {number}: entries are numbered from 1 to {len(self.entries)}")
        again = Companion(self.start, self.players)
        again.entries, again.info = self.entries[: number - 1], self.entries[number - 1].before
        again.enter(line)
        for place, entry in enumerate(self.entries[number:], number + 1):
            trial = _Trial(again.info.clone())
            try:
                trial.repeat(entry.events)
            except ValueError as error:
                raise ValueError(f"entry {place} ({'; '.join(entry.events)}) does not fit behind that: {error}") from None
            again.entries.append(Entry(again.info, trial.entered, trial.followed))
            again.info = trial.info
        self.info, self.entries = again.info, again.entries

    # --- files ---

    def to_json(self) -> str:
        """What was seen so far, as a record's view on one line; ValueError if it began at a position."""
        if not self.complete:
            raise ValueError("this game did not begin at its start but at a position; write a position")
        over = self.info.current_player() == TERMINAL_PLAYER
        data = {
            "format": records.FORMAT,
            "game": self.game.name,
            "options": dict(self.game.options),
            "view": self.player,
            "players": self.players,
            "events": self.events(),
            "scores": self.info.scores() if over else None,
            "returns": None,
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str, source: str = "<text>") -> Companion:
        """The game in a view, of this class's own or of ``wattman replay --view P --json``; ValueError saying what is wrong with it."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{source}: this is no JSON: {error}") from None
        if not isinstance(data, dict) or set(data) != set(_KEYS):
            raise ValueError(f"{source}: this is no view of a game; expected an object with the keys {', '.join(_KEYS)}")
        texts = (data["events"], data["players"])
        if not all(isinstance(part, list) and all(isinstance(word, str) for word in part) for part in texts):
            raise ValueError(f"{source}: events and players must be lists of texts")
        if data["format"] != records.FORMAT or not isinstance(data["options"], dict) or not isinstance(data["game"], str):
            raise ValueError(f"{source}: format must be {records.FORMAT}, game a text and options an object")
        try:
            game = load_game(data["game"], **data["options"])
            if isinstance(data["view"], bool) or data["view"] not in range(game.num_players()):
                raise ValueError(f"view: {data['view']!r} is no player; players are 0 to {game.num_players() - 1}")
            companion = cls.begin(game, data["view"], data["players"])
            first = companion._settled
            _compare(first, data["events"], 0)
            companion._replay(data["events"][len(first) :], len(first))
        except (ValueError, TypeError) as error:
            raise ValueError(f"{source}: {error}") from None
        return companion

    @classmethod
    def load(cls, path: str | PathLike) -> Companion:
        """The game in a file that holds one view."""
        with open(path, encoding="utf-8", errors="replace") as file:
            return cls.from_json(file.read(records.LINE_LIMIT), str(path))

    # --- inside ---

    def _replay(self, events: list[str], first: int) -> None:
        """Take down events one by one, those that enter themselves among them; errors call them by numbers from `first` on."""
        number = 0
        while number < len(events):
            try:
                followed = self.see(events[number])
            except ValueError as error:
                raise ValueError(f"event {first + number}: {error}") from None
            number += 1
            _compare(followed, events[number:], first + number)
            number += len(followed)

    @staticmethod
    def _follow(info: InfoState) -> list[str]:
        """Admit what can be seen in one way only, as long as chance is next."""
        return _Trial(info).follow()


class _Trial:
    """Knowledge that is being brought forward; what it was brought forward by."""

    def __init__(self, info: InfoState):
        self.info = info
        self.game: Game = info.game
        self.entered: list[str] = []
        self.followed: list[str] = []

    def follow(self) -> list[str]:
        """Admit what can be seen in one way only, as long as chance is next."""
        forced = []
        while self.info.current_player() == CHANCE_PLAYER:
            labels = _possible(self.info, FORCED, 2)
            if len(labels) != 1:
                break
            self.info.admit(labels[0])
            forced.append(self.game.event_to_string(labels[0]))
        self.followed += forced
        return forced

    def repeat(self, events: list[str]) -> None:
        """Events that were taken before, those that had to follow among them."""
        number = 0
        while number < len(events):
            self._admit(events[number])
            number += 1
            _compare(self.followed, events[number:], number)
            number += len(self.followed)

    def take(self, text: str) -> None:
        """One event, or several with one verb."""
        if text.casefold() == END and not self._is_notation(text):
            self._end()
            return
        try:
            self._admit(text)
            return
        except ValueError as error:
            refused = error
        found = self._find(text)
        if found is not None:
            self._admit(found)
            return
        words = text.split()
        verbs = {label.partition(" ")[0].casefold() for label in self._texts()}
        verb, args = (words[0], words[1:]) if words[0].casefold() in verbs else ("", words)
        if len(args) < 2 or self._is_event(text):
            raise ValueError(self._refusal(text, refused))
        for arg in args:
            one = f"{verb} {arg}".strip()
            try:
                self._admit(self._find(one) or one)
            except ValueError as error:
                raise ValueError(self._refusal(one, error)) from None

    def take_turn(self, line: str) -> bool:
        """The game's short forms; whether that led anywhere."""
        try:
            texts = self.game.parse_turn(line, self.info.to_dict())
            for text in texts:
                if self._find(text) is None and text in (*self.game.STOPS, END):
                    continue  # that step is over by itself, or nobody saw its end
                self.take(text)
        except ValueError:
            return False
        return bool(texts)

    def _admit(self, text: str) -> None:
        before = len(self.info.events())
        self.info.admit(text)
        # What had to follow an earlier part of the line stands in front of this one.
        self.entered += self.followed + self.info.events()[before:]
        self.followed = []
        self.follow()

    def _is_event(self, text: str) -> bool:
        """Whether it names something that is seen in this game at some time."""
        try:
            self.game.string_to_event(text)
        except ValueError:
            return False
        return True

    def _is_notation(self, text: str) -> bool:
        """Whether it names something that may be seen now."""
        return any(each.casefold() == text.casefold() for each in self._texts())

    def _texts(self) -> list[str]:
        return [self.game.event_to_string(label) for label in _possible(self.info, WORLDS)]

    def _find(self, text: str) -> str | None:
        """The possible event that a text means: written so, small or capital, or without its verb."""
        wanted, texts = " ".join(text.split()).casefold(), self._texts()
        alike = [each for each in texts if each.casefold() == wanted]
        alike = alike or [each for each in texts if each.partition(" ")[2].casefold() == wanted]
        return alike[0] if len(alike) == 1 else None

    def _end(self) -> None:
        """The one on turn does nothing more that the observer could see."""
        mover = self.info.current_player()
        if mover == CHANCE_PLAYER:
            raise ValueError(f"end: first it has to be entered what comes; possible: {_listed(self._texts())}")
        for _ in range(SILENT):
            labels = {_label_of_ending(self.info.sample(seed), self.info.player) for seed in range(WORLDS)}
            if False in labels:
                raise ValueError(f"end: something has to be decided first; possible: {_listed(self._texts())}")
            label = labels.pop()
            if labels or label is None:  # what comes is not known: it will be entered
                break
            self._admit(self.game.event_to_string(label))
            if self.info.current_player() != mover:
                return
        if not self.entered:
            raise ValueError(f"end: enter what was seen next; possible: {_listed(self._texts())}")

    def _refusal(self, text: str, error: ValueError) -> str:
        reason = str(error)
        if not self._is_event(text):
            reason = f"{text!r} is nothing that could be seen here"
        return f"{reason}; possible: {_listed(self._texts())}"


def _compare(followed: list[str], events: list[str], number: int) -> None:
    """Whether events are those that had to follow; ValueError at the first that is not. The first one has this number."""
    for place, (one, other) in enumerate(zip(followed, events, strict=False)):
        if one != other:
            raise ValueError(f"event {number + place}: {other!r} cannot have happened: {one!r} is what had to come")


def _possible(info: InfoState, worlds: int, enough: int = 1 << 30) -> list[int]:
    """Ids of what the observer may see next, ascending; when `enough` are found the rest is not looked for."""
    game, mover = info.game, info.current_player()
    if mover == TERMINAL_PLAYER:
        return []
    decisions, whole = game.num_distinct_actions(), game.num_distinct_actions() + game.max_chance_outcomes()
    if mover == info.player:
        found = set(info.admissible(range(decisions))).intersection(info.legal_actions())
    else:
        found = set(info.admissible(range(decisions if mover == CHANCE_PLAYER else 0, whole)))
    for seed in range(worlds):
        if len(found) >= enough:
            break
        partial = (label for label in _labels(info.sample(seed), info.player, SILENT) if label >= whole and label not in found)
        found.update(label for label in partial if info.admissible(range(label, label + 1)))
    return sorted(found)


def _labels(world: State, observer: int, depth: int) -> set[int]:
    """What the observer may see next in a world: of the next event, or of one behind those that he does not notice."""
    labels: set[int] = set()
    for action in world.legal_actions():
        label = world.seen(action, observer)
        if label is not None:
            labels.add(label)
        elif depth:
            after = world.clone()
            after.apply_action(action)
            labels |= _labels(after, observer, depth - 1)
    return labels


def _unseen_way(world: State, player: int, depth: int) -> State | None:
    """The first state in which it is a player's turn, with nothing before it that he sees; None if there is none."""
    if world.current_player() == player:
        return world
    for action in world.legal_actions() if depth and world.current_player() >= 0 else []:
        if world.seen(action, player) is None:
            after = world.clone()
            after.apply_action(action)
            found = _unseen_way(after, player, depth - 1)
            if found is not None:
                return found
    return None


def _label_of_ending(world: State, observer: int) -> int | bool | None:
    """What is seen next if the one on turn stops wherever he may: None if that differs or is nothing, False if he may not stop."""
    mover = world.current_player()
    while world.current_player() == mover:
        action = way_out(world, END)
        if action is None:
            return False
        label = world.seen(action, observer)
        if label is not None:
            return label
        world.apply_action(action)
    if not world.is_chance_node():
        return None
    labels = {world.seen(action, observer) for action in world.legal_actions()}
    return labels.pop() if len(labels) == 1 else None


def _listed(texts: list[str]) -> str:
    return ", ".join(texts[:SHOWN]) + (f", .. ({len(texts)} in all)" if len(texts) > SHOWN else "")
