!bar = !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
!desc = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!desc1 = !nvgpu.tensormap.descriptor<tensor = memref<64xf32, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
gpu.module @m {
  gpu.func @k(%d: !desc, %d1 : !desc1, %s: memref<64x64xf16, 3>, %sd : memref<64x64xf16, strided<[64, 1], offset: ?>, 3>, %s1: memref<64xf32, 3>, %n: index, %p: i1, %mask: i16) {
    %c0 = arith.constant 0 : index
    %b = nvgpu.mbarrier.create -> !bar
    nvgpu.tma.prefetch.descriptor %d : !desc
    nvgpu.tma.prefetch.descriptor %d, predicate = %p : !desc
    nvgpu.tma.fence.descriptor %d : !desc
    nvgpu.tma.async.load %d[%c0, %n], %b[%c0] to %s : !desc, !bar -> memref<64x64xf16, 3>
    nvgpu.tma.async.load %d[%c0, %n], %b[%c0] to %sd multicast_mask = %mask, predicate = %p : !desc, !bar -> memref<64x64xf16, strided<[64, 1], offset: ?>, 3>
    nvgpu.tma.async.load %d1[%c0], %b[%c0] to %s1 : !desc1, !bar -> memref<64xf32, 3>
    nvgpu.tma.async.store %s to %d[%c0, %n] : memref<64x64xf16, 3> -> !desc
    nvgpu.tma.async.store %s to %d[%c0, %n], predicate = %p : memref<64x64xf16, 3> -> !desc
    gpu.return
  }
}
