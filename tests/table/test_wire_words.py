"""The same noun on both sides of the wire: the model's words are the wire's, in the wire's order."""

from enum import StrEnum
from typing import Any

import pytest

from sabot_gateway.model.felt import Colour, DeviceFault, Doubt, FeltSpot, Key, Pattern
from sabot_gateway.table.display import MOST_BYTES, MOST_LINES
from sabot_gateway.table.lamps import MOST_LAMPS
from sabot_protocol import messages


@pytest.mark.parametrize(
    ("words", "wire"),
    [
        (FeltSpot, messages.SPOT),
        (Key, messages.KEY),
        (Colour, messages.COLOUR),
        (Pattern, messages.PATTERN),
        (Doubt, messages.DOUBT),
        (DeviceFault, messages.FAULT),
    ],
)
def test_the_model_speaks_as_the_wire_does(words: type[StrEnum], wire: Any) -> None:
    assert tuple(words) == wire[1]


def test_a_picture_and_a_display_fit_into_one_message() -> None:
    lamps = next(message for message in messages.MESSAGES if message[1] == "lamps")
    fields = {field[1]: field[2] for field in lamps[3]}
    assert fields["picture"][3] == MOST_LAMPS
    assert fields["display"][3] == MOST_LINES
    assert fields["display"][1][1][0][2] == ("text", 0, MOST_BYTES)
