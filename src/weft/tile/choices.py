"""Conditions and branches that the GPU decides: what either side gives becomes one value.

`a and b`, `a or b`, `not a` and `x if c else y` compute their later operands only where Python would: by a branch, or
(arithmetic alone) always, and a selection.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import Any

from xdsl.dialects import scf
from xdsl.ir import Block, Region

from weft.dialects.engine.making import new
from weft.dialects.tile.types import LOCAL
from weft.tile import scalars, source
from weft.tile.buffers import Buffer, register
from weft.tile.dtypes import DType, boolean
from weft.tile.scalars import Scalar, is_number, plain, scalar
from weft.tile.trace import current
from weft.tile.unbound import Unbound

_HARMLESS = ("arith", "math")
"""Dialects whose operations may be done where nobody asked for their results."""


def condition(x: Any) -> Any:
    """A number as a condition."""
    return x != 0 if isinstance(x, Scalar) and x.dtype is not boolean else x


def both(a: Any, b: Callable[[], Any]) -> Any:
    """`a and b`."""
    if not isinstance(a, Scalar):
        return a and b()
    return choose(a, b, lambda: False if a.dtype is boolean else a)


def either(a: Any, b: Callable[[], Any]) -> Any:
    """`a or b`."""
    if not isinstance(a, Scalar):
        return a or b()
    return choose(a, lambda: True if a.dtype is boolean else a, b)


def opposite(a: Any) -> Any:
    """`not a`."""
    return condition(a) ^ True if isinstance(a, Scalar) else not a


def same(a: Any, value: bool) -> Any:
    """`a is value`, of True or False."""
    if isinstance(a, Scalar) and a.dtype is boolean:
        return a if value else opposite(a)
    return a is value


def among(a: Any, values: Any) -> Any:
    """`a in values`."""
    given: list[Any] = list(values) if isinstance(values, tuple | list | set | dict) else []  # pyright: ignore[reportUnknownArgumentType]
    if not any(isinstance(x, Scalar) for x in (a, *given)):
        return a in values
    found: Any = False
    for x in given:
        found = either(found, lambda x=x: a == x)
    return found


def choose(test: Any, a: Callable[[], Any], b: Callable[[], Any]) -> Any:
    """`a if test else b`."""
    if not isinstance(test, Scalar):
        return a() if test else b()
    test = condition(test)
    trace = current()
    arms = (Block(), Block())
    values: list[Any] = []
    for block, side in zip(arms, (a, b), strict=True):
        with trace.inside(block):
            values.append(plain(side()))
    if all(is_number(x) for x in values) and all(_harmless(block) for block in arms):
        for block in arms:
            trace.splice(block)
        return _selected(test, *values)
    (result,) = join(test, arms, [(values[0], values[1])], ["this"])
    if isinstance(result, Unbound):
        result.refuse()
    return result


HELPERS = {
    source.AND: both,
    source.OR: either,
    source.NOT: opposite,
    source.CHOOSE: choose,
    source.IS: same,
    source.IN: among,
}
"""The functions that conditions in a kernel's source become calls of."""


def _harmless(block: Block) -> bool:
    return all(op.name.partition(".")[0] in _HARMLESS for op in block.ops)


def _selected(test: Scalar, a: Any, b: Any) -> Any:
    """One of two numbers that are both there; logic where they are conditions."""
    if scalars.common(a, b) is boolean:
        if b is False:
            return test & a
        if a is True:
            return test | b
    return scalars.where(test, a, b)


def join(test: Scalar, arms: tuple[Block, Block], pairs: list[tuple[Any, Any]], names: list[str]) -> list[Any]:
    """End the two sides of a branch, put it into the trace, and give one value for each pair of values of its sides.

    Numbers are yielded, tiles in registers are copied to one that is there before; of tuples, each member.  What
    cannot be one value is an `Unbound` of its name.
    """
    joiner = _Joiner(arms)
    plans = [joiner.plan(pair, name) for pair, name in zip(pairs, names, strict=True)]
    trace = current()
    for at, block in enumerate(arms):
        with trace.inside(block):
            yielded = [scalar(pair[at], kind).value for pair, kind in joiner.numbers]
            trace.add(scf.YieldOp.create(operands=yielded))
    op = scf.IfOp.create(
        operands=[test.value],
        result_types=[kind.mlir for _, kind in joiner.numbers],
        regions=[Region([block]) for block in arms],
    )
    trace.add(op)
    return [plan(op.results) for plan in plans]


class _Joiner:
    """What the two sides of a branch yield."""

    def __init__(self, arms: tuple[Block, Block]) -> None:
        self._arms = arms
        self.numbers: list[tuple[tuple[Any, Any], DType]] = []

    def plan(self, pair: tuple[Any, Any], name: str) -> Callable[[Any], Any]:
        """How a pair of values becomes one, once the branch has results."""
        a, b = plain(pair[0]), plain(pair[1])
        if a is b or (type(a) is type(b) and isinstance(a, bool | int | float | str) and a == b):
            return lambda _: a
        if is_number(a) and is_number(b):
            return self._number((a, b))
        if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):  # pyright: ignore[reportUnknownArgumentType]
            members = [self.plan(each, name) for each in zip(a, b, strict=True)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            return lambda results: tuple(member(results) for member in members)
        if isinstance(a, Buffer) and isinstance(b, Buffer) and _alike(a, b):
            home = self._home(a, b)
            return lambda _: home
        return lambda _: Unbound(
            name, "differs between the two sides of a condition", "give it the same kind of value on both"
        )

    def _number(self, pair: tuple[Any, Any]) -> Callable[[Any], Any]:
        kind, at = scalars.common(*pair), len(self.numbers)
        self.numbers.append((pair, kind))
        known = [scalars.known(x) for x in pair]
        divisor, nonnegative = gcd(*(x[0] for x in known)), all(x[1] for x in known)
        return lambda results: Scalar(results[at], kind, divisor=divisor, nonnegative=nonnegative)

    def _home(self, a: Buffer, b: Buffer) -> Buffer:
        home = register(a.shape, a.dtype, a.layout)
        for block, value in zip(self._arms, (a, b), strict=True):
            with current().inside(block):
                assign(home, value)
        return home


def _alike(a: Buffer, b: Buffer) -> bool:
    """Whether two tiles are in registers, and of the same extents and type."""
    return (a.space, a.shape, a.dtype) == (b.space, b.shape, b.dtype) and a.space == LOCAL


def assign(home: Buffer, value: Buffer) -> None:
    """Copy a tile in registers to another."""
    current().add(new("tile.elementwise", home.value, [value.value], function="copy"))
