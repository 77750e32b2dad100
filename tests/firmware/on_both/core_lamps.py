"""The picture that should shine becomes pixels, in colours and rhythms that every eye can tell apart."""

from sabot_firmware.core.lamps import CHASE_MS, PALETTE, PATTERNS, Lamps, is_lit
from sabot_firmware.core.ticks import MASK
from sabot_protocol.messages import COLOUR, PATTERN

PLACES = {(1, "ante"): (0, 2), (1, "play"): (2, 4)}
DARK = (0, 0, 0)


def colours(lamps: Lamps, now_ms: int) -> "list[tuple[int, int, int]]":
    grb = lamps.render(now_ms)
    return [(grb[at + 1], grb[at], grb[at + 2]) for at in range(0, len(grb), 3)]


def test_a_lamp_shines_on_its_spot_alone() -> None:
    lamps = Lamps(PLACES, 6)
    assert colours(lamps, 0) == [DARK] * 6
    assert lamps.show(1, [(1, "ante", "green", "steady")])
    # Okabe and Ito's bluish green is 0, 158, 115.
    assert colours(lamps, 0) == [(0, 158, 115)] * 2 + [DARK] * 4


def test_a_picture_reacts_in_the_next_tick() -> None:
    lamps = Lamps(PLACES, 6)
    lamps.show(1, [(1, "ante", "green", "steady")])
    lamps.render(0)
    lamps.show(2, [(1, "ante", "blue", "steady")])
    assert colours(lamps, 1)[0] == (0, 114, 178)


def test_a_revision_never_goes_backwards() -> None:
    lamps = Lamps(PLACES, 6)
    assert lamps.show(7, [(1, "ante", "green", "steady")])
    assert not lamps.show(6, [(1, "ante", "red", "steady")])
    assert colours(lamps, 0)[0] == (0, 158, 115)
    assert lamps.show(7, []), "a repeated picture is acknowledged again and changes nothing"
    assert colours(lamps, 0)[0] == (0, 158, 115)
    assert lamps.show(8, [])
    assert colours(lamps, 0) == [DARK] * 6


def test_a_lamp_of_another_controller_is_ignored() -> None:
    lamps = Lamps(PLACES, 6)
    assert lamps.show(1, [(9, "ante", "green", "steady"), (1, "bonus", "red", "blink"), (1, "ante", "pink", "steady")])
    assert colours(lamps, 0) == [DARK] * 6


def test_the_chase_runs_along_the_spot_to_be_paid_next() -> None:
    lamps = Lamps(PLACES, 6)
    lamps.show(1, [(1, "play", "white", "chase")])
    lit = [colours(lamps, step * CHASE_MS).index((255, 255, 255)) for step in range(8)]
    assert lit == [2, 3, 4, 5, 2, 3, 4, 5]


def test_a_fault_takes_the_whole_table_and_gives_it_back() -> None:
    lamps = Lamps(PLACES, 6)
    lamps.show(1, [(1, "ante", "green", "steady")])
    lamps.is_faulty = True
    assert colours(lamps, 0) == [(213, 94, 0)] * 6
    assert colours(lamps, 1500) == [DARK] * 6
    lamps.is_faulty = False
    assert colours(lamps, 1500)[0] == (0, 158, 115)


def test_identify_ends_by_itself_also_across_the_wrap() -> None:
    lamps = Lamps(PLACES, 6)
    lamps.identify(MASK - 100, 2)
    assert (255, 255, 255) in colours(lamps, 1000)
    assert colours(lamps, 1900) == [DARK] * 6
    lamps.identify(0, 60)
    lamps.identify(10, 0)
    assert colours(lamps, 20) == [DARK] * 6


def test_each_pattern_has_a_rhythm_of_its_own_and_none_flashes_over_three_times_a_second() -> None:
    rhythms = []
    for pattern in PATTERNS:
        if pattern == "chase":
            continue
        lit = [is_lit(pattern, now) for now in range(0, 12000, 10)]
        assert any(lit)
        rhythms.append(lit)
        rises = [at * 10 for at in range(1, len(lit)) if lit[at] and not lit[at - 1]]
        for at in range(len(rises) - 3):
            assert rises[at + 3] - rises[at] >= 1000, pattern
    for one in range(len(rhythms)):
        for other in range(one):
            assert rhythms[one] != rhythms[other]


def test_every_colour_and_pattern_of_the_wire_is_known() -> None:
    assert sorted(PALETTE) == sorted(COLOUR[1])
    assert sorted(PATTERNS) == sorted(PATTERN[1])
    assert len(set(PALETTE.values())) == len(PALETTE)


def test_brightness_scales_every_colour_and_hides_none() -> None:
    lamps = Lamps(PLACES, 6, brightness=32)
    for revision, colour in enumerate(sorted(PALETTE)):
        lamps.show(revision + 1, [(1, "ante", colour, "steady")])
        assert 0 < max(colours(lamps, 0)[0]) <= 32
