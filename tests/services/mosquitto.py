"""A real Mosquitto on a free loopback port, from a temporary folder."""

import os
import shutil
from pathlib import Path

from services.process import Service, answers, free_port

_SEARCH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"])  # Debian: /usr/sbin


class Mosquitto:
    host = "127.0.0.1"

    def __init__(self, folder: Path, extra_settings: str = "") -> None:
        program = shutil.which("mosquitto", path=_SEARCH)
        assert program, "Mosquitto is missing: run setup/system.sh."
        self.port = free_port()
        settings = folder / "mosquitto.conf"
        # `user` is read only when started as root; naming root keeps the temporary folder readable.
        settings.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\nuser root\n{extra_settings}\n")
        self._service = Service([program, "-c", str(settings)], folder / "mosquitto.log")
        self._service.wait_until(lambda: answers(self.port))

    def stop(self) -> None:
        self._service.stop()
