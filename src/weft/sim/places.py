"""Where the operands of an instruction have been in shared memory: the stages of a ring are few, and come back."""

from __future__ import annotations

from typing import Generic, TypeVar

Place = TypeVar("Place")
MOST = 1 << 20
"""Runs of bytes of which an instruction remembers where they lie."""


class Places(Generic[Place]):
    """Places by all that they follow from."""

    def __init__(self) -> None:
        self._found: dict[object, Place] = {}
        self._size = 0

    def get(self, key: object) -> Place | None:
        """What was kept for a key."""
        return self._found.get(key)

    def keep(self, key: object, place: Place, size: int) -> Place:
        """Remember a place of so many runs; those before it are forgotten where all together are too many."""
        self._size += size
        if self._size > MOST:
            self._found.clear()
            self._size = size
        self._found[key] = place
        return place
