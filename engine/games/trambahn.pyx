"""Trambahn (Helmut Ohley, Lookout Games / Mayfair Games 2015): tram lines in Munich, two players, hidden hands.

Rules
-----
120 cards: in each of the colours B(lue), R(ed), G(reen), Y(ellow) two each of the values 1 and 10 and three each of 2..9, and 8
conductors. A station is worth 1 point (values 1..6), 2 (7..9) or 3 (10); conductors are worth none. Player 0 starts with 12 cards as
money, player 1 with 15, dealt face down and seen by nobody; then both get 6 cards. A turn has five steps:

1. *Passengers*: one or two hand cards into the rows (a station into the row of its colour, a conductor into any). The fourth card in a
   row makes a regular scoring of that colour for both players, at once; the tenth of them ends the game on the spot.
2. *Stations*: any number of hand cards onto own columns, each of one colour, values strictly ascending; a 10 completes a column. A
   conductor fits onto any column that is not complete. The eighth card in a column scores it for its owner: an Extra Tour.
3. *Income*: any number of hand cards face down onto the own money pile, one unit each.
4. *Trams*: any of the open ones (x2 costs 5, x3 10, x4 15 cards from the top of the money pile), each for an own column without one.
5. *Clean-up*: columns without a tram go onto the owner's money pile, the hand is filled up to 6, the supply to three trams. When the
   draw pile becomes empty, both players discard half of their money pile (rounded down) and the discard pile becomes the draw pile.

A scoring gives, for each column of the colour, the sum of its stations' points times its tram's multiplier. The higher score wins; the
larger money pile breaks a tie.

Source: the English rulebook, translated by Grzegorz Kobiela, Lookout GmbH 2015. Where it is silent: payments and halvings take from the
top of the money pile; columns of a colour may be opened freely beside others; equal values do not fit; a column opened by a conductor
gets its colour then.

Parameters
----------
players : 2
halving : "on_empty" (default: the money piles are halved at the instant the draw pile becomes empty) or "on_need" (only when a card is
    wanted and the draw pile is empty)

Events
------
Columns are numbered from 0 in the order they were opened. To reach the same turn in one way only, column numbers never decrease within
the stations step, columns are opened in ascending order of their first card, money goes down in card order (B1..B10, R.., G.., Y.., C)
and the numbers of columns that get trams increase. A decision in which only `done` is possible is passed over.

| step | events | the other player sees |
| --- | --- | --- |
| set-up (chance) | `deal B7` | `deal ?` (of a money card its owner sees no more) |
| passengers | `board B7`, `board C>R`, `done` | all |
| stations | `build B7>0`, `build B7>new`, `build C>0`, `build C>newB`, `done` | all but `done` |
| income | `bank B7`, `done` | `bank ?`, nothing of `done` |
| trams | `buy 3>0`, `done` | all |
| clean-up (chance) | `draw B7` | `draw ?` |

Observation
-----------
Layout 1: the table in `_trambahn_observation.pyx`.
"""
from wattman.engine.abi cimport GameC
from wattman.engine.game cimport Game, InfoState, blank_info
from wattman.engine.game cimport State as PyState
from wattman.engine.games._trambahn_data cimport dict_to_info, memory_to_dict, table_to_dict
from wattman.engine.games._trambahn_knowledge cimport Info, admit, fill, hide
from wattman.engine.games._trambahn_memory cimport Memory
from wattman.engine.games._trambahn_observation cimport OBSERVATION, hidden_targets, observe
from wattman.engine.games._trambahn_policy cimport playout, values, weights
from wattman.engine.games._trambahn_rules cimport (
    Data,
    apply,
    canonical,
    chance,
    idle,
    init,
    legal,
    returns,
    sample,
    scores,
    seen,
    stream,
    to_move,
)
from wattman.engine.games._trambahn_state cimport ACTIONS, CARDS, DEAL, DEAL_UNSEEN, EVENTS, MAX_LEGAL, PLAYERS, State

from wattman.engine.game import Option
from wattman.engine.games import _trambahn_symmetry as symmetry_module
from wattman.engine.games import _trambahn_text as text_module
from wattman.engine.games._trambahn_observation import observation_names


cdef class Trambahn(Game):
    """Trambahn for two players; see this module's docstring for the rules, the events and the observation."""

    NAME = "trambahn"
    TITLE = "Trambahn"
    LAYOUT = 1
    HELP = text_module.HELP
    OPTIONS = {
        "players": Option(2, (2,), "number of players"),
        "halving": Option("on_empty", ("on_empty", "on_need"), "when the money piles are halved: as the draw pile becomes empty, or when a card is wanted"),
    }
    cdef Data _data

    def _load(self):
        cdef GameC* c = &self.c
        self._data.halve_on_need = self.options["halving"] == "on_need"
        c.data = &self._data
        c.players, c.actions, c.outcomes, c.labels = PLAYERS, ACTIONS, DEAL_UNSEEN - DEAL, EVENTS - DEAL_UNSEEN
        c.max_legal, c.max_outcomes, c.max_events = MAX_LEGAL, CARDS, 1024
        c.state_size, c.memory_size, c.info_size, c.scratch_size = sizeof(State), sizeof(Memory), sizeof(Info), 0
        c.observation_size, c.hidden_size = OBSERVATION, CARDS
        c.reward[0], c.reward[1], c.reward[2] = 0.5, 0.5, 0
        c.scale = 100
        c.init, c.to_move, c.legal, c.apply, c.chance, c.sample, c.stream = init, to_move, legal, apply, chance, sample, stream
        c.scores, c.values, c.returns, c.seen = scores, values, returns, seen
        c.hide, c.fill, c.admit = hide, fill, admit
        c.playout, c.weights, c.observe, c.hidden_targets, c.canonical = playout, weights, observe, hidden_targets, canonical
        c.idle = idle

    def observation_names(self) -> list[str]:
        return observation_names()

    def symmetries(self) -> list:
        return symmetry_module.symmetries(self.c.observation_size, self.c.actions)

    def event_to_string(self, int event) -> str:
        if not 0 <= event < EVENTS:
            raise ValueError(f"id {event} is no event; ids run from 0 to {EVENTS - 1}")
        return text_module.EVENTS[event]

    def string_to_event(self, str text) -> int:
        return text_module.parse(text)

    def admit_error(self, int code) -> str:
        return text_module.REFUSALS[code]

    def describe(self, PyState state) -> dict:
        table = table_to_dict(<const State*>state.state, -1, (<const Memory*>state.memory).reshuffles)
        return {"game": self.NAME, "options": dict(self.options)} | table

    def describe_info(self, InfoState info) -> dict:
        cdef const Info* k = <const Info*>info.info
        return {"game": self.NAME, "options": dict(self.options)} | table_to_dict(&k.state, info.player, k.memory.reshuffles)

    def info_to_dict(self, InfoState info) -> dict:
        cdef const Info* k = <const Info*>info.info
        return self.describe_info(info) | {"memory": memory_to_dict(&k.state, &k.memory)}

    def info_from_dict(self, dict data) -> InfoState:
        cdef InfoState info = blank_info(self, data["player"])
        dict_to_info(data, <Info*>info.info)
        return info

    def template(self) -> str:
        return text_module.template()

    def draw(self, dict view):
        return text_module.draw(view)

    def explain(self, str event, dict view) -> str:
        return text_module.explain(event, view)

    def parse_turn(self, str line, dict view) -> list[str]:
        return text_module.parse_turn(line, view)
