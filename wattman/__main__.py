"""`python -m wattman`: the command line."""
from wattman.cli.main import app

app()
