"""Vectors of f32 two at a time, by instructions on `f32x2`, where that is fewer than one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import Operation, SSAValue

from weft.codegen import floats
from weft.codegen.constants import constant_of
from weft.codegen.graph import B32, B64, Const, Value
from weft.codegen.selector import Selector
from weft.codegen.types import is_vector, scalar
from weft.codegen.vectors import elements, pack
from weft.isa import opcode

_TAKEN_APART = ("llvm.extractelement", "vector.extract", "llvm.shufflevector", "llvm.intr.vector.reduce.fadd")
_PUT_TOGETHER = ("llvm.insertelement", "vector.from_elements", "llvm.shufflevector", "llvm.bitcast")


def in_pairs(
    s: Selector, op: Operation, stem: str, operands: Sequence[SSAValue] = (), negated: int | None = None
) -> bool:
    """Bind the result by instructions on two f32 each; False where the target has none, or where that is no gain.

    `operands` are the operation's if they are not given; that of number `negated` is taken with its sign
    flipped.
    """
    (result,) = op.results
    type_: Any = result.type
    if not is_vector(type_) or scalar(type_.element_type) != floats.F32:
        return False
    code = s.module.available(stem, rnd="rn", type="f32x2")
    if code is None:
        return False
    operands = operands or op.operands
    scalars: list[Any] = [elements(s, s.get(value), value.type) for value in operands]
    count = len(scalars[0])
    if count % 2 or not (any(map(_comes_in_pairs, operands)) or _goes_in_pairs(result)) or not _any_pair(result, count):
        return False
    if negated is not None:
        scalars[negated] = [floats.unary(s, "neg", one, floats.F32) for one in scalars[negated]]
    out: list[Any] = []
    for at in range(0, count, 2):
        pairs = [_pair(s, *parts[at : at + 2]) for parts in scalars]
        out += s.pure_many(opcode("mov", type="b64"), (B32, B32), s.pure(code, B64, *pairs))
    s.values[result] = pack(s, out, type_)
    return True


def _any_pair(result: SSAValue, count: int) -> bool:
    """Whether both elements of any pair of a vector's are read."""
    read: set[int] = set()
    for use in result.uses:
        op: Any = use.operation
        if op.name == "llvm.shufflevector":
            first = use.index * count
            read.update(index - first for index in op.mask.get_values() if 0 <= index - first < count)
        elif op.name == "llvm.extractelement" and (at := constant_of(op.operands[1])) is not None:
            read.add(at)
        else:
            return True
    return any({at, at + 1} <= read for at in range(0, count, 2))


def _pair(s: Selector, low: floats.Float, high: floats.Float) -> Value:
    if isinstance(low, Const) and isinstance(high, Const):
        return s.register(Const(B64, low.pattern | high.pattern << 32), B64)
    return s.pure(opcode("mov", type="b64"), B64, (s.register(low, B32), s.register(high, B32)))


def _comes_in_pairs(value: SSAValue) -> bool:
    """Whether what makes a vector has its elements in neighbouring registers."""
    return getattr(value.owner, "name", "") not in (*_PUT_TOGETHER, "llvm.mlir.constant", "arith.constant")


def _goes_in_pairs(value: SSAValue) -> bool:
    """Whether a reader of a vector wants its elements in neighbouring registers."""
    return any(use.operation.name not in _TAKEN_APART for use in value.uses)
