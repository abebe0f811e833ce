// block 16: f32[12,20] index=5 index=3 0f32[16] 0i32[16,4]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<12x20xf32>, %m: index, %n: index, %o: memref<16xf32>, %q: memref<16x4xi32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %d = memref.cast %a : memref<12x20xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %s = memref.subview %d[%n, %c2] [%m, %n] [%c1, %m] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %tt = memref.transpose %s (i, j) -> (j, i) : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  %i = arith.remui %t, %n : index
  %j = arith.remui %t, %m : index
  %v = memref.load %tt[%i, %j] : memref<?x?xf32, strided<[?, ?], offset: ?>>
  memref.store %v, %o[%t] : memref<16xf32>
  %d0 = memref.dim %tt, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %d1 = memref.dim %tt, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  %b, %off, %sz:2, %st:2 = memref.extract_strided_metadata %tt : memref<?x?xf32, strided<[?, ?], offset: ?>> -> memref<f32>, index, index, index, index, index
  %x0 = arith.index_cast %d0 : index to i32
  %x1 = arith.index_cast %d1 : index to i32
  %x2 = arith.index_cast %off : index to i32
  %x3 = arith.index_cast %st#0 : index to i32
  memref.store %x0, %q[%t, %c0] : memref<16x4xi32>
  memref.store %x1, %q[%t, %c1] : memref<16x4xi32>
  memref.store %x2, %q[%t, %c2] : memref<16x4xi32>
  memref.store %x3, %q[%t, %c3] : memref<16x4xi32>
  gpu.return
}
}
}
