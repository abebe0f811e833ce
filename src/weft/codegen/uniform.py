"""Values that are the same in all lanes of a warp, as far as a few steps back show it.

ptxas keeps such values in uniform registers, which few instructions read: each pair that is added to others is copied
for that, every time.
"""

from __future__ import annotations

from typing import Any

from weft.codegen.graph import Value
from weft.ptx.operands import Register, Symbol

_STEPS = 8
_ARITHMETIC = frozenset(("cvta", "cvt", "add", "sub", "mul", "mad", "shl", "shr", "and", "or", "xor"))
_PLACES = tuple(Register(f"%{name}.{axis}") for name in ("ctaid", "nctaid", "ntid") for axis in "xyz")


def is_uniform(value: Value, left: int = _STEPS) -> bool:
    """Whether a value is made of parameters, numbers, the block's place and what loops count from such."""
    if value.induction is not None:
        return left > 0 and all(is_uniform(term, left - 1) for term, _ in value.induction.start.terms)
    inst = value.inst
    if inst is None or not left:
        return False
    if inst.opcode.stem == "ld":
        return inst.opcode.get("ss") == "param"
    if inst.opcode.stem == "mov":
        return _is_fixed(inst.args[1])
    return inst.opcode.stem in _ARITHMETIC and all(
        is_uniform(arg, left - 1) for arg in inst.args[1:] if isinstance(arg, Value)
    )


def _is_fixed(operand: Any) -> bool:
    """Whether what a move moves is a number, an address or the place of the block in the grid."""
    return isinstance(operand, (int, Symbol)) or operand in _PLACES
