// block 96: i32[96] f32[96] 0i32[96,6] 0f32[96,3]
module attributes {gpu.container_module} {
gpu.module @m {
gpu.func @k(%a: memref<96xi32>, %f: memref<96xf32>, %o: memref<96x6xi32>, %p: memref<96x3xf32>) kernel attributes {known_block_size = array<i32: 96, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %v = memref.load %a[%t] : memref<96xi32>
  %x = memref.load %f[%t] : memref<96xf32>
  %r0 = gpu.all_reduce %v uniform {
  ^bb0(%l: i32, %r: i32):
    %u = arith.xori %l, %r : i32
    %n = arith.constant 5 : i32
    %w = arith.andi %u, %u : i32
    gpu.yield %w : i32
  } : (i32) -> i32
  %r1 = gpu.all_reduce minui %v uniform {} : (i32) -> i32
  %r2 = gpu.all_reduce maximumf %x uniform {} : (f32) -> f32
  %s0 = gpu.subgroup_reduce add %v uniform : (i32) -> i32
  %s1 = gpu.subgroup_reduce maxsi %v cluster(size = 4) : (i32) -> i32
  %s2 = gpu.subgroup_reduce minimumf %x cluster(size = 8) : (f32) -> f32
  %off = arith.constant 5 : i32
  %w32 = arith.constant 32 : i32
  %w8 = arith.constant 8 : i32
  %h0, %p0 = gpu.shuffle xor %v, %off, %w32 : i32
  %h1, %p1 = gpu.shuffle down %x, %off, %w32 : f32
  %h2, %p2 = gpu.shuffle idx %v, %off, %w32 : i32
  %pi = arith.extui %p1 : i1 to i32
  %hf = arith.select %p1, %h1, %x : f32
  %lane = gpu.lane_id
  %sg = arith.addi %lane, %t : index
  %li = arith.index_cast %lane : index to i32
  %si = arith.index_cast %sg : index to i32
  %mix0 = arith.addi %r0, %r1 : i32
  %mix1 = arith.addi %s0, %s1 : i32
  %mix2 = arith.addi %li, %si : i32
  memref.store %mix0, %o[%t, %c0] : memref<96x6xi32>
  memref.store %mix1, %o[%t, %c1] : memref<96x6xi32>
  memref.store %h0, %o[%t, %c2] : memref<96x6xi32>
  memref.store %h2, %o[%t, %c3] : memref<96x6xi32>
  memref.store %pi, %o[%t, %c4] : memref<96x6xi32>
  memref.store %mix2, %o[%t, %c5] : memref<96x6xi32>
  memref.store %r2, %p[%t, %c0] : memref<96x3xf32>
  memref.store %s2, %p[%t, %c1] : memref<96x3xf32>
  memref.store %hf, %p[%t, %c2] : memref<96x3xf32>
  gpu.return
}
}
}
