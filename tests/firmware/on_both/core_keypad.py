"""Keys and badges: one press is one press, whatever the contacts do; one badge is one person."""

from sabot_firmware.core.badge import LEFT_MS, Badge
from sabot_firmware.core.contact import Contact
from sabot_firmware.core.keypad import DEBOUNCE_MS, SELECT_MS, STUCK_MS, Keypad, SeatKeys
from sabot_firmware.core.ticks import MASK, ticks_add

A, B = b"\x04badgeA", b"\x04badgeB"


class Fingers:
    """Scans a 4 by 4 keypad every 5 ms, across the wrap of the ticks."""

    def __init__(self) -> None:
        self.keypad = Keypad(4, 4)
        self.now = MASK - 40
        self.pressed: list[int] = []

    def hold(self, ms: int, *keys: int) -> "Fingers":
        mask = 0
        for key in keys:
            mask |= 1 << key
        for _ in range(ms // 5):
            self.pressed += self.keypad.scan(self.now, mask)
            self.now = ticks_add(self.now, 5)
        return self


def test_a_bouncing_contact_is_one_press() -> None:
    fingers = Fingers()
    for _ in range(6):
        fingers.hold(5, 3).hold(5)
    fingers.hold(200, 3)
    for _ in range(6):
        fingers.hold(5).hold(5, 3)
    assert fingers.hold(200).pressed == [3]


def test_a_spike_shorter_than_the_debounce_is_nothing() -> None:
    assert Fingers().hold(DEBOUNCE_MS - 5, 3).hold(200).pressed == []


def test_keys_roll_over_each_other() -> None:
    fingers = Fingers().hold(50, 0).hold(50, 0, 1).hold(50, 1).hold(50, 1, 2).hold(50, 2).hold(50)
    assert fingers.pressed == [0, 1, 2]


def test_the_fourth_corner_of_a_rectangle_is_a_ghost() -> None:
    # Held: rows 0 and 1 of column 0 and row 0 of column 1 (keys 0, 4, 1). The matrix lights key 5 too.
    fingers = Fingers().hold(50, 0).hold(50, 0, 4).hold(100, 0, 4, 1, 5)
    assert fingers.pressed == [0, 4], "the third and the ghost cannot be told apart"
    assert fingers.hold(50, 0, 1).pressed == [0, 4, 1], "released, the true one shows"


def test_a_stuck_key_is_named_until_it_is_released() -> None:
    fingers = Fingers().hold(STUCK_MS + 100, 6)
    assert (fingers.pressed, fingers.keypad.stuck) == ([6], 1 << 6)
    assert fingers.hold(50, 6, 7).pressed == [6, 7], "the others go on working"
    assert fingers.hold(50).keypad.stuck == 0


def test_contacts_that_do_not_exist_are_ignored() -> None:
    keypad = Keypad(1, 2)
    for now in range(0, 100, 5):
        assert keypad.scan(now, 0b1100) == ()


def test_a_seat_key_makes_the_next_key_about_that_seat() -> None:
    keys = SeatKeys((1, 2, "fold", "bets_closed"))
    assert keys.press(0, 2) == ("fold", 0)
    assert keys.press(10, 1) is None
    assert keys.seat == 2
    assert keys.press(20, 2) == ("fold", 2)
    assert keys.press(30, 3) == ("bets_closed", 0), "a seat is used once"
    assert keys.press(40, 0) is None
    assert keys.press(50, 1) is None
    assert keys.press(60, 2) == ("fold", 2), "the last seat chosen counts"


def test_a_seat_that_was_not_used_in_time_is_forgotten() -> None:
    keys = SeatKeys((1, 2, "fold", "bets_closed"))
    keys.press(MASK, 1)
    assert keys.press(ticks_add(MASK, SELECT_MS + 1), 2) == ("fold", 0)


def test_a_key_without_a_meaning_is_nothing() -> None:
    keys = SeatKeys((1, ""))
    assert keys.press(0, 1) is None
    assert keys.press(0, 9) is None


def test_a_badge_is_read_once_each_time_it_is_presented() -> None:
    badge = Badge()
    now = MASK - 200
    read = []
    for uids in [(A,), (A, A), (), (A,)] + [()] * 40 + [(A,), (B,)]:
        found = badge.feed(now, uids)
        read += [found] if found else []
        now = ticks_add(now, LEFT_MS // 30)
    assert read == [A, A, B]


def test_two_badges_at_once_are_nobody() -> None:
    badge = Badge()
    assert badge.feed(0, (A, B)) is None
    assert badge.feed(50, (A,)) is None, "which of the two was meant is unknown"
    assert badge.refused == 1
    assert badge.feed(50 + LEFT_MS + 1, (A,)) == A


def test_nonsense_at_the_badge_reader_is_nobody() -> None:
    badge = Badge()
    assert badge.feed(0, (b"", b"\x00" * 4, b"abc")) is None
    assert badge.feed(1, (b"abc", A)) == A


def test_a_contact_tells_its_level_once_it_stood_still() -> None:
    contact = Contact(50)
    now = MASK - 100
    told = []
    for level in [True] * 8 + [False, True] * 6 + [False] * 8 + [True] * 3 + [False] * 8:
        found = contact.feed(now, level)
        told += [] if found is None else [found]
        now = ticks_add(now, 10)
    assert told == [True, False]
