"""Programs with what hosts and warps do together (tokens, clusters, pipelines of mbarriers, TMA, sparse products):
weft's PTX writes what that of LLVM's pipeline writes, and what NumPy says."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

import weft
from tests.codegen.programs import both, ran, same
from tests.codegen.support import compiled
from weft.sim import KernelFault

POLICIES = pytest.mark.parametrize("policy", ["eager", "lazy", "random"])
Policy = Literal["eager", "lazy", "random"]

ASYNC = """
module attributes {gpu.container_module} {
  func.func @main(%n: index, %v: i32) -> memref<?xi32> {
    %c1 = arith.constant 1 : index
    %h = memref.alloc(%n) : memref<?xi32>
    %u = memref.cast %h : memref<?xi32> to memref<*xi32>
    gpu.host_register %u : memref<*xi32>
    %t0, %f0 = async.execute -> !async.value<memref<?xi32>> {
      %a = gpu.alloc host_shared (%n) : memref<?xi32>
      async.yield %a : memref<?xi32>
    }
    %t1, %f1 = async.execute [%t0] (%f0 as %m : !async.value<memref<?xi32>>) -> !async.value<memref<?xi32>> {
      gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
        %x = memref.load %m[%tx] : memref<?xi32>
        %y = arith.addi %x, %v : i32
        memref.store %y, %m[%tx] : memref<?xi32>
        gpu.terminator
      }
      %w = gpu.wait async
      %mm, %w2 = gpu.alloc async [%w] (%n) : memref<?xi32>
      %w3 = gpu.memcpy async [%w2] %mm, %m : memref<?xi32>, memref<?xi32>
      %w4 = gpu.memset async [%w3] %mm, %v : memref<?xi32>, i32
      %w5 = gpu.launch async [%w4] blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
          threads(%tx, %ty, %tz) in (%sx = %n, %sy = %c1, %sz = %c1) {
        %x = memref.load %m[%tx] : memref<?xi32>
        %i = arith.index_cast %tx : index to i32
        %y = arith.muli %x, %i : i32
        memref.store %y, %m[%tx] : memref<?xi32>
        gpu.terminator
      }
      %w6 = gpu.dealloc async [%w5] %mm : memref<?xi32>
      gpu.wait [%w6]
      async.yield %m : memref<?xi32>
    }
    async.await %t1 : !async.token
    %r = async.await %f1 : !async.value<memref<?xi32>>
    gpu.host_unregister %u : memref<*xi32>
    return %r : memref<?xi32>
  }
}
"""


def test_launches_inside_asynchronous_regions() -> None:
    """`async.execute` with launches and transfers in it: the kernels come out, the host's part is left alone."""
    values = np.arange(40, dtype=np.int32)
    assert [kernel.name for kernel in compiled(ASYNC).kernels] == ["main_kernel", "main_kernel_0"]
    assert (same(ASYNC, "main_kernel", 1, 40, [values, 7])[0] == values + 7).all()
    assert (same(ASYNC, "main_kernel_0", 1, 40, [values], module=1)[0] == values * values).all()


CLUSTER = """
module attributes {gpu.container_module} {
  func.func @main(%m: memref<8x6xi32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    gpu.launch clusters(%cx, %cy, %cz) in (%ncx = %c2, %ncy = %c2, %ncz = %c1)
        blocks(%bx, %by, %bz) in (%gx = %c4, %gy = %c2, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %ix = gpu.cluster_block_id x
      %iy = gpu.cluster_block_id y
      %nx = gpu.cluster_dim_blocks x
      %ny = gpu.cluster_dim_blocks y
      %width = arith.constant 4 : index
      %before = arith.muli %by, %width : index
      %row = arith.addi %before, %bx : index
      %c0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c5 = arith.constant 5 : index
      %one = arith.constant 1 : index
      %two = arith.constant 2 : index
      %four = arith.constant 4 : index
      %v0 = arith.index_cast %cx : index to i32
      %v1 = arith.index_cast %cy : index to i32
      %v2 = arith.index_cast %ix : index to i32
      %v3 = arith.index_cast %iy : index to i32
      %v4 = arith.index_cast %nx : index to i32
      %v5 = arith.index_cast %ny : index to i32
      memref.store %v0, %m[%row, %c0] : memref<8x6xi32>
      memref.store %v1, %m[%row, %one] : memref<8x6xi32>
      memref.store %v2, %m[%row, %two] : memref<8x6xi32>
      memref.store %v3, %m[%row, %c3] : memref<8x6xi32>
      memref.store %v4, %m[%row, %four] : memref<8x6xi32>
      memref.store %v5, %m[%row, %c5] : memref<8x6xi32>
      gpu.terminator
    }
    return
  }
}
"""


def test_clusters() -> None:
    """Numbers of the cluster, of the block in it, and how many there are."""
    want = [[bx // 2, by // 2, bx % 2, by % 2, 2, 2] for by in range(2) for bx in range(4)]
    given = [np.full((8, 6), -1, np.int32)]
    (out,) = same(CLUSTER, "main_kernel", (4, 2), 1, given, cluster=(2, 2, 1), passes=["-gpu-kernel-outlining"])
    assert out.tolist() == want


PIPELINE = """
!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
!tok = !nvgpu.mbarrier.token
module attributes {gpu.container_module} { gpu.module @m {
  memref.global "private" @buf : memref<4x32xf32, #gpu.address_space<workgroup>> {alignment = 16 : i64}
  gpu.func @k(%in: memref<16x32xf32>, %out: memref<16x32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %t = gpu.thread_id x
    %b = nvgpu.mbarrier.create -> !bar
    %p = arith.cmpi eq, %t, %c0 : index
    scf.for %i = %c0 to %c4 step %c1 { nvgpu.mbarrier.init %b[%i], %c32, predicate = %p : !bar }
    gpu.barrier
    %s = memref.get_global @buf : memref<4x32xf32, #gpu.address_space<workgroup>>
    scf.for %i = %c0 to %c3 step %c1 {
      %cp = nvgpu.device_async_copy %in[%i, %t], %s[%i, %t], 1 : memref<16x32xf32> to memref<4x32xf32, #gpu.address_space<workgroup>>
      %g = nvgpu.device_async_create_group %cp
    }
    scf.for %i = %c0 to %c16 step %c1 {
      %n = arith.addi %i, %c3 : index
      %more = arith.cmpi ult, %n, %c16 : index
      scf.if %more {
        %st = arith.remui %n, %c4 : index
        %cp = nvgpu.device_async_copy %in[%n, %t], %s[%st, %t], 1 : memref<16x32xf32> to memref<4x32xf32, #gpu.address_space<workgroup>>
      }
      %g = nvgpu.device_async_create_group
      nvgpu.device_async_wait %g {numGroups = 3 : i32}
      %st = arith.remui %i, %c4 : index
      %tok = nvgpu.mbarrier.arrive %b[%st] : !bar -> !tok
      %w = scf.while (%x = %tok) : (!tok) -> !tok {
        %done = nvgpu.mbarrier.test.wait %b[%st], %x : !bar, !tok
        %true = arith.constant true
        %not = arith.xori %done, %true : i1
        scf.condition(%not) %x : !tok
      } do {
      ^bb0(%x: !tok):
        scf.yield %x : !tok
      }
      %o = arith.addi %t, %c1 : index
      %nb = arith.remui %o, %c32 : index
      %v = memref.load %s[%st, %nb] : memref<4x32xf32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%i, %t] : memref<16x32xf32>
      gpu.barrier
    }
    gpu.return
  }
}}
"""


@pytest.mark.sample(1)
@POLICIES
def test_a_pipeline_of_mbarriers(policy: Policy) -> None:
    """Four stages of `cp.async`; each thread reads what its neighbour has copied."""
    values = np.arange(512, dtype=np.float32).reshape(16, 32)
    _, out = same(PIPELINE, "k", 1, 32, [values, np.zeros_like(values)], async_=policy)
    assert (out == np.roll(values, -1, axis=1)).all()


# LLVM puts dynamic shared memory where its mbarriers are: the tiles begin 1024 bytes later.
WGMMA = """
#shared = #gpu.address_space<workgroup>
!bar = !nvgpu.mbarrier.group<memorySpace = #shared>
!lhs = memref<128x64xf16, #shared>
!rhs = memref<64x128xf16, #shared>
!half = memref<64x64xf16, #shared>
!mapA = !nvgpu.tensormap.descriptor<tensor = !lhs, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!mapB = !nvgpu.tensormap.descriptor<tensor = !half, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
module attributes {gpu.container_module} { gpu.module @m {
  gpu.func @k(%pA: !llvm.ptr, %pB: !llvm.ptr, %C: memref<128x128xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %A = builtin.unrealized_conversion_cast %pA : !llvm.ptr to !mapA
    %B = builtin.unrealized_conversion_cast %pB : !llvm.ptr to !mapB
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %tx = gpu.thread_id x
    %smem = gpu.dynamic_shared_memory : memref<?xi8, #shared>
    %o0 = arith.constant 1024 : index
    %o1 = arith.constant 17408 : index
    %o2 = arith.constant 25600 : index
    %sa = memref.view %smem[%o0][] : memref<?xi8, #shared> to !lhs
    %sb = memref.view %smem[%o1][] : memref<?xi8, #shared> to !rhs
    %sb0 = memref.view %smem[%o1][] : memref<?xi8, #shared> to !half
    %sb1 = memref.view %smem[%o2][] : memref<?xi8, #shared> to !half
    %bar = nvgpu.mbarrier.create -> !bar
    %p = arith.cmpi eq, %tx, %c0 : index
    nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %p : !bar
    nvgpu.tma.prefetch.descriptor %A : !mapA
    gpu.barrier
    scf.if %p {
      %bytes = arith.constant 32768 : index
      nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes : !bar
      nvgpu.tma.async.load %A[%c0, %c0], %bar[%c0] to %sa : !mapA, !bar -> !lhs
      nvgpu.tma.async.load %B[%c0, %c0], %bar[%c0] to %sb0 : !mapB, !bar -> !half
      nvgpu.tma.async.load %B[%c64, %c0], %bar[%c0] to %sb1 : !mapB, !bar -> !half
    }
    %ticks = arith.constant 10000000 : index
    %ph = arith.constant false
    nvgpu.mbarrier.try_wait.parity %bar[%c0], %ph, %ticks : !bar
    %d1 = nvgpu.warpgroup.generate.descriptor %sa, %A : !lhs, !mapA -> !nvgpu.warpgroup.descriptor<tensor = !lhs>
    %d2 = nvgpu.warpgroup.generate.descriptor %sb, %B : !rhs, !mapB -> !nvgpu.warpgroup.descriptor<tensor = !rhs>
    %z = nvgpu.warpgroup.mma.init.accumulator -> !acc
    %r = nvgpu.warpgroup.mma %d1, %d2, %z {transposeB} : <tensor = !lhs>, <tensor = !rhs>, <fragmented = vector<128x128xf32>> -> <fragmented = vector<128x128xf32>>
    nvgpu.warpgroup.mma.store %r, %C : <fragmented = vector<128x128xf32>> to memref<128x128xf32>
    gpu.return
  }
}}
"""


@pytest.mark.slow
@POLICIES
def test_tma_and_wgmma(policy: Policy) -> None:
    """Both operands swizzled by 128 bytes; B, of 128 columns, in two halves."""
    rng = np.random.default_rng(11)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((128, 64), (64, 128)))
    maps = [weft.TensorMap(a, (128, 64), swizzle="128B"), weft.TensorMap(b, (64, 64), swizzle="128B")]
    args = [*maps, np.zeros((128, 128), np.float32)]
    out = same(WGMMA, "k", 1, 128, args, target="sm_90a", shared_bytes=33792, async_=policy)[2]
    assert (out == a.astype(np.float32) @ b.astype(np.float32)).all()


MULTICAST = """
#shared = #gpu.address_space<workgroup>
!bar = !nvgpu.mbarrier.group<memorySpace = #shared>
!tile = memref<8x32xf32, #shared>
!map = !nvgpu.tensormap.descriptor<tensor = !tile, swizzle = none, l2promo = none, oob = zero, interleave = none>
module attributes {gpu.container_module} { gpu.module @m {
  gpu.func @k(%pA: !llvm.ptr, %C: memref<2x8x32xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>} {
    %A = builtin.unrealized_conversion_cast %pA : !llvm.ptr to !map
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %t = gpu.thread_id x
    %rank = gpu.cluster_block_id x
    %smem = gpu.dynamic_shared_memory : memref<?xi8, #shared>
    %o0 = arith.constant 1024 : index
    %s = memref.view %smem[%o0][] : memref<?xi8, #shared> to !tile
    %bar = nvgpu.mbarrier.create -> !bar
    %p = arith.cmpi eq, %t, %c0 : index
    nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %p : !bar
    nvvm.fence.mbarrier.init
    nvvm.cluster.arrive
    nvvm.cluster.wait
    %first = arith.cmpi eq, %rank, %c0 : index
    %mask = arith.constant 3 : i16
    %bytes = arith.constant 1024 : index
    nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes, predicate = %p : !bar
    scf.if %first {
      nvgpu.tma.async.load %A[%c0, %c8], %bar[%c0] to %s multicast_mask = %mask, predicate = %p : !map, !bar -> !tile
    }
    %ticks = arith.constant 10000000 : index
    %ph = arith.constant false
    nvgpu.mbarrier.try_wait.parity %bar[%c0], %ph, %ticks : !bar
    scf.for %i = %c0 to %c8 step %c1 {
      %v = memref.load %s[%i, %t] : !tile
      memref.store %v, %C[%rank, %i, %t] : memref<2x8x32xf32>
    }
    gpu.return
  }
}}
"""


def test_a_tile_for_two_blocks() -> None:
    """The first block of a cluster loads for both; each waits at its own mbarrier."""
    a = np.arange(32 * 32, dtype=np.float32).reshape(32, 32)
    args = [weft.TensorMap(a, (8, 32)), np.zeros((2, 8, 32), np.float32)]
    out = same(MULTICAST, "k", 2, 32, args, target="sm_90a", cluster=2, shared_bytes=2048)[1]
    assert (out == a[8:16]).all()


IM2COL = """
#shared = #gpu.address_space<workgroup>
module attributes {gpu.container_module} { gpu.module @m {
  llvm.mlir.global internal @bar() {addr_space = 3 : i32, alignment = 8 : i64} : i64
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 128 : i64} : !llvm.array<128 x f32>
  gpu.func @k(%map: !llvm.ptr, %out: memref<128xf32>, %x: i32, %dx: i16) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %z = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %zh = arith.constant 0 : i16
    %bytes = arith.constant 512 : i32
    %bar = llvm.mlir.addressof @bar : !llvm.ptr<3>
    %s = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %sc = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr<7>
    %p = arith.cmpi eq, %t, %c0 : index
    scf.if %p {
      nvvm.mbarrier.init %bar, %one : !llvm.ptr<3>, i32
      nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
      nvvm.mbarrier.arrive.expect_tx %bar, %bytes : !llvm.ptr<3>, i32
      nvvm.cp.async.bulk.tensor.shared.cluster.global %sc, %map, %bar, box[%z, %x, %x, %z] im2col[%dx, %zh] {mode = #nvvm.tma_load_mode<im2col>} : !llvm.ptr<7>, !llvm.ptr
    }
    gpu.barrier
    %ticks = arith.constant 1000000 : i32
    nvvm.mbarrier.try_wait.parity %bar, %z, %ticks : !llvm.ptr<3>, i32, i32
    scf.for %i = %c0 to %c4 step %c1 {
      %at = affine.linearize_index [%i, %t] by (4, 32) : index
      %n = arith.index_cast %at : index to i64
      %q = llvm.getelementptr %s[%n] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %v = llvm.load %q : !llvm.ptr<3> -> f32
      memref.store %v, %out[%at] : memref<128xf32>
    }
    gpu.return
  }
}}
"""


def test_columns_of_an_image() -> None:
    """`im2col`: the pixels of an image that a tap of a 3 x 3 filter meets, 8 channels each, zeros beyond the edge."""
    image = np.arange(1, 129, dtype=np.float32).reshape(1, 4, 4, 8)
    columns = weft.TensorMap.encode_im2col(image, (-1, -1), (-1, -1), 8, 16)
    args = [columns, np.zeros(128, np.float32), -1, 2]
    out = same(IM2COL, "k", 1, 32, args, target="sm_90a")[1]
    padded = np.pad(image[0], ((1, 1), (1, 1), (0, 0)))
    assert (out.reshape(4, 4, 8) == padded[:4, 2:6]).all()


def warp(body: str, shape: str, out: str) -> str:
    return f"""
    module attributes {{gpu.container_module}} {{ gpu.module @m {{
      gpu.func @k(%in: memref<{shape}xf32>, %out: memref<{out}xf32>) kernel attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
        %lane = gpu.lane_id
        %c0 = arith.constant 0 : index
        %zero = arith.constant 0.0 : f32
        {body}
        gpu.return
      }}
    }}}}"""


UNDISTRIBUTED = "failed to legalize operation 'gpu.warp_execute_on_lane_0'"


def test_parts_of_lanes() -> None:
    """Parts of lanes are joined for lane 0, whose vectors are handed out in parts."""
    body = """
    %at = affine.apply affine_map<(d0) -> (d0 * 2)>(%lane)
    %mine = vector.transfer_read %in[%at], %zero {in_bounds = [true]} : memref<64xf32>, vector<2xf32>
    %part = arith.fptosi %mine : vector<2xf32> to vector<2xi8>
    %r:3 = gpu.warp_execute_on_lane_0(%lane)[32] args(%mine, %part : vector<2xf32>, vector<2xi8>) -> (vector<2xf32>, vector<1xf32>, f32) {
    ^bb0(%all: vector<64xf32>, %bytes: vector<64xi8>):
      %twice = arith.addf %all, %all : vector<64xf32>
      %low = vector.extract_strided_slice %all {offsets = [0], sizes = [32], strides = [1]} : vector<64xf32> to vector<32xf32>
      %sum = vector.reduction <add>, %bytes : vector<64xi8> into i8
      %fsum = arith.sitofp %sum : i8 to f32
      gpu.yield %twice, %low, %fsum : vector<64xf32>, vector<32xf32>, f32
    }
    %w = vector.extract %r#1[0] : f32 from vector<1xf32>
    %x = arith.addf %w, %r#2 : f32
    %b = vector.broadcast %x : f32 to vector<2xf32>
    %y = arith.addf %r#0, %b : vector<2xf32>
    vector.transfer_write %y, %out[%at] {in_bounds = [true]} : vector<2xf32>, memref<64xf32>
    """
    values = np.arange(64, dtype=np.float32) % 13 - 6
    out = same(warp(body, "64", "64"), "k", 1, 32, [values, np.zeros_like(values)], refused=UNDISTRIBUTED)[1]
    want = 2 * values + np.repeat(values[:32], 2) + values.astype(np.int8).sum(dtype=np.int8)
    assert (out == want).all()


def test_rows_and_columns_of_lanes() -> None:
    """8 x 4 lanes hold 1 x 2 elements each of an 8 x 8 matrix, which lane 0 transposes; f16, packed in pairs."""
    body = """
    %r = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%lane)
    %c = affine.apply affine_map<(d0) -> ((d0 mod 4) * 2)>(%lane)
    %mine = vector.transfer_read %in[%r, %c], %zero {in_bounds = [true, true]} : memref<8x8xf32>, vector<1x2xf32>
    %half = arith.truncf %mine : vector<1x2xf32> to vector<1x2xf16>
    %t = gpu.warp_execute_on_lane_0(%lane)[32] args(%half : vector<1x2xf16>) -> (vector<1x2xf16>) {
    ^bb0(%all: vector<8x8xf16>):
      %t = vector.transpose %all, [1, 0] : vector<8x8xf16> to vector<8x8xf16>
      gpu.yield %t : vector<8x8xf16>
    }
    %back = arith.extf %t : vector<1x2xf16> to vector<1x2xf32>
    vector.transfer_write %back, %out[%r, %c] {in_bounds = [true, true]} : vector<1x2xf32>, memref<8x8xf32>
    """
    values = np.arange(64, dtype=np.float32).reshape(8, 8)
    out = same(warp(body, "8x8", "8x8"), "k", 1, 32, [values, np.zeros_like(values)], refused=UNDISTRIBUTED)[1]
    assert (out == values.T).all()


def test_lane_0_alone() -> None:
    """A region without operands: what lane 0 stores, and a value that all get."""
    body = """
    %i = affine.apply affine_map<(d0) -> (31 - d0)>(%lane)
    %v = memref.load %in[%i] : memref<32xf32>
    %all = gpu.warp_execute_on_lane_0(%lane)[32] -> (f32) {
      %w = arith.mulf %v, %v : f32
      memref.store %w, %out[%c0] : memref<32xf32>
      gpu.yield %w : f32
    }
    %x = arith.addf %all, %v : f32
    memref.store %x, %in[%i] : memref<32xf32>
    """
    values = np.arange(1, 33, dtype=np.float32)
    out, first = same(warp(body, "32", "32"), "k", 1, 32, [values, np.zeros_like(values)], refused=UNDISTRIBUTED)
    assert first[0] == 32 * 32 and (out == 32 * 32 + values).all()


SPARSE = """
module attributes {{gpu.container_module}} {{ gpu.module @m {{
  gpu.func @k(%A: memref<16x{half}x{t}>, %B: memref<{depth}x8x{t}>, %M: memref<32xi32>, %C: memref<16x8x{acc}>) kernel
      attributes {{known_block_size = array<i32: 32, 1, 1>}} {{
    %lane = gpu.lane_id
    %w = memref.load %M[%lane] : memref<32xi32>
    %meta = vector.broadcast %w : i32 to vector<1xi32>
    %metah = vector.bitcast %meta : vector<1xi32> to vector<2xi16>
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<{zero}> : vector<2x2x{acc}>
    {a}
    {b}
    %d = nvgpu.mma.sp.sync (%a, %b, %zero) metadata (%metah) {{mmaShape = [16, 8, {depth}]}} :
      (vector<4x{pair}x{t}>, vector<4x{pair}x{t}>, vector<2x2x{acc}>) -> vector<2x2x{acc}>
    %g = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%lane)
    %g8 = affine.apply affine_map<(d0) -> (d0 floordiv 4 + 8)>(%lane)
    %q = affine.apply affine_map<(d0) -> ((d0 mod 4) * 2)>(%lane)
    %low = vector.extract %d[0] : vector<2x{acc}> from vector<2x2x{acc}>
    %high = vector.extract %d[1] : vector<2x{acc}> from vector<2x2x{acc}>
    vector.store %low, %C[%g, %q] : memref<16x8x{acc}>, vector<2x{acc}>
    vector.store %high, %C[%g8, %q] : memref<16x8x{acc}>, vector<2x{acc}>
    gpu.return
  }}
}}}}"""


@pytest.mark.slow
def test_sparse_products() -> None:
    """`nvgpu.mma.sp.sync` of f16, 16 x 8 x 32, two of four elements of each row of A being there."""
    places = [(row, column) for column in (0, 8) for row in (0, 8)]
    a = "%a0 = arith.constant dense<0.0> : vector<4x2xf16>\n"
    for i, (row, column) in enumerate(places):
        a += f"""%ar{i} = affine.apply affine_map<(d0) -> (d0 floordiv 4 + {row})>(%lane)
        %ac{i} = affine.apply affine_map<(d0) -> ((d0 mod 4) * 2 + {column})>(%lane)
        %av{i} = vector.load %A[%ar{i}, %ac{i}] : memref<16x16xf16>, vector<2xf16>
        %a{i + 1} = vector.insert %av{i}, %a{i} [{i}] : vector<2xf16> into vector<4x2xf16>\n"""
    a += "%a = arith.addf %a0, %a4 : vector<4x2xf16>"
    b = "%b0 = arith.constant dense<0.0> : vector<4x2xf16>\n"
    for i in range(4):
        b += f"%bc{i} = affine.apply affine_map<(d0) -> (d0 floordiv 4)>(%lane)\n"
        for j in range(2):
            b += f"""%br{i}{j} = affine.apply affine_map<(d0) -> ((d0 mod 4) * 2 + {8 * i + j})>(%lane)
            %bv{i}{j} = memref.load %B[%br{i}{j}, %bc{i}] : memref<32x8xf16>
            %b{2 * i + j + 1} = vector.insert %bv{i}{j}, %b{2 * i + j} [{i}, {j}] : f16 into vector<4x2xf16>\n"""
    b += "%b = arith.addf %b0, %b8 : vector<4x2xf16>"
    text = SPARSE.format(half=16, depth=32, t="f16", acc="f32", zero="0.0", pair=2, a=a, b=b)
    rng = np.random.default_rng(8)
    kept = rng.integers(-4, 5, (16, 16)).astype(np.float16)
    matrix = rng.integers(-4, 5, (32, 8)).astype(np.float16)
    chosen = np.array([[sorted(rng.choice(4, 2, replace=False)) for _ in range(8)] for _ in range(16)])
    whole = np.zeros((16, 32))
    words = np.zeros(32, np.uint32)
    for row in range(16):
        for group in range(8):
            for i, place in enumerate(chosen[row, group]):
                whole[row, 4 * group + place] = kept[row, 2 * group + i]
                # Of each four lanes, the first two (selector 0) have a half of row g in 16 bits, and of row g + 8.
                lane = 4 * (row % 8) + group // 4
                words[lane] |= np.uint32(int(place) << 16 * (row // 8) + 4 * (group % 4) + 2 * i)
    args = [kept, matrix, words.view(np.int32), np.zeros((16, 8), np.float32)]
    out = same(text, "k", 1, 32, args)[3]
    assert (out == whole @ matrix.astype(np.float64)).all()


TALK = """
module attributes {gpu.container_module} {
  func.func @main(%n: i32) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c2, %gy = %c1, %gz = %c1)
        threads(%tx, %ty, %tz) in (%sx = %c3, %sy = %c1, %sz = %c1) {
      %zero = arith.constant 0 : i32
      %ok = arith.cmpi sge, %n, %zero : i32
      cf.assert %ok, "n is at least 0"
      %half = arith.constant 0.5 : f32
      %byte = arith.constant -3 : i8
      %t = arith.index_cast %tx : index to i32
      gpu.printf "block %lld thread %d of %lld: %f %d %c%%\\n", %bx, %t, %sx, %half, %byte, %n : index, i32, index, f32, i8, i32
      gpu.terminator
    }
    return
  }
}
"""


def test_what_kernels_say() -> None:
    first, second = both(TALK, "main_kernel", 2, 3, [65], passes=["-gpu-kernel-outlining"])
    want = [f"block {b} thread {t} of 3: 0.500000 -3 A%" for b in range(2) for t in range(3)]
    assert sorted(first.printed.splitlines()) == sorted(second.printed.splitlines()) == want
    with pytest.raises(KernelFault, match="n is at least 0"):
        ran(compiled(TALK), "main_kernel", 2, 3, [-1])
