"""How facts and decisions are written in the journal and read back, and the one fold over them."""
