"""Values combined over the lanes of a warp, or over the threads of a block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.codegen import linear
from weft.codegen.combine import all_reduce, combine
from weft.codegen.graph import B32
from weft.codegen.ops.warp import ALL_LANES, moved
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout

if TYPE_CHECKING:
    from weft.dialects.rows import gpu

_REDUX = {
    "add": ("add", "s32"), "minui": ("min", "u32"), "minsi": ("min", "s32"), "maxui": ("max", "u32"),
    "maxsi": ("max", "s32"), "and": ("and", "b32"), "or": ("or", "b32"), "xor": ("xor", "b32"),
}  # fmt: skip
"""What is done to which type."""


@handles("gpu.subgroup_reduce")
def select_subgroup_reduce(s: Selector, op: gpu.SubgroupReduceOp) -> None:
    """A value combined over the warp, or over clusters of its lanes."""
    value = op.operands[0]
    name = op.op.data.value
    size = op.cluster_size
    count = size.value.data if size is not None else 32
    stride = op.cluster_stride.value.data if "cluster_stride" in op.properties else 1
    kinds = layout(value.type).scalars
    what, type_ = _REDUX.get(name, ("", ""))
    whole = what and count == 32 and kinds[0].name == "i32"
    if whole and (redux := s.module.available("redux", op=what, type=type_)) is not None:
        out = s.value(B32)
        s.emit(redux, out, s.int_value(s.get(value)), ALL_LANES, outs=(out,))
        s.values[op.results[0]] = linear.of(out)
        return
    total = s.get(value)
    step = stride
    while step < count * stride:
        parts, _ = moved(s, s.flatten(total), kinds, "bfly", linear.const(step, 32))
        other = s.unflatten(value.type, tuple(parts))
        total = combine(s, op, name, total, other, value.type)
        step *= 2
    s.values[op.results[0]] = total


@handles("gpu.all_reduce")
def select_all_reduce(s: Selector, op: gpu.AllReduceOp) -> None:
    """A value combined over all threads of the block: in each warp by shuffles, then across warps in shared memory."""
    type_ = op.operands[0].type
    named = op.op

    def merge(a: Any, b: Any) -> Any:
        if named is not None:
            return combine(s, op, named.data.value, a, b, type_)
        (block,) = op.regions[0].blocks
        for argument, value in zip(block.args, (a, b), strict=True):
            s.values[argument] = value
        last = s.select_block(block)
        s.source = op
        return s.get(last.operands[0])

    s.values[op.results[0]] = all_reduce(s, op, s.get(op.operands[0]), merge)
