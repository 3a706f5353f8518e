"""Lisbon Tram 28 (28 Elétrico de Lisboa, Pedro Santos Silva, MEBO Games 2021): trams and their passengers, 2 to 4 players, hidden hands.

Rules
-----
Passengers of four colours, R(ed), Y(ellow), G(reen) and B(lue), wait at the tram stops, three at each; the players' trams begin in Rossio.
Monument cards ask for passengers. A turn has two actions, each one of these:

- *move*: a step along the rails to the next stopping place costs any ticket; more steps in one action cost tickets of the first one's
  colour. Stops without passengers are run through. Where another tram stands it is pushed ahead along the line; its owner chooses at forks,
  and all who are involved draw a ticket, once a turn.
- *board*: the whole group at the own stop, for a ticket of each passenger's colour. A tram has two seats of each colour; who finds none
  stays. Ringing the bell first brings one passenger more; if the larger group cannot be paid, the action is lost.
- *claim* a card at its monument for exactly its passengers. The cards lie in a row; where half-tickets of a colour meet they make a
  complete ticket, one point. Three new passengers come to an empty stop of the right neighbour's choice, and the next card is displayed.
- *bonus*: at one of four stops, for three tickets of its colour: a free move each turn, two more seats of each colour, a third action, or
  a ring that lets one choose among three passengers.

Three tickets of one colour always stand for one of another. At the end of a turn four tickets are drawn. When the last face-up card is
displayed the round is played to its end. Most points win; ties are broken by complete tickets, passengers aboard and distance from
player 0.

Sources: the English rulebook (MEBO Games) and, for `rules=german`, the German summary. Where they are silent and what differs:
docs/lisbon.md. Board and cards are a reconstruction: docs/lisbon-board.md.

Parameters
----------
players : 2, 3 or 4
rules : "english" (default) or "german" (a free step in every move action; pushed trams go straight ahead)
board : name or path of a board file; by default the side for the number of players
refill_model : "always" (default: new passengers after every claim), "slot" or "monument" (only where a symbol says so)
stall_rounds : rounds in a row without a claim that end the game

Events
------
`PATH` is the places that a step enters, joined by `-`; R stands for a colour.

| when | events | the others see |
| --- | --- | --- |
| set-up (chance) | `bag R`, `ticket R`, `card CARD` | `ticket ?` |
| turn | `move R`, `board`, `bonus` | nothing until a ticket is paid |
| | `ring`, `ring3`, `claim CARD`, `claim CARD L`, `claim CARD R`, `free PATH`, `end` | all |
| moving | `step PATH`, `step PATH R` (paid with three of R), `free PATH` (German) | all; of the first step `first step PATH R` |
| | `halt` | nothing |
| paying | `swap R<Y`, `pay`, `decline` | `board for RRY`, `bonus for RRR`, after a ring `paid RRYG`; nothing of `decline` |
| bell bonus | `keep R` | all |
| fork of a push | `shunt PLACE` (the pushed tram's owner) | all |
| refill | `place STOP` (the right neighbour of who claimed) | all |
| after (chance) | `bag R`, `card CARD`; `ticket R` | all; `ticket ?` |

German rules: a move action that begins with its free step is seen as `first free PATH`, the first paid step then as `step PATH for R`.

Observation
-----------
Layout 1: the table in `_lisbon_observation.pyx`.
"""
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from wattman.engine.abi cimport GameC
from wattman.engine.game cimport Game, InfoState, blank_info
from wattman.engine.game cimport State as PyState
from wattman.engine.games._lisbon_chance cimport chance, sample, stream
from wattman.engine.games._lisbon_data cimport dict_to_info, memory_to_dict, table_to_dict
from wattman.engine.games._lisbon_knowledge cimport Info, admit, hide, seen
from wattman.engine.games._lisbon_legal cimport legal
from wattman.engine.games._lisbon_memory cimport Memory
from wattman.engine.games._lisbon_observation cimport HIDDEN, OBSERVATION, hidden_targets, observe
from wattman.engine.games._lisbon_policy cimport Scratch, playout, values, weights
from wattman.engine.games._lisbon_rules cimport apply, canonical, init, to_move
from wattman.engine.games._lisbon_scoring cimport returns, scores
from wattman.engine.games._lisbon_state cimport COLOURS, FIXED, NONE, PATHS, Data, Path, Run, State, bit
from wattman.engine.games._lisbon_worlds cimport fill

from wattman.engine.games import _lisbon_board, _lisbon_paths
from wattman.engine.games import _lisbon_text as text_module
from wattman.engine.games._lisbon_observation import observation_names
from wattman.engine.options import Option


cdef class Lisbon(Game):
    """Lisbon Tram 28 for two to four players; see this module's docstring for the rules, the events and the observation."""

    NAME = "lisbon"
    TITLE = "Lisbon Tram 28"
    LAYOUT = 1
    HELP = text_module.HELP
    STOPS = ("halt", "pay")
    OPTIONS = {
        "players": Option(2, (2, 3, 4), "number of players"),
        "rules": Option("english", ("english", "german"), "which rulebook: they differ in the free step and in who leads a pushed tram"),
        "board": Option("default", None, "name or path of a board file; default: the side for the number of players"),
        "refill_model": Option("always", ("always", "slot", "monument"), "which claims bring new passengers"),
        "stall_rounds": Option(10, tuple(range(1, 21)), "rounds in a row without a claim that end the game"),
    }
    cdef Data _data
    cdef object _board      # _lisbon_board.Board
    cdef object _notation   # text_module.Notation

    def __dealloc__(self):
        free(self._data.tree)
        free(self._data.path)
        free(self._data.path_places)

    def _load(self):
        cdef GameC* c = &self.c
        cdef Data* d = &self._data
        players = self.options["players"]
        if self.options["board"] == "default":
            self.options["board"] = _lisbon_board.default_board(players)
        board = self._board = _lisbon_board.load_board(self.options["board"], players)
        paths = _lisbon_paths.find_paths(board)
        self._notation = text_module.Notation(board, paths.paths)
        self._load_board(board, players)
        self._load_rails(board, paths)
        self._number_events()
        c.data = d
        c.players, c.actions, c.outcomes, c.labels = players, d.bag, d.first_step - d.bag, d.events - d.first_step
        c.max_legal = max(5 * paths.most + 1, paths.most + 10 + 2 * len(board.refill_symbols), len(board.places), 16)
        c.max_outcomes = max(<int>COLOURS, d.cards)
        c.max_events = self._longest(board)
        c.state_size, c.memory_size, c.info_size, c.scratch_size = sizeof(State), sizeof(Memory), sizeof(Info), sizeof(Scratch)
        c.init, c.to_move, c.legal, c.apply, c.chance, c.sample, c.stream = init, to_move, legal, apply, chance, sample, stream
        c.scores, c.returns, c.seen, c.canonical = scores, returns, seen, canonical
        c.hide, c.fill, c.admit = hide, fill, admit
        c.playout, c.weights, c.values, c.observe, c.hidden_targets = playout, weights, values, observe, hidden_targets
        c.observation_size, c.hidden_size = OBSERVATION, HIDDEN
        c.reward[0], c.reward[1], c.reward[2] = 0.5, 0.5, 0
        c.scale = 10

    cdef void _load_board(self, board, players):
        cdef Data* d = &self._data
        cdef int i, c
        setup = board.setups[players]
        d.players, d.places, d.stops, d.cards = players, len(board.places), len(board.stops), len(board.cards)
        d.n_spaces = len(setup.spaces)
        d.german = self.options["rules"] == "german"
        d.refill = ("always", "slot", "monument").index(self.options["refill_model"])
        d.stall_rounds = self.options["stall_rounds"]
        d.rossio = board.rossio
        d.tickets_each, d.start_hand, d.end_of_turn = board.tickets_each_colour, board.start_hand, board.end_of_turn
        d.passengers_each, d.each_stop = board.passengers_each_colour, board.each_stop
        d.face_up = setup.face_up - len(setup.spaces)
        d.seats[0], d.seats[1] = board.start_seats, board.bonus_seats
        for i in range(d.n_spaces):
            d.spaces[i] = setup.spaces[i]
        for i, symbol in enumerate(board.refill_symbols):
            d.symbol_of_space[i] = symbol
        for i, place in enumerate(board.places):
            d.stop_of[i] = NONE
            d.colour_of[i] = NONE if place.colour < 0 else place.colour
            d.symbol_of_place[i] = place.refill_symbol
            d.always_open |= bit(i)
        for i, place in enumerate(board.stops):
            d.stop_of[place] = i
            d.stop_place[i] = place
            d.always_open &= ~bit(place)
        for c in range(COLOURS):
            d.bonus_stop[c] = board.bonus_stops[c]
        for i in range(players):
            for c in range(COLOURS):
                d.bonus_of[i][c] = 1 << board.player_boards[i].bonus[c]
        for i, card in enumerate(board.cards):
            d.card_place[i], d.card_vp[i] = card.monument, card.vp
            for c in range(COLOURS):
                d.demand[i][c] = card.demand[c]
            for c in range(2):
                d.cramped[c][i] = sum(max(0, n - d.seats[c]) for n in card.demand)
            d.left[i] = sum(1 << c for c in card.left)
            d.right[i] = sum(1 << c for c in card.right)

    cdef void _load_rails(self, board, paths) except *:
        cdef Data* d = &self._data
        cdef int i, j, k, at = 0
        far, ways = _lisbon_paths.distances(board), _lisbon_paths.shortest_ways(board)
        for i in range(d.places):
            d.degree[i] = len(board.neighbours[i])
            for j in range(d.places):
                d.distance[i][j] = far[i][j]
                for place in ways[i][j]:
                    d.way[i][j] |= bit(place)
            for j, before in enumerate(board.neighbours[i]):
                d.near[i][j] = before
                d.way_to[i][before] = j
                d.near_mask[i] |= bit(before)
                for place in _lisbon_paths.onward(board, before, i):
                    d.onward[i][j] |= bit(place)
                for k, place in enumerate(_lisbon_paths.by_bend(board, before, i)):
                    d.straight[i][j][k] = place
        d.paths = len(paths.paths)
        d.path = <Path*>calloc(d.paths, sizeof(Path))
        d.path_places = <uint8_t*>calloc(sum(map(len, paths.paths)), 1)
        d.tree = <Run*>calloc(sum(map(len, paths.trees)), sizeof(Run))
        if d.path == NULL or d.path_places == NULL or d.tree == NULL:
            raise MemoryError()
        for i, path in enumerate(paths.paths):
            d.path[i].at, d.path[i].length, d.path[i].landing = at, len(path), path[len(path) - 1]
            for place in path:
                d.path[i].mask |= bit(place)
                d.path_places[at] = place
                at += 1
        at = 0
        for i, tree in enumerate(paths.trees):
            d.runs[i] = at
            for place, number, skip in tree:
                d.tree[at].place, d.tree[at].path, d.tree[at].skip = place, number, skip
                at += 1
        d.runs[d.places] = at

    cdef void _number_events(self):
        cdef Data* d = &self._data
        d.digit = self._notation.digit
        d.claim = FIXED
        d.shunt = d.claim + 3 * d.cards
        d.place = d.shunt + d.places
        d.free = d.place + d.stops
        d.step = d.free + d.paths
        d.exchange = d.step + d.paths
        d.bag = d.exchange + COLOURS * d.paths
        d.ticket = d.bag + COLOURS
        d.card = d.ticket + COLOURS
        d.first_step = d.card + d.cards
        d.first_free = d.first_step + COLOURS * d.paths
        d.step_for = d.first_free + d.paths
        d.ticket_unseen = d.step_for + COLOURS * d.paths
        d.board_for = d.ticket_unseen + 1
        d.bonus_for = d.board_for + self._notation.payments
        d.paid = d.bonus_for + self._notation.payments
        d.events = d.paid + self._notation.payments

    cdef int _longest(self, board):
        """No game has more events than this."""
        cdef const Data* d = &self._data
        # Every claim but the last ones starts the stall guard's count anew, and each takes a card.
        turns = d.players * ((d.cards + 1) * d.stall_rounds + 1)
        forks = sum(degree > 2 for degree in map(len, board.neighbours))
        # A step costs a ticket, so there are no more steps than tickets drawn, apart from free ones.
        steps = d.players * d.start_hand + turns * (d.end_of_turn + d.players + 3)
        paying = 3 * (2 + 3 + 1 + d.passengers_each + 2)  # three actions: chosen, bell, kept, swaps, paid
        setup = d.stops * d.each_stop + d.players * d.start_hand + d.n_spaces + 1
        return setup + steps * (2 + forks) + turns * (paying + d.each_stop + 2 + d.end_of_turn + d.players + 1)

    def observation_names(self) -> list[str]:
        return observation_names(self._board)

    def event_to_string(self, int event) -> str:
        return self._notation.text(event)

    def string_to_event(self, str text) -> int:
        return self._notation.event(text)

    def admit_error(self, int code) -> str:
        return text_module.REFUSALS[code]

    def describe(self, PyState state) -> dict:
        return {"game": self.NAME, "options": dict(self.options)} | table_to_dict(&self._data, <const State*>state.state, -1, self._board)

    def describe_info(self, InfoState info) -> dict:
        cdef const Info* k = <const Info*>info.info
        return {"game": self.NAME, "options": dict(self.options)} | table_to_dict(&self._data, &k.state, info.player, self._board)

    def info_to_dict(self, InfoState info) -> dict:
        cdef const Info* k = <const Info*>info.info
        return self.describe_info(info) | {"memory": memory_to_dict(&k.state, &k.memory)}

    def info_from_dict(self, dict data) -> InfoState:
        cdef InfoState info = blank_info(self, data["player"])
        dict_to_info(&self._data, data, <Info*>info.info, self._board)
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
