"""`Outputs`: all receivers of a gateway, as the one outlet that the runtime speaks to.

Owns the tellers and where each begins. A receiver that is new begins now: it is not told of the past.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from sabot_gateway.data_folder import make_private
from sabot_gateway.errors import StartError
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.record import Owner
from sabot_gateway.model.effect import RecordDecision
from sabot_gateway.mqtt.retry import Retry
from sabot_gateway.outputs.bookmark import Bookmark
from sabot_gateway.outputs.receiver import Receiver
from sabot_gateway.outputs.teller import FIRST_RETRY_MS, LONGEST_RETRY_MS, Teller, Told
from sabot_gateway.runtime.desk import Figure
from sabot_gateway.runtime.outlet import News

_STOP_S: Final = 2.0  # for all of them together to finish what is under way


class Outputs:
    """`start` before the runtime decides anything, `stop` after it stopped. Fulfils the port `Outlet`."""

    def __init__(
        self,
        journal: Journal,
        receivers: Sequence[Receiver],
        data: Path,
        site: str,
        gateway: str,
        on_trouble: Callable[[str], None],
        *,
        first_retry_ms: int = FIRST_RETRY_MS,
        longest_retry_ms: int = LONGEST_RETRY_MS,
    ) -> None:
        self._journal = journal
        self._receivers = receivers
        self._folder = data / "outputs"
        self._site = site
        self._owner = Owner(gateway)
        self._on_trouble = on_trouble
        self._retries_ms = (first_retry_ms, longest_retry_ms)
        self._tellers: list[Teller] = []

    def start(self) -> None:
        """StartError when a receiver's place in the journal cannot be read or kept."""
        make_private(self._folder)
        now: int | None = None
        for receiver in self._receivers:
            bookmark = Bookmark(self._folder, receiver.name)
            begin = bookmark.read()
            if begin is None:
                # A checkpoint names the last id as of one commit, without reading the journal.
                now = self._journal.sign_checkpoint(_now_ms()).result().last_id if now is None else now
                begin = now
                try:
                    bookmark.write(begin)
                except OSError as error:
                    raise StartError(f"{self._folder} cannot be written ({error.strerror or error}).") from error
            retry = Retry(*self._retries_ms)
            self._tellers.append(
                Teller(self._journal, receiver, bookmark, self._site, self._owner, begin, self._on_trouble, retry)
            )
        for teller in self._tellers:
            teller.start()

    def said(self, news: News) -> None:
        """Hands it to every teller; changes of phase alone are told to nobody."""
        is_told = any(type(effect) is not RecordDecision for effect in news.effects)
        for teller in self._tellers:
            teller.hear(news, is_told=is_told)

    def stop(self) -> None:
        limit = time.monotonic() + _STOP_S
        for teller in self._tellers:
            teller.ask_to_stop()
        for teller in self._tellers:
            teller.stop(max(0.0, limit - time.monotonic()))

    @property
    def figures(self) -> tuple[Told, ...]:
        """How each receiver is doing."""
        return tuple(teller.figures for teller in self._tellers)

    def desk_figures(self) -> tuple[Figure, ...]:
        """The same for /metrics."""
        found: list[Figure] = []
        for each in self.figures:
            labels = (("receiver", each.receiver),)
            found += (
                Figure("sabot_output_told_total", each.told, labels),
                Figure("sabot_output_refused_total", each.refused, labels),
                Figure("sabot_output_failures", each.failures, labels),
                Figure("sabot_output_upto", each.upto, labels),
            )
        return tuple(found)


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
