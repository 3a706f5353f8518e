"""A game at the terminal: the loop of showing the table, reading what a person types, and letting the others move."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path

from rich.padding import Padding
from rich.text import Text

from wattman.cli.common import console, drawn, number, progress, seat_name
from wattman.cli.dialogue import Dialogue, long, numbered
from wattman.cli.files import write_new
from wattman.cli.report import points, show, win_text
from wattman.engine import positions, records
from wattman.engine.session import PASS, Session, turn_line, whose
from wattman.search.agents import Agent, load_agent
from wattman.search.analysis import Analysis
from wattman.search.play import decide

PROMPT = "[move, number, hint, analyze, undo, save FILE, help, quit] > "
LISTED = {True: 20, False: 60}  # legal moves that are listed, long ones a line each, or several on a line; the likeliest if there are more
COMMANDS = {
    "moves": "list all legal moves",
    "table": "draw the table again",
    "hint [SECONDS]": "the best move and turn that a search finds, from what you know",
    "analyze [SECONDS]": "the same for every move",
    "undo": "take back your last decision; undo turn: the whole turn. Cards come again in the same order",
    "save FILE": "write the game so far to the end of FILE; wattman play --load FILE goes on with it",
    "help": "this",
    "quit": "stop; the game is saved",
}


class OpponentError(Exception):
    """An opponent crashed or made no legal move."""


class Table(Dialogue):
    """One game between people at this screen and agents.

    Parameters
    ----------
    session : Session
    names : list of str
        Of all seats, as a record writes them.
    agents : dict of int to Agent
        The seats that no person has.
    seed : int
        Of hints and analyses.
    complete : bool
        Whether the session began at the start of a game, so that it can be saved as a record. Else a position is saved.
    """

    def __init__(self, session: Session, names: list[str], agents: Mapping[int, Agent], seed: int, complete: bool = True):
        super().__init__()
        self.session = session
        self.names = names
        self.agents = agents
        self.seed = seed
        self.complete = complete
        self.people = [seat for seat in range(session.game.num_players()) if seat not in agents]
        self.shown = {seat: len(session) for seat in self.people}  # events of which a person has been told
        self.at_screen: int | None = self.people[0] if len(self.people) == 1 else None
        self.saved = len(session) if session.decisions else -1  # a loaded game is on the disk already
        self.leave = False

    @property
    def you(self) -> int | None:
        """The only person, if there is one only."""
        return self.people[0] if len(self.people) == 1 else None

    def run(self) -> None:
        """Play until the game is over or the person quits; KeyboardInterrupt and EOFError come through."""
        self.out.print(self._title(), soft_wrap=True)
        while not self.leave and not self.session.state.is_terminal():
            seat = self.session.state.current_player()
            if seat in self.agents:
                self._agent_moves(seat)
            else:
                self._person_moves(seat)
        if self.session.state.is_terminal():
            self._finish()

    # --- agents ---

    def _agent_moves(self, seat: int) -> None:
        agent = self.agents[seat]
        busy = contextlib.nullcontext()
        if sys.stderr.isatty():
            busy = console(stderr=True).status(f"{seat_name(seat, self.names)} thinks")
        try:
            with busy:
                action = decide(agent, self.session.state)
        except Exception as error:  # whatever it is, the person's game is not lost
            raise OpponentError(f"{seat_name(seat, self.names)} failed: {type(error).__name__}: {error}") from error
        if getattr(agent, "interrupted", False):
            raise KeyboardInterrupt
        self.session.play(action)

    # --- people ---

    def _person_moves(self, seat: int) -> None:
        if self.at_screen != seat:
            self._pass_screen(seat)
        self._tell(seat)
        self._draw(seat)
        self._list_moves(False)
        before = self.session.state
        while not self.leave and self.session.state is before:
            line = self.read(PROMPT if self.you is not None else f"player {seat} {PROMPT}").strip()
            if not line:
                continue
            try:
                self._obey(seat, line)
            except (ValueError, OSError) as error:
                words = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
                self.say(Text(" ".join(words.split()), style="red"))

    def _pass_screen(self, seat: int) -> None:
        """Hide the hand of the one before, and wait for the next person."""
        self.at_screen = seat
        if not self.typed:  # nobody is looking, and the next line is a move
            self.out.print(f"\nplayer {seat}'s turn")
            return
        if self.out.is_terminal:
            self.out.file.write("\033[H\033[2J\033[3J")  # the lines scrolled away, too: they show the other hand
        with contextlib.suppress(ImportError):
            import readline

            readline.clear_history()  # what the other one typed shows it as well
        self.read(f"Pass the screen to player {seat}, who then presses Enter ")

    def _tell(self, seat: int) -> None:
        """What has happened since this person last looked."""
        seen = self.session.seen(seat, min(self.shown[seat], len(self.session)))
        self.shown[seat] = len(self.session)
        told_by = [(*whose(event.player, text), event) for event, text in seen]
        for player, events in groupby(told_by, key=lambda told: told[0]):
            told = self.session.game.tell([(text, event.before.to_dict(seat)) for _, text, event in events])
            # What he typed himself he knows; what came of it may be news.
            words = [explained for text, explained in told if text != PASS and (player != seat or explained != text)]
            if not words:
                continue
            counted = [(text, len(list(same))) for text, same in groupby(words)]
            who = "cards" if player < 0 else seat_name(player, self.names, seat)
            line = Text.assemble((f"{who}: ", "bold"), " · ".join(text + (f" x{times}" if times > 1 else "") for text, times in counted))
            self.out.print(Padding(line, (0, 0, 0, 1)))

    def _draw(self, seat: int) -> None:
        self.out.print()
        self.out.print(drawn(self.session.game, self.session.state.to_dict(seat)))

    def _list_moves(self, every: bool) -> None:
        state = self.session.state
        view = state.to_dict(state.current_player())
        legal = self.session.legal()
        words = [self.session.game.explain(text, view) for text in legal]
        entries = numbered(words)
        most = LISTED[long(entries)]
        left = 0 if every else max(0, len(entries) - most)
        if left:
            weights = state.info_state(state.current_player()).weights()
            likely = [weights[action] for action in state.legal_actions()]
            chosen = sorted(range(len(entries)), key=lambda i: -likely[i])[:most]
            entries = [entries[i] for i in sorted(chosen)]
        self.choices(entries)
        if left:
            self.out.print(f"    and {left} more: moves lists all", style="dim")

    # --- commands ---

    def _obey(self, seat: int, line: str) -> None:
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[int, str], None]] = {
            "moves": lambda seat, rest: self._list_moves(True),
            "table": lambda seat, rest: self._draw(seat),
            "hint": self._hint,
            "analyze": self._analyze,
            "analyse": self._analyze,
            "undo": self._undo,
            "save": self._save,
            "help": self._help,
            "?": self._help,
            "quit": self._quit,
            "exit": self._quit,
        }
        command = commands.get(word.lower())
        if command:
            command(seat, rest.strip())
        elif line.isdecimal():
            legal = self.session.state.legal_actions()
            if not 1 <= int(line[:9]) <= len(legal):
                raise ValueError(f"{line[:9]}: the moves are numbered from 1 to {len(legal)}")
            self.session.play(legal[int(line) - 1])
        else:
            try:
                self.session.enter(line)
            except ValueError:
                if re.match(r"\d+\s*[;,\s]", line) or any(part.strip().isdecimal() for part in line.split(";")):
                    raise ValueError("a number stands alone on its line; several moves on one line are typed in their notation") from None
                raise

    def _help(self, seat: int, rest: str) -> None:
        text = "Type a move by its number or in its notation, as in the list; several in their notation go on one line, with ; in between."
        if self.session.game.STOPS:
            text += f" A step that you leave ends by itself; {' or '.join(self.session.game.STOPS)} ends one, end the whole turn."
        self.out.print(Padding(Text(text), (0, 2)))
        self.glossary(dict(re.split(r"  +", line, maxsplit=1) for line in self.session.game.HELP.splitlines()))
        example = self._example(seat)
        if example:
            self.say(Text.assemble("An example, not advice: ", (example, "bold")))
        self.glossary(COMMANDS)

    def _example(self, seat: int) -> str:
        """How a whole turn from here may be typed."""
        agent = load_agent("greedy", self.session.game)
        trial, moves = self.session.state.clone(), []
        while trial.current_player() == seat:
            moves.append(agent.choose(trial.info_state()))
            trial.apply_action(moves[-1])
        texts = [trial.action_to_string(move) for move in moves]
        return turn_line(self.session.state.info_state(seat), texts)

    def _quit(self, seat: int, rest: str) -> None:
        self.leave = True

    def _undo(self, seat: int, rest: str) -> None:
        if rest not in ("", "turn"):
            raise ValueError(f"undo {rest}: expected undo or undo turn")
        if not self.session.undo(seat, turn=rest == "turn"):
            raise ValueError("undo: you have not decided anything yet")
        for person in self.people:
            self.shown[person] = min(self.shown[person], len(self.session))
        self.saved = -1

    def _search(self, rest: str) -> Analysis:
        try:
            seconds = float(rest or 1)
            searcher = load_agent(f"ismcts:time={seconds:g}", self.session.game, self.seed)
        except ValueError:
            raise ValueError(f"{rest!r} is no number of seconds to think; for example: hint 5") from None
        with progress(seconds, None, "thinking") as report:
            return searcher.analyze(self.session.state.info_state(), progress=report)

    def _hint(self, seat: int, rest: str) -> None:
        best = self._search(rest).best
        info = self.session.state.info_state(seat)
        worth = f" brings {points(best)} points" if self.session.game.num_players() == 1 else f" wins {win_text(best)} %"
        line = Text.assemble("hint: ", (best.action, "bold"), worth)
        turn = turn_line(info, best.pv or [best.action])
        self.say(line + (f"; whole turn: {turn}" if turn != best.action else ""))

    def _analyze(self, seat: int, rest: str) -> None:
        show(self.out, self.session.state.info_state(seat), self._search(rest))

    def _save(self, seat: int, rest: str) -> None:
        if not rest:
            raise ValueError("save: to which file? for example: save game.jsonl")
        self.save(Path(rest))

    # --- saving and the end ---

    def save(self, path: Path, quiet: bool = False) -> None:
        """Append the game to a file of records, or write a new position file if it began at a position."""
        if self.complete:
            records.append(path, self.session.record(self.names))
        else:
            seat = self.session.state.current_player()
            write_new(path, positions.dumps(self.session.state.info_state(seat if seat in self.people else self.people[0])))
        self.saved = len(self.session)
        if not quiet:
            self.say(Text(f"saved to {path}"))

    def rescue(self, quiet: bool = False) -> Path | None:
        """Save an unfinished game under a new name in the current directory (in that for temporary files, if nothing can be written here).

        None if there is nothing to save.
        """
        if self.session.state.is_terminal() or len(self.session) == self.saved or not self.session.decisions:
            return None
        try:
            path = self._free_name(Path())
            self.save(path, quiet)
        except OSError:
            path = self._free_name(Path(tempfile.gettempdir()))
            self.save(path, quiet)
        return path

    def _free_name(self, folder: Path) -> Path:
        name = self.session.game.name
        return records.default_path(name, folder) if self.complete else _free_position(name, folder)

    def _finish(self) -> None:
        state = self.session.state
        if self.you is not None:
            self._tell(self.you)
        view = state.to_dict(self.you) if self.you is not None and not self.session.game.OPEN_END else state.to_dict()
        self.out.print()
        self.out.print(drawn(self.session.game, view))
        self.out.print(Text(f" The game is over. {self._result()}", style="bold"), soft_wrap=True)

    def _result(self) -> str:
        state = self.session.state
        returns, scores = state.returns(), state.scores()
        winners = [seat for seat, value in enumerate(returns) if value == max(returns)]
        result = " : ".join(number(score) for score in scores)
        if len(returns) == 1:
            return f"{result} points."
        if len(winners) == len(returns) and len(returns) > 1:
            return f"A draw, {result}."
        if self.you in winners:
            return f"You win{' together with others' if len(winners) > 1 else ''}, {result}."
        who = " and ".join(seat_name(seat, self.names) for seat in winners)
        return f"{who[0].upper()}{who[1:]} win{'s' * (len(winners) == 1)}, {result}."

    def _title(self) -> Text:
        game = self.session.game
        seats = " · ".join(seat_name(seat, self.names) + (" is you" if seat == self.you else "") for seat in range(len(self.names)))
        return Text(f"{game.TITLE or game.name} · {seats} · seed {self.seed}", style="bold")


def _free_position(name: str, folder: Path) -> Path:
    number = 1
    while os.path.lexists(path := folder / f"{name}-{number}.toml"):
        number += 1
    return path
