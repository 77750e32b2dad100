# make demo and make test are all a newcomer needs; both set themselves up.

PY := .venv/bin/python
ROOTS := protocol firmware gateway tools tests

.DEFAULT_GOAL := help
.PHONY: help demo test check lint types bench rtp firmware soak fuzz docs lock clean

help:            ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

demo: setup-demo ## five tables alive: broker, gateway, simulated tables and the surveillance page, until Ctrl-C
	@setup/micropython.sh || echo "demo: the controllers will run on CPython instead."
	@$(PY) -m sabot_tools.cli demo --folder build/demo $(DEMO)

test: setup-test lint types ## everything: lint, types, architecture and every test against the real parts
	$(PY) -m pytest $(TESTS)

check: setup-demo lint types ## the fast part of test: no servers, no MicroPython, no long enumeration
	$(PY) -m pytest -m "not slow" tests/architecture tests/model tests/rules tests/tools

lint:            ## ruff and the import contracts
	$(PY) -m ruff check $(ROOTS)
	$(PY) -m ruff format --check $(ROOTS)
	PYTHONPATH=protocol:firmware:gateway:tools .venv/bin/lint-imports --no-cache

types:           ## mypy, strict
	$(PY) -m mypy

test-long: setup-test ## the longer comparisons: 20,000 hold'em hands against PokerKit, longer tampering and hold'em evenings
	SABOT_LONG=1 $(PY) -m pytest tests/rules/holdem tests/journal/test_tampering.py tests/twin/test_twin_evening.py

bench: setup-test ## figures as ratios within one run
	$(PY) -m sabot_tools.cli bench $(BENCH)

rtp: setup-demo  ## every reference return again, the long ones too; rewrites docs/return-to-player.md
	$(PY) -m sabot_tools.rtp.reference

firmware: setup-demo ## compile the controllers' code for each board and hold its size to the budget
	$(PY) -m sabot_tools.firmware_build

soak: setup-test ## a long night on all five games with random faults from a seed (SOAK="--coups 500 --seed 7")
	$(PY) -m sabot_tools.cli soak $(SOAK)

fuzz: setup-test ## coverage-guided fuzzing of the decoder until Ctrl-C (FUZZ="-max_total_time=60" bounds it)
	setup/fuzz.sh $(FUZZ)

docs: setup-demo ## write the generated files again: vectors, rule pages, command and key lists
	$(PY) -m sabot_tools.generated

lock: setup-demo ## resolve pyproject.toml again into the lock files
	setup/lock.sh

clean:           ## remove what the commands above made
	rm -rf .venv .tools build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find $(ROOTS) -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: setup-demo setup-test test-long
setup-demo:
	@setup/run.sh demo
setup-test:
	@setup/run.sh test
