"""What a service does with signals before it stands: told to stop while it is still being read in, it ends in order.

Owns the handlers from the first line of the command until the service sets its own. Imports nothing that takes time.
"""

import signal
import sys
from types import FrameType


def heed_early() -> None:
    """From now on SIGTERM ends the process with 0; SIGHUP is ignored, for the settings are yet to be read."""
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


def heed_no_more() -> None:
    """As every other command: whoever was stopped has not done what it was asked for."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def _stop(number: int, frame: FrameType | None) -> None:
    del number, frame
    sys.exit(0)
