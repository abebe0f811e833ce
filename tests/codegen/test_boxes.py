"""Boxes of iterations in one thread, and regions of several blocks in structured code, on the simulator."""

from __future__ import annotations

import numpy as np
import pytest

from tests.codegen.support import compiled, launch
from weft.errors import CompileError

KERNEL = """gpu.module @m {{ gpu.func @k(%A: memref<?x8xf32>, %n: index, %o: memref<?xi32>) kernel {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  {}
  gpu.return
}} }}"""


def run(body: str, rows: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """The arrays after the body has run in one thread: of floats 0, 1, 2, ... and of zeros."""
    floats, integers = np.arange(8 * rows, dtype=np.float32).reshape(rows, 8), np.zeros(8, np.int32)
    launch(compiled(KERNEL.format(body)), "k", 1, 1, [floats, rows, integers])
    return floats, integers


@pytest.mark.sample(1)
@pytest.mark.parametrize("rows", [0, 1, 5])
def test_forall(rows: int) -> None:
    body = """scf.forall (%i, %j) = (0, 1) to (%n, 8) step (1, 2) {
      %v = memref.load %A[%i, %j] : memref<?x8xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %A[%i, %j] : memref<?x8xf32>
    }"""
    wanted = np.arange(8 * rows, dtype=np.float32).reshape(rows, 8)
    wanted[:, 1::2] *= 2
    assert np.array_equal(run(body, rows)[0], wanted)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("kind", "type_", "value"),
    [("addf", "f32", 12.0), ("mulf", "f32", 0.0), ("maximumf", "f32", 6.0), ("minimumf", "f32", 0.0),
     ("addi", "i32", 12), ("muli", "i32", 0), ("andi", "i32", 0), ("ori", "i32", 6)],
)  # fmt: skip
def test_affine_parallel(kind: str, type_: str, value: float) -> None:
    """Even rows and two columns of 0, 2, 4, 6: the least of the upper bounds counts, and the largest lower one."""
    body = f"""%s = affine.parallel (%i, %j) = (max(0, %c0 - 2), 0) to (min(%n, 4), 2) step (2, 1) reduce ("{kind}") -> ({type_}) {{
      %x = affine.apply affine_map<(i, j) -> (i * 2 + j * 2)>(%i, %j)
      %xi = arith.index_cast %x : index to i32
      %xf = arith.sitofp %xi : i32 to f32
      affine.yield %x{type_[0]} : {type_}
    }}
    %c0_i = arith.constant 0 : i32
    affine.store %s, {"%A[0, 0] : memref<?x8xf32>" if type_ == "f32" else "%o[0] : memref<?xi32>"}"""
    floats, integers = run(body, 9)
    assert (floats[0, 0] if type_ == "f32" else integers[0]) == value


def test_parallel_with_reductions() -> None:
    body = """%least = arith.constant 100.0 : f32
    %s:2 = scf.parallel (%i, %j) = (%c1, %c0) to (%n, %c8) step (%c1, %c1) init (%zero, %least) -> (f32, f32) {
      %v = memref.load %A[%i, %j] : memref<?x8xf32>
      scf.reduce(%v, %v : f32, f32) {
        ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        scf.reduce.return %t : f32
      }, {
        ^bb0(%l: f32, %r: f32):
        %t = arith.minimumf %l, %r : f32
        scf.reduce.return %t : f32
      }
    }
    memref.store %s#0, %A[%c0, %c0] : memref<?x8xf32>
    memref.store %s#1, %A[%c0, %c1] : memref<?x8xf32>"""
    found = run(body)[0]
    assert found[0, 0] == np.arange(8, 32).sum()
    assert found[0, 1] == 8


def test_mapped_boxes_are_refused() -> None:
    body = "scf.forall (%i) in (8) { } {mapping = [#gpu.thread<x>]}"
    with pytest.raises(
        CompileError, match=r"'scf\.forall': a loop that is mapped to threads or blocks has no lowering"
    ):
        run(body)


def steps_to_one(number: int) -> int:
    """How often a number is halved, or tripled and raised by one, until it is 1."""
    steps = 0
    while number != 1:
        number = 3 * number + 1 if number & 1 else number >> 1
        steps += 1
    return steps


def test_region_of_several_blocks_in_a_loop() -> None:
    body = """%start = arith.constant 27 : i32
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start) -> i32 {
      %x = scf.execute_region -> i32 {
        %none = arith.constant 0 : i32
        cf.br ^head(%acc, %none : i32, i32)
      ^head(%c: i32, %steps: i32):
        %one = arith.constant 1 : i32
        %three = arith.constant 3 : i32
        %done = arith.cmpi eq, %c, %one : i32
        cf.cond_br %done, ^out(%steps : i32), ^more
      ^more:
        %odd = arith.trunci %c : i32 to i1
        %half = arith.shrui %c, %one : i32
        %triple = arith.muli %c, %three : i32
        %up = arith.addi %triple, %one : i32
        %next = arith.select %odd, %up, %half : i32
        %further = arith.addi %steps, %one : i32
        cf.br ^head(%next, %further : i32, i32)
      ^out(%f: i32):
        %g = arith.addi %f, %acc : i32
        scf.yield %g : i32
      }
      memref.store %x, %o[%i] : memref<?xi32>
      scf.yield %x : i32
    }"""
    wanted, number = [], 27
    for _ in range(5):
        number += steps_to_one(number)
        wanted.append(number)
    assert run(body, 5)[1].tolist() == [*wanted, 0, 0, 0]


def test_region_with_two_ways_out() -> None:
    body = """scf.for %i = %c0 to %c8 step %c1 {
      %big, %mark = scf.execute_region -> (i1, i32) {
        %three = arith.constant 3 : index
        %more = arith.cmpi ugt, %i, %three : index
        cf.cond_br %more, ^large, ^small
      ^large:
        %a = arith.constant 10 : i32
        scf.yield %more, %a : i1, i32
      ^small:
        %b = arith.constant 20 : i32
        scf.yield %more, %b : i1, i32
      }
      %c = arith.extui %big : i1 to i32
      %d = arith.addi %mark, %c : i32
      memref.store %d, %o[%i] : memref<?xi32>
    }"""
    assert run(body)[1].tolist() == [20] * 4 + [11] * 4


def test_scope_of_local_buffers() -> None:
    body = """%v = "memref.alloca_scope"() ({
      %seven = arith.constant 7 : i32
      %b = memref.alloca() : memref<4xi32>
      memref.store %seven, %b[%n] : memref<4xi32>
      %w = memref.load %b[%n] : memref<4xi32>
      "memref.alloca_scope.return"(%w) : (i32) -> ()
    }) : () -> i32
    memref.store %v, %o[%c0] : memref<?xi32>"""
    assert run(body, 3)[1][0] == 7
