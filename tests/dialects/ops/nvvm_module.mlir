func.func @f() attributes {nvvm.kernel} { return }
// -----
llvm.func @f() attributes {nvvm.kernel} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 1, 2, 3>, nvvm.minctasm = 2 : i32} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 1, 2, 3, 4>} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1, 2, 3, 4>} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.cluster_dim = array<i32: 1, 2, 3, 4>} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.maxntid = 32 : i32} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.maxntid = array<i64: 32>} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.maxntid = [32 : i32]} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.reqntid = "a"} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.minctasm = "foo"} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.maxnreg = "foo"} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.maxnreg = 2.0 : f32} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.cluster_max_blocks = "foo"} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.cluster_max_blocks = 8 : i32, nvvm.maxnreg = 64 : i32} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.blocksareclusters} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.blocksareclusters, nvvm.reqntid = array<i32: 1, 2, 3>} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 1, 2, 3>} { llvm.return }
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.blocksareclusters, nvvm.cluster_dim = array<i32: 1, 2, 3>, nvvm.reqntid = array<i32: 1, 2, 3>} { llvm.return }
// -----
llvm.func @f(%a: i32 {nvvm.grid_constant}) attributes {nvvm.kernel} { llvm.return }
// -----
llvm.func @f(%a: !llvm.ptr {llvm.byval = i32, nvvm.grid_constant}) { llvm.return }
// -----
llvm.func @f(%a: !llvm.ptr {llvm.byval = i32, nvvm.grid_constant = true}) attributes {nvvm.kernel} { llvm.return }
// -----
llvm.func @f(%a: !llvm.ptr {llvm.byval = i32, nvvm.grid_constant}) attributes {nvvm.kernel} { llvm.return }
// -----
llvm.func @f(%a: !llvm.ptr {nvvm.grid_constant = true}) { llvm.return }
// -----
module attributes {nvvm.kernel} { }
// -----
gpu.module @m { gpu.func @f() attributes {nvvm.kernel} { gpu.return } }
// -----
func.func @f() attributes {nvvm.maxntid = array<i32: 1, 2, 3, 4>} { return }
// -----
func.func @f() attributes {nvvm.minctasm = "a"} { return }
// -----
func.func @f() attributes {nvvm.grid_constant} { return }
// -----
func.func @f() { 
  %a = arith.constant 1 : i32
  %b = nvvm.read.ptx.sreg.tid.x range <i32, 1, 1> : i32
  %c = nvvm.read.ptx.sreg.tid.x range <i32, 0, 0> : i32
  %d = nvvm.read.ptx.sreg.tid.x range <i32, -1, -1> : i32
  return
}
// -----
func.func @f() { 
  %b = nvvm.read.ptx.sreg.tid.x range <i32, 1, 0> : i32
  %c = nvvm.read.ptx.sreg.tid.x range <i32, 0, 0> : i32
  %d = nvvm.read.ptx.sreg.tid.x range <i64, 0, 10> : i32
  return
}
// -----
func.func @f() { 
  %d = nvvm.read.ptx.sreg.tid.x range <i32, -1, -1> : i32
  return
}
// -----
func.func @f(%a: i32, %h: f16) { 
  nvvm.inline_ptx "x $0;" ro(%h : f16)
  return
}
// -----
func.func @f(%a: vector<2xf32>) { 
  %r = nvvm.inline_ptx "x $0, $1;" ro(%a : vector<2xf32>) -> f32
  return
}
// -----
gpu.module @m [#nvvm.target<triple = "">] { }
// -----
gpu.module @m [#nvvm.target<chip = "">] { }
// -----
gpu.module @m [#nvvm.target<O = 4>] { }
// -----
gpu.module @m [#nvvm.target<O = -1>] { }
// -----
gpu.module @m [#nvvm.target<link = [1]>] { }
// -----
gpu.module @m [#nvvm.target<chip = "sm_10">] { }
// -----
gpu.module @m [#nvvm.target<chip = "sm_90", foo = 1>] { }
// -----
gpu.module @m [#nvvm.target<chip = 3>] { }
// -----
gpu.module @m [] { }
// -----
gpu.module @m [1 : i32] { }
// -----
gpu.module @m [#nvvm.target<chip = "sm_70">] {
  func.func @f() { nvvm.cluster.arrive
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_70">] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_100a">] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_90", verifyTarget = false>] {
  func.func @f() { nvvm.wgmma.fence.aligned
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_80">, #nvvm.target<chip = "sm_90a">] {
  func.func @f() { nvvm.wgmma.fence.aligned
    nvvm.cluster.arrive
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_90">] {
  func.func @f(%t: !llvm.ptr<6>, %i: i32) { nvvm.tcgen05.dealloc %t, %i : !llvm.ptr<6>, i32
  return }
}
// -----
gpu.module @m [#nvvm.target<chip = "sm_120a">] {
  func.func @f(%t: !llvm.ptr<6>, %i: i32) { nvvm.tcgen05.dealloc %t, %i : !llvm.ptr<6>, i32
  return }
}
// -----
module attributes {gpu.container_module, foo.target = #nvvm.target<O = 7>} { }
// -----
func.func @f(%i: i32, %s: i16, %f: f32) {
  %r = nvvm.mma.sync A[%i] B[%i] C[%i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  return
}
// -----
func.func @f(%i: i32, %s: i16, %f: f32) {
  %r = nvvm.mma.sp.sync A[%i] B[%i] C[%i, %i] sparseMetadata[%i] selector[%i] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  return
}
// -----
func.func @f(%i: i32, %s: i16, %f: f32) {
  %r = nvvm.mma.sp.sync A[%i] B[%i] C[%i, %i] sparseMetadata[%i] selector[%i] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32) -> !llvm.struct<(i32, i32)>
  return
}
// -----
func.func @f(%i: i32, %s: i16, %f: f32) {
  %r = nvvm.mma.sp.sync A[%i] B[%i] C[%i, %i] sparseMetadata[%f] selector[%i] {shape = #nvvm.shape<m = 16, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  return
}
// -----
func.func @f(%i: i32, %s: i16, %f: f32) {
  %r = nvvm.mma.block_scale A[%i] B[%i] C[%f, %f] scaleA[%i, %s, %s] scaleB[%i, %s, %s] {blockScaleFormat = #nvvm.block_scale_format<ue8m0>, kind = #nvvm.block_scale_kind<mxf8f6f4>, scaleVecSize = #nvvm.scale_vec_size<x1>, shape = #nvvm.shape<m = 16, n = 8, k = 32>} : (i32, i32, f32) -> !llvm.struct<(f32, f32)>
  return
}
// -----
func.func @f(%i: i32, %s: i16, %f: f32) {
  %r = nvvm.mma.sync A[%i] B[%i] C[%i, %i] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, multiplicandAPtxType = #nvvm.mma_type<s8>, shape = #nvvm.shape<m = 8, n = 8, k = 16>} : (i32, i32, i32) -> !llvm.struct<(i32, i32)>
  return
}
// -----
func.func @f(%i: i32, %s: i16, %f: f32) {
  nvvm.mbarrier.inval %i : i32
  return
}
// -----
func.func @f(%p: !llvm.ptr<3>, %i: i32) {
  nvvm.mbarrier.init %p, %i : !llvm.ptr<3>
  return
}
// -----
func.func @f(%p: !llvm.ptr<3>, %i: i32) {
  %r = nvvm.mbarrier.arrive.nocomplete %p, %i : !llvm.ptr<3> -> i64
  return
}
// -----
func.func @f(%p: !llvm.ptr) {
  nvvm.prefetch level = L3, %p : !llvm.ptr
  return
}
// -----
func.func @f(%p: !llvm.ptr) {
  nvvm.prefetch level = %p : !llvm.ptr
  return
}
// -----
func.func @f(%p: !llvm.ptr) {
  nvvm.griddepcontrol foo
  return
}
// -----
func.func @f(%p: !llvm.ptr) {
  nvvm.griddepcontrol
  return
}
// -----
func.func @f(%p: !llvm.ptr<3>) {
  %l = nvvm.ldmatrix %p {num = 1 : i32, layout = i32, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  return
}
// -----
func.func @f(%p: !llvm.ptr<3>) {
  %l = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = 3 : i32, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  return
}
// -----
func.func @f(%p: !llvm.ptr<3>) {
  %l = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = "b16"} : (!llvm.ptr<3>) -> i32
  return
}
// -----
func.func @f(%p: !llvm.ptr<3>) {
  %l = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<diagonal>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  return
}
// -----
func.func @f(%p: !llvm.ptr<3>) {
  %l = nvvm.ldmatrix %p {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
  return
}
// -----
func.func @f() {
  nvvm.fence.proxy {kind = #nvvm.nothing<alias>}
  return
}
// -----
func.func @f() {
  nvvm.nothing
  return
}
