module {
  gpu.module @m { gpu.func @k() kernel { gpu.return } }
  func.func @f(%s: index) {
    gpu.launch_func @m::@k blocks in (%s, %s, %s) threads in (%s, %s, %s)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  func.func @f(%s: index) {
    gpu.launch_func @m::@k blocks in (%s, %s, %s) threads in (%s, %s, %s)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  module @m { }
  func.func @f(%s: index) {
    gpu.launch_func @m::@k blocks in (%s, %s, %s) threads in (%s, %s, %s)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @m { }
  func.func @f(%s: index) {
    gpu.launch_func @m::@k blocks in (%s, %s, %s) threads in (%s, %s, %s)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @k() { gpu.return } }
  func.func @f(%s: index) {
    gpu.launch_func @m::@k blocks in (%s, %s, %s) threads in (%s, %s, %s)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @k(%a: f32) kernel { gpu.return } }
  func.func @f(%s: index) {
    gpu.launch_func @m::@k blocks in (%s, %s, %s) threads in (%s, %s, %s)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @k(%a: f32) kernel { gpu.return } }
  func.func @f(%s: index) {
    gpu.launch_func @m::@k blocks in (%s, %s, %s) threads in (%s, %s, %s) args(%s : index)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @m { gpu.func @k() kernel { gpu.return } }
  func.func @f(%s: index, %i: i32) {
    gpu.launch_func @m::@k blocks in (%s, %s, %s) threads in (%s, %s, %i)
    return
  }
}
// -----
module attributes {gpu.container_module = 1} { }
// -----
func.func @f() attributes {gpu.container_module} { return }
// -----
func.func @f() attributes {gpu.known_block_size = array<i32: 1, 2>} { return }
// -----
func.func @f() attributes {gpu.known_block_size = array<i32: 1, 2, 3>} { return }
// -----
func.func @f() attributes {gpu.known_grid_size = 3 : i32} { return }
// -----
func.func @f() attributes {gpu.known_cluster_size = array<i64: 1, 2, 3>} { return }
// -----
gpu.module @m { gpu.func @k() kernel attributes {known_block_size = array<i32: 2, 1>} { gpu.return } }
// -----
gpu.module @m { gpu.func @k() -> f32 kernel { gpu.return } }
// -----
gpu.module @m { gpu.func @k() -> f32 { gpu.return } }
// -----
gpu.module @m { gpu.func @k(%a: i32) -> f32 { gpu.return %a : i32 } }
// -----
gpu.module @m { gpu.func @k() workgroup(%a: i32) { gpu.return } }
// -----
gpu.module @m { gpu.func @k() workgroup(%a: memref<4xf32>) { gpu.return } }
// -----
gpu.module @m { gpu.func @k() private(%a: memref<4xf32, 3>) { gpu.return } }
// -----
gpu.module @m { gpu.func @k() workgroup(%a: memref<4xf32, 3>) private(%b: memref<4xf32, 5>) { gpu.return } }
// -----
gpu.module @m { gpu.func @k() workgroup(%a: memref<4xf32, #gpu.address_space<private>>) { gpu.return } }
// -----
gpu.module @m { func.func @k() { gpu.return } }
// -----
func.func @f() { gpu.return }
// -----
gpu.func @k() kernel { gpu.return }
// -----
gpu.module @m { gpu.func private @k() }
// -----
gpu.module @m { gpu.func @k(f32) kernel { gpu.return } }
// -----
func.func @f(%a: f32) { %r = gpu.all_reduce %a {} : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.all_reduce add %a { ^bb(%x: f32, %y: f32): gpu.yield %x : f32 } : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.all_reduce %a { ^bb(%x: f32): gpu.yield %x : f32 } : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.all_reduce %a { ^bb(%x: f32, %y: i32): gpu.yield %x : f32 } : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.all_reduce %a { ^bb(%x: f32, %y: f32): gpu.yield } : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.all_reduce %a { ^bb(%x: f32, %y: f32): gpu.yield %x, %y : f32, f32 } : (f32) -> f32
  return }
// -----
func.func @f(%a: f32, %i: i32) { %r = gpu.all_reduce %a { ^bb(%x: f32, %y: f32): %c = arith.constant 1 : i32
 gpu.yield %c : i32 } : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.all_reduce and %a {} : (f32) -> f32
  return }
// -----
func.func @f(%a: i32) { %r = gpu.all_reduce minnumf %a {} : (i32) -> i32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.all_reduce add %a {} : (f32) -> f64
  return }
// -----
func.func @f(%a: vector<2x2xf32>) { %r = gpu.subgroup_reduce add %a : (vector<2x2xf32>) -> vector<2x2xf32>
  return }
// -----
func.func @f(%a: vector<[2]xf32>) { %r = gpu.subgroup_reduce add %a : (vector<[2]xf32>) -> vector<[2]xf32>
  return }
// -----
func.func @f(%a: f32) { %r = gpu.subgroup_reduce and %a : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.subgroup_reduce add %a cluster(size = 0) : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.subgroup_reduce add %a cluster(size = 3) : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.subgroup_reduce add %a cluster(size = 4, stride = 3) : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.subgroup_reduce add %a cluster(stride = 4) : (f32) -> f32
  return }
// -----
func.func @f(%a: f32) { %r = gpu.subgroup_reduce add %a cluster(size = 4, stride = 2) : (f32) -> f32
  return }
// -----
func.func @f(%a: f32, %i: i32, %l: i64) { %r, %v = gpu.shuffle xor %a, %i, %l : f32
  return }
// -----
func.func @f(%a: f32, %i: i32) { %r, %v = "gpu.shuffle"(%a, %i, %i) <{mode = #gpu<shuffle_mode xor>}> : (f32, i32, i32) -> (i32, i1)
  return }
// -----
func.func @f(%a: index, %i: i32) { %r, %v = gpu.shuffle xor %a, %i, %i : index
  return }
// -----
func.func @f(%a: vector<4x4xf32>, %i: i32) { %r, %v = gpu.shuffle xor %a, %i, %i : vector<4x4xf32>
  return }
// -----
func.func @f(%a: f32) { %r, %v = gpu.rotate %a, 40, 32 : f32
  return }
// -----
func.func @f(%a: f32) { %r, %v = gpu.rotate %a, 4, 12 : f32
  return }
// -----
func.func @f(%a: f32) { %r, %v = gpu.rotate %a, -1, 16 : f32
  return }
// -----
func.func @f(%a: f32, %i: i32) { %r = gpu.subgroup_broadcast %a, first_active_lane %i : f32
  return }
// -----
func.func @f(%a: f32, %i: i32) { %r = gpu.subgroup_broadcast %a, specific_lane : f32
  return }
// -----
func.func @f() { %r = gpu.dynamic_shared_memory : memref<?xi8>
  return }
// -----
func.func @f() { %r = gpu.dynamic_shared_memory : memref<16xi8, #gpu.address_space<workgroup>>
  return }
// -----
func.func @f() { %r = gpu.dynamic_shared_memory : memref<?xf32, #gpu.address_space<workgroup>>
  return }
// -----
func.func @f() { %r = gpu.dynamic_shared_memory : memref<?xi8, 3>
  return }
// -----
func.func @f() { %r = gpu.thread_id x upper_bound 64
  return }
// -----
func.func @f() { %r = "gpu.thread_id"() <{dimension = #gpu<dim x>, upper_bound = 4 : i32}> : () -> index
  return }
// -----
func.func @f() { %r = gpu.thread_id w
  return }
// -----
func.func @f(%s: memref<*xf32>) { gpu.host_register %s : memref<*xf32>
  return }
// -----
func.func @f(%s: memref<4xf32>) { gpu.host_register %s : memref<4xf32>
  return }
// -----
func.func @f(%d: memref<4xf32>, %s: memref<4xi32>) { gpu.memcpy %d, %s : memref<4xf32>, memref<4xi32>
  return }
// -----
func.func @f(%d: memref<4xf32>, %s: memref<7xf32>) { gpu.memcpy %d, %s : memref<4xf32>, memref<7xf32>
  return }
// -----
func.func @f(%d: memref<4xf32>, %v: f64) { gpu.memset %d, %v : memref<4xf32>, f64
  return }
// -----
func.func @f(%n: index) { %a = gpu.alloc (%n) : memref<4xf32>
  return }
// -----
func.func @f(%n: index) { %a = gpu.alloc () : memref<?xf32>
  return }
// -----
func.func @f(%n: index) { %a = gpu.alloc () [%n] : memref<4xf32>
  return }
// -----
func.func @f(%n: index) { %a = gpu.alloc async [] () : memref<4xf32>
  return }
// -----
func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">) { return }
// -----
func.func @f(%a: !gpu.mma_matrix<16xf16, "AOp">) { return }
// -----
func.func @f(%a: !gpu.mma_matrix<16x16xi16, "AOp">) { return }
// -----
func.func @f(%a: !gpu.mma_matrix<16x16xf16, "EOp">) { return }
// -----
func.func @f(%a: !gpu.mma_matrix<16x16xf16>) { return }
// -----
func.func @f(%a: !gpu.foo) { return }
// -----
func.func @f(%m: memref<32x32xf16, 3>, %i: index) { %r = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "COp">
  return }
// -----
func.func @f(%m: memref<32x32xf16, strided<[32, 2]>, 3>, %i: index) { %r = gpu.subgroup_mma_load_matrix %m[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, strided<[32, 2]>, 3> -> !gpu.mma_matrix<16x16xf16, "COp">
  return }
// -----
func.func @f(%m: memref<32x32xf16, 3>, %a: !gpu.mma_matrix<16x16xf16, "AOp">, %i: index) { gpu.subgroup_mma_store_matrix %a, %m[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "AOp">, memref<32x32xf16, 3>
  return }
// -----
func.func @f(%m: memref<32x32xf16, strided<[32, 2]>, 3>, %a: !gpu.mma_matrix<16x16xf16, "COp">, %i: index) { gpu.subgroup_mma_store_matrix %a, %m[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16, strided<[32, 2]>, 3>
  return }
// -----
func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf16, "COp">) { %d = gpu.subgroup_mma_compute %b, %a, %c : !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x16xf16, "AOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  return }
// -----
func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<8x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf16, "COp">) { %d = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<8x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  return }
// -----
func.func @f(%c: !gpu.mma_matrix<16x16xf16, "COp">, %f: f32) { %d = gpu.subgroup_mma_constant_matrix %f : !gpu.mma_matrix<16x16xf16, "COp">
  return }
// -----
func.func @f(%c: !gpu.mma_matrix<16x16xf16, "COp">, %f: f32) { %d = gpu.subgroup_mma_elementwise foo %c : (!gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
  return }
// -----
func.func @f(%s: index) { "gpu.launch"(%s, %s, %s, %s, %s, %s) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({ ^bb0(%a: index): gpu.terminator }) : (index, index, index, index, index, index) -> ()
  return }
// -----
func.func @f(%l: index) { %r = gpu.warp_execute_on_lane_0(%l)[32] -> (vector<4xf32>) { }
  return }
// -----
func.func @f(%l: index) { %r = gpu.warp_execute_on_lane_0(%l)[32] -> (vector<4xf32>) { %c = arith.constant dense<1.0> : vector<100xf32>
  gpu.yield %c : vector<100xf32> }
  return }
// -----
func.func @f(%l: index) { %r = gpu.warp_execute_on_lane_0(%l)[32] -> (vector<4xf32>) { %c = arith.constant dense<1.0> : vector<128x1xf32>
  gpu.yield %c : vector<128x1xf32> }
  return }
// -----
gpu.binary @b [#gpu.object<#nvvm.target, "x">]
// -----
gpu.binary @b []
// -----
func.func @f() { gpu.printf "x", %a : i32
  return }
// -----
func.func @f(%a: memref<4xf32>) { gpu.printf "x", %a : memref<4xf32>
  return }
