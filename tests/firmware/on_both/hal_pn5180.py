"""The PN5180 driver against a model of the chip and of ISO 15693 tags: many tags, collisions, noise, faults."""

from firmware.on_both.seeded import Seeded
from sabot_firmware.core.ticks import MASK
from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.mux_chip import MuxChip
from sabot_firmware.fake.pn532_chip import Pn532Chip, SpiPort
from sabot_firmware.fake.pn5180_chip import Pn5180Chip
from sabot_firmware.fake.tag import Fields, Tag
from sabot_firmware.fake.wire import Pin, Spi
from sabot_firmware.hal.errors import ReaderError
from sabot_firmware.hal.mux import AntennaMux
from sabot_firmware.hal.pn532 import Pn532
from sabot_firmware.hal.pn532_link import Pn532Spi
from sabot_firmware.hal.pn5180 import Pn5180
from sabot_firmware.hal.pn5180_host import Pn5180Host


def uid(low: int) -> bytes:
    """A UID in order of transmission: NXP's family code and this serial number."""
    return low.to_bytes(6, "little") + b"\x04\xe0"


def shown(low: int) -> bytes:
    """The same UID as readers give it."""
    return b"\xe0\x04" + low.to_bytes(6, "big")


class Bench:
    """A reader, its chip, its antennas and the tags on them."""

    def __init__(self, first_ms: int = 0, with_mux: bool = False) -> None:
        self.clock = Clock(first_ms)
        self.fields = Fields()
        self.spi = Spi(self.clock, 4000000)
        nss, busy, reset = Pin(), Pin(0), Pin()
        self.chip = Pn5180Chip(self.clock, self.fields, busy, reset)
        self.spi.attach(nss, self.chip)
        mux = None
        if with_mux:
            self.mux = MuxChip(self.fields, lambda: self.chip.field_on)
            mux = AntennaMux(self.mux.lines, self.mux.disable)
        self.reader = Pn5180(Pn5180Host(self.spi, nss, busy), reset, mux)
        self.longest_us = 0
        self.took_us = 0

    def finish(self, limit_ms: int = 6000) -> "tuple[bytes, ...] | None":
        begun = self.clock.us
        while self.clock.us - begun < limit_ms * 1000:
            self.clock.pass_us(1000)
            before = self.clock.us
            try:
                found = self.reader.poll(self.clock.ticks())
            finally:
                self.longest_us = max(self.longest_us, self.clock.us - before)
                self.took_us = self.clock.us - begun
            if found is not None:
                return found
        return None

    def inventory(self, antenna: int = 0) -> "set[bytes]":
        self.reader.start(antenna)
        found = self.finish()
        assert found is not None, "no end"
        assert len(set(found)) == len(found), "a tag twice"
        return set(found)

    def failure(self) -> str:
        try:
            return "none, but " + repr(self.inventory())
        except ReaderError as error:
            return error.code

    def recovers(self, wanted: "set[bytes]") -> None:
        """The next inventories are right again, at the latest the second."""
        for _ in range(2):
            try:
                assert self.inventory() == wanted
            except ReaderError:
                continue
            return
        raise AssertionError("does not recover")


def test_an_empty_antenna_is_an_empty_inventory() -> None:
    bench = Bench()
    assert bench.inventory() == set()
    assert not bench.reader.is_busy
    assert not bench.chip.field_on
    assert bench.chip.errors == 0


def test_one_tag_is_given_most_significant_byte_first() -> None:
    bench = Bench()
    bench.fields.place(0, Tag(bytes([0x78, 0x56, 0x34, 0x12, 0x50, 0x01, 0x04, 0xE0])))
    assert bench.inventory() == {bytes([0xE0, 0x04, 0x01, 0x50, 0x12, 0x34, 0x56, 0x78])}


def test_sixteen_tags_in_sixteen_slots_take_one_round() -> None:
    bench = Bench()
    for low in range(16):
        bench.fields.place(0, Tag(uid(0xABCD00 + low)))
    assert bench.inventory() == {shown(0xABCD00 + low) for low in range(16)}
    assert bench.chip.requests == [b"\x26\x01\x00", b"\x06\x01\x00"]


def test_a_collision_is_asked_again_with_a_longer_mask() -> None:
    bench = Bench()
    bench.fields.place(0, Tag(uid(0x15)))
    bench.fields.place(0, Tag(uid(0x25)))
    assert bench.inventory() == {shown(0x15), shown(0x25)}
    assert bench.chip.requests == [b"\x26\x01\x00", b"\x06\x01\x00", b"\x06\x01\x04\x05"]


def test_masks_grow_nibble_by_nibble_through_the_bytes() -> None:
    bench = Bench()
    bench.fields.place(0, Tag(uid(0x1CBA)))
    bench.fields.place(0, Tag(uid(0x2CBA)))
    assert bench.inventory() == {shown(0x1CBA), shown(0x2CBA)}
    assert bench.chip.requests[2:] == [b"\x06\x01\x04\x0a", b"\x06\x01\x08\xba", b"\x06\x01\x0c\xba\x0c"]


def test_tags_that_differ_in_the_last_bits_only_are_told_apart() -> None:
    bench = Bench()
    one = b"\xaa\xbb\xcc\xdd\xee\xff\x04\xe0"
    other = b"\xaa\xbb\xcc\xdd\xee\xff\x07\xe0"
    bench.fields.place(0, Tag(one))
    bench.fields.place(0, Tag(other))
    assert bench.inventory() == {bytes([one[7 - at] for at in range(8)]), bytes([other[7 - at] for at in range(8)])}


def test_random_stacks_are_read_whole() -> None:
    random = Seeded(15693)
    for size in (2, 5, 9, 14, 20, 40):
        bench = Bench()
        lows = {random.below(1 << 31) for _ in range(size)}
        for low in lows:
            bench.fields.place(0, Tag(uid(low)))
        assert bench.inventory() == {shown(low) for low in lows}
        assert bench.chip.errors == 0


def test_stacks_of_consecutive_numbers_are_read_whole() -> None:
    for first in (0, 0xF8, 0xFFF0):
        bench = Bench()
        for low in range(first, first + 24):
            bench.fields.place(0, Tag(uid(low)))
        assert bench.inventory() == {shown(low) for low in range(first, first + 24)}


def test_an_answer_damaged_once_is_read_in_the_next_round() -> None:
    bench = Bench()
    bench.fields.place(0, Tag(uid(7), "once"))
    assert bench.inventory() == {shown(7)}


def test_a_tag_that_is_always_damaged_hides_no_other() -> None:
    bench = Bench()
    bench.fields.place(0, Tag(uid(7), "crc"))
    bench.fields.place(0, Tag(uid(8)))
    bench.fields.place(0, Tag(uid(0x17)))
    assert bench.inventory() == {shown(8), shown(0x17)}
    assert bench.reader.refused == 1


def test_tags_that_answer_nonsense_are_left_out_and_counted() -> None:
    for twist in ("flags", "length", "family", "alien"):
        bench = Bench()
        bench.fields.place(0, Tag(uid(7), twist))
        bench.fields.place(0, Tag(uid(9)))
        assert bench.inventory() == {shown(9)}, twist
        assert bench.reader.refused == 1, twist


def test_noise_without_end_ends() -> None:
    bench = Bench()
    bench.chip.is_noisy = True
    assert bench.failure() == "too_many"
    bench.chip.is_noisy = False
    assert bench.inventory() == set()


def test_more_tags_than_an_inventory_holds_are_reported() -> None:
    bench = Bench()
    for low in range(bench.reader.limit + 1):
        bench.fields.place(0, Tag(uid(low * 0x10001)))
    assert bench.failure() == "too_many"


def test_a_busy_line_that_stands_still_is_an_error_and_mended() -> None:
    bench = Bench()
    bench.fields.place(0, Tag(uid(3)))
    bench.inventory()
    bench.chip.hangs = True
    assert bench.failure() == "busy_stuck"
    assert bench.inventory() == {shown(3)}
    assert bench.chip.resets == 2


def test_a_hang_or_a_supply_dip_at_any_moment_is_mended() -> None:
    for at_ms in range(0, 90, 5):
        for fault in ("hang", "dip"):
            bench = Bench()
            for low in (1, 2, 0x12, 9):
                bench.fields.place(0, Tag(uid(low)))
            wanted = {shown(low) for low in (1, 2, 0x12, 9)}
            bench.reader.start(0)
            try:
                found = bench.finish(at_ms)
                if fault == "hang":
                    bench.chip.hangs = True
                else:
                    bench.chip.brown_out()
                found = bench.finish() if found is None else found
                assert found is None or set(found) == wanted
            except ReaderError:
                pass
            bench.recovers(wanted)


def test_a_missing_chip_is_told() -> None:
    bench = Bench()
    bench.chip.version = b"\xff\xff"
    assert bench.failure() == "wrong_chip"


def test_a_dead_bus_is_an_error_and_comes_back() -> None:
    bench = Bench()
    bench.spi.is_dead = True
    assert bench.failure() == "bus"
    bench.spi.is_dead = False
    assert bench.inventory() == set()


def test_flipped_bits_on_the_bus_never_give_a_wrong_tag() -> None:
    random = Seeded(5180)
    failed = 0
    for _ in range(300):
        bench = Bench()
        bench.fields.place(0, Tag(uid(3)))
        bench.inventory()
        bench.spi.flips = [0] * random.below(600) + [1 << random.below(8)]
        try:
            assert bench.inventory() <= {shown(3)}
        except ReaderError:
            failed += 1
        bench.spi.flips = []
        bench.recovers({shown(3)})
    assert 0 < failed < 300


def test_a_uid_damaged_on_the_bus_is_noticed_whichever_fetch_it_hit() -> None:
    for fetch in (1, 2):
        bench = Bench()
        bench.fields.place(0, Tag(uid(3)))
        bench.chip.garbled_fetch = fetch
        assert bench.inventory() == {shown(3)}


def test_an_error_that_the_chip_reports_is_told_and_mended() -> None:
    bench = Bench()
    bench.fields.place(0, Tag(uid(3)))
    bench.inventory()
    bench.chip.fails = 1
    assert bench.failure() == "chip_error"
    assert bench.inventory() == {shown(3)}


def test_no_poll_takes_longer_than_four_milliseconds() -> None:
    bench = Bench()
    random = Seeded(9)
    for _ in range(14):
        bench.fields.place(0, Tag(uid(random.below(1 << 30))))
    bench.inventory()
    assert bench.longest_us < 4000, bench.longest_us


def test_an_empty_antenna_costs_one_question() -> None:
    bench = Bench()
    bench.inventory()
    bench.chip.requests = []
    bench.inventory()
    assert bench.chip.requests == [b"\x26\x01\x00"]
    assert bench.took_us < 25000, bench.took_us


def test_fourteen_chips_are_read_within_a_third_of_a_second() -> None:
    bench = Bench()
    random = Seeded(14)
    bench.inventory()
    for _ in range(14):
        bench.fields.place(0, Tag(uid(random.below(1 << 30))))
    assert len(bench.inventory()) == 14
    print("# fourteen chips: ", bench.took_us, "us")  # noqa: T201 - a figure for the reader of the test's output
    assert bench.took_us < 333000, bench.took_us


def test_each_antenna_shows_its_own_tags() -> None:
    bench = Bench(with_mux=True)
    for antenna in range(16):
        bench.fields.place(antenna, Tag(uid(0x100 + antenna)))
    for antenna in (0, 15, 7, 8, 3, 0):
        assert bench.inventory(antenna) == {shown(0x100 + antenna)}
        assert bench.fields.selected is None
    assert bench.mux.hot_switches == 0
    assert bench.mux.glitches == 0


def test_a_new_start_abandons_the_old_inventory() -> None:
    bench = Bench(with_mux=True)
    bench.fields.place(1, Tag(uid(1)))
    bench.fields.place(2, Tag(uid(2)))
    bench.reader.start(1)
    bench.finish(40)
    assert bench.inventory(2) == {shown(2)}
    assert bench.mux.hot_switches == 0


def test_the_self_test_passes_and_fails() -> None:
    bench = Bench()
    bench.reader.self_test()
    assert bench.finish() == ()
    bench.chip.version = b"\x00\x00"
    bench.reader.self_test()
    code = ""
    try:
        bench.finish()
    except ReaderError as error:
        code = error.code
    assert code == "wrong_chip"


def test_ticks_may_wrap_in_the_middle() -> None:
    for before_ms in range(0, 80, 13):
        bench = Bench(MASK - before_ms)
        bench.fields.place(0, Tag(uid(3)))
        assert bench.inventory() == {shown(3)}


def test_a_busy_line_stuck_high_is_an_error_and_mended() -> None:
    bench = Bench()
    bench.fields.place(0, Tag(uid(3)))
    bench.inventory()
    bench.chip.stuck_level = 1
    bench.chip.hangs = True
    assert bench.failure() == "busy_stuck"
    assert bench.inventory() == {shown(3)}


def test_another_chip_may_share_the_bus() -> None:
    bench = Bench()
    other_fields = Fields()
    other_nss, other_reset = Pin(), Pin()
    bench.spi.attach(other_nss, SpiPort(Pn532Chip(bench.clock, other_fields, other_reset)))
    other = Pn532(Pn532Spi(bench.spi, other_nss), other_reset)
    for low in (1, 0x11, 2):
        bench.fields.place(0, Tag(uid(low)))
    other_fields.place(0, Tag(b"\x04\x01\x02\x03"))
    for _ in range(3):
        bench.reader.start(0)
        other.start(0)
        found: list[tuple[bytes, ...]] = []
        for _ in range(1000):
            bench.clock.pass_us(500)
            for reader in (bench.reader, other):
                answer = reader.poll(bench.clock.ticks())
                if answer is not None:
                    found.append(answer)
        assert sorted(map(len, found)) == [1, 3]
        assert (b"\x04\x01\x02\x03",) in found


def test_two_chips_that_are_selected_at_once_are_noticed() -> None:
    clock, spi = Clock(), Spi(Clock())
    selects = (Pin(), Pin())
    for nss in selects:
        spi.attach(nss, SpiPort(Pn532Chip(clock, Fields(), Pin())))
    selects[0](0)
    spi.write(b"\x01")
    selects[1](0)
    noticed = False
    try:
        spi.write(b"\x01")
    except AssertionError:
        noticed = True
    assert noticed
    selects[0](1)
    spi.write(b"\x01")


class Wires:
    """A chip without a driver."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.chip = Pn5180Chip(self.clock, Fields(), Pin(0), Pin())

    def send(self, instruction: bytes, answer_size: int = 0) -> bytes:
        self.clock.pass_us(5000)
        self.chip.select()
        for byte in instruction:
            self.chip.exchange(byte)
        self.chip.deselect()
        self.clock.pass_us(5000)
        self.chip.select()
        answer = bytes([self.chip.exchange(0xFF) for _ in range(answer_size)])
        self.chip.deselect()
        return answer


def test_the_model_writes_and_reads_several_registers_in_their_order() -> None:
    wires = Wires()
    writes = b"\x0c\x01\x78\x56\x34\xf2" + b"\x0c\x03\x0f\xff\x00\xff" + b"\x0c\x02\x80\x00\x00\x01"
    wires.send(b"\x03" + writes + b"\x0f\x01\x01\x02\x03\x04")
    assert wires.send(b"\x05\x0f\x0c", 8) == b"\x01\x02\x03\x04" + b"\x88\x56\x00\xf3"
    assert wires.send(b"\x04\x0c", 4) == b"\x88\x56\x00\xf3"
    assert wires.chip.errors == 0


def test_the_model_refuses_instructions_that_the_data_sheet_does_not_know() -> None:
    wires = Wires()
    broken = (b"\x03", b"\x03\x0c\x01\x00\x00\x00", b"\x03\x0c\x04\x00\x00\x00\x00", b"\x05", b"\x05" + bytes(19))
    for number in range(len(broken)):
        wires.send(broken[number])
        assert wires.chip.errors == number + 1
    assert wires.send(b"\x04\x02", 4)[2] & 2, "no general error"


def test_a_tag_answers_only_the_request_that_it_heard_and_only_while_it_lies_there() -> None:
    bench = Bench()
    bench.fields.place(0, Tag(uid(1)))
    taken = bench.fields.place(0, Tag(uid(14)))
    bench.reader.start(0)
    while len(bench.chip.requests) < 2:
        assert bench.finish(1) is None
    bench.fields.remove(0, taken)
    bench.fields.place(0, Tag(uid(15)))
    assert bench.finish() == (shown(1),)
    assert bench.inventory() == {shown(1), shown(15)}
