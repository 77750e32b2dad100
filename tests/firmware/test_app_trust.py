"""When a controller can no longer be relied on, it says so: altered code stops it, lost events light the fault lamp."""

import asyncio
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from firmware.rig.controller_bench import Bench
from sabot_firmware.core.health import Health
from sabot_firmware.core.selfcheck import DAILY_MS
from sabot_firmware.core.slot import NO_TRIAL, Slots
from sabot_firmware.fake.tag import Tag
from sabot_firmware.tasks import TRIAL_MS, Tasks
from sabot_tools.firmware_source import manifest

FILES = {"sabot_firmware/app.mpy": b"as released" * 300, "sabot_firmware/table.mpy": b"as released too"}
CARD = b"\x04\x01\x02\x03\x04\x05\x06"
VERMILION = (213 * 96 // 255, 94 * 96 // 255, 0)  # at the default brightness


def released(folder: Path) -> Path:
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "manifest").write_bytes(manifest(FILES, "rig", "0.1.0", 1))
    return folder


def deal(bench: Bench) -> None:
    bench.ports.fields["spi0", 0].place(0, Tag(CARD))
    bench.turn(60)


def test_a_whole_release_is_listed_and_scans(tmp_path: Path) -> None:
    bench = Bench(str(released(tmp_path)))
    deal(bench)
    assert bench.of("hello")[0]["firmware"] == "0.1.0"
    listed = [module["name"] for values in bench.of("modules_listed") for module in values["modules"]]
    assert listed == sorted(FILES)
    assert bench.of("card_scanned")


def test_an_altered_module_is_found_at_the_start_and_nothing_is_scanned(tmp_path: Path) -> None:
    released(tmp_path)
    (tmp_path / "sabot_firmware" / "table.mpy").write_bytes(b"as altered")
    bench = Bench(str(tmp_path))
    deal(bench)
    assert [values["active"] for values in bench.of("fault") if values["code"] == "digest"] == [True]
    assert bench.of("card_scanned") == []
    assert "".join(bench.ports.oled.rows()).startswith("Refused:")


def test_a_module_altered_while_it_runs_is_found_within_a_day(tmp_path: Path) -> None:
    bench = Bench(str(released(tmp_path)))

    def alter() -> None:
        (tmp_path / "sabot_firmware" / "table.mpy").write_bytes(b"as altered")

    asyncio.run(a_day_after(bench, alter))
    assert ("digest", 0) in bench.app.faults.active()


async def a_day_after(bench: Bench, alter: Callable[[], None]) -> None:
    """Play, alter something, and wait for the day to pass until the board has seen it."""
    running = asyncio.create_task(Tasks(bench.app, 0).run())
    await until(lambda: bench.app.uplink.outbox.newest > bench.app.uplink.outbox.floor)
    assert not bench.app.is_refusing
    alter()
    for _ in range(2):
        bench.clock.pass_us(DAILY_MS * 500)
        await asyncio.sleep(0.2)
    await until(lambda: bench.app.is_refusing)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def with_image(folder: Path) -> bytes:
    """The files of a board whose code lies in this image."""
    image = b"code that runs from flash" * 400
    head = f"sabot-image 1\nboard rig\nrelease 0.2.0\nserial 3\nimage {sha256(image).hexdigest()} {len(image)}\n"
    (folder / "manifest").write_text(head)
    return image


def test_an_image_altered_in_flash_is_found_at_the_start_and_nothing_is_scanned(tmp_path: Path) -> None:
    image = with_image(tmp_path)
    whole = Bench(str(tmp_path), image=image)
    deal(whole)
    assert whole.of("hello")[0]["firmware"] == "0.2.0"
    assert whole.of("card_scanned")
    bench = Bench(str(tmp_path), image=image[:-1] + b"!")
    deal(bench)
    assert [values["active"] for values in bench.of("fault") if values["code"] == "digest"] == [True]
    assert bench.of("card_scanned") == []
    assert bench.of("hello")[0]["digest"] != whole.of("hello")[0]["digest"]
    shown = "".join(bench.ports.oled.rows())
    assert shown.startswith("Refused: image")


def test_an_image_altered_while_it_runs_is_found_within_a_day(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path), image=with_image(tmp_path))

    def alter() -> None:
        bench.ports.image[9000] ^= 1

    asyncio.run(a_day_after(bench, alter))
    assert ("digest", 0) in bench.app.faults.active()


class Dog:
    """The watchdog's timer; `fed` counts its meals."""

    def __init__(self) -> None:
        self.fed = 0

    def feed(self) -> None:
        self.fed += 1


class Turns(Health):
    """Counts the turns of the loop that keeps house: it asks for health in each."""

    count = 0

    def is_due(self, now_ms: int) -> bool:
        self.count += 1
        return super().is_due(now_ms)


async def meals(bench: Bench, dog: Dog) -> int:
    """How often the dog is fed in the first turns after a trial's time is over."""
    turns = bench.app.health = Turns(bench.clock.ticks())
    running = asyncio.create_task(Tasks(bench.app, 0).run())
    await until(lambda: dog.fed > 3)
    bench.clock.pass_us(TRIAL_MS * 500)
    fed = dog.fed
    await until(lambda: dog.fed > fed + 3)  # half of it is not all of it
    bench.clock.pass_us(TRIAL_MS * 500)
    begun = turns.count
    await until(lambda: turns.count > begun + 3)  # what was under way when time was up may still count
    fed, begun = dog.fed, turns.count
    await until(lambda: turns.count > begun + 10)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return dog.fed - fed


def on_trial(folder: Path, dog: Dog) -> Bench:
    trial = Slots().try_spare(update=1, serial=2)
    (folder / f"slot.{trial.copy}").write_bytes(trial.pack())
    bench = Bench(str(released(folder)))
    bench.host.timer = dog
    return bench


def test_a_release_on_trial_that_nobody_takes_is_left_to_the_watchdog(tmp_path: Path) -> None:
    dog = Dog()
    bench = on_trial(tmp_path, dog)
    assert asyncio.run(meals(bench, dog)) == 0


def test_a_release_that_the_gateway_took_is_fed_for_ever(tmp_path: Path) -> None:
    dog = Dog()
    bench = on_trial(tmp_path, dog)
    bench.turn()
    assert bench.app.slots.slots.trial == NO_TRIAL
    assert asyncio.run(meals(bench, dog)) > 0


def test_a_whole_release_that_the_gateway_refuses_is_not_confirmed(tmp_path: Path) -> None:
    bench = on_trial(tmp_path, Dog())
    outbox = bench.app.uplink.outbox
    bench.tell("ack", {"boot": outbox.boot, "upto": outbox.newest, "refused": "digest_unknown"})
    assert bench.app.slots.slots.trial != NO_TRIAL


async def until(came: Any) -> None:
    for _ in range(6000):
        if came():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never came")


def test_a_full_outbox_lights_the_fault_lamp_until_the_gateway_knows_what_is_lost() -> None:
    bench = Bench()
    bench.turn(2)
    bench.line.is_up = False
    while not bench.app.uplink.outbox.has_overflowed:
        bench.app.record("card_scanned", 0, CARD)
    seen = set()
    for _ in range(400):  # two seconds: the whole rhythm of the fault pattern
        bench.turn()
        seen.add(tuple(bench.ports.lamps.seen(pixel) for pixel in range(16)))
    assert seen == {(VERMILION,) * 16, ((0, 0, 0),) * 16}, "every lamp says fault, and nothing else"
    bench.line.is_up = True
    bench.line.connection += 1
    bench.turn(20)
    lost = bench.of("outbox_overflow")
    assert len(lost) == 1
    assert 1 <= lost[0]["from"] < lost[0]["to"]
    faults = [values["active"] for values in bench.of("fault") if values["code"] == "outbox_full"]
    assert faults == [True, False]
    bench.turn(3)
    assert not any(bench.ports.lamps.received)


def test_a_controller_that_nobody_acknowledges_takes_its_lamps_back_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot_firmware.app.SILENT_MS", 100)
    monkeypatch.setattr("sabot_firmware.app.WORDS_FIRST_MS", 50)
    bench = Bench(str(released(tmp_path)))
    asyncio.run(dark_line(bench))
    assert bench.shown().startswith("Pas de reponse")


async def dark_line(bench: Bench) -> None:
    """Run its loops on a line that takes everything, and from which nothing comes, until its lamps show a fault."""
    running = asyncio.create_task(Tasks(bench.app, 0).run())

    def shows_fault() -> bool:
        bench.clock.pass_us(5000)
        return bench.ports.lamps.seen(0) == VERMILION

    await until(shows_fault)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
