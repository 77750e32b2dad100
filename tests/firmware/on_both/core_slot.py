"""A release on trial that does not come up is left again, whatever happens to the power; modules prove themselves."""

from hashlib import sha256

from firmware.on_both.seeded import Seeded
from sabot_firmware.core.selfcheck import SelfCheck, digest_of, parts_of
from sabot_firmware.core.slot import SIZE, TRIES, Slots, slots_from_copies


class Disk:
    """Two copies of the record; a write can be torn after any byte."""

    def __init__(self) -> None:
        self.copies = [b"", b""]

    def load(self) -> Slots:
        return slots_from_copies(self.copies)

    def save(self, slots: "Slots | None", cut: int = SIZE) -> None:
        if slots:
            self.copies[slots.copy] = slots.pack()[:cut]

    def start(self) -> "tuple[int, str]":
        slot, cause, record = self.load().choose()
        self.save(record)
        return slot, cause


def test_a_new_controller_starts_the_slot_that_was_flashed() -> None:
    disk = Disk()
    assert disk.start() == (0, "")
    assert disk.load().spare == 1


def test_a_healthy_release_is_kept() -> None:
    disk = Disk()
    disk.save(disk.load().try_spare(9, 17))
    assert disk.start() == (1, "update")
    disk.save(disk.load().confirm())
    assert disk.start() == (1, "")
    assert (disk.load().update, disk.load().serial, disk.load().spare) == (9, 17, 0)
    assert disk.load().confirm() is None


def test_a_release_that_never_comes_up_is_rolled_back_by_the_watchdog() -> None:
    disk = Disk()
    disk.save(disk.load().try_spare(9, 17))
    for _ in range(TRIES):
        assert disk.start() == (1, "update")
    assert disk.start() == (0, "rollback")
    assert disk.load().update == 9, "the gateway is told which"
    assert disk.start() == (0, "")


def test_a_write_torn_after_any_byte_leaves_the_record_before_it() -> None:
    for cut in range(SIZE):
        disk = Disk()
        disk.save(disk.load().try_spare(9, 17))
        disk.start()
        before = disk.load()
        disk.save(before.confirm(), cut)
        after = disk.load()
        assert (after.active, after.trial, after.tries, after.counter) == (0, 1, TRIES - 1, before.counter)
        disk.save(after.confirm())
        assert disk.load().active == 1


def test_rubbish_for_a_record_starts_the_flashed_slot() -> None:
    random = Seeded(5)
    for _ in range(200):
        assert slots_from_copies([random.bytes(SIZE), random.bytes(random.below(40))]).choose() == (0, "", None)


MODULES = {"a.py": b"a" * 1300, "b.py": b"", "c.py": b"c" * 512}


def read_into(name: str, offset: int, buffer: bytearray) -> int:
    if name not in MODULES:
        raise OSError(2)
    part = MODULES[name][offset : offset + len(buffer)]
    buffer[: len(part)] = part
    return len(part)


def walk(expected: "list[tuple[str, bytes]]") -> SelfCheck:
    check = SelfCheck(expected, read_into)
    for _ in range(40):
        if check.step():
            break
    assert check.is_finished
    return check


def test_every_module_is_held_against_its_digest() -> None:
    expected = [(name, sha256(data).digest()) for name, data in MODULES.items()]
    check = walk(expected)
    assert check.wrong == []
    assert check.found == sorted(expected)


def test_a_changed_or_missing_module_is_named() -> None:
    expected = [(name, sha256(data).digest()) for name, data in MODULES.items()]
    expected[0] = (expected[0][0], bytes(32))
    expected.append(("gone.py", bytes(32)))
    check = walk(expected)
    assert sorted(check.wrong) == sorted([expected[0][0], "gone.py"])
    assert len(check.found) == 3


def test_the_digest_of_the_whole_depends_on_names_and_contents_not_on_order() -> None:
    one, two = ("a.py", bytes(32)), ("b.py", b"\x01" * 32)
    whole = digest_of([one, two])
    assert whole == sha256(b"\x04a.py" + bytes(32) + b"\x04b.py" + b"\x01" * 32).digest()
    assert digest_of([two, one]) == whole
    assert digest_of([("a.py", b"\x01" * 32), ("b.py", bytes(32))]) != whole


def test_modules_are_listed_in_parts_of_eight() -> None:
    modules = [(f"m{at}.py", bytes(32)) for at in range(9, -1, -1)]
    assert [len(part) for part in parts_of(modules)] == [8, 2]
    assert parts_of(modules)[0][0][0] == "m0.py"
