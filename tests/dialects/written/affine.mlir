#set0 = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>
#map0 = affine_map<(d0)[s0] -> (d0 + s0, d0 - s0)>
func.func @f(%n: index, %m: memref<?x?xf32>, %v: memref<100xf32>) {
  affine.for %i = 0 to 10 { }
  affine.for %i = 0 to %n step 2 { affine.yield }
  affine.for %i = affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%n] to affine_map<(d0) -> (d0 * 2)>(%n) { }
  affine.for %i = max #map0(%n)[%n] to min #map0(%n)[%n] step 4 { }
  affine.for %i = %n to 5 { }
  affine.for %i = -1 to affine_map<()[s0] -> (s0)>()[%n] { }
  %f = arith.constant 0.0 : f32
  %0 = affine.for %i = 0 to 10 iter_args(%a = %f) -> (f32) { affine.yield %a : f32 }
  %1:2 = affine.for %i = 0 to 10 iter_args(%a = %f, %b = %n) -> (f32, index) { affine.yield %a, %b : f32, index } {foo}
  affine.for %i = 0 to 10 {
    affine.if #set0(%i)[%n] { }
    affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) { } else { }
    %x = affine.if #set0(%i)[%n] -> f32 { affine.yield %f : f32 } else { affine.yield %f : f32 }
    %y = affine.load %v[%i + 3] : memref<100xf32>
    %z = affine.load %m[%i + symbol(%n), %i floordiv 2 mod 3] : memref<?x?xf32>
    affine.store %y, %m[%i ceildiv 3 * 2, symbol(%n) - 4] : memref<?x?xf32>
    %w = affine.vector_load %v[%i] : memref<100xf32>, vector<4xf32>
    affine.vector_store %w, %v[%i + 7] {x} : memref<100xf32>, vector<4xf32>
    %ap = affine.apply affine_map<(d0)[s0] -> (d0 + s0 mod 3)>(%i)[%n]
    %ap1 = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%n]
    %mx = affine.max affine_map<(d0) -> (d0, 5)>(%i)
    %mn = affine.min affine_map<(d0)[s0] -> (d0, 5, s0)>(%i)[%n]
    affine.prefetch %v[%i], read, locality<2>, data : memref<100xf32>
  }
  affine.parallel (%i) = (0) to (10) { }
  affine.parallel (%i, %j) = (0, symbol(%n)) to (%n, 10) step (2, 3) { affine.yield }
  affine.parallel (%i, %j) = (max(0, %n), 1) to (min(%n, 5), %n + 10) { }
  %r = affine.parallel (%i) = (0) to (10) reduce ("addf") -> (f32) { affine.yield %f : f32 }
  %r2:2 = affine.parallel (%i) = (0) to (10) reduce ("maxnumf", "mulf") -> (f32, f32) { affine.yield %f, %f : f32, f32 }
  affine.parallel () = () to () { }
  %d:2 = affine.delinearize_index %n into (16, 4) : index, index
  %d3:3 = affine.delinearize_index %n into (%n, 16, 4) {a} : index, index, index
  %d4:2 = affine.delinearize_index %n into (16) : index, index
  %l = affine.linearize_index [%n, %n] by (4, 8) : index
  %l2 = affine.linearize_index disjoint [%n, %n] by (8) : index
  %l3 = affine.linearize_index [%n, %n] by (%n, 8) {b} : index
  return
}
// -----
#set0 = affine_set<(d0)[s0] : (d0 >= 0, -d0 + s0 - 1 >= 0)>
#map0 = affine_map<(d0)[s0] -> (d0 + s0, d0 - s0)>
func.func @f(%n: index, %m: memref<?x?xf32>, %v: memref<100xf32>) {
  affine.for %i = 0 to 10 { }
  affine.for %i = 0 to %n step 2 { affine.yield }
  affine.for %i = affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%n] to affine_map<(d0) -> (d0 * 2)>(%n) { }
  affine.for %i = max #map0(%n)[%n] to min #map0(%n)[%n] step 4 { }
  affine.for %i = %n to 5 { }
  affine.for %i = -1 to affine_map<()[s0] -> (s0)>()[%n] { }
  %f = arith.constant 0.0 : f32
  %0 = affine.for %i = 0 to 10 iter_args(%a = %f) -> (f32) { affine.yield %a : f32 }
  %1:2 = affine.for %i = 0 to 10 iter_args(%a = %f, %b = %n) -> (f32, index) { affine.yield %a, %b : f32, index } {foo}
  affine.for %i = 0 to 10 {
    affine.if #set0(%i)[%n] { }
    affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) { } else { }
    %x = affine.if #set0(%i)[%n] -> f32 { affine.yield %f : f32 } else { affine.yield %f : f32 }
    %y = affine.load %v[%i + 3] : memref<100xf32>
    %z = affine.load %m[%i + symbol(%n), %i floordiv 2 mod 3] : memref<?x?xf32>
    affine.store %y, %m[%i ceildiv 3 * 2, symbol(%n) - 4] : memref<?x?xf32>
    %w = affine.vector_load %v[%i] : memref<100xf32>, vector<4xf32>
    affine.vector_store %w, %v[%i + 7] {x} : memref<100xf32>, vector<4xf32>
    %ap = affine.apply affine_map<(d0)[s0] -> (d0 + s0 mod 3)>(%i)[%n]
    %ap1 = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%n]
    %mx = affine.max affine_map<(d0) -> (d0, 5)>(%i)
    %mn = affine.min affine_map<(d0)[s0] -> (d0, 5, s0)>(%i)[%n]
    affine.prefetch %v[%i], read, locality<2>, data : memref<100xf32>
  }
  affine.parallel (%i) = (0) to (10) { }
  affine.parallel (%i, %j) = (0, symbol(%n)) to (%n, 10) step (2, 3) { affine.yield }
  affine.parallel (%i, %j) = (max(0, %n), 1) to (min(%n, 5), %n + 10) { }
  %r = affine.parallel (%i) = (0) to (10) reduce ("addf") -> (f32) { affine.yield %f : f32 }
  affine.parallel () = () to () { }
  %d:2 = affine.delinearize_index %n into (16, 4) : index, index
  %d3:3 = affine.delinearize_index %n into (%n, 16, 4) {a} : index, index, index
  %d4:2 = affine.delinearize_index %n into (16) : index, index
  %l = affine.linearize_index [%n, %n] by (4, 8) : index
  %l2 = affine.linearize_index disjoint [%n, %n] by (8) : index
  %l3 = affine.linearize_index [%n, %n] by (%n, 8) {b} : index
  return
}
// -----
func.func @dma(%a: memref<100xf32>, %b: memref<100xf32, 2>, %t: memref<1xi32>, %n: index) {
  affine.for %i = 0 to 10 {
    affine.dma_start %a[%i + 7], %b[%i], %t[0], %n : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
    affine.dma_start %a[%i], %b[%i], %t[%i mod 2], %n, %n, %n : memref<100xf32>, memref<100xf32, 2>, memref<1xi32>
    affine.dma_wait %t[%i mod 2], %n : memref<1xi32>
  }
  return
}
// -----
func.func @bad(%n: index) {
  affine.for %i = 0 to 10 step 0 { }
  return
}
// -----
func.func @bad(%n: index) {
  affine.for %i = 0 to 10 step -1 { }
  return
}
// -----
func.func @bad(%n: index) {
  affine.for %i = %n to 10 { 
    %x = arith.muli %i, %i : index
    affine.for %j = %x to 10 { }
  }
  return
}
// -----
func.func @bad(%n: index, %m: memref<10xf32>) {
  affine.for %i = %n to 10 { 
    %x = arith.muli %i, %i : index
    %0 = affine.load %m[%x] : memref<10xf32>
  }
  return
}
// -----
func.func @bad(%n: index, %m: memref<10xf32>) {
  affine.for %i = %n to 10 { 
    %0 = affine.load %m[%i * %i] : memref<10xf32>
  }
  return
}
// -----
func.func @bad(%n: index, %m: memref<10xf32>) {
  affine.for %i = %n to 10 { 
    %0 = affine.load %m[symbol(%i)] : memref<10xf32>
  }
  return
}
// -----
func.func @bad(%n: index, %m: memref<10x10xf32>) {
  %0 = affine.load %m[%n] : memref<10x10xf32>
  return
}
// -----
func.func @bad(%n: index, %m: memref<10x10xf32>, %x: i32) {
  affine.store %x, %m[%n, %n] : memref<10x10xf32>
  return
}
// -----
func.func @bad(%n: index) {
  %0 = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%n)
  return
}
// -----
func.func @bad(%n: index) {
  %0 = affine.apply affine_map<(d0) -> (d0, d0)>(%n)
  return
}
// -----
func.func @bad(%n: index) {
  %0 = affine.min affine_map<(d0)[s0] -> (d0)>(%n)
  return
}
// -----
func.func @bad(%n: index) {
  %0 = affine.min affine_map<(d0) -> ()>(%n)
  return
}
// -----
func.func @bad(%n: i32) {
  %0 = affine.apply affine_map<(d0) -> (d0)>(%n)
  return
}
// -----
#set = affine_set<(d0) : (d0 >= 0)>
func.func @bad(%n: index) {
  affine.if #set(%n, %n) { }
  return
}
// -----
#set = affine_set<(d0) : (d0 >= 0)>
func.func @bad(%n: index) {
  %0 = affine.if #set(%n) -> index { affine.yield %n : index }
  return
}
// -----
#map = affine_map<(d0) -> (d0)>
func.func @bad(%n: index) {
  affine.if #map(%n) { }
  return
}
// -----
func.func @bad(%n: index) {
  affine.if affine_set<(d0) : (d0 * d0 >= 0)>(%n) { }
  return
}
// -----
func.func @bad(%n: index) {
  affine.if affine_set<(d0) : (d0 > 0)>(%n) { }
  return
}
// -----
func.func @bad(%n: index) {
  affine.for %i = affine_map<(d0) -> (d0, d0)>(%n) to 10 { }
  return
}
// -----
func.func @bad(%n: index) {
  affine.for %i = min affine_map<(d0) -> (d0, d0)>(%n) to 10 { }
  return
}
// -----
func.func @bad(%n: index) {
  affine.for %i = 0 to 10 { affine.yield %n : index }
  return
}
// -----
func.func @bad(%n: index) {
  affine.for %i = 0 to 10 iter_args(%a = %n) -> (index) { }
  return
}
// -----
func.func @bad(%n: index) {
  %0 = affine.for %i = 0 to 10 iter_args(%a = %n) -> (i32) { affine.yield %a : index }
  return
}
// -----
func.func @bad(%n: index) {
  affine.parallel (%i, %j) = (0, 0) to (100, 100) step (10) { }
  return
}
// -----
func.func @bad(%n: index) {
  affine.parallel (%i, %j) = (0) to (100, 100) step (10, 10) { }
  return
}
// -----
func.func @bad(%n: index) {
  affine.parallel (%i) = (0) to (100) step (0) { }
  return
}
// -----
func.func @bad(%n: index, %f: f32) {
  %0 = affine.parallel (%i) = (0) to (100) reduce ("foo") -> (f32) { affine.yield %f : f32 }
  return
}
// -----
func.func @bad(%n: index, %f: f32) {
  %0 = affine.parallel (%i) = (0) to (100) reduce ("addf") -> (i32) { affine.yield %f : f32 }
  return
}
// -----
func.func @bad(%n: index, %f: f32) {
  %0:2 = affine.parallel (%i) = (0) to (100) reduce ("addf") -> (f32, f32) { affine.yield %f, %f : f32, f32 }
  return
}
// -----
func.func @bad(%n: index) {
  %d:2 = affine.delinearize_index %n into (16, 4, 3) : index, index
  return
}
// -----
func.func @bad(%n: index) {
  %d:2 = affine.delinearize_index %n into (16, 0) : index, index
  return
}
// -----
func.func @bad(%n: index) {
  %d = affine.delinearize_index %n into () : index
  return
}
// -----
func.func @bad(%n: index) {
  %l = affine.linearize_index [%n, %n] by (4, 8, 2) : index
  return
}
// -----
func.func @bad(%n: index) {
  %l = affine.linearize_index [%n, %n] by (4, -8) : index
  return
}
// -----
func.func @bad(%n: index, %m: memref<10xf32>) {
  %0 = affine.vector_load %m[%n] : memref<10xf32>, vector<4xi32>
  return
}
// -----
func.func @bad(%n: index, %m: memref<10xf32>) {
  affine.yield
}
// -----
func.func @bad(%n: index, %m: memref<10xf32>) {
  affine.prefetch %m[%n], foo, locality<2>, data : memref<10xf32>
  return
}
// -----
#map = affine_map<(d0, d0) -> (d0)>
// -----
#map = affine_map<(d0) -> (d1)>
// -----
#map = affine_map<(d0)[s0] -> (d0 * s0 + d0 mod 0)>
// -----
#map = affine_map<(d0)[s0] -> (d0 floordiv s0, d0 ceildiv -2)>
// -----
#map = affine_map<(d0) -> (d0 +)>
// -----
#map = affine_map<(d0 -> (d0)>
// -----
#map = affine_map<(d0) -> (d0 * d0)>
// -----
#map = affine_map<(d0, d1) -> (-d0, -(d0 - d1) * 3, (d0 + d1) mod 4, d0 - d1 - 5, 3 * d0, d0 + d0, d0 - d0, 2 + 3 * 4 - d0, (d0 floordiv 4) * 4 + d0 mod 4)>
func.func private @x(memref<?x?xf32, affine_map<(d0, d1) -> (d1, d0)>>) attributes {m = #map, n = affine_map<() -> ()>, o = affine_map<()[s0] -> (s0 ceildiv 2)>, p = affine_set<(d0)[s0] : (d0 == s0, d0 <= 5, 3 <= s0)>}
// -----
#a = affine_map<(a, b)[c] -> (a + b * c)>
#b = affine_map<(d0, d1)[s0] -> (d0 + d1 * s0)>
#c = affine_set<(x) : (x - 1 >= 0, x == 0)>
func.func private @x() attributes {m = #a, n = #b, c = #c, e = affine_set<() : ()>}
// -----
func.func @ops(%n: index) attributes {m = affine_map<(d0) -> (d0 mod 1, d0 floordiv 1, d0 * 0, d0 * 1 + 0, 5 mod 3, -7 floordiv 2, -7 mod 3, 7 ceildiv 2)>} {
  return
}
// -----
func.func @f(%a: index, %m: memref<16xf32>, %v: f32) {
  "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [], steps = [1], upperBoundsGroups = dense<100> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (4)>}> ({
    ^bb0(%i: index):
      "affine.yield"() : () -> ()
   }) : () -> ()
  return
}
