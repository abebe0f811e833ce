llvm.func @x(%p: !llvm.ptr<0>, %s: !llvm.struct<"foo", (i32, !llvm.ptr<0>)>) -> !llvm.ptr<0>
// -----
#loop = #llvm.loop_annotation<disableNonforced = true, mustProgress = true, vectorize = <disable = false, predicateEnable = true>, unroll = <disable = true>, parallelAccesses = #llvm.access_group<id = distinct[0]<>>>
llvm.func @loop(%c: i1) {
  llvm.br ^bb1
^bb1:
  llvm.cond_br %c, ^bb1, ^bb2 {loop_annotation = #loop}
^bb2:
  llvm.return
}
// -----
#domain = #llvm.alias_scope_domain<id = distinct[0]<>, description = "d">
#scope = #llvm.alias_scope<id = distinct[1]<>, domain = #domain, description = "s">
#tbaa_root = #llvm.tbaa_root<id = "Simple C/C++ TBAA">
#tbaa_type = #llvm.tbaa_type_desc<id = "int", members = {<#tbaa_root, 0>}>
#tag = #llvm.tbaa_tag<access_type = #tbaa_type, base_type = #tbaa_type, offset = 0>
llvm.func @f(%p: !llvm.ptr) {
  %0 = llvm.load %p {alias_scopes = [#scope], noalias_scopes = [#scope], tbaa = [#tag]} : !llvm.ptr -> i32
  llvm.store volatile %0, %p {alignment = 8, nontemporal} : i32, !llvm.ptr
  %1 = llvm.load %p atomic syncscope("agent") monotonic {alignment = 4 : i64} : !llvm.ptr -> i32
  %2 = llvm.load %p invariant {alignment = 4 : i64} : !llvm.ptr -> i32
  %3 = llvm.load %p invariant dereferenceable<bytes = 8, mayBeNull = true> : !llvm.ptr -> !llvm.ptr
  llvm.intr.experimental.noalias.scope.decl #scope
  llvm.return
}
// -----
#file = #llvm.di_file<"a.c" in "/x">
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = #file, producer = "p", isOptimized = true, emissionKind = Full>
#bt = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#st = #llvm.di_subroutine_type<types = #llvm.di_null_type, #bt>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #cu, scope = #file, name = "f", linkageName = "f", file = #file, line = 3, scopeLine = 3, subprogramFlags = "Definition|Optimized", type = #st>
#lv = #llvm.di_local_variable<scope = #sp, name = "a", file = #file, line = 1, arg = 1, alignInBits = 32, type = #bt>
llvm.func @dbg(%a: i32) {
  llvm.intr.dbg.value #lv #llvm.di_expression<[DW_OP_plus_uconst(4), DW_OP_deref]> = %a : i32
  llvm.intr.dbg.value #lv = %a : i32
  llvm.return
} loc(fused<#sp>["x"])
// -----
llvm.func @ind(%p: !llvm.ptr, %i: i32) {
  llvm.indirectbr %p : !llvm.ptr, [
  ^bb1(%i : i32),
  ^bb2
  ]
^bb1(%x: i32):
  llvm.return
^bb2:
  llvm.blocktag <id = 1>
  llvm.return
}
llvm.func @ba() {
  %0 = llvm.blockaddress <function = @ind, tag = <id = 1>> : !llvm.ptr
  llvm.return
}
// -----
llvm.func @coro(%i: i32, %p: !llvm.ptr) {
  %0 = llvm.intr.coro.id %i, %p, %p, %p : (i32, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> !llvm.token
  %1 = llvm.intr.coro.begin %0, %p : (!llvm.token, !llvm.ptr) -> !llvm.ptr
  llvm.return
}
// -----
llvm.func @b(%x: vector<[4]xi32>, %y: vector<4x!llvm.ptr>, %z: !llvm.array<2 x vector<[4]xf32>>) -> vector<[4]xi32> {
  %0 = llvm.add %x, %x : vector<[4]xi32>
  llvm.return %0 : vector<[4]xi32>
}
