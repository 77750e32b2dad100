"""The port `Receiver`: one outside system that is told things, whatever the way there.

Owns the contract between a teller, who never gives up, and the ways of telling.
"""

from typing import Protocol

from sabot_gateway.outputs.notice import Notice


class NotNowError(Exception):
    """The receiver could not be told now; the sentence says why. It is tried again."""


class RefusedError(Exception):
    """The receiver will never take this one message; the sentence says why. It is passed over, aloud."""


class StoppedError(Exception):
    """The gateway stops; what was under way is tried again at the next start."""


class Receiver(Protocol):
    @property
    def name(self) -> str:
        """Names its bookmark; unique among receivers."""

    def wants(self, notice: Notice) -> bool: ...

    def tell(self, notice: Notice) -> None:
        """Returns when the receiver has it; raises NotNowError, RefusedError or StoppedError. May take seconds."""

    def stop(self) -> None:
        """Ends a `tell` that is under way as soon as may be; called from another thread."""

    def close(self) -> None:
        """Lets go of what it holds; called by the thread that tells, at its end."""
