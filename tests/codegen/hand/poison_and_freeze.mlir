// block 16: i32[16] 0i32[16,4] 0f32[16]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<16xi32>, %o: memref<16x4xi32>, %p: memref<16xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %v = memref.load %a[%t] : memref<16xi32>
  %po = ub.poison : vector<4xi32>
  %0 = vector.insert %v, %po[0] : i32 into vector<4xi32>
  %1 = vector.insert %v, %0[2] : i32 into vector<4xi32>
  %u = llvm.mlir.undef : i32
  %f = llvm.freeze %u : i32
  %d = arith.subi %f, %f : i32
  %2 = vector.insert %d, %1[1] : i32 into vector<4xi32>
  %n = arith.constant 42 : i32
  %3 = vector.insert %n, %2[3] : i32 into vector<4xi32>
  vector.store %3, %o[%t, %c0] : memref<16x4xi32>, vector<4xi32>
  %st = llvm.mlir.poison : !llvm.struct<(f32, i32)>
  %x = arith.sitofp %v : i32 to f32
  %s1 = llvm.insertvalue %x, %st[0] : !llvm.struct<(f32, i32)>
  %y = llvm.extractvalue %s1[0] : !llvm.struct<(f32, i32)>
  memref.store %y, %p[%t] : memref<16xf32>
  gpu.return
}
}
}
