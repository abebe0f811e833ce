"""Registers and shared memory of a copy in one order, for the comparison with fragments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from weft.layout import Axis, SwizzleLayout, TileLayout, m
from weft.layout.iters import Run, size
from weft.transforms.copy_dispatch import checks
from weft.transforms.copy_dispatch.refinement import groups_or_decline
from weft.transforms.copy_dispatch.request import Copy, Decline, Operand

SCOPES = ("warp", "warpgroup", "cta")
LANE_AXES = ("laneid", "tid_in_wg", "tx")
AXIS_SCOPE = {"laneid": "warp", "tid_in_wg": "warpgroup", "tx": "cta"}


class Sides(NamedTuple):
    """Registers and shared memory over one logical order: iters of both, and what each is displaced by."""

    r: Run
    s: Run
    r_offset: int
    s_offset: int
    swizzle: SwizzleLayout | None
    axis: str


def ordered(copy: Copy, registers: Operand, shared: Operand) -> Sides:
    """Both layouts, iters of threads first, then by the registers' strides, descending; raises Decline."""
    r, s = checks.sliced(registers, "R"), checks.sliced(shared, "S")
    if registers.swizzle is not None:
        raise Decline("R layout is swizzled")
    swizzle = shared.swizzle
    least = (128 // shared.bits).bit_length() - 1
    if swizzle is not None and swizzle.per_element < least:
        raise Decline(
            f"swizzle per_element={swizzle.per_element} < {least} incompatible with matrices, whose rows "
            "are 16 contiguous bytes"
        )
    for name, tile in (("R", r), ("S", s)):
        if tile.replica:
            raise Decline(
                f"{name} layout has replicas {list(tile.replica)}, which ldmatrix and stmatrix do not support"
            )
    axis = _thread_axis(copy, r)
    if any(each is not m for each in s.axes):
        raise Decline("S has a stride that is not a constant")
    parts = list(zip(r.shard, groups_or_decline("S", s, r.extents), strict=True))
    parts.sort(key=lambda part: (part[0].axis is m, -part[0].stride))
    r_run = TileLayout(each for each, _ in parts).canonicalize().shard
    s_run = TileLayout(each for _, part in parts for each in part).canonicalize().shard
    return Sides(r_run, s_run, r.offset_on(m), s.offset_on(m), swizzle, axis)


def off_rows(sides: Sides, shared: Operand, warps: Sequence[int]) -> str | None:
    """The reason why rows of shared memory do not start at multiples of 16 bytes, warps being so many bits apart."""
    starts = [("offset", sides.s_offset * shared.bits), *(("between warps", each) for each in warps)]
    starts += [("multiples added by the kernel", shared.divisor * shared.bits), ("alignment", 8 * shared.alignment)]
    off = [f"{name}: {bits // 8}" for name, bits in starts if bits % 128]
    return f"rows of S do not start at multiples of 16 bytes ({', '.join(off)})" if off else None


def _thread_axis(copy: Copy, r: TileLayout) -> str:
    names = sorted({axis.name for axis in r.axes if axis.thread})
    if len(names) != 1:
        raise Decline(f"R must have exactly one thread axis name; got [{', '.join(names)}]")
    (name,) = names
    if name not in LANE_AXES:
        raise Decline(f"R thread axis '{name}' not in [{', '.join(LANE_AXES)}]")
    if SCOPES.index(AXIS_SCOPE[name]) > SCOPES.index(copy.scope):
        raise Decline(f"R thread axis '{name}' scope='{AXIS_SCOPE[name]}' > scope '{copy.scope}'")
    axis = Axis(name)
    if r.offset_on(axis):
        raise Decline(f"R sliced offset on thread axis '{name}' = {r.offset_on(axis)}")
    covered = size(tuple(each for each in r.shard if each.axis is axis))
    if covered % 32:
        raise Decline(f"R thread section total {covered} not divisible by 32")
    if covered != checks.axis_extent(axis, copy):
        raise Decline(f"R covers {covered} of the {checks.axis_extent(axis, copy)} threads of '{name}'")
    return name
