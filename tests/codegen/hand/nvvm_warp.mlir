// block 64: i32[64] 0i32[64,8]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<64xi32>, %o: memref<64x8xi32>) kernel {
  %t = gpu.thread_id x
  %v = memref.load %a[%t] : memref<64xi32>
  %all = arith.constant -1 : i32
  %z = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c31 = arith.constant 31 : i32
  %neg = arith.cmpi slt, %v, %z : i32
  %0 = nvvm.redux.sync add %v, %all : i32 -> i32
  %1 = nvvm.redux.sync umin %v, %all : i32 -> i32
  %2 = nvvm.vote.sync ballot %all, %neg -> i32
  %3 = nvvm.vote.sync any %all, %neg -> i1
  %4 = arith.andi %v, %c3 : i32
  %5 = nvvm.match.sync any %all, %4 : i32 -> i32
  %6 = nvvm.shfl.sync bfly %all, %v, %c3, %c31 : i32 -> i32
  %7 = nvvm.shfl.sync up %all, %v, %c3, %z {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
  %8 = llvm.extractvalue %7[0] : !llvm.struct<(i32, i1)>
  %9 = llvm.extractvalue %7[1] : !llvm.struct<(i32, i1)>
  %10 = llvm.select %9, %8, %z : i1, i32
  %11 = llvm.zext %3 : i1 to i32
  %e = nvvm.elect.sync -> i1
  %ei = llvm.zext %e : i1 to i32
  %bits = llvm.bitcast %v : i32 to vector<4xi8>
  %12 = nvvm.dot.accumulate.4way %bits <signed>, %bits <unsigned>, %v : vector<4xi8>, vector<4xi8>
  %c0 = arith.constant 0 : index
  %r = vector.from_elements %0, %1, %2, %11, %5, %6, %10, %12 : vector<8xi32>
  vector.store %r, %o[%t, %c0] : memref<64x8xi32>, vector<8xi32>
  gpu.return
}
}
}
