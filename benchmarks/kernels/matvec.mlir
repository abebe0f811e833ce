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
    %s16 = arith.constant 16 : i32
    %s8 = arith.constant 8 : i32
    %s4 = arith.constant 4 : i32
    %s2 = arith.constant 2 : i32
    %s1 = arith.constant 1 : i32
    %all = arith.constant 32 : i32
    %y16, %p16 = gpu.shuffle xor %part, %s16, %all : f32
    %x16 = arith.addf %part, %y16 : f32
    %y8, %p8 = gpu.shuffle xor %x16, %s8, %all : f32
    %x8 = arith.addf %x16, %y8 : f32
    %y4, %p4 = gpu.shuffle xor %x8, %s4, %all : f32
    %x4 = arith.addf %x8, %y4 : f32
    %y2, %p2 = gpu.shuffle xor %x4, %s2, %all : f32
    %x2 = arith.addf %x4, %y2 : f32
    %y1, %p1 = gpu.shuffle xor %x2, %s1, %all : f32
    %sum = arith.addf %x2, %y1 : f32
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %sum, %y[%row] : memref<?xf32>
    }
    gpu.return
  }
}
