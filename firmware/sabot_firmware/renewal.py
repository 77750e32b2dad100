"""An update on its way in: the gateway's orders, core/update.py's answers, and files in the spare slot.

Owns carrying those answers out, a block or a step in each turn. Knows no cryptography. `tell(update, state, file,
offset)` reports to the gateway. A file system that is full or broken cancels the update and is a flash fault, no more.
"""

from sabot_firmware.core.update import Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sabot_firmware.release import SlotFiles

    Tell = Callable[[int, str, int, int], None]


class Renewal:
    """The update of one controller; `is_switched` asks for a restart once what is known has left."""

    def __init__(
        self, update: Update, files: "SlotFiles", tell: "Tell", report: "Callable[[str, int, bool], None]"
    ) -> None:
        self._update = update
        self._files = files
        self._tell = tell
        self._report = report
        self._digest = b""
        self.is_switched = False

    @property
    def is_busy(self) -> bool:
        """Say whether turn() has something to do."""
        return self._update.state in ("receiving", "verifying")

    def offer(self, order: "dict[str, Any]") -> None:
        """A new release is offered."""
        self._digest = order["manifest"]
        number = order["update"]
        self._carry_out(
            self._update.offer(number, order["release"], order["size"], order["manifest"], order["signature"]), number
        )

    def block(self, order: "dict[str, Any]") -> None:
        """A piece of a file came."""
        before = self._update.state
        outputs = self._update.block(order["update"], order["file"], order["offset"], order["data"])
        if order["file"] == 0 and before == "receiving" and self._is_next(outputs, order):
            self._guarded(lambda: self._files.keep_head(order["offset"], order["data"]))
        self._carry_out(outputs)

    def switch(self, number: int) -> None:
        """The gateway grants the switch."""
        self._carry_out(self._update.switch(number), number)

    def cancel(self, number: int) -> None:
        """The gateway takes the offer back."""
        self._carry_out(self._update.cancel(number))

    def turn(self) -> None:
        """Take a step of whatever takes long: the signature, or reading back what was written."""
        self._carry_out(self._update.step())
        wanted = self._update.check_next()
        if wanted is not None:
            digest: "list[bytes | None]" = [b""]

            def read_back() -> None:
                digest[0] = self._files.digest_step(wanted[0])

            self._guarded(read_back)
            if digest[0] is not None:
                self._carry_out(self._update.checked(digest[0]))

    def _is_next(self, outputs: "tuple[tuple[Any, ...], ...]", order: "dict[str, Any]") -> bool:
        # The block was taken if the report expects what follows it.
        return ("report", "receiving", 0, order["offset"] + len(order["data"])) in outputs

    def _carry_out(self, outputs: "tuple[tuple[Any, ...], ...]", number: int = 0) -> None:
        # `number` is the order's own: one that is refused need not be the update under way, and there may be none.
        for output in outputs:
            what = output[0]
            if what == "report":
                self._tell(number or self._update.number, output[1], output[2], output[3])
            elif what == "prepare":
                self._guarded(lambda: self._files.prepare(self._digest))
            elif what == "write":
                self._guarded(lambda: self._files.write(output[1], output[2], output[3]))  # noqa: B023 - called at once
            elif what == "discard":
                self._guarded(self._files.discard)
            elif what == "switch":
                self._guarded(lambda: self._files.keep(self._files.slots.try_spare(output[1], output[2])))  # noqa: B023
                self.is_switched = True

    def _guarded(self, action: "Callable[[], None]") -> None:
        try:
            action()
        except OSError:
            self._report("flash", 1, True)
            self._carry_out(self._update.cancel(self._update.number))
