"""Python's cyclic collector, kept from walking over what is being made."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def paused() -> Generator[None]:
    """Many objects and no cycles are made inside: the collector would only walk them again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
