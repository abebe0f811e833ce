// block 4, first -scf-forall-to-for: f32[4,6,4] 0f32[4,6,4]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<4x6x4xf32>, %o: memref<4x6x4xf32>) kernel {
  %t = gpu.thread_id x
  %c6 = arith.constant 6 : index
  scf.forall (%i, %j) in (%c6, 4) {
    %v = memref.load %a[%t, %i, %j] : memref<4x6x4xf32>
    scf.forall (%l) = (%i) to (6) step (4) {
      %w = arith.addf %v, %v : f32
      memref.store %w, %o[%t, %l, %j] : memref<4x6x4xf32>
    }
  }
  gpu.return
}
}
}
