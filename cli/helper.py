"""Advice during a real game: the loop of asking what was seen and of showing what follows from it."""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path

from rich.padding import Padding
from rich.text import Text

from wattman.cli.common import drawn, number, progress
from wattman.cli.dialogue import Dialogue, numbered
from wattman.cli.files import write_new
from wattman.cli.report import percent, show
from wattman.engine import positions
from wattman.engine.companion import Companion
from wattman.engine.game import CHANCE_PLAYER, TERMINAL_PLAYER
from wattman.search.agents import Agent, load_agent
from wattman.search.beliefs import holdings
from wattman.search.worth import worth

PROMPT = "[what you see, number, best, rivals, undo, help, quit] > "
LISTED = 24  # possible entries that are listed one by one; of more, by verb,
WORDS = 48  # what may follow it
PLAYOUTS = 1000  # for a win probability while another player is on turn
CARDS = 10  # of one place that are shown
COMMANDS = {
    "best [SECONDS]": "the best move and line; while others are on turn, the chances of all",
    "asked": "it is your turn, though nothing that you saw told so (others may decide unseen before you)",
    "rivals": "what the others may hold, with the chance that they have at least one",
    "possible": "list all that may be seen next",
    "table": "draw the table as you know it",
    "log": "what was entered, numbered",
    "undo [N]": "take back the last entry, or the last N",
    "correct K TEXT": "put TEXT in the place of entry K of the log; what came later is kept",
    "save FILE": "write what was seen to a new file; wattman advise --load FILE goes on with it",
    "help": "this",
    "quit": "stop; the game is saved",
}


class Helper(Dialogue):
    """The screen around a `Companion`.

    Parameters
    ----------
    companion : Companion
    searcher : Agent
        Gives the advice.
    """

    def __init__(self, companion: Companion, searcher: Agent):
        super().__init__()
        self.companion = companion
        self.searcher = searcher
        self.saved = companion.events()
        self.listed: list[str] = []  # what the numbers stand for
        self.leave = False

    def run(self) -> None:
        """Ask until the person quits; KeyboardInterrupt and EOFError come through."""
        game = self.companion.game
        seats = " · ".join(self._name(seat) for seat in range(game.num_players()))
        self.out.print(Text(f"{game.TITLE or game.name} · {seats}", style="bold"), soft_wrap=True)
        self._next()
        while not self.leave:
            line = self.read(PROMPT).strip()
            if not line:
                continue
            try:
                self._obey(line)
            except (ValueError, OSError) as error:
                words = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else str(error)
                self.say(Text(" ".join(words.split()), style="red"))

    # --- what is shown ---

    def _next(self) -> None:
        """What is expected now."""
        info = self.companion.info
        mover = info.current_player()
        if mover == TERMINAL_PLAYER:
            self.listed = []
            self.out.print(drawn(info.game, info.to_dict()))
            points = " : ".join(number(score) for score in info.scores())
            self.out.print(Text(f" The game is over, {points}."), soft_wrap=True)
            return
        if mover == info.player:
            self.out.print(drawn(info.game, info.to_dict()))
        if mover == info.player:
            self._list("Your turn: what do you play? (best: the best move)")
        elif mover == CHANCE_PLAYER:
            self._list("What comes? (your own cards, and what is open)")
        else:
            self._list(f"{self._name(mover)} is on turn: what do you see?")

    def _list(self, head: str, most: int = LISTED) -> None:
        self.listed = self.companion.possible()
        self.out.print(Text(f" {head}", style="bold"), soft_wrap=True)
        view = self.companion.info.to_dict()
        if len(self.listed) > most:
            for verb, group in groupby(self.listed, key=lambda text: text.partition(" ")[0]):
                args = [text.partition(" ")[2] for text in group]
                more = f" .. ({len(args)})" if len(args) > WORDS else ""
                self.out.print(Padding(Text.assemble((verb, "cyan"), f" {' · '.join(args[:WORDS])}{more}"), (0, 1, 0, 3)))
            example = self.companion.game.explain(self.listed[0], view)
            self.out.print(Text(f"   for example {example}; possible numbers them all", style="dim"))
            return
        words = [self.companion.game.explain(text, view) for text in self.listed[:most]]
        self.choices(numbered(words))

    def _name(self, seat: int) -> str:
        name = self.companion.players[seat] or f"player {seat}"
        return f"you (seat {seat})" if seat == self.companion.player else name

    # --- commands ---

    def _obey(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        commands = {
            "best": self._best,
            "hint": self._best,
            "analyze": self._best,
            "rivals": self._rivals,
            "possible": lambda rest: self._list("All that may come:", 1 << 30),
            "table": lambda rest: self.out.print(drawn(self.companion.game, self.companion.info.to_dict())),
            "asked": self._asked,
            "log": self._log,
            "undo": self._undo,
            "correct": self._correct,
            "save": self._save,
            "help": self._help,
            "?": self._help,
            "quit": self._quit,
            "exit": self._quit,
        }
        command = commands.get(word.lower())
        if command:
            command(rest.strip())
            return
        if line.isdecimal():
            if not 1 <= int(line[:9]) <= len(self.listed):
                raise ValueError(f"{line[:9]}: what may come is numbered from 1 to {len(self.listed)}")
            line = self.listed[int(line) - 1]
        taken = self.companion.enter(line)
        counted = [(text, len(list(same))) for text, same in groupby(taken)]
        self.say(Text("noted: " + " · ".join(text + (f" x{times}" if times > 1 else "") for text, times in counted), style="dim"))
        self._next()

    def _best(self, rest: str) -> None:
        info = self.companion.info
        if info.current_player() == TERMINAL_PLAYER:
            raise ValueError("the game is over; there is nothing to decide")
        searcher = self.searcher
        if rest:
            try:
                searcher = load_agent(f"ismcts:time={float(rest):g}", self.companion.game, self.searcher.seed)
            except ValueError:
                raise ValueError(f"{rest!r} is no number of seconds to think; for example: best 5") from None
        if info.current_player() != info.player:
            means, errors = worth(info, PLAYOUTS, searcher.seed)
            words = [
                f"{self._name(seat)} {percent(means[seat, 0])} ± {percent(errors[seat, 0])} % ({means[seat, 1]:+.1f})"
                for seat in range(len(means))
            ]
            self.say(Text(f"To win (and margin), if all play by rule of thumb from here: {' · '.join(words)}"))
            if self.companion.may_be_asked():
                self.say(Text("If it is your turn already, type asked, and best then gives the best move.", style="dim"))
            return
        parameters = getattr(searcher, "parameters", {})
        with progress(getattr(searcher, "seconds", None), parameters.get("simulations"), "thinking") as report:
            analysis = searcher.analyze(info, progress=report)
        show(self.out, info, analysis)

    def _rivals(self, rest: str) -> None:
        found = holdings(self.companion.info, seed=self.searcher.seed)
        if not found:
            self.say(Text("Nothing that the others hold is hidden from you."))
        for (seat, place), group in groupby(found, key=lambda each: (each.player, each.place)):
            cards = list(group)
            words = [f"{each.card} {100 * each.chance:.0f} %" + (f" (x{each.expected:.1f})" if each.expected > 1 else "") for each in cards]
            more = f" · and {len(words) - CARDS} more" if len(words) > CARDS else ""
            self.say(Text.assemble((f"{self._name(seat)}, {place}: ", "bold"), " · ".join(words[:CARDS]) + more))

    def _asked(self, rest: str) -> None:
        self.companion.asked()
        self._next()

    def _log(self, rest: str) -> None:
        for place, entry in enumerate(self.companion.entries, 1):
            more = f"  (then {len(entry.followed)} that had to come)" if entry.followed else ""
            self.say(Text.assemble((f"{place:>4}  ", "cyan"), "; ".join(entry.events) or "asked", (more, "dim")))

    def _undo(self, rest: str) -> None:
        if rest and not rest.isdecimal():
            raise ValueError(f"undo {rest}: expected undo, or undo and a number of entries")
        if not self.companion.undo(int(rest[:9] or 1)):
            count = len(self.companion.entries)
            raise ValueError(f"undo: there {'is 1 entry' if count == 1 else f'are {count} entries'}")
        self._next()

    def _correct(self, rest: str) -> None:
        place, _, text = rest.partition(" ")
        if not place.isdecimal() or not text.strip():
            raise ValueError("correct: expected the number of an entry (see log) and what it should be; for example: correct 3 draw B9")
        self.companion.correct(int(place[:9]), text)
        self._next()

    def _help(self, rest: str) -> None:
        text = (
            "Type what you see: your own cards and moves, and what the others do openly, by number or in notation; several events on one "
            "line with ; in between. A verb holds for all that follows it, and may be left out: B9 R3 G10. end: the one on turn does no "
            "more that you could see."
        )
        self.out.print(Padding(Text(text), (0, 2)))
        self.glossary(COMMANDS)

    def _quit(self, rest: str) -> None:
        self.leave = True

    # --- saving ---

    def _save(self, rest: str) -> None:
        if not rest:
            raise ValueError("save: to which file? for example: save my-game.jsonl")
        self.save(Path(rest))

    def save(self, path: Path) -> None:
        """Write what was seen to a new file: as a view, or as a position if it began at one."""
        companion = self.companion
        write_new(path, companion.to_json() + "\n" if companion.complete else positions.dumps(companion.info))
        self.saved = companion.events()
        self.say(Text(f"saved to {path}"))

    def rescue(self) -> None:
        """Save under a new name in the current directory what is in no file yet."""
        if self.companion.entries and self.companion.events() != self.saved:
            ending, count = ("jsonl" if self.companion.complete else "toml"), 1
            while os.path.lexists(path := Path(f"{self.companion.game.name}-seen-{count}.{ending}")):
                count += 1
            self.save(path)
            self.out.print(Text(f"  go on with: wattman advise --load {path}"), soft_wrap=True)
