"""Faults as the output keys of a refused record: never any money beside them."""

from collections.abc import Iterable

from sabot_gateway.rules.rejection import Fault, sentence_of


def rejected(faults: Iterable[Fault]) -> dict[str, object]:
    """The body of a refused coup or check."""
    return {"status": "rejected", "errors": [record_from_fault(fault) for fault in faults]}


def record_from_fault(fault: Fault) -> dict[str, object]:
    """`code`, `rule` and `message` always; `seat`, `detail` and what else the fault knows where it knows it."""
    record: dict[str, object] = {"code": fault.code, "rule": fault.rule or None}
    if fault.seat is not None:
        record["seat"] = fault.seat
    if fault.detail is not None:
        record["detail"] = fault.detail
    record.update(fault.extra)
    record["message"] = sentence_of(fault)
    return record
