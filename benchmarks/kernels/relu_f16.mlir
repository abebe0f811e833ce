// max(a x + b, 0) of eight f16 a thread.
gpu.module @relu_f16 {
  gpu.func @relu_f16(%in: memref<?xf16>, %out: memref<?xf16>, %a: f16, %b: f16) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c8 = arith.constant 8 : index
    %zero = arith.constant dense<0.0> : vector<8xf16>
    %t = gpu.global_id x
    %i = arith.muli %t, %c8 : index
    %va = vector.broadcast %a : f16 to vector<8xf16>
    %vb = vector.broadcast %b : f16 to vector<8xf16>
    %x = vector.load %in[%i] {alignment = 16 : i64} : memref<?xf16>, vector<8xf16>
    %y = vector.fma %x, %va, %vb : vector<8xf16>
    %z = arith.maxnumf %y, %zero : vector<8xf16>
    vector.store %z, %out[%i] {alignment = 16 : i64} : memref<?xf16>, vector<8xf16>
    gpu.return
  }
}
