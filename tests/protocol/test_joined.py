"""A message joined from the bytes of its items is the message that `encode` makes, and is refused where that is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot_protocol.codec import encode
from sabot_protocol.errors import WireError
from sabot_protocol.joined import encode_joined, item_bytes
from sabot_protocol.messages import COLOUR, PATTERN, SPOT

LAMPS = st.fixed_dictionaries(
    {
        "seat": st.integers(0, 10),
        "spot": st.sampled_from(SPOT[1]),
        "colour": st.sampled_from(COLOUR[1]),
        "pattern": st.sampled_from(PATTERN[1]),
    },
    optional={"amount_cents": st.integers(0, 10**12)},
)
LINES = st.fixed_dictionaries({"fr": st.text(max_size=9), "en": st.text(max_size=9)})


def joined(values: dict[str, Any]) -> bytes:
    lists = {field: [item_bytes("lamps", field, item) for item in values[field]] for field in ("picture", "display")}
    return encode_joined("lamps", {"revision": values["revision"]}, lists)


@given(st.integers(1, 1 << 31), st.lists(LAMPS, max_size=40), st.lists(LINES, max_size=4))
def test_the_bytes_are_those_of_encode(revision: int, picture: list[Any], display: list[Any]) -> None:
    values = {"revision": revision, "picture": picture, "display": display}
    assert joined(values) == encode("lamps", values)


LAMP = {"seat": 1, "spot": "ante", "colour": "red", "pattern": "steady"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"picture": [LAMP] * 41},
        {"display": [{"fr": "", "en": ""}] * 5},
        {"revision": -1},
        {"revision": True},
        {"picture": [{**LAMP, "colour": "pink"}]},
        {"picture": [{**LAMP, "seat": 1 << 20}]},
        {"display": [{"fr": "x" * 41, "en": ""}]},
    ],
)
def test_what_encode_refuses_is_refused_with_the_same_code(wrong: dict[str, Any]) -> None:
    values = {"revision": 1, "picture": [LAMP], "display": [], **wrong}
    with pytest.raises(WireError) as expected:
        encode("lamps", values)
    with pytest.raises(WireError) as found:
        joined(values)
    assert found.value.code == expected.value.code


def test_a_field_that_the_message_lacks_is_refused() -> None:
    with pytest.raises(WireError):
        item_bytes("lamps", "pictures", LAMP)
