gpu.module @m {
  gpu.func @k(%A: memref<128x64xf16>, %D: memref<?x?xf16, strided<[?, 1], offset: ?>>, %s: memref<2x32x16xf16, 3>, %t: memref<32x16xf16, strided<[16, 1], offset: 8>, 3>, %n: index, %s32 : memref<32x16xf32, 3>, %A32 : memref<32x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %tok = nvgpu.device_async_copy %A[%c0, %n], %s[%c1, %n, %c0], 8 {bypassL1} : memref<128x64xf16> to memref<2x32x16xf16, 3>
    %tok2 = nvgpu.device_async_copy %D[%c0, %n], %t[%n, %c0], 4, %n : memref<?x?xf16, strided<[?, 1], offset: ?>> to memref<32x16xf16, strided<[16, 1], offset: 8>, 3>
    %tok3 = nvgpu.device_async_copy %A32[%c0, %n], %s32[%n, %c0], 4 : memref<32x16xf32> to memref<32x16xf32, 3>
    %grp = nvgpu.device_async_create_group %tok, %tok2
    nvgpu.device_async_wait %grp {numGroups = 1 : i32}
    nvgpu.device_async_wait %grp
    %fa = nvgpu.ldmatrix %s[%c1, %n, %c0] {numTiles = 4 : i32, transpose = false} : memref<2x32x16xf16, 3> -> vector<4x2xf16>
    %f1 = nvgpu.ldmatrix %t[%n, %c0] {numTiles = 1 : i32, transpose = true} : memref<32x16xf16, strided<[16, 1], offset: 8>, 3> -> vector<1x2xf16>
    %f32 = nvgpu.ldmatrix %s32[%n, %c0] {numTiles = 2 : i32, transpose = false} : memref<32x16xf32, 3> -> vector<2x1xf32>
    gpu.return
  }
}
