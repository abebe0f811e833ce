// block 64: i32[64] f32[64] 0i32[8] 0f32[4] 0i64[4] 0i32[64]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<64xi32>, %f: memref<64xf32>, %o: memref<8xi32>, %p: memref<4xf32>, %q: memref<4xi64>, %r: memref<64xi32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %x = memref.load %a[%t] : memref<64xi32>
  %y = memref.load %f[%t] : memref<64xf32>
  %w = arith.extsi %x : i32 to i64
  %0 = memref.atomic_rmw addi %x, %o[%c0] : (i32, memref<8xi32>) -> i32
  %1 = memref.atomic_rmw maxs %x, %o[%c1] : (i32, memref<8xi32>) -> i32
  %2 = memref.atomic_rmw minu %x, %o[%c2] : (i32, memref<8xi32>) -> i32
  %3 = memref.atomic_rmw ori %x, %o[%c3] : (i32, memref<8xi32>) -> i32
  %4 = memref.atomic_rmw xori %x, %o[%c4] : (i32, memref<8xi32>) -> i32
  %5 = memref.atomic_rmw maximumf %y, %p[%c0] : (f32, memref<4xf32>) -> f32
  %6 = memref.atomic_rmw minnumf %y, %p[%c1] : (f32, memref<4xf32>) -> f32
  %7 = memref.atomic_rmw addi %w, %q[%c0] : (i64, memref<4xi64>) -> i64
  %8 = memref.generic_atomic_rmw %o[%c5] : memref<8xi32> {
  ^bb0(%old: i32):
    %k = arith.constant 3 : i32
    %n = arith.xori %old, %x : i32
    memref.atomic_yield %n : i32
  }
  %i = memref.extract_aligned_pointer_as_index %o : memref<8xi32> -> index
  %il = arith.index_cast %i : index to i64
  %ptr = llvm.inttoptr %il : i64 to !llvm.ptr<1>
  %p6 = llvm.getelementptr %ptr[6] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %p7 = llvm.getelementptr %ptr[7] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
  %10 = llvm.atomicrmw umax %p6, %x syncscope("device") acq_rel : !llvm.ptr<1>, i32
  %one = arith.constant 1 : i32
  %lim = arith.constant 40 : i32
  %11 = llvm.atomicrmw uinc_wrap %p7, %lim monotonic : !llvm.ptr<1>, i32
  %c = arith.cmpi eq, %t, %c6 : index
  scf.if %c {
    %rp = memref.extract_aligned_pointer_as_index %r : memref<64xi32> -> index
    %rl = arith.index_cast %rp : index to i64
    %rr = llvm.inttoptr %rl : i64 to !llvm.ptr<1>
    %zero = arith.constant 0 : i32
    %cx = llvm.cmpxchg %rr, %zero, %x acq_rel monotonic : !llvm.ptr<1>, i32
    %ov = llvm.extractvalue %cx[0] : !llvm.struct<(i32, i1)>
    %ok = llvm.extractvalue %cx[1] : !llvm.struct<(i32, i1)>
    %oi = arith.extui %ok : i1 to i32
    %sum = arith.addi %ov, %oi : i32
    memref.store %sum, %r[%c1] : memref<64xi32>
    %cy = llvm.cmpxchg weak %rr, %zero, %one seq_cst seq_cst : !llvm.ptr<1>, i32
    %ok2 = llvm.extractvalue %cy[1] : !llvm.struct<(i32, i1)>
    %oi2 = arith.extui %ok2 : i1 to i32
    memref.store %oi2, %r[%c2] : memref<64xi32>
  }
  gpu.return
}
}
}
