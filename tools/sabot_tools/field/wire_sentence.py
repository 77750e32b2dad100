"""Messages between a controller and the gateway as sentences for the technician.

Owns the words. Law 7 holds here too: a tag is never shown, whether of a card, a chip or a badge; how many there were is
enough to see that an antenna works.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from sabot_tools.field.wire import Message

Values = Mapping[str, Any]
_TAGS: Final = ("uid", "uids")

_EVENTS: Final[Mapping[str, Callable[[Values], str]]] = {
    "hello": lambda v: f"started ({v['reset_cause']}): release {v['firmware']} on {v['board']}, {v['modules']} modules",
    "modules_listed": lambda v: f"lists its modules, part {v['part']} of {v['of']}",
    "card_scanned": lambda v: f"a card passed reader {v['reader']}",
    "card_doubtful": lambda v: f"a doubtful reading at reader {v['reader']}: {v['reason']}, {len(v['uids'])} tags",
    "chips_read": lambda v: f"seat {v['seat']} {v['spot']}: {len(v['uids'])} chips{_part(v)}",
    "chips_doubtful": lambda v: f"seat {v['seat']} {v['spot']}: doubtful, {v['reason']}, {len(v['uids'])} tags",
    "key_pressed": lambda v: f"key {v['key']}" + (f", seat {v['seat']}" if v["seat"] else ""),
    "badge_read": lambda _: "a badge was read",
    "cut_card": lambda _: "the cut card came",
    "discard_read": lambda v: f"the rack holds {len(v['uids'])} cards{_part(v)}",
    "seat_sensed": lambda v: f"seat {v['seat']} is {'taken' if v['occupied'] else 'free'}",
    "lamps_applied": lambda v: f"shows lamp picture {v['revision']}",
    "door": lambda v: f"the housing was {'opened' if v['open'] else 'closed'}",
    "health": lambda v: (
        f"health: {v['heap_free']} bytes free, {v['outbox_used']} events wait, "
        f"{v['reader_errors']} reader errors, {v['link_drops']} drops"
    ),
    "outbox_overflow": lambda v: f"lost its events {v['from']} to {v['to']}: the outbox was full",
    "fault": lambda v: f"fault {v['code']} {v['part']} {'began' if v['active'] else 'is over'}",
    "selftest_finished": lambda v: (
        f"self-test {v['test']}: " + ("passed" if v["passed"] else f"FAILED (part {v['part']})")
    ),
    "update_progressed": lambda v: f"update {v['update']}: {v['state']}",
    "command_finished": lambda v: f"command {v['number']}: {v['outcome']}",
    "message_refused": lambda v: f"refused a {v['channel']}: {v['code']}",
}


def sentences_of(message: Message) -> list[str]:
    """What a message says, one sentence for each event in it."""
    values = message.values
    if message.code:
        return [f"a {message.channel} that does not open: {message.code}"]
    match message.channel:
        case "event":
            first = values["first"]
            return [f"#{first + at} {_event(name, fields)}" for at, (name, fields) in enumerate(values["events"])]
        case "status":
            return [f"is {values['state']} (boot {values['boot']}, connection {values['connection']})"]
        case "ack":
            refused = f", refused: {values['refused']}" if values.get("refused") else ""
            return [f"acknowledged up to #{values['upto']}{refused}"]
        case "lamps":
            return [
                f"lamp picture {values['revision']}: {len(values['picture'])} lamps, {len(values['display'])} lines"
            ]
        case _:
            name, fields = values["body"]
            return [f"command {values['number']}: {name}{_fields(fields)}"]


def without_tags(value: Any) -> Any:
    """The same values for programs, with the number of tags in the place of the tags."""
    if isinstance(value, Mapping):
        return {
            name: (len(each) if name == "uids" else "hidden") if name in _TAGS else without_tags(each)
            for name, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [without_tags(each) for each in value]
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return value


def _event(name: str, fields: Values) -> str:
    say = _EVENTS.get(name)
    return say(fields) if say else name


def _part(values: Values) -> str:
    return f" (part {values['part']} of {values['of']})" if values["of"] > 1 else ""


def _fields(fields: Values) -> str:
    shown = [f"{name} {value}" for name, value in fields.items() if isinstance(value, int | str)]
    return f" ({', '.join(shown)})" if shown else ""
