"""A real PostgreSQL cluster in a temporary folder, reached through a socket in that folder and a free loopback port."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from services.process import Service, free_port

_UNPRIVILEGED = "nobody"  # PostgreSQL refuses to run as root, so root lends it this account


class Postgres:
    host = "127.0.0.1"
    user = "sabot"
    database = "postgres"

    def __init__(self) -> None:
        self.port = free_port()
        # Its own folder straight under the system's temporary one: an account other than root must reach it.
        self._folder = Path(tempfile.mkdtemp(prefix="sabot-postgres-"))
        data = self._folder / "data"
        data.mkdir(mode=0o700)
        self._account = _UNPRIVILEGED if os.geteuid() == 0 else None
        if self._account:
            account = pwd.getpwnam(self._account)
            os.chown(self._folder, account.pw_uid, account.pw_gid)
            os.chown(data, account.pw_uid, account.pw_gid)
        subprocess.run(
            [_program("initdb"), "-D", str(data), "-U", self.user, "-A", "trust", "-E", "UTF8", "--no-sync", "-N"],
            check=True,
            capture_output=True,
            user=self._account,
            cwd="/",
        )
        command = [_program("postgres"), "-D", str(data), "-p", str(self.port), "-k", str(data)]
        self._service = Service(
            [*command, "-c", "listen_addresses=127.0.0.1"], self._folder / "postgres.log", user=self._account
        )
        self._service.wait_until(self._is_ready)

    def query(self, sql: str) -> str:
        """The answer of psql, unaligned, without headers."""
        return self._psql(sql, check=True).stdout.strip()

    def stop(self) -> None:
        self._service.stop(signal.SIGINT)  # fast shutdown
        shutil.rmtree(self._folder)

    def _is_ready(self) -> bool:
        return self._psql("select 1", check=False).returncode == 0

    def _psql(self, sql: str, *, check: bool) -> subprocess.CompletedProcess[str]:
        address = f"host={self.host} port={self.port} user={self.user} dbname={self.database}"
        return subprocess.run(
            [_program("psql"), "-X", "-A", "-t", "-c", sql, address], capture_output=True, text=True, check=check
        )


def _program(name: str) -> str:
    """Debian keeps the server programs under /usr/lib/postgresql/<version>/bin, out of PATH."""
    versioned = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    found = str(versioned[0]) if versioned else shutil.which(name)
    assert found, f"PostgreSQL's {name} is missing: run setup/system.sh."
    return found
