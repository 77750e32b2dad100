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
from sabot_protocol.limits import MAX_MESSAGE, MAX_NAME, MAX_PAYLOAD
from sabot_protocol.topics import parse_topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_protocol.device_key import DeviceKey

NONCE = 13
_TAG_ENCRYPT0 = 16
_PROTECTED = b"\xa1\x01\x18\x1e"  # {1: 30}
_CONTEXT = b"\x83\x68Encrypt0\x44" + _PROTECTED  # Enc_structure up to the external AAD
_KID, _IV = 4, 5
_MAX_CONTEXTS = 8  # five channels, with room; a stranger cannot make the cache grow


def seal(key: "DeviceKey", topic: str, payload: "bytes | memoryview", nonce: "bytes | None" = None) -> bytes:
    """Return the envelope of a payload on a topic; a nonce that is given must never have been used."""
    aad = key.contexts.get(topic) or _aad(key, topic)
    if len(payload) > MAX_PAYLOAD:
        raise WireError("oversize")
    if nonce is None:
        nonce = os.urandom(NONCE)
    sealed = key.aead.seal(nonce, aad, payload)
    size = len(sealed)
    # The head of a byte string, by hand: an ack goes down for nearly each message that comes up.
    if size < 24:
        head = bytes((0x40 | size,))
    else:
        head = bytes((0x58, size)) if size < 256 else bytes((0x59, size >> 8, size & 255))
    return (key.prefix or _prefix(key)) + nonce + head + sealed


def unseal(key: "DeviceKey", topic: str, data: "bytes | bytearray | memoryview") -> bytes:
    """Return the payload of an envelope that this device sealed, or was sealed for, on this topic."""
    aad = key.contexts.get(topic) or _aad(key, topic)
    prefix = key.prefix or _prefix(key)
    start = len(prefix)
    at = start + NONCE
    size = len(data) - at - 2
    # Nearly always a ciphertext of 24 to 255 bytes, up to the end, behind the beginning of this device's envelopes.
    if 24 <= size < 256 and data[at] == 0x58 and data[at + 1] == size and bytes(data[:start]) == prefix:
        payload = key.aead.open(bytes(data[start:at]), aad, bytes(data[at + 2 :]))
    else:
        nonce, sealed = _parts(data, prefix)
        payload = key.aead.open(nonce, aad, sealed)
    if payload is None:
        raise WireError("not_authentic")
    return payload


def _aad(key: "DeviceKey", topic: str) -> bytes:
    # A device has few topics: each is parsed once, and its Enc_structure kept with the key.
    aad = key.contexts.get(topic)
    if aad is None:
        if parse_topic(topic)[1] != key.device:
            raise WireError("wrong_device")
        writer = Writer(bytearray(len(_CONTEXT) + 2 + len(topic)))
        writer.put_raw(_CONTEXT, len(_CONTEXT))
        writer.put_bytes(topic.encode())
        if len(key.contexts) >= _MAX_CONTEXTS:
            key.contexts.clear()
        key.contexts[topic] = aad = bytes(writer.buffer[: writer.at])
    return aad


def _prefix(key: "DeviceKey") -> bytes:
    # Everything before the nonce is the same in each of a device's envelopes.
    if not key.prefix:
        writer = Writer(bytearray(len(key.kid) + 16))
        writer.put_head(TAG, _TAG_ENCRYPT0)
        writer.put_head(ARRAY, 3)
        writer.put_bytes(_PROTECTED)
        writer.put_head(MAP, 2)
        writer.put_int(_KID)
        writer.put_bytes(key.kid)
        writer.put_int(_IV)
        writer.put_head(BYTES, NONCE)
        key.prefix = bytes(writer.buffer[: writer.at])
    return key.prefix


def _parts(data: "bytes | bytearray | memoryview", prefix: bytes) -> "tuple[bytes, bytes]":
    # Nonce and ciphertext of any envelope, or what is wrong with it.
    reader = Reader(data, MAX_MESSAGE)
    if bytes(data[: len(prefix)]) != prefix:
        _parse(reader)
        # One device's envelopes all begin alike, so a well-formed one that does not is another's.
        raise WireError("wrong_device")
    reader.at = len(prefix)
    nonce = reader.string(NONCE)
    sealed = _string(reader, 16, MAX_PAYLOAD + 16)
    reader.finish()
    return nonce, sealed


def _parse(reader: Reader) -> None:
    # Reads an envelope that is not ours to find out what is wrong with it.
    _expect(reader, TAG, _TAG_ENCRYPT0)
    _expect(reader, ARRAY, 3)
    protected = _string(reader, 0, 16)
    _expect(reader, MAP, 2)
    _expect(reader, UINT, _KID)
    _string(reader, 1, MAX_NAME)
    _expect(reader, UINT, _IV)
    _string(reader, NONCE, NONCE)
    _string(reader, 16, MAX_PAYLOAD + 16)
    reader.finish()
    if protected != _PROTECTED:
        raise WireError("wrong_algorithm")


def _expect(reader: Reader, major: int, argument: int) -> None:
    found = reader.head()
    if reader.major != major or found != argument:
        raise WireError("bad_envelope")


def _string(reader: Reader, low: int, high: int) -> bytes:
    size = reader.head()
    if reader.major != BYTES or not low <= size <= high:
        raise WireError("bad_envelope")
    return reader.string(size)
