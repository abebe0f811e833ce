"""A module of what debug metadata has rarely: statics of functions, functions that are inlined and called, labels, long files."""

from __future__ import annotations

LINES = (1, 127, 128, 255, 256, 65535, 65536, 70000)
"""Lines whose numbers take the most that a form of theirs can hold, and one more."""


def module(
    language: str = "DW_LANG_C_plus_plus", emitted: str = "Full", table: str = "Default", space: str = ""
) -> str:
    """The module, in a language; `space` is the name of the namespace that functions lie in."""
    lines = "\n".join(
        f'#at{line} = #llvm.di_local_variable<scope = #sp, name = "at{line}", file = #f, line = {line}, type = #int>'
        for line in LINES
    )
    inside, own = "", ""
    if emitted == "Full":
        own = 'llvm.intr.dbg.value #x = %n : i32 loc(fused<#h>["/src/a.cu":50:3])'
        inside = "\n".join(
            f'    llvm.intr.dbg.value {name} = %n : i32 loc(fused<#block>["/src/a.cu":12:3])'
            for name in ("#rec", "#arr")
        )
    values = (
        ""
        if emitted != "Full"
        else "\n".join(
            f'    llvm.intr.dbg.value #at{line} = %n : i32 loc(fused<#sp>["/src/a.cu":{line}:3])' for line in LINES
        )
    )
    named = f'name = "{space}", ' if space else ""
    statics = (
        ""
        if emitted != "Full"
        else """
  llvm.mlir.global internal @s1(1 : i32) {addr_space = 1 : i32, dbg_exprs = [#llvm.di_global_variable_expression<var = #static, expr = <>>]} : i32
  llvm.mlir.global internal @s2(2 : i32) {addr_space = 1 : i32, dbg_exprs = [#llvm.di_global_variable_expression<var = #deep, expr = <>>]} : i32"""
    )
    return f"""
#f = #llvm.di_file<"a.cu" in "/src">
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = {language}, file = #f, producer = "p", isOptimized = true, emissionKind = {emitted}, nameTableKind = {table}>
#ns = #llvm.di_namespace<{named}exportSymbols = false>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#member = #llvm.di_derived_type<tag = DW_TAG_member, name = "m", baseType = #int, sizeInBits = 32>
#record = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "R", file = #f, line = 3, sizeInBits = 32, elements = #member>
#array = #llvm.di_composite_type<tag = DW_TAG_array_type, baseType = #int, sizeInBits = 128, elements = #llvm.di_subrange<count = 4 : i64>>
#type = #llvm.di_subroutine_type<types = #llvm.di_null_type, #int, #record, #array>
#sp = #llvm.di_subprogram<id = distinct[1]<>, recId = distinct[11]<>, compileUnit = #cu, scope = #ns, name = "k", file = #f, line = 5, subprogramFlags = "Definition", type = #type>
#block = #llvm.di_lexical_block<scope = #sp, file = #f, line = 8, column = 3>
#static = #llvm.di_global_variable<scope = #sp, name = "counted", file = #f, line = 6, type = #int, isLocalToUnit = true, isDefined = true>
#deep = #llvm.di_global_variable<scope = #block, name = "deep", file = #f, line = 9, type = #int, isLocalToUnit = true, isDefined = true>
#h = #llvm.di_subprogram<id = distinct[2]<>, compileUnit = #cu, scope = #ns, name = "h", file = #f, line = 50, subprogramFlags = "Definition", type = #type>
#x = #llvm.di_local_variable<scope = #h, name = "x", file = #f, line = 50, arg = 1, type = #int>
#rec = #llvm.di_local_variable<scope = #block, name = "rec", file = #f, line = 11, type = #record>
#arr = #llvm.di_local_variable<scope = #block, name = "arr", file = #f, line = 12, type = #array>
{lines}
module {{{statics}
  llvm.func @h(%n: i32) -> i32 attributes {{no_inline}} {{
    {own}
    %r = llvm.mul %n, %n : i32 loc(fused<#h>["/src/a.cu":51:3])
    llvm.return %r : i32 loc(fused<#h>["/src/a.cu":52:3])
  }} loc(fused<#h>["/src/a.cu":50:1])
  llvm.func @k(%n: i32, %p: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{
{values}
    llvm.intr.dbg.value #x = %n : i32 loc(callsite(fused<#h>["/src/a.cu":50:3] at fused<#sp>["/src/a.cu":20:3]))
    %a = llvm.mul %n, %n : i32 loc(callsite(fused<#h>["/src/a.cu":51:3] at fused<#sp>["/src/a.cu":20:3]))
    %b = llvm.call @h(%a) : (i32) -> i32 loc(fused<#sp>["/src/a.cu":21:3])
{inside}
    %c = llvm.xor %b, %n : i32 loc(fused<#block>["/src/a.cu":13:3])
    llvm.store %c, %p : i32, !llvm.ptr<1> loc(fused<#sp>["/src/a.cu":22:3])
    llvm.return loc(fused<#sp>["/src/a.cu":23:3])
  }} loc(fused<#sp>["/src/a.cu":5:1])
}}
"""
