"""The words of the codes that the service's own alarms speak of: refusals, and what keeps the journal from writing.

A clause each, French first. The codes belong to the wire, to `mqtt.refusal_reason` and to the journal's errors; a test
walks them all.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.journal.error import ErrorCode
from sabot_gateway.table.alerts.words import Vocabulary

# What bytes were refused for, by the wire's codes.
_WIRE: Final[Vocabulary] = MappingProxyType(
    {
        "oversize": ("message trop long", "the message is too long"),
        "truncated": ("message coupé", "the message is cut short"),
        "trailing": ("des octets suivent le message", "bytes follow the message"),
        "malformed": ("CBOR mal formé", "the CBOR is malformed"),
        "not_canonical": ("codage non déterministe", "the encoding is not the deterministic one"),
        "duplicate_key": ("une clé figure deux fois", "a key stands twice"),
        "too_deep": ("imbrication trop profonde", "nested too deeply"),
        "too_many": ("trop d'éléments", "too many items"),
        "unsupported": ("type CBOR inconnu de Sabot", "a CBOR type that Sabot does not know"),
        "float": ("nombre à virgule flottante", "a floating-point number"),
        "int_overflow": ("entier trop grand", "an integer is too large"),
        "bad_text": ("texte qui n'est pas de l'UTF-8", "a text is not UTF-8"),
        "wrong_type": ("champ du mauvais type", "a field has the wrong type"),
        "out_of_range": ("champ hors de ses limites", "a field is out of its range"),
        "wrong_arity": ("mauvais nombre de champs", "the wrong number of fields"),
        "missing_key": ("il manque un champ", "a field is missing"),
        "unknown_key": ("champ inconnu", "a field is unknown"),
        "unknown_kind": ("sorte de message inconnue", "the kind of message is unknown"),
        "wrong_channel": ("message sur un autre canal que le sien", "the message is on the wrong channel"),
        "bad_topic": ("sujet MQTT étranger à Sabot", "the topic is not Sabot's"),
        "bad_envelope": ("enveloppe mal faite", "the envelope is not in Sabot's form"),
        "wrong_algorithm": ("enveloppe scellée autrement", "the envelope is sealed otherwise"),
        "wrong_device": ("enveloppe d'un autre appareil", "the envelope is another device's"),
        "not_authentic": ("sceau brisé", "the seal is broken"),
        "bad_frame": ("trame série mal faite", "the serial frame is malformed"),
        "bad_crc": ("trame série abîmée", "the serial frame was damaged"),
    }
)
# What a controller's hello is refused for.
_HELLO: Final[Vocabulary] = MappingProxyType(
    {
        "version_old": ("son protocole est trop ancien", "its protocol is too old"),
        "version_new": ("son protocole est trop récent", "its protocol is too new"),
        "schema_unknown": ("son protocole est inconnu", "its protocol is unknown"),
        "digest_unknown": ("son logiciel est inconnu de la maison", "the house does not know its software"),
        "device_unknown": ("il n'est pas enregistré", "it is not registered"),
        "twin_device": ("deux appareils portent le même nom", "two devices have one name"),
    }
)
_GATEWAY: Final[Vocabulary] = MappingProxyType(
    {
        "other_site": ("message pour une autre maison", "the message is for another site"),
        "wrong_direction": ("message que seule la passerelle envoie", "only the gateway sends such a message"),
        "unknown_device": ("contrôleur non enregistré", "no such controller is registered"),
        "events_late": ("événements arrivés trop tard", "the events came too late"),
        "replayed": ("événements déjà pris il y a longtemps", "the events were taken long ago"),
    }
)
REFUSALS: Final[Vocabulary] = MappingProxyType({**_WIRE, **_HELLO, **_GATEWAY})

_CHANNELS: Final = MappingProxyType(
    {
        "event": ("événements", "events"),
        "status": ("état", "status"),
        "ack": ("accusés", "acks"),
        "lamps": ("témoins", "lamps"),
        "command": ("commandes", "commands"),
    }
)
# What a controller says that it refused: a channel and one of the wire's codes.
PLAYED: Final[Vocabulary] = MappingProxyType(
    {
        f"{channel} {code}": (f"canal des {french}, {why}", f"{english} channel, {reason}")
        for channel, (french, english) in _CHANNELS.items()
        for code, (why, reason) in _WIRE.items()
    }
)

JOURNAL_ERRORS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        ErrorCode.FENCED: ("un autre propriétaire a repris le flux", "another owner has taken the stream over"),
        ErrorCode.MOVED: ("le flux ne finit pas où l'on croyait", "the stream does not end where it should"),
        ErrorCode.INVALID: ("le journal ne peut pas contenir cela", "the journal cannot hold this"),
        ErrorCode.REMOVED: ("les enregistrements ont passé leur durée", "the records are past their retention"),
        ErrorCode.BUSY: ("trop d'écritures attendent", "too much is waiting to be written"),
        ErrorCode.CLOSED: ("il est fermé", "it is closed"),
        ErrorCode.FULL: ("il n'y a plus de place", "there is no space left"),
        ErrorCode.READ_ONLY: ("il est en lecture seule", "it is read-only"),
        ErrorCode.CORRUPT: ("ses octets sont abîmés", "its stored bytes are damaged"),
        ErrorCode.UNAVAILABLE: ("son support ne répond pas", "its storage does not answer"),
        ErrorCode.LOCKED: ("un autre programme y écrit", "another process writes it"),
        ErrorCode.NOT_A_JOURNAL: ("ce n'est pas un journal de Sabot", "it is not a Sabot journal"),
        ErrorCode.NEWER_SCHEMA: (
            "une version plus récente de Sabot l'a écrit",
            "a newer version of Sabot wrote it",
        ),
        ErrorCode.KEY: ("sa clé de signature est inutilisable", "its signing key cannot be used"),
    }
)
