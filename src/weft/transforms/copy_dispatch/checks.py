"""What several variants ask before they look at layouts; each check returns the reason against, or None."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from weft.isa import Opcode, target
from weft.isa.target import describe_targets
from weft.layout import Axis, Iter, Layout, TileLayout
from weft.layout.iters import Run
from weft.layout.scopes import renaming
from weft.transforms.copy_dispatch.request import GLOBAL, LOCAL, Copy, Decline, Guard, Operand

WARP, WARPGROUP = 32, 128


def scope_in(copy: Copy, scopes: Sequence[str]) -> str | None:
    """The copy's scope must be one of these."""
    if copy.scope in scopes:
        return None
    return f"unsupported scope {copy.scope} (need {', '.join(scopes)})"


def all_active(copy: Copy) -> str | None:
    """Every thread of each instance of the scope must come to the copy, or none of it."""
    if copy.scope == "thread":
        return None
    count = copy.scope_threads
    if copy.threads % WARP or copy.threads % count:
        return f"a block of {copy.threads} threads cannot be divided into {copy.scope}s"
    if copy.guard is None:
        return None
    if copy.guard.active is None:
        return f"which threads take part is unknown: {copy.guard.reason}"
    whole = (1 << count) - 1
    for part in instances(copy):
        if part not in (0, whole):
            return _narrowed(copy, part, count)
    return None


def instances(copy: Copy) -> list[int]:
    """The threads that come in each instance of the scope, one bit each."""
    count = copy.scope_threads
    mask = (1 << copy.threads) - 1
    if copy.guard is not None:
        assert copy.guard.active is not None
        mask &= copy.guard.active
    return [mask >> first & ((1 << count) - 1) for first in range(0, copy.threads, count)]


def _narrowed(copy: Copy, part: int, count: int) -> str:
    low = (part & -part).bit_length() - 1
    high = part.bit_length()
    axis = {"warp": "laneid", "warpgroup": "tid_in_wg"}.get(copy.scope, "tx")
    if part.bit_count() == high - low:
        return f"{axis} narrowed to [{low}, {high}) vs full [0, {count})"
    return f"{axis} narrowed to {part.bit_count()} threads of [{low}, {high}) vs full [0, {count})"


def valid_copy(copy: Copy) -> str | None:
    """One element type, and regions inside the buffers whose extents, without those of 1, are the same."""
    if copy.cache and copy.src.space != GLOBAL:
        return f"cache '{copy.cache}' applies only to loads from global memory"
    if copy.dst.element != copy.src.element:
        return f"the source has elements of type {copy.src.element}, the destination of type {copy.dst.element}"
    for name, operand in (("dst", copy.dst), ("src", copy.src)):
        inside = len(operand.region) == len(operand.shape) and all(
            0 <= begin < end <= extent for (begin, end), extent in zip(operand.region, operand.shape, strict=True)
        )
        if not inside:
            return f"{name} region {list(operand.region)} is not inside shape {list(operand.shape)}"
    dst, src = ([extent for extent in operand.extents if extent != 1] for operand in (copy.dst, copy.src))
    if dst != src:
        return f"dst region shape {dst} != src region shape {src}"
    return None


def pair_in(copy: Copy, pairs: Sequence[tuple[str, str]]) -> str | None:
    """Source and destination spaces must be one of these pairs."""
    if copy.spaces in pairs:
        return None
    src, dst = copy.spaces
    allowed = ", ".join(f"{source}->{destination}" for source, destination in pairs)
    return f"unsupported memory scopes src={src} dst={dst}; allowed: {allowed}"


def common(copy: Copy, scopes: Sequence[str], pairs: Sequence[tuple[str, str]]) -> str | None:
    """The checks that the automatic variants share, in their order."""
    return scope_in(copy, scopes) or all_active(copy) or valid_copy(copy) or pair_in(copy, pairs)


@cache
def not_on(opcode: Opcode, name: str) -> str | None:
    """The reason why a target lacks an instruction, or None: the ISA table knows."""
    windows = opcode.windows
    if any(target(name).name in window.targets for window in windows):
        return None
    wanted = describe_targets(frozenset(name for window in windows for name in window.targets))
    return f"{opcode} needs {wanted}; the target is {name}"


def sliced(operand: Operand, name: str) -> TileLayout:
    """The tile of a region, canonical, with thread axes fused; raises Decline where no iters can say it."""
    layout = operand.layout
    part = layout.slice(operand.shape, operand.region)
    if part is None:
        raise Decline(f"no layout describes the {name} region")
    tile = part if isinstance(part, TileLayout) else part.tile_layout
    if operand.space == LOCAL:
        return _with_all_axes(tile, layout)
    for axis in tile.axes:
        if axis.thread:
            raise Decline(f"{name} is in memory, but its layout has the thread axis '{axis}'")
    return tile.canonicalize()


def _with_all_axes(tile: TileLayout, layout: Layout) -> TileLayout:
    """A region's tile, canonical, on the one axis that the whole layout's thread axes are.

    A region of one warp of four is not on the warps' axis any more, and yet held by that warp only.
    """
    axes = [axis for axis in layout.axes if axis.thread] if isinstance(layout, TileLayout) else []
    tile = tile.canonicalize()  # An iter of 1 mentions its axis, and yet says nothing of it.
    missing = tuple(Iter(1, 1, axis) for axis in axes if axis not in tile.axes)
    if not missing:
        return tile.canonicalize(fuse_scopes=True)
    whole = TileLayout((*missing, *tile.shard), tile.replica, tile.offset)
    names = renaming(axes)
    fused = {axis: names.get(axis, (axis, 1)) for axis in whole.axes}

    def renamed(run: Run) -> Run:
        return tuple(Iter(extent, stride * fused[axis][1], fused[axis][0]) for extent, stride, axis in run)

    offset: dict[Axis, int] = {}
    for axis, value in whole.offset:
        name, factor = fused[axis]
        offset[name] = offset.get(name, 0) + value * factor
    found = TileLayout(renamed(whole.shard), renamed(whole.replica), offset).canonicalize()
    threads = {axis for axis, _ in fused.values() if axis.thread}
    alone = tuple(Iter(1, 1, axis) for axis in threads if axis not in found.axes)
    return TileLayout((*alone, *found.shard), found.replica, found.offset) if alone else found


def axis_extent(axis: Axis, copy: Copy) -> int:
    """How many values a thread axis takes in the copy's block."""
    fixed = {"laneid": WARP, "tid_in_wg": min(WARPGROUP, copy.threads), "wid_in_wg": min(4, copy.threads // WARP)}
    block = {"tx": copy.threads, "warpid": copy.threads // WARP, "wgid": copy.threads // WARPGROUP}
    return fixed.get(axis.name, 0) or block.get(axis.name, 0)


def whole_guard(copy: Copy) -> Guard:
    """The copy's guard; all threads where there is none."""
    return copy.guard or Guard((1 << copy.threads) - 1)
