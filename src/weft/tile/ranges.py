"""Ranges that the GPU runs through."""

from __future__ import annotations

import builtins
from math import gcd
from typing import Any

from weft.dataclass import dataclass
from weft.tile.dtypes import DType, i32, i64
from weft.tile.scalars import Scalar, is_number, known, plain, scalar
from weft.tile.trace import error


@dataclass(frozen=True)
class DeviceRange:
    """`loop(start, stop, step)`: a range that the GPU runs through."""

    start: Any
    stop: Any
    step: Any

    def value(self, counted: Scalar) -> Any:
        """What the loop's target is for an element of the range."""
        return counted

    def __iter__(self) -> Any:
        raise error(
            "Python cannot iterate over a range whose bounds are known only at run time",
            "use a `for` statement in the kernel or in a @weft.tile.function, not a comprehension, list() or zip()",
        )


def loop(start: Any, stop: Any = None, step: Any = 1) -> Any:
    """A range that stays a loop on the GPU, even where its bounds are constants (`range` of constants is unrolled)."""
    bounds = (0, start, step) if stop is None else (start, stop, step)
    for bound in bounds:
        if not is_number(bound) or known_float(bound):
            raise error(f"invalid range bound {bound!r}", "use integers")
    start, stop, step = (plain(x) for x in bounds)
    if isinstance(step, int) and not step:
        raise error("the step of a range cannot be 0")
    if isinstance(step, Scalar) and not step.nonnegative:
        raise error("this range may count up or down", "use a constant step")
    return DeviceRange(start, stop, step)


def known_float(x: Any) -> bool:
    """Whether a number is a floating-point one."""
    return x.dtype.is_float if isinstance(x, Scalar) else isinstance(x, float)


def device_range(*bounds: Any) -> Any:
    """Python's `range`; one that the GPU runs through where a bound is known only there."""
    if any(isinstance(x, Scalar) for x in bounds):
        return loop(*bounds)
    return builtins.range(*bounds)


class Counter:
    """The numbers that an `scf.for` counts through for a range, and the range's element for each."""

    def __init__(self, items: DeviceRange) -> None:
        self.kind: DType = i64 if any(getattr(x, "dtype", i32).bits > 32 for x in _bounds(items)) else i32
        self._items = items
        self._down = isinstance(items.step, int) and items.step < 0
        bounds: tuple[Any, ...] = _bounds(items)
        if self._down:
            bounds = (0, (items.start - items.stop - items.step - 1) // -items.step, 1)
        self.bounds = [scalar(x, self.kind) for x in bounds]

    def element(self, value: Any) -> Scalar:
        """The range's element for what the loop counts."""
        start, _, step = self.bounds
        if not self._down:
            return Scalar(
                value,
                self.kind,
                divisor=gcd(start.divisor, step.divisor),
                nonnegative=start.nonnegative and step.nonnegative,
            )
        items = self._items
        found: Scalar = items.start + Scalar(value, self.kind, nonnegative=True) * items.step
        last = items.stop + 1 if isinstance(items.stop, int) else items.stop
        found.nonnegative = known(last)[1]
        found.divisor = gcd(known(items.start)[0], abs(items.step))
        return found


def _bounds(items: DeviceRange) -> tuple[Any, Any, Any]:
    return items.start, items.stop, items.step
