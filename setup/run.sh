#!/usr/bin/env bash
# What `make demo` and `make test` run first; quick when nothing is missing.
#   setup/run.sh demo   Python packages only: the demo needs nothing else
#   setup/run.sh test   also the system parts and a real MicroPython
set -euo pipefail
here=$(dirname "$0")
"$here/python.sh"
if [ "${1:-test}" = test ]; then
    "$here/system.sh"
    "$here/micropython.sh"
    "$here/stubs.sh"
    "$here/axe.sh"
fi
