// block 8: i32[5,7] 0i32[8,4,4] i1=1 i32[16] 0i32[8,8]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<5x7xi32>, %o: memref<8x4x4xi32>, %flag: i1, %l: memref<16xi32>, %p: memref<8x8xi32>) kernel {
  %t = gpu.thread_id x
  %c5x = arith.constant 5 : index
  %t5 = arith.remui %t, %c5x : index
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %pad = arith.constant -7 : i32
  %x = vector.transfer_read %a[%c3, %t], %pad {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<5x7xi32>, vector<4x4xi32>
  vector.transfer_write %x, %o[%t, %c0, %c0] {permutation_map = affine_map<(d0, d1, d2) -> (d2, d1)>} : vector<4x4xi32>, memref<8x4x4xi32>
  %y = vector.transfer_read %a[%t5, %c3], %pad {permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<5x7xi32>, vector<2x4xi32>
  %n = arith.remui %t, %c3 : index
  %m = vector.create_mask %n : vector<8xi1>
  %z = vector.transfer_read %l[%t], %pad, %m : memref<16xi32>, vector<8xi32>
  %f = vector.shape_cast %y : vector<2x4xi32> to vector<8xi32>
  %s = arith.addi %z, %f : vector<8xi32>
  %c5 = arith.constant 5 : index
  %m2 = vector.create_mask %c5 : vector<8xi1>
  vector.transfer_write %s, %p[%t, %t], %m2 : vector<8xi32>, memref<8x8xi32>
  gpu.return
}
}
}
