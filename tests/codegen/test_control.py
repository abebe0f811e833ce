"""Loops, branches and unstructured control flow, run on the simulator against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.codegen.support import compiled, launch

HEAD = """
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %t = gpu.thread_id x
"""
A = np.arange(1, 65, dtype=np.float32)


def run(body: str, n: int, *, source: np.ndarray = A) -> np.ndarray:
    """Run a kernel of 32 threads over `%A` (64 floats) and `%n`, which writes `%B` (64 floats)."""
    text = f"""gpu.module @m {{ gpu.func @k(%A: memref<?xf32>, %B: memref<?xf32>, %n: index) kernel
        attributes {{known_block_size = array<i32: 32, 1, 1>}} {{ {HEAD} {body} gpu.return }} }}"""
    out = np.zeros(64, np.float32)
    launch(compiled(text), "k", 1, 32, [source.copy(), out, n])
    return out


@pytest.mark.parametrize("n", [0, 1, 5, 64])
def test_sum(n: int) -> None:
    """A loop that may not run, over a carried float and a pointer that steps with the counter."""
    body = """%r = scf.for %i = %t to %n step %c4 iter_args(%acc = %zero) -> (f32) {
        %v = memref.load %A[%i] : memref<?xf32>
        %s = arith.addf %acc, %v : f32
        scf.yield %s : f32 }
      memref.store %r, %B[%t] : memref<?xf32>"""
    wanted = [A[t:n:4].sum() for t in range(32)]
    np.testing.assert_array_equal(run(body, n)[:32], wanted)


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_carried_values_trade_places(n: int) -> None:
    """Fibonacci: the copies at the loop's end happen at once."""
    body = """%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %one) -> (f32, f32) {
        %s = arith.addf %a, %b : f32
        scf.yield %b, %s : f32, f32 }
      memref.store %r#0, %B[%t] : memref<?xf32>"""
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    assert run(body, n)[3] == a


@pytest.mark.parametrize("n", [0, 1, 2, 7])
def test_swap(n: int) -> None:
    body = """%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %b = %one) -> (f32, f32) {
        scf.yield %b, %a : f32, f32 }
      memref.store %r#0, %B[%t] : memref<?xf32>"""
    assert run(body, n)[0] == n % 2


def test_nested_loops_with_inductions() -> None:
    """Addresses that step with both counters."""
    text = """gpu.module @m { gpu.func @k(%X: memref<?x?xf32>, %Y: memref<?x?xf32>, %n: index, %m: index) kernel {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c32 = arith.constant 32 : index
        %t = gpu.thread_id x
        scf.for %i = %c0 to %n step %c1 {
          scf.for %j = %t to %m step %c32 {
            %v = memref.load %X[%i, %j] : memref<?x?xf32>
            memref.store %v, %Y[%j, %i] : memref<?x?xf32>
          }
        }
        gpu.return } }"""
    x = np.random.default_rng(0).standard_normal((7, 75), dtype=np.float32)
    y = np.zeros((75, 7), np.float32)
    launch(compiled(text), "k", 1, 32, [x, y, 7, 75])
    np.testing.assert_array_equal(y, x.T)


def test_stage_index_in_32_bits() -> None:
    """A value that flips between 0 and 1 stays in 32 bits."""
    body = """%r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0, %x = %zero) -> (index, f32) {
        %v = memref.load %A[%s] : memref<?xf32>
        %y = arith.addf %x, %v : f32
        %o = arith.subi %c1, %s : index
        scf.yield %o, %y : index, f32 }
      memref.store %r#1, %B[%t] : memref<?xf32>"""
    assert run(body, 5)[0] == 1 + 2 + 1 + 2 + 1


@pytest.mark.parametrize("n", [0, 3, 40])
def test_while(n: int) -> None:
    body = """%r:2 = scf.while (%i = %t, %acc = %zero) : (index, f32) -> (f32, index) {
        %c = arith.cmpi ult, %i, %n : index
        scf.condition(%c) %acc, %i : f32, index
      } do { ^bb0(%acc: f32, %i: index):
        %v = memref.load %A[%i] : memref<?xf32>
        %s = arith.addf %acc, %v : f32
        %j = arith.addi %i, %c4 : index
        scf.yield %j, %s : index, f32 }
      memref.store %r#0, %B[%t] : memref<?xf32>"""
    np.testing.assert_array_equal(run(body, n)[:32], [A[t:n:4].sum() for t in range(32)])


@pytest.mark.parametrize("n", [0, 20, 40])
def test_branches(n: int) -> None:
    """A branch that loads, one that becomes a selection, one that only stores."""
    body = """%c = arith.cmpi ult, %t, %n : index
      %x = scf.if %c -> (f32) {
        %v = memref.load %A[%t] : memref<?xf32>
        scf.yield %v : f32
      } else { scf.yield %one : f32 }
      %y = scf.if %c -> (f32) {
        %d = arith.addf %x, %x : f32
        scf.yield %d : f32
      } else { scf.yield %x : f32 }
      scf.if %c { memref.store %y, %B[%t] : memref<?xf32> }"""
    wanted = np.where(np.arange(32) < n, 2 * A[:32], 0)
    np.testing.assert_array_equal(run(body, n)[:32], wanted)


@pytest.mark.parametrize("n", [0, 2, 5, 9])
def test_index_switch(n: int) -> None:
    body = """%r = scf.index_switch %n -> f32
      case 2 { %v = memref.load %A[%c4] : memref<?xf32>
        scf.yield %v : f32 }
      case 5 { scf.yield %one : f32 }
      default { %v = memref.load %A[%c1] : memref<?xf32>
        scf.yield %v : f32 }
      memref.store %r, %B[%t] : memref<?xf32>"""
    assert run(body, n)[0] == {2: A[4], 5: 1}.get(n, A[1])


@pytest.mark.parametrize("n", [0, 1, 6])
def test_unstructured_loop(n: int) -> None:
    body = """cf.br ^head(%c0, %zero, %one : index, f32, f32)
      ^head(%i: index, %a: f32, %b: f32):
        %c = arith.cmpi slt, %i, %n : index
        cf.cond_br %c, ^body, ^exit(%a : f32)
      ^body:
        %v = memref.load %A[%i] : memref<?xf32>
        %s = arith.addf %b, %v : f32
        %j = arith.addi %i, %c1 : index
        cf.br ^head(%j, %s, %a : index, f32, f32)
      ^exit(%r: f32):
        memref.store %r, %B[%t] : memref<?xf32>"""
    a, b = 0, 1
    for i in range(n):
        a, b = b + A[i], a
    assert run(body, n)[0] == a


@pytest.mark.parametrize("n", [0, 3, 5, 6])
def test_switch(n: int) -> None:
    body = """%x = arith.index_cast %n : index to i32
      cf.switch %x : i32, [default: ^other, 3: ^three, 5: ^store(%one : f32)]
      ^other:
        cf.br ^end
      ^three:
        %v = memref.load %A[%c4] : memref<?xf32>
        cf.br ^store(%v : f32)
      ^store(%w: f32):
        memref.store %w, %B[%t] : memref<?xf32>
        cf.br ^end
      ^end:"""
    assert run(body, n)[0] == {3: A[4], 5: 1}.get(n, 0)


def test_structured_loop_inside_unstructured_one() -> None:
    """A value that is needed again after a branch backwards is not overwritten by a loop that starts from it."""
    body = """%first = memref.load %A[%c0] : memref<?xf32>
      cf.br ^head(%c0, %zero : index, f32)
      ^head(%i: index, %sum: f32):
        %part = scf.for %j = %c0 to %n step %c1 iter_args(%x = %first) -> (f32) {
          %v = memref.load %A[%j] : memref<?xf32>
          %y = arith.addf %x, %v : f32
          scf.yield %y : f32 }
        %next = arith.addf %sum, %part : f32
        %k = arith.addi %i, %c1 : index
        %c = arith.cmpi slt, %k, %c4 : index
        cf.cond_br %c, ^head(%k, %next : index, f32), ^exit
      ^exit:
        memref.store %next, %B[%t] : memref<?xf32>"""
    assert run(body, 3)[0] == 4 * (1 + 1 + 2 + 3)


def mma_copies(text: str) -> list[str]:
    return [line for line in text.splitlines() if "mov.b32" in line]


def test_no_copies_around_accumulators(examples: Any) -> None:
    """Between the first and the last mma of the GEMM no register is copied."""
    module = compiled((examples / "gemm_sm80.mlir").read_text())
    text = module.to_ptx()
    inside = text[text.index("mma.sync") : text.rindex("mma.sync")]
    assert mma_copies(inside) == []


def test_instructions_go_into_the_branch_that_needs_them() -> None:
    kernel = """gpu.module @m { gpu.func @k(%o: memref<64xi32>, %n: i32) kernel {
      %i = gpu.thread_id x
      %t = arith.index_cast %i : index to i32
      %five = arith.constant 5 : i32
      %p = arith.muli %t, %n : i32
      %q = arith.xori %p, %five : i32
      %r = arith.addi %p, %five : i32
      %c = arith.cmpi slt, %t, %five : i32
      cf.cond_br %c, ^small, ^large
    ^small:
      memref.store %q, %o[%i] : memref<64xi32>
      cf.br ^end
    ^large:
      %d = arith.cmpi eq, %r, %n : i32
      %v = arith.select %d, %q, %r : i32
      scf.if %d { memref.store %v, %o[%i] : memref<64xi32> }
      cf.br ^end
    ^end:
      gpu.return } }"""
    module, out = compiled(kernel), np.full(64, -1, np.int32)
    launch(module, "k", (1,), (64,), [out, np.int32(7)])
    t = np.arange(64)
    assert np.array_equal(out, np.where(t < 5, t * 7 ^ 5, np.where(t * 7 + 5 == 7, t * 7 ^ 5, -1)))
    text = module.to_ptx()
    assert text.index("mul.lo.s32") < text.index("bra")
    assert text.index("bra") < text.index("add.s32")


_INSERTION = """
gpu.module @m {
gpu.func @k(%a: memref<?x?xi32>, %size: index) kernel {
  %t = gpu.thread_id x
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %no = arith.constant false
  scf.for %i = %one to %size step %one {
    %key = memref.load %a[%t, %i] : memref<?x?xi32>
    %end = scf.while (%j = %i) : (index) -> index {
      %some = arith.cmpi sgt, %j, %zero : index
      %more = scf.if %some -> (i1) {
        %h = arith.subi %j, %one : index
        %v = memref.load %a[%t, %h] : memref<?x?xi32>
        %c = arith.cmpi sgt, %v, %key : i32
        scf.yield %c : i1
      } else {
        scf.yield %no : i1
      }
      scf.condition(%more) %j : index
    } do {
    ^bb0(%j: index):
      %h = arith.subi %j, %one : index
      %v = memref.load %a[%t, %h] : memref<?x?xi32>
      memref.store %v, %a[%t, %j] : memref<?x?xi32>
      scf.yield %h : index
    }
    memref.store %key, %a[%t, %end] : memref<?x?xi32>
  }
  gpu.return
}}"""


@pytest.mark.parametrize("target", ["sm_80", "sm_100a"])
def test_a_turn_knows_what_its_test_has_loaded(target: str) -> None:
    data = np.random.default_rng(3).integers(-50, 50, (32, 17)).astype(np.int32)
    found = data.copy()
    module = compiled(_INSERTION, target)
    launch(module, "k", 1, 32, [found, 17])
    assert (found == np.sort(data, axis=1)).all()
    assert module.to_ptx().count("ld.global") == 3  # The key, and for the test before the first turn and after each.
