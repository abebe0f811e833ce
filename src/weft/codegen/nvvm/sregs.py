"""Reads of special registers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import B32, B64
from weft.codegen.linear import Lin
from weft.codegen.ops.gpu import position
from weft.codegen.selector import Selector, handles
from weft.dialects.nvvm.sregs import PREFIX, SPECIAL_REGISTERS, result_type
from weft.isa import opcode
from weft.mlir import compile_error
from weft.ptx.operands import Expression, Register

if TYPE_CHECKING:
    from weft.dialects.llvm.ranges import ConstantRangeAttr

_AXES = {"x": 0, "y": 1, "z": 2}
_CHANGING = ("clock", "globaltimer", "smid", "warpid")
_BOUNDS = {"laneid": (0, 31), "warpsize": (32, 32)}


def select_register(s: Selector, op: Operation) -> None:
    """A special register; those that change are read where they are."""
    suffix = op.name.removeprefix(PREFIX)
    name, _, axis = suffix.rpartition(".")
    result = op.results[0]
    if result.type != result_type(suffix):
        raise compile_error(
            op, f"expected the type of {SPECIAL_REGISTERS[suffix]}, {result_type(suffix)}, got {result.type}"
        )
    if name in ("tid", "ntid", "ctaid", "nctaid"):
        s.values[result] = _ranged(op, position(s, name, _AXES[axis]))
        return
    text = SPECIAL_REGISTERS[suffix]
    source: Any = Register(text) if text.startswith("%") else Expression(text)
    wide = suffix in ("clock64", "globaltimer")
    code, cls = (opcode("mov", type="u64"), B64) if wide else (opcode("mov", type="u32"), B32)
    if suffix.startswith(_CHANGING):
        value = s.value(cls)
        s.emit(code, value, source, outs=(value,))
        s.values[result] = linear.of(value)
        return
    lo, hi = _BOUNDS.get(suffix, (0, -1))
    s.values[result] = _ranged(op, linear.of(s.pure(code, cls, source, lo=lo, hi=hi)))


def _ranged(op: Operation, value: Lin) -> Lin:
    """The value with the bounds that the operation itself states."""
    given = op.properties.get("range")
    register = value.single()
    if given is None or register is None:
        return value
    stated = cast("ConstantRangeAttr", given)
    lower, upper = stated.lower.data, stated.upper.data
    if lower < upper:
        register.lo, register.hi = max(register.lo, lower), min(register.hi, upper - 1)
    return linear.of(register)


handles(*(PREFIX + suffix for suffix in SPECIAL_REGISTERS))(select_register)
