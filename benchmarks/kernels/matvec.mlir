// y = A x, a warp a row.
gpu.module @matvec {
  gpu.func @matvec(%A: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) kernel
      attributes {known_block_size = array<i32: 32, 4, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %A, %c1 : memref<?x?xf32>
    %lane = gpu.thread_id x
    %w = gpu.thread_id y
    %b = gpu.block_id x
    %base = arith.muli %b, %c4 : index
    %row = arith.addi %base, %w : index
    %part = scf.for %k = %lane to %n step %c32 iter_args(%acc = %zero) -> (f32) {
      %a = memref.load %A[%row, %k] : memref<?x?xf32>
      %v = memref.load %x[%k] : memref<?xf32>
      %s = math.fma %a, %v, %acc : f32
      scf.yield %s : f32
    }
    %sum = gpu.subgroup_reduce add %part : (f32) -> f32
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %sum, %y[%row] : memref<?xf32>
    }
    gpu.return
  }
}
