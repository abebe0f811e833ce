"""Approximations, dot products and byte permutes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import B32, Value
from weft.codegen.selector import Selector, handles
from weft.dialects import narrow
from weft.isa.opcode import opcode

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


@handles("nvvm.rcp.approx.ftz.f")
def select_rcp(s: Selector, op: Operation) -> None:
    """1 / x, approximately."""
    s.values[op.results[0]] = s.pure(
        opcode("rcp", rnd="approx", ftz=True, type="f32"), B32, s.register(s.get(op.operands[0]), B32)
    )


_SIGNS = {"signed": "s32", "unsigned": "u32"}


@handles("nvvm.dot.accumulate.4way", "nvvm.dot.accumulate.2way")
def select_dot(s: Selector, op: nvvm.DotAccumulate4WayOp | nvvm.DotAccumulate2WayOp) -> None:
    """The third operand plus the dot product of bytes with bytes, or of 16-bit integers with half of the bytes."""
    slots = {"atype": _SIGNS[op.a_type.data.value], "btype": _SIGNS[op.b_type.data.value]}
    stem, half = "dp4a", op.properties.get("b_hi")
    if half is not None:
        stem, slots["mode"] = "dp2a", "hi" if narrow.number(half) else "lo"
    a, b = (s.register(s.get(v)[0], B32) for v in op.operands[:2])
    value = s.pure(opcode(stem, **slots), B32, a, b, s.operand(s.int(op.operands[2])))
    s.values[op.results[0]] = linear.of(value)


@handles("nvvm.prmt")
def select_permute(s: Selector, op: nvvm.PrmtOp) -> None:
    """Bytes of two words (or of one) picked by a selector."""
    mode = op.mode.data.value
    low, *rest = (s.operand(s.int(v)) for v in op.operands)
    high = rest[0] if len(rest) == 2 else 0
    text = opcode("prmt", type="b32", mode="" if mode == "default" else mode)
    s.values[op.results[0]] = linear.of(s.pure(text, B32, low, high, rest[-1]))


def word(s: Selector, value: Any) -> Value:
    """The register of a vector that fills one."""
    (lane,) = s.get(value)
    return s.register(lane, B32)
