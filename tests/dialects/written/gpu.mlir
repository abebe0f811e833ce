module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @a(%x: f32, %m: memref<?xf32, 1>) kernel { gpu.return }
    gpu.func @b(%x: f32) workgroup(%s: memref<32xf32, 3>) private(%p: memref<1xf32, 5>) kernel attributes {foo = 1, known_block_size = array<i32: 32, 1, 1>} { gpu.return }
    gpu.func @c(%x: f32) -> f32 { gpu.return %x : f32 }
    gpu.func @d(%x: f32 {llvm.noalias}) -> (f32 {a}, f32) { gpu.return %x, %x : f32, f32 }
    gpu.func private @e()
    gpu.func @w() workgroup(%a: memref<4xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %b: memref<5xf32, #gpu.address_space<workgroup>>) kernel { gpu.return }
  }
  func.func @launch(%n: index, %f: f32, %m: memref<?xf32, 1>, %i: i32) {
    gpu.launch_func @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%f : f32, %m : memref<?xf32, 1>)
    gpu.launch_func @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n) dynamic_shared_memory_size %i args(%f : f32, %m : memref<?xf32, 1>)
    gpu.launch_func @k::@a clusters in (%n, %n, %n) blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%f : f32, %m : memref<?xf32, 1>)
    %t = gpu.wait async
    %t2 = gpu.launch_func async [%t] @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%f : f32)
    gpu.wait [%t, %t2]
    %l = arith.constant 3 : i64
    gpu.launch_func @k::@b blocks in (%l, %l, %l) threads in (%l, %l, %l) : i64 args(%f : f32)
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) { gpu.terminator }
    gpu.launch clusters(%cx, %cy, %cz) in (%a = %n, %b = %n, %c = %n) blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) { gpu.terminator }
    gpu.launch async blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) dynamic_shared_memory_size %i workgroup(%w: memref<4xf32, 3>) private(%p: memref<2xf32, 5>) { gpu.terminator } {foo}
    %t3 = gpu.launch async [%t] blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) module(@m) function(@f) { gpu.terminator }
    %mem = gpu.alloc (%n) : memref<?xf32>
    %mem2, %t4 = gpu.alloc async [%t] host_shared (%n)[] : memref<?xf32, 1>
    gpu.dealloc %mem : memref<?xf32>
    %t5 = gpu.dealloc async [%t4] %mem2 : memref<?xf32, 1>
    gpu.memcpy %m, %m : memref<?xf32, 1>, memref<?xf32, 1>
    %t6 = gpu.memset async %m, %f : memref<?xf32, 1>, f32
    gpu.host_register %mem3 : memref<*xf32>
    gpu.set_default_device %i
    return
  }
}
// -----
gpu.module @k [#nvvm.target<chip = "sm_90">, #rocdl.target] { }
// -----
gpu.module @k <#gpu.select_object<1>> [#nvvm.target] attributes {a} { }
// -----
gpu.module @k [#nvvm.target<O = 3, chip = "sm_80", features = "+ptx80", flags = {fast, ftz}>, #spirv.target_env<#spirv.vce<v1.0, [], []>, #spirv.resource_limits<>>] { 
}
// -----
gpu.binary @b [#gpu.object<#nvvm.target, "x">]
gpu.binary @c <#gpu.select_object<#nvvm.target<chip="sm_70">>> [#gpu.object<#nvvm.target, offload = "x">, #gpu.object<#nvvm.target, properties = {O = 3 : i32}, assembly = "abc\00">, #gpu.object<#nvvm.target, kernels = #gpu.kernel_table<[#gpu.kernel_metadata<"k", (i32) -> ()>]>, "a">] {foo}
gpu.binary @d [#gpu.object<#rocdl.target, "x">]
// -----
gpu.binary @d []
// -----
func.func @ops(%i: i32, %f: f32, %n: index, %v: vector<4xf32>, %m: memref<16x16xf16, 3>) {
  %0 = gpu.thread_id x
  %1 = gpu.thread_id y upper_bound 64
  %2 = gpu.block_dim z
  %3 = gpu.grid_dim x upper_bound 12 {a}
  %4 = gpu.global_id x
  %5 = gpu.cluster_id x
  %6 = gpu.cluster_block_id y
  %7 = gpu.cluster_dim x
  %8 = gpu.cluster_dim_blocks z
  %9 = gpu.lane_id
  %10 = gpu.lane_id upper_bound 32
  %11 = gpu.subgroup_id : index
  %12 = gpu.subgroup_id upper_bound 4 : index
  %13 = gpu.num_subgroups : index
  %14 = gpu.subgroup_size : index
  %15 = gpu.subgroup_size upper_bound 32 : index
  gpu.barrier
  gpu.barrier memfence []
  gpu.barrier memfence [#gpu.address_space<workgroup>, #gpu.address_space<global>]
  gpu.barrier {x}
  %16, %17 = gpu.shuffle xor %f, %i, %i : f32
  %18:2 = gpu.shuffle idx %v, %i, %i : vector<4xf32>
  %19 = gpu.all_reduce add %f {} : (f32) -> (f32)
  %20 = gpu.all_reduce %f { ^bb(%a: f32, %b: f32): 
    gpu.yield %a : f32 
  } : (f32) -> (f32)
  %21 = gpu.all_reduce maxsi %i uniform { } : (i32) -> (i32)
  %22 = gpu.subgroup_reduce add %f : (f32) -> f32
  %23 = gpu.subgroup_reduce add %v uniform cluster(size = 4, stride = 2) {a} : (vector<4xf32>) -> vector<4xf32>
  %24 = gpu.subgroup_reduce mul %f cluster(size = 1) : (f32) -> (f32)
  gpu.printf "hi %d", %i : i32
  gpu.printf "hi\n"
  gpu.printf "%f %d", %f, %i : f32, i32
  %25 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %26 = gpu.subgroup_mma_load_matrix %m[%n, %n] {leadDimension = 16 : index} : memref<16x16xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %27 = gpu.subgroup_mma_load_matrix %m[%n, %n] {leadDimension = 16 : index, transpose} : memref<16x16xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %28 = gpu.subgroup_mma_constant_matrix %f : !gpu.mma_matrix<16x16xf32, "COp">
  %29 = gpu.subgroup_mma_compute %26, %27, %28 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %30 = gpu.subgroup_mma_elementwise addf %28, %28 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %30, %m[%n, %n] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf16, 3>
  %31 = gpu.subgroup_mma_extract_thread_local %28[%n] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
  %32 = gpu.subgroup_mma_insert_thread_local %f, %28[%n] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %33, %34 = gpu.rotate %f, 1, 16 : f32
  %35 = gpu.subgroup_broadcast %f, first_active_lane : f32
  %36 = gpu.subgroup_broadcast %f, specific_lane %i : f32
  return
}
// -----
func.func @ops(%i: i32, %f: f32, %n: index, %v: vector<4xf32>, %m: memref<16x16xf16, 3>) {
  %0 = gpu.thread_id x
  %1 = gpu.thread_id y upper_bound 64
  %2 = gpu.block_dim z
  %3 = gpu.grid_dim x upper_bound 12 {a}
  %4 = gpu.global_id x
  %5 = gpu.cluster_id x
  %6 = gpu.cluster_block_id y
  %7 = gpu.cluster_dim x
  %8 = gpu.cluster_dim_blocks z
  %9 = gpu.lane_id
  %10 = gpu.lane_id upper_bound 32
  %11 = gpu.subgroup_id : index
  %12 = gpu.subgroup_id upper_bound 4 : index
  %13 = gpu.num_subgroups : index
  %14 = gpu.subgroup_size : index
  %15 = gpu.subgroup_size upper_bound 32 : index
  gpu.barrier
  gpu.barrier {x}
  %16, %17 = gpu.shuffle xor %f, %i, %i : f32
  %18:2 = gpu.shuffle idx %v, %i, %i : vector<4xf32>
  %19 = gpu.all_reduce add %f {} : (f32) -> (f32)
  %20 = gpu.all_reduce %f { ^bb(%a: f32, %b: f32): 
    gpu.yield %a : f32 
  } : (f32) -> (f32)
  %21 = gpu.all_reduce maxsi %i uniform { } : (i32) -> (i32)
  %22 = gpu.subgroup_reduce add %f : (f32) -> f32
  %23 = gpu.subgroup_reduce add %v uniform cluster(size = 4, stride = 2) {a} : (vector<4xf32>) -> vector<4xf32>
  %24 = gpu.subgroup_reduce mul %f cluster(size = 1) : (f32) -> (f32)
  gpu.printf "hi %d", %i : i32
  gpu.printf "hi\n"
  gpu.printf "%f %d", %f, %i : f32, i32
  %25 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %26 = gpu.subgroup_mma_load_matrix %m[%n, %n] {leadDimension = 16 : index} : memref<16x16xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %27 = gpu.subgroup_mma_load_matrix %m[%n, %n] {leadDimension = 16 : index, transpose} : memref<16x16xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %28 = gpu.subgroup_mma_constant_matrix %f : !gpu.mma_matrix<16x16xf32, "COp">
  %29 = gpu.subgroup_mma_compute %26, %27, %28 : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %30 = gpu.subgroup_mma_elementwise addf %28, %28 : (!gpu.mma_matrix<16x16xf32, "COp">, !gpu.mma_matrix<16x16xf32, "COp">) -> !gpu.mma_matrix<16x16xf32, "COp">
  gpu.subgroup_mma_store_matrix %30, %m[%n, %n] {leadDimension = 16 : index} : !gpu.mma_matrix<16x16xf32, "COp">, memref<16x16xf16, 3>
  %31 = gpu.subgroup_mma_extract_thread_local %28[%n] : !gpu.mma_matrix<16x16xf32, "COp"> -> f32
  %32 = gpu.subgroup_mma_insert_thread_local %f, %28[%n] : f32, !gpu.mma_matrix<16x16xf32, "COp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  %33, %34 = gpu.rotate %f, 1, 16 : f32
  %35 = gpu.subgroup_broadcast %f, first_active_lane : f32
  %36 = gpu.subgroup_broadcast %f, specific_lane %i : f32
  return
}
// -----
func.func @sparse(%n: index, %m: memref<?xf32>, %x: memref<?xindex>) {
  %t = gpu.wait async
  %env, %t1 = gpu.create_dn_tensor async [%t] %m, %n : index into memref<?xf32>
  %sp, %t2 = gpu.create_coo async [%t1] %n, %n, %n, %x, %x, %m : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %sp2, %t3 = gpu.create_csr async [%t2] %n, %n, %n, %x, %x, %m : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %d, %t4 = gpu.create_dn_tensor async [%t3] %m, %n, %n : index, index into memref<?xf32>
  return
}
// -----
func.func @sparse(%n: index, %m: memref<?xf32>, %x: memref<?xindex>) {
  %t = gpu.wait async
  %env, %t1 = gpu.create_dn_tensor async [%t] %m, %n : index into memref<?xf32>
  %sp, %t2 = gpu.create_coo async [%t1] %n, %n, %n, %x, %x, %m : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %sp2, %t3 = gpu.create_csr async [%t2] %n, %n, %n, %x, %x, %m : memref<?xindex>, memref<?xindex>, memref<?xf32>
  %d, %t4 = gpu.create_dn_tensor async [%t3] %m, %n, %n : index, index into memref<?xf32>
  %b, %t5 = gpu.spmv_buffer_size async [%t4] %sp, %env, %env : f32
  %t6 = gpu.spmv async [%t5] %sp, %env, %env, %m : memref<?xf32> into f32
  %t7 = gpu.destroy_sp_mat async [%t6] %sp
  %t8 = gpu.destroy_dn_tensor async [%t7] %d
  gpu.wait [%t8]
  return
}
// -----
module {
  gpu.module @k {
    gpu.func @a() kernel -> f32 { gpu.return }
  }
}
// -----
module {
  gpu.module @k {
    gpu.func @a() -> f32 kernel { 
    %0 = arith.constant 1.0 : f32
    gpu.return %0 : f32 }
  }
}
// -----
gpu.module @k {
  gpu.func @a() kernel { 
    return
  }
}
// -----
gpu.module @k {
  gpu.func @a(%f: f32) -> f32 { 
    gpu.return
  }
}
// -----
gpu.module @k {
  gpu.func @a(%f: f32) -> i32 { 
    gpu.return %f : f32
  }
}
// -----
gpu.module @k {
  gpu.func @a() workgroup(%w: memref<4xf32>) kernel { 
    gpu.return
  }
}
// -----
gpu.module @k {
  gpu.func @a() workgroup(%w: i32) kernel { 
    gpu.return
  }
}
// -----
gpu.module @k {
  gpu.func @a() workgroup(%w: memref<?xf32, 3>) kernel { 
    gpu.return
  }
}
// -----
gpu.module @k {
  gpu.func @a() private(%w: memref<4xf32, 3>) kernel { 
    gpu.return
  }
}
// -----
gpu.func @a() kernel { 
  gpu.return
}
// -----
func.func @f() { gpu.return }
// -----
module attributes {gpu.container_module} {
  func.func @f(%n: index) {
    gpu.launch_func @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
// -----
module {
  gpu.module @k { gpu.func @a() kernel { gpu.return } }
  func.func @f(%n: index) {
    gpu.launch_func @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @a() kernel { gpu.return } }
  func.func @f(%n: index) {
    gpu.launch_func @k::@b blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @a() { gpu.return } }
  func.func @f(%n: index) {
    gpu.launch_func @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @a(%f: f32) kernel { gpu.return } }
  func.func @f(%n: index) {
    gpu.launch_func @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @a(%f: f32) kernel { gpu.return } }
  func.func @f(%n: index) {
    gpu.launch_func @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  gpu.module @k { gpu.func @a(%f: f32) kernel { gpu.return } }
  func.func @f(%n: index) {
    gpu.launch_func @a blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
}
// -----
module attributes {gpu.container_module} {
  func.func @k() { return }
  func.func @f(%n: index) {
    gpu.launch_func @k::@a blocks in (%n, %n, %n) threads in (%n, %n, %n) args(%n : index)
    return
  }
}
// -----
func.func @f(%n: index) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) { gpu.return }
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.all_reduce %f { } : (f32) -> (f32)
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.all_reduce add %f { ^bb(%a: f32, %b: f32): 
    gpu.yield %a : f32 } : (f32) -> (f32)
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.all_reduce %f { ^bb(%a: f32): 
    gpu.yield %a : f32 } : (f32) -> (f32)
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.all_reduce %f { ^bb(%a: f32, %b: i32): 
    gpu.yield %a : f32 } : (f32) -> (f32)
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.all_reduce %f { ^bb(%a: f32, %b: f32): 
    gpu.yield } : (f32) -> (f32)
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.all_reduce and %f {} : (f32) -> (f32)
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.all_reduce foo %f {} : (f32) -> (f32)
  return
}
// -----
func.func @f(%f: i32) {
  %0 = gpu.all_reduce maxnumf %f {} : (i32) -> (i32)
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.all_reduce add %f {} : (f32) -> (f64)
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.subgroup_reduce and %f : (f32) -> f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.subgroup_reduce add %f cluster(size = 3) : (f32) -> f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.subgroup_reduce add %f cluster(size = 4, stride = 3) : (f32) -> f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = gpu.subgroup_reduce add %f cluster(stride = 2) : (f32) -> f32
  return
}
// -----
func.func @f(%f: vector<2x2xf32>) {
  %0 = gpu.subgroup_reduce add %f : (vector<2x2xf32>) -> vector<2x2xf32>
  return
}
// -----
func.func @f(%f: f32, %i: i32) {
  %0, %1 = gpu.shuffle up %f, %f, %i : f32
  return
}
// -----
func.func @f(%f: index, %i: i32) {
  %0, %1 = gpu.shuffle up %f, %i, %i : index
  return
}
// -----
func.func @f(%f: f32, %i: i32) {
  %0, %1 = gpu.shuffle foo %f, %i, %i : f32
  return
}
// -----
func.func @f(%f: vector<[4]xf32>, %i: i32) {
  %0, %1 = gpu.shuffle up %f, %i, %i : vector<[4]xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0, %1 = gpu.rotate %f, 1, 12 : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0, %1 = gpu.rotate %f, 20, 16 : f32
  return
}
// -----
func.func @f(%m: memref<4xf32>, %n: memref<5xi32>) {
  gpu.memcpy %m, %n : memref<4xf32>, memref<5xi32>
  return
}
// -----
func.func @f(%m: memref<4xf32>, %n: i32) {
  gpu.memset %m, %n : memref<4xf32>, i32
  return
}
// -----
func.func @f(%n: index) {
  %0 = gpu.alloc () : memref<?xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = gpu.alloc (%n) : memref<4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = gpu.alloc host_shared (%n) : memref<?xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = gpu.thread_id w
  return
}
// -----
func.func @f(%n: index) {
  %0 = gpu.thread_id x upper_bound -1
  return
}
// -----
func.func @f(%n: index) attributes {known_block_size = array<i32: 1, 2>} {
  return
}
// -----
gpu.module @k {
  gpu.func @f() kernel attributes {known_block_size = array<i32: 1, 2>} { gpu.return }
}
// -----
func.func @f() attributes {gpu.known_block_size = array<i32: 1, 2>} { return }
// -----
func.func @f(%m: memref<16x16xf16, 3>, %n: index) {
  %26 = gpu.subgroup_mma_load_matrix %m[%n, %n] : memref<16x16xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  return
}
// -----
func.func @f(%m: memref<16x16xf16, 3>, %n: index) {
  %26 = gpu.subgroup_mma_load_matrix %m[%n, %n] {leadDimension = 16 : index} : memref<16x16xf16, 3> -> !gpu.mma_matrix<16x16xf16, "COp">
  return
}
// -----
func.func @f(%m: !gpu.mma_matrix<16x16xf16, "DOp">) {
  return
}
// -----
func.func @f(%m: !gpu.mma_matrix<16x16xi64, "AOp">) {
  return
}
// -----
func.func @f(%m: !gpu.mma_matrix<16xf16, "AOp">) {
  return
}
// -----
func.func @f(%m: !gpu.mma_matrix<?x16xf16, "AOp">) {
  return
}
// -----
func.func @f(%m: !gpu.foo) {
  return
}
// -----
func.func @f(%a: !gpu.mma_matrix<16x16xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">) {
  %29 = gpu.subgroup_mma_compute %b, %a, %c : !gpu.mma_matrix<16x16xf16, "BOp">, !gpu.mma_matrix<16x16xf16, "AOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}
// -----
func.func @f(%a: !gpu.mma_matrix<16x8xf16, "AOp">, %b: !gpu.mma_matrix<16x16xf16, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">) {
  %29 = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x8xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return
}
// -----
func.func @f(%f: f32) {
  %t = gpu.wait
  return
}
// -----
func.func @f() {
  %25 = gpu.dynamic_shared_memory : memref<?xi8>
  return
}
// -----
func.func @f() {
  %25 = gpu.dynamic_shared_memory : memref<?xi32, #gpu.address_space<workgroup>>
  return
}
// -----
func.func @f() {
  %25 = gpu.dynamic_shared_memory : memref<4xi8, #gpu.address_space<workgroup>>
  return
}
// -----
func.func @f(%l: index) {
  %0 = gpu.warp_execute_on_lane_0(%l)[32] -> (vector<4xf32>) {
    %a = "test.x"() : () -> vector<127xf32>
    gpu.yield %a : vector<127xf32>
  }
  return
}
// -----
func.func @f(%l: index, %v: vector<4xf32>) {
  gpu.warp_execute_on_lane_0(%l)[32] args(%v : vector<4xf32>) {
  }
  return
}
// -----
func.func @f(%p: memref<?xi64>, %i: index) {
  %0 = gpu.subgroup_mma_load_matrix %p[%i] {leadDimension = 32 : index} : memref<?xi64> -> !gpu.mma_matrix<16x16xf16, "COp">
  return }
// -----
func.func @f(%p: memref<?xsi8>, %i: index) {
  %0 = gpu.subgroup_mma_load_matrix %p[%i] {leadDimension = 32 : index} : memref<?xsi8> -> !gpu.mma_matrix<16x16xsi8, "COp">
  return }
// -----
func.func @f(%p: memref<?xf32>, %m: !gpu.mma_matrix<16x16xf16, "COp">, %i: index) {
  gpu.subgroup_mma_store_matrix %m, %p[%i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<?xbf16>
  return }
// -----
func.func @f(%p: memref<?xbf16>, %m: !gpu.mma_matrix<16x16xf16, "COp">, %i: index) {
  gpu.subgroup_mma_store_matrix %m, %p[%i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<?xbf16>
  return }
// -----
func.func @f(%p: memref<?xvector<4xf16>>, %i: index) {
  %0 = gpu.subgroup_mma_load_matrix %p[%i] {leadDimension = 32 : index} : memref<?xvector<4xf16>> -> !gpu.mma_matrix<16x16xf16, "COp">
  return }
// -----
func.func @f(%p: memref<?xvector<2x4xf16>>, %i: index) {
  %0 = gpu.subgroup_mma_load_matrix %p[%i] {leadDimension = 32 : index} : memref<?xvector<2x4xf16>> -> !gpu.mma_matrix<16x16xf16, "COp">
  return }
// -----
func.func @f(%a: !gpu.mma_matrix<16x16xsi8, "AOp">, %b: !gpu.mma_matrix<16x16xsi8, "BOp">, %c: !gpu.mma_matrix<16x16xf32, "COp">) {
  %0 = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xsi8, "AOp">, !gpu.mma_matrix<16x16xsi8, "BOp"> -> !gpu.mma_matrix<16x16xf32, "COp">
  return }
// -----
func.func @f(%a: !gpu.mma_matrix<16x16xf32, "AOp">, %b: !gpu.mma_matrix<16x16xf32, "BOp">, %c: !gpu.mma_matrix<16x16xsi8, "COp">) {
  %0 = gpu.subgroup_mma_compute %a, %b, %c : !gpu.mma_matrix<16x16xf32, "AOp">, !gpu.mma_matrix<16x16xf32, "BOp"> -> !gpu.mma_matrix<16x16xsi8, "COp">
  return }
// -----
func.func @f(%n: index) {
  %1 = gpu.dynamic_shared_memory : memref<?xf32, #gpu.address_space<workgroup>>
  return }
// -----
func.func @f(%n: index) {
  %1 = gpu.dynamic_shared_memory : memref<?xi8>
  return }
// -----
func.func @f(%n: index) {
  %1 = gpu.dynamic_shared_memory : memref<4xi8, #gpu.address_space<workgroup>>
  return }
// -----
func.func @f(%n: i8, %m: si32, %v: vector<4xf32>) {
  gpu.printf "a %d", %v : vector<4xf32>
  return }
// -----
func.func @f(%n: complex<f32>) {
  gpu.printf "a %d", %n : complex<f32>
  return }
// -----
module {
  "gpu.module"() <{offloadingHandler = 1.5 : f32, sym_name = "m", targets = [#nvvm.target]}> ({
  ^bb0:
  }) : () -> ()
}
// -----
gpu.module @m<#gpu.select_object<0>> [#nvvm.target] {
}
// -----
gpu.module @m<@symbol> [#nvvm.target] {
}
// -----
func.func @f() {
  %0 = gpu.alloc () : memref<2x3x4xtf32, strided<[?, ?, 1]>, 1>
  return
}
// -----
func.func @f(%n: index) {
  %0 = gpu.alloc ()[%n, %n] : memref<2x3x4xf32, strided<[?, ?, 1]>, 1>
  return
}
// -----
func.func @f(%m: memref<?xvector<f32>>, %f: vector<f32>, %t: !gpu.async.token) {
  %0 = gpu.memset async [%t] %m, %f : memref<?xvector<f32>>, vector<f32>
  return
}
// -----
func.func @f(%m: memref<?xf32>, %f: vector<f32>, %t: !gpu.async.token) {
  %0 = gpu.memset async [%t] %m, %f : memref<?xf32>, vector<f32>
  return
}
// -----
func.func @f(%m: memref<?xf32>, %f: f32, %t: !gpu.async.token) {
  %0 = gpu.memset async [%t] %m, %f : memref<?xf32>, f32
  return
}
// -----
func.func @f(%m: memref<?xf32>, %f: f64, %t: !gpu.async.token) {
  %0 = gpu.memset async [%t] %m, %f : memref<?xf32>, f64
  return
}
