"""Webhooks against a real HTTP server: signed, retried, resumed; nothing lost, nothing doubled unseen."""

import hashlib
import hmac
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware.certificates import Authority
from outputs.decided import SECRET, alert, decide, open_journal, webhook
from outputs.post_office import PATIENCE_S, PostOffice, post_office
from sabot_gateway.errors import StartError
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.model.effect import ClearAlert, RecordDecision
from sabot_gateway.outputs.outputs import Outputs
from sabot_gateway.outputs.webhook import Webhook
from sabot_gateway.settings.shape import Subject, WebhookSettings
from services.process import free_port


class House:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal: Journal = open_journal(folder)
        self.said: list[str] = []

    def wait_said(self) -> None:
        limit = time.monotonic() + PATIENCE_S
        while not self.said:
            assert time.monotonic() < limit
            time.sleep(0.01)  # a plain list has no other way to say that it grew

    @contextmanager
    def telling(self, *webhooks: WebhookSettings) -> Iterator[Outputs]:
        receivers = [Webhook(each, timeout_s=PATIENCE_S) for each in webhooks]
        outputs = Outputs(
            self.journal,
            receivers,
            self.folder,
            "site",
            "pit-1",
            self.said.append,
            first_retry_ms=5,
            longest_retry_ms=20,
        )
        outputs.start()
        try:
            yield outputs
        finally:
            outputs.stop()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "data")
    yield house
    house.journal.close()


def test_a_message_is_posted_with_its_id_and_a_signature_that_the_receiver_can_check(house: House) -> None:
    with post_office() as office, house.telling(webhook(office.url + "/sabot?key=1")) as outputs:
        outputs.said(decide(house.journal, "table-1", alert()))
        office.wait(1)
    (post,) = office.posts
    assert post.path == "/sabot?key=1"
    assert post.headers["Content-Type"] == "application/json"
    assert post.headers["Sabot-Id"] == json.loads(post.body)["id"] == "table-1/2/1"
    signed = post.headers["Sabot-Timestamp"].encode() + b"." + post.body
    expected = "v1=" + hmac.new(SECRET, signed, hashlib.sha256).hexdigest()
    assert post.headers["Sabot-Signature"] == expected


def test_order_is_the_journals_and_changes_of_phase_are_told_to_nobody(house: House) -> None:
    with post_office() as office, house.telling(webhook(office.url)) as outputs:
        outputs.said(decide(house.journal, "table-1", RecordDecision(1, "phase")))
        for number in range(20):
            effects = alert(coup=number), ClearAlert(f"{number}/x", "corrected")
            outputs.said(decide(house.journal, f"table-{number % 3}", *effects))
        outputs.said(decide(house.journal, "table-1", alert(coup=99)))
        office.wait(41)
    assert len(set(office.ids)) == 41
    ids = [json.loads(post.body)["journal_id"] for post in office.posts]
    assert ids == sorted(ids)
    assert [json.loads(post.body)["event"] for post in office.posts[:2]] == ["raised", "cleared"]


def test_errors_are_tried_again_until_they_pass_with_the_same_id_and_body(house: House) -> None:
    with post_office() as office, house.telling(webhook(office.url)) as outputs:
        office.answer = lambda number: 200 if number > 6 else (500, 404, 401, 429, 503, 302)[number - 1]
        outputs.said(decide(house.journal, "table-1", alert()))
        office.wait(7)
        outputs.said(decide(house.journal, "table-1", alert()))
        office.wait(8)
    assert office.ids[:7] == ["table-1/2/1"] * 7
    assert office.ids[7] == "table-1/4/1"
    assert len({post.body for post in office.posts[:7]}) == 1
    assert house.said == [
        "The webhook erp at 127.0.0.1 answers with status 500. It is tried again until it goes well.",
        "webhook-erp takes messages again.",
    ]


def test_a_redirection_is_not_followed(house: House) -> None:
    with post_office() as office, house.telling(webhook(office.url + "/here")) as outputs:
        office.answer = lambda number: 307 if number == 1 else 200
        outputs.said(decide(house.journal, "table-1", alert()))
        office.wait(2)
    assert [post.path for post in office.posts] == ["/here", "/here"]


def test_a_receivers_certificate_is_checked(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = Authority(tmp_path)
    with post_office(certificate=authority.issue("127.0.0.1")) as office, house.telling(webhook(office.url)) as outputs:
        outputs.said(decide(house.journal, "table-1", alert()))
        house.wait_said()
        assert office.posts == []
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))  # as the system would, once it trusts the house
        office.wait(1)
    assert house.said[0].startswith("The webhook erp at 127.0.0.1 has a certificate that cannot be trusted: ")


@pytest.mark.parametrize("status", [400, 413, 415, 422])
def test_a_message_that_will_never_be_taken_is_passed_over_aloud(house: House, status: int) -> None:
    with post_office() as office, house.telling(webhook(office.url)) as outputs:
        office.answer = lambda number: status if number == 1 else 204
        outputs.said(decide(house.journal, "table-1", alert()))
        outputs.said(decide(house.journal, "table-1", alert()))
        office.wait(2)
    assert office.ids == ["table-1/2/1", "table-1/4/1"]
    assert house.said == [
        f"The webhook erp at 127.0.0.1 refuses message table-1/2/1 with status {status}. It is passed over."
    ]


def test_a_receiver_that_is_not_there_gets_everything_once_it_is(house: House) -> None:
    port = free_port()
    with house.telling(webhook(f"http://127.0.0.1:{port}")) as outputs:
        for _ in range(5):
            outputs.said(decide(house.journal, "table-1", alert()))
        with post_office(port) as office:
            office.wait(5)
    assert office.ids == [f"table-1/{position}/1" for position in (2, 4, 6, 8, 10)]
    assert house.said[0].startswith("The webhook erp at 127.0.0.1 does not listen there.")


def test_a_receiver_that_hangs_up_between_posts_is_called_again(house: House) -> None:
    with post_office() as office, house.telling(webhook(office.url)) as outputs:
        office.is_keeping_connections = False
        for count in range(1, 4):
            outputs.said(decide(house.journal, "table-1", alert()))
            office.wait(count)
    assert len(set(office.ids)) == 3
    assert not any("status" in sentence for sentence in house.said)


def test_a_receiver_that_never_answers_holds_up_nobody(house: House) -> None:
    stuck, release = threading.Event(), threading.Event()

    def hang(_: int) -> int:
        stuck.set()
        release.wait(PATIENCE_S)
        return 200

    with (
        post_office() as slow,
        post_office() as quick,
        house.telling(webhook(slow.url, name="slow"), webhook(quick.url, name="quick")) as outputs,
    ):
        slow.answer = hang
        outputs.said(decide(house.journal, "table-1", alert()))
        assert stuck.wait(PATIENCE_S)
        for _ in range(50):
            outputs.said(decide(house.journal, "table-1", alert()))  # returns at once: this test would never end else
        quick.wait(51)
        assert len(slow.posts) == 1
        release.set()
        slow.wait(51)
    assert slow.ids == quick.ids


def test_only_what_was_asked_for_is_told(house: House) -> None:
    with post_office() as office:
        one = webhook(office.url + "/one", name="one", tables=("table-2",))
        two = webhook(office.url + "/two", name="two", subjects=(Subject.SETTLEMENT,))
        with house.telling(one, two) as outputs:
            for table in ("table-1", "table-2", "table-3"):
                outputs.said(decide(house.journal, table, alert()))
            outputs.said(decide(house.journal, "table-2", alert()))
            office.wait(2)
    assert [(post.path, post.headers["Sabot-Id"]) for post in office.posts] == [
        ("/one", "table-2/2/1"),
        ("/one", "table-2/4/1"),
    ]


def test_another_gateways_decisions_are_left_to_it(house: House) -> None:
    with post_office() as office, house.telling(webhook(office.url)) as outputs:
        decide(house.journal, "table-9", alert(), owner="pit-2")
        outputs.said(decide(house.journal, "table-1", alert()))
        office.wait(1)
    assert office.ids == ["table-1/2/1"]


def test_a_new_receiver_is_not_told_of_the_past_and_an_old_one_goes_on_where_it_was(house: House) -> None:
    decide(house.journal, "table-1", alert())
    with post_office() as office:
        with house.telling(webhook(office.url)) as outputs:
            outputs.said(decide(house.journal, "table-1", alert()))
            office.wait(1)
        for _ in range(3):
            decide(house.journal, "table-1", alert())  # while nobody tells
        with house.telling(webhook(office.url), webhook(office.url + "/new", name="new")):
            office.wait(4)
        assert [post.path for post in office.posts] == ["/"] * 4
    assert office.ids == [f"table-1/{position}/1" for position in (4, 6, 8, 10)]


def test_a_lost_bookmark_write_repeats_messages_with_the_same_ids(house: House) -> None:
    mark = house.folder / "outputs" / "webhook-erp.json"
    with post_office() as office:
        with house.telling(webhook(office.url)) as outputs:
            before = mark.read_bytes()
            outputs.said(decide(house.journal, "table-1", alert()))
            office.wait(1)
        mark.write_bytes(before)  # as a crash between the answer and the mark leaves it
        with house.telling(webhook(office.url)):
            office.wait(2)
    assert office.ids == ["table-1/2/1"] * 2
    assert office.posts[0].body == office.posts[1].body


def test_no_mark_runs_ahead_of_what_is_on_disk(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision is told before it is flushed; a mark behind one that a power cut takes back would pass others over."""
    mark = house.folder / "outputs" / "webhook-erp.json"
    refused: Future[None] = Future()
    refused.set_exception(JournalError(ErrorCode.UNAVAILABLE))
    with post_office() as office:
        with house.telling(webhook(office.url)) as outputs:
            before = mark.read_bytes()
            with monkeypatch.context() as patch:
                patch.setattr(house.journal, "probe", lambda: refused)
                outputs.said(decide(house.journal, "table-1", alert()))
                office.wait(1)
                outputs.stop()
            assert mark.read_bytes() == before
        with house.telling(webhook(office.url)):
            office.wait(2)
        assert mark.read_bytes() != before
    assert office.ids == ["table-1/2/1"] * 2


def test_a_damaged_bookmark_is_said_at_the_start(house: House) -> None:
    folder = house.folder / "outputs"
    folder.mkdir(mode=0o700)
    (folder / "webhook-erp.json").write_text('{"told": "yesterday"}')
    with pytest.raises(StartError, match=r"webhook-erp\.json is damaged"), house.telling(webhook("http://127.0.0.1:1")):
        pass


_TELLER = """
import sys
from pathlib import Path
from firmware.certificates import Authority
from outputs.decided import alert, decide, open_journal, webhook
from sabot_gateway.outputs.outputs import Outputs
from sabot_gateway.outputs.webhook import Webhook
folder = Path(sys.argv[1])
journal = open_journal(folder)
outputs = Outputs(journal, [Webhook(webhook(sys.argv[2]))], folder, "site", "pit-1", lambda _: None,
                  first_retry_ms=5, longest_retry_ms=20)
outputs.start()
while True:
    news = decide(journal, "table-1", alert())
    outputs.said(news)
    sys.stdout.write(f"{news.position}\\n")
    sys.stdout.flush()
"""


@pytest.mark.slow
def test_killed_at_any_instant_every_durable_decision_is_told_and_repeats_carry_the_same_body(tmp_path: Path) -> None:
    durable = 0
    dice = random.Random(20_261_118)
    with post_office() as office:
        for _ in range(5):
            durable = _run_and_kill(tmp_path / "data", office, dice.randint(1, 60))
        house = House(tmp_path / "data")
        with house.telling(webhook(office.url)) as outputs:
            last = decide(house.journal, "table-1", alert())
            outputs.said(last)
            office.wait_for(f"table-1/{last.position}/1")
        decisions = {
            record.position for record in house.journal.read(Stream("table-1")) if record.kind is Kind.DECISION
        }
        house.journal.close()
    bodies: dict[str, set[bytes]] = {}
    for post in office.posts:
        bodies.setdefault(post.headers["Sabot-Id"], set()).add(post.body)
    assert {len(each) for each in bodies.values()} == {1}
    told = {int(identity.split("/")[1]) for identity in bodies}
    assert durable in decisions
    assert told == decisions


def _run_and_kill(folder: Path, office: PostOffice, posts: int) -> int:
    """The last position that the child said was durable, before it was killed in the middle of its work."""
    child = subprocess.Popen(
        [sys.executable, "-c", _TELLER, str(folder), office.url],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with child:
        assert child.stdout
        first = child.stdout.readline()
        office.wait(len(office.posts) + posts)
        os.kill(child.pid, signal.SIGKILL)
        lines = [first, *child.stdout.read().splitlines(keepends=True)]
    return int([line for line in lines if line.endswith(b"\n")][-1])
