"""Coverage-guided fuzzing of everything that reads bytes: atheris runs this file (`make fuzz`).

    python tests/protocol/fuzz_decode.py -max_total_time=60

Starts from the golden vectors. Any exception but WireError, a value that encodes to other bytes, or a difference
between the cbor2-backed and our own decoder is a finding.
"""

import importlib
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "protocol"))

atheris: Any = importlib.import_module("atheris")  # only in the fuzzing environment

with atheris.instrument_imports(include=["sabot_protocol"]):
    from sabot_protocol import cbor, codec, envelope, frames, topics
    from sabot_protocol.device_key import DeviceKey
    from sabot_protocol.errors import CODES, WireError

KEY = DeviceKey("table-7", bytes(16))
TOPIC = "sabot/v1/lyon/table-7/event"


def one_input(data: bytes) -> None:
    """Feed one input to every reader."""
    value = _outcome(cbor.decode, data)
    assert isinstance(value, WireError) or cbor.encode(value) == data
    message = _outcome(codec.decode, data)
    own = _outcome(codec.decode_plainly, data)
    if isinstance(message, WireError):
        assert isinstance(own, WireError)
        assert message.code == own.code
    else:
        assert message == own
        assert codec.encode(*message) == data
    _outcome(lambda sealed: envelope.unseal(KEY, TOPIC, sealed), data)
    _outcome(frames.unframe, data)
    _outcome(lambda name: topics.parse_topic(name.decode("latin-1")), data)
    deframer = frames.Deframer()
    deframer.feed(data)
    assert deframer.feed(frames.frame("ack", b"x"))[-1] == ("ack", b"x")


def _outcome(read: Callable[[bytes], Any], data: bytes) -> Any:
    try:
        return read(data)
    except WireError as error:
        CODES.index(error.code)  # a code outside the closed set is a finding, and raises
        return error


def main() -> None:
    with tempfile.TemporaryDirectory() as corpus:
        for path in (ROOT / "protocol" / "vectors").glob("*.json"):
            for number, vector in enumerate(json.loads(path.read_text(encoding="utf-8"))):
                if "hex" in vector:
                    (Path(corpus) / f"{path.stem}-{number}").write_bytes(bytes.fromhex(vector["hex"]))
        atheris.Setup([*sys.argv, "-max_len=1100", corpus], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
