"""Where elements of tiles in shared memory lie, by the layout's own numbers; what lanes exchange, of each type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weft.layout import S, laneid, m, parse
from weft.tile import Global, cta, dtype, f32, i32, kernel, loop, max, min, recast, register, shared, sum, tile, tx
from weft.tile import thread_id as thread
from weft.tile.arguments import bind
from weft.tile.kernel import Kernel

LAYOUTS = [
    "S[(8,8):(8,1)]", "S[(8,8):(1,8)]", "S[(2,4,2,4):(32,2,1,8)]", "S[(8,8):(9,1)] + 3", "swz(1,2,3) @ S[(8,8):(8,1)]",
    "swz(0,3,3) @ S[(8,8):(8,1)]", "swz(2,2,2) @ S[(8,2,4):(8,1,2)]",
]  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("text", LAYOUTS)
def test_elements_lie_where_the_layout_says(text: str) -> None:
    """Written at places that are known when the kernel runs, and at constant ones; all else stays 0."""
    layout = parse(text)
    held = layout.span() if text.startswith("S") else 64
    held += -held % 64

    @kernel(threads=64, grid=1)
    def placed(out: Global(i32, (2, held))):
        for way in range(2):
            storage = shared(held, i32)
            for first in range(0, held, 64):
                storage[thread() + first] = 0
            cta.sync()
            part = recast(storage, (8, 8), i32, layout)
            if way == 0:
                part[thread() // 8, thread() % 8] = thread() + 100
            else:
                for row, column in ((0, 0), (0, 5), (3, 0), (7, 7), (4, 2)):
                    part[row, column] = row * 8 + column + 100
            cta.sync()
            for first in range(0, held, 64):
                out[way, thread() + first] = storage[thread() + first]

    out = np.zeros((2, held), np.int32)
    placed.run(out)
    places = np.asarray(layout.apply_all((8, 8))[m]).reshape(-1)
    for way, cells in enumerate((range(64), (0, 5, 24, 63, 34))):
        expected = np.zeros(held, np.int32)
        for cell in cells:
            expected[places[cell]] = cell + 100
        assert out[way].tolist() == expected.tolist(), way


KINDS = ("f64", "i64", "u64", "f32", "u32", "f16", "bf16", "i16", "u16", "i8", "u8")
FUNCTIONS: dict[str, tuple[Any, Any]] = {"sum": (sum, np.sum), "max": (max, np.max), "min": (min, np.min)}


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", KINDS)
def test_lanes_combine_elements_of_each_type(kind: str) -> None:
    """All of them, and those of each half of a warp; the largest and the smallest numbers of the type among them."""

    @kernel(threads=32, grid=1)
    def combined(x: Global(kind, (2, 2, 32)), out: Global(kind, (2, 3, 3))):
        for way in range(2):
            held = register((2, 32), kind, S[(2, 2, 16) : (1, 16 @ laneid, 1 @ laneid)])
            cta.copy(held, x[way])
            for at, (function, _) in enumerate(FUNCTIONS.values()):
                rows = function(held, 1)
                out[way, at, 0] = function(held, None)
                for row in range(2):
                    out[way, at, 1 + row] = rows.storage[row]

    numpy = np.dtype(dtype(kind).numpy)
    rng = np.random.default_rng(5)
    x = rng.integers(0 if kind[0] == "u" else -3, 4, (2, 2, 32)).astype(numpy)
    limits = np.iinfo(numpy) if numpy.kind in "iu" else None
    x[1, [0, 1], [9, 8]] = (limits.min, limits.max) if limits else (-100, 100)
    out = np.zeros((2, 3, 3), numpy)
    combined.run(x, out)
    for way in range(2):
        for at, (name, (_, of)) in enumerate(FUNCTIONS.items()):
            parts = [x[way], x[way, 0], x[way, 1]]
            wide = [of(part.astype(np.float64)) if limits is None else of(part, **how(name, numpy)) for part in parts]
            assert out[way, at].tolist() == np.array(wide).astype(numpy).tolist(), (way, name)


def how(name: str, kind: Any) -> dict[str, Any]:
    """NumPy's sums of small integers are wider, unless told."""
    return {"dtype": kind} if name == "sum" else {}


@kernel(threads=32, grid=1)
def exchanged(x: Global(i32, (2, 32)), n: i32, out: Global(i32, (3, 32))):
    first, second, third = (register(32, i32, S[32 : 1 @ tx]) for _ in range(3))
    cta.copy(first, x[0, :])
    cta.copy(second, x[1, :])
    cta.copy(third, x[0, :])
    for _ in loop(n):
        first, second, third = second, third, first + 0
    for at, each in enumerate((first, second, third)):
        out[at, thread()] = each.storage[0]


@pytest.mark.parametrize("turns", [0, 1, 2, 4])
def test_tiles_change_places_in_a_loop(turns: int) -> None:
    x, out = np.arange(64, dtype=np.int32).reshape(2, 32), np.zeros((3, 32), np.int32)
    exchanged.run(x, turns, out)
    rows = [x[0], x[1], x[0]]
    np.testing.assert_array_equal(out, [rows[(at + turns) % 3] for at in range(3)])


def test_slots_have_the_layout_of_their_tile_one_behind_another() -> None:
    for layout in (parse("swz(1,2,3) @ S[(8,8):(8,1)]"), S[(8, 8) : (9, 1)], parse("swz(2,2,2)")):
        found = tile(f32, 8, 8, layout=layout).staged(3)
        alone = layout.over((8, 8)) if layout.form == "swizzle" else layout
        places = np.asarray(found.apply_all((3, 8, 8))[m])
        for stage in range(3):
            expected = np.asarray(alone.apply_all((8, 8))[m]) + stage * alone.span()
            np.testing.assert_array_equal(places[stage], expected)


class Foreign:
    """An array as PyTorch has them: strides in elements, by a method."""

    def __init__(self, strides: tuple[int, ...], kind: str = "torch.float32") -> None:
        self.shape, self.dtype, self.stride = (2, 4), kind, lambda: strides


def test_arrays_that_tell_their_strides_in_elements() -> None:
    from weft.errors import WeftError

    @kernel(threads=32, grid=1)
    def strided(x: Global(f32, ("M", 4), strides=("L", 1))):
        x[0, 0] = 1.0

    @kernel(threads=32, grid=1)
    def dense(x: Global(f32, ("M", 4))):
        x[0, 0] = 1.0

    def sizes(of: Kernel, array: Foreign) -> dict[str, int]:
        return dict(bind(of, (array,), None, None).sizes)

    assert sizes(strided, Foreign((8, 1))) == {"M": 2, "L": 8}
    assert sizes(dense, Foreign((4, 1))) == {"M": 2}
    for strides, kind, said in (
        ((8, 1), "torch.float32", "argument 'x' of 'dense' is not contiguous"),
        ((4, 1), "torch.float16", "argument 'x' of 'dense' has elements of type torch.float16, not f32"),
    ):
        with pytest.raises(WeftError) as caught:
            sizes(dense, Foreign(strides, kind))
        assert caught.value.message == said
