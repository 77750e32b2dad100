"""Bytes of a journal that cannot be read as what they should be."""


class FactError(ValueError):
    """A record's body is malformed, or of a version that this release does not know. It never quotes the body."""
