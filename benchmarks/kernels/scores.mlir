// Attention scores: S[i, j] = scale * sum over k of Q[i, k] K[j, k], four elements of a row at a time.
gpu.module @scores {
  gpu.func @scores(%Q: memref<?x64xf32>, %K: memref<?x64xf32>, %S: memref<?x?xf32>, %scale: f32) kernel
      attributes {known_block_size = array<i32: 16, 16, 1>} {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant dense<0.0> : vector<4xf32>
    %j = gpu.global_id x
    %i = gpu.global_id y
    %dots = scf.for %k = %c0 to %c64 step %c4 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %q = vector.load %Q[%i, %k] {alignment = 16 : i64} : memref<?x64xf32>, vector<4xf32>
      %r = vector.load %K[%j, %k] {alignment = 16 : i64} : memref<?x64xf32>, vector<4xf32>
      %n = vector.fma %q, %r, %acc : vector<4xf32>
      scf.yield %n : vector<4xf32>
    }
    %sum = vector.reduction <add>, %dots : vector<4xf32> into f32
    %s = arith.mulf %sum, %scale : f32
    memref.store %s, %S[%i, %j] : memref<?x?xf32>
    gpu.return
  }
}
