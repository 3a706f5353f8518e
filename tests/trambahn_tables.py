"""Trambahn positions for tests: set up once, asked alike of the reference and of the engine."""

import random
from collections import Counter

from lockstep import trambahn_facts
from trambahn_reference import CARD_ORDER, COLOURS, DECK, TRAMS, Column, Reference, value

from wattman import load_game
from wattman.engine import positions

# ---------------------------------------------------------------------------------------------------- setting up


def _split(left):
    """Take every card in `left` into columns: each colour as few ascending ones as possible, conductors at the ends of open ones."""
    columns = []
    for colour in COLOURS:
        copies = {number: left.pop(f"{colour}{number}", 0) for number in range(1, 11)}
        while any(copies.values()):
            cards = [f"{colour}{number}" for number in copies if copies[number]]
            columns.append(Column(colour, cards))
            copies = {number: max(0, count - 1) for number, count in copies.items()}
    conductors = left.pop("C", 0)
    if conductors:
        incomplete = [column for column in columns if column.stations()[-1][1:] != "10"]
        if not incomplete:
            columns.append(Column("B"))
        (incomplete or columns)[-1].cards += ["C"] * conductors
    return columns


def _market(used, fillers, on_sale):
    """How many trams have come out of the stack: enough for `used` and at least `fillers` more columns, `on_sale` lying open."""
    for bought in range(len(used) + fillers, len(TRAMS) + 1):
        out = Counter(TRAMS[: bought + 3])
        if Counter(used) + Counter(on_sale or []) <= out and (on_sale is None or out.total() == bought + len(on_sale)):
            rest = sorted((out - Counter(used) - Counter(on_sale or [])).elements())
            return rest[: bought - len(used)], rest[bought - len(used) :] if on_sale is None else list(on_sale), TRAMS[bought + 3 :]
    raise ValueError(f"no game has trams {used} on columns and {on_sale} open")


def position(
    halving="on_empty", *, hands=("", ""), money=(0, 0), columns=((), ()), rows=None, draw=None, discard=(), fill="Y", park=False, **parts
):
    """A reference in a position that a game could reach as far as the trams go.

    Parameters
    ----------
    hands : pair of str
        Cards by spaces.
    money : pair of int or of str
        A count is filled with cards that nobody asked for; a text is bottom to top.
    columns : pair of sequences of str
    rows : dict of str to str
    draw : int or str, optional
        All other cards if left out.
    discard : int or str
    fill : str
        Colours in which the other player may get one-card columns, to use up the trams that must have been sold before.
    park : bool
        All other cards lie in the other player's columns (which hold trams), not in the draw pile.
    **parts
        Further attributes of the reference; `open` is the supply.
    """
    rows = {colour: row.split() for colour, row in (rows or {}).items()}
    hands = [hand.split() for hand in hands]
    columns = [[Column.parse(text) for text in side] for side in columns]
    left = Counter(DECK)
    for cards in [*hands, *rows.values(), *(column.cards for side in columns for column in side)]:
        left.subtract(cards)
    piles = [*money, discard, draw]
    for pile in piles:
        if isinstance(pile, str):
            left.subtract(pile.split())
    if min(left.values()) < 0:
        raise ValueError(f"too many of {[card for card in left if left[card] < 0]}")
    left += Counter()
    used = [column.tram for side in columns for column in side if column.tram]
    fillers = []
    if not park:
        for _ in range(len(_market(used, 0, parts.get("open"))[0])):
            card = next(card for colour in fill for card in CARD_ORDER if card[0] == colour and left[card])
            left[card] -= 1
            fillers.append(Column(card[0], [card]))
    spare = sorted(left.elements())
    random.Random(0).shuffle(spare)
    for number, pile in enumerate(piles):
        if isinstance(pile, str):
            piles[number] = pile.split()
        elif pile is not None:
            piles[number] = [spare.pop() for _ in range(pile)] if isinstance(pile, int) else list(pile)
    if park:
        fillers = _split(Counter(spare))
        while len(_market(used, len(fillers), parts.get("open"))[0]) > len(fillers):
            longest = max(fillers, key=lambda column: len(column.cards))
            half = len(longest.cards) // 2
            fillers.append(Column(longest.colour, longest.cards[half:]))
            longest.cards = longest.cards[:half]
        piles[3] = piles[3] or []
    trams, parts["open"], parts["stack"] = _market(used, len(fillers), parts.get("open"))
    for column, tram in zip(fillers, trams, strict=True):
        column.tram = tram
    columns[1 - parts.get("turn", 0)] += fillers
    if piles[3] is None:
        piles[3] = spare
    return Reference.from_parts(halving, hands=hands, money=piles[:2], discard=piles[2], draw=piles[3], rows=rows, columns=columns, **parts)


def position_toml(game, player=0):
    """A position file of `game` (a reference at a decision) in which every hidden card is known."""

    def cards(names):
        return "[" + ", ".join(f'"{name}"' for name in names) + "]"

    lines = ['game = "trambahn"', f"player = {player}", f"to_move = {game.turn}", f'step = "{game.step}"']
    lines += [f"scorings = {game.scorings}", f"draw_pile = {game.draw.total()}", "[options]", f'halving = "{game.halving}"', "[turn]"]
    if game.boarded and game.step == "passengers":
        lines.append(f"boarded = {game.boarded}")
    if game.step == "stations":
        lines.append(f"column = {game.lowest}")
        if game.opened:
            card, colour = game.opened
            lines.append(f'opened = "{card + colour if card == "C" else card}"')
    if game.step == "income" and game.banked:
        lines.append(f'banked = "{game.banked}"')
    if game.step == "trams" and game.bought >= 0:
        lines.append(f"bought = {game.bought}")
    lines.append("[rows]")
    lines += [f"{colour} = {cards(row)}" for colour, row in game.rows.items()]
    for who, name in ((player, "you"), (1 - player, "opponent")):
        lines += [f"[{name}]", f"hand = {cards(game.hands[who])}", f"money = {cards(game.money[who])}"]
        lines += [f"columns = {cards(map(str, game.columns[who]))}", f"score = {game.points[who]}"]
    lines += ["[discard]", f"seen = {cards(game.discard)}", "[supply]"]
    lines += [f"open = {game.open}", f"stack = {[game.stack.count(tram) for tram in (2, 3, 4)]}"]
    return "\n".join(lines) + "\n"


def engine_state(game, player=0, seed=0):
    """The engine's state of the position of `game`."""
    return positions.loads(position_toml(game, player)).sample(seed)


# ---------------------------------------------------------------------------------------------------- asking


class ReferenceTable:
    """A position on the reference's side."""

    def __init__(self, game):
        self.game = game

    @classmethod
    def start(cls, halving="on_empty"):
        return cls(Reference(halving))

    def player(self):
        return self.game.current_player()

    def legal(self):
        return self.game.legal()

    def chance(self):
        return self.game.chance()

    def apply(self, text):
        self.game.apply(text)
        self.game.conserved()

    def scores(self):
        return self.game.scores()

    def returns(self):
        return self.game.returns()

    def facts(self):
        return self.game.facts()

    # what follows uses only the above, for both sides

    def hand(self, player):
        return sorted(self.facts()["hands"][player], key=CARD_ORDER.index)

    def money(self, player):
        return len(self.facts()["money"][player])

    def columns(self, player):
        return self.facts()["columns"][player]

    def rows(self):
        return {colour: sorted(row, key=CARD_ORDER.index) for colour, row in self.facts()["rows"].items()}

    def piles(self):
        """Numbers of cards in the draw pile and in the discard."""
        return len(self.facts()["draw"]), len(self.facts()["discard"])

    def supply(self):
        """The open trams in order, and how many of x2, x3, x4 are in the stack."""
        return self.facts()["open"], self.facts()["stack"]

    def scorings(self):
        return self.facts()["scorings"]

    def play(self, *texts):
        """Play `texts`, each of which must be possible."""
        for text in texts:
            possible = self.chance() if self.player() == -1 else self.legal()
            assert text in possible, f"{text!r} should be possible, there are {sorted(possible)}"
            self.apply(text)
        return self

    def refuses(self, *texts):
        """Whether none of `texts` is possible and playing one raises ValueError without changing anything."""

        def now():
            return self.player(), self.legal(), self.chance(), self.scores(), self.facts()

        before = now()
        for text in texts:
            if text in self.legal() or text in self.chance():
                return False
            try:
                self.apply(text)
            except ValueError:
                pass
            else:
                return False
        return before == now()

    def draw(self, number):
        """Draw `number` times the first card possible."""
        for _ in range(number):
            assert self.player() == -1
            self.apply(min(self.chance(), key=lambda text: CARD_ORDER.index(text.split()[1])))
        return self

    def to_draw(self):
        """Decline everything up to the draws."""
        mover = self.player()
        while self.player() == mover:
            self.play("done")
        return self

    def end_turn(self):
        """Decline everything and draw, until the other player is on turn."""
        if self.player() != -1:
            self.to_draw()
        while self.player() == -1:
            self.draw(1)
        return self


class EngineTable(ReferenceTable):
    """A position on the engine's side."""

    def __init__(self, game):
        self.state = engine_state(game)

    @classmethod
    def start(cls, halving="on_empty"):
        table = cls.__new__(cls)
        table.state = load_game("trambahn", halving=halving).new_initial_state()
        return table

    def player(self):
        return self.state.current_player()

    def legal(self):
        return {self.state.action_to_string(action) for action in self.state.legal_actions()} if self.player() >= 0 else set()

    def chance(self):
        if not self.state.is_chance_node():
            return {}
        return {self.state.action_to_string(action): probability for action, probability in self.state.chance_outcomes()}

    def apply(self, text):
        self.state.apply_action(self.state.string_to_action(text))

    def scores(self):
        return self.state.scores()

    def returns(self):
        return self.state.returns()

    def facts(self):
        return trambahn_facts(self.state.to_dict())


def random_position(rng, halving):
    """A position that obeys the letter of the rules but that hardly any game reaches: tiny piles, empty hands, odd columns.

    Parameters
    ----------
    rng : random.Random
    halving : str
    """
    deck = sorted(DECK.elements())
    rng.shuffle(deck)

    def take(number):
        return [deck.pop() for _ in range(min(number, len(deck)))]

    hands = [take(rng.choice([0, 1, 2, 4, 6, 6])), take(rng.choice([0, 1, 3, 6]))]
    money = [take(rng.choice([0, 1, 2, 5, 9, 16])), take(rng.choice([0, 1, 2, 5, 9, 16]))]
    draw, discard = take(rng.choice([0, 0, 1, 2, 3, 8])), take(rng.choice([0, 0, 1, 2, 5, 12]))
    rows = {colour: [] for colour in COLOURS}
    for _ in range(rng.randint(0, 12)):
        card = deck.pop()
        colour = rng.choice(COLOURS) if card == "C" else card[0]
        (rows[colour] if len(rows[colour]) < 3 else draw).append(card)
    keep = rng.random()
    for card in list(deck):
        if rng.random() > keep:
            deck.remove(card)
            rng.choice([draw, discard, money[0], money[1]]).append(card)
    columns = [[], []]
    fillers = _split(Counter(deck))
    for column in fillers:
        # conductors anywhere, but nothing after a 10
        column.cards.sort(key=lambda card: rng.uniform(0, 10) if card == "C" else value(card))
        columns[rng.randrange(2)].append(column)
    trams, on_sale, stack = _market([], len(fillers), None)
    rng.shuffle(trams)
    for column in fillers:
        column.tram = trams.pop()
    return Reference.from_parts(
        halving,
        hands=hands,
        money=money,
        draw=draw,
        discard=discard,
        rows=rows,
        columns=columns,
        open=on_sale,
        stack=stack,
        turn=rng.randrange(2),
        scorings=rng.randint(0, 9),
        points=[rng.randint(0, 60), rng.randint(0, 60)],
    )
