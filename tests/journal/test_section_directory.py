"""Directories of sections: for any interleaving of streams they say exactly which records are whose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.section import Directory, SectionBuilder, Share


@given(st.lists(st.integers(1, 9), max_size=80), st.integers(1, 13))
def test_a_directory_lists_what_was_added(streams: list[int], size: int) -> None:
    positions: dict[int, int] = {}
    rows = []
    for number, stream in enumerate(streams, start=1):
        positions[stream] = positions.get(stream, 0) + 1
        rows.append((number, stream, positions[stream]))
    builder = SectionBuilder(size, [])
    half = len(rows) // 2
    full = [*builder.add(rows[:half]), *builder.add(rows[half:])]
    assert [number for number, _ in full] == list(range(len(rows) // size))
    for number, data in full:
        before = [row for row in rows if row[0] <= number * size]
        inside = [row for row in rows if number * size < row[0] <= (number + 1) * size]
        known = sorted({row[1] for row in (*before, *inside)})
        wanted = [
            Share(
                stream,
                sum(row[1] == stream for row in before),
                max(row[0] for row in (*before, *inside) if row[1] == stream),
                tuple(row[0] - number * size - 1 for row in inside if row[1] == stream),
            )
            for stream in known
        ]
        assert Directory(data).shares() == wanted
        assert [Directory(data).share(stream) for stream in known] == wanted
        assert Directory(data).share(99) is None


@given(st.binary(max_size=200))
def test_any_bytes_are_a_directory_or_a_refusal(data: bytes) -> None:
    try:
        directory = Directory(data)
        assert sum(len(share.offsets) for share in directory.shares()) * 2 <= len(data)
    except JournalError as error:
        assert error.code == "corrupt"  # noqa: PT017 - either outcome is right, nothing else is


def test_a_directory_that_was_cut_short_is_refused() -> None:
    ((_, data),) = SectionBuilder(3, []).add([(1, 1, 1), (2, 2, 1), (3, 1, 2)])
    for length in range(len(data)):
        with pytest.raises(JournalError):
            Directory(data[:length]).shares()


@pytest.mark.parametrize("field", [12, 20], ids=["before", "last id"])
def test_a_number_too_large_for_a_database_is_refused(field: int) -> None:
    """Asked for, it would be an error of the database driver instead of a finding."""
    data = bytearray(SectionBuilder(2, []).add([(1, 1, 1), (2, 1, 2)])[0][1])
    data[4 + field + 7] |= 0x80
    with pytest.raises(JournalError) as refused:
        Directory(bytes(data)).shares()
    assert refused.value.code is ErrorCode.CORRUPT
