func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) in (%n, %n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a, %b) in (%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) in (%i) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) = (0) to (%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) = (0, 0) to (%n) step (1) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) = (0) to (%n) step (0) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) on (%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) in (%n) {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) in (%n) {
    func.return
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) in (%n) {
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) in (%n) {
  } {mapping = [3]}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a, %b) in (%n, 3) {
  } {mapping = [#gpu.thread<linear_dim_0>, #gpu.thread<y>]}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a, %b) in (%n, 3) {
  } {mapping = [#gpu.thread<y>, #gpu.thread<y>]}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a, %b) in (%n, 3) {
  } {mapping = [#gpu.warp<y>, #gpu.thread<x>]}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a, %b) in (%n, 3) {
  } {mapping = [#gpu.warp<y>, #gpu.warp<x>, #gpu.mask<0x88>]}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a, %b) in (%n, 3) {
  } {mapping = [#gpu.lane<linear_dim_9>, #gpu.warpgroup<x>, #gpu.memory_space<workgroup>]}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.forall (%a) in (%n) shared_outs(%o = %t) -> tensor<16xf32> {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.forall (%a) in (%n) shared_outs(%o = %t) -> (tensor<16xf32>, tensor<16xf32>) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.forall (%a) in (%n) shared_outs(%o = %t) -> (tensor<8xf32>) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.forall (%a) in (%n) shared_outs(%o = %f) -> (f32) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.forall (%a) in (%n) shared_outs(%o = %t) -> (tensor<16xf32>) {
    scf.forall.in_parallel {
      %x = arith.addf %f, %f : f32
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) in (%n) {
    scf.forall.in_parallel {
    } {foo}
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall.in_parallel {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall () in () {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) in (%n) shared_outs() {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) in (%n) {
  ^bb0(%b: index):
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) = (%n) to (%m) step (%n) {
    %b = arith.addi %a, %a : index
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.forall (%a) = (0) to (%m) step (1) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    ^bb0(%x: i32):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0, 1>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    ^bb0(%x: index):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: 4>}> ({
    ^bb0(%x: index):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    ^bb0:
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.forall"(%n, %t) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    ^bb0(%x: index, %y: tensor<16xf32>):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index, tensor<16xf32>) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = "scf.forall"(%n, %t) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    ^bb0(%x: index, %y: tensor<8xf32>):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index, tensor<16xf32>) -> (tensor<16xf32>)
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = "scf.forall"(%n, %t) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
    ^bb0(%x: index, %y: tensor<16xf32>):
    "scf.forall.in_parallel"() ({
    ^bb0:
    }) : () -> ()
  }) : (index, tensor<16xf32>) -> (tensor<8xf32>)
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.parallel (%p) = (%n, %n) to (%m) step (%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.parallel (%p, %q) = (%n, %n) to (%m) step (%n, %n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.parallel (%p) = (%i) to (%n) step (%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.parallel () = () to () step () {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> (f32, f32) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> f32 {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> f32 {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> f32 {
    scf.reduce (%i : i32) {
    ^bb0(%a: i32, %b: i32):
      scf.reduce.return %a : i32
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> f32 {
    scf.reduce (%f : f32) {
    ^bb0(%a: i32, %b: i32):
      scf.reduce.return %a : i32
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> f32 {
    scf.reduce (%f : f32) {
    ^bb0(%a: f32):
      scf.reduce.return %a : f32
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> f32 {
    scf.reduce (%f : f32) {
    ^bb0(%a: f32, %b: f32):
      scf.reduce.return %i : i32
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> f32 {
    scf.reduce (%f : f32)
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> f32 {
    scf.reduce {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.parallel (%p) = (%n) to (%m) step (%n) init (%f) -> f32 {
    scf.reduce (%f : f32) {
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.reduce
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.reduce.return %f : f32
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = "scf.parallel"(%n, %n, %n, %f) <{operandSegmentSizes = array<i32: 1,1,1,1>}> ({
  ^bb0(%p: index, %q: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index, f32) -> f32
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.parallel"(%n, %n, %n) <{operandSegmentSizes = array<i32: 1,1,1,0>}> ({
  ^bb0(%p: i32):
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.parallel"() <{operandSegmentSizes = array<i32: 0,0,0,0>}> ({
  ^bb0:
    "scf.reduce"() : () -> ()
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.parallel"(%n, %n) <{operandSegmentSizes = array<i32: 1,1,0,0>}> ({
  ^bb0(%p: index):
    "scf.reduce"() : () -> ()
  }) : (index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.parallel"(%n, %n) <{operandSegmentSizes = array<i32: 1,0,1,0>}> ({
  ^bb0(%p: index):
    "scf.reduce"() : () -> ()
  }) : (index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.parallel"(%n, %n, %n, %f) <{operandSegmentSizes = array<i32: 1,1,1,1>}> ({
  ^bb0(%p: index):
    "scf.reduce"() : () -> ()
  }) : (index, index, index, f32) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = "scf.parallel"(%n, %n, %n, %f) <{operandSegmentSizes = array<i32: 1,1,1,1>}> ({
  ^bb0(%p: index):
    "scf.reduce"(%f) ({
      ^bb0(%x: f32, %y: f32):
      "scf.reduce.return"(%x) : (f32) -> ()
     }) : (f32) -> ()
  }) : (index, index, index, f32) -> i32
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = "scf.parallel"(%n, %n, %n, %i) <{operandSegmentSizes = array<i32: 1,1,1,1>}> ({
  ^bb0(%p: index):
    "scf.reduce"(%f) ({
      ^bb0(%x: f32, %y: f32):
      "scf.reduce.return"(%x) : (f32) -> ()
     }) : (f32) -> ()
  }) : (index, index, index, i32) -> f32
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.parallel"(%n, %n, %n) <{operandSegmentSizes = array<i32: 1,1,1,0>}> ({
  ^bb0(%p: index):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.execute_region -> (f32) {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %r = scf.execute_region -> (f32) {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.execute_region {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.execute_region {
  ^bb0(%a: i32):
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.execute_region {
    cf.br ^bb1
  ^bb1:
    func.return
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.execute_region -> () {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.execute_region no_inline -> f32 {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.execute_region"() ({
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.execute_region {
    %a = arith.addf %f, %f : f32
    cf.br ^bb1
  ^bb1:
    cf.br ^bb2
  ^bb2:
    scf.yield
  } {note}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %w = scf.index_switch %n -> i32
  case 2 {
    scf.yield %i : i32
  }
  case 2 {
    scf.yield %i : i32
  }
  default {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %w = scf.index_switch %n -> i32
  case 2 {
    scf.yield %f : f32
  }
  default {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %w = scf.index_switch %n -> i32
  case 2 {
    scf.yield
  }
  default {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %w = scf.index_switch %n -> i32
  case 2 {
    scf.yield %i : i32
  }
  default {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %w = scf.index_switch %n -> i32
  case 2 {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %w:2 = scf.index_switch %n -> i32, f32
  case 2 {
    scf.yield %i, %f : i32, f32
  }
  default {
    scf.yield %i, %f : i32, f32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  %w = scf.index_switch %i -> i32
  default {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.index_switch %n
  case 1 {
  }
  default {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.index_switch %n
  case 1 {
    memref.store %f, %mem[%n] : memref<16xf32>
  }
  default {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  scf.index_switch %n
  case 1 {
    cf.br ^bb1
  ^bb1:
    scf.yield
  }
  default {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.index_switch"(%n) <{cases = array<i64: 1, 2>}> ({
    "scf.yield"() : () -> ()
  }, {
    "scf.yield"() : () -> ()
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32) {
  "scf.index_switch"(%n) <{cases = array<i64: 1>}> ({
    "scf.yield"() : () -> ()
  }, {
    "func.return"() : () -> ()
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.for %k = %n to %n step %i {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.for %k = %n to %n step %n iter_args(%a = %f) -> (i32) {
    scf.yield %a : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = scf.for %k = %n to %n step %n iter_args(%a = %f) -> (f32) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = scf.for %k = %n to %n step %n iter_args(%a = %f) -> (f32) {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = scf.for %k = %n to %n step %n iter_args(%a = %f) -> (f32) {
    scf.yield %a, %a : f32, f32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.for %k = %n to %n step %n iter_args(%a = %f) -> (f32, f32) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.for %k = %n to %n step %n -> (f32) {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.for %k = %n to %n step %n : index {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.for %k = %n to %n {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.for %k = %n to %n step %n {
    func.return
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.for %k = %n to %n step %n {
    cf.br ^bb1
  ^bb1:
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.for unsigned %k = %i to %i step %i : i32 {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %v2 = scf.for unsigned %k = %n to %n step %n iter_args(%g = %f) -> (f32) {
    scf.yield %g : f32
  } {foo}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %v2:2 = scf.for %k = %n to %n step %n iter_args(%g = %f, %h = %i) -> (f32, i32) {
    scf.yield %g, %h : f32, i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  "scf.for"(%n, %n, %n) ({
  ^bb0(%k: i32):
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  "scf.for"(%n, %n, %n) ({
  ^bb0:
    "scf.yield"() : () -> ()
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = "scf.for"(%n, %n, %n, %f) ({
  ^bb0(%k: index, %x: i32):
    "scf.yield"(%f) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = "scf.for"(%n, %n, %n, %f) ({
  ^bb0(%k: index):
    "scf.yield"(%f) : (f32) -> ()
  }) : (index, index, index, f32) -> f32
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = "scf.for"(%n, %n, %n) ({
  ^bb0(%k: index):
    "scf.yield"(%f) : (f32) -> ()
  }) : (index, index, index) -> f32
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.if %i {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = scf.if %c -> (f32) {
    scf.yield %f : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = scf.if %c -> (f32) {
    scf.yield %f : f32
  } else {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = scf.if %c -> (f32) {
    scf.yield %f : f32
  } else {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %r = scf.if %c -> f32 {
    scf.yield %f : f32
  } else {
    scf.yield %f : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.if %c {
    func.return
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.if %v {
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.if %c {
  ^bb0(%x: i32):
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.if %c {
  } {note} 
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.if %c {
  } else {
  } {note} 
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  "scf.if"(%c) ({
    "scf.yield"() : () -> ()
  }, {
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  "scf.if"(%c) ({
    "scf.yield"() : () -> ()
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %u = scf.while (%arg = %i) : (i32) -> f32 {
    scf.condition(%c) %f : f32
  } do {
  ^bb0(%arg2: f32):
    scf.yield %i : i32
  } attributes {foo}
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %u:2 = scf.while (%a = %i, %b = %f) : (i32, f32) -> (i32, f32) {
    scf.condition(%c) %a, %b : i32, f32
  } do {
  ^bb0(%x: i32, %y: f32):
    scf.yield %x, %y : i32, f32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %u = scf.while (%arg = %i) : (i32) -> f32 {
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%arg2: f32):
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %u = scf.while (%arg = %i) : (i32) -> f32 {
    scf.condition(%c) %f : f32
  } do {
  ^bb0(%arg2: f32):
    scf.yield %f : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  %u = scf.while (%arg = %i) : (i32) -> f32 {
    scf.condition(%c) %f : f32
  } do {
  ^bb0(%arg2: i32):
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.while (%arg = %i) : (i32) -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.while (%arg = %i) : (i32) -> () {
    scf.yield
  } do {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.while (%arg = %i) : (i32) -> () {
    scf.condition(%c)
  } do {
    scf.condition(%c)
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.while (%arg = %i) : (i32, i32) -> () {
    scf.condition(%c)
  } do {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.while (%arg = %i) : (f32) -> () {
    scf.condition(%c)
  } do {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.condition(%c)
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.condition(%i)
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.yield
  return
}
// -----
func.func @f(%n: index, %m: index, %c: i1, %f: f32, %mem: memref<16xf32>, %t: tensor<16xf32>, %i: i32, %v: vector<4xi1>) {
  scf.yield %i : i32
  return
}
