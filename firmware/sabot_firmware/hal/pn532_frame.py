"""PN532 host frames: built into one buffer, found again in any stream of bytes.

Source: NXP UM0701-02 "PN532 User Manual" rev. 02, section 6.2.1: 00 00 FF LEN LCS TFI PD0..PDn DCS 00, where
LEN + LCS and TFI + PD0 + … + DCS are 0 modulo 256; ACK 00 00 FF 00 FF 00; NACK 00 00 FF FF 00 00; error frame
00 00 FF 01 FF 7F 81 00. Postamble bytes are optional for the receiver, and so ignored.
Limits: normal frames only. Extended frames (LEN = LCS = FF) never answer the commands Sabot sends; one is BAD.
Owns framing and checksums. Knows no command and no bus.
"""

ACK = b"\x00\x00\xff\x00\xff\x00"
NACK = b"\x00\x00\xff\xff\x00\x00"

HOST_TO_CHIP = 0xD4
CHIP_TO_HOST = 0xD5

# What Deframer.feed finds.
NOTHING, GOT_ACK, GOT_NACK, GOT_ERROR, GOT_DATA, BAD = range(6)

# The longest answer Sabot expects: two targets with 10-byte UIDs and an ATS of 20 bytes each, 75 bytes.
MAX_PAYLOAD = 96
_SEARCH, _START, _LENGTH, _CHECK, _BODY, _SUM = range(6)


def build(buffer: bytearray, command: "bytes | bytearray | memoryview") -> int:
    """Write the frame that carries `command` (code and parameters) into `buffer`; its length."""
    size = len(command)
    assert 8 + size <= len(buffer)
    assert size < 254
    buffer[0] = 0
    buffer[1] = 0
    buffer[2] = 0xFF
    buffer[3] = size + 1
    buffer[4] = -(size + 1) & 0xFF
    buffer[5] = HOST_TO_CHIP
    total = HOST_TO_CHIP
    for at in range(size):
        buffer[6 + at] = command[at]
        total += command[at]
    buffer[6 + size] = -total & 0xFF
    buffer[7 + size] = 0
    return 8 + size


class Deframer:
    """Takes bytes one by one; whatever they are, it is back in step at the next start code."""

    def __init__(self) -> None:
        self.payload = bytearray(MAX_PAYLOAD)
        self.size = 0
        self._state = _SEARCH
        self._length = 0
        self._total = 0

    def clear(self) -> None:
        """Forget a frame begun."""
        self._state = _SEARCH

    def wanted(self) -> int:
        """How many more bytes, at least, the frame needs; the least a frame has when none has begun."""
        if self._state == _BODY:
            return self._length - self.size + 1
        # The shortest frame, an ACK without its optional parts, is 00 FF 00 FF.
        return 1 if self._state else 4

    def feed(self, byte: int) -> int:
        """What this byte completed: a constant of this module. GOT_DATA leaves `payload[:size]` without the TFI."""
        state = self._state
        if state == _SEARCH:
            if byte == 0:
                self._state = _START
        elif state == _START:
            # Any number of zeros may come before the FF.
            self._state = _LENGTH if byte == 0xFF else _START if byte == 0 else _SEARCH
        elif state == _LENGTH:
            self._length = byte
            self._state = _CHECK
        elif state == _CHECK:
            return self._check(byte)
        elif state == _BODY:
            self._total += byte
            self.payload[self.size] = byte
            self.size += 1
            if self.size == self._length:
                self._state = _SUM
        else:
            self._state = _SEARCH
            return self._verdict(byte)
        return NOTHING

    def _check(self, byte: int) -> int:
        self._state = _SEARCH
        if self._length == 0 and byte == 0xFF:
            return GOT_ACK
        if self._length == 0xFF and byte == 0:
            return GOT_NACK
        if (self._length + byte) & 0xFF or not 1 <= self._length <= MAX_PAYLOAD:
            return BAD
        self._state = _BODY
        self.size = 0
        self._total = 0
        return NOTHING

    def _verdict(self, byte: int) -> int:
        if (self._total + byte) & 0xFF:
            return BAD
        if self.payload[0] == CHIP_TO_HOST:
            self.size -= 1
            for at in range(self.size):
                self.payload[at] = self.payload[at + 1]
            return GOT_DATA
        return GOT_ERROR if self.size == 1 and self.payload[0] == 0x7F else BAD
