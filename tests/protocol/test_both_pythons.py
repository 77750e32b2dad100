"""Every vector, whole and damaged at every byte, has one outcome on CPython and MicroPython."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from protocol.vector_files import PROTOCOL, load
from sabot_protocol import aead_cryptography

FILES = {"cbor": "cbor", "message": "messages", "envelope": "envelopes", "frame": "frames"}
SCRIPT = Path(__file__).with_name("vector_cases.py")


def lines_of(room: str) -> list[list[str]]:
    match room:
        case "cbor":
            return [[v["name"], v["hex"]] for v in load("cbor")]
        case "message":
            return [[v["name"], v.get("channel", ""), v["hex"]] for v in load("messages")]
        case "envelope":
            return [[v["name"], v["device"], v["key"], v["topic"], v["hex"]] for v in load("envelopes")]
        case _:
            return [[v["name"], v["hex"]] for v in load("frames")]


@pytest.fixture(scope="module", params=["cbor", "message", "envelope", "frame"])
def outputs(request: pytest.FixtureRequest, micropython: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    room = request.param
    cases = tmp_path_factory.mktemp("vectors") / f"{room}.txt"
    cases.write_text("".join("\t".join([room, *line]) + "\n" for line in lines_of(room)), encoding="utf-8")
    there = micropython.run(SCRIPT, str(cases), heap="128k", path=[PROTOCOL])
    here = subprocess.run(
        [sys.executable, str(SCRIPT), str(cases)],
        env={**os.environ, "PYTHONPATH": str(PROTOCOL)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return room, here.splitlines(), there.splitlines()


def test_micropython_answers_every_case_as_cpython_does(outputs: Any) -> None:
    room, here, there = outputs
    assert len(here) > 20 * len(lines_of(room))
    differing = [(a, b) for a, b in zip(here, there, strict=True) if a != b]
    assert differing == []


def test_whole_vectors_end_as_written(outputs: Any) -> None:
    room, _, there = outputs
    expected = [v.get("error", "ok") for v in load(FILES[room])]
    whole = [line.split("\t")[3].split(" ")[0] for line in there if line.split("\t")[2] == "whole"]
    assert whole == expected


def test_no_valid_vector_survives_a_cut_or_a_trailing_byte(outputs: Any) -> None:
    assert accepted(outputs, ("cut", "trailing")) == []


def test_no_flipped_byte_opens_an_envelope_or_a_frame(outputs: Any) -> None:
    if outputs[0] in ("envelope", "frame"):
        assert accepted(outputs, ("flip",)) == []


def accepted(outputs: Any, damage: tuple[str, ...]) -> list[str]:
    # Damage may heal an invalid vector (a wrong tag put right), so only the valid ones count.
    room, here, _ = outputs
    valid = {v["name"] for v in load(FILES[room]) if "error" not in v}
    cases = [line.split("\t") for line in here]
    return [
        f"{name} {case}"
        for _, name, case, end in cases
        if name in valid and case.startswith(damage) and end[:2] == "ok"
    ]


def test_aes_ccm_gives_the_known_answers_on_both_pythons(micropython: Any, tmp_path: Path) -> None:
    vectors = load("aead")
    cases = tmp_path / "aead.txt"
    cases.write_text("".join(" ".join(v[k] or "-" for k in ("key", "nonce", "aad", "plain")) + "\n" for v in vectors))
    sealed = micropython.run(SCRIPT.with_name("aead_cases.py"), str(cases), heap="128k", path=[PROTOCOL])
    assert sealed.split() == [v["hex"] for v in vectors]
    for v in vectors:
        key, nonce, aad, plain = (bytes.fromhex(v[k]) for k in ("key", "nonce", "aad", "plain"))
        aead = aead_cryptography.Aead(key)
        assert aead.seal(nonce, aad, plain).hex() == v["hex"]
        assert aead.open(nonce, aad, bytes.fromhex(v["hex"])) == plain


def test_the_worst_messages_are_refused_within_a_heap_of_64_kib(micropython: Any) -> None:
    output = micropython.run(SCRIPT.with_name("hostile_cases.py"), heap="64k", path=[PROTOCOL])
    refused = dict(line.split("\t") for line in output.splitlines())
    assert len(refused) == 14
    assert set(refused.values()) <= {"wrong_type", "missing_key", "too_deep", "too_many", "truncated", "out_of_range"}
    assert refused["nested arrays"] == refused["nested maps"] == "too_deep"
    assert refused["array of 2^64 items"] == refused["map of 2^64 pairs"] == "too_many"
