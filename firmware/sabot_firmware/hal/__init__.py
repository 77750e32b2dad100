"""Thin drivers: each turns one chip's bus into a few calls that never wait. Buses and pins come in ready-made."""
