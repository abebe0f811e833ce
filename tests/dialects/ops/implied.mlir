// Names without a dialect: which one is meant in the regions of each operation.
module {
 foo
}
// -----
func.func @f() {
 foo
}
// -----
gpu.module @m {
 foo
}
// -----
gpu.module @m {
 gpu.func @k() {
 foo
}
}
// -----
llvm.func @f() {
 foo
}
// -----
llvm.mlir.global internal @f() : i32 {
 foo
}
// -----
func.func @f(%i: index) {
 scf.for %j = %i to %i step %i {
 foo
}
}
// -----
func.func @f(%i: i1) {
 scf.if %i {
 foo
}
}
// -----
func.func @f(%i: i1) {
 scf.while : () -> () {
 foo
}
}
// -----
func.func @f(%i: index) {
 scf.parallel (%j) = (%i) to (%i) step (%i) {
 foo
}
}
// -----
func.func @f(%i: index) {
 scf.forall (%j) in (4) {
 foo
}
}
// -----
func.func @f(%i: index) {
 scf.execute_region {
 foo
}
}
// -----
func.func @f(%i: index) {
 scf.index_switch %i
 default {
 foo
}
}
// -----
func.func @f(%i: index) {
 affine.for %j = 0 to 4 {
 foo
}
}
// -----
func.func @f(%i: index) {
 affine.parallel (%j) = (0) to (4) {
 foo
}
}
// -----
func.func @f(%i: index) {
 affine.if affine_set<() : (0 == 0)>() {
 foo
}
}
// -----
func.func @f(%i: index) {
 gpu.launch blocks(%a,%b,%c) in (%d=%i,%e=%i,%g=%i) threads(%h,%j,%k) in (%l=%i,%m=%i,%n=%i) {
 foo
}
}
// -----
func.func @f(%i: f32) {
 gpu.all_reduce %i {
 foo
} : (f32) -> f32
}
// -----
func.func @f(%i: index) {
 gpu.warp_execute_on_lane_0(%i)[32] {
 foo
}
}
// -----
func.func @f(%i: vector<4xi1>) {
 vector.mask %i { foo
} : vector<4xi1>
}
// -----
func.func @f(%i: index) {
 memref.alloca_scope {
 foo
}
}
// -----
func.func @f(%i: index, %m: memref<4xf32>) {
 memref.generic_atomic_rmw %m[%i] : memref<4xf32> {
^bb0(%a: f32):
 foo
}
}
// -----
func.func @f(%i: index) {
 tensor.generate %i {
^bb0(%a: index):
 foo
} : tensor<?xf32>
}
// -----
func.func @f(%i: memref<f32>) {
 linalg.generic {indexing_maps=[affine_map<()->()>],iterator_types=[]} outs(%i : memref<f32>) {
^bb0(%a: f32):
 foo
}
}
// -----
transform.sequence failures(propagate) {
^bb0(%a: !transform.any_op):
 foo
}
// -----
module attributes {transform.with_named_sequence} {
transform.named_sequence @f(%a: !transform.any_op) {
 foo
}
}
// -----
async.func @f() -> !async.token {
 foo
}
// -----
func.func @f() {
 async.execute {
 foo
}
}
// -----
llvm.comdat @f {
 foo
}
// -----
"func.func"() <{sym_name="f",function_type=()->()}> ({
 foo
}) : () -> ()
// -----
func.func @f(%i: i1) {
 "scf.if"(%i) ({
 foo
}, {}) : (i1) -> ()
}
// -----
func.func @f(%i: i1) {
  scf.if %i {
    call @f(%i) : (i1) -> ()
    yield
  }
  return
}
// -----
module {
  func.func private @f()
}
// -----
llvm.func @g() {
  return
}
