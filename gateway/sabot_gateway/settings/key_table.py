"""THE table of the gateway's settings: every section and key of `sabot.toml` and of a device's file.

Owns names, defaults, bounds and meanings. The reader refuses what is not here, and docs/gateway-settings.md is written
from here, so a key cannot exist undescribed.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.mqtt.port import Version
from sabot_gateway.registry import DeviceRole
from sabot_gateway.settings.key import NONE, REQUIRED, Key, Kind, Section
from sabot_gateway.settings.shape import BrokerProgram, Language, LogFormat, LogLevel, MetricsReader, Subject
from sabot_gateway.table.setup import Fitted, Timing

_DAY_MS: Final = 24 * 3_600_000
_TIMING: Final = Timing()  # the table's own defaults are the truth
_FITTED: Final = Fitted()

TOP: Final = Section(
    "",
    "Who this gateway is.",
    (
        Key("site", Kind.NAME, "The house, as it stands in every topic.", REQUIRED),
        Key(
            "gateway", Kind.NAME, "This gateway among those of the house; it owns its records under this name.", "main"
        ),
        Key("data", Kind.FOLDER, "Where it keeps what it writes; only its owner may enter.", "data"),
        Key("language", Kind.CHOICE, "Of the pages, until somebody chooses.", Language.FR, choices=tuple(Language)),
        Key("zone", Kind.ZONE, "The house's time zone by its IANA name, for its hours and pages.", "UTC"),
        Key("devices", Kind.FOLDER, "One file per controller, as described above.", "devices"),
    ),
)

BROKER: Final = Section(
    "broker",
    "The house's own MQTT broker. Without this section the gateway starts one itself (`[embedded]`).",
    (
        Key(
            "url", Kind.URL, "`mqtt://host:port`, or `mqtts://host:port` for TLS.", REQUIRED, schemes=("mqtt", "mqtts")
        ),
        Key("version", Kind.CHOICE, "Of MQTT.", Version.V311, choices=tuple(Version)),
        Key("ca", Kind.FILE, "Who signed the broker's certificate (PEM).", note="the system's authorities"),
        Key("certificate", Kind.FILE, "The gateway's own certificate (PEM)."),
        Key("key", Kind.SECRET, "The key of that certificate (PEM)."),
        Key("username", Kind.TEXT, "The gateway's account at the broker."),
        Key("password_file", Kind.SECRET, "Its password, alone in a file."),
    ),
)

EMBEDDED: Final = Section(
    "embedded",
    "The broker that the gateway starts where none is configured.",
    (
        Key(
            "listen",
            Kind.ADDRESS,
            "Where controllers reach it; beyond loopback only if this says so.",
            "127.0.0.1:1883",
        ),
        Key("program", Kind.CHOICE, "Which broker to start.", BrokerProgram.AUTO, choices=tuple(BrokerProgram)),
    ),
)

FIRMWARE: Final = Section(
    "firmware",
    "The software that controllers may run.",
    (
        Key(
            "digests",
            Kind.TEXTS,
            "Digests of accepted releases and images, 64 hexadecimal digits each; others are refused, their events "
            "kept apart.",
            (),
            note="any",
        ),
    ),
)

STORE: Final = Section(
    "store",
    "The journal and its upkeep.",
    (
        Key("sqlite", Kind.MADE, "The journal's file.", note="`journal.db` in the data folder"),
        Key(
            "postgresql",
            Kind.URL,
            "The journal in a PostgreSQL, instead of a file.",
            schemes=("postgresql", "postgres"),
        ),
        Key("retention_days", Kind.INTEGER, "How long records are kept; 0 keeps them for ever.", 0, most=36_500),
        Key("checkpoint_minutes", Kind.INTEGER, "How often the journal is signed.", 10, 1, 1_440),
        Key("backup", Kind.FOLDER, "Where copies of the journal go.", note="no copies"),
        Key("backup_hours", Kind.INTEGER, "How often a copy is made.", 24, 1, 8_760),
        Key("backups_kept", Kind.INTEGER, "How many copies stay; the oldest goes first.", 7, 1, 1_000),
    ),
)

REGISTERS: Final = Section(
    "registers",
    "What a tag is: files with comma-separated values, as described above.",
    (
        Key("chips", Kind.FILE, "Chips and plaques.", note="none are known"),
        Key("decks", Kind.FILE, "Cards and the decks they belong to.", note="none are known"),
        Key("badges", Kind.FILE, "The staff's badges.", note="none are known"),
    ),
)

RULESETS: Final = Section(
    "rulesets",
    "The house's own rules, `name = file`; see [rulesets](rulesets.md).",
    holds=Kind.FILE,
)

TABLE: Final = Section(
    "table",
    "A table of the floor; one section for each.",
    (
        Key("name", Kind.NAME, "The table, as it stands in journal and pages.", REQUIRED),
        Key("game", Kind.CHOICE, "What is played.", NONE, choices=tuple(Game), note="that of its ruleset"),
        Key(
            "ruleset",
            Kind.TEXT,
            "A name of `[rulesets]`, or `shipped`: the law with example values, for trying out (A-GEN-01).",
            REQUIRED,
        ),
        Key("pit", Kind.TEXT, "Where it stands, for the floor page."),
        Key("cameras", Kind.TEXTS, "The cameras that see it, for links to video.", ()),
    ),
    is_repeated=True,
)

TIMING: Final = Section(
    "table.timing",
    "How long the table waits before it says something.",
    (
        Key(
            "lamps_ms",
            Kind.INTEGER,
            "A lamp picture unconfirmed for longer is a broken lamp or link.",
            _TIMING.lamps_ms,
            100,
            60_000,
        ),
        Key("stall_ms", Kind.INTEGER, "One phase of a coup without an end.", _TIMING.stall_ms, 1_000, _DAY_MS),
        Key(
            "authority_ms",
            Kind.INTEGER,
            "How long a table head's badge stands behind keys.",
            _TIMING.authority_ms,
            1_000,
            600_000,
        ),
        Key(
            "fastest_ms", Kind.INTEGER, "A quicker coup was hardly played by the book.", _TIMING.fastest_ms, 0, _DAY_MS
        ),
        Key("slowest_ms", Kind.INTEGER, "A slower coup is looked at.", _TIMING.slowest_ms, 1_000, _DAY_MS),
        Key(
            "clock_ms", Kind.INTEGER, "A clock further off does not line up with video.", _TIMING.clock_ms, 100, 600_000
        ),
    ),
)

FITTED: Final = Section(
    "table.fitted",
    "Which optional sensors the table has.",
    (
        Key("rack", Kind.BOOLEAN, "The discard rack is read.", _FITTED.rack),
        Key("seats", Kind.BOOLEAN, "Chairs tell whether somebody sits there.", _FITTED.seats),
        Key(
            "seat_readers",
            Kind.READERS,
            "Card readers at seats: `{ 2 = 1 }` is reader 2 at seat 1; seat 0 is the dealer.",
        ),
        Key("tray", Kind.BOOLEAN, "The float in the dealer's tray is read.", _FITTED.tray),
        Key("shuffler", Kind.BOOLEAN, "An automatic shuffler stands at the table.", _FITTED.shuffler),
        Key("stacks", Kind.BOOLEAN, "Hold'em: each player's stack is read.", _FITTED.stacks),
        Key("pot", Kind.BOOLEAN, "Hold'em: the pot is read.", _FITTED.pot),
        Key("slot", Kind.BOOLEAN, "Hold'em: what goes into the cagnotte is read.", _FITTED.slot),
    ),
)

WEB: Final = Section(
    "web",
    "The pages of the surveillance room, and `/healthz`, `/readyz`, `/metrics`.",
    (
        Key("listen", Kind.ADDRESS, "Where browsers reach them; `none` for no pages.", "127.0.0.1:8080"),
        Key("certificate", Kind.FILE, "The certificate to show (PEM, with its chain); makes it HTTPS."),
        Key("key", Kind.SECRET, "The key of that certificate (PEM)."),
        Key(
            "video",
            Kind.URL,
            "A link into the video system, with `{camera}`, `{from}` and `{to}` in it; times are UTC,"
            " such as `2026-11-18T20:04:07.123Z`, percent-encoded.",
            schemes=("http", "https"),
        ),
    ),
)

METRICS: Final = Section(
    "metrics",
    "Figures in Prometheus' text form under `/metrics`.",
    (
        Key(
            "readers",
            Kind.CHOICE,
            "Who may read them; they hold no card and no person.",
            MetricsReader.LOOPBACK,
            choices=tuple(MetricsReader),
        ),
    ),
)

OUTPUTS: Final = Section(
    "outputs",
    "What other systems of the house are told; see [integrations](integrations.md).",
    (Key("mqtt", Kind.BOOLEAN, "Alerts and settlements as JSON at the broker.", True),),
)

WEBHOOK: Final = Section(
    "webhook",
    "A system that is told over HTTP; one section for each.",
    (
        Key("name", Kind.NAME, "Which one; it marks its place in the journal.", REQUIRED),
        Key("url", Kind.URL, "Where to post.", REQUIRED, schemes=("http", "https")),
        Key("secret_file", Kind.SECRET, "What both sides sign with, alone in a file; 16 bytes or more.", REQUIRED),
        Key("subjects", Kind.CHOICES, "What it is told of.", tuple(Subject), choices=tuple(Subject)),
        Key("tables", Kind.TEXTS, "Of which tables.", (), note="all"),
    ),
    is_repeated=True,
)

LOG: Final = Section(
    "log",
    "What the gateway says on standard error. No card, tag or key is ever in it.",
    (
        Key(
            "format", Kind.CHOICE, "For people, or one JSON object per line.", LogFormat.TEXT, choices=tuple(LogFormat)
        ),
        Key("level", Kind.CHOICE, "The least that is said.", LogLevel.INFO, choices=tuple(LogLevel)),
    ),
)

DEVICE: Final = Section(
    "device",
    "A controller.",
    (
        Key("id", Kind.NAME, "The controller, and the name of its file.", REQUIRED),
        Key("table", Kind.NAME, "The table it serves.", REQUIRED),
        Key("role", Kind.CHOICE, "What it does there.", DeviceRole.TABLE, choices=tuple(DeviceRole)),
        Key("key", Kind.SECRET, "The 16 bytes that it seals with, in a file.", REQUIRED),
        Key("previous_key", Kind.SECRET, "The key before, while the controller may still use it."),
        Key("previous_until", Kind.MOMENT, "When that ends, such as `2027-01-31T06:00:00Z`."),
        Key("certificate_sha256", Kind.TEXT, "Fingerprint of its certificate at the broker: 64 hexadecimal digits."),
    ),
)

SECTIONS: Final[Mapping[str, Section]] = MappingProxyType(
    {
        section.name: section
        for section in (
            TOP,
            BROKER,
            EMBEDDED,
            FIRMWARE,
            STORE,
            REGISTERS,
            RULESETS,
            TABLE,
            TIMING,
            FITTED,
            WEB,
            METRICS,
            OUTPUTS,
            WEBHOOK,
            LOG,
        )
    }
)
