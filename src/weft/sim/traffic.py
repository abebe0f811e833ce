"""What the accesses of warps cost the memory system: sectors of global memory, wavefronts of shared memory."""

from __future__ import annotations

import numpy as np

from weft.sim.lanes import Array

SECTOR = 32
"""Bytes of a sector, the least that global memory moves."""
BANKS, BANK_BYTES = 32, 4
_FAR = 40


def _distinct(keys: Array) -> Array:
    ordered = np.sort(keys)
    return ordered[np.flatnonzero(np.diff(ordered, prepend=ordered[:1] - 1))]


def requests(lanes: Array) -> int:
    """The number of warps among ascending lane numbers."""
    return int(np.count_nonzero(np.diff(lanes >> 5))) + 1 if lanes.size else 0


def sectors(lanes: Array, index: Array, size: int) -> int:
    """Sectors that accesses of `size` bytes at byte indices touch, each counted once a warp (32-byte sectors)."""
    if size > SECTOR:
        return int(((index + size - 1) // SECTOR - index // SECTOR + 1).sum())
    return len(_distinct((lanes >> 5) << _FAR | index // SECTOR))


def wavefronts(lanes: Array, offset: Array, size: int) -> tuple[int, int]:
    """How often shared memory is read or written for accesses at byte offsets, and how often without bank conflicts.

    A wavefront gives each of 32 banks of 4 bytes once.  Lanes of up to 4 bytes go together, of 8 bytes by half warps,
    of 16 bytes by quarters (as the matrices of `ldmatrix`); lanes that name the same word share it.
    """
    if size > 16:
        moved = int(-(-size // (BANKS * BANK_BYTES)) * lanes.size)
        return moved, moved
    words = max(1, size // BANK_BYTES)
    phases = lanes // (32 // words)
    _, phase = np.unique(phases, return_inverse=True)
    word = offset[:, None] // BANK_BYTES + np.arange(words)
    keys = _distinct((phase[:, None] << _FAR | word).reshape(-1))
    count = int(phase.max()) + 1
    used = np.bincount((keys >> _FAR) * BANKS + (keys & ((1 << _FAR) - 1)) % BANKS, minlength=count * BANKS)
    return int(used.reshape(count, BANKS).max(axis=1).sum()), count
