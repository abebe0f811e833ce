"""What the accesses of warps cost the memory system: sectors of global memory, wavefronts of shared memory."""

from __future__ import annotations

import numpy as np

from weft.layout import conflicts
from weft.layout.access import Access
from weft.sim.lanes import WARP, Array

SECTOR = 32
"""Bytes of a sector, the least that global memory moves."""
_FAR = 40


def _distinct(keys: Array) -> Array:
    ordered = np.sort(keys)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))]


def requests(lanes: Array) -> int:
    """The number of warps among ascending lane numbers, of which there are some."""
    return int(np.count_nonzero(np.diff(lanes >> 5))) + 1


def sectors(lanes: Array, index: Array, size: int) -> int:
    """Sectors that accesses of `size` bytes at byte indices touch, each counted once a warp (32-byte sectors)."""
    if size > SECTOR:
        return int(((index + size - 1) // SECTOR - index // SECTOR + 1).sum())
    return len(_distinct((lanes >> 5) << _FAR | index // SECTOR))


def wavefronts(lanes: Array, offset: Array, size: int) -> tuple[int, int]:
    """How often shared memory is read or written for accesses at byte offsets, and how often without bank conflicts.

    The phases are those of `weft.layout.conflicts`; the rows of `ldmatrix` count as accesses of 16 bytes.
    """
    if size > 16:
        moved = int(-(-size // (conflicts.BANKS * conflicts.WORD)) * lanes.size)
        return moved, moved
    warps, row = np.unique(lanes >> 5, return_inverse=True)
    addresses = np.zeros((len(warps), WARP), np.int64)
    active = np.zeros((len(warps), WARP), np.bool_)
    addresses[row, lanes % WARP] = offset
    active[row, lanes % WARP] = True
    access = Access(addresses, size, active=active)
    needed = int(conflicts.wavefronts(access).sum())
    return needed, needed - int(conflicts.conflicts(access).sum())
