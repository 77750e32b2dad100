"""ECDSA signatures over NIST P-256 with SHA-256, checked a few bits at a time. It cannot sign.

Owns the arithmetic (FIPS 186-5, section 6.4; curve of SP 800-186). MicroPython brings no public-key cryptography,
but it has SHA-256 and integers of any size, and that is all a check needs. It handles no secret, so its timing
tells nothing. A whole check is 256 steps; a step costs about 20 products of 256-bit numbers, some milliseconds
at most on a board (an estimate), so the scan loop goes on meanwhile.
"""

_P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
_G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    Affine = tuple[int, int] | None  # None = the point at infinity
    Jacobian = tuple[int, int, int]  # z = 0: the point at infinity

KEY_SIZE = 64  # x, y
SIGNATURE_SIZE = 64  # r, s


class Check:
    """One signature under way: step() until it says True, then read `is_valid`."""

    def __init__(self, key: bytes, digest: bytes, signature: bytes) -> None:
        self.is_valid = False
        self._bit = -1
        if len(key) != KEY_SIZE or len(signature) != SIGNATURE_SIZE or len(digest) != 32:
            return
        point = (int.from_bytes(key[:32], "big"), int.from_bytes(key[32:], "big"))
        self._r = int.from_bytes(signature[:32], "big")
        s = int.from_bytes(signature[32:], "big")
        if not (_is_on_curve(point) and 1 <= self._r < _N and 1 <= s < _N):
            return
        w = _inverse(s, _N)
        self._u1 = int.from_bytes(digest, "big") * w % _N
        self._u2 = self._r * w % _N
        self._sums: tuple[Affine, ...] = (None, _G, point, _add_affine(_G, point))
        self._sum: Jacobian = (1, 1, 0)
        self._bit = 255

    def step(self) -> bool:
        """Work off one bit of both factors at once; True when the check is finished."""
        if self._bit < 0:
            return True
        self._sum = _double(self._sum)
        addend = self._sums[(self._u1 >> self._bit & 1) + 2 * (self._u2 >> self._bit & 1)]
        if addend is not None:
            self._sum = _add(self._sum, addend)
        self._bit -= 1
        if self._bit < 0:
            x, _, z = self._sum
            zz = z * z % _P
            # x / z**2 = r modulo n, without a division: r and, below the prime, r + n are its only candidates.
            self.is_valid = z != 0 and (x == self._r * zz % _P or (self._r + _N < _P and x == (self._r + _N) * zz % _P))
        return self._bit < 0


def is_key(key: bytes) -> bool:
    """Say whether these bytes are a public key: a point of the curve."""
    return len(key) == KEY_SIZE and _is_on_curve((int.from_bytes(key[:32], "big"), int.from_bytes(key[32:], "big")))


def _is_on_curve(point: "tuple[int, int]") -> bool:
    x, y = point
    return x < _P and y < _P and (y * y - (x * x - 3) * x - _B) % _P == 0


def _inverse(value: int, modulus: int) -> int:
    # Euclid's extended algorithm; the modulus is prime and the value is not 0.
    old, new = 0, 1
    rest, value = modulus, value % modulus
    while value:
        quotient = rest // value
        rest, value = value, rest - quotient * value
        old, new = new, old - quotient * new
    return old % modulus


def _add_affine(one: "tuple[int, int]", other: "tuple[int, int]") -> "Affine":
    x, y, z = _add((one[0], one[1], 1), other)
    if not z:
        return None
    w = _inverse(z, _P)
    ww = w * w % _P
    return x * ww % _P, y * ww * w % _P


def _double(point: "Jacobian") -> "Jacobian":
    # dbl-2001-b of the Explicit-Formulas Database, for a = -3.
    x, y, z = point
    if not z:
        return point
    delta = z * z % _P
    gamma = y * y % _P
    beta = x * gamma % _P
    alpha = 3 * (x - delta) * (x + delta) % _P
    x3 = (alpha * alpha - 8 * beta) % _P
    z3 = ((y + z) * (y + z) - gamma - delta) % _P
    return x3, (alpha * (4 * beta - x3) - 8 * gamma * gamma) % _P, z3


def _add(point: "Jacobian", other: "tuple[int, int]") -> "Jacobian":
    # Mixed addition; equal and opposite points are taken apart first.
    x, y, z = point
    if not z:
        return other[0], other[1], 1
    zz = z * z % _P
    h = (other[0] * zz - x) % _P
    r = (other[1] * zz * z - y) % _P
    if not h:
        return _double(point) if not r else (1, 1, 0)
    hh = h * h % _P
    hhh = h * hh % _P
    v = x * hh % _P
    x3 = (r * r - hhh - 2 * v) % _P
    return x3, (r * (v - x3) - y * hhh) % _P, z * h % _P
