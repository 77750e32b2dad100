"""Which broker programs this machine has.

Owns the search: nats-server beside the Python that runs (its wheel puts it there) and on PATH; Mosquitto on PATH and
where Debian keeps it, which is not on an ordinary account's PATH.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Final, NamedTuple

from sabot_gateway.errors import StartError
from sabot_gateway.settings.shape import BrokerProgram

_ORDER: Final = (BrokerProgram.NATS, BrokerProgram.MOSQUITTO)
_SYSTEM: Final = ("/usr/sbin", "/usr/local/sbin")
_FILES: Final = {BrokerProgram.NATS: "nats-server", BrokerProgram.MOSQUITTO: "mosquitto"}
_NAMES: Final = {BrokerProgram.NATS: "nats-server", BrokerProgram.MOSQUITTO: "Mosquitto"}
_HINT: Final = "install sabot[broker] or Mosquitto, or name a broker in [broker]"


class Program(NamedTuple):
    kind: BrokerProgram
    path: str

    @property
    def name(self) -> str:
        return _NAMES[self.kind]


def find_program(wanted: BrokerProgram, search: str | None = None) -> Program:
    """The program that is wanted, or the first that is there; StartError if there is none. `search` is a PATH."""
    if search is None:
        search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", ""), *_SYSTEM])
    for kind in _ORDER if wanted is BrokerProgram.AUTO else (wanted,):
        if path := shutil.which(_FILES[kind], path=search):
            return Program(kind, path)
    if wanted is BrokerProgram.AUTO:
        raise StartError(f"There is neither nats-server nor Mosquitto on this machine: {_HINT}.")
    raise StartError(f"There is no {_NAMES[wanted]} on this machine: {_HINT}.")
