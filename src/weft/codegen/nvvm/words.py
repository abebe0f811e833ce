"""Words of tiles in registers: two elements in one instruction."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.graph import B32
from weft.codegen.selector import Selector, handles
from weft.isa.opcode import opcode


@handles("words.narrow")
def select_narrow(s: Selector, op: Any) -> None:
    """Two f32 as a word of two 16-bit floats: the second operand of `cvt` is the lower half."""
    low, high = (s.register(s.get(value), B32) for value in op.operands)
    kind = op.properties["to"].data
    text = opcode("cvt", rnd="rn", type=f"{kind}x2", atype="f32")
    s.values[op.results[0]] = linear.of(s.pure(text, B32, high, low))
