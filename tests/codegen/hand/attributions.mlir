// block 64: i32[64] 0i32[64] f64[64] 0f64[64]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<64xi32>, %o: memref<64xi32>, %d: memref<64xf64>, %e: memref<64xf64>) workgroup(%w: memref<64xi32, #gpu.address_space<workgroup>>, %w2: memref<2x32xf64, 3>) private(%l: memref<4xi32, #gpu.address_space<private>>, %l2: memref<2x2xf64, #gpu.address_space<private>>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c63 = arith.constant 63 : index
  %x = memref.load %a[%t] : memref<64xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    %ii = arith.index_cast %i : index to i32
    %s = arith.shrui %x, %ii : i32
    memref.store %s, %l[%i] : memref<4xi32, #gpu.address_space<private>>
  }
  %k = arith.andi %t, %c3 : index
  %y = memref.load %l[%k] : memref<4xi32, #gpu.address_space<private>>
  memref.store %y, %w[%t] : memref<64xi32, #gpu.address_space<workgroup>>
  %f = memref.load %d[%t] : memref<64xf64>
  %hi = arith.divui %t, %c32 : index
  %lo = arith.remui %t, %c32 : index
  memref.store %f, %w2[%hi, %lo] : memref<2x32xf64, 3>
  gpu.barrier
  %r = arith.subi %c63, %t : index
  %z = memref.load %w[%r] : memref<64xi32, #gpu.address_space<workgroup>>
  memref.store %z, %o[%t] : memref<64xi32>
  %hi1 = arith.subi %c1, %hi : index
  %g = memref.load %w2[%hi1, %lo] : memref<2x32xf64, 3>
  memref.store %g, %l2[%c1, %hi] : memref<2x2xf64, #gpu.address_space<private>>
  memref.store %f, %l2[%c0, %hi] : memref<2x2xf64, #gpu.address_space<private>>
  %i0 = arith.remui %t, %c2 : index
  %h = memref.load %l2[%i0, %hi] : memref<2x2xf64, #gpu.address_space<private>>
  memref.store %h, %e[%t] : memref<64xf64>
  gpu.return
}
}
}
