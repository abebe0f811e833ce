; Integers that PTX does not have (i1, i8, i24, i128), saturating and overflowing arithmetic, bit counts, atomics.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @wide(ptr addrspace(1) %p, ptr addrspace(1) %q, i128 %k) {
  %a = load i128, ptr addrspace(1) %p
  %m = mul i128 %a, %k
  %sh = lshr i128 %m, 37
  store i128 %sh, ptr addrspace(1) %p
  %b = load i24, ptr addrspace(1) %q
  %w = sext i24 %b to i64
  %cnt = call i64 @llvm.ctpop.i64(i64 %w)
  %lz = call i64 @llvm.ctlz.i64(i64 %w, i1 false)
  %rot = call i64 @llvm.fshl.i64(i64 %w, i64 %cnt, i64 13)
  %sat = call i32 @llvm.sadd.sat.i32(i32 2147483647, i32 5)
  %t = trunc i64 %rot to i32
  %ov = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %t, i32 %sat)
  %v = extractvalue { i32, i1 } %ov, 0
  %o = extractvalue { i32, i1 } %ov, 1
  %x = select i1 %o, i32 %t, i32 %v
  %old = atomicrmw umax ptr addrspace(1) %q, i32 %x seq_cst
  %cx = cmpxchg ptr addrspace(1) %q, i32 %old, i32 %x acq_rel monotonic
  fence syncscope("device") seq_cst
  %ok = extractvalue { i32, i1 } %cx, 1
  %byte = zext i1 %ok to i8
  %end = getelementptr i8, ptr addrspace(1) %q, i64 %lz
  store i8 %byte, ptr addrspace(1) %end
  ret void
}

declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i32 @llvm.sadd.sat.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)
