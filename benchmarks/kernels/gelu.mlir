// GELU by the approximate hyperbolic tangent, four floats a thread.
gpu.module @gelu {
  gpu.func @gelu(%in: memref<?xf32>, %out: memref<?xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c4 = arith.constant 4 : index
    %half = arith.constant dense<0.5> : vector<4xf32>
    %one = arith.constant dense<1.0> : vector<4xf32>
    %cube = arith.constant dense<0.044715> : vector<4xf32>
    %root = arith.constant dense<0.7978846> : vector<4xf32>
    %two = arith.constant dense<2.0> : vector<4xf32>
    %log2e = arith.constant dense<1.442695> : vector<4xf32>
    %t = gpu.global_id x
    %i = arith.muli %t, %c4 : index
    %x = vector.load %in[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    %x2 = arith.mulf %x, %x : vector<4xf32>
    %x3 = arith.mulf %x2, %x : vector<4xf32>
    %inner = vector.fma %x3, %cube, %x : vector<4xf32>
    %u = arith.mulf %inner, %root : vector<4xf32>
    %u2 = arith.mulf %u, %two : vector<4xf32>
    %v = arith.mulf %u2, %log2e : vector<4xf32>
    %e = math.exp2 %v fastmath<afn> : vector<4xf32>
    %more = arith.addf %e, %one : vector<4xf32>
    %q = arith.divf %two, %more fastmath<afn> : vector<4xf32>
    %tanh = arith.subf %one, %q : vector<4xf32>
    %s = arith.addf %tanh, %one : vector<4xf32>
    %h = arith.mulf %x, %half : vector<4xf32>
    %y = arith.mulf %h, %s : vector<4xf32>
    vector.store %y, %out[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
    gpu.return
  }
}
