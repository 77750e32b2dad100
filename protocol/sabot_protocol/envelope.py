"""The envelope: COSE_Encrypt0 (RFC 9052 section 5.2) with AES-CCM-16-128-128 (RFC 9053, algorithm 30).

    16([ << {1: 30} >>, {4: kid, 5: nonce}, ciphertext ])

Owns seal and unseal. Tagged (16), so that any COSE library knows what it holds; one byte is the price.
The kid is the device's name, the nonce is random (13 bytes), the external AAD is the topic: a message moved
to another table or direction does not open. Deterministic like the payload: one envelope has one form.
Both directions share a key; with random nonces 2^32 messages collide with a chance of about 2^-41.
"""

import os

from sabot_protocol.cbor import ARRAY, BYTES, MAP, TAG, UINT, Reader, Writer
from sabot_protocol.errors import WireError
from sabot_protocol.limits import MAX_MESSAGE, MAX_PAYLOAD
from sabot_protocol.topics import parse_topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_protocol.device_key import DeviceKey

NONCE = 13
_TAG_ENCRYPT0 = 16
_PROTECTED = b"\xa1\x01\x18\x1e"  # {1: 30}
_CONTEXT = b"\x83\x68Encrypt0\x44" + _PROTECTED  # Enc_structure up to the external AAD
_KID, _IV = 4, 5


def seal(key: "DeviceKey", topic: str, payload: "bytes | memoryview", nonce: "bytes | None" = None) -> bytes:
    """Return the envelope of a payload on a topic; only the golden vectors choose the nonce."""
    _require_device(key, topic)
    if len(payload) > MAX_PAYLOAD:
        raise WireError("oversize")
    if nonce is None:
        nonce = os.urandom(NONCE)
    sealed = key.aead.seal(nonce, _aad(topic), payload)
    writer = Writer(bytearray(len(sealed) + len(key.kid) + 29))
    writer.put_head(TAG, _TAG_ENCRYPT0)
    writer.put_head(ARRAY, 3)
    writer.put_bytes(_PROTECTED)
    writer.put_head(MAP, 2)
    writer.put_int(_KID)
    writer.put_bytes(key.kid)
    writer.put_int(_IV)
    writer.put_bytes(nonce)
    writer.put_bytes(sealed)
    return bytes(writer.buffer[: writer.at])


def unseal(key: "DeviceKey", topic: str, data: "bytes | bytearray | memoryview") -> bytes:
    """Return the payload of an envelope that this device sealed, or was sealed for, on this topic."""
    _require_device(key, topic)
    kid, nonce, sealed = _parse(data)
    if kid != key.kid:
        raise WireError("wrong_device")
    payload = key.aead.open(nonce, _aad(topic), sealed)
    if payload is None:
        raise WireError("not_authentic")
    return payload


def _require_device(key: "DeviceKey", topic: str) -> None:
    if parse_topic(topic)[1] != key.device:
        raise WireError("wrong_device")


def _aad(topic: str) -> bytes:
    writer = Writer(bytearray(len(_CONTEXT) + 2 + len(topic)))
    writer.put_raw(_CONTEXT, len(_CONTEXT))
    writer.put_bytes(topic.encode())
    return bytes(writer.buffer[: writer.at])


def _parse(data: "bytes | bytearray | memoryview") -> "tuple[bytes, bytes, bytes]":
    reader = Reader(data, MAX_MESSAGE)
    _expect(reader, TAG, _TAG_ENCRYPT0)
    _expect(reader, ARRAY, 3)
    protected = _string(reader, 0, 16)
    _expect(reader, MAP, 2)
    _expect(reader, UINT, _KID)
    kid = _string(reader, 1, 32)
    _expect(reader, UINT, _IV)
    nonce = _string(reader, NONCE, NONCE)
    sealed = _string(reader, 16, MAX_PAYLOAD + 16)
    reader.finish()
    if protected != _PROTECTED:
        raise WireError("wrong_algorithm")
    return kid, nonce, sealed


def _expect(reader: Reader, major: int, argument: int) -> None:
    found = reader.head()
    if reader.major != major or found != argument:
        raise WireError("bad_envelope")


def _string(reader: Reader, low: int, high: int) -> bytes:
    size = reader.head()
    if reader.major != BYTES or not low <= size <= high:
        raise WireError("bad_envelope")
    return reader.string(size)
