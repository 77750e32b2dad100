"""Which processes a process has started, and whether they still run; read from /proc."""

from pathlib import Path


def descendants(pid: int) -> set[int]:
    """Every process below this one, while it runs."""
    found: set[int] = set()
    fresh = {pid}
    while fresh:
        below = {int(child) for each in fresh for child in _children_of(each)}
        fresh = below - found
        found |= below
    return found


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def _children_of(pid: int) -> list[str]:
    """Whichever of its threads started them."""
    found: list[str] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += task.read_text().split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended while we looked
    return found
