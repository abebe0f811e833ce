// C = A B with f16 multiplicands and f32 sums, a 16 x 16 tile a warp.
gpu.module @wmma_gemm {
  gpu.func @wmma_gemm(%A: memref<64x64xf16>, %B: memref<64x64xf16>, %C: memref<64x64xf32>) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c48 = arith.constant 48 : index
    %zero = arith.constant 0.0 : f32
    %bx = gpu.block_id x
    %by = gpu.block_id y
    %i = arith.muli %by, %c16 : index
    %j = arith.muli %bx, %c16 : index
    %init = gpu.subgroup_mma_constant_matrix %zero : !gpu.mma_matrix<16x16xf32, "COp">
    %a0 = gpu.subgroup_mma_load_matrix %A[%i, %c0] {leadDimension = 64 : index} : memref<64x64xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b0 = gpu.subgroup_mma_load_matrix %B[%c0, %j] {leadDimension = 64 : index} : memref<64x64xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %d0 = gpu.subgroup_mma_compute %a0, %b0, %init : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    %a1 = gpu.subgroup_mma_load_matrix %A[%i, %c16] {leadDimension = 64 : index} : memref<64x64xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b1 = gpu.subgroup_mma_load_matrix %B[%c16, %j] {leadDimension = 64 : index} : memref<64x64xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %d1 = gpu.subgroup_mma_compute %a1, %b1, %d0 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    %a2 = gpu.subgroup_mma_load_matrix %A[%i, %c32] {leadDimension = 64 : index} : memref<64x64xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b2 = gpu.subgroup_mma_load_matrix %B[%c32, %j] {leadDimension = 64 : index} : memref<64x64xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %d2 = gpu.subgroup_mma_compute %a2, %b2, %d1 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    %a3 = gpu.subgroup_mma_load_matrix %A[%i, %c48] {leadDimension = 64 : index} : memref<64x64xf16> -> !gpu.mma_matrix<16x16xf16, "AOp">
    %b3 = gpu.subgroup_mma_load_matrix %B[%c48, %j] {leadDimension = 64 : index} : memref<64x64xf16> -> !gpu.mma_matrix<16x16xf16, "BOp">
    %d3 = gpu.subgroup_mma_compute %a3, %b3, %d2 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
    gpu.subgroup_mma_store_matrix %d3, %C[%i, %j] {leadDimension = 64 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<64x64xf32>
    gpu.return
  }
}
