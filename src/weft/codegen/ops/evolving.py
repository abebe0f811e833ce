"""How often a loop turns whose test follows from constants alone: found by running what the test reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation, SSAValue

from weft.codegen.constants import constant_of
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.codegen.types import layout
from weft.dialects.arith.predicates import INTEGER_PREDICATES

_DEPTH = 12
"""Operations in a row that are computed for one value."""


def _signed(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def _shifted(by: Callable[[int, int], int]) -> Callable[[int, int, int], int | None]:
    def rule(a: int, b: int, bits: int) -> int | None:
        return by(a, b) if 0 <= b < bits else None

    return rule


def _unsigned_shift(a: int, b: int, bits: int) -> int | None:
    return (a & (1 << bits) - 1) >> b if 0 <= b < bits else None


def _unsigned_quotient(a: int, b: int, bits: int) -> int | None:
    mask = (1 << bits) - 1
    return (a & mask) // (b & mask) if b & mask else None


def _unsigned_remainder(a: int, b: int, bits: int) -> int | None:
    mask = (1 << bits) - 1
    return (a & mask) % (b & mask) if b & mask else None


def _quotient(a: int, b: int, _: int) -> int | None:
    return abs(a) // abs(b) * (1 if a ^ b >= 0 else -1) if b else None


_Rule = Callable[[int, int, int], int | None]
_BINARY: dict[str, _Rule] = {
    "arith.addi": lambda a, b, _: a + b,
    "arith.subi": lambda a, b, _: a - b,
    "arith.muli": lambda a, b, _: a * b,
    "arith.andi": lambda a, b, _: a & b,
    "arith.ori": lambda a, b, _: a | b,
    "arith.xori": lambda a, b, _: a ^ b,
    "arith.minsi": lambda a, b, _: min(a, b),
    "arith.maxsi": lambda a, b, _: max(a, b),
    "arith.shli": _shifted(lambda a, b: a << b),
    "arith.shrsi": _shifted(lambda a, b: a >> b),
    "arith.shrui": _unsigned_shift,
    "arith.divsi": _quotient,
    "arith.divui": _unsigned_quotient,
    "arith.remui": _unsigned_remainder,
}
_LLVM = {
    "llvm.add": "addi", "llvm.sub": "subi", "llvm.mul": "muli", "llvm.and": "andi", "llvm.or": "ori",
    "llvm.xor": "xori", "llvm.shl": "shli", "llvm.ashr": "shrsi", "llvm.lshr": "shrui", "llvm.sdiv": "divsi",
    "llvm.udiv": "divui", "llvm.urem": "remui", "llvm.icmp": "cmpi", "llvm.sext": "extsi", "llvm.zext": "extui",
    "llvm.trunc": "trunci", "llvm.select": "select",
}  # fmt: skip
_LOGIC = ("arith.andi", "arith.ori", "arith.xori")
_OTHERS = (
    "arith.cmpi", "arith.index_cast", "arith.extsi", "arith.trunci", "arith.extui", "arith.index_castui",
    "arith.select",
)  # fmt: skip
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip


def _name(op: Operation) -> str:
    """The name of an operation of numbers in `arith`."""
    found = _LLVM.get(op.name)
    return f"arith.{found}" if found is not None else op.name


def is_computed(op: Operation) -> bool:
    """Whether numbers that constants follow to can be followed through an operation."""
    name = _name(op)
    return name in _BINARY or name in _OTHERS or name.endswith(".constant")


def _bits(value: Any) -> int:
    """The width of an integer, 0 for anything else."""
    name = value.type.name
    return layout(value.type).scalars[0].width if name in ("index", "integer_type") else 0


class Turns:
    """Computes what a turn of an `scf.while` makes of numbers that are known before it."""

    def __init__(self, s: Selector, op: Operation) -> None:
        self._s = s
        self._before, self._after = (region.blocks[0] for region in op.regions)
        self._known: dict[SSAValue, int | None] = {}
        self._state = [self._start(operand) for operand in op.operands]

    def count(self, most: int) -> int | None:
        """How often the body runs, None if that is not known or more than so many times."""
        condition, last = self._before.last_op, self._after.last_op
        assert condition is not None and last is not None
        for turns in range(most + 1):
            self._known = dict(zip(self._before.args, self._state, strict=True))
            if (goes_on := self._value(condition.operands[0], _DEPTH)) is None:
                return None
            if not goes_on:
                return turns
            passed = [self._value(operand, _DEPTH) for operand in condition.operands[1:]]
            self._known |= dict(zip(self._after.args, passed, strict=True))
            self._state = [self._value(operand, _DEPTH) for operand in last.operands]
        return None

    def _start(self, value: SSAValue) -> int | None:
        found = self._s.values.get(value)
        number = found.const if isinstance(found, Lin) and found.is_const else constant_of(value)
        return None if number is None or not _bits(value) else _signed(number, _bits(value))

    def _value(self, value: SSAValue, depth: int) -> int | None:
        if value not in self._known:
            found = self._computed(value, depth) if depth else None
            self._known[value] = None if found is None else _signed(found, _bits(value))
        return self._known[value]

    def _computed(self, value: SSAValue, depth: int) -> int | None:
        owner: Any = value.owner
        if not _bits(value):
            return None
        if not isinstance(owner, Operation) or owner.parent not in (self._before, self._after):
            return self._start(value)
        if not owner.operands:
            return constant_of(value)
        operands = [self._value(operand, depth - 1) for operand in owner.operands]
        if None in operands:
            return None
        return _computed(owner, [one for one in operands if one is not None], _bits(value))


def _computed(owner: Any, operands: list[int], bits: int) -> int | None:
    width = _bits(owner.operands[0])
    kind = _name(owner)
    if kind == "arith.cmpi":
        number: int = owner.properties["predicate"].value.data
        name = INTEGER_PREDICATES[number]
        if name[0] == "u":
            operands = [one & (1 << width) - 1 for one in operands]
        return int(_COMPARED[name if name in ("eq", "ne") else name[1:]](*operands))
    if kind in ("arith.index_cast", "arith.extsi", "arith.trunci"):
        return operands[0]
    if kind in ("arith.extui", "arith.index_castui"):
        return operands[0] & (1 << width) - 1
    if kind == "arith.select":
        return operands[1] if operands[0] & 1 else operands[2]
    rule = _BINARY.get(kind)
    if rule is None or (bits == 1 and kind not in _LOGIC):
        return None
    a, b = operands
    return rule(a, b, bits)
