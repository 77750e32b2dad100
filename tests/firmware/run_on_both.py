"""Runs every test_* function of one script, on whichever Python this is, and prints one line for each.

    python run_on_both.py core_ticks

Owns the output that is compared: `ok NAME` or `failed NAME: reason`. A script may print lines that begin with
`# ` for figures that differ between the Pythons (heap, microseconds); the comparison leaves them out.
Keeps to the subset both Pythons share: it runs on MicroPython too.
"""

import gc
import sys


def run(name: str) -> int:
    """Run the tests of `name` in the order of their names; 0 when all passed."""
    module = __import__("firmware.on_both." + name, None, None, ("*",))
    names = sorted(each for each in dir(module) if each.startswith("test_"))
    failures = 0
    for each in names:
        gc.collect()  # each test finds the heap as the first one did
        try:
            getattr(module, each)()
        except Exception as error:  # noqa: BLE001 - whatever a test raises is its failure, and the next one still runs
            failures += 1
            print("failed " + each + ": " + repr(error))  # noqa: T201 - this output is the result
            _print_trace(error)
        else:
            print("ok " + each)  # noqa: T201 - this output is the result
    return 1 if failures or not names else 0


def _print_trace(error: Exception) -> None:
    if hasattr(sys, "print_exception"):
        sys.print_exception(error)
    else:
        import traceback

        traceback.print_exception(error)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1]))
