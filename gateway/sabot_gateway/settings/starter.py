"""A house to begin with: a commented `sabot.toml`, empty registers, and the folders where keys will lie.

Owns what `sabot gateway --init` writes. It never overwrites: a folder that has a `sabot.toml` is left as it is.
"""

from pathlib import Path
from typing import Final

from sabot_gateway.errors import SettingsError
from sabot_gateway.registers import BADGES, CHIPS, DECKS

SETTINGS: Final = """\
# A Sabot gateway. Every key is described in docs/gateway-settings.md.
# `sabot gateway --check` says whether this file is right, and what it adds up to.

site = "my-house"        # the house, as it stands in every topic: small letters, digits, hyphens
gateway = "main"         # this gateway among those of the house
data = "data"            # journal, keys and backups; relative paths begin at this file's folder
language = "fr"          # fr or en
zone = "Europe/Paris"    # of the house's clocks
devices = "devices"      # one file per controller

# [broker]               # without this section the gateway starts a broker itself, on loopback
# url = "mqtts://broker.pit:8883"
# ca = "ca.pem"
# username = "gateway"
# password_file = "broker.password"

[embedded]
listen = "127.0.0.1:1883"    # 0.0.0.0:1883 lets controllers in from the network

[store]
retention_days = 0       # 0 keeps every record for ever
checkpoint_minutes = 10
# backup = "backup"      # a copy every 24 hours, the last 7 kept

[registers]
chips = "registers/chips.csv"
decks = "registers/decks.csv"
badges = "registers/badges.csv"

[rulesets]
# house-tcf = "rulesets/house-tcf.toml"    # see docs/rulesets.md

# [[table]]
# name = "table-1"
# pit = "salle 1"
# ruleset = "house-tcf"

[web]
listen = "127.0.0.1:8080"    # /healthz, /readyz, /metrics and the pages

[log]
format = "text"          # json for log collectors
level = "info"
"""

_REGISTERS: Final = {"chips.csv": CHIPS, "decks.csv": DECKS, "badges.csv": BADGES}
_PRIVATE: Final = ("data", "devices")  # keys live here


def write_starter(folder: Path) -> Path:
    """Writes a small house into `folder` and returns its settings file; SettingsError if there is one already."""
    file = folder / "sabot.toml"
    if file.exists():
        raise SettingsError(file, "", "is there already and was left as it is")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in _PRIVATE:
            (folder / name).mkdir(0o700, exist_ok=True)
            (folder / name).chmod(0o700)
        for name in ("registers", "rulesets"):
            (folder / name).mkdir(exist_ok=True)
        for name, columns in _REGISTERS.items():
            register = folder / "registers" / name
            if not register.exists():
                register.write_text(",".join(columns) + "\n", encoding="utf-8")
        file.write_text(SETTINGS, encoding="utf-8")
    except OSError as error:
        raise SettingsError(error.filename or folder, "", f"cannot be written ({error.strerror or error})") from error
    return file
