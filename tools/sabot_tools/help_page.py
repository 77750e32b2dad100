"""How help pages are laid out: examples keep their lines, and the width never depends on the terminal."""

import argparse

WIDTH = 100  # argparse wraps to the terminal by default, which no generated page could be held against


class HelpPage(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=WIDTH)
