"""Kernels as users write them: histogram, scan, sort, sparse product, stencil, attention, pipelines of warps, clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_RNG = np.random.default_rng(7)


class Program(NamedTuple):
    """What is in the `gpu.module` of a kernel `k`, how it is launched, and its arguments."""

    text: str
    block: int | tuple[int, int, int]
    grid: int
    arguments: Callable[[], list[Array]]
    dynamic: int = 0
    """Bytes of shared memory of the launch."""


def floats(*shape: int) -> Array:
    """Random f32."""
    return _RNG.standard_normal(shape).astype(np.float32)


def integers(low: int, high: int, *shape: int) -> Array:
    """Random i32 of a range."""
    return _RNG.integers(low, high, shape).astype(np.int32)


def zeros(dtype: Any, *shape: int) -> Array:
    """Zeros."""
    return np.zeros(shape, dtype)


PROGRAMS: dict[str, Program] = {}
PROGRAMS["histogram"] = Program(
    """
memref.global @bins : memref<16xi32, #gpu.address_space<workgroup>> = uninitialized
gpu.func @k(%a: memref<256xi32>, %out: memref<16xi32>) kernel {
  %t = gpu.thread_id x
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %b = memref.get_global @bins : memref<16xi32, #gpu.address_space<workgroup>>
  %p = arith.cmpi ult, %t, %c16 : index
  scf.if %p { memref.store %z, %b[%t] : memref<16xi32, #gpu.address_space<workgroup>> }
  gpu.barrier
  %bd = gpu.block_dim x
  %n = arith.constant 256 : index
  scf.for %i = %t to %n step %bd {
    %v = memref.load %a[%i] : memref<256xi32>
    %m = arith.constant 15 : i32
    %k = arith.andi %v, %m : i32
    %ki = arith.index_cast %k : i32 to index
    %o = memref.atomic_rmw addi %one, %b[%ki] : (i32, memref<16xi32, #gpu.address_space<workgroup>>) -> i32
  }
  gpu.barrier
  scf.if %p {
    %v = memref.load %b[%t] : memref<16xi32, #gpu.address_space<workgroup>>
    %o = memref.atomic_rmw addi %v, %out[%t] : (i32, memref<16xi32>) -> i32
  }
  gpu.return }""",
    64,
    1,
    lambda: [integers(0, 999, 256), zeros(np.int32, 16)],
)
PROGRAMS["scan_shared"] = Program(
    """
memref.global @s : memref<64xi32, #gpu.address_space<workgroup>> = uninitialized
gpu.func @k(%a: memref<64xi32>, %out: memref<64xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %b = memref.get_global @s : memref<64xi32, #gpu.address_space<workgroup>>
  %v = memref.load %a[%t] : memref<64xi32>
  memref.store %v, %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  gpu.barrier
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r = scf.while (%d = %c1) : (index) -> index {
    %go = arith.cmpi ult, %d, %c64 : index
    scf.condition(%go) %d : index
  } do {
  ^bb0(%d: index):
    %ok = arith.cmpi uge, %t, %d : index
    %z = arith.constant 0 : i32
    %add = scf.if %ok -> i32 {
      %j = arith.subi %t, %d : index
      %x = memref.load %b[%j] : memref<64xi32, #gpu.address_space<workgroup>>
      scf.yield %x : i32
    } else { scf.yield %z : i32 }
    gpu.barrier
    %cur = memref.load %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    %s = arith.addi %cur, %add : i32
    memref.store %s, %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
    gpu.barrier
    %d2 = arith.addi %d, %d : index
    scf.yield %d2 : index
  }
  %o = memref.load %b[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %o, %out[%t] : memref<64xi32>
  gpu.return }""",
    64,
    1,
    lambda: [integers(-9, 99, 64), zeros(np.int32, 64)],
)
PROGRAMS["bitonic"] = Program(
    """
gpu.func @k(%a: memref<128xf32>) workgroup(%s : memref<128xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
  %t = gpu.thread_id x
  %ti = arith.index_cast %t : index to i32
  %v = memref.load %a[%t] : memref<128xf32>
  memref.store %v, %s[%t] : memref<128xf32, #gpu.address_space<workgroup>>
  %c2 = arith.constant 2 : i32
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %n = arith.constant 128 : i32
  gpu.barrier
  %x = scf.while (%k = %c2) : (i32) -> i32 {
    %g = arith.cmpi sle, %k, %n : i32
    scf.condition(%g) %k : i32
  } do {
  ^bb0(%k: i32):
    %h = arith.shrui %k, %c1 : i32
    %y = scf.while (%j = %h) : (i32) -> i32 {
      %g = arith.cmpi sgt, %j, %c0 : i32
      scf.condition(%g) %j : i32
    } do {
    ^bb0(%j: i32):
      %p = arith.xori %ti, %j : i32
      %gt = arith.cmpi sgt, %p, %ti : i32
      scf.if %gt {
        %pi = arith.index_cast %p : i32 to index
        %u = memref.load %s[%t] : memref<128xf32, #gpu.address_space<workgroup>>
        %w = memref.load %s[%pi] : memref<128xf32, #gpu.address_space<workgroup>>
        %bit = arith.andi %ti, %k : i32
        %up = arith.cmpi eq, %bit, %c0 : i32
        %lo = arith.minnumf %u, %w : f32
        %hi = arith.maxnumf %u, %w : f32
        %first = arith.select %up, %lo, %hi : f32
        %second = arith.select %up, %hi, %lo : f32
        memref.store %first, %s[%t] : memref<128xf32, #gpu.address_space<workgroup>>
        memref.store %second, %s[%pi] : memref<128xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %j2 = arith.shrui %j, %c1 : i32
      scf.yield %j2 : i32
    }
    %k2 = arith.shli %k, %c1 : i32
    scf.yield %k2 : i32
  }
  %o = memref.load %s[%t] : memref<128xf32, #gpu.address_space<workgroup>>
  memref.store %o, %a[%t] : memref<128xf32>
  gpu.return }""",
    128,
    1,
    lambda: [floats(128)],
)
PROGRAMS["spmv"] = Program(
    """
gpu.func @k(%rp: memref<33xi32>, %ci: memref<?xi32>, %va: memref<?xf64>, %x: memref<32xf64>, %y: memref<32xf64>) kernel {
  %t = gpu.global_id x
  %c1 = arith.constant 1 : index
  %t1 = arith.addi %t, %c1 : index
  %b = memref.load %rp[%t] : memref<33xi32>
  %e = memref.load %rp[%t1] : memref<33xi32>
  %one = arith.constant 1 : i32
  %z = arith.constant 0.0 : f64
  %s = scf.for %i = %b to %e step %one iter_args(%acc = %z) -> f64 : i32 {
    %ii = arith.index_cast %i : i32 to index
    %c = memref.load %ci[%ii] : memref<?xi32>
    %cc = arith.index_castui %c : i32 to index
    %v = memref.load %va[%ii] : memref<?xf64>
    %xx = memref.load %x[%cc] : memref<32xf64>
    %n = math.fma %v, %xx, %acc : f64
    scf.yield %n : f64
  }
  memref.store %s, %y[%t] : memref<32xf64>
  gpu.return }""",
    16,
    2,
    lambda: [
        np.arange(33, dtype=np.int32) * 3,
        integers(0, 32, 96),
        _RNG.standard_normal(96),
        _RNG.standard_normal(32),
        zeros(np.float64, 32),
    ],
)
PROGRAMS["jacobi3d"] = Program(
    """
gpu.func @k(%a: memref<6x6x10xf32>, %b: memref<6x6x10xf32>) kernel {
  %x = gpu.thread_id x
  %y = gpu.thread_id y
  %zz = gpu.block_id x
  %six = arith.constant 0.16666667 : f32
  affine.for %i = 0 to 1 {
  }
  %c1 = arith.constant 1 : index
  %xi = arith.addi %x, %c1 : index
  %yi = arith.addi %y, %c1 : index
  %zi = arith.addi %zz, %c1 : index
  %xm = arith.subi %xi, %c1 : index
  %xp = arith.addi %xi, %c1 : index
  %ym = arith.subi %yi, %c1 : index
  %yp = arith.addi %yi, %c1 : index
  %zm = arith.subi %zi, %c1 : index
  %zp = arith.addi %zi, %c1 : index
  %0 = memref.load %a[%zm, %yi, %xi] : memref<6x6x10xf32>
  %1 = memref.load %a[%zp, %yi, %xi] : memref<6x6x10xf32>
  %2 = memref.load %a[%zi, %ym, %xi] : memref<6x6x10xf32>
  %3 = memref.load %a[%zi, %yp, %xi] : memref<6x6x10xf32>
  %4 = memref.load %a[%zi, %yi, %xm] : memref<6x6x10xf32>
  %5 = memref.load %a[%zi, %yi, %xp] : memref<6x6x10xf32>
  %s0 = arith.addf %0, %1 : f32
  %s1 = arith.addf %s0, %2 : f32
  %s2 = arith.addf %s1, %3 : f32
  %s3 = arith.addf %s2, %4 : f32
  %s4 = arith.addf %s3, %5 : f32
  %r = arith.mulf %s4, %six : f32
  memref.store %r, %b[%zi, %yi, %xi] : memref<6x6x10xf32>
  gpu.return }""",
    (8, 4, 1),
    4,
    lambda: [floats(6, 6, 10), zeros(np.float32, 6, 6, 10)],
)
PROGRAMS["attention"] = Program(
    """
gpu.func @k(%q: memref<32x16xf32>, %kk: memref<32x16xf32>, %v: memref<32x16xf32>, %o: memref<32x16xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  %ninf = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %zv = arith.constant dense<0.0> : vector<16xf32>
  %qv = vector.load %q[%t, %c0] : memref<32x16xf32>, vector<16xf32>
  %m, %l, %acc = scf.for %j = %c0 to %n step %c1 iter_args(%mi = %ninf, %li = %z, %ai = %zv) -> (f32, f32, vector<16xf32>) {
    %kv = vector.load %kk[%j, %c0] : memref<32x16xf32>, vector<16xf32>
    %vv = vector.load %v[%j, %c0] : memref<32x16xf32>, vector<16xf32>
    %s = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<add>} %qv, %kv, %z : vector<16xf32>, vector<16xf32> into f32
    %mn = arith.maximumf %mi, %s : f32
    %d0 = arith.subf %mi, %mn : f32
    %d1 = arith.subf %s, %mn : f32
    %a = math.exp %d0 : f32
    %p = math.exp %d1 : f32
    %la = arith.mulf %li, %a : f32
    %ln = arith.addf %la, %p : f32
    %av = vector.broadcast %a : f32 to vector<16xf32>
    %pv = vector.broadcast %p : f32 to vector<16xf32>
    %x0 = arith.mulf %ai, %av : vector<16xf32>
    %x1 = vector.fma %pv, %vv, %x0 : vector<16xf32>
    scf.yield %mn, %ln, %x1 : f32, f32, vector<16xf32>
  }
  %lv = vector.broadcast %l : f32 to vector<16xf32>
  %r = arith.divf %acc, %lv : vector<16xf32>
  vector.store %r, %o[%t, %c0] : memref<32x16xf32>, vector<16xf32>
  gpu.return }""",
    32,
    1,
    lambda: [floats(32, 16), floats(32, 16), floats(32, 16), zeros(np.float32, 32, 16)],
)
PROGRAMS["bf16_softmax"] = Program(
    """
gpu.func @k(%a: memref<32x64xbf16>, %o: memref<32x64xbf16>) kernel {
  %w = gpu.block_id x
  %t = gpu.thread_id x
  %c32 = arith.constant 32 : index
  %t2 = arith.addi %t, %c32 : index
  %x0 = memref.load %a[%w, %t] : memref<32x64xbf16>
  %x1 = memref.load %a[%w, %t2] : memref<32x64xbf16>
  %f0 = arith.extf %x0 : bf16 to f32
  %f1 = arith.extf %x1 : bf16 to f32
  %m = arith.maximumf %f0, %f1 : f32
  %mx = gpu.subgroup_reduce maximumf %m uniform cluster(size = 32) : (f32) -> f32
  %d0 = arith.subf %f0, %mx : f32
  %d1 = arith.subf %f1, %mx : f32
  %e0 = math.exp2 %d0 : f32
  %e1 = math.exp2 %d1 : f32
  %s = arith.addf %e0, %e1 : f32
  %sum = gpu.all_reduce add %s uniform {} : (f32) -> (f32)
  %r0 = arith.divf %e0, %sum : f32
  %r1 = arith.divf %e1, %sum : f32
  %b0 = arith.truncf %r0 : f32 to bf16
  %b1 = arith.truncf %r1 : f32 to bf16
  memref.store %b0, %o[%w, %t] : memref<32x64xbf16>
  memref.store %b1, %o[%w, %t2] : memref<32x64xbf16>
  gpu.return }""",
    32,
    32,
    lambda: [(floats(32, 64).view(np.uint32) >> 16).astype(np.uint16), zeros(np.uint16, 32, 64)],
)
PROGRAMS["bignum"] = Program(
    """
gpu.func @k(%a: memref<64x2xi64>, %b: memref<64x2xi64>, %o: memref<64x2xi64>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %va = vector.load %a[%t, %c0] : memref<64x2xi64>, vector<2xi64>
  %vb = vector.load %b[%t, %c0] : memref<64x2xi64>, vector<2xi64>
  %x = llvm.bitcast %va : vector<2xi64> to i128
  %y = llvm.bitcast %vb : vector<2xi64> to i128
  %one = arith.constant 1 : i128
  %y1 = arith.ori %y, %one : i128
  %p = arith.muli %x, %y1 : i128
  %q = arith.divui %p, %y1 : i128
  %r = arith.remsi %x, %y1 : i128
  %s = arith.addi %q, %r : i128
  %sh = arith.constant 37 : i128
  %u = arith.shrsi %s, %sh : i128
  %w = arith.xori %u, %p : i128
  %out = llvm.bitcast %w : i128 to vector<2xi64>
  vector.store %out, %o[%t, %c0] : memref<64x2xi64>, vector<2xi64>
  gpu.return }""",
    64,
    1,
    lambda: [_RNG.integers(-(2**62), 2**62, (64, 2)), _RNG.integers(-(2**62), 2**62, (64, 2)), zeros(np.int64, 64, 2)],
)
PROGRAMS["recursion"] = Program(
    """
func.func private @ack(%m: i32, %n: i32) -> i32 {
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %m0 = arith.cmpi eq, %m, %z : i32
  cf.cond_br %m0, ^a, ^b
^a:
  %r = arith.addi %n, %one : i32
  return %r : i32
^b:
  %m1 = arith.subi %m, %one : i32
  %n0 = arith.cmpi eq, %n, %z : i32
  cf.cond_br %n0, ^c, ^d
^c:
  %x = func.call @ack(%m1, %one) : (i32, i32) -> i32
  return %x : i32
^d:
  %n1 = arith.subi %n, %one : i32
  %y = func.call @ack(%m, %n1) : (i32, i32) -> i32
  %w = func.call @ack(%m1, %y) : (i32, i32) -> i32
  return %w : i32
}
gpu.func @k(%o: memref<16xi32>) kernel {
  %t = gpu.thread_id x
  %i = arith.index_cast %t : index to i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %m = arith.shrui %i, %two : i32
  %mm = arith.minui %m, %two : i32
  %n = arith.andi %i, %three : i32
  %r = func.call @ack(%mm, %n) : (i32, i32) -> i32
  memref.store %r, %o[%t] : memref<16xi32>
  gpu.return }""",
    16,
    1,
    lambda: [zeros(np.int32, 16)],
)
PROGRAMS["fft"] = Program(
    """
gpu.func @k(%re: memref<32x8xf32>, %im: memref<32x8xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %a = vector.load %re[%t, %c0] : memref<32x8xf32>, vector<8xf32>
  %b = vector.load %im[%t, %c0] : memref<32x8xf32>, vector<8xf32>
  %ae, %ao = vector.deinterleave %a : vector<8xf32> -> vector<4xf32>
  %be, %bo = vector.deinterleave %b : vector<8xf32> -> vector<4xf32>
  %wr = arith.constant dense<[1.0, 0.70710678, 0.0, -0.70710678]> : vector<4xf32>
  %wi = arith.constant dense<[0.0, -0.70710678, -1.0, -0.70710678]> : vector<4xf32>
  %x0 = arith.mulf %ao, %wr : vector<4xf32>
  %x1 = arith.mulf %bo, %wi : vector<4xf32>
  %xr = arith.subf %x0, %x1 : vector<4xf32>
  %y0 = arith.mulf %ao, %wi : vector<4xf32>
  %xi = vector.fma %bo, %wr, %y0 : vector<4xf32>
  %r0 = arith.addf %ae, %xr : vector<4xf32>
  %r1 = arith.subf %ae, %xr : vector<4xf32>
  %i0 = arith.addf %be, %xi : vector<4xf32>
  %i1 = arith.subf %be, %xi : vector<4xf32>
  %rr = vector.shuffle %r0, %r1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  %ii = vector.shuffle %i0, %i1 [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xf32>, vector<4xf32>
  vector.store %rr, %re[%t, %c0] : memref<32x8xf32>, vector<8xf32>
  vector.store %ii, %im[%t, %c0] : memref<32x8xf32>, vector<8xf32>
  gpu.return }""",
    32,
    1,
    lambda: [floats(32, 8), floats(32, 8)],
)
PROGRAMS["dynamic_shared"] = Program(
    """
gpu.func @k(%a: memref<64xf32>, %o: memref<64xf32>) kernel {
  %t = gpu.thread_id x
  %dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %c63 = arith.constant 63 : index
  %x = memref.view %dyn[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
  %y = memref.view %dyn[%c256][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x8xf32, #gpu.address_space<workgroup>>
  %v = memref.load %a[%t] : memref<64xf32>
  memref.store %v, %x[%t] : memref<64xf32, #gpu.address_space<workgroup>>
  %c8 = arith.constant 8 : index
  %r = arith.divui %t, %c8 : index
  %c = arith.remui %t, %c8 : index
  memref.store %v, %y[%c, %r] : memref<8x8xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  %j = arith.subi %c63, %t : index
  %p = memref.load %x[%j] : memref<64xf32, #gpu.address_space<workgroup>>
  %q = memref.load %y[%r, %c] : memref<8x8xf32, #gpu.address_space<workgroup>>
  %s = arith.addf %p, %q : f32
  memref.store %s, %o[%t] : memref<64xf32>
  gpu.return }""",
    64,
    1,
    lambda: [floats(64), zeros(np.float32, 64)],
    512,
)
PROGRAMS["memref_of_vectors"] = Program(
    """
gpu.func @k(%a: memref<16x4xvector<4xf32>>, %o: memref<16xvector<4xf32>>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %z = arith.constant dense<1.0> : vector<4xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %z) -> vector<4xf32> {
    %v = memref.load %a[%t, %i] : memref<16x4xvector<4xf32>>
    %n = arith.mulf %s, %v : vector<4xf32>
    scf.yield %n : vector<4xf32>
  }
  memref.store %r, %o[%t] : memref<16xvector<4xf32>>
  gpu.return }""",
    16,
    1,
    lambda: [floats(16, 4, 4), zeros(np.float32, 16, 4)],
)
PROGRAMS["struct_args"] = Program(
    """
llvm.func @norm(%s: !llvm.struct<(f32, f32, array<2 x i16>)>) -> !llvm.struct<(f32, i32)> {
  %x = llvm.extractvalue %s[0] : !llvm.struct<(f32, f32, array<2 x i16>)>
  %y = llvm.extractvalue %s[1] : !llvm.struct<(f32, f32, array<2 x i16>)>
  %h = llvm.extractvalue %s[2, 1] : !llvm.struct<(f32, f32, array<2 x i16>)>
  %e = llvm.sext %h : i16 to i32
  %xx = llvm.fmul %x, %x : f32
  %yy = llvm.fmul %y, %y : f32
  %r = llvm.fadd %xx, %yy : f32
  %u = llvm.mlir.undef : !llvm.struct<(f32, i32)>
  %v = llvm.insertvalue %r, %u[0] : !llvm.struct<(f32, i32)>
  %w = llvm.insertvalue %e, %v[1] : !llvm.struct<(f32, i32)>
  llvm.return %w : !llvm.struct<(f32, i32)>
}
gpu.func @k(%o: memref<32xf32>, %p: memref<32xi32>) kernel {
  %t = gpu.thread_id x
  %i = arith.index_cast %t : index to i32
  %f = arith.sitofp %i : i32 to f32
  %h = arith.trunci %i : i32 to i16
  %u = llvm.mlir.undef : !llvm.struct<(f32, f32, array<2 x i16>)>
  %a = llvm.insertvalue %f, %u[0] : !llvm.struct<(f32, f32, array<2 x i16>)>
  %b = llvm.insertvalue %f, %a[1] : !llvm.struct<(f32, f32, array<2 x i16>)>
  %c = llvm.insertvalue %h, %b[2, 0] : !llvm.struct<(f32, f32, array<2 x i16>)>
  %d = llvm.insertvalue %h, %c[2, 1] : !llvm.struct<(f32, f32, array<2 x i16>)>
  %r = llvm.call @norm(%d) : (!llvm.struct<(f32, f32, array<2 x i16>)>) -> !llvm.struct<(f32, i32)>
  %x = llvm.extractvalue %r[0] : !llvm.struct<(f32, i32)>
  %y = llvm.extractvalue %r[1] : !llvm.struct<(f32, i32)>
  memref.store %x, %o[%t] : memref<32xf32>
  memref.store %y, %p[%t] : memref<32xi32>
  gpu.return }""",
    32,
    1,
    lambda: [zeros(np.float32, 32), zeros(np.int32, 32)],
)
PROGRAMS["gather_scatter"] = Program(
    """
gpu.func @k(%a: memref<64xf32>, %ix: memref<8x8xi32>, %o: memref<64xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %i = vector.load %ix[%t, %c0] : memref<8x8xi32>, vector<8xi32>
  %n = arith.constant dense<40> : vector<8xi32>
  %m = arith.cmpi slt, %i, %n : vector<8xi32>
  %p = arith.constant dense<-1.0> : vector<8xf32>
  %v = vector.gather %a[%c0] [%i], %m, %p : memref<64xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  %d = arith.addf %v, %v : vector<8xf32>
  %all = arith.constant dense<true> : vector<8xi1>
  vector.scatter %o[%c0] [%i], %all, %d : memref<64xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  gpu.return }""",
    8,
    1,
    lambda: [floats(64), _RNG.permutation(64).astype(np.int32).reshape(8, 8), zeros(np.float32, 64)],
)
PROGRAMS["pipeline_mbarrier"] = Program(
    """
memref.global @bar : memref<2xi64, 3> = uninitialized {alignment = 8 : i64}
memref.global @buf : memref<32xi32, 3> = uninitialized {alignment = 16 : i64}
gpu.func @k(%a: memref<4x32xi32>, %o: memref<4x32xi32>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %bars = memref.get_global @bar : memref<2xi64, 3>
  %buf = memref.get_global @buf : memref<32xi32, 3>
  %pi = memref.extract_aligned_pointer_as_index %bars : memref<2xi64, 3> -> index
  %pl = arith.index_cast %pi : index to i64
  %full = llvm.inttoptr %pl : i64 to !llvm.ptr<3>
  %empty = llvm.getelementptr %full[8] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i8
  %n = arith.constant 32 : i32
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first {
    nvvm.mbarrier.init %full, %n : !llvm.ptr<3>, i32
    nvvm.mbarrier.init %empty, %n : !llvm.ptr<3>, i32
  }
  gpu.barrier
  %producer = arith.cmpi ult, %t, %c32 : index
  %ticks = arith.constant 1000000 : i32
  scf.if %producer {
    scf.for %i = %c0 to %c4 step %c1 {
      %i32 = arith.index_cast %i : index to i32
      %one = arith.constant 1 : i32
      %ph = arith.andi %i32, %one : i32
      %inv = arith.xori %ph, %one : i32
      nvvm.mbarrier.try_wait.parity %empty, %inv, %ticks : !llvm.ptr<3>, i32, i32
      %v = memref.load %a[%i, %t] : memref<4x32xi32>
      memref.store %v, %buf[%t] : memref<32xi32, 3>
      %s = nvvm.mbarrier.arrive %full : !llvm.ptr<3> -> i64
    }
  } else {
    %l = arith.subi %t, %c32 : index
    scf.for %i = %c0 to %c4 step %c1 {
      %i32 = arith.index_cast %i : index to i32
      %one = arith.constant 1 : i32
      %ph = arith.andi %i32, %one : i32
      nvvm.mbarrier.try_wait.parity %full, %ph, %ticks : !llvm.ptr<3>, i32, i32
      %c31 = arith.constant 31 : index
      %r = arith.subi %c31, %l : index
      %v = memref.load %buf[%r] : memref<32xi32, 3>
      memref.store %v, %o[%i, %l] : memref<4x32xi32>
      %s = nvvm.mbarrier.arrive %empty : !llvm.ptr<3> -> i64
    }
  }
  gpu.return }""",
    64,
    1,
    lambda: [integers(0, 1000, 4, 32), zeros(np.int32, 4, 32)],
)
PROGRAMS["fp8_quantise"] = Program(
    """
gpu.func @k(%a: memref<64x2xf32>, %q: memref<64xi16>, %o: memref<64x2xf16>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %a[%t, %c0] : memref<64x2xf32>
  %y = memref.load %a[%t, %c1] : memref<64x2xf32>
  %ax = math.absf %x : f32
  %ay = math.absf %y : f32
  %m = arith.maximumf %ax, %ay : f32
  %mx = gpu.subgroup_reduce maximumf %m uniform cluster(size = 32) : (f32) -> f32
  %k = arith.constant 448.0 : f32
  %s = arith.divf %k, %mx : f32
  %xs = arith.mulf %x, %s : f32
  %ys = arith.mulf %y, %s : f32
  %p = nvvm.convert.f32x2.to.f8x2 %xs, %ys {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16 (f8E4M3FN)
  memref.store %p, %q[%t] : memref<64xi16>
  %v = llvm.bitcast %p : i16 to vector<2xi8>
  %h = nvvm.convert.f8x2.to.f16x2 %v : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
  vector.store %h, %o[%t, %c0] : memref<64x2xf16>, vector<2xf16>
  gpu.return }""",
    64,
    1,
    lambda: [floats(64, 2), zeros(np.int16, 64), zeros(np.float16, 64, 2)],
)
PROGRAMS["wmma"] = Program(
    """
gpu.func @k(%a: memref<16x16xf16>, %b: memref<16x16xf16>, %c: memref<16x16xf32>) kernel {
  %c0 = arith.constant 0 : index
  %x = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %y = gpu.subgroup_mma_load_matrix %b[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %z = gpu.subgroup_mma_load_matrix %c[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf32> -> !gpu.mma_matrix<16x16xf32, "COp">
  %r = gpu.subgroup_mma_compute %x, %y, %z : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %s = gpu.subgroup_mma_elementwise addf %r, %r : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %s, %c[%c0, %c0] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf32>
  gpu.return }""",
    32,
    1,
    lambda: [
        integers(-3, 4, 16, 16).astype(np.float16),
        integers(-3, 4, 16, 16).astype(np.float16),
        integers(-3, 4, 16, 16).astype(np.float32),
    ],
)
PROGRAMS["cluster_reduce"] = Program(
    """
memref.global @part : memref<1xi32, 3> = uninitialized {alignment = 16 : i64}
gpu.func @k(%a: memref<128xi32>, %o: memref<4xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, nvvm.cluster_dim = array<i32: 4, 1, 1>} {
  %t = gpu.thread_id x
  %b = gpu.block_id x
  %c32 = arith.constant 32 : index
  %c0 = arith.constant 0 : index
  %base = arith.muli %b, %c32 : index
  %i = arith.addi %base, %t : index
  %v = memref.load %a[%i] : memref<128xi32>
  %s = gpu.all_reduce add %v uniform {} : (i32) -> (i32)
  %p = memref.get_global @part : memref<1xi32, 3>
  %first = arith.cmpi eq, %t, %c0 : index
  scf.if %first { memref.store %s, %p[%c0] : memref<1xi32, 3> }
  nvvm.cluster.arrive {aligned}
  nvvm.cluster.wait {aligned}
  %pi = memref.extract_aligned_pointer_as_index %p : memref<1xi32, 3> -> index
  %pl = arith.index_cast %pi : index to i64
  %ptr = llvm.inttoptr %pl : i64 to !llvm.ptr<3>
  scf.if %first {
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %four = arith.constant 4 : i32
    %sum = scf.for %r = %z to %four step %one iter_args(%acc = %z) -> i32 : i32 {
      %rp = nvvm.mapa %ptr, %r : !llvm.ptr<3> -> !llvm.ptr<7>
      %x = llvm.load %rp : !llvm.ptr<7> -> i32
      %n = arith.addi %acc, %x : i32
      scf.yield %n : i32
    }
    memref.store %sum, %o[%b] : memref<4xi32>
  }
  nvvm.cluster.arrive {aligned}
  nvvm.cluster.wait {aligned}
  gpu.return }""",
    32,
    4,
    lambda: [integers(0, 100, 128), zeros(np.int32, 4)],
)
PROGRAMS["printf"] = Program(
    """
gpu.func @k(%o: memref<4xi32>) kernel {
  %t = gpu.thread_id x
  %i = arith.index_cast %t : index to i32
  %f = arith.sitofp %i : i32 to f64
  gpu.printf "thread %d has %f %%\\n", %i, %f : i32, f64
  memref.store %i, %o[%t] : memref<4xi32>
  gpu.return }""",
    4,
    1,
    lambda: [zeros(np.int32, 4)],
)
