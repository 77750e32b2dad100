"""The rule books as pure functions: no clock, no I/O, no randomness, no float."""
