"""What worlds are dealt, and how often, against the list of all possible worlds (trambahn_posterior.py); Leduc against its whole tree.

WATTMAN_GAMES scales the numbers of scripts and samples (default 60).
"""

import math
from collections import Counter, defaultdict

import pytest
from knowledge import GAMES
from trambahn_posterior import COPIES, ORDER, Posterior, TooMany
from trambahn_small import parked, scripts, world_of

from wattman import load_game

SAMPLES = 60 * GAMES
ALLOWED = 0.03  # total variation after one reshuffle, beyond what so many exact samples would show


# --- comparing ---


def marginals(worlds):
    """Distributions of the other player's hand, the draw pile and each single hidden place."""
    result = defaultdict(Counter)
    for world, p in worlds.items():
        result["hand"][world.hand] += p
        result["deck"][world.deck] += p
        for player, pile in enumerate(world.money):
            for i, card in enumerate(pile):
                result["money", player, i][card] += p
        for i, card in enumerate(world.discard):
            result["discard", i][card] += p
    return result


def variation(p, q):
    return sum(abs(p[key] - q[key]) for key in p.keys() | q.keys()) / 2


def noise(p, n):
    """Total variation to be expected of n exact samples."""
    return sum(math.sqrt(2 * x * max(0, 1 - x) / (math.pi * n)) for x in p.values()) / 2


class Comparison:
    """Samples of what is known beside all worlds with their probabilities.

    Attributes
    ----------
    excess : float
        Largest total variation of a marginal beyond the noise.
    z : float
        Chi-square of the whole worlds in standard deviations from its mean; 0 if there is only one world.
    """

    def __init__(self, info, worlds, n, seed=0):
        found = Counter(world_of(info.sample(seed * 10_000_019 + i), info.player) for i in range(n))
        self.n = n
        self.impossible = [world for world in found if world not in worlds]
        shares = Counter({world: count / n for world, count in found.items()})
        exact, seen = marginals(worlds), marginals(shares)
        self.excess = max(variation(exact[key], seen[key]) - noise(exact[key], n) for key in exact)
        self.missing = [(key, value) for key in exact for value, p in exact[key].items() if p * n > 20 and value not in seen[key]]
        bins = [(p, shares[world]) for world, p in worlds.items() if p * n >= 5]
        rest = 1 - sum(p for p, _ in bins)
        if rest * n >= 5:
            bins.append((rest, 1 - sum(q for _, q in bins)))
        chi, free = sum((q - p) ** 2 * n / p for p, q in bins), len(bins) - 1
        self.z = (chi - free) / math.sqrt(2 * free) if free > 0 else 0.0


def agrees(comparison, allowed=0.0):
    assert not comparison.impossible, comparison.impossible[:3]
    assert not comparison.missing, comparison.missing[:3]
    assert comparison.excess < allowed + 1.2 / math.sqrt(comparison.n), comparison.excess


def admitted(info, texts):
    """Which of these events `admit` takes."""
    result = set()
    for text in texts:
        try:
            info.clone().admit(text)
        except ValueError:
            continue
        result.add(text)
    return result


def boards(cards):
    return {text for card in cards for text in ([f"board C>{row}" for row in "BRGY"] if card == "C" else [f"board {card}"])}


# --- random scripts ---


def compared(mode, epoch, first_seed, wanted, least_worlds=12, only=lambda memory: True):
    """Comparisons at random moments of random scripts, after `epoch` reshuffles: [(seed, comparison)]."""
    result = []
    for seed, script in scripts(range(first_seed, first_seed + 40 * wanted), mode):
        try:
            for info in script.decisions(epoch):
                worlds = script.posterior.worlds
                assert script.truth() in worlds
                fit = script.posterior.reshuffles == epoch and len(worlds) >= least_worlds and script.rng.random() < 0.4
                if fit and only(script.game.info_to_dict(info)["memory"]):
                    result.append((seed, Comparison(info, worlds, SAMPLES, seed)))
                    break
        except TooMany:
            continue
        if len(result) == wanted:
            return result
    raise AssertionError(f"only {len(result)} scripts found")


def whole_worlds(results):
    """Over several scripts the whole worlds come as often as they should: a far more sensitive test than each for itself."""
    zs = [comparison.z for _, comparison in results]
    assert max(zs) < 7, zs
    assert sum(zs) / len(zs) < 4 / math.sqrt(len(zs)), zs


@pytest.mark.parametrize("mode", ["any", "payer"])
def test_before_a_reshuffle(mode):
    results = compared(mode, 0, 0, max(2, GAMES // 15))
    for _, comparison in results:
        agrees(comparison)
    whole_worlds(results)


@pytest.mark.parametrize("mode", ["any", "splitter"])
def test_after_a_reshuffle(mode):
    results = compared(mode, 1, 1000, max(2, GAMES // 10))
    for _, comparison in results:
        agrees(comparison, ALLOWED)
    whole_worlds(results)


def test_split_income_steps():
    """Of an income step the higher cards are reshuffled: those left are its lowest."""
    results = compared("splitter", 1, 2000, max(2, GAMES // 10), only=lambda memory: any(memory["lost"]))
    for _, comparison in results:
        agrees(comparison, ALLOWED)
    whole_worlds(results)


def test_after_two_reshuffles():
    """The truth is among what is dealt, and so is every world that is not rare; each sample keeps what is known of single places."""
    found = 0
    for _, script in scripts(range(3000, 3000 + 10 * GAMES)):
        try:
            for info in script.decisions(3):
                worlds = script.posterior.worlds
                assert script.truth() in worlds
                if script.posterior.reshuffles >= 2 and 1 < len(worlds) < 40 and script.rng.random() < 0.3:
                    dealt = Counter(world_of(info.sample(i), info.player) for i in range(400))
                    assert all(world in dealt for world, p in worlds.items() if p > 0.08)
                    found += 1
        except TooMany:
            continue
        if found >= GAMES // 5:
            return
    raise AssertionError(f"only {found} scripts found")


@pytest.mark.parametrize("mode", ["any", "splitter"])
def test_what_can_be_admitted(mode):
    """Exactly the cards that are in some world: of the draw pile for an own draw, of the other's hand for a card he shows."""
    draws = [f"draw {card}" for card in ORDER]
    asked = Counter()
    for _, script in scripts(range(4000, 4000 + max(16, GAMES // 2)), mode):
        other = 1 - script.observer
        try:
            while not script.state.is_terminal() and script.posterior.reshuffles <= 2:
                who, table = script.state.current_player(), script.state.to_dict(script.observer)
                info = script.state.info_state(script.observer)
                own = who == -1 and table["on_turn"] == script.observer
                shown = who == other and table["step"] == "passengers" and info.current_player() == other
                if script.rng.random() < 0.3 and script.truth().hand and (own or shown):
                    script.posterior.decides(who)
                    worlds, epoch = script.posterior.worlds, script.posterior.reshuffles
                    if own:
                        possible, taken = {f"draw {card}" for world in worlds for card in world.deck}, admitted(info, draws)
                    else:
                        possible, taken = boards({card for world in worlds for card in world.hand}), admitted(info, boards(ORDER))
                    # What is left open after two reshuffles is a little more than there is.
                    assert taken == possible if epoch < 2 else taken >= possible
                    asked["draw" if own else "board", epoch] += 1
                script.step()
        except TooMany:
            continue
    assert min(asked[what, epoch] for what in ("draw", "board") for epoch in (0, 1, 2)) > GAMES // 20, asked


# --- scripts of events, as they would be entered at a table ---


def table(own, deck, hand, hidden, money=((), ()), discard=(), halving="on_empty"):
    """Player 0 watches; `hidden`: all the cards of the draw pile, the other's hand and the places marked "?"; the rest is parked."""
    left = Counter(COPIES)
    for cards in (own, hidden, discard, *money):
        left.subtract(card for card in cards if card != "?")
    assert min(left.values()) >= 0
    assert len(hidden) == deck + hand + [*money[0], *money[1], *discard].count("?")
    hands = [own, ["?"] * hand]
    players = [{"hand": hands[p], "money": list(money[p]), "columns": [], "regular": 0, "extra": 0} for p in range(2)]
    for i, column in enumerate(parked(left.elements())):
        players[i % 2]["columns"].append(column)
    return {
        "options": {"halving": halving},
        "player": 0,
        "to_move": 0,
        "step": "passengers",
        "on_turn": 0,
        "scorings": 0,
        "draw_pile": deck,
        "reshuffles": 0,
        "turn": {"boarded": 0, "column": 0, "opened": "", "banked": "", "bought": -1, "dealt": 39},
        "rows": {colour: [] for colour in "BRGY"},
        "supply": [2, 2, 2],
        "stack": [2, 4, 7],
        "discard": list(discard),
        "players": players,
    }


def cards(text):
    return [card for part in text.split() for card in [part.partition("*")[0]] * int(part.partition("*")[2] or 1)]


# By name: cards of player 0, of the draw pile, the other's hand, all hidden cards, both money piles, the discard pile, the option, and what
# player 0 sees (who: what). Worlds are compared at each "|".
AT_A_TABLE = {
    "an income step is partly paid": (
        ("Y9*3 Y8*3", 12, 6, "C*8 B2*3 G3*3 R5*3 Y4", ("", ""), "", "on_empty"),
        """0: board Y9; 0: done; 0: done; 0: done; -1: draw C
        1: board C>R; 1: done; 1: build B2>new; 1: bank ?; 1: bank ?; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?
        0: board Y9; | 0: done; 0: done; 0: done; -1: draw R5
        1: board C>G; 1: done; 1: build G3>new; 1: bank ?; 1: bank ?; 1: bank ?; 1: buy 2>last
        -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?; | 0: board Y9""",
    ),
    "start money is paid": (
        ("Y9*3 Y8*3", 8, 6, "C*6 B2*3 G3*3 R5*3 Y4*2", ("", "? ? ?"), "B10", "on_need"),
        """0: board Y9; 0: done; 0: build Y8>new; 0: done; 0: done; -1: draw C; -1: draw R5; |
        1: board C>R; 1: done; 1: build B2>new; 1: bank ?; 1: bank ?; 1: buy 2>last; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?; |
        0: board C>R; 0: done; 0: done; 0: bank R5; 0: bank Y8; 0: done""",
    ),
    "halving splits an income step": (
        ("Y9*3 Y8*3", 5, 6, "C*4 B2*2 G3*2 R5*3", ("B5*2", ""), "G7*2 R6", "on_empty"),
        """0: board Y9; 0: done; 0: done; 0: done; -1: draw C
        1: board C>R; 1: done; 1: bank ?; 1: bank ?; 1: bank ?; 1: bank ?; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?
        | 0: board Y9; 0: done; 0: done; 0: done; -1: draw R5
        1: board G7; 1: done; 1: bank ?; 1: bank ?; -1: draw ?; -1: draw ?; -1: draw ?; |
        0: board R5""",
    ),
    "a seen card was of a split step": (
        ("Y9*3 Y8*3", 5, 6, "C*2 B2*2 G3*3 R5*3 Y4", ("B5*2", ""), "G7*2 R6", "on_empty"),
        """0: board Y9; 0: done; 0: done; 0: done; -1: draw G3
        1: board G3; 1: done; 1: bank ?; 1: bank ?; 1: bank ?; 1: bank ?; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?
        0: board Y9; 0: done; 0: done; 0: bank Y8; 0: bank Y8; 0: done; | -1: draw R5; -1: draw C; -1: draw R6
        1: board R5; | 1: done; 1: build B2>new; |""",
    ),
    "own and other cards go round": (
        ("Y9*3 Y8*3", 6, 6, "C*3 B2*3 G3*2 R5*3 Y4*2", ("", "? G7 G7 G7 B9"), "R6*2 Y2", "on_need"),
        """0: board Y9; 0: done; 0: done; 0: bank Y8; 0: bank Y9; 0: done; -1: draw B2; -1: draw C; -1: draw R5
        1: board B2; 1: board C>G; 1: build G3>new; 1: bank ?; 1: buy 2>last; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?
        | 0: board R5; 0: done; 0: done; 0: done; -1: draw G7
        1: board R6; 1: done; 1: build B2>new; 1: bank ?; -1: draw ?; -1: draw ?; -1: draw ?; | 0: board Y8; 0: done""",
    ),
    "old cards run out": (
        ("Y9*3 Y8*3", 3, 6, "C*2 B2*2 G3*2 R5*3", ("B5*3", "B6*2 G8*2"), "R6*2 Y2*2", "on_empty"),
        """0: board Y9; 0: done; 0: done; 0: done; -1: draw R5
        1: board B2; 1: board R5; 1: build R5>new; 1: build G3>new; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?
        | 0: board Y9; 0: done; 0: done; 0: done; -1: draw Y2
        1: board R6; 1: board C>R; 1: build G8>new; 1: bank ?; -1: draw ?; -1: draw ?; -1: draw ?; -1: draw ?; | 0: board Y8""",
    ),
}


@pytest.mark.parametrize("name", AT_A_TABLE)
def test_at_a_table(name):
    (own, deck, hand, hidden, money, discard, halving), events = AT_A_TABLE[name]
    start = table(cards(own), deck, hand, cards(hidden), [cards(pile) for pile in money], cards(discard), halving)
    info = load_game("trambahn", halving=halving).info_from_dict(start)
    posterior = Posterior(start)
    columns = len(start["players"][1]["columns"])
    results = []
    for event in events.replace("\n", ";").split(";"):
        if "|" in event:
            results.append((name, Comparison(info, posterior.worlds, 3 * SAMPLES, len(results))))
            agrees(results[-1][1], ALLOWED if posterior.reshuffles else 0)
        who, _, text = event.strip(" |").partition(": ")
        if text:
            text = text.replace("last", str(columns))
            info.admit(text)
            posterior.see(int(who), text)
    assert results
    whole_worlds(results)


# --- Leduc ---


def leduc_histories():
    """Every history of Leduc poker with its probability, if all decisions are alike."""
    game = load_game("leduc")
    stack = [(game.new_initial_state(), 1.0)]
    while stack:
        state, p = stack.pop()
        yield state, p
        if not state.is_terminal():
            ways = dict(state.chance_outcomes()) if state.is_chance_node() else dict.fromkeys(state.legal_actions(), 1.0)
            for action, chance in ways.items():
                after = state.clone()
                after.apply_action(action)
                stack.append((after, p * chance))


def test_leduc():
    """In every information set the hidden card comes as often as it should."""
    sets, infos = defaultdict(Counter), {}
    for state, p in leduc_histories():
        for player in range(2):
            key = player, state.information_state_string(player)
            sets[key][state.to_dict()["cards"][1 - player]] += p
            infos[key] = state.info_state(player)
    n = 4 * SAMPLES // 60
    chi = free = 0
    for number, (key, cards_there) in enumerate(sets.items()):
        total = sum(cards_there.values())
        found = Counter(infos[key].sample(number * n + i).to_dict()["cards"][1 - key[0]] for i in range(n))
        assert found.keys() <= cards_there.keys()
        for card, p in cards_there.items():
            chi += (found[card] - n * p / total) ** 2 / (n * p / total)
        free += len(cards_there) - 1
    assert len(sets) > 500
    assert abs(chi - free) < 5 * math.sqrt(2 * free)
