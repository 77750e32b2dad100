"""An update, from the offer to the restart: what is accepted when, and in which order.

Owns the states that the wire names (offered, receiving, verified, waiting, switched, refused, cancelled) and the
chain of trust. Does no I/O: it answers with outputs that the app carries out,
    ("report", state, file, offset)   tell the gateway; file and offset say what is expected next
    ("prepare", bytes)                empty the spare slot
    ("write", path, offset, data)     write to the spare slot
    ("discard",)                      empty the spare slot again
    ("switch", update, serial)        let the next start try the spare slot (slot.py), then restart
and the app calls step() each turn, and check_next() / checked() to hold what was written against its digest.

Who may change a controller: the offer comes sealed with the device's own key (AES-CCM), which proves that it comes
from this house's gateway, for this device, now. But that key also lies in the gateway, so whoever takes the
gateway could write firmware. Hence the manifest also carries a signature of the release key, whose secret half never
leaves the maker (ECDSA P-256 with SHA-256, p256.py: the one public-key scheme that MicroPython's SHA-256 and
integers can check; Ed25519 needs SHA-512, an HMAC needs a secret that every stolen controller would betray).
The signature covers the manifest, the manifest covers each file, and each file is read back before the switch.
A controller without a release key takes no update. Switching needs the gateway's word: only between coups.
Limits: one update at a time; a restart forgets one under way, and the gateway offers it again.
"""

from hashlib import sha256

from sabot_firmware.core.manifest import MAX_SIZE, Manifest, ManifestError
from sabot_firmware.core.p256 import Check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Outputs = tuple[tuple[Any, ...], ...]

# Bits of a signature check per turn: 256 turns of 20 ms are five seconds, and the scan loop keeps its pace.
STEPS_PER_TURN = 1


class Update:
    """The one update that may be under way; `board` and `serial` are those of the running release.

    `last` is the number of the last update that was switched to (slot.py): numbers never go backwards.
    """

    def __init__(self, board: str, serial: int, release_key: bytes, last: int = 0) -> None:
        self._board = board
        self._serial = serial
        self._key = release_key
        self.state = "idle"
        self.number = last
        self._clear()

    def _clear(self) -> None:
        self._expected = b""
        self._size = 0
        self._head = bytearray(0)
        self._check: Check | None = None
        self._manifest: Manifest | None = None
        self._file = 0
        self._offset = 0
        self._hash: Any = None
        self._checked = 0

    def offer(self, number: int, release: str, size: int, digest: bytes, signature: bytes) -> "Outputs":
        """Take an offer. The same again only asks how far it is; an older number is stale."""
        if number == self.number and digest == self._expected and self.state not in ("idle", "refused", "cancelled"):
            return (self._report(),)
        if number <= self.number:
            return (("report", "refused", 0, 0),)
        discard = self._abandon()
        self.number = number
        if not self._key or size > MAX_SIZE:
            return discard + self._refuse()
        self._expected = bytes(digest)
        self._size = size
        self._head = bytearray(size)
        self._check = Check(self._key, self._expected, signature)
        self._release = release
        self.state = "receiving"
        return discard + (("report", "offered", 0, 0),)

    def block(self, number: int, file: int, offset: int, data: "bytes | memoryview") -> "Outputs":
        """Take a block. One that is not the next is not used; the report says which is."""
        if number != self.number or self.state != "receiving" or (self._file == 0 and self._is_head_full()):
            return (self._report(),) if number == self.number and self.state != "idle" else ()
        if (file, offset) != (self._file, self._offset):
            return (self._report(),)
        return self._take_head(data) if file == 0 else self._take_file(data)

    def step(self) -> "Outputs":
        """Go on with the signature once the manifest is complete: a few bits in each turn."""
        if self.state != "receiving" or self._file or not self._is_head_full() or self._check is None:
            return ()
        for _ in range(STEPS_PER_TURN):
            if self._check.step():
                return self._open_manifest() if self._check.is_valid else self._refuse()
        return ()

    def check_next(self) -> "tuple[str, int] | None":
        """(path, size) of the next file in the spare slot whose digest is wanted; None when there is none."""
        if self.state != "verifying" or self._manifest is None:
            return None
        path, size, _ = self._manifest.file(self._checked)
        return path, size

    def checked(self, digest: bytes) -> "Outputs":
        """Take the digest that was read back from flash; after the last one the update waits to be switched."""
        if self.state != "verifying" or self._manifest is None:
            return ()
        if digest != self._manifest.file(self._checked)[2]:
            return self._refuse()
        self._checked += 1
        if self._checked < self._manifest.count:
            return ()
        self.state = "waiting"
        return ("report", "verified", 0, 0), ("report", "waiting", 0, 0)

    def switch(self, number: int) -> "Outputs":
        """The gateway grants the switch: no coup is running. The same word behind the restart asks for nothing."""
        if number == self.number and self.state in ("idle", "switched"):
            return ()
        if number != self.number or self.state != "waiting" or self._manifest is None:
            return (("report", "refused", 0, 0),)
        self.state = "switched"
        return ("report", "switched", 0, 0), ("switch", number, self._manifest.serial)

    def cancel(self, number: int) -> "Outputs":
        """Drop the update; after the switch it is too late."""
        if number != self.number or self.state in ("idle", "switched", "refused", "cancelled"):
            return ()
        discard = self._abandon()
        self.state = "cancelled"
        return discard + (("report", "cancelled", 0, 0),)

    def _take_head(self, data: "bytes | memoryview") -> "Outputs":
        end = self._offset + len(data)
        if end > self._size:
            return self._refuse()
        self._head[self._offset : end] = data
        self._offset = end
        if self._is_head_full() and sha256(self._head).digest() != self._expected:
            return self._refuse()
        return (self._report(),)

    def _open_manifest(self) -> "Outputs":
        try:
            manifest = Manifest(bytes(self._head))
        except ManifestError:
            return self._refuse()
        if manifest.board != self._board or manifest.serial < self._serial or manifest.release != self._release:
            return self._refuse()
        self._manifest = manifest
        self._head = bytearray(0)
        self._check = None
        self._begin_file(1)
        return (("prepare", manifest.total),) + self._skip_empty() + (self._report(),)

    def _take_file(self, data: "bytes | memoryview") -> "Outputs":
        assert self._manifest is not None, "files come after their manifest"
        path, size, digest = self._manifest.file(self._file - 1)
        if self._offset + len(data) > size:
            return self._refuse()
        self._hash.update(data)
        write = ("write", path, self._offset, data)
        self._offset += len(data)
        if self._offset < size:
            return write, self._report()
        if self._hash.digest() != digest:
            return self._refuse()
        self._begin_file(self._file + 1)
        return (write,) + self._skip_empty() + (self._report(),)

    def _skip_empty(self) -> "Outputs":
        # A file without a byte has no block: it is written at once.
        assert self._manifest is not None, "files come after their manifest"
        writes: list[tuple[Any, ...]] = []
        while self._file <= self._manifest.count:
            path, size, _ = self._manifest.file(self._file - 1)
            if size:
                break
            writes.append(("write", path, 0, b""))
            self._begin_file(self._file + 1)
        if self._file > self._manifest.count:
            self.state = "verifying"
        return tuple(writes)

    def _begin_file(self, file: int) -> None:
        self._file = file
        self._offset = 0
        self._hash = sha256()

    def _is_head_full(self) -> bool:
        return self._offset == self._size

    def _refuse(self) -> "Outputs":
        discard = self._abandon()
        self.state = "refused"
        return discard + (("report", "refused", 0, 0),)

    def _abandon(self) -> "Outputs":
        discard = (("discard",),) if self._manifest is not None and self.state != "switched" else ()
        self._clear()
        self.state = "idle"
        return discard

    def _report(self) -> "tuple[Any, ...]":
        # "verifying" is ours alone: for the gateway the last file was received.
        state = "receiving" if self.state == "verifying" else self.state
        return "report", state, self._file, self._offset
