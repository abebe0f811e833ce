"""Products in tensor memory: `nvvm.tcgen05.mma*`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen.graph import PRED, Addr
from weft.codegen.nvvm.tma import cta_group
from weft.codegen.selector import Selector, handles
from weft.dialects import narrow
from weft.isa import Opcode, opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


def _matrices(s: Selector, op: Operation) -> list[Any]:
    """D, A (a descriptor, or an address of tensor memory) and the descriptor of B."""
    d, a, b = op.operands[:3]
    first: Any = s.int_value(s.int(a)) if str(a.type) == "i64" else _tensor(s, a)
    return [_tensor(s, d), first, s.int_value(s.int(b))]


def _tensor(s: Selector, value: Any) -> Addr:
    """An address of tensor memory."""
    return Addr(s.int_value(s.int(value)))


def _collector(op: Operation, matrix: str) -> str:
    return f"collector::{matrix}::{narrow.word(op.properties['collectorOp'])}"


@handles("nvvm.tcgen05.mma", "nvvm.tcgen05.mma.sp")
def select_mma(s: Selector, op: nvvm.Tcgen05MmaOp | nvvm.Tcgen05MmaSpOp) -> None:
    """D = A * B (+ D)."""
    sizes = narrow.segments(op)
    sparse = op.name.endswith(".sp")
    at = 6 if sparse else 5
    scale, mask = sizes[at], sizes[at + 1]
    tail: list[Any] = []
    if mask:
        tail.append(tuple(s.int_value(word) for word in s.get(op.operands[-1])))
    tail.append(s.register(s.test(op.operands[4]), PRED))
    if scale:
        factor = s.int(op.operands[at])
        if not factor.is_const:
            raise compile_error(op, "the scale of D must be a constant")
        tail.append(factor.const)
    code = opcode(
        "tcgen05.mma.sp" if sparse else "tcgen05.mma",
        cta_group=cta_group(op, "ctaGroup"),
        kind=f"kind::{op.kind.data.value}",
        ashift=op.a_shift is not None,
        collector=_collector(op, "a"),
    )
    _emit(s, op, code, tail, sparse=sparse)


def _emit(s: Selector, op: Operation, code: Opcode, tail: list[Any], *, sparse: bool) -> None:
    metadata = [_tensor(s, op.operands[5])] if sparse else []
    s.emit(code, *_matrices(s, op), *metadata, s.int_value(s.int(op.operands[3])), *tail)


@handles("nvvm.tcgen05.mma.block_scale", "nvvm.tcgen05.mma.sp.block_scale")
def select_scaled(s: Selector, op: nvvm.Tcgen05MmaBlockScaleOp | nvvm.Tcgen05MmaSpBlockScaleOp) -> None:
    """D = A * B (+ D), with a scale for every block of A and of B."""
    sparse = ".sp." in op.name
    block = op.block_scale.data.value
    code = opcode(
        "tcgen05.mma.sp" if sparse else "tcgen05.mma",
        cta_group=cta_group(op, "ctaGroup"),
        kind=f"kind::{op.kind.data.value}",
        block="" if block == "default" else block,
        collector=_collector(op, "a"),
    )
    scales = [_tensor(s, v) for v in op.operands[-2:]]
    _emit(s, op, code, [*scales, s.register(s.test(op.operands[4]), PRED)], sparse=sparse)


@handles("nvvm.tcgen05.mma.ws", "nvvm.tcgen05.mma.ws.sp")
def select_stationary(s: Selector, op: nvvm.Tcgen05MmaWsOp | nvvm.Tcgen05MmaWsSpOp) -> None:
    """D = A * B (+ D), with B kept in a collector buffer."""
    sparse = op.name.endswith(".sp")
    code = opcode(
        "tcgen05.mma.ws.sp" if sparse else "tcgen05.mma.ws",
        cta_group="cta_group::1",
        kind=f"kind::{op.kind.data.value}",
        collector=_collector(op, op.collector_b_buffer.data.value),
    )
    columns = [s.int_value(s.int(v)) for v in op.operands[6 if sparse else 5 :]]
    _emit(s, op, code, [s.register(s.test(op.operands[4]), PRED), *columns], sparse=sparse)
