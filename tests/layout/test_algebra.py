"""The algebra of layouts: every operation by its law, element by element; existence against exhaustive search."""

from __future__ import annotations

from itertools import product
from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from weft.errors import LayoutError
from weft.layout import Iter, S, SwizzleLayout, TileLayout, laneid, m, swz, warpid
from weft.layout.algebra import (
    beside,
    common_vector,
    complement,
    compose,
    cosize,
    divide,
    left_inverse,
    multiply,
    right_inverse,
)
from weft.layout.fragments import named_fragment
from weft.layout.linear import (
    Linear,
    basis,
    basis_complement,
    bits,
    conversion,
    divide_left,
    identity,
    intersect,
    kernel,
    quotient,
    solve,
)

SMALL = st.lists(
    st.tuples(st.sampled_from([1, 2, 3, 4, 6]), st.sampled_from([0, 1, 2, 3, 4, 6, 8, 12, 24])), min_size=1, max_size=3
)


def plain(modes: list[tuple[int, int]]) -> TileLayout:
    return TileLayout([Iter(e, s) for e, s in modes])


def at(layout: TileLayout, index: int) -> int:
    """Evaluation by hand: the last digit is the fastest, the first takes what is left."""
    total = 0
    for number, each in enumerate(reversed(layout.shard)):
        last = number == len(layout.shard) - 1
        total += (index if last else index % each.extent) * each.stride
        index //= each.extent
    return total


def size(layout: TileLayout) -> int:
    return prod(each.extent for each in layout.shard)


def places(layout: TileLayout) -> list[int]:
    return [at(layout, i) for i in range(size(layout))]


@given(SMALL, SMALL)
def test_compose(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    """Where there is a composition, it is a(b(i)) for every i."""
    outer, inner = plain(a), plain(b)
    try:
        found = compose(outer, inner)
    except LayoutError:
        return
    assert size(found) == size(inner)
    assert places(found) == [at(outer, i) for i in places(inner)]


def test_compose_refuses_only_what_is_no_layout() -> None:
    """Exhaustively over small layouts: what is refused is no layout with the inner one's digits."""
    modes = [(e, s) for e in (2, 3, 4) for s in (1, 2, 3, 4)]
    for a, b in product(product(modes, repeat=2), modes):
        outer, inner = plain(list(a)), plain([b])
        wanted = [at(outer, i) for i in places(inner)]
        if cosize(inner) > size(outer):
            continue
        try:
            compose(outer, inner)
        except LayoutError:
            assert not _is_layout(wanted), (outer, inner, wanted)


def _is_layout(values: list[int]) -> bool:
    """Whether a sequence is the places of some layout, in any factorisation of its length."""
    count = len(values)
    if values[0]:
        return False
    if count == 1:
        return True
    for extent in (e for e in range(2, count + 1) if count % e == 0):
        stride = values[1]
        if all(values[i] == i % extent * stride + values[i - i % extent] for i in range(count)) and _is_layout(
            values[::extent]
        ):
            return True
    return False


@given(SMALL, st.integers(1, 60))
def test_complement(a: list[tuple[int, int]], bound: int) -> None:
    """Beside the layout, its complement reaches each place below the bound, and none twice; it is ordered."""
    layout = plain(a)
    try:
        rest = complement(layout, bound)
    except LayoutError:
        return
    together = places(beside(rest, layout))
    assert len(set(together)) == len(together)
    assert set(range(bound)) <= set(together)
    assert places(rest) == sorted(places(rest))


@given(SMALL, SMALL)
def test_divide(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    """The first indices are the tile a(b(i)); all of a is there, once more in another order."""
    layout, tiler = plain(a), plain(b)
    try:
        found = divide(layout, tiler)
    except LayoutError:
        return
    assert places(found)[: size(tiler)] == [at(layout, i) for i in places(tiler)]
    if size(found) == size(layout):
        assert sorted(places(found)) == sorted(places(layout))


@given(SMALL, SMALL)
def test_multiply(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    """The first indices are a; what follows are copies of it, none over another where b's are not."""
    layout, repeats = plain(a), plain(b)
    try:
        found = multiply(layout, repeats)
    except LayoutError:
        return
    every, one = places(found), places(layout)
    assert every[: len(one)] == one
    assert size(found) == size(layout) * size(repeats)
    if len(set(places(repeats))) == size(repeats):
        assert len(set(every)) == len(every)


@given(SMALL)
def test_right_inverse(a: list[tuple[int, int]]) -> None:
    """a(r(k)) = k, and no layout does so for longer: the next place is none that fits."""
    layout = plain(a)
    found = right_inverse(layout)
    assert [at(layout, i) for i in places(found)] == list(range(size(found)))
    assert size(found) <= size(layout)


@given(SMALL)
def test_left_inverse(a: list[tuple[int, int]]) -> None:
    """l(a(i)) = i for every i, wherever there is one."""
    layout = plain(a)
    try:
        found = left_inverse(layout)
    except LayoutError:
        return
    assert [at(found, i) for i in places(layout)] == list(range(size(layout)))


@given(SMALL, SMALL)
def test_common_vector(a: list[tuple[int, int]], b: list[tuple[int, int]]) -> None:
    """As many elements from the first place on are in the same order in both."""
    left, right = plain(a), plain(b)
    count = common_vector(left, right)
    order = places(right_inverse(right))[:count]
    assert [at(left, i) for i in order] == list(range(count)) == [at(right, i) for i in order]


def test_examples_by_hand() -> None:
    """Worked by hand: composition across digits, complements with gaps, tiles of a matrix."""
    assert places(compose(S[(6, 2) : (8, 2)], S[(4, 3) : (3, 1)])) == [
        at(S[(6, 2) : (8, 2)], 3 * i + j) for i in range(4) for j in range(3)
    ]
    assert complement(S[4:2], 24) == S[(3, 2) : (8, 1)]
    assert complement(S[4:1], 24) == S[6:4]
    assert divide(S[24:1], S[4:2]).shard[-1] == Iter(4, 2, m)
    assert common_vector(S[8, 16], S[8, 16]) == 128
    assert cosize(S[(4, 3) : (5, 1)]) == 18
    with pytest.raises(LayoutError, match="do not divide"):
        compose(S[(2, 3) : (10, 1)], S[3:2])
    with pytest.raises(LayoutError, match="not a plain layout"):
        compose(S[4:1] + 3, S[4:1])


# -- over F2 ------------------------------------------------------------------------------------------------------


@st.composite
def binary_layouts(draw: st.DrawFn) -> TileLayout:
    """Layouts of powers of two whose bits do not overlap, over three axes."""
    count = draw(st.integers(1, 7))
    targets = draw(st.permutations([(m, b) for b in range(5)] + [(laneid, b) for b in range(4)] + [(warpid, 0)]))
    return TileLayout([Iter(2, 1 << bit, axis) for axis, bit in targets[:count]])


@given(binary_layouts())
def test_bits_of_layouts(layout: TileLayout) -> None:
    """The map is the layout; its inverse goes back."""
    found = bits(layout)
    for index in range(layout.size()):
        expected = {axis.name: value for axis, value in layout.apply(index).items()}
        assert {name: value for name, value in found(index=index).items() if value} == {
            name: value for name, value in expected.items() if value
        }
        assert found.inverse()(**found(index=index)) == {"index": index}


@pytest.mark.parametrize(("per", "length", "atom"), list(product((1, 2, 3), (1, 2, 3), (3, 4))))
def test_bits_of_swizzles(per: int, length: int, atom: int) -> None:
    """A swizzle is linear."""
    layout = SwizzleLayout(per, length, atom) @ S[16, 32]
    found = bits(layout)
    for index in range(512):
        assert found(index=index)["m"] == layout.apply(index)[m]


def test_bits_refuse_what_is_not_linear() -> None:
    for layout in (S[6:1], S[(2, 4) : (3, 1)], S[(4, 4) : (1, 1)], S[4:1] + 1):
        with pytest.raises(LayoutError):
            bits(layout)


VECTORS = st.lists(st.integers(0, 63), max_size=6)


def span(vectors: list[int]) -> set[int]:
    found = {0}
    for each in vectors:
        found |= {each ^ other for other in found}
    return found


@given(VECTORS, VECTORS)
def test_spans(a: list[int], b: list[int]) -> None:
    """Bases, intersections, kernels and complements, against listing every element."""
    assert span(basis(a)) == span(a) and 2 ** len(basis(a)) == len(span(a))
    assert span(intersect(a, b)) == span(a) & span(b)
    inputs = {x for x in range(1 << len(a)) if _image(a, x) == 0}
    assert span(kernel(a)) == inputs
    more = basis_complement(a, 6)
    assert span([*a, *more]) == set(range(64)) and len(more) == 6 - len(basis(a))


def _image(images: list[int], number: int) -> int:
    total = 0
    for bit, image in enumerate(images):
        total ^= image if number >> bit & 1 else 0
    return total


@given(VECTORS, st.lists(st.integers(0, 63), min_size=1, max_size=6))
def test_solve(a: list[int], b: list[int]) -> None:
    """b @ c = a where every image of a is one of b, and an error otherwise."""
    wanted = Linear((("x", len(a)),), (("z", 6),), tuple(a))
    given_ = Linear((("y", len(b)),), (("z", 6),), tuple(b))
    if set(a) <= span(b):
        assert (given_ @ solve(wanted, given_)).images == wanted.images
    else:
        with pytest.raises(LayoutError):
            solve(wanted, given_)


@given(binary_layouts(), binary_layouts())
def test_divide_left(a: TileLayout, b: TileLayout) -> None:
    """What is put together block by block comes apart again."""
    tile = bits(a)
    rest = bits(b)
    widths = dict(tile.outputs)
    names = [name for name, _ in (*tile.outputs, *(p for p in rest.outputs if p[0] not in widths))]
    outputs = tuple((name, widths.get(name, 0) + dict(rest.outputs).get(name, 0)) for name in names)

    def shifted(image: dict[str, int], by: dict[str, int]) -> int:
        total, low = 0, 0
        for name, width in outputs:
            total |= image.get(name, 0) << (low + by.get(name, 0))
            low += width
        return total

    first = [shifted(tile(index=1 << i), {}) for i in range(len(tile.images))]
    second = [shifted(rest(index=1 << i), widths) for i in range(len(rest.images))]
    whole = Linear((("index", len(first) + len(second)),), outputs, (*first, *second))
    found = divide_left(whole, tile)
    assert found is not None
    for index in range(1 << len(second)):
        got, wanted = found(index=index), rest(index=index)
        assert all(got[name] == wanted.get(name, 0) for name in got)


def test_divide_left_of_instructions() -> None:
    """A matrix of ldmatrix fits in an mma operand's registers, and not in rows over lanes."""
    ldmatrix = bits(S[(8, 4, 2) : (4 @ laneid, 1 @ laneid, 1)]).inverse()
    operand = bits(named_fragment("mma.m16n8k16.A.f16").layout).inverse()
    assert dict(ldmatrix.inputs)["laneid"] == 5 == dict(operand.inputs)["laneid"]
    rows = bits(S[(8, 32) : (1, 1 @ laneid)]).inverse()
    assert divide_left(rows, ldmatrix) is None


def test_quotient() -> None:
    """Without the axes on which a map is the identity; None where it is not, or something else reaches them."""
    whole = identity((("m", 2), ("laneid", 5)))
    assert quotient(whole, ["laneid"]) == identity((("m", 2),))
    swapped = Linear(whole.inputs, whole.outputs, (4, 2, 1, 8, 16, 32, 64))
    assert quotient(swapped, ["laneid"]) is None
    assert quotient(swapped, ["m"]) is None


def test_conversion_of_sums_to_operands() -> None:
    """Sums in f16 are a left operand as they are; those in 8 bits are not: lanes exchange."""
    sums = named_fragment("wgmma.m64n32k16.D.f32").layout
    operand = named_fragment("wgmma.m64n8k16.A.f16").layout.tile_to((64, 32), (64, 16))
    found = conversion(sums, operand)
    assert quotient(found, ["tid_in_wg"]) == identity((("m", 4),))
    eight = named_fragment("wgmma.m64n8k32.A.e4m3").layout
    assert quotient(conversion(sums, eight), ["tid_in_wg"]) is None
    assert swz and assume
