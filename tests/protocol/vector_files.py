"""Reads the golden vectors for the tests."""

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PROTOCOL = ROOT / "protocol"


def load(name: str) -> list[dict[str, Any]]:
    """The vectors of one file."""
    vectors: list[dict[str, Any]] = json.loads((PROTOCOL / "vectors" / f"{name}.json").read_text(encoding="utf-8"))
    assert vectors
    return vectors


def value_from_json(value: Any) -> Any:
    """Undo the JSON form of bytes; lists stay lists."""
    if isinstance(value, dict):
        if set(value) == {"bytes"}:
            return bytes.fromhex(value["bytes"])
        return {key: value_from_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [value_from_json(item) for item in value]
    return value
