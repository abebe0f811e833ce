// block 64: f32[8,64] 0f32[8,64]
module attributes {gpu.container_module} {
gpu.module @m {
memref.global "private" @buf : memref<64xf32, #gpu.address_space<workgroup>> {alignment = 128 : i64}
gpu.func @k(%a: memref<8x64xf32>, %o: memref<8x64xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c63 = arith.constant 63 : index
  %n = arith.constant 64 : index
  %ticks = arith.constant 10000000 : index
  %bar = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
  %first = arith.cmpi eq, %t, %c0 : index
  nvgpu.mbarrier.init %bar[%c0], %n, predicate = %first : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
  nvgpu.mbarrier.init %bar[%c1], %n, predicate = %first : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
  gpu.barrier
  %buf = memref.get_global @buf : memref<64xf32, #gpu.address_space<workgroup>>
  %false = arith.constant false
  scf.for %i = %c0 to %c8 step %c1 iter_args(%ph = %false) -> (i1) {
    %v = memref.load %a[%i, %t] : memref<8x64xf32>
    memref.store %v, %buf[%t] : memref<64xf32, #gpu.address_space<workgroup>>
    %tok = nvgpu.mbarrier.arrive %bar[%c0] : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2> -> !nvgpu.mbarrier.token
    nvgpu.mbarrier.try_wait.parity %bar[%c0], %ph, %ticks : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>
    %r = arith.subi %c63, %t : index
    %w = memref.load %buf[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %w, %o[%i, %t] : memref<8x64xf32>
    gpu.barrier
    %true = arith.constant true
    %np = arith.xori %ph, %true : i1
    scf.yield %np : i1
  }
  gpu.return
}
}
}
