// block 64: i32[64] f32[64] 0i32[64] 0f32[64]
module attributes {gpu.container_module} {
gpu.module @m {
memref.global "private" constant @table : memref<4x3xi16> = dense<[[1, 2, 3], [-4, 5, -6], [7, 8, 9], [10, -11, 12]]>
gpu.func @other(%o: memref<64xi32>) kernel {
  %t = gpu.thread_id x
  %i = arith.index_cast %t : index to i32
  %r:3 = func.call @three(%i, %t) : (i32, index) -> (i32, index, i1)
  memref.store %r#0, %o[%r#1] : memref<64xi32>
  gpu.return
}
func.func private @three(%x: i32, %n: index) -> (i32, index, i1) {
  %c3 = arith.constant 3 : i32
  %c63 = arith.constant 63 : index
  %y = arith.remsi %x, %c3 : i32
  %z = arith.constant 0 : i32
  %c = arith.cmpi eq, %y, %z : i32
  %m = arith.subi %c63, %n : index
  return %y, %m, %c : i32, index, i1
}
func.func private @fold(%m: memref<?xf32>, %from: index, %flag: i1) -> f32 attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %from to %n step %c1 iter_args(%a = %zero) -> f32 {
    %v = memref.load %m[%i] : memref<?xf32>
    %p = arith.addf %a, %v : f32
    %q = arith.maximumf %a, %v : f32
    %r = arith.select %flag, %p, %q : f32
    scf.yield %r : f32
  }
  return %s : f32
}
gpu.func @helper(%x: i32) -> i32 {
  %t = memref.get_global @table : memref<4x3xi16>
  %u = arith.index_castui %x : i32 to index
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %i = arith.remui %u, %c4 : index
  %j = arith.remui %u, %c3 : index
  %v = memref.load %t[%i, %j] : memref<4x3xi16>
  %w = arith.extsi %v : i16 to i32
  gpu.return %w : i32
}
gpu.func @k(%a: memref<64xi32>, %f: memref<64xf32>, %o: memref<64xi32>, %g: memref<64xf32>) kernel {
  %t = gpu.thread_id x
  %v = memref.load %a[%t] : memref<64xi32>
  %r:3 = func.call @three(%v, %t) : (i32, index) -> (i32, index, i1)
  %h = func.call @lookup(%v) : (i32) -> i32
  %s = arith.addi %r#0, %h : i32
  memref.store %s, %o[%r#1] : memref<64xi32>
  %d = memref.cast %f : memref<64xf32> to memref<?xf32>
  %x = func.call @fold(%d, %t, %r#2) : (memref<?xf32>, index, i1) -> f32
  memref.store %x, %g[%t] : memref<64xf32>
  gpu.return
}
func.func @lookup(%x: i32) -> i32 {
  %t = memref.get_global @table : memref<4x3xi16>
  %u = arith.index_castui %x : i32 to index
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %i = arith.remui %u, %c4 : index
  %j = arith.remui %u, %c3 : index
  %v = memref.load %t[%i, %j] : memref<4x3xi16>
  %w = arith.extsi %v : i16 to i32
  return %w : i32
}
}
}
