// C = A * B with f16 inputs and f32 accumulation, on the tensor cores of sm_80.
//
//   A is M x K, B is K x N, C is M x N, all row-major; M and N are multiples of 64, K of 32.
//   Launch: grid (N/64, M/64), 128 threads a block.
//
// A block computes a 64 x 64 tile of C, its four warps a 32 x 32 quarter each. The 64 x 32 tile of A and the 32 x 64
// tile of B that one step needs come through cp.async into one of two stages of shared memory, while the warps
// multiply what the other stage holds. Rows of shared memory are padded by 16 bytes, so that the eight rows an
// ldmatrix reads at once lie in different banks.

#shared = #gpu.address_space<workgroup>

module {
  gpu.module @kernels {
    gpu.func @gemm(%A: memref<?x?xf16>, %B: memref<?x?xf16>, %C: memref<?x?xf32>)
        workgroup(%sA: memref<2x64x40xf16, #shared> {llvm.align = 16 : i64},
                  %sB: memref<2x32x72xf16, #shared> {llvm.align = 16 : i64})
        kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      %c8 = arith.constant 8 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %c2 = arith.constant 2 : index
      %c64 = arith.constant 64 : index
      %K = memref.dim %A, %c1 : memref<?x?xf16>

      %thread = gpu.thread_id x
      %blockX = gpu.block_id x
      %blockY = gpu.block_id y
      %tileM = arith.muli %blockY, %c64 : index
      %tileN = arith.muli %blockX, %c64 : index

      // Copies: eight halves (16 bytes) a thread. Four threads span a row of A's tile, eight a row of B's.
      %rowA0 = arith.divui %thread, %c4 : index
      %rowA1 = arith.addi %rowA0, %c32 : index
      %laneA = arith.remui %thread, %c4 : index
      %colA = arith.muli %laneA, %c8 : index
      %rowB0 = arith.divui %thread, %c8 : index
      %rowB1 = arith.addi %rowB0, %c16 : index
      %laneB = arith.remui %thread, %c8 : index
      %colB = arith.muli %laneB, %c8 : index
      %fromA0 = arith.addi %tileM, %rowA0 : index
      %fromA1 = arith.addi %tileM, %rowA1 : index
      %fromB = arith.addi %tileN, %colB : index

      // Fragments: lane l points ldmatrix at row l % 16, column (l / 16) * 8 of a 16 x 16 tile.
      %warp = arith.divui %thread, %c32 : index
      %lane = arith.remui %thread, %c32 : index
      %warpRow = arith.divui %warp, %c2 : index
      %warpCol = arith.remui %warp, %c2 : index
      %warpM = arith.muli %warpRow, %c32 : index
      %warpN = arith.muli %warpCol, %c32 : index
      %fragRow = arith.remui %lane, %c16 : index
      %fragHalf = arith.divui %lane, %c16 : index
      %fragCol = arith.muli %fragHalf, %c8 : index
      %m0 = arith.addi %warpM, %fragRow : index
      %m1 = arith.addi %m0, %c16 : index
      %n0 = arith.addi %warpN, %fragCol : index
      %n1 = arith.addi %n0, %c16 : index

      // The first step's tiles go to stage 0.
      %a0 = nvgpu.device_async_copy %A[%fromA0, %colA], %sA[%c0, %rowA0, %colA], 8 {bypassL1} : memref<?x?xf16> to memref<2x64x40xf16, #shared>
      %a1 = nvgpu.device_async_copy %A[%fromA1, %colA], %sA[%c0, %rowA1, %colA], 8 {bypassL1} : memref<?x?xf16> to memref<2x64x40xf16, #shared>
      %b0 = nvgpu.device_async_copy %B[%rowB0, %fromB], %sB[%c0, %rowB0, %colB], 8 {bypassL1} : memref<?x?xf16> to memref<2x32x72xf16, #shared>
      %b1 = nvgpu.device_async_copy %B[%rowB1, %fromB], %sB[%c0, %rowB1, %colB], 8 {bypassL1} : memref<?x?xf16> to memref<2x32x72xf16, #shared>
      %first = nvgpu.device_async_create_group %a0, %a1, %b0, %b1

      %zero = arith.constant dense<0.0> : vector<2x2xf32>
      %end:10 = scf.for %k = %c0 to %K step %c32
          iter_args(%stage = %c0, %group = %first,
                    %c00 = %zero, %c01 = %zero, %c02 = %zero, %c03 = %zero,
                    %c10 = %zero, %c11 = %zero, %c12 = %zero, %c13 = %zero)
          -> (index, !nvgpu.device.async.token,
              vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>,
              vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>) {
        // This step's tiles have come, and every warp has done with the other stage: fill it for the next step.
        nvgpu.device_async_wait %group {numGroups = 0 : i32}
        gpu.barrier
        %other = arith.subi %c1, %stage : index
        %kNext = arith.addi %k, %c32 : index
        %more = arith.cmpi ult, %kNext, %K : index
        %next = scf.if %more -> (!nvgpu.device.async.token) {
          %fromColA = arith.addi %kNext, %colA : index
          %fromRowB0 = arith.addi %kNext, %rowB0 : index
          %fromRowB1 = arith.addi %kNext, %rowB1 : index
          %a2 = nvgpu.device_async_copy %A[%fromA0, %fromColA], %sA[%other, %rowA0, %colA], 8 {bypassL1} : memref<?x?xf16> to memref<2x64x40xf16, #shared>
          %a3 = nvgpu.device_async_copy %A[%fromA1, %fromColA], %sA[%other, %rowA1, %colA], 8 {bypassL1} : memref<?x?xf16> to memref<2x64x40xf16, #shared>
          %b2 = nvgpu.device_async_copy %B[%fromRowB0, %fromB], %sB[%other, %rowB0, %colB], 8 {bypassL1} : memref<?x?xf16> to memref<2x32x72xf16, #shared>
          %b3 = nvgpu.device_async_copy %B[%fromRowB1, %fromB], %sB[%other, %rowB1, %colB], 8 {bypassL1} : memref<?x?xf16> to memref<2x32x72xf16, #shared>
          %filled = nvgpu.device_async_create_group %a2, %a3, %b2, %b3
          scf.yield %filled : !nvgpu.device.async.token
        } else {
          scf.yield %group : !nvgpu.device.async.token
        }

        // Two slices of 16 along K: 16 x 16 fragments of A, 16 x 8 fragments of B in pairs.
        %acc:8 = scf.for %slice = %c0 to %c32 step %c16
            iter_args(%s00 = %c00, %s01 = %c01, %s02 = %c02, %s03 = %c03,
                      %s10 = %c10, %s11 = %c11, %s12 = %c12, %s13 = %c13)
            -> (vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>,
                vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>) {
          %kA = arith.addi %slice, %fragCol : index
          %kB = arith.addi %slice, %fragRow : index
          %fa0 = nvgpu.ldmatrix %sA[%stage, %m0, %kA] {numTiles = 4 : i32, transpose = false} : memref<2x64x40xf16, #shared> -> vector<4x2xf16>
          %fa1 = nvgpu.ldmatrix %sA[%stage, %m1, %kA] {numTiles = 4 : i32, transpose = false} : memref<2x64x40xf16, #shared> -> vector<4x2xf16>
          %fb01 = nvgpu.ldmatrix %sB[%stage, %kB, %n0] {numTiles = 4 : i32, transpose = true} : memref<2x32x72xf16, #shared> -> vector<4x2xf16>
          %fb23 = nvgpu.ldmatrix %sB[%stage, %kB, %n1] {numTiles = 4 : i32, transpose = true} : memref<2x32x72xf16, #shared> -> vector<4x2xf16>
          %fb0 = vector.extract_strided_slice %fb01 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
          %fb1 = vector.extract_strided_slice %fb01 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
          %fb2 = vector.extract_strided_slice %fb23 {offsets = [0], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
          %fb3 = vector.extract_strided_slice %fb23 {offsets = [2], sizes = [2], strides = [1]} : vector<4x2xf16> to vector<2x2xf16>
          %d00 = nvgpu.mma.sync(%fa0, %fb0, %s00) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
          %d01 = nvgpu.mma.sync(%fa0, %fb1, %s01) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
          %d02 = nvgpu.mma.sync(%fa0, %fb2, %s02) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
          %d03 = nvgpu.mma.sync(%fa0, %fb3, %s03) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
          %d10 = nvgpu.mma.sync(%fa1, %fb0, %s10) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
          %d11 = nvgpu.mma.sync(%fa1, %fb1, %s11) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
          %d12 = nvgpu.mma.sync(%fa1, %fb2, %s12) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
          %d13 = nvgpu.mma.sync(%fa1, %fb3, %s13) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
          scf.yield %d00, %d01, %d02, %d03, %d10, %d11, %d12, %d13
              : vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>,
                vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>
        }
        scf.yield %other, %next, %acc#0, %acc#1, %acc#2, %acc#3, %acc#4, %acc#5, %acc#6, %acc#7
            : index, !nvgpu.device.async.token,
              vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>,
              vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>, vector<2x2xf32>
      }

      // An accumulator holds, of its 16 x 8 tile, columns 2(l % 4) and 2(l % 4) + 1 of rows l / 4 and l / 4 + 8.
      %groupRow = arith.divui %lane, %c4 : index
      %groupCol = arith.remui %lane, %c4 : index
      %pairCol = arith.muli %groupCol, %c2 : index
      %outM = arith.addi %tileM, %warpM : index
      %outN = arith.addi %tileN, %warpN : index
      %r0 = arith.addi %outM, %groupRow : index
      %r1 = arith.addi %r0, %c8 : index
      %r2 = arith.addi %r1, %c8 : index
      %r3 = arith.addi %r2, %c8 : index
      %q0 = arith.addi %outN, %pairCol : index
      %q1 = arith.addi %q0, %c8 : index
      %q2 = arith.addi %q1, %c8 : index
      %q3 = arith.addi %q2, %c8 : index
      %v000 = vector.extract %end#2[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %v000, %C[%r0, %q0] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v001 = vector.extract %end#2[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %v001, %C[%r1, %q0] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v010 = vector.extract %end#3[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %v010, %C[%r0, %q1] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v011 = vector.extract %end#3[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %v011, %C[%r1, %q1] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v020 = vector.extract %end#4[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %v020, %C[%r0, %q2] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v021 = vector.extract %end#4[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %v021, %C[%r1, %q2] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v030 = vector.extract %end#5[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %v030, %C[%r0, %q3] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v031 = vector.extract %end#5[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %v031, %C[%r1, %q3] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v100 = vector.extract %end#6[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %v100, %C[%r2, %q0] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v101 = vector.extract %end#6[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %v101, %C[%r3, %q0] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v110 = vector.extract %end#7[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %v110, %C[%r2, %q1] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v111 = vector.extract %end#7[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %v111, %C[%r3, %q1] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v120 = vector.extract %end#8[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %v120, %C[%r2, %q2] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v121 = vector.extract %end#8[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %v121, %C[%r3, %q2] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v130 = vector.extract %end#9[0] : vector<2xf32> from vector<2x2xf32>
      vector.store %v130, %C[%r2, %q3] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      %v131 = vector.extract %end#9[1] : vector<2xf32> from vector<2x2xf32>
      vector.store %v131, %C[%r3, %q3] {alignment = 8 : i64} : memref<?x?xf32>, vector<2xf32>
      gpu.return
    }
  }
}
