"""`gpu.warp_execute_on_lane_0`: a region that one lane runs on the vectors of all, its results handed out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from xdsl.ir import Attribute, Operation

from weft.codegen import linear
from weft.codegen.graph import If
from weft.codegen.linear import Lin
from weft.codegen.ops.llvm_data import pick
from weft.codegen.ops.merging import merge_branches
from weft.codegen.ops.warp import WARP, moved
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, layout
from weft.codegen.vectors import elements, pack
from weft.dataclass import dataclass
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects.rows import gpu


@handles("gpu.warp_execute_on_lane_0")
def select_on_lane_0(s: Selector, op: gpu.WarpExecuteOnLane0Op) -> None:
    """Run the region where the lane is 0, on vectors that the lanes hold parts of; hand out what it yields."""
    (block,) = op.regions[0].blocks
    lane, *arguments = op.operands
    lanes = op.warp_size.value.data
    if lanes > WARP:
        raise compile_error(op, f"a warp has {WARP} lanes, not {lanes}")
    for argument, operand in zip(block.args, arguments, strict=True):
        s.values[argument] = _joined(s, op, operand, argument.type, lanes)
    here = s.int(lane)
    branch = If(s.compare("eq", here, linear.const(0, here.bits)), s.child(), s.child(), source=s.source)
    with s.at(branch.then):
        last = s.select_block(block)
        inside = [s.get(v) for v in last.operands]
    s.source = op
    with s.at(branch.otherwise):
        outside = [_nothing(s, value.type) for value in last.operands]
    wholes: list[Any] = [_Whole(value.type) for value in last.operands]
    merge_branches(s, branch, wholes, [inside, outside])
    for result, whole in zip(op.results, wholes, strict=True):
        s.values[result] = _handed_out(s, op, s.values.pop(whole), whole.type, result.type, here, lanes)


@dataclass(eq=False)
class _Whole:
    """A value that lane 0 yields, as lane 0 has it and others have zeros."""

    type: Attribute


def places(whole: Sequence[int], part: Sequence[int], lane: int) -> list[int]:
    """Where in the whole vector the elements of a lane's part are, in order; lanes go along the last dimension first.

    Source: upstream's `delinearizeLaneId`; the dialect's description has one dimension.
    """
    ids: list[int] = []
    for all_, own in zip(reversed(whole), reversed(part), strict=True):
        ids.append(lane % (all_ // own))
        lane //= all_ // own
    starts = [i * own for i, own in zip(reversed(ids), part, strict=True)]
    found: list[int] = []
    for inside in product(*map(range, part)):
        flat = 0
        for extent, start, i in zip(whole, starts, inside, strict=True):
            flat = flat * extent + start + i
        found.append(flat)
    return found


def _joined(s: Selector, op: Operation, operand: Any, whole: Any, lanes: int) -> Any:
    """The vector of all lanes' parts, in every lane."""
    if operand.type == whole:
        return s.get(operand)
    parts, kinds = _elements(s, op, s.get(operand), operand.type)
    out: list[Any] = [None] * prod(whole.get_shape())
    for lane in range(lanes):
        got, _ = moved(s, parts, kinds, "idx", linear.const32(lane))
        for place, value in zip(places(whole.get_shape(), operand.type.get_shape(), lane), got, strict=True):
            out[place] = value
    return pack(s, out, whole)


def _handed_out(s: Selector, op: Operation, value: Any, whole: Any, part: Any, lane: Lin, lanes: int) -> Any:
    """What each lane gets of a value of lane 0: all of it, or its part of a vector."""
    if whole == part:
        kinds = layout(part).scalars
        return s.unflatten(part, tuple(moved(s, s.flatten(value), kinds, "idx", linear.const32(0))[0]))
    parts, kinds = _elements(s, op, value, whole)
    got, _ = moved(s, parts, kinds, "idx", linear.const32(0))
    by_lane = [places(whole.get_shape(), part.get_shape(), i) for i in range(lanes)]
    mine = [pick(s, tuple(got[place] for place in column), lane) for column in zip(*by_lane, strict=True)]
    return pack(s, mine, part)


def _elements(s: Selector, op: Operation, value: Any, type_: Any) -> tuple[tuple[Any, ...], tuple[Scalar, ...]]:
    """The elements of a vector, and their kinds."""
    parts = elements(s, value, type_)
    kinds = layout(type_.element_type).scalars
    if len(kinds) > 1:
        raise compile_error(op, f"lanes cannot hold parts of a vector of {type_.element_type}")
    return parts, kinds * len(parts)


def _nothing(s: Selector, type_: Any) -> Any:
    from weft.codegen.ops.llvm_data import zero

    return s.unflatten(type_, tuple(zero(s, kind) for kind in layout(type_).scalars))
