"""Sparse and block-scaled matrix products of a warp: `mma.sp` and `mma` with `.block_scale`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weft.codegen.graph import B32
from weft.codegen.nvvm.fragments import half, outputs, registers, segments
from weft.codegen.nvvm.matrix import ACCUMULATOR, element
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout
from weft.isa.opcode import opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from xdsl.ir import SSAValue

    from weft.dialects.rows import nvvm


def _types(
    op: nvvm.MmaSpSyncOp | nvvm.MmaBlockScaleOp | nvvm.MmaSpBlockScaleOp, c: Sequence[SSAValue]
) -> dict[str, Any]:
    m, n, k = op.shape.sizes
    return {
        "shape": f"m{m}n{n}k{k}",
        "alayout": "row",
        "blayout": "col",
        "atype": element(op, op.multiplicand_a_ptx_type, "multiplicandAPtxType"),
        "btype": element(op, op.multiplicand_b_ptx_type, "multiplicandBPtxType"),
        "dtype": ACCUMULATOR[layout(op.results[0].type).scalars[0].name],
        "ctype": ACCUMULATOR[layout(c[0].type).scalars[0].name],
    }


@handles("nvvm.mma.sp.sync")
def select_sparse(s: Selector, op: nvvm.MmaSpSyncOp) -> None:
    """D = A * B + C, where A holds two of each four elements."""
    a, b, c, metadata, selector = segments(op)
    slots = _types(op, c)
    kind = op.kind
    if kind is not None:
        slots["kind"] = f"kind::{kind.data.value}"
    overflow = op.int_overflow_behavior
    if overflow is not None and overflow.data.value == "satfinite":
        slots["satfinite"] = True
    stem = "mma.sp::ordered_metadata" if op.ordered_metadata is not None else "mma.sp"
    text = opcode(stem, **slots)
    pick = s.int(selector[0])
    if not pick.is_const:
        raise compile_error(op, "the sparsity selector must be a constant")
    groups = [registers(s, group) for group in (a, b, c)]
    outs = outputs(s, op)
    s.read(text, outs, *groups, s.int_value(s.int(metadata[0])), pick.const, outs=outs)


@handles("nvvm.mma.block_scale", "nvvm.mma.sp.block_scale")
def select_scaled(s: Selector, op: nvvm.MmaBlockScaleOp | nvvm.MmaSpBlockScaleOp) -> None:
    """D = (A scaled) * (B scaled) + C; A may be sparse."""
    sparse = op.name == "nvvm.mma.sp.block_scale"
    a, b, c, *rest = segments(op)
    slots = _types(op, c)
    slots["kind"] = f"kind::{op.kind.data.value}"
    slots["stype"] = op.block_scale_format.data.value
    vector = op.scale_vec_size.data.value.upper()
    slots["scale_vec"] = f"scale_vec::{vector.removeprefix('X')}X" if vector.startswith("X") else f"scale_vec::{vector}"
    single = [group[0] for group in rest]
    middle: list[Any] = []
    if sparse:
        metadata, selector = single[0], s.int(single[1])
        if not selector.is_const:
            raise compile_error(op, "the sparsity selector must be a constant")
        middle, single = [s.int_value(s.int(metadata)), selector.const], single[2:]
    scales: list[Any] = []
    for at in (0, 3):
        data, byte, thread = single[at : at + 3]
        scales += [s.register(s.as_operand(s.get(data)), B32), (half(s, byte), half(s, thread))]
    text = opcode("mma.sp::ordered_metadata" if sparse else "mma", **slots)
    groups = [registers(s, group) for group in (a, b, c)]
    outs = outputs(s, op)
    s.read(text, outs, *groups, *middle, *scales, outs=outs)
