"""Operations that move and combine the elements of vectors of one to three dimensions, against NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from math import prod
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.codegen.support import compiled, launch

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]
INDEX = 1
"""What `%i` is."""


class Case(NamedTuple):
    """An operation that makes `%r` of `%a` and `%b`, their shapes, and what it gives; extents may be nothing."""

    text: str
    a: Shape
    b: Shape
    exact: Callable[[Array, Array], Array]


def vec(shape: Shape) -> str:
    return f"vector<{'x'.join(map(str, shape))}xi32>" if shape else "i32"


def listed(numbers: Shape) -> str:
    return f"[{', '.join(map(str, numbers))}]"


def moves() -> Iterator[Case]:
    for small, large in (
        *(((), (3,)), ((), (2, 3)), ((3,), (2, 3)), ((1,), (4,)), ((1, 3), (2, 3)), ((2, 1), (2, 3))),
        *(((3, 1), (2, 3, 4)), ((1, 1), (2, 2)), ((4,), (2, 3, 4)), ((2, 1, 3), (2, 2, 3))),
    ):
        yield Case(
            f"%r = vector.broadcast %a : {vec(small)} to {vec(large)}",
            small, (), lambda a, _, to=large: np.broadcast_to(a, to),
        )  # fmt: skip
    for shape in ((2, 3), (2, 3, 4)):
        for order in permutations(range(len(shape))):
            to = tuple(shape[n] for n in order)
            text = f"%r = vector.transpose %a, {listed(order)} : {vec(shape)} to {vec(to)}"
            yield Case(text, shape, (), lambda a, _, o=order: a.transpose(o))
    for to in ((12,), (3, 4), (2, 6), (1, 12), (3, 2, 2)):
        yield Case(
            f"%r = vector.shape_cast %a : {vec((4, 3))} to {vec(to)}", (4, 3), (), lambda a, _, t=to: a.reshape(t)
        )
    yield Case(
        "%r = vector.shuffle %a, %b [0, 5, 3, 3, 6] : vector<4xi32>, vector<3xi32>",
        (4,),
        (3,),
        lambda a, b: np.concatenate([a, b])[[0, 5, 3, 3, 6]],
    )
    yield Case(
        "%r = vector.shuffle %a, %b [2, 0] : vector<2x3xi32>, vector<1x3xi32>",
        (2, 3),
        (1, 3),
        lambda a, b: np.concatenate([a, b])[[2, 0]],
    )
    for shape in ((3,), (2, 3)):
        yield Case(
            f"%r = vector.interleave %a, %b : {vec(shape)} -> {vec((*shape[:-1], 6))}",
            shape,
            shape,
            lambda a, b: np.stack([a, b], -1).reshape(*a.shape[:-1], -1),
        )
    for part in (0, 1):
        text = f"%x, %y = vector.deinterleave %a : vector<2x6xi32> -> vector<2x3xi32> %r = vector.shape_cast %{'xy'[part]} : vector<2x3xi32> to vector<6xi32>"
        yield Case(text, (2, 6), (), lambda a, _, p=part: a[:, p::2].reshape(6))
    yield Case(
        "%r = vector.from_elements %b, %a, %a, %b : vector<2x2xi32>", (), (), lambda a, b: np.array([[b, a], [a, b]])
    )
    yield Case(
        "%x:4 = vector.to_elements %a : vector<2x2xi32> %r = vector.from_elements %x#3, %x#1 : vector<2xi32>",
        (2, 2),
        (),
        lambda a, _: a[[1, 0], [1, 1]],
    )
    yield Case(
        "%s = vector.step : vector<4xindex> %r = arith.index_cast %s : vector<4xindex> to vector<4xi32>",
        (),
        (),
        lambda _, __: np.arange(4),
    )


def parts() -> Iterator[Case]:
    whole = (2, 3, 4)
    for place in ((1,), (1, 2), (1, 2, 3), (0, 1)):
        rest = whole[len(place):]  # fmt: skip
        yield Case(
            f"%r = vector.extract %a{listed(place)} : {vec(rest)} from {vec(whole)}",
            whole,
            (),
            lambda a, _, p=place: a[p],
        )
        text = f"%r = vector.insert %b, %a{listed(place)} : {vec(rest)} into {vec(whole)}"
        yield Case(text, whole, rest, lambda a, b, p=place: _inserted(a, b, p))
    for place, index in (
        ("%i", (INDEX,)),
        ("1, %i", (1, INDEX)),
        ("%i, 2, %i", (INDEX, 2, INDEX)),
        ("0, %i, 3", (0, INDEX, 3)),
    ):
        rest = whole[len(index):]  # fmt: skip
        yield Case(
            f"%r = vector.extract %a[{place}] : {vec(rest)} from {vec(whole)}", whole, (), lambda a, _, p=index: a[p]
        )
        text = f"%r = vector.insert %b, %a[{place}] : {vec(rest)} into {vec(whole)}"
        yield Case(text, whole, rest, lambda a, b, p=index: _inserted(a, b, p))
    for start, size in (((1,), (1,)), ((0, 1), (2, 2)), ((1, 0, 1), (1, 2, 3)), ((0, 2, 3), (2, 1, 1))):
        to = (*size, *whole[len(size):])  # fmt: skip
        cut = tuple(slice(x, x + n) for x, n in zip(start, size, strict=True))
        attributes = f"offsets = {listed(start)}, sizes = {listed(size)}, strides = {listed((1,) * len(size))}"
        text = f"%r = vector.extract_strided_slice %a {{{attributes}}} : {vec(whole)} to {vec(to)}"
        yield Case(text, whole, (), lambda a, _, c=cut: a[c])
    for start, small in (((1, 0, 2), (2,)), ((0, 1, 1), (2, 3)), ((1, 1, 0), (1, 2, 4)), ((0, 2, 3), (1, 1))):
        steps = listed((1,) * len(small))
        text = f"%r = vector.insert_strided_slice %b, %a {{offsets = {listed(start)}, strides = {steps}}} : {vec(small)} into {vec(whole)}"
        yield Case(text, whole, small, lambda a, b, s=start: _placed(a, b, s))


def _inserted(a: Array, b: Array, place: Shape) -> Array:
    found = a.copy()
    found[place] = b
    return found


def _placed(a: Array, b: Array, start: Shape) -> Array:
    found = a.copy()
    sizes = (1,) * (a.ndim - b.ndim) + b.shape
    found[tuple(slice(x, x + n) for x, n in zip(start, sizes, strict=True))] = b.reshape(sizes)
    return found


COMBINED: dict[str, Any] = {
    "add": np.add, "mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum, "and": np.bitwise_and,
    "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip
UNSIGNED = {"minui": np.minimum, "maxui": np.maximum}


def combinations() -> Iterator[Case]:
    for kind, function in (COMBINED | UNSIGNED).items():
        view = "u" if kind in UNSIGNED else "i"
        yield Case(
            f"%r = vector.reduction <{kind}>, %a : vector<5xi32> into i32",
            (5,), (), lambda a, _, f=function, v=view: np.asarray(f.reduce(a.view(f"{v}{a.itemsize}"))),
        )  # fmt: skip
        yield Case(
            f"%r = vector.reduction <{kind}>, %a, %b : vector<3xi32> into i32",
            (3,), (), lambda a, b, f=function, v=view: np.asarray(f(f.reduce(a.view(f"{v}{a.itemsize}")), b.view(f"{v}{b.itemsize}"))),
        )  # fmt: skip
    for over in ((0,), (1,), (2,), (0, 2), (1, 2)):
        kept = tuple(n for at, n in enumerate((2, 3, 4)) if at not in over)
        for kind in ("add", "maxsi", "xor"):
            text = f"%r = vector.multi_reduction <{kind}>, %a, %b {listed(over)} : vector<2x3x4xi32> to {vec(kept)}"
            function = COMBINED[kind]
            yield Case(text, (2, 3, 4), kept, lambda a, b, f=function, o=over: f(f.reduce(a, axis=o), b))
    for kind in ("add", "minsi"):
        text = f"%c = vector.shape_cast %a : vector<6xi32> to vector<2x3xi32> %x = vector.extract_strided_slice %a {{offsets = [1], sizes = [2], strides = [1]}} : vector<6xi32> to vector<2xi32> %r = vector.outerproduct %x, %b, %c {{kind = #vector.kind<{kind}>}} : vector<2xi32>, vector<3xi32>"
        yield Case(text, (6,), (3,), lambda a, b, f=COMBINED[kind]: f(np.outer(a[1:3], b), a.reshape(2, 3)))
    maps = {
        "(d0, d2), (d2, d1), (d0, d1)": lambda a, b: a @ b,
        "(d0, d2), (d1, d2), (d0, d1)": lambda a, b: a @ b.T,
        "(d2, d0), (d2, d1), (d0, d1)": lambda a, b: a.T @ b,
        "(d0, d2), (d2, d1), (d1, d0)": lambda a, b: (a @ b).T,
    }
    for number, (said, exact) in enumerate(maps.items()):
        a, b, c = (
            ((2, 3), (3, 4), (2, 4)),
            ((2, 3), (4, 3), (2, 4)),
            ((3, 2), (3, 4), (2, 4)),
            ((2, 3), (3, 4), (4, 2)),
        )[number]
        traits = ", ".join(f"affine_map<(d0, d1, d2) -> {each})>" for each in said.rstrip(")").split("), "))
        text = f'%z = arith.constant dense<7> : {vec(c)} %r = vector.contract {{indexing_maps = [{traits}], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}} %a, %b, %z : {vec(a)}, {vec(b)} into {vec(c)}'
        yield Case(text, a, b, lambda x, y, f=exact: f(x, y) + 7)


def kernel(name: str, case: Case, shape: Shape) -> str:
    loads = [
        f"%{side}f = vector.load %{side}m[%o] : memref<64xi32>, vector<{max(prod(given), 1)}xi32>\n"
        + (
            f"%{side} = vector.shape_cast %{side}f : vector<{prod(given)}xi32> to {vec(given)}"
            if given
            else f"%{side} = vector.extract %{side}f[0] : i32 from vector<1xi32>"
        )
        for side, given in (("a", case.a), ("b", case.b))
    ]
    count = max(prod(shape), 1)
    flat = (
        f"%f = vector.shape_cast %r : {vec(shape)} to vector<{count}xi32>"
        if shape
        else "%f = vector.broadcast %r : i32 to vector<1xi32>"
    )
    return f"""gpu.func @{name}(%am: memref<64xi32>, %bm: memref<64xi32>, %i: index, %out: memref<64xi32>) kernel {{
      %o = arith.constant 0 : index
      {loads[0]}
      {loads[1]}
      {case.text}
      {flat}
      vector.store %f, %out[%o] : memref<64xi32>, vector<{count}xi32>
      gpu.return
    }}
    """


@pytest.mark.sample(2)
@pytest.mark.parametrize("type_", [np.int8, np.int32, np.int16], ids=lambda type_: type_.__name__)
@pytest.mark.parametrize("group", [moves, parts, combinations], ids=lambda group: group.__name__)
def test_elements_are_where_numpy_has_them(
    group: Callable[[], Iterator[Case]], type_: type[np.signedinteger[Any]]
) -> None:
    """Of bytes, a register holds four."""
    rng = np.random.default_rng(5)
    a, b = (rng.integers(-(1 << 31), 1 << 31, 64).astype(type_) for _ in range(2))
    kernels: dict[str, tuple[Case, Array]] = {}
    for number, case in enumerate(group()):
        first, second = (x[: max(prod(s), 1)].reshape(s) for x, s in ((a, case.a), (b, case.b)))
        kernels[f"k{number}"] = case, np.asarray(case.exact(first, second)).astype(np.int64).astype(type_)
    text = "".join(kernel(name, case, expected.shape) for name, (case, expected) in kernels.items())
    module = compiled(f"gpu.module @m {{\n{text}}}".replace("i32", type_.__name__.replace("int", "i")))
    for name, (case, expected) in kernels.items():
        out = np.zeros(64, type_)
        launch(module, name, 1, 1, [a, b, INDEX, out])
        assert out[: expected.size].tolist() == expected.reshape(-1).tolist(), case.text
        assert not out[expected.size :].any(), case.text
