"""CuTe's texts and MLIR's memrefs, both ways: against their definitions, CUTLASS's layouts, and mlir-opt."""

from __future__ import annotations

import re
import subprocess
from itertools import product
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import LayoutError
from weft.layout import ComposeLayout, Iter, R, S, SwizzleLayout, TileLayout, laneid, m, swz
from weft.layout.cute import from_cute, thread_value_text, to_cute
from weft.layout.fragments import named_fragment
from weft.layout.memref import from_memref, infer_layout, to_affine_map, to_memref, to_strided

MODES = st.lists(
    st.lists(st.builds(Iter, st.sampled_from([1, 2, 3, 4]), st.integers(-9, 70), st.just(m)), min_size=1, max_size=3),
    min_size=1,
    max_size=3,
)


def shaped(modes: list[list[Iter]]) -> tuple[TileLayout, tuple[int, ...]]:
    run = [each for mode in modes for each in mode]
    return TileLayout(run), tuple(prod(each.extent for each in mode) for mode in modes)


# -- CuTe -------------------------------------------------------------------------------------------------------------


def cute_place(shape: object, stride: object, number: int) -> int:
    """Where CuTe's layout puts a flat index, by its definition: the first mode is the fastest."""
    if isinstance(shape, int):
        assert isinstance(stride, int)
        return number * stride
    assert isinstance(shape, tuple) and isinstance(stride, tuple)
    total = 0
    for part, step in zip(shape, stride, strict=True):
        size = cute_size(part)
        total += cute_place(part, step, number % size)
        number //= size
    return total


def cute_size(shape: object) -> int:
    return shape if isinstance(shape, int) else prod(cute_size(part) for part in shape)  # type: ignore[attr-defined]


@given(MODES)
def test_cute(modes: list[list[Iter]]) -> None:
    layout, shape = shaped(modes)
    text = to_cute(layout, shape)
    cute_shape, cute_stride = (eval(part) for part in text.split(":"))
    for coordinates in product(*map(range, shape)):
        number = int(np.ravel_multi_index(coordinates, shape, order="F"))
        assert cute_place(cute_shape, cute_stride, number) == layout.apply(*coordinates, shape=shape)[m]
    back, found = from_cute(text)
    assert found == shape
    assert (back.apply_all(shape)[m] == layout.apply_all(shape)[m]).all()


def test_cute_texts() -> None:
    assert to_cute(S[8, 64]) == "(8,64):(64,1)"
    assert to_cute(S[8:4]) == "8:4"
    assert to_cute(S[(64, 4, 64) : (64, 4096, 1)], (64, 256)) == "(64,(64,4)):(64,(1,4096))"
    assert from_cute("(_8,(_2,_4)):(_1,(_64,_8))") == (S[(8, 4, 2) : (1, 8, 64)], (8, 8))
    assert from_cute(" ( 4 , (2,(2,2)) ) : ( 1 , (4,(8,16)) )") == (S[(4, 2, 2, 2) : (1, 16, 8, 4)], (4, 8))
    for bad, message in {
        "(8,4):(1)": "not nested alike",
        "(8,(2,2)):(1,2)": "not nested alike",
        "(8,4)": "expected ':'",
        "(0,4):(1,1)": "at least 1",
        "8:1 x": "unexpected text after the layout",
        "Sw<3,4,1> o 8:1": "invalid swizzle",
        "8:": "expected a number, found the end",
    }.items():
        with pytest.raises(LayoutError, match=message) as caught:
            from_cute(bad)
        assert caught.value.position.line == 1


def cute_swizzle(bits: int, base: int, shift: int, number: int) -> int:
    """CuTe's definition: bits of a mask Y, moved onto the bits of a mask Z."""
    mask = (2**bits - 1) << (base + max(0, shift))
    moved = (number & mask) >> shift if shift >= 0 else (number & mask) << -shift
    return number ^ moved


@given(st.integers(0, 3), st.integers(0, 4), st.integers(-4, 4).filter(bool))
def test_cute_swizzles(bits: int, base: int, shift: int) -> None:
    if abs(shift) < bits:
        return
    text = f"Sw<{bits},{base},{shift}>"
    swizzle, shape = from_cute(text)
    assert isinstance(swizzle, SwizzleLayout)
    assert [swizzle.place(number) for number in range(2 * shape[0])] == [
        cute_swizzle(bits, base, shift, number) for number in range(2 * shape[0])
    ]
    assert to_cute(swizzle) == text
    composed = ComposeLayout(swizzle, S[(8, 4) : (4, 1)] + 8)
    assert to_cute(composed) == f"{text} o 8 o (8,4):(4,1)"
    assert from_cute(to_cute(composed)) == (composed, (8, 4))
    assert from_cute(f"{text} ∘ 8 ∘ (8,4):(4,1)") == from_cute(f"{text} ∘ 8 o (8,4):(4,1)") == (composed, (8, 4))


def test_cute_of_shared_tiles() -> None:
    assert to_cute(swz(3, 3, 3) @ S[8, 64]) == "Sw<3,3,3> o 0 o (8,64):(64,1)"
    assert from_cute("Swizzle<3,4,3> o (8,128):(128,1)").layout == swz(4, 3, 3) @ S[8, 128]


def test_not_cute() -> None:
    for layout, message in {
        S[(8, 4) : (4 @ laneid, 1)]: "not to laneid",
        S[8:1] + R[2:8]: "cannot have replicas",
        S[8:1] + 3: "cannot have an offset",
    }.items():
        with pytest.raises(LayoutError, match=message):
            to_cute(layout)
    with pytest.raises(LayoutError, match="cannot be grouped"):
        to_cute(S[3, 4], (4, 3))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # CUTLASS's ALayout, BLayout and CLayout of SM80_16x8x16 and SM80_16x8x8, and of SM90's 64xN accumulators.
        ("mma.m16n8k16.A.f16", "((4,8),(2,2,2)):((32,1),(16,8,128))"),
        ("mma.m16n8k16.C.f32", "((4,8),(2,2)):((32,1),(16,8))"),
        ("mma.m16n8k8.A.f16", "((4,8),(2,2)):((32,1),(16,8))"),
        ("wgmma.m64n16k16.D.f32", "((4,8,4),(2,2,2)):((128,1,16),(64,8,512))"),
    ],
)
def test_thread_value_layouts(name: str, expected: str) -> None:
    found = named_fragment(name)
    assert thread_value_text(found.layout, found.shape) == expected


def test_thread_value_layouts_by_their_meaning() -> None:
    for name in ("mma.m16n8k32.B.s8", "ldmatrix.m8n8.x4.trans.b16", "mma.m8n8k4.A.f64", "tcgen05.ld.16x64b.x8"):
        found = named_fragment(name)
        cute_shape, cute_stride = (eval(part) for part in thread_value_text(found.layout, found.shape).split(":"))
        places = found.layout.apply_all(found.shape)
        for cell in product(*map(range, found.shape)):
            thread, value = int(places[laneid][cell]), int(places[m][cell]) if m in places else 0
            place = cute_place(cute_shape[0], cute_stride[0], thread) + cute_place(cute_shape[1], cute_stride[1], value)
            assert place == np.ravel_multi_index(cell, found.shape, order="F")
    with pytest.raises(LayoutError, match="are not contiguous"):
        thread_value_text(S[(8, 4) : (4 @ laneid, 1)], (8, 4))
    with pytest.raises(LayoutError, match="not one thread axis"):
        thread_value_text(S[8, 4], (8, 4))


# -- MLIR -------------------------------------------------------------------------------------------------------------


def affine_places(text: str, shape: tuple[int, ...]) -> Any:
    """An affine map's results for all coordinates below a shape, by Python."""
    names, expression = re.fullmatch(r"affine_map<\((.*?)\) -> \((.*)\)>", text).groups()  # type: ignore[union-attr]
    python = expression.replace("floordiv", "//").replace("mod", "%")
    return np.broadcast_to(eval(f"lambda {names}: {python}")(*np.indices(shape)), shape)


@given(MODES, st.integers(-5, 40))
def test_affine_maps(modes: list[list[Iter]], offset: int) -> None:
    layout, shape = shaped(modes)
    layout += offset
    text = to_affine_map(layout, shape)
    assert (affine_places(text, shape) == layout.apply_all(shape)[m]).all()
    sizes = "x".join(map(str, shape))
    for described in (f"memref<{sizes}xf32, {text}>", to_memref(layout, shape, "f32", "3")):
        back = from_memref(described)
        assert (back.shape, back.element) == (shape, "f32")
        assert (back.layout.apply_all(shape)[m] == layout.apply_all(shape)[m]).all()


def test_memref_texts() -> None:
    assert to_memref(S[8, 16], (8, 16)) == "memref<8x16xf16>"
    assert (
        to_memref(S[(8, 16) : (32, 1)] + 4, (8, 16), "f32", "3") == "memref<8x16xf32, strided<[32, 1], offset: 4>, 3>"
    )
    tiled = to_memref(S[(64, 4, 64) : (64, 4096, 1)], (64, 256), space="#gpu.address_space<workgroup>")
    assert tiled == (
        "memref<64x256xf16, affine_map<(d0, d1) -> (d0 * 64 + (d1 floordiv 64) * 4096 + d1 mod 64)>, "
        "#gpu.address_space<workgroup>>"
    )
    assert from_memref(tiled).space == "#gpu.address_space<workgroup>"
    assert from_memref("memref<8x16xf16, 3>") == (S[8, 16], (8, 16), "f16", "3")
    assert from_memref("memref<f32>").layout == S[() : ()]
    assert from_memref("memref<4xvector<2xf16>, strided<[2]>>") == (S[4:2], (4,), "vector<2xf16>", "")
    assert to_strided(S[(64, 4, 64) : (64, 4096, 1)], (64, 256)) is None
    reversed_ = from_memref("memref<8xf32, affine_map<(i) -> (7 - i)>>")
    assert reversed_.layout == S[8:-1] + 7
    assert from_memref("memref<8xf32, affine_map<(i) -> ((i ceildiv 8) * 0 + 2 * -i + 14)>>").layout == S[8:-2] + 14


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tensor<8xf16>", "expected a memref"),
        ("memref<?x8xf16>", "static sizes"),
        ("memref<8xf16, strided<[?]>>", "static strides"),
        ("memref<8xf16, strided<[1], offset: ?>>", "static strides"),
        ("memref<8x8xf16, strided<[1]>>", "1 strides for 2 dimensions"),
        ("memref<8xf16, affine_map<(i)[s] -> (i + s)>>", "cannot have symbols"),
        ("memref<8xf16, affine_map<(i) -> (i floordiv 2, i mod 2)>>", "a single result"),
        ("memref<8xf16, affine_map<(i) -> (i mod 3)>>", "not a sum over digits"),
        ("memref<8x8xf16, affine_map<(i, j) -> (i * j)>>", "not a sum over the dimensions"),
        ("memref<8xf16, affine_map<(i) -> (i floordiv 0)>>", "positive divisor"),
        ("memref<8xf16, affine_map<(i) -> (k)>>", "not a dimension"),
        ("memref<8xf16, affine_map<(i, j) -> (i)>>", "2 dimensions for a shape with 1"),
        ("memref<8xf16", "unterminated"),
    ],
)
def test_not_a_layout(text: str, message: str) -> None:
    with pytest.raises(LayoutError, match=message) as caught:
        from_memref(text)
    assert caught.value.position.line == 1


def test_not_a_memref() -> None:
    for layout, message in {
        swz(3, 3, 3) @ S[8, 64]: "cannot be a memref layout",
        S[(8, 64) : (1 @ laneid, 1)]: "not on laneid",
        S[8, 64] + R[2:512]: "one place, not several",
    }.items():
        with pytest.raises(LayoutError, match=message):
            to_memref(layout, (8, 64))


@given(MODES)
def test_infer(modes: list[list[Iter]]) -> None:
    layout, shape = shaped(modes)
    table = layout.apply_all(shape)[m] + 5
    assert (infer_layout(table).apply_all(shape)[m] == table).all()


def test_mlir_opt_reads_what_is_written(mlir_opt: str) -> None:
    """mlir-opt takes the types and, of equal layouts, prints the same one."""
    layouts = [
        (S[8, 16], (8, 16)),
        (S[(8, 16) : (32, 1)] + 4, (8, 16)),
        (S[(64, 4, 64) : (64, 4096, 1)], (64, 256)),
        (S[(2, 3, 4) : (1, 2, 6)] + 1, (2, 12)),
    ]
    types = [to_memref(layout, shape) for layout, shape in layouts]
    text = "\n".join(f"func.func private @f{at}({type_})" for at, type_ in enumerate(types))
    done = subprocess.run([mlir_opt], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    aliases = dict(re.findall(r"^(#\w+) = (affine_map<.*>)$", done.stdout, re.MULTILINE))
    for (layout, shape), printed in zip(layouts, re.findall(r"@f\d+\((memref.*)\)", done.stdout), strict=True):
        printed = re.sub(r"#map\w*", lambda found: aliases[found[0]], printed)
        back = from_memref(printed)
        assert back.shape == shape
        assert (back.layout.apply_all(shape)[m] == layout.apply_all(shape)[m]).all()


@given(st.text(alphabet="S[]():,o0123456789 <>wt_", max_size=30) | st.text(max_size=8))
def test_any_cute_text_is_read_or_refused(text: str) -> None:
    for start in ("", "(8,(2,4)):(", "Sw<3,4,3> o "):
        try:
            layout, shape = from_cute(start + text)
        except LayoutError as error:
            assert error.position.line
        else:
            assert from_cute(to_cute(layout, shape)) == (layout, shape)


@given(st.text(alphabet="[]():,0123456789 <>dxif+-*modlrve?", max_size=30) | st.text(max_size=8))
def test_any_memref_text_is_read_or_refused(text: str) -> None:
    for start in (
        "",
        "memref<",
        "memref<4x8xf32, ",
        "memref<4x8xf32, affine_map<(d0, d1) -> (d0 ",
        "memref<8xf32, strided<[",
    ):
        try:
            assert from_memref(start + text).layout.size()
        except LayoutError as error:
            assert error.position.line


def test_hostile_texts() -> None:
    for text in ("(" * 1000, "9" * 5000 + ":1", "(" * 60 + "1" + ")" * 60 + ":1"):
        with pytest.raises(LayoutError):
            from_cute(text)
    long = "+".join(["i * 0"] * 5000) + " + i"
    assert from_memref(f"memref<8xf32, affine_map<(i) -> ({long})>>").layout == S[8:1]
    huge = "i * 999999999999999999 * 999999999999999999"
    for wrong in ("(" * 1000, "-" * 5001 + ")", huge, "9" * 5000):
        with pytest.raises(LayoutError):
            from_memref(f"memref<8xf32, affine_map<(i) -> ({wrong})>>")
    with pytest.raises(LayoutError, match="too large"):
        from_memref("memref<4096x4096xf32, affine_map<(i, j) -> (i)>>")
    with pytest.raises(LayoutError, match="has these sizes"):
        from_memref("memref<4x0xf32>")
    with pytest.raises(LayoutError, match="has these sizes"):
        from_memref("memref<" + "1x" * 100 + "f32>")
