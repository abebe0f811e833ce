// block 32: f32[8,128] 0f32[8,128]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<8x128xf32>, %o: memref<8x128xf32>) workgroup(%s: memref<2x128xf32, #gpu.address_space<workgroup>>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %at = arith.muli %t, %c4 : index
  %k0 = nvgpu.device_async_copy %a[%c0, %at], %s[%c0, %at], 4 {bypassL1} : memref<8x128xf32> to memref<2x128xf32, #gpu.address_space<workgroup>>
  %g0 = nvgpu.device_async_create_group %k0
  %r = scf.for %i = %c0 to %c8 step %c1 iter_args(%g = %g0) -> !nvgpu.device.async.token {
    %n = arith.addi %i, %c1 : index
    %more = arith.cmpi ult, %n, %c8 : index
    %nn = arith.minui %n, %c8 : index
    %row = arith.remui %n, %c8 : index
    %slot = arith.remui %n, %c2 : index
    %now = arith.remui %i, %c2 : index
    %some = arith.select %more, %t, %c0 : index
    %size = arith.remui %t, %c4 : index
    %bytes = arith.addi %size, %c1 : index
    %k1 = nvgpu.device_async_copy %a[%row, %at], %s[%slot, %at], 4, %bytes : memref<8x128xf32> to memref<2x128xf32, #gpu.address_space<workgroup>>
    %g1 = nvgpu.device_async_create_group %k1
    nvgpu.device_async_wait %g {numGroups = 1 : i32}
    gpu.barrier
    %peer0 = arith.addi %at, %c8 : index
    %c128 = arith.constant 128 : index
    %peer = arith.remui %peer0, %c128 : index
    %v = vector.load %s[%now, %peer] : memref<2x128xf32, #gpu.address_space<workgroup>>, vector<4xf32>
    vector.store %v, %o[%i, %at] : memref<8x128xf32>, vector<4xf32>
    gpu.barrier
    scf.yield %g1 : !nvgpu.device.async.token
  }
  nvgpu.device_async_wait %r
  gpu.return
}
}
}
