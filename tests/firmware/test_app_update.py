"""An update from offer to slot record: only what the maker signed, whole, and only when the gateway grants it."""

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from firmware.rig.controller_bench import Bench
from sabot_firmware.core.slot import NO_TRIAL
from sabot_tools.firmware_source import manifest

FILES = {"sabot_firmware/app.mpy": bytes(range(256)) * 9, "sabot_firmware/core/empty.mpy": b"", "starting.txt": b"new"}
HEAD = manifest(FILES, "rig", "0.2.0", 2)
BLOCK = 700


class Maker:
    """Holds the release key."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        numbers = self._key.public_key().public_numbers()
        self.public = numbers.x.to_bytes(32, "big") + numbers.y.to_bytes(32, "big")

    def sign(self, data: bytes) -> bytes:
        r, s = decode_dss_signature(self._key.sign(data, ec.ECDSA(SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


class Updating(Bench):
    """A controller that knows a maker, and a gateway that sends it a release."""

    def __init__(self, folder: Path, maker: Maker) -> None:
        super().__init__(str(folder), b"release_key = " + maker.public.hex().encode() + b"\n")
        self._number = 0
        self.turn()

    def order(self, name: str, **fields: Any) -> None:
        self._number += 1
        self.command(self._number, name, update=1, **fields)
        self.turn()

    def offer(self, signature: bytes, head: bytes = HEAD) -> None:
        digest = sha256(head).digest()
        self.order("update_offer", release="0.2.0", size=len(head), manifest=digest, signature=signature)
        self.send(0, head)
        self.turn(300)  # the signature takes 256 turns

    def send(self, file: int, data: bytes) -> None:
        for offset in range(0, len(data), BLOCK):
            self.order("update_block", file=file, offset=offset, data=data[offset : offset + BLOCK])

    def send_files(self) -> None:
        for at, path in enumerate(sorted(FILES), 1):
            self.send(at, FILES[path])
        self.turn(40)

    @property
    def states(self) -> list[str]:
        return [values["state"] for values in self.of("update_progressed")]


@pytest.fixture
def maker() -> Maker:
    return Maker()


def test_a_signed_release_is_written_verified_and_tried_once_granted(tmp_path: Path, maker: Maker) -> None:
    bench = Updating(tmp_path, maker)
    bench.offer(maker.sign(HEAD))
    bench.send_files()
    assert bench.states[-1] == "waiting"
    assert bench.app.slots.slots.trial == NO_TRIAL, "not before the gateway grants it"
    bench.order("update_switch")
    assert bench.states[-1] == "switched"
    assert bench.app.renewal is not None
    assert bench.app.renewal.is_switched
    assert (tmp_path / "slot1" / "manifest").read_bytes() == HEAD
    for path, data in FILES.items():
        assert (tmp_path / "slot1" / path).read_bytes() == data
    slot, cause, _ = bench.app.slots.slots.choose()
    assert (slot, cause) == (1, "update")


def test_a_release_that_another_signed_writes_nothing(tmp_path: Path, maker: Maker) -> None:
    bench = Updating(tmp_path, maker)
    bench.offer(Maker().sign(HEAD))
    bench.send_files()
    bench.order("update_switch")
    assert "verified" not in bench.states
    assert bench.states[-1] == "refused"
    assert not (tmp_path / "slot1").exists()


def test_a_block_that_was_altered_empties_the_slot(tmp_path: Path, maker: Maker) -> None:
    bench = Updating(tmp_path, maker)
    bench.offer(maker.sign(HEAD))
    bench.send(1, b"x" * len(FILES["sabot_firmware/app.mpy"]))
    assert bench.states[-1] == "refused"
    assert not (tmp_path / "slot1").exists()


def test_flash_that_changes_what_was_written_is_found_before_the_switch(tmp_path: Path, maker: Maker) -> None:
    bench = Updating(tmp_path, maker)
    bench.offer(maker.sign(HEAD))
    bench.send(1, FILES["sabot_firmware/app.mpy"])
    (tmp_path / "slot1" / "sabot_firmware" / "app.mpy").write_bytes(b"worn")
    bench.send(3, FILES["starting.txt"])
    bench.turn(40)
    assert bench.states[-1] == "refused"


def test_a_release_on_trial_is_confirmed_by_the_gateways_first_ack(tmp_path: Path, maker: Maker) -> None:
    first = Updating(tmp_path, maker)
    first.offer(maker.sign(HEAD))
    first.send_files()
    first.order("update_switch")
    second = Updating(tmp_path, maker)
    assert second.app.slots.slots.trial == NO_TRIAL
    assert second.app.slots.slots.active == 1


def test_a_grant_that_comes_again_behind_the_restart_changes_nothing(tmp_path: Path, maker: Maker) -> None:
    first = Updating(tmp_path, maker)
    first.offer(maker.sign(HEAD))
    first.send_files()
    first.order("update_switch")
    second = Updating(tmp_path, maker)
    second.command(1000, "update_switch", update=1)
    second.turn()
    assert [values["outcome"] for values in second.of("command_finished")] == ["done"]
    assert second.states == []
    assert second.app.slots.slots.active == 1
    second.command(1001, "update_offer", update=1, release="0.2.0", size=1, manifest=bytes(32), signature=bytes(64))
    second.turn()
    assert second.states == ["refused"], "a number that was used is not used again"
