"""The one door to numba, which is an optional extra.

Importing this file never fails: `require()` says in one sentence what to install.
Compiled code is kept in the user's cache folder when that can be written, and
nowhere else; site-packages stays clean.
"""

import hashlib
import importlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

HINT: Final = "this enumeration needs the compiled kernels: pip install 'sabot[rtp]'"

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class KernelsMissingError(Exception):
    """numba is not installed; the text says how to get it."""


def require() -> None:
    if _NUMBA is None:
        raise KernelsMissingError(HINT)


def compiled(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """The function as machine code; without numba the plain function, which is right but far too slow."""
    if _NUMBA is None:
        return function
    kernel: Callable[_Parameters, _Result] = _NUMBA.njit(cache=_CACHE, nogil=True)(function)
    return kernel


def _find_numba() -> Any:  # its configuration and decorators are not typed
    try:
        return importlib.import_module("numba")
    except ImportError:
        return None


def _prepare_cache() -> bool:
    if _NUMBA is None:
        return False
    if _NUMBA.config.CACHE_DIR:
        return True  # the user has chosen a place
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sabot" / f"numba-{_edition()}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return False
    if not os.access(folder, os.W_OK):
        return False
    _NUMBA.config.CACHE_DIR = str(folder)
    return True


def _edition() -> str:
    """Numba sees a change in a kernel's own file, but not in a kernel that it calls: all sources name the cache."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


_NUMBA: Final = _find_numba()
_CACHE: Final = _prepare_cache()
