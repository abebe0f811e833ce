func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n) ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %n) ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %i) ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, i32) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%f, %f, %f) ({
  ^bb0(%k: f32):
    scf.yield
  }) : (f32, f32, f32) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %n) ({
  ^bb0(%k: i32):
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %n) ({
  ^bb0:
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %n) ({
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %n) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %n) ({
  ^bb0(%k: index):
    cf.br ^bb1
  ^bb1:
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  %0 = "scf.for"(%n, %n, %n, %f) ({
  ^bb0(%k: index, %x: f32):
    scf.yield %x : f32
  }) : (index, index, index, f32) -> f32
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  %0 = "scf.for"(%n, %n, %n, %f) ({
  ^bb0(%k: index, %x: f32):
    scf.yield %x : f32
  }) : (index, index, index, f32) -> i32
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %n, %f) ({
  ^bb0(%k: index, %x: f32):
    scf.yield %x : f32
  }) : (index, index, index, f32) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %n) <{unsignedCmp = true}> ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %i: i32) {
  "scf.for"(%n, %n, %n) <{unsignedCmp}> ({
  ^bb0(%k: index):
    scf.yield
  }) : (index, index, index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  "scf.if"(%n) ({
    scf.yield
  }, {
  }) : (index) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  "scf.if"() ({
    scf.yield
  }, {
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  "scf.if"(%c, %c) ({
    scf.yield
  }, {
  }) : (i1, i1) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  %0 = "scf.if"(%c) ({
    scf.yield %f : f32
  }, {
  }) : (i1) -> f32
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  %0 = "scf.if"(%c) ({
    scf.yield %f : f32
  }, {
    scf.yield %n : index
  }) : (i1) -> f32
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  %0 = "scf.if"(%c) ({
    scf.yield %f : f32
  }, {
    scf.yield
  }) : (i1) -> f32
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  "scf.if"(%c) ({
    scf.yield %f : f32
  }, {
  }) : (i1) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  "scf.if"(%c) ({
    scf.yield
  }, {
    scf.yield
  }) {note} : (i1) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  "scf.while"(%f) ({
  ^bb0(%x: f32):
    scf.condition(%c) %x : f32
  }, {
  ^bb0(%x: f32):
    scf.yield %x : f32
  }) : (f32) -> ()
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  %0 = "scf.while"(%f) ({
  ^bb0(%x: f32):
    scf.condition(%c) %x : f32
  }, {
  ^bb0(%x: f32):
    scf.yield
  }) : (f32) -> f32
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  %0 = "scf.while"(%f) ({
  ^bb0(%x: f32):
    scf.condition(%c)
  }, {
  ^bb0(%x: f32):
    scf.yield %x : f32
  }) : (f32) -> f32
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  %0 = "scf.while"(%f) ({
  ^bb0(%x: i32):
    scf.condition(%c) %f : f32
  }, {
  ^bb0(%x: f32):
    scf.yield %x : f32
  }) : (f32) -> f32
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  %0 = "scf.while"(%f) ({
  ^bb0(%x: f32):
    scf.condition(%c) %f : f32
  }, {
  ^bb0:
    scf.yield %f : f32
  }) : (f32) -> f32
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  %0 = "scf.while"(%f) ({
  ^bb0(%x: f32):
    scf.condition(%n) %f : f32
  }, {
  ^bb0(%x: f32):
    scf.yield %f : f32
  }) : (f32) -> f32
  return
}
// -----
func.func @f(%n: index, %f: f32, %c: i1) {
  %0 = "scf.while"(%f) ({
  ^bb0(%x: f32):
    "scf.condition"(%n, %f) : (index, f32) -> ()
  }, {
  ^bb0(%x: f32):
    scf.yield %f : f32
  }) : (f32) -> f32
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (4)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : i32, upperBoundMap = affine_map<() -> (4)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, upperBoundMap = affine_map<() -> (4)>}> ({
  ^bb0(%i: index):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (4)>}> ({
  ^bb0(%i: i32):
    "affine.yield"() : () -> ()
  }) : () -> ()
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  %0 = affine.for %i = 0 to 4 iter_args(%x = %f) -> (f32) {
    affine.yield %x : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  %0 = affine.for %i = 0 to 4 iter_args(%x = %f) -> (f32) {
    affine.yield
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  %0 = affine.for %i = 0 to 4 iter_args(%x = %f) -> (f32) {
    affine.yield %i : index
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  affine.for %i = max affine_map<(d0) -> (d0, 2)>(%n) to min affine_map<(d0) -> (d0, 8)>(%n) {
    affine.for %j = %i to 8 step 2 {
      %0 = affine.load %m[%i, %j] : memref<4x8xf32>
      affine.store %0, %m[%i + 1, %j * 2] : memref<4x8xf32>
    }
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  affine.for %i = 0 to 4 {
    affine.store %n, %m[%i, %i] : memref<4x8xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  affine.for %i = 0 to 4 {
    affine.store %f, %m[%i] : memref<4x8xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  %0 = "affine.load"(%m, %n) <{map = affine_map<(d0) -> (d0, d0)>}> : (memref<4x8xf32>, index) -> f32
  %1 = "affine.load"(%m, %n) <{map = affine_map<(d0) -> (d0, d0)>}> : (memref<4x8xf32>, index) -> i32
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  %0 = "affine.load"(%m) <{map = affine_map<(d0) -> (d0, d0)>}> : (memref<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  %0 = "affine.load"(%f) <{map = affine_map<() -> (0, 0)>}> : (f32) -> f32
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  %0 = affine.load %m[0, symbol(%n)] : memref<4x8xf32>
  %1 = affine.vector_load %m[0, 0] : memref<4x8xf32>, vector<4xf32>
  affine.vector_store %1, %m[1, 0] : memref<4x8xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  %1 = affine.vector_load %m[0, 0] : memref<4x8xf32>, vector<4xi32>
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  affine.if affine_set<(d0) : (d0 >= 0)>(%n) {
    %0 = affine.load %m[0, 0] : memref<4x8xf32>
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  affine.if affine_set<(d0, d1) : (d0 >= 0)>(%n) {
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%n) -> f32 {
    affine.yield %f : f32
  }
  return
}
// -----
func.func @f(%n: index, %m: memref<4x8xf32>, %f: f32) {
  affine.parallel (%i, %j) = (0, 0) to (4, 8) {
    %0 = affine.load %m[%i, %j] : memref<4x8xf32>
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %0 = "affine.apply"(%i) <{map = affine_map<(d0) -> (d0)>}> : (i32) -> index
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %0 = "affine.apply"(%n) <{map = affine_map<(d0) -> (d0)>}> : (index) -> i32
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %0 = "affine.apply"(%n) : (index) -> index
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  affine.for %k = 0 to 4 {
    scf.yield
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %0 = scf.execute_region -> i32 {
    scf.yield %i : i32
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  scf.execute_region {
    func.return
  }
  return
}
// -----
func.func @f(%n: index, %i: i32) {
  %0 = affine.linearize_index [%n, %n] by (4, 8) : index
  %1:2 = affine.delinearize_index %n into (4, 8) : index, index
  return
}
