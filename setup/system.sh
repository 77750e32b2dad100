#!/usr/bin/env bash
# The system parts that the tests run against: a Mosquitto, a PostgreSQL, a
# Chromium with its driver, and npm for what the browser tests bring along. As
# root on Debian what is missing is installed by apt; anyone else is told what
# to install. Packages are all that changes: no service is started or configured
# (tests start their own, from temporary folders, on free loopback ports).
set -euo pipefail

missing=()
PATH=$PATH:/usr/sbin:/usr/local/sbin  # Debian keeps mosquitto out of a user's PATH
command -v mosquitto >/dev/null || missing+=(mosquitto)
{ command -v initdb >/dev/null && command -v postgres >/dev/null; } || compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null || missing+=(postgresql)
command -v chromium >/dev/null || missing+=(chromium)
command -v chromedriver >/dev/null || missing+=(chromium-driver)
command -v npm >/dev/null || missing+=(npm)
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null || [ "$(id -u)" -ne 0 ]; then
    echo "setup: the tests need ${missing[*]} (Debian's package names): install them, or run this as root on Debian." >&2
    exit 1
fi

# A package may start its service when it is installed; a policy file for the
# time of the installation keeps it from doing so.
POLICY=/usr/sbin/policy-rc.d
if [ ! -e "$POLICY" ]; then
    trap 'rm -f "$POLICY"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$POLICY"
    chmod +x "$POLICY"
fi

echo "setup: installing ${missing[*]} with apt"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
if ! { apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    echo "setup: apt could not install ${missing[*]}; the lines above are its last words." >&2
    exit 1
fi
rm -f "$log"
