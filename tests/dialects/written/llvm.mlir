llvm.func @printf(!llvm.ptr, ...) -> i32
llvm.func @malloc(i64) -> !llvm.ptr
llvm.func internal @a(%x: i32 {llvm.signext}, %p: !llvm.ptr {llvm.noalias, llvm.align = 8 : i64, llvm.byval = i32, llvm.nonnull, llvm.dereferenceable = 4 : i64}) -> (i32 {llvm.zeroext}) attributes {passthrough = ["noinline", ["key", "value"]]} { llvm.return %x : i32 }
llvm.func linkonce_odr hidden local_unnamed_addr fastcc @b() comdat(@c::@d) attributes {dso_local, garbageCollector = "x", section = "s", alignment = 8 : i64, sym_visibility = "private"} { llvm.return }
llvm.comdat @c { llvm.comdat_selector @d any
  llvm.comdat_selector @e nodeduplicate }
llvm.func weak protected unnamed_addr @f() -> vector<4xf32>
llvm.func extern_weak @g() vscale_range(1, 16)
llvm.func @h() attributes {memory_effects = #llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = read>, no_inline, optimize_none, always_inline, will_return, no_unwind, convergent, target_cpu = "sm_90", tune_cpu = "x", target_features = #llvm.target_features<["+ptx80", "+x"]>, frame_pointer = #llvm.framePointerKind<all>, uwtable_kind = #llvm.uwtableKind<async>}
llvm.func @i(%x: i32, ...) { llvm.return }
llvm.mlir.global @g0(1 : i32) : i32
llvm.mlir.global internal constant @g1("abc\00") : !llvm.array<4 x i8>
llvm.mlir.global external @g2() : f32
llvm.mlir.global internal thread_local unnamed_addr @g3(0.0 : f64) {addr_space = 3 : i32, alignment = 8 : i64, section = "x", dso_local} : f64
llvm.mlir.global external constant @g4() {addr_space = 1 : i32} : !llvm.struct<(i32, ptr)> {
  %0 = llvm.mlir.undef : !llvm.struct<(i32, ptr)>
  llvm.return %0 : !llvm.struct<(i32, ptr)>
}
llvm.mlir.global weak hidden @g5(dense<[1, 2]> : tensor<2xi32>) : !llvm.array<2 x i32>
llvm.mlir.global common @g6(0 : i64) comdat(@c::@d) : i64
llvm.mlir.global private unnamed_addr constant @g7("x") {foo}
llvm.mlir.global @g8("xyz")
llvm.mlir.global appending @g9(dense<1> : vector<2xi32>) : !llvm.array<2 x i32>
llvm.mlir.global external_weak @g10() : i32
llvm.mlir.alias external @al : i32 { %0 = llvm.mlir.addressof @g0 : !llvm.ptr
  llvm.return %0 : !llvm.ptr }
llvm.mlir.ifunc @ifu : !llvm.func<f32 (i64)>, !llvm.ptr @res { dso_local }
llvm.func @res() -> !llvm.ptr { %0 = llvm.mlir.zero : !llvm.ptr
 llvm.return %0 : !llvm.ptr }
llvm.mlir.global_ctors ctors = [@b], priorities = [0 : i32], data = [#llvm.zero]
llvm.mlir.global_dtors dtors = [], priorities = [], data = []
llvm.module_flags [#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>, #llvm.mlir.module_flag<min, "PIC Level", 2 : i32>]
llvm.linker_options ["/DEFAULTLIB:", "libcmt"]
llvm.module_asm "x"
// -----
llvm.func @f(%i: i32, %j: i64, %p: !llvm.ptr, %f: f32, %v: vector<4xf32>, %c: i1, %s: !llvm.struct<(i32, struct<(f32, i8)>)>, %a: !llvm.array<4 x i32>, %vp: !llvm.vec<4 x ptr>, %p3: !llvm.ptr<3>) {
  %0 = llvm.add %i, %i overflow<nsw, nuw> : i32
  %1 = llvm.udiv exact %j, %j : i64
  %2 = llvm.or disjoint %i, %i : i32
  %3 = llvm.icmp "sgt" %i, %i : i32
  %4 = llvm.fcmp "ueq" %f, %f {fastmathFlags = #llvm.fastmath<fast>} : f32
  %5 = llvm.fadd %f, %f {fastmathFlags = #llvm.fastmath<nnan, contract>} : f32
  %6 = llvm.icmp "eq" %p, %p : !llvm.ptr
  %7 = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, f32
  %8 = llvm.getelementptr inbounds %p[%i, 1, 0] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32, struct<(f32, i8)>)>
  %9 = llvm.getelementptr inbounds|nuw %p[1] : (!llvm.ptr) -> !llvm.ptr, i8
  %10 = llvm.getelementptr nusw %p[-1] {foo} : (!llvm.ptr) -> !llvm.ptr, i8
  %11 = llvm.load %p : !llvm.ptr -> f32
  %12 = llvm.load volatile %p {alignment = 4 : i64, nontemporal} : !llvm.ptr -> f32
  %13 = llvm.load %p atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr -> f32
  %14 = llvm.load %p invariant {alignment = 4 : i64} : !llvm.ptr -> f32
  %15 = llvm.load %p invariant_group dereferenceable<bytes = 8> : !llvm.ptr -> f32
  llvm.store %f, %p : f32, !llvm.ptr
  llvm.store volatile %f, %p atomic monotonic {alignment = 4 : i64} : f32, !llvm.ptr
  %16 = llvm.extractvalue %s[1, 0] : !llvm.struct<(i32, struct<(f32, i8)>)>
  %17 = llvm.insertvalue %f, %s[1, 0] : !llvm.struct<(i32, struct<(f32, i8)>)>
  %18 = llvm.extractelement %v[%i : i32] : vector<4xf32>
  %19 = llvm.insertelement %f, %v[%j : i64] : vector<4xf32>
  %20 = llvm.shufflevector %v, %v [0, 4, -1] : vector<4xf32>
  %21 = llvm.select %c, %p, %p : i1, !llvm.ptr
  %22 = llvm.bitcast %v : vector<4xf32> to vector<2xi64>
  %23 = llvm.addrspacecast %p3 : !llvm.ptr<3> to !llvm.ptr
  %24 = llvm.inttoptr %j : i64 to !llvm.ptr
  %25 = llvm.ptrtoint %p : !llvm.ptr to i32
  %26 = llvm.trunc %j overflow<nsw> : i64 to i32
  %27 = llvm.zext nneg %i : i32 to i64
  %28 = llvm.uitofp nneg %i : i32 to f32
  %29 = llvm.fptosi %f : f32 to i32
  %30 = llvm.call @malloc(%j) : (i64) -> !llvm.ptr
  %31 = llvm.call @printf(%p, %i) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
  llvm.call @ext(%i) {no_unwind, memory_effects = #llvm.memory_effects<other = read, argMem = none, inaccessibleMem = none>} : (i32) -> ()
  %32 = llvm.call %p(%i) : !llvm.ptr, (i32) -> i32
  %33 = llvm.call tail fastcc @malloc(%j) : (i64) -> !llvm.ptr
  llvm.call musttail @ext(%i) ["tag"(%i, %j : i32, i64), "x"()] : (i32) -> ()
  %34 = llvm.alloca %i x f32 {alignment = 8 : i64} : (i32) -> !llvm.ptr<5>
  %35 = llvm.alloca inalloca %i x !llvm.struct<"foo", (i32, ptr)> : (i32) -> !llvm.ptr
  %36 = llvm.mlir.undef : vector<4xf32>
  %37 = llvm.mlir.poison : i32
  %38 = llvm.mlir.zero : !llvm.struct<(i32)>
  %39 = llvm.mlir.constant(dense<1.0> : vector<4xf32>) : vector<4xf32>
  %40 = llvm.mlir.constant("abc") : !llvm.array<3 x i8>
  %41 = llvm.mlir.constant(1 : index) : i64
  %42 = llvm.mlir.constant([1 : i32, 2.0 : f32]) : !llvm.struct<(i32, f32)>
  %43 = llvm.mlir.none : !llvm.token
  %44 = llvm.mlir.addressof @g : !llvm.ptr<3>
  %45 = llvm.cmpxchg %p, %i, %i acq_rel monotonic : !llvm.ptr, i32
  %46 = llvm.cmpxchg weak volatile %p, %i, %i syncscope("x") acq_rel monotonic {alignment = 4 : i64} : !llvm.ptr, i32
  %47 = llvm.atomicrmw volatile add %p, %i syncscope("agent") seq_cst : !llvm.ptr, i32
  %48 = llvm.atomicrmw fadd %p, %f monotonic {alignment = 8 : i64} : !llvm.ptr, f32
  llvm.fence syncscope("agent") seq_cst
  llvm.fence release
  %49 = llvm.freeze %i : i32
  %50 = llvm.inline_asm "mov $0, $1" , "=r,r" %i : (i32) -> i32
  %51 = llvm.inline_asm has_side_effects is_align_stack asm_dialect = intel "x", "=r,=r" : () -> !llvm.struct<(i32, i32)>
  %52 = llvm.inline_asm tail_call_kind = <musttail> "x", "=r" : () -> i32
  %53 = llvm.va_arg %p : (!llvm.ptr) -> i32
  %54 = llvm.fneg %f : f32
  %55 = llvm.shl %i, %i overflow<nuw> : i32
  %56 = llvm.ashr exact %i, %i : i32
  %57 = llvm.fpext %f : f32 to f64
  %58 = llvm.intr.fma(%f, %f, %f) : (f32, f32, f32) -> f32
  %59 = llvm.intr.vector.reduce.add(%vi) : (vector<4xi32>) -> i32
  "llvm.intr.memcpy"(%p, %p, %j) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
  "llvm.intr.memcpy.inline"(%p, %p) <{isVolatile = true, len = 10 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
  llvm.intr.assume %c : i1
  llvm.intr.assume %c ["align"(%p, %j : !llvm.ptr, i64)] : i1
  llvm.intr.lifetime.start %p : !llvm.ptr
  %60 = llvm.intr.expect %i, %i : i32
  %61 = llvm.intr.ctlz
  %62 = "llvm.intr.ctlz"(%i) <{is_zero_poison = true}> : (i32) -> i32
  %63 = llvm.intr.masked.load %p, %m, %v {alignment = 4 : i32} : (!llvm.ptr, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  %64 = llvm.intr.vector.extract %v[0] : vector<2xf32> from vector<4xf32>
  %65 = llvm.intr.is.fpclass
  %66 = llvm.intr.stacksave : !llvm.ptr
  llvm.intr.stackrestore %66 : !llvm.ptr
  %67 = llvm.call_intrinsic "llvm.x86.sse41.round.ss"(%v, %v, %i) : (vector<4xf32>, vector<4xf32>, i32) -> vector<4xf32> {}
  llvm.call_intrinsic "llvm.foo"(%v) {fastmathFlags = #llvm.fastmath<fast>} : (vector<4xf32>) -> ()
  llvm.intr.debugtrap
  llvm.intr.trap
  %68 = llvm.intr.annotation
  llvm.intr.experimental.noalias.scope.decl #llvm.alias_scope<id = distinct[0]<>, domain = <id = distinct[1]<>>>
  llvm.return
}
// -----
llvm.func @br(%c: i1, %i: i32) -> i32 attributes {personality = @p} {
  llvm.cond_br %c weights([5, 10]), ^a, ^b(%i : i32)
^a:
  llvm.br ^b(%i : i32) {loop_annotation = #llvm.loop_annotation<disableNonforced = true>}
^b(%x: i32):
  llvm.switch %x : i32, ^c [ 1: ^d(%x : i32), -2: ^c ] {branch_weights = array<i32: 1, 2, 3>}
^c:
  llvm.switch %x : i32, ^d(%x : i32) [ ]
^d(%y: i32):
^e:
  llvm.return %z : i32
^l:
^u:
  llvm.unreachable
}
llvm.func @foo(i32) -> i32
llvm.func @p(...) -> i32
// -----
llvm.func @br(%c: i1, %i: i32) -> i32 attributes {personality = @p} {
  llvm.cond_br %c weights([5, 10]), ^a, ^b(%i : i32)
^a:
  llvm.br ^b(%i : i32) {loop_annotation = #llvm.loop_annotation<disableNonforced = true>}
^b(%x: i32):
  llvm.switch %x : i32, ^c [ 1: ^d(%x : i32), -2: ^c ] {branch_weights = array<i32: 1, 2, 3>}
^c:
  llvm.switch %x : i32, ^d(%x : i32) [ ]
^d(%y: i32):
  %z = llvm.invoke @foo(%y) to ^e unwind ^l : (i32) -> i32
^e:
  llvm.return %z : i32
^l:
  %q = llvm.landingpad cleanup (catch %i : i32) : !llvm.struct<(ptr, i32)>
  llvm.resume %q : !llvm.struct<(ptr, i32)>
^u:
  llvm.unreachable
}
llvm.func @foo(i32) -> i32
llvm.func @p(...) -> i32
// -----
!t = !llvm.struct<"a", (i32, ptr)>
!u = !llvm.struct<"b", packed (i8, array<4 x struct<"b">>)>
!o = !llvm.struct<"c", opaque>
llvm.func @types(!t, !u, !o, !llvm.ptr<5>, !llvm.array<4 x vector<4xf32>>, !llvm.func<void ()>, !llvm.struct<()>, !llvm.struct<packed (i8)>, !llvm.vec<? x 4 x i32>, !llvm.vec<4 x ptr>, !llvm.x86_fp80, !llvm.ppc_fp128, !llvm.token, !llvm.label, !llvm.metadata, !llvm.target<"spirv.Image", void, 0>, !llvm.x86_amx) 
// -----
llvm.func @types(!llvm.struct<"a", (i32, ptr)>, !llvm.struct<"b", packed (i8, ptr)>, !llvm.struct<"c", opaque>, !llvm.ptr<5>, !llvm.array<4 x vector<4xf32>>, !llvm.struct<()>, !llvm.struct<packed (i8)>, vector<[4]xi32>, !llvm.ppc_fp128, !llvm.token, !llvm.metadata, !llvm.target<"spirv.Image", !llvm.void, 0, 1>, !llvm.func<i32 (i32, ...)>)
// -----
#f = #llvm.di_file<"a.c" in "/x">
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #f, producer = "p", isOptimized = true, emissionKind = Full, nameTableKind = None>
#bt = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#pt = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #bt, sizeInBits = 64>
#st = #llvm.di_subroutine_type<callingConvention = DW_CC_normal, types = #llvm.di_null_type, #bt, #pt>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #cu, scope = #f, name = "f", linkageName = "_f", file = #f, line = 3, scopeLine = 4, subprogramFlags = "Definition|Optimized", type = #st>
#lb = #llvm.di_lexical_block<scope = #sp, file = #f, line = 5, column = 2>
#lv = #llvm.di_local_variable<scope = #lb, name = "x", file = #f, line = 6, arg = 1, alignInBits = 32, type = #bt, flags = "Artificial|Public">
#ct = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "s", file = #f, line = 1, scope = #f, sizeInBits = 64, elements = #llvm.di_derived_type<tag = DW_TAG_member, name = "m", baseType = #bt, offsetInBits = 32>, #llvm.di_subrange<count = 4>>
#gv = #llvm.di_global_variable_expression<var = <scope = #cu, name = "g", linkageName = "g", file = #f, line = 2, type = #ct, isLocalToUnit = true, isDefined = true>, expr = <>>
llvm.mlir.global @g() {dbg_exprs = [#gv]} : i32 
llvm.func @f(%x: i32, %p: !llvm.ptr) {
  llvm.intr.dbg.value #lv = %x : i32 loc(fused<#lb>["a.c":1:2])
  llvm.intr.dbg.value #lv #llvm.di_expression<[DW_OP_deref, DW_OP_LLVM_fragment(0, 8)]> = %x : i32
  llvm.intr.dbg.declare #lv = %p : !llvm.ptr
  llvm.intr.dbg.label #llvm.di_label<scope = #lb, name = "l", file = #f, line = 8>
  llvm.return
} loc(fused<#sp>["a.c":3:1])
// -----
#root = #llvm.tbaa_root<id = "r">
#t1 = #llvm.tbaa_type_desc<id = "char", members = {<#root, 0>}>
#t2 = #llvm.tbaa_type_desc<id = "int", members = {<#t1, 0>}>
#tag = #llvm.tbaa_tag<base_type = #t2, access_type = #t1, offset = 0>
#tag2 = #llvm.tbaa_tag<base_type = #t2, access_type = #t1, offset = 8, constant = true>
#dom = #llvm.alias_scope_domain<id = distinct[0]<>, description = "d">
#sc = #llvm.alias_scope<id = distinct[1]<>, domain = #dom, description = "s">
#ag = #llvm.access_group<id = distinct[2]<>>
llvm.func @f(%p: !llvm.ptr) {
^a:
  llvm.return
}
// -----
llvm.func @bad(%i: i32) -> i64 { llvm.return %i : i32 }
// -----
llvm.func @bad(%i: i32) { llvm.return %i : i32 }
// -----
llvm.func @bad(%i: i32) -> i32 { llvm.return }
// -----
llvm.func @bad(%i: tensor<4xi32>)
// -----
llvm.func foo @bad(%i: i32)
// -----
llvm.func common @bad(%i: i32)
// -----
llvm.func external @bad(%i: i32, ...) -> (i32, i32)
// -----
llvm.func @bad(..., i32)
// -----
llvm.func @bad(%i: i32, i32)
// -----
llvm.func internal @bad(i32)
// -----
llvm.func @bad() { }
// -----
llvm.func @bad(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> !llvm.void
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr) {
  %0 = llvm.load %p atomic release : !llvm.ptr -> i32
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr) {
  %0 = llvm.load %p atomic acquire : !llvm.ptr -> i32
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr) {
  %0 = llvm.load %p syncscope("x") : !llvm.ptr -> i32
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %s: !llvm.struct<(i32)>) {
  llvm.store %s, %p atomic release {alignment = 4 : i64} : !llvm.struct<(i32)>, !llvm.ptr
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr) {
  %0 = llvm.getelementptr %p[0, 5] : (!llvm.ptr) -> !llvm.ptr, !llvm.struct<(i32)>
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %i: i32) {
  %0 = llvm.getelementptr %p[0, %i] : (!llvm.ptr, i32) -> !llvm.ptr, !llvm.struct<(i32)>
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %i: i32) {
  %0 = llvm.getelementptr %p[0, 0] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @bad(%p: i32, %i: i32) {
  %0 = llvm.getelementptr %p[0] : (i32) -> !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %i: i32) {
  %0 = llvm.getelementptr %p[%i] : (!llvm.ptr) -> !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @bad(%s: !llvm.struct<(i32)>) {
  %0 = llvm.extractvalue %s[1] : !llvm.struct<(i32)>
  llvm.return
}
// -----
llvm.func @bad(%s: !llvm.struct<(i32)>) {
  %0 = llvm.extractvalue %s[0, 0] : !llvm.struct<(i32)>
  llvm.return
}
// -----
llvm.func @bad(%s: i32) {
  %0 = llvm.extractvalue %s[0] : i32
  llvm.return
}
// -----
llvm.func @bad(%s: !llvm.array<4 x i32>, %f: f32) {
  %0 = llvm.insertvalue %f, %s[0] : !llvm.array<4 x i32>
  llvm.return
}
// -----
llvm.func @bad(%s: !llvm.array<4 x i32>, %f: i32) {
  %0 = llvm.insertvalue %f, %s[4] : !llvm.array<4 x i32>
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  llvm.call @none(%i) : (i32) -> ()
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @bad(%i: i64) {
  llvm.call @g(%i) : (i64) -> i32
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @bad(%i: i32) {
  llvm.call @g(%i, %i) : (i32, i32) -> i32
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @bad(%i: i32) {
  %0 = llvm.call @g(%i) : (i32) -> i64
  llvm.return
}
// -----
llvm.func @g(i32) -> i32
llvm.func @bad(%i: i32) {
  llvm.call @g(%i) : (i32) -> (i32, i32)
  llvm.return
}
// -----
llvm.mlir.global @g(1 : i32) : i32
llvm.func @bad(%i: i32) {
  llvm.call @g(%i) : (i32) -> ()
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  %0 = llvm.mlir.addressof @nope : !llvm.ptr
  llvm.return
}
// -----
llvm.mlir.global @g(1 : i32) {addr_space = 3 : i32} : i32
llvm.func @bad(%i: i32) {
  %0 = llvm.mlir.addressof @g : !llvm.ptr
  llvm.return
}
// -----
llvm.mlir.global constant @g() : i32 { llvm.return }
// -----
llvm.mlir.global @g(1 : i64) : f32
// -----
llvm.mlir.global @g("ab") : !llvm.array<5 x i8>
// -----
llvm.mlir.global @g("ab") : i32
// -----
llvm.mlir.global appending @g(1 : i32) : i32
// -----
llvm.mlir.global common @g(1 : i32) : i32
// -----
llvm.mlir.global @g(1 : i32) : i32 { %0 = llvm.mlir.constant(1 : i32) : i32
  llvm.return %0 : i32 }
// -----
llvm.mlir.global @g(5) : i32
// -----
llvm.mlir.global @g(1 : i32) : !llvm.void
// -----
llvm.mlir.global constant @g
// -----
llvm.func @bad(%i: i32) {
  %0 = llvm.mlir.constant(1.0 : f32) : i32
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  %0 = llvm.mlir.constant(1 : i32) : !llvm.ptr
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  %0 = llvm.mlir.constant(1 : i32) : f64
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  %0 = llvm.mlir.constant(dense<1> : vector<4xi32>) : vector<3xi32>
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  %0 = llvm.mlir.constant("a") : i32
  llvm.return
}
// -----
llvm.func @bad(%i: i32, %j: i64) {
  %0 = llvm.add %i, %j : i32
  llvm.return
}
// -----
llvm.func @bad(%f: f32) {
  %0 = llvm.add %f, %f : f32
  llvm.return
}
// -----
llvm.func @bad(%f: f32) {
  %0 = llvm.icmp "foo" %f, %f : i32
  llvm.return
}
// -----
llvm.func @bad(%f: f32) {
  %0 = llvm.icmp "eq" %f, %f : f32
  llvm.return
}
// -----
llvm.func @bad(%f: i32) {
  %0 = llvm.trunc %f : i32 to i64
  llvm.return
}
// -----
llvm.func @bad(%f: i32) {
  %0 = llvm.zext %f : i32 to i32
  llvm.return
}
// -----
llvm.func @bad(%f: i32) {
  %0 = llvm.bitcast %f : i32 to i64
  llvm.return
}
// -----
llvm.func @bad(%f: !llvm.ptr) {
  %0 = llvm.bitcast %f : !llvm.ptr to i64
  llvm.return
}
// -----
llvm.func @bad(%f: !llvm.ptr) {
  %0 = llvm.addrspacecast %f : !llvm.ptr to i64
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %f: f32, %i: i32) {
  %0 = llvm.atomicrmw add %p, %f monotonic : !llvm.ptr, f32
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %f: f32, %i: i32) {
  %0 = llvm.atomicrmw fadd %p, %i monotonic : !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %f: f32, %i: i32) {
  %0 = llvm.atomicrmw add %p, %i not_atomic : !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %f: f32, %i: i7) {
  %0 = llvm.atomicrmw add %p, %i monotonic : !llvm.ptr, i7
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %f: f32, %i: i32) {
  %0 = llvm.cmpxchg %p, %i, %i unordered monotonic : !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %f: f32, %i: i32) {
  %0 = llvm.cmpxchg %p, %i, %i acq_rel release : !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @bad(%p: !llvm.ptr, %f: f32, %i: i32) {
  %0 = llvm.cmpxchg %p, %i, %f acq_rel monotonic : !llvm.ptr, i32
  llvm.return
}
// -----
llvm.func @bad() {
  llvm.fence monotonic
  llvm.return
}
// -----
llvm.func @bad(%v: vector<4xf32>) {
  %0 = llvm.shufflevector %v, %v [0, 9] : vector<4xf32>
  llvm.return
}
// -----
llvm.func @bad(%v: vector<4xf32>, %w: vector<[4]xf32>) {
  %0 = llvm.shufflevector %w, %w [0, 1] : vector<[4]xf32>
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  llvm.switch %i : i32, ^a [ 1: ^a, 1: ^a ]
^a:
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  llvm.switch %i : i32, ^a [ 1: ^a ] {branch_weights = array<i32: 1, 2, 3>}
^a:
  llvm.return
}
// -----
llvm.func @bad(%i: i1) {
  llvm.cond_br %i weights([1]), ^a, ^a
^a:
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  llvm.br ^a
^a(%x: i32):
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  llvm.br ^a(%i : i32)
^a(%x: i64):
  llvm.return
}
// -----
llvm.func @bad(%i: f32) {
  %0 = llvm.alloca %i x i32 : (f32) -> !llvm.ptr
  llvm.return
}
// -----
llvm.func @bad(%i: i32) {
  %0 = llvm.alloca %i x !llvm.func<void ()> : (i32) -> !llvm.ptr
  llvm.return
}
// -----
llvm.func @bad(%i: !llvm.struct<"a", (i32)>, %j: !llvm.struct<"a", (i64)>)
// -----
llvm.func @bad(%i: !llvm.array<4 x token>)
// -----
llvm.func @bad(%i: !llvm.ptr<i32>)
// -----
llvm.func @bad(%i: !llvm.foo)
// -----
llvm.func @bad(%i: !llvm.struct<(void)>)
// -----
llvm.func @bad(%i: !llvm.struct<(tensor<4xf32>)>)
// -----
llvm.func @bad(%i: !llvm.vec<4 x i32>)
// -----
llvm.func @bad(%i: !llvm.array<x i32>)
// -----
llvm.func @bad(%i: !llvm.array<4 i32>)
// -----
llvm.func @bad(%i: i32 {llvm.byval}) 
// -----
llvm.func @bad(%i: i32 {llvm.noalias}) 
// -----
llvm.func @bad(%i: i32 {llvm.align = 4 : i32}) 
// -----
llvm.func @bad(%i: !llvm.ptr {llvm.align = 3 : i64}) 
// -----
llvm.func @bad(%i: i32 {llvm.foo}) 
// -----
llvm.func @bad(%i: i32) attributes {llvm.foo}
// -----
llvm.func @bad(%i: f32 {llvm.signext}) 
// -----
llvm.func @bad(%i: i32) -> (i32 {llvm.byval = i32}) 
// -----
llvm.func @bad(%i: !llvm.ptr {llvm.sret = i32, llvm.nocapture}) -> (!llvm.ptr {llvm.nocapture})
// -----
llvm.func @bad(%i: i32) attributes {passthrough = [1]}
// -----
llvm.func @bad(%i: i32) attributes {passthrough = [["a", "b", "c"]]}
// -----
llvm.func @bad(%i: i32) {
  llvm.unreachable
  llvm.return
}
// -----
llvm.func @bad() -> i32 attributes {personality = @p} {
  %x = llvm.mlir.constant(1 : i32) : i32
  %z = llvm.invoke @foo(%x) to ^e unwind ^l : (i32) -> i32
^e:
  llvm.return %z : i32
^l:
  llvm.return %x : i32
}
llvm.func @foo(i32) -> i32
// -----
llvm.func @bad() -> i32 attributes {personality = @p} {
  %x = llvm.mlir.constant(1 : i32) : i32
^e:
  llvm.return %z : i32
^l:
  llvm.return %x : i32
}
llvm.func @foo(i32) -> i32
// -----
llvm.func @bad(%i: i32) {
  "llvm.intr.memcpy"(%i, %i, %i) <{isVolatile = false}> : (i32, i32, i32) -> ()
  llvm.return
}
// -----
llvm.func @bad(%i: i32, %f: f32) {
  %0 = llvm.intr.smax(%f, %f) : (f32, f32) -> f32
  llvm.return
}
// -----
llvm.func @bad(%i: i32, %f: f32) {
  %0 = llvm.intr.fma(%f, %f, %i) : (f32, f32, i32) -> f32
  llvm.return
}
// -----
llvm.func @bad(%i: i32, %f: f32) {
  %0 = llvm.intr.foo(%f) : (f32) -> f32
  llvm.return
}
// -----
llvm.func @bad(%i: i32, %f: f32) {
  llvm.call_intrinsic "foo"(%f) : (f32) -> ()
  llvm.return
}
// -----
llvm.func @bad(%i: i32, %f: f32) {
  %0 = llvm.inline_asm "x", "r" %i : (i32) -> (i32, i32)
  llvm.return
}
// -----
module attributes {llvm.data_layout = "foo"} { }
// -----
module attributes {llvm.target_triple = 1 : i32} { }
// -----
module attributes {llvm.data_layout = "e-p:64:64", llvm.target_triple = "nvptx64-nvidia-cuda"} { }
// -----
llvm.module_flags [1]
// -----
llvm.mlir.global_ctors ctors = [@x], priorities = [], data = []
// -----
llvm.comdat @c { llvm.return }
// -----
llvm.func @b() comdat(@c::@d) { llvm.return }
// -----
llvm.func @b(%p: !llvm.ptr) { 
  %0 = llvm.load %p {tbaa = 1} : !llvm.ptr -> i32
  llvm.return }
// -----
llvm.func @b(%p: !llvm.ptr) { 
  %0 = llvm.load %p {access_groups = [@a::@b]} : !llvm.ptr -> i32
  llvm.return }
// -----
llvm.func @b(%p: !llvm.ptr) attributes {memory = #llvm.memory_effects<other = foo>}
// -----
llvm.func @b() { 
  llvm.br ^a {loop_annotation = #llvm.loop_annotation<foo = true>}
^a:
  llvm.return }
// -----
func.func @f(%v: vector<4xi32>) {
  %0 = llvm.shufflevector %v, %v [0, 4294967296, 4, 5] : vector<4xi32>
  return
}
// -----
func.func @f(%v: vector<4xi32>) {
  %0 = "llvm.shufflevector"(%v, %v) <{mask = array<i32: 0, 4294967296, 4, 5>}> : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
  return
}
// -----
func.func @f(%p: !llvm.ptr) {
  %0 = llvm.getelementptr %p[99999999999] : (!llvm.ptr) -> !llvm.ptr, f32
  return
}
// -----
func.func @f(%p: !llvm.ptr) {
  %0 = llvm.getelementptr %p[4294967296] : (!llvm.ptr) -> !llvm.ptr, f32
  return
}
// -----
func.func @f(%v: !llvm.struct<(i32, f32)>) {
  %0 = llvm.extractvalue %v[99999999999] : !llvm.struct<(i32, f32)>
  return
}
// -----
func.func @f(%v: !llvm.struct<(i32, f32)>) {
  %0 = llvm.extractvalue %v[99999999999999999999] : !llvm.struct<(i32, f32)>
  return
}
// -----
func.func @f(%p: !llvm.ptr, %i: i32) {
  %0 = "llvm.getelementptr"(%p, %i) <{elem_type = f32, rawConstantIndices = array<i32: -2147483648>}> : (!llvm.ptr, i32) -> !llvm.ptr
  return
}
// -----
func.func @f(%p: !llvm.ptr, %i: i32) {
  %0 = "llvm.getelementptr"(%p, %i) <{elem_type = f32, rawConstantIndices = array<i32: -2147483648>, noWrapFlags = 0 : i32}> : (!llvm.ptr, i32) -> !llvm.ptr
  return
}
// -----
func.func @f(%p: !llvm.ptr, %i: i32) {
  %0 = "llvm.getelementptr"(%p, %i) <{elem_type = f32, rawConstantIndices = array<i32: -2147483648>}> {noWrapFlags = 0 : i32} : (!llvm.ptr, i32) -> !llvm.ptr
  return
}
// -----
func.func @f(%p: !llvm.ptr, %i: i32) {
  %0 = "llvm.getelementptr"(%p, %i) {elem_type = f32, rawConstantIndices = array<i32: -2147483648>, noWrapFlags = 3 : i32} : (!llvm.ptr, i32) -> !llvm.ptr
  return
}
// -----
func.func @f(%i: i32) {
  %0 = "llvm.add"(%i, %i) : (i32, i32) -> i32
  %1 = "llvm.add"(%i, %i) {overflowFlags = 3 : i32} : (i32, i32) -> i32
  %2 = "llvm.add"(%i, %i) <{overflowFlags = 3 : i32}> : (i32, i32) -> i32
  %3 = "llvm.trunc"(%i) : (i32) -> i8
  return
}
