// block 32: i32[32] i64[32] 0i32[32,4] 0i64[32,2]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<32xi32>, %b: memref<32xi64>, %o: memref<32x4xi32>, %p: memref<32x2xi64>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %x = memref.load %a[%t] : memref<32xi32>
  %y = memref.load %b[%t] : memref<32xi64>
  %n4 = arith.trunci %x : i32 to i4
  %n24 = arith.trunci %y : i64 to i24
  %k4 = arith.constant 5 : i4
  %m4 = arith.muli %n4, %k4 : i4
  %s4 = arith.extsi %m4 : i4 to i32
  %u4 = arith.extui %m4 : i4 to i24
  %a24 = arith.addi %n24, %u4 : i24
  %k24 = arith.constant 777 : i24
  %d24 = arith.divsi %a24, %k24 : i24
  %r24 = arith.remui %a24, %k24 : i24
  %q24 = arith.extsi %d24 : i24 to i32
  %w24 = arith.extui %r24 : i24 to i32
  %cmp = arith.cmpi slt, %m4, %k4 : i4
  %cs = arith.extsi %cmp : i1 to i32
  memref.store %s4, %o[%t, %c0] : memref<32x4xi32>
  memref.store %q24, %o[%t, %c1] : memref<32x4xi32>
  memref.store %w24, %o[%t, %c2] : memref<32x4xi32>
  memref.store %cs, %o[%t, %c3] : memref<32x4xi32>
  %x128 = arith.extsi %x : i32 to i128
  %y128 = arith.extsi %y : i64 to i128
  %m128 = arith.muli %x128, %y128 : i128
  %sh = arith.constant 37 : i128
  %h128 = arith.shrsi %m128, %sh : i128
  %d128 = arith.divsi %m128, %sh : i128
  %l = arith.trunci %h128 : i128 to i64
  %l2 = arith.trunci %d128 : i128 to i64
  memref.store %l, %p[%t, %c0] : memref<32x2xi64>
  memref.store %l2, %p[%t, %c1] : memref<32x2xi64>
  %buf = memref.alloca() : memref<4xi24>
  %bit = memref.alloca() : memref<4xi1>
  %c4 = arith.constant 4 : index
  %at = arith.remui %t, %c4 : index
  memref.store %a24, %buf[%at] : memref<4xi24>
  memref.store %cmp, %bit[%at] : memref<4xi1>
  %back = memref.load %buf[%at] : memref<4xi24>
  %bb = memref.load %bit[%at] : memref<4xi1>
  %b32 = arith.extsi %back : i24 to i32
  %sel = arith.select %bb, %b32, %x : i32
  memref.store %sel, %o[%t, %c3] : memref<32x4xi32>
  gpu.return
}
}
}
