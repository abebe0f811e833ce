"""Which instructions are chosen where several do the same, and that they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, elementwise, launch

U32, U64 = np.uint32, np.uint64
WORDS = np.random.default_rng(7).integers(0, 1 << 63, 256, dtype=np.int64) * 2 + 1
NARROW = np.arange(-128, 128).astype(np.int8)


def _turned(x: Any, bits: int, up: int) -> Any:
    wide = x.view(U32 if bits == 32 else U64)
    return ((wide << type(wide[0])(up)) | (wide >> type(wide[0])(bits - up))).view(x.dtype)


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.parametrize("up", [1, 13, 31, 8, 16])
@pytest.mark.parametrize("op", ["ori", "xori"])
@pytest.mark.parametrize("factor", [1, 0x1234567])
def test_rotations(bits: int, up: int, op: str, factor: int) -> None:
    x = WORDS.astype(f"int{bits}")
    text = f"""
      %f = arith.constant {factor} : i{bits}
      %x = arith.muli %a, %f : i{bits}
      %u = arith.constant {up} : i{bits}
      %d = arith.constant {bits - up} : i{bits}
      %p = arith.shli %x, %u : i{bits}
      %q = arith.shrui %x, %d : i{bits}
      %r = arith.{op} %p, %q : i{bits}"""
    got = elementwise(text.strip(), x, result=x.dtype)
    with np.errstate(over="ignore"):
        assert np.array_equal(got, _turned(x * x.dtype.type(factor), bits, up))


SIGNED: list[tuple[str, Callable[[Any], Any], str]] = [
    ("%r = arith.extsi %a : i8 to i32", lambda x: x.astype(np.int32), "ld.global.s8"),
    ("%r = arith.extui %a : i8 to i32", lambda x: x.view(np.uint8).astype(np.int32), "ld.global.u8"),
    ("%w = arith.extsi %a : i8 to i32\n%v = arith.extui %a : i8 to i32\n%r = arith.addi %v, %w : i32",
     lambda x: x.astype(np.int32) + x.view(np.uint8), "ld.global.u8"),
    ("%z = arith.constant -7 : i8\n%t = arith.cmpi slt, %a, %z : i8\n%r = arith.extui %t : i1 to i32",
     lambda x: (x < -7).astype(np.int32), "ld.global.s8"),
    ("%z = arith.constant -7 : i8\n%t = arith.cmpi eq, %a, %z : i8\n%r = arith.extui %t : i1 to i32",
     lambda x: (x == -7).astype(np.int32), "ld.global.u8"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted", "load"), SIGNED)
def test_narrow_loads_extend_as_they_are_read(text: str, wanted: Callable[[Any], Any], load: str) -> None:
    kernel = f"""gpu.module @m {{ gpu.func @k(%m: memref<256xi8>, %o: memref<256xi32>) kernel {{
      %i = gpu.thread_id x
      %a = memref.load %m[%i] : memref<256xi8>
      {text}
      memref.store %r, %o[%i] : memref<256xi32>
      gpu.return }} }}"""
    module, out = compiled(kernel), np.zeros(256, np.int32)
    launch(module, "k", (1,), (256,), [NARROW, out])
    assert np.array_equal(out, wanted(NARROW))
    assert load in module.to_ptx()


@pytest.mark.parametrize("constant", [-306674912, 0x80000001 - (1 << 32), 0x40000001, 5])
def test_constants_stay_whole_in_xor(constant: int) -> None:
    text = f"%s = arith.constant 1 : i32\n%x = arith.shrui %a, %s : i32\n%c = arith.constant {constant} : i32\n"
    x = WORDS.astype(np.int32)
    got = elementwise(f"{text}%r = arith.xori %x, %c : i32", x, result=np.int32)
    assert np.array_equal(got.view(U32), (x.view(U32) >> U32(1)) ^ U32(constant & 0xFFFFFFFF))


@pytest.mark.parametrize("count", [0, 1, 7, 130])
def test_addresses_behind_the_guard(count: int) -> None:
    """A loop's own addresses are computed behind its guard; what it carries is there without a turn too."""
    kernel = """gpu.module @m { gpu.func @k(%m: memref<?xf32>, %o: memref<?xf32>, %n: index) kernel {
      %i = gpu.thread_id x
      %s = arith.constant 32 : index
      %z = arith.constant 3.0 : f32
      %t = scf.for %j = %i to %n step %s iter_args(%c = %z) -> (f32) {
        %x = memref.load %m[%j] : memref<?xf32>
        %d = arith.addf %c, %x : f32
        scf.yield %d : f32
      }
      memref.store %t, %o[%i] : memref<?xf32>
      gpu.return } }"""
    x, out = np.arange(200, dtype=np.float32), np.zeros(32, np.float32)
    module = compiled(kernel)
    launch(module, "k", (1,), (32,), [x, out, count])
    assert np.array_equal(out, [3 + sum(x[i:count:32]) for i in range(32)])


def test_unaligned_bytes_are_read_apart() -> None:
    """Bytes that are put together and taken apart again are never put together."""
    kernel = """gpu.module @m { gpu.func @k(%m: memref<?xi8>, %o: memref<?xi32>) kernel {
      %i = arith.constant 1 : index
      %v = vector.load %m[%i] : memref<?xi8>, vector<4xi8>
      %w = arith.extsi %v : vector<4xi8> to vector<4xi32>
      %z = arith.constant 0 : index
      vector.store %w, %o[%z] : memref<?xi32>, vector<4xi32>
      gpu.return } }"""
    module, out = compiled(kernel), np.zeros(4, np.int32)
    launch(module, "k", (1,), (1,), [NARROW[:6].copy(), out])
    assert np.array_equal(out, NARROW[1:5])
    assert "mad" not in module.to_ptx()
    assert "prmt" not in module.to_ptx()
