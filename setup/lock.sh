#!/usr/bin/env bash
# Resolves pyproject.toml again into the lock files: exact versions with
# hashes, no download address. Run it after a change of dependencies: make lock
set -euo pipefail
cd "$(dirname "$0")/.."
compile() {
    .venv/bin/uv pip compile --universal --python-version 3.11 --generate-hashes \
        --no-emit-index-url --no-header --no-annotate --quiet --upgrade "$@"
}
.venv/bin/python -m pip install --quiet --disable-pip-version-check uv
compile pyproject.toml --all-extras --group lint --group test --group bench --group firmware --output-file setup/requirements.lock
# atheris leaves older Pythons behind from 3.1 on.
printf '%s\n' "atheris~=3.0.0 ; python_version < '3.12'" "atheris>=3.1 ; python_version >= '3.12'" |
    compile - --output-file setup/fuzz.lock
for board in rp2-rpi_pico_w rp2-rpi_pico2_w esp32-esp32_generic_s3; do
    echo "micropython-$board-stubs" | compile - --output-file "setup/stubs-$board.lock"
done
