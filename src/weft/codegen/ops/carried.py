"""What loops carry: its registers, what it is called inside, and after the loop."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Block as MlirBlock

from weft.codegen import linear
from weft.codegen.graph import B32, Block, Carried, Const, Value
from weft.codegen.linear import Lin
from weft.codegen.provenance import agreed, common_space, space_of_scalar
from weft.codegen.ranges import carried_bounds, carried_choices
from weft.codegen.selector import Selector
from weft.codegen.types import layout


def bind(s: Selector, names: Any, values: list[Any]) -> None:
    """Say what names stand for."""
    for name, value in zip(names, values, strict=True):
        s.values[name] = value


class Results:
    """The user's carried values of a loop: how many scalars they are, and what they are called after it."""

    def __init__(self, types: list[Any], names: list[tuple[Any, bool]]) -> None:
        self._types = types
        self._names = names

    @property
    def count(self) -> int:
        """The number of scalars."""
        return len(self._names)

    def after(self, s: Selector) -> list[Any]:
        """The values after the loop."""
        return regrouped(s, self._types, [seen_as(s, value, wide=wide) for value, wide in self._names])


def seen_as(s: Selector, value: Any, *, wide: bool) -> Any:
    """A carried register as the scalar it holds; `wide` ones hold the low half of a 64-bit integer."""
    if not wide:
        return value
    return s.extended(linear.of(value), signed=True)


def regrouped(s: Selector, types: list[Any], scalars: list[Any]) -> list[Any]:
    """Values of these types from their scalars in a row."""
    values: list[Any] = []
    at = 0
    for type_ in types:
        found = layout(type_)
        kinds = found.scalars
        if len(kinds) == 1 and not found.composite:
            scalar = scalars[at]
            values.append(s.wrapped(scalar, kinds[0]) if isinstance(scalar, (Value, Const)) else scalar)
            at += 1
            continue
        part = tuple(
            s.wrapped(scalar, kind) if isinstance(scalar, (Value, Const)) else scalar
            for scalar, kind in zip(scalars[at : at + len(kinds)], kinds, strict=True)
        )
        values.append(s.unflatten(type_, part))
        at += len(kinds)
    return values


def carry(
    s: Selector, block: Block, carried: list[Carried], mlir: MlirBlock, arguments: Any, starts: list[Any], fixed: Any
) -> Results:
    """Make registers for a loop's arguments, bind the arguments to them, and name what they are after the loop."""
    types = [argument.type for argument in arguments]
    small = carried_bounds(mlir, starts, s.values, fixed) if starts and fixed is not None else {}
    some = [s.choices_of(start) if isinstance(start, Lin) else None for start in starts]
    choices = carried_choices(mlir, some) if any(some) and fixed is not None else {}
    names: list[tuple[Any, bool]] = []
    inside: list[tuple[Value, bool]] = []
    for argument, start in zip(arguments, starts, strict=True):
        bounds = small.get(argument)
        space = _carried_space(s, argument, start)
        for scalar, kind in zip(s.flatten(start), layout(argument.type).scalars, strict=True):
            first = s.truncated(scalar) if bounds else agreed(s, scalar, kind, space)
            cls = s.cls_of(first, kind)
            lo, hi = bounds or (0, -1)
            value, result = Value(cls, block, None, lo, hi), Value(cls, s.block, None, lo, hi)
            keep_pointer(first, value, result)
            if picked := choices.get(argument):
                value.lo, value.hi = result.lo, result.hi = min(picked), max(picked)
                s.choices[value] = s.choices[result] = picked
            carried.append(Carried(value, s.as_operand(first), result=result))
            names.append((result, bounds is not None))
            inside.append((value, bounds is not None))
    with s.at(block):
        seen = [seen_as(s, value, wide=wide) for value, wide in inside]
    bind(s, arguments, regrouped(s, types, seen))
    return Results(types, names)


def _carried_space(s: Selector, argument: Any, start: Any) -> str:
    """The state space that a carried pointer is known to stay in."""
    if not any(space_of_scalar(scalar) for scalar in s.flatten(start)):
        return ""
    return common_space(s, argument)


def keep_pointer(scalar: Any, *values: Value) -> None:
    """A pointer that is carried or merged stays in the state space that it is known to point into."""
    if isinstance(scalar, Lin) and scalar.bits == 64:
        for value in values:
            value.space = space_of_scalar(scalar)


def advance(s: Selector, carried: list[Carried], operands: Any) -> None:
    """Set what the next iteration gets from the operands of the terminator."""
    scalars = [scalar for operand in operands for scalar in s.flatten(s.get(operand))]
    kinds = [kind for operand in operands for kind in layout(operand.type).scalars]
    for entry, scalar, kind in zip(carried, scalars, kinds, strict=True):
        if isinstance(scalar, Lin) and scalar.bits == 64 and entry.value.cls == B32:
            scalar = s.truncated(scalar)
        entry.next = s.as_operand(agreed(s, scalar, kind, entry.value.space))
