"""`wattman games`."""
from __future__ import annotations

from rich.table import Table

from wattman.cli.common import AsJson, console, print_json
from wattman.engine.games import game_class, names

HELP = """List the games with their options.

An option is given as --option KEY=VALUE, for instance: wattman play trambahn --option halving=on_need
"""


def games(as_json: AsJson = False) -> None:
    kinds = [game_class(name) for name in names()]
    if as_json:
        print_json([_plain(kind) for kind in kinds])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("game", "title", "players", "option", "values (default first)", "meaning"):
        table.add_column(heading, overflow="fold")
    for kind in kinds:
        rows = [(name, option) for name, option in kind.OPTIONS.items() if name != "players"]
        head = (kind.NAME, kind.TITLE, _range(kind.OPTIONS["players"]))
        for name, option in rows or [("-", None)]:
            table.add_row(*head, name, *((_values(option), option.help) if option else ("", "")))
            head = ("", "", "")
    console().print(table)


def _plain(kind) -> dict:
    options = {
        name: {"default": option.default, "choices": list(option.choices) if option.choices is not None else None, "help": option.help}
        for name, option in kind.OPTIONS.items()
    }
    return {"game": kind.NAME, "title": kind.TITLE, "options": options}


def _range(option) -> str:
    choices = option.choices
    return str(choices[0]) if len(choices) == 1 else f"{min(choices)}-{max(choices)} (default {option.default})"


def _values(option) -> str:
    if option.choices is None:
        return f"{option.default or '-'}, or any text"
    return ", ".join([str(option.default), *(str(choice) for choice in option.choices if choice != option.default)])
