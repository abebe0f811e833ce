"""Whether it makes a difference what lies in registers and memory before they are written.

Kernels compute with what nothing has written, and come out right: scans take from the sum up to a thread what it has
itself, also of threads past the end; set operations compare keys past the last, and then ask whether there were any.
So a run that ends with such a use is made again with several contents of what is not written.  Where memory is left the
same, nothing depends on them.  A value that is the same for random bits and for others depends on none, as
`x + u - u`; of one that does, each comparison comes out false in one run, and true in another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.sim.lanes import Array, Lanes

if TYPE_CHECKING:
    from weft.sim.registers import Row

STEPS = 20_000
"""Steps of each of these runs at most."""
FILLS = ("random", "zeros", "other", "inverse")
"""Bits of what is not written.  The first run only notes what it reads; what the last one leaves in memory stays.

Predicates are false with zeros, true with `other` random bits.
"""
_MOST = 1 << 24
"""Values that are noted at most."""


class Witness:
    """Runs in which what is not written holds bits of one of the kinds in `FILLS`."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self.room = _MOST
        self.begin(FILLS[0])

    def begin(self, kind: str) -> None:
        """A run begins, whose kernel is bound anew: places come in the order that they came in before."""
        self._kind = kind
        self._random = np.random.default_rng(kind == "other")
        self._next = 0

    @property
    def recording(self) -> bool:
        """Whether this run only notes what it reads."""
        return self._kind == FILLS[0]

    def place(self, row: Row) -> Place:
        """A place where a register is read that may not be written."""
        if self._next == len(self._places):
            self._places.append(Place(self))
        found = self._places[self._next]
        self._next += 1
        found.begin(row)
        return found

    def fill(self, array: Array) -> None:
        """Nothing is written in an array."""
        if self._kind == "zeros" or (self._kind == "other" and array.dtype == np.bool_):
            array[...] = self._kind == "other"
        elif array.dtype == np.bool_:
            array[...] = self._random.integers(0, 2, array.shape)
        else:
            most = np.iinfo(array.dtype).max
            bits: Array = self._random.integers(0, most, array.shape, array.dtype, endpoint=True)
            array[...] = ~bits if self._kind == "inverse" else bits

    def guess(self, row: Row, lanes: Array) -> None:
        """A predicate of lanes depends on what is not written."""
        if row.bits == 1 and lanes.size and not self.recording:
            bits = np.empty(len(lanes), np.bool_)
            self.fill(bits)
            row.array[lanes] = bits


class Place:
    """What lanes have found in a register that was not written, each time that an instruction was executed."""

    def __init__(self, witness: Witness) -> None:
        self._witness = witness
        self._kept: dict[int, tuple[Array, Array]] = {}

    def begin(self, row: Row) -> None:
        """A run begins, in which this is the register."""
        self._row, self._turn = row, 0

    def confirmed(self, lanes: Lanes, known: Array) -> Array:
        """Which lanes read what is written (`known`), or the same as in the first run."""
        self._turn += 1
        if known.all():
            return known
        which = lanes.index[~known]
        values: Array = np.atleast_2d(self._row.array[..., which])
        if self._witness.recording:
            if self._witness.room >= values.size:
                self._witness.room -= values.size
                self._kept[self._turn] = which, values
            return known
        if self._turn not in self._kept:
            return known
        before, kept = self._kept[self._turn]
        at = np.minimum(np.searchsorted(before, which), len(before) - 1)
        known = known.copy()
        known[~known] = (before[at] == which) & (kept[:, at] == values).all(axis=0)
        return known
