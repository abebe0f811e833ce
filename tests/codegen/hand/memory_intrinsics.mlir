// block 8: i32[8,8] 0i32[8,16]
module attributes {gpu.container_module} {
gpu.module @m {
llvm.mlir.global internal constant @text("weft and warp\00") {addr_space = 0 : i32}
llvm.mlir.global internal constant @tab(dense<[[1, -2], [3, -4], [5, 6]]> : tensor<3x2xi16>) {addr_space = 4 : i32} : !llvm.array<3 x array<2 x i16>>
gpu.func @k(%a: memref<8x8xi32>, %o: memref<8x16xi32>) kernel {
  %t = gpu.thread_id x
  %ti = arith.index_cast %t : index to i64
  %c64 = arith.constant 64 : i64
  %c32 = arith.constant 32 : i64
  %pa = memref.extract_aligned_pointer_as_index %a : memref<8x8xi32> -> index
  %po = memref.extract_aligned_pointer_as_index %o : memref<8x16xi32> -> index
  %ia = arith.index_cast %pa : index to i64
  %io = arith.index_cast %po : index to i64
  %ra = llvm.inttoptr %ia : i64 to !llvm.ptr<1>
  %ro = llvm.inttoptr %io : i64 to !llvm.ptr<1>
  %mine = llvm.getelementptr %ra[%ti, 0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<8 x i32>
  %out = llvm.getelementptr %ro[%ti, 0] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<16 x i32>
  %one = llvm.mlir.constant(1 : i32) : i32
  %buf = llvm.alloca %one x !llvm.array<16 x i32> {alignment = 4 : i64} : (i32) -> !llvm.ptr
  %z = llvm.mlir.constant(90 : i8) : i8
  "llvm.intr.memset"(%buf, %z, %c64) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()
  %len = arith.addi %ti, %c32 : i64
  %lim = arith.minui %len, %c32 : i64
  "llvm.intr.memcpy"(%buf, %mine, %lim) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr<1>, i64) -> ()
  %up = llvm.getelementptr %buf[3] : (!llvm.ptr) -> !llvm.ptr, i8
  "llvm.intr.memmove"(%up, %buf, %ti) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  %ta = llvm.mlir.addressof @text : !llvm.ptr
  %te = llvm.getelementptr %ta[%ti] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %ch = llvm.load %te : !llvm.ptr -> i8
  %hole = llvm.getelementptr %buf[0, 9] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<16 x i32>
  llvm.store %ch, %hole : i8, !llvm.ptr
  %tt = llvm.mlir.addressof @tab : !llvm.ptr<4>
  %c3 = arith.constant 3 : i64
  %row = arith.remui %ti, %c3 : i64
  %tp = llvm.getelementptr %tt[0, %row, 1] : (!llvm.ptr<4>, i64) -> !llvm.ptr<4>, !llvm.array<3 x array<2 x i16>>
  %tv = llvm.load %tp : !llvm.ptr<4> -> i16
  %hole2 = llvm.getelementptr %buf[0, 10] : (!llvm.ptr) -> !llvm.ptr, !llvm.array<16 x i32>
  llvm.store %tv, %hole2 : i16, !llvm.ptr
  "llvm.intr.memcpy.inline"(%out, %buf) <{isVolatile = false, len = 64 : i64}> : (!llvm.ptr<1>, !llvm.ptr) -> ()
  gpu.return
}
}
}
