"""The algebra of layouts beside two models that others wrote: Triton's `LinearLayout`, and CuTe's Python, where it is."""

from __future__ import annotations

import random
from typing import Any

import pytest

from weft.errors import LayoutError
from weft.layout import Iter, S, SwizzleLayout, TileLayout, laneid, swz, warpid
from weft.layout.algebra import complement, compose, cosize, divide, right_inverse
from weft.layout.linear import INDEX, Linear, bits, conversion, intersect, kernel, solve

try:
    from triton._C.libtriton.linear_layout import LinearLayout
except ImportError:
    LinearLayout: Any = None

needs_triton = pytest.mark.skipif(LinearLayout is None, reason="no Triton")


def model(of: Linear, onto: bool = False) -> Any:
    """The same map as Triton's."""
    bases, at = [], 0
    for name, width in of.inputs:
        bases.append((name, [list(each(of, 1 << at + bit)) for bit in range(width)]))
        at += width
    return LinearLayout.from_bases(bases, [n for n, _ in of.outputs], [1 << w for _, w in of.outputs], onto)


def each(of: Linear, number: int) -> list[int]:
    """The outputs of packed inputs, one by one."""
    found, packed = [], of.packed(number)
    for _, width in of.outputs:
        found.append(packed & ((1 << width) - 1))
        packed >>= width
    return found


def drawn(rng: random.Random, inputs: Any, outputs: Any) -> Linear:
    """Any map between ports."""
    width = sum(w for _, w in outputs)
    return Linear(inputs, outputs, tuple(rng.getrandbits(width) for _ in range(sum(w for _, w in inputs))))


def same(of: Linear, triton: Any) -> bool:
    """Whether both are one map, of every combination of inputs."""
    total = sum(w for _, w in of.inputs)
    for number in range(1 << total):
        given, at = {}, 0
        for name, width in of.inputs:
            given[name] = number >> at & ((1 << width) - 1)
            at += width
        if triton.apply(given) != {name: value for (name, _), value in zip(of.outputs, each(of, number), strict=True)}:
            return False
    return True


INSIDE, MIDDLE, OUTSIDE = (("x", 3), ("y", 2)), (("m", 3), ("laneid", 2)), (("p", 4), ("q", 2))


@needs_triton
def test_maps_compose_and_solve_as_in_triton() -> None:
    rng = random.Random(1)
    solved = 0
    for _ in range(150):
        inner, outer = drawn(rng, INSIDE, MIDDLE), drawn(rng, MIDDLE, OUTSIDE)
        assert same(outer @ inner, model(inner).compose(model(outer)))
        assert inner.injective == model(inner).is_injective()
        square = drawn(rng, (("x", 5),), (("m", 3), ("laneid", 2)))
        if not square.injective:
            with pytest.raises(LayoutError):
                square.inverse()
            continue
        solved += 1
        assert same(square.inverse(), model(square, True).invert())
        other = drawn(rng, INSIDE, square.outputs)
        assert same(solve(other, square), model(other).invert_and_compose(model(square, True)))
    assert solved > 20


@needs_triton
def test_rank_of_kernels_and_spans() -> None:
    """What goes to 0, and what is in both spans, by the ranks that Triton finds."""
    rng = random.Random(2)
    for _ in range(100):
        a, b = drawn(rng, (("x", 4),), (("m", 5),)), drawn(rng, (("x", 3),), (("m", 5),))
        for zero in kernel(a.images):
            assert model(a).apply({"x": zero}) == {"m": 0}
        assert (not kernel(a.images)) == model(a).is_injective()
        both = Linear((("x", 7),), a.outputs, (*a.images, *b.images))
        onto = model(both).is_surjective()
        assert onto == (both.rank == 5)
        assert len(intersect(a.images, b.images)) == a.rank + b.rank - both.rank


def powers(rng: random.Random, count: int) -> TileLayout:
    """A layout of `count` bits over registers, lanes and warps, digits in any order."""
    axes = [("m", 1)] * (count - 3) + [(laneid, 1)] * 2 + [(warpid, 1)]
    rng.shuffle(axes)
    seen: dict[Any, int] = {}
    shard = []
    for axis, _ in axes:
        stride = seen.get(axis, 1)
        seen[axis] = 2 * stride
        shard.append(Iter(2, stride) if axis == "m" else Iter(2, stride, axis))
    return TileLayout(shard)


@needs_triton
def test_conversions_and_swizzles_as_in_triton() -> None:
    """Layouts of the notation, as matrices: where each element goes, and what a conversion does."""
    rng = random.Random(3)
    for _ in range(60):
        a, b = powers(rng, 7), powers(rng, 7)
        of_a, of_b = bits(a), bits(b)
        assert same(of_a, model(of_a))
        assert same(conversion(a, b), model(of_a, True).invert().compose(model(of_b)))
    for length in (1, 2, 3):
        mapped = bits(swz(3, length, 3) @ S[8, 64])
        whole = model(mapped, True)
        assert mapped.inputs == ((INDEX, 9),)
        assert all(whole.apply({INDEX: i}) == mapped(index=i) for i in range(512))
        assert same(mapped.inverse(), whole.invert())
    assert isinstance(swz(3, 3, 3), SwizzleLayout)


def modes(rng: random.Random) -> TileLayout:
    """A layout of up to three digits with any strides."""
    extents, strides = (1, 2, 3, 4, 6, 8), (0, 1, 2, 3, 4, 6, 8, 12, 24)
    return TileLayout([Iter(rng.choice(extents), rng.choice(strides)) for _ in range(rng.randint(1, 3))])


@pytest.mark.slow
def test_mixed_radix_as_in_cute() -> None:
    """compose, complement, divide and right inverses beside `pycute` (of the package nvidia-cutlass), place by place.

    One may refuse what the other does not; where both answer, the answers are one map.
    """
    pycute: Any = pytest.importorskip("pycute")
    rng, held = random.Random(4), {"compose": 0, "complement": 0, "divide": 0, "right": 0}

    def theirs(of: TileLayout) -> Any:
        run = [(each.extent, each.stride) for each in reversed(of.shard)]
        return pycute.Layout(tuple(e for e, _ in run), tuple(s for _, s in run))

    def places(of: Any, count: int) -> list[int]:
        if not isinstance(of, TileLayout):
            return [of(i) for i in range(count)]
        found = []
        for index in range(count):
            total, left = 0, index
            for digit in reversed(of.shard):
                total, left = total + left % digit.extent * digit.stride, left // digit.extent
            found.append(total)
        return found

    def compare(name: str, ours: Any, other: Any) -> None:
        try:
            mine = ours()
            found = other()
            count = min(pycute.size(found), mine.size())
        except (LayoutError, AssertionError, ZeroDivisionError, ValueError, TypeError):
            return
        held[name] += 1
        assert places(mine, count) == places(found, count), name

    def longest(of: TileLayout) -> None:
        """Theirs may be too short, or none where a layout has gaps; ours is never shorter than theirs that is one."""
        whole, mine, found = theirs(of), right_inverse(of), pycute.right_inverse(theirs(of))
        assert all(whole(place) == k for k, place in enumerate(places(mine, mine.size())))
        if all(whole(found(k)) == k for k in range(pycute.size(found))):
            held["right"] += 1
            assert mine.size() >= pycute.size(found)

    for _ in range(3000):
        a, b = modes(rng), modes(rng)
        if cosize(b) <= a.size():
            compare(
                "compose", lambda a=a, b=b: compose(a, b), lambda a=a, b=b: pycute.composition(theirs(a), theirs(b))
            )
        compare("complement", lambda a=a: complement(a, 48), lambda a=a: pycute.complement(theirs(a), 48))
        if cosize(b) <= a.size():
            compare(
                "divide", lambda a=a, b=b: divide(a, b), lambda a=a, b=b: pycute.logical_divide(theirs(a), theirs(b))
            )
        longest(a)
    assert all(count > 50 for count in held.values()), held
