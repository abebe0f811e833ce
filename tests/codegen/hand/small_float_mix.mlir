// block 32: bf16[32] f16[32] f32[32] 0bf16[32,3] 0f32[32,3]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<32xbf16>, %h: memref<32xf16>, %f: memref<32xf32>, %o: memref<32x3xbf16>, %p: memref<32x3xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = memref.load %a[%t] : memref<32xbf16>
  %y = memref.load %h[%t] : memref<32xf16>
  %z = memref.load %f[%t] : memref<32xf32>
  %s = arith.addf %x, %x : bf16
  %m = arith.mulf %s, %x : bf16
  %zb = arith.truncf %z : f32 to bf16
  %d = arith.divf %m, %zb : bf16
  %n = arith.negf %d : bf16
  %mx = arith.maximumf %n, %zb : bf16
  %i = arith.fptosi %x : bf16 to i32
  %ib = arith.sitofp %i : i32 to bf16
  memref.store %mx, %o[%t, %c0] : memref<32x3xbf16>
  memref.store %ib, %o[%t, %c1] : memref<32x3xbf16>
  %abs = math.absf %n : bf16
  memref.store %abs, %o[%t, %c2] : memref<32x3xbf16>
  %ye = arith.extf %y : f16 to f32
  %yd = arith.extf %y : f16 to f64
  %t16 = arith.truncf %yd : f64 to f16
  %q = arith.mulf %t16, %y : f16
  %qe = arith.extf %q : f16 to f32
  %c = arith.cmpf ole, %x, %zb : bf16
  %sel = arith.select %c, %ye, %z : f32
  memref.store %ye, %p[%t, %c0] : memref<32x3xf32>
  memref.store %qe, %p[%t, %c1] : memref<32x3xf32>
  memref.store %sel, %p[%t, %c2] : memref<32x3xf32>
  gpu.return
}
}
}
