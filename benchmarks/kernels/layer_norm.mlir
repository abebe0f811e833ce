// Rows of 256 floats with mean 0 and variance 1, scaled and shifted: a block a row.
gpu.module @layer_norm {
  gpu.func @layer_norm(%in: memref<?x256xf32>, %scale: memref<256xf32>, %shift: memref<256xf32>,
                       %out: memref<?x256xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>} {
    %count = arith.constant 3.90625e-03 : f32
    %eps = arith.constant 1.0e-05 : f32
    %t = gpu.thread_id x
    %row = gpu.block_id x
    %x = memref.load %in[%row, %t] : memref<?x256xf32>
    %sum = gpu.all_reduce add %x uniform {} : (f32) -> (f32)
    %mean = arith.mulf %sum, %count : f32
    %d = arith.subf %x, %mean : f32
    %dd = arith.mulf %d, %d : f32
    %squares = gpu.all_reduce add %dd uniform {} : (f32) -> (f32)
    %variance = arith.mulf %squares, %count : f32
    %more = arith.addf %variance, %eps : f32
    %inverse = math.rsqrt %more : f32
    %n = arith.mulf %d, %inverse : f32
    %g = memref.load %scale[%t] : memref<256xf32>
    %b = memref.load %shift[%t] : memref<256xf32>
    %y = math.fma %n, %g, %b : f32
    memref.store %y, %out[%row, %t] : memref<?x256xf32>
    gpu.return
  }
}
