"""`wattman agents`."""

from __future__ import annotations

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from wattman.cli.common import AsJson, console, print_json
from wattman.engine.games import game_class, names
from wattman.search.agents import AGENTS, scripts
from wattman.search.defaults import GAMES

HELP = """List the agents: who can play, and with what parameters.

An agent is written as its name and, after a colon, its parameters: ismcts:time=2,threads=2
"""


def agents(as_json: AsJson = False) -> None:
    if as_json:
        own = [_plain(kind) | {"game": name} for name in names() for kind in scripts(game_class(name)).values()]
        print_json([_plain(kind) for kind in AGENTS.values()] + own)
        return
    out = console()
    explained: dict = {}  # parameter: the agent under which it stands
    for kind in AGENTS.values():
        out.print(Text.assemble((kind.name, "bold"), f"  {kind.help}"))
        if not kind.parameters:
            continue
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        shared: dict[str, list[str]] = {}
        for parameter in kind.parameters:
            if parameter in explained:
                shared.setdefault(explained[parameter], []).append(parameter.name)
                continue
            explained[parameter] = kind.name
            defaults = [] if parameter.default is None else [f"default {_shown(parameter.default)}"]
            defaults += [f"{name} {_shown(own[parameter.name])}" for name, own in GAMES.items() if parameter.name in own]
            table.add_row(f"  {parameter.name}", parameter.help, parameter.allowed(), "; ".join(defaults))
        if table.row_count:
            out.print(table)
        for other, among in shared.items():
            out.print(Padding(f"and as {other}: {', '.join(among)}", (0, 2)))
    for name in names():
        for kind in scripts(game_class(name)).values():
            out.print(Text.assemble((kind.name, "bold"), f"  {name} only: {kind.help}"))


def _shown(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _plain(kind) -> dict:
    parameters = {
        p.name: {
            "type": p.kind.__name__,
            "default": p.default,
            "games": {name: own[p.name] for name, own in GAMES.items() if p.name in own},
            "allowed": p.allowed(),
            "help": p.help,
        }
        for p in kind.parameters
    }
    return {"agent": kind.name, "help": kind.help, "parameters": parameters}
