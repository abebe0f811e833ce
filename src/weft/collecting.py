"""Python's cyclic collector, kept from walking over what is being made."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager

_LEAST = 100_000
"""Objects that count as old at once before it pays to look among all for what is dead."""


class _Old:
    """Objects that have been counted as old here since all were last looked at, and how many there were then.

    `others`: somebody else has frozen objects, once.  To count those takes as long as to walk them, so it is asked
    only while there are none.  `kept`: those that are frozen are ours.
    """

    made = 0
    alive = 0
    others = False
    kept = False


def _frozen() -> bool:
    """Whether there are, or were, frozen objects."""
    _Old.others = _Old.others or (not _Old.kept and gc.get_freeze_count() > 0)
    return _Old.others or _Old.kept


@contextmanager
def paused(*, cyclic: bool = False, lasting: bool = False) -> Generator[None]:
    """Many objects are made inside, and no cycles that die there: the collector would only walk them again and again.

    Nor does it afterwards: they count as old ones then, unless somebody has frozen others.  Python itself looks at old
    objects when enough young ones have grown old, which those never do, so it is asked to here, by its own rule: when
    half of what was alive has been added (Python looks after a quarter, at twice the cost for each object).  It is
    asked before others are made, when the last ones may be dead.  Cyclic ones stay young, so that collections of young
    objects find them dead; lasting ones (what imports make) need nobody to look for dead ones among them.
    """
    collecting = gc.isenabled()
    promotes = collecting and not (cyclic or _frozen())
    if promotes and not lasting and _Old.made > max(_LEAST, _Old.alive // 2):
        gc.collect()
        gc.freeze()
        _Old.made, _Old.alive = 0, gc.get_freeze_count()
        gc.unfreeze()
    gc.disable()
    before = gc.get_count()[0]
    try:
        yield
    finally:
        if promotes:
            _Old.made += 0 if lasting else max(gc.get_count()[0] - before, 0)
            gc.freeze()
            gc.unfreeze()
        if collecting:
            gc.enable()


@contextmanager
def kept() -> Generator[None]:
    """All that is alive stays alive inside: the collector does not walk it."""
    freezes = not _frozen()
    if freezes:
        gc.freeze()
        _Old.kept = True
    try:
        yield
    finally:
        if freezes:
            gc.unfreeze()
            _Old.kept = False
