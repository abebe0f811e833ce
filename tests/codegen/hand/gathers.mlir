// block 8: f32[64] i32[8,4]<16 f32[8,4] 0f32[64] 0f32[8,4] 0i32[8,16]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<64xf32>, %ix: memref<8x4xi32>, %v: memref<8x4xf32>, %o: memref<64xf32>, %p: memref<8x4xf32>, %q: memref<8x16xi32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %i = vector.load %ix[%t, %c0] : memref<8x4xi32>, vector<4xi32>
  %n = arith.remui %t, %c4 : index
  %m = vector.create_mask %n : vector<4xi1>
  %pass = vector.load %v[%t, %c0] : memref<8x4xf32>, vector<4xf32>
  %x = vector.gather %a[%t] [%i], %m, %pass : memref<64xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.store %x, %p[%t, %c0] : memref<8x4xf32>, vector<4xf32>
  %off = arith.constant dense<[0, 8, 16, 24]> : vector<4xindex>
  %nm = vector.constant_mask [3] : vector<4xi1>
  vector.scatter %o[%t] [%off], %nm, %x : memref<64xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32>
  %e = vector.expandload %a[%c3], %m, %pass : memref<64xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %em = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %ei = arith.fptosi %e : vector<4xf32> to vector<4xi32>
  %row = memref.subview %q[%t, 0] [1, 16] [1, 1] : memref<8x16xi32> to memref<16xi32, strided<[1], offset: ?>>
  vector.compressstore %row[%c1], %em, %ei : memref<16xi32, strided<[1], offset: ?>>, vector<4xi1>, vector<4xi32>
  %ml = vector.maskedload %row[%c1], %em, %i : memref<16xi32, strided<[1], offset: ?>>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  %c8 = arith.constant 8 : index
  vector.maskedstore %row[%c8], %m, %ml : memref<16xi32, strided<[1], offset: ?>>, vector<4xi1>, vector<4xi32>
  gpu.return
}
}
}
