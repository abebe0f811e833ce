// block 16: f32[16,24] 0f32[16] 0i32[16,8] 0f32[16,8]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<16x24xf32>, %o: memref<16xf32>, %p: memref<16x8xi32>, %q: memref<16x8xf32>) kernel {
  %t = gpu.thread_id x
  %c5 = arith.constant 5 : index
  %z = arith.constant 0.0 : f32
  %s = affine.for %i = max affine_map<(d0) -> (d0 floordiv 4, 2)>(%t) to min affine_map<(d0)[s0] -> (d0 + s0, 20)>(%t)[%c5] step 3 iter_args(%acc = %z) -> f32 {
    %v = affine.load %a[%t, (%i * 5 + 3) mod 24] : memref<16x24xf32>
    %r = affine.if affine_set<(d0, d1) : (d0 - d1 mod 3 - 1 >= 0, d0 floordiv 2 - 6 == 0)>(%i, %t) -> f32 {
      %m = arith.mulf %v, %v : f32
      affine.yield %m : f32
    } else {
      affine.yield %v : f32
    }
    %n = arith.addf %acc, %r : f32
    affine.yield %n : f32
  }
  affine.store %s, %o[%t] : memref<16xf32>
  affine.for %i = 0 to 8 {
    %x = affine.apply affine_map<(d0, d1) -> ((d0 - d1 * 3) floordiv 4 + (d0 - d1) mod 5 - (d1 - 2 * d0) ceildiv 3)>(%i, %t)
    %mx = affine.max affine_map<(d0)[s0] -> (d0, s0 - 2, d0 mod 3)>(%x)[%t]
    %mn = affine.min affine_map<(d0)[s0] -> (-d0, s0 * 2, 7)>(%mx)[%x]
    %e = arith.index_cast %mn : index to i32
    affine.store %e, %p[%t, %i] : memref<16x8xi32>
  }
  affine.parallel (%i, %j) = (0, 0) to (8, 2) step (4, 1) {
    %v = affine.vector_load %a[%t, %i + %j * 8] : memref<16x24xf32>, vector<4xf32>
    %w = arith.addf %v, %v : vector<4xf32>
    affine.vector_store %w, %q[%t, %i] : memref<16x8xf32>, vector<4xf32>
  }
  %li:2 = affine.delinearize_index %t into (3, 6) : index, index
  %lin = affine.linearize_index [%li#1, %li#0] by (6, 3) : index
  %le = arith.index_cast %lin : index to i32
  affine.store %le, %p[%t, symbol(%c5) + 1] : memref<16x8xi32>
  gpu.return
}
}
}
