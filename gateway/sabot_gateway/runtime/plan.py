"""What a gateway runs: its names, its tables with their setups, its controllers. Replaced whole by a reload."""

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from sabot_gateway.link.device import Registry
from sabot_gateway.model.registers import Registers
from sabot_gateway.table.setup import TableSetup
from sabot_gateway.transcript.fact import SetupRecord


@dataclass(frozen=True, slots=True)
class TablePlan:
    """One table as the settings want it, and what only pages need to know of it."""

    setup: TableSetup
    pit: str = ""
    cameras: tuple[str, ...] = ()

    def record(self, registers: str) -> SetupRecord:
        """What the table's stream keeps of it; `registers` is the digest of those in the house stream."""
        setup = self.setup
        return SetupRecord(setup.table, setup.ruleset, registers, setup.timing, setup.fitted)


@dataclass(frozen=True, slots=True)
class Plan:
    """`tables` by name in the order of the settings; `gateway` is the owner of every record that is written."""

    site: str
    gateway: str
    tables: Mapping[str, TablePlan]
    devices: Registry
    registers: Registers = field(default_factory=Registers)
    digests: Container[bytes] | None = None  # the controllers' software that the house accepts; None: any
