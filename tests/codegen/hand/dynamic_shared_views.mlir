// block 32, shared 1024: i32[32] f32[32] 0i32[32] 0f32[32] 0f16[32]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<32xi32>, %f: memref<32xf32>, %o: memref<32xi32>, %p: memref<32xf32>, %q: memref<32xf16>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %c31 = arith.constant 31 : index
  %c2 = arith.constant 2 : index
  %sm = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %vi = memref.view %sm[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xi32, #gpu.address_space<workgroup>>
  %vf = memref.view %sm[%c128][%c16] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?x2xf32, #gpu.address_space<workgroup>>
  %vh = memref.view %sm[%c512][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<2x16xf16, #gpu.address_space<workgroup>>
  %x = memref.load %a[%t] : memref<32xi32>
  %y = memref.load %f[%t] : memref<32xf32>
  memref.store %x, %vi[%t] : memref<32xi32, #gpu.address_space<workgroup>>
  %i = arith.divui %t, %c2 : index
  %j = arith.remui %t, %c2 : index
  memref.store %y, %vf[%i, %j] : memref<?x2xf32, #gpu.address_space<workgroup>>
  %h = arith.truncf %y : f32 to f16
  %hi = arith.remui %t, %c16 : index
  %hj = arith.divui %t, %c16 : index
  memref.store %h, %vh[%hj, %hi] : memref<2x16xf16, #gpu.address_space<workgroup>>
  gpu.barrier
  %r = arith.subi %c31, %t : index
  %x2 = memref.load %vi[%r] : memref<32xi32, #gpu.address_space<workgroup>>
  %ri = arith.divui %r, %c2 : index
  %rj = arith.remui %r, %c2 : index
  %y2 = memref.load %vf[%ri, %rj] : memref<?x2xf32, #gpu.address_space<workgroup>>
  %col = memref.collapse_shape %vh [[0, 1]] : memref<2x16xf16, #gpu.address_space<workgroup>> into memref<32xf16, #gpu.address_space<workgroup>>
  %h2 = memref.load %col[%r] : memref<32xf16, #gpu.address_space<workgroup>>
  memref.store %x2, %o[%t] : memref<32xi32>
  memref.store %y2, %p[%t] : memref<32xf32>
  memref.store %h2, %q[%t] : memref<32xf16>
  gpu.return
}
}
}
