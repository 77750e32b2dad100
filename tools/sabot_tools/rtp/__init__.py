"""Exact return to player of the bank games: what each bet gives back over every possible deal."""
