#map = affine_map<(d0, d1) -> (d1, d0)>
func.func @m(%a: memref<?x?xf32>, %u: memref<*xf32>, %i: index, %sh: memref<3xindex>, %sh1: memref<?xindex>, %t: memref<4x4xf32, #map>) {
  %0 = memref.cast %a : memref<?x?xf32> to memref<4x?xf32>
  %1 = memref.cast %u : memref<*xf32> to memref<?xf32>
  %2 = memref.cast %a : memref<?x?xf32> to memref<*xf32>
  %3 = memref.reshape %u(%sh) : (memref<*xf32>, memref<3xindex>) -> memref<?x?x?xf32>
  %4 = memref.reshape %u(%sh1) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %5 = memref.reinterpret_cast %u to offset: [%i], sizes: [10, %i], strides: [%i, 1] : memref<*xf32> to memref<10x?xf32, strided<[?, 1], offset: ?>>
  %6 = memref.transpose %a (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  %7 = memref.subview %a[%i, 0] [4, %i] [1, %i] : memref<?x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
  %8 = memref.subview %a[0, 0] [1, 4] [1, 1] : memref<?x?xf32> to memref<4xf32>
  %9 = memref.expand_shape %a [[0, 1], [2]] output_shape [%i, 4, %i] : memref<?x?xf32> into memref<?x4x?xf32>
  %10 = memref.collapse_shape %a [[0, 1]] : memref<?x?xf32> into memref<?xf32>
  %11 = memref.dim %u, %i : memref<*xf32>
  %12 = memref.rank %u : memref<*xf32>
  %13 = memref.assume_alignment %a, 16 : memref<?x?xf32>
  %14:2 = memref.distinct_objects %a, %0 : memref<?x?xf32>, memref<4x?xf32>
  %15 = memref.realloc %1 : memref<?xf32> to memref<124xf32>
  %16 = memref.realloc %1(%i) {alignment = 8} : memref<?xf32> to memref<?xf32>
  %b, %o, %s:2, %st:2 = memref.extract_strided_metadata %a : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  %17 = memref.extract_aligned_pointer_as_index %a : memref<?x?xf32> -> index
  %18 = memref.memory_space_cast %a : memref<?x?xf32> to memref<?x?xf32, 5>
  memref.copy %a, %0 : memref<?x?xf32> to memref<4x?xf32>
  memref.prefetch %a[%i, %i], read, locality<3>, data : memref<?x?xf32>
  %f = arith.constant 1.0 : f32
  %19 = memref.atomic_rmw addf %f, %a[%i, %i] : (f32, memref<?x?xf32>) -> f32
  %20 = memref.generic_atomic_rmw %a[%i, %i] : memref<?x?xf32> {
  ^bb0(%x : f32):
    memref.atomic_yield %x : f32
  }
  %21 = memref.load %a[%i, %i] {nontemporal = true} : memref<?x?xf32>
  memref.store %21, %a[%i, %i] {nontemporal = true, alignment = 8} : memref<?x?xf32>
  %22 = memref.alloc(%i)[%i] {alignment = 16} : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>, 1>
  %23 = memref.alloca() : memref<2xf32>
  memref.dealloc %22 : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>, 1>
  memref.alloca_scope { %q = memref.alloca() : memref<4xf32> }
  %24 = memref.alloca_scope -> (f32) { memref.alloca_scope.return %f : f32 }
  return
}
// -----
memref.global @a : memref<4xf32>
memref.global "private" constant @b : memref<2xf32> = dense<[0.0, 1.0]>
memref.global "private" @c : memref<2xf32> = uninitialized
memref.global "private" constant @d : memref<2xf32> = dense<1.0> {alignment = 64}
memref.global constant @e : memref<3xi32, 1> = dense<[1, 2, 3]>
memref.global @ext : memref<f32>
func.func @g() {
  %0 = memref.get_global @a : memref<4xf32>
  return
}
// -----
func.func @dma(%s: memref<1024xf32>, %d: memref<16xf32, 1>, %t: memref<1xi32>, %i: index) {
  memref.dma_start %s[%i], %d[%i], %i, %t[%i] : memref<1024xf32>, memref<16xf32, 1>, memref<1xi32>
  memref.dma_start %s[%i], %d[%i], %i, %t[%i], %i, %i : memref<1024xf32>, memref<16xf32, 1>, memref<1xi32>
  memref.dma_wait %t[%i], %i : memref<1xi32>
  return
}
// -----
func.func @views(%m: memref<2048xi8>, %i: index) -> memref<?x4xf32> {
  %0 = memref.view %m[%i][] : memref<2048xi8> to memref<64x4xf32>
  %1 = memref.view %m[%i][%i] : memref<2048xi8> to memref<?x4xf32>
  return %1 : memref<?x4xf32>
}
// -----
transform.sequence failures(propagate) {
^bb0(%arg0: !transform.any_op):
  %0 = transform.structured.match ops{["x"]} attributes{foo} in %arg0 : (!transform.any_op) -> !transform.any_op
  transform.sequence %0 : !transform.any_op failures(suppress) {
  ^bb1(%arg1: !transform.any_op):
  }
}
