// Rows of a table, picked by number: a block a row.
gpu.module @embedding {
  gpu.func @embedding(%table: memref<?x128xf32>, %ids: memref<?xi32>, %out: memref<?x128xf32>) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %id = memref.load %ids[%b] : memref<?xi32>
    %row = arith.index_cast %id : i32 to index
    %v = memref.load %table[%row, %t] : memref<?x128xf32>
    memref.store %v, %out[%b, %t] : memref<?x128xf32>
    gpu.return
  }
}
