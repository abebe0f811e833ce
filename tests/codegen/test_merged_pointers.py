"""Generic pointers into each state space that control flow passes on: they are used where they point to."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from weft import parse
from weft.codegen import compile_module
from weft.mlir import parse_mlir
from weft.sim import run

SPACES = {
    "local": "%p = llvm.alloca %c8 x i64 : (i32) -> !llvm.ptr",
    "shared": "%s = llvm.mlir.addressof @shared : !llvm.ptr<3>\n  %p = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr",
    "global": "%p = llvm.getelementptr %out[8] : (!llvm.ptr) -> !llvm.ptr, i64",
}
"""How a pointer `%p` to 8 numbers comes about."""
WAYS = {
    "result of a while": """
  %r:2 = scf.while (%i = %c0) : (i32) -> (i32, !llvm.ptr) {
    %g = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i64
    %i1 = llvm.add %i, %c1 : i32
    %t = llvm.icmp "slt" %i1, %n : i32
    scf.condition(%t) %i1, %g : i32, !llvm.ptr
  } do {
  ^bb0(%i: i32, %g: !llvm.ptr):
    scf.yield %i : i32
  }
  %q = llvm.getelementptr %r#1[0] : (!llvm.ptr) -> !llvm.ptr, i64""",
    "carried by a while": """
  %r:2 = scf.while (%i = %c0, %a = %p) : (i32, !llvm.ptr) -> (i32, !llvm.ptr) {
    %t = llvm.icmp "slt" %i, %c4 : i32
    scf.condition(%t) %i, %a : i32, !llvm.ptr
  } do {
  ^bb0(%i: i32, %a: !llvm.ptr):
    %i1 = llvm.add %i, %c1 : i32
    %g = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i64
    scf.yield %i1, %g : i32, !llvm.ptr
  }
  %q = llvm.getelementptr %r#1[0] : (!llvm.ptr) -> !llvm.ptr, i64""",
    "carried by a for": """
  %q = scf.for %i = %c0 to %m step %c1 iter_args(%a = %p) -> (!llvm.ptr) : i32 {
    %g = llvm.getelementptr %a[1] : (!llvm.ptr) -> !llvm.ptr, i64
    scf.yield %g : !llvm.ptr
  }""",
    "result of an if": """
  %t = llvm.icmp "slt" %n, %c4 : i32
  %q = scf.if %t -> (!llvm.ptr) {
    %g = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i64
    scf.yield %g : !llvm.ptr
  } else {
    %g = llvm.getelementptr %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i64
    llvm.store %v, %out : i64, !llvm.ptr
    scf.yield %g : !llvm.ptr
  }""",
    "argument of a block": """
  %g = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %t = llvm.icmp "slt" %n, %c4 : i32
  llvm.cond_br %t, ^a, ^b
^a:
  llvm.br ^c(%g : !llvm.ptr)
^b:
  %h = llvm.getelementptr %p[%n] : (!llvm.ptr, i32) -> !llvm.ptr, i64
  llvm.store %v, %out : i64, !llvm.ptr
  llvm.br ^c(%h : !llvm.ptr)
^c(%q: !llvm.ptr):""",
    "argument behind a loop": """
  llvm.br ^l(%c0 : i32)
^l(%i: i32):
  %i1 = llvm.add %i, %c1 : i32
  %g = llvm.getelementptr %p[4] : (!llvm.ptr) -> !llvm.ptr, i64
  %t = llvm.icmp "slt" %i1, %n : i32
  llvm.cond_br %t, ^m, ^e(%g : !llvm.ptr)
^m:
  llvm.br ^l(%i1 : i32)
^e(%q: !llvm.ptr):""",
}
"""How `%q`, a pointer to the fifth of them, comes from it."""


@pytest.mark.parametrize(("space", "way"), list(product(SPACES, WAYS)))
def test_points_where_it_did(space: str, way: str) -> None:
    text = f"""
llvm.mlir.global internal @shared() {{addr_space = 3 : i32}} : !llvm.array<8 x i64>
llvm.func @k(%out: !llvm.ptr, %n: i32, %m: i32, %v: i64) attributes {{nvvm.kernel}} {{
  %c0 = llvm.mlir.constant(0 : i32) : i32
  %c1 = llvm.mlir.constant(1 : i32) : i32
  %c4 = llvm.mlir.constant(4 : i32) : i32
  %c8 = llvm.mlir.constant(8 : i32) : i32
  {SPACES[space]}
  %w = llvm.getelementptr %p[%m] : (!llvm.ptr, i32) -> !llvm.ptr, i64
  llvm.store %v, %w : i64, !llvm.ptr{WAYS[way]}
  %x = llvm.load %q : !llvm.ptr -> i64
  llvm.store %x, %out : i64, !llvm.ptr
  llvm.return
}}
"""
    out = np.zeros(16, np.int64)
    ptx = compile_module(parse_mlir(text), target="sm_90").to_ptx()
    run(parse(ptx), "k", 1, 1, [out, np.int32(3), np.int32(4), np.int64(77)])
    assert out[0] == 77
