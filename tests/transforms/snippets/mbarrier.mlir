!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!bars = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
gpu.module @m {
  gpu.func @k(%n: index, %p: i1) {
    %c0 = arith.constant 0 : index
    %b = nvgpu.mbarrier.create -> !bar
    %bs = nvgpu.mbarrier.create -> !bars
    nvgpu.mbarrier.init %b[%c0], %n : !bar
    nvgpu.mbarrier.init %bs[%n], %n, predicate = %p : !bars
    %t = nvgpu.mbarrier.arrive %b[%c0] : !bar -> !nvgpu.mbarrier.token
    %t2 = nvgpu.mbarrier.arrive.nocomplete %b[%c0], %n : !bar -> !nvgpu.mbarrier.token
    %w = nvgpu.mbarrier.test.wait %b[%c0], %t : !bar, !nvgpu.mbarrier.token
    nvgpu.mbarrier.arrive.expect_tx %b[%c0], %n : !bar
    nvgpu.mbarrier.arrive.expect_tx %bs[%c0], %n, predicate = %p : !bars
    nvgpu.mbarrier.try_wait.parity %b[%c0], %p, %n : !bar
    %g = nvgpu.mbarrier.get %bs[%n] : !bars -> i32
    %g64 = nvgpu.mbarrier.get %bs[%n] : !bars -> i64
    gpu.return
  }
}
func.func @main() {
    %b = nvgpu.mbarrier.create -> !bar
    return
}
