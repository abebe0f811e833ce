gpu.module @kernels {
  gpu.func @scale(%x: memref<?xf32>, %a: f32, %n: i32) kernel {
    %block = gpu.block_id x
    %size = gpu.block_dim x
    %thread = gpu.thread_id x
    %first = arith.muli %block, %size : index
    %i = arith.addi %first, %thread : index
    %end = arith.index_cast %n : i32 to index
    %inside = arith.cmpi slt, %i, %end : index
    scf.if %inside {
      %value = memref.load %x[%i] : memref<?xf32>
      %scaled = arith.mulf %value, %a : f32
      memref.store %scaled, %x[%i] : memref<?xf32>
    }
    gpu.return
  }
}
