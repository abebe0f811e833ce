; Vector loads and stores, shuffles of lanes, packed halves, and fused products.
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @vectors(ptr addrspace(1) %x, ptr addrspace(1) %h, float %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr <4 x float>, ptr addrspace(1) %x, i32 %t
  %v = load <4 x float>, ptr addrspace(1) %px, align 16
  %s0 = insertelement <4 x float> poison, float %a, i32 0
  %s = shufflevector <4 x float> %s0, <4 x float> poison, <4 x i32> zeroinitializer
  %f = call <4 x float> @llvm.fma.v4f32(<4 x float> %v, <4 x float> %s, <4 x float> %v)
  %r = shufflevector <4 x float> %f, <4 x float> %v, <4 x i32> <i32 3, i32 2, i32 5, i32 0>
  store <4 x float> %r, ptr addrspace(1) %px, align 16
  %ph = getelementptr <2 x half>, ptr addrspace(1) %h, i32 %t
  %w = load <2 x half>, ptr addrspace(1) %ph, align 4
  %m = fmul <2 x half> %w, %w
  %k = fadd <2 x half> %m, <half 0xH3C00, half 0xHC000>
  store <2 x half> %k, ptr addrspace(1) %ph, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
