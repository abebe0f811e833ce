// block 16: i32[16] 0i32[16]
module attributes {gpu.container_module} {
gpu.module @m {
llvm.func internal @twice(%x: i32) -> i32 {
  %r = llvm.add %x, %x : i32
  llvm.return %r : i32
}
llvm.func internal @square(%x: i32) -> i32 {
  %r = llvm.mul %x, %x : i32
  llvm.return %r : i32
}
llvm.func internal @pair(%x: i32, %f: !llvm.ptr) -> !llvm.struct<(i32, array<2 x i16>)> {
  %y = llvm.call %f(%x) : !llvm.ptr, (i32) -> i32
  %h = llvm.trunc %y : i32 to i16
  %c = llvm.mlir.constant(7 : i16) : i16
  %u = llvm.mlir.undef : !llvm.struct<(i32, array<2 x i16>)>
  %0 = llvm.insertvalue %y, %u[0] : !llvm.struct<(i32, array<2 x i16>)>
  %1 = llvm.insertvalue %h, %0[1, 0] : !llvm.struct<(i32, array<2 x i16>)>
  %2 = llvm.insertvalue %c, %1[1, 1] : !llvm.struct<(i32, array<2 x i16>)>
  llvm.return %2 : !llvm.struct<(i32, array<2 x i16>)>
}
gpu.func @k(%a: memref<16xi32>, %o: memref<16xi32>) kernel {
  %t = gpu.thread_id x
  %x = memref.load %a[%t] : memref<16xi32>
  %z = arith.constant 0 : i32
  %neg = arith.cmpi slt, %x, %z : i32
  %f = llvm.mlir.addressof @twice : !llvm.ptr
  %g = llvm.mlir.addressof @square : !llvm.ptr
  %h = llvm.select %neg, %f, %g : i1, !llvm.ptr
  %p = llvm.call @pair(%x, %h) : (i32, !llvm.ptr) -> !llvm.struct<(i32, array<2 x i16>)>
  %0 = llvm.extractvalue %p[0] : !llvm.struct<(i32, array<2 x i16>)>
  %1 = llvm.extractvalue %p[1, 0] : !llvm.struct<(i32, array<2 x i16>)>
  %2 = llvm.extractvalue %p[1, 1] : !llvm.struct<(i32, array<2 x i16>)>
  %3 = llvm.sext %1 : i16 to i32
  %4 = llvm.zext %2 : i16 to i32
  %5 = llvm.xor %0, %3 : i32
  %6 = llvm.add %5, %4 : i32
  memref.store %6, %o[%t] : memref<16xi32>
  gpu.return
}
}
}
