"""Tile layouts: where each element of a logical tile lives, in memory and in which threads.

A layout has a shard (its iters are the digits of the logical index, the first the most significant), a replica (iters
over which every element is repeated) and an offset on each axis.  Layouts are immutable values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from math import prod
from operator import index
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, cast

from weft.errors import LayoutError
from weft.layout import iters
from weft.layout.axis import Axis, Term, m
from weft.layout.iters import Iter, Run, Seps
from weft.layout.notebook import layout_html
from weft.layout.scopes import ScopePair, renaming, scope_pair
from weft.layout.text import tile_text

if TYPE_CHECKING:
    from weft.layout.iters import Integers, Number

Offset = tuple[tuple[Axis, int], ...]
Region = Sequence[tuple[int, int]]
"""Begin and end (not included) in each dimension."""


class Grouped(NamedTuple):
    """A layout whose iters form one contiguous group per entry of a shape: `layout.shard[seps[d]:seps[d + 1]]`."""

    layout: TileLayout
    seps: Seps

    @property
    def groups(self) -> tuple[Run, ...]:
        """The iters of each group."""
        return tuple(self.layout.shard[begin:end] for begin, end in pairwise(self.seps))


class Replica(NamedTuple):
    """Iters over which a layout repeats its elements: what `R[2:4@warpid]` is, to be added to a layout."""

    iters: Run


class TileLayout:
    """A map from a logical index to a place on each axis.

    `shard`, `replica` are iters `(extent, stride, axis)`, `offset` a mapping from axes to numbers.  A layout given for
    the shard is taken as it is, with the rest added.  Raises LayoutError for an extent below 1.
    """

    __slots__ = ("__dict__", "offset", "replica", "shard")

    form: ClassVar[Literal["tile"]] = "tile"
    shard: Run
    replica: Run
    offset: Offset

    def __init__(
        self,
        shard: TileLayout | Iterable[Iter] = (),
        replica: Iterable[Iter] = (),
        offset: Mapping[Axis, int] | Iterable[tuple[Axis, int]] = (),
    ) -> None:
        offsets: Iterable[tuple[Axis, int]] = dict(offset).items()
        if isinstance(shard, TileLayout):
            replica = chain(shard.replica, replica)
            offsets = _sum(shard.offset, offsets)
            shard = shard.shard
        self.shard = tuple(shard)
        self.replica = tuple(replica)
        self.offset = tuple(sorted(offsets))
        for each in chain(self.shard, self.replica):
            if each[0] < 1:
                raise LayoutError(f"an extent must be at least 1, not {each[0]}")

    # -- as a value ---------------------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TileLayout):
            return NotImplemented
        return self.shard == other.shard and self.replica == other.replica and self.offset == other.offset

    @cached_property
    def _hash(self) -> int:
        return hash((self.shard, self.replica, self.offset))

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return tile_text(self)

    __repr__ = __str__
    _repr_html_ = layout_html

    def __add__(self, other: Replica | Term | int) -> TileLayout:
        match other:
            case Replica(more):
                return _tile(self.shard, self.replica + more, self.offset)
            case Term(value, axis):
                return _tile(self.shard, self.replica, _sum(self.offset, [(axis, value)]))
            case _:
                return _tile(self.shard, self.replica, _sum(self.offset, [(m, index(other))]))

    # -- facts --------------------------------------------------------------------------------------------------------

    @cached_property
    def extents(self) -> tuple[int, ...]:
        """The extents of the shard."""
        return tuple(extent for extent, _, _ in self.shard)

    @cached_property
    def axes(self) -> tuple[Axis, ...]:
        """The axes that the layout maps onto, in order of first mention: shard, replica, offset."""
        mentioned = chain(iters.axes(self.shard), iters.axes(self.replica), (axis for axis, _ in self.offset))
        return tuple(dict.fromkeys(mentioned))

    def offset_on(self, axis: Axis) -> int:
        """The offset on an axis, 0 where there is none."""
        return dict(self.offset).get(axis, 0)

    def size(self, axis: Axis | None = None) -> int:
        """The number of logical elements, or the product of the extents on one axis; replicas do not count."""
        return prod(each.extent for each in self.shard if axis is None or each.axis is axis)

    def span(self, axis: Axis | None = None) -> int:
        """The length of the smallest interval with 0 and every place on an axis, replicas and offset included.

        Without an axis, over all memory axes together, their places summed.  Raises LayoutError for unknown axes.
        """
        low, high = self._bounds(axis)
        return max(high, 0) - min(low, 0) + 1

    def _bounds(self, axis: Axis | None) -> tuple[int, int]:
        """The least and the greatest place."""
        low = high = sum(value for each, value in self.offset if _counts(each, axis))
        for each in chain(self.shard, self.replica):
            if _counts(each.axis, axis):
                reach = (each.extent - 1) * each.stride
                # Strides may be negative: each iter extends the interval on one side only.
                low += min(reach, 0)
                high += max(reach, 0)
        return low, high

    def scope(self) -> ScopePair | None:
        """The lowest subscope and the highest scope of the thread axes, None without any.

        Raises LayoutError where they conflict or are not connected (see `weft.layout.scopes`).
        """
        return scope_pair(self.axes)

    @property
    def trivial(self) -> bool:
        """Whether the layout is, once canonical, a plain run of memory: place i holds element i."""
        flat = self.canonicalize()
        for axis in flat.axes:
            axis.check_known()
        if flat.replica or flat.offset or len(flat.shard) > 1:
            return False
        return all(axis.memory and (stride == 1 or extent == 1) for extent, stride, axis in flat.shard)

    # -- evaluation ---------------------------------------------------------------------------------------------------

    def digits(self, *coordinates: Number, shape: Sequence[int] | None = None) -> tuple[Number, ...]:
        """The digits that `apply` takes the coordinates apart into, one per iter (grouped by `shape` if it can be)."""
        return self._digits(coordinates, shape)[1]

    def _digits(self, coordinates: tuple[Number, ...], shape: Sequence[int] | None) -> tuple[Run, tuple[Number, ...]]:
        """Iters, and a digit for each."""
        if shape is None:
            if len(coordinates) == len(self.shard):
                return self.shard, coordinates
            if len(coordinates) == 1:
                return self.shard, iters.split(coordinates[0], self.extents)
            raise LayoutError(f"{len(coordinates)} coordinates for {len(self.shard)} iterators", hint="give the shape")
        if len(coordinates) != len(shape):
            raise LayoutError(f"{len(coordinates)} coordinates for shape {tuple(shape)}")
        # The iters may not have the boundaries of the shape: then the element's number is taken apart by divisions.
        grouped = self.try_group(shape)
        if grouped is None:
            self._check_size(shape)
            return self.shard, iters.split(iters.flatten(coordinates, shape), self.extents)
        parts = (
            iters.split(coordinate, [extent for extent, _, _ in part])
            for coordinate, part in zip(coordinates, grouped.groups, strict=True)
        )
        return grouped.layout.shard, tuple(chain.from_iterable(parts))

    def _check_size(self, shape: Sequence[int]) -> None:
        if prod(shape) != self.size():
            raise LayoutError(f"shape {tuple(shape)} has {prod(shape)} elements, but the layout has {self.size()}")

    def apply(self, *coordinates: Number, shape: Sequence[int] | None = None) -> dict[Axis, Number]:
        """The place of an element on each axis, replicas left out.

        `coordinates` are one per iter of the shard, or one per dimension of `shape`, or a single number.  Beyond the
        extents the first digit (of each dimension) keeps growing.  Arrays are taken element by element.
        """
        run, digits = self._digits(coordinates, shape)
        zero = coordinates[0] * 0 if coordinates else cast("Number", 0)
        places: dict[Axis, Number] = {axis: zero for _, _, axis in self.shard}
        for digit, (_, stride, axis) in zip(digits, run, strict=True):
            places[axis] = places.get(axis, zero) + digit * stride
        for axis, value in self.offset:
            places[axis] = places.get(axis, zero) + value
        return places

    def apply_all(self, shape: Sequence[int] | None = None) -> dict[Axis, Integers]:
        """The places of all elements: for each axis an array of `shape` (by default, of the shard's extents).

        Only the size of the shape has to be the layout's.
        """
        import numpy as np

        shape = self.extents if shape is None else tuple(shape)
        self._check_size(shape)
        # NumPy's arrays have at most 64 dimensions: iters of extent 1 need none.
        run = [each for each in self.shard if each.extent > 1]
        extents = [each.extent for each in run]
        places: dict[Axis, Integers] = {axis: np.zeros(extents, np.int64) for axis in iters.axes(self.shard)}
        for axis, value in self.offset:
            places[axis] = np.full(extents, value, np.int64)
        for at, (extent, stride, axis) in enumerate(run):
            ladder = np.arange(extent, dtype=np.int64) * stride
            places[axis] += ladder.reshape([extent if at == other else 1 for other in range(len(run))])
        return {axis: places[axis].reshape(shape) for axis in places}

    # -- refinement ---------------------------------------------------------------------------------------------------

    def try_group(self, shape: Sequence[int]) -> Grouped | None:
        """As `group`; None where it cannot be."""
        return _grouped(self, tuple(shape))

    def group(self, shape: Sequence[int]) -> Grouped:
        """Split iters so that one contiguous group of them stands for each entry of `shape`; no value changes.

        Raises LayoutError where the boundaries of the shape do not divide the iters they fall into.
        """
        grouped = _grouped(self, tuple(shape))
        if grouped is None:
            reason = (
                f"sizes {self.size()} and {prod(shape)}" if self.size() != prod(shape) else "a boundary divides none"
            )
            raise LayoutError(f"{self} cannot be grouped by {tuple(shape)}", hint=reason)
        return grouped

    def group_many(self, *shapes: Sequence[int]) -> tuple[TileLayout, tuple[Seps, ...]]:
        """The coarsest refinement that groups by each of the shapes, with the groups of each.

        Raises LayoutError where there is none.
        """
        refined, boundaries = iters.common_refinement(tuple(tuple(shape) for shape in shapes))
        layout, seps = self.group(refined)
        return layout, tuple(tuple(seps[at] for at in each) for each in boundaries)

    def canonicalize(self, *, fuse_scopes: bool = False) -> TileLayout:
        """The same map with unit iters and zero offsets dropped and neighbours fused; replicas sorted.

        With `fuse_scopes`, thread axes that together are one axis become that one (`laneid` and `wid_in_wg` become
        `tid_in_wg`).  Raises LayoutError where thread axes conflict or are not connected.
        """
        return _canonical(self, fuse_scopes)

    # -- reordering ---------------------------------------------------------------------------------------------------

    def permute(self, order: Sequence[int]) -> TileLayout:
        """The shard's iters in another order: a map from another logical index."""
        _check_order(order, len(self.shard))
        return _tile(tuple(self.shard[at] for at in order), self.replica, self.offset)

    def permute_groups(self, seps: Sequence[int], order: Sequence[int]) -> TileLayout:
        """Whole groups of iters, as `group` returns them, in another order."""
        _check_order(order, len(seps) - 1)
        return _tile(
            tuple(chain.from_iterable(self.shard[seps[at] : seps[at + 1]] for at in order)), self.replica, self.offset
        )

    def slice(self, shape: Sequence[int], region: Region) -> TileLayout | None:
        """The layout of a region of the tile; None where no iters can say it.

        `sliced.apply(*c, shape=extents)` is `layout.apply(*(begin + c), shape=shape)`.  Raises LayoutError when the
        layout cannot be grouped by `shape` and for a region that is empty or not inside the shape.
        """
        if len(region) != len(shape):
            raise LayoutError(f"a region of {len(region)} dimensions for shape {tuple(shape)}")
        for extent, (begin, end) in zip(shape, region, strict=True):
            if not 0 <= begin < end <= extent:
                raise LayoutError(f"region [{begin}, {end}) is out of range for an extent of {extent}")
        canonical = self.canonicalize()
        run: Run = ()
        offset = dict(canonical.offset)
        for part, (begin, end) in zip(canonical.group(shape).groups, region, strict=True):
            sliced = iters.slice_group(part, begin, end - begin)
            if sliced is None:
                return None
            run += sliced[0]
            for axis, value in sliced[1]:
                offset[axis] = offset.get(axis, 0) + value
        return _tile(run, canonical.replica, tuple(sorted((axis, value) for axis, value in offset.items() if value)))

    # -- composition --------------------------------------------------------------------------------------------------

    def tile(self, outer: TileLayout, outer_shape: Sequence[int], inner_shape: Sequence[int]) -> TileLayout:
        """This layout repeated over `outer`: outer places count whole copies, as long as this layout's span.

        The result is over `outer_shape * inner_shape`, dimension by dimension, and canonical.  Raises LayoutError when
        one of the layouts cannot be grouped by its shape.
        """
        spans = {axis: self.span(axis) for axis in iters.axes(self.shard)}
        return self.direct_sum(_scaled(outer.canonicalize(), spans), outer_shape, inner_shape)

    def tile_to(self, to_shape: Sequence[int], shape: Sequence[int]) -> TileLayout:
        """This layout of `shape` repeated row-major until it covers `to_shape`.

        Raises LayoutError unless each dimension of `shape` divides that of `to_shape`.
        """
        outer = repeats(to_shape, shape)
        return self.tile(row_major(outer), outer, shape)

    def direct_sum(self, outer: TileLayout, outer_shape: Sequence[int], inner_shape: Sequence[int]) -> TileLayout:
        """Both layouts side by side, dimension by dimension, `outer` the slower digits; places add."""
        if len(outer_shape) != len(inner_shape):
            raise LayoutError(f"shapes {tuple(outer_shape)} and {tuple(inner_shape)} have different ranks")
        slow = outer.canonicalize().group(outer_shape).groups
        fast = self.canonicalize().group(inner_shape).groups
        # Per dimension the outer iters come first, because the index of a dimension counts copies in its slower digits.
        run = tuple(chain.from_iterable(chain.from_iterable(zip(slow, fast, strict=True))))
        return _tile(run, outer.replica + self.replica, _sum(outer.offset, self.offset)).canonicalize()

    def outer_of(self, inner: TileLayout, shape: Sequence[int], inner_shape: Sequence[int]) -> TileLayout | None:
        """The `outer` of which `inner.tile(outer, shape // inner_shape, inner_shape)` is this layout, or None."""
        spans = {axis: inner.span(axis) for axis in iters.axes(inner.shard)}
        scaled = self.summand_of(inner, shape, inner_shape)
        if (
            scaled is None
            or any(stride % spans.get(axis, 1) for e, stride, axis in chain(scaled.shard, scaled.replica) if e > 1)
            or any(value % spans.get(axis, 1) for axis, value in scaled.offset)
        ):
            return None
        return _scaled(scaled, spans, divide=True).canonicalize()

    def summand_of(self, inner: TileLayout, shape: Sequence[int], inner_shape: Sequence[int]) -> TileLayout | None:
        """The `outer` of which `inner.direct_sum(outer, shape // inner_shape, inner_shape)` is this layout, or None."""
        counts = repeats(shape, inner_shape)
        canonical = self.canonicalize()
        grouped = canonical.try_group(tuple(chain.from_iterable(zip(counts, inner_shape, strict=True))))
        if grouped is None:
            return None
        replica = list(canonical.replica)
        for each in inner.canonicalize().replica:
            if each not in replica:
                return None
            replica.remove(each)
        slow = tuple(chain.from_iterable(grouped.groups[::2]))
        negative = tuple((axis, -value) for axis, value in inner.offset)
        outer = _tile(slow, tuple(replica), _sum(canonical.offset, negative)).canonicalize()
        # The fast groups were never compared with `inner`: putting both together again is the proof.
        same = outer.try_group(counts) is not None and inner.direct_sum(outer, counts, inner_shape) == canonical
        return outer if same else None

    # -- elements -----------------------------------------------------------------------------------------------------

    def storage(self) -> TileLayout:
        """What one thread keeps: the layout without thread axes.  Raises LayoutError for unknown axes."""
        for axis in self.axes:
            axis.check_known()
        return _tile(
            tuple(each for each in self.shard if not each.axis.thread),
            tuple(each for each in self.replica if not each.axis.thread),
            tuple((axis, value) for axis, value in self.offset if not axis.thread),
        )

    def unpack(self, count: int) -> TileLayout:
        """The layout in parts of elements: each element becomes `count` consecutive ones of axis `m`."""
        if count < 1:
            raise LayoutError(f"an element must have at least 1 part, not {count}")
        grown = _scaled(self, {m: count})
        return _tile((*grown.shard, Iter(count, 1)), grown.replica, grown.offset)

    def pack(self, count: int) -> TileLayout:
        """The layout in groups of `count` consecutive elements of axis `m`, the inverse of `unpack`.

        Raises LayoutError unless the last iter is such a run and everything else on `m` is a multiple of `count`.
        """
        if (
            not self.shard
            or self.shard[-1].stride != 1
            or self.shard[-1].axis is not m
            or self.shard[-1].extent % count
        ):
            raise LayoutError(f"{self} does not end in runs of {count} elements")
        *rest, last = self.shard
        for each in chain(rest, self.replica):
            if each.axis is m and each.stride % count:
                raise LayoutError(f"{self} cannot be packed by {count}", hint=f"stride {each.stride} is not a multiple")
        if self.offset_on(m) % count:
            raise LayoutError(f"{self} cannot be packed by {count}", hint="its offset is not a multiple")
        shrunk = _scaled(_tile(tuple(rest), self.replica, self.offset), {m: count}, divide=True)
        tail = (Iter(last.extent // count, 1),) if last.extent != count else ()
        return _tile((*shrunk.shard, *tail), shrunk.replica, shrunk.offset)


def row_major(shape: Sequence[int], axis: Axis = m) -> TileLayout:
    """Elements of a tile one after another, the last dimension the fastest: `S[e0, e1, ...]`."""
    run: list[Iter] = []
    stride = 1
    for extent in reversed(shape):
        run.append(Iter(extent, stride, axis))
        stride *= extent
    return TileLayout(reversed(run))


def repeats(shape: Sequence[int], inner_shape: Sequence[int]) -> tuple[int, ...]:
    """How often `inner_shape` fits into `shape`, in each dimension; raises LayoutError where it does not divide it."""
    if len(shape) != len(inner_shape) or any(all_ % part for all_, part in zip(shape, inner_shape, strict=True)):
        raise LayoutError(f"shape {tuple(inner_shape)} does not divide {tuple(shape)}")
    return tuple(all_ // part for all_, part in zip(shape, inner_shape, strict=True))


def _tile(shard: Run, replica: Run, offset: Offset) -> TileLayout:
    """A layout of parts that are in order already."""
    layout = TileLayout.__new__(TileLayout)
    layout.shard, layout.replica, layout.offset = shard, replica, offset
    return layout


def _counts(axis: Axis, wanted: Axis | None) -> bool:
    if wanted is not None:
        return axis is wanted
    axis.check_known()
    return axis.memory


def _sum(*offsets: Iterable[tuple[Axis, int]]) -> Offset:
    total: dict[Axis, int] = {}
    for axis, value in chain.from_iterable(offsets):
        total[axis] = total.get(axis, 0) + value
    return tuple(sorted(total.items()))


def _scaled(layout: TileLayout, factors: Mapping[Axis, int], divide: bool = False) -> TileLayout:
    """All strides and offsets multiplied (or divided) by the factors of their axes."""

    def scale(value: int, axis: Axis) -> int:
        factor = factors.get(axis, 1)
        return value // factor if divide else value * factor

    return _tile(
        tuple(Iter(extent, scale(stride, axis), axis) for extent, stride, axis in layout.shard),
        tuple(Iter(extent, scale(stride, axis), axis) for extent, stride, axis in layout.replica),
        tuple((axis, scale(value, axis)) for axis, value in layout.offset),
    )


def _check_order(order: Sequence[int], count: int) -> None:
    if sorted(order) != list(range(count)):
        raise LayoutError(f"{tuple(order)} is not a permutation of {count}")


@lru_cache(maxsize=1 << 14)
def _grouped(layout: TileLayout, shape: tuple[int, ...]) -> Grouped | None:
    found = iters.group(layout.shard, shape)
    return None if found is None else Grouped(_tile(found[0], layout.replica, layout.offset), found[1])


@lru_cache(maxsize=1 << 14)
def _canonical(layout: TileLayout, fuse_scopes: bool) -> TileLayout:
    offset = tuple((axis, value) for axis, value in layout.offset if value)
    reduced = _tile(iters.without_units(layout.shard), layout.replica, offset)
    shard, replica = reduced.shard, reduced.replica
    # Units and zero offsets go first, so that an axis which only they mention raises no conflict of scopes.
    names = renaming(reduced.axes)  # the scopes are checked either way
    if fuse_scopes and names:
        shard, replica = (tuple(_renamed(each, names) for each in run) for run in (shard, replica))
        offset = _sum(_renamed_offset(axis, value, names) for axis, value in offset)
        offset = tuple((axis, value) for axis, value in offset if value)
    return _tile(iters.fuse(iters.without_units(shard)), tuple(sorted(replica)), offset)


def _renamed(each: Iter, names: Mapping[Axis, tuple[Axis, int]]) -> Iter:
    axis, factor = names.get(each.axis, (each.axis, 1))
    return Iter(each.extent, each.stride * factor, axis)


def _renamed_offset(axis: Axis, value: int, names: Mapping[Axis, tuple[Axis, int]]) -> tuple[Axis, int]:
    renamed, factor = names.get(axis, (axis, 1))
    return renamed, value * factor
