"""What becomes of a message that arrived: opened, decoded, numbered, timed; taken, or refused with a reason.

Pure: no client, no clock, no journal; times come with the arrivals. A message ends in exactly one way:
  - new: one fact for the table's stream, and an ack once that is durable;
  - seen before: an ack again;
  - behind a hole: a question for what is missing (the controller keeps it until it is acknowledged);
  - status: the line's presence, and a fact when the table must know;
  - everything else: a refusal for quarantine, with the wire's code or one of REASONS (refusal_reason.py).
So the caller may settle an arrival with the broker when what came out of it is durable. Where nothing is to be written,
nothing is lost by settling: what is not acknowledged to the controller comes again.
"""

from collections.abc import Container, Iterable, Mapping
from typing import Any, Final

from sabot_gateway.journal.quarantine import Refusal
from sabot_gateway.journal.record import Entry, Kind
from sabot_gateway.link.allowance import Allowance, Unkept
from sabot_gateway.link.clock import UNSET, Clock, is_set_due, leapt, observe, set_back, was_set
from sabot_gateway.link.device import Registry
from sabot_gateway.link.line import Line
from sabot_gateway.link.sequence import Sequence, Verdict
from sabot_gateway.link.silence import Noticed, Presence, granted, heard, passed, told
from sabot_gateway.model.event import ClockSkewed, LinkEvent, LinkLost, LinkRestored
from sabot_gateway.mqtt.glance import glance
from sabot_gateway.mqtt.ingested import Ack, Ingested, Order, Received, Trouble, TroubleCode
from sabot_gateway.mqtt.payload import payload_of, peeked
from sabot_gateway.mqtt.port import Arrival
from sabot_gateway.mqtt.refusal_reason import RefusedError
from sabot_gateway.transcript.fact import (
    Batch,
    Said,
    Withheld,
    body_from_batch,
    body_from_event,
    body_from_withheld,
)
from sabot_protocol.codec import decode
from sabot_protocol.errors import WireError
from sabot_protocol.topics import UP, parse_topic
from sabot_protocol.version import ACCEPTED, judge_hello

STRANGER: Final = "stranger"  # no controller of the house

TEND_MS: Final = 250  # how often questions are looked after
ROUND_MS: Final = 1_000  # how often presence and clocks are


class Ingest:
    """The lines of one site. One caller at a time. `digests`: the software that the house accepts; None accepts any."""

    def __init__(self, site: str, registry: Registry, digests: Container[bytes] | None = None) -> None:
        self._site = site
        self._registry = registry
        self._digests = digests
        self._lines: dict[str, Line] = {}
        self._routes: dict[str, tuple[str, Line]] = {}
        self._tended_ms = self._round_ms = 0
        self.is_deaf = False  # the broker is away
        self._allowance = Allowance()
        self.counts: dict[str, int] = dict.fromkeys(_COUNTED, 0)

    def resume(self, device: str, sequence: Sequence, is_lost: bool, now_ms: int, clock: Clock = UNSET) -> None:
        """Goes on where the journal stands; the furthest sequence counts where several tables know the device."""
        known = self._registry.find(device)
        if known is None:
            return
        before = self._lines.get(device)
        if before is None or before.sequence.upto < sequence.upto:
            presence = Presence(now_ms, sequence.boot, 0, 0, is_lost, "lost" if is_lost else "online")
            self._lines[device] = line = Line(known, sequence, presence)
            line.clock = clock

    def register(self, registry: Registry, digests: Container[bytes] | None = None) -> None:
        """Uses another registry from now on; lines of devices that are still there go on."""
        self._registry = registry
        self._digests = digests
        self._routes.clear()
        lines, self._lines = self._lines, {}
        for name, line in lines.items():
            device = registry.find(name)
            if device is not None:
                line.device = device
                self._lines[name] = line

    def line(self, device: str) -> Line | None:
        """What is known of a controller, for pages; None when nothing was heard."""
        return self._lines.get(device)

    def order(self, device: str, name: str, values: Mapping[str, Any], now_ms: int) -> Order:
        """A command with its number; KeyError for a device that is not registered."""
        return Order(device, self._line(device).order_number(now_ms), name, values)

    def release(self, device: str) -> None:
        """A person has removed the twin: what comes now under this name is taken again."""
        line = self._lines.get(device)
        if line is not None:
            line.is_twin = False

    def sender(self, topic: str) -> str:
        """In whose name a message on this topic came: a controller of the house, or STRANGER."""
        try:
            site, device, _ = parse_topic(topic)
        except WireError:
            return STRANGER
        return device if site == self._site and self._registry.find(device) is not None else STRANGER

    def take(self, arrivals: Iterable[Arrival]) -> Ingested:
        """What becomes of these messages, in their order."""
        out = Ingested()
        routes = self._routes
        for arrival in arrivals:
            try:
                route = routes.get(arrival.topic)
                if route is None:
                    route = self._route(arrival.topic)
                channel, line = route
                if channel == "event":
                    self._event(line, arrival, out)
                else:
                    self._status(line, arrival, out)
            except WireError as error:
                self._refuse(error.code, arrival, out)
            except RefusedError as error:
                self._refuse(error.reason, arrival, out)
        return out

    def hears(self, is_up: bool, now_ms: int) -> None:
        """The broker is there, or away. While it is away nobody is lost for having said nothing."""
        if is_up and self.is_deaf:
            for line in self._lines.values():
                line.presence = granted(line.presence, now_ms)
        self.is_deaf = not is_up

    def tend(self, now_ms: int) -> Ingested:
        """What time alone brings about: losses, questions put again, clocks to be set. Cheap to call often."""
        out = Ingested()
        if now_ms - self._tended_ms >= TEND_MS:
            self._tended_ms = now_ms
            out.unkept = self._allowance.unkept(now_ms)
            is_round = now_ms - self._round_ms >= ROUND_MS
            if is_round:
                self._round_ms = now_ms
            for line in self._lines.values():
                if line.window.has_hole:
                    asks = line.window.due(now_ms)
                    if asks is not None:
                        self._ask(line, asks, now_ms, out)
                if is_round:
                    self._look(line, now_ms, out)
        return out

    def unkept(self, now_ms: int) -> list[Unkept]:
        """What was refused and only counted since it was told last; for a gateway that stops."""
        return self._allowance.unkept(now_ms, at_once=True)

    def _look(self, line: Line, now_ms: int, out: Ingested) -> None:
        if not self.is_deaf:
            self._notice(line, passed(line.presence, now_ms), now_ms, out)
        if not is_set_due(line.clock, now_ms) or line.is_twin or line.presence.state != "online":
            return
        line.clock, off_ms = was_set(line.clock, now_ms)
        out.orders.append(self.order(line.device.id, "time", {"utc_ms": now_ms}, now_ms))
        if off_ms is not None:
            self._say(line, ClockSkewed(off_ms, at_ms=now_ms, device=line.device.id), now_ms, out)

    def _route(self, topic: str) -> tuple[str, Line]:
        site, device, channel = parse_topic(topic)
        if site != self._site:
            raise RefusedError("other_site")
        if channel not in UP:
            raise RefusedError("wrong_direction")
        try:
            line = self._line(device)
        except KeyError:
            raise RefusedError("unknown_device") from None
        self._routes[topic] = route = channel, line
        return route

    def _line(self, device: str) -> Line:
        line = self._lines.get(device)
        if line is None:
            known = self._registry.find(device)
            if known is None:
                raise KeyError(device)
            self._lines[device] = line = Line(known)
        return line

    def _event(self, line: Line, arrival: Arrival, out: Ingested) -> None:
        payload = payload_of(line, arrival)
        try:
            _, values = decode(payload, "event")
        except WireError:
            if self._newer_dialect(line, arrival, payload, out):
                return
            raise
        counts = self.counts
        counts["messages"] += 1
        boot, first, events = values["boot"], values["first"], values["events"]
        now_ms = arrival.received_ms
        times, hello, lost, played = glance(line, events, now_ms)
        skip = self._passes(line, boot, first, times, lost, arrival, out)
        if skip < 0:
            return
        window = line.window
        known = window.sequence
        reason = known.refused if boot == known.boot else ""
        if hello is not None:
            reason = judge_hello(hello["major"], hello["minor"], hello["schema"])
            reason = "" if reason == ACCEPTED else reason
            if not reason and self._digests is not None and hello["digest"] not in self._digests:
                reason = "digest_unknown"
        if reason:
            self._withhold(line, boot, first, skip, times, reason, arrival, out)
            return
        if times[-1] < known.last_ms and boot == known.boot:
            line.clock, off_ms = set_back(line.clock, known.last_ms, times[-1], now_ms)
            if off_ms is not None:
                self._say(line, ClockSkewed(off_ms, at_ms=now_ms, device=line.device.id), now_ms, out)
        before = line.clock
        line.clock = clock = observe(before, boot, times[-1], now_ms)
        if clock.offset_ms != before.offset_ms:
            off_ms = leapt(before, clock)
            if off_ms is not None:
                self._say(line, ClockSkewed(off_ms, at_ms=now_ms, device=line.device.id), now_ms, out)
        line.behind_ms = now_ms - clock.offset_ms - times[-1]
        window.take(boot, first, times)
        counts["events"] += len(times) - skip
        device = line.device
        if played:
            out.troubles.append(Trouble(device.id, device.table, TroubleCode.PLAYED_TO, played, now_ms))
        name, offset_ms, spread_ms = device.id, clock.offset_ms, clock.spread_ms
        body = body_from_batch(name, skip, offset_ms, spread_ms, payload)
        fact = Batch(name, skip, offset_ms, spread_ms, boot, first, events)
        at_ms = times[skip] + offset_ms
        out.facts.append(Received(device.table, Entry(Kind.FACT, body, now_ms, at_ms if at_ms > 0 else 0), fact))
        out.acks[name] = Ack(boot, first + len(times) - 1)

    def _passes(
        self,
        line: Line,
        boot: int,
        first: int,
        times: list[int],
        lost: tuple[int, int] | None,
        arrival: Arrival,
        out: Ingested,
    ) -> int:
        """How many events to leave out, or -1 when nothing of the batch is taken."""
        now_ms = arrival.received_ms
        if line.is_twin:
            self._twin(line, boot, first, times, arrival, out)
            return -1
        verdict, skip, asks = line.window.judge(boot, first, times, lost, now_ms)
        if verdict is Verdict.REPLAYED:
            # A recording proves nothing of who is there. What the broker itself gives again, nobody played.
            self.counts["duplicates"] += 1
            if not arrival.is_again and line.is_refused_first(boot, first, times[-1]):
                self._quarantine("replayed", arrival, out)
            self._ack_again(line, out)
            return -1
        presence = line.presence
        if presence.lost_ms or presence.is_lost or presence.state != "online":
            self._notice(line, heard(presence, boot, now_ms), now_ms, out)
        elif now_ms - presence.heard_ms >= ROUND_MS:
            line.presence = presence._replace(heard_ms=now_ms)
        if verdict is Verdict.NEW:
            return skip
        if verdict is Verdict.TWIN:
            self._expose_twin(line, now_ms, out)
            self._twin(line, boot, first, times, arrival, out)
            return -1
        if verdict is Verdict.LATE:
            self.counts["late"] += 1
            if line.is_refused_first(boot, first, times[-1]):
                self._quarantine("events_late", arrival, out)
                trouble = Trouble(line.device.id, line.device.table, TroubleCode.EVENTS_LATE, f"{first}", now_ms)
                out.troubles.append(trouble)
        self.counts["ahead" if verdict is Verdict.AHEAD else "duplicates"] += 1
        if asks is not None:
            self._ask(line, asks, now_ms, out)
        self._ack_again(line, out)
        return -1

    def _withhold(
        self,
        line: Line,
        boot: int,
        first: int,
        skip: int,
        times: list[int],
        reason: str,
        arrival: Arrival,
        out: Ingested,
    ) -> None:
        """The events of a refused boot go to quarantine; the table hears that they are missing, the controller why."""
        device, now_ms = line.device, arrival.received_ms
        is_news = line.sequence.refused != reason or line.sequence.boot != boot
        line.window.take(boot, first, times)
        line.window.refuse(reason)
        fact = Withheld(device.id, boot, first + skip, first + len(times) - 1, times[-1], reason)
        out.facts.append(Received(device.table, Entry(Kind.FACT, body_from_withheld(fact), now_ms), fact))
        self._quarantine(reason, arrival, out)
        out.acks[device.id] = Ack(boot, first + len(times) - 1, reason)
        if is_news:
            out.troubles.append(Trouble(device.id, device.table, TroubleCode.REFUSED, reason, now_ms))

    def _newer_dialect(self, line: Line, arrival: Arrival, payload: bytes, out: Ingested) -> bool:
        """A message that cannot be decoded, of a controller whose hello says why: refused like any refused boot."""
        seen = peeked(payload)
        if seen is None or line.is_twin:
            return False
        boot, first, times, hello = seen
        known = line.sequence
        reason = known.refused if boot == known.boot else ""
        if hello is not None:
            reason = judge_hello(*hello)
        if not reason or reason == ACCEPTED:
            return False
        skip = self._passes(line, boot, first, times, None, arrival, out)
        if skip >= 0:
            self._withhold(line, boot, first, skip, times, reason, arrival, out)
        return True

    def _expose_twin(self, line: Line, now_ms: int, out: Ingested) -> None:
        device = line.device
        line.is_twin = True
        out.troubles.append(Trouble(device.id, device.table, TroubleCode.TWIN_DEVICE, "", now_ms))
        if not line.presence.is_lost:
            line.presence = line.presence._replace(is_lost=True)
            self._say(line, LinkLost(at_ms=now_ms, device=device.id), now_ms, out)

    def _twin(self, line: Line, boot: int, first: int, times: list[int], arrival: Arrival, out: Ingested) -> None:
        """Nothing of either is taken, so that both keep what they have until a person has looked."""
        self.counts["twins"] += 1
        if line.is_refused_first(boot, first, times[-1]):
            self._quarantine("twin_device", arrival, out)
        known = line.sequence
        if boot == known.boot:
            # An ack of another boot would free events that nobody has.
            out.acks[line.device.id] = Ack(boot, known.upto, "twin_device")

    def _status(self, line: Line, arrival: Arrival, out: Ingested) -> None:
        _, values = decode(payload_of(line, arrival), "status")
        self.counts["statuses"] += 1
        if not line.is_twin:
            noticed = told(line.presence, values["state"], values["boot"], values["connection"], arrival.received_ms)
            self._notice(line, noticed, arrival.received_ms, out)

    def _notice(self, line: Line, noticed: Noticed, now_ms: int, out: Ingested) -> None:
        line.presence, change = noticed
        if change is not None and not line.is_twin:
            device = line.device.id
            event: LinkEvent = (
                LinkRestored(at_ms=now_ms, device=device) if change else LinkLost(at_ms=now_ms, device=device)
            )
            self._say(line, event, now_ms, out)

    def _say(self, line: Line, event: LinkEvent, now_ms: int, out: Ingested) -> None:
        entry = Entry(Kind.FACT, body_from_event(event), now_ms)
        out.facts.append(Received(line.device.table, entry, Said(event)))

    def _ask(self, line: Line, asks: tuple[int, int], now_ms: int, out: Ingested) -> None:
        self.counts["resends"] += 1
        # The newest boot we know is never above the controller's own, which would refuse the order.
        values = {"boot": max(1, line.sequence.boot), "from": asks[0], "to": asks[1]}
        out.orders.append(self.order(line.device.id, "resend", values, now_ms))

    def _ack_again(self, line: Line, out: Ingested) -> None:
        known = line.sequence
        if known.upto:
            out.acks[line.device.id] = Ack(known.boot, known.upto, known.refused)

    def _refuse(self, reason: str, arrival: Arrival, out: Ingested) -> None:
        """Bytes that nobody vouches for: kept as far as there is room for the one in whose name they came."""
        counts, size = self.counts, len(arrival.payload)
        counts["refused"] += 1
        counts["refused_bytes"] += size
        if self._allowance.admits(self.sender(arrival.topic), size, arrival.received_ms):
            self._quarantine(reason, arrival, out)
        else:
            counts["refused_unkept"] += 1

    def _quarantine(self, reason: str, arrival: Arrival, out: Ingested) -> None:
        out.refusals.append(Refusal(reason, arrival.topic, arrival.payload, arrival.received_ms))


_COUNTED: Final = (
    "messages",
    "events",
    "statuses",
    "duplicates",
    "ahead",
    "late",
    "twins",
    "resends",
    "refused",
    "refused_bytes",
    "refused_unkept",
)
