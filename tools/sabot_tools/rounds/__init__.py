"""Scenario scripts: a coup written down line by line, played to the live table, and held against what is expected."""
