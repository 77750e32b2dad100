"""What the settings file becomes: frozen values that every part of the gateway is built from.

Owns the shapes; reads nothing. Whoever holds a `Settings` holds something that was checked whole. Secrets are in it
(passwords, webhook keys), never in its repr.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from zoneinfo import ZoneInfo

from sabot_gateway.model.game import Game
from sabot_gateway.model.registers import Registers
from sabot_gateway.mqtt.port import BrokerSettings
from sabot_gateway.registry import DeviceBook
from sabot_gateway.rules.ruleset import Ruleset
from sabot_gateway.table.setup import Fitted, TableSetup, Timing


class Language(StrEnum):
    FR = "fr"
    EN = "en"


class BrokerProgram(StrEnum):
    AUTO = "auto"
    NATS = "nats"
    MOSQUITTO = "mosquitto"


class MetricsReader(StrEnum):
    LOOPBACK = "loopback"
    EVERYONE = "everyone"
    NOBODY = "nobody"


class LogFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Subject(StrEnum):
    """What an outside system may be told of."""

    ALERT = "alert"
    SETTLEMENT = "settlement"


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A server's own certificate and key, in PEM."""

    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True)
class EmbeddedSettings:
    """The broker that the gateway starts itself where none is configured."""

    listen: Address
    program: BrokerProgram


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """The journal: `sqlite` or `postgresql` (a URL), never both; and its upkeep."""

    sqlite: Path | None
    postgresql: str = field(repr=False)  # may hold a password
    retention_days: int  # 0: keep for ever
    checkpoint_minutes: int
    backup: Path | None
    backup_hours: int
    backups_kept: int


@dataclass(frozen=True, slots=True)
class TableSettings:
    """One table of the floor; its ruleset is already found and checked."""

    name: str
    pit: str
    ruleset: Ruleset
    cameras: tuple[str, ...]
    timing: Timing
    fitted: Fitted

    @property
    def game(self) -> Game:
        return self.ruleset.game

    def setup(self, registers: Registers, ahead_min: int = 0) -> TableSetup:
        """The table as it is told to play; `ahead_min` is how far the house's clock is ahead of UTC now."""
        return TableSetup(
            self.name,
            self.ruleset,
            registers.chips,
            registers.cards,
            registers.decks,
            registers.badges,
            replace(self.timing, ahead_min=ahead_min),
            self.fitted,
        )


@dataclass(frozen=True, slots=True)
class WebSettings:
    """The pages; None for `listen` where the house wants none. `video` is an address with {camera}, {from} and {to}."""

    listen: Address | None
    certificate: Certificate | None
    video: str


@dataclass(frozen=True, slots=True)
class WebhookSettings:
    """One outside system that is told over HTTP; `tables` empty means all."""

    name: str
    url: str
    secret: bytes = field(repr=False)
    subjects: tuple[Subject, ...]
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LogSettings:
    format: LogFormat
    level: LogLevel


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that `sabot.toml` and the files it names say."""

    file: Path
    read: tuple[Path, ...]  # every file and folder that was read, for noticing changes
    site: str
    gateway: str
    data: Path
    language: Language
    zone: ZoneInfo
    broker: BrokerSettings | None  # None: the embedded one
    embedded: EmbeddedSettings
    store: StoreSettings
    registers: Registers
    rulesets: Mapping[str, Ruleset]
    tables: tuple[TableSettings, ...]
    devices: DeviceBook
    digests: frozenset[bytes] | None  # of the software that controllers may run; None: any
    web: WebSettings
    metrics: MetricsReader
    outputs_mqtt: bool  # alerts and settlements as JSON at the broker
    webhooks: tuple[WebhookSettings, ...]
    log: LogSettings
