"""What several variants ask before they look at layouts; each check returns the reason against, or None."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from weft.isa import decode, target
from weft.isa.target import describe_targets
from weft.layout import Axis, TileLayout
from weft.transforms.copy_dispatch.request import LOCAL, Copy, Decline, Guard, Operand

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
        return f"a block of {copy.threads} threads has no whole {copy.scope}s"
    if copy.guard is None:
        return None
    if copy.guard.active is None:
        return f"not known which threads come: {copy.guard.reason}"
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
    if copy.dst.element != copy.src.element:
        return f"the source has elements {copy.src.element}, the destination {copy.dst.element}"
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
def not_on(opcode: str, name: str) -> str | None:
    """The reason why a target lacks an instruction, or None: the ISA table knows."""
    windows = decode(opcode).windows
    if any(target(name).name in window.targets for window in windows):
        return None
    wanted = describe_targets(frozenset(name for window in windows for name in window.targets))
    return f"{opcode} needs {wanted}; the target is {name}"


def sliced(operand: Operand, name: str) -> TileLayout:
    """The tile of a region, canonical, with thread axes fused; raises Decline where no iters can say it."""
    layout = operand.layout
    part = layout.slice(operand.shape, operand.region)
    if part is None:
        raise Decline(f"{name} layout slice failed")
    part = part.canonicalize(fuse_scopes=True)
    tile = part if isinstance(part, TileLayout) else part.tile_layout
    if operand.space != LOCAL:
        for axis in tile.axes:
            if axis.thread:
                raise Decline(f"{name} is in memory and yet on thread axis '{axis}'")
    return tile


def memory_axis(axis: Axis) -> bool:
    """Whether an axis is memory: `m`, or a stride that only the kernel knows."""
    return not axis.thread


def axis_extent(axis: Axis, copy: Copy) -> int:
    """How many values a thread axis takes in the copy's block."""
    fixed = {"laneid": WARP, "tid_in_wg": min(WARPGROUP, copy.threads), "wid_in_wg": min(4, copy.threads // WARP)}
    block = {"tx": copy.threads, "warpid": copy.threads // WARP, "wgid": copy.threads // WARPGROUP}
    return fixed.get(axis.name, 0) or block.get(axis.name, 0)


def whole_guard(copy: Copy) -> Guard:
    """The copy's guard; all threads where there is none."""
    return copy.guard or Guard((1 << copy.threads) - 1)
