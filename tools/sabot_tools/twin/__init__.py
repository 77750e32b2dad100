"""The digital twin: a table with its people, cards and chips, played through the controllers' own code."""
