"""`wattman agents`."""
from __future__ import annotations

from rich.table import Table
from rich.text import Text

from wattman.cli.common import AsJson, console, print_json
from wattman.search.agents import AGENTS

HELP = """List the agents: who can play, and with what parameters.

An agent is written as its name and, after a colon, its parameters: ismcts:time=2,threads=2
"""


def agents(as_json: AsJson = False) -> None:
    if as_json:
        print_json([_plain(kind) for kind in AGENTS.values()])
        return
    out = console()
    for kind in AGENTS.values():
        out.print(Text.assemble((kind.name, "bold"), f"  {kind.help}"))
        if not kind.parameters:
            continue
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
        for parameter in kind.parameters:
            default = "" if parameter.default is None else f"default {_shown(parameter.default)}"
            table.add_row(f"  {parameter.name}", parameter.help, parameter.allowed(), default)
        out.print(table)


def _shown(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _plain(kind) -> dict:
    parameters = {
        p.name: {"type": p.kind.__name__, "default": p.default, "allowed": p.allowed(), "help": p.help} for p in kind.parameters
    }
    return {"agent": kind.name, "help": kind.help, "parameters": parameters}
