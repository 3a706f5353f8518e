"""Writing TOML: what is written is read back."""

import tomllib

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wattman.engine import tomlfile

PLAIN = st.recursive(
    st.one_of(st.integers(-(2**60), 2**60), st.booleans(), st.text().filter(lambda text: text.isprintable()), st.floats(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=30), st.dictionaries(st.text(max_size=8).filter(str.isprintable), inner, max_size=4)),
    max_leaves=60,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much], max_examples=400)
@given(st.dictionaries(st.text(max_size=8).filter(str.isprintable), PLAIN, max_size=6))
def test_toml_round_trip(data):
    assert tomllib.loads(tomlfile.dumps(data)) == data


def test_toml_strings_of_all_kinds():
    text = "".join(map(chr, range(0x100))) + '"\\\u2028\U0001f68b'
    assert tomllib.loads(tomlfile.dumps({text: text})) == {text: text}


def test_toml_has_no_none():
    with pytest.raises(TypeError, match="NoneType has no place in a TOML file"):
        tomlfile.dumps({"a": None})
