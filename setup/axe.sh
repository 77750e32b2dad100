#!/usr/bin/env bash
# axe-core in .tools/axe, for the tests that look at the pages in a real browser. Pinned by its lock, digest included;
# nothing of it is shipped. Which registry it comes from is this machine's own setting of npm.
set -euo pipefail
cd "$(dirname "$0")/.."

HOME_DIR=$PWD/.tools/axe
STAMP=$HOME_DIR/stamp
FILE=$HOME_DIR/node_modules/axe-core/axe.min.js

key() { cat setup/axe.sh setup/axe/package.json setup/axe/package-lock.json | sha256sum | cut -d' ' -f1; }

if [ -f "$FILE" ] && [ "$(cat "$STAMP" 2>/dev/null)" = "$(key)" ]; then exit 0; fi

command -v npm >/dev/null || { echo "setup: npm is missing, and with it axe-core: install npm." >&2; exit 1; }
mkdir -p "$HOME_DIR"
cp setup/axe/package.json setup/axe/package-lock.json "$HOME_DIR/"
npm ci --prefix "$HOME_DIR" --ignore-scripts --no-audit --no-fund --loglevel=error
key >"$STAMP"
