"""The words after a verb, taken one by one; whatever is missing, wrong or left over is one sentence."""

from sabot_gateway.model.card import Card, card_from_text
from sabot_gateway.model.felt import FeltSpot
from sabot_tools.rounds import words
from sabot_tools.rounds.script import Line, ScriptError

TABLE = 0  # the seat number that stands for the table itself


class Arguments:
    def __init__(self, line: Line, given: tuple[str, ...], usage: str) -> None:
        self.line = line
        self._left = list(given)
        self._usage = usage

    def __bool__(self) -> bool:
        """Whether there are words left."""
        return bool(self._left)

    def peek(self) -> str:
        return self._left[0] if self._left else ""

    def take(self, what: str) -> str:
        if not self._left:
            raise ScriptError(self.line, f"{what} is missing; write: {self._usage}")
        return self._left.pop(0)

    def accept(self, word: str) -> bool:
        """Take this very word if it comes next."""
        if self.peek() == word:
            self._left.pop(0)
            return True
        return False

    def one_of(self, what: str, choices: tuple[str, ...]) -> str:
        word = self.take(what).replace("-", "_")
        if word not in choices:
            raise ScriptError(self.line, f"{word!r} is not {what}; it must be one of {', '.join(choices)}.")
        return word

    def seat(self) -> int:
        """A seat, or `table` for what stands before no seat."""
        word = self.take("a seat")
        return TABLE if word == "table" else words.seat_from(word, self.line)

    def hand(self) -> int:
        """A seat, or `dealer`."""
        word = self.take("a seat or dealer")
        return 0 if word == "dealer" else words.seat_from(word, self.line)

    def spot(self) -> FeltSpot:
        return FeltSpot(self.one_of("a spot", tuple(FeltSpot)))

    def place(self) -> tuple[int, FeltSpot]:
        return self.seat(), self.spot()

    def cents(self) -> int:
        return words.cents_from(self.take("an amount"), self.line)

    def signed(self) -> int:
        return words.signed_from(self.take("an amount with its sign"), self.line)

    def stack(self) -> tuple[int, ...]:
        return words.stack_from(self.take("an amount"), self.line)

    def number(self, what: str) -> int:
        word = self.take(what)
        if not word.isdecimal():
            raise ScriptError(self.line, f"{word!r} is not {what}.")
        return int(word)

    def milliseconds(self) -> int:
        return words.milliseconds_from(self.take("a time"), self.line)

    def card(self) -> Card:
        try:
            return card_from_text(self.take("a card"))
        except ValueError as error:
            raise ScriptError(self.line, f"{error}.") from None

    def cards(self) -> tuple[Card, ...]:
        """All the cards that follow, at least one."""
        cards = [self.card()]
        while len(self.peek()) == 2 and self.peek()[1] in "cdhs":
            cards.append(self.card())
        return tuple(cards)

    def done(self) -> None:
        if self._left:
            raise ScriptError(self.line, f"{self._left[0]!r} is one word too many; write: {self._usage}")
