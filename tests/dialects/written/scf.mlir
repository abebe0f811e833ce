func.func @f(%lb: index, %ub: index, %s: index, %i: i32) {
  scf.for %iv = %lb to %ub step %s { }
  scf.for unsigned %iv = %i to %i step %i : i32 { }
  scf.for %iv = %i to %i step %i : i32 {
    scf.yield
  }
  %0 = scf.for %iv = %lb to %ub step %s iter_args(%a = %i) -> i32 {
    scf.yield %a : i32
  }
  %1:2 = scf.for %iv = %lb to %ub step %s iter_args(%a = %i, %b = %lb) -> (i32, index) {
    scf.yield %a, %b : i32, index
  } {loop_annotation = "x", foo}
  return
}
// -----
func.func @p(%lb: index, %ub: index, %s: index, %f: f32) {
  scf.parallel (%i) = (%lb) to (%ub) step (%s) { }
  scf.parallel (%i, %j) = (%lb, %lb) to (%ub, %ub) step (%s, %s) {
    "test.op"(%i, %j) : (index, index) -> ()
  } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  %r:2 = scf.parallel (%i) = (%lb) to (%ub) step (%s) init (%f, %f) -> (f32, f32) {
    scf.reduce(%f, %f : f32, f32) {
    ^bb0(%a: f32, %b: f32):
      %x = arith.addf %a, %b : f32
      scf.reduce.return %x : f32
    }, {
    ^bb0(%a: f32, %b: f32):
      %x = arith.mulf %a, %b : f32
      scf.reduce.return %x : f32
    }
  }
  return
}
// -----
func.func @p(%lb: index, %ub: index, %s: index, %f: f32) {
  scf.parallel (%i) = (%lb) to (%ub) step (%s) { }
  scf.parallel (%i, %j) = (%lb, %lb) to (%ub, %ub) step (%s, %s) {
    "test.op"(%i, %j) : (index, index) -> ()
  } {mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>]}
  %r:2 = scf.parallel (%i) = (%lb) to (%ub) step (%s) init (%f, %f) -> (f32, f32) {
    scf.reduce(%f, %f : f32, f32) {
    ^bb0(%a: f32, %b: f32):
      %x = arith.addf %a, %b : f32
      scf.reduce.return %x : f32
    }, {
    ^bb0(%a: f32, %b: f32):
      %x = arith.mulf %a, %b : f32
      scf.reduce.return %x : f32
    }
  }
  scf.parallel () = () to () step () { }
  return
}
// -----
func.func @ifs(%c: i1, %x: f32) -> f32 {
  scf.if %c { }
  scf.if %c { "test.a"() : () -> () } else { }
  scf.if %c { "test.a"() : () -> () } else { "test.b"() : () -> () }
  %0 = scf.if %c -> f32 { scf.yield %x : f32 } else { scf.yield %x : f32 }
  %1:2 = scf.if %c -> (f32, f32) { scf.yield %x, %x : f32, f32 } else { scf.yield %x, %x : f32, f32 }
  %2 = scf.if %c -> (f32) { scf.yield %x : f32 } else { scf.yield %x : f32 } {foo = "bar"}
  return %0 : f32
}
// -----
func.func @w(%a: f32, %c: i1) -> f32 {
  %0 = scf.while (%x = %a) : (f32) -> f32 {
    scf.condition(%c) %x : f32
  } do {
  ^bb0(%y: f32):
    scf.yield %y : f32
  }
  %1:2 = scf.while (%x = %a, %y = %a) : (f32, f32) -> (i32, f32) {
    %i = "test.a"() : () -> i32
    scf.condition(%c) %i, %x : i32, f32
  } do {
  ^bb0(%y: i32, %z: f32):
    scf.yield %z, %z : f32, f32
  } attributes {foo = 1 : i32}
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return %0 : f32
}
// -----
func.func @fa(%n: index, %t: tensor<8x?xf32>, %m: memref<4xf32>) -> tensor<8x?xf32> {
  scf.forall (%i, %j) in (%n, 4) { }
  scf.forall (%i) = (0) to (%n) step (2) { "test.a"(%i) : (index) -> () } {mapping = [#gpu.thread<x>]}
  scf.forall (%i, %j) in (%n, %n) {
    scf.forall.in_parallel { }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8x?xf32>) {
    %s = tensor.extract_slice %o[%i, 0] [1, 4] [1, 1] : tensor<8x?xf32> to tensor<1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x?xf32>
    }
  } {mapping = [#gpu.warp<linear_dim_0>]}
  scf.forall (%i) in (8) { } {mapping = [#gpu.thread<linear_dim_1>], a = 1}
  return %r : tensor<8x?xf32>
}
// -----
func.func @sw(%i: index) -> i32 {
  scf.index_switch %i
  case 1 { scf.yield }
  default { }
  %0 = scf.index_switch %i {a = 1} -> i32
  case 2 { %c = arith.constant 1 : i32
    scf.yield %c : i32 }
  case -5 { %c = arith.constant 1 : i32
    scf.yield %c : i32 }
  default { %c = arith.constant 2 : i32
    scf.yield %c : i32 }
  scf.index_switch %i
  default { }
  return %0 : i32
}
// -----
func.func @er(%c: i1) -> i32 {
  scf.execute_region { scf.yield }
  %0 = scf.execute_region -> i32 {
    %x = arith.constant 1 : i32
    cf.cond_br %c, ^a, ^b(%x : i32)
  ^a:
    cf.br ^b(%x : i32)
  ^b(%z: i32):
    scf.yield %z : i32
  }
  scf.execute_region no_inline { scf.yield }
  %1:2 = scf.execute_region -> (i32, i32) { scf.yield %0, %0 : i32, i32 } {foo}
  return %0 : i32
}
// -----
func.func @bad(%lb: index, %i: i32) {
  scf.for %iv = %lb to %i step %lb { }
  return
}
// -----
func.func @bad(%lb: index, %i: i32) {
  "scf.for"(%lb, %lb, %i) ({
   ^bb0(%iv: index):
    scf.yield
  }) : (index, index, i32) -> ()
  return
}
// -----
func.func @bad(%lb: f32) {
  "scf.for"(%lb, %lb, %lb) ({
   ^bb0(%iv: f32):
    scf.yield
  }) : (f32, f32, f32) -> ()
  return
}
// -----
func.func @bad(%lb: index) {
  "scf.for"(%lb, %lb, %lb) ({
   ^bb0(%iv: i32):
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @bad(%lb: index) {
  "scf.for"(%lb, %lb, %lb) ({
   ^bb0(%iv: index, %x: f32):
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @bad(%lb: index) {
  "scf.for"(%lb, %lb, %lb) ({
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @bad(%lb: index) {
  %c0 = arith.constant 0 : index
  scf.for %i = %lb to %lb step %c0 { }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %x = scf.for %i = %lb to %lb step %lb iter_args(%a = %f) -> (f32) {
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %x = scf.for %i = %lb to %lb step %lb iter_args(%a = %f) -> (f32) {
    scf.yield
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %x = scf.for %i = %lb to %lb step %lb iter_args(%a = %f) -> (f32, f32) {
    scf.yield %a : f32
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %x = scf.for %i = %lb to %lb step %lb iter_args(%a = %f) -> (i32) {
    scf.yield %a : f32
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %x:2 = scf.for %i = %lb to %lb step %lb iter_args(%a = %f) -> (f32) {
    scf.yield %a : f32
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %x = scf.for %i = %lb to %lb step %lb iter_args(%a = %f) -> (f32) {
    scf.yield %lb : index
  }
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
  %x = scf.if %c -> f32 {
    scf.yield %f : f32
  }
  return
}
// -----
func.func @bad(%c: i32, %f: f32) {
  scf.if %c {
  }
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
  "scf.if"(%c) ({
  ^bb0(%a: index):
    scf.yield
  }, {}) : (i1) -> ()
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
  "scf.if"(%c) ({}, {}) : (i1) -> ()
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
  %0 = scf.if %c -> f32 {
    scf.yield %f : f32
  } else {
    scf.yield
  }
  return
}
// -----
func.func @bad(%lb: index) {
  scf.parallel (%i) = (%lb) to (%lb, %lb) step (%lb) { }
  return
}
// -----
func.func @bad(%lb: index) {
  %c0 = arith.constant 0 : index
  scf.parallel (%i) = (%lb) to (%lb) step (%c0) { }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  scf.parallel (%i) = (%lb) to (%lb) step (%lb) {
    scf.reduce(%f : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
    scf.reduce(%f : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %a : f32
    }
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %r = scf.parallel (%i) = (%lb) to (%lb) step (%lb) init (%f) -> f32 {
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %r = scf.parallel (%i) = (%lb) to (%lb) step (%lb) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%a: f32, %b: i32):
      scf.reduce.return %a : f32
    }
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %r = scf.parallel (%i) = (%lb) to (%lb) step (%lb) init (%f) -> f32 {
    ^bb0(%a: f32, %b: i32):
      scf.reduce.return %a : f32
    }
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %r = scf.parallel (%i) = (%lb) to (%lb) step (%lb) init (%f) -> f32 {
    ^bb0(%a: f32, %b: f32):
      "test.f"() : () -> ()
    }
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  %r = scf.parallel (%i) = (%lb) to (%lb) step (%lb) init (%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%a: f32, %b: f32):
      "test.f"() : () -> ()
    }
  }
  return
}
// -----
func.func @bad(%lb: index, %f: f32) {
  scf.reduce.return %f : f32
}
// -----
func.func @bad(%lb: index, %f: f32) {
  scf.yield
}
// -----
func.func @bad(%c: i1, %f: f32) {
    scf.condition(%c)
  } do {
  ^bb0(%y: f32):
    scf.yield %y : f32
  }
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
  %0 = scf.while (%x = %f) : (f32) -> f32 {
    scf.condition(%c)
  } do {
  ^bb0(%y: f32):
    scf.yield %y : f32
  }
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
    scf.condition(%c) %x : f32
  } do {
  ^bb0(%y: i32):
    scf.yield %f : f32
  }
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
  %0 = scf.while (%x = %f) : (f32) -> f32 {
    scf.condition(%c) %x : f32
  } do {
  ^bb0(%y: i32):
    scf.yield %f : f32
  }
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
  %0 = scf.while (%x = %f) : (f32) -> f32 {
    scf.yield %x : f32
  } do {
  ^bb0(%y: f32):
    scf.yield %f : f32
  }
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
    scf.yield %x : f32
  } do {
  ^bb0(%y: f32):
    scf.yield %f : f32
  }
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
  scf.while (%x = %f) : (f32, f32) -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
// -----
func.func @bad(%c: i1, %f: f32) {
  scf.condition(%c)
}
// -----
func.func @bad(%i: index) {
  scf.index_switch %i
  case 1 { scf.yield }
  case 1 { scf.yield }
  default { scf.yield }
  return
}
// -----
func.func @bad(%i: index) {
  %0 = scf.index_switch %i -> i32
  case 1 { scf.yield }
  default { scf.yield }
  return
}
// -----
func.func @bad(%i: index) {
  scf.index_switch %i
  case 1 { func.return }
  default { scf.yield }
  return
}
// -----
func.func @bad(%i: index) {
  "scf.index_switch"(%i) ({ scf.yield }, {scf.yield}) {cases = array<i64: 1, 2>} : (index) -> ()
  return
}
// -----
func.func @bad(%i: index) {
  "scf.index_switch"(%i) ({ ^bb0: }, {scf.yield}) {cases = array<i64: 1>} : (index) -> ()
  return
}
// -----
func.func @bad(%i: index) {
  scf.execute_region { }
  return
}
// -----
func.func @bad(%i: index) {
  scf.execute_region {
  ^bb0(%a : i32):
    scf.yield
  }
  return
}
// -----
func.func @bad(%n: index, %t: tensor<8xf32>) {
  scf.forall (%i, %j) in (%n) { }
  return
}
// -----
func.func @bad(%n: index, %t: tensor<8xf32>) {
  scf.forall (%i) in (%n) { } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  return
}
// -----
func.func @bad(%n: index, %t: tensor<8xf32>) {
  scf.forall (%i) in (%n) { } {mapping = [#gpu.thread<x>, #gpu.warp<linear_dim_0>]}
  return
}
// -----
func.func @bad(%n: index, %t: tensor<8xf32>) {
  scf.forall (%i, %j) in (%n, 2) { } {mapping = [#gpu.thread<x>, #gpu.warp<linear_dim_0>]}
  return
}
// -----
func.func @bad(%n: index, %t: tensor<8xf32>) {
  scf.forall (%i, %j) in (%n, 2) { } {mapping = [42, 3]}
  return
}
// -----
func.func @bad(%n: index, %t: tensor<8xf32>) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %t into %t[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
    }
  }
  return
}
// -----
func.func @bad(%n: index, %t: tensor<8xf32>) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
    scf.forall.in_parallel {
      %c = arith.constant 1 : index
    }
  }
  return
}
// -----
func.func @bad(%n: index, %t: tensor<8xf32>) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<9xf32>) {
    scf.forall.in_parallel {
    }
  }
  return
}
// -----
func.func @bad(%n: index, %t: tensor<8xf32>) {
  scf.forall.in_parallel { }
  return
}
// -----
func.func @bad(%n: index, %t: memref<8xf32>) {
  %0 = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (memref<8xf32>) {
    scf.forall.in_parallel {
    }
  }
  return
}
