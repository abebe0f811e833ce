"""Accesses that wait to be noted in cells: most are forgotten at the next barrier of all threads."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from weft.dataclass import dataclass
from weft.sim import stamps as st
from weft.sim.lanes import Array
from weft.sim.spots import Spot

_MOST_NOTES, _MOST_LANES = 4096, 1 << 22
"""Accesses that wait at most, and lanes of them all: rings of stages have few barriers, if any."""
_NOTHING: Array = np.zeros(0, np.int64)
_TIME = (1 << st.TIME_BITS) - 1 << st.TIME_AT
Range = tuple[int, int]
"""The first and the last of something."""


Key = tuple[int, object, int, int]
"""Instruction, lanes, first byte and sum of indices of an access: the same once more replaces the one before.

Of a spot, which is an object as long as the log holds it, the number is enough.
"""


@dataclass(slots=True, eq=False)
class Note:
    """An access that is to be noted: what its stamps share, and the lanes (or engines) that make them.

    `alone`: it replaces what cells hold, and is not kept beside other readers.  `settles`: it stands for what an engine
    has done, whose own stamps no barrier makes known; so it must replace them even when a barrier comes first.
    `released` marks the lanes whose store follows a fence.  `place` and `mine` are the groups of cells and the stamps,
    once they have been worked out; `spot` is what else is known of it.  In a log it has a `key`.  Of an access that is
    `folded`, this makes index and lanes, and it takes the place of `kept` lanes.  `at` are the first and the last byte
    in the shared memory of CTAs, None in other memory.
    """

    word: int
    index: Array
    lanes: Array | slice
    size: int
    alone: bool = False
    settles: bool = False
    released: Array | None = None
    place: Array | None = None
    mine: Array | None = None
    spot: Spot | None = None
    key: Key | None = None
    folded: Callable[[], tuple[Array, Array]] | None = None
    kept: int = 0
    at: Range | None = None

    @classmethod
    def later(cls, word: int, size: int, made: Callable[[], tuple[Array, Array]], kept: int) -> Note:
        """An access whose bytes and lanes are worked out when somebody asks for them."""
        return cls(word, _NOTHING, _NOTHING, size, folded=made, kept=kept)

    def unfold(self) -> None:
        """Work them out."""
        if self.folded is not None:
            (self.index, self.lanes), self.folded = self.folded(), None


class Log:
    """Accesses that wait; the same once more takes the place of the one before."""

    __slots__ = ("_elements", "_notes")

    def __init__(self) -> None:
        self._notes: dict[Key, Note] = {}
        self._elements = 0

    def clear(self) -> None:
        """Forget all of them."""
        self._notes.clear()
        self._elements = 0

    def taken(self, at: Range | None = None) -> list[Note]:
        """All of them, which wait no more; of bytes only those that may be of these."""
        found = list(self._notes.values())
        if at is None:
            self.clear()
            return found
        low, high = at
        found = [note for note in found if note.at is None or (note.at[0] <= high and low <= note.at[1])]
        for note in found:
            assert note.key is not None
            del self._notes[note.key]
            self._elements -= len(note.index) if note.folded is None else note.kept
        return found

    def keep(self, note: Note) -> bool:
        """Put an access into the log; False when the log must be emptied first."""
        key = _key(note)
        before = self._notes.pop(key, None)
        if before is None:
            if (len(self._notes) >= _MOST_NOTES and note.folded is None) or self._elements >= _MOST_LANES:
                return False
            self._elements += len(note.index) if note.folded is None else note.kept
        elif key[1] is not None and not _same(before, note):
            self._notes[key] = before
            return False
        self._notes[key] = note
        note.key = key
        if note.spot is not None and note.spot.kept:
            note.spot.note = note
        return True

    def dropped(self, index: Array, lanes: Array | slice, size: int) -> bool:
        """Forget the last access if it is of these bytes by these lanes, each alone; False where it is another one."""
        note = next(reversed(self._notes.values()), None)
        if note is None or not note.alone or note.folded is not None or note.size != size or note.word & st.ENGINE:
            return False
        mine = note.lanes
        if isinstance(mine, slice) or isinstance(lanes, slice):
            same = isinstance(mine, slice) and isinstance(lanes, slice) and mine == lanes
        else:
            same = mine is lanes or np.array_equal(mine, lanes)
        if not same or note.key is None or not np.array_equal(note.index, index):
            return False
        del self._notes[note.key]
        self._elements -= len(note.index)
        return True

    def repeat(self, spot: Spot, word: int) -> bool:
        """An access is made again, with which nothing is wrong; False where the log does not hold it."""
        note = spot.note
        if note is None or note.key is None or note.key[0] != word & ~_TIME or self._notes.get(note.key) is not note:
            return False
        del self._notes[note.key]  # The order is that of time.
        self._notes[note.key] = note
        note.word, note.mine = word, None
        return True


def _key(note: Note) -> Key:
    index, lanes = note.index, note.lanes
    if note.folded is not None:
        return note.word & ~_TIME, None, id(note), 0
    if note.spot is not None and note.spot.kept:
        return note.word & ~_TIME, None, id(note.spot), 0
    if isinstance(lanes, slice):
        who: object = (lanes.start, lanes.stop)
    else:  # Those of engines are made anew each time.
        who = (int(lanes[0]), int(lanes[-1])) if note.word & st.ENGINE else id(lanes)
    return note.word & ~_TIME, who, int(index[0]), int(index.sum())


def _same(before: Note, note: Note) -> bool:
    """Whether two accesses of one key are of the same bytes, and by the same engines where they are by engines."""
    if not np.array_equal(before.index, note.index):
        return False
    return not note.word & st.ENGINE or np.array_equal(before.lanes, note.lanes)  # pyright: ignore[reportArgumentType]
