// block 32: i32[32] 0i32[32] 0f64[32]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<32xi32>, %o: memref<32xi32>, %p: memref<32xf64>) kernel {
  %t = gpu.thread_id x
  %v = memref.load %a[%t] : memref<32xi32>
  %z = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  %f0 = arith.constant 1.0 : f64
  cf.br ^head(%v, %z, %f0 : i32, i32, f64)
^head(%x: i32, %n: i32, %f: f64):
  %lim = arith.constant 20 : i32
  %go = arith.cmpi slt, %n, %lim : i32
  cf.cond_br %go, ^pick(%x : i32), ^out(%x, %f : i32, f64)
^pick(%y: i32):
  %s = arith.andi %y, %seven : i32
  %n1 = arith.addi %n, %one : i32
  cf.switch %s : i32, [
    default: ^shift(%y : i32),
    0: ^out(%n1, %f : i32, f64),
    3: ^mul(%y, %one : i32, i32),
    5: ^mul(%y, %n : i32, i32),
    6: ^skip
  ]
^shift(%q: i32):
  %k = arith.shrui %q, %one : i32
  %e = arith.xori %k, %n1 : i32
  cf.br ^head(%e, %n1, %f : i32, i32, f64)
^mul(%m: i32, %u: i32):
  %w = arith.muli %m, %seven : i32
  %w1 = arith.addi %w, %u : i32
  %uf = arith.sitofp %u : i32 to f64
  %ff = arith.addf %f, %uf : f64
  cf.br ^head(%w1, %n1, %ff : i32, i32, f64)
^skip:
  %g = arith.mulf %f, %f : f64
  cf.br ^shift(%v : i32)
^out(%r: i32, %rf: f64):
  memref.store %r, %o[%t] : memref<32xi32>
  memref.store %rf, %p[%t] : memref<32xf64>
  gpu.return
}
}
}
