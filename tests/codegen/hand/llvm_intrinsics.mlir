// block 16: i32[16,4] 0i32[16,16] i64[16] 0i64[16,4]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<16x4xi32>, %o: memref<16x16xi32>, %b: memref<16xi64>, %p: memref<16x4xi64>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %v = vector.load %a[%t, %c0] : memref<16x4xi32>, vector<4xi32>
  %w = vector.shuffle %v, %v [3, 2, 1, 0] : vector<4xi32>, vector<4xi32>
  %0 = llvm.intr.fshl(%v, %w, %w) : (vector<4xi32>, vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %1 = llvm.intr.sadd.sat(%v, %w) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %2 = llvm.intr.usub.sat(%0, %1) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %3 = llvm.intr.bswap(%2) : (vector<4xi32>) -> vector<4xi32>
  %4 = llvm.intr.bitreverse(%1) : (vector<4xi32>) -> vector<4xi32>
  %5 = "llvm.intr.ctlz"(%4) <{is_zero_poison = false}> : (vector<4xi32>) -> vector<4xi32>
  %6 = llvm.intr.smax(%v, %w) : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  %7 = "llvm.intr.abs"(%v) <{is_int_min_poison = false}> : (vector<4xi32>) -> vector<4xi32>
  %8 = arith.addi %6, %7 : vector<4xi32>
  %9 = arith.addi %5, %3 : vector<4xi32>
  vector.store %0, %o[%t, %c0] : memref<16x16xi32>, vector<4xi32>
  vector.store %8, %o[%t, %c4] : memref<16x16xi32>, vector<4xi32>
  vector.store %9, %o[%t, %c8] : memref<16x16xi32>, vector<4xi32>
  %x = memref.load %b[%t] : memref<16xi64>
  %m = llvm.mlir.constant(1234567890123 : i64) : i64
  %s = "llvm.intr.umul.with.overflow"(%x, %m) : (i64, i64) -> !llvm.struct<(i64, i1)>
  %s0 = llvm.extractvalue %s[0] : !llvm.struct<(i64, i1)>
  %s1 = llvm.extractvalue %s[1] : !llvm.struct<(i64, i1)>
  %s2 = llvm.zext %s1 : i1 to i64
  %s3 = llvm.add %s0, %s2 : i64
  %r = "llvm.intr.vector.reduce.umin"(%v) : (vector<4xi32>) -> i32
  %r1 = "llvm.intr.vector.reduce.mul"(%w) : (vector<4xi32>) -> i32
  %r2 = llvm.xor %r, %r1 : i32
  %f = llvm.intr.fshr(%x, %m, %x) : (i64, i64, i64) -> i64
  %c1 = arith.constant 1 : index
  memref.store %s3, %p[%t, %c0] : memref<16x4xi64>
  memref.store %f, %p[%t, %c1] : memref<16x4xi64>
  memref.store %r2, %o[%t, %c12] : memref<16x16xi32>
  gpu.return
}
}
}
