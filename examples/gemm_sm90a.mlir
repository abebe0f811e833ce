// C = A B on Hopper: f16 multiplicands, f32 sums, a 128 x 64 tile of C a block.
//
// One warpgroup. Tiles of A (128 x 64) and B (64 x 64) come by TMA into two stages of dynamic shared memory, swizzled by
// 128 bytes: thread 0 starts the copies of the next stage, an mbarrier a stage counts their bytes, and while they are
// under way the tensor cores multiply this stage's. The grid is (N / 64, M / 128), the depth K a multiple of 64, and
// the launch gives 49152 bytes of dynamic shared memory.

#shared = #gpu.address_space<workgroup>
!mapA = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>
!mapB = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>
!barriers = !nvgpu.mbarrier.group<memorySpace = #shared, num_barriers = 2>
!tileA = memref<128x64xf16, #shared>
!tileB = memref<64x64xf16, #shared>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>

gpu.module @gemm_sm90a {
  gpu.func @gemm(%A: !mapA, %B: !mapB, %C: memref<?x?xf32>, %depth: index) kernel
      attributes {known_block_size = array<i32: 128, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %sizeA = arith.constant 16384 : index
    %sizeB = arith.constant 8192 : index
    %startB = arith.constant 32768 : index
    %bytes = arith.constant 24576 : index
    %ticks = arith.constant 10000000 : index
    %t = gpu.thread_id x
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %n = arith.muli %bx, %c64 : index
    %m = arith.muli %by, %c128 : index
    %leader = arith.cmpi eq, %t, %c0 : index
    %smem = gpu.dynamic_shared_memory : memref<?xi8, #shared>
    %bar = nvgpu.mbarrier.create -> !barriers
    nvgpu.mbarrier.init %bar[%c0], %c1, predicate = %leader : !barriers
    nvgpu.mbarrier.init %bar[%c1], %c1, predicate = %leader : !barriers
    nvgpu.tma.prefetch.descriptor %A, predicate = %leader : !mapA
    nvgpu.tma.prefetch.descriptor %B, predicate = %leader : !mapB
    gpu.barrier

    %a0 = memref.view %smem[%c0][] : memref<?xi8, #shared> to !tileA
    %b0 = memref.view %smem[%startB][] : memref<?xi8, #shared> to !tileB
    nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes, predicate = %leader : !barriers
    nvgpu.tma.async.load %A[%c0, %m], %bar[%c0] to %a0, predicate = %leader : !mapA, !barriers -> !tileA
    nvgpu.tma.async.load %B[%n, %c0], %bar[%c0] to %b0, predicate = %leader : !mapB, !barriers -> !tileB

    %zero = nvgpu.warpgroup.mma.init.accumulator -> !acc
    %sum = scf.for %k = %c0 to %depth step %c64 iter_args(%acc = %zero) -> (!acc) {
      %step = arith.divui %k, %c64 : index
      %stage = arith.remui %step, %c2 : index
      %round = arith.divui %step, %c2 : index
      %odd = arith.remui %round, %c2 : index
      %phase = arith.cmpi ne, %odd, %c0 : index
      %other = arith.subi %c1, %stage : index
      %next = arith.addi %k, %c64 : index
      %more = arith.cmpi ult, %next, %depth : index
      %load = arith.andi %more, %leader : i1
      %atA1 = arith.muli %other, %sizeA : index
      %offB1 = arith.muli %other, %sizeB : index
      %atB1 = arith.addi %offB1, %startB : index
      %a1 = memref.view %smem[%atA1][] : memref<?xi8, #shared> to !tileA
      %b1 = memref.view %smem[%atB1][] : memref<?xi8, #shared> to !tileB
      nvgpu.mbarrier.arrive.expect_tx %bar[%other], %bytes, predicate = %load : !barriers
      nvgpu.tma.async.load %A[%next, %m], %bar[%other] to %a1, predicate = %load : !mapA, !barriers -> !tileA
      nvgpu.tma.async.load %B[%n, %next], %bar[%other] to %b1, predicate = %load : !mapB, !barriers -> !tileB

      %atA = arith.muli %stage, %sizeA : index
      %offB = arith.muli %stage, %sizeB : index
      %atB = arith.addi %offB, %startB : index
      %a = memref.view %smem[%atA][] : memref<?xi8, #shared> to !tileA
      %b = memref.view %smem[%atB][] : memref<?xi8, #shared> to !tileB
      nvgpu.mbarrier.try_wait.parity %bar[%stage], %phase, %ticks : !barriers
      %dA = nvgpu.warpgroup.generate.descriptor %a, %A : !tileA, !mapA -> !nvgpu.warpgroup.descriptor<tensor = !tileA>
      %dB = nvgpu.warpgroup.generate.descriptor %b, %B : !tileB, !mapB -> !nvgpu.warpgroup.descriptor<tensor = !tileB>
      %new = nvgpu.warpgroup.mma %dA, %dB, %acc {transposeB, waitGroup = 0 : i64}
        : <tensor = !tileA>, <tensor = !tileB>, <fragmented = vector<128x64xf32>> -> <fragmented = vector<128x64xf32>>
      // Nobody reads this stage any more when the next step fills it.
      gpu.barrier
      scf.yield %new : !acc
    }
    %tile = memref.subview %C[%m, %n][128, 64][1, 1] : memref<?x?xf32> to memref<128x64xf32, strided<[?, 1], offset: ?>>
    nvgpu.warpgroup.mma.store %sum, %tile : <fragmented = vector<128x64xf32>> to memref<128x64xf32, strided<[?, 1], offset: ?>>
    gpu.return
  }
}
