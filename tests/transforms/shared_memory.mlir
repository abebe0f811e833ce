func.func @opt(%g: memref<128x128xf16>, %i: index, %j: index, %k: index) -> (vector<4x2xf16>, f16, vector<8xf16>) {
  %s = memref.alloc() : memref<128x32xf16, 3>
  %t = memref.alloc() : memref<128x32xf16, #gpu.address_space<workgroup>>
  %0 = nvgpu.device_async_copy %g[%i, %j], %s[%k, %j], 8 : memref<128x128xf16> to memref<128x32xf16, 3>
  %1 = nvgpu.ldmatrix %s[%i, %k] {numTiles = 4 : i32, transpose = false} : memref<128x32xf16, 3> -> vector<4x2xf16>
  %2 = memref.load %s[%i, %j] : memref<128x32xf16, 3>
  memref.store %2, %t[%i, %j] : memref<128x32xf16, #gpu.address_space<workgroup>>
  %3 = vector.load %t[%i, %j] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<8xf16>
  vector.store %3, %t[%k, %j] : memref<128x32xf16, #gpu.address_space<workgroup>>, vector<8xf16>
  return %1, %2, %3 : vector<4x2xf16>, f16, vector<8xf16>
}
// -----
func.func @small(%g: memref<128x128xf16>, %i: index, %j: index, %k: index) -> f16 {
  %s = memref.alloc() : memref<128x8xf16, 3>
  %2 = memref.load %s[%i, %j] : memref<128x8xf16, 3>
  memref.store %2, %s[%i, %j] : memref<128x8xf16, 3>
  return %2 : f16
}
// -----
func.func @f_128_8_f32(%i: index, %j: index, %k: index) -> f32 {
  %s = memref.alloc() : memref<128x8xf32, 3>
  %2 = memref.load %s[%i, %j] : memref<128x8xf32, 3>
  memref.store %2, %s[%i, %j] : memref<128x8xf32, 3>
  return %2 : f32
}
// -----
func.func @f_128_16_f32(%i: index, %j: index, %k: index) -> f32 {
  %s = memref.alloc() : memref<128x16xf32, 3>
  %2 = memref.load %s[%i, %j] : memref<128x16xf32, 3>
  memref.store %2, %s[%i, %j] : memref<128x16xf32, 3>
  return %2 : f32
}
// -----
func.func @f_64_64_f16(%i: index, %j: index, %k: index) -> f16 {
  %s = memref.alloc() : memref<64x64xf16, 3>
  %2 = memref.load %s[%i, %j] : memref<64x64xf16, 3>
  memref.store %2, %s[%i, %j] : memref<64x64xf16, 3>
  return %2 : f16
}
// -----
func.func @f_4_32_128_f16(%i: index, %j: index, %k: index) -> f16 {
  %s = memref.alloc() : memref<4x32x128xf16, 3>
  %2 = memref.load %s[%i, %j, %k] : memref<4x32x128xf16, 3>
  memref.store %2, %s[%i, %j, %k] : memref<4x32x128xf16, 3>
  return %2 : f16
}
// -----
func.func @f_32_32_f64(%i: index, %j: index, %k: index) -> f64 {
  %s = memref.alloc() : memref<32x32xf64, 3>
  %2 = memref.load %s[%i, %j] : memref<32x32xf64, 3>
  memref.store %2, %s[%i, %j] : memref<32x32xf64, 3>
  return %2 : f64
}
// -----
func.func @f_128_4_f16(%i: index, %j: index, %k: index) -> f16 {
  %s = memref.alloc() : memref<128x4xf16, 3>
  %2 = memref.load %s[%i, %j] : memref<128x4xf16, 3>
  memref.store %2, %s[%i, %j] : memref<128x4xf16, 3>
  return %2 : f16
}
// -----
func.func @f_128_16_f16(%i: index, %j: index, %k: index) -> f16 {
  %s = memref.alloc() : memref<128x16xf16, 3>
  %2 = memref.load %s[%i, %j] : memref<128x16xf16, 3>
  memref.store %2, %s[%i, %j] : memref<128x16xf16, 3>
  return %2 : f16
}
// -----
func.func @f_16_f32(%i: index, %j: index, %k: index) -> f32 {
  %s = memref.alloc() : memref<16xf32, 3>
  %2 = memref.load %s[%i] : memref<16xf32, 3>
  memref.store %2, %s[%i] : memref<16xf32, 3>
  return %2 : f32
}
// -----
func.func @f_128_32_i8(%i: index, %j: index, %k: index) -> i8 {
  %s = memref.alloc() : memref<128x32xi8, 3>
  %2 = memref.load %s[%i, %j] : memref<128x32xi8, 3>
  memref.store %2, %s[%i, %j] : memref<128x32xi8, 3>
  return %2 : i8
}
// -----
func.func @f_128_256_f32(%i: index, %j: index, %k: index) -> f32 {
  %s = memref.alloc() : memref<128x256xf32, 3>
  %2 = memref.load %s[%i, %j] : memref<128x256xf32, 3>
  memref.store %2, %s[%i, %j] : memref<128x256xf32, 3>
  return %2 : f32
}
// -----
func.func @consts(%n: index, %i: index) -> f32 {
  %s = memref.alloc() : memref<64x64xf32, 3>
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %2 = memref.load %s[%c0, %i] : memref<64x64xf32, 3>
  memref.store %2, %s[%c5, %i] : memref<64x64xf32, 3>
  memref.store %2, %s[%c5, %c5] : memref<64x64xf32, 3>
  memref.store %2, %s[%i, %c5] : memref<64x64xf32, 3>
  memref.store %2, %s[%i, %c0] : memref<64x64xf32, 3>
  return %2 : f32
}
// -----
func.func @view(%n: index, %i: index) -> f32 {
  %s = memref.alloc() : memref<64x64xf32, 3>
  %v = memref.subview %s[0, 0] [32, 32] [1, 1] : memref<64x64xf32, 3> to memref<32x32xf32, strided<[64, 1]>, 3>
  %2 = memref.load %s[%i, %i] : memref<64x64xf32, 3>
  memref.store %2, %s[%i, %i] : memref<64x64xf32, 3>
  return %2 : f32
}
// -----
func.func @transfer(%n: index, %i: index, %f: f32) -> (f32, vector<4xf32>) {
  %s = memref.alloc() : memref<64x64xf32, 3>
  %v = vector.transfer_read %s[%i, %n], %f {in_bounds = [true]} : memref<64x64xf32, 3>, vector<4xf32>
  %2 = memref.load %s[%i, %i] : memref<64x64xf32, 3>
  memref.store %2, %s[%i, %i] : memref<64x64xf32, 3>
  vector.transfer_write %v, %s[%i, %n] {in_bounds = [true]} : vector<4xf32>, memref<64x64xf32, 3>
  return %2, %v : f32, vector<4xf32>
}
// -----
func.func @readonly(%n: index, %i: index, %f: f32) -> f32 {
  %s = memref.alloc() : memref<64x64xf32, 3>
  %2 = memref.load %s[%i, %i] : memref<64x64xf32, 3>
  return %2 : f32
}
// -----
func.func @nested(%n: index, %i: index, %f: f32) {
  %c1 = arith.constant 1 : index
  scf.for %k = %i to %n step %c1 {
  %s = memref.alloc() : memref<64x64xf32, 3>
  scf.for %j = %i to %n step %c1 {
  %2 = memref.load %s[%j, %i] : memref<64x64xf32, 3>
  memref.store %2, %s[%i, %j] : memref<64x64xf32, 3>
  }
  }
   return
}
