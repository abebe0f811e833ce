// Steps until a point of the plane escapes, at most 100.
gpu.module @mandelbrot {
  gpu.func @mandelbrot(%out: memref<64x64xi32>) kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
    %four = arith.constant 4.0 : f32
    %step = arith.constant 0.046875 : f32
    %left = arith.constant -2.0 : f32
    %top = arith.constant -1.5 : f32
    %limit = arith.constant 100 : i32
    %one = arith.constant 1 : i32
    %none = arith.constant 0 : i32
    %j = gpu.global_id x
    %i = gpu.global_id y
    %j32 = arith.index_cast %j : index to i32
    %i32 = arith.index_cast %i : index to i32
    %jf = arith.sitofp %j32 : i32 to f32
    %if = arith.sitofp %i32 : i32 to f32
    %cx = math.fma %jf, %step, %left : f32
    %cy = math.fma %if, %step, %top : f32
    %r:3 = scf.while (%x = %cx, %y = %cy, %n = %none) : (f32, f32, i32) -> (f32, f32, i32) {
      %xx = arith.mulf %x, %x : f32
      %size = math.fma %y, %y, %xx : f32
      %inside = arith.cmpf olt, %size, %four : f32
      %more = arith.cmpi slt, %n, %limit : i32
      %go = arith.andi %inside, %more : i1
      scf.condition(%go) %x, %y, %n : f32, f32, i32
    } do {
    ^bb0(%x: f32, %y: f32, %n: i32):
      %xx = arith.mulf %x, %x : f32
      %yy = arith.mulf %y, %y : f32
      %d = arith.subf %xx, %yy : f32
      %x1 = arith.addf %d, %cx : f32
      %x2 = arith.addf %x, %x : f32
      %y1 = math.fma %x2, %y, %cy : f32
      %n1 = arith.addi %n, %one : i32
      scf.yield %x1, %y1, %n1 : f32, f32, i32
    }
    memref.store %r#2, %out[%i, %j] : memref<64x64xi32>
    gpu.return
  }
}
