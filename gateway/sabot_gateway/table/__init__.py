"""The live table: from raw facts to phases, decisions, payments and alerts. Pure: no I/O, no clock."""
