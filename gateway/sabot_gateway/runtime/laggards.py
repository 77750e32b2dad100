"""Which controllers of a table do not confirm the lamp pictures that others of it do.

A table knows only that somebody confirmed: where several controllers share the felt, the spots of one may stay dark
unseen. Owns how long each has been behind, when it is shown the picture again, and who is told late. That a table's
picture is confirmed by nobody is the table's own alert. Pure: times are given.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

LATE_MS: Final = 6_000  # the picture was sent three times by then
AGAIN_MS: Final = 2_000

# The newest revision that a controller confirmed; None for one that is not there, which is an alert of its own.
Applied = Callable[[str], int | None]


class _Behind(NamedTuple):
    table: str
    revision: int  # the oldest picture that it owes us a word about
    since_ms: int
    shown_ms: int


class Looked(NamedTuple):
    """`again`: (table, controller) to be shown the picture once more; `late` and `back`: since the last look."""

    again: list[tuple[str, str]]
    late: list[tuple[str, str]]
    back: list[str]


class Laggards:
    def __init__(self) -> None:
        self._behind: dict[str, _Behind] = {}  # by controller
        self._newest: dict[str, tuple[int, tuple[str, ...]]] = {}  # by table: revision, its controllers
        self._late: set[str] = set()

    def resume(self, late: Iterable[str]) -> None:
        """Controllers that an earlier life told late."""
        self._late.update(late)

    def shown(self, table: str, revision: int, controllers: tuple[str, ...], monotonic_ms: int) -> None:
        """A picture was sent to the controllers of a table that has several."""
        self._newest[table] = revision, controllers
        for controller in controllers:
            if controller not in self._behind:
                self._behind[controller] = _Behind(table, revision, monotonic_ms, monotonic_ms)

    def forget(self, table: str) -> None:
        """Nobody here speaks for this table any more."""
        _, controllers = self._newest.pop(table, (0, ()))
        for controller in controllers:
            self._behind.pop(controller, None)

    def look(self, applied: Applied, monotonic_ms: int) -> Looked:
        """Called again and again; whoever has caught up is forgotten, whoever has not is shown the picture again."""
        looked = Looked([], [], [])
        on_time = {controller for controller in self._late if controller not in self._behind}
        for controller, behind in tuple(self._behind.items()):
            revision, controllers = self._newest[behind.table]
            confirmed = applied(controller)
            if controller not in controllers or (confirmed is not None and confirmed >= revision):
                del self._behind[controller]
                on_time.add(controller)
            elif confirmed is None or confirmed >= behind.revision:
                # It is away, or it follows: what it owes us a word about was sent at this moment at the earliest.
                self._behind[controller] = _Behind(behind.table, revision, monotonic_ms, monotonic_ms)
                on_time.add(controller)
        looked.back.extend(sorted(on_time & self._late))
        self._late -= on_time
        for controller, behind in self._behind.items():
            if monotonic_ms - behind.shown_ms < AGAIN_MS or not self._is_alone(behind):
                continue
            self._behind[controller] = behind._replace(shown_ms=monotonic_ms)
            looked.again.append((behind.table, controller))
            if monotonic_ms - behind.since_ms >= LATE_MS and controller not in self._late:
                self._late.add(controller)
                looked.late.append((behind.table, controller))
        return looked

    def _is_alone(self, behind: _Behind) -> bool:
        """Others of its table have caught up with the newest picture."""
        return any(each not in self._behind for each in self._newest[behind.table][1])
