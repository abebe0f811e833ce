// One Jacobi step of the heat equation on the inside of a grid: the mean of the four neighbours.
gpu.module @stencil {
  gpu.func @stencil(%in: memref<?x?xf32>, %out: memref<?x?xf32>) kernel
      attributes {known_block_size = array<i32: 32, 8, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %quarter = arith.constant 0.25 : f32
    %h = memref.dim %in, %c0 : memref<?x?xf32>
    %w = memref.dim %in, %c1 : memref<?x?xf32>
    %gx = gpu.global_id x
    %gy = gpu.global_id y
    %j = arith.addi %gx, %c1 : index
    %i = arith.addi %gy, %c1 : index
    %right = arith.addi %j, %c1 : index
    %below = arith.addi %i, %c1 : index
    %in_x = arith.cmpi ult, %right, %w : index
    %in_y = arith.cmpi ult, %below, %h : index
    %inside = arith.andi %in_x, %in_y : i1
    scf.if %inside {
      %left = arith.subi %j, %c1 : index
      %above = arith.subi %i, %c1 : index
      %a = memref.load %in[%above, %j] : memref<?x?xf32>
      %b = memref.load %in[%below, %j] : memref<?x?xf32>
      %c = memref.load %in[%i, %left] : memref<?x?xf32>
      %d = memref.load %in[%i, %right] : memref<?x?xf32>
      %ab = arith.addf %a, %b : f32
      %cd = arith.addf %c, %d : f32
      %sum = arith.addf %ab, %cd : f32
      %mean = arith.mulf %sum, %quarter : f32
      memref.store %mean, %out[%i, %j] : memref<?x?xf32>
    }
    gpu.return
  }
}
