// block 32: i32[32] 0i32[32]
module attributes {gpu.container_module} {
  gpu.module @first {
    gpu.func @k1(%a: memref<32xi32>) kernel {
      gpu.return
    }
  }
  gpu.module @second {
    gpu.func @k(%a: memref<32xi32>, %o: memref<32xi32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %t = gpu.thread_id x upper_bound 32
      %d = gpu.block_dim x
      %v = memref.load %a[%t] : memref<32xi32>
      %c = arith.constant 1 : index
      %n = arith.subi %d, %c : index
      %r = arith.subi %n, %t : index
      memref.store %v, %o[%r] : memref<32xi32>
      gpu.return
    }
  }
  func.func @main(%a: memref<32xi32>, %o: memref<32xi32>) {
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %s = arith.constant 0 : i32
    %t0 = gpu.wait async
    %t1 = gpu.launch_func async [%t0] @second::@k blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) dynamic_shared_memory_size %s args(%a : memref<32xi32>, %o : memref<32xi32>)
    %t2 = gpu.launch_func async [%t1] @first::@k1 blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : memref<32xi32>)
    gpu.wait [%t2]
    return
  }
}
