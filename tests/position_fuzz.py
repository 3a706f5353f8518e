"""Position files that are spoilt: what hypothesis makes of texts that load."""

import copy

from hypothesis import strategies as st

from wattman.engine import tomlfile

SCRAPS = ["0", "9", "-1", "120", '"', "[", "]", "=", "\n", ".", "?", "x4", "true", "1.5", "{}", "# ", "\0", "é", "\\"]
PLAIN = (st.integers(-2, 125), st.integers(), st.booleans(), st.floats(), st.text(max_size=8).filter(str.isprintable), st.just({}))
SHARE = st.floats(0, 1)


@st.composite
def cut(draw, texts, scraps):
    """A text with up to three pieces taken out, and scraps (these, or common ones) in their places."""
    text = draw(st.sampled_from(texts))
    for place, length, scrap in draw(
        st.lists(st.tuples(SHARE, st.integers(0, 12), st.sampled_from([*SCRAPS, *scraps])), min_size=1, max_size=3)
    ):
        start = int(place * len(text))
        text = text[:start] + scrap + text[start + length :]
    return text


@st.composite
def mixed_up(draw, texts):
    """A text with up to four lines in other places."""
    lines = draw(st.sampled_from(texts)).split("\n")
    for one, other in draw(st.lists(st.tuples(SHARE, SHARE), min_size=1, max_size=4)):
        line = lines.pop(int(one * (len(lines) - 1)))
        lines.insert(int(other * len(lines)), line)
    return "\n".join(lines)


@st.composite
def revalued(draw, texts, *values):
    """A text with up to three keys, in tables of any depth, that have other values: of these strategies, or of any kind."""
    data = tomlfile.parse(draw(st.sampled_from(texts)))
    for table, key, value in draw(st.lists(st.tuples(SHARE, SHARE, st.one_of(*PLAIN, *values)), min_size=1, max_size=3)):
        places = [data]
        for place in places:  # grows on the way
            places += [inner for inner in place.values() if isinstance(inner, dict) and inner]
        place = places[int(table * (len(places) - 1))]
        place[list(place)[int(key * (len(place) - 1))]] = copy.deepcopy(value)
    return tomlfile.dumps(data)
