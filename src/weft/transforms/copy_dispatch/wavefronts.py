"""The wavefronts that a plan's accesses to shared memory take, for one warp, and the swizzle that would spare some."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from weft.errors import LayoutError
from weft.layout import SwizzleLayout
from weft.layout.access import Access
from weft.layout.banks import suggest_swizzle
from weft.layout.conflicts import totals
from weft.transforms.copy_dispatch.plan import Instruction, Plan
from weft.transforms.copy_dispatch.request import SHARED, Copy, Operand

WARP = 32


def accesses(plan: Plan, copy: Copy, name: str, swizzled: bool = True) -> list[Access]:
    """The accesses of the block's first warp to operand `name` (`dst` or `src`) in shared memory."""
    operand: Operand = getattr(copy, name)
    if operand.space != SHARED or copy.threads < WARP:
        return []
    found = [
        _access(each, name, operand, plan, operand.swizzle if swizzled else None)
        for each in plan.instructions
        if getattr(each, name) is not None
    ]
    if plan.turn is None:
        return found
    digit, distance = plan.turn
    other = np.array([[digit.value(lane) == 1 for lane in range(WARP)]])
    return [
        replace(each, addresses=np.where(other, found[at ^ distance].addresses, each.addresses))
        for at, each in enumerate(found)
    ]


def _access(each: Instruction, name: str, operand: Operand, plan: Plan, swizzle: SwizzleLayout | None) -> Access:
    address = getattr(each, name)
    matrix, lanes = each.opcode.stem in ("ldmatrix", "stmatrix"), WARP
    if matrix:  # Each row of a matrix has a lane that says where it is.
        rows = 16 if each.opcode.stem == "ldmatrix" and each.opcode["shape"].startswith("m16") else 8
        lanes = min(WARP, rows * int(each.opcode["num"][1:]))
    conditions = (*plan.conditions, *each.conditions)
    active = np.array([all(condition.holds(lane) for condition in conditions) for lane in range(lanes)])
    elements = [address.element(lane, swizzle) if active[lane] else 0 for lane in range(lanes)]
    bytes_of = np.array([elements], np.int64) * operand.bits // 8
    width = 16 if matrix else min(each.bytes, 16)
    return Access(bytes_of, width, matrix=matrix, store=name == "dst", active=active[None, :])


def report(plan: Plan, copy: Copy) -> list[str]:
    """A line for each operand in shared memory: wavefronts, and the smallest swizzle without conflicts."""
    lines: list[str] = []
    for name in ("dst", "src"):
        found = accesses(plan, copy, name)
        if not found:
            continue
        counts = [totals(each) for each in found]
        conflicts = sum(each.conflicts for each in counts)
        instructions = f"{len(counts)} instruction{'s' * (len(counts) != 1)} of a warp"
        taken = sum(each.wavefronts for each in counts)
        least = sum(each.phases for each in counts)
        line = f"{name}: {taken} wavefronts for {instructions}, {least} at least"
        if conflicts:
            line += f"; up to {max(each.degree for each in counts)}-way bank conflicts{_advice(plan, copy, name)}"
        lines.append(line)
    return lines


def _advice(plan: Plan, copy: Copy, name: str) -> str:
    operand: Operand = getattr(copy, name)
    try:
        better = suggest_swizzle(*accesses(plan, copy, name, swizzled=False), bits=operand.bits)
    except LayoutError:
        return ""
    return f", none with {better}" if better is not None else ", with any swizzle; pad the rows"
