"""Words of tiles in registers: two elements in one instruction."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.codegen import linear
from weft.codegen.graph import B32
from weft.codegen.selector import Selector, handles
from weft.dialects import narrow
from weft.isa.opcode import opcode

if TYPE_CHECKING:
    from xdsl.ir import Operation


@handles("words.narrow")
def select_narrow(s: Selector, op: Operation) -> None:
    """Two f32 as a word of two 16-bit floats: the second operand of `cvt` is the lower half."""
    low, high = (s.register(s.get(value), B32) for value in op.operands)
    kind = narrow.text(op.properties["to"])
    text = opcode("cvt", rnd="rn", type=f"{kind}x2", atype="f32")
    s.values[op.results[0]] = linear.of(s.pure(text, B32, high, low))
