"""Operations that are one instruction, as their rows say (`weft.dialects.nvvm.ops`)."""

from __future__ import annotations

from typing import Any

from weft.codegen.selector import Selector, handles
from weft.dialects.nvvm.ops import row
from weft.dialects.nvvm.rows import ROWS
from weft.isa import opcode
from weft.ptx.signature import choose


@handles(*(f"nvvm.{name}" for name in ROWS))
def select_row(s: Selector, op: Any) -> None:
    """The instruction, with the operation's flags as slots and its operands where its form has them."""
    found = row(op.name.removeprefix("nvvm."))
    flags = {flag: flag in op.properties for flag in found.flags}
    code = opcode(found.stem, **found.slots, **flags)
    variant = code.variants[0]
    specs = choose(variant.compiled.operands, variant.slots, len(found.fixed) + len(op.operands)) or ()
    operands: list[Any] = list(found.fixed)
    for value, spec in zip(op.operands, specs[len(operands) :], strict=True):
        lin = s.int(value)
        operands.append(s.address(lin) if spec.kind == "address" else s.operand(lin))
    s.emit(code, *operands)
