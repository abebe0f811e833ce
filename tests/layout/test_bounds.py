"""Layouts at the bounds of what is a layout, one below and one above; and the smallest ones."""

from __future__ import annotations

import pytest

from weft.errors import LayoutError
from weft.layout import ComposeLayout, Iter, SwizzleLayout, TileLayout, laneid, m, parse
from weft.layout.cute import from_cute
from weft.layout.descriptors import descriptor
from weft.layout.grid import layout_grid
from weft.layout.memref import from_memref

LONG = "9" * 18


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"memref<{LONG}xf32>", None),
        (f"memref<2x{LONG}9xf32>", "no 2-dimensional layout has these sizes"),
        ("memref<4x0xf32>", "no 2-dimensional layout has these sizes"),
        (f"memref<{'1x' * 32}f32>", None),
        (f"memref<{'1x' * 33}f32>", "no 33-dimensional layout has these sizes"),
        (f"memref<2xf32, strided<[{LONG}]>>", None),
        (f"memref<2xf32, strided<[{LONG}9]>>", f"expected a number, found '{LONG}9'"),
        (f"memref<2xf32, strided<[1], offset: {LONG}>>", None),
        (f"memref<2xf32, strided<[1], offset: {LONG}9>>", f"expected a number, found '{LONG}9'"),
        (f"memref<2xf32, strided<[1], offset: -{LONG}>>", f"expected a number, found '-{LONG}'"),
        (f"memref<2xf32, strided<[1], offset: -{LONG[1:]}>>", None),
    ],
)
def test_numbers_of_a_memref(text: str, said: str | None) -> None:
    """Of 18 characters, signs included, in 32 dimensions."""
    if said is None:
        from_memref(text)
        return
    with pytest.raises(LayoutError) as caught:
        from_memref(text)
    assert caught.value.message == said


def test_bits_of_a_swizzle() -> None:
    assert SwizzleLayout(10, 10, 10).block == 1 << 30
    most = next(at for at in range(20, 64) if not _is_swizzle(0, 10, at)) - 1 + 10
    for per, length, distance in ((0, 10, most - 10), (most - 20, 10, 10), (5, 5, most - 10)):
        assert _is_swizzle(per, length, distance)
        assert not _is_swizzle(per + 1, length, distance)
    assert _is_swizzle(0, 3, 3) and not _is_swizzle(0, 4, 3) and not _is_swizzle(-1, 1, 1) and not _is_swizzle(1, -1, 1)


def _is_swizzle(*numbers: int) -> bool:
    try:
        SwizzleLayout(*numbers)
    except LayoutError:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "inner"),
    [("", True), (", inner", True), (", outer", False), (", True", True), (", False", False)],
)
def test_spellings_of_swizzles(text: str, inner: bool) -> None:
    found = SwizzleLayout(3, 2, 4, inner)
    for name in ("swz", "SwizzleLayout"):
        assert parse(f"{name}(3, 2, 4{text})") == found
        for sign in "@o∘":
            assert parse(f"{name}(3, 2, 4{text}) {sign} S[(8,8):(8,1)]") == ComposeLayout(
                found, parse("S[(8,8):(8,1)]")
            )


def test_spellings_of_cutes_swizzles() -> None:
    for name in ("Sw", "Swizzle", "S"):
        found = from_cute(f"{name}<2,3,4> o 0 o (8,8):(8,1)")
        assert str(found.layout).startswith("swz(3,2,4)")
        assert from_cute(f"{name}<0,4,0>").layout == SwizzleLayout(4, 0, 0)
        assert from_cute(f"{name}<2,3,-4>").layout == SwizzleLayout(3, 2, 4, inner=False)


def test_the_smallest_layouts() -> None:
    nothing = TileLayout((), (), {m: 3})
    assert nothing.apply() == {m: 3}
    assert nothing.size() == 1
    assert [parse(text).trivial for text in ("S[1:5]", "S[2:1]", "S[2:5]", "S[(2,2):(2,1)]", "S[2:1@laneid]")] == [
        True, True, False, True, False,
    ]  # fmt: skip
    for layout in (TileLayout((Iter(1, 1),)), TileLayout((Iter(1, 1, laneid),))):
        refined, groups = layout.group_many((), (1,), (1, 1))
        assert groups == ((0,), (0, len(refined.shard)), (0, 1, 2))


@pytest.mark.parametrize("distance", [64, 72, 68, (1 << 17) - 8, 1 << 17, (1 << 17) + 8])
def test_distances_of_a_descriptor(distance: int) -> None:
    """Between rows of eight and between the halves of a row: multiples of 16 bytes, below 2^18."""
    there = distance % 8 == 0 and distance < 1 << 17
    rows = TileLayout((Iter(2, distance), Iter(8, 8), Iter(2, 4096), Iter(8, 1)))
    halves = TileLayout((Iter(2, 4096), Iter(8, 8), Iter(2, distance), Iter(8, 1)))
    for layout, found in ((rows, (8192, 2 * distance)), (halves, (2 * distance, 8192))):
        if there:
            assert descriptor(layout, (16, 16), 16, 16, k_first=False)[:4] == (*found, 0, True)
        else:
            with pytest.raises(LayoutError, match="wgmma needs contiguous blocks of 8 rows of 16 bytes along K"):
                descriptor(layout, (16, 16), 16, 16, k_first=False)


def test_what_is_drawn_of_small_and_displaced_layouts() -> None:
    grid = layout_grid(TileLayout((), (), {m: 3}), ())
    assert (len(grid.cells), len(grid.cells[0]), grid.cells[0][0].top) == (1, 1, "3")
    displaced = layout_grid(parse("S[(4,2):(1@laneid,1)] + 5@laneid"), (4, 2))
    assert [row[0].hue for row in displaced.cells] == [0, 0.25, 0.5, 0.75]
    assert [row[0].top for row in displaced.cells] == ["T5", "T6", "T7", "T8"]
    one = layout_grid(TileLayout((Iter(1, 1, laneid), Iter(4, 1))), (1, 4))
    assert one.facts[0] == "1 x 4 elements, span 4"
    doubles = layout_grid(parse("S[(2,64):(64,1)]"), (2, 64), bits=64)
    assert doubles.facts[-1] == "a cell is 2 consecutive elements of 64 bits"
    assert len(doubles.cells[0]) == 32
    assert {cell.depth for row in doubles.cells for cell in row} == {0.25}
