"""The gateway's commands, each obeyed at most once.

Owns the order's number and its outcome: a number that is not greater than every one before is `stale` and does
nothing; else it is remembered in flash, then obeyed, then told as command_finished. Whatever a command holds, this
does not raise.
"""

from sabot_firmware.config import ConfigError, change_config, dump_config
from sabot_firmware.file import write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot_firmware.app import App

CONFIG_FILE = "sabot.conf"

# Seconds of UTC are kept in 32 bits (memory.py): until 2106.
LAST_S = 0xFFFFFFFF


class Orders:
    """Obeys for one application."""

    def __init__(self, app: "App") -> None:
        self._app = app
        self._stale = 0
        self.wants_restart = False

    def obey(self, number: int, name: str, order: "dict[str, Any]") -> None:
        """Carry out one command."""
        app = self._app
        if not app.memory.is_new(number):
            if number != self._stale:
                self._stale = number
                app.record("command_finished", number, "stale")
            return
        utc_s = order["utc_ms"] // 1000 if name == "time" else 0
        if utc_s > LAST_S:
            app.record("command_finished", number, "refused")
            return
        try:
            app.memory.keep(number, utc_s)
        except OSError:
            # Not remembered, not obeyed: obeying twice is worse than once more asking.
            app.report("flash", 1, True)
            app.record("command_finished", number, "failed")
            return
        app.record("command_finished", number, self._do(name, order))

    def _do(self, name: str, order: "dict[str, Any]") -> str:
        app = self._app
        if name == "time":
            try:
                app.host.set_clock(order["utc_ms"] // 1000)
            except (OverflowError, ValueError, OSError):
                return "failed"  # a clock that cannot show this date
        elif name == "config":
            return self._change(order)
        elif name == "resend":
            if order["boot"] > app.uplink.outbox.boot or order["from"] > order["to"]:
                return "refused"
            app.uplink.resend(order["from"])
        elif name == "selftest":
            app.begin_selftest(order["test"])
        elif name == "identify":
            app.face.identify(app.ticks(), order["seconds"])
        elif name == "restart":
            self.wants_restart = True
        else:
            self._renew(name, order)
        return "done"

    def _renew(self, name: str, order: "dict[str, Any]") -> None:
        renewal = self._app.begin_renewal()
        if name == "update_offer":
            renewal.offer(order)
        elif name == "update_block":
            renewal.block(order)
        elif name == "update_switch":
            renewal.switch(order["update"])
        else:
            renewal.cancel(order["update"])

    def _change(self, order: "dict[str, Any]") -> str:
        # All that the gateway may change takes effect at once (settings.md marks those keys) and outlives a restart.
        app = self._app
        try:
            settings = [(setting["name"], setting["value"]) for setting in order["settings"]]
            changed = change_config(app.config, order["revision"], settings)
        except ConfigError as error:
            app.face.notice(app.ticks(), str(error))
            return "refused"
        if changed is None:
            return "stale"
        try:
            write_file(app.root + "/" + CONFIG_FILE, dump_config(changed))
        except OSError:
            app.report("flash", 1, True)
            return "failed"
        app.config = changed
        app.face.adapt(changed)
        app.table.adapt(changed)
        return "done"
