"""The controllers in the table: MicroPython code around the wire contract."""
