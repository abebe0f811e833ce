"""`ldgsts`: global to shared memory by `cp.async`, dealt out like loads and stores, 4, 8 or 16 bytes at a time."""

from __future__ import annotations

from weft.isa import Opcode, opcode
from weft.transforms.copy_dispatch import checks, gmem_smem
from weft.transforms.copy_dispatch.plan import Instruction, Plan
from weft.transforms.copy_dispatch.request import GLOBAL, SCOPES, SHARED, Copy, Decline

WIDTHS = (128, 64, 32)


def predicate(copy: Copy) -> str | None:
    """From global to shared memory, a whole number of elements for each thread."""
    return checks.common(copy, SCOPES, ((GLOBAL, SHARED),)) or gmem_smem.divisible(copy)


def copy_of(count: int) -> Opcode:
    """The opcode; only 16 bytes go past the first-level cache."""
    return opcode("cp.async", cop="cg" if count == 16 else "ca", dst="shared", src="global")


def plan(copy: Copy) -> Plan:
    """One instruction for each round."""
    missing = checks.not_on(copy_of(16), copy.target)
    if missing:
        raise Decline(missing)
    part = gmem_smem.partition(copy, copy.src, copy.dst, WIDTHS, fills=True)
    if part is None:
        raise Decline("no vectors of 128, 64 or 32 bits are contiguous and aligned on both sides")
    count = part.length * copy.src.bits // 8
    found = tuple(
        Instruction(copy_of(count), count, dst=inner, src=outer, coordinates=coordinates)
        for outer, inner, coordinates in gmem_smem.addresses(copy, copy.src, copy.dst, part)
    )
    along = gmem_smem.vector_dimensions(part)
    return Plan(
        "ldgsts",
        found,
        "gmem_smem",
        vector_bytes=count,
        rounds=len(found),
        vector_dimension=along[0] if len(along) == 1 else -1,
    )
