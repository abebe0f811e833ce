; Calls with aggregates by value, an indirect call, stack memory, and globals in three state spaces.
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(4) constant [4 x i32] [i32 1, i32 -2, i32 3, i32 4]
@tile = internal addrspace(3) global [64 x double] undef, align 8
@state = addrspace(1) global { i32, float, [3 x i8] } { i32 7, float 1.5, [3 x i8] c"ab\00" }

define internal { i32, double } @pair(i32 %x, [3 x i64] %a) noinline {
  %e = extractvalue [3 x i64] %a, 1
  %f = sitofp i64 %e to double
  %i = insertvalue { i32, double } poison, i32 %x, 0
  %r = insertvalue { i32, double } %i, double %f, 1
  ret { i32, double } %r
}

define internal i16 @narrow(i8 signext %a, i16 zeroext %b, i1 %c) noinline {
  %w = sext i8 %a to i16
  %s = add i16 %w, %b
  %r = select i1 %c, i16 %s, i16 %b
  ret i16 %r
}

define ptx_kernel void @functions(ptr addrspace(1) %out, i32 %x, ptr %callee, ptr byval([16 x i8]) align 8 %big) {
  %stack = alloca [8 x i32]
  %slot = getelementptr [8 x i32], ptr %stack, i32 0, i32 %x
  store volatile i32 %x, ptr %slot
  %r = call { i32, double } @pair(i32 %x, [3 x i64] [i64 1, i64 2, i64 3])
  %d = extractvalue { i32, double } %r, 1
  %n = call i16 @narrow(i8 signext 5, i16 zeroext 9, i1 true)
  %z = zext i16 %n to i32
  %q = call i32 %callee(i32 %z, ptr %stack)
  %pt = getelementptr [64 x double], ptr addrspace(3) @tile, i32 0, i32 %x
  store double %d, ptr addrspace(3) %pt
  call void @llvm.nvvm.barrier0()
  %back = load double, ptr addrspace(3) @tile
  %pc = getelementptr [4 x i32], ptr addrspace(4) @table, i32 0, i32 %z
  %c = load i32, ptr addrspace(4) %pc
  %g = load i32, ptr addrspace(1) @state
  %y = load i32, ptr %big
  %s1 = add i32 %c, %g
  %s2 = add i32 %s1, %q
  %s3 = add i32 %s2, %y
  store i32 %s3, ptr addrspace(1) %out
  %o = getelementptr double, ptr addrspace(1) %out, i32 1
  store double %back, ptr addrspace(1) %o
  ret void
}

declare void @llvm.nvvm.barrier0()
