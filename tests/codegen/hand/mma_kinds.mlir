// block 32: i32[32,4] i32[32,2] 0i32[32,4] f32[32,4] 0f32[32,4] f64[32] 0f64[32,2]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<32x4xi32>, %b: memref<32x2xi32>, %o: memref<32x4xi32>, %f: memref<32x4xf32>, %p: memref<32x4xf32>, %d: memref<32xf64>, %q: memref<32x2xf64>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %x = vector.load %a[%t, %c0] : memref<32x4xi32>, vector<4xi32>
  %y = vector.load %b[%t, %c0] : memref<32x2xi32>, vector<2xi32>
  %x8 = vector.bitcast %x : vector<4xi32> to vector<16xi8>
  %A = vector.shape_cast %x8 : vector<16xi8> to vector<4x4xi8>
  %y8 = vector.bitcast %y : vector<2xi32> to vector<8xi8>
  %B = vector.shape_cast %y8 : vector<8xi8> to vector<2x4xi8>
  %C = arith.constant dense<3> : vector<2x2xi32>
  %D = nvgpu.mma.sync(%A, %B, %C) {mmaShape = [16, 8, 32]} : (vector<4x4xi8>, vector<2x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  %E = vector.shape_cast %D : vector<2x2xi32> to vector<4xi32>
  vector.store %E, %o[%t, %c0] : memref<32x4xi32>, vector<4xi32>
  %u = vector.load %f[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  %U = vector.shape_cast %u : vector<4xf32> to vector<4x1xf32>
  %v = vector.extract_strided_slice %u {offsets = [1], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  %V = vector.shape_cast %v : vector<2xf32> to vector<2x1xf32>
  %W = arith.constant dense<1.0> : vector<2x2xf32>
  %T = nvgpu.mma.sync(%U, %V, %W) {mmaShape = [16, 8, 8], tf32Enabled} : (vector<4x1xf32>, vector<2x1xf32>, vector<2x2xf32>) -> vector<2x2xf32>
  %S = vector.shape_cast %T : vector<2x2xf32> to vector<4xf32>
  vector.store %S, %p[%t, %c0] : memref<32x4xf32>, vector<4xf32>
  %g = memref.load %d[%t] : memref<32xf64>
  %G = vector.broadcast %g : f64 to vector<1x1xf64>
  %H = arith.constant dense<0.5> : vector<1x2xf64>
  %I = nvgpu.mma.sync(%G, %G, %H) {mmaShape = [8, 8, 4]} : (vector<1x1xf64>, vector<1x1xf64>, vector<1x2xf64>) -> vector<1x2xf64>
  %J = vector.shape_cast %I : vector<1x2xf64> to vector<2xf64>
  vector.store %J, %q[%t, %c0] : memref<32x2xf64>, vector<2xf64>
  gpu.return
}
}
}
