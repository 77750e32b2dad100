"""What people, and the gateway by itself, do beside the tables, as sentences: accounts, commands, alerts of a table
that left the settings.

Owns the wording. An action that this release does not know is told by its name and its values: nothing is left out.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from sabot_gateway.projections.sentence import Sentence
from sabot_gateway.transcript.house import Action

Detail = Mapping[str, Any]


def action_sentence(action: Action) -> Sentence:
    by, tell = action.by or "Sabot", _TOLD.get(action.name)
    try:
        said = None if tell is None else tell(action.detail)
    except (KeyError, TypeError):
        said = None  # of another release, with other values
    said = said or _by_its_name(action)
    return Sentence(f"{by} : {said.fr}.", f"{by}: {said.en}.")


def _by_its_name(action: Action) -> Sentence:
    values = ", ".join(f"{name} {value}" for name, value in action.detail.items() if value not in (None, ""))
    said = action.name.replace("_", " ") + (f" ({values})" if values else "")
    return Sentence(said, said)


def _account(detail: Detail) -> Sentence:
    name, what = detail["name"], str(detail["what"])
    return Sentence(f"compte {name}, {_account_french(what)}", f"account {name}, {what}")


def _account_french(what: str) -> str:
    """As the accounts say it, in French; a role keeps its name."""
    for en, fr in _ACCOUNT_FRENCH.items():
        if what.startswith(en):
            return fr + what.removeprefix(en)
    return what


def _command(detail: Detail) -> Sentence:
    device, name = detail["device"], str(detail["command"])
    known = _COMMANDS.get(name)
    if known is None:
        return Sentence(f"ordre « {name} » au contrôleur {device}", f"order “{name}” to controller {device}")
    return Sentence(known.fr.format(device=device), known.en.format(device=device))


def _release(detail: Detail) -> Sentence:
    device = detail["device"]
    return Sentence(f"le jumeau du contrôleur {device} est écarté", f"the twin of controller {device} has been removed")


def _unkept(detail: Detail) -> Sentence:
    sender, messages, size = str(detail["sender"]), detail["messages"], detail["bytes"]
    is_stranger = sender == "stranger"
    fr_from = "d'un inconnu" if is_stranger else f"au nom de {sender}"
    en_from = "of a stranger" if is_stranger else f"in the name of {sender}"
    return Sentence(
        f"messages refusés {fr_from}, comptés sans être conservés : {messages}, en tout {size} octets",
        f"refused messages {en_from}, counted and not kept: {messages}, {size} bytes in all",
    )


def _verification(detail: Detail) -> Sentence:
    del detail
    return Sentence("vérification du journal commencée", "verification of the journal begun")


def _about_alert(fr: str, en: str, *words: str) -> Callable[[Detail], Sentence]:
    """`words` are the values that the sentences name besides the table and the alert."""

    def tell(detail: Detail) -> Sentence:
        values = {name: detail[name] for name in ("table", "alert", *words)}
        reason = str(detail.get("reason", ""))
        end_fr, end_en = (f" : {reason}", f": {reason}") if reason else ("", "")
        return Sentence(fr.format(**values) + end_fr, en.format(**values) + end_en)

    return tell


_ACCOUNT_FRENCH: Final = {
    "added as ": "créé comme ",
    "made ": "devient ",
    "password changed": "mot de passe changé",
    "disabled": "désactivé",
    "enabled": "réactivé",
    "one-time codes on": "codes à usage unique activés",
    "one-time codes off": "codes à usage unique désactivés",
}
_COMMANDS: Final = {
    "identify": Sentence("fait clignoter le contrôleur {device}", "lets controller {device} blink"),
    "selftest": Sentence("lance un essai du contrôleur {device}", "runs a test of controller {device}"),
    "restart": Sentence("redémarre le contrôleur {device}", "restarts controller {device}"),
    "config": Sentence("change des réglages du contrôleur {device}", "changes settings of controller {device}"),
    "time": Sentence("met à l'heure le contrôleur {device}", "sets the clock of controller {device}"),
    "update_cancel": Sentence(
        "abandonne la mise à jour du contrôleur {device}", "gives up the update of controller {device}"
    ),
}
_TOLD: Final[dict[str, Callable[[Detail], Sentence]]] = {
    "account_changed": _account,
    "command": _command,
    "release": _release,
    "refused_unkept": _unkept,
    "verification_begun": _verification,
    "alert_assigned": _about_alert(
        "alerte {alert} de la table {table} confiée à {to}", "alert {alert} of table {table} assigned to {to}", "to"
    ),
    "alert_commented": _about_alert(
        "remarque sur l'alerte {alert} de la table {table} : {text}",
        "comment on alert {alert} of table {table}: {text}",
        "text",
    ),
    "alert_acknowledged": _about_alert(
        "alerte {alert} de la table {table} prise en compte", "alert {alert} of table {table} acknowledged"
    ),
    "alert_escalated": _about_alert(
        "alerte {alert} de la table {table} transmise à {to}", "alert {alert} of table {table} escalated to {to}", "to"
    ),
    "alert_cleared": _about_alert(
        "alerte {alert} de la table {table} classée", "alert {alert} of table {table} cleared"
    ),
}
