// block 32: i32[32,4] i32[32,4] 0i32[32,4] 0f16[32,4] i32[32]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<32x4xi32>, %b: memref<32x4xi32>, %o: memref<32x4xi32>, %q: memref<32x4xf16>, %m: memref<32xi32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %mi = arith.constant 1145324612 : i32
  %meta = llvm.bitcast %mi : i32 to vector<2xi16>
  %x = vector.load %a[%t, %c0] : memref<32x4xi32>, vector<4xi32>
  %y = vector.load %b[%t, %c0] : memref<32x4xi32>, vector<4xi32>
  %x8 = vector.bitcast %x : vector<4xi32> to vector<16xi8>
  %A = vector.shape_cast %x8 : vector<16xi8> to vector<4x4xi8>
  %y8 = vector.bitcast %y : vector<4xi32> to vector<16xi8>
  %B = vector.shape_cast %y8 : vector<16xi8> to vector<4x4xi8>
  %C = arith.constant dense<-3> : vector<2x2xi32>
  %D = nvgpu.mma.sp.sync(%A, %B, %C) metadata(%meta) {mmaShape = [16, 8, 64]} : (vector<4x4xi8>, vector<4x4xi8>, vector<2x2xi32>) -> vector<2x2xi32>
  %E = vector.shape_cast %D : vector<2x2xi32> to vector<4xi32>
  vector.store %E, %o[%t, %c0] : memref<32x4xi32>, vector<4xi32>
  %k = arith.constant dense<0x3C003C00> : vector<4xi32>
  %kf = vector.bitcast %k : vector<4xi32> to vector<8xf16>
  %K = vector.shape_cast %kf : vector<8xf16> to vector<4x2xf16>
  %Z = arith.constant dense<1.0> : vector<2x2xf16>
  %F = nvgpu.mma.sp.sync(%K, %K, %Z) metadata(%meta) {mmaShape = [16, 8, 32]} : (vector<4x2xf16>, vector<4x2xf16>, vector<2x2xf16>) -> vector<2x2xf16>
  %L = vector.shape_cast %F : vector<2x2xf16> to vector<4xf16>
  vector.store %L, %q[%t, %c0] : memref<32x4xf16>, vector<4xf16>
  gpu.return
}
}
}
