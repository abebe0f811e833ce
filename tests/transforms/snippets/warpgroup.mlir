!descA = !nvgpu.tensormap.descriptor<tensor = memref<128x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!descB = !nvgpu.tensormap.descriptor<tensor = memref<64x64xf16, 3>, swizzle = swizzle_128b, l2promo = none, oob = zero, interleave = none>
!tileA = !nvgpu.warpgroup.descriptor<tensor = memref<128x64xf16, 3>>
!tileB = !nvgpu.warpgroup.descriptor<tensor = memref<64x128xf16, 3>>
!acc = !nvgpu.warpgroup.accumulator<fragmented = vector<128x128xf32>>
func.func @k(%ta: !descA, %tb: !descB, %a: memref<128x64xf16, 3>, %b: memref<64x128xf16, 3>, %o: memref<128x128xf32, 3>) {
  %da = nvgpu.warpgroup.generate.descriptor %a, %ta : memref<128x64xf16, 3>, !descA -> !tileA
  %db = nvgpu.warpgroup.generate.descriptor %b, %tb : memref<64x128xf16, 3>, !descB -> !tileB
  %zero = nvgpu.warpgroup.mma.init.accumulator -> !acc
  %first = nvgpu.warpgroup.mma %da, %db, %zero {transposeB} : !tileA, !tileB, !acc -> !acc
  %second = nvgpu.warpgroup.mma %da, %db, %first {waitGroup = 0 : i64} : !tileA, !tileB, !acc -> !acc
  nvgpu.warpgroup.mma.store %second, %o : !acc to memref<128x128xf32, 3>
  return
}
