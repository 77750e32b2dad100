"""What keeps a gateway from running: one small tree, a sentence each, for the person at the console.

Owns the sentences' shape. A sentence never holds a key, a password or what a tag is.
"""

from pathlib import Path


class GatewayError(Exception):
    """The gateway cannot start or go on; the text is one sentence."""


class SettingsError(GatewayError):
    """The settings cannot be used: which file, which key or line of it, and why."""

    def __init__(self, file: Path | str, key: str, reason: str) -> None:
        super().__init__(f"{file}: {key}: {reason}." if key else f"{file}: {reason}.")
        self.file = str(file)
        self.key = key
        self.reason = reason


class StartError(GatewayError):
    """The settings are right, but something they name does not let the gateway start.

    `may_pass`: trying again may help, with nobody doing anything about it.
    """

    def __init__(self, sentence: str, *, may_pass: bool = False) -> None:
        super().__init__(sentence)
        self.may_pass = may_pass
