// Inclusive prefix sums of 256 integers a block, in shared memory.
#shared = #gpu.address_space<workgroup>
gpu.module @scan {
  gpu.func @scan(%in: memref<?xi32>, %out: memref<?xi32>) workgroup(%s: memref<256xi32, #shared>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c256 = arith.constant 256 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %zero = arith.constant 0 : i32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %base = arith.muli %b, %c256 : index
    %i = arith.addi %base, %t : index
    %x = memref.load %in[%i] : memref<?xi32>
    memref.store %x, %s[%t] : memref<256xi32, #shared>
    gpu.barrier
    %last = scf.while (%d = %c1) : (index) -> index {
      %more = arith.cmpi ult, %d, %c256 : index
      scf.condition(%more) %d : index
    } do {
    ^bb0(%d: index):
      %reach = arith.cmpi uge, %t, %d : index
      %y = scf.if %reach -> (i32) {
        %j = arith.subi %t, %d : index
        %v = memref.load %s[%j] : memref<256xi32, #shared>
        scf.yield %v : i32
      } else {
        scf.yield %zero : i32
      }
      gpu.barrier
      %own = memref.load %s[%t] : memref<256xi32, #shared>
      %sum = arith.addi %own, %y : i32
      memref.store %sum, %s[%t] : memref<256xi32, #shared>
      gpu.barrier
      %next = arith.muli %d, %c2 : index
      scf.yield %next : index
    }
    %r = memref.load %s[%t] : memref<256xi32, #shared>
    memref.store %r, %out[%i] : memref<?xi32>
    gpu.return
  }
}
