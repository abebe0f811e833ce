func.func @a(%n: index, %m: memref<?xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for unsigned %i = %c0 to %n step %c1 iter_args(%acc = %z) -> (f32) {
    %v = memref.load %m[%i] : memref<?xf32>
    %x = scf.if %c -> (f32) {
      %k = arith.mulf %v, %v : f32
      scf.yield %k : f32
    } else {
      %q = scf.while (%a = %v) : (f32) -> f32 {
        %t = arith.cmpf olt, %a, %z : f32
        scf.condition(%t) %a : f32
      } do {
      ^bb0(%b: f32):
        %d = arith.addf %b, %b : f32
        scf.yield %d : f32
      }
      scf.yield %q : f32
    }
    %s = arith.addf %acc, %x : f32
    scf.yield %s : f32
  }
  return %r : f32
}
func.func @b(%n: index, %m: memref<?xf32>, %c: i1) -> i32 {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  ^bb2:
    %y = arith.constant 2 : i32
    scf.yield %y : i32
  }
  %s = scf.index_switch %n -> i32
  case 2 {
    %x = arith.constant 1 : i32
    scf.yield %x : i32
  }
  case 5 {
    %x = arith.constant 7 : i32
    scf.yield %x : i32
  }
  default {
    scf.yield %r : i32
  }
  scf.index_switch %n
  case 1 {
    memref.dealloc %m : memref<?xf32>
    scf.yield
  }
  default {
  }
  return %s : i32
}
func.func @p(%n: index, %m: memref<?x?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %f, %m[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%f) -> f32 {
    %v = memref.load %m[%i, %i] : memref<?x?xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  memref.store %r, %m[%c0, %c0] : memref<?x?xf32>
  scf.forall (%i) in (%n) {
    memref.store %f, %m[%i, %i] : memref<?x?xf32>
  }
  return
}
func.func @d(%x: i32, %c: i1) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %n = arith.addi %a, %a : i32
    scf.condition(%c) %n : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  return %r : i32
}
