module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%arg0: f32, %arg1: memref<?xf32, 1>) kernel {
      %0 = gpu.thread_id x
      gpu.return
    }
    gpu.func @k2(%arg0: f32) workgroup(%b : memref<32xf32, 3> {llvm.align = 64 : i64}) private(%p : memref<1xf32, 5>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} { gpu.return }
  }
  func.func @host(%m: memref<?xf32, 1>, %f: f32) {
    %c1 = arith.constant 1 : index
    %c0i = arith.constant 0 : i32
    %t0 = gpu.wait async
    %t = gpu.launch_func async [%t0] @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) dynamic_shared_memory_size %c0i args(%f : f32, %m : memref<?xf32, 1>)
    gpu.launch_func @kernels::@k clusters in (%c1, %c1, %c1) blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%f : f32, %m : memref<?xf32, 1>)
    gpu.wait [%t]
    return
  }
}
// -----
func.func @launch(%sz: index, %m: memref<?xf32, 1>) {
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %sz, %gy = %sz, %gz = %sz) threads(%tx, %ty, %tz) in (%sx = %sz, %sy = %sz, %sz2 = %sz) {
    "use"(%bx) : (index) -> ()
    gpu.terminator
  }
  return
}
// -----
func.func @launch_async(%sz: index) {
  %t = gpu.launch async blocks(%bx, %by, %bz) in (%gx = %sz, %gy = %sz, %gz = %sz) threads(%tx, %ty, %tz) in (%sx = %sz, %sy = %sz, %sz2 = %sz) {
    gpu.terminator
  }
  %t2 = gpu.launch async [%t] blocks(%bx, %by, %bz) in (%gx = %sz, %gy = %sz, %gz = %sz) threads(%tx, %ty, %tz) in (%sx = %sz, %sy = %sz, %sz2 = %sz) module(@m) function(@f) {
    gpu.terminator
  }
  return
}
// -----
func.func @launch_cluster(%sz: index) {
  gpu.launch clusters(%cx, %cy, %cz) in (%lx = %sz, %ly = %sz, %lz = %sz) blocks(%bx, %by, %bz) in (%gx = %sz, %gy = %sz, %gz = %sz) threads(%tx, %ty, %tz) in (%sx = %sz, %sy = %sz, %sz2 = %sz) workgroup(%w : memref<32xf32, 3>) private(%p : memref<1xf32>) {
    gpu.terminator
  } {foo = 1 : i32}
  return
}
// -----
module attributes {gpu.container_module} {
func.func @sparse(%arg0: index) {
  %token0 = gpu.wait async
  %mem1, %token1 = gpu.alloc async [%token0] (%arg0) : memref<?xindex>
  %mem2, %token2 = gpu.alloc async [%token1] (%arg0) : memref<?xf64>
  %spmat, %token4 = gpu.create_coo async [%token2] %arg0, %arg0, %arg0, %mem1, %mem1, %mem2 : memref<?xindex>, memref<?xindex>, memref<?xf64>
  %dnvec, %token5 = gpu.create_dn_tensor async [%token4] %mem2, %arg0 : index into memref<?xf64>
  %bufferSz, %token6 = gpu.spmv_buffer_size async [%token5] %spmat, %dnvec, %dnvec into f64
  %token7 = gpu.spmv async [%token6] %spmat, %dnvec, %dnvec, %mem2 : memref<?xf64> into f64
  %token8 = gpu.destroy_sp_mat async [%token7] %spmat
  %token9 = gpu.destroy_dn_tensor async [%token8] %dnvec
  gpu.wait [%token9]
  return
}
}
// -----
gpu.module @m <#gpu.select_object<0>> [#nvvm.target<chip = "sm_90">, #rocdl.target<chip = "gfx90a">, #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>] {
}
// -----
gpu.module @m [#xevm.target<>] {}
// -----
gpu.binary @b <#gpu.select_object<1>> [#gpu.object<#nvvm.target, bin = "abc">, #gpu.object<#nvvm.target, kernels = <[#gpu.kernel_metadata<"k", (i32) -> ()>]>, assembly = "x">]
// -----
func.func @alloc(%s: index) {
  %m0 = gpu.alloc () : memref<13xf32, 1>
  gpu.dealloc %m0 : memref<13xf32, 1>
  %0 = gpu.wait async
  %m1, %t1 = gpu.alloc async [%0] () : memref<13xf32, 1>
  %t2 = gpu.dealloc async [%t1] %m1 : memref<13xf32, 1>
  %m2 = gpu.alloc host_shared (%s) : memref<?xf32, 1>
  gpu.memcpy %m1, %m1 : memref<13xf32, 1>, memref<13xf32, 1>
  %t3 = gpu.memcpy async [%t2] %m1, %m1 : memref<13xf32, 1>, memref<13xf32, 1>
  %cst = arith.constant 1.0 : f32
  gpu.memset %m1, %cst : memref<13xf32, 1>, f32
  return
}
// -----
func.func @mma(%a: memref<32x32xf16, 3>, %b: memref<32x32xf16, 3>) {
  %wg = memref.alloca() {alignment = 32} : memref<32x32xf16, 3>
  %i = arith.constant 16 : index
  %cst = arith.constant 1.0 : f16
  %0 = gpu.subgroup_mma_load_matrix %wg[%i, %i] {leadDimension = 32 : index} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "AOp">
  %1 = gpu.subgroup_mma_load_matrix %wg[%i, %i] {leadDimension = 32 : index, transpose} : memref<32x32xf16, 3> -> !gpu.mma_matrix<16x16xf16, "BOp">
  %2 = gpu.subgroup_mma_constant_matrix %cst : !gpu.mma_matrix<16x16xf16, "COp">
  %3 = gpu.subgroup_mma_compute %0, %1, %2 {a_transpose} : !gpu.mma_matrix<16x16xf16, "AOp">, !gpu.mma_matrix<16x16xf16, "BOp"> -> !gpu.mma_matrix<16x16xf16, "COp">
  %4 = gpu.subgroup_mma_elementwise addf %3, %2 : (!gpu.mma_matrix<16x16xf16, "COp">, !gpu.mma_matrix<16x16xf16, "COp">) -> !gpu.mma_matrix<16x16xf16, "COp">
  gpu.subgroup_mma_store_matrix %4, %wg[%i, %i] {leadDimension = 32 : index} : !gpu.mma_matrix<16x16xf16, "COp">, memref<32x32xf16, 3>
  return
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg1: !transform.any_op {transform.readonly}) {
    %funcop = transform.structured.match ops{["gpu.launch"]} in %arg1 : (!transform.any_op) -> !transform.any_op
    transform.gpu.map_nested_forall_to_threads %funcop block_dims = [12, 9, 1] : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
// -----
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%toplevel: !transform.any_op {transform.readonly}) {
    %gpu = transform.structured.match ops{["gpu.module"]} in %toplevel : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %gpu {
      transform.apply_patterns.gpu.eliminate_barriers
      transform.apply_patterns.gpu.unroll_vectors_subgroup_mma [16, 16, 8]
    } : !transform.any_op
    transform.apply_conversion_patterns to %gpu {
      transform.apply_conversion_patterns.dialect_to_llvm "memref"
      transform.apply_conversion_patterns.func.func_to_llvm
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {index_bitwidth = 64, use_bare_ptr = true}
    } {legal_dialects = ["llvm"], partial_conversion} : !transform.any_op
    transform.yield
  }
}
// -----
func.func @par(%a: index) {
  scf.parallel (%i, %j) = (%a, %a) to (%a, %a) step (%a, %a) {
    scf.reduce
  } { mapping = [#gpu.loop_dim_map<processor = block_x, map = (d0) -> (d0), bound = (d0) -> (d0)>, #gpu.loop_dim_map<processor = sequential, map = (d0) -> (d0), bound = (d0) -> (d0)>] }
  return
}
