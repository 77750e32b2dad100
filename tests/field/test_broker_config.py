"""`sabot broker-config` against a real Mosquitto and a real nats-server: branches, certificates, coming and going."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from field.brokers import Client, HardenedBroker, write_pair
from gateway_config.house_files import House as HouseFiles
from sabot_tools.cli import main
from sabot_tools.field.authority import Authority, Purpose, open_authority
from sabot_tools.field.house import open_house
from services.process import free_port

BRANCH = "sabot/v1/riviera"
FORBIDDEN = (
    *(f"{BRANCH}/t2-a/event", f"{BRANCH}/t1-a/lamps", f"{BRANCH}/t1-a/ack"),
    *("sabot/v1/dieppe/t1-a/event", "sabot/out/v1/riviera/t1/alert"),
)
# Others' branches, and where nats-server keeps its own messages, sessions and inboxes: a client is let into one inbox.
SPIED = (
    *(f"{BRANCH}/t2-a/command", f"{BRANCH}/+/command", f"{BRANCH}/t1-a/#", "#", f"{BRANCH}/t2-a/event"),
    *("$MQTT/#", "$MQTT/sub/#", "+/sub/#", "$JS/#", "_INBOX/#", f"$share/spies/{BRANCH}/#"),
)
BROKERS = ("mosquitto", "nats")


class Site:
    """A house with two controllers t1-a and t2-a that have certificates, and a broker's folder."""

    def __init__(self, folder: Path) -> None:
        self.files = HouseFiles(folder)
        self.folder = folder
        self.out = folder / "broker"
        self.port = free_port()
        self.authority: Authority = open_house(self.files.file).authority()
        self.pairs = {name: self.certify(name) for name in ("t1-a", "t2-a")}
        self.write()

    def certify(self, name: str) -> Path:
        return write_pair(self.folder, self.authority.issue(name, Purpose.CLIENT), name)

    def write(self, *more: str) -> None:
        where = ["--out", str(self.out), "--host", "127.0.0.1", "--host", "localhost"]
        listen = ["--listen", f"127.0.0.1:{self.port}", "--config", str(self.files.file)]
        assert main(["broker-config", *where, *listen, *more]) == 0

    def client(self, name: str, pair: Path | None, *, keeps_session: bool = False) -> Client:
        return Client(self.port, name, self.authority.file, pair, keeps_session=keeps_session)

    def gateway(self) -> Client:
        return self.client("gateway-pit-1", self.out / "gateway.pem")


@pytest.fixture(params=BROKERS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


@pytest.fixture
def broker(site: Site, kind: str) -> Iterator[HardenedBroker]:
    running = HardenedBroker(kind, site.out, site.port)
    yield running
    running.stop()


def test_a_controller_speaks_and_hears_in_its_own_branch_only(site: Site, broker: HardenedBroker) -> None:
    gateway, mine = site.gateway(), site.client("t1-a", site.pairs["t1-a"])
    assert gateway.is_up, gateway.outcome
    assert gateway.subscribe(f"{BRANCH}/+/event")
    assert mine.is_up, mine.outcome
    assert mine.subscribe(f"{BRANCH}/t1-a/command")
    mine.publish(f"{BRANCH}/t1-a/event", b"mine")
    assert gateway.wait_for(b"mine")
    gateway.publish(f"{BRANCH}/t1-a/command", b"order")
    assert mine.wait_for(b"order")
    mine.stop()
    witness = site.client("technician", site.out / "technician.pem")
    assert witness.subscribe(f"{BRANCH}/+/+")
    for topic in FORBIDDEN:
        forger = site.client("t1-a", site.pairs["t1-a"])  # anew each time: nats-server hangs up on who oversteps
        forger.publish(topic, b"forged")
        forger.stop()
    other = site.client("t2-a", site.pairs["t2-a"])
    for topic in SPIED:
        spy = site.client("t1-a", site.pairs["t1-a"])
        spy.subscribe(topic)
        gateway.publish(f"{BRANCH}/t2-a/command", topic.encode())
        other.publish(f"{BRANCH}/t2-a/event", topic.encode())
        # What follows on the spy's own branch comes after what it must not hear.
        assert witness.wait_for(topic.encode())
        if spy.subscribe(f"{BRANCH}/t1-a/command"):
            gateway.publish(f"{BRANCH}/t1-a/command", b"end")
            assert spy.wait_for(b"end")
        spy.stop()
        assert [data for _, data in spy.heard if data != b"end"] == [], topic
    assert b"forged" not in [data for _, data in witness.heard]
    for each in (gateway, other, witness):
        each.stop()


def test_the_certificate_says_who_it_is_whatever_client_id_is_given(
    site: Site, broker: HardenedBroker, kind: str
) -> None:
    """A controller that calls itself by another's id gets nothing of it, and the other one's orders still arrive.

    Mosquitto takes the id from the certificate: the two do not even meet. nats-server has no setting that ties an id to
    a certificate: there the stranger can break the other's connection, until the other one comes back.
    """
    gateway, rightful = site.gateway(), site.client("t2-a", site.pairs["t2-a"])
    assert rightful.subscribe(f"{BRANCH}/t2-a/command")
    stranger = site.client("t2-a", site.pairs["t1-a"])
    if _holds_branch(stranger, "t2-a"):
        assert kind == "mosquitto", "Mosquitto grants any subscription, and delivers nothing"
    stranger.publish(f"{BRANCH}/t2-a/event", b"forged")
    stranger.stop()
    if kind == "mosquitto":
        assert rightful.is_up
    else:
        rightful.stop()
        rightful = site.client("t2-a", site.pairs["t2-a"])
        assert rightful.subscribe(f"{BRANCH}/t2-a/command")
    assert gateway.subscribe(f"{BRANCH}/+/event")
    gateway.publish(f"{BRANCH}/t2-a/command", b"order")
    assert rightful.wait_for(b"order")
    rightful.publish(f"{BRANCH}/t2-a/event", b"genuine")
    assert gateway.wait_for(b"genuine")
    assert b"forged" not in [data for _, data in gateway.heard]
    assert stranger.heard == []
    for each in (gateway, rightful):
        each.stop()


def test_a_borrowed_client_id_inherits_nothing_of_a_session(site: Site, broker: HardenedBroker) -> None:
    """What waits for a controller that is away waits on: a stranger under its id neither hears it nor takes it away."""
    gateway, away = site.gateway(), site.client("t2-a", site.pairs["t2-a"], keeps_session=True)
    assert away.subscribe(f"{BRANCH}/t2-a/command")
    away.stop()
    stranger = site.client("t2-a", site.pairs["t1-a"], keeps_session=True)
    gateway.publish(f"{BRANCH}/t2-a/command", b"order")
    if stranger.is_up and stranger.subscribe(f"{BRANCH}/t1-a/command"):
        gateway.publish(f"{BRANCH}/t1-a/command", b"end")
        assert stranger.wait_for(b"end")
    stranger.stop()
    assert b"order" not in [data for _, data in stranger.heard]
    back = site.client("t2-a", site.pairs["t2-a"], keeps_session=True)
    assert back.wait_for(b"order")
    for each in (gateway, back):
        each.stop()


def _holds_branch(client: Client, device: str) -> bool:
    return client.is_up and client.subscribe(f"{BRANCH}/{device}/command")


def test_nobody_comes_in_without_a_good_certificate(site: Site, broker: HardenedBroker, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    pairs = {
        "wrong authority": write_pair(tmp_path, open_authority(foreign, "riviera").issue("t1-a", Purpose.CLIENT), "w"),
        "expired": write_pair(
            tmp_path,
            site.authority.issue("t1-a", Purpose.CLIENT, days=1, now=datetime.now(UTC) - timedelta(days=10)),
            "expired",
        ),
        "none": None,
    }
    for what, pair in pairs.items():
        client = site.client("t1-a", pair)
        assert not _holds(client), what
        client.stop()
    allowed = site.client("t1-a", site.pairs["t1-a"])
    assert allowed.is_up
    allowed.stop()


def _holds(client: Client) -> bool:
    """TLS 1.3 tells a refused client only when it reads: a connection counts once a subscription is granted."""
    return client.is_up and client.subscribe(f"{BRANCH}/t1-a/command")


def test_a_revoked_certificate_is_refused(site: Site, kind: str) -> None:
    """The copy of a stolen board: its certificate was withdrawn, its successor's was not."""
    stolen = site.pairs["t1-a"]
    site.authority.withdraw("t1-a", datetime.now(UTC))
    successor = write_pair(site.folder, site.authority.issue("t1-a", Purpose.CLIENT), "t1-a-new")
    site.write()
    running = HardenedBroker(kind, site.out, site.port)
    try:
        thief, rightful = site.client("t1-a", stolen), site.client("t1-a", successor)
        assert not _holds(thief)
        assert _holds(rightful), rightful.outcome
        thief.stop()
        rightful.stop()
    finally:
        running.stop()


def test_old_and_new_are_let_in_until_the_old_one_ends(site: Site, kind: str) -> None:
    site.authority.withdraw("t1-a", datetime.now(UTC) + timedelta(hours=1))
    successor = write_pair(site.folder, site.authority.issue("t1-a", Purpose.CLIENT), "t1-a-new")
    site.write()
    running = HardenedBroker(kind, site.out, site.port)
    try:
        for pair in (site.pairs["t1-a"], successor):
            client = site.client("t1-a", pair)
            assert _holds(client), client.outcome
            client.stop()
    finally:
        running.stop()


def test_a_running_broker_takes_who_came_and_drops_who_went(site: Site, broker: HardenedBroker) -> None:
    newcomer = site.certify("t1-b")
    site.files.add_device("t1-b", "t1")
    for file in ("t2-a.toml", "t2-a.key"):
        (site.files.folder / "devices" / file).unlink()
    site.write()
    broker.reload()
    for _ in range(200):  # a broker does not say when it has read its files again
        client = site.client("t1-b", newcomer)
        is_in = client.is_up and client.subscribe(f"{BRANCH}/t1-b/command")
        client.stop()
        if is_in:
            break
    assert is_in
    gone, gateway = site.client("t2-a", site.pairs["t2-a"]), site.gateway()
    assert gateway.subscribe(f"{BRANCH}/+/event")
    if gone.is_up:
        gone.publish(f"{BRANCH}/t2-a/event", b"from the dead")
    gateway2 = site.client("t1-b", newcomer)
    gateway2.publish(f"{BRANCH}/t1-b/event", b"alive")
    assert gateway.wait_for(b"alive")
    assert b"from the dead" not in [data for _, data in gateway.heard]
    for each in (gone, gateway, gateway2):
        each.stop()


def test_a_bridge_may_do_what_its_controllers_may(site: Site, kind: str) -> None:
    site.write("--bridge", "bridge-1=t1-a")
    running = HardenedBroker(kind, site.out, site.port)
    try:
        bridge, gateway = site.client("bridge-1", site.out / "bridge-1.pem"), site.gateway()
        assert gateway.subscribe(f"{BRANCH}/+/event")
        assert bridge.is_up, bridge.outcome
        assert bridge.subscribe(f"{BRANCH}/t1-a/lamps")
        bridge.publish(f"{BRANCH}/t1-a/event", b"carried")
        assert gateway.wait_for(b"carried")
        bridge.subscribe(f"{BRANCH}/t2-a/lamps")  # Mosquitto grants it, and delivers nothing
        gateway.publish(f"{BRANCH}/t2-a/lamps", b"not for this bridge")
        if bridge.is_up:
            gateway.publish(f"{BRANCH}/t1-a/lamps", b"for it")
            assert bridge.wait_for(b"for it")
        assert b"not for this bridge" not in [data for _, data in bridge.heard]
        bridge.stop()
        gateway.stop()
    finally:
        running.stop()


def test_a_second_run_changes_no_certificate_that_is_still_good(site: Site) -> None:
    before = {name: (site.out / name).read_bytes() for name in ("broker.pem", "gateway.pem", "technician.key")}
    site.write()
    assert {name: (site.out / name).read_bytes() for name in before} == before


def test_secrets_are_readable_by_their_owner_only(site: Site) -> None:
    open_to_others = [file for file in site.out.rglob("*.key") if file.stat().st_mode & 0o077]
    assert open_to_others == []
    assert site.out.stat().st_mode & 0o077 == 0


def test_who_has_no_certificate_yet_is_named(site: Site, capsys: pytest.CaptureFixture[str]) -> None:
    site.files.add_device("t1-c", "t1")
    capsys.readouterr()
    site.write("--json")
    told = json.loads(capsys.readouterr().out)
    assert told["without_certificate"] == ["t1-c"]
    assert set(told["members"]) == {"gateway-pit-1", "technician", "t1-a", "t2-a", "t1-c"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--listen", "nowhere"], "--listen must be an address and a port"),
        (["--bridge", "Bad Name"], "cannot be a bridge's name"),
        (["--bridge", "b=ghost"], "There is no controller ghost"),
        (["--config", "no-such.toml"], "cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(
    site: Site, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    common = ["--out", str(site.out), "--host", "h", "--config", str(site.files.file)]
    assert main(["broker-config", *common, *arguments]) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
