"""An update is taken only signed, whole, for this board, in order, and switched only when granted."""

from binascii import hexlify
from hashlib import sha256

from firmware.on_both.core_p256 import G, N, number
from firmware.on_both.seeded import Seeded
from sabot_firmware.core.manifest import Manifest, ManifestError
from sabot_firmware.core.update import Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILES = (("boot.py", b"print('boot')\n"), ("sabot_firmware/__init__.py", b""), ("sabot_firmware/app.py", b"x" * 1500))


def manifest_of(files: "tuple[tuple[str, bytes], ...]", board: str = "pico-w", serial: int = 5) -> bytes:
    lines = ["sabot-firmware 1", "board " + board, "release 0.2.0", f"serial {serial}"]
    for path, data in files:
        lines.append(f"file {hexlify(sha256(data).digest()).decode()} {len(data)} {path}")
    return ("\n".join(lines) + "\n").encode()


def sign(manifest: bytes) -> bytes:
    """The signature of the private key 1 (its public key is the generator) with the nonce 1."""
    r = int.from_bytes(G[:32], "big") % N
    return number(r) + number((int.from_bytes(sha256(manifest).digest(), "big") + r) % N)


class Board:
    """Carries out what an update asks for, on a spare slot in memory."""

    def __init__(self, serial: int = 5, key: bytes = G) -> None:
        self.update = Update("pico-w", serial, key)
        self.slot: dict[str, bytes] = {}
        self.reports: list[tuple[Any, ...]] = []
        self.switched: tuple[Any, ...] = ()

    def do(self, outputs: "tuple[tuple[Any, ...], ...]") -> "Board":
        for output in outputs:
            if output[0] == "report":
                self.reports.append(output[1:])
            elif output[0] == "write":
                assert len(self.slot.get(output[1], b"")) == output[2]
                self.slot[output[1]] = self.slot.get(output[1], b"") + bytes(output[3])
            elif output[0] == "switch":
                self.switched = output[1:]
            else:
                assert output[0] in ("prepare", "discard")
                self.slot = {}
        return self

    def offer(self, manifest: bytes, signature: bytes, update: int = 1) -> "Board":
        digest = sha256(manifest).digest()
        return self.do(self.update.offer(update, "0.2.0", len(manifest), digest, signature))

    def send(self, update: int, file: int, data: bytes, size: int = 700) -> "Board":
        for offset in range(0, len(data), size):
            self.do(self.update.block(update, file, offset, data[offset : offset + size]))
        return self

    def think(self) -> "Board":
        for _ in range(300):
            self.do(self.update.step())
        return self

    def read_back(self) -> "Board":
        while self.update.check_next():
            path, size = self.update.check_next() or ("", 0)
            assert len(self.slot[path]) == size
            self.do(self.update.checked(sha256(self.slot[path]).digest()))
        return self

    def load(self, files: "tuple[tuple[str, bytes], ...]" = FILES, update: int = 1) -> "Board":
        manifest = manifest_of(files)
        self.offer(manifest, sign(manifest), update).send(update, 0, manifest).think()
        for at in range(len(files)):
            self.send(update, at + 1, files[at][1])
        return self

    @property
    def last(self) -> str:
        return str(self.reports[-1][0])


def test_a_signed_update_is_received_verified_and_switched_when_granted() -> None:
    board = Board().load()
    assert board.slot == dict(FILES)
    assert board.do(board.update.switch(1)).last == "refused", "not before it was read back"
    assert board.read_back().reports[-2:] == [("verified", 0, 0), ("waiting", 0, 0)]
    board.do(board.update.switch(2))
    assert (board.last, board.switched) == ("refused", ())
    board.do(board.update.switch(1))
    assert (board.last, board.switched) == ("switched", (1, 5))


def test_a_manifest_without_the_release_keys_signature_is_refused() -> None:
    manifest = manifest_of(FILES)
    for signature in (bytes(64), sign(manifest + b"\n"), sign(manifest)[:63], b""):
        board = Board().offer(manifest, signature).send(1, 0, manifest).think()
        assert (board.last, board.slot) == ("refused", {})
    assert Board(key=b"").offer(manifest, sign(manifest)).last == "refused", "no release key, no update"


def test_a_manifest_that_is_not_the_one_offered_is_refused() -> None:
    manifest = manifest_of(FILES)
    board = Board().offer(manifest, sign(manifest)).send(1, 0, manifest[:-2] + b"!\n")
    assert board.last == "refused"


def test_another_board_and_an_older_release_are_refused() -> None:
    for manifest in (manifest_of(FILES, board="esp32-s3"), manifest_of(FILES, serial=4)):
        assert Board().offer(manifest, sign(manifest)).send(1, 0, manifest).think().last == "refused"


def test_a_file_that_differs_from_its_digest_is_refused_and_discarded() -> None:
    board = Board()
    manifest = manifest_of(FILES)
    board.offer(manifest, sign(manifest)).send(1, 0, manifest).think().send(1, 1, b"print('evil')\n")
    assert (board.last, board.slot) == ("refused", {})


def test_flash_that_does_not_hold_what_was_written_is_refused() -> None:
    board = Board().load()
    board.slot["boot.py"] = b"print('b00t')\n"
    assert board.read_back().last == "refused"
    assert board.do(board.update.switch(1)).switched == ()


def test_blocks_lost_doubled_or_out_of_order_only_tell_what_is_expected() -> None:
    for seed in range(10):
        random = Seeded(seed)
        board = Board()
        manifest = manifest_of(FILES)
        board.offer(manifest, sign(manifest))
        contents = [manifest] + [data for _, data in FILES]
        for _ in range(2000):
            board.do(board.update.step())
            state, file, offset = board.reports[-1]
            if board.update.state == "verifying":
                break
            assert state in ("offered", "receiving")
            if random.chance(30):
                file, offset = random.below(5), random.below(2000)
            if file < len(contents):
                data = contents[file][offset : offset + 1 + random.below(700)]
                if data and (file, offset) == board.reports[-1][1:]:
                    board.do(board.update.block(1, file, offset, data))
                elif data:
                    before = board.slot.copy()
                    board.do(board.update.block(1, file, offset, data))
                    assert board.slot == before
        assert board.read_back().last == "waiting", seed


def test_the_same_offer_again_resumes_and_an_old_one_is_stale() -> None:
    manifest = manifest_of(FILES)
    board = Board().offer(manifest, sign(manifest), 7).send(7, 0, manifest[:100])
    assert board.offer(manifest, sign(manifest), 7).reports[-1] == ("receiving", 0, 100)
    assert board.offer(manifest, sign(manifest), 6).last == "refused"
    assert board.update.state == "receiving", "a stale offer does not disturb"
    assert board.load(update=8).read_back().last == "waiting", "a newer one replaces it"


def test_cancel_drops_everything_until_the_switch() -> None:
    board = Board().load()
    assert (board.do(board.update.cancel(1)).last, board.slot) == ("cancelled", {})
    assert board.update.cancel(1) == ()
    assert board.update.block(1, 1, 0, b"late")[0][1] == "cancelled"
    board.load(update=2).read_back()
    board.do(board.update.switch(2))
    assert board.update.cancel(2) == ()
    assert board.slot == dict(FILES)


def test_an_offer_cannot_make_the_controller_allocate_without_bound() -> None:
    update = Update("pico-w", 1, G)
    assert update.offer(1, "0.2.0", 0xFFFF, bytes(32), bytes(64))[-1][1] == "refused"
    manifest = manifest_of(FILES)
    board = Board().offer(manifest, sign(manifest))
    assert board.do(board.update.block(1, 0, 0, bytes(len(manifest) + 1))).last == "refused"


def refusal(data: bytes) -> str:
    try:
        Manifest(data)
    except ManifestError as error:
        return error.code
    return "taken"


def test_a_manifest_is_read_strictly() -> None:
    good = manifest_of(FILES)
    assert refusal(good) == "taken"
    digest = hexlify(b"\xab" * 32).decode()
    for old, new, code in (
        (b"sabot-firmware 1", b"sabot-firmware 2", "shape"),
        (b"board pico-w", b"board pico w", "shape"),
        (b"serial 5", b"serial 05", "number"),
        (b"serial 5", b"serial -5", "number"),
        (b"serial 5", b"serial 99999999999", "number"),
        (b" 14 boot.py", b" 1e1 boot.py", "number"),
        (b"boot.py", b"../boot.py", "path"),
        (b"boot.py", b"/boot.py", "path"),
        (b"boot.py", b"a//boot.py", "path"),
        (b"boot.py", b".hidden", "path"),
        (b"boot.py", b"BOOT.PY", "path"),
        (b"boot.py", b"z" * 49, "path"),
        (b"boot.py", b"zoo.py", "order"),
        (b"file ", b"File ", "shape"),
    ):
        assert old in good
        assert refusal(good.replace(old, new, 1)) == code, new
    assert refusal(good[:-1]) == "shape"
    assert refusal(good + b"\n") == "shape"
    assert refusal(b"") == "shape"
    assert refusal(good + b"x" * 9000 + b"\n") == "shape"
    assert refusal(good + (f"file {digest.upper()} 1 z.py\n").encode()) == "digest"
    assert refusal(good + (f"file {digest[:-1]}g 1 z.py\n").encode()) == "digest"
    random = Seeded(3)
    for _ in range(300):
        broken = bytearray(good)
        for _ in range(1 + random.below(4)):
            broken[random.below(len(broken))] = random.below(256)
        refusal(bytes(broken))  # whatever it says, it says it with a code
