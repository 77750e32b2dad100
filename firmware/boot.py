"""Runs first at every start, before anything can fail; all of it is in starting.py, where main.py finds the outcome."""

import starting

print("sabot:", starting.folder, starting.cause)
