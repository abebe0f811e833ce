func.func @f(%c: i1, %a: i32) -> i32 {
  %0 = scf.if %c -> (i32) {
    scf.yield %a : i32
  } else {
    %1 = arith.constant 256 : i8
    scf.yield %a : i32
  }
  return %0 : i32
}
// -----
func.func @f(%c: i1, %a: i32) -> i32 {
  %0 = scf.if %c -> (i32) {
    scf.yield %a : i32
  }
  return %0 : i32
}
// -----
func.func @f(%c: i1, %a: i32) -> i32 {
  %0 = scf.if %c -> (i32) {
    scf.yield %c : i1
  } else {
    scf.yield %a : i32
  }
  return %0 : i32
}
// -----
func.func @f(%c: i1, %a: i32) {
  scf.if %c {
    %0 = arith.addi %a, %a : i32
  }
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  scf.if %c {
    scf.yield
    %0 = arith.addi %a, %a : i32
  }
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  scf.if %c {
    cf.br ^bb1
  ^bb1:
    scf.yield
  }
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "scf.if"(%c) ({
    "arith.addi"(%a, %a) : (i32, i32) -> i32
  }, {
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "scf.if"(%c) ({
    "scf.yield"() : () -> ()
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "scf.if"(%c) ({
  ^bb0(%x: i32):
    "scf.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1, %a: i32) {
  "scf.if"(%c) ({
  }, {
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%c: i1, %n: index) {
  scf.for %i = %n to %n step %n {
    func.return
  }
  return
}
// -----
func.func @f(%c: i1, %n: index) {
  scf.yield
}
// -----
func.func @f(%c: i1, %n: index) {
  scf.condition(%c)
}
// -----
func.func @f(%n: index, %f: f32) -> f32 {
  %0 = scf.for %i = %n to %n step %n iter_args(%x = %f) -> (f32) {
    scf.yield %x, %x : f32, f32
  }
  return %0 : f32
}
// -----
func.func @f(%n: index, %f: f32) -> f32 {
  %0 = scf.for %i = %n to %n step %n iter_args(%x = %f) -> (f32) {
    scf.yield %n : index
  }
  return %0 : f32
}
// -----
func.func @f(%n: index, %f: f32) -> f32 {
  %0 = scf.for %i = %n to %n step %n iter_args(%x = %f) -> (f32, f32) {
    scf.yield %x : f32
  }
  return %0 : f32
}
// -----
func.func @f(%n: index, %f: f32) -> f32 {
  %0 = scf.for %i = %n to %n step %n iter_args(%x = %f) -> (f32) {
  }
  return %0 : f32
}
// -----
func.func @f(%n: index, %i: i32, %f: f32) {
  scf.for %k = %i to %i step %i : i32 {
  }
  scf.for %k = %n to %n step %n {
    %0 = arith.addi %k, %n : index
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %f: f32) {
  scf.for %k = %n to %i step %n {
  }
  return
}
// -----
func.func @f(%n: index, %i: i32, %f: f32) -> i32 {
  %0 = scf.while (%x = %i) : (i32) -> i32 {
    %c = arith.cmpi slt, %x, %i : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  return %0 : i32
}
// -----
func.func @f(%n: index, %i: i32, %f: f32) -> i32 {
  %0 = scf.while (%x = %i) : (i32) -> f32 {
    %c = arith.cmpi slt, %x, %i : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  return %i : i32
}
// -----
func.func @f(%n: index, %i: i32, %f: f32) -> i32 {
  %0 = scf.while (%x = %i) : (i32) -> i32 {
    scf.yield %x : i32
  } do {
  ^bb0(%y: i32):
    scf.yield %y : i32
  }
  return %0 : i32
}
// -----
func.func @f(%n: index, %i: i32, %f: f32) {
  scf.while : () -> () {
    %c = arith.constant true
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    %0 = affine.load %m[%i] : memref<16xf32>
    affine.store %0, %m[%i] : memref<16xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  affine.for %i = 0 to 16 {
    %0 = affine.load %m[%i, %i] : memref<16xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  affine.for %i = 0 to 16 step 0 {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  affine.for %i = 0 to 16 step -1 {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%n)
  %1 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%n]
  %2 = affine.min affine_map<(d0) -> (d0, 4)>(%n)
  %3 = affine.max affine_map<(d0) -> (d0, 4)>(%n)
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%n)
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  %0 = affine.apply affine_map<(d0) -> (d0, d0)>(%n)
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  %0 = "affine.apply"(%n) <{map = affine_map<(d0, d1) -> (d0)>}> : (index) -> index
  return
}
// -----
func.func @f(%n: index, %m: memref<16xf32>) {
  affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%n) {
  } else {
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  affine.yield
}
// -----
func.func @f(%a: i32) {
  %0 = arith.addi %a, %a : i32
  cf.br ^bb1
^bb1:
  %1 = arith.addi %0, %2 : i32
  cf.br ^bb2
^bb2:
  %2 = arith.addi %0, %0 : i32
  return
}
// -----
func.func @f(%a: i32, %c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %0 = arith.addi %a, %a : i32
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  %1 = arith.addi %0, %a : i32
  return
}
// -----
func.func @f(%a: i32, %c: i1) {
  return
^bb1:
  %1 = arith.addi %0, %a : i32
  cf.br ^bb2
^bb2:
  %0 = arith.addi %a, %a : i32
  cf.br ^bb1
}
// -----
func.func @f(%a: i32, %c: i1) {
  %0 = arith.addi %0, %a : i32
  return
}
// -----
gpu.module @k {
  gpu.func @f() {
    gpu.return
    gpu.barrier
  }
}
// -----
gpu.module @k {
  gpu.func @f(%a: i32) {
    gpu.return %a : i32
  }
}
// -----
gpu.module @k {
  gpu.func @f(%a: i32) kernel {
    %0 = arith.addi %a, %a : i32
  }
}
// -----
gpu.module @k {
  %0 = arith.constant 1 : i32
  %1 = arith.addi %0, %0 : i32
}
// -----
%0 = arith.constant 1 : i32
%1 = arith.addi %0, %0 : i32
// -----
module {
  %1 = arith.addi %0, %0 : i32
  %0 = arith.constant 1 : i32
}
// -----
module {
  %0 = arith.constant 1 : i32
  func.func @f() -> i32 {
    return %0 : i32
  }
}
// -----
func.func @f(%a: i32) {
  %0:2 = func.call @g(%a) : (i32) -> (i32, i32)
  %1 = arith.addi %0#0, %0#1 : i32
  %2 = arith.addi %0#2, %0#1 : i32
  return
}
func.func private @g(i32) -> (i32, i32)
// -----
func.func @f(%a: i32, %c: i1) {
  scf.if %c {
    %0 = arith.addi %a, %a : i32
  }
  %1 = arith.addi %0, %a : i32
  return
}
// -----
func.func @f(%a: i32, %c: i1) {
  scf.if %c {
    %2 = arith.addi %1, %a : i32
    %3 = arith.addi %1, %a : i32
  }
  return
}
func.func @g(%a: i32, %c: i1) {
  %1 = arith.addi %1, %a : i32
  return
}
// -----
func.func @f(%a: i32, %c: i1) {
  scf.if %c {
    %2 = arith.addi %1, %a : i32
  }
  scf.if %c {
    %1 = arith.addi %a, %a : i32
  }
  return
}
