"""Pure per-device logic: numbers, clock, silence, commands. No I/O, no table, no journal."""
