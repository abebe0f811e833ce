"""Threads outside of a tile's layout: what is written into the tile is none of theirs, and they keep what they have."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from weft.dialects.tile.memory import buffer_type
from weft.errors import LayoutError
from weft.layout import TileLayout
from weft.transforms.tile_lowering.places import holding

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.transforms.tile_lowering.lowering import Lowering

Runs = tuple[tuple[int, int], ...]
"""Begin and end of each run of numbers."""


@cache
def _held(layout: TileLayout, shape: tuple[int, ...]) -> tuple[tuple[str, Runs], ...]:
    """On each thread axis, the numbers that hold something, as runs."""
    found: list[tuple[str, Runs]] = []
    for axis, threads in holding(layout, shape).threads.items():
        numbers = sorted(set(threads.tolist()))
        starts = [x for at, x in enumerate(numbers) if not at or numbers[at - 1] != x - 1]
        ends = [x + 1 for at, x in enumerate(numbers) if at + 1 == len(numbers) or numbers[at + 1] != x + 1]
        found.append((axis.name, tuple(zip(starts, ends, strict=True))))
    return tuple(found)


def _parts(env: Lowering, layout: Any, shape: tuple[int, ...]) -> list[tuple[str, Runs]]:
    """The axes of a layout on which not all numbers of the block hold something."""
    if not isinstance(layout, TileLayout) or not any(axis.thread for axis in layout.axes):
        return []
    counts = {"laneid": 32, "tid_in_wg": 128, "wid_in_wg": 4, "tx": env.block_size}
    counts |= {"warpid": env.block_size // 32, "wgid": env.block_size // 128}
    try:
        held = _held(layout, shape)
    except LayoutError:
        return []
    return [(name, runs) for name, runs in held if name in counts and runs != ((0, counts[name]),)]


def keeping_others(env: Lowering, op: Operation, write: Callable[[Lowering, Any], None]) -> None:
    """Lower an operation that writes a tile in registers, the threads outside of its layout left alone."""
    type = buffer_type(op.operands[0])
    parts = _parts(env, type.layout, type.shape)
    root = env.root(op.operands[0])
    before = list(env.words(root)) if parts else []
    following = op.next_op
    write(env, op)
    if not any(word is not None for word in before):
        return
    assert following is not None
    env.resume(following)  # The operation itself is gone.
    inside = env.once(("inside", tuple(parts)), lambda: _inside(env, parts))
    for at, (old, new) in enumerate(zip(before, env.words(root), strict=True)):
        if old is not None and new is not None and old is not new:
            kept = arith.SelectOp.create(operands=[inside, new, old], result_types=[new.type])
            env.set_word(root, at, env.emit(kept))


def _inside(env: Lowering, parts: list[tuple[str, Runs]]) -> SSAValue:
    """Whether the running thread is one of the layout's."""
    result: SSAValue | None = None
    for name, runs in parts:
        among: SSAValue | None = None
        for first, end in runs:
            number = env.thread(name)
            if first:
                number = env.arithmetic.apply("sub", [number, env.constant(first)], unsigned=True)
            test = env.arithmetic.apply("lt", [number, env.constant(end - first)], unsigned=True)
            among = test if among is None else _joined(env, arith.OrIOp, among, test)
        assert among is not None
        result = among if result is None else _joined(env, arith.AndIOp, result, among)
    assert result is not None
    return result


def _joined(env: Lowering, made: Any, a: SSAValue, b: SSAValue) -> SSAValue:
    return env.emit(made.create(operands=[a, b], result_types=[i1]))
