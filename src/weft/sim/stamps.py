"""Stamps: one word for each access that a place remembers: who, when, by which instruction, and in which way.

From the least bit: the width (log2 of bytes), scope, `STRONG`, `ASYNC` (by the async proxy), `RELEASED` (right after a
fence, so that it may tell others of itself), `SPILLED` (more accesses are in a table), `MANY` (several lanes of the
warp at once), the lane's number in its batch, the number of the instruction, the time.  `ENGINE` marks what an
asynchronous operation does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from weft.isa.types import TYPES

if TYPE_CHECKING:
    from weft.isa.form import Slots
    from weft.isa.opcode import Opcode
    from weft.sim.site import Site

_SCOPE_AT = 3
STRONG, ASYNC, RELEASED, SPILLED, MANY = (1 << bit for bit in range(5, 10))
LANE_AT, LANE_BITS = 10, 19  # The threads that a GPU holds at once: 152 x 2048.
SITE_AT, SITE_BITS = 29, 11
TIME_AT, TIME_BITS = 40, 23
ENGINE = 1 << 63
LAST_TIME = (1 << TIME_BITS) - 2

WIDTHS = np.uint64(7)
LANE_MASK = np.uint64(((1 << LANE_BITS) - 1) << LANE_AT | MANY)
"""What two stamps of one lane share."""
WARP_MASK = np.uint64(((1 << LANE_BITS) - 32) << LANE_AT)
SCOPES = {"cta": 0, "cluster": 1, "gpu": 2, "sys": 3, "gl": 2}


_SAME = {"multimem.ld_reduce": "ld", "multimem.st": "st", "multimem.red": "red"}
"""Accesses by multicast addresses, and what they are where there is one device."""


def access_of(opcode: Opcode) -> str:
    """The stem of an instruction, or of the plain access that it stands for."""
    return _SAME.get(opcode.stem, opcode.stem)


def floor_word(time: int) -> int:
    """The greatest stamp of a thread at a time."""
    return (time + 1 << TIME_AT) - 1


def scope_of(slots: Slots | Opcode, default: int = 2) -> int:
    """The scope of an instruction: 0 the CTA, 1 the cluster, 2 the GPU, 3 the system."""
    if slots.get("sem") == "volatile":
        return 3
    return SCOPES.get(slots.get("scope") or slots.get("level") or "", default)


def word_of(site: Site, number: int) -> int:
    """What an instruction's stamps share: its number, width, strength and scope."""
    stem = access_of(site.opcode)
    slots = site.slots()
    word = (number & ((1 << SITE_BITS) - 1)) << SITE_AT
    type_ = TYPES.get(slots["type"])
    if type_ is not None:
        word |= max(0, (type_.bits // 8).bit_length() - 1) & 7
    atomic = stem in ("atom", "red") or (
        stem.startswith("mbarrier.") and stem not in ("mbarrier.init", "mbarrier.inval")
    )
    if stem.startswith("cp.reduce.async.bulk"):
        word |= STRONG | SCOPES["gpu"] << _SCOPE_AT
    elif stem == "red.async":
        word |= STRONG | SCOPES["cluster"] << _SCOPE_AT
    elif atomic or (stem in ("ld", "st") and slots["sem"] not in ("", "weak")):
        word |= STRONG | scope_of(slots) << _SCOPE_AT
    if stem in (
        "ldmatrix",
        "stmatrix",
        "tensormap.cp_fenceproxy",
    ):  # All lanes get, or give, parts of what each of them points to.
        word |= MANY
    return word


def scope(stamps: np.ndarray[tuple[int, ...], np.dtype[np.uint64]]) -> np.ndarray[tuple[int, ...], np.dtype[np.uint64]]:
    """The scopes of stamps."""
    return stamps >> np.uint64(_SCOPE_AT) & np.uint64(3)
