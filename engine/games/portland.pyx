"""Stop Requested: Portland, a fan-made relative of Ticket to Ride: claim routes, complete tickets, two to five players, hidden hands.

Rules
-----
The board is data: stations, routes (each of a type of train car cards, or gray: any one type), tickets (two stations, points), cards. A
player begins with so many trains, 4 cards, and chooses at least two of three tickets. Five cards lie face up, the market. In turn a player

1. *draws cards*: takes a card face up, which is replaced at once, or draws the pile's top card blind; then a second one. A pass (the wild
   card) taken face up is the only card of that turn, and cannot be the second;
2. *claims a route* that nobody has, with as many cards of its type as it has spaces, passes in place of any; he puts a train on each space
   and gets the points of that length; or
3. *draws tickets*: three, of which at least one is kept; the others go to the bottom of the ticket deck.

Three passes in the market, and it is discarded and replaced (not if fewer than three other cards are in market, pile and discards; at most ten
times in a row). When a card is wanted and the pile is empty, the discards become the pile. Two routes between the same stations are a
double: nobody may have both, and with two or three players claiming one closes the other. A turn that leaves its player with two trains or
fewer brings the last round: everybody has one more turn. Completed tickets count for, others against their owner; the longest path (no
train twice) is worth 10 points to all who have it. Ties: more tickets completed, then the longest path.

Source: the fan edition's rules, adapted from Ticket to Ride (Alan R. Moon, Days of Wonder 2004). What is decided where they are silent
stands in docs/portland.md, how boards are written in docs/portland-board.md.

Parameters
----------
players : 2, 3, 4 or 5
board : "portland" (a reconstruction), or the path of a file
payment : "shortfall" (default: passes are spent only for what cards of the type cannot cover) or "free" (any split)

Events
------
`skip` is legal if nothing else is. A claim that can be paid in one way only is paid at once, and a single ticket offered is kept. The first
tickets are chosen in seat order; how many each kept is seen after the last choice.

| when | events | the other players see |
| --- | --- | --- |
| drawing (chance) | `card red` | all of a card turned up, else `card ?` |
| tickets (chance) | `ticket A>B` | `ticket ?` |
| first tickets | `keep A>B C>D` | `keep ?`; of the last one `keep 3/2`, how many each kept |
| turn | `take red`, `draw`, `tickets`, `skip`, `claim ROUTE` | all; a claim together with its payment: `claim ROUTE, pay red+1` |
| second card | `take red`, `draw` | all |
| paying | `pay red+1` (one pass, the rest red), `pay pass` | see above |
| tickets | `keep A>B C>D` | `keep 2` |

Where it depends on hidden cards whether a market with three passes is replaced, everybody sees the event with `, reset` or `, left` behind it.

Observation
-----------
Layout 1: the table in `_portland_observation.pyx`; terms of actions, for a network: the table in `_portland_terms.pyx`.
"""
from wattman.engine.abi cimport GameC
from wattman.engine.game cimport Game, InfoState, blank_info
from wattman.engine.game cimport State as PyState
from wattman.engine.games._portland_admit cimport admit
from wattman.engine.games._portland_chance cimport chance, sample, stream
from wattman.engine.games._portland_data cimport most_events, most_legal, set_data
from wattman.engine.games._portland_dict cimport dict_to_info, memory_to_dict, table_to_dict
from wattman.engine.games._portland_knowledge cimport Info, hide, seen
from wattman.engine.games._portland_memory cimport Memory
from wattman.engine.games._portland_observation cimport hidden_size, hidden_targets, observation_size, observe
from wattman.engine.games._portland_plan cimport fit
from wattman.engine.games._portland_policy cimport Scratch, planner, playout, racer, weights
from wattman.engine.games._portland_rules cimport apply, canonical, init, legal, to_move
from wattman.engine.games._portland_scoring cimport returns, scores
from wattman.engine.games._portland_state cimport Data, State
from wattman.engine.games._portland_terms cimport MOST_TERMS, action_terms, terms_size
from wattman.engine.games._portland_values cimport values
from wattman.engine.games._portland_worlds cimport fill

from functools import lru_cache

from wattman.engine import boards
from wattman.engine.games import _portland_words as text_module
from wattman.engine.games._portland_board import load_board
from wattman.engine.games._portland_dict import Reader
from wattman.engine.games._portland_observation import observation_names
from wattman.engine.games._portland_terms import term_names
from wattman.engine.games._portland_text import REFUSALS, Notation
from wattman.engine.game import Option

@lru_cache(maxsize=16)
def _shipped(board, players):
    """The notation on a board that comes with the package; a user's file is read anew, it may have changed."""
    return Notation(load_board(board, players), players)


cdef class Portland(Game):
    """Stop Requested: Portland; see this module's docstring for the rules, the events and the observation."""

    NAME = "portland"
    TITLE = "Stop Requested: Portland"
    LAYOUT = 1
    HELP = text_module.HELP
    STOPS = ()
    OPEN_END = True
    OPTIONS = {
        "players": Option(2, (2, 3, 4, 5), "number of players"),
        "board": Option("portland", None, "the board: one that comes with the package, or the path of a file"),
        "payment": Option("shortfall", ("shortfall", "free"), "passes are spent only for what cards of the type cannot cover, or as one likes"),
    }
    SCRIPTS = {
        "planner": "completes tickets over the cheapest routes, and draws new ones while there is time",
        "racer": "leaves its tickets alone, claims long routes and ends the game soon",
    }
    cdef Data _data
    cdef readonly object notation

    def _load(self):
        cdef GameC* c = &self.c
        players = self.options["players"]
        name = self.options["board"]
        self.notation = notation = Notation(load_board(name, players), players) if boards.is_path(name) else _shipped(name, players)
        set_data(&self._data, notation.board, notation, players, self.options["payment"] == "free")
        c.data = &self._data
        c.players, c.actions, c.outcomes, c.labels = players, notation.actions, notation.outcomes, notation.labels
        c.max_legal, c.max_events = most_legal(&self._data), most_events(&self._data)
        c.max_outcomes = max(self._data.types, self._data.tickets)
        c.state_size, c.memory_size, c.info_size, c.scratch_size = sizeof(State), sizeof(Memory), sizeof(Info), sizeof(Scratch)
        c.observation_size, c.hidden_size = observation_size(&self._data), hidden_size(&self._data)
        c.terms, c.most_terms, c.action_terms = terms_size(&self._data), MOST_TERMS, action_terms
        c.reward[0], c.reward[1], c.reward[2] = 0.5, 0.5, 0
        c.scale = 200
        c.init, c.to_move, c.legal, c.apply, c.chance, c.sample, c.stream = init, to_move, legal, apply, chance, sample, stream
        c.scores, c.values, c.returns, c.seen = scores, values, returns, seen
        c.hide, c.fill, c.fit, c.admit = hide, fill, fit, admit
        c.playout, c.weights, c.observe, c.hidden_targets, c.canonical = playout, weights, observe, hidden_targets, canonical

    def observation_names(self) -> list[str]:
        return observation_names(self.notation)

    def term_names(self) -> list[str]:
        return term_names(self.notation)

    def event_to_string(self, int event) -> str:
        return self.notation.text(event)

    def string_to_event(self, str text) -> int:
        return self.notation.parse(text)

    def scripted(self, str name, InfoState info) -> int:
        return planner(&self.c, info.info) if name == "planner" else racer(&self.c, info.info)

    def admit_error(self, int code) -> str:
        return REFUSALS[code]

    def describe(self, PyState state) -> dict:
        table = table_to_dict(&self._data, self.notation, <const State*>state.state, -1, (<const Memory*>state.memory).reshuffles)
        return {"game": self.NAME, "options": dict(self.options)} | table

    def describe_info(self, InfoState info) -> dict:
        cdef const Info* k = <const Info*>info.info
        table = table_to_dict(&self._data, self.notation, &k.state, info.player, k.memory.reshuffles)
        return {"game": self.NAME, "options": dict(self.options)} | table

    def info_to_dict(self, InfoState info) -> dict:
        return self.describe_info(info) | {"memory": memory_to_dict(&self._data, self.notation, <const Info*>info.info)}

    def info_from_dict(self, dict data) -> InfoState:
        cdef InfoState info = blank_info(self, Reader(data, "", self.notation).number("player", 0, self._data.players - 1))
        dict_to_info(&self._data, self.notation, data, <Info*>info.info)
        return info

    def template(self) -> str:
        return text_module.template()

    def draw(self, dict view):
        return text_module.draw(view)

    def svg(self, dict view) -> str:
        return text_module.svg(view)

    def explain(self, str event, dict view) -> str:
        return text_module.explain(event, view)

    def parse_turn(self, str line, dict view) -> list[str]:
        return text_module.parse_turn(line, view)
