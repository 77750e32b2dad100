"""What the application keeps in its heap does not grow with the events that pass through it."""

import re
from pathlib import Path

import pytest

from conftest import MicroPython
from firmware.rig_image import START, write_rig_image

SAMPLE = re.compile(r"events (\d+) allocated (\d+)")

# A sample is taken at any phase of cards coming and going; a leak of one byte per event would be a hundred times this.
NOISE = 1024


@pytest.mark.slow
def test_a_hundred_thousand_events_leave_the_heap_as_it_was(micropython: MicroPython, tmp_path: Path) -> None:
    image = write_rig_image(tmp_path / "rig.romfs")
    output = micropython.run(START, str(image), "long_night", str(tmp_path), "100000", heap="160k")
    samples = [(int(events), int(allocated)) for events, allocated in SAMPLE.findall(output)]
    assert samples[-1][0] >= 97_500
    assert len(samples) >= 30
    # From the tenth sample on, when every buffer and memory of the core has filled once.
    settled = [allocated for _, allocated in samples[10:]]
    half = len(settled) // 2
    assert max(settled[half:]) <= max(settled[:half]) + NOISE
    assert min(settled[half:]) <= min(settled[:half]) + NOISE
