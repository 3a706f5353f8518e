"""The `wattman` command: its subcommands, and the one place where errors become one line and an exit status."""
from __future__ import annotations

import os
import sys
from typing import Annotated

import typer
from typer.core import TyperGroup

from wattman import __version__
from wattman.cli import (
    advise,
    agents,
    analyze,
    bench,
    check,
    games,
    match,
    new,
    play,
    replay,
    review,
    selfplay,
    serve,
    show,
    solve,
    train,
    transfer,
    tune,
)
from wattman.cli.stopping import EXIT_INTERRUPT

EXIT_ERROR = 2
UsageError = typer.BadParameter.__mro__[1]  # typer has it from click, and in later versions from a copy of click


class Group(TyperGroup):
    """Errors of the library and of usage end in one line on stderr and status 2, never in a traceback."""

    def main(self, args=None, prog_name=None, complete_var=None, standalone_mode=True, **extra):
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
            if getattr(sys, name) is None:  # closed by the shell: wattman games >&-
                setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - until the program ends
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a terminal that lacks a character gets a question mark, not a crash
                stream.reconfigure(errors="replace")
        args = sys.argv[1:] if args is None else list(args)
        sys.exit(self._run(args or ["--help"], extra))

    def _run(self, args: list[str], extra: dict) -> int:
        try:
            with self.make_context("wattman", list(args), **extra) as context:
                self.invoke(context)
            sys.stdout.flush()
            return 0
        except typer.Exit as leave:
            return leave.exit_code
        except UsageError as error:
            return complain(self._usage(error, args))
        except (KeyboardInterrupt, typer.Abort):
            return complain("interrupted", EXIT_INTERRUPT)
        except BrokenPipeError:  # the reader, e.g. `head`, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except EOFError:
            return complain("the input ended")
        except OSError as error:
            if os.environ.get("WATTMAN_TRACEBACK"):
                raise
            return complain(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))
        except ValueError as error:
            if os.environ.get("WATTMAN_TRACEBACK"):
                raise
            return complain(str(error))

    def _usage(self, error: Exception, args: list[str]) -> str:
        """What is wrong with the arguments, and where help is."""
        group, path = self, "wattman"
        for word in args:
            if word not in getattr(group, "commands", {}):
                break
            group, path = group.commands[word], f"{path} {word}"
        text = refused_value(error) or error.format_message().rstrip().removesuffix(".")
        if text.startswith(("No such command", "Missing command")):
            return f"{text}; commands are: {', '.join(group.commands)}"
        return f"{text} (see {path} --help)"


NOT_A = {"int": "is not a whole number", "float": "is not a number"}  # by the beginning of the name of what pydantic found


def refused_value(error: Exception) -> str:
    """Which value of an option is wrong; "" where the error's own text tells it. (Where typer has pydantic read numbers it does not.)"""
    if not (hasattr(error.__cause__, "errors") and getattr(error, "param", None)):
        return ""
    problem = error.__cause__.errors()[0]
    wrong = NOT_A.get(problem["type"].partition("_")[0])
    for kind, key, words in (("greater_than_equal", "ge", "at least"), ("less_than_equal", "le", "at most")):
        if problem["type"] == kind:
            wrong = f"is not {words} {problem['ctx'][key]}"
    return f"{error.param.opts[0]}: {problem['input']!r} {wrong}" if wrong else ""


def complain(message: str, status: int = EXIT_ERROR) -> int:
    """Write one line to stderr."""
    line = " ".join(message.split())
    try:
        print(f"wattman: {line}", file=sys.stderr)
    except UnicodeError:
        print(f"wattman: {line!a}", file=sys.stderr)
    return status


app = typer.Typer(
    cls=Group,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"wattman {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version and exit.")] = False,
) -> None:
    """Tram board games with hidden hands against a fair AI: it knows only what a player on its seat would know.

    [bold]wattman play trambahn[/bold] begins a game. Every command explains itself: [bold]wattman play --help[/bold].
    """


app.command("games", help=games.HELP)(games.games)
app.command("agents", help=agents.HELP)(agents.agents)
app.command("play", help=play.HELP)(play.play)
app.command("analyze", help=analyze.HELP)(analyze.analyze)
app.command("advise", help=advise.HELP)(advise.advise)
app.command("solve", help=solve.HELP)(solve.solve_command)
app.command("review", help=review.HELP)(review.review)
app.command("replay", help=replay.HELP)(replay.replay)
app.command("check", help=check.HELP)(check.check)
app.command("show", help=show.HELP)(show.show)
app.command("match", help=match.HELP)(match.match)
app.command("tune", help=tune.HELP)(tune.tune)
app.command("selfplay", help=selfplay.HELP)(selfplay.selfplay)
app.command("train", help=train.HELP)(train.train)
app.command("transfer", help=transfer.HELP)(transfer.transfer)
app.command("serve", help=serve.HELP)(serve.serve)
app.add_typer(new.app, name="new")
app.command("bench", help=bench.HELP)(bench.bench)
