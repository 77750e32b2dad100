"""Why bytes or values were refused: one exception, a closed set of codes, a sentence for each.

Owns the codes. Knows nothing of CBOR, messages or keys. A WireError never carries a value from
the message: what was refused may be a sealed card or a key, and errors end up in logs.
Codes are part of the wire (a controller reports them in `message_refused`): append, never reuse.
"""

SENTENCES = (
    ("oversize", "The message is longer than the wire allows."),
    ("truncated", "The bytes end before the message does."),
    ("trailing", "Bytes follow the end of the message."),
    ("malformed", "The bytes are not well-formed CBOR."),
    ("not_canonical", "The encoding is not the one deterministic encoding of its value."),
    ("duplicate_key", "A map holds the same key twice."),
    ("too_deep", "Containers are nested deeper than the wire allows."),
    ("too_many", "The message holds more items than the wire allows."),
    ("unsupported", "The message uses a CBOR type that this wire does not know."),
    ("float", "The message holds a floating-point number."),
    ("int_overflow", "An integer does not fit into 64 bits with a sign."),
    ("bad_text", "A text is not valid UTF-8."),
    ("wrong_type", "A field has the wrong type."),
    ("out_of_range", "A field lies outside its range."),
    ("wrong_arity", "An array has too few or too many fields."),
    ("missing_key", "A required field is missing."),
    ("unknown_key", "A field is not in the table of messages."),
    ("unknown_kind", "The kind of message, event or command is not in the table."),
    ("wrong_channel", "The message does not belong on this topic."),
    ("bad_topic", "The topic is not a Sabot topic."),
    ("bad_envelope", "The bytes are not a COSE_Encrypt0 envelope in Sabot's form."),
    ("wrong_algorithm", "The envelope is not sealed with AES-CCM-16-128-128."),
    ("wrong_device", "The envelope was sealed by or for another device."),
    ("not_authentic", "The seal is broken: altered bytes, another key or another topic."),
    ("bad_frame", "The serial frame is not a COBS frame of a known channel."),
    ("bad_crc", "The serial frame was damaged on the line."),
)

CODES = tuple(entry[0] for entry in SENTENCES)


class WireError(ValueError):
    """Bytes or values that the wire contract refuses; `code` is one of CODES, `where` names a field."""

    def __init__(self, code: str, where: str = "") -> None:
        super().__init__(code, where)
        self.code = code
        self.where = where

    def __str__(self) -> str:
        # Made only when somebody reads it: a controller refuses bytes while its heap is full of them.
        sentence = SENTENCES[CODES.index(self.code)][1]
        return f"{sentence} [{self.code}: {self.where}]" if self.where else f"{sentence} [{self.code}]"
