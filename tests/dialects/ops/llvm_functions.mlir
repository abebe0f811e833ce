llvm.func @f()
// -----
llvm.func @f() {
  llvm.return
}
// -----
llvm.func @f(i32, f32) -> i32
// -----
llvm.func @f(%a: i32, %b: f32) -> i32 {
  llvm.return %a : i32
}
// -----
llvm.func @f(%a: i32) -> i32 {
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  llvm.return %a : i32
}
// -----
llvm.func @f(%a: i32) -> i64 {
  llvm.return %a : i32
}
// -----
llvm.func @f(%a: i32) -> i64 {
  llvm.unreachable
}
// -----
llvm.func @f(%a: i32, %b: i32) -> i32 {
  "llvm.return"(%a, %b) : (i32, i32) -> ()
}
// -----
llvm.func @f(%a: index) {
  llvm.return
}
// -----
llvm.func @f(index)
// -----
llvm.func @f(memref<4xf32>)
// -----
llvm.func @f() -> index
// -----
llvm.func @f() -> !llvm.void
// -----
llvm.func @f() -> (i32, i32)
// -----
llvm.func @f() -> ()
// -----
llvm.func @f(...)
// -----
llvm.func @f(i32, ...) -> i32
// -----
llvm.func @f(..., i32)
// -----
llvm.func @f(i32, %a: i32)
// -----
llvm.func @f(%a: i32, i32) {
  llvm.return
}
// -----
llvm.func @f(i32) {
  llvm.return
}
// -----
llvm.func @f(%a: i32)
// -----
llvm.func internal @f() {
  llvm.return
}
// -----
llvm.func internal @f()
// -----
llvm.func private @f()
// -----
llvm.func linkonce @f()
// -----
llvm.func common @f() {
  llvm.return
}
// -----
llvm.func weak_odr @f() {
  llvm.return
}
// -----
llvm.func extern_weak @f()
// -----
llvm.func available_externally @f() {
  llvm.return
}
// -----
llvm.func appending @f() {
  llvm.return
}
// -----
llvm.func hidden @f() {
  llvm.return
}
// -----
llvm.func protected @f() {
  llvm.return
}
// -----
llvm.func internal hidden @f() {
  llvm.return
}
// -----
llvm.func unnamed_addr @f() {
  llvm.return
}
// -----
llvm.func local_unnamed_addr @f()
// -----
llvm.func weak protected unnamed_addr fastcc @f() {
  llvm.return
}
// -----
llvm.func ptx_kernelcc @f() {
  llvm.return
}
// -----
llvm.func ptx_kernel @f()
// -----
llvm.func foo @f()
// -----
llvm.func amdgpu_kernelcc @f()
// -----
llvm.func spir_kernelcc @f()
// -----
llvm.func @f() attributes {dso_local}
// -----
llvm.func @f() attributes {dso_local, passthrough = ["noinline", ["alignstack", "4"]]}
// -----
llvm.func @f() attributes {passthrough = [3 : i32]}
// -----
llvm.func @f() attributes {passthrough = "noinline"}
// -----
llvm.func @f() attributes {target_cpu = "sm_80", tune_cpu = "sm_80", target_features = #llvm.target_features<["+ptx80", "+sm_80"]>}
// -----
llvm.func @f() attributes {memory_effects = #llvm.memory_effects<other = read, argMem = read, inaccessibleMem = read, errnoMem = read, targetMem0 = read, targetMem1 = read>}
// -----
llvm.func @f() attributes {frame_pointer = #llvm.framePointerKind<all>}
// -----
llvm.func @f() attributes {no_unwind, will_return, no_inline, optimize_none, convergent}
// -----
llvm.func @f() attributes {always_inline, inline_hint}
// -----
llvm.func @f() attributes {no_inline, always_inline}
// -----
llvm.func @f() attributes {optimize_none}
// -----
llvm.func @f() attributes {no_unwind = 3 : i32}
// -----
llvm.func @f() attributes {alignment = 16 : i64, section = "foo", garbageCollector = "x"}
// -----
llvm.func @f() attributes {alignment = 16 : i32}
// -----
llvm.func @f() attributes {denormal_fp_math = "preserve-sign", fp_contract = "fast", no_nans_fp_math = true}
// -----
llvm.func @f() attributes {no_nans_fp_math}
// -----
llvm.func @f() attributes {vec_type_hint = #llvm.vec_type_hint<hint = i32, is_signed = true>, work_group_size_hint = array<i32: 1, 2, 3>, reqd_work_group_size = array<i32: 1, 2, 3>, intel_reqd_sub_group_size = 8 : i32}
// -----
llvm.func @f() attributes {vscale_range = #llvm.vscale_range<minRange = 1, maxRange = 16>}
// -----
llvm.func @f() attributes {function_entry_count = 42 : i64}
// -----
llvm.func @f() attributes {personality = @g}
// -----
llvm.func @f() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 128>, nvvm.minctasm = 2 : i32}
// -----
llvm.func @f() attributes {nvvm.kernel = 3 : i32}
// -----
llvm.func @f() attributes {nvvm.reqntid = [1]}
// -----
llvm.func @f() attributes {llvm.foo}
// -----
llvm.func @f() attributes {note = 1 : i32, "quoted" = 2}
// -----
llvm.func @f(!llvm.ptr {llvm.noalias, llvm.noundef, llvm.nonnull, llvm.nocapture, llvm.readonly, llvm.align = 16 : i64, llvm.dereferenceable = 8 : i64})
// -----
llvm.func @f(!llvm.ptr {llvm.byval = i32}, !llvm.ptr {llvm.sret = i32}, !llvm.ptr {llvm.byref = i32}, !llvm.ptr {llvm.inalloca = i32})
// -----
llvm.func @f(i32 {llvm.signext}, i32 {llvm.zeroext}, i32 {llvm.inreg}) -> (i32 {llvm.noundef, llvm.zeroext})
// -----
llvm.func @f(i32 {llvm.noalias})
// -----
llvm.func @f(i32 {llvm.byval = i32})
// -----
llvm.func @f(f32 {llvm.signext})
// -----
llvm.func @f(!llvm.ptr {llvm.byval})
// -----
llvm.func @f(!llvm.ptr {llvm.noalias = true})
// -----
llvm.func @f(!llvm.ptr {llvm.align = "x"})
// -----
llvm.func @f(!llvm.ptr {llvm.align})
// -----
llvm.func @f(!llvm.ptr {llvm.foo})
// -----
llvm.func @f(!llvm.ptr {llvm.nofpclass = 3 : i64})
// -----
llvm.func @f(!llvm.ptr {llvm.range = #llvm.constant_range<i32, 0, 4>})
// -----
llvm.func @f(i32 {llvm.range = #llvm.constant_range<i32, 0, 4>})
// -----
llvm.func @f(%a: !llvm.ptr {llvm.noalias, nvvm.grid_constant}) attributes {nvvm.kernel} {
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr {llvm.byval = !llvm.struct<(i32)>, nvvm.grid_constant}) attributes {nvvm.kernel} {
  llvm.return
}
// -----
llvm.func @f(%a: i32 {test.foo}) -> (i32 {test.bar}) {
  llvm.return %a : i32
}
// -----
llvm.func @f() -> (i32 {llvm.noalias})
// -----
llvm.func @f() -> (!llvm.ptr {llvm.noalias, llvm.nonnull, llvm.align = 8 : i64})
// -----
llvm.func @f() -> (!llvm.ptr {llvm.sret = i32})
// -----
llvm.func @f() -> (!llvm.ptr {llvm.readonly})
// -----
llvm.func @f() comdat(@c::@f)
// -----
llvm.comdat @c {
  llvm.comdat_selector @f any
}
llvm.func @f() comdat(@c::@f) {
  llvm.return
}
// -----
llvm.comdat @c {
  llvm.comdat_selector @f any
  llvm.comdat_selector @f largest
}
// -----
llvm.comdat @c {
  llvm.comdat_selector @f foo
}
// -----
llvm.comdat @c {
  llvm.mlir.global external @x() : i32
}
// -----
llvm.comdat @c {
}
// -----
llvm.comdat_selector @f any
// -----
llvm.func @f() {
  %0 = llvm.mlir.constant(1 : i32) : i32
}
// -----
llvm.func @f() {
}
// -----
llvm.func @f() {
^bb0:
}
// -----
llvm.func @f(%a: i32) {
^bb0(%b: i32):
  llvm.return
}
// -----
llvm.func @f() {
  llvm.return
  llvm.return
}
// -----
llvm.func @f() {
  llvm.br ^bb1
^bb1:
  llvm.br ^bb1
}
// -----
llvm.func @f() {
  llvm.br ^bb1
^bb1:
}
// -----
llvm.func @f() {
^bb1:
  llvm.br ^bb1
}
// -----
llvm.func @f(%a: i32) {
  llvm.br ^bb1(%a : i32)
^bb1(%b: i32):
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  llvm.br ^bb1
^bb1(%b: i32):
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  llvm.br ^bb1(%a : i32)
^bb1(%b: i64):
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  llvm.br ^bb1(%a, %a : i32, i32)
^bb1(%b: i32):
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  llvm.br ^bb2
^bb1:
  llvm.return
}
// -----
llvm.func @f(%c: i1, %a: i32) {
  llvm.cond_br %c, ^bb1, ^bb2(%a : i32)
^bb1:
  llvm.return
^bb2(%b: i32):
  llvm.return
}
// -----
llvm.func @f(%c: i1, %a: i32) {
  llvm.cond_br %c weights([3, 5]), ^bb1, ^bb2(%a : i32)
^bb1:
  llvm.return
^bb2(%b: i32):
  llvm.return
}
// -----
llvm.func @f(%c: i1, %a: i32) {
  llvm.cond_br %c weights([3, 5, 7]), ^bb1, ^bb1
^bb1:
  llvm.return
}
// -----
llvm.func @f(%c: i1, %a: i32) {
  llvm.cond_br %c weights([]), ^bb1, ^bb1
^bb1:
  llvm.return
}
// -----
llvm.func @f(%c: i1, %a: i32) {
  llvm.cond_br %c, ^bb1, ^bb1 {loop_annotation = #llvm.loop_annotation<mustProgress = true>}
^bb1:
  llvm.return
}
// -----
llvm.func @f(%c: i1, %a: i32) {
  llvm.cond_br %a, ^bb1, ^bb1
^bb1:
  llvm.return
}
// -----
llvm.func @f(%c: i1, %a: i32) {
  llvm.cond_br %c, ^bb1(%a : i32), ^bb2(%a : i32)
^bb1:
  llvm.return
^bb2(%b: i32):
  llvm.return
}
// -----
llvm.func @f(%c: i1, %a: i32) {
  llvm.cond_br %c, ^bb2(%a : i32), ^bb2(%c : i1)
^bb2(%b: i32):
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  llvm.switch %a : i32, ^bb1 [
  ]
^bb1:
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  llvm.switch %a : i32, ^bb1 [
    1: ^bb2(%a : i32),
    -3: ^bb1
  ]
^bb1:
  llvm.return
^bb2(%b: i32):
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  llvm.switch %a : i32, ^bb1 [
    1: ^bb2,
    2: ^bb1
  ]
^bb1:
  llvm.return
^bb2(%b: i32):
  llvm.return
}
// -----
llvm.func @f(%a: i64) {
  llvm.switch %a : i64, ^bb1 [
    1: ^bb1
  ] {branch_weights = array<i32: 13, 17>}
^bb1:
  llvm.return
}
// -----
llvm.func @f(%a: i64) {
  llvm.switch %a : i64, ^bb1 [
    1: ^bb1
  ] {branch_weights = array<i32: 13>}
^bb1:
  llvm.return
}
// -----
llvm.func @f(%a: f32) {
  llvm.switch %a : f32, ^bb1 [
    1: ^bb1
  ]
^bb1:
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  "llvm.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  "llvm.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<[1, 2]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  llvm.return
}
// -----
llvm.func @f(%a: i32) {
  "llvm.switch"(%a)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<1> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^bb1:
  llvm.return
}
// -----
llvm.func @g()
llvm.func @f() {
  llvm.call @g() : () -> ()
  llvm.return
}
// -----
llvm.func @f() {
  llvm.call @g() : () -> ()
  llvm.return
}
// -----
llvm.mlir.global external @g() : i32
llvm.func @f() {
  llvm.call @g() : () -> ()
  llvm.return
}
// -----
func.func private @g()
llvm.func @f() {
  llvm.call @g() : () -> ()
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%a) : (i32) -> i32
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%b) : (i64) -> i32
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%a, %a) : (i32, i32) -> i32
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g() : () -> i32
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%a) : (i32) -> i64
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32, %b: i64) {
  llvm.call @g(%a) : (i32) -> ()
  llvm.return
}
// -----
llvm.func @g(i32)
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%a) : (i32) -> i32
  llvm.return
}
// -----
llvm.func @g(i32, ...) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%a, %b) vararg(!llvm.func<i32 (i32, ...)>) : (i32, i64) -> i32
  llvm.return
}
// -----
llvm.func @g(i32, ...) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%a, %b) : (i32, i64) -> i32
  llvm.return
}
// -----
llvm.func @g(i32, ...) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%a, %b) vararg(!llvm.func<i32 (i64, ...)>) : (i32, i64) -> i32
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%a) vararg(!llvm.func<i32 (i32)>) : (i32) -> i32
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32, %b: i64) {
  %0 = llvm.call @g(%a) vararg(i32) : (i32) -> i32
  llvm.return
}
// -----
llvm.func @f(%p: !llvm.ptr, %a: i32) {
  %0 = llvm.call %p(%a) : !llvm.ptr, (i32) -> i32
  llvm.return
}
// -----
llvm.func @f(%p: !llvm.ptr, %a: i32) {
  llvm.call %p() : !llvm.ptr, () -> ()
  llvm.return
}
// -----
llvm.func @f(%p: !llvm.ptr, %a: i32) {
  %0 = llvm.call %a(%a) : i32, (i32) -> i32
  llvm.return
}
// -----
llvm.func @f(%p: !llvm.ptr, %a: i32) {
  %0 = llvm.call %p(%a) vararg(!llvm.func<i32 (i32, ...)>) : !llvm.ptr, (i32) -> i32
  llvm.return
}
// -----
llvm.func @f(%p: !llvm.ptr, %a: i32) {
  %0 = llvm.call %p(%a) : (i32) -> i32
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @f(%a: i32) {
  %0 = llvm.call @g(%a) {fastmathFlags = #llvm.fastmath<fast>} : (i32) -> i32
  llvm.return
}
// -----
llvm.func @g(f32) -> f32
llvm.func @f(%a: f32) {
  %0 = llvm.call fastcc tail @g(%a) {fastmathFlags = #llvm.fastmath<nnan, ninf>, no_unwind, convergent} : (f32) -> f32
  llvm.return
}
// -----
llvm.func @g(f32) -> f32
llvm.func @f(%a: f32) {
  %0 = llvm.call musttail @g(%a) : (f32) -> f32
  %1 = llvm.call notail @g(%a) : (f32) -> f32
  llvm.return
}
// -----
llvm.func @g(f32) -> f32
llvm.func @f(%a: f32) {
  %0 = llvm.call foo @g(%a) : (f32) -> f32
  llvm.return
}
// -----
llvm.func @g(f32) -> f32
llvm.func @f(%a: f32) {
  %0 = llvm.call @g(%a) ["tag"(%a : f32), "empty"()] : (f32) -> f32
  llvm.return
}
// -----
llvm.func @g(f32) -> f32
llvm.func @f(%a: f32) {
  %0 = llvm.call @g(%a) {branch_weights = array<i32: 1>} : (f32) -> f32
  llvm.return
}
// -----
llvm.func @g(f32) -> f32
llvm.func @f(%a: f32) {
  %0:2 = llvm.call @g(%a) : (f32) -> (f32, f32)
  llvm.return
}
// -----
llvm.func @g(!llvm.ptr) -> f32
llvm.func @f(%a: !llvm.ptr) {
  %0 = llvm.call @g(%a) : (!llvm.ptr {llvm.noalias, llvm.byval = i32}) -> (f32 {llvm.noundef})
  llvm.return
}
// -----
llvm.func @g(!llvm.ptr)
llvm.func @f(%a: !llvm.ptr) {
  "llvm.call"(%a) <{callee = @g, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (!llvm.ptr) -> ()
  llvm.return
}
// -----
llvm.func @g(!llvm.ptr)
llvm.func @f(%a: !llvm.ptr) {
  "llvm.call"(%a) <{callee = @g, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 1>}> : (!llvm.ptr) -> ()
  llvm.return
}
// -----
llvm.func @g(!llvm.ptr)
llvm.func @f(%a: !llvm.ptr) {
  "llvm.call"(%a) <{callee = @g, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 1>}> : (!llvm.ptr) -> ()
  llvm.return
}
// -----
llvm.func @g(!llvm.ptr)
llvm.func @f(%a: !llvm.ptr) {
  "llvm.call"(%a) <{callee = @g::@h, op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 1, 0>}> : (!llvm.ptr) -> ()
  llvm.return
}
// -----
llvm.func @f(%a: !llvm.ptr) {
  "llvm.call"() <{op_bundle_sizes = array<i32>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()
  llvm.return
}
// -----
llvm.func @f() {
  "llvm.return"() {a = 1} : () -> ()
}
// -----
llvm.func @f() -> !llvm.struct<(i32, f32)> {
  %0 = llvm.mlir.undef : !llvm.struct<(i32, f32)>
  llvm.return %0 : !llvm.struct<(i32, f32)>
}
// -----
func.func @f() {
  llvm.return
}
// -----
func.func @f(%a: i32) -> i32 {
  llvm.return %a : i32
}
// -----
module {
  llvm.return
}
// -----
llvm.func @f() {
  llvm.func @g()
  llvm.return
}
// -----
llvm.func @f() {
  func.return
}
// -----
llvm.func @f() {
  %0 = llvm.mlir.addressof @g : !llvm.ptr
  llvm.return
}
// -----
llvm.mlir.global external @g() : i32
llvm.func @f() {
  %0 = llvm.mlir.addressof @g : !llvm.ptr
  llvm.return
}
// -----
llvm.mlir.global external @g() {addr_space = 3 : i32} : i32
llvm.func @f() {
  %0 = llvm.mlir.addressof @g : !llvm.ptr
  llvm.return
}
// -----
llvm.mlir.global external @g() {addr_space = 3 : i32} : i32
llvm.func @f() {
  %0 = llvm.mlir.addressof @g : !llvm.ptr<3>
  llvm.return
}
// -----
llvm.func @f() {
  %0 = llvm.mlir.addressof @f : !llvm.ptr
  llvm.return
}
// -----
llvm.func @f() {
  %0 = llvm.mlir.addressof @f : !llvm.ptr<1>
  llvm.return
}
// -----
func.func private @g()
llvm.func @f() {
  %0 = llvm.mlir.addressof @g : !llvm.ptr
  llvm.return
}
// -----
llvm.func @f() {
  %0 = llvm.mlir.addressof @f : i64
  llvm.return
}
// -----
llvm.func @f() {
  %0 = llvm.dso_local_equivalent @f : !llvm.ptr
  llvm.return
}
// -----
llvm.func @f() {
  %0 = llvm.dso_local_equivalent @g : !llvm.ptr
  llvm.return
}
// -----
"llvm.func"() <{function_type = !llvm.func<void ()>, sym_name = "f"}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<void ()>}> ({
}) : () -> ()
// -----
"llvm.func"() <{sym_name = "f"}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = i32, sym_name = "f"}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = () -> (), sym_name = "f"}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f"}> ({
  llvm.return
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f"}> ({
^bb0(%a: i64):
  llvm.return
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f", arg_attrs = []}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f", arg_attrs = [{a = 1}, {}]}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f", res_attrs = [{}]}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f", arg_attrs = [3]}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = 3 : i32}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<void (i32)>, sym_name = "f"}> : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<i32 (i32)>, sym_name = "f", linkage = #llvm.linkage<internal>}> ({
}) : () -> ()
// -----
"llvm.func"() <{CConv = #llvm.cconv<fastcc>, function_type = !llvm.func<i32 (i32)>, sym_name = "f", linkage = #llvm.linkage<external>, visibility_ = 1 : i64, unnamed_addr = 2 : i64}> ({
}) : () -> ()
// -----
"llvm.func"() <{function_type = !llvm.func<i32 (i32)>, sym_name = "f", linkage = 3}> ({
}) : () -> ()
