// 256 integers sorted by a bitonic network in shared memory.
#shared = #gpu.address_space<workgroup>
gpu.module @bitonic {
  gpu.func @bitonic(%data: memref<256xi32>) workgroup(%s: memref<256xi32, #shared>) kernel
      attributes {known_block_size = array<i32: 256, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c256 = arith.constant 256 : index
    %t = gpu.thread_id x
    %x = memref.load %data[%t] : memref<256xi32>
    memref.store %x, %s[%t] : memref<256xi32, #shared>
    gpu.barrier
    %d0 = scf.while (%k = %c2) : (index) -> index {
      %more = arith.cmpi ule, %k, %c256 : index
      scf.condition(%more) %k : index
    } do {
    ^bb0(%k: index):
      %start = arith.divui %k, %c2 : index
      %d1 = scf.while (%j = %start) : (index) -> index {
        %any = arith.cmpi ugt, %j, %c0 : index
        scf.condition(%any) %j : index
      } do {
      ^bb0(%j: index):
        %other = arith.xori %t, %j : index
        %mine = arith.cmpi ugt, %other, %t : index
        scf.if %mine {
          %bit = arith.andi %t, %k : index
          %up = arith.cmpi eq, %bit, %c0 : index
          %a = memref.load %s[%t] : memref<256xi32, #shared>
          %b = memref.load %s[%other] : memref<256xi32, #shared>
          %gt = arith.cmpi sgt, %a, %b : i32
          %swap = arith.cmpi eq, %gt, %up : i1
          %lo = arith.select %swap, %b, %a : i32
          %hi = arith.select %swap, %a, %b : i32
          memref.store %lo, %s[%t] : memref<256xi32, #shared>
          memref.store %hi, %s[%other] : memref<256xi32, #shared>
        }
        gpu.barrier
        %half = arith.divui %j, %c2 : index
        scf.yield %half : index
      }
      %next = arith.muli %k, %c2 : index
      scf.yield %next : index
    }
    %r = memref.load %s[%t] : memref<256xi32, #shared>
    memref.store %r, %data[%t] : memref<256xi32>
    gpu.return
  }
}
