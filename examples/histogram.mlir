// counts[v] += how often v occurs among n values below 256; values outside are not counted.
//
//   Launch: any grid, 256 threads a block. Each block counts in shared memory with atomics, then adds its counts to
//   the whole.

#shared = #gpu.address_space<workgroup>

module {
  gpu.module @kernels {
    gpu.func @histogram(%values: memref<?xi32>, %counts: memref<256xi32>, %n: index)
        workgroup(%local: memref<256xi32, #shared> {llvm.align = 4 : i64})
        kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %bins = arith.constant 256 : i32
      %thread = gpu.thread_id x
      %threads = gpu.block_dim x
      %block = gpu.block_id x
      %blocks = gpu.grid_dim x
      memref.store %zero, %local[%thread] : memref<256xi32, #shared>
      gpu.barrier

      %start = arith.muli %block, %threads : index
      %first = arith.addi %start, %thread : index
      %stride = arith.muli %blocks, %threads : index
      scf.for %i = %first to %n step %stride {
        %value = memref.load %values[%i] : memref<?xi32>
        %inside = arith.cmpi ult, %value, %bins : i32
        scf.if %inside {
          %bin = arith.index_castui %value : i32 to index
          %old = memref.atomic_rmw addi %one, %local[%bin] : (i32, memref<256xi32, #shared>) -> i32
        }
      }
      gpu.barrier

      %count = memref.load %local[%thread] : memref<256xi32, #shared>
      %old = memref.atomic_rmw addi %count, %counts[%thread] : (i32, memref<256xi32>) -> i32
      gpu.return
    }
  }
}
