"""What layouts, swizzles, boxes and descriptors say of every element, by brute force; and what each of them refuses."""

from __future__ import annotations

import random
from itertools import product
from math import prod

import numpy as np
import pytest

from weft.errors import LayoutError
from weft.layout import R, S, laneid, m, row_major, swz, warpid
from weft.layout.algebra import (
    beside,
    common_vector,
    complement,
    compose,
    cosize,
    left_inverse,
    right_inverse,
)
from weft.layout.banks import matrix_accesses, suggest_swizzle, vector_accesses
from weft.layout.boxes import boxes, swizzle_bytes
from weft.layout.descriptors import descriptor
from weft.layout.linear import Linear, bits, divide_left, identity, packed, quotient, unpacked
from weft.layout.sparse import metadata_fragment, selectors
from weft.layout.swizzle import ComposeLayout, SwizzleLayout, shared_layout
from weft.layout.tile import TileLayout

# -- swizzles -----------------------------------------------------------------------------------------------------


def moved(place: int, per: int, length: int, atom: int, inner: bool) -> int:
    """By the text of the definition: bits of the chunk's number are brought in by exclusive or, from above or below."""
    chunk, rest = divmod(place, 1 << per)
    low, high = chunk & ((1 << length) - 1), chunk >> atom & ((1 << length) - 1)
    return ((chunk ^ high) if inner else (chunk ^ low << atom)) << per | rest


@pytest.mark.parametrize(("per", "length", "atom"), [(0, 1, 1), (3, 3, 3), (2, 2, 4), (3, 0, 3), (1, 3, 3), (4, 1, 2)])
@pytest.mark.parametrize("inner", [True, False])
def test_swizzles_move_every_element(per: int, length: int, atom: int, inner: bool) -> None:
    swizzle = SwizzleLayout(per, length, atom, inner)
    block = 1 << (per + length + atom)
    assert swizzle.block == swizzle.size() == swizzle.span() == block and swizzle.canonicalize() is swizzle
    places = [moved(n, per, length, atom, inner) for n in range(2 * block)]
    assert [swizzle.place(n) for n in range(2 * block)] == places and sorted(places) == list(range(2 * block))
    assert swizzle.place(np.arange(2 * block)).tolist() == places
    assert swizzle.apply(block - 1)[m] == places[block - 1] and swizzle.apply(1, 3, shape=(2, 4))[m] == places[7]
    assert swizzle.apply_all()[m].reshape(-1).tolist() == places[:block]
    with pytest.raises(LayoutError, match="1 coordinates for shape"):
        swizzle.apply(1, shape=(2, 4))
    tiled = swizzle.tile(row_major((2, 1)), (2, 1), (2, block))
    assert tiled.apply_all((4, block))[m].reshape(-1).tolist() == [
        moved(n, per, length, atom, inner) for n in range(4 * block)
    ]
    assert tiled.canonicalize() == ComposeLayout(swizzle, tiled.tile_layout.canonicalize()) and tiled.storage() is tiled
    for count in (1, 2, 4):
        wide = swizzle.unpack(count)
        assert [wide.place(n) for n in range(block * count)] == [
            places[n // count] * count + n % count for n in range(block * count)
        ]
        if count <= 1 << per:
            narrow = swizzle.pack(count)
            assert [narrow.place(n) for n in range(block // count)] == [
                places[n * count] // count for n in range(block // count)
            ]
            both = ComposeLayout(swizzle, row_major((2, block)))
            assert both.unpack(count).pack(count) == both and both.pack(count).size() == 2 * block // count
        else:
            with pytest.raises(LayoutError, match=f"permutes chunks smaller than {count} elements"):
                swizzle.pack(count)
    for count in (0, 3, 6):
        with pytest.raises(LayoutError, match=f"{count} is not a power of two"):
            swizzle.unpack(count)


def test_spans_of_swizzled_tiles_are_whole_blocks() -> None:
    for rows, blocks in ((1, 1), (8, 1), (9, 2), (16, 2), (17, 3)):
        assert ComposeLayout(swz(3, 3, 3), row_major((rows, 64))).span() == 512 * blocks
    with pytest.raises(LayoutError, match=r"must be on axis m alone, not on \(laneid\)"):
        ComposeLayout(swz(3, 3, 3), S[8 : 1 @ laneid])


@pytest.mark.parametrize("size", [8, 16, 32, 64])
@pytest.mark.parametrize("span", [0, 32, 64, 128])
def test_shared_layouts_by_bytes(size: int, span: int) -> None:
    """Atoms of 8 rows, down first; within lines of 128 bytes, 16-byte pieces change places by the line's number."""
    row = span or 16
    across = row * 8 // size
    shape = (2, 16, 2 * across)
    for piece in (16, 32):
        layout = shared_layout(size, span, shape, piece)
        places = layout.apply_all(shape)[m] * (size // 8)
        for tile, line, column in product(range(2), range(16), range(2 * across)):
            inside = column % across * size // 8
            place = tile * 32 * row + column // across * 16 * row + line * row + inside
            if span:
                shift = 4 if piece == 16 else 5
                place ^= (place >> 7 & (span // piece - 1)) << shift
            assert places[tile, line, column] == place, (tile, line, column)
    for wrong in ((shape[:1], 16), ((2, 12, 2 * across), 16), ((16, across + 1), 16), (shape, 64), (shape, 8)):
        with pytest.raises(LayoutError):
            shared_layout(size, span, *wrong)
    for wrong_span in (16, 96, 256):
        with pytest.raises(LayoutError, match="no shared layout exists"):
            shared_layout(size, wrong_span, (16, 256))
    with pytest.raises(LayoutError, match="no shared layout exists"):
        shared_layout(24, 128, (16, 256))


# -- tiles --------------------------------------------------------------------------------------------------------


def test_what_tiles_refuse() -> None:
    tile = S[(4, 8) : (8, 1)]
    for call, said in (
        (lambda: tile.apply(1, 2, 3), "3 coordinates for 2 iterators"),
        (lambda: tile.apply(1, 2, 3, shape=(4, 8)), "3 coordinates for shape"),
        (lambda: tile.slice((4, 8), ((0, 1),)), "a region of 1 dimensions"),
        (lambda: tile.slice((4, 8), ((0, 5), (0, 8))), r"region \[0, 5\) is out of range for an extent of 4"),
        (lambda: tile.slice((4, 8), ((-1, 2), (0, 8))), r"region \[-1, 2\)"),
        (lambda: tile.slice((4, 8), ((2, 2), (0, 8))), r"region \[2, 2\)"),
        (lambda: tile.direct_sum(row_major((2,)), (2,), (4, 8)), "have different ranks"),
        (lambda: tile.tile_to((8, 12), (4, 8)), "does not divide"),
        (lambda: tile.unpack(0), "at least 1 part, not 0"),
        (lambda: tile.pack(3), "does not end in runs of 3 elements"),
        (lambda: S[4:2].pack(2), "does not end in runs of 2"),
        (lambda: S[4 : 1 @ laneid].pack(2), "does not end in runs of 2"),
        (lambda: S[(4, 8) : (9, 1)].pack(2), "cannot be packed by 2"),
        (lambda: (S[8] + 3).pack(2), "cannot be packed by 2"),
        (lambda: (S[8] + R[2:3]).pack(2), "cannot be packed by 2"),
        (lambda: tile.permute((0, 0)), "is not a permutation of 2"),
    ):
        with pytest.raises(LayoutError, match=said):
            call()
    assert (S[8] + 4).pack(2) == S[4] + 2 and S[8].pack(8).size() == 1 and (S[8] + R[2:8]).pack(4) == S[2] + R[2:2]
    whole = tile.slice((4, 8), ((0, 4), (0, 8)))
    assert whole is not None and whole.canonicalize() == tile.canonicalize()
    assert tile != 5 and S[8] != "S[8:1]"


def test_tiles_that_are_plain_memory() -> None:
    for layout, plain in (
        *((S[8], True), (S[(4, 8) : (8, 1)], True), (S[(4, 1, 8) : (8, 99, 1)], True), (S[1:5], True), (S[8:2], False)),
        *((S[(4, 8) : (9, 1)], False), (S[8 : 1 @ laneid], False), (S[8] + 1, False), (S[8] + R[2:8], False)),
        (S[(8, 4) : (1, 8)], False),
    ):
        assert layout.trivial is plain, layout


def test_scopes_of_tiles() -> None:
    both = S[(2, 32) : (1 @ warpid, 1 @ laneid)].scope()
    assert both is not None and S[8].scope() is None
    alone = S[32 : 1 @ laneid].scope()
    assert alone is not None and both[0] == alone[0] and both[1] > alone[1]


def test_outer_layouts_by_what_they_undo() -> None:
    random_ = random.Random(1)
    for _ in range(60):
        inner = S[(2, random_.choice([2, 4])) : (random_.choice([1, 4, 8]), random_.choice([1, 2]))]
        inner = inner + random_.choice([0, 2])
        shape = (2, inner.size() // 2)
        outer_shape = random_.choice([(2, 1), (1, 2), (2, 2)])
        outer = row_major(outer_shape) + random_.choice([0, 1])
        whole = inner.tile(outer, outer_shape, shape)
        full = tuple(a * b for a, b in zip(outer_shape, shape, strict=True))
        found = whole.outer_of(inner, full, shape)
        assert found is not None and inner.tile(found, outer_shape, shape) == whole
        other = whole + 1
        again = other.outer_of(inner, full, shape)
        assert again is None or inner.tile(again, outer_shape, shape) == other.canonicalize()
    assert S[(4, 8) : (8, 1)].outer_of(S[(2, 8) : (9, 1)], (4, 8), (2, 8)) is None
    assert (S[8] + R[2:8]).outer_of(S[4] + R[2:16], (8,), (4,)) is None
    assert S[8].outer_of(S[4] + R[2:8], (8,), (4,)) is None
    assert (S[8] + R[2:8]).summand_of(S[4] + R[2:8], (8,), (4,)) == S[2:4]


# -- algebra ------------------------------------------------------------------------------------------------------


def places(layout: TileLayout) -> list[int]:
    return layout.apply_all()[m].reshape(-1).tolist()


def drawn(random_: random.Random) -> TileLayout:
    extents = [random_.choice([1, 2, 3, 4]) for _ in range(random_.randrange(1, 4))]
    return TileLayout([S[extent : random_.choice([1, 2, 3, 4, 6, 8, 12])].shard[0] for extent in extents])


def test_the_algebra_by_brute_force() -> None:
    random_, inverted, composed = random.Random(2), 0, 0
    for _ in range(150):
        a, b = drawn(random_), drawn(random_)
        mine = places(a)
        assert cosize(a) == max(mine) + 1
        put = beside(b, a)
        assert put.size() == a.size() * b.size()
        assert sorted(places(put)) == sorted(x + y for x in mine for y in places(b))
        assert [put.apply(i)[m] for i in range(put.size())][: a.size()] == mine
        right = right_inverse(a)
        back = places(right)
        assert [a.apply(k)[m] for k in back] == list(range(len(back)))
        longer = next((n for n in range(len(mine) + 1) if n not in mine), 0)
        assert len(back) <= longer
        width = common_vector(a, b)
        assert mine[:width] == [mine[0] + n for n in range(width)] or width == 1
        if len(set(mine)) == len(mine):
            try:
                left = left_inverse(a)
                inverted += 1
                assert [left.apply(place)[m] for place in mine] == list(range(len(mine)))
                rest = places(complement(a, 2 * cosize(a)))
                assert len({x + y for x in mine for y in rest}) == len(mine) * len(rest)
            except LayoutError:
                pass
        try:
            both = compose(a, b)
            composed += 1
            assert places(both) == [
                a.apply(k % a.size())[m] + (0 if k < a.size() else both.apply(0)[m])
                if k < a.size()
                else places(both)[n]
                for n, k in enumerate(places(b))
            ]
        except LayoutError:
            pass
    assert inverted > 20 and composed > 20


def test_what_the_algebra_refuses() -> None:
    for layout, said in (
        *((S[4] + 1, "not a plain layout"), (S[4] + R[2:4], "not a plain layout")),
        *(
            (S[(4, 8) : (1, 1 @ laneid)], "on several axes"),
            (TileLayout([S[4:1].shard[0]._replace(stride=-1)]), "negative stride"),
        ),
    ):
        for call in (cosize, right_inverse, left_inverse):
            with pytest.raises(LayoutError, match=said):
                call(layout)


# -- linear maps --------------------------------------------------------------------------------------------------


def test_numbers_of_linear_maps() -> None:
    ports = (("a", 2), ("b", 3))
    for a, b in product(range(4), range(8)):
        assert packed(ports, {"a": a, "b": b}) == a | b << 2 and unpacked(ports, a | b << 2) == {"a": a, "b": b}
    assert packed(ports, {"b": 5}) == 20
    for wrong in ({"a": 4}, {"b": 8}, {"c": 0}):
        with pytest.raises(LayoutError, match="does not fit"):
            packed(ports, wrong)
    whole = identity(ports)
    assert whole.images == (1, 2, 4, 8, 16) and (whole.inputs, whole.outputs) == (ports, ports)
    kept = whole.only("b")
    assert (kept.inputs, kept.outputs, kept.images) == ((("b", 3),), ports, (4, 8, 16))
    assert whole.only("b", "a") == whole
    with pytest.raises(LayoutError, match="unknown 'c': use one of a, b"):
        whole.only("c")


def test_layouts_that_are_no_linear_maps() -> None:
    for layout, said in (
        *(
            (S[4] + R[2:4], "replica"),
            (S[4] + 1, "offset"),
            (S[3], "power of two"),
            (S[4:3], "power of two"),
            (S[(2, 2) : (1, 1)], "overlap in bit 0 of m"),
        ),
        (S[(4, 4) : (2, 1)], "overlap in bit 1 of m"),
    ):
        with pytest.raises(LayoutError, match=said):
            bits(layout)
    found = bits(S[(4, 2) : (1 @ laneid, 1)])
    assert found.outputs == (("m", 1), ("laneid", 2)) and found.images == (1, 2, 4)
    swizzled = bits(swz(1, 1, 1), (2, 4))
    assert list(swizzled.images) == [moved(n, 1, 1, 1, True) for n in (1, 2, 4)]


def test_quotients_leave_out_what_is_unchanged() -> None:
    ports = (("a", 1), ("b", 2))
    whole = identity(ports)
    assert quotient(whole, ["a"]) == identity((("b", 2),)) and quotient(whole, []) == whole
    for images in ((1, 2, 5), (3, 2, 4), (0, 2, 4)):
        changed = type(whole)(ports, ports, images)
        assert quotient(changed, ["a"]) is None, images
    assert quotient(type(whole)(ports, ports, (1, 4, 2)), ["a"]) == type(whole)((("b", 2),), (("b", 2),), (2, 1))
    narrow = type(whole)(ports, (("a", 2), ("b", 2)), (1, 4, 8))
    assert quotient(narrow, ["a"]) is None, "it is wider outside"


def test_divisions_are_undone() -> None:
    """A map that is put together of two, block by block, without the first one is the second one."""
    random_ = random.Random(3)
    names, places_ = ("a", "b"), ("x", "y")
    for _ in range(40):
        inner, outer = (
            (
                tuple((name, random_.randrange(3)) for name in names),
                tuple((name, random_.randrange(4)) for name in places_),
            )
            for _ in range(2)
        )
        maps = [
            Linear(
                inputs,
                outputs,
                tuple(
                    random_.getrandbits(sum(dict(outputs).values()) or 1) & ((1 << sum(dict(outputs).values())) - 1)
                    for _ in range(sum(dict(inputs).values()))
                ),
            )
            for inputs, outputs in (inner, outer)
        ]
        inputs = tuple((name, dict(inner[0])[name] + dict(outer[0])[name]) for name in names)
        outputs = tuple((name, dict(inner[1])[name] + dict(outer[1])[name]) for name in places_)
        images, own = list[int](), list[bool]()
        at = [0, 0]
        for name in names:
            for number, (ports, _) in enumerate((inner, outer)):
                for _ in range(dict(ports)[name]):
                    values = unpacked((inner, outer)[number][1], maps[number].images[at[number]])
                    shifts = dict(inner[1]) if number else {}
                    images.append(packed(outputs, {key: value << shifts.get(key, 0) for key, value in values.items()}))
                    at[number] += 1
                    own.append(number == 0)
        whole = Linear(inputs, outputs, tuple(images))
        assert divide_left(whole, maps[0]) == maps[1]
        for bit in range(len(images)):
            changed = Linear(inputs, outputs, tuple(image ^ (at == bit) for at, image in enumerate(images)))
            if outputs[0][1]:
                assert (divide_left(changed, maps[0]) is None) == (own[bit] or bool(dict(inner[1])["x"]))
    assert divide_left(identity((("a", 1),)), identity((("a", 2),))) is None
    assert divide_left(identity((("a", 1),)), identity((("b", 1),))) is None


# -- accesses, boxes, descriptors ---------------------------------------------------------------------------------


def test_what_accesses_refuse() -> None:
    held = S[(32, 4) : (1 @ laneid, 1)]
    for call, said in (
        (
            lambda: vector_accesses(S[(32, 4) : (4, 1)], held, (32, 4), 12),
            "elements of 12 bits do not have byte addresses",
        ),
        (lambda: vector_accesses(S[(32, 4) : (1 @ laneid, 1)], held, (32, 4), 16), "is not a layout of shared memory"),
        (
            lambda: vector_accesses(S[1 << 22], S[(32, 1 << 17) : (1 @ laneid, 1)], (32, 1 << 17), 16),
            "too large for shared memory",
        ),
        (
            lambda: vector_accesses(S[(32, 4) : (4, 1)], S[(32, 4) : (4, 1)], (32, 4), 16),
            "does not map elements to threads",
        ),
        (lambda: vector_accesses(S[(32, 4) : (4, 1)], held, (32, 4), 16, width=16), "cannot access 16 bytes at a time"),
        (lambda: matrix_accesses(S[8, 8, 8], (8, 8, 8), 16), "need a two-dimensional tile"),
        (lambda: matrix_accesses(S[12, 8], (12, 8), 16), "cannot be covered by 4 matrices"),
        (lambda: matrix_accesses(S[16, 12], (16, 12), 16), "cannot be covered by 4 matrices"),
        (lambda: matrix_accesses(S[16, 16], (16, 16), 16, 3), "cannot be covered by 3 matrices"),
        (lambda: matrix_accesses(S[8, 8], (8, 8), 16, 2), "are not in groups of 2"),
        (lambda: matrix_accesses(S[(16, 16) : (1, 16)], (16, 16), 16), "are not contiguous"),
        (suggest_swizzle, "no accesses to find a swizzle for"),
    ):
        with pytest.raises(LayoutError, match=said):
            call()
    for size, width, given in ((16, 8, 0), (32, 16, 0), (8, 4, 0), (16, 4, 4), (16, 2, 2), (64, 16, 0)):
        found = vector_accesses(S[(32, 4) : (4, 1)], held, (32, 4), size, width=given)
        assert found.width == width and found.addresses.shape == (4 * size // 8 // width, 32)
        for number, lane in product(range(len(found)), range(32)):
            assert found.addresses[number, lane] == lane * size // 2 + number * width


def test_matrix_accesses_row_by_row() -> None:
    layout, shape = S[(32, 32) : (40, 1)], (32, 32)
    for num, trans in product((1, 2, 4), (False, True)):
        tile = S[(32, 32) : (1, 40)] if trans else layout
        found = matrix_accesses(tile, shape, 16, num, trans=trans)
        down = 2 if num > 1 else 1
        expected: list[list[int]] = []
        for high, wide in product(range(4 // down), range(4 // (num // down))):
            rows: list[int] = []
            for across, low, line in product(range(num // down), range(down), range(8)):
                row, column = 8 * (high * down + low) + line, 8 * (wide * (num // down) + across)
                rows.append(2 * (40 * row + column))
            expected.append(rows)
        assert found.addresses[:, : 8 * num].tolist() == expected, (num, trans)


def test_boxes_of_tiles() -> None:
    for layout, shape, size, swizzle, extents, starts in (
        (S[16, 64], (16, 64), 16, 0, (16, 64), [((0, 0), 0)]),
        (swz(3, 3, 3) @ S[16, 64], (16, 64), 16, 128, (16, 64), [((0, 0), 0)]),
        (shared_layout(16, 128, (16, 128)), (16, 128), 16, 128, (16, 64), [((0, 0), 0), ((0, 64), 1024)]),
        (S[(512, 8) : (8, 1)], (512, 8), 16, 0, (256, 8), [((0, 0), 0), ((256, 0), 2048)]),
        (S[(2, 8, 8) : (100, 8, 1)], (16, 8), 16, 0, (8, 8), [((0, 0), 0), ((8, 0), 100)]),
        (S[(4, 16) : (64, 1)], (4, 16), 8, 0, (1, 16), [((n, 0), 64 * n) for n in range(4)]),
    ):
        found = boxes(layout, shape, size)
        assert (found.swizzle, found.extents, list(found.starts)) == (swizzle, extents, starts), layout
        tile = layout.tile_layout if isinstance(layout, ComposeLayout) else layout
        covered = set[int]()
        for corner, place in found.starts:
            for inside in product(*map(range, found.extents)):
                at = tuple(a + b for a, b in zip(corner, inside, strict=True))
                number = int(np.ravel_multi_index(inside, found.extents))
                assert tile.apply(*at, shape=shape)[m] == place + number
                covered.add(place + number)
        assert len(covered) == prod(shape)
    for layout, size, said in (
        *(
            (S[(8, 4) : (4, 1)], 16, "a multiple of 16 bytes, but 8 bytes"),
            (S[(8, 16) : (16, 1)] + R[2:256], 16, "one place"),
        ),
        *(
            (S[(8, 16) : (1 @ laneid, 1)], 16, "one place"),
            (swz(3, 2, 3) @ S[8, 64], 16, "of 64 bytes, as its swizzle"),
        ),
        *(
            (S[(8, 16) : (16, 1)], 4, "8 bytes of the tile are contiguous")
            if False
            else (S[(8, 16) : (1, 8)], 16, "contiguous"),
        ),
    ):
        with pytest.raises(LayoutError, match=said):
            boxes(
                layout,
                tuple(
                    each.extent for each in (layout.tile_layout if isinstance(layout, ComposeLayout) else layout).shard
                ),
                size,
            )


def test_swizzles_of_the_hardware() -> None:
    for size, chunk in ((8, 4), (16, 3), (32, 2), (64, 1)):
        for length, span in ((1, 32), (2, 64), (3, 128)):
            assert swizzle_bytes(SwizzleLayout(chunk, length, 3), size) == span
        for wrong in (
            SwizzleLayout(chunk + 1, 2, 3),
            SwizzleLayout(chunk, 2, 4),
            SwizzleLayout(chunk, 4, 4),
            SwizzleLayout(chunk, 2, 3, False),
        ):
            with pytest.raises(LayoutError, match=f"not a hardware swizzle for elements of {size} bits"):
                swizzle_bytes(wrong, size)
    assert swizzle_bytes(None, 16) == 0


@pytest.mark.parametrize("span", [0, 32, 64, 128])
@pytest.mark.parametrize("size", [8, 16, 32])
def test_descriptors_of_shared_layouts(span: int, size: int) -> None:
    """K first or not: rows along K have a distance of 8 rows, and without a swizzle one of 16 bytes along K."""
    deep = 4 * (span or 32) * 8 // size
    shape = (64, deep)
    layout = shared_layout(size, span, shape)
    step = 32 * 8 // size
    found = descriptor(layout, shape, size, 64, k_first=False)
    row = span or 16
    assert (found.swizzle, found.k_major, found.stride) == (span, True, 8 * row)
    assert found.leading == (0 if span else 64 * 16)
    assert len(found.corners) == 1 and len(found.corners[0]) == deep // step
    expected = [(column * size // 8 // row) * 64 * row + column * size // 8 % row for column in range(0, deep, step)]
    assert list(found.corners[0]) == expected
    two = descriptor(layout, shape, size, 32, k_first=False)
    assert [row_[0] for row_ in two.corners] == [0, 32 * row]
    if span != 32:
        assert descriptor(layout, shape, size, 64, k_first=False, steps=2).corners[0] == tuple(expected[::2])
    for wrong, block in (((64, deep), 48), ((64, deep), 128)):
        with pytest.raises(LayoutError, match="is not a multiple of"):
            descriptor(layout, wrong, size, block, k_first=False)
    across = shared_layout(size, span, (deep, 128))
    if size == 16:
        other = descriptor(across, (deep, 128), size, 64, k_first=True)
        assert not other.k_major and other.swizzle == span
    with pytest.raises(LayoutError, match="wgmma needs contiguous blocks"):
        descriptor(across, (deep, 128), size, 64, k_first=True, other=False)
    with pytest.raises(LayoutError, match="one place in shared memory"):
        descriptor(S[(64, deep) : (deep, 1)] + R[2 : 64 * deep], shape, size, 64, k_first=False)


def test_metadata_covers_whole_words() -> None:
    """Eight rows of four words a warp: a word in each lane."""
    for rows, columns, warps in ((16, 8, 1), (64, 4, 4), (32, 12, 4)):
        found = metadata_fragment((rows, columns), laneid, warps).apply_all((rows, columns))
        for row, column in product(range(rows), range(columns)):
            warp, inside = row // 8 % warps, row // (8 * warps)
            assert found[laneid][row, column] == 32 * warp + row % 8 * 4 + column % 4
            assert found[m][row, column] == inside * (columns // 4) + column // 4
    for rows, columns, warps in ((12, 4, 1), (8, 6, 1), (16, 4, 4)):
        with pytest.raises(LayoutError, match=f"are not a multiple of {8 * warps} x 4"):
            metadata_fragment((rows, columns), laneid, warps)
    assert [selectors(kind) for kind in ("f16", "bf16", "tf32", "e4m3", "s8")] == [2, 2, 2, 1, 1]
