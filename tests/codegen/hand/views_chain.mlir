// block 32: i32[4,6,8] 0i32[2,3,8] 0i32[32] 0i32[64]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<4x6x8xi32>, %o: memref<2x3x8xi32>, %p: memref<32xi32>, %q: memref<64xi32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c24 = arith.constant 24 : index
  %one = arith.remui %t, %c2 : index
  %s = memref.subview %a[%one, 1, 0] [2, 3, 8] [2, 2, 1] : memref<4x6x8xi32> to memref<2x3x8xi32, strided<[96, 16, 1], offset: ?>>
  %e = memref.expand_shape %s [[0], [1], [2, 3]] output_shape [2, 3, 4, 2] : memref<2x3x8xi32, strided<[96, 16, 1], offset: ?>> into memref<2x3x4x2xi32, strided<[96, 16, 2, 1], offset: ?>>
  %r = memref.subview %e[0, 0, 0, 1] [2, 3, 4, 1] [1, 1, 1, 1] : memref<2x3x4x2xi32, strided<[96, 16, 2, 1], offset: ?>> to memref<2x3x4xi32, strided<[96, 16, 2], offset: ?>>
  %tr = memref.transpose %r (i, j, k) -> (k, i, j) : memref<2x3x4xi32, strided<[96, 16, 2], offset: ?>> to memref<4x2x3xi32, strided<[2, 96, 16], offset: ?>>
  %is = arith.cmpi ult, %t, %c24 : index
  scf.if %is {
    %k = arith.remui %t, %c3 : index
    %j0 = arith.divui %t, %c3 : index
    %j = arith.remui %j0, %c2 : index
    %i = arith.divui %j0, %c2 : index
    %v = memref.load %tr[%i, %j, %k] : memref<4x2x3xi32, strided<[2, 96, 16], offset: ?>>
    memref.store %v, %o[%j, %k, %i] : memref<2x3x8xi32>
  }
  %flat = memref.collapse_shape %a [[0, 1, 2]] : memref<4x6x8xi32> into memref<192xi32>
  %off = arith.addi %t, %c8 : index
  %rc = memref.reinterpret_cast %flat to offset: [%off], sizes: [%c2, 3], strides: [%c24, 5] : memref<192xi32> to memref<?x3xi32, strided<[?, 5], offset: ?>>
  %x = memref.load %rc[%c1, %c2] : memref<?x3xi32, strided<[?, 5], offset: ?>>
  %d = memref.dim %rc, %c0 : memref<?x3xi32, strided<[?, 5], offset: ?>>
  %di = arith.index_cast %d : index to i32
  %y = arith.addi %x, %di : i32
  memref.store %y, %p[%t] : memref<32xi32>
  %base, %boff, %sizes:2, %strides:2 = memref.extract_strided_metadata %rc : memref<?x3xi32, strided<[?, 5], offset: ?>> -> memref<i32>, index, index, index, index, index
  %sum0 = arith.addi %boff, %sizes#0 : index
  %sum1 = arith.addi %sum0, %strides#0 : index
  %sum2 = arith.addi %sum1, %strides#1 : index
  %sum = arith.index_cast %sum2 : index to i32
  %t2 = arith.muli %t, %c2 : index
  memref.store %sum, %q[%t2] : memref<64xi32>
  %b0 = memref.load %base[] : memref<i32>
  %t3 = arith.addi %t2, %c1 : index
  memref.store %b0, %q[%t3] : memref<64xi32>
  gpu.return
}
}
}
