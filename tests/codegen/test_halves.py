"""A sum of 32 bits whose terms are those of a sum of 64 bits is its lower half."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import weft

GLOBAL = """gpu.module @m { gpu.func @k(%x: memref<?xf32>, %o: memref<?xi32>, %f: i32) kernel {
  %d = gpu.block_dim x
  %b = gpu.block_id x
  %p = arith.muli %b, %d : index
  %t = gpu.thread_id x
  %g = arith.addi %p, %t : index
  %n = arith.index_cast %g : index to i32
  %v = arith.muli %n, %f : i32
  memref.store %v, %o[%g] : memref<?xi32>
  gpu.return } }"""


def test_a_sum_is_made_once() -> None:
    ptx = weft.compile(GLOBAL, "sm_80").to_ptx()
    assert "add.s32" not in ptx
    assert "cvt.u32.u64" in ptx


def _drawn(rng: Random) -> str:
    """Sums of 64 bits and their lower halves, which stores and branches stand between."""
    lines = ["%c0 = arith.constant 0 : index", "%t = gpu.thread_id x", "%u = arith.index_cast %t : index to i64"]
    lines += [f"%k{i} = arith.constant {rng.choice((-7, -1, 3, 1 << 31, 1 << 33))} : i64" for i in range(2)]
    known, narrow = ["%a", "%b", "%u", "%k0", "%k1"], ["%n"]
    for number in range(rng.randrange(3, 14)):
        a, b, what = rng.choice(known), rng.choice(known), rng.randrange(4)
        if what < 2:
            lines.append(f"%w{number} = arith.{('addi', 'subi')[what]} {a}, {b} : i64")
            known.append(f"%w{number}")
        elif what == 2:
            lines.append(f"%v{number} = arith.trunci {rng.choice(known[-3:])} : i64 to i32")
            lines.append(f"%s{number} = arith.addi %v{number}, {rng.choice(narrow)} : i32")
            narrow += [f"%v{number}", f"%s{number}"]
        else:
            lines.append(f"%i{number} = arith.constant {number} : index")
            lines.append(f"memref.store {rng.choice(narrow)}, %o[%t, %i{number}] : memref<32x32xi32>")
    for number, wide in enumerate(known[-4:]):
        lines.append(f"%j{number} = arith.constant {20 + number} : index")
        lines.append(f"memref.store {wide}, %q[%t, %j{number}] : memref<32x32xi64>")
    body = "\n  ".join(
        [*lines, f"%z = arith.constant 19 : index\n  memref.store {narrow[-1]}, %o[%t, %z] : memref<32x32xi32>"]
    )
    head = "%o: memref<32x32xi32>, %q: memref<32x32xi64>, %a: i64, %b: i64, %n: i32"
    return f"gpu.module @m {{ gpu.func @k({head}) kernel {{\n  {body}\n  gpu.return }} }}"


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(200))
def test_lower_halves_are_those_of_the_sums(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = _drawn(Random(seed))
    found: list[list[np.ndarray]] = []
    for apart in (False, True):
        if apart:
            monkeypatch.setattr("weft.codegen.emit.take_halves", lambda root: False)  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
        arrays = [np.zeros((32, 32), np.int32), np.zeros((32, 32), np.int64)]
        module = weft.compile(text, "sm_80", bare_pointers=True)
        numbers = [np.int64(-5 << 30), np.int64((1 << 40) + 77), np.int32(-1)]
        weft.run(module, "k", grid=(1,), block=(32,), args=[*arrays, *numbers])
        found.append(arrays)
    assert all(np.array_equal(a, b) for a, b in zip(*found, strict=True))
