// y = a * x + y, four floats a thread.
//
//   n is a multiple of 4. Launch: 256 threads a block, n / 1024 blocks rounded up.

module {
  gpu.module @kernels {
    gpu.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>, %n: index)
        kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
      %c4 = arith.constant 4 : index
      %threads = gpu.block_dim x
      %block = gpu.block_id x
      %thread = gpu.thread_id x
      %first = arith.muli %block, %threads : index
      %mine = arith.addi %first, %thread : index
      %i = arith.muli %mine, %c4 : index
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %vx = vector.load %x[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %vy = vector.load %y[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
        %va = vector.broadcast %a : f32 to vector<4xf32>
        %sum = vector.fma %va, %vx, %vy : vector<4xf32>
        vector.store %sum, %y[%i] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32>
      }
      gpu.return
    }
  }
}
