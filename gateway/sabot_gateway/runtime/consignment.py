"""Messages of one cycle that are settled with the broker together, once everything that came of them is durable."""


class Consignment:
    """`left` counts what is not durable yet; `arrived` is called for each, and hands over the tokens at the last."""

    __slots__ = ("_tokens", "left")

    def __init__(self, tokens: list[object], left: int) -> None:
        self._tokens = tokens
        self.left = left

    def arrived(self) -> list[object]:
        """One thing more is durable: the tokens to settle now."""
        self.left -= 1
        if self.left:
            return []
        tokens, self._tokens = self._tokens, []
        return tokens
