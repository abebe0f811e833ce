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
// -----
// nvvm-1: 'nvvm.convert.f32x2.to.f4x2' op Only 'f4E2M1FN' type is supported for conversions from f32x2 to f4x2.
func.func @f(%a: f32) {
  %0 = nvvm.convert.f32x2.to.f4x2 %a, %a : i8 (f8E4M3FN)
  return
}
// -----
// nvvm-2: 'nvvm.convert.f32x2.to.f6x2' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f32x2 to f6x2.
func.func @f(%a: f32) {
  %0 = nvvm.convert.f32x2.to.f6x2 %a, %a : i16 (f8E4M3FN)
  return
}
// -----
// nvvm-3: 'nvvm.convert.f32x2.to.f8x2' op Only RN rounding mode is supported for conversions from f32x2 to 'f8E4M3FN' and 'f8E5M2' types
func.func @f(%a: f32) {
  %0 = nvvm.convert.f32x2.to.f8x2 %a, %a : i16 (f8E4M3FN)
  return
}
// -----
// nvvm-4: 'nvvm.convert.f32x2.to.f8x2' op Only SATFINITE saturation mode is supported for conversions from f32x2 to 'f8E4M3FN' and 'f8E5M2' types
func.func @f(%a: f32) {
  %0 = nvvm.convert.f32x2.to.f8x2 %a, %a {rnd = #nvvm.fp_rnd_mode<rn>} : i16 (f8E5M2)
  return
}
// -----
// nvvm-5: 'nvvm.convert.f32x2.to.f8x2' op Only RZ and RP rounding modes are supported for conversions from f32x2 to 'f8E8M0FNU' type
func.func @f(%a: f32) {
  %0 = nvvm.convert.f32x2.to.f8x2 %a, %a {rnd = #nvvm.fp_rnd_mode<rn>} : i16 (f8E8M0FNU)
  return
}
// -----
// nvvm-6: 'nvvm.convert.f32x2.to.f8x2' op relu not supported for conversions to 'f8E8M0FNU' type
func.func @f(%a: f32) {
  %0 = nvvm.convert.f32x2.to.f8x2 %a, %a {rnd = #nvvm.fp_rnd_mode<rz>, relu = true} : i16 (f8E8M0FNU)
  return
}
// -----
// nvvm-7: 'nvvm.convert.f32x2.to.f8x2' op Only 'f8E4M3FN', 'f8E5M2', and 'f8E8M0FNU' types are supported for conversions from f32x2 to f8x2
func.func @f(%a: f32) {
  %0 = nvvm.convert.f32x2.to.f8x2 %a, %a : i16 (f16)
  return
}
// -----
// nvvm-8: 'nvvm.convert.f16x2.to.f8x2' op Only 'f8E4M3FN' and 'f8E5M2' types are supported for conversions from f16x2 to f8x2.
func.func @f(%h: vector<2xf16>) {
  %0 = nvvm.convert.f16x2.to.f8x2 %h : vector<2xf16> -> i16 (f8E8M0FNU)
  return
}
// -----
// nvvm-9: 'nvvm.convert.bf16x2.to.f8x2' op Only 'f8E8M0FNU' type is supported for conversions from bf16x2 to f8x2.
func.func @f(%b: vector<2xbf16>) {
  %0 = nvvm.convert.bf16x2.to.f8x2 %b : vector<2xbf16> -> i16 (f8E5M2)
  return
}
// -----
// nvvm-10: 'nvvm.convert.bf16x2.to.f8x2' op Only RZ and RP rounding modes are supported for conversions from bf16x2 to f8x2.
func.func @f(%b: vector<2xbf16>) {
  %0 = nvvm.convert.bf16x2.to.f8x2 %b : vector<2xbf16> -> i16 (f8E8M0FNU)
  return
}
// -----
// nvvm-11: 'nvvm.convert.f8x2.to.f16x2' op Only 'f8E4M3FN' and 'f8E5M2' types are supported for conversions from f8x2 to f16x2.
func.func @f(%v8: vector<2xi8>) {
  %0 = nvvm.convert.f8x2.to.f16x2 %v8 : vector<2xi8> (f16) -> vector<2xf16>
  return
}
// -----
// nvvm-12: 'nvvm.convert.f8x2.to.bf16x2' op Only 'f8E8M0FNU' type is supported for conversions from f8x2 to bf16x2.
func.func @f(%v8: vector<2xi8>) {
  %0 = nvvm.convert.f8x2.to.bf16x2 %v8 : vector<2xi8> (f8E4M3FN) -> vector<2xbf16>
  return
}
// -----
// nvvm-13: 'nvvm.convert.f6x2.to.f16x2' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f6x2 to f16x2.
func.func @f(%v8: vector<2xi8>) {
  %0 = nvvm.convert.f6x2.to.f16x2 %v8 : vector<2xi8> (f8E4M3FN) -> vector<2xf16>
  return
}
// -----
// nvvm-14: 'nvvm.convert.f4x2.to.f16x2' op Only 'f4E2M1FN' type is supported for conversions from f4x2 to f16x2.
func.func @f(%i8: i8) {
  %0 = nvvm.convert.f4x2.to.f16x2 %i8 : i8 (f6E2M3FN) -> vector<2xf16>
  return
}
// -----
// nvvm-15: 'nvvm.convert.f32x2.to.f16x2' op random_bits is required for RS rounding mode.
func.func @f(%a: f32) {
  %0 = nvvm.convert.f32x2.to.f16x2 %a, %a {rnd = #nvvm.fp_rnd_mode<rs>} : vector<2xf16>
  return
}
// -----
// nvvm-16: 'nvvm.convert.f32x2.to.f16x2' op random_bits not supported for RN and RZ rounding modes.
func.func @f(%a: f32, %r: i32) {
  %0 = nvvm.convert.f32x2.to.f16x2 %a, %a, %r {rnd = #nvvm.fp_rnd_mode<rn>} : vector<2xf16>
  return
}
// -----
// nvvm-17: 'nvvm.convert.f32x2.to.bf16x2' op Only RN, RZ, and RS rounding modes are supported for conversions from f32x2 to bf16x2.
func.func @f(%a: f32) {
  %0 = nvvm.convert.f32x2.to.bf16x2 %a, %a : vector<2xbf16>
  return
}
// -----
// nvvm-18: 'nvvm.convert.f32x4.to.f8x4' op Only 'f8E4M3FN' and 'f8E5M2' types are supported for conversions from f32x4 to f8x4.
func.func @f(%v4: vector<4xf32>, %r: i32) {
  %0 = nvvm.convert.f32x4.to.f8x4 %v4, %r : vector<4xf32> -> vector<4xi8> (f6E2M3FN)
  return
}
// -----
// nvvm-19: 'nvvm.convert.f32x4.to.f6x4' op Only 'f6E2M3FN' and 'f6E3M2FN' types are supported for conversions from f32x4 to f6x4.
func.func @f(%v4: vector<4xf32>, %r: i32) {
  %0 = nvvm.convert.f32x4.to.f6x4 %v4, %r : vector<4xf32> -> vector<4xi8> (f8E4M3FN)
  return
}
// -----
// nvvm-20: 'nvvm.convert.f32x4.to.f4x4' op Only 'f4E2M1FN' type is supported for conversions from f32x4 to f4x4.
func.func @f(%v4: vector<4xf32>, %r: i32) {
  %0 = nvvm.convert.f32x4.to.f4x4 %v4, %r : vector<4xf32> -> i16 (f8E4M3FN)
  return
}
// -----
// nvvm-21: Only {rn,rz,rna} rounding modes supported for ConvertFloatToTF32Op.
func.func @f(%a: f32) {
  %0 = nvvm.convert.float.to.tf32 %a
  return
}
// -----
// nvvm-22: Relu not supported with rna rounding mode.
func.func @f(%a: f32) {
  %0 = nvvm.convert.float.to.tf32 %a {rnd = #nvvm.fp_rnd_mode<rna>, relu = true}
  return
}
// -----
// nvvm-23: 'nvvm.st.bulk' op only 0 is supported for initVal, got 1
func.func @f(%s: !llvm.ptr<3>, %l: i64) {
  nvvm.st.bulk %s, size = %l, init = 1 : !llvm.ptr<3>
  return
}
// -----
// nvvm-24: 'nvvm.st.bulk' op operand #0 must be LLVM pointer in address space 0 or LLVM pointer in address space 3, but got '!llvm.ptr<1>'
func.func @f(%g: !llvm.ptr<1>, %l: i64) {
  nvvm.st.bulk %g, size = %l : !llvm.ptr<1>
  return
}
// -----
// nvvm-25: 'nvvm.clusterlaunchcontrol.query.cancel' op is_canceled query type returns an i1
func.func @f(%q: i128) {
  %0 = nvvm.clusterlaunchcontrol.query.cancel query = is_canceled, %q : i32
  return
}
// -----
// nvvm-26: 'nvvm.clusterlaunchcontrol.query.cancel' op get_first_cta_id_x, get_first_cta_id_y, get_first_cta_id_z query types return an i32
func.func @f(%q: i128) {
  %0 = nvvm.clusterlaunchcontrol.query.cancel query = get_first_cta_id_x, %q : i1
  return
}
// -----
// nvvm-27: 'nvvm.pmevent' op `id` must be between 0 and 15
func.func @f() {
  nvvm.pmevent id = 16
  return
}
// -----
// nvvm-28: 'nvvm.pmevent' op `id` must be between 0 and 15
func.func @f() {
  nvvm.pmevent id = -1
  return
}
// -----
// nvvm-29: 'nvvm.pmevent' op either `id` or `mask` must be set
func.func @f() {
  nvvm.pmevent
  return
}
// -----
// nvvm-30: 'nvvm.pmevent' op `id` and `mask` cannot be set at the same time
func.func @f() {
  nvvm.pmevent id = 1 mask = 4
  return
}
// -----
// nvvm-31: 'nvvm.fence.sync_restrict' op only acquire and release semantics are supported
func.func @f() {
  nvvm.fence.sync_restrict {order = #nvvm.mem_order<relaxed>}
  return
}
// -----
// nvvm-32: 'nvvm.fence.proxy.sync_restrict' op only acquire and release semantics are supported
func.func @f() {
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<weak>}
  return
}
// -----
// nvvm-33: 'nvvm.fence.proxy.sync_restrict' op only generic is support for from_proxy attribute
func.func @f() {
  nvvm.fence.proxy.sync_restrict {fromProxy = #nvvm.proxy_kind<async>, order = #nvvm.mem_order<release>, toProxy = #nvvm.proxy_kind<async>}
  return
}
// -----
// nvvm-34: 'nvvm.fence.proxy.sync_restrict' op only async is supported for to_proxy attribute
func.func @f() {
  nvvm.fence.proxy.sync_restrict {order = #nvvm.mem_order<release>, toProxy = #nvvm.proxy_kind<tensormap>}
  return
}
// -----
// nvvm-35: 'nvvm.fence.proxy.acquire' op uni-directional proxies only support generic for from_proxy attribute
func.func @f(%p: !llvm.ptr, %r: i32) {
  nvvm.fence.proxy.acquire <cta> %p, %r from_proxy = <async>
  return
}
// -----
// nvvm-36: 'nvvm.fence.proxy.acquire' op uni-directional proxies only support tensormap for to_proxy attribute
func.func @f(%p: !llvm.ptr, %r: i32) {
  nvvm.fence.proxy.acquire <cta> %p, %r to_proxy = <async>
  return
}
// -----
// nvvm-37: 'nvvm.fence.proxy.release' op uni-directional proxies only support generic for from_proxy attribute
func.func @f() {
  nvvm.fence.proxy.release <cta> from_proxy = <async>
  return
}
// -----
// nvvm-38: 'nvvm.fence.proxy.release' op uni-directional proxies only support tensormap for to_proxy attribute
func.func @f() {
  nvvm.fence.proxy.release <cta> to_proxy = <async>
  return
}
// -----
// nvvm-39: 'nvvm.fence.proxy' op tensormap proxy is not a supported proxy kind
func.func @f() {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<tensormap>}
  return
}
// -----
// nvvm-40: 'nvvm.fence.proxy' op generic proxy not a supported proxy kind
func.func @f() {
  nvvm.fence.proxy {kind = #nvvm.proxy_kind<generic>}
  return
}
// -----
// nvvm-41: mode 'default' requires 'hi' operand.
func.func @f(%r: i32) {
  %0 = nvvm.prmt <default> %r, %r : i32
  return
}
// -----
// nvvm-42: mode 'rc8' does not accept 'hi' operand.
func.func @f(%r: i32) {
  %0 = nvvm.prmt <rc8> %r, %r, %r : i32
  return
}
// -----
// nvvm-43: mode 'ecl' does not accept 'hi' operand.
func.func @f(%r: i32) {
  %0 = nvvm.prmt <ecl> %r, %r, %r : i32
  return
}
// -----
// nvvm-44: A-shift can be applied only when matrix A is in tensor memory
func.func @f(%t: !llvm.ptr<6>, %l: i64, %r: i32, %i1: i1) {
  nvvm.tcgen05.mma %t, %l, %l, %r, %i1 {aShift, kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1)
  return
}
// -----
// nvvm-45: Cannot use collector buffer operation fill or use with ashift
func.func @f(%t: !llvm.ptr<6>, %l: i64, %r: i32, %i1: i1) {
  nvvm.tcgen05.mma %t, %t, %l, %r, %i1 {aShift, kind = #nvvm.tcgen05_mma_kind<f16>, collectorOp = #nvvm.tcgen05_mma_collectorop<fill>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, !llvm.ptr<6>, i64, i32, i1)
  return
}
// -----
// nvvm-46: Disable Output Lane of length 8 is incompatible with CtaGroupAttr
func.func @f(%t: !llvm.ptr<6>, %l: i64, %r: i32, %i1: i1, %k8: vector<8xi32>) {
  nvvm.tcgen05.mma %t, %l, %l, %r, %i1 mask = %k8 {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, i64, i64, i32, i1, vector<8xi32>)
  return
}
// -----
// nvvm-47: Disable Output Lane of length 4 is incompatible with CtaGroupAttr
func.func @f(%t: !llvm.ptr<6>, %l: i64, %r: i32, %i1: i1, %k4: vector<4xi32>) {
  nvvm.tcgen05.mma.sp %t, %l, %l, %r, %i1, %t mask = %k4 {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_2>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, vector<4xi32>)
  return
}
// -----
// nvvm-48: mxf4nvf4 requires block scale attribute
func.func @f(%t: !llvm.ptr<6>, %l: i64, %r: i32, %i1: i1) {
  nvvm.tcgen05.mma.block_scale %t, %l, %l, %r, %i1, %t, %t {kind = #nvvm.block_scale_kind<mxf4nvf4>, ctaGroup = #nvvm.cta_group<cta_2>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  return
}
// -----
// nvvm-49: mxf8f6f4 kind does not support block16 attribute
func.func @f(%t: !llvm.ptr<6>, %l: i64, %r: i32, %i1: i1) {
  nvvm.tcgen05.mma.block_scale %t, %l, %l, %r, %i1, %t, %t {kind = #nvvm.block_scale_kind<mxf8f6f4>, ctaGroup = #nvvm.cta_group<cta_2>, blockScale = #nvvm.tcgen05_mma_block_scale<block16>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>)
  return
}
// -----
// nvvm-50: mxf4 kind does not support block16 attribute
func.func @f(%t: !llvm.ptr<6>, %l: i64, %r: i32, %i1: i1) {
  nvvm.tcgen05.mma.sp.block_scale %t, %l, %l, %r, %i1, %t, %t, %t {kind = #nvvm.block_scale_kind<mxf4>, ctaGroup = #nvvm.cta_group<cta_2>, blockScale = #nvvm.tcgen05_mma_block_scale<block16>} : (!llvm.ptr<6>, i64, i64, i32, i1, !llvm.ptr<6>, !llvm.ptr<6>, !llvm.ptr<6>)
  return
}
// -----
// nvvm-51: 'nvvm.tcgen05.mma' op operand #1 must be LLVM pointer in address space 6 or 64-bit signless integer, but got '!llvm.ptr'
func.func @f(%t: !llvm.ptr<6>, %p: !llvm.ptr, %l: i64, %r: i32, %i1: i1) {
  nvvm.tcgen05.mma %t, %p, %l, %r, %i1 {kind = #nvvm.tcgen05_mma_kind<f16>, ctaGroup = #nvvm.cta_group<cta_1>} : (!llvm.ptr<6>, !llvm.ptr, i64, i32, i1)
  return
}
// -----
// nvvm-52: Shape 64x128b requires multicast warpx2_01_23 or warpx2_02_13 for tcgen05.cp Op
func.func @f(%t: !llvm.ptr<6>, %l: i64) {
  nvvm.tcgen05.cp %t, %l {shape = #nvvm.tcgen05_cp_shape<shape_64x128b>}
  return
}
// -----
// nvvm-53: Shape 32x128b requires multicast warpx4 for tcgen05.cp Op
func.func @f(%t: !llvm.ptr<6>, %l: i64) {
  nvvm.tcgen05.cp %t, %l {shape = #nvvm.tcgen05_cp_shape<shape_32x128b>}
  return
}
// -----
// nvvm-54: Invalid multicast type for tcgen05.cp Op
func.func @f(%t: !llvm.ptr<6>, %l: i64) {
  nvvm.tcgen05.cp %t, %l {shape = #nvvm.tcgen05_cp_shape<shape_4x256b>, multicast = #nvvm.tcgen05_cp_multicast<warpx4>}
  return
}
// -----
// nvvm-55: invalid result type length 2 for shape shape_16x256b in tcgen05.ld Op
func.func @f(%t: !llvm.ptr<6>) {
  %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<2xi32>
  return
}
// -----
// nvvm-56: invalid result type length 1 for shape shape_16x128b in tcgen05.ld Op
func.func @f(%t: !llvm.ptr<6>) {
  %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : i32
  return
}
// -----
// nvvm-57: 'nvvm.tcgen05.ld' op result #0 must be 32-bit signless integer or vector of 32-bit signless integer values of length 2/4/8/16/32/64/128, but got 'vector<3xi32>'
func.func @f(%t: !llvm.ptr<6>) {
  %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x64b>} : vector<3xi32>
  return
}
// -----
// nvvm-58: shape 16x32bx2 requires offset argument
func.func @f(%t: !llvm.ptr<6>) {
  %0 = nvvm.tcgen05.ld %t {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : i32
  return
}
// -----
// nvvm-59: offset argument is only supported for shape 16x32bx2
func.func @f(%t: !llvm.ptr<6>, %l: i64) {
  %0 = nvvm.tcgen05.ld %t, %l {shape = #nvvm.tcgen05_ldst_shape<shape_16x128b>} : vector<2xi32>
  return
}
// -----
// nvvm-60: invalid input length 2 for shape shape_16x256b in tcgen05.st Op
func.func @f(%t: !llvm.ptr<6>, %k2: vector<2xi32>) {
  nvvm.tcgen05.st %t, %k2 {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<2xi32>
  return
}
// -----
// nvvm-61: shape 16x32bx2 requires offset argument
func.func @f(%t: !llvm.ptr<6>, %k2: vector<2xi32>) {
  nvvm.tcgen05.st %t, %k2 {shape = #nvvm.tcgen05_ldst_shape<shape_16x32bx2>} : vector<2xi32>
  return
}
// -----
// nvvm-62: invalid input length 2 for shape shape_16x256b in tcgen05.st Op
func.func @f(%t: !llvm.ptr<6>, %k2: vector<2xi32>, %l: i64) {
  nvvm.tcgen05.st %t, %k2, %l {shape = #nvvm.tcgen05_ldst_shape<shape_16x256b>} : vector<2xi32>
  return
}
// -----
// nvvm-63: 'nvvm.tcgen05.dealloc' op operand #0 must be LLVM pointer in address space 6, but got '!llvm.ptr'
func.func @f(%p: !llvm.ptr, %r: i32) {
  nvvm.tcgen05.dealloc %p, %r : !llvm.ptr, i32
  return
}
// -----
// nvvm-64: 'nvvm.tcgen05.shift' op operand #0 must be LLVM pointer in address space 6, but got '!llvm.ptr'
func.func @f(%p: !llvm.ptr) {
  nvvm.tcgen05.shift %p : !llvm.ptr
  return
}
// -----
// product-1: 'nvvm.mma.sync' op ctype does not match dtype
func.func @f(%h: vector<2xf16>, %a: f32) {
  %0 = nvvm.mma.sync A[%h, %h, %h, %h] B[%h, %h] C[%a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-2: 'nvvm.mma.sync' op ctype does not match dtype
func.func @f(%h: vector<2xf16>, %a: f32) {
  %0 = nvvm.mma.sync A[%h, %h, %h, %h] B[%h, %h] C[%a, %a, %a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-3: 'nvvm.mma.sync' op Could not match allowed types for the result; expected one of !llvm.struct<(i32, i32, i32, i32)> but got !llvm.struct<(i32, i32, i32)>
func.func @f(%r: i32) {
  %0 = nvvm.mma.sync A[%r, %r] B[%r] C[%r, %r, %r, %r] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, shape = #nvvm.shape<m = 16, n = 8, k = 128>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32)>
  return
}
// -----
// product-4: 'nvvm.mma.sync' op op requires b1Op attribute
func.func @f(%r: i32) {
  %0 = nvvm.mma.sync A[%r, %r] B[%r] C[%r, %r, %r, %r] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, shape = #nvvm.shape<m = 16, n = 8, k = 128>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  return
}
// -----
// product-5: 'nvvm.mma.sync' op Could not match types for the C operands; expected one of 4xvector<2xf16> 8xf32 but got f32, f32, f32, f32
func.func @f(%h: vector<2xf16>, %a: f32) {
  %0 = nvvm.mma.sync A[%h, %h] B[%h, %h] C[%a, %a, %a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-6: 'nvvm.mma.sync' op op requires intOverflowBehavior attribute
func.func @f(%r: i32) {
  %0 = nvvm.mma.sync A[%r] B[%r] C[%r, %r] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<s8>,shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  return
}
// -----
// product-7: 'nvvm.mma.sync' op unimplemented variant for MMA shape <8, 8, 16>
func.func @f(%r: i32) {
  %0 = nvvm.mma.sync A[%r] B[%r] C[%r, %r] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  return
}
// -----
// product-8: 'nvvm.mma.sync' op unimplemented variant for MMA shape <16, 8, 64>
func.func @f(%r: i32) {
  %0 = nvvm.mma.sync A[%r,%r] B[%r] C[%r, %r,%r,%r] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<u8>, multiplicandBPtxType = #nvvm.mma_type<u8>,shape = #nvvm.shape<m = 16, n = 8, k = 64>} : (i32, i32, i32) -> !llvm.struct<(i32, i32,i32,i32)>
  return
}
// -----
// product-9: 'nvvm.mma.sp.sync' op Could not match types for the A operands; expected one of 2xvector<2xf16> but got vector<2xf16>, vector<2xf16>, vector<2xf16>
func.func @f(%h: vector<2xf16>, %r: i32) {
  %0 = nvvm.mma.sp.sync A[%h, %h, %h] B[%h, %h] C[%h, %h] sparseMetadata[%r] selector[%r] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-10: 'nvvm.mma.sp.sync' op unimplemented variant for MMA shape <16, 8, 8>
func.func @f(%h: vector<2xf16>, %r: i32) {
  %0 = nvvm.mma.sp.sync A[%h, %h] B[%h, %h] C[%h, %h] sparseMetadata[%r] selector[%r] {shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-11: 'nvvm.mma.sp.sync' op unimplemented variant for MMA shape <8, 8, 16>
func.func @f(%h: vector<2xf16>, %r: i32) {
  %0 = nvvm.mma.sp.sync A[%h, %h] B[%h, %h] C[%h, %h] sparseMetadata[%r] selector[%r] {shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-12: 'nvvm.mma.sp.sync' op ctype does not match dtype
func.func @f(%h: vector<2xf16>, %r: i32) {
  %0 = nvvm.mma.sp.sync A[%h, %h] B[%h, %h] C[%h, %h] sparseMetadata[%r] selector[%r] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}
// -----
// product-13: 'nvvm.mma.sp.sync' op op requires intOverflowBehavior attribute
func.func @f(%r: i32) {
  %0 = nvvm.mma.sp.sync A[%r, %r] B[%r, %r] C[%r, %r, %r, %r] sparseMetadata[%r] selector[%r] {multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  return
}
// -----
// product-14: 'nvvm.mma.sp.sync' op unimplemented variant for MMA shape <16, 8, 128>
func.func @f(%r: i32) {
  %0 = nvvm.mma.sp.sync A[%r, %r] B[%r, %r] C[%r, %r, %r, %r] sparseMetadata[%r] selector[%r] {multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<u8>, shape = #nvvm.shape<m = 16, n = 8, k = 128>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  return
}
// -----
// product-15: invalid shape or multiplicand type: f64
func.func @f(%f64: f64, %r: i32) {
  %0 = nvvm.mma.sp.sync A[%f64, %f64] B[%f64, %f64] C[%f64, %f64] sparseMetadata[%r] selector[%r] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
  return
}
// -----
// product-16: 'nvvm.wmma.load' op expected destination type is a structure of 8 elements of type 'vector<2xf16>'
func.func @f(%s: !llvm.ptr<3>, %r: i32) {
  %0 = nvvm.wmma.load %s, %r {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-17: 'nvvm.wmma.load' op invalid attribute combination
func.func @f(%s: !llvm.ptr<3>, %r: i32) {
  %0 = nvvm.wmma.load %s, %r {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 8 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-18: 'nvvm.wmma.load' op expected source pointer in memory space 0, 1, 3
func.func @f(%t: !llvm.ptr<6>, %r: i32) {
  %0 = nvvm.wmma.load %t, %r {eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<a>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (!llvm.ptr<6>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-19: 'nvvm.wmma.store' op expected 4 data operands
func.func @f(%s: !llvm.ptr<3>, %r: i32, %h: vector<2xf16>) {
  nvvm.wmma.store %s, %r, %h, %h {eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr<3>, vector<2xf16>, vector<2xf16>
  return
}
// -----
// product-20: 'nvvm.wmma.store' op expected data operands of type 'vector<2xf16>'
func.func @f(%s: !llvm.ptr<3>, %r: i32, %h: vector<2xf16>) {
  nvvm.wmma.store %s, %r, %r, %h, %h, %h {eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr<3>, i32, vector<2xf16>, vector<2xf16>, vector<2xf16>
  return
}
// -----
// product-21: 'nvvm.wmma.store' op invalid attribute combination
func.func @f(%s: !llvm.ptr<3>, %r: i32, %h: vector<2xf16>) {
  nvvm.wmma.store %s, %r, %h, %h, %h, %h {eltype = #nvvm.mma_type<f16>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr<3>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>
  return
}
// -----
// product-22: 'nvvm.wmma.mma' op expected 16 arguments
func.func @f(%r: i32, %a: f32) {
  %2 = nvvm.wmma.mma %r, %r, %r, %r, %r, %r, %r, %r, %a, %a, %a, %a, %a, %a, %a {eltypeA = #nvvm.mma_type<tf32>, eltypeB = #nvvm.mma_type<f32>, k = 8 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  return
}
// -----
// product-23: 'nvvm.wmma.mma' op expected argument 7 to be of type 'i32'
func.func @f(%r: i32, %a: f32) {
  %2 = nvvm.wmma.mma %r, %r, %r, %r, %r, %r, %r, %a, %a, %a, %a, %a, %a, %a, %a, %a {eltypeA = #nvvm.mma_type<tf32>, eltypeB = #nvvm.mma_type<f32>, k = 8 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  return
}
// -----
// product-24: 'nvvm.wmma.mma' op expected argument 15 to be of type 'f32'
func.func @f(%r: i32, %a: f32) {
  %2 = nvvm.wmma.mma %r, %r, %r, %r, %r, %r, %r, %r, %a, %a, %a, %a, %a, %a, %a, %r {eltypeA = #nvvm.mma_type<tf32>, eltypeB = #nvvm.mma_type<f32>, k = 8 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, f32, f32, i32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  return
}
// -----
// product-25: 'nvvm.wmma.mma' op expected destination type is a structure of 8 elements of type 'f32'
func.func @f(%r: i32, %a: f32) {
  %2 = nvvm.wmma.mma %r, %r, %r, %r, %r, %r, %r, %r, %a, %a, %a, %a, %a, %a, %a, %a {eltypeA = #nvvm.mma_type<tf32>, eltypeB = #nvvm.mma_type<f32>, k = 8 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32)>
  return
}
// -----
// product-26: 'nvvm.wmma.mma' op invalid attribute combination
func.func @f(%r: i32, %a: f32) {
  %2 = nvvm.wmma.mma %r, %r, %r, %r, %r, %r, %r, %r, %a, %a, %a, %a, %a, %a, %a, %a {eltypeA = #nvvm.mma_type<tf32>, eltypeB = #nvvm.mma_type<f32>, k = 4 : i32, layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : (i32, i32, i32, i32, i32, i32, i32, i32, f32, f32, f32, f32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32)>
  return
}
// -----
// product-27: 'nvvm.mma.sync' op Could not match types for the A operands; expected one of 4xvector<2xf16> but got vector<2xf16>, vector<2xf16>
func.func @f(%h: vector<2xf16>) {
  %0 = nvvm.mma.sync A[%h, %h] B[%h] C[%h, %h] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-28: 'nvvm.mma.sync' op unimplemented variant for MMA shape <16, 8, 7>
func.func @f(%h: vector<2xf16>) {
  %0 = nvvm.mma.sync A[%h, %h] B[%h] C[%h, %h] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 7>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-29: 'nvvm.mma.sync' op requires layoutA = #nvvm.mma_layout<row> and layoutB = #nvvm.mma_layout<col> for shape <16, 8, 8> with element types f16 and f16. Only m8n8k4 with f16 supports other layouts.
func.func @f(%h: vector<2xf16>) {
  %0 = nvvm.mma.sync A[%h, %h] B[%h] C[%h, %h] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-30: 'nvvm.mma.sync' op Could not match allowed types for the result; expected one of !llvm.struct<(vector<2xf16>, vector<2xf16>)>, !llvm.struct<(f32, f32, f32, f32)> but got !llvm.struct<(vector<2xf16>, f32)>
func.func @f(%h: vector<2xf16>) {
  %0 = nvvm.mma.sync A[%h, %h] B[%h] C[%h, %h] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, f32)>
  return
}
// -----
// product-31: 'nvvm.mma.sync' op ctype does not match dtype
func.func @f(%h: vector<2xf16>) {
  %0 = nvvm.mma.sync A[%h, %h] B[%h] C[%h, %h] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}
// -----
// product-32: invalid shape or multiplicand type: s32
func.func @f(%r: i32) {
  %0 = nvvm.mma.sync A[%r, %r] B[%r] C[%r, %r, %r, %r] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  return
}
// -----
// product-33: 'nvvm.mma.sync' op op requires intOverflowBehavior attribute
func.func @f(%r: i32) {
  %0 = nvvm.mma.sync A[%r, %r] B[%r] C[%r, %r, %r, %r] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, multiplicandBPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  return
}
// -----
// product-34: 'nvvm.mma.sync' op op requires b1Op attribute
func.func @f(%r: i32) {
  %0 = nvvm.mma.sync A[%r, %r] B[%r] C[%r, %r, %r, %r] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<b1>, multiplicandBPtxType = #nvvm.mma_type<b1>, shape = #nvvm.shape<m = 16, n = 8, k = 128>} : (i32, i32, i32) -> !llvm.struct<(i32, i32, i32, i32)>
  return
}
// -----
// product-35: 'nvvm.mma.sync' op Could not match types for the A operands; expected one of 4xi32 but got i32, i32
func.func @f(%r: i32, %a: f32) {
  %0 = nvvm.mma.sync A[%r, %r] B[%r] C[%a, %a, %a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<tf32>, multiplicandBPtxType = #nvvm.mma_type<tf32>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}
// -----
// product-36: 'nvvm.mma.sync' op unimplemented variant for MMA shape <8, 8, 8>
func.func @f(%f64: f64) {
  %0 = nvvm.mma.sync A[%f64] B[%f64] C[%f64, %f64] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 8>} : (f64, f64, f64) -> !llvm.struct<(f64, f64)>
  return
}
// -----
// product-37: 'nvvm.mma.sync' op Could not match allowed types for the result; expected one of !llvm.struct<(f64, f64)> but got !llvm.struct<(f64, f64, f64)>
func.func @f(%f64: f64) {
  %0 = nvvm.mma.sync A[%f64] B[%f64] C[%f64, %f64] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, f64, f64) -> !llvm.struct<(f64, f64, f64)>
  return
}
// -----
// product-38: 'nvvm.mma.sync' op ctype does not match dtype
func.func @f(%h: vector<2xf16>, %a: f32) {
  %0 = nvvm.mma.sync A[%h, %h, %h, %h] B[%h, %h] C[%a, %a, %a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (vector<2xf16>, vector<2xf16>, f32) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
  return
}
// -----
// product-39: 'nvvm.mma.sync' op Could not match types for the B operands; expected one of 1xf64 but got vector<2xf16>
func.func @f(%f64: f64, %h: vector<2xf16>) {
  %0 = nvvm.mma.sync A[%f64] B[%h] C[%f64, %f64] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 4>} : (f64, vector<2xf16>, f64) -> !llvm.struct<(f64, f64)>
  return
}
// -----
// product-40: 'nvvm.mma.sync' op result #0 must be LLVM structure type, but got 'f32'
func.func @f(%r: i32, %a: f32) {
  %0 = nvvm.mma.sync A[%r, %r] B[%r] C[%a, %a, %a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (i32, i32, f32) -> f32
  return
}
// -----
// product-41: 'nvvm.mma.sync' op unimplemented variant for MMA shape <8, 8, 8>
func.func @f(%r: i32, %a: f32) {
  %0 = nvvm.mma.sync A[%r, %r] B[%r] C[%a, %a, %a, %a] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<bf16>, multiplicandBPtxType = #nvvm.mma_type<bf16>, shape = #nvvm.shape<m = 8, n = 8, k = 8>} : (i32, i32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  return
}
// -----
// product-42: 'nvvm.wmma.store' op expected operands to be a source pointer in memory space 0, 1, 3
func.func @f(%t: !llvm.ptr<6>, %r: i32, %h: vector<2xf16>) {
  nvvm.wmma.store %t, %r, %h, %h, %h, %h {eltype = #nvvm.mma_type<f16>, k = 16 : i32, layout = #nvvm.mma_layout<row>, m = 16 : i32, n = 16 : i32} : !llvm.ptr<6>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>
  return
}
// -----
// product-43: 'nvvm.wmma.load' op expected destination type to be f64
func.func @f(%s: !llvm.ptr<3>, %r: i32) {
  %0 = nvvm.wmma.load %s, %r {eltype = #nvvm.mma_type<f64>, frag = #nvvm.mma_frag<a>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : (!llvm.ptr<3>) -> !llvm.struct<(f64)>
  return
}
// -----
// product-44: 'nvvm.wmma.load' op expected destination type is a structure of 2 elements of type 'f64'
func.func @f(%s: !llvm.ptr<3>, %r: i32) {
  %0 = nvvm.wmma.load %s, %r {eltype = #nvvm.mma_type<f64>, frag = #nvvm.mma_frag<c>, k = 4 : i32, layout = #nvvm.mma_layout<row>, m = 8 : i32, n = 8 : i32} : (!llvm.ptr<3>) -> f64
  return
}
// -----
// product-45: 'nvvm.stmatrix' op expected shape to be 8x8 or 16x8
func.func @f(%s: !llvm.ptr<3>, %r: i32) {
  nvvm.stmatrix %s, %r {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 16>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32
  return
}
// -----
// product-46: 'nvvm.stmatrix' op expected num attribute to be 1, 2 or 4
func.func @f(%s: !llvm.ptr<3>, %r: i32) {
  nvvm.stmatrix %s, %r, %r, %r {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32, i32
  return
}
// -----
// product-47: 'nvvm.stmatrix' op expected element type to be B16 for 8x8 matrix
func.func @f(%s: !llvm.ptr<3>, %r: i32) {
  nvvm.stmatrix %s, %r {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : !llvm.ptr<3>, i32
  return
}
// -----
// product-48: 'nvvm.stmatrix' op expected layout to be col for 16x8 matrix
func.func @f(%s: !llvm.ptr<3>, %r: i32) {
  nvvm.stmatrix %s, %r {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b8>} : !llvm.ptr<3>, i32
  return
}
// -----
// product-49: 'nvvm.stmatrix' op expected element type to be B8 for 16x8 matrix
func.func @f(%s: !llvm.ptr<3>, %r: i32) {
  nvvm.stmatrix %s, %r {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 16, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32
  return
}
// -----
// product-50: 'nvvm.stmatrix' op operand #0 must be LLVM pointer in address space 3, but got '!llvm.ptr'
func.func @f(%p: !llvm.ptr, %r: i32) {
  nvvm.stmatrix %p, %r {layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr, i32
  return
}
// -----
// gpu-1: expected source memref most minor dim must have unit stride
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  %0 = gpu.subgroup_mma_load_matrix %st[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, strided<[64, 2]>> -> !gpu.mma_matrix<16x16xf16, "AOp">
  return
}
// -----
// gpu-2: operand expected to be one of AOp, BOp or COp
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  %0 = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "DOp">
  return
}
// -----
// gpu-3: expected the operand matrix being stored to have 'COp' operand type
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  gpu.subgroup_mma_store_matrix %ma, %m[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "AOp">, memref<32x32xf16, 3>
  return
}
// -----
// gpu-4: expected destination memref most minor dim must have unit stride
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  gpu.subgroup_mma_store_matrix %mc, %st[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<32x32xf16, strided<[64, 2]>>
  return
}
// -----
// gpu-5: operands must be in the order AOp, BOp, COp
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  %0 = gpu.subgroup_mma_compute %mb, %ma, %mc : !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x16xf16, "AOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}
// -----
// gpu-6: operand shapes do not satisfy matmul constraints
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  %0 = gpu.subgroup_mma_compute %mk, %mb, %mc : !gpu.mma_matrix<16x8xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}
// -----
// gpu-7: MMAMatrixType must have exactly two dimensions
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  %0 = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16xf16, "AOp">
  return
}
// -----
// gpu-8: MMAMatrixType elements must be SI8, UI8, I32, F16, F32, or F64
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  %0 = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xbf16, "AOp">
  return
}
// -----
// gpu-9: use of value '%v' expects different type than prior uses: 'f32' vs 'f16'
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  %0 = gpu.subgroup_mma_constant_matrix %v : !gpu.mma_matrix<16x16xf32, "COp">
  return
}
// -----
// gpu-10: 'gpu.subgroup_mma_extract_thread_local' op failed to verify that value type matches element type of mma_matrix
func.func @f(%m: memref<32x32xf16, 3>, %o: memref<32x32xf32>, %i: index, %v: f16, %f: f32, %ma: !gpu.mma_matrix<16x16xf16, "AOp">, %mb: !gpu.mma_matrix<16x16xf16, "BOp">, %mc: !gpu.mma_matrix<16x16xf32, "COp">, %mi: !gpu.mma_matrix<16x16xi32, "COp">, %st: memref<32x32xf16, strided<[64, 2]>>, %mk: !gpu.mma_matrix<16x8xf16, "AOp">) {
  %0 = gpu.subgroup_mma_extract_thread_local %mc[%i] : !gpu.mma_matrix<16x16xf32, "COp"> -> f16
  return
}
// -----
// no-types: dialect 'arith' provides no type parsing hook
func.func @f(%a: !arith.x) {
  return
}
// -----
// empty-body: empty block: expect at least a terminator
func.func @f(%a: i32) {
  %0 = "gpu.all_reduce"(%a) ({
  ^bb0(%x: i32, %y: i32):
  }) : (i32) -> i32
  return
}
// -----
// no-types-of-linalg: dialect 'linalg' provides no type parsing hook
func.func @f(%a: !linalg.x) {
  return
}
// -----
// no-such-type-of-transform: unknown type mnemonic: x
func.func @f(%a: !transform.x) {
  return
}
// -----
// no-such-type-of-shape: unknown  type `x` in dialect `shape`
func.func @f(%a: !shape.x) {
  return
}
