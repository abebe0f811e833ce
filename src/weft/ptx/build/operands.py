"""What may be given as an operand, and the operand that it becomes."""

from __future__ import annotations

from collections.abc import Sequence

from weft.isa.opcode import Opcode
from weft.isa.types import TYPES
from weft.ptx.ast import Function, Guard, Label, Variable
from weft.ptx.node import Node
from weft.ptx.operands import (
    Address,
    Arguments,
    Element,
    Expression,
    Float,
    Integer,
    Negated,
    Operand,
    Pair,
    Register,
    Sink,
    Symbol,
    Vector,
)
from weft.ptx.signature import choose

Given = Operand | int | float | str | Label | Variable | Function | Sequence["Given"]
"""An operand, a number, a name (`"%tid.x"` a register, any other a symbol), what has a name, or a list for a vector."""

_OPERANDS = (
    Register, Integer, Float, Symbol, Expression, Sink, Negated, Pair, Vector, Address, Element, Arguments,
)  # fmt: skip


def no(predicate: Register) -> Guard:
    """The guard `@!p`."""
    return Guard(predicate, negated=True)


def at(base: Given, offset: int = 0, *rest: Given) -> Address:
    """The address `[base+offset, rest...]`; the offset is in bytes."""
    return Address(operand(base), offset, tuple(map(operand, rest)))


def operand(given: Given, type_: str = "") -> Operand:
    """The operand that something given stands for; `type_` decides how a number is written."""
    if isinstance(given, _OPERANDS):
        return given
    if isinstance(given, Label | Variable | Function):
        return Symbol(given.name)
    if isinstance(given, str):
        return Register(given) if given.startswith("%") else Sink() if given == "_" else Symbol(given)
    if isinstance(given, int | float):
        return _number(given, type_)
    if isinstance(given, Node):
        raise TypeError(f"{given!r} cannot be an operand")
    return Vector(tuple(operand(element, type_) for element in given))


def _number(value: float, type_: str) -> Operand:
    found = TYPES.get(type_)
    if isinstance(value, float) or (found is not None and found.kind == "f"):
        wide = found is not None and found.bits == 64
        return Float.f64(float(value)) if wide else Float.f32(float(value))
    return Integer(int(value))


def types_of(opcode: Opcode, count: int) -> list[str]:
    """The type of each of so many operands, in the first form that takes so many; empty where none does."""
    for variant in opcode.variants:
        specs = choose(variant.compiled.operands, variant.slots, count)
        if specs is not None:
            return [spec.type(variant.slots) for spec in specs]
    return []
