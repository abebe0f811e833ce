// block 16: i32[16,8] 0i32[16,8] 0f32[16]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<16x8xi32>, %o: memref<16x8xi32>, %p: memref<16xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.execute_region {
      %b = memref.alloca() : memref<8xi32>
      scf.for %j = %c0 to %c8 step %c1 {
        %v = memref.load %a[%t, %j] : memref<16x8xi32>
        %r = arith.subi %c7, %j : index
        memref.store %v, %b[%r] : memref<8xi32>
      }
      %u = memref.load %b[%i] : memref<8xi32>
      memref.store %u, %o[%t, %i] : memref<16x8xi32>
      scf.yield
    }
  }
  %s = scf.execute_region -> f32 {
    %n = arith.addi %t, %c1 : index
    %b = memref.alloca(%n) : memref<?xf32>
    scf.for %j = %c0 to %n step %c1 {
      %ji = arith.index_cast %j : index to i32
      %jf = arith.uitofp %ji : i32 to f32
      memref.store %jf, %b[%j] : memref<?xf32>
    }
    %z = arith.constant 0.0 : f32
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %z) -> f32 {
      %v = memref.load %b[%j] : memref<?xf32>
      %m = arith.addf %acc, %v : f32
      scf.yield %m : f32
    }
    scf.yield %q : f32
  }
  memref.store %s, %p[%t] : memref<16xf32>
  gpu.return
}
}
}
