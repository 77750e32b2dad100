"""The one door to numba, which is an optional extra.

Importing this file never fails and costs nothing: `require()` says in one sentence what to install.
Compiled code is kept in the user's cache folder when that can be written, and
nowhere else; site-packages stays clean.
"""

import hashlib
import importlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

HINT: Final = "this enumeration needs the compiled kernels: pip install 'sabot[rtp]'."

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class KernelsMissingError(Exception):
    """numba is not installed; the text says how to get it."""


def require() -> None:
    if _numba() is None:
        raise KernelsMissingError(HINT)


def compiled(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """The function as machine code; without numba the plain function, which is right but far too slow."""
    if _numba() is None:
        return function
    kernel: Callable[_Parameters, _Result] = _numba().njit(cache=_prepare_cache(), nogil=True)(function)
    return kernel


@cache
def _numba() -> Any:  # its configuration and decorators are not typed
    try:
        return importlib.import_module("numba")
    except ImportError:
        return None


@cache
def _prepare_cache() -> bool:
    if _numba() is None:
        return False
    try:
        user = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sabot"
        folder = Path(_numba().config.CACHE_DIR or user) / f"numba-{_edition()}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return False
    if not os.access(folder, os.W_OK):
        return False
    _numba().config.CACHE_DIR = str(folder)
    return True


def _edition() -> str:
    """Numba sees a change in a kernel's own file, but not in a kernel that it calls: all sources name the cache."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]
