"""Bounds of integers of MLIR before anything is selected: what tells that a counter cannot wrap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation, SSAValue

from weft.codegen.constants import constant_of
from weft.dialects import narrow
from weft.dialects.nvvm.sregs import PREFIX
from weft.isa.limits import CTA_EXTENTS, GRID_EXTENTS

Bounds = tuple[int, int]
_DEPTH = 16
"""Operations in a row through which a number is followed."""
_WARP = 32
_THREADS, _GRID = max(CTA_EXTENTS), max(GRID_EXTENTS)
_SIZES = {"gpu.thread_id": _THREADS, "gpu.block_dim": _THREADS + 1, "gpu.lane_id": _WARP}
"""Below what the numbers of threads are; all others are at most the greatest extent of a grid."""
_AT_LEAST_ONE = ("gpu.block_dim", "gpu.grid_dim", "gpu.cluster_dim")
_IDS = (*_AT_LEAST_ONE, "gpu.thread_id", "gpu.block_id", "gpu.lane_id", "gpu.cluster_id", "gpu.subgroup_id")
_SPECIAL_SIZES = {"tid": _THREADS, "ntid": _THREADS + 1, "laneid": _WARP}


def width_of(type_: Any) -> int:
    """The bits of an integer's type; an index has 64."""
    return 64 if isinstance(type_, IndexType) else type_.width.data


def bounds_of(value: SSAValue, depth: int = _DEPTH) -> Bounds:
    """The least and the greatest number that an integer may be, read as signed; at worst those of its type."""
    limit = 1 << width_of(value.type) - 1
    number = constant_of(value)
    if number is not None:
        number = (number + limit) % (2 * limit) - limit
        return number, number
    owner: Any = value.owner
    found = None
    if depth and isinstance(owner, Operation):
        if (by := BINARY.get(owner.name)) is not None:
            found = by(*(bounds_of(operand, depth - 1) for operand in owner.operands))
        elif (rule := _RULES.get(owner.name)) is not None:
            found = rule(owner, depth - 1)
    if found is None or found[0] < -limit or found[1] >= limit:  # It may wrap.
        return -limit, limit - 1
    return found


def _corners(by: Callable[[int, int], int]) -> Callable[[Bounds, Bounds], Bounds]:
    """What grows or falls with either operand is least and greatest where these are."""

    def rule(a: Bounds, b: Bounds) -> Bounds:
        corners = [by(x, y) for x in a for y in b]
        return min(corners), max(corners)

    return rule


def _masked(a: Bounds, b: Bounds) -> Bounds | None:
    # An operand that is not negative bounds the result, whatever the other is: it has no bit that this lacks.
    highest = [hi for lo, hi in (a, b) if lo >= 0]
    return (0, min(highest)) if highest else None


def _least_unsigned(a: Bounds, b: Bounds) -> Bounds | None:
    return (min(a[0], b[0]), min(a[1], b[1])) if a[0] >= 0 and b[0] >= 0 else _masked(a, b)


def _greatest_unsigned(a: Bounds, b: Bounds) -> Bounds | None:
    return (max(a[0], b[0]), max(a[1], b[1])) if a[0] >= 0 and b[0] >= 0 else None


def _unsigned_remainder(a: Bounds, b: Bounds) -> Bounds | None:
    if b[0] < 1:
        return None
    # A negative dividend is a huge unsigned number: then only the divisor bounds the remainder.
    return 0, min(b[1] - 1, a[1]) if a[0] >= 0 else b[1] - 1


def _unsigned_quotient(a: Bounds, b: Bounds) -> Bounds | None:
    return (a[0] // b[1], a[1] // b[0]) if a[0] >= 0 and b[0] >= 1 else None


def _same(op: Operation, depth: int) -> Bounds:
    return bounds_of(op.operands[0], depth)


def _unsigned(op: Operation, depth: int) -> Bounds:
    lo, hi = bounds_of(op.operands[0], depth)
    return (lo, hi) if lo >= 0 else (0, (1 << width_of(op.operands[0].type)) - 1)


def _chosen(op: Operation, depth: int) -> Bounds | None:
    if not isinstance(op.results[0].type, IntegerType | IndexType):
        return None
    ends = [bounds_of(operand, depth) for operand in op.operands[1:]]
    return min(lo for lo, _ in ends), max(hi for _, hi in ends)


def _place(op: Operation, _: int) -> Bounds:
    stated = op.properties.get("upper_bound")
    size = _SIZES.get(op.name, _GRID + 1)
    if stated is not None:
        size = min(size, narrow.number(stated) + (op.name in _AT_LEAST_ONE))
    return int(op.name in _AT_LEAST_ONE), size - 1


def _special(op: Operation, _: int) -> Bounds:
    name = op.name[len(PREFIX) :].partition(".")[0]
    stated: Any = op.properties.get("range")
    lo, hi = int(name in ("ntid", "nctaid")), _SPECIAL_SIZES.get(name, _GRID + 1) - 1
    if stated is not None and stated.lower.data < stated.upper.data:
        lo, hi = max(lo, stated.lower.data), min(hi, stated.upper.data - 1)
    return lo, hi


Binary = Callable[[Bounds, Bounds], Bounds | None]


def by_name(rules: dict[str, Any]) -> dict[str, Any]:
    """Rules, each by every one of its names."""
    return {name: rule for names, rule in rules.items() for name in names.split()}


BINARY: dict[str, Binary] = by_name({
    "arith.addi llvm.add index.add": _corners(lambda x, y: x + y),
    "arith.subi llvm.sub index.sub": _corners(lambda x, y: x - y),
    "arith.muli llvm.mul index.mul": _corners(lambda x, y: x * y),
    "arith.minsi llvm.intr.smin index.mins": _corners(min),
    "arith.maxsi llvm.intr.smax index.maxs": _corners(max),
    "arith.minui llvm.intr.umin index.minu": _least_unsigned,
    "arith.andi llvm.and index.and": _masked,
    "arith.maxui llvm.intr.umax index.maxu": _greatest_unsigned,
    "arith.remui llvm.urem index.remu": _unsigned_remainder,
    "arith.divui llvm.udiv index.divu": _unsigned_quotient,
})  # fmt: skip
"""The bounds of operations on two integers by those of both; None where these say nothing."""
_RULES: dict[str, Callable[[Operation, int], Bounds | None]] = by_name({
    "arith.index_cast arith.extsi arith.trunci llvm.sext llvm.trunc index.casts": _same,
    "arith.index_castui arith.extui llvm.zext index.castu": _unsigned,
    "arith.select llvm.select": _chosen,
    " ".join(_IDS): _place,
    " ".join(f"{PREFIX}{name}.{axis}" for name in ("tid", "ctaid", "ntid", "nctaid") for axis in "xyz"): _special,
    f"{PREFIX}laneid": _special,
})  # fmt: skip
