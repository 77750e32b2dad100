"""A release on its way to one controller: offered, sent piece by piece, waiting for a coup's end, running.

Owns the conversation, and knows no port, no broker and no screen. The controller leads: each of its reports says which
piece it expects next (sabot_firmware/core/update.py), so whatever is lost, doubled or cut off is asked for again.
The word to switch is the gateway's (runtime/update_grant.py); on a bench without one it is given here.
"""

import time
from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from sabot_gateway.link.order import LEAP, next_number
from sabot_tools.field.signed_release import SignedRelease
from sabot_tools.field.trouble import FieldError
from sabot_tools.field.wire import Wire

PIECE: Final = 700  # a block of the wire takes 768; a command with it still fits one message
MOST_LEAPS: Final = 64  # three days of a clock that is behind
AGAIN_S: Final = 5.0  # after so long without a word the offer is made again, which asks how far it is


class Stage(StrEnum):
    """How far it is, for people."""

    OFFERED = "offered"
    SENDING = "sending"
    CHECKING = "checking"
    WAITING = "waiting"
    STARTING = "starting"
    RUNNING = "running"


_ENDED: Final = (
    ("refused", "refuses this release: another maker's signature, another board's, an older one, or no release_key"),
    ("cancelled", "dropped this release: its flash is full or worn, or somebody took the offer back"),
    ("rolled_back", "went back to its old release: the new one did not come up healthy"),
)


# The end of an update is told once, so it counts although what happened later was heard first.
_FINAL: Final = frozenset({"switched", *(state for state, _ in _ENDED)})


class Delivery:
    """One controller's update; `on_stage` and `advance` (bytes) tell how it goes on."""

    def __init__(
        self,
        wire: Wire,
        device: str,
        release: SignedRelease,
        *,
        is_bench: bool,
        on_stage: Callable[[Stage], None],
        advance: Callable[[int], None],
    ) -> None:
        self._wire = wire
        self._device = device
        self._release = release
        self._is_bench = is_bench
        self._on_stage = on_stage
        self._advance = advance
        now_ms = time.time_ns() // 1_000_000
        self._update = now_ms // 1000  # greater than any before, and kept nowhere
        self._number = next_number(0, now_ms)
        self._leaps = 0
        self._order: tuple[str, dict[str, Any]] = ("", {})
        self._place = (-1, -1)  # the piece that was sent last
        self._sent = 0
        self._stage = Stage.OFFERED
        self._seen = 0  # the newest event: what comes twice is old, and so is what was lost and comes late
        self._old_boot = 0  # in which it is received: the same release again is news only behind it
        self._new_boot = 0  # whose hello names this release
        self._boot = 0  # of the new release's first life, once both are known and it was switched to

    def run(self, seconds: float) -> None:
        """Until the new release runs and the gateway took its word; FieldError when it does not come to that."""
        limit = time.monotonic() + seconds
        asked = 0.0
        for message in self._wire.messages(limit):
            now = time.monotonic()
            if now - asked >= AGAIN_S and self._stage is not Stage.RUNNING:
                self._ask()
                asked = now
            if message is None or message.code:
                continue
            if message.channel == "ack" and self._is_taken(message.values):
                self._enter(Stage.RUNNING)
                return
            if message.channel == "event":
                if self._is_bench:
                    self._acknowledge(message.values)
                if self._heard(message.values):
                    asked = now
                if self._is_bench and self._boot:
                    self._enter(Stage.RUNNING)
                    return
        raise FieldError(f"{self._device} {_LATE[self._stage]}.")

    def _ask(self) -> None:
        self._place = (-1, -1)
        release = self._release
        digest = sha256(release.head).digest()
        offer = {"release": release.name, "size": len(release.head), "manifest": digest, "signature": release.signature}
        if self._stage is not Stage.STARTING:
            self._give("update_offer", update=self._update, **offer)

    def _heard(self, values: dict[str, Any]) -> bool:
        """Whether an event of this update was among them."""
        is_news = False
        for at, (name, fields) in enumerate(values["events"], values["first"]):
            is_late = at <= self._seen
            self._seen = max(at, self._seen)
            if name == "hello":
                self._greeted(values["boot"], fields)
            elif name == "update_progressed" and fields["update"] == self._update:
                if not is_late or fields["state"] in _FINAL:
                    is_news = True
                    self._progressed(values["boot"], fields["state"], fields["file"], fields["offset"])
            elif name == "command_finished" and fields["number"] == self._number and not is_late:
                self._finished(fields["outcome"])
        # Which of the two comes first is left open: either may have been lost on its way to us, and said again.
        if self._stage is Stage.STARTING and self._new_boot > self._old_boot:
            self._boot = self._new_boot
        return is_news

    def _greeted(self, boot: int, hello: dict[str, Any]) -> None:
        if (hello["firmware"], hello["digest"]) == (self._release.name, self._release.digest):
            self._new_boot = max(boot, self._new_boot)

    def _progressed(self, boot: int, state: str, file: int, offset: int) -> None:
        if state not in _FINAL:
            self._old_boot = max(boot, self._old_boot)
        for end, sentence in _ENDED:
            if state == end:
                raise FieldError(f"{self._device} {sentence}.")
        if state == "offered":
            self._send(0, 0)
        elif state == "receiving":
            self._send(file, offset)
        elif state == "waiting":
            self._enter(Stage.WAITING)
            if self._is_bench:
                self._give("update_switch", update=self._update)
        elif state == "switched":
            self._enter(Stage.STARTING)

    def _send(self, file: int, offset: int) -> None:
        files = self._release.files
        if file > len(files) or (file == 0 and offset >= len(self._release.head)):
            self._enter(Stage.CHECKING)  # its signature, or what lies in flash: nothing is expected
            return
        if (file, offset) == self._place:
            return  # the same report twice
        self._enter(Stage.SENDING)
        self._place = (file, offset)
        data = (files[file - 1][1] if file else self._release.head)[offset : offset + PIECE]
        self._give("update_block", update=self._update, file=file, offset=offset, data=data)
        before = len(self._release.head) if file else 0
        sent = before + sum(len(each) for _, each in files[: max(0, file - 1)]) + offset + len(data)
        self._advance(max(0, sent - self._sent))
        self._sent = max(sent, self._sent)

    def _finished(self, outcome: str) -> None:
        if outcome == "stale":
            # Somebody's burst of orders ran ahead of the clock, or this very number was given in this second.
            self._leaps += 1
            if self._leaps > MOST_LEAPS:
                raise FieldError(f"{self._device} hears others, whose clock is days ahead: set this machine's clock.")
            name, fields = self._order
            self._number += LEAP
            self._give(name, **fields)
        elif outcome == "failed":
            raise FieldError(f"{self._device} cannot write to its flash.")

    def _give(self, name: str, **fields: Any) -> None:
        self._order = (name, fields)
        self._number = next_number(self._number, time.time_ns() // 1_000_000)
        self._wire.send("command", {"number": self._number, "body": (name, fields)})

    def _acknowledge(self, values: dict[str, Any]) -> None:
        upto = values["first"] + len(values["events"]) - 1
        self._wire.send("ack", {"boot": values["boot"], "upto": upto})

    def _is_taken(self, ack: dict[str, Any]) -> bool:
        if not self._boot or ack["boot"] != self._boot:
            return False
        if ack.get("refused"):
            raise FieldError(f"The gateway refuses {self._device} with this release: {ack['refused']}.")
        return True

    def _enter(self, stage: Stage) -> None:
        if stage is not self._stage:
            self._stage = stage
            self._on_stage(stage)


_LATE: Final = {
    Stage.OFFERED: "did not answer",
    Stage.SENDING: "did not receive everything in time; run the command again",
    Stage.CHECKING: "did not finish checking in time; run the command again",
    Stage.WAITING: "has everything and waits: the gateway starts it when a coup of its table ends",
    Stage.STARTING: "did not come back with the new release in time; it goes back to the old one by itself",
    Stage.RUNNING: "runs",
}
