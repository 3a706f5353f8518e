"""Lisbon's position files: any moment of a game as a file and back, the template and the examples, every error by its key."""

import copy
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from commands import run
from lisbon_views import played

from wattman import load_game
from wattman.engine import positions, tomlfile
from wattman.engine.game import Game

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("lisbon-*.toml"))
TEMPLATE = positions.template("lisbon")


def refusal(text):
    with pytest.raises(positions.PositionError) as raised:
        positions.loads(text, "x")
    told = str(raised.value)
    assert told.startswith("x: ")
    assert "\n" not in told
    return told.removeprefix("x: ")


# --- whole files ---


def test_the_template_is_a_position_without_remarks(tmp_path):
    info = positions.loads(TEMPLATE)
    assert (info.game.options["players"], info.player, info.current_player()) == (3, 0, 0)
    assert info.game.template() == TEMPLATE
    (tmp_path / "t.toml").write_text(TEMPLATE)
    assert positions.remarks(tmp_path / "t.toml") == []
    assert run("new", "position", "lisbon").stdout == TEMPLATE


def test_every_key_that_the_template_leaves_out_can_be_written():
    """Each line that is commented out in the template holds where its comment says; none is misspelt."""
    text = TEMPLATE.replace("# drew = [0, 1] ", "drew = [0, 1] ").replace("# claimed_this_round", "claimed_this_round")
    text = text.replace("# rounds_without_claim = 1", "rounds_without_claim = 1").replace("# face_up = 10", "face_up = 10")
    text = (
        text.replace('# rules = "german"', 'rules = "german"').replace("# [passengers]", "[passengers]").replace("# set_aside", "set_aside")
    )
    info = positions.loads(text)
    assert info.game.options["rules"] == "german"
    assert info.to_dict()["drew"] == [0, 1]
    assert info.to_dict()["set_aside"] == "RYYGG"
    for step, more in (("moving", 'move = "R"'), ("paying", 'purpose = "group"'), ("keep", 'drawn = "RYB"')):
        text = (
            TEMPLATE.replace('step = "turn"', f'step = "{step}"').replace("actions = 2", "actions = 1").replace('"chiado"\n', '"santos"\n')
        )
        text = text.replace("# [turn]\n# move", "[turn]\n# move").replace(f"# {more.split(' = ')[0]} = ", f"{more.split(' = ')[0]} = ", 1)
        assert positions.loads(text).to_dict()["step"] == step


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_load_without_remarks_and_can_be_analyzed(path):
    info = positions.load(path)
    assert positions.remarks(path) == []
    assert info.current_player() == info.player
    assert len(info.legal_actions()) > 1
    assert path.read_text(encoding="utf-8").startswith("# ")
    assert positions.loads(positions.dumps(info)) == info


def test_there_are_examples_for_two_three_and_four():
    assert {positions.load(path).game.num_players() for path in EXAMPLES} == {2, 3, 4}


def test_the_push_example_has_a_chain_in_reach():
    """Some answer to the step pushes a second tram."""
    state = positions.load(next(path for path in EXAMPLES if path.stem == "lisbon-push")).sample(1)
    for text in ("move R", "step conceicao"):
        state.apply_action(state.string_to_action(text))
    assert state.current_player() == 1
    assert "shunt chiado" in map(state.action_to_string, state.legal_actions())
    state.apply_action(state.string_to_action("shunt chiado"))
    assert state.to_dict()["turn"]["pushed"] == [1, 2]
    assert state.current_player() == 2


# --- any moment of a game ---


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        ({"players": 2}, 10**9),
        ({"players": 3, "rules": "german"}, 900),
        ({"players": 4, "refill_model": "monument"}, 900),
        ({"players": 3, "board": "side_23_18", "refill_model": "slot", "stall_rounds": 3}, 900),
    ],
    ids=str,
)
def test_any_moment_as_a_file_and_back(options, limit):
    seen = Counter()
    for number, state in enumerate(played(17, limit, **options)):
        if seen[state.to_dict()["step"]] > 6 and number % 29:
            continue
        for player in range(options["players"]):
            info = state.info_state(player)
            text = positions.dumps(info)
            seen[info.to_dict()["step"]] += 1
            again = positions.loads(text)
            assert again == info
            assert again.to_dict() == info.to_dict()
            assert positions.dumps(again) == text
            if info.current_player() >= 0:
                assert again.sample(3).to_dict()["stops"] == info.to_dict()["stops"]
    assert {"setup bag", "setup ticket", "setup card", "turn", "moving", "ticket"} <= set(seen)
    assert limit < 10**9 or seen["over"]


def test_rare_moments_as_files_too():
    """Pushes, bells, refills and payments, wherever a few games have them."""
    seen = {}
    for seed in range(12):
        for state in played(seed, 1500, players=4 if seed % 2 else 2, rules="english"):
            step = state.to_dict()["step"]
            if step in ("turn", "moving", "ticket", "setup bag", "setup ticket") or seen.get(step, 0) > 5:
                continue
            seen[step] = seen.get(step, 0) + 1
            for player in range(state.game.num_players()):
                info = state.info_state(player)
                assert positions.loads(positions.dumps(info)) == info
        if len(seen) >= 9:
            break
    assert {"paying", "shunt", "push ticket", "ring", "refill", "place", "next card"} <= set(seen)


def test_after_a_reshuffle_the_memory_goes_with_it():
    for state in played(2, players=4):
        info = state.info_state(0)
        if "reshuffles" in positions.dumps(info):
            break
    text = positions.dumps(info)
    assert positions.loads(text) == info
    assert positions.loads(text.replace("reshuffles = 1", "reshuffles = 2")) != info
    assert "[memory].log: " in refusal(re.sub(r'"\d\+"', '"9+"', text, count=1))


def test_the_whole_truth_is_no_position():
    from wattman.engine.games import _lisbon_position

    with pytest.raises(ValueError, match="not the whole truth"):
        _lisbon_position.to_file(load_game("lisbon").new_initial_state().to_dict())


def test_what_is_left_out_follows_from_the_rest():
    view = positions.loads(TEMPLATE).to_dict()
    assert view["face_up"] == 10
    assert view["set_aside"] == "RYYGG"  # Carmo's card
    assert len(view["bag"]) == 60 - 30 - 7 - 5
    assert view["ticket_pile"] == 108 - 6 - 7 - 5 - 12
    assert len(view["cards_unseen"]) == 22 - 6
    assert (view["last_round"], view["actions"]) == (False, 2)


# --- errors ---


def changed(old, new):
    assert old in TEMPLATE
    return TEMPLATE.replace(old, new)


FAULTS = [
    ("player = 0 ", "player = 3 ", "player: 3 is out of range; expected the number of your seat, from 0 to 2"),
    ("on_turn = 0", 'on_turn = "me"', 'on_turn: "me" is a text; expected the number of the player on turn, from 0 to 2'),
    ('step = "turn"', 'step = "walking"', 'step: "walking" is not allowed; expected "turn", "moving"'),
    ("actions = 2", "actions = 3", "actions: 3 is out of range; expected the number of actions left, from 0 to 2"),
    ("actions = 2", "actions = 0", "actions: 0, so the turn is over; expected 1 or more, or a free move"),
    ("actions = 2", "action = 2", "action: unknown key (did you mean actions?)"),
    ("actions = 2", 'used = ["bell"]', 'used: "bell", but the player on turn does not have that bonus'),
    ("actions = 2", 'used = ["seats"]', 'used: "seats" is not used up in a turn; expected "free_move" or "bell"'),
    ("actions = 2", "drew = [3]", "drew: 3 is no player; they are 0 to 2"),
    ("actions = 2", "rounds_without_claim = 10", 'rounds_without_claim: 10, which ends the game, but the step is "turn"'),
    ("actions = 2", "stalled = true", 'stalled: true, but the step is not "over"'),
    ("actions = 2", "last_round = 1", "last_round: 1 is a whole number; expected true or false"),
    ("players = 3", "players = 5", "[options]: option players: '5' is not allowed; allowed: 2, 3, 4"),
    ("players = 3", "players = 4", "[player_3]: missing; expected a table with tram, hand"),
    ("players = 3", "players = 2", "[player_2]: unknown key (did you mean player_1?)"),
    ("players = 3", 'players = 3\nboard = "side_9"', "[options]: side_9: no such board; expected side_23"),
    ("[player_1]", "[player_9]", "[player_9]: unknown key"),
    ('santos = "RYB"', 'santos = "RXB"', '[stops].santos: "RXB" has "X"; expected passengers as letters of RYGB'),
    ('santos = "RYB"', 'estrela = "RYB"', "[stops].estrela: unknown key"),
    ('santos = "RYB"', "santos = 3", "[stops].santos: 3 is a whole number; expected passengers as letters"),
    ('santos = "RYB"', f'santos = "{"R" * 9}"', "[stops]: 17 R at stops and in trams; there are 15"),
    ('"castelo_2", "comercio_2"', '"castelo_9", "comercio_2"', '[display].cards: "castelo_9" is no card (did you mean castelo_'),
    ('"castelo_2", "comercio_2"', '"carmo_1", "comercio_2"', "carmo_1: is there twice"),
    ('cards = ["castelo_2"', 'cards = ["se_2", "castelo_2"', "[display].cards: 5 cards; 4 are on display with 3 players"),
    ('next = "ajuda_2"', 'next = ""', "[display].next: no next card, but 10 cards lie face up"),
    ("# face_up = 10", "face_up = 0", "[display].next: ajuda_2, but 0 cards lie face up"),
    ("# face_up = 10", "face_up = 18", "[display].face_up: 18 is out of range; expected the number of cards face up"),
    ('tram = "chiado"', 'tram = "chado"', '[you].tram: "chado" is no place (did you mean chiado?); places: rossio'),
    ('tram = "comercio"', 'tram = "chiado"', '[player_2].tram: "chiado" has the tram of player 0 already; only Rossio holds several'),
    ('hand = "RRYGGB"', "", "[you].hand: missing; expected your tickets as letters of RYGB"),
    ('hand = "RRYGGB"', 'hand = "RR?"', '[you].hand: "RR?" has "?"'),
    ("hand = 7 ", 'hand = "RRR" ', '[player_1].hand: "RRR": what another player holds is hidden; expected the number of tickets'),
    ("hand = 7 ", "hand = 200 ", "[player_1].hand: 200 is out of range"),
    ("hand = 7 ", "hand = 100 ", "[tickets].discard: 12 tickets, and 111 in all hands; there are 108"),
    ('aboard = "YG"', 'aboard = "YYYG"', "[you].aboard: 3 Y, but the tram has 2 seats for each colour (4 with the bonus seats)"),
    ('aboard = "RBB"', 'aboard = "BBBBB"', "[player_1].aboard: 5 B, but the tram has 4 seats for each colour"),
    ("bonuses = [] ", 'bonuses = ["wings"] ', '[you].bonuses: "wings" is no bonus; expected "seats", "action", "free_move" or "bell"'),
    ("bonuses = [] ", 'bonuses = ["bell", "bell"] ', '[you].bonuses: "bell" is there twice'),
    ('row = ["carmo_1"]', 'row = ["carmo"]', '[you].row: "carmo" is no card (did you mean carmo_'),
    ('row = ["carmo_1"]', 'row = "carmo_1"', '[you].row: "carmo_1" is a text; expected a list of cards'),
    ('discard = "RRYY', f'discard = "{"R" * 26}', "[tickets].discard: 26 R, and 2 in your hand; there are 27"),
    ('discard = "RRYY', 'pile = 9\ndiscard = "RRYY', "[tickets].pile: 9, but hands and discards leave 78 of 108"),
    ("# [passengers]", '[passengers]\nset_aside = "BBBBBBBBB"', "[passengers].set_aside: 9 B, but stops and trams leave 6"),
    ("# [passengers]", '[passengers]\nbag = "R"\nset_aside = "R"', '[passengers].bag: expected "'),
    (
        "# [turn]",
        '[turn]\ndrawn = "RYB"',
        '[turn].drawn: belongs to the step "keep" or "place" or "ring" or "refill", but the step is "turn"',
    ),
    ("# [turn]", '[turn]\ntrail = "step"', '[turn].trail: "step" and trail_move go together'),
    ("# [turn]", '[turn]\nswapped = "R<R"', '[turn].swapped: "R<R" is no swap; write "R<Y"'),
    ("# [turn]", '[turn]\nmove = "RR"', '[turn].move: "RR" is not one colour'),
    ("# [turn]", "[turn]\npushed = [0]", "[turn].pushed: [0] is not allowed; expected players other than the one on turn"),
    ("# [turn]", '[turn]\nline = ["x"]', '[turn].line: "x" is no place'),
    ("# [turn]", "[turn]\nspeed = 3", "[turn].speed: unknown key"),
    ("# [turn]", "[memory]\nluck = 3", "[memory].luck: unknown key"),
]


@pytest.mark.parametrize(("old", "new", "expected"), FAULTS, ids=[f"{new[:30]!r}" for _, new, _ in FAULTS])
def test_faults_are_named_by_their_key(old, new, expected):
    assert refusal(changed(old, new)).startswith(expected)


def inside(step, turn, **more):
    """The template at another step, with its [turn]."""
    text = TEMPLATE.replace('step = "turn"', f'step = "{step}"').replace("actions = 2", "actions = 1").replace('"chiado"\n', '"santos"\n')
    for old, new in more.items():
        assert old in text
        text = text.replace(old, new)
    return text.replace("# [turn]\n", "[turn]\n" + turn + "\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (inside("moving", ""), '[turn].move: missing; expected the colour of the tickets, such as "R"'),
        (inside("moving", 'move = ["?", "paid", ""]'), '[turn].move: "?": you know the colour of your own move'),
        (inside("moving", 'move = ["R", "paid", "", "free"]'), '[turn].move: "free" is for rules = "german"'),
        (inside("moving", 'move = ["R", "flown", ""]'), "[turn].move: ['R', 'flown', ''] is not allowed"),
        (inside("paying", 'purpose = "bonus"'), "[turn].purpose: santos is no bonus stop"),
        (inside("paying", 'purpose = "bell"'), '[turn].purpose: "bell" is not paid for'),
        (inside("paying", 'need = "RY"'), '[turn].need: "RY" and three for each swap in pay must be "RYB" together'),
        (inside("paying", 'need = "RY"\npay = "GGG"\nswapped = "B<G"'), "[turn].pay: GGG, but the hand has RRYGGB"),
        (inside("paying", 'need = "RYB"\nswapped = "B<G"'), "[turn].swapped: expected the last swap"),
        (inside("paying", 'trail = "ring"'), '[turn].trail: "ring" does not go with the purpose "group"'),
        (inside("keep", ""), "[turn].drawn: expected the one to three passengers drawn"),
        (inside("keep", 'drawn = "RYBG"'), "[turn].drawn: expected the one to three passengers drawn"),
        (inside("place", ""), '[turn].drawn: expected the passengers drawn, one to 3, such as "RYB"'),
        (inside("ring", "count = 3"), "[turn].count: 3 to be drawn and 0 drawn; there are 1"),
        (inside("ticket", "count = 5"), "[turn].count: 5 tickets to be drawn; expected 1 to 4"),
        (inside("shunt", ""), "[turn].pushed: missing; expected the players whose trams are pushed"),
        (inside("shunt", "pushed = [1]"), '[turn].end: ""; expected a place that is in line'),
        (
            inside("shunt", 'pushed = [2]\nline = ["santos", "comercio"]\nend = "comercio"\nbefore = "santos"\nlanding = "comercio"'),
            "[turn].before: no rail joins santos and comercio",
        ),
        (
            inside("shunt", 'pushed = [1]\nline = ["santos", "alcantara"]\nend = "alcantara"\nbefore = "santos"\nlanding = "alcantara"'),
            "[turn].pushed: the tram of player 1 is at rossio, which is not in line",
        ),
        (inside("next card", "space = 9"), "[turn].space: 9 is no space in use; they are 0, 1, 2, 3"),
        (inside("next card", ""), '[display].next: expected "" and face_up at least 1'),
        (inside("card", ""), "[display].cards: castelo_2 lies where the claimed card was"),
        (inside("setup bag", ""), 'step: "setup bag", but players have cards, passengers or bonuses already'),
        (inside("refill", ""), "[display].cards: castelo_2 lies where the claimed card was"),
    ],
)
def test_faults_inside_actions(text, expected):
    assert refusal(text).startswith(expected)


def test_positions_of_another_players_turn():
    text = TEMPLATE.replace("on_turn = 0", "on_turn = 1")
    info = positions.loads(text)
    assert info.current_player() == 1
    told = refusal(text.replace('step = "turn"', 'step = "paying"').replace('tram = "rossio"', 'tram = "santos"'))
    assert told.startswith("[turn].purpose: another player's payment is seen when it is made")
    moving = text.replace('step = "turn"', 'step = "moving"').replace("# [turn]", '[turn]\nmove = "B"')
    assert positions.loads(moving).to_dict()["turn"]["trail"] == "step"


def test_remarks_tell_what_is_hardly_meant(tmp_path):
    file = tmp_path / "p.toml"
    for old, new, expected in [
        ("# face_up = 10", "face_up = 3", "[display].face_up: 3; after 1 claims there are 10"),
        ("actions = 2", "last_round = true", "last_round: true after 1 of the 11 claims that begin it"),
        ('discard = "RRYYGGBBBYYY"', "", "[tickets].discard: empty, although passengers were paid for"),
    ]:
        file.write_text(changed(old, new))
        positions.load(file)
        (told,) = positions.remarks(file)
        assert told.startswith(expected)


def similar(dice, value):
    """Another value of the same type, which may well be allowed."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return dice.randrange(5)
    if isinstance(value, list):
        return value[1:] if dice.random() < 0.5 else value[::-1]
    letters = isinstance(value, str) and set(value) <= set("RYGB")
    return "".join(dice.choice("RYGB") for _ in range(dice.randrange(4))) if letters else dice.choice(("rossio", "ajuda", "rato", "turn"))


def test_whatever_stands_in_a_file_it_is_read_or_refused():
    """Files with anything at any place load and can be played on, or are refused in one line."""
    dice = random.Random(9)
    odd = [0, 1, 2, 255, -1, 2.5, "", "R", "RYB", "carmo", "carmo_2", "step", "bell", True, [], ["rossio"], [1], [2, 1], {}, "x" * 99]
    bases = [tomlfile.parse(path.read_text(encoding="utf-8")) for path in EXAMPLES] + [tomlfile.parse(TEMPLATE)]
    for step in ("paying", "shunt", "push ticket", "place", "refill", "keep", "ring", "next card"):
        for state in played(1, 2500, players=4):
            if state.to_dict()["step"] == step:
                bases.append(tomlfile.parse(positions.dumps(state.info_state(dice.randrange(4)))))
                break
    loaded = 0
    for count in range(150):
        data = copy.deepcopy(dice.choice(bases))
        for _ in range(dice.choice((1, 1, 2))):
            table = data
            inner = [value for value in data.values() if isinstance(value, dict)]
            if inner and dice.random() < 0.75:
                table = dice.choice(inner)
            keys = [*table, *("count", "drawn", "pushed", "purpose", "move", "trail", "need")] if table is data.get("turn") else list(table)
            if keys:
                key = dice.choice(keys)
                table[key] = dice.choice(odd) if dice.random() < 0.4 else similar(dice, table.get(key))
        try:
            info = positions.loads(tomlfile.dumps(data), "x")
        except positions.PositionError:
            continue
        loaded += 1
        state = info.sample(count)
        for _ in range(60):
            if state.is_terminal():
                break
            actions = state.legal_actions()
            assert actions
            state.apply_action(dice.choice(actions))
            state.to_dict()
    assert 10 < loaded < 120


def test_only_lisbon_reads_this_layout():
    assert type(load_game("lisbon")).info_from_dict is not Game.info_from_dict
