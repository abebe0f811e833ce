"""Approximations, dot products and byte permutes."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import B32, Value
from weft.codegen.selector import Selector, handles
from weft.isa.opcode import opcode


@handles("nvvm.rcp.approx.ftz.f")
def select_rcp(s: Selector, op: Operation) -> None:
    """1 / x, approximately."""
    s.values[op.results[0]] = s.pure(
        opcode("rcp", rnd="approx", ftz=True, type="f32"), B32, s.register(s.get(op.operands[0]), B32)
    )


_SIGNS = {"signed": "s32", "unsigned": "u32"}


@handles("nvvm.dot.accumulate.4way", "nvvm.dot.accumulate.2way")
def select_dot(s: Selector, op: Any) -> None:
    """The third operand plus the dot product of bytes with bytes, or of 16-bit integers with half of the bytes."""
    types = {f"{x}type": _SIGNS[op.properties[f"{x}_type"].data.value] for x in "ab"}
    stem, slots = "dp4a", types
    if op.name.endswith("2way"):
        stem, slots = "dp2a", {"mode": "hi" if op.properties["b_hi"].value.data else "lo", **types}
    a, b = (s.register(s.get(v)[0], B32) for v in op.operands[:2])
    value = s.pure(opcode(stem, **slots), B32, a, b, s.operand(s.int(op.operands[2])))
    s.values[op.results[0]] = linear.of(value)


@handles("nvvm.prmt")
def select_permute(s: Selector, op: Any) -> None:
    """Bytes of two words (or of one) picked by a selector."""
    mode = op.properties["mode"].data.value
    low, *rest = (s.operand(s.int(v)) for v in op.operands)
    high = rest[0] if len(rest) == 2 else 0
    text = opcode("prmt", type="b32", mode="" if mode == "default" else mode)
    s.values[op.results[0]] = linear.of(s.pure(text, B32, low, high, rest[-1]))


def word(s: Selector, value: Any) -> Value:
    """The register of a vector that fills one."""
    (lane,) = s.get(value)
    return s.register(lane, B32)
