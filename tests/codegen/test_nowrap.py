"""Addresses of sums that do not wrap, and of what loops of basic blocks count: where they lie is what the text says."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft

BASE = 512
"""The element that the pointer points to: indices may be negative."""


def _loop(start: int, step: int, trips: int, index: str, flags: str, extension: str) -> str:
    """A loop over %i that adds a[index] to a sum; `index` is lines that give %at, of 32 bits."""
    return f"""
llvm.func @k(%a: !llvm.ptr, %out: !llvm.ptr, %p: i32, %q: i32) attributes {{gpu.kernel, nvvm.kernel}} {{
  %zero = llvm.mlir.constant(0 : i32) : i32
  %start = llvm.mlir.constant({start} : i32) : i32
  %step = llvm.mlir.constant({step} : i32) : i32
  %end = llvm.mlir.constant({start + step * trips} : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %k = llvm.mlir.constant(7 : i32) : i32
  %base = llvm.getelementptr %a[{BASE}] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.br ^head(%start, %zero : i32, i32)
^head(%i: i32, %sum: i32):
  {index}
  %wide = llvm.{extension} %at : i32 to i64
  %where = llvm.getelementptr %base[%wide] : (!llvm.ptr, i64) -> !llvm.ptr, i32
  %x = llvm.load %where : !llvm.ptr -> i32
  %more = llvm.add %sum, %x : i32
  %next = llvm.add %i, %step {flags} : i32
  %go = llvm.icmp "ne" %next, %end : i32
  llvm.cond_br %go, ^head(%next, %more : i32, i32), ^done
^done:
  llvm.store %more, %out : i32, !llvm.ptr
  llvm.return
}}"""


def _index(rng: Random, way: str) -> tuple[str, int, int, int]:
    """Operations that give %at = a*i + b*p + c*q + k, and a, b, c; each sum in a drawn order."""
    terms = [("%i", 1, 0, 0), ("%p", 0, 1, 0)] + [("%q", 0, 0, 1)] * rng.randrange(2)
    lines: list[str] = []
    if rng.random() < 0.4:
        lines.append(f"%i2 = llvm.mul %i, %two overflow<{way}> : i32")
        terms[0] = ("%i2", 2, 0, 0)
    number = rng.randrange(len(terms) + 1)
    terms.insert(number, ("%k", 0, 0, 0))
    if rng.random() < 0.5:
        rng.shuffle(terms)
    held = terms[0][0]
    for at, term in enumerate(terms[1:]):
        name = "%at" if at == len(terms) - 2 else f"%s{at}"
        lines.append(f"{name} = llvm.add {held}, {term[0]} overflow<{way}> : i32")
        held = name
    a, b, c = (sum(column) for column in list(zip(*terms, strict=True))[1:])
    return "\n  ".join(lines), a, b, c


@pytest.mark.sample(9)
@pytest.mark.parametrize("seed", range(24))
def test_loops_address_what_their_text_says(seed: int) -> None:
    rng = Random(f"addresses {seed}")
    way = rng.choice(("nsw", "nuw", "nsw, nuw"))
    extension = "sext" if way == "nsw" else rng.choice(("sext", "zext", "zext nneg")) if "nsw" in way else "zext"
    signed = extension == "sext"
    start = rng.randrange(-20, 20) if signed and way == "nsw" else rng.randrange(20)
    step, trips = rng.choice((1, 2, 5)) * (rng.choice((1, -1)) if signed and way == "nsw" else 1), rng.randrange(2, 7)
    if signed and way == "nsw" and step > 0 and rng.random() < 0.3:
        start = -40
    index, a, b, c = _index(rng, way)
    low = -30 if signed and way == "nsw" else 0
    p, q = rng.randrange(low, 60), rng.randrange(low, 60)
    data = np.random.default_rng(seed).integers(0, 1 << 20, 4 * BASE).astype(np.int32)
    out = np.zeros(1, np.int32)
    text = _loop(start, step, trips, index, f"overflow<{way}>", extension)
    weft.run(weft.compile(text, "sm_80"), "k", 1, 1, [data, out, np.int32(p), np.int32(q)])
    expected = sum(int(data[BASE + a * (start + step * turn) + b * p + c * q + 7]) for turn in range(trips))
    assert int(out[0]) == expected


def test_a_counter_that_wraps_wraps() -> None:
    """Without a word on overflow, the index goes from 2^32 - 2 over 0."""
    index = "%at = llvm.add %i, %p : i32"
    text = _loop(-2, 1, 4, index, "", "zext")
    data = np.arange(4 * BASE, dtype=np.int32)
    out = np.zeros(1, np.int32)
    weft.run(weft.compile(text, "sm_80"), "k", 1, 1, [data, out, np.int32(2), np.int32(0)])
    assert int(out[0]) == sum(BASE + at for at in range(4))


def test_shared_memory_behind_a_generic_pointer_is_accessed_as_such() -> None:
    text = """
llvm.mlir.global internal @held() {addr_space = 3 : i32} : !llvm.array<64 x i32>
llvm.func @k(%out: !llvm.ptr) attributes {gpu.kernel, nvvm.kernel} {
  %s = llvm.mlir.addressof @held : !llvm.ptr<3>
  %g = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %at = llvm.getelementptr %g[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %t, %at : i32, !llvm.ptr
  %number = llvm.ptrtoint %at : !llvm.ptr to i64
  %again = llvm.inttoptr %number : i64 to !llvm.ptr
  %x = llvm.load %again {volatile_} : !llvm.ptr -> i32
  %to = llvm.getelementptr %out[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %x, %to : i32, !llvm.ptr
  llvm.return
}"""
    module = weft.compile(text, "sm_80")
    assert "st.shared.b32" in module.to_ptx()
    out = np.zeros(32, np.int32)
    weft.run(module, "k", 1, 32, [out])
    assert out.tolist() == list(range(32))


def test_what_the_next_turn_reads_is_written_before_the_branch() -> None:
    """A loop whose carried values change places ends with one branch, and its results are those before the change."""
    text = """
llvm.func @k(%out: !llvm.ptr, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
  %0 = llvm.mlir.constant(0 : i32) : i32
  %1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^head(%0, %0, %1 : i32, i32, i32)
^head(%i: i32, %a: i32, %b: i32):
  %c = llvm.add %a, %b : i32
  %next = llvm.add %i, %1 overflow<nsw> : i32
  %go = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %go, ^head(%next, %b, %c : i32, i32, i32), ^done
^done:
  llvm.store %c, %out : i32, !llvm.ptr
  llvm.return
}"""
    module = weft.compile(text, "sm_80")
    for n in (1, 2, 9):
        out = np.zeros(1, np.int32)
        weft.run(module, "k", 1, 1, [out, np.int32(n)])
        a, b = 0, 1
        for _ in range(n - 1):
            a, b = b, a + b
        assert int(out[0]) == a + b
    assert module.to_ptx().count("bra") == 1


ROWS = """
llvm.func @k(%p: !llvm.ptr<1>, %o: !llvm.ptr<1>, %w: i32, %c: i32, %n: i32) attributes {nvvm.kernel} {
  %zero = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  llvm.br ^body(%zero, %zero : i32, i32)
^body(%j: i32, %sum: i32):
  %m = llvm.mul %j, %w overflow<nsw> : i32
  %i = llvm.add %m, %c overflow<nsw> : i32
  %x = llvm.sext %i : i32 to i64
  %at = llvm.getelementptr %p[%x] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %v = llvm.load %at : !llvm.ptr<1> -> i32
  %further = llvm.or disjoint %j, %one : i32
  %m1 = llvm.mul %further, %w overflow<nsw> : i32
  %i1 = llvm.add %m1, %c overflow<nsw> : i32
  %x1 = llvm.sext %i1 : i32 to i64
  %at1 = llvm.getelementptr %p[%x1] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %v1 = llvm.load %at1 : !llvm.ptr<1> -> i32
  %t = llvm.sub %sum, %v : i32
  %t1 = llvm.mul %t, %v1 : i32
  %next = llvm.add %j, %two overflow<nsw, nuw> : i32
  %again = llvm.icmp "slt" %next, %n : i32
  llvm.cond_br %again, ^body(%next, %t1 : i32, i32), ^end
^end:
  llvm.store %t1, %o : i32, !llvm.ptr<1>
  llvm.return
}"""


@pytest.mark.parametrize(("stride", "first"), [(7, 3), (-7, 60), (-1, 9), (0, 4), (1, 0)])
def test_the_next_row_is_one_addition_further(stride: int, first: int) -> None:
    """(j + 1) * w + c, read signed, is j * w + c and w, whatever w's sign is."""
    module = weft.compile(ROWS, "sm_80")
    assert module.to_ptx().count("mul.wide") == 2
    data, out = np.arange(3, 67, dtype=np.int32), np.zeros(1, np.int32)
    weft.run(module, "k", 1, 1, [data, out, np.int32(stride), np.int32(first), np.int32(8)])
    wanted = np.int32(0)
    with np.errstate(over="ignore"):
        for j in range(0, 8, 2):
            wanted = (wanted - data[j * stride + first]) * data[(j + 1) * stride + first]
    assert out[0] == wanted


@pytest.mark.parametrize("extension", ["sext", "zext"])
def test_a_held_sum_and_a_stride_are_added_as_the_stride_is_extended(extension: str) -> None:
    text = f"""
llvm.func @k(%p: i64, %out: !llvm.ptr, %w: i32, %n: i64) attributes {{nvvm.kernel}} {{
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  %wide = llvm.{extension} %w : i32 to i64
  llvm.br ^body(%zero : i64)
^body(%j: i64):
  %row = llvm.mul %j, %n : i64
  %at = llvm.add %p, %row : i64
  llvm.store volatile %at, %out : i64, !llvm.ptr
  %beside = llvm.add %at, %wide : i64
  llvm.store volatile %beside, %out : i64, !llvm.ptr
  %next = llvm.add %j, %one : i64
  %again = llvm.icmp "slt" %next, %n : i64
  llvm.cond_br %again, ^body(%next : i64), ^end
^end:
  llvm.return
}}"""
    module = weft.compile(text, "sm_80")
    for w in (5, -3):
        out = np.zeros(1, np.int64)
        weft.run(module, "k", 1, 1, [np.int64(1000), out, np.int32(w), np.int64(7)])
        assert out[0] == 1000 + 6 * 7 + (w if extension == "sext" else w % (1 << 32))
