"""What a configuration adds up to, for the person who asked `sabot gateway --check`. No secret is in it."""

from collections import Counter
from ipaddress import ip_address
from urllib.parse import urlsplit

from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.settings.shape import Address, Settings


def summary_of(settings: Settings) -> dict[str, object]:
    """JSON-able; the order is the order in which it is printed."""
    controllers = Counter(device.table for device in settings.devices)
    registers = settings.registers
    return {
        "file": str(settings.file),
        "site": settings.site,
        "gateway": settings.gateway,
        "data": str(settings.data),
        "broker": _broker(settings),
        "journal": _journal(settings),
        "pages": _pages(settings),
        "chips": len(registers.chips),
        "decks": len(registers.decks),
        "badges": len(registers.badges),
        "controllers": len(settings.devices),
        "webhooks": [webhook.name for webhook in settings.webhooks],
        "tables": [
            {
                "name": table.name,
                "game": str(table.game),
                "ruleset": table.ruleset.id,
                "sha256": table.ruleset.sha256,
                "controllers": controllers[table.name],
            }
            for table in settings.tables
        ],
        "warnings": warnings_of(settings),
    }


def warnings_of(settings: Settings) -> list[str]:
    """What is allowed, but hardly meant."""
    warnings: list[str] = []
    served = {device.table for device in settings.devices}
    if not settings.tables:
        warnings.append("There is no table yet.")
    for table in settings.tables:
        if table.ruleset is shipped_ruleset(table.game):
            warnings.append(f"Table {table.name} plays by the shipped example values, which no house has confirmed.")
        if table.name not in served:
            warnings.append(f"Table {table.name} has no controller.")
    if settings.tables and not (settings.registers.chips and settings.registers.decks):
        warnings.append("The registers know no chips or no deck: every tag will be an unknown one.")
    if settings.broker is None and not is_loopback(settings.embedded.listen):
        warnings.append("The embedded broker listens on the network and asks nobody for a password.")
    if settings.web.listen is not None and settings.web.certificate is None and not is_loopback(settings.web.listen):
        warnings.append("The pages listen on the network without TLS: passwords can be overheard.")
    return warnings


def is_loopback(address: Address) -> bool:
    """Whether only this machine can reach it; a name counts only if it is localhost."""
    try:
        return ip_address(address.host).is_loopback
    except ValueError:
        return address.host == "localhost"


def text_from_summary(summary: dict[str, object]) -> str:
    """One line per matter; tables one below the other."""
    lines = [
        f"{name:<12} {', '.join(value) if isinstance(value, list) else value}"
        for name, value in summary.items()
        if name not in ("tables", "warnings")
    ]
    tables, warnings = summary["tables"], summary["warnings"]
    assert isinstance(tables, list)
    assert isinstance(warnings, list)
    for table in tables:
        rules = f"{table['game']} by {table['ruleset']} ({table['sha256'][:12]})"
        lines.append(f"table        {table['name']}: {rules}, {table['controllers']} controllers")
    lines += [f"note         {warning}" for warning in warnings]
    return "\n".join(lines)


def _broker(settings: Settings) -> str:
    if settings.broker is None:
        return f"embedded ({settings.embedded.program}) on {settings.embedded.listen}"
    tls = "TLS" if settings.broker.tls else "no TLS"
    return f"{settings.broker.host}:{settings.broker.port}, MQTT {settings.broker.version}, {tls}"


def _journal(settings: Settings) -> str:
    if settings.store.sqlite is not None:
        return str(settings.store.sqlite)
    parts = urlsplit(settings.store.postgresql)
    return f"PostgreSQL {parts.hostname or 'on this machine'}{parts.path}"


def _pages(settings: Settings) -> str:
    if settings.web.listen is None:
        return "none"
    return f"{'https' if settings.web.certificate else 'http'}://{settings.web.listen}/"
