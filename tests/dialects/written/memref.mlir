#layout = affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>
#perm = affine_map<(i, j, k) -> (k, i, j)>
func.func @allocs(%d: index, %s: index) {
  %0 = memref.alloc() : memref<4x8xf32>
  %1 = memref.alloc(%d)[%s] : memref<4x?xf32, #layout, 1>
  %2 = memref.alloc()[%s] : memref<4x4xf32, #layout>
  %3 = memref.alloca(%d, %d) {alignment = 32} : memref<?x?xi8>
  %4 = memref.alloc() {alignment = 8 : i64} : memref<2x3x4xf32, #perm>
  %5 = memref.alloc(%d) : memref<?xf32, strided<[2], offset: 3>, "private">
  memref.dealloc %0 : memref<4x8xf32>
  memref.dealloc %4 : memref<2x3x4xf32, #perm>
  %7 = memref.alloca_scope -> index {
    memref.alloca_scope.return %d : index
  }
  memref.alloca_scope { memref.alloca_scope.return }
  memref.alloca_scope { 
    %x = memref.alloca() : memref<4xf32>
  }
  return
}
// -----
#layout = affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>
#perm = affine_map<(i, j, k) -> (k, i, j)>
func.func @allocs(%d: index, %s: index) {
  %0 = memref.alloc() : memref<4x8xf32>
  %1 = memref.alloc(%d)[%s] : memref<4x?xf32, #layout, 1>
  %2 = memref.alloc()[%s] : memref<4x4xf32, #layout>
  %3 = memref.alloca(%d, %d) {alignment = 32} : memref<?x?xi8>
  %4 = memref.alloc() {alignment = 8 : i64} : memref<2x3x4xf32, #perm>
  %5 = memref.alloc(%d) : memref<?xf32, strided<[2], offset: 3>, "private">
  memref.dealloc %0 : memref<4x8xf32>
  memref.dealloc %4 : memref<2x3x4xf32, #perm>
  %6 = memref.realloc %5(%s) : memref<?xf32, strided<[2], offset: 3>, "private"> to memref<?xf32>
  %7 = memref.alloca_scope -> index {
    memref.alloca_scope.return %d : index
  }
  memref.alloca_scope { memref.alloca_scope.return }
  memref.alloca_scope { 
    %x = memref.alloca() : memref<4xf32>
  }
  return
}
// -----
memref.global @a : memref<2xf32>
memref.global "private" @b : memref<2x2xf32> = dense<1.0>
memref.global "private" constant @c : memref<2xi32, 3> = dense<[1, 2]> {alignment = 64}
memref.global "public" @d : memref<f32> = uninitialized
memref.global "nested" constant @e : memref<4xi8> = dense<"0x01020304">
memref.global "private" @f : memref<3xvector<4xf32>> = uninitialized
func.func @g() -> memref<2xf32> {
  %0 = memref.get_global @a : memref<2xf32>
  %1 = memref.get_global @c : memref<2xi32, 3>
  return %0 : memref<2xf32>
}
// -----
func.func @ls(%m: memref<4x?xf32>, %i: index, %b: f32, %u: memref<*xf32>, %z: memref<i1>) {
  %0 = memref.load %m[%i, %i] : memref<4x?xf32>
  %1 = memref.load %m[%i, %i] {nontemporal = true} : memref<4x?xf32>
  %2 = memref.load %m[%i, %i] {alignment = 16 : i64} : memref<4x?xf32>
  memref.store %0, %m[%i, %i] {nontemporal = true} : memref<4x?xf32>
  memref.store %0, %m[%i, %i] {nontemporal = false, alignment = 4 : i64} : memref<4x?xf32>
  %3 = memref.load %z[] : memref<i1>
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x?xf32>
  memref.prefetch %m[%i, %i], write, locality<0>, instr {a} : memref<4x?xf32>
  %4 = memref.atomic_rmw addf %b, %m[%i, %i] : (f32, memref<4x?xf32>) -> f32
  %5 = memref.generic_atomic_rmw %m[%i, %i] : memref<4x?xf32> {
  ^bb0(%c: f32):
    memref.atomic_yield %c : f32
  }
  %6 = memref.dim %m, %i : memref<4x?xf32>
  %7 = memref.dim %u, %i : memref<*xf32>
  %8 = memref.rank %u : memref<*xf32>
  %9 = memref.cast %u : memref<*xf32> to memref<4x?xf32>
  %10 = memref.cast %m : memref<4x?xf32> to memref<?x4xf32>
  %11 = memref.cast %m : memref<4x?xf32> to memref<*xf32>
  %12 = memref.memory_space_cast %m : memref<4x?xf32> to memref<4x?xf32, 3>
  memref.copy %m, %10 : memref<4x?xf32> to memref<?x4xf32>
  memref.copy %u, %u {a = 1} : memref<*xf32> to memref<*xf32>
  %13 = memref.extract_aligned_pointer_as_index %m : memref<4x?xf32> -> index
  %base, %off, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  memref.assume_alignment %m, 16 : memref<4x?xf32>
  %14 = memref.assume_alignment %m, 16 : memref<4x?xf32>
  %15, %16 = memref.distinct_objects %m, %10 : memref<4x?xf32>, memref<?x4xf32>
  return
}
// -----
func.func @ls(%m: memref<4x?xf32>, %i: index, %b: f32, %u: memref<*xf32>, %z: memref<i1>) {
  %0 = memref.load %m[%i, %i] : memref<4x?xf32>
  %1 = memref.load %m[%i, %i] {nontemporal = true} : memref<4x?xf32>
  %2 = memref.load %m[%i, %i] {alignment = 16 : i64} : memref<4x?xf32>
  memref.store %0, %m[%i, %i] {nontemporal = true} : memref<4x?xf32>
  memref.store %0, %m[%i, %i] {nontemporal = false, alignment = 4 : i64} : memref<4x?xf32>
  %3 = memref.load %z[] : memref<i1>
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x?xf32>
  %4 = memref.atomic_rmw addf %b, %m[%i, %i] : (f32, memref<4x?xf32>) -> f32
  %5 = memref.generic_atomic_rmw %m[%i, %i] : memref<4x?xf32> {
  ^bb0(%c: f32):
    memref.atomic_yield %c : f32
  }
  %6 = memref.dim %m, %i : memref<4x?xf32>
  %7 = memref.dim %u, %i : memref<*xf32>
  %8 = memref.rank %u : memref<*xf32>
  %9 = memref.cast %u : memref<*xf32> to memref<4x?xf32>
  %10 = memref.cast %m : memref<4x?xf32> to memref<?x4xf32>
  %11 = memref.cast %m : memref<4x?xf32> to memref<*xf32>
  %12 = memref.memory_space_cast %m : memref<4x?xf32> to memref<4x?xf32, 3>
  memref.copy %m, %10 : memref<4x?xf32> to memref<?x4xf32>
  memref.copy %u, %u {a = 1} : memref<*xf32> to memref<*xf32>
  %13 = memref.extract_aligned_pointer_as_index %m : memref<4x?xf32> -> index
  %base, %off, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<4x?xf32> -> memref<f32>, index, index, index, index, index
  memref.assume_alignment %m, 16 : memref<4x?xf32>
  %14 = memref.assume_alignment %m, 16 : memref<4x?xf32>
  %15, %16 = memref.distinct_objects %m, %10 : memref<4x?xf32>, memref<?x4xf32>
  return
}
// -----
func.func @ls2(%m: memref<4x?xf32>, %i: index) {
  %14 = memref.assume_alignment %m, 16 : memref<4x?xf32>
  %15, %16 = memref.distinct_objects %m, %14 : memref<4x?xf32>, memref<4x?xf32>
  return
}
// -----
func.func @views(%m: memref<8x16x4xf32>, %d: memref<?x?xf32, strided<[?, ?], offset: ?>>, %i: index, %b: memref<2048xi8>) {
  %0 = memref.subview %m[%i, %i, %i] [%i, %i, %i] [%i, %i, %i] : memref<8x16x4xf32> to memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
  %1 = memref.subview %m[0, 0, 0] [4, 4, 4] [1, 1, 1] : memref<8x16x4xf32> to memref<4x4x4xf32, strided<[64, 4, 1]>>
  %2 = memref.subview %m[0, 2, 0] [1, 4, 1] [1, 1, 1] : memref<8x16x4xf32> to memref<4xf32, strided<[4], offset: 8>>
  %4 = memref.subview %d[1, %i] [4, 4] [1, 2] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<4x4xf32, strided<[?, ?], offset: ?>>
  %5 = memref.subview %m[0, 0, 0] [8, 16, 4] [1, 1, 1] : memref<8x16x4xf32> to memref<8x16x4xf32>
  %6 = memref.subview %m[0, 0, 0] [8, 16, 4] [1, 1, 1] : memref<8x16x4xf32> to memref<8x16x4xf32, strided<[64, 4, 1]>>
  %7 = memref.view %b[%i][%i] : memref<2048xi8> to memref<?x4xf32>
  %8 = memref.view %b[%i][] : memref<2048xi8> to memref<64x4xf32>
  %9 = memref.reinterpret_cast %m to offset: [0], sizes: [%i, 10], strides: [1, %i] : memref<8x16x4xf32> to memref<?x10xf32, strided<[1, ?]>>
  %10 = memref.reinterpret_cast %m to offset: [%i], sizes: [], strides: [] : memref<8x16x4xf32> to memref<f32, strided<[], offset: ?>>
  %11 = memref.collapse_shape %m [[0, 1], [2]] : memref<8x16x4xf32> into memref<128x4xf32>
  %12 = memref.expand_shape %11 [[0, 1], [2, 3]] output_shape [8, 16, 4, 1] : memref<128x4xf32> into memref<8x16x4x1xf32>
  %13 = memref.transpose %m (i, j, k) -> (k, j, i) : memref<8x16x4xf32> to memref<4x16x8xf32, strided<[1, 4, 64]>>
  %14 = memref.transpose %m (d0, d1, d2) -> (d0, d2, d1) : memref<8x16x4xf32> to memref<8x4x16xf32, affine_map<(d0, d1, d2) -> (d0 * 64 + d1 + d2 * 4)>>
  return
}
// -----
func.func @views(%m: memref<8x16x4xf32>, %d: memref<?x?xf32, strided<[?, ?], offset: ?>>, %i: index, %b: memref<2048xi8>) {
  %0 = memref.subview %m[%i, %i, %i] [%i, %i, %i] [%i, %i, %i] : memref<8x16x4xf32> to memref<?x?x?xf32, strided<[?, ?, ?], offset: ?>>
  %1 = memref.subview %m[0, 0, 0] [4, 4, 4] [1, 1, 1] : memref<8x16x4xf32> to memref<4x4x4xf32, strided<[64, 4, 1]>>
  %2 = memref.subview %m[0, 2, 0] [1, 4, 1] [1, 1, 1] : memref<8x16x4xf32> to memref<4xf32, strided<[4], offset: 8>>
  %3 = memref.subview %m[3, 4, 2] [1, 6, 3] [1, 1, 1] : memref<8x16x4xf32> to memref<6x3xf32, strided<[4, 1], offset: 210>>
  %4 = memref.subview %d[1, %i] [4, 4] [1, 2] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<4x4xf32, strided<[?, ?], offset: ?>>
  %5 = memref.subview %m[0, 0, 0] [8, 16, 4] [1, 1, 1] : memref<8x16x4xf32> to memref<8x16x4xf32>
  %6 = memref.subview %m[0, 0, 0] [8, 16, 4] [1, 1, 1] : memref<8x16x4xf32> to memref<8x16x4xf32, strided<[64, 4, 1]>>
  %7 = memref.view %b[%i][%i] : memref<2048xi8> to memref<?x4xf32>
  %8 = memref.view %b[%i][] : memref<2048xi8> to memref<64x4xf32>
  %9 = memref.reinterpret_cast %m to offset: [0], sizes: [%i, 10], strides: [1, %i] : memref<8x16x4xf32> to memref<?x10xf32, strided<[1, ?]>>
  %10 = memref.reinterpret_cast %m to offset: [%i], sizes: [], strides: [] : memref<8x16x4xf32> to memref<f32, strided<[], offset: ?>>
  %11 = memref.collapse_shape %m [[0, 1], [2]] : memref<8x16x4xf32> into memref<128x4xf32>
  %12 = memref.expand_shape %11 [[0, 1], [2, 3]] output_shape [8, 16, 4, 1] : memref<128x4xf32> into memref<8x16x4x1xf32>
  %13 = memref.transpose %m (i, j, k) -> (k, j, i) : memref<8x16x4xf32> to memref<4x16x8xf32, strided<[1, 4, 64]>>
  %14 = memref.transpose %m (d0, d1, d2) -> (d0, d2, d1) : memref<8x16x4xf32> to memref<8x4x16xf32, affine_map<(d0, d1, d2) -> (d0 * 64 + d1 + d2 * 4)>>
  return
}
// -----
func.func @rs(%s: memref<?xf32>, %sh: memref<1xi32>, %shi: memref<?xindex>, %u: memref<*xf32>) {
  %0 = memref.reshape %s(%sh) : (memref<?xf32>, memref<1xi32>) -> memref<?xf32>
  %1 = memref.reshape %u(%shi) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %2 = memref.reshape %s(%shi) : (memref<?xf32>, memref<?xindex>) -> memref<*xf32>
  return
}
// -----
func.func @zero(%m: memref<f32>, %z: memref<1x1xf32>, %d: memref<?x1xf32>) {
  %0 = memref.collapse_shape %z [] : memref<1x1xf32> into memref<f32>
  %1 = memref.expand_shape %m [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  %2 = memref.collapse_shape %d [[0, 1]] : memref<?x1xf32> into memref<?xf32>
  return
}
// -----
func.func @dma(%a: memref<100xf32>, %b: memref<100xf32, 1>, %t: memref<1xi32>, %i: index) {
  memref.dma_start %a[%i], %b[%i], %i, %t[%i] : memref<100xf32>, memref<100xf32, 1>, memref<1xi32>
  memref.dma_start %a[%i], %b[%i], %i, %t[%i], %i, %i : memref<100xf32>, memref<100xf32, 1>, memref<1xi32>
  memref.dma_wait %t[%i], %i : memref<1xi32>
  return
}
// -----
func.func @bad(%i: index) {
  %0 = memref.alloc() : memref<?xf32>
  return
}
// -----
func.func @bad(%i: index) {
  %0 = memref.alloc(%i) : memref<4xf32>
  return
}
// -----
func.func @bad(%i: index) {
  %0 = memref.alloc(%i)[%i] : memref<?xf32>
  return
}
// -----
func.func @bad(%i: index) {
  %0 = memref.alloc() : memref<4xf32, affine_map<(d0)[s0] -> (d0 + s0)>>
  return
}
// -----
func.func @bad(%i: index) {
  %0 = memref.alloc() {alignment = -3 : i64} : memref<4xf32>
  return
}
// -----
func.func @bad(%i: index) {
  %0 = memref.alloc() {alignment = 3 : i32} : memref<4xf32>
  return
}
// -----
func.func @bad(%i: index) {
  %0 = memref.alloc() : memref<4xf32, affine_map<(d0, d1) -> (d0)>>
  return
}
// -----
func.func @bad(%i: index) {
  %0 = memref.alloc() : memref<*xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %i: index) {
  %0 = memref.load %m[] : memref<4xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %i: index) {
  %0 = memref.load %m[%i, %i] : memref<4xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %i: index, %j: i32) {
  memref.store %j, %m[%i] : memref<4xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %i: index) {
  %0 = memref.load %m[%i] {alignment = 3 : i64} : memref<4xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %i: index) {
  %0 = memref.load %m[%i] {alignment = 0 : i64} : memref<4xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %i: index) {
  %0 = memref.cast %m : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %i: index) {
  %0 = memref.cast %m : memref<4xf32> to memref<4xi32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %i: index) {
  %0 = memref.cast %m : memref<4xf32> to memref<4xf32, 2>
  return
}
// -----
func.func @bad(%m: memref<*xf32>, %i: index) {
  %0 = memref.cast %m : memref<*xf32> to memref<*xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32, strided<[1]>>, %i: index) {
  %0 = memref.cast %m : memref<4xf32, strided<[1]>> to memref<4xf32, strided<[2]>>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %n: memref<5xf32>, %i: index) {
  memref.copy %m, %n : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>, %n: memref<4xi32>, %i: index) {
  memref.copy %m, %n : memref<4xf32> to memref<4xi32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>) {
  memref.assume_alignment %m, 3 : memref<4xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>) {
  %0 = memref.assume_alignment %m, 0 : memref<4xf32>
  return
}
// -----
func.func @bad(%m: memref<4xf32>) {
  %0 = memref.distinct_objects %m : memref<4xf32>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 2>>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1]>, 3>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xi32, strided<[16, 1]>>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4xf32, strided<[1]>>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[6, 0] [4, 4] [1, 1] : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 96>>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[8, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<1x4xf32, strided<[16, 1], offset: 128>>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[-1, 0] [1, 4] [1, 1] : memref<8x16xf32> to memref<1x4xf32, strided<[16, 1], offset: -16>>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [-1, 4] [1, 1] : memref<8x16xf32> to memref<1x4xf32, strided<[16, 1]>>
  return
}
// -----
func.func @bad(%m: memref<8x16xf32, affine_map<(d0, d1) -> (d0 + d1, d1)>>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<8x16xf32, affine_map<(d0, d1) -> (d0 + d1, d1)>> to memref<4x4xf32>
  return
}
// -----
func.func @bad(%m: memref<8x16x4xf32>) {
  %11 = memref.collapse_shape %m [[0, 1]] : memref<8x16x4xf32> into memref<128xf32>
  return
}
// -----
func.func @bad(%m: memref<8x16x4xf32>) {
  %11 = memref.collapse_shape %m [[0, 2], [1]] : memref<8x16x4xf32> into memref<128x4xf32>
  return
}
// -----
func.func @bad(%m: memref<8x16x4xf32>) {
  %11 = memref.collapse_shape %m [[0, 1], [2]] : memref<8x16x4xf32> into memref<127x4xf32>
  return
}
// -----
func.func @bad(%m: memref<8x16x4xf32, strided<[128, 4, 1]>>) {
  %11 = memref.collapse_shape %m [[0, 1], [2]] : memref<8x16x4xf32, strided<[128, 4, 1]>> into memref<128x4xf32>
  return
}
// -----
func.func @bad(%m: memref<128x4xf32>, %i: index) {
  %11 = memref.expand_shape %m [[0, 1], [2]] output_shape [8, 15, 4] : memref<128x4xf32> into memref<8x15x4xf32>
  return
}
// -----
func.func @bad(%m: memref<128x4xf32>, %i: index) {
  %11 = memref.expand_shape %m [[0, 1], [2]] output_shape [8, %i, 4] : memref<128x4xf32> into memref<8x16x4xf32>
  return
}
// -----
func.func @bad(%m: memref<?x4xf32>, %i: index) {
  %11 = memref.expand_shape %m [[0, 1], [2]] output_shape [%i, %i, 4] : memref<?x4xf32> into memref<?x?x4xf32>
  return
}
// -----
func.func @bad(%m: memref<?x4xf32>, %i: index) {
  %11 = memref.expand_shape %m [[0, 1], [2]] output_shape [8, 16, 4] : memref<?x4xf32> into memref<8x16x4xf32>
  return
}
// -----
func.func @bad(%m: memref<2x4xf32>, %i: index) {
  %11 = memref.transpose %m (i, j) -> (i, i) : memref<2x4xf32> to memref<2x2xf32>
  return
}
// -----
func.func @bad(%m: memref<2x4xf32>, %i: index) {
  %11 = memref.transpose %m (i, j) -> (j, i) : memref<2x4xf32> to memref<4x2xf32>
  return
}
// -----
func.func @bad(%m: memref<2x4xf32>, %i: index) {
  %11 = memref.reinterpret_cast %m to offset: [0, 0], sizes: [8], strides: [1] : memref<2x4xf32> to memref<8xf32>
  return
}
// -----
func.func @bad(%m: memref<2x4xf32>, %i: index) {
  %11 = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1, 1] : memref<2x4xf32> to memref<8xf32>
  return
}
// -----
func.func @bad(%m: memref<2x4xf32>, %i: index) {
  %11 = memref.reinterpret_cast %m to offset: [1], sizes: [8], strides: [1] : memref<2x4xf32> to memref<8xf32>
  return
}
// -----
func.func @bad(%m: memref<2x4xf32>, %i: index) {
  %11 = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<2x4xf32> to memref<9xf32>
  return
}
// -----
func.func @bad(%m: memref<2x4xf32>, %i: index) {
  %11 = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<2x4xf32> to memref<8xf32, 2>
  return
}
// -----
func.func @bad(%m: memref<2x4xf32>, %i: index) {
  %11 = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [-2] : memref<2x4xf32> to memref<8xf32, strided<[-2]>>
  return
}
// -----
func.func @bad(%m: memref<2x4xi8>, %i: index) {
  %11 = memref.view %m[%i][] : memref<2x4xi8> to memref<8xf32>
  return
}
// -----
func.func @bad(%m: memref<8xi16>, %i: index) {
  %11 = memref.view %m[%i][] : memref<8xi16> to memref<8xf32>
  return
}
// -----
func.func @bad(%m: memref<8xi8>, %i: index) {
  %11 = memref.view %m[%i][%i] : memref<8xi8> to memref<8xf32>
  return
}
// -----
func.func @bad(%m: memref<8xi8>, %i: index) {
  %11 = memref.view %m[%i][] : memref<8xi8> to memref<8xf32, affine_map<(d0) -> (d0 * 2)>>
  return
}
// -----
func.func @bad(%m: memref<8xi8, 2>, %i: index) {
  %11 = memref.view %m[%i][] : memref<8xi8, 2> to memref<8xf32>
  return
}
// -----
memref.global @x : memref<?xf32>
// -----
memref.global "foo" @x : memref<2xf32>
// -----
memref.global constant @x : memref<2xf32> = dense<1.0> : tensor<3xf32>
// -----
memref.global constant @x : memref<2xf32> = dense<1>
// -----
memref.global @x : i32
// -----
memref.global @x : memref<2xf32> = [1.0, 2.0]
// -----
func.func @f() {
  %0 = memref.get_global @none : memref<2xf32>
  return
}
// -----
memref.global @x : memref<3xf32>
func.func @f() {
  %0 = memref.get_global @x : memref<2xf32>
  return
}
// -----
func.func private @x()
func.func @f() {
  %0 = memref.get_global @x : memref<2xf32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: i32) {
  %0 = memref.atomic_rmw addi %x, %m[%i] : (i32, memref<4xf32>) -> i32
  return
}
// -----
func.func @f(%m: memref<4xf32>, %i: index, %x: f32) {
  %0 = memref.atomic_rmw addi %x, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i32) {
  %0 = memref.atomic_rmw addf %x, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i32) {
  %0 = memref.atomic_rmw foo %x, %m[%i] : (i32, memref<4xi32>) -> i32
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%a: i32):
    memref.store %a, %m[%i] : memref<4xi32>
    memref.atomic_yield %a : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: f32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%a: i32):
    memref.atomic_yield %x : f32
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: f32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%a: i32, %b: i32):
    memref.atomic_yield %a : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index) {
  memref.prefetch %m[%i], foo, locality<3>, data : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index) {
  memref.prefetch %m[%i], read, locality<4>, data : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index) {
  memref.prefetch %m[%i, %i], read, locality<2>, foo : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<4xi32>) {
  %i = arith.constant 1 : index
  %0 = memref.dim %m, %i : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<i32>) {
  %i = arith.constant 1 : index
  %0 = memref.dim %m, %i : memref<i32>
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: i32) {
  %0 = memref.dim %m, %i : memref<4xi32>
  return
}
// -----
func.func @f(%m: memref<4x-1xi32>) {
  return
}
// -----
func.func @f(%m: memref<4x xi32>) {
  return
}
// -----
func.func @f(%m: memref<4x4xi32, >) {
  return
}
// -----
func.func @f(%m: memref<4x4xi32, 1, 2>) {
  return
}
// -----
func.func @f(%m: memref<4x4xi32, affine_map<(d0, d1) -> (d0, d1)>, 0>, %n: memref<4xi32, strided<[1], offset: 0>>, %o: memref<4xi32, 0 : i32>, %p: memref<4xi32, 5 : i8>) {
  return
}
// -----
func.func @f(%m: memref<4x4xi32, strided<[1]>>) {
  return
}
// -----
func.func @f(%m: memref<4x4xi32, strided<[1, 0]>>, %o: memref<4xi32, strided<[1], offset: foo>>) {
  return
}
// -----
func.func @f(%m: memref<4xnone>) {
  return
}
// -----
func.func @f(%m: memref<4xtuple<>>) {
  return
}
// -----
func.func @f(%m: memref<4xmemref<4xf32>>, %n: memref<vector<4xf32>>, %o: memref<4x!llvm.ptr>, %p: memref<4xcomplex<f32>>, %q: memref<4xtensor<4xf32>>) {
  return
}
// -----
func.func @re(%m: memref<4xf32>, %n: memref<4xf32, 3>) {
  %0 = memref.realloc %m : memref<4xf32> to memref<?xf32>
  return
}
// -----
func.func @re(%m: memref<4xf32>, %n: memref<4xf32, 3>) {
  %0 = memref.realloc %n : memref<4xf32, 3> to memref<5xf32>
  return
}
// -----
func.func @re(%m: memref<4xf32>, %i: index) {
  %0 = memref.realloc %m(%i) : memref<4xf32> to memref<5xf32>
  return
}
// -----
func.func @re(%m: memref<4x4xf32>, %i: index) {
  %0 = memref.realloc %m(%i) : memref<4x4xf32> to memref<?x?xf32>
  return
}
// -----
func.func @rs(%s: memref<?xf32>, %sh: memref<?xi32>) {
  %0 = memref.reshape %s(%sh) : (memref<?xf32>, memref<?xi32>) -> memref<?xf32>
  return
}
// -----
func.func @rs(%s: memref<?xf32>, %sh: memref<2xi32>) {
  %0 = memref.reshape %s(%sh) : (memref<?xf32>, memref<2xi32>) -> memref<?xf32>
  return
}
// -----
func.func @rs(%s: memref<?xf32>, %sh: memref<1xi32>) {
  %0 = memref.reshape %s(%sh) : (memref<?xf32>, memref<1xi32>) -> memref<?xi32>
  return
}
// -----
func.func @sc() {
  %0 = memref.alloca_scope -> i32 {
    memref.alloca_scope.return
  }
  return
}
// -----
func.func @sc() {
  memref.alloca_scope.return
}
// -----
func.func @dim(%m: memref<4x?xf32>) -> (index, memref<4x?xf32>) {
  %c0 = arith.constant 0 : index
  %d = memref.dim %m, %c0 : memref<4x?xf32>
  %a = memref.alloc(%d) : memref<4x?xf32>
  "memref.store"(%d, %a) : (index, memref<4x?xf32>) -> ()
  return %d, %a : index, memref<4x?xf32>
}
// -----
func.func @b(%m: memref<1xf32, strided<[1]>>) {
  %0 = memref.cast %m : memref<1xf32, strided<[1]>> to memref<1xf32, strided<[2]>>
  return
}
// -----
func.func @b(%m: memref<4xf32, strided<[1]>>) {
  %0 = memref.cast %m : memref<4xf32, strided<[1]>> to memref<4xf32>
  return
}
// -----
func.func @b(%m: memref<4xf32, strided<[1], offset: ?>>) {
  %0 = memref.cast %m : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  return
}
// -----
func.func @b(%m: memref<4xf32, strided<[1], offset: 1>>) {
  %0 = memref.cast %m : memref<4xf32, strided<[1], offset: 1>> to memref<4xf32>
  return
}
// -----
func.func @b(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>) {
  %0 = memref.cast %m : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to memref<4x4xf32>
  return
}
// -----
func.func @b(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>) {
  %0 = memref.cast %m : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to memref<4x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
  return
}
// -----
func.func @b(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>>) {
  %0 = memref.cast %m : memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>> to memref<4x4xf32>
  return
}
// -----
func.func @b(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>>) {
  %0 = memref.cast %m : memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>> to memref<4x4xf32, strided<[5, 1]>>
  return
}
// -----
func.func @b(%m: memref<1x4xf32, strided<[7, 1]>>) {
  %0 = memref.cast %m : memref<1x4xf32, strided<[7, 1]>> to memref<?x4xf32, strided<[4, 1]>>
  return
}
// -----
func.func @b(%m: memref<?x4xf32, strided<[7, 1]>>) {
  %0 = memref.cast %m : memref<?x4xf32, strided<[7, 1]>> to memref<1x4xf32, strided<[4, 1]>>
  return
}
// -----
func.func @b(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<*xf32, 3>
  return
}
// -----
func.func @b(%m: memref<4xf32>) {
  %0 = memref.cast %m : memref<4xf32> to memref<*xi32>
  return
}
// -----
func.func @b(%m: memref<4xf32>) {
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32>
  return
}
// -----
func.func @b(%m: memref<4xf32>) {
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, strided<[1]>, 3>
  return
}
// -----
func.func @b(%m: memref<4xf32>) {
  %0 = memref.memory_space_cast %m : memref<4xf32> to memref<*xf32, 3>
  return
}
// -----
func.func @f(%m: memref<8x16x4xf32>) {
  %11 = memref.collapse_shape %m [] : memref<8x16x4xf32> into memref<f32>
  return
}
// -----
func.func @f(%m: memref<8x16x4xf32>) {
  %11 = memref.collapse_shape %m [[0, 1], [1, 2]] : memref<8x16x4xf32> into memref<128x4xf32>
  return
}
// -----
func.func @f(%m: memref<8x16x4xf32>) {
  %11 = memref.collapse_shape %m [[1, 2], [0]] : memref<8x16x4xf32> into memref<64x8xf32>
  return
}
// -----
func.func @f(%m: memref<8x16x4xf32>) {
  %11 = memref.collapse_shape %m [[0], [1, 2], []] : memref<8x16x4xf32> into memref<8x64x1xf32>
  return
}
// -----
func.func @f(%m: memref<8x16x4xf32>) {
  %11 = memref.collapse_shape %m [[1], [2]] : memref<8x16x4xf32> into memref<16x4xf32>
  return
}
// -----
func.func @f(%m: memref<8x16xf32>) {
  %11 = memref.expand_shape %m [[0, 1]] output_shape [8, 16] : memref<8x16xf32> into memref<8x16xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>) {
  %11 = memref.expand_shape %m [[0]] output_shape [8, 1] : memref<8xf32> into memref<8x1xf32>
  return
}
// -----
func.func @f(%m: memref<8xf32>) {
  %11 = memref.expand_shape %m [[1, 0]] output_shape [8, 1] : memref<8xf32> into memref<8x1xf32>
  return
}
// -----
memref.global @x : memref<*xf32>
// -----
memref.global "nested" @x : memref<4xf32> = dense<1> : tensor<4xi32>
// -----
memref.global @x : memref<4xf32> = dense<1.0> {alignment = 3 : i64}
// -----
memref.global @x : memref<4xf32> = dense<1.0> {alignment = "x"}
// -----
memref.global @x : memref<4x4xf32> = dense<1.0>
func.func @f() {
  %0 = memref.get_global @x : memref<4x4xf32, 3>
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%a: i32):
    %l = memref.load %m[%i] : memref<4xi32>
    memref.atomic_yield %l : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%a: i32):
    %l = "test.x"() : () -> i32
    memref.atomic_yield %l : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i32) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%a: i32):
    %l = scf.if %c -> i32 { scf.yield %a : i32 } else { scf.yield %a : i32 }
    memref.atomic_yield %l : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i1) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%a: i32):
    %l = scf.if %x -> i32 { scf.yield %a : i32 } else { scf.yield %a : i32 }
    memref.atomic_yield %l : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i1) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
    memref.atomic_yield %i : index
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i1) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%a: f32):
    memref.atomic_yield %i : index
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i1) {
  %0 = memref.generic_atomic_rmw %m[%i, %i] : memref<4xi32> {
  ^bb0(%a: i32):
    memref.atomic_yield %a : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i1) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> {
  ^bb0(%a: i32):
    cf.br ^bb1
  ^bb1:
    memref.atomic_yield %a : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xi32>, %i: index, %x: i1) {
  ^bb0(%a: i32):
    cf.br ^bb1
  ^bb1:
    memref.atomic_yield %a : i32
  }
  return
}
// -----
func.func @f(%m: memref<4xf16>, %i: index) {
  %0 = memref.generic_atomic_rmw %m[%i] : memref<4xf16> {
  ^bb0(%a: f16):
    memref.atomic_yield %a : f16
  } {x}
  return
}
// -----
func.func @f(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to memref<4x4xf32, strided<[1, 4]>>
  return
}
// -----
func.func @f(%m: memref<4x4xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<4x4xf32> to memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 4 + d1)>>
  return
}
// -----
func.func @f(%m: memref<4x4xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [4, 4] [1, 1] : memref<4x4xf32> to memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>
  return
}
// -----
func.func @f(%m: memref<4x4xf32>, %i: index) {
  %0 = memref.subview %m[0, 0] [1, 1] [1, 1] : memref<4x4xf32> to memref<f32>
  %1 = memref.subview %m[0, %i] [1, 1] [1, 1] : memref<4x4xf32> to memref<f32, strided<[], offset: ?>>
  %2 = memref.subview %m[0, %i] [1, 1] [1, 1] : memref<4x4xf32> to memref<1xf32, strided<[1], offset: ?>>
  %3 = memref.subview %m[0, %i] [1, 1] [1, 1] : memref<4x4xf32> to memref<1xf32, strided<[4], offset: ?>>
  %4 = memref.subview %m[%i, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}
// -----
func.func @f(%m: memref<64xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<64xi8> to memref<8xf32, strided<[1]>>
  return
}
// -----
func.func @f(%m: memref<64xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<64xi8> to memref<8xf32, strided<[2]>>
  return
}
// -----
func.func @f(%m: memref<64xi8, strided<[2]>>, %i: index) {
  %0 = memref.view %m[%i][] : memref<64xi8, strided<[2]>> to memref<8xf32>
  return
}
// -----
func.func @f(%m: memref<64xi8, affine_map<(d0) -> (d0 mod 2)>>, %i: index) {
  %0 = memref.view %m[%i][] : memref<64xi8, affine_map<(d0) -> (d0 mod 2)>> to memref<8xf32>
  return
}
// -----
func.func @f(%m: memref<64xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<64xi8> to memref<8xf32, affine_map<(d0)->(d0)>>
  return
}
// -----
func.func @f(%m: memref<64xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<64xi8> to memref<8x8xf32, affine_map<(d0, d1)->(d1, d0)>>
  return
}
// -----
func.func @f(%m: memref<4x4xi8>, %i: index) {
  memref.atomic_yield %i : index
}
// -----
func.func @re(%m: memref<4xf32, strided<[2]>>) {
  %0 = memref.realloc %m : memref<4xf32, strided<[2]>> to memref<8xf32>
  return
}
// -----
func.func @re(%m: memref<4xf32, strided<[1]>>) {
  %0 = memref.realloc %m : memref<4xf32, strided<[1]>> to memref<8xf32>
  return
}
// -----
func.func @re(%m: memref<4xf32>) {
  %0 = memref.realloc %m : memref<4xf32> to memref<8xf32, strided<[2]>>
  return
}
// -----
func.func @re(%m: memref<4xf32, 2>) {
  %0 = memref.realloc %m : memref<4xf32, 2> to memref<8xi32, 1>
  return
}
// -----
func.func @re(%m: memref<4xf32, 2>) {
  %0 = memref.realloc %m : memref<4xf32, 2> to memref<8xi32, 2>
  return
}
// -----
func.func @re(%m: memref<4xf32, 2>) {
  %0 = memref.realloc %m : memref<4xf32, 2> to memref<?xf32, 2>
  return
}
// -----
func.func @re(%m: memref<4xf32, 2>) {
  %0 = memref.realloc %m : memref<4xf32, 2> to memref<9xf32, 2>
  %1 = memref.realloc %m {alignment = 8} : memref<4xf32, 2> to memref<9xf32, 2>
  return
}
// -----
func.func @f(%m: memref<64xi8>, %i: index) {
  %0 = memref.view %m[%i][] : memref<64xi8> to memref<8x8xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%m: memref<64xi8, strided<[1]>>, %i: index) {
  %0 = memref.view %m[%i][] : memref<64xi8, strided<[1]>> to memref<8x8xf32>
  return
}
// -----
func.func @f(%m: memref<64xi8>, %i: index) {
  %0 = memref.view %m[%i][%i] : memref<64xi8> to memref<?x8xf32, strided<[8, 1]>>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>) {
  %0 = memref.reinterpret_cast %m to offset: [99999999999999999999], sizes: [4], strides: [1] : memref<4x8xf32> to memref<4xf32>
  return
}
// -----
func.func @f(%d: memref<?x?xf32>) {
  %0 = memref.transpose %d (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[2, ?]>>
  return
}
// -----
func.func @f(%d: memref<4x8xf32>) {
  %0 = memref.transpose %d (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, strided<[2, 3]>>
  return
}
