"""`nvgpu.warpgroup.mma` of every type: the instruction, its accumulators, and how far the descriptors move."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weft
from weft.errors import CompileError
from weft.mlir import parse_mlir, print_mlir
from weft.transforms.nvgpu_to_nvvm import lower_module

KINDS = [
    ("f16", "f32", "f32.f16.f16", 16, 16),
    ("f16", "f16", "f16.f16.f16", 16, 16),
    ("bf16", "f32", "f32.bf16.bf16", 16, 16),
    ("f8E4M3FN", "f32", "f32.e4m3.e4m3", 32, 8),
    ("f8E4M3FN", "f16", "f16.e4m3.e4m3", 32, 8),
    ("f8E5M2", "f32", "f32.e5m2.e5m2", 32, 8),
    ("i8", "i32", "s32.s8.s8", 32, 8),
]
"""Elements, sums, the types of the instruction, its depth, and the bits of an element."""


def module(element: str, sums: str, depth: int, steps: int = 2, rows: int = 64, wait: str = "") -> str:
    """A product of `rows` x 16 that is stored."""
    a, b = f"memref<{rows}x{depth * steps}x{element}, 3>", f"memref<{depth * steps}x16x{element}, 3>"
    bits = 16 if element in ("f16", "bf16") else 8
    tensor = f"!nvgpu.tensormap.descriptor<tensor = memref<128x{1024 // bits}x{element}, 3>, swizzle = swizzle_128b, "
    tensor += "l2promo = none, oob = zero, interleave = none>"
    whole = f"<fragmented = vector<{rows}x16x{sums}>>"
    return f"""module {{ gpu.module @m {{
    gpu.func @k(%a: {a}, %b: {b}, %t: {tensor}, %c: memref<{rows}x16x{sums}>) kernel {{
      %da = nvgpu.warpgroup.generate.descriptor %a, %t : {a}, {tensor} -> !nvgpu.warpgroup.descriptor<tensor = {a}>
      %db = nvgpu.warpgroup.generate.descriptor %b, %t : {b}, {tensor} -> !nvgpu.warpgroup.descriptor<tensor = {b}>
      %z = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator{whole}
      %d = nvgpu.warpgroup.mma %da, %db, %z {wait}: <tensor = {a}>, <tensor = {b}>, {whole} -> {whole}
      nvgpu.warpgroup.mma.store %d, %c : {whole} to memref<{rows}x16x{sums}>
      gpu.return
    }} }} }}"""


@pytest.mark.parametrize(("element", "sums", "types", "depth", "bits"), KINDS, ids=[each[2] for each in KINDS])
def test_the_instruction_of_each_type(element: str, sums: str, types: str, depth: int, bits: int) -> None:
    ptx = weft.compile(module(element, sums, depth), "sm_90a").to_ptx()
    found = re.findall(r"wgmma\.mma_async\.sync\.aligned\.(\S+) \{([^}]*)\}, (%rd\d+), (%rd\d+), 1", ptx)
    assert [shape for shape, *_ in found] == [f"m64n16k{depth}.{types}"] * 2
    # 64 x 16 sums in 128 threads: 8 in registers of their own, halves in pairs.
    registers = found[0][1].split(", ")
    assert len(registers) == (4 if sums == "f16" else 8)
    # A's rows go on after 32 bytes of K, the columns of B's after as many rows: in units of 16 bytes.
    moves = {name: (of, int(by)) for name, of, by in re.findall(r"add\.s64 (%rd\d+), (%rd\d+), (\d+);", ptx)}
    assert moves[found[1][2]] == (found[0][2], 2)
    assert moves[found[1][3]] == (found[0][3], 2 * depth * depth * bits // 8 // 16)
    size = 2 if sums == "f16" else 4
    stored = {int(at or 0): value for at, value in re.findall(r"st\.global\.b\d+ \[%rd\d+\+?(\d*)\], (\S+);", ptx)}
    # A lane has two neighbours in rows 0 and 8 of each eight columns.
    places = [(8 * half * 16 + 8 * block + pair) * size for block in (0, 1) for half in (0, 1) for pair in (0, 1)]
    assert sorted(stored) == sorted(places)
    if size == 4:
        assert [stored[place] for place in places] == registers


@pytest.mark.parametrize(("wait", "count"), [("", 1), ("{waitGroup = 0 : i64}", 0), ("{waitGroup = 3 : i64}", 3)])
def test_what_is_waited_for(wait: str, count: int) -> None:
    lowered = parse_mlir(module("f16", "f32", 16, wait=wait))
    lower_module(lowered)
    assert f"nvvm.wgmma.wait.group.sync.aligned {count}" in print_mlir(lowered)


def given(element: str, sums: str, depth: int, words: str = "") -> str:
    """A product of descriptors that come from elsewhere."""
    a, b = (f"<tensor = memref<{shape}x{element}, 3>>" for shape in (f"64x{2 * depth}", f"{2 * depth}x16"))
    whole = f"<fragmented = vector<64x16x{sums}>>"
    return f"""func.func @k(%a: !nvgpu.warpgroup.descriptor{a}, %b: !nvgpu.warpgroup.descriptor{b}) {{
      %z = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator{whole}
      %d = nvgpu.warpgroup.mma %a, %b, %z {words}: {a}, {b}, {whole} -> {whole}
      return
    }}"""


def test_single_bits() -> None:
    lowered = parse_mlir(given("i1", "i32", 256))
    lower_module(lowered)
    text = print_mlir(lowered)
    assert text.count("<m = 64, n = 16, k = 256>") == 2
    assert text.count("<b1>") == 4 and "<s32>" in text
    # 256 bits are 32 bytes of a row; the columns of B go on after 512 of them.
    moves = re.findall(r"llvm\.mlir\.constant\((\d+) : i32\) : i64", text)
    assert sorted(moves) == [str(512 * 256 // 128), "2"]


def tf32(rows: int, depth: int) -> str:
    """A product of the first elements of rows of 32, which TMA brings as f32: A's and B's both lie along K."""
    shared = "#gpu.address_space<workgroup>"
    maps = [
        f"!nvgpu.tensormap.descriptor<tensor = memref<{each}x32xf32, 3>, swizzle = swizzle_128b, "
        "l2promo = none, oob = zero, interleave = none>"
        for each in (rows, 16)
    ]
    a, b = (f"memref<{shape}xtf32, {shared}>" for shape in (f"{rows}x{depth}", f"{depth}x16"))
    brought = [f"memref<{each}x32xf32, {shared}>" for each in (rows, 16)]
    group = f"!nvgpu.mbarrier.group<memorySpace = {shared}, num_barriers = 1>"
    whole = f"<fragmented = vector<{rows}x16xf32>>"
    return f"""gpu.module @m {{ gpu.func @k(%A: {maps[0]}, %B: {maps[1]}, %c: memref<{rows}x16xf32>) kernel
        attributes {{known_block_size = array<i32: 128, 1, 1>}} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %start = arith.constant {rows * 128} : index
      %bytes = arith.constant {(rows + 16) * 128} : index
      %ticks = arith.constant 10000000 : index
      %t = gpu.thread_id x
      %first = arith.cmpi eq, %t, %c0 : index
      %m = gpu.dynamic_shared_memory : memref<?xi8, {shared}>
      %bar = nvgpu.mbarrier.create -> {group}
      nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %first : {group}
      gpu.barrier
      %a = memref.view %m[%c0][] : memref<?xi8, {shared}> to {a}
      %f = memref.view %m[%c0][] : memref<?xi8, {shared}> to {brought[0]}
      %g = memref.view %m[%start][] : memref<?xi8, {shared}> to {brought[1]}
      %b = memref.view %m[%start][] : memref<?xi8, {shared}> to {b}
      nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes, predicate = %first : {group}
      nvgpu.tma.async.load %A[%c0, %c0], %bar[%c0] to %f, predicate = %first : {maps[0]}, {group} -> {brought[0]}
      nvgpu.tma.async.load %B[%c0, %c0], %bar[%c0] to %g, predicate = %first : {maps[1]}, {group} -> {brought[1]}
      %phase = arith.constant false
      nvgpu.mbarrier.try_wait.parity %bar[%c0], %phase, %ticks : {group}
      %x = nvgpu.warpgroup.generate.descriptor %a, %A : {a}, {maps[0]} -> !nvgpu.warpgroup.descriptor<tensor = {a}>
      %y = nvgpu.warpgroup.generate.descriptor %b, %B : {b}, {maps[1]} -> !nvgpu.warpgroup.descriptor<tensor = {b}>
      %z = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator{whole}
      %d = nvgpu.warpgroup.mma %x, %y, %z {{waitGroup = 0 : i64}} : <tensor = {a}>, <tensor = {b}>, {whole} -> {whole}
      nvgpu.warpgroup.mma.store %d, %c : {whole} to memref<{rows}x16xf32>
      gpu.return
    }} }}"""


@pytest.mark.parametrize(("rows", "depth"), [(128, 32), (128, 24), (64, 8)])
def test_products_of_tf32(rows: int, depth: int) -> None:
    """Elements of 4 bytes, 8 of them a step, which lie along K in both operands."""
    rng = np.random.default_rng(rows)
    a, b = (rng.integers(-99, 100, (each, 32)).astype(np.float32) for each in (rows, 16))
    c = np.zeros((rows, 16), np.float32)
    maps = [weft.TensorMap(each, each.shape, swizzle="128B") for each in (a, b)]
    module = weft.compile(tf32(rows, depth), "sm_90a")
    weft.run(
        module, "k", grid=(1,), block=(128,), args=[*maps, c, c, 0, rows, 16, 16, 1], shared_bytes=(rows + 16) * 128
    )
    np.testing.assert_array_equal(c, a[:, :depth] @ b[:, :depth].T)


def test_products_of_tf32_that_wgmma_does_not_have() -> None:
    for words, depth, said, hint in (
        ("{transposeB} ", 32, "wgmma does not transpose tf32", "store B as N x K, and leave out transposeB"),
        ("", 40, "40 elements of tf32 are more than a row of a swizzle", "add products of 32 along K"),
    ):
        with pytest.raises(CompileError) as caught:
            lower_module(parse_mlir(given("tf32", "f32", depth // 2, words)))
        assert (caught.value.message, caught.value.hint) == (f"'nvgpu.warpgroup.mma': {said}", hint)
