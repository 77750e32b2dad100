"""Reads `sabot.toml` and every file it names into one checked `Settings`, or says in one sentence what is wrong.

Owns what keys mean together. Reads only: no folder is made, nothing is connected to. `sabot gateway --check`, the
start and a reload all come through here, so what one accepts the others do too.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sabot_gateway.errors import SettingsError
from sabot_gateway.model.game import Game
from sabot_gateway.mqtt.port import MQTT_PORT, MQTT_TLS_PORT, BrokerSettings, Tls, Version
from sabot_gateway.registers import registers_from_files
from sabot_gateway.rulebook import ruleset_from_file, shipped_ruleset
from sabot_gateway.rules.ruleset import Ruleset, RulesetError
from sabot_gateway.settings import key_table
from sabot_gateway.settings.device_file import book_from_folder
from sabot_gateway.settings.reading import Origin, Values, check_file, is_sha256, mapping_from_file, values_of
from sabot_gateway.settings.shape import (
    BrokerProgram,
    Certificate,
    EmbeddedSettings,
    Language,
    LogFormat,
    LogLevel,
    LogSettings,
    MetricsReader,
    Settings,
    StoreSettings,
    Subject,
    TableSettings,
    WebhookSettings,
    WebSettings,
)
from sabot_gateway.table.setup import Fitted, Timing

__all__ = ["FILE", "Settings", "SettingsError", "load"]

FILE: Final = "sabot.toml"  # what is looked for where no other file is named
JOURNAL: Final = "journal.db"
SHIPPED: Final = "shipped"
_SUBTABLES: Final = frozenset({"timing", "fitted"})
_MOST_PASSWORD: Final = 1_024
_SECRET_SIZES: Final = (16, 1_024)  # bytes; a shorter one can be guessed


def load(file: Path) -> Settings:
    """The settings in `file` and in all that it names; SettingsError with file and key for the first thing wrong."""
    file = file.absolute()
    seen: list[Path] = []
    origin = Origin(file, seen)
    written = mapping_from_file(file)
    sections = frozenset(name for name in key_table.SECTIONS if name and "." not in name)
    top = values_of(origin, key_table.TOP, written, "", also=sections)
    data = _folder(top, "data")
    rulesets = _rulesets(origin, written)
    tables = _tables(origin, written, rulesets)
    names = [table.name for table in tables]
    registers = _section(origin, written, "registers")
    devices = book_from_folder(_folder(top, "devices"), frozenset(names), seen)
    site, gateway = top.text("site"), top.text("gateway")
    return Settings(
        file=file,
        site=site,
        gateway=gateway,
        data=data,
        language=Language(top.text("language")),
        zone=top.zone("zone"),
        broker=_broker(origin, written, site, gateway),
        embedded=_embedded(_section(origin, written, "embedded")),
        store=_store(_section(origin, written, "store"), data),
        registers=registers_from_files(registers.path("chips"), registers.path("decks"), registers.path("badges")),
        rulesets=rulesets,
        tables=tables,
        devices=devices,
        digests=_digests(_section(origin, written, "firmware")),
        web=_web(_section(origin, written, "web")),
        metrics=MetricsReader(_section(origin, written, "metrics").text("readers")),
        outputs_mqtt=_section(origin, written, "outputs").flag("mqtt"),
        webhooks=_webhooks(origin, written, names),
        log=_log(_section(origin, written, "log")),
        read=tuple(seen),
    )


def _section(origin: Origin, written: Mapping[str, object], name: str) -> Values:
    return values_of(origin, key_table.SECTIONS[name], written.get(name, {}), name)


def _sections(
    origin: Origin, written: Mapping[str, object], name: str, also: frozenset[str] = frozenset()
) -> Sequence[tuple[Values, Mapping[str, object]]]:
    """The tables of an array, each named by its place: `table 3`."""
    array = written.get(name, [])
    if not isinstance(array, list):
        raise origin.error(name, f"must be written [[{name}]]")
    return [
        (values_of(origin, key_table.SECTIONS[name], each, f"{name} {place}", also), each)
        for place, each in enumerate(array, start=1)
    ]


def _folder(values: Values, name: str) -> Path:
    folder = values.path(name)
    assert folder is not None
    if folder.exists() and not folder.is_dir():
        raise values.error(name, f"{folder} is not a folder")
    return folder


def _rulesets(origin: Origin, written: Mapping[str, object]) -> Mapping[str, Ruleset]:
    named = written.get("rulesets", {})
    if not isinstance(named, Mapping):
        raise origin.error("rulesets", "must be a table of name = file")
    rulesets: dict[str, Ruleset] = {}
    for name, file in named.items():
        place = f"rulesets.{name}"
        if name == SHIPPED:
            raise origin.error(place, f"{SHIPPED} means the rules that come with Sabot; use another name")
        if not isinstance(file, str):
            raise origin.error(place, "must be a file's name in quotes")
        path = check_file(origin, place, origin.path(file))
        try:
            rulesets[name] = ruleset_from_file(path)
        except RulesetError as error:
            raise SettingsError(error.source, error.key, error.reason) from error
    return rulesets


def _tables(
    origin: Origin, written: Mapping[str, object], rulesets: Mapping[str, Ruleset]
) -> tuple[TableSettings, ...]:
    tables: dict[str, TableSettings] = {}
    for values, each in _sections(origin, written, "table", _SUBTABLES):
        name = values.text("name")
        if name in tables:
            raise values.error("name", f"there are two tables {name}")
        timing = values_of(origin, key_table.TIMING, each.get("timing", {}), f"table {name}.timing")
        fitted = values_of(origin, key_table.FITTED, each.get("fitted", {}), f"table {name}.fitted")
        tables[name] = TableSettings(
            name,
            values.text("pit"),
            _ruleset(values, rulesets),
            values.texts("cameras"),
            Timing(**{key.name: timing.integer(key.name) for key in key_table.TIMING.keys}),
            _fitted(fitted),
        )
    return tuple(tables.values())


def _ruleset(values: Values, rulesets: Mapping[str, Ruleset]) -> Ruleset:
    """The house's own rules by their name; the shipped ones only where the file says so (A-GEN-01)."""
    named, game = values.text("ruleset"), values.text("game")
    if named == SHIPPED:
        if not game:
            raise values.error("game", f'must be set where ruleset = "{SHIPPED}"')
        return shipped_ruleset(Game(game))
    if named not in rulesets:
        raise values.error("ruleset", f"there is no {named} in [rulesets]")
    ruleset = rulesets[named]
    if game and ruleset.game != game:
        raise values.error("game", f"is {game}, but the ruleset {named} is for {ruleset.game}")
    return ruleset


def _fitted(values: Values) -> Fitted:
    return Fitted(
        rack=values.flag("rack"),
        seats=values.flag("seats"),
        seat_readers=values.readers("seat_readers"),
        tray=values.flag("tray"),
        shuffler=values.flag("shuffler"),
        stacks=values.flag("stacks"),
        pot=values.flag("pot"),
        slot=values.flag("slot"),
    )


def _broker(origin: Origin, written: Mapping[str, object], site: str, gateway: str) -> BrokerSettings | None:
    if "broker" not in written:
        return None
    values = _section(origin, written, "broker")
    parts = urlsplit(values.text("url"))
    if parts.path not in ("", "/") or parts.query or parts.fragment or parts.hostname is None:
        raise values.error("url", "must be mqtt://host:port or mqtts://host:port and no more")
    if parts.username is not None:
        raise values.error("url", "must hold no account; write username and password_file")
    is_tls = parts.scheme == "mqtts"
    for name in ("ca", "certificate", "key"):
        if values.has(name) and not is_tls:
            raise values.error(name, "is for TLS; write the url with mqtts://")
    _check_pair(values, "certificate", "key")
    _check_pair(values, "password_file", "username", both=False)
    return BrokerSettings(
        site=site,
        gateway=gateway,
        host=unquote(parts.hostname),
        port=parts.port or (MQTT_TLS_PORT if is_tls else MQTT_PORT),
        version=Version(values.text("version")),
        tls=Tls(values.path("ca"), values.path("certificate"), values.path("key")) if is_tls else None,
        username=values.text("username"),
        password=_password(values),
    )


def _password(values: Values) -> str:
    if not values.has("password_file"):
        return ""
    try:
        return values.secret("password_file", 1, _MOST_PASSWORD).decode("utf-8")
    except UnicodeDecodeError:
        raise values.error("password_file", "must hold UTF-8 text") from None


def _check_pair(values: Values, one: str, other: str, *, both: bool = True) -> None:
    """`one` needs `other` and, if both, the other way round."""
    if values.has(one) and not values.has(other):
        raise values.error(other, f"must be set where {one} is")
    if both and values.has(other) and not values.has(one):
        raise values.error(one, f"must be set where {other} is")


def _embedded(values: Values) -> EmbeddedSettings:
    listen = values.address("listen")
    if listen is None:
        raise values.error("listen", "must be host:port; controllers have to reach it")
    return EmbeddedSettings(listen, BrokerProgram(values.text("program")))


def _store(values: Values, data: Path) -> StoreSettings:
    sqlite, postgresql = values.path("sqlite"), values.text("postgresql")
    if sqlite is not None and postgresql:
        raise values.error("postgresql", "the journal is in a file or in PostgreSQL, not in both")
    if not postgresql and sqlite is None:
        sqlite = data / JOURNAL
    return StoreSettings(
        sqlite=sqlite,
        postgresql=postgresql,
        retention_days=values.integer("retention_days"),
        checkpoint_minutes=values.integer("checkpoint_minutes"),
        backup=_folder(values, "backup") if values.has("backup") else None,
        backup_hours=values.integer("backup_hours"),
        backups_kept=values.integer("backups_kept"),
    )


def _digests(values: Values) -> frozenset[bytes] | None:
    texts = values.texts("digests")
    for text in texts:
        if not is_sha256(text):
            raise values.error("digests", "must be 64 hexadecimal digits each")
    return frozenset(bytes.fromhex(text) for text in texts) if texts else None


def _web(values: Values) -> WebSettings:
    _check_pair(values, "certificate", "key")
    certificate, key = values.path("certificate"), values.path("key")
    shown = Certificate(certificate, key) if certificate is not None and key is not None else None
    return WebSettings(values.address("listen"), shown, values.text("video"))


def _webhooks(origin: Origin, written: Mapping[str, object], tables: Sequence[str]) -> tuple[WebhookSettings, ...]:
    webhooks: dict[str, WebhookSettings] = {}
    for values, _ in _sections(origin, written, "webhook"):
        name = values.text("name")
        if name in webhooks:
            raise values.error("name", f"there are two webhooks {name}")
        for table in values.texts("tables"):
            if table not in tables:
                raise values.error("tables", f"there is no table {table}")
        webhooks[name] = WebhookSettings(
            name,
            values.text("url"),
            values.secret("secret_file", *_SECRET_SIZES),
            tuple(Subject(subject) for subject in values.texts("subjects")),
            values.texts("tables"),
        )
    return tuple(webhooks.values())


def _log(values: Values) -> LogSettings:
    return LogSettings(LogFormat(values.text("format")), LogLevel(values.text("level")))
