// block 32: i32[32] i32[32] 0i32[32,12]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<32xi32>, %b: memref<32xi32>, %o: memref<32x12xi32>) kernel {
  %t = gpu.thread_id x
  %xi = memref.load %a[%t] : memref<32xi32>
  %yi = memref.load %b[%t] : memref<32xi32>
  %x = index.casts %xi : i32 to index
  %y0 = index.castu %yi : i32 to index
  %one = index.constant 1
  %y = index.or %y0, %one
  %0 = index.ceildivs %x, %y
  %1 = index.floordivs %x, %y
  %2 = index.ceildivu %y, %one
  %3 = index.rems %x, %y
  %4 = index.maxs %x, %y
  %5 = index.minu %x, %y
  %c5 = index.constant 5
  %6 = index.shrs %x, %c5
  %7 = index.shl %x, %c5
  %8 = index.xor %x, %y
  %c = index.cmp slt(%x, %y)
  %b9 = index.bool.constant true
  %10 = arith.andi %c, %b9 : i1
  %sz = index.sizeof
  scf.for %i = %t to %t step %one { }
  %e0 = index.casts %0 : index to i32
  %e1 = index.casts %1 : index to i32
  %e2 = index.casts %2 : index to i32
  %e3 = index.casts %3 : index to i32
  %e4 = index.casts %4 : index to i32
  %e5 = index.casts %5 : index to i32
  %e6 = index.casts %6 : index to i32
  %e7 = index.casts %7 : index to i32
  %e8 = index.casts %8 : index to i32
  %e9 = arith.extui %10 : i1 to i32
  %e10 = index.casts %sz : index to i32
  %c0 = index.constant 0
  %v = vector.from_elements %e0, %e1, %e2, %e3, %e4, %e5, %e6, %e7, %e8, %e9, %e10, %e10 : vector<12xi32>
  vector.store %v, %o[%t, %c0] : memref<32x12xi32>, vector<12xi32>
  gpu.return
}
}
}
