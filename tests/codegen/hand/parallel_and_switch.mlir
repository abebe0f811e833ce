// block 8: i32[8,16] 0i32[8] 0i32[8] 0f32[8]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<8x16xi32>, %o: memref<8xi32>, %p: memref<8xi32>, %q: memref<8xf32>) kernel {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %z = arith.constant 0 : i32
  %m = arith.constant 2147483647 : i32
  %r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%c4, %c4) step (%c1, %c2) init (%z, %m) -> (i32, i32) {
    %x = arith.muli %i, %c4 : index
    %y = arith.addi %x, %j : index
    %v = memref.load %a[%t, %y] : memref<8x16xi32>
    scf.reduce(%v, %v : i32, i32) {
    ^bb0(%l: i32, %r: i32):
      %s = arith.addi %l, %r : i32
      scf.reduce.return %s : i32
    }, {
    ^bb0(%l: i32, %r: i32):
      %s = arith.minsi %l, %r : i32
      scf.reduce.return %s : i32
    }
  }
  %w = arith.xori %r#0, %r#1 : i32
  memref.store %w, %o[%t] : memref<8xi32>
  %s:2 = scf.index_switch %t -> i32, f32
  case 0 {
    %f = arith.constant 1.5 : f32
    scf.yield %r#0, %f : i32, f32
  }
  case 3 {
    %f = arith.constant 2.5 : f32
    %k = scf.index_switch %c16 -> i32
    case 16 { scf.yield %z : i32 }
    default { scf.yield %m : i32 }
    scf.yield %k, %f : i32, f32
  }
  case 5 {
    %f = arith.sitofp %r#1 : i32 to f32
    scf.yield %r#1, %f : i32, f32
  }
  default {
    %ti = arith.index_cast %t : index to i32
    %f = arith.constant -0.0 : f32
    scf.yield %ti, %f : i32, f32
  }
  memref.store %s#0, %p[%t] : memref<8xi32>
  memref.store %s#1, %q[%t] : memref<8xf32>
  gpu.return
}
}
}
