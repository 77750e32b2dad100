"""Notices that a file of the settings changed, by looking. Owns what was seen last; reads no content."""

from collections.abc import Iterable
from pathlib import Path

Stamp = tuple[int, int, int]


class Changes:
    """Looks at every file and folder that the settings were read from."""

    def __init__(self, paths: Iterable[Path], since_ns: int) -> None:
        """`since_ns`: when reading them began (UTC); what changed later may have been read half, and is found."""
        now = {path: _stamp(path) for path in paths}
        self._seen = {path: stamp if stamp is None or stamp[0] < since_ns else None for path, stamp in now.items()}

    def found(self) -> bool:
        """Whether anything changed since the last look."""
        now = {path: _stamp(path) for path in self._seen}
        changed = now != self._seen
        self._seen = now
        return changed


def _stamp(path: Path) -> Stamp | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ino)
