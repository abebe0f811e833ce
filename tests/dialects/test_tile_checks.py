"""What the operations of `tile` demand: each demand by an operation that meets it, just, and by one that does not."""

from __future__ import annotations

import re

import pytest

from weft.errors import WeftError
from weft.mlir import parse_mlir

SPACES = {"L": "local", "S": "shared", "G": "global"}
BUFFER = re.compile(r"\b([LSGT])((?:\d+x)+)([if]\d+)\b")

RIGHT = """
%r = tile.alloc {alignment = 256 : i64} : S8x4xf32
%r = tile.alloc {alignment = 1 : i64} : S8x4xf32
%r = tile.alloc : L8x4xf32
%r = tile.address %S8x4xf32 : S8x4xf32 -> !llvm.ptr<3>
%r = tile.address %S8x4xf32[%i, %i] : S8x4xf32 -> !llvm.ptr<3>
%r = tile.load %S8x4xf32[%i, %i] : S8x4xf32 -> f32
%r = tile.load %G8x4xf32[%i, %i] : G8x4xf32 -> f32
tile.store %x, %S8x4xf32[%i, %i] : f32, S8x4xf32
%r = tile.extract %L8x4xf32 {index = 0 : i64} : L8x4xf32 -> f32
%r = tile.extract %L8x4xf32 {index = 31 : i64} : L8x4xf32 -> f32
tile.insert %L8x4xf32, %x {index = 31 : i64} : L8x4xf32, f32
tile.fill %L8x4xf32, %x : L8x4xf32, f32
tile.iota %L8x4xi32 {dimension = 0 : i64} : L8x4xi32
tile.iota %L8x4xi32 {dimension = 1 : i64} : L8x4xi32
tile.elementwise %L8x4xf32, %L8x4xf32, %L1x4xf32 {function = "add"} : L8x4xf32, L8x4xf32, L1x4xf32
tile.elementwise %L8x4xf32, %L8x1xf32, %x {function = "add"} : L8x4xf32, L8x1xf32, f32
tile.elementwise %L8x4xf32, %x {function = "exp"} : L8x4xf32, f32
tile.reduce %L8x1xf32, %L8x4xf32 {function = "add", dimension = 1 : i64} : L8x1xf32, L8x4xf32
tile.reduce %L1x4xf32, %L8x4xf32 {function = "max", dimension = 0 : i64} : L1x4xf32, L8x4xf32
tile.copy %S8x4xf32, %L8x4xf32 {scope = "thread"} : S8x4xf32, L8x4xf32
tile.copy %S8x4xf32, %L8x4xf32 {scope = "cta", dst_region = array<i64: 0, 8, 0, 4>} : S8x4xf32, L8x4xf32
tile.copy %S8x4xf32, %L8x4xf32 {scope = "warp", dst_region = array<i64: 7, 8, 0, 4>, src_region = array<i64: 0, 1, 0, 4>} : S8x4xf32, L8x4xf32
tile.copy %S8x4xf32, %G8x4xf32 bounds [%i, %i] {scope = "warpgroup"} : S8x4xf32, G8x4xf32
tile.copy %S8x4xf32, %G8x4xf32 bounds [%i, %i] {scope = "cta", bound_divisors = array<i64: 4, 0>} : S8x4xf32, G8x4xf32
tile.copy_async %S8x4xf32, %G8x4xf32 {scope = "cta"} : S8x4xf32, G8x4xf32
tile.async_wait {groups = 0 : i32}
tile.sync {scope = "warp"}
tile.sync {scope = "warpgroup"}
tile.tensor_load %S8x4xf32, %p, %q[%i, %i] {dimensions = array<i64: 1, 0>} : S8x4xf32, !llvm.ptr, !llvm.ptr<3>
tile.tensor_load %S1x4xf32, %p, %q[%i] {dimensions = array<i64: -1, 0>} : S1x4xf32, !llvm.ptr, !llvm.ptr<3>
tile.tensor_store %p, %S8x4xf32[%i, %i] {dimensions = array<i64: 1, 0>} : !llvm.ptr, S8x4xf32
tile.tensor_store %p, %S8x4xf32[%i, %i] {dimensions = array<i64: 1, 0>, reduction = "xor"} : !llvm.ptr, S8x4xf32
tile.gemm %L16x8xf32, %L16x4xf16, %L4x8xf16 : L16x8xf32, L16x4xf16, L4x8xf16
tile.gemm_async %L16x8xf32, %S16x4xf16, %S4x8xf16 : L16x8xf32, S16x4xf16, S4x8xf16
tile.gemm_async %L16x8xf32, %L16x4xf16, %S4x8xf16 : L16x8xf32, L16x4xf16, S4x8xf16
%r = tile.reshape %S8x4xf32 : S8x4xf32 to S8x4xf32
tile.copy %S1x4xf32, %L4xf32 {scope = "cta"} : S1x4xf32, L4xf32
tile.copy %S2x1xf32, %L2xf32 {scope = "cta"} : S2x1xf32, L2xf32
tile.copy %S8x4xf32, %L8x4xf32 {scope = "cta", dst_region = array<i64: 2, 4, 0, 4>, src_region = array<i64: 0, 2, 0, 4>} : S8x4xf32, L8x4xf32
tile.gemm %L16x8xf32, %L16x4xf16, %L8x8xf16 metadata %L16x1xi32 : L16x1xi32 : L16x8xf32, L16x4xf16, L8x8xf16
tile.gemm_async %L16x8xf32, %S16x4xf16, %S8x8xf16 metadata %L16x1xi32 : L16x1xi32 : L16x8xf32, S16x4xf16, S8x8xf16
tile.gemm_tensor %T128x32xf32, %S128x16xf16, %S16x32xf16 : T128x32xf32, S128x16xf16, S16x32xf16
tile.gemm_tensor %T128x32xf32, %S128x16xf16, %S16x16xf16 {pair} : T128x32xf32, S128x16xf16, S16x16xf16
tile.tensor_read %L128x32xf32, %T128x32xf32 : L128x32xf32, T128x32xf32
tile.tensor_write %T128x32xf32, %L128x32xf32 : T128x32xf32, L128x32xf32
%r = tile.view %p : !llvm.ptr -> G8x4xf32
%r = tile.view %q : !llvm.ptr<3> -> S8x4xf32
%r = tile.view %q {alignment = 16 : i64} : !llvm.ptr<3> -> S8x4xf32
%r = tile.subview %S8x4xf32[] {static_offsets = array<i64: 0, 0>, sizes = array<i64: 8, 4>} : S8x4xf32 -> S8x4xf32
%r = tile.subview %S8x4xf32[%i : i32] {static_offsets = array<i64: -9223372036854775808, 0>, sizes = array<i64: 2, 4>} : S8x4xf32 -> S2x4xf32
%r = tile.subview %S8x4xf32[%i : i32] {static_offsets = array<i64: -9223372036854775808, 0>, sizes = array<i64: 2, 4>, divisors = array<i64: 2>} : S8x4xf32 -> S2x4xf32
%r = tile.subview %L8x4xf32[] {static_offsets = array<i64: 0, 0>, sizes = array<i64: 2, 4>} : L8x4xf32 -> L2x4xf32
%r = tile.subview %T128x32xf32[%i : i32] {static_offsets = array<i64: -9223372036854775808, 0>, sizes = array<i64: 64, 32>} : T128x32xf32 -> T64x32xf32
"""

WRONG = """
%r = tile.alloc : G8x4xf32 | a shared or a local buffer
%r = tile.alloc {alignment = 3 : i64} : S8x4xf32 | an alignment that is a power of two, found 3
%r = tile.alloc {alignment = 0 : i64} : S8x4xf32 | an alignment that is a power of two, found 0
%r = tile.alloc {alignment = 16 : i64} : L8x4xf32 | registers have no alignment
%r = tile.address %G8x4xf32 : G8x4xf32 -> !llvm.ptr<3> | a buffer in shared memory
%r = tile.address %L8x4xf32 : L8x4xf32 -> !llvm.ptr<3> | a buffer in shared memory
%r = tile.address %S8x4xf32[%i] : S8x4xf32 -> !llvm.ptr<3> | 2 coordinates, found 1
%r = tile.load %L8x4xf32[%i, %i] : L8x4xf32 -> f32 | a buffer in memory: elements in registers
%r = tile.load %S8x4xf32[%i] : S8x4xf32 -> f32 | 2 coordinates, found 1
%r = tile.load %S8x4xf32[%i, %i] : S8x4xf32 -> i32 | an element of type f32, found i32
tile.store %i, %S8x4xf32[%i, %i] : i32, S8x4xf32 | an element of type f32, found i32
%r = tile.extract %S8x4xf32 {index = 0 : i64} : S8x4xf32 -> f32 | a buffer in registers, found one in shared memory
%r = tile.extract %L8x4xf32 {index = 32 : i64} : L8x4xf32 -> f32 | a place in 0 to 31, found 32
%r = tile.extract %L8x4xf32 {index = -1 : i64} : L8x4xf32 -> f32 | a place in 0 to 31, found -1
tile.insert %L8x4xf32, %x {index = 32 : i64} : L8x4xf32, f32 | a place in 0 to 31, found 32
tile.fill %L8x4xf32, %i : L8x4xf32, i32 | a value of type f32, found i32
tile.fill %S8x4xf32, %x : S8x4xf32, f32 | a buffer in registers, found one in shared memory
tile.iota %L8x4xf32 {dimension = 0 : i64} : L8x4xf32 | elements of type i32, found f32
tile.iota %L8x4xi32 {dimension = 2 : i64} : L8x4xi32 | a dimension in 0 to 1
tile.iota %L8x4xi32 {dimension = -1 : i64} : L8x4xi32 | a dimension in 0 to 1
tile.elementwise %S8x4xf32, %L8x4xf32, %L8x4xf32 {function = "add"} : S8x4xf32, L8x4xf32, L8x4xf32 | a destination in registers, found one in shared
tile.elementwise %L8x4xf32, %S8x4xf32, %L8x4xf32 {function = "add"} : L8x4xf32, S8x4xf32, L8x4xf32 | an operand in registers, found one in shared
tile.elementwise %L8x4xf32, %L8x4xf32 {function = "add"} : L8x4xf32, L8x4xf32 | 2 operands of 'add', found 1
tile.elementwise %L8x4xf32, %x, %x {function = "exp"} : L8x4xf32, f32, f32 | 1 operands of 'exp', found 2
tile.elementwise %L8x4xf32, %L2x4xf32, %x {function = "add"} : L8x4xf32, L2x4xf32, f32 | an operand of shape [8, 4], found [2, 4]
tile.elementwise %L8x4xf32, %L4xf32, %x {function = "add"} : L8x4xf32, L4xf32, f32 | an operand of shape [8, 4], found [4]
tile.elementwise %L8x4xf32, %x {function = "plus"} : L8x4xf32, f32 | found 'plus'
tile.reduce %L8x1xf32, %L8x4xf32 {function = "sub", dimension = 1 : i64} : L8x1xf32, L8x4xf32 | a function of add, mul, max, min, and, or, xor, found 'sub'
tile.reduce %L8x1xf32, %L8x4xf32 {function = "add", dimension = 2 : i64} : L8x1xf32, L8x4xf32 | a dimension in 0 to 1
tile.reduce %L8x1xf32, %L8x4xf32 {function = "add", dimension = 0 : i64} : L8x1xf32, L8x4xf32 | a destination of shape [1, 4] and type f32
tile.reduce %L8x1xi32, %L8x4xf32 {function = "add", dimension = 1 : i64} : L8x1xi32, L8x4xf32 | a destination of shape [8, 1] and type f32
tile.reduce %L8x1xf32, %S8x4xf32 {function = "add", dimension = 1 : i64} : L8x1xf32, S8x4xf32 | a source in registers, found one in shared
tile.copy %S8x4xf32, %L8x4xf32 {scope = "grid"} : S8x4xf32, L8x4xf32 | a scope of thread, warp, warpgroup, cta, found 'grid'
tile.copy %S8x4xf32, %L8x4xi32 {scope = "cta"} : S8x4xf32, L8x4xi32 | operands of one element type, found f32 and i32
tile.copy %S8x4xf32, %L8x4xf32 {scope = "cta", dst_region = array<i64: 0, 9, 0, 4>} : S8x4xf32, L8x4xf32 | a region of a buffer of shape [8, 4]
tile.copy %S8x4xf32, %L8x4xf32 {scope = "cta", dst_region = array<i64: -1, 7, 0, 4>} : S8x4xf32, L8x4xf32 | a region of a buffer of shape [8, 4]
tile.copy %S8x4xf32, %L8x4xf32 {scope = "cta", dst_region = array<i64: 3, 3, 0, 4>} : S8x4xf32, L8x4xf32 | a region of a buffer of shape [8, 4]
tile.copy %S8x4xf32, %L8x4xf32 {scope = "cta", dst_region = array<i64: 0, 8>} : S8x4xf32, L8x4xf32 | a region of a buffer of shape [8, 4]
tile.copy %S8x4xf32, %L4x8xf32 {scope = "cta"} : S8x4xf32, L4x8xf32 | regions of the same extents, found [8, 4] and [4, 8]
tile.copy %S8x4xf32, %L8x4xf32 bounds [%i, %i] {scope = "cta"} : S8x4xf32, L8x4xf32 | bounds of a copy with one operand in global memory
tile.copy %G8x4xf32, %G8x4xf32 bounds [%i, %i] {scope = "cta"} : G8x4xf32, G8x4xf32 | bounds of a copy with one operand in global memory
tile.copy %S8x4xf32, %G8x4xf32 bounds [%i] {scope = "cta"} : S8x4xf32, G8x4xf32 | a bound for each of 2 dimensions
tile.copy %S8x4xf32, %G8x4xf32 bounds [%i, %i] {scope = "cta", bound_divisors = array<i64: 4>} : S8x4xf32, G8x4xf32 | a divisor for each of 2 bounds
tile.copy %S8x4xf32, %G8x4xf32 bounds [%i, %i] {scope = "cta", bound_divisors = array<i64: 4, -1>} : S8x4xf32, G8x4xf32 | a divisor for each of 2 bounds
tile.copy_async %G8x4xf32, %S8x4xf32 {scope = "cta"} : G8x4xf32, S8x4xf32 | an asynchronous copy from global to shared memory
tile.copy_async %S8x4xf32, %S8x4xf32 {scope = "cta"} : S8x4xf32, S8x4xf32 | an asynchronous copy from global to shared memory
tile.copy_async %S8x4xf32, %G8x4xf32 {scope = "us"} : S8x4xf32, G8x4xf32 | found 'us'
tile.async_wait {groups = -1 : i32} | a number of groups, 0 or more
tile.sync {scope = "thread"} | a scope of warp, warpgroup, cta, found 'thread'
tile.tensor_load %L8x4xf32, %p, %q[%i, %i] {dimensions = array<i64: 1, 0>} : L8x4xf32, !llvm.ptr, !llvm.ptr<3> | a tile in shared memory
tile.tensor_load %S8x4xf32, %p, %q[%i, %i] {dimensions = array<i64: 1>} : S8x4xf32, !llvm.ptr, !llvm.ptr<3> | a dimension of the tensor for each dimension of the tile
tile.tensor_load %S8x4xf32, %p, %q[%i, %i] {dimensions = array<i64: 2, 0>} : S8x4xf32, !llvm.ptr, !llvm.ptr<3> | a dimension of the tensor for each dimension of the tile
tile.tensor_load %S8x4xf32, %p, %q[%i, %i] {dimensions = array<i64: -2, 0>} : S8x4xf32, !llvm.ptr, !llvm.ptr<3> | a dimension of the tensor for each dimension of the tile
tile.tensor_store %p, %S8x4xf32[%i, %i] {dimensions = array<i64: 1, 0>, reduction = "mul"} : !llvm.ptr, S8x4xf32 | a reduction of add, min, max, inc, dec, and, or, xor, found 'mul'
tile.tensor_store %p, %G8x4xf32[%i, %i] {dimensions = array<i64: 1, 0>} : !llvm.ptr, G8x4xf32 | a tile in shared memory
tile.gemm %L16x8xf32, %S16x4xf16, %L4x8xf16 : L16x8xf32, S16x4xf16, L4x8xf16 | 'a' in registers, found one in shared memory
tile.gemm %L16x8xf32, %L16x4xf16, %L8x8xf16 : L16x8xf32, L16x4xf16, L8x8xf16 | extents that meet, found [16, 4] times [8, 8] for [16, 8]
tile.gemm %L8x8xf32, %L16x4xf16, %L4x8xf16 : L8x8xf32, L16x4xf16, L4x8xf16 | extents that meet, found [16, 4] times [4, 8] for [8, 8]
tile.gemm %L16x4xf32, %L16x4xf16, %L4x8xf16 : L16x4xf32, L16x4xf16, L4x8xf16 | extents that meet, found [16, 4] times [4, 8] for [16, 4]
tile.gemm %L1x16x8xf32, %L16x4xf16, %L4x8xf16 : L1x16x8xf32, L16x4xf16, L4x8xf16 | matrices
tile.gemm_async %S16x8xf32, %S16x4xf16, %S4x8xf16 : S16x8xf32, S16x4xf16, S4x8xf16 | 'd' in registers, 'a' in shared memory or registers
tile.gemm_async %L16x8xf32, %G16x4xf16, %S4x8xf16 : L16x8xf32, G16x4xf16, S4x8xf16 | 'd' in registers, 'a' in shared memory or registers
tile.gemm_async %L16x8xf32, %S16x4xf16, %L4x8xf16 : L16x8xf32, S16x4xf16, L4x8xf16 | 'd' in registers, 'a' in shared memory or registers
tile.gemm_async %L16x8xf32, %S16x4xf16, %S8x8xf16 : L16x8xf32, S16x4xf16, S8x8xf16 | extents that meet
tile.tensor_read %L8x4xf32, %S8x4xf32 : L8x4xf32, S8x4xf32 | 'src' in space tensor
tile.tensor_write %L8x4xf32, %L8x4xf32 : L8x4xf32, L8x4xf32 | 'dst' in space tensor
tile.tensor_read %S8x4xf32, %S8x4xf32 : S8x4xf32, S8x4xf32 | 'dst' in space local
tile.copy %S2xf32, %L3xf32 {scope = "cta"} : S2xf32, L3xf32 | regions of the same extents, found [2] and [3]
tile.copy %S2xf32, %L1xf32 {scope = "cta"} : S2xf32, L1xf32 | regions of the same extents, found [2] and []
tile.gemm %L16x8xf32, %L16x4xf16, %L4x8xf16 metadata %L16x1xi32 : L16x1xi32 : L16x8xf32, L16x4xf16, L4x8xf16 | extents that meet
tile.gemm %L16x8xf32, %L16x4xf16, %L12x8xf16 metadata %L16x1xi32 : L16x1xi32 : L16x8xf32, L16x4xf16, L12x8xf16 | extents that meet
tile.gemm %L16x8xf32, %L16x4xf16, %L8x8xf16 metadata %S16x1xi32 : S16x1xi32 : L16x8xf32, L16x4xf16, L8x8xf16 | 'metadata' in registers, found one in shared
tile.gemm_async %L16x8xf32, %S16x4xf16, %S8x8xf16 metadata %S16x1xi32 : S16x1xi32 : L16x8xf32, S16x4xf16, S8x8xf16 | 'metadata' in registers
tile.gemm %S16x8xf32, %L16x4xf16, %L4x8xf16 : S16x8xf32, L16x4xf16, L4x8xf16 | 'd' in registers, found one in shared memory
tile.gemm %L16x8xf32, %L16x4xf16, %S4x8xf16 : L16x8xf32, L16x4xf16, S4x8xf16 | 'b' in registers, found one in shared memory
tile.gemm_tensor %L128x32xf32, %S128x16xf16, %S16x32xf16 : L128x32xf32, S128x16xf16, S16x32xf16 | 'd' in space tensor
tile.gemm_tensor %T128x32xf32, %S128x16xf16, %L16x32xf16 : T128x32xf32, S128x16xf16, L16x32xf16 | 'b' in space shared
tile.gemm_tensor %T128x32xf32, %S128x16xf16, %S16x16xf16 : T128x32xf32, S128x16xf16, S16x16xf16 | extents that meet
tile.gemm_tensor %T128x32xf32, %S128x16xf16, %S16x32xf16 {pair} : T128x32xf32, S128x16xf16, S16x32xf16 | extents that meet
tile.tensor_read %L64x32xf32, %T128x32xf32 : L64x32xf32, T128x32xf32 | tiles of one shape and one type
tile.tensor_read %L128x32xi32, %T128x32xf32 : L128x32xi32, T128x32xf32 | tiles of one shape and one type
tile.tensor_write %T128x32xf32, %L128x16xf32 : T128x32xf32, L128x16xf32 | tiles of one shape and one type
tile.tensor_write %T128x32xf32, %S128x32xf32 : T128x32xf32, S128x32xf32 | 'src' in space local
%r = tile.reshape %G8x4xf32 : G8x4xf32 to G8x4xf32 | a tile in registers or shared memory, found one in global
%r = tile.reshape %S8x4xf32 : S8x4xf32 to L8x4xf32 | the same elements and the same layout
%r = tile.reshape %S8x4xf32 : S8x4xf32 to S8x4xi32 | the same elements and the same layout
%r = tile.view %p : !llvm.ptr -> L8x4xf32 | a global or a shared buffer: registers have no address
%r = tile.view %p : !llvm.ptr -> S8x4xf32 | a pointer to shared memory
%r = tile.view %q : !llvm.ptr<3> -> G8x4xf32 | a pointer to global memory
%r = tile.view %p : !llvm.ptr -> T128x32xf32 | a pointer to tensor memory
%r = tile.view %q {alignment = 6 : i64} : !llvm.ptr<3> -> S8x4xf32 | an alignment that is a power of two, found 6
%r = tile.view %q strides [%i : i32] : !llvm.ptr<3> -> S8x4xf32 | one axis for each of the 1 strides
%r = tile.view %q strides [%i : i32] {axes = ["m"], divisors = array<i64: 1, 2>} : !llvm.ptr<3> -> S8x4xf32 | one divisor for each of the 1 strides
%r = tile.view %q strides [%i : i32] {axes = ["m"]} : !llvm.ptr<3> -> S8x4xf32 | the strides to bind the axes [] of the layout, found ['m']
%r = tile.subview %S8x4xf32[] {static_offsets = array<i64: 0, 0>, sizes = array<i64: 8>} : S8x4xf32 -> S8x4xf32 | a divisor for each value, found 2 offsets, 1 sizes, 0 values and 0 divisors
%r = tile.subview %S8x4xf32[%i : i32] {static_offsets = array<i64: 0, 0>, sizes = array<i64: 8, 4>} : S8x4xf32 -> S8x4xf32 | found 2 offsets, 2 sizes, 1 values and 0 divisors
%r = tile.subview %S8x4xf32[%i : i32] {static_offsets = array<i64: -9223372036854775808, 0>, sizes = array<i64: 2, 4>, divisors = array<i64: 2, 2>} : S8x4xf32 -> S2x4xf32 | 1 values and 2 divisors
%r = tile.subview %S8x4xf32[%i : i32] {static_offsets = array<i64: -9223372036854775808, 0>, sizes = array<i64: 2, 4>, divisors = array<i64: 0>} : S8x4xf32 -> S2x4xf32 | the offset of dimension 0 is not known to be a multiple of 1
%r = tile.subview %S8x4xf32[] {static_offsets = array<i64: 0>, sizes = array<i64: 8>} : S8x4xf32 -> S8x4xf32 | an offset and a size for each of 2 dimensions
%r = tile.subview %S8x4xf32[] {static_offsets = array<i64: 1, 0>, sizes = array<i64: 8, 4>} : S8x4xf32 -> S8x4xf32 | region [1, 9) is out of range for an extent of 8
%r = tile.subview %S8x4xf32[] {static_offsets = array<i64: 0, 0>, sizes = array<i64: 4, 4>} : S8x4xf32 -> S8x4xf32 | a result of type !tile.buffer<4x4xf32
%r = tile.subview %L8x4xf32[%i : i32] {static_offsets = array<i64: -9223372036854775808, 0>, sizes = array<i64: 2, 4>} : L8x4xf32 -> L2x4xf32 | registers have no address: expected constant offsets
%r = tile.alloc : !tile.buffer<0x4xf32, "shared", #tile.layout<"S[(1,4):(4,1)]">> | a buffer's extents to be positive
%r = tile.alloc : !tile.buffer<8x4xf32, "moon", #tile.layout<"S[(8,4):(4,1)]">> | a buffer's space to be one of global, shared, local, tensor
%r = tile.alloc : !tile.buffer<8x4xi7, "shared", #tile.layout<"S[(8,4):(4,1)]">> | elements to be of 4, 6, 8, 16, 32 or 64 bits
%r = tile.alloc : !tile.buffer<8x4xf32, "shared", 3> | a #tile.layout
%r = tile.alloc : !tile.buffer<8x8xf32, "shared", #tile.layout<"S[(8,4):(4,1)]">> | a layout of 64 elements, found one of 32 elements
"""


def type_of(space: str, extents: list[int], element: str) -> str:
    """A buffer whose elements lie row by row; in tensor memory, a row is a lane."""
    if space == "T":
        layout = f"S[({extents[0]},{extents[1]}):(1@TLane,1@TCol)]"
        return f'!tile.buffer<{extents[0]}x{extents[1]}x{element}, "tensor", #tile.layout<"{layout}">>'
    steps = [1]
    for extent in reversed(extents[1:]):
        steps.insert(0, steps[0] * extent)
    layout = (
        f"S[({','.join(map(str, extents))}):({','.join(map(str, steps))})]"
        if len(extents) > 1
        else f"S[{extents[0]}:1]"
    )
    shape = "x".join(map(str, extents))
    return f'!tile.buffer<{shape}x{element}, "{SPACES[space]}", #tile.layout<"{layout}">>'


def module(operation: str) -> str:
    """A function with the operation, whose buffers are arguments that have their types as names."""
    types = {m[0]: type_of(m[1], [int(n) for n in m[2].split("x")[:-1]], m[3]) for m in BUFFER.finditer(operation)}
    text = re.sub(rf"(?<!%){BUFFER.pattern}", lambda m: types[m[0]], operation)
    buffers = "".join(f", %{name}: {type_}" for name, type_ in types.items())
    arguments = f"%i: i32, %x: f32, %p: !llvm.ptr, %q: !llvm.ptr<3>{buffers}"
    return f"func.func @f({arguments}) {{\n{text}\nreturn\n}}"


@pytest.mark.parametrize("operation", RIGHT.strip().splitlines())
def test_what_is_met(operation: str) -> None:
    parse_mlir(module(operation))


@pytest.mark.parametrize("row", WRONG.strip().splitlines())
def test_what_is_not(row: str) -> None:
    operation, message = row.split(" | ")
    with pytest.raises(WeftError) as caught:
        parse_mlir(module(operation))
    assert message in str(caught.value)
