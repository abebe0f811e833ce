// The sum of 256 floats a block: partial sums by shuffles, then across warps in shared memory.
#shared = #gpu.address_space<workgroup>
gpu.module @block_sum {
  gpu.func @block_sum(%in: memref<?xf32>, %out: memref<?xf32>) workgroup(%part: memref<8xf32, #shared>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c32 = arith.constant 32 : index
    %c256 = arith.constant 256 : index
    %w = arith.constant 32 : i32
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c256 : index
    %i = arith.addi %base, %t : index
    %x = memref.load %in[%i] : memref<?xf32>
    %s16 = arith.constant 16 : i32
    %s8 = arith.constant 8 : i32
    %s4 = arith.constant 4 : i32
    %s2 = arith.constant 2 : i32
    %s1 = arith.constant 1 : i32
    %y16, %p16 = gpu.shuffle xor %x, %s16, %w : f32
    %x16 = arith.addf %x, %y16 : f32
    %y8, %p8 = gpu.shuffle xor %x16, %s8, %w : f32
    %x8 = arith.addf %x16, %y8 : f32
    %y4, %p4 = gpu.shuffle xor %x8, %s4, %w : f32
    %x4 = arith.addf %x8, %y4 : f32
    %y2, %p2 = gpu.shuffle xor %x4, %s2, %w : f32
    %x2 = arith.addf %x4, %y2 : f32
    %y1, %p1 = gpu.shuffle xor %x2, %s1, %w : f32
    %x1 = arith.addf %x2, %y1 : f32
    %lane = arith.remui %t, %c32 : index
    %warp = arith.divui %t, %c32 : index
    %first = arith.cmpi eq, %lane, %c0 : index
    scf.if %first {
      memref.store %x1, %part[%warp] : memref<8xf32, #shared>
    }
    gpu.barrier
    %leader = arith.cmpi eq, %t, %c0 : index
    scf.if %leader {
      %total = scf.for %k = %c0 to %c8 step %c1 iter_args(%acc = %zero) -> (f32) {
        %v = memref.load %part[%k] : memref<8xf32, #shared>
        %n = arith.addf %acc, %v : f32
        scf.yield %n : f32
      }
      memref.store %total, %out[%b] : memref<?xf32>
    }
    gpu.return
  }
}
