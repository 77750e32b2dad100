"""Whatever tags, flash, files and messages hold, the core answers with data or its own error, and goes on."""

from hashlib import sha256

from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_firmware.config import ConfigError, dump_config, parse_config
from sabot_firmware.core.badge import Badge
from sabot_firmware.core.glyph import wrapped
from sabot_firmware.core.keypad import Keypad
from sabot_firmware.core.lamps import Lamps
from sabot_firmware.core.manifest import Manifest, ManifestError
from sabot_firmware.core.outbox import Outbox
from sabot_firmware.core.shoe import Shoe
from sabot_firmware.core.slot import slots_from_copies
from sabot_firmware.core.spots import Spots
from sabot_firmware.core.ticks import MASK, ticks_add
from sabot_firmware.core.update import Update
from sabot_firmware.fake.flash_store import FlashStore
from sabot_protocol.messages import DOUBT, UPDATE

some_uids = st.lists(
    st.one_of(st.binary(max_size=12), st.sampled_from([b"\x04ABC", b"\x04DEF", b"\xe0123456"])), max_size=12
)
passages = st.lists(st.tuples(st.integers(0, 3000), some_uids), max_size=60)


def _lost(first: int, last: int) -> bytes:
    return f"lost {first}-{last}".encode()


@settings(deadline=None)
@given(passages)
def test_any_reads_give_outputs_of_the_wire(passage: list[tuple[int, list[bytes]]]) -> None:
    now = MASK - 5000
    shoe, badge = Shoe(lambda uid: uid[:1] == b"\xe0"), Badge()
    spots = Spots(((1, "ante"), (1, "play")), now, max_tags=6)
    for step, uids in passage:
        now = ticks_add(now, step)
        for output in shoe.feed(now, uids):
            if output[0] == "card_doubtful":
                assert output[2] in DOUBT[1]
                assert len(output[1]) <= 8  # type: ignore[arg-type]  # an output is a plain tuple on purpose
            else:
                assert output[0] == "card_scanned"
                assert len(output[1]) in (4, 7, 8, 10)  # type: ignore[arg-type]  # as above
        spots.feed(now, step & 1, uids)
        told = [uid for _, _, some in spots.due(now) for uid in some]
        assert len(told) == len(set(told)) <= 6, "no tag is told in two places"
        assert all(doubt[3] in DOUBT[1] for doubt in spots.doubts(now))
        found = badge.feed(now, uids)
        assert found is None or len(found) in (4, 7, 8, 10)


@settings(deadline=None)
@given(st.binary(min_size=640, max_size=640), st.lists(st.binary(max_size=40), max_size=8))
def test_any_flash_content_opens_and_takes_events(content: bytes, events: list[bytes]) -> None:
    store = FlashStore(160, 4)
    store.cells[:] = content
    outbox = Outbox(store, _lost)
    first = outbox.newest + 1
    for event in events:
        outbox.append(event)
    assert outbox.pending(first, 1000)[2] == events
    assert store.overwrites == 0


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 639), st.integers(0, 7)), max_size=12),
    st.lists(st.binary(max_size=30), min_size=1, max_size=12),
)
def test_flipped_bits_before_the_newest_event_lose_some_but_alter_none(
    flips: list[tuple[int, int]], events: list[bytes]
) -> None:
    store = FlashStore(160, 4)
    outbox = Outbox(store, _lost)
    stored = {outbox.append(event): event for event in events}
    newest = bytes(store.cells).rfind(
        b"\x5a" + len(events[-1]).to_bytes(2, "little") + max(stored).to_bytes(4, "little")
    )
    for at, bit in flips:
        if not newest - 1 <= at < newest + 11 + len(events[-1]):
            store.cells[at] ^= 1 << bit
    again = Outbox(store, _lost)
    first = 1
    while True:
        _, start, found = again.pending(first, 10_000)
        if not found:
            break
        for event in found:
            assert event == stored.get(start, event)
            assert start in stored or event.startswith(b"lost ")
            start += 1
        first = start


@settings(deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=200).map(str.encode)))
def test_any_file_is_a_config_or_a_sentence(data: bytes) -> None:
    try:
        config = parse_config(data)
    except ConfigError as error:
        assert str(error).endswith(".")  # noqa: PT017  # either outcome is right
    else:
        assert dump_config(parse_config(dump_config(config))) == dump_config(config)


@given(st.binary(max_size=300))
def test_any_manifest_is_read_or_refused(data: bytes) -> None:
    try:
        manifest = Manifest(b"sabot-firmware 1\nboard b\nrelease r\nserial 1\n" + data)
    except ManifestError:
        return
    for at in range(manifest.count):
        path, _, digest = manifest.file(at)
        assert ".." not in path
        assert not path.startswith("/")
        assert len(digest) == 32


@given(st.lists(st.binary(max_size=30), max_size=2))
def test_any_slot_record_starts_a_slot(copies: list[bytes]) -> None:
    assert slots_from_copies(copies).choose()[0] in (0, 1)


blocks = st.tuples(st.integers(1, 3), st.integers(0, 3), st.integers(0, 40), st.binary(min_size=1, max_size=40))
offers = st.tuples(st.integers(1, 3), st.integers(1, 60), st.binary(min_size=32, max_size=32), st.binary(max_size=64))


@settings(deadline=None)
@given(st.lists(st.one_of(blocks, offers, st.integers(1, 3)), max_size=20))
def test_no_order_of_update_messages_writes_without_a_signature(messages: list[object]) -> None:
    update = Update("pico-w", 1, sha256(b"no point of the curve").digest() * 2)
    for message in messages:
        match message:
            case (int(number), int(file), int(offset), bytes(data)):
                outputs = update.block(number, file, offset, data)
            case (int(number), int(size), bytes(digest), bytes(signature)):
                outputs = update.offer(number, "r", size, digest, signature)
            case int(number):
                outputs = update.switch(number) + update.cancel(number)
            case _:
                raise AssertionError(message)
        for output in outputs + update.step():
            assert output[0] == "report"
            assert output[1] in UPDATE[1]


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, (1 << 20) - 1)), max_size=80))
def test_any_contacts_press_only_keys_that_exist(scans: list[tuple[int, int]]) -> None:
    keypad = Keypad(4, 4)
    now = MASK - 500
    for step, mask in scans:
        now = ticks_add(now, step)
        assert all(0 <= key < 16 and mask >> key & 1 for key in keypad.scan(now, mask))


@given(st.text(max_size=60), st.integers(1, 20))
def test_any_text_becomes_rows_that_fit(text: str, columns: int) -> None:
    for row in wrapped(text, columns):
        assert len(row) <= columns
        assert all(" " <= letter <= "~" for letter in row)


pictures = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["ante", "play"]), st.text(max_size=6), st.text(max_size=6)),
    max_size=9,
)


@given(st.lists(st.tuples(st.integers(1, 9), pictures), max_size=9), st.integers(0, MASK))
def test_any_pictures_draw_and_only_go_forward(
    shown: list[tuple[int, list[tuple[int, str, str, str]]]], now: int
) -> None:
    lamps = Lamps({(1, "ante"): (0, 4)}, 4)
    newest = 0
    for revision, picture in shown:
        assert lamps.show(revision, picture) == (revision >= newest)
        newest = max(newest, revision)
        assert len(lamps.render(now)) == 12
        assert lamps.revision == newest
