// The mean of 2 radius + 1 neighbours in a row, with a sum that slides: a thread a row.
gpu.module @box_blur {
  gpu.func @box_blur(%in: memref<?x?xf32>, %out: memref<?x?xf32>, %radius: index, %inverse: f32) kernel
      attributes {known_block_size = array<i32: 64, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0.0 : f32
    %n = memref.dim %in, %c1 : memref<?x?xf32>
    %row = gpu.global_id x
    %width0 = arith.addi %radius, %radius : index
    %width = arith.addi %width0, %c1 : index
    %first = scf.for %k = %c0 to %width step %c1 iter_args(%acc = %zero) -> (f32) {
      %v = memref.load %in[%row, %k] : memref<?x?xf32>
      %s = arith.addf %acc, %v : f32
      scf.yield %s : f32
    }
    %m0 = arith.mulf %first, %inverse : f32
    memref.store %m0, %out[%row, %radius] : memref<?x?xf32>
    %last = scf.for %k = %width to %n step %c1 iter_args(%acc = %first) -> (f32) {
      %new = memref.load %in[%row, %k] : memref<?x?xf32>
      %back = arith.subi %k, %width : index
      %old = memref.load %in[%row, %back] : memref<?x?xf32>
      %more = arith.addf %acc, %new : f32
      %s = arith.subf %more, %old : f32
      %m = arith.mulf %s, %inverse : f32
      %at = arith.subi %k, %radius : index
      memref.store %m, %out[%row, %at] : memref<?x?xf32>
      scf.yield %s : f32
    }
    gpu.return
  }
}
