"""Tramways (Alban Viard, AVStudioGames 2016) with its five tile expansions: a city, links between its places, passengers; 1 to 5 players.

A reconstruction: the rules of the tile expansions are public, those of the base game, its boards, cards and prices are not. What is known
and what is ours is told in docs/tramways.md and in the data file.

Rules
-----
Boards are put together to a city of squares, with buildings (residences, commerce, leisure, industry), parcels, and special tiles. For six
rounds each player bids for the turn order (who is first has stress), takes an auction card, and acts once, then twice in a row:

- *build* a link: tiles on free squares between two places, for the rails on cards, an icon of one of the ends, and a worker. *upgrade* it.
- *construct* a building on an own parcel, *extend* it; both bring points. *add* a passenger.
- *move* a passenger along links of any owner to a building whose icon is played. Each link brings its owner a point; the mover earns money
  on his own tiles and pays for those of others; the destination has a bonus: less stress, points or cards for money, a worker.
- take *money* or *worker*s, or *calm* down.

Several cards can be played together; each icon used beyond one a card brings stress, which costs points at the end. Used cards lie in the
player's pool, which becomes his deck when that is used up; hands are filled up to seven at the end of a round, after discards.
The Station gives passengers and a card, the Stock Exchange and the Airports money, the Park calm, the Funfair points for money.

Parameters
----------
players : 1 to 5
expansions : "full" (default), "base", or names joined by ``+``: station, stock_exchange, park, funfair, airports
data : name or path of a data file with boards, cards and numbers

Events
------
`T` is a place (`Aa` a building, `L3` a parcel, or a special tile), `3.4` a square, `K` a kind of cards, `P` a player.

| when | events | the others see |
| --- | --- | --- |
| set-up (chance) | `board A.1`, `place 3.4`, `place 3.4v`, `parcel A1`, `order P`, `arrivals R` | all |
| round (chance) | `reveal K` | all |
| | `draw K` | `draw ?` |
| auction | `bid 4`, `fold`; `take K` | all |
| action | `build`, `upgrade`, `construct`, `extend`, `move`, `add`, `money`, `worker`, `calm`, `pass` | all |
| its steps | `from T`, `to T`, `lay 3.4`, `join`; `at T`, `type C`, `ride T P`, `stop` | all |
| payment | `pay K`, `done` | all |
| bonus | `buy 2`; `market K`, `done` | all |
| end of a round | `trash K`, `purge K`, `done` | all |

A decision with one legal answer is no event; all see it nevertheless, like one that was made, together with the event upon which it
followed. If it is another player's, it is written with his number: `1: fold`.

Observation
-----------
Layout 1: the table in `observation.pyx`; terms of actions, for a network: the table in `terms.pyx`.
"""
from libc.stdint cimport int32_t

from wattman.engine.abi cimport GameC
from wattman.engine.game cimport Game, InfoState, blank_info
from wattman.engine.game cimport State as PyState
from wattman.engine.games.tramways.loading cimport load_into
from wattman.engine.games.tramways.chance cimport chance, sample, stream
from wattman.engine.games.tramways.data cimport dict_to_info, memory_to_dict, table_to_dict
from wattman.engine.games.tramways.knowledge cimport Info, admit, fill, hide, more, seen
from wattman.engine.games.tramways.memory cimport Memory
from wattman.engine.games.tramways.observation cimport HIDDEN, OBSERVATION, hidden_targets, observe
from wattman.engine.games.tramways.policy cimport Scratch, playout, values, weights
from wattman.engine.games.tramways.rules cimport apply, canonical, init, legal, returns, scores, to_move
from wattman.engine.games.tramways.state cimport CARDS, EDGE, SQUARES, TRAIL, Data, State
from wattman.engine.games.tramways.terms cimport MOST_TERMS, TERMS, action_terms

from wattman.engine.games import _tramways_board
from wattman.engine.games.tramways import words as text_module
from wattman.engine.games.tramways.notation import Notation
from wattman.engine.games.tramways.observation import observation_names
from wattman.engine.games.tramways.terms import term_names
from wattman.engine.options import Option

EXPANSIONS = _tramways_board.EXPANSIONS
# Why `admit` refuses, by its codes.
REFUSALS = (
    "", "the game is over", "something else comes next", "that card cannot be there", "a draw is seen by its owner, and only by him",
    "there is no such event", "it is not legal with any cards that he may hold", "another player decides now",
)


def read_expansions(text):
    """The expansions that an option names, and the option in its normal form."""
    if text in ("full", "base"):
        return (EXPANSIONS if text == "full" else ()), text
    words = text.split("+")
    for word in words:
        if word not in EXPANSIONS:
            raise ValueError(
                f"option expansions: {word!r} is not allowed; allowed: full, base, or some of {', '.join(EXPANSIONS)} joined by +"
            )
    found = tuple(name for name in EXPANSIONS if name in words)
    return found, "full" if found == EXPANSIONS else "+".join(found)


cdef class Tramways(Game):
    """Tramways for one to five players; see this module's docstring for the rules, the events and the observation."""

    NAME = "tramways"
    TITLE = "Tramways"
    LAYOUT = 1
    HELP = text_module.HELP
    STOPS = ("done", "stop", "join")
    OPTIONS = {
        "players": Option(2, (1, 2, 3, 4, 5), "number of players"),
        "expansions": Option("full", None, "full (all five), base (none), or names joined by +: " + " ".join(EXPANSIONS)),
        "data": Option("tramways", None, "boards, cards and numbers: tramways (a reconstruction), or the path of a file"),
    }
    cdef Data _data
    cdef object _made        # _tramways_board.Data
    cdef object _notation

    def _load(self):
        cdef GameC* c = &self.c
        cdef Data* d = &self._data
        players = self.options["players"]
        expansions, self.options["expansions"] = read_expansions(self.options["expansions"])
        made = self._made = _tramways_board.load_data(self.options["data"])
        layout, size, numbers = made.setup[players].layout, len(made.boards[0].rows), made.numbers
        self._notation = Notation(
            made, players, layout[0] * size, layout[1] * size, max(numbers["leisure"]["most"], numbers["expansions"]["funfair"]["most"])
        )
        load_into(d, made, self._notation, players, expansions)
        c.data = d
        c.players, c.actions, c.outcomes = players, self._notation.decisions, self._notation.outcomes
        c.labels = d.events - c.actions - c.outcomes
        c.max_legal = max(d.bid_most + 1, 2 * d.kinds + 1, d.terminals + 1, CARDS + 1, max(d.leisure_most, d.funfair_most) + 1)
        c.max_outcomes = max(2 * d.squares, 4 * d.n_boards, d.kinds)
        c.max_events = self._longest()
        c.state_size, c.memory_size, c.info_size, c.scratch_size = sizeof(State), sizeof(Memory), sizeof(Info), sizeof(Scratch)
        c.max_more, c.more, c.seen, c.hide, c.fill, c.admit = TRAIL, more, seen, hide, fill, admit
        c.init, c.to_move, c.legal, c.apply, c.chance, c.sample, c.stream = init, to_move, legal, apply, chance, sample, stream
        c.scores, c.returns, c.canonical = scores, returns, canonical
        c.playout, c.weights, c.values, c.observe, c.hidden_targets = playout, weights, values, observe, hidden_targets
        c.observation_size, c.hidden_size = OBSERVATION, HIDDEN
        c.terms, c.most_terms, c.action_terms = TERMS, MOST_TERMS, action_terms
        alone = players == 1  # for points
        c.reward[0], c.reward[1], c.reward[2] = 0.0 if alone else 0.5, 0.0 if alone else 0.5, 1.0 if alone else 0.0
        c.scale = 100 if alone else 40

    cdef int _longest(self):
        """No game has more events than this."""
        cdef const Data* d = &self._data
        setup = d.n_places + 6 + d.players * (d.parcels_each + 1) + d.rounds
        building = 4 + d.longest + 1
        moving = 3 + d.trip_longest + 1 + d.commerce_most
        action = max(building, moving) + CARDS + 1
        auction = d.bid_most * (CARDS + 1) + d.players
        turn = d.actions[0] + d.actions[1]
        per_round = 2 * d.offer + auction + d.players * (turn * action + d.discards_most + 1 + d.hand_limit)
        return setup + d.rounds * per_round

    def max_return(self) -> float:
        cdef const Data* d = &self._data
        if d.players > 1:
            return 1.0
        action = max(
            d.trip_longest * max(d.link_hp, d.upgraded_hp) + max(d.leisure_most, d.funfair_most), d.construct_hp, d.extend_hp
        )
        return float(max(d.rounds * (d.actions[0] + d.actions[1]) * action, d.penalty[d.stress_most], 1))

    def observation_names(self) -> list[str]:
        return observation_names(self._made, self._notation)

    def term_names(self) -> list[str]:
        return term_names(self._made, self._notation)

    def event_to_string(self, int event) -> str:
        return self._notation.text(event)

    def string_to_event(self, str text) -> int:
        return self._notation.event(text)

    def admit_error(self, int code) -> str:
        return REFUSALS[code]

    def describe(self, PyState state) -> dict:
        head = {"game": self.NAME, "options": dict(self.options)}
        return head | table_to_dict(&self._data, <const State*>state.state, -1, self._notation)

    def describe_info(self, InfoState info) -> dict:
        cdef const Info* k = <const Info*>info.info
        return {"game": self.NAME, "options": dict(self.options)} | table_to_dict(&self._data, &k.state, info.player, self._notation)

    def info_to_dict(self, InfoState info) -> dict:
        return self.describe_info(info) | {"memory": memory_to_dict(&self._data, <const Info*>info.info, self._notation)}

    def info_from_dict(self, dict data) -> InfoState:
        cdef InfoState info = blank_info(self, data["player"])
        dict_to_info(&self._data, data, <Info*>info.info, self._notation)
        return info

    def template(self) -> str:
        return text_module.template()

    def draw(self, dict view):
        return text_module.draw(view)

    def svg(self, dict view) -> str:
        return text_module.svg(view)

    def explain(self, str event, dict view) -> str:
        return text_module.explain(event, view)

    def tell(self, list events) -> list[tuple[str, str]]:
        return text_module.tell(events)

    def parse_turn(self, str line, dict view) -> list[str]:
        return text_module.parse_turn(line, view)
