#!/usr/bin/env bash
# Coverage-guided fuzzing of the decoder with atheris, kept out of the main
# environment because it has builds for few Python versions. Findings land in
# build/fuzz. Arguments go to libFuzzer: setup/fuzz.sh -max_total_time=60
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/python -c 'import atheris' 2>/dev/null ||
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement setup/fuzz.lock
mkdir -p build/fuzz
PYTHONPATH=protocol exec .venv/bin/python tests/protocol/fuzz_decode.py -artifact_prefix=build/fuzz/ "$@" build/fuzz
