"""`gpu.subgroup_reduce`: values combined over the lanes of a warp."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.codegen import linear
from weft.codegen.combine import combine
from weft.codegen.graph import B32
from weft.codegen.linear import Lin
from weft.codegen.ops.warp import ALL_LANES, WARP, moved
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, layout

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
    total = s.get(value)
    if count == WARP and (found := at_once(s, name, total, kinds)) is not None:
        s.values[op.results[0]] = found
        return
    step = stride
    while step < count * stride:
        parts, _ = moved(s, s.flatten(total), kinds, "bfly", linear.const32(step))
        other = s.unflatten(value.type, tuple(parts))
        total = combine(s, op, name, total, other, value.type)
        step *= 2
    s.values[op.results[0]] = total


def at_once(s: Selector, name: str, value: Any, kinds: tuple[Scalar, ...]) -> Lin | None:
    """A value combined over all lanes of the warp by one instruction, None where there is none for it."""
    what, type_ = _REDUX.get(name, ("", ""))
    if not what or not isinstance(value, Lin) or kinds[0].name != "i32":
        return None
    redux = s.module.available("redux", op=what, type=type_)
    if redux is None:
        return None
    out = s.value(B32)
    s.emit(redux, out, s.int_value(value), ALL_LANES, outs=(out,))
    return linear.of(out)
