"""Portland in words: the ids of its events on a given board, and their notation.

| ids | text | seen by |
| --- | --- | --- |
| types | `take X` | all |
| 3 | `draw`, `tickets`, `skip` | all |
| routes | `claim ROUTE` | the player; the others see it with its payment |
| types without the wild one * longest route | `pay X+k` | the player |
| 1 | `pay pass` | the player |
| tickets, then ordered pairs and triples of them | `keep A>B C>D` | the player |
| types | `card X` (chance) | all if it is turned up, else the player who draws it |
| tickets | `ticket A>B` (chance) | the player who draws it |

The rest are partial labels: what the others see of these (`card ?`, `ticket ?`, `keep ?` of a first choice, `keep 2` of another one,
`claim ROUTE, pay X+k`), the last first choice, which shows how many all have kept (`keep 3/2` by seats; to the player who makes it
`keep 1,3, others 3`: the first and the third of those offered), and each event or label again with `, reset` or `, left` behind it: the
market had too many passes, and it depended on hidden cards whether it was reset.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import product

from wattman.engine.games._portland_board import WILD, Board

# Why an event seen at a table is refused, by the codes of _portland_admit.pyx.
REFUSALS = {
    1: "the game is over",
    2: "it is not the time for it, or not possible now",
    3: "there is no such card left that could be there",
    4: "there is no such ticket left that could be there",
    5: "that is not what you see of it (of the others: 'card ?', 'ticket ?', 'keep ?' at first, then 'keep 2', 'claim ROUTE, pay X+k')",
    6: "that player cannot have the cards for it",
    7: "it contradicts what you have seen before",
    8: "the market has too many passes now, and nobody can tell whether it is reset: add ', reset' or ', left'",
    9: "nothing is to be seen of the market's check after it: leave ', reset' or ', left' away",
    10: "there is no such event",
}

_TOLD = ("", ", reset", ", left")


class Notation:
    """The events of a board for a number of players: ids and texts.

    Attributes
    ----------
    actions, outcomes, labels : int
        How many ids there are of each kind.
    first : dict
        The first id of each kind, by name.
    """

    def __init__(self, board: Board, players: int):
        self.board = board
        self.players = players
        self.types = [kind.id for kind in board.types]
        self.routes = [route.text for route in board.routes]
        self.tickets = [ticket.text for ticket in board.tickets]
        self.longest = max(route.length for route in board.routes)
        self.offered = max(board.start_tickets.offered, board.more_tickets.offered)
        n, types, start = len(self.tickets), len(self.types), board.start_tickets
        self.counts = range(start.keep, start.offered + 1)  # of first tickets kept
        self.others = list(product(self.counts, repeat=players - 1))
        self.first: dict[str, int] = {}
        self._next = 0
        self._add("take", types)
        for word in ("draw", "tickets", "skip"):
            self._add(word, 1)
        self._add("claim", len(self.routes))
        self._add("pay", (types - 1) * self.longest)
        self._add("pay_pass", 1)
        for count, name in enumerate(("keep_one", "keep_two", "keep_three"), 1):
            self._add(name, _ordered(n, count) if count <= self.offered else 0)
        self.actions = self._next
        self._add("card", types)
        self._add("ticket", n)
        self.outcomes = self._next - self.actions
        for word in ("card_unseen", "ticket_unseen", "keep_unseen"):
            self._add(word, 1)
        self._add("kept", self.offered)
        self._add("first_kept", len(self.counts) ** players)
        self._add("last_kept", (2**start.offered - 1) * len(self.others))
        self.claimed = [self._payments(i) for i in range(len(self.routes))]
        self.claimed_from = [0]
        for payments in self.claimed:
            self.claimed_from.append(self.claimed_from[-1] + len(payments))
        self._add("claimed", self.claimed_from.pop())
        self.told = self._next
        self.events = 3 * self.told
        self.labels = self.events - self.actions - self.outcomes
        self._names = [name for name, start in self.first.items()]
        self._starts = list(self.first.values())
        # All but the many ways to keep tickets.
        events = (*range(self.first["keep_one"]), *range(self.first["card"], self.told))
        self._texts = {event: self._text(event) for event in events}
        self._ids = {text: event for event, text in self._texts.items()}

    def _add(self, name: str, count: int) -> None:
        self.first[name] = self._next
        self._next += count

    def _payments(self, route: int) -> list[str]:
        """The payments of a route as the others may see them."""
        kind, length = self.board.routes[route].type, self.board.routes[route].length
        kinds = self.types[:-1] if kind < 0 else [self.types[kind]]
        return [f"pay {name}+{k}" for name in kinds for k in range(length)] + [f"pay {WILD}"]

    # --- texts ---

    def text(self, event: int) -> str:
        """The notation of an event or partial label; ValueError if there is none of that id."""
        text = self._texts.get(event)
        if text is not None:
            return text
        if not 0 <= event < self.events:
            raise ValueError(f"id {event} is no event; ids run from 0 to {self.events - 1}")
        told, plain = divmod(event, self.told)
        text = (self._texts.get(plain) or self._text(plain)) + _TOLD[told]
        if told == 0:
            self._texts[event] = text  # a way to keep tickets: found again faster
        return text

    def _text(self, event: int) -> str:
        kind = bisect_right(self._starts, event) - 1
        name, i = self._names[kind], event - self._starts[kind]
        if name in ("draw", "tickets", "skip"):
            return name
        if name in ("take", "card"):
            return f"{name} {self.types[i]}"
        if name == "claim":
            return f"claim {self.routes[i]}"
        if name == "pay":
            return f"pay {self.types[i // self.longest]}+{i % self.longest}"
        if name == "pay_pass":
            return f"pay {WILD}"
        if name.startswith("keep_") and name != "keep_unseen":
            count = ("keep_one", "keep_two", "keep_three").index(name) + 1
            return "keep " + " ".join(self.tickets[j] for j in self._unrank(i, count))
        if name == "ticket":
            return f"ticket {self.tickets[i]}"
        if name.endswith("_unseen"):
            return f"{name.partition('_')[0]} ?"
        if name == "kept":
            return f"keep {i + 1}"
        if name == "first_kept":
            return f"keep {self._digits(i, self.players)}"
        if name == "last_kept":
            mask, others = divmod(i, len(self.others))
            own = ",".join(str(j + 1) for j in range(self.offered) if (mask + 1) >> j & 1)
            return f"keep {own}, others {self._digits(others, self.players - 1)}"
        route = bisect_right(self.claimed_from, i) - 1
        return f"claim {self.routes[route]}, {self.claimed[route][i - self.claimed_from[route]]}"

    def _digits(self, code: int, count: int) -> str:
        """Numbers of tickets kept, by seats."""
        numbers = []
        for _ in range(count):
            code, digit = divmod(code, len(self.counts))
            numbers.append(str(self.counts[digit]))
        return "/".join(numbers)

    def _unrank(self, rank: int, count: int) -> list[int]:
        """The tickets of an ordered choice: each counts among those that are left."""
        n, picks = len(self.tickets), []
        for left in range(n - count + 1, n + 1):
            rank, pick = divmod(rank, left)
            picks.insert(0, pick)
        chosen: list[int] = []
        for pick in picks:
            for other in sorted(chosen):
                pick += pick >= other
            chosen.append(pick)
        return chosen

    # --- ids ---

    def parse(self, text: str) -> int:
        """The id of an event or partial label written as text; ValueError that names the part that is wrong and what is allowed."""
        words = text.strip()
        told = next((i for i in (1, 2) if words.endswith(_TOLD[i])), 0)
        base = words[: len(words) - len(_TOLD[told])]
        if base in self._ids:
            return told * self.told + self._ids[base]
        if base.startswith("keep "):
            return told * self.told + self._parse_keep(text, base[5:].split())
        raise ValueError(self._why_not(text.strip()))

    def _parse_keep(self, text: str, names: list[str]) -> int:
        for name in names:
            if name not in self.board.ticket_numbers:
                raise ValueError(f"{text!r}: {name!r} is no ticket; tickets are: {', '.join(self.tickets)}")
        if len(names) > self.offered:
            raise ValueError(f"{text!r}: {len(names)} tickets; at most {self.offered} are offered")
        if len(set(names)) < len(names):
            raise ValueError(f"{text!r}: a ticket is named twice")
        chosen = [self.board.ticket_numbers[name] for name in names]
        rank = 0
        for i, ticket in enumerate(chosen):
            rank = rank * (len(self.tickets) - i) + ticket - sum(other < ticket for other in chosen[:i])
        return self.first[("keep_one", "keep_two", "keep_three")[len(names) - 1]] + rank

    def _why_not(self, text: str) -> str:
        verb, _, rest = text.partition(" ")
        forms = {
            "take": (rest, self.types, "card type"),
            "card": (rest, [*self.types, "?"], "card type"),
            "claim": (rest.partition(",")[0], self.routes, "route"),
            "ticket": (rest, [*self.tickets, "?"], "ticket"),
            "pay": (rest.partition("+")[0], self.types, "card type"),
            "draw": (text, ["draw"], "way to write it"),
            "tickets": (text, ["tickets"], "way to write it"),
            "skip": (text, ["skip"], "way to write it"),
            "keep": ("", ["keep A>B C>D"], "way to write it"),
        }
        if verb not in forms:
            return f"{text!r}: unknown action {verb!r}; expected one of {', '.join(forms)}"
        found, allowed, what = forms[verb]
        if found not in allowed:
            return f"{text!r}: {found!r} is no {what}; expected {', '.join(allowed)}"
        if verb == "pay":
            return f"{text!r}: expected e.g. 'pay {self.types[0]}+1' with 0 to {self.longest - 1} passes, or 'pay {WILD}'"
        return f"{text!r}: not a payment for this route; expected e.g. '{verb} {found}, {self.claimed[self.routes.index(found)][0]}'"


def _ordered(n: int, count: int) -> int:
    """Ordered choices of `count` out of n."""
    ways = 1
    for i in range(count):
        ways *= max(0, n - i)
    return ways
