"""Norms of arrays of a length that is known as the kernel runs: `__nv_norm`, `__nv_rnorm`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from weft.codegen import linear
from weft.codegen.access import load_places
from weft.codegen.graph import B32, Carried, Loop, Value
from weft.codegen.libdevice.arithmetic import Arithmetic
from weft.codegen.libdevice.lengths import INFINITY, LIMITS, root
from weft.codegen.linear import Lin
from weft.codegen.types import GENERIC


def _over(a: Arithmetic, count: Lin, pointer: Lin, step: Callable[[Any, Any], Any]) -> Any:
    """What `step(total, element)` makes of 0 and all elements in a row."""
    s, size = a.s, a.kind.bytes
    loop = Loop(s.child(loop=True), guard=s.compare("gt", count, linear.const32(0), signed=True), source=s.source)
    index, total, result = Value(B32, loop.body), Value(a.kind.cls, loop.body), Value(a.kind.cls, s.block)
    with s.at(loop.body):
        here = linear.of(index)
        place = s.add(pointer, linear.scaled(s.extended(here, signed=True), size))
        (element,) = load_places(s, place, [(0, a.kind)], GENERIC, size)
        found = step(total, a.m.abs(element))
        following = linear.offset(here, 1)
        loop.carried += [Carried(index, 0, s.operand(following)), Carried(total, a.const(0.0), found, result)]
        loop.again = s.compare("lt", following, count, signed=True)
    s.block.items.append(loop)
    return result


def norm(a: Arithmetic, count: Lin, pointer: Lin, *, inverse: bool) -> Any:
    """The square root of the sum of squares, or its inverse: the largest element sets the scale."""
    m, (limit, factor) = a.m, LIMITS[a.kind.name]
    count = linear.of(a.s.int_value(count)) if count.terms else count
    most = _over(a, count, pointer, lambda total, x: m.op("max", total, x))
    large, small = m.test("gt", most, a.const(limit)), m.test("lt", most, a.const(1 / limit))
    up, down = (m.pick(large, a.const(1 / by), m.pick(small, a.const(by), a.const(1.0))) for by in (factor, 1 / factor))

    def add(total: Any, x: Any) -> Any:
        part = m.mul(x, up)
        return m.fma(part, part, total)

    found = m.mul(root(a, _over(a, count, pointer, add), inverse=inverse), up if inverse else down)
    return m.pick(m.test("eq", most, a.const(INFINITY)), a.const(0.0 if inverse else INFINITY), found)
