#!/usr/bin/env bash
# The virtual environment .venv with exactly the packages of the lock file, and
# Sabot itself in place (an edit in the tree is live). Quick when nothing changed.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "setup: $1" >&2; exit 1; }

PYTHON=${PYTHON:-python3}
command -v "$PYTHON" >/dev/null || fail "Python is missing: install Python 3.11 or newer."
"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "Sabot needs Python 3.11 or newer, and $PYTHON is $("$PYTHON" --version 2>&1); set PYTHON=/path/to/python3.11 or newer."
"$PYTHON" -c 'import venv, ensurepip' 2>/dev/null ||
    fail "this Python cannot make virtual environments: install the package python3-venv."

STAMP=.venv/sabot-stamp
KEY=$( { "$PYTHON" --version; pwd; cat "$0" pyproject.toml setup/requirements.lock; } | sha256sum | cut -d' ' -f1)
if [ "$(cat "$STAMP" 2>/dev/null)" = "$KEY" ]; then exit 0; fi

echo "setup: installing the Python packages of setup/requirements.lock into .venv"
rm -f "$STAMP"
"$PYTHON" -m venv .venv
pip() { .venv/bin/python -m pip --disable-pip-version-check --quiet "$@"; }
pip install --require-hashes --requirement setup/requirements.lock
pip install --no-deps --no-build-isolation --editable .
echo "$KEY" >"$STAMP"
