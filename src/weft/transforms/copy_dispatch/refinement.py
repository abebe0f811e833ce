"""Layouts of one logical order, refined together and read digit by digit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, zip_longest

from weft.errors import LayoutError
from weft.layout import Axis, Iter, TileLayout
from weft.layout.iters import Run, common_refinement, group
from weft.transforms.copy_dispatch import checks
from weft.transforms.copy_dispatch.plan import Condition, Digit, Sum
from weft.transforms.copy_dispatch.request import SCOPES, Copy, Decline, Operand

Terms = list[tuple[str, int, Digit]]
"""Axis, factor and digit of each part of an address that depends on the thread."""


def groups(run: Run, shape: Sequence[int]) -> tuple[Run, ...] | None:
    """The iters for each entry of a shape; None where iters cannot be split so."""
    found = group(run, shape)
    return None if found is None else tuple(found[0][low:high] for low, high in pairwise(found[1]))


def groups_or_decline(name: str, tile: TileLayout, shape: Sequence[int]) -> tuple[Run, ...]:
    """As `groups`; raises Decline."""
    found = groups(tile.shard, shape)
    if found is None:
        raise Decline(f"{name} layout {tile} cannot be grouped by {list(shape)}")
    return found


def spread(source: str | Sum, run: Run, divide: int = 1, modulus: int = 0) -> Terms:
    """The digits of `source // divide % modulus` over the extents of a run, times its strides."""
    terms: Terms = []
    for at in range(len(run) - 1, -1, -1):
        extent, stride, axis = run[at]
        if extent == 1:
            continue
        # The first iter takes what is left of the quotient: no remainder is computed unless the caller's modulus asks
        # for one.
        terms.append((axis.name, stride, Digit(source, divide, modulus if at == 0 else extent)))
        divide *= extent
        modulus = modulus // extent if modulus else 0
    return terms


def ladder(run: Iterable[Iter]) -> list[dict[str, int]]:
    """What a run adds on each axis for every combination of its digits, the last iter the fastest."""
    values: list[dict[str, int]] = [{}]
    for extent, stride, axis in run:
        values = [
            {**value, axis.name: value.get(axis.name, 0) + digit * stride}
            for value in values
            for digit in range(extent)
        ]
    return values


def thread_digits(run: Run, extent: int, offset: int) -> tuple[list[tuple[str | Sum, int, int]], tuple[Condition, ...]]:
    """How a thread's number gives the digit of each iter, as source, divisor and modulus, and who has any element.

    `run` are the iters on one thread axis of `extent` values, replicas included, `offset` what they are displaced by.
    Raises Decline where iters overlap or reach beyond the axis.
    """
    if not run:
        return [], ()
    (axis,) = {each.axis for each in run}
    source: str | Sum = axis.name
    if offset:
        source = Sum(((1, Digit(axis.name)),), -offset)
    last = offset + sum((each.extent - 1) * each.stride for each in run)
    if last >= extent or offset < 0:
        raise Decline(f"R lies on threads {offset} to {last} of '{axis}', which has {extent}")
    digits = {at: (source, 1, 1) for at, each in enumerate(run) if each.extent == 1}
    steps = sorted((at for at in range(len(run)) if run[at].extent > 1), key=lambda at: run[at].stride)
    lowest = run[steps[0]].stride if steps else 0
    # Threads between two steps of the lowest iter hold nothing: only those at its multiples take part.
    conditions = [Condition(_digit(source, 1, lowest), 1)] if lowest > 1 else []
    for at, above in zip_longest(steps, steps[1:]):
        count, stride, _ = run[at]
        # The room up to the next iter: a digit runs through `count` of `ratio` values, and where it is not full, a
        # condition excludes the rest. No iter above means that the digit is the whole quotient.
        ratio = run[above].stride // stride if above is not None and stride > 0 else 0
        if stride <= 0 or (above is not None and (run[above].stride % stride or ratio < count)):
            raise Decline(f"R's thread iters {list(run)} overlap")
        digits[at] = (source, stride, ratio)
        if ratio > count or (above is None and (offset or count * stride < extent)):
            conditions.append(Condition(_digit(source, stride, ratio), count))
    if not steps:
        conditions.append(Condition(_digit(source, 1, 0), 1))
    return [digits[at] for at in range(len(run))], tuple(conditions)


def together(a: Run, b: Run) -> tuple[Run, Run]:
    """Two runs over one logical order, split so that their iters have the same extents; raises Decline."""
    shapes = tuple(tuple(each.extent for each in run) for run in (a, b))
    try:
        shape, _ = common_refinement(shapes)
    except LayoutError as error:
        raise Decline(error.message) from None
    finer = [groups(run, shape) for run in (a, b)]
    assert finer[0] is not None and finer[1] is not None
    return tuple(each for part in finer[0] for each in part), tuple(each for part in finer[1] for each in part)


def front(run: Run, shape: tuple[int, int]) -> Run:
    """The iters in front of the last `shape[1]` elements of `shape[0] * shape[1]`; raises Decline."""
    found = groups(run, shape)
    if found is None:
        raise Decline(f"iters {list(run)} cannot be grouped by {list(shape)}")
    return found[0]


def _digit(source: str | Sum, divide: int, modulus: int) -> Sum:
    return Sum(((1, Digit(source, divide, modulus)),))


def by_rows(extents: Sequence[int]) -> TileLayout:
    """The coordinates of a region's elements: dimension d of it on an axis of its own."""
    return TileLayout(Iter(extent, 1, coordinate_axis(at)) for at, extent in enumerate(extents))


def coordinate_axis(dimension: int) -> Axis:
    """The axis that stands for a dimension's coordinate."""
    return Axis(f"coordinate{dimension}")


def dimension(axis: Axis) -> int:
    """The dimension that a coordinate's axis stands for."""
    return int(axis.name.removeprefix("coordinate"))


def weights(run: Run) -> list[int]:
    """What a step of each iter is worth in the logical index."""
    found: list[int] = []
    weight = 1
    for each in reversed(run):
        found.append(weight)
        weight *= each.extent
    return found[::-1]


def dealt_within(copy: Copy, registers: Operand) -> str | None:
    """The reason why registers are not distributed over threads within the copy's scope, or None."""
    if registers.swizzle is not None:
        return "R layout is swizzled"
    for axis in checks.sliced(registers, "R").axes:
        if not axis.thread:
            continue
        if str(axis.scope) not in SCOPES:
            return f"R thread axis '{axis}' scope='{axis.scope}' (not register-level)"
        if SCOPES.index(str(axis.scope)) > SCOPES.index(copy.scope):
            return f"R thread axis '{axis}' scope='{axis.scope}' > scope '{copy.scope}'"
    return None
