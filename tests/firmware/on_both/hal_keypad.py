"""Keypads, on pins and behind an MCP23017, against contacts that make ghosts and a chip that fails."""

from firmware.on_both.seeded import Seeded
from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.key_matrix import KeyMatrix, MatrixPins, Mcp23017Chip
from sabot_firmware.fake.wire import I2c
from sabot_firmware.hal.errors import BusError
from sabot_firmware.hal.keypad_matrix import MatrixKeypad
from sabot_firmware.hal.keypad_mcp23017 import Mcp23017Keypad

ROWS, COLUMNS, ADDRESS = 4, 5, 0x20


def scan(keypad: "MatrixKeypad | Mcp23017Keypad") -> int:
    """The next whole scan."""
    for _ in range(20):
        mask = keypad.poll()
        if mask is not None:
            return mask
    raise AssertionError("no scan in twenty polls")


def both(matrix: KeyMatrix) -> "list[MatrixKeypad | Mcp23017Keypad]":
    pins = MatrixPins(matrix, ROWS, COLUMNS)
    i2c = I2c(Clock())
    i2c.chips[ADDRESS] = Mcp23017Chip(matrix)
    return [MatrixKeypad(pins.rows, pins.columns), Mcp23017Keypad(i2c, ADDRESS, ROWS, COLUMNS)]


def test_every_key_has_its_own_bit() -> None:
    matrix = KeyMatrix()
    for keypad in both(matrix):
        scan(keypad)
        assert scan(keypad) == 0
        for row in range(ROWS):
            for column in range(COLUMNS):
                matrix.held = {(row, column)}
                scan(keypad)
                assert scan(keypad) == 1 << (row * COLUMNS + column)
        matrix.held = set()


def test_held_keys_that_make_no_rectangle_are_all_seen() -> None:
    matrix = KeyMatrix()
    for keypad in both(matrix):
        matrix.held = {(0, 0), (1, 1), (2, 2), (3, 4)}
        scan(keypad)
        assert scan(keypad) == 1 << 0 | 1 << 6 | 1 << 12 | 1 << 19


def test_both_keypads_see_the_same_contacts_ghosts_included() -> None:
    random = Seeded(16)
    matrix = KeyMatrix()
    pads = both(matrix)
    for _ in range(100):
        matrix.held = {(random.below(ROWS), random.below(COLUMNS)) for _ in range(random.below(5))}
        masks = []
        for keypad in pads:
            scan(keypad)
            masks.append(scan(keypad))
        assert masks[0] == masks[1]
        held = sum([1 << (row * COLUMNS + column) for row, column in matrix.held])
        assert masks[0] & held == held


def test_only_one_row_is_driven_at_a_time() -> None:
    pins = MatrixPins(KeyMatrix(), ROWS, COLUMNS)
    keypad = MatrixKeypad(pins.rows, pins.columns)
    for _ in range(30):
        keypad.poll()
        assert sum([1 - pin.level for pin in pins.rows]) == 1


def test_an_expander_that_does_not_acknowledge_raises_and_comes_back() -> None:
    matrix = KeyMatrix()
    i2c = I2c(Clock())
    chip = Mcp23017Chip(matrix)
    keypad = Mcp23017Keypad(i2c, ADDRESS, ROWS, COLUMNS)
    for missing in (True, False):
        failures = 0
        if not missing:
            i2c.chips[ADDRESS] = chip
            chip.deaf = 2
        for _ in range(3):
            try:
                keypad.poll()
            except BusError:
                failures += 1
        assert failures == (3 if missing else 2)
    matrix.held = {(2, 3)}
    scan(keypad)
    assert scan(keypad) == 1 << 13
    i2c.is_stuck = True
    stuck = False
    try:
        keypad.poll()
    except BusError:
        stuck = True
    assert stuck
    i2c.is_stuck = False
    scan(keypad)
    assert scan(keypad) == 1 << 13


def test_a_supply_dip_at_any_poll_never_presses_a_key() -> None:
    for after in range(12):
        matrix = KeyMatrix()
        i2c = I2c(Clock())
        chip = Mcp23017Chip(matrix)
        i2c.chips[ADDRESS] = chip
        keypad = Mcp23017Keypad(i2c, ADDRESS, ROWS, COLUMNS)
        scan(keypad)
        for _ in range(after):
            mask = keypad.poll()
            assert mask in (None, 0)
        chip.brown_out()
        assert scan(keypad) == 0
        assert keypad.resets == 1
        matrix.held = {(1, 1)}
        scan(keypad)
        assert scan(keypad) == 1 << 6
