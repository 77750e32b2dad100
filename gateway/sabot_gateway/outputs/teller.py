"""`Teller`: brings one receiver all that it wants of the journal, in order, at least once, however long it takes.

Owns the thread, the waiting and the bookmark. What the gateway decides is handed to it, and told from the hand. What it
has no room for, and what came before it began, it reads in the journal itself, from where its receiver was told last:
so a slow or dead receiver holds up nobody.
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, NamedTuple

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.record import Kind, Owner, Record
from sabot_gateway.journal.walk import PAGE
from sabot_gateway.mqtt.retry import Retry
from sabot_gateway.outputs.bookmark import Bookmark
from sabot_gateway.outputs.notice import Notice, notices_from_news, notices_from_record
from sabot_gateway.outputs.receiver import NotNowError, Receiver, RefusedError, StoppedError
from sabot_gateway.runtime.outlet import News
from sabot_gateway.transcript.error import FactError

FIRST_RETRY_MS: Final = 1_000
LONGEST_RETRY_MS: Final = 300_000
_CUT_S: Final = 1.0  # for a receiver's thread to notice that it was cut short
MOST_IN_HAND: Final = 1_000  # decisions; some megabytes at most
_MARK_S: Final = 1.0  # between two bookmarks, each of which costs a disk that the journal needs


class Told(NamedTuple):
    """How a receiver is doing, for the figures of the gateway."""

    receiver: str
    told: int  # messages that it took
    refused: int  # messages that it will never take
    failures: int  # attempts in a row that failed; 0 when all is well
    upto: int  # the id of the last record of which it was told everything


class Teller:
    """`start` and `stop` are called once each; `hear` by whoever is the pump, at no cost, from before `start` on."""

    def __init__(
        self,
        journal: Journal,
        receiver: Receiver,
        bookmark: Bookmark,
        site: str,
        owner: Owner,
        begin: int,
        on_trouble: Callable[[str], None],
        retry: Retry | None = None,
    ) -> None:
        """`begin` is the id after which to begin for a receiver that was told everything up to there."""
        self._journal = journal
        self._receiver = receiver
        self._bookmark = bookmark
        self._site = site
        self._owner = owner
        self._upto: int = begin
        self._in_hand: deque[News] = deque()
        self._is_behind = True  # the journal has more than the hand
        self._read: tuple[int, int] = (begin, begin)  # told from the journal last: after the first id, to the second
        self._heard = begin  # the id of the last decision, whether it is to be told or not
        self._marked, self._marked_s = begin, 0.0
        self._to_mark: int = begin
        self._on_trouble = on_trouble
        self._retry = retry or Retry(FIRST_RETRY_MS, LONGEST_RETRY_MS)
        self._bell = threading.Event()
        self._stopping = threading.Event()
        self._told = self._refused = 0
        self._thread = threading.Thread(target=self._run, name=f"tell {receiver.name}", daemon=True)

    def start(self) -> None:
        self._bell.set()
        self._thread.start()

    def hear(self, news: News, *, is_told: bool) -> None:
        """Takes note of a decision that is in the journal; most are not to be told and only move the place on."""
        if is_told:
            # Seldom out of order: where an append was found written after all, its decision comes late, and the journal
            # may have been read past it.
            is_late = news.id < self._heard
            if is_late or not (self._is_behind or len(self._in_hand) >= MOST_IN_HAND):
                self._in_hand.append(news)
            else:
                self._is_behind = True
        self._heard = max(self._heard, news.id)  # after it is in hand: see _tell_in_hand
        if is_told:
            self._bell.set()

    def ask_to_stop(self) -> None:
        """What is under way may still come to its end."""
        self._stopping.set()
        self._bell.set()

    def stop(self, wait_s: float) -> None:
        """Waits for the end, and cuts short what takes longer: it is told again at the next start."""
        self.ask_to_stop()
        self._thread.join(wait_s)
        if self._thread.is_alive():
            self._receiver.stop()
            self._thread.join(_CUT_S)

    @property
    def figures(self) -> Told:
        return Told(self._receiver.name, self._told, self._refused, self._retry.failures, self._upto)

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._bell.wait(_MARK_S if self._upto != self._marked else None)
                self._bell.clear()
                self._tell_in_hand()
                while self._is_behind:
                    self._catch_up()
                    self._tell_in_hand()
                self._mark()
        except StoppedError:
            return
        finally:
            self._mark(is_last=True)
            self._receiver.close()

    def _tell_in_hand(self) -> None:
        while True:
            heard = self._heard
            if not self._in_hand:
                break
            news = self._in_hand.popleft()
            after, upto = self._read
            if not after < news.id <= upto:
                for notice in notices_from_news(self._site, self._owner, news):
                    self._tell_wanted(notice)
            self._upto = max(self._upto, news.id)
        if not self._is_behind:
            self._upto = max(self._upto, heard)  # what was decided until then and was not in hand is told to nobody

    def _catch_up(self) -> None:
        """Tells what the journal has behind our place. What is decided meanwhile comes to hand, and may be read too."""
        begin = self._upto
        self._is_behind = False
        while page := self._page():
            self._tell_page(page)
        self._read = begin, self._upto

    def _page(self) -> list[Record]:
        while True:
            if self._stopping.is_set():
                raise StoppedError
            try:
                # As many as the journal reads at a time: no view of it stays open while a receiver takes its time.
                page = list(islice(self._journal.tail(self._upto), PAGE))
            except JournalError as error:
                if error.code is ErrorCode.REMOVED:
                    self._skip_removed()
                else:
                    self._wait(f"The journal cannot be read for {self._receiver.name}: {error}")
            else:
                self._retry.succeeded()
                return page

    def _skip_removed(self) -> None:
        oldest = next(islice(self._journal.tail(None), 1), None)
        if oldest is not None:
            sentence = f"{self._receiver.name} was not told of records {self._upto + 1} to {oldest.id - 1}"
            self._on_trouble(f"{sentence}: they are past their retention.")
            self._upto = oldest.id - 1

    def _tell_page(self, page: list[Record]) -> None:
        for record in page:
            if record.kind is Kind.DECISION:  # nothing else is told, and most of the journal is something else
                for notice in self._notices(record):
                    self._tell_wanted(notice)
            self._upto = record.id

    def _notices(self, record: Record) -> Iterable[Notice]:
        if record.owner != self._owner:
            return ()  # its own gateway tells of it
        try:
            return notices_from_record(self._site, record)
        except FactError as error:
            self._on_trouble(f"{self._receiver.name} was not told of record {record.id}: {error}")
            return ()

    def _tell_wanted(self, notice: Notice) -> None:
        if self._receiver.wants(notice):
            self._tell(notice)
            self._mark()

    def _tell(self, notice: Notice) -> None:
        while not self._stopping.is_set():
            try:
                self._receiver.tell(notice)
            except NotNowError as error:
                self._wait(str(error))
            except RefusedError as error:
                self._refused += 1
                self._on_trouble(f"{error} It is passed over.")
                return
            else:
                self._told += 1
                if self._retry.failures:
                    self._on_trouble(f"{self._receiver.name} takes messages again.")
                    self._retry.succeeded()
                return
        raise StoppedError

    def _mark(self, *, is_last: bool = False) -> None:
        """Keeps the place, but not all the time: after a crash a receiver is told again what it knows by its id."""
        now = time.monotonic()
        if self._upto == self._marked or (now - self._marked_s < _MARK_S and not is_last):
            return
        # What was told by the mark before this one: a decision may come late and out of order (see _tell_in_hand), and
        # if the gateway were killed before it comes, a mark behind it would pass it over.
        upto = self._upto if is_last else self._to_mark
        self._to_mark, self._marked_s = self._upto, now
        if upto == self._marked:
            return
        try:
            # What was told may be a decision that no disk has yet (ADR 0014). A loss of power would take it back, other
            # records would get its number, and a mark behind it would pass them over.
            self._journal.probe().result()
        except JournalError:
            return  # the journal says so itself, and is asked again
        self._marked = upto
        try:
            self._bookmark.write(upto)
        except OSError as error:  # told twice after a crash, then; that is better than not at all
            self._on_trouble(f"The place of {self._receiver.name} cannot be kept: {error.strerror or error}.")

    def _wait(self, sentence: str) -> None:
        is_first = not self._retry.failures
        wait_ms = self._retry.failed()
        if is_first:
            self._on_trouble(f"{sentence} It is tried again until it goes well.")
        self._stopping.wait(wait_ms / 1000)
