// ac-dstspace: destination memref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)
func.func @f(%s: memref<16x16xf16>, %d: memref<16x16xf16>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i], 8  : memref<16x16xf16> to memref<16x16xf16>
  return
}
// -----
// ac-elt: source and destination must have the same element type
func.func @f(%s: memref<16x16xf32>, %d: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i], 8  : memref<16x16xf32> to memref<16x16xf16, 3>
  return
}
// -----
// ac-stride-d: destination memref most minor dim must have unit stride
func.func @f(%s: memref<16x16xf16>, %d: memref<16x16xf16, strided<[16,2]>, 3>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i], 8  : memref<16x16xf16> to memref<16x16xf16, strided<[16,2]>, 3>
  return
}
// -----
// ac-stride-s: source memref most minor dim must have unit stride
func.func @f(%s: memref<16x16xf16, strided<[16,2]>>, %d: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i], 8  : memref<16x16xf16, strided<[16,2]>> to memref<16x16xf16, 3>
  return
}
// -----
// ac-nidx-s: 'nvgpu.device_async_copy' op expected 2 source indices, got 1
func.func @f(%s: memref<16x16xf16>, %d: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i], %d[%i, %i], 8  : memref<16x16xf16> to memref<16x16xf16, 3>
  return
}
// -----
// ac-nidx-d: 'nvgpu.device_async_copy' op expected 2 destination indices, got 1
func.func @f(%s: memref<16x16xf16>, %d: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i], 8  : memref<16x16xf16> to memref<16x16xf16, 3>
  return
}
// -----
// ac-size: Requested copy elements is 3 with width 16. But copy elements could be one of 2, 4, 8.
func.func @f(%s: memref<16x16xf16>, %d: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i], 3  : memref<16x16xf16> to memref<16x16xf16, 3>
  return
}
// -----
// ac-size2: Requested copy elements is 1 with width 16. But copy elements could be one of 2, 4, 8.
func.func @f(%s: memref<16x16xf16>, %d: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i], 1  : memref<16x16xf16> to memref<16x16xf16, 3>
  return
}
// -----
// ac-by: 'nvgpu.device_async_copy' op bypassL1 does not satify alignment for 'memref<16x16xf16, 3>' with destination element 4. Unset bypassL1, or set destination element to 8
func.func @f(%s: memref<16x16xf16>, %d: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i], 4 {bypassL1} : memref<16x16xf16> to memref<16x16xf16, 3>
  return
}
// -----
// ac-layout: source memref most minor dim must have unit stride
func.func @f(%s: memref<16x16xf16, affine_map<(d0,d1)->(d1 mod 2, d0)>>, %d: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.device_async_copy %s[%i, %i], %d[%i, %i], 8  : memref<16x16xf16, affine_map<(d0,d1)->(d1 mod 2, d0)>> to memref<16x16xf16, 3>
  return
}
// -----
// ld-space: expected nvgpu.ldmatrix srcMemref must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)
func.func @f(%m: memref<16x16xf16>, %i: index) {
  %t = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16> -> vector<4x2xf16>
  return
}
// -----
// ld-elt64: nvgpu.ldmatrix works for 32b or lower
func.func @f(%m: memref<4x4xf64, 3>, %i: index) {
  %t = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<4x4xf64, 3> -> vector<4x1xf64>
  return
}
// -----
// ld-rank: results must be 2 dimensional vector
func.func @f(%m: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<8xf16>
  return
}
// -----
// ld-k: expected vector register shape[1] = 2
func.func @f(%m: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x1xf16>
  return
}
// -----
// ld-ntiles: expected vector register shape[0] and numTiles to match
func.func @f(%m: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<2x2xf16>
  return
}
// -----
// ld-trans8: nvgpu.ldmatrix transpose works only at 16b granularity
func.func @f(%m: memref<16x16xi8, 3>, %i: index) {
  %t = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = true} : memref<16x16xi8, 3> -> vector<4x4xi8>
  return
}
// -----
// ld-trans32: nvgpu.ldmatrix transpose works only at 16b granularity
func.func @f(%m: memref<16x16xf32, 3>, %i: index) {
  %t = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = true} : memref<16x16xf32, 3> -> vector<4x1xf32>
  return
}
// -----
// ld-elt: 'nvgpu.ldmatrix' op failed to verify that srcMemref and res have same element type
func.func @f(%m: memref<16x16xf16, 3>, %i: index) {
  %t = nvgpu.ldmatrix %m[%i, %i] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, 3> -> vector<4x2xbf16>
  return
}
// -----
// mma-shape: 'nvgpu.mma.sync' op expected 240 warp-wide matrix A elements
func.func @f(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 15]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// mma-a: 'nvgpu.mma.sync' op expected 256 warp-wide matrix A elements
func.func @f(%a: vector<3x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<3x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// mma-a2: 'nvgpu.mma.sync' op expected matrix A to be shaped (4 x 2)
func.func @f(%a: vector<2x4xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<2x4xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// mma-b: 'nvgpu.mma.sync' op expected 128 warp-wide matrix B elements
func.func @f(%a: vector<4x2xf16>, %b: vector<1x2xf16>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<1x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// mma-c: 'nvgpu.mma.sync' op expected 128 warp-wide matrix C elements
func.func @f(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<1x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<1x2xf32>) -> vector<1x2xf32>
  return
}
// -----
// mma-rank: matrixA must be 2 dimensional vector
func.func @f(%a: vector<8xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<8xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// mma-rankb: matrixB must be 2 dimensional vector
func.func @f(%a: vector<4x2xf16>, %b: vector<4xf16>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<4xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// mma-rankc: matrixC must be 2 dimensional vector
func.func @f(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<4xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<4xf32>) -> vector<4xf32>
  return
}
// -----
// mma-ab: 'nvgpu.mma.sync' op failed to verify that matrixA and matrixB have same element type
func.func @f(%a: vector<4x2xf16>, %b: vector<2x2xbf16>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xbf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// mma-tf32: 'nvgpu.mma.sync' op expected tf32 tensor cores only for F32 operands
func.func @f(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16], tf32Enabled} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// mma-f64: 'nvgpu.mma.sync' op expected 64 warp-wide matrix A elements
func.func @f(%a: vector<1x1xf64>, %b: vector<1x1xf64>, %c: vector<1x2xf64>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [8, 8, 8]} : (vector<1x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
  return
}
// -----
// mma-f64b: 'nvgpu.mma.sync' op expected 32 warp-wide matrix A elements
func.func @f(%a: vector<2x1xf64>, %b: vector<1x1xf64>, %c: vector<1x2xf64>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [8, 8, 4]} : (vector<2x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
  return
}
// -----
// mma-i8: 'nvgpu.mma.sync' op expected 1024 warp-wide matrix A elements
func.func @f(%a: vector<4x4xi8>, %b: vector<2x4xi8>, %c: vector<2x2xi32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 64]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  return
}
// -----
// mma-f8: expected input data type (i4,i8,f16,bf16,tf32,f64) supported by nvgpu.mma.sync
func.func @f(%a: vector<4x4xf8E4M3FN>, %b: vector<2x4xf8E4M3FN>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 32]} : (vector<4x4xf8E4M3FN>, vector<2x4xf8E4M3FN>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// mma-inttype: expected input data type (i4,i8,f16,bf16,tf32,f64) supported by nvgpu.mma.sync
func.func @f(%a: vector<4x2xi16>, %b: vector<2x2xi16>, %c: vector<2x2xi32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 8, 16]} : (vector<4x2xi16>, vector<2x2xi16>, vector<2x2xi32>) -> vector<2x2xi32>
  return
}
// -----
// mma-big: 'nvgpu.mma.sync' op expected 256 warp-wide matrix B elements
func.func @f(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf32>) {
  %d = nvgpu.mma.sync (%a, %b, %c) {mmaShape = [16, 16, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
// sp-sel: 'nvgpu.mma.sp.sync' op sparsity selector should be 0 or 1
func.func @f(%a: vector<4x2xf16>, %b: vector<4x2xf16>, %c: vector<2x2xf16>, %m: vector<2xi16>) {
  %d = nvgpu.mma.sp.sync (%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 32], sparsitySelector = 2 : i32} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}
// -----
// sp-a: 'nvgpu.mma.sp.sync' op expected 512 warp-wide matrix A elements
func.func @f(%a: vector<2x2xf16>, %b: vector<4x2xf16>, %c: vector<2x2xf16>, %m: vector<2xi16>) {
  %d = nvgpu.mma.sp.sync (%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 32]} : (vector<2x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}
// -----
// sp-b: 'nvgpu.mma.sp.sync' op expected 256 warp-wide matrix B elements
func.func @f(%a: vector<4x2xf16>, %b: vector<2x2xf16>, %c: vector<2x2xf16>, %m: vector<2xi16>) {
  %d = nvgpu.mma.sp.sync (%a, %b, %c) metadata(%m) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  return
}
// -----
// tma-coord: number of coordinates do not match with the rank of tensor descriptor map.
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %s: memref<64x64xf16, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x64xf16, 3>
  return
}
// -----
// tma-coord6: Maximum 5 coordinates are supported.
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %s: memref<64x64xf16, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i,%i,%i,%i,%i,%i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x64xf16, 3>
  return
}
// -----
// tma-space: the destination memref has incorrect address space, it must be shared memory address space.
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %s: memref<64x64xf16>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x64xf16>
  return
}
// -----
// tma-shape: memref and tensor map shapes mismatch 'memref<64x64xf16, 3>' != 'memref<64x32xf16, 3>'
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %s: memref<64x32xf16, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x32xf16, 3>
  return
}
// -----
// tma-rank: the shape of tensor map descriptor and memref must have same rank
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %s: memref<64xf16, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64xf16, 3>
  return
}
// -----
// tma-elt: the element type of tensor map descriptor and memref must be same
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %s: memref<64x64xf32, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x64xf32, 3>
  return
}
// -----
// tma-swz: the tensormap descriptor must have last dimension of 64 bytes but it is 128 bytes
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>, %s: memref<64x64xf16, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x64xf16, 3>
  return
}
// -----
// tma-inter: Interleave options are not supported yet.
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = interleave_16b>, %s: memref<64x64xf16, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = interleave_16b>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x64xf16, 3>
  return
}
// -----
// tma-descspace: the tensor map descriptor has incorrect address space, it must be shared memory address space.
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %s: memref<64x64xf16, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x64xf16, 3>
  return
}
// -----
// tma-store-coord: number of coordinates do not match with the rank of tensor descriptor map.
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>, %s: memref<64x64xf16, 3>, %i: index) {
  nvgpu.tma.async.store %s to %d[%i] : memref<64x64xf16, 3> -> !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
  return
}
// -----
// tma-dyn: the tensor map descriptor must be static shaped
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<?x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %s: memref<64x64xf16, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<?x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<64x64xf16, 3>
  return
}
// -----
// tma-256: the tensor map descriptor must have dimensions between 1 and 256 but it is 512
func.func @f(%d: !nvgpu.tensormap.descriptor<tensor = memref<512x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, %s: memref<512x64xf16, 3>, %i: index, %b: !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>>) {
  nvgpu.tma.async.load %d[%i, %i], %b[%i] to %s : !nvgpu.tensormap.descriptor<tensor = memref<512x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>, !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>> -> memref<512x64xf16, 3>
  return
}
// -----
// tma-cd: Maximum 5 coordinates are supported.
func.func @f(%t: memref<*xf16>, %i: index) {
  %z = nvgpu.tma.create.descriptor %t box[%i, %i, %i, %i, %i, %i] : memref<*xf16> -> !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
  return
}
// -----
// rcp-rn: 'nvgpu.rcp' op has a limitation. #nvgpu<rcp_rounding_mode rn> or non-ftz is not supported yet.
func.func @f(%v: vector<4xf32>) {
  %r = nvgpu.rcp %v {rounding = rn, ftz} : vector<4xf32>
  return
}
// -----
// rcp-noftz: 'nvgpu.rcp' op has a limitation. #nvgpu<rcp_rounding_mode approx> or non-ftz is not supported yet.
func.func @f(%v: vector<4xf32>) {
  %r = nvgpu.rcp %v {rounding = approx} : vector<4xf32>
  return
}
// -----
// gd-swz: supports only swizzle_128b is supported for the time being
func.func @f(%a: memref<64x64xf16, 3>, %d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>) {
  %r = nvgpu.warpgroup.generate.descriptor %a, %d : memref<64x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none> -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
  return
}
// -----
// gd-inter: Interleave options are not supported yet.
func.func @f(%a: memref<64x64xf16, 3>, %d: !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = interleave_16b>) {
  %r = nvgpu.warpgroup.generate.descriptor %a, %d : memref<64x64xf16, 3>, !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = interleave_16b> -> !nvgpu.warpgroup.descriptor<tensor = memref<64x64xf16, 3>>
  return
}
// -----
// wg-n: 'nvgpu.warpgroup.mma' op has input type 'memref<64x12xf16, 3>' n is set to 12, it is not supported
func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x12xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<128x12xf32>>) {
  %r = nvgpu.warpgroup.mma %a, %b, %c  : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x12xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x12xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x12xf32>>
  return
}
// -----
// wg-n512: 'nvgpu.warpgroup.mma' op has input type 'memref<64x512xf16, 3>' n is set to 512, it is not supported
func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x512xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<128x512xf32>>) {
  %r = nvgpu.warpgroup.mma %a, %b, %c  : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x512xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x512xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x512xf32>>
  return
}
// -----
// wg-k: 'nvgpu.warpgroup.mma' op 2nd dim matrix-A (64)!= 1st dim matrix-B (32 )
func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<32x128xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>) {
  %r = nvgpu.warpgroup.mma %a, %b, %c  : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<32x128xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
  return
}
// -----
// wg-mm: 'nvgpu.warpgroup.mma' op 1st dim matrix-A ( 128 )!= 1st dim matrix-C ( 64 )
func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x128xf32>>) {
  %r = nvgpu.warpgroup.mma %a, %b, %c  : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<64x128xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x128xf32>>
  return
}
// -----
// wg-nn: 'nvgpu.warpgroup.mma' op 2nd dim matrix-B ( 128 ) != 2nd dim matrix-C ( 64 )
func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>) {
  %r = nvgpu.warpgroup.mma %a, %b, %c  : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x64xf32>>
  return
}
// -----
// wg-types: 'nvgpu.warpgroup.mma' op 'f32' += 'f16' * 'f32', it is not supported.
func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf32, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>) {
  %r = nvgpu.warpgroup.mma %a, %b, %c  : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf32, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
  return
}
// -----
// wg-acc: 'nvgpu.warpgroup.mma' op 'i32' += 'f16' * 'f16', it is not supported.
func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xi32>>) {
  %r = nvgpu.warpgroup.mma %a, %b, %c  : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xi32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xi32>>
  return
}
// -----
// wg-cd: 'nvgpu.warpgroup.mma' op type of matrix C and matrix D must be the same
func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>) {
  %r = nvgpu.warpgroup.mma %a, %b, %c  : !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf16>>
  return
}
// -----
// wg-rank3: 'nvgpu.warpgroup.mma' op has matrices A, B, C and D, they must be 2 dimensional
func.func @f(%a: !nvgpu.warpgroup.descriptor<tensor = memref<2x128x64xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, %c: !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>) {
  %r = nvgpu.warpgroup.mma %a, %b, %c  : !nvgpu.warpgroup.descriptor<tensor = memref<2x128x64xf16, 3>>, !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>, !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>> -> !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
  return
}
// -----
// st-shape: 'nvgpu.warpgroup.mma.store' op results ['vector<128x128xf32>'][128] values. However, destination memref[128][64]  does not have same size as results
func.func @f(%c: !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>, %m: memref<128x64xf32, 3>) {
  nvgpu.warpgroup.mma.store %c, %m : !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>> to memref<128x64xf32, 3>
  return
}
// -----
// in-m: 'nvgpu.warpgroup.mma.init.accumulator' op has type 'vector<32x128xf32>'. It does not fit into warp-group level (wgmma) matrix multiplication instruction (or not supported yet)
func.func @f() {
  %r = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<32x128xf32>>
  return
}
// -----
// in-n: 'nvgpu.warpgroup.mma.init.accumulator' op has type 'vector<64x12xf32>'. It does not fit into warp-group level (wgmma) matrix multiplication instruction (or not supported yet)
func.func @f() {
  %r = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x12xf32>>
  return
}
// -----
// in-t: 'nvgpu.warpgroup.mma.init.accumulator' op has type 'vector<64x128xf64>'. It does not fit into warp-group level (wgmma) matrix multiplication instruction (or not supported yet)
func.func @f() {
  %r = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x128xf64>>
  return
}
// -----
// dyn1: 'gpu.dynamic_shared_memory' op result memref type must be memref<?xi8, #gpu.address_space<workgroup>>
gpu.module @m { gpu.func @k() kernel {
 %0 = gpu.dynamic_shared_memory : memref<16xi8, #gpu.address_space<workgroup>>
 gpu.return } }
// -----
// dyn2: 'gpu.dynamic_shared_memory' op result #0 must be 1D memref of 8-bit signless integer values, but got 'memref<?xf32, #gpu.address_space<workgroup>>'
gpu.module @m { gpu.func @k() kernel {
 %0 = gpu.dynamic_shared_memory : memref<?xf32, #gpu.address_space<workgroup>>
 gpu.return } }
// -----
// dyn3: 'gpu.dynamic_shared_memory' op address space must be address_space<workgroup>
gpu.module @m { gpu.func @k() kernel {
 %0 = gpu.dynamic_shared_memory : memref<?xi8>
 gpu.return } }
// -----
// fn1: 'gpu.func' op expected void return type for kernel function
gpu.module @m { gpu.func @k() -> f32 kernel { %c = arith.constant 1.0 : f32 
 gpu.return %c : f32 } }
// -----
// fn4: 'gpu.func' op expected memref type in attribution
gpu.module @m { gpu.func @k() workgroup(%a : f32) kernel { gpu.return } }
// -----
// ret: 'gpu.return' op expected 1 result operands
gpu.module @m { gpu.func @k() -> f32 { gpu.return } }
// -----
// cp1: expected byte size to be either 4, 8 or 16.
llvm.func @f(%a: !llvm.ptr<3>, %b: !llvm.ptr<1>) { nvvm.cp.async.shared.global %a, %b, 3, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
 llvm.return }
// -----
// cp2: CG cache modifier is only support for 16 bytes copy.
llvm.func @f(%a: !llvm.ptr<3>, %b: !llvm.ptr<1>) { nvvm.cp.async.shared.global %a, %b, 8, cache = cg : !llvm.ptr<3>, !llvm.ptr<1>
 llvm.return }
// -----
// cp3: Only CG and CA cache modifiers are supported.
llvm.func @f(%a: !llvm.ptr<3>, %b: !llvm.ptr<1>) { nvvm.cp.async.shared.global %a, %b, 16, cache = cs : !llvm.ptr<3>, !llvm.ptr<1>
 llvm.return }
