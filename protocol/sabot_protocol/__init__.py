"""The wire contract between a table's controllers and the gateway. Runs on CPython and MicroPython."""
