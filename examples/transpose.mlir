// out[j][i] = in[i][j] for f32 matrices whose sides are multiples of 32.
//
//   Launch: grid (columns / 32, rows / 32), block (32, 8). A 32 x 32 tile goes through shared memory, so that reads and
//   writes of global memory are both along rows; its rows are one float longer, so that its columns lie in 32 banks.

#shared = #gpu.address_space<workgroup>

module {
  gpu.module @kernels {
    gpu.func @transpose(%in: memref<?x?xf32>, %out: memref<?x?xf32>)
        workgroup(%tile: memref<32x33xf32, #shared> {llvm.align = 4 : i64})
        kernel attributes {gpu.known_block_size = array<i32: 32, 8, 1>} {
      %c0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c32 = arith.constant 32 : index
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %blockX = gpu.block_id x
      %blockY = gpu.block_id y
      %tileColumn = arith.muli %blockX, %c32 : index
      %tileRow = arith.muli %blockY, %c32 : index

      %column = arith.addi %tileColumn, %x : index
      %fromRow = arith.addi %tileRow, %y : index
      scf.for %i = %c0 to %c32 step %c8 {
        %row = arith.addi %fromRow, %i : index
        %tileY = arith.addi %y, %i : index
        %value = memref.load %in[%row, %column] : memref<?x?xf32>
        memref.store %value, %tile[%tileY, %x] : memref<32x33xf32, #shared>
      }
      gpu.barrier
      %toColumn = arith.addi %tileRow, %x : index
      %toRow = arith.addi %tileColumn, %y : index
      scf.for %i = %c0 to %c32 step %c8 {
        %row = arith.addi %toRow, %i : index
        %tileY = arith.addi %y, %i : index
        %value = memref.load %tile[%x, %tileY] : memref<32x33xf32, #shared>
        memref.store %value, %out[%row, %toColumn] : memref<?x?xf32>
      }
      gpu.return
    }
  }
}
