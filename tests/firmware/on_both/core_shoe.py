"""Exactly one card_scanned for each card that passes the shoe's mouth, and doubt where order or reality is unknown."""

from firmware.on_both.seeded import Seeded
from sabot_firmware.core.shoe import GONE_MS, RETURN_MS, Shoe
from sabot_firmware.core.ticks import MASK, ticks_add

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

A, B, C = b"\x04AAAAAA", b"\x04BBBBBB", b"\x04CCCCCC"


def nowhere(uid: bytes) -> bool:
    return False


class Mouth:
    """Feeds a shoe every 20 ms, from just before the ticks wrap."""

    def __init__(self, shoe: "Shoe | None" = None) -> None:
        self.shoe = shoe or Shoe(nowhere)
        self.now = MASK - 500
        self.outputs: list[tuple[Any, ...]] = []

    def feed(self, *inventories: "Sequence[bytes]") -> "Mouth":
        for uids in inventories:
            self.outputs += self.shoe.feed(self.now, uids)
            self.now = ticks_add(self.now, 20)
        return self

    def wait(self, ms: int) -> "Mouth":
        for _ in range(ms // 20):
            self.feed(())
        return self


def test_a_card_that_passes_counts_once_however_often_it_is_read() -> None:
    mouth = Mouth().feed([A], [A], [A, A], [], [A], [A]).wait(3000)
    assert mouth.outputs == [("card_scanned", A)]


def test_a_fast_draw_read_once_counts() -> None:
    assert Mouth().feed([A]).wait(100).outputs == [("card_scanned", A)]


def test_cards_one_after_the_other_keep_their_order() -> None:
    mouth = Mouth().feed([B], [B]).wait(240).feed([A], [A]).wait(240).feed([C]).wait(240)
    assert mouth.outputs == [("card_scanned", B), ("card_scanned", A), ("card_scanned", C)]


def test_two_cards_together_are_doubtful_and_neither_counts() -> None:
    mouth = Mouth().feed([A, B], [A], [A], [B], [B]).wait(3000)
    assert mouth.outputs == [("card_doubtful", (A, B), "two_cards")]


def test_two_cards_of_which_one_was_missed_at_first_are_doubtful() -> None:
    assert Mouth().feed([B], [A, B], [A]).wait(3000).outputs == [("card_doubtful", (A, B), "two_cards")]


def test_a_card_that_follows_closely_counts_once_it_is_alone() -> None:
    mouth = Mouth().feed([A], [A], [A, B], [A, B], [B], *([[B]] * 12)).wait(3000)
    assert mouth.outputs == [("card_scanned", A), ("card_scanned", B)]


def test_a_card_never_seen_apart_from_the_one_before_is_doubtful() -> None:
    mouth = Mouth().feed([A], [A], [A, B], [A, B]).wait(3000)
    assert mouth.outputs == [("card_scanned", A), ("card_doubtful", (B,), "two_cards")]


def test_a_card_drawn_back_and_drawn_again_is_doubtful_not_a_second_card() -> None:
    mouth = Mouth().feed([A], [A]).wait(GONE_MS + 200).feed([A], [A], [A]).wait(3000)
    assert mouth.outputs == [("card_scanned", A), ("card_doubtful", (A,), "drawn_back")]


def test_an_earlier_card_at_the_shoe_again_is_doubtful() -> None:
    mouth = Mouth().feed([A], [A]).wait(400).feed([B], [B]).wait(GONE_MS + 200).feed([A], [A]).wait(3000)
    assert mouth.outputs[2:] == [("card_doubtful", (A,), "read_again")]


def test_after_a_shuffle_or_a_long_time_a_card_may_come_again() -> None:
    mouth = Mouth().feed([A], [A]).wait(GONE_MS + 200)
    mouth.shoe.refill()
    mouth.feed([A], [A]).wait(RETURN_MS + GONE_MS + 200).feed([A], [A])
    assert mouth.outputs == [("card_scanned", A)] * 3


def test_a_shuffle_forgets_the_cards_of_this_very_moment() -> None:
    mouth = Mouth().feed([A], [A]).wait(200).feed([B], [B]).wait(140)
    mouth.shoe.refill()
    mouth.feed([B], [B]).wait(200).feed([A], [A]).wait(200)
    assert mouth.outputs == [("card_scanned", uid) for uid in (A, B, B, A)]
    mouth.wait(GONE_MS).feed([A], [A])
    assert mouth.outputs[4:] == [("card_doubtful", (A,), "drawn_back")], "the new deck is remembered as the old one was"


def test_a_card_that_lies_at_the_mouth_during_a_shuffle_is_not_told_again() -> None:
    mouth = Mouth().feed([A], [A])
    mouth.shoe.refill()
    mouth.feed([A], [], [A], [A]).wait(GONE_MS + 200)
    assert mouth.outputs == [("card_scanned", A)]
    assert mouth.feed([A], [A]).outputs == [("card_scanned", A)] * 2


def test_a_card_that_a_shuffle_finds_untold_is_told_once() -> None:
    mouth = Mouth().feed([A])
    mouth.shoe.refill()
    assert mouth.feed([A], [A]).wait(GONE_MS + 200).outputs == [("card_scanned", A)]


def test_a_tag_that_bleeds_in_from_a_neighbour_is_doubtful() -> None:
    mouth = Mouth(Shoe(lambda uid: uid == B)).feed([B], [B]).wait(3000).feed([A], [A])
    assert mouth.outputs == [("card_doubtful", (B,), "neighbour"), ("card_scanned", A)]


def test_a_card_is_held_from_its_scan_until_it_is_out_of_the_field() -> None:
    mouth = Mouth().feed([A])
    assert not mouth.shoe.holds(mouth.now, A), "read once: it may be a ghost"
    mouth.feed([A], [A])
    assert mouth.shoe.holds(mouth.now, A)
    assert not mouth.shoe.holds(mouth.now, B)
    mouth.wait(200)
    assert not mouth.shoe.holds(mouth.now, A)


def test_a_tag_that_answers_nonsense_is_reported_once_and_stops_nothing() -> None:
    nonsense = (b"", b"\x01\x02\x03", b"\x00\x00\x00\x00", b"\xff" * 7, b"x" * 11)
    mouth = Mouth()
    for uid in nonsense:
        mouth.feed([uid])
    mouth.feed([A], [A, b"x"], [A]).wait(3000).feed([b"?"])
    assert mouth.outputs == [
        ("card_doubtful", (), "unreadable"),
        ("card_scanned", A),
        ("card_doubtful", (), "unreadable"),
    ]


def test_more_tags_than_can_be_followed_are_reported_and_bounded() -> None:
    many = [bytes([4, number, 0, 0]) for number in range(40)]
    mouth = Mouth().feed(many, many)
    assert [output[-1] for output in mouth.outputs] == ["too_many", "two_cards"]
    assert all(len(output[1]) <= 8 for output in mouth.outputs)
    assert mouth.wait(3000).feed([A], [A]).outputs[2:] == [("card_scanned", A)]


def test_an_idle_shoe_survives_the_wrap_of_the_ticks() -> None:
    shoe = Shoe(nowhere)
    now = 10
    shoe.feed(now, [A])
    for _ in range(40):
        now = ticks_add(now, 1 << 28)
        shoe.feed(now, ())
    assert shoe.feed(now, [A]) + shoe.feed(ticks_add(now, 20), [A]) == (("card_scanned", A),)


def draw(random: Seeded, passings: "list[tuple[int, int, bytes]]") -> "list[tuple[Any, ...]]":
    """Outputs for cards in the field from .. to (ms), each missed now and then, never twice running."""
    mouth = Mouth()
    missed: set[bytes] = set()
    end = max(until for _, until, _ in passings) + 2 * GONE_MS
    for now in range(0, end, 20):
        uids = [uid for since, until, uid in passings if since <= now < until]
        for uid in uids[:]:
            if uid not in missed and random.chance(25):
                uids.remove(uid)
                missed.add(uid)
            else:
                missed.discard(uid)
        uids += [uid for uid in uids if random.chance(10)]  # read twice in one inventory
        random.shuffle(uids)
        mouth.feed(uids)
    return mouth.outputs


def test_well_spaced_cards_each_count_once_in_order_by_seed() -> None:
    for seed in range(60):
        random = Seeded(seed)
        passings, now = [], 0
        for number in range(12):
            now += 240 + random.below(300)
            until = now + 60 + random.below(400)
            passings.append((now, until, bytes([4, number, seed, 9, 9, 9, 9])))
            now = until
        assert draw(random, passings) == [("card_scanned", uid) for _, _, uid in passings], seed


def test_cards_too_close_are_each_told_once_and_never_in_a_wrong_order_by_seed() -> None:
    doubts = 0
    for seed in range(150):
        random = Seeded(1000 + seed)
        passings, now = [], 0
        for number in range(8):
            now += random.below(260)
            passings.append((now, now + 60 + random.below(400), bytes([4, number, seed, 9, 9, 9, 9])))
        outputs = draw(random, passings)
        scanned = [output[1] for output in outputs if output[0] == "card_scanned"]
        doubtful = [uid for output in outputs if output[0] == "card_doubtful" for uid in output[1]]
        order = [uid for _, _, uid in passings]
        assert sorted(scanned + doubtful) == sorted(order), seed
        assert scanned == [uid for uid in order if uid in scanned], seed
        doubts += len(doubtful)
    assert doubts > 100, "the runs must hold cards that are too close"
