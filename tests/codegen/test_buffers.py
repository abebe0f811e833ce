"""Buffers of dynamic size on the thread's stack, and memrefs of any rank, on the simulator."""

from __future__ import annotations

import numpy as np
import pytest

from tests.codegen.support import compiled, launch
from weft.errors import CompileError


def kernel(body: str, functions: str = "") -> str:
    return f"""gpu.module @m {{ {functions} gpu.func @k(%A: memref<?x4xf32>, %n: index, %o: memref<?xi64>) kernel {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c2 = arith.constant 2 : index
      {body}
      gpu.return
    }} }}"""


def run(body: str, functions: str = "", rows: int = 3) -> list[int]:
    """What the body stores into 8 integers, for an array of `rows` times 4."""
    found = np.zeros(8, np.int64)
    values = np.arange(4 * rows, dtype=np.float32).reshape(rows, 4)
    launch(compiled(kernel(body, functions)), "k", 1, 1, [values, rows, found])
    return found.tolist()


def test_buffer_of_dynamic_size() -> None:
    body = """%b = memref.alloca(%n) : memref<?x2xi64>
    %d = memref.alloca(%n) : memref<2x?xi16>
    scf.for %i = %c0 to %n step %c1 {
      %v = arith.index_cast %i : index to i64
      %h = arith.trunci %v : i64 to i16
      memref.store %v, %b[%i, %c1] : memref<?x2xi64>
      memref.store %h, %d[%c1, %i] : memref<2x?xi16>
    }
    scf.for %i = %c0 to %n step %c1 {
      %v = memref.load %b[%i, %c1] : memref<?x2xi64>
      %h = memref.load %d[%c1, %i] : memref<2x?xi16>
      %w = arith.extsi %h : i16 to i64
      %s = arith.addi %v, %w : i64
      memref.store %s, %o[%i] : memref<?xi64>
    }"""
    assert run(body, rows=5)[:5] == [0, 2, 4, 6, 8]
    text = compiled(kernel(body)).to_ptx()
    assert text.count("alloca.u64") == 2


def test_pointer_of_dynamic_size_and_the_stack() -> None:
    functions = """llvm.func @sum(%p: !llvm.ptr, %n: i32) -> i64 {
      %v = llvm.load %p : !llvm.ptr -> i64
      %w = llvm.sext %n : i32 to i64
      %s = llvm.add %v, %w : i64
      llvm.return %s : i64
    }"""
    body = """%m = arith.index_cast %n : index to i32
    %stack = llvm.intr.stacksave : !llvm.ptr
    %p = llvm.alloca %m x i64 : (i32) -> !llvm.ptr
    %seven = llvm.mlir.constant(7 : i64) : i64
    llvm.store %seven, %p : i64, !llvm.ptr
    %r = llvm.call @sum(%p, %m) : (!llvm.ptr, i32) -> i64
    llvm.intr.stackrestore %stack : !llvm.ptr
    memref.store %r, %o[%c0] : memref<?xi64>"""
    assert run(body, functions)[0] == 10


def test_ranks_that_are_known_cost_nothing() -> None:
    body = """%u = memref.cast %A : memref<?x4xf32> to memref<*xf32>
    %w = memref.cast %u : memref<*xf32> to memref<3x4xf32>
    %r = memref.rank %u : memref<*xf32>
    %d = memref.dim %u, %c0 : memref<*xf32>
    %v = memref.load %w[%c2, %c1] : memref<3x4xf32>
    %x = arith.fptosi %v : f32 to i64
    %i = arith.index_cast %r : index to i64
    %j = arith.index_cast %d : index to i64
    memref.store %x, %o[%c0] : memref<?xi64>
    memref.store %i, %o[%c1] : memref<?xi64>
    memref.store %j, %o[%c2] : memref<?xi64>"""
    assert run(body)[:3] == [9, 2, 3]
    assert "local" not in compiled(kernel(body)).to_ptx()


ANY = """func.func private @first(%u: memref<*xf32>, %axis: index) -> (i64, f32) {
  %r = memref.rank %u : memref<*xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %d = memref.dim %u, %axis : memref<*xf32>
  %two = arith.cmpi eq, %r, %c2 : index
  %v = scf.if %two -> f32 {
    %m = memref.cast %u : memref<*xf32> to memref<?x4xf32>
    %x = memref.load %m[%c2, %c2] : memref<?x4xf32>
    scf.yield %x : f32
  } else {
    %m = memref.reinterpret_cast %u to offset: [2], sizes: [1], strides: [1]
      : memref<*xf32> to memref<1xf32, strided<[1], offset: 2>>
    %x = memref.load %m[%c0] : memref<1xf32, strided<[1], offset: 2>>
    scf.yield %x : f32
  }
  %i = arith.index_cast %d : index to i64
  return %i, %v : i64, f32
}"""


def test_calls_with_any_rank() -> None:
    """The function stays one: what it is called with is in memory, rank and all."""
    body = """%u = memref.cast %A : memref<?x4xf32> to memref<*xf32>
    %f = memref.collapse_shape %A [[0, 1]] : memref<?x4xf32> into memref<?xf32>
    %u1 = memref.cast %f : memref<?xf32> to memref<*xf32>
    %c3 = arith.constant 3 : index
    %i, %v = func.call @first(%u, %c0) {no_inline} : (memref<*xf32>, index) -> (i64, f32)
    %i1, %v1 = func.call @first(%u1, %c0) {no_inline} : (memref<*xf32>, index) -> (i64, f32)
    %x = arith.fptosi %v : f32 to i64
    %x1 = arith.fptosi %v1 : f32 to i64
    memref.store %i, %o[%c0] : memref<?xi64>
    memref.store %x, %o[%c1] : memref<?xi64>
    memref.store %i1, %o[%c2] : memref<?xi64>
    memref.store %x1, %o[%c3] : memref<?xi64>"""
    assert "call.uni" in compiled(kernel(body, ANY)).to_ptx()
    assert run(body, ANY)[:4] == [3, 10, 12, 2]


def test_kernels_take_no_buffers_of_any_rank() -> None:
    with pytest.raises(CompileError, match="a kernel cannot take"):
        compiled("gpu.module @m { gpu.func @k(%u: memref<*xf32>) kernel { gpu.return } }")


def test_ranks_that_differ() -> None:
    body = """%u = memref.cast %A : memref<?x4xf32> to memref<*xf32>
    %w = memref.cast %u : memref<*xf32> to memref<12xf32>"""
    with pytest.raises(CompileError, match="a buffer of rank 2 cannot be cast to"):
        run(body)
