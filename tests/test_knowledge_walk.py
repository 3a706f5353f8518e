"""What players know, event by event in whole games of every game: seen one by one or read off the truth, and worlds dealt from it.

WATTMAN_GAMES sets the number of games (default 60).
"""

import copy
import pickle
import random
import re

import pytest
from knowledge import LOADED, conserved, games, share, style_names, title

from wattman.engine.game import CHANCE_PLAYER

each_game = pytest.mark.parametrize("game", LOADED, ids=title)
each_style = pytest.mark.parametrize(
    ("game", "style"), [pytest.param(game, name, id=f"{title(game)}-{name}") for game in LOADED for name in style_names(game)]
)


def is_event(game, number):
    try:
        game.event_to_string(number)
    except ValueError:
        return False
    return True


def labels(game, most=300):
    """Ids that `admit` could be asked about, of many only some; and how many ids there are."""
    whole, low, high = game.num_distinct_actions() + game.max_chance_outcomes(), 0, 1
    while is_event(game, high):
        low, high = high, 2 * high
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if is_event(game, middle) else (low, middle)

    def some(ids, most):
        return ids if len(ids) <= most else sorted(random.Random(0).sample(ids, most))

    return [*some(range(whole), 5 * most), *some(range(whole, high), most)], high


def fails(info, event):
    """Whether `admit` refuses; a refusal has a reason and changes nothing."""
    before, events, reason = info.clone(), info.events(), None
    try:
        info.admit(event)
    except ValueError as error:
        reason = str(error)
    if reason is None:
        return False
    assert len(reason) > 10
    assert info == before
    assert info.events() == events
    return True


def agree(game, state, info, seed):
    """A world dealt from what somebody knows: he would know the same in it, and all cards are there."""
    player = info.player
    world = info.sample(seed)
    assert world.info_state(player) == info
    assert world.information_state_string(player) == info.information_state_string()
    assert world == info.sample(seed)
    conserved(world)
    if state.current_player() == player:
        assert world.current_player() == player
        assert world.legal_actions() == state.legal_actions() == info.legal_actions()
        assert world.scores() == state.scores() == info.scores()
    # What the others know there is no mystery either: worlds can be dealt from it.
    for other in range(game.num_players()):
        if other != player:
            again = world.info_state(other).sample(seed)
            assert again.info_state(other) == world.info_state(other)
            conserved(again)
    return world


def caught_up(state, info):
    """Whether the observer can tell that the others' turn is over. Where they draw nothing he learns it from the next event only."""
    return not (state.current_player() == info.player != info.current_player())


@each_style
def test_seen_one_by_one_or_read_off_the_truth(game, style):
    for seed in range(share(game, 15)):
        rng = random.Random(seed)
        infos, seen = None, None
        for state in games(game, seed, style):
            if infos is None:
                infos = [state.info_state(player) for player in range(game.num_players())]
                seen = [0] * game.num_players()
            for player, info in enumerate(infos):
                events = state.events(player)
                for event in events[seen[player] :]:
                    info.admit(event)
                news, seen[player] = len(events) - seen[player], len(events)
                assert info.information_state_string() == state.information_state_string(player)
                if (state.current_player() == player or news) and state.current_player() != CHANCE_PLAYER:
                    if caught_up(state, info):
                        assert info == state.info_state(player), (seed, player, state.events()[-8:])
                    else:
                        assert state.to_dict()["draw_pile"] == 0
                if rng.random() < 0.03:
                    agree(game, state, state.info_state(player), rng.randrange(2**60))


@each_style
def test_copies_and_files(game, style):
    for seed in range(share(game, 15)):
        rng = random.Random(seed)
        for state in games(game, seed + 1000, style):
            if rng.random() < 0.04 and state.history():
                info = state.info_state(rng.randrange(game.num_players()))
                for same in (info.clone(), copy.copy(info), copy.deepcopy(info), pickle.loads(pickle.dumps(info))):
                    assert same == info
                    assert hash(same) == hash(info)
                    assert same.information_state_string() == info.information_state_string()
                    assert same.sample(seed) == info.sample(seed)
                try:
                    data = game.info_to_dict(info)
                except ValueError:
                    continue
                again = game.info_from_dict(data)
                assert again == info
                assert game.info_to_dict(again) == data
                assert again.sample(seed) == info.sample(seed)


@each_game
def test_impossible_events_are_refused(game):
    """What can happen in a world that agrees is admitted; what is admitted leaves knowledge from which worlds can be dealt."""
    ids, end = labels(game)
    for seed in range(share(game, 12)):
        rng = random.Random(seed)
        for state in games(game, seed + 2000):
            if rng.random() > 0.03 and game.name != "leduc":
                continue
            for player in range(game.num_players()):
                info = state.info_state(player)
                worlds = [info.sample(rng.randrange(2**60)) for _ in range(4)]
                possible = set()
                for world in [state, *worlds]:
                    for action in world.legal_actions():
                        after = world.clone()
                        after.apply_action(action)
                        possible.update(after.events(player)[len(world.events(player)) :][:1])  # more of it follows by itself
                admitted = set()
                for label in sorted({*ids, *map(game.string_to_event, possible)}):
                    trial = info.clone()
                    if not fails(trial, label):
                        admitted.add(game.event_to_string(label))
                        if rng.random() < 0.2:
                            conserved(trial.sample(label))
                            assert trial.sample(label).info_state(player) == trial or trial.current_player() != player
                assert possible <= admitted, (seed, player, state.events()[-8:], possible - admitted)
                for label in (-1, -(2**31), end, 2**31 - 1):
                    assert fails(info, label)


@each_game
def test_after_an_impossible_event_all_goes_on(game):
    ids, _ = labels(game)
    for seed in range(share(game, 12)):
        rng = random.Random(seed)
        for state in games(game, seed + 3000):
            if not state.history():
                infos = [state.info_state(player) for player in range(game.num_players())]
                seen = [0] * game.num_players()
            for player, info in enumerate(infos):
                for event in state.events(player)[seen[player] :]:
                    for label in rng.sample(ids, 3):
                        if game.event_to_string(label) != event:
                            fails(info.clone(), label)
                    info.admit(event)
                seen[player] = len(state.events(player))
        for player, info in enumerate(infos):
            assert info == state.info_state(player)


HIDDEN = re.compile(r"(deal|draw|bank) (?!\?)")


@pytest.mark.parametrize("game", [game for game in LOADED if game.name == "trambahn"], ids=title)
def test_nobody_sees_a_hidden_card(game):
    """Start money is seen by nobody, a drawn or a banked card by its owner alone."""
    for seed in range(share(game, 6)):
        *_, state = games(game, seed + 4000)
        for player in (0, 1):
            assert [event for event in state.events(player) if HIDDEN.match(event)] == own_cards(state, player)


def own_cards(state, player):
    """The hidden cards that only `player` may see, from the whole history of a game."""
    result, turn, dealt = [], 0, 0
    for (who, _), text in zip(state.full_history(), state.events(), strict=True):
        if text.startswith("deal"):
            dealt += 1
            if dealt > 27 and (dealt > 33) == (player == 1):
                result.append(text)
        elif text.startswith("draw"):
            if turn == player:
                result.append(text)
        else:
            turn = who
            if text.startswith("bank") and who == player:
                result.append(text)
    return result


@each_game
def test_what_is_shown_of_knowledge_has_no_hidden_card(game):
    """Two truths with the same knowledge look the same, down to the last byte."""
    for seed in range(share(game, 6)):
        rng = random.Random(seed)
        for state in games(game, seed + 5000):
            if rng.random() < 0.05 and state.history():
                player = rng.randrange(game.num_players())
                one, two = (state.info_state(player).sample(rng.randrange(2**60)) for _ in range(2))
                assert pickle.dumps(one.info_state(player)) == pickle.dumps(two.info_state(player))
                assert one.to_dict(player) == two.to_dict(player) == state.to_dict(player)
                assert repr(one.info_state(player)) == repr(two.info_state(player))


def spoiled(value, rng):
    """Plain data with something small changed somewhere."""
    if isinstance(value, dict):
        key = rng.choice(sorted(value))
        return {**value, key: spoiled(value[key], rng)}
    if isinstance(value, list):
        if not value or rng.random() < 0.1:
            return value + rng.choice([[], [0], ["+"], ["C"], value[:1]])
        i = rng.randrange(len(value))
        deeper = [*value[:i], spoiled(value[i], rng), *value[i + 1 :]]
        return rng.choice([value[:i] + value[i + 1 :], value[: i + 1] + value[i:], deeper, deeper, deeper])
    if isinstance(value, int):
        return rng.choice([0, 1, 2, 3, 5, 7, 15, value + 1, max(0, value - 1), 100, 255])
    return rng.choice(["+", "$", "+C", "C", "B7", "+G3", "?", ""])


@pytest.mark.parametrize("game", [game for game in LOADED if game.name == "trambahn"], ids=title)
def test_what_cannot_be_remembered_is_refused_or_dealt(game):
    refused = loaded = 0
    for seed in range(share(game, 12)):
        rng = random.Random(seed)
        for state in games(game, seed + 6000):
            if rng.random() < 0.2 and state.history():
                data = game.info_to_dict(state.info_state(rng.randrange(2)))
                memory = data["memory"]
                for _ in range(rng.randint(1, 2)):
                    memory = spoiled(memory, rng)
                try:
                    info = game.info_from_dict({**data, "memory": memory})
                except ValueError:
                    refused += 1
                    continue
                loaded += 1
                world = info.sample(seed)
                conserved(world)
                assert world.info_state(info.player) == info
    assert refused
    assert loaded
