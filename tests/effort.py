"""How much a test does: a little in every run, and all of it where the slow tests are run, too."""

from __future__ import annotations

_all = True


def few() -> None:
    """From now on: `pytest` calls this where it leaves out the slow tests."""
    global _all
    _all = False


def draws(some: int, everything: int) -> int:
    """How many random cases a test draws."""
    return everything if _all else some


def one_in(number: int) -> int:
    """The step from one case to the next that is tried: `cases[:: one_in(5)]`."""
    return 1 if _all else number
