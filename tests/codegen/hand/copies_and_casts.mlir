// block 4: f32[4,12] 0f32[4,12] 0f32[12,4] 0i32[4,4]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<4x12xf32>, %o: memref<4x12xf32>, %p: memref<12x4xf32>, %q: memref<4x4xi32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %src = memref.subview %a[%t, 1] [1, 10] [1, 1] : memref<4x12xf32> to memref<10xf32, strided<[1], offset: ?>>
  %dst = memref.subview %o[%t, 2] [1, 10] [1, 1] : memref<4x12xf32> to memref<10xf32, strided<[1], offset: ?>>
  memref.copy %src, %dst : memref<10xf32, strided<[1], offset: ?>> to memref<10xf32, strided<[1], offset: ?>>
  %col = memref.subview %p[1, %t] [10, 1] [1, 1] : memref<12x4xf32> to memref<10xf32, strided<[4], offset: ?>>
  %u = memref.cast %a : memref<4x12xf32> to memref<*xf32>
  %r = memref.rank %u : memref<*xf32>
  %d1 = memref.dim %u, %c1 : memref<*xf32>
  %back = memref.cast %u : memref<*xf32> to memref<?x12xf32>
  %d0 = memref.dim %back, %c0 : memref<?x12xf32>
  %ri = arith.index_cast %r : index to i32
  %d1i = arith.index_cast %d1 : index to i32
  %d0i = arith.index_cast %d0 : index to i32
  memref.store %ri, %q[%t, %c0] : memref<4x4xi32>
  memref.store %d1i, %q[%t, %c1] : memref<4x4xi32>
  memref.store %d0i, %q[%t, %c2] : memref<4x4xi32>
  %lit = memref.alloca() : memref<f32>
  %x = memref.load %a[%t, %c3] : memref<4x12xf32>
  memref.store %x, %lit[] : memref<f32>
  %y = memref.load %lit[] : memref<f32>
  %yi = arith.bitcast %y : f32 to i32
  memref.store %yi, %q[%t, %c3] : memref<4x4xi32>
  gpu.return
}
}
}
