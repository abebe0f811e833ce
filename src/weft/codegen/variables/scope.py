"""What variables hold at a place: what has been stored in a block so far, else what they held where it was entered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects import ub
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from weft.codegen.variables.memory import Variable
from weft.dialects.engine.operations import op_class


class Scope:
    """A block, and the scope that it is entered from; what a variable holds that nothing was stored to is made up."""

    __slots__ = ("_outer", "_undefined", "values")

    def __init__(self, outer: Scope | None, undefined: Callable[[Variable], SSAValue]) -> None:
        self.values: dict[Variable, SSAValue | None] = {}
        self._outer = outer
        self._undefined = undefined

    def inner(self) -> Scope:
        """A block that is entered from here."""
        return Scope(self, self._undefined)

    def get(self, variable: Variable) -> SSAValue:
        """What a variable holds."""
        seen: list[Scope] = []
        scope: Scope | None = self
        while scope is not None and variable not in scope.values:
            seen.append(scope)
            scope = scope._outer
        value = (scope.values[variable] if scope is not None else None) or self._undefined(variable)
        for one in seen:  # The next question is answered at once.
            one.values[variable] = value
        return value

    def forget(self, variable: Variable) -> None:
        """Let a variable hold nothing from here on."""
        self.values[variable] = None


class Undefined:
    """Makes any values at the beginning of a region, one for each variable."""

    def __init__(self, region: Region) -> None:
        self._region = region
        self._made: dict[Variable, SSAValue] = {}

    def __call__(self, variable: Variable) -> SSAValue:
        """Any value of a variable's type."""
        if variable not in self._made:
            poison = ub.PoisonOp(variable.type)
            block = self._region.first_block
            assert block is not None
            Rewriter.insert_op(poison, InsertPoint.at_start(block))
            self._made[variable] = poison.result
        return self._made[variable]


def seen_as(value: SSAValue, type_: Attribute, place: Operation) -> SSAValue:
    """The bits of a value as another type, before an operation."""
    if value.type == type_:
        return value
    if i1 in (value.type, type_):
        return _converted("llvm.trunc" if type_ == i1 else "llvm.zext", value, type_, place)
    pointers = value.type.name == "llvm.ptr", type_.name == "llvm.ptr"
    if pointers == (False, False):
        return _converted("llvm.bitcast", value, type_, place)
    number = _converted("llvm.ptrtoint", value, i64, place) if pointers[0] else seen_as(value, i64, place)
    return _converted("llvm.inttoptr", number, type_, place) if pointers[1] else seen_as(number, type_, place)


def _converted(name: str, value: SSAValue, type_: Attribute, place: Operation) -> SSAValue:
    made: Any = op_class(name).create(operands=[value], result_types=[type_])
    made.location = place.location
    Rewriter.insert_op(made, InsertPoint.before(place))
    return made.results[0]
