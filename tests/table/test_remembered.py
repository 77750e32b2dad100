"""What is remembered is what would be made, however many values came before."""

from sabot_gateway.table.remembered import MOST, Remembered


def test_an_object_is_made_of_once() -> None:
    made: list[str] = []

    def upper(text: str) -> str:
        made.append(text)
        return text.upper()

    remembered = Remembered(upper)
    values = ("a", "b")
    assert remembered.all_of(values) == ["A", "B"]
    assert remembered.all_of(values[::-1]) == ["B", "A"]
    assert made == ["a", "b"]


def test_no_value_is_taken_for_another_however_many_come() -> None:
    remembered: Remembered[tuple[int], int] = Remembered(lambda value: value[0])
    for number in range(3 * MOST):
        # Each is gone before the next is made, and may get its place in memory.
        assert remembered.all_of([(number,)]) == [number]
