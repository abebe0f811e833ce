"""Parallel copies made sequential."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def sequentialise(copies: Iterable[tuple[T, T]], temporary: Callable[[T], T]) -> list[tuple[T, T]]:
    """The order in which copies `(destination, source)` that happen at once can be made one after another.

    Destinations are distinct.  A cycle is broken with `temporary(source)`, a fresh place for a copy of `source`.
    Copies of a place to itself are dropped.
    """
    source_of = {destination: source for destination, source in copies if destination != source}
    readers: dict[T, int] = {}
    for source in source_of.values():
        readers[source] = readers.get(source, 0) + 1
    ready = [destination for destination in source_of if destination not in readers]
    order: list[tuple[T, T]] = []
    while source_of:
        while ready:
            destination = ready.pop()
            source = source_of.pop(destination)
            order.append((destination, source))
            readers[source] -= 1
            if not readers[source] and source in source_of:
                ready.append(source)
        if source_of:
            # Only cycles are left: save one place, and let its readers read the copy.
            place = next(iter(source_of))
            saved = temporary(place)
            order.append((saved, place))
            for destination, source in source_of.items():
                if source == place:
                    source_of[destination] = saved
                    break
            readers[saved] = 1
            readers[place] = 0
            ready.append(place)
    return order
