llvm.mlir.global external @g() : i32
// -----
llvm.mlir.global external @g(3 : i32) : i32
// -----
llvm.mlir.global internal constant @g(3 : i64) : i64
// -----
llvm.mlir.global @g(3 : i32) : i32
// -----
llvm.mlir.global @g() : i32
// -----
llvm.mlir.global constant @g(1.0 : f32) : f32
// -----
llvm.mlir.global private constant @g("hello\00")
// -----
llvm.mlir.global private constant @g("hello\00") : !llvm.array<6 x i8>
// -----
llvm.mlir.global private constant @g("hello\00") : !llvm.array<5 x i8>
// -----
llvm.mlir.global private constant @g("hello\00") : i32
// -----
llvm.mlir.global internal @g() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i8>
// -----
llvm.mlir.global external @g() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
// -----
llvm.mlir.global external @g() {addr_space = -1 : i32} : i32
// -----
llvm.mlir.global external @g() {addr_space = 3 : i64} : i32
// -----
llvm.mlir.global external @g() {alignment = 16 : i32} : i32
// -----
llvm.mlir.global external @g() {alignment = 3 : i64} : i32
// -----
llvm.mlir.global external @g() {alignment = 0 : i64} : i32
// -----
llvm.mlir.global external thread_local @g() : i32
// -----
llvm.mlir.global external local_unnamed_addr @g() : i32
// -----
llvm.mlir.global external unnamed_addr constant @g(1 : i32) : i32
// -----
llvm.mlir.global external thread_local unnamed_addr constant @g(1 : i32) : i32
// -----
llvm.mlir.global external hidden @g() : i32
// -----
llvm.mlir.global external protected @g(1 : i32) : i32
// -----
llvm.mlir.global external hidden constant @g(1 : i32) {dso_local} : i32
// -----
llvm.mlir.global internal hidden @g(1 : i32) : i32
// -----
llvm.mlir.global weak @g(1 : i32) : i32
// -----
llvm.mlir.global linkonce_odr @g(1 : i32) : i32
// -----
llvm.mlir.global common @g(0 : i32) : i32
// -----
llvm.mlir.global common @g(1 : i32) : i32
// -----
llvm.mlir.global common @g() : i32
// -----
llvm.mlir.global extern_weak @g() : i32
// -----
llvm.mlir.global extern_weak @g(1 : i32) : i32
// -----
llvm.mlir.global appending @g(dense<0> : tensor<2xi32>) : !llvm.array<2 x i32>
// -----
llvm.mlir.global appending @g(0 : i32) : i32
// -----
llvm.mlir.global available_externally @g(1 : i32) : i32
// -----
llvm.mlir.global foo @g(1 : i32) : i32
// -----
llvm.mlir.global external @g(1 : i32) {section = "x", dso_local, externally_initialized} : i32
// -----
llvm.mlir.global external @g(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>
// -----
llvm.mlir.global external @g(dense<1.0> : vector<4xf32>) : vector<4xf32>
// -----
llvm.mlir.global external @g(1 : i32) : f32
// -----
llvm.mlir.global external @g(1 : i32) : index
// -----
llvm.mlir.global external @g() : index
// -----
llvm.mlir.global external @g() : !llvm.void
// -----
llvm.mlir.global external @g() : !llvm.func<void ()>
// -----
llvm.mlir.global external @g() : !llvm.token
// -----
llvm.mlir.global external @g() : i32 {
  %0 = llvm.mlir.constant(3 : i32) : i32
  llvm.return %0 : i32
}
// -----
llvm.mlir.global internal constant @g() {alignment = 8 : i64} : !llvm.struct<(i32, f32)> {
  %0 = llvm.mlir.undef : !llvm.struct<(i32, f32)>
  llvm.return %0 : !llvm.struct<(i32, f32)>
}
// -----
llvm.mlir.global external @g() : i64 {
  %0 = llvm.mlir.constant(3 : i32) : i32
  llvm.return %0 : i32
}
// -----
llvm.mlir.global external @g() : i32 {
  llvm.return
}
// -----
llvm.mlir.global external @g() : i32 {
}
// -----
llvm.mlir.global external @g() : i32 {
  %0 = llvm.mlir.constant(3 : i32) : i32
}
// -----
llvm.mlir.global external @g(3 : i32) : i32 {
  %0 = llvm.mlir.constant(3 : i32) : i32
  llvm.return %0 : i32
}
// -----
llvm.mlir.global external @g() : i32 {
^bb0(%a: i32):
  llvm.return %a : i32
}
// -----
llvm.mlir.global external @g() : i32 {
  llvm.br ^bb1
^bb1:
  %0 = llvm.mlir.constant(3 : i32) : i32
  llvm.return %0 : i32
}
// -----
llvm.mlir.global external @g() : !llvm.ptr {
  %0 = llvm.mlir.addressof @h : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global external @h() : i32
// -----
llvm.mlir.global external @g() : !llvm.ptr {
  %0 = llvm.mlir.zero : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
// -----
llvm.comdat @c {
  llvm.comdat_selector @g any
}
llvm.mlir.global linkonce @g(1 : i32) comdat(@c::@g) : i32
// -----
llvm.mlir.global linkonce @g(1 : i32) comdat(@c::@g) : i32
// -----
llvm.mlir.global external @g(1 : i32) {note = 3} : i32
// -----
llvm.mlir.global external @"a b"(1 : i32) : i32
// -----
llvm.mlir.global external @g(#llvm.zero) : i32
// -----
llvm.mlir.global external @g([1 : i32, 2 : i32]) : !llvm.array<2 x i32>
// -----
llvm.mlir.global external @g(1 : i32)
// -----
llvm.mlir.global external @g
// -----
llvm.mlir.global external (1 : i32) : i32
// -----
llvm.mlir.global external @g(1) : i64
// -----
llvm.mlir.global external @g(true) : i1
// -----
llvm.func @f() {
  llvm.mlir.global external @g(1 : i32) : i32
  llvm.return
}
// -----
llvm.mlir.global external @g(1 : i32) : i32
llvm.mlir.global external @g(1 : i32) : i32
// -----
"llvm.mlir.global"() <{global_type = i32, linkage = #llvm.linkage<external>, sym_name = "g"}> ({
}) : () -> ()
// -----
"llvm.mlir.global"() <{linkage = #llvm.linkage<external>, sym_name = "g"}> ({
}) : () -> ()
// -----
"llvm.mlir.global"() <{global_type = i32, linkage = #llvm.linkage<external>}> ({
}) : () -> ()
// -----
"llvm.mlir.global"() <{global_type = i32, sym_name = "g"}> ({
}) : () -> ()
// -----
"llvm.mlir.global"() <{addr_space = 3 : i32, constant, global_type = i32, linkage = #llvm.linkage<internal>, sym_name = "g", unnamed_addr = 2 : i64, value = 3 : i32, visibility_ = 1 : i64}> ({
}) : () -> ()
// -----
"llvm.mlir.global"() <{global_type = i32, linkage = #llvm.linkage<external>, sym_name = "g", unnamed_addr = 3 : i64}> ({
}) : () -> ()
// -----
"llvm.mlir.global"() <{global_type = i32, linkage = #llvm.linkage<external>, sym_name = "g", constant = true}> ({
}) : () -> ()
// -----
llvm.func @a() {
  llvm.return
}
llvm.mlir.global_ctors ctors = [@a], priorities = [0 : i32], data = [#llvm.zero]
// -----
llvm.mlir.global_ctors ctors = [@a], priorities = [0 : i32], data = [#llvm.zero]
// -----
llvm.func @a() {
  llvm.return
}
llvm.mlir.global_ctors ctors = [@a], priorities = [0 : i32, 1 : i32], data = [#llvm.zero]
// -----
llvm.func @a() {
  llvm.return
}
llvm.mlir.global_ctors ctors = [@a], priorities = [0 : i64], data = [#llvm.zero]
// -----
llvm.func @a()
llvm.mlir.global_ctors ctors = [@a], priorities = [0 : i32], data = [#llvm.zero]
// -----
llvm.func @a() {
  llvm.return
}
llvm.mlir.global_ctors ctors = [@a], priorities = [0 : i32], data = []
// -----
llvm.func @a() {
  llvm.return
}
llvm.mlir.global_dtors dtors = [@a], priorities = [0 : i32], data = [#llvm.zero]
// -----
llvm.func @a() {
  llvm.return
}
llvm.mlir.global_dtors dtors = [@a], priorities = [], data = [#llvm.zero]
// -----
llvm.mlir.global_ctors ctors = [], priorities = [], data = []
// -----
llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<max, "PIC Level", 2 : i32>]
// -----
llvm.module_flags [#llvm.mlir.module_flag<foo, "wchar_size", 4 : i32>]
// -----
llvm.module_flags [3 : i32]
// -----
llvm.module_flags []
// -----
llvm.module_flags [#llvm.mlir.module_flag<override, "probe-stack", "inline-asm">]
// -----
llvm.linker_options ["a", "b"]
// -----
llvm.linker_options [3 : i32]
// -----
llvm.linker_options []
// -----
llvm.mlir.alias external @a : i32 {
  %0 = llvm.mlir.addressof @g : !llvm.ptr
  llvm.return %0 : !llvm.ptr
}
llvm.mlir.global external @g(1 : i32) : i32
// -----
module attributes {llvm.data_layout = "e-i64:64", llvm.target_triple = "nvptx64-nvidia-cuda", llvm.ident = "clang"} {
}
// -----
module attributes {llvm.data_layout = 3 : i32} {
}
// -----
module attributes {llvm.target_triple = 3 : i32} {
}
// -----
module attributes {dlti.dl_spec = #dlti.dl_spec<i64 = dense<64> : vector<2xi64>, !llvm.ptr = dense<64> : vector<4xi64>>} {
}
// -----
llvm.func @f() attributes {llvm.emit_c_interface} {
  llvm.return
}
// -----
#s = #llvm.alias_scope_domain<id = distinct[0]<>, description = "d">
#a = #llvm.alias_scope<id = distinct[1]<>, domain = #s, description = "a">
llvm.func @f(%p: !llvm.ptr) {
  %0 = llvm.load %p {alias_scopes = [#a], noalias_scopes = [#a]} : !llvm.ptr -> i32
  llvm.return
}
// -----
#r = #llvm.tbaa_root<id = "root">
#t = #llvm.tbaa_type_desc<id = "int", members = {<#r, 0>}>
#tag = #llvm.tbaa_tag<base_type = #t, access_type = #t, offset = 0>
llvm.func @f(%p: !llvm.ptr) {
  %0 = llvm.load %p {tbaa = [#tag]} : !llvm.ptr -> i32
  llvm.store %0, %p {tbaa = [#tag]} : i32, !llvm.ptr
  llvm.return
}
// -----
#f = #llvm.di_file<"a.c" in "/tmp">
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #f, producer = "me", isOptimized = true, emissionKind = Full>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #cu, scope = #f, name = "f", file = #f, line = 1, scopeLine = 1, subprogramFlags = Definition>
llvm.func @f() {
  llvm.return
} loc(fused<#sp>["a.c":1:1])
// -----
#f = #llvm.di_file<"a.c" in "/tmp">
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #f, producer = "me", isOptimized = true, emissionKind = Full>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #cu, scope = #f, name = "f", file = #f, line = 1, scopeLine = 1, subprogramFlags = Definition>
#i = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#v = #llvm.di_local_variable<scope = #sp, name = "x", file = #f, line = 2, type = #i>
llvm.func @f(%a: i32, %p: !llvm.ptr) {
  llvm.intr.dbg.value #v = %a : i32
  llvm.intr.dbg.declare #v = %p : !llvm.ptr
  llvm.return
}
