// Floats to bytes: round(x / scale), kept inside -128 to 127.
gpu.module @quantize {
  gpu.func @quantize(%in: memref<?xf32>, %out: memref<?xi8>, %inverse: f32, %n: index) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %i = gpu.global_id x
    %inside = arith.cmpi ult, %i, %n : index
    scf.if %inside {
      %x = memref.load %in[%i] : memref<?xf32>
      %y = arith.mulf %x, %inverse : f32
      %r = math.roundeven %y : f32
      %a = arith.maxnumf %r, %low : f32
      %b = arith.minnumf %a, %high : f32
      %q = arith.fptosi %b : f32 to i8
      memref.store %q, %out[%i] : memref<?xi8>
    }
    gpu.return
  }
}
