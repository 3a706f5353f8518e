"""`wattman serve`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from wattman.search.protocol import Server

HELP = """Answer the requests of another program: JSON, one request or answer a line.

docs/protocol.md describes them; examples/two_programs.py is a client.

echo '{"id": 1, "method": "hello"}' | wattman serve --stdio
"""


def serve(
    stdio: Annotated[bool, typer.Option("--stdio", help="Read requests from standard input and write answers to standard output.")] = False,
) -> None:
    if not stdio:
        raise ValueError("--stdio is missing: standard input and output are the only way so far")
    Server(sys.stdin.buffer, sys.stdout.buffer).run()
