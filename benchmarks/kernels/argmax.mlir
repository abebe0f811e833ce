// The place of the largest element of each row, a warp a row: values and places go through the shuffles together.
gpu.module @argmax {
  gpu.func @argmax(%in: memref<?x?xf32>, %out: memref<?xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c32 = arith.constant 32 : index
    %w = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %low = arith.constant 0xFF800000 : f32
    %none = arith.constant 0 : i32
    %n = memref.dim %in, %c1 : memref<?x?xf32>
    %lane = gpu.thread_id x
    %row = gpu.block_id x
    %best:2 = scf.for %k = %lane to %n step %c32 iter_args(%m = %low, %at = %none) -> (f32, i32) {
      %v = memref.load %in[%row, %k] : memref<?x?xf32>
      %k32 = arith.index_cast %k : index to i32
      %more = arith.cmpf ogt, %v, %m : f32
      %m1 = arith.select %more, %v, %m : f32
      %at1 = arith.select %more, %k32, %at : i32
      scf.yield %m1, %at1 : f32, i32
    }
    %all:2 = scf.for %s = %c0 to %c5 step %c1 iter_args(%m = %best#0, %at = %best#1) -> (f32, i32) {
      %s32 = arith.index_cast %s : index to i32
      %d = arith.shli %one, %s32 : i32
      %o, %p = gpu.shuffle xor %m, %d, %w : f32
      %oat, %p2 = gpu.shuffle xor %at, %d, %w : i32
      %gt = arith.cmpf ogt, %o, %m : f32
      %eq = arith.cmpf oeq, %o, %m : f32
      %lt = arith.cmpi slt, %oat, %at : i32
      %tie = arith.andi %eq, %lt : i1
      %take = arith.ori %gt, %tie : i1
      %m1 = arith.select %take, %o, %m : f32
      %at1 = arith.select %take, %oat, %at : i32
      scf.yield %m1, %at1 : f32, i32
    }
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %all#1, %out[%row] : memref<?xi32>
    }
    gpu.return
  }
}
