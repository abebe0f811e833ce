"""Sizes, strides and hints of memrefs at which something else is done: copies, buffers of the thread, views, prefetches."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import CompileError


def _compiled(body: str, arguments: str) -> weft.Module:
    text = f"gpu.module @m {{ gpu.func @k({arguments}) kernel {{\n{body}\ngpu.return }} }}"
    return weft.compile(text, "sm_80", bare_pointers=True)


@pytest.mark.parametrize(("shape", "loops"), [((16, 16), False), ((257,), True), ((0, 3), False), ((7, 5, 8), True)])
def test_copies_of_buffers(shape: tuple[int, ...], loops: bool) -> None:
    type_ = f"memref<{'x'.join(map(str, shape))}xi16>"
    module = _compiled(f"memref.copy %a, %b : {type_} to {type_}", f"%a: {type_}, %b: {type_}")
    assert ("bra" in module.to_ptx()) == loops
    a, b = np.arange(np.prod(shape) + 2, dtype=np.int16), np.zeros(np.prod(shape) + 2, np.int16)
    weft.run(module, "k", 1, 1, [a, b])
    assert b.tolist() == [*a[:-2].tolist(), 0, 0]


@pytest.mark.parametrize(("hint", "level"), [(0, "L2"), (1, "L2"), (2, "L1"), (3, "L1")])
def test_prefetches(hint: int, level: str) -> None:
    body = f"%i = gpu.thread_id x\nmemref.prefetch %a[%i], read, locality<{hint}>, data : memref<64xf32>"
    assert f"prefetch.global.{level} [" in _compiled(body, "%a: memref<64xf32>").to_ptx()


@pytest.mark.parametrize(
    ("type_", "to", "groups"),
    [
        ("memref<4x1xi32, strided<[8, 3]>>", "memref<4xi32, strided<[8]>>", "[[0, 1]]"),
        ("memref<1x4xi32, strided<[99, 2]>>", "memref<4xi32, strided<[2]>>", "[[0, 1]]"),
        ("memref<2x1x1xi32, strided<[6, 5, 9]>>", "memref<2x1xi32, strided<[6, 5]>>", "[[0], [1, 2]]"),
        ("memref<2x2xi32, strided<[4, 2]>>", "memref<4xi32, strided<[2]>>", "[[0, 1]]"),
        ("memref<1x1xi32>", "memref<i32>", "[]"),
    ],
)
def test_joined_dimensions(type_: str, to: str, groups: str) -> None:
    """A dimension of size 1 has a stride that does not count."""
    body = f"%v = memref.collapse_shape %a {groups} : {type_} into {to}\n%x = arith.constant 7 : i32\n"
    count = 1 if to == "memref<i32>" else int(to[7])
    for at in range(count):
        place = "" if to == "memref<i32>" else f"%i{at}"
        if "2x1xi32" in to:
            place = f"%i{at}, %i0"
        body += f"%i{at} = arith.constant {at} : index\nmemref.store %x, %v[{place}] : {to}\n"
    stride = {"[8]": 8, "[2]": 2, "[6": 6}.get(to.partition("strided<")[2].partition(">")[0].split(",")[0], 1)
    out = np.zeros(40, np.int32)
    weft.run(_compiled(body, f"%a: {type_}"), "k", 1, 1, [out])
    assert np.flatnonzero(out).tolist() == [at * stride for at in range(count)]


@pytest.mark.parametrize(
    ("type_", "message"),
    [
        ("memref<?xi32, strided<[2]>>", "a buffer of dynamic size needs the default layout"),
        ("memref<?xi32, affine_map<(d0) -> (d0 * 2)>>", "a buffer of dynamic size needs the default layout"),
        ("memref<?xi32, 3>", "a buffer needs a static shape"),
        ("memref<?xi32, 1>", "a buffer needs a static shape"),
    ],
)
def test_buffers_of_dynamic_sizes_that_there_are_not(type_: str, message: str) -> None:
    with pytest.raises(CompileError, match=message):
        _compiled(f"%b = memref.alloca(%n) : {type_}", "%n: index")


@pytest.mark.parametrize("space", ["", ", 5"])
def test_buffers_of_dynamic_sizes(space: str) -> None:
    type_ = f"memref<?xi32{space}>"
    body = f"""%b = memref.alloca(%n) : {type_}
      %last = arith.subi %n, %one : index
      %x = arith.constant 7 : i32
      memref.store %x, %b[%last] : {type_}
      %y = memref.load %b[%last] : {type_}
      memref.store %y, %a[%zero] : memref<1xi32>"""
    constants = "%one = arith.constant 1 : index\n%zero = arith.constant 0 : index\n"
    module = weft.compile(
        f"gpu.module @m {{ gpu.func @k(%a: memref<1xi32>, %n: index) kernel {{\n{constants}{body}\ngpu.return }} }}",
        "sm_90", bare_pointers=True,
    )  # fmt: skip
    out = np.zeros(1, np.int32)
    weft.run(module, "k", 1, 1, [out, np.int64(9)])
    assert out[0] == 7


@pytest.mark.parametrize(("offset", "wide"), [(0, True), (1, False), (4, False)])
def test_alignment_is_that_of_element_0(offset: int, wide: bool) -> None:
    """What lies behind an offset is aligned itself, not the pointer that the offset counts from."""
    body = f"""%o = memref.reinterpret_cast %a to offset: [{offset}], sizes: [8], strides: [1]
        : memref<64xf32> to memref<8xf32, strided<[1], offset: {offset}>>
      %b = memref.assume_alignment %o, 16 : memref<8xf32, strided<[1], offset: {offset}>>
      %i = arith.constant 0 : index
      %x = vector.load %a[%i] : memref<64xf32>, vector<4xf32>
      vector.store %x, %c[%i] : memref<64xf32>, vector<4xf32>"""
    assert ("ld.global.v4" in _compiled(body, "%a: memref<64xf32>, %c: memref<64xf32>").to_ptx()) == wide
