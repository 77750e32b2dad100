#!/usr/bin/env bash
# MicroPython's type stubs, one folder per family of boards (they name the same
# modules, so they cannot share one), in .tools/stubs. Quick when nothing changed.
set -euo pipefail
cd "$(dirname "$0")/.."
STAMP=.tools/stubs/stamp
KEY=$(cat "$0" setup/stubs-*.lock | sha256sum | cut -d' ' -f1)
if [ "$(cat "$STAMP" 2>/dev/null)" = "$KEY" ]; then exit 0; fi
echo "setup: fetching MicroPython's type stubs"
rm -rf .tools/stubs
for lock in setup/stubs-*.lock; do
    board=$(basename "$lock" .lock)
    .venv/bin/python -m pip --disable-pip-version-check --quiet install --no-deps --require-hashes \
        --requirement "$lock" --target ".tools/stubs/${board#stubs-}"
done
echo "$KEY" >"$STAMP"
