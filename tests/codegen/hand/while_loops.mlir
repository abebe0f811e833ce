// block 32: i64[32] 0i64[32] 0i32[32]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<32xi64>, %o: memref<32xi64>, %p: memref<32xi32>) kernel {
  %t = gpu.thread_id x
  %v0 = memref.load %a[%t] : memref<32xi64>
  %mask = arith.constant 65535 : i64
  %v1 = arith.andi %v0, %mask : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %v = arith.addi %v1, %one : i64
  %z = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %cap = arith.constant 200 : i32
  %r:2 = scf.while (%x = %v, %n = %z) : (i64, i32) -> (i32, i64) {
    %big = arith.cmpi ne, %x, %one : i64
    %few = arith.cmpi slt, %n, %cap : i32
    %go = arith.andi %big, %few : i1
    scf.condition(%go) %n, %x : i32, i64
  } do {
  ^bb0(%n: i32, %x: i64):
    %odd = arith.andi %x, %one : i64
    %is = arith.trunci %odd : i64 to i1
    %y = scf.if %is -> i64 {
      %m = arith.muli %x, %three : i64
      %m1 = arith.addi %m, %one : i64
      scf.yield %m1 : i64
    } else {
      %h = arith.shrui %x, %one : i64
      scf.yield %h : i64
    }
    %n1 = arith.addi %n, %i1 : i32
    scf.yield %y, %n1 : i64, i32
  }
  memref.store %r#1, %o[%t] : memref<32xi64>
  // a do-while: all work in the first region
  %fin = scf.while (%k = %r#0) : (i32) -> i32 {
    %q = arith.shrsi %k, %i1 : i32
    %more = arith.cmpi sgt, %q, %i1 : i32
    scf.condition(%more) %q : i32
  } do {
  ^bb0(%k: i32):
    scf.yield %k : i32
  }
  memref.store %fin, %p[%t] : memref<32xi32>
  gpu.return
}
}
}
