"""Information-set Monte Carlo tree search from one root.

Each simulation deals one world that agrees with what the observer knows and plays it through. All players' trees are descended at once:
at a decision the mover's own tree chooses, with what the mover would know; once his tree has ended, the game's playout policy does. Each
tree grows by at most one node a simulation. The result goes back as a reward per player, each into the edges of that player's tree
(max^n). What chance does is left open unless `draws` is "label": worlds with other draws share a node, and the counts of availability
in the selection make up for their different legal actions. All moves of the root meet the same worlds with the same draws (common random
numbers), so that luck cancels out between them.

Sources: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 2012 (MO-ISMCTS); Rosin, "Multi-armed
bandits with episode context", 2011 (PUCT); Chaslot et al., "Progressive strategies for Monte-Carlo tree search", 2008 (bias).
"""
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from wattman.engine.abi cimport CHANCE, MAX_PLAYERS, TERMINAL, VALUES, GameC
from wattman.engine.game cimport Game, InfoState, State
from wattman.engine.rng cimport mix64, rng_below, rng_seed
from wattman.search.context cimport Context, Step, root_node
from wattman.search.evaluator cimport Evaluator
from wattman.search.guided cimport average_priors, estimate, find_priors, guided_move, play_out_guided, wants_priors
from wattman.search.line cimport walk
from wattman.search.mast cimport CELLS, Cell, mast_learn, mast_note, play_out_learned
from wattman.search.playout cimport play_out, rewards
from wattman.search.select cimport add_missing, count_missing, select_edge
from wattman.search.settled cimport settled
from wattman.search.sight cimport Sight, look, look_back, look_from_root, look_on, node_key, notice
from wattman.search.tree cimport Edge, Node, tree_bytes, tree_find, tree_free, tree_note, tree_reserve, tree_room
from wattman.search.worlds cimport deal_root

import threading
from typing import NamedTuple

import numpy as np


cdef enum:
    CHUNK = 256     # simulations between two looks at the trees' room
    CHECK = 32      # simulations between two looks at whether the move is settled
    WALKERS = 15    # worlds that vote on a principal variation


cdef inline uint32_t choose_edge(Context* c, Node* node, int who, int n, bint visit) noexcept nogil:
    """The edge of a node of player `who` to follow, its missing edges added first; 0 if the tree is full and none is there.

    Without `visit` the edges are added only, and the result is any of them.
    """
    cdef int k, missing
    c.stamp += 1
    for k in range(n):
        c.mark[c.ids[k]] = c.stamp
    missing = count_missing(&c.tree, node, n, c.mark, c.stamp)
    if missing:
        if tree_room(&c.tree, node, node.count + missing):
            find_priors(c, who, n)
            if c.renew > 1:
                average_priors(c, node, n)
            add_missing(&c.tree, node, c.ids, n, c.weights, c.mark, c.stamp)
        elif missing == n:
            return 0
    elif c.renew > 1 and wants_priors(c, node):
        find_priors(c, who, n)
        average_priors(c, node, n)
    return select_edge(&c.tree, node, &c.rule, c.mark, c.stamp) if visit else node.first


cdef inline uint32_t choose_root_edge(Context* c, Node* root) noexcept nogil:
    """The edge of the root to follow: all legal ones are there, and they are legal in every world."""
    cdef uint32_t i, least = 0
    cdef int k
    c.stamp += 1
    for k in range(c.n_root):
        c.mark[c.root_ids[k]] = c.stamp
    if not c.even:
        return select_edge(&c.tree, root, &c.rule, c.mark, c.stamp)
    for i in range(root.first, root.first + root.count):
        if c.mark[c.tree.edges[i].action] == c.stamp and (least == 0 or c.tree.edges[i].visits < c.tree.edges[least].visits):
            least = i
    return least


cdef void simulate(Context* c) noexcept nogil:
    cdef const GameC* game = c.game
    cdef Sight sight
    cdef double values[MAX_PLAYERS * VALUES]
    cdef double reward[MAX_PLAYERS]
    cdef Node* node
    cdef Node* root = root_node(c)
    cdef Edge* edge
    cdef uint64_t key, world
    cdef uint32_t followed
    cdef int32_t event
    cdef int who, n, i, left, over, events = 1, steps = 1, last = c.observer
    cdef uint32_t inside = c.trees  # players whose tree has not ended
    # Common random numbers: each root move meets the same worlds in the same order, its n-th visit the n-th world, with the same draws as
    # far as possible. So the moves are compared with the luck they share left out.
    followed = choose_root_edge(c, root)
    edge = &c.tree.edges[followed]
    c.path[0].edge = followed
    c.path[0].player = c.observer
    event = edge.action
    world = mix64(c.seed + (edge.visits - c.root_base[followed - root.first] if c.common else c.simulations))
    rng_seed(&c.chance, world)
    rng_seed(&c.policy, ~world)
    deal_root(c, c.state, &sight)
    if game.scratch_size:
        memset(c.scratch, 0, game.scratch_size)
    if c.mast.share:
        c.mast.length = 0
        memset(c.mast.last, 0xFF, sizeof(c.mast.last))
        mast_note(&c.mast, c.observer, event)
    look(game, c.state, event, c.observer, c.branch, c.world != NULL, &sight)
    game.apply(game, c.state, NULL, event)
    look_on(game, c.state, &sight)
    while inside and events < game.max_events:
        who = game.to_move(game, c.state)
        if who == TERMINAL:
            break
        if who == CHANCE:
            event = game.sample(game, c.state, &c.chance)
            if c.branch:
                look(game, c.state, event, who, True, c.world != NULL, &sight)
            game.apply(game, c.state, NULL, event)
            look_on(game, c.state, &sight)
            events += 1
            continue
        n = 0
        followed = 0
        if inside >> who & 1:
            n = game.legal(game, c.state, c.ids)
            if n > 1:  # a forced decision is no decision
                key = node_key(&sight, who)
                node = tree_find(&c.tree, key)
                if node.key == 0:
                    tree_note(&c.tree, node, key)
                    inside &= ~(1u << who)
                elif node.first == 0 and node.count + 2 < c.expand:  # `count` of its visits but the first
                    node.count += 1
                    inside &= ~(1u << who)
                else:
                    if node.first == 0:  # grows here; what follows is left to the policy
                        node.count = 0
                        inside &= ~(1u << who)
                    followed = choose_edge(c, node, who, n, True)
        if followed:
            event = c.tree.edges[followed].action
            c.path[steps].edge = followed
            c.path[steps].player = who
            steps += 1
        elif n == 1:
            event = c.ids[0]
        elif c.uniform:
            if n == 0:
                n = game.legal(game, c.state, c.ids)
            event = c.ids[rng_below(&c.policy, n)]
        elif c.net_playout > 0:
            event = guided_move(c, who)
        else:
            event = game.playout(game, c.state, c.scratch, &c.policy)
        last = who
        if c.mast.share:
            mast_note(&c.mast, who, event)
        look(game, c.state, event, who, c.branch, c.world != NULL, &sight)
        game.apply(game, c.state, NULL, event)
        look_on(game, c.state, &sight)
        events += 1
    left = game.max_events - events
    over = 0
    if c.cutoff and left > c.cutoff:
        over = min(c.over, left - c.cutoff)
        left = c.cutoff
    if c.mast.share:
        events += play_out_learned(
            game, &c.mast, c.state, c.scratch, c.ids, &c.chance, &c.policy, c.uniform, left, over, last
        )
    elif c.net_playout > 0:
        events += play_out_guided(c, left, over, last)
    else:
        events += play_out(game, c.state, c.scratch, c.ids, &c.chance, &c.policy, c.uniform, left, over, last)
    estimate(c, values)
    rewards(game, &c.reward, values, c.observer, reward)
    if c.mast.share:
        mast_learn(&c.mast, reward)
    for i in range(steps):
        edge = &c.tree.edges[c.path[i].edge]
        edge.visits += 1
        edge.total += reward[c.path[i].player]
    i = c.path[0].edge - root.first
    c.root_win[i] += values[VALUES * c.observer]
    c.root_margin[i] += values[VALUES * c.observer + 1]
    c.root_ends[i] += events == 1
    c.simulations += 1
    c.events += events


cdef uint64_t simulate_many(Context* c, uint64_t n, uint64_t budget) noexcept nogil:
    """So many simulations, fewer if the move is settled before a `budget` (0: there is none) is used up; returns how many were left out."""
    cdef uint64_t i
    for i in range(n):
        if budget and c.simulations % CHECK == 0 and budget > c.simulations and settled(c, budget - c.simulations):
            return n - i
        simulate(c)
    return 0


def fingerprint(InfoState info, seed: int) -> int:
    """A seed for one decision: the same knowledge and seed give the same one, whatever the truth is."""
    cdef uint64_t h = mix64(<uint64_t>(seed & 0xFFFFFFFFFFFFFFFF) ^ mix64(info.player + 1))
    cdef uint64_t word
    cdef size_t i = 0, size = info.game.c.info_size
    while i < size:  # eight bytes at a time
        word = 0
        memcpy(&word, info.info + i, min(8, size - i))
        h = mix64(h ^ word)
        i += 8
    return h


def game_defaults(Game game) -> tuple[tuple[float, float, float], int]:
    """What a search's options take from a game: the weights of win share, margin and own score, and the most outcomes of a chance node."""
    return (game.c.reward[0], game.c.reward[1], game.c.reward[2]), game.c.max_outcomes


def game_scale(Game game) -> float:
    """Points that count as all of a margin or score."""
    return game.c.scale


class RootEdge(NamedTuple):
    """A root action in one search. `win` and `margin` are sums over the `fresh` visits, those since it became a root action;
    `ends` of them were over at once."""

    action: int
    visits: int
    total: float
    prior: float
    win: float
    margin: float
    fresh: int
    ends: int


cdef class Search:
    """One search: its own trees, worlds and random numbers; nothing is shared between two.

    Parameters
    ----------
    info : InfoState
        The observer's knowledge; he is to move.
    options : dict
        As in `wattman.search.options`, all of them.
    seed : int
    memory : int
        Most bytes for the trees; when they are full the search goes on without growing them.
    world : State, optional
        Search this one world, dealt from `info`, as if everybody saw everything in it; what chance does from here on stays open.
    evaluator : Evaluator, optional
        A network that guides it, by the options `wattman.search.options.GUIDE`.
    only : list of int, optional
        Compare these legal actions at the root and no others: all get equally many visits.
    """

    def __cinit__(self, InfoState info, dict options, seed, memory, State world=None, Evaluator evaluator=None, only=None):
        cdef Context* c = &self.c
        cdef const GameC* game
        cdef int n
        self.info = info.clone()  # the caller may bring his forward
        self.game = info.game
        self.options = dict(options)
        self.seed = <uint64_t>(seed & 0xFFFFFFFFFFFFFFFF)
        self._lock = threading.Lock()
        game = c.game = &self.game.c
        c.info = self.info.info
        c.observer = info.player
        if game.to_move(game, c.info) != info.player:
            raise ValueError(f"search: player {info.player} is not to move here")
        c.rule.puct = options["select"] == "puct"
        c.rule.c = options["c"]
        c.rule.strength = options["strength"]
        c.rule.sharpness = options["sharpness"]
        c.rule.uniform = options["uniform"]
        c.rule.fpu = options["fpu"]
        c.reward.weight[0], c.reward.weight[1], c.reward.weight[2] = options["win"], options["margin"], options["score"]
        c.reward.scale = game.scale
        c.reward.paranoid = options["paranoid"]
        c.cutoff = options["cutoff"]
        c.uniform = options["playout"] == "random"
        c.branch = options["draws"] == "label"
        c.apart = options["hands"] == "apart" and world is None
        c.over = options["over"]
        c.belief = options["belief"] if game.fit != NULL and not c.apart else 1
        c.trees = {"all": (1 << game.players) - 1, "own": 1 << info.player, "none": 0}[options["trees"]]
        c.common = options["common"]
        c.expand = options["expand"]
        c.mast.share = options["mast"]
        c.mast.pairs = options["pairs"]
        c.renew = 1
        if evaluator is not None:
            self.evaluator = evaluator
            c.guide = evaluator.guide
            c.net_prior = options["net_prior"] if c.guide.policy != NULL else 0
            c.net_value = options["net_value"]
            if c.guide.policy != NULL and not c.uniform and not c.mast.share:  # these go first
                c.net_playout = options["net_playout"]
            c.all_views = options["views"] == "all"
            c.renew = options["renew"]
            c.net_policy = <float*>malloc(game.max_legal * sizeof(float))
            c.net_room = <uint8_t*>malloc(c.guide.room)
            if c.net_policy == NULL or c.net_room == NULL:
                raise MemoryError("search: no memory for the network")
        c.seed = fingerprint(info, self.seed)
        c.root_ids = <int32_t*>malloc(game.max_legal * sizeof(int32_t))
        c.state = <uint8_t*>malloc(game.state_size)
        c.scratch = <uint8_t*>calloc(1, game.scratch_size + 1)
        if c.belief > 1:
            c.pool = <double*>malloc(c.belief * sizeof(double))
        if c.apart:
            c.view = <uint8_t*>calloc(1, game.info_size)
            if game.memory_size:
                c.memory = <uint8_t*>calloc(1, game.memory_size)
        if world is not None:
            if world.game != self.game or world.info_state(info.player) != info:
                raise ValueError("search: the world does not agree with what the player knows")
            c.world = <uint8_t*>malloc(game.state_size)
            if c.world != NULL:
                memcpy(c.world, world.state, game.state_size)
        c.ids = <int32_t*>malloc(game.max_legal * sizeof(int32_t))
        c.weights = <float*>malloc(game.max_legal * sizeof(float))
        c.mark = <uint32_t*>calloc(game.actions, sizeof(uint32_t))
        c.path = <Step*>malloc((game.max_events + 1) * sizeof(Step))
        if c.mast.share:
            c.mast.cells = <Cell*>calloc(CELLS, sizeof(Cell))
            c.mast.trail = <uint32_t*>malloc((game.max_events + 1) * sizeof(uint32_t))
            c.mast.trail_player = <int8_t*>malloc(game.max_events + 1)
            if c.mast.cells == NULL or c.mast.trail == NULL or c.mast.trail_player == NULL:
                raise MemoryError("search: no memory for what playouts learn")
        c.tree.limit = max(int(memory), 1 << 16)
        c.tree.n_edges = 1
        tree_reserve(&c.tree, CHUNK, game.max_legal)
        if (
            c.root_ids == NULL or c.state == NULL or (c.belief > 1 and c.pool == NULL) or c.scratch == NULL or c.ids == NULL or c.weights == NULL
            or (c.apart and (c.view == NULL or (game.memory_size and c.memory == NULL)))
            or (world is not None and c.world == NULL) or c.mark == NULL or c.path == NULL or c.tree.nodes == NULL or c.tree.max_edges <= <uint32_t>game.max_legal
        ):
            raise MemoryError("search: no memory for its trees")
        look_from_root(game, &c.sight)
        if not self._set_root():
            raise MemoryError("search: no memory for its trees")
        if only is not None:
            legal = [c.root_ids[k] for k in range(c.n_root)]
            if not only or len(set(only)) < len(only) or not set(only) <= set(legal):
                raise ValueError(f"search: only {only}: these must be different legal actions, of {legal}")
            c.even = True
            c.n_root = len(only)
            for k in range(c.n_root):
                c.root_ids[k] = only[k]

    cdef bint _set_root(self) except -1:
        """Begins to search at the node that the observer has come to; false if the trees have no room for it."""
        cdef Context* c = &self.c
        cdef const GameC* game = c.game
        cdef Node* node
        cdef int i
        tree_reserve(&c.tree, 1, 2 * game.max_legal)
        c.seed = fingerprint(self.info, self.seed)
        c.simulations = c.events = 0
        c.weighed = False
        rng_seed(&c.chance, c.seed)
        game.fill(game, c.info, &c.chance, c.state, NULL)
        c.n_root = game.legal(game, c.state, c.root_ids)
        memcpy(c.ids, c.root_ids, c.n_root * sizeof(int32_t))
        node = root_node(c)
        if node.key == 0 and not tree_note(&c.tree, node, node_key(&c.sight, c.observer)):
            return False
        if node.first == 0:
            node.count = 0
        if not choose_edge(c, node, c.observer, c.n_root, False) or count_missing(&c.tree, node, c.n_root, c.mark, c.stamp):
            return False
        free(c.root_base)
        free(c.root_win)
        free(c.root_margin)
        free(c.root_ends)
        c.root_base = <uint32_t*>malloc(node.count * sizeof(uint32_t))
        c.root_win = <double*>calloc(node.count, sizeof(double))
        c.root_margin = <double*>calloc(node.count, sizeof(double))
        c.root_ends = <uint32_t*>calloc(node.count, sizeof(uint32_t))
        if c.root_base == NULL or c.root_win == NULL or c.root_margin == NULL or c.root_ends == NULL:
            raise MemoryError("search: no memory for its root")
        for i in range(node.count):
            c.root_base[i] = c.tree.edges[node.first + i].visits
        if self.options.get("noise"):
            self._explore(self.options["noise"])
        return True

    def _explore(self, double share):
        """Mixes Dirichlet noise into the root's priors, so that self-play sees other moves too (Silver et al., "Mastering chess and shogi
        by self-play", 2017). Its concentration is ten over all actions together."""
        cdef Context* c = &self.c
        cdef Node* node = root_node(c)
        cdef Edge* edge
        cdef uint32_t i
        noise = dict(zip(
            [c.root_ids[k] for k in range(c.n_root)],
            np.random.default_rng(c.seed).dirichlet(np.full(c.n_root, 10 / c.n_root)),
        ))
        for i in range(node.first, node.first + node.count):
            edge = &c.tree.edges[i]
            if edge.action in noise:
                edge.prior += <float>(share * (noise[edge.action] - edge.prior))

    def advance(self, InfoState info, int action, turn: bool) -> bool:
        """Moves the root to what the observer knows now, and keeps the trees.

        Parameters
        ----------
        info : InfoState
            The same observer's knowledge, later; he is to move again.
        action : int
            What he did at the present root.
        turn : bool
            Only if nobody else has decided anything in between.

        Returns
        -------
        bool
            False if the trees cannot be kept: when `info` does not follow from the present root event by event, when they fill half of
            their memory, in a search of one world, and where an opponent's tree begins apart for each hand, and with `only`. This search is of no use then.
        """
        cdef Context* c = &self.c
        cdef const GameC* game = c.game
        cdef InfoState walker = self.info.clone()
        cdef int32_t label
        cdef int who
        seen, events = walker.events(), info.events()
        if c.even or c.apart or c.world != NULL or game.admit == NULL or info.player != c.observer or tree_bytes(&c.tree) > c.tree.limit // 2 or events[:len(seen)] != seen or len(events) == len(seen):
            return False
        self._roots += 1
        for text in events[len(seen):]:
            label = self.game.string_to_event(text)
            who = game.to_move(game, walker.info)
            if who == c.observer and action < 0 and game.more != NULL:
                notice(game, label, &c.sight)  # his own decision, but not one that he was asked for
            elif who == c.observer:
                look(game, walker.info, action if action >= 0 else label, who, c.branch, False, &c.sight)
                action = -1
            elif who == TERMINAL or (turn and who != CHANCE):
                return False
            else:
                look_back(game, label, who, c.observer, c.branch, mix64(self._roots), &c.sight)
            if game.admit(game, walker.info, label):
                return False
        if walker != info or game.to_move(game, walker.info) != c.observer:
            return False
        self.info = info.clone()
        c.info = self.info.info
        return self._set_root()

    def __dealloc__(self):
        free(self.c.root_ids)
        free(self.c.root_base)
        free(self.c.root_win)
        free(self.c.root_margin)
        free(self.c.root_ends)
        free(self.c.state)
        free(self.c.pool)
        free(self.c.scratch)
        free(self.c.memory)
        free(self.c.view)
        free(self.c.world)
        free(self.c.ids)
        free(self.c.weights)
        free(self.c.net_policy)
        free(self.c.net_room)
        free(self.c.mark)
        free(self.c.path)
        free(self.c.mast.cells)
        free(self.c.mast.trail)
        free(self.c.mast.trail_player)
        tree_free(&self.c.tree)

    def run(self, n: int, budget: int = 0) -> bool:
        """So many more simulations, without the GIL. The result does not depend on how they are cut into calls.

        With a `budget` of simulations for this root it stops as soon as what is left of it cannot change which root move has the most
        visits. Returns whether that is so.
        """
        cdef uint64_t left = n, now, whole = budget, spared
        cdef Context* c = &self.c
        with self._lock:
            while left:
                if c.simulations % CHUNK == 0:
                    tree_reserve(&c.tree, CHUNK * c.game.players, 2 * CHUNK * c.game.players * c.game.max_legal)
                now = min(left, CHUNK - c.simulations % CHUNK)
                with nogil:
                    spared = simulate_many(c, now, whole)
                if spared:
                    return True
                left -= now
        return False

    @property
    def simulations(self) -> int:
        return self.c.simulations

    @property
    def worlds(self) -> int:
        """Different worlds dealt: with common random numbers, as many as the most visited root move has met."""
        if self.c.world != NULL:
            return 1
        if not self.c.common:
            return self.c.simulations
        worlds = max(row.visits for row in self.root())
        return min(worlds, self.c.belief) if self.c.belief > 1 else worlds

    @property
    def events(self) -> int:
        """Events stepped through in all simulations."""
        return self.c.events

    @property
    def nodes(self) -> int:
        """Nodes in all trees."""
        return self.c.tree.n_nodes

    @property
    def memory_used(self) -> int:
        """Bytes set aside for the trees."""
        return tree_bytes(&self.c.tree)

    def root(self) -> list[RootEdge]:
        """What is known of each root action."""
        cdef Context* c = &self.c
        cdef Node* node
        cdef Edge* edge
        cdef int i, k
        result = []
        with self._lock:
            node = root_node(c)
            for k in range(c.n_root):
                i = 0
                while c.tree.edges[node.first + i].action != c.root_ids[k]:
                    i += 1
                edge = &c.tree.edges[node.first + i]
                result.append(
                    RootEdge(
                        edge.action, edge.visits, edge.total, edge.prior, c.root_win[i], c.root_margin[i],
                        edge.visits - c.root_base[i], c.root_ends[i],
                    )
                )
        return result

    def line(self, action: int, length: int = 20, least: int = 2) -> list[str]:
        """The principal variation after a root action, as the observer would see it.

        Several worlds follow the most visited edges of all players' trees, and at each step the observer sees what most of them show; the
        others drop out. The line ends where his own tree ends and where he learns what chance decides: at his next draw, for instance.
        """
        cdef Context* c = &self.c
        cdef size_t size = c.game.state_size
        cdef uint8_t* states = <uint8_t*>malloc(WALKERS * size)
        cdef Sight sight[WALKERS]
        cdef int32_t event[WALKERS]
        cdef int i, who
        if states == NULL:
            raise MemoryError()
        with self._lock:
            rng_seed(&c.chance, ~c.seed)
            for i in range(WALKERS):
                deal_root(c, states + i * size, &sight[i])
                event[i] = action
            texts = []
            alive = list(range(WALKERS))
            while len(texts) < length:
                votes = {}
                for i in alive:
                    if event[i] >= 0:
                        who = c.game.to_move(c.game, states + i * size)
                        label = event[i] if who == c.observer else c.game.seen(c.game, states + i * size, event[i], c.observer)
                        votes.setdefault(label, []).append(i)
                if not votes:
                    break
                label = max(votes, key=lambda x: (len(votes[x]), -x))
                if len(votes[label]) * 4 < WALKERS:  # too few worlds to speak of a line
                    break
                alive = votes[label]
                texts.append(self.game.event_to_string(label))
                for i in alive:
                    event[i] = walk(c, states + i * size, &sight[i], event[i], least)
        free(states)
        return texts
