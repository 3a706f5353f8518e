from typing import Any

class Evaluator:
    """What guides a search."""

    search: dict[str, Any]
