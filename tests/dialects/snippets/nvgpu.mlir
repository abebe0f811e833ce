gpu.module @m {
  memref.global "private" @buf : memref<2x128x40xf16, #gpu.address_space<workgroup>> {alignment = 16 : i64}
  memref.global @tbl : memref<4xf32> = dense<[1.0,2.0,3.0,4.0]>
  memref.global constant @ext : memref<4xf32, 3>
  memref.global "private" constant @un : memref<4xf32> = uninitialized
  gpu.func @k(%A: memref<128x64xf16>, %B: memref<64x128xf16, 1>, %n: index) workgroup(%s: memref<32x16xf16, 3>, %t: memref<32x16xf16, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) private(%p: memref<4xf32, 5>) kernel attributes {known_block_size = array<i32: 32, 1, 1>, foo} {
    %c0 = arith.constant 0 : index
    %tid = gpu.thread_id x
    %bid = gpu.block_id y upper_bound 64
    %bd = gpu.block_dim z
    %gd = gpu.grid_dim x
    %gi = gpu.global_id x
    %l = gpu.lane_id upper_bound 32
    %sg = gpu.subgroup_id : index
    %sz = gpu.subgroup_size : index
    %ns = gpu.num_subgroups upper_bound 4 : index
    %cl = gpu.cluster_id x
    %cl1 = gpu.cluster_dim x
    %cl2 = gpu.cluster_block_id x
    %cl3 = gpu.cluster_dim_blocks x
    %dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.barrier
    gpu.barrier {foo}
    %f = arith.constant 1.0 : f32
    %o = arith.constant 1 : i32
    %w = arith.constant 32 : i32
    %r, %ok = gpu.shuffle xor %f, %o, %w : f32
    %tok = nvgpu.device_async_copy %A[%c0, %c0], %s[%c0, %c0], 8 {bypassL1} : memref<128x64xf16> to memref<32x16xf16, 3>
    %tok2 = nvgpu.device_async_copy %A[%c0, %c0], %s[%c0, %c0], 8, %n : memref<128x64xf16> to memref<32x16xf16, 3>
    %grp = nvgpu.device_async_create_group %tok, %tok2
    nvgpu.device_async_wait %grp {numGroups = 1 : i32}
    %fa = nvgpu.ldmatrix %s[%c0, %c0] {numTiles = 4 : i32, transpose = false} : memref<32x16xf16, 3> -> vector<4x2xf16>
    %fb = nvgpu.ldmatrix %t[%c0, %c0] {numTiles = 2 : i32, transpose = true} : memref<32x16xf16, #gpu.address_space<workgroup>> -> vector<2x2xf16>
    %acc = arith.constant dense<0.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync (%fa, %fb, %acc) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %m = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
    %true = arith.constant true
    nvgpu.mbarrier.init %m[%c0], %n, predicate = %true : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
    %mt = nvgpu.mbarrier.arrive %m[%c0] : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> !nvgpu.mbarrier.token
    %mt2 = nvgpu.mbarrier.arrive.nocomplete %m[%c0], %n : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> !nvgpu.mbarrier.token
    nvgpu.mbarrier.arrive.expect_tx %m[%c0], %n : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
    nvgpu.mbarrier.try_wait.parity %m[%c0], %true, %n : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>
    %wc = nvgpu.mbarrier.test.wait %m[%c0], %mt : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4>, !nvgpu.mbarrier.token
    %mp = nvgpu.mbarrier.get %m[%c0] : !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 4> -> i32
    %g = memref.get_global @buf : memref<2x128x40xf16, #gpu.address_space<workgroup>>
    gpu.return
  }
  gpu.func @dev(%x: f32) -> (f32, i32) {
    %o = arith.constant 1 : i32
    gpu.return %x, %o : f32, i32
  }
  gpu.func @tma(%descA: !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %desc: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %dst : memref<64x64xf16, 3>, %um: memref<*xf16>, %a3 : memref<128x64xf16, 3>, %b3 : memref<64x64xf16, 3>, %dst2: memref<128x64xf32, 3>, %v: vector<4xf32>) kernel {
    %c0 = arith.constant 0 : index
    %true = arith.constant true
    %mask = arith.constant 1 : i16
    %m = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>
    nvgpu.tma.prefetch.descriptor %desc, predicate = %true : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
    nvgpu.tma.fence.descriptor %desc : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
    nvgpu.tma.async.load %desc[%c0, %c0], %m[%c0] to %dst multicast_mask = %mask, predicate = %true : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x64xf16, 3>
    nvgpu.tma.async.store %dst to %desc[%c0, %c0], predicate = %true : memref<64x64xf16, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
    %rc = nvgpu.rcp %v {rounding = approx, ftz} : vector<4xf32>
    %wd = nvgpu.warpgroup.generate.descriptor %b3, %desc : memref<64x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
    %we = nvgpu.warpgroup.generate.descriptor %a3, %descA : memref<128x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none> -> !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
    %wa = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>
    %wm = nvgpu.warpgroup.mma %we, %wd, %wa {transposeB, waitGroup = 2 : i64} : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>
    nvgpu.warpgroup.mma.store %wm, %dst2 : !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>> to memref<128x64xf32, 3>
    gpu.return
  }
  func.func @host(%t: memref<128x64xf16>, %u : memref<*xf16>, %c0: index, %a: vector<2x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %md: vector<2xi16>) {
    %d = nvgpu.mma.sp.sync (%a, %b, %c) metadata (%md) {mmaShape = [16, 8, 16], sparsitySelector = 1 : i32} : (vector<2x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
    %z = nvgpu.tma.create.descriptor %u box[%c0, %c0] : memref<*xf16> -> !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
    return
  }
}
