// block 64, first -convert-complex-to-standard: c64[64] c64[64] 0c64[64,8] 0f32[64,2] 0i32[64,2] 0c128[64]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<64xcomplex<f32>>, %b: memref<64xcomplex<f32>>, %o: memref<64x8xcomplex<f32>>, %p: memref<64x2xf32>, %q: memref<64x2xi32>, %d: memref<64xcomplex<f64>>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %x = memref.load %a[%t] : memref<64xcomplex<f32>>
  %y = memref.load %b[%t] : memref<64xcomplex<f32>>
  %0 = complex.add %x, %y : complex<f32>
  %1 = complex.sub %x, %y : complex<f32>
  %2 = complex.mul %x, %y : complex<f32>
  %3 = complex.div %x, %y : complex<f32>
  %4 = complex.neg %x : complex<f32>
  %5 = complex.conj %x : complex<f32>
  %6 = complex.sign %y : complex<f32>
  %7 = complex.constant [1.0 : f32, -2.5 : f32] : complex<f32>
  %8 = complex.abs %x : complex<f32>
  %9 = complex.im %y : complex<f32>
  %e = complex.eq %x, %y : complex<f32>
  %n = complex.neq %7, %y : complex<f32>
  %ei = arith.extui %e : i1 to i32
  %ni = arith.extui %n : i1 to i32
  %s = arith.select %e, %0, %7 : complex<f32>
  memref.store %0, %o[%t, %c0] : memref<64x8xcomplex<f32>>
  memref.store %1, %o[%t, %c1] : memref<64x8xcomplex<f32>>
  memref.store %2, %o[%t, %c2] : memref<64x8xcomplex<f32>>
  memref.store %3, %o[%t, %c3] : memref<64x8xcomplex<f32>>
  memref.store %4, %o[%t, %c4] : memref<64x8xcomplex<f32>>
  memref.store %5, %o[%t, %c5] : memref<64x8xcomplex<f32>>
  memref.store %6, %o[%t, %c6] : memref<64x8xcomplex<f32>>
  memref.store %s, %o[%t, %c7] : memref<64x8xcomplex<f32>>
  memref.store %8, %p[%t, %c0] : memref<64x2xf32>
  memref.store %9, %p[%t, %c1] : memref<64x2xf32>
  memref.store %ei, %q[%t, %c0] : memref<64x2xi32>
  memref.store %ni, %q[%t, %c1] : memref<64x2xi32>
  %re = complex.re %x : complex<f32>
  %im = complex.im %x : complex<f32>
  %red = arith.extf %re : f32 to f64
  %imd = arith.extf %im : f32 to f64
  %dd = complex.create %red, %imd : complex<f64>
  %buf = memref.alloca() : memref<2xcomplex<f64>>
  memref.store %dd, %buf[%c1] : memref<2xcomplex<f64>>
  %de = memref.load %buf[%c1] : memref<2xcomplex<f64>>
  %df = complex.mul %de, %dd : complex<f64>
  memref.store %df, %d[%t] : memref<64xcomplex<f64>>
  gpu.return
}
}
}
