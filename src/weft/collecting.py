"""Python's cyclic collector, kept from walking over what is being made."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def paused() -> Generator[None]:
    """Many objects and no cycles are made inside: the collector would only walk them again and again.

    Nor does it afterwards: they count as old ones then, unless somebody has frozen others.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()
