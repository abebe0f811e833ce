// block 8: f32[8,4] 0f32[8,8,4] i32[8,4] 0i32[8,4,4]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<8x4xf32>, %o: memref<8x8x4xf32>, %b: memref<8x4xi32>, %p: memref<8x4x4xi32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %x = vector.load %a[%t, %c0] : memref<8x4xf32>, vector<4xf32>
  %r0 = math.sqrt %x : vector<4xf32>
  %r1 = math.floor %x : vector<4xf32>
  %r2 = math.fma %x, %x, %r1 : vector<4xf32>
  %r3 = math.absf %r1 : vector<4xf32>
  %r4 = math.copysign %r3, %x : vector<4xf32>
  %r5 = math.roundeven %x : vector<4xf32>
  vector.store %r0, %o[%t, %c0, %c0] : memref<8x8x4xf32>, vector<4xf32>
  vector.store %r1, %o[%t, %c1, %c0] : memref<8x8x4xf32>, vector<4xf32>
  vector.store %r2, %o[%t, %c2, %c0] : memref<8x8x4xf32>, vector<4xf32>
  vector.store %r3, %o[%t, %c3, %c0] : memref<8x8x4xf32>, vector<4xf32>
  vector.store %r4, %o[%t, %c4, %c0] : memref<8x8x4xf32>, vector<4xf32>
  vector.store %r5, %o[%t, %c5, %c0] : memref<8x8x4xf32>, vector<4xf32>
  %y = vector.load %b[%t, %c0] : memref<8x4xi32>, vector<4xi32>
  %i0 = math.ctpop %y : vector<4xi32>
  %i1 = math.ctlz %y : vector<4xi32>
  %i2 = math.cttz %y : vector<4xi32>
  %i3 = math.absi %y : vector<4xi32>
  vector.store %i0, %p[%t, %c0, %c0] : memref<8x4x4xi32>, vector<4xi32>
  vector.store %i1, %p[%t, %c1, %c0] : memref<8x4x4xi32>, vector<4xi32>
  vector.store %i2, %p[%t, %c2, %c0] : memref<8x4x4xi32>, vector<4xi32>
  vector.store %i3, %p[%t, %c3, %c0] : memref<8x4x4xi32>, vector<4xi32>
  gpu.return
}
}
}
