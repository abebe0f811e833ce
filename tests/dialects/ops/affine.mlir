func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)> (%x)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)> (%x)[%n]
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<()[s0] -> (s0 * 4)> ()[%n]
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 floordiv 4 + d1 mod 3 - 7)> (%x, %y) {note}
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.min affine_map<(d0)[s0] -> (d0, s0, 16)> (%x)[%n]
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.max affine_map<(d0)[s0] -> (d0, s0, 16)> (%x)[%n]
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = 0 to 10 {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = 0 to 10 step 2 {
    %0 = affine.load %m1[%a] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = %x to %n {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = max affine_map<(d0) -> (d0, 4)>(%x) to min affine_map<(d0)[s0] -> (d0, s0)>(%x)[%n] {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = affine_map<(d0) -> (d0 + 4)>(%x) to affine_map<(d0)[s0] -> (d0 + s0)>(%x)[%n] step 3 {
  } {note}
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r = affine.for %a = 0 to 10 iter_args(%s = %f) -> (f32) {
    affine.yield %s : f32
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r:2 = affine.for %a = 0 to 10 iter_args(%s = %f, %t = %x) -> (f32, index) {
    affine.yield %s, %t : f32, index
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%x) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 4)>(%x)[%n] {
    memref.store %f, %m1[%x] : memref<100xf32>
  } else {
    memref.store %f, %m1[%x] : memref<100xf32>
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%x) -> f32 {
    affine.yield %f : f32
  } else {
    affine.yield %f : f32
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r:2 = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%x) -> (f32, f32) {
    affine.yield %f, %f : f32, f32
  } else {
    affine.yield %f, %f : f32, f32
  } {note}
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.parallel (%a, %b) = (0, 0) to (10, %n) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.parallel (%a, %b) = (0, %x) to (10, %n) step (2, 4) {
    %0 = affine.load %m[%a, %b] : memref<16x8xf32>
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r = affine.parallel (%a) = (0) to (10) reduce ("addf") -> f32 {
    affine.yield %f : f32
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r:2 = affine.parallel (%a, %b) = (0, 0) to (10, 4) reduce ("addf", "maximumf") -> (f32, f32) {
    affine.yield %f, %f : f32, f32
  } {note}
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.parallel (%a, %b) = (max(0, %x), 0) to (min(%n, 16), %n + 4) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.parallel () = () to () {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.parallel (%a) = (%x * 4 + 1) to (symbol(%n) + 2) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.load %m[%x, %y] : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.load %m[%x + 3, %y floordiv 4] : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.load %m[%x + symbol(%n), 7] {note} : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.load %m[0, 0] : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.store %f, %m[%x, %y mod 4] : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.store %f, %m1[%x * 2 + %y] : memref<100xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.store %f, %m1[-%x + 7 ceildiv 2] {note} : memref<100xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.vector_load %m1[%x + 3] : memref<100xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.vector_store %v, %m1[%x * 4] : memref<100xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.prefetch %m[%x, %y + 5], read, locality<3>, data : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.prefetch %m[%x, 0], write, locality<0>, instr {note} : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0:3 = affine.delinearize_index %x into (16, 4, 8) : index, index, index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0:2 = affine.delinearize_index %x into (16, %n) : index, index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0:2 = affine.delinearize_index %x into (4) : index, index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.delinearize_index %x into () : index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.linearize_index [%x, %y] by (4, 8) : index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.linearize_index disjoint [%x, %y, %n] by (%n, 4, 8) : index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.linearize_index [%x, %y] by (8) {note} : index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.linearize_index [] by () : index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.yield
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)> (%x, %y)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1, d0)> (%x)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)> (%x)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0) -> (d0 + 1)> (%i)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.min affine_map<(d0) -> ()> (%x)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = 0 to 10 step 0 {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = 0 to 10 step -1 {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = 0 to %i {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = affine_map<(d0) -> (d0, d0)>(%x) to 10 {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r = affine.for %a = 0 to 10 iter_args(%s = %f) -> (f32) {
    affine.yield %x : index
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%x, %y) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%x) -> f32 {
    affine.yield %f : f32
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.load %m[%x] : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.load %m[%x, %x * %y] : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.store %x, %m[%x, %y] : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %l = memref.load %m[%x, %y] : memref<16x8xf32>
  %q = arith.fptoui %l : f32 to i32
  %z = arith.index_cast %q : i32 to index
  %0 = affine.load %m[%z, %y] : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0:3 = affine.delinearize_index %x into (16, 0, 8) : index, index, index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0:3 = affine.delinearize_index %x into (16, 4) : index, index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.delinearize_index %x into (16, 4, 3) : index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.linearize_index [%x, %y] by (4, 8, 9) : index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.linearize_index [%x, %y] by (-4, 8) : index
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r = affine.parallel (%a) = (0) to (10) reduce ("foo") -> f32 {
    affine.yield %f : f32
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r = affine.parallel (%a) = (0) to (10) reduce ("addf") -> (f32, f32) {
    affine.yield %f : f32
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.parallel (%a) = (0, 1) to (10) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.parallel (%a) = (0) to (10) step (0) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0:2 = "affine.delinearize_index"(%x, %n) <{static_basis = array<i64: 4>}> : (index, index) -> (index, index)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = "affine.linearize_index"(%x, %n) <{operandSegmentSizes = array<i32: 1, 1>, static_basis = array<i64: 4>}> : (index, index) -> (index)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = "affine.apply"(%x, %n) <{map = affine_map<(d0) -> (d0)>}> : (index, index) -> (index)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = "affine.min"(%x, %n) <{map = affine_map<(d0) -> (d0)>}> : (index, index) -> (index)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = "affine.load"(%m1, %x, %n) <{map = affine_map<(d0) -> (d0)>}> : (memref<100xf32>, index, index) -> (f32)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  "affine.if"(%x, %n) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
    "affine.yield"() : () -> ()
  }, {
  }): (index, index) -> ()
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %r:2 = affine.for %a = 0 to 10 iter_args(%s = %f) -> (f32, f32) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.for %a = 0 to 10 iter_args(%s = %f) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.load %m1[%x floordiv %y] : memref<100xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.load %m1[symbol(%x) * symbol(%y) + symbol(%x)] : memref<100xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0) -> (d1)>(%x)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0, d0) -> (d0)>(%x, %x)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 * d1)>(%x, %x)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 mod d1)>(%x, %x)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.if affine_set<(d0) : (d0)>(%x) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.if affine_map<(d0) -> (d0)>(%x) {
  }
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  %0 = affine.apply affine_set<(d0) : (d0 >= 0)>(%x)
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.prefetch %m[%x, 0], foo, locality<0>, instr : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.prefetch %m[%x, 0], read, locality<4>, instr : memref<16x8xf32>
  return
}
// -----
func.func @f(%x: index, %y: index, %n: index, %f: f32, %m: memref<16x8xf32>, %m1: memref<100xf32>, %c: i1, %v: vector<4xf32>, %i: i32, %d: memref<?xf32>) {
  affine.prefetch %m[%x], read, locality<2>, data : memref<16x8xf32>
  return
}
// -----
#m = affine_map<(d0) -> (d0)>
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  %c0 = arith.constant 0 : index
  affine.for %k = 0 to 8 {
  affine.dma_start %a[%k + 3], %b[%k mod 2, %k], %t[%c0], %n : memref<256xf32>, memref<2x32xf32, 1>, memref<1xi32>
  affine.dma_start %a[%k], %b[0, symbol(%i)], %t[%c0], %n, %s, %n : memref<256xf32>, memref<2x32xf32, 1>, memref<1xi32>
  affine.dma_wait %t[%k mod 2], %n: memref<1xi32>
  }
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32, 1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.dma_start %a[%n], %b[0, %n], %t[%n], %n, %s : memref<256xf32>, memref<2x32xf32, 1>, memref<1xi32>
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.dma_start %a[%n], %b[0, %n], %t[%n], %n : memref<256xf32>, memref<2x32xf32>, memref<1xi32>
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32,1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.dma_start %a[%n], %b[0], %t[%n], %n : memref<256xf32>, memref<2x32xf32,1>, memref<1xi32>
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32,1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.dma_start %a[%n], %b[0,1], %t[%n,1], %n : memref<256xf32>, memref<2x32xf32,1>, memref<1xi32>
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32,1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.dma_start %a[%n], %b[0,1], %t[%n], %n : memref<256xf32>, memref<2x32xf32,1>
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32,1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.dma_start %a[%n], %b[0,1], %t[%n], %n : memref<256xf32>, i32, memref<1xi32>
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32,1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.for %k = 0 to 4 {
  %l = memref.load %t[%k] : memref<1xi32>
  %m = arith.index_cast %l : i32 to index
  affine.dma_start %a[%m], %b[0,1], %t[%n], %n : memref<256xf32>, memref<2x32xf32,1>, memref<1xi32>
  }
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32,1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.for %k = 0 to 4 {
  %l = memref.load %t[%k] : memref<1xi32>
  %m = arith.index_cast %l : i32 to index
  affine.dma_wait %t[%m], %n : memref<1xi32>
  }
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32,1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.dma_wait %t[%i,%i], %n : memref<1xi32>
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32,1>, %t: memref<1xi32>, %i: index, %n: index, %s: index) {
  affine.dma_wait %t[%i], %n : i32
  return
}
// -----
func.func @f(%a: memref<256xf32>, %b: memref<2x32xf32,1>, %t: memref<1xi32>, %i: i32, %n: index, %s: index) {
  affine.dma_wait %t[0], %i : memref<1xi32>
  return
}
// -----
func.func @extents(%m: memref<4 x ? x f32>, %v: vector<[ 4 ]xf32>, %t: tensor<2 x 3 x i32>) { return }
// -----
func.func @tensors(%a: tensor<4x?xf64>, %b: tensor<*xi32>) {
  %0 = arith.cmpf ult, %a, %a : tensor<4x?xf64>
  %1 = arith.cmpi eq, %b, %b : tensor<*xi32>
  return
}
// -----
func.func @quoted(%m: memref<4xf32>, %f: f32, %i: index) {
  %0 = memref.atomic_rmw "addf" %f, %m[%i] : (f32, memref<4xf32>) -> f32
  return
}
// -----
func.func @part(%a: vector<4xi32>, %b: vector<8xi32>) {
  %0 = "llvm.intr.vector.insert"(%b, %a) <{pos = 4 : i64}> : (vector<8xi32>, vector<4xi32>) -> vector<8xi32>
  return
}
