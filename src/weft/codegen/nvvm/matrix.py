"""Warp-level matrices: `nvvm.ldmatrix`, `nvvm.stmatrix`, `nvvm.mma.sync`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen.nvvm.fragments import outputs, registers, segments
from weft.codegen.selector import Selector, handles
from weft.codegen.types import layout
from weft.isa.opcode import opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.codegen.types import Scalar
    from weft.dialects.engine.attributes import Word
    from weft.dialects.rows import nvvm


def _tiles(op: nvvm.LdmatrixOp | nvvm.StmatrixOp, count: int) -> dict[str, Any]:
    """The slots that ldmatrix and stmatrix share."""
    shape = op.shape
    slots: dict[str, Any] = {
        "shape": f"m{shape.m.data}n{shape.n.data}",
        "num": f"x{count}",
        "trans": op.layout.data.value == "col",
        "ss": "shared",
    }
    formats = op.elt_type.data.value.split(".")
    if len(formats) == 2:
        slots["dst_fmt"], slots["src_fmt"] = formats
    else:
        slots["type"] = formats[0]
    return slots


@handles("nvvm.ldmatrix")
def select_ldmatrix(s: Selector, op: nvvm.LdmatrixOp) -> None:
    """Tiles of shared memory into registers."""
    code = opcode("ldmatrix", **_tiles(op, op.num.value.data))
    outs = outputs(s, op)
    # Threads of a warp load together: what one of them does not use, as in LLVM, stays.
    s.emit(code, outs, s.address(shared(s, op, op.operands[0])), outs=outs)


@handles("nvvm.stmatrix")
def select_stmatrix(s: Selector, op: nvvm.StmatrixOp) -> None:
    """Tiles from registers to shared memory."""
    sources = op.operands[1:]
    code = opcode("stmatrix", **_tiles(op, len(sources)))
    registers = tuple(s.int_value(s.int(v)) for v in sources)
    s.emit(code, s.address(shared(s, op, op.operands[0])), registers)


def shared(s: Selector, op: Operation, pointer: Any) -> Any:
    """The address that a pointer into shared memory is; other pointers are refused."""
    address = s.int(pointer)
    if address.bits != 32:
        raise compile_error(op, "the pointer must point into shared memory", "use !llvm.ptr<3>")
    return address


@handles("nvvm.mma.sync")
def select_mma(s: Selector, op: nvvm.MmaSyncOp) -> None:
    """D = A * B + C on fragments."""
    a, b, c = segments(op)
    groups = [registers(s, group) for group in (a, b, c)]
    code = opcode("mma", **_mma_slots(op, layout(op.results[0].type).scalars, layout(c[0].type).scalars))
    outs = outputs(s, op)
    s.read(code, outs, *groups, outs=outs)


ACCUMULATOR = {"i32": "s32", "f32": "f32", "f64": "f64", "f16": "f16"}
_SIX_AND_FOUR = frozenset({"e2m3", "e3m2", "e2m1"})
"""Multiplicands that say of what kind the product is."""


def element(op: Operation, found: Word | None, name: str) -> str:
    """The type of a multiplicand's elements, which property `name` says."""
    if found is None:
        raise compile_error(op, f"the element type cannot be inferred: set '{name}'")
    return found.data.value


def _mma_slots(op: nvvm.MmaSyncOp, d: Sequence[Scalar], c: Sequence[Scalar]) -> dict[str, Any]:
    m, n, k = op.shape.sizes
    slots: dict[str, Any] = {
        "shape": f"m{m}n{n}k{k}",
        "alayout": op.layout_a.data.value,
        "blayout": op.layout_b.data.value,
        "atype": element(op, op.multiplicand_a_ptx_type, "multiplicandAPtxType"),
        "btype": element(op, op.multiplicand_b_ptx_type, "multiplicandBPtxType"),
        "dtype": ACCUMULATOR[d[0].name],
        "ctype": ACCUMULATOR[c[0].name],
    }
    if not _SIX_AND_FOUR.isdisjoint((slots["atype"], slots["btype"])):
        slots["kind"] = "kind::f8f6f4"
    overflow = op.int_overflow_behavior
    if overflow is not None and overflow.data.value == "satfinite":
        slots["satfinite"] = True
    bit = op.b1_op
    if bit is not None and slots["atype"] == "b1":
        slots["bitop"] = bit.data.value.removesuffix("_popc")  # Of other numbers it says nothing.
    return slots
