"""Maps: spreading places out, labels, and the pictures that any game has."""

import re
import xml.etree.ElementTree as tree

import pytest
from commands import refused, run

from wattman import load_game
from wattman.engine.layout import place_labels, spread
from wattman.engine.svg import Sheet, text_width


def overlaps(a, b):
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def test_spread_keeps_the_order_and_makes_room():
    points = [(0, 0), (100, 50), (98, 49), (99, 100), (10, 50)]
    for amount in (0, 0.5, 1):
        moved = spread(points, amount)
        for axis in (0, 1):
            assert moved[0][axis] == 0
            assert max(point[axis] for point in moved) == 1
            by_before = sorted(range(5), key=lambda i: points[i][axis])
            assert [moved[i][axis] for i in by_before] == sorted(point[axis] for point in moved)
    close = [abs(spread(points, amount)[1][0] - spread(points, amount)[2][0]) for amount in (0, 0.5, 1)]
    assert close == sorted(close)
    assert close[0] < 0.05 < close[2]
    assert spread(points, 0.5)[1][1] == spread(points, 0.5)[4][1]  # what was on one line stays on one
    assert spread([(3, 3)]) == [(0, 0)]


def boxes(anchors, sizes, corners):
    return [(x, y, x + width, y + height) for (x, y), (width, height) in zip(corners, sizes, strict=True)]


def test_labels_clear_each_other_and_all_places():
    """Two columns of places, so close that no label fits everywhere."""
    anchors = tuple((x, y, x + 1, y + 1) for x in (20, 24) for y in range(0, 20, 2))
    sizes = tuple((8 + i % 3, 1) for i in range(len(anchors)))
    placed = boxes(anchors, sizes, place_labels(anchors, sizes, (), (0, 0, 60, 20), (1, 0)))
    for i, box in enumerate(placed):
        assert box[0] >= 0
        assert box[2] <= 60
        assert not any(overlaps(box, other) for other in placed[:i])
        assert not any(overlaps(box, anchor) for anchor in anchors)


def test_labels_keep_off_lines_and_edges():
    anchors = ((10.0, 5.0, 11.0, 6.0),)
    for segment, sheet in [((10.5, 5.5, 30, 5.5), (0, 0, 40, 20)), ((10.5, 5.5, -20, 5.5), (10, 0, 40, 20))]:
        ((x, y),) = place_labels(anchors, ((6, 1),), (segment,), sheet, (1, 0))
        box = (x, y, x + 6, y + 1)
        assert sheet[0] <= box[0]
        assert box[2] <= sheet[2]
        assert not (box[1] < 5.5 < box[3] and box[0] < max(segment[0], segment[2]) and box[2] > min(segment[0], segment[2]))


def test_labels_are_the_same_every_time():
    anchors = tuple((x * 3 % 17, x * 5 % 11, x * 3 % 17 + 1, x * 5 % 11 + 1) for x in range(12))
    sizes = ((4, 1),) * 12
    first = place_labels(anchors, sizes, (), (0, 0, 30, 12))
    place_labels.cache_clear()
    assert place_labels(anchors, sizes, (), (0, 0, 30, 12)) == first


def test_a_sheet_is_well_formed_whatever_the_names():
    sheet = Sheet(100, 50, "#ffffff", 'a <b> & "c"')
    sheet.text(1, 2, '<script>&"', 12, "middle", fit=10, fill='"><')
    sheet.rect(0, 0, 10.26, 5, 2, stroke_width=1.5)
    root = tree.fromstring(str(sheet))
    label = root.find("{http://www.w3.org/2000/svg}text")
    assert label.text == '<script>&"'
    assert label.get("fill") == '"><'
    assert label.get("textLength") == "10"
    assert root.findall("{http://www.w3.org/2000/svg}rect")[1].get("width") == "10.3"
    assert text_width("MMMM", 10) > text_width("iiii", 10) * 2


# --- pictures of any game ---


@pytest.mark.parametrize("name", ["leduc", "trambahn"])
def test_every_game_has_a_picture(name):
    state = load_game(name).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.sample_chance(3))
    picture = state.game.svg(state.to_dict(0))
    assert "".join(tree.fromstring(picture).itertext()).strip()
    assert not re.search(r"https?://(?!www\.w3\.org)", re.sub(r"<!--.*?-->", "", picture))  # nothing is fetched


def test_show(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.toml").write_text(run("new", "position", "trambahn").stdout)
    drawing = run("show", "p.toml").stdout
    assert "You (player 0) to move: passengers" in drawing
    assert run("show", "p.toml", "--svg", "p.svg").stdout == ""
    assert "scoring" in "".join(tree.fromstring((tmp_path / "p.svg").read_text()).itertext())
    assert refused("show", "p.toml", "--svg", "p.svg").endswith("there is such a file already; it is left as it is")
    assert run("show", "p.toml", "--svg", "-").stdout == (tmp_path / "p.svg").read_text()
    assert '"game": "trambahn"' in run("show", "p.toml", "--json").stdout
    assert "--ply is for records" in refused("show", "p.toml", "--ply", "3")


def test_show_a_record_as_one_player_saw_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("play", "leduc", "--seed", 1, "--opponent", "random", "--save", "game.jsonl", text="call\n" * 9)
    cards = [run("show", "game.jsonl", "--ply", 2, "--player", seat).stdout for seat in (0, 1)]
    assert cards[0] != cards[1]
    assert all("?" in seen for seen in cards)
