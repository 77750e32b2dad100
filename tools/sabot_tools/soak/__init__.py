"""A long night on all games with random faults: what must hold after it, and whether it did."""
