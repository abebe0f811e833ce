"""Threads outside of a layout: found on each axis of threads, and none where all of a block hold something."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from weft.layout import Axis, Iter, TileLayout
from weft.transforms.tile_lowering.outside import _parts as parts

AXES = ("laneid", "warpid", "wid_in_wg", "tid_in_wg", "wgid", "tx")


@pytest.mark.parametrize("threads", [128, 256, 512])
@pytest.mark.parametrize("name", AXES)
def test_threads_outside_of_a_layout(name: str, threads: int) -> None:
    axis = Axis(name)
    count = len({axis.of_thread(thread) for thread in range(threads)})
    env: Any = SimpleNamespace(block_size=threads)
    assert parts(env, TileLayout((Iter(count, 1, axis), Iter(2, 1))), (count, 2)) == []
    for extent, stride, offset in ((count - 1, 1, 0), (count - 1, 1, 1), (count // 2, 2, 0), (count // 2, 2, 1)):
        if extent * (extent + offset) <= 1:  # An iter of 1 at 0 says nothing.
            continue
        held = range(offset, offset + extent * stride, stride)
        runs = ((held[0], held[-1] + 1),) if stride == 1 else tuple((each, each + 1) for each in held)
        layout = TileLayout((Iter(extent, stride, axis), Iter(2, 1)), (), {axis: offset})
        assert parts(env, layout, (extent, 2)) == [(name, runs)], (extent, stride, offset)


def test_layouts_without_threads_have_none_outside() -> None:
    env: Any = SimpleNamespace(block_size=128)
    assert parts(env, TileLayout((Iter(8, 1),)), (8,)) == []
    assert parts(env, None, (8,)) == []
    both = TileLayout((Iter(4, 1, Axis("warpid")), Iter(16, 1, Axis("laneid"))))
    assert parts(env, both, (4, 16)) == [("tx", tuple((32 * warp, 32 * warp + 16) for warp in range(4)))]
