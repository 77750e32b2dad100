"""Runs a program that ends when its parent ends, however that ends. A script: `leash.py PARENT PROGRAM ARG…`.

Owns one call to the kernel (PR_SET_PDEATHSIG, which outlives the exec), made in a fresh process: the usual place for
it, between fork and exec, is not safe in a program with threads. Imports nothing of Sabot, needs no site packages.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main(parent: int, command: list[str]) -> None:
    """Replaces this process by `command`; does nothing at all if the parent is gone already."""
    kernel = ctypes.CDLL(None, use_errno=True)
    # SIGTERM and not SIGKILL: a broker that is asked to end writes down what it holds.
    if kernel.prctl(_PR_SET_PDEATHSIG, int(signal.SIGTERM), 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")
    if os.getppid() != parent:
        return
    os.execv(command[0], command)  # noqa: S606  # a path that the gateway found itself, and no shell


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
