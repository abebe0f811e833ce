"""The order in which threads store their vectors, changed for some of them where that spares bank conflicts.

A row of sums of products has 32 bytes for each eight columns, and in the swizzles that TMA reads two rows meet in the
same banks: half of the threads then store another vector first.  It takes a selection for each word and each address.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from weft.layout.access import Access
from weft.layout.conflicts import totals
from weft.transforms.copy_dispatch.plan import Digit, Plan
from weft.transforms.copy_dispatch.request import LOCAL, SHARED, Copy
from weft.transforms.copy_dispatch.wavefronts import WARP, accesses

LOOKED_AT = 8
"""Instructions that are looked at: others are like them."""
WORTH = 8
"""Bytes of the narrowest vector: fewer are not worth two selections."""


def turned(plan: Plan, copy: Copy) -> Plan:
    """The plan, with a turn where it has conflicts that a turn leaves none of."""
    count = len(plan.instructions)
    alike = {(each.opcode, each.bytes, each.conditions, each.coordinates) for each in plan.instructions}
    if copy.faithful or copy.spaces != (LOCAL, SHARED) or count < 2 or len(alike) > 1:
        return plan
    first = plan.instructions[0]
    if first.opcode.stem != "st" or first.bytes < WORTH or first.conditions or first.coordinates is not None:
        return plan
    found = accesses(replace(plan, instructions=plan.instructions[:LOOKED_AT]), copy, "dst")
    if not any(totals(each).conflicts for each in found):
        return plan
    for distance in (each for each in (1, 2, 4) if count % (2 * each) == 0 and len(found) % (2 * each) == 0):
        for bit in range(WARP.bit_length() - 1):
            if not any(totals(each).conflicts for each in _turned(found, bit, distance)):
                return replace(plan, turn=(Digit("laneid", 1 << bit, 2), distance))
    return plan


def _turned(found: list[Access], bit: int, distance: int) -> list[Access]:
    other = (np.arange(WARP) >> bit & 1)[None, :] != 0
    return [
        replace(each, addresses=np.where(other, found[at ^ distance].addresses, each.addresses))
        for at, each in enumerate(found)
    ]
