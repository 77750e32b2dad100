"""The display shows what can be drawn, turns pages, and the controller's own words come first."""

from sabot_firmware.core.display import PAGE_MS, Display
from sabot_firmware.core.glyph import drawable, wrapped
from sabot_firmware.core.health import PERIOD_MS, Faults, Health
from sabot_firmware.core.ticks import MASK, ticks_add


def test_letters_without_a_glyph_fall_back_to_their_likeness() -> None:
    assert drawable("Égalité, cœur") == "Egalite, coeur"
    assert drawable("À payer : 25 €…") == "A payer : 25 EUR..."
    assert drawable("plain ~ text") == "plain ~ text"
    assert drawable("日本\x07") == "???"


def test_every_likeness_is_drawable() -> None:
    # Blocks of letters, punctuation and symbols; whole, because MicroPython never frees what chr() gives.
    for start, end in ((0x20, 0x180), (0x2010, 0x2030), (0x20A0, 0x20B0), (0x2660, 0x2668)):
        text = bytearray()
        for code in range(start, end):
            text += utf8(code)
        for byte in drawable(text.decode()).encode():
            assert 32 <= byte <= 126


def utf8(code: int) -> bytes:
    if code < 0x80:
        return bytes([code])
    if code < 0x800:
        return bytes([0xC0 | code >> 6, 0x80 | code & 0x3F])
    return bytes([0xE0 | code >> 12, 0x80 | code >> 6 & 0x3F, 0x80 | code & 0x3F])


def test_text_is_broken_between_words() -> None:
    assert wrapped("Payer la place 3", 8) == ["Payer la", "place 3"]
    assert wrapped("rien-ne-va-plus", 8) == ["rien-ne-", "va-plus"]
    assert wrapped("", 8) == [""]
    for text in ("a bb ccc dddd eeeee ffffff ggggggg hhhhhhhh iiiiiiiii", "x" * 40, " two  spaces "):
        assert all(len(row) <= 8 for row in wrapped(text, 8))


def test_the_language_of_the_table_is_shown() -> None:
    lines = [("Payer", "Pay"), ("25,00", "25.00")]
    french, english = Display(4, 16), Display(4, 16, "en")
    assert french.show(1, lines)
    assert english.show(1, lines)
    assert french.rows(0) == ["Payer", "25,00"]
    assert english.rows(0) == ["Pay", "25.00"]


def test_an_old_revision_never_replaces_a_newer_one() -> None:
    display = Display(4, 16)
    display.show(5, [("neuf", "new")])
    assert not display.show(4, [("vieux", "old")])
    assert display.rows(0) == ["neuf"]


def test_long_texts_turn_pages() -> None:
    display = Display(2, 8)
    display.show(1, [("un", ""), ("deux", ""), ("trois", "")])
    assert display.rows(0) == ["un", "deux"]
    assert display.rows(PAGE_MS) == ["trois"]
    assert display.rows(2 * PAGE_MS) == ["un", "deux"]


def test_the_controllers_own_words_stand_above_all_until_taken_back() -> None:
    display = Display(4, 16)
    display.show(1, [("Payer", "Pay")])
    display.notice("Config: unknown key 'brigthness'")
    assert display.rows(0) == ["Config: unknown", "key 'brigthness'"]
    display.notice()
    assert display.rows(0) == ["Payer"]


def test_health_is_due_once_a_period_across_the_wrap() -> None:
    now = MASK - 10
    health = Health(now)
    assert not health.is_due(now)
    now = ticks_add(now, PERIOD_MS)
    assert health.is_due(now)
    assert not health.is_due(now)


def test_health_tells_the_longest_loop_since_last_time() -> None:
    health = Health(0)
    health.note_loop(7)
    health.note_loop(3)
    health.note_reader_error()
    health.note_link_drop()
    assert health.fields(1000, 2, 3) == (1000, 2, 3, 1, 1, 7)
    assert health.fields(1000, 2, 3) == (1000, 2, 3, 1, 1, 0)
    health.reader_errors = 0xFFFFFFFF
    health.note_reader_error()
    assert health.reader_errors == 0xFFFFFFFF


def test_each_change_of_a_fault_is_told_once() -> None:
    faults = Faults()
    assert faults.set("reader", 2, True) == ("reader", 2, True)
    assert faults.set("reader", 2, True) is None
    assert faults.set("reader", 3, True) == ("reader", 3, True)
    assert faults.set("reader", 2, False) == ("reader", 2, False)
    assert faults.are_active
    assert faults.active() == (("reader", 3),)
    assert faults.set("reader", 2, False) is None
    faults.set("reader", 3, False)
    assert not faults.are_active
