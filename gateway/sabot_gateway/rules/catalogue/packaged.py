"""The catalogue that ships with Sabot, read once from the package's own data when first asked for.

The one place where the catalogue touches files; everything else is text in, values out.
"""

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue.entry import Catalogue
from sabot_gateway.rules.catalogue.reading import catalogue_from_text

_FOLDER: Final = resources.files(__package__)


@cache
def packaged() -> Catalogue:
    """The shipped catalogue. It is part of the program: a fault in it is a bug, not bad input."""
    return catalogue_from_text(
        preamble=_read(_FOLDER.joinpath("preamble.toml")),
        books=[_read(_FOLDER.joinpath(f"{game.lower()}.toml")) for game in Game],
        ambiguities=_read(_FOLDER.joinpath("ambiguities.toml")),
        texts={file.name.removesuffix(".txt"): _read(file) for file in _FOLDER.joinpath("texts").iterdir()},
    )


def _read(file: Traversable) -> str:
    return file.read_text(encoding="utf-8")
