// Rows added to rows of a table, picked by number: a block a row.
gpu.module @scatter_add {
  gpu.func @scatter_add(%in: memref<?x128xf32>, %ids: memref<?xi32>, %table: memref<?x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %id = memref.load %ids[%b] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    %v = memref.load %in[%b, %t] : memref<?x128xf32>
    %old = memref.atomic_rmw addf %v, %table[%row, %t] : (f32, memref<?x128xf32>) -> f32
    gpu.return
  }
}
