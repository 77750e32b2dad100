"""What a driver may raise: ReaderError with a closed code, or BusError. Nothing else leaves hal/ for bad input.

Owns the codes and their sentences. A driver that raised one has already put itself on the way to a reset: the
caller counts it, reports `fault reader` when it persists, and goes on polling.
"""

SENTENCES = (
    ("no_answer", "The reader did not answer in time."),
    ("no_ack", "The reader did not acknowledge a command."),
    ("bad_checksum", "The reader's frame was damaged on the bus, and so was its repetition."),
    ("bad_response", "The reader answered something that its manual does not allow."),
    ("chip_error", "The reader reported an error of its own."),
    ("wrong_chip", "Another chip, or none, sits where the reader should be."),
    ("busy_stuck", "The reader's BUSY line did not move in time."),
    ("bus", "The bus itself failed."),
    ("too_many", "There are more tags, or more noise, in the field than one inventory may sort out."),
)

CODES = tuple(entry[0] for entry in SENTENCES)


class ReaderError(Exception):
    """A reader failed; `code` is one of CODES. The driver resets the chip at its next poll."""

    def __init__(self, code: str) -> None:
        assert code in CODES
        super().__init__(code)
        self.code = code

    def sentence(self) -> str:
        """The code in words."""
        return SENTENCES[CODES.index(self.code)][1]


class BusError(Exception):
    """An I²C device did not acknowledge, or the bus is stuck. The driver starts over at its next poll."""
