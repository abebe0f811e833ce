// block 32, first -convert-complex-to-standard: c64[32] 0c64[32] 0c128[32] 0c64[32]
module attributes {gpu.container_module} {
gpu.module @m {
memref.global "private" constant @roots : memref<4xcomplex<f32>> = dense<[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.5, -1.5)]>
memref.global "private" constant @same : memref<2xcomplex<f32>> = dense<(0.25, -4.0)>
memref.global "private" @empty : memref<2xcomplex<f64>, #gpu.address_space<workgroup>>
func.func private @step(%z: complex<f32>, %c: complex<f32>, %up: i1) -> (complex<f32>, i1) {
  %limit = arith.constant 4.0 : f32
  %r = scf.if %up -> complex<f32> {
    %s = complex.mul %z, %z : complex<f32>
    %n = complex.add %s, %c : complex<f32>
    scf.yield %n : complex<f32>
  } else {
    %n = complex.conj %c : complex<f32>
    scf.yield %n : complex<f32>
  }
  %a = complex.abs %r : complex<f32>
  %small = arith.cmpf olt, %a, %limit : f32
  return %r, %small : complex<f32>, i1
}
gpu.func @k(%a: memref<32xcomplex<f32>>, %o: memref<32xcomplex<f32>>, %d: memref<32xcomplex<f64>>, %q: memref<32xcomplex<f32>>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %c = memref.load %a[%t] : memref<32xcomplex<f32>>
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%z = %zero, %go = %true) -> (complex<f32>, i1) {
    %n:2 = func.call @step(%z, %c, %go) : (complex<f32>, complex<f32>, i1) -> (complex<f32>, i1)
    scf.yield %n#0, %n#1 : complex<f32>, i1
  }
  memref.store %r#0, %o[%t] : memref<32xcomplex<f32>>
  %roots = memref.get_global @roots : memref<4xcomplex<f32>>
  %k = arith.remui %t, %c4 : index
  %w = memref.load %roots[%k] : memref<4xcomplex<f32>>
  %same = memref.get_global @same : memref<2xcomplex<f32>>
  %e = memref.load %same[%c1] : memref<2xcomplex<f32>>
  %we = complex.mul %w, %e : complex<f32>
  memref.store %we, %q[%t] : memref<32xcomplex<f32>>
  %sh = memref.get_global @empty : memref<2xcomplex<f64>, #gpu.address_space<workgroup>>
  %re = complex.re %c : complex<f32>
  %im = complex.im %c : complex<f32>
  %rd = arith.extf %re : f32 to f64
  %id = arith.extf %im : f32 to f64
  %cd = complex.create %rd, %id : complex<f64>
  %first = arith.cmpi ult, %t, %c2 : index
  scf.if %first {
    memref.store %cd, %sh[%t] : memref<2xcomplex<f64>, #gpu.address_space<workgroup>>
  }
  gpu.barrier
  %h = arith.remui %t, %c2 : index
  %other = memref.load %sh[%h] : memref<2xcomplex<f64>, #gpu.address_space<workgroup>>
  %quot = complex.div %cd, %other : complex<f64>
  memref.store %quot, %d[%t] : memref<32xcomplex<f64>>
  gpu.return
}
}
}
