"""A module with LLVM's debug metadata of types of every kind, each that of a global variable."""

from __future__ import annotations

LANGUAGES = (
    "DW_LANG_C99", "DW_LANG_C_plus_plus_14", "DW_LANG_Fortran90", "DW_LANG_C11", "DW_LANG_C89", "DW_LANG_Fortran95",
    "DW_LANG_Julia", "DW_LANG_C_plus_plus",
)  # fmt: skip
"""Of which some know where arrays begin, prototypes, or qualified names."""

_BASIC = "#llvm.di_basic_type<tag = DW_TAG_base_type, "
_DERIVED = "#llvm.di_derived_type<tag = DW_TAG_"
_COMPOSITE = "#llvm.di_composite_type<tag = DW_TAG_"
_RECURSIVE = "#llvm.di_composite_type<recId = distinct[900]<>, "
_PLAIN = f'{_DERIVED}member, name = "m", baseType = #int, sizeInBits = 32, offsetInBits = 64>'
_ALIGNED = f'{_DERIVED}member, name = "m2", baseType = #float, sizeInBits = 32, alignInBits = 256, offsetInBits = 2048>'
_NAMELESS = f"{_DERIVED}member, baseType = #int, sizeInBits = 32>"
_NEXT = f"{_DERIVED}pointer_type, baseType = {_RECURSIVE}isRecSelf = true>, sizeInBits = 64>"
_RANGES = (
    "count = 4", "count = -1", "count = 300, lowerBound = 0", "lowerBound = 1, upperBound = 5",
    "lowerBound = -3, upperBound = 500, stride = 16", "count = 70000, lowerBound = 1", "upperBound = 7",
)  # fmt: skip


def _range(text: str) -> str:
    return f"#llvm.di_subrange<{', '.join(f'{part} : i64' for part in text.split(', '))}>"


def _types() -> dict[str, str]:
    """Attributes by name, those first that others are made of."""
    found = {
        "int": f'{_BASIC}name = "int", sizeInBits = 32, encoding = DW_ATE_signed>',
        "float": f'{_BASIC}name = "float", sizeInBits = 32, encoding = DW_ATE_float>',
        "wide": f'{_BASIC}name = "wide", sizeInBits = 4096, encoding = DW_ATE_unsigned>',
        "char": f'{_BASIC}name = "char", sizeInBits = 8, encoding = DW_ATE_UTF>',
        "null": '#llvm.di_basic_type<tag = DW_TAG_unspecified_type, name = "nullptr_t">',
        "string": '#llvm.di_string_type<tag = DW_TAG_string_type, name = "s", sizeInBits = 72>',
        "void": f"{_DERIVED}pointer_type, sizeInBits = 64>",
        "shared": f"{_DERIVED}pointer_type, baseType = #int, sizeInBits = 32, dwarfAddressSpace = 3>",
        "def": f'{_DERIVED}typedef, name = "def", baseType = #int>',
        "aligned": f'{_DERIVED}typedef, name = "aligned", baseType = #int, alignInBits = 128, sizeInBits = 32>',
    }
    for tag in ("pointer", "reference", "rvalue_reference", "const", "volatile", "restrict", "atomic"):
        size = "" if tag in ("const", "volatile", "restrict", "atomic") else ", sizeInBits = 64"
        found[tag] = f"{_DERIVED}{tag}_type, baseType = #int{size}>"
    records = {
        "S": f"structure_type, file = #f, line = 7, sizeInBits = 128, elements = {_PLAIN}, {_ALIGNED}, {_NAMELESS}",
        "K": "class_type, file = #g, line = 300, scope = #in, sizeInBits = 70000, alignInBits = 64, "
        f"elements = {_DERIVED}inheritance, baseType = #S, sizeInBits = 128>, {_PLAIN}",
        "N": f"structure_type, scope = #K, file = #f, line = 9, sizeInBits = 32, elements = {_NAMELESS}",
        "H": f"structure_type, scope = #an, file = #f, line = 9, sizeInBits = 32, elements = {_NAMELESS}",
        "U": f"union_type, file = #f, line = 8, sizeInBits = 64, elements = {_PLAIN}",
        "D": "structure_type, file = #f, line = 7, flags = FwdDecl",
        "E": "structure_type, file = #f, line = 7, flags = FwdDecl, sizeInBits = 64",
        "L": "structure_type, sizeInBits = 64",
        "X": "enumeration_type, file = #f, line = 3, baseType = #int, sizeInBits = 32",
        "Y": "enumeration_type, file = #f, line = 3, sizeInBits = 16",
        "Z": "enumeration_type, file = #f, line = 3, flags = FwdDecl, sizeInBits = 16",
    }
    found |= {name: f"{_COMPOSITE}{text}>".replace(",", f', name = "{name}",', 1) for name, text in records.items()}
    found["nameless"] = f"{_COMPOSITE}union_type, file = #f, line = 8, sizeInBits = 64, elements = {_PLAIN}>"
    arrays = [_range(text) for text in _RANGES] + [f"{_range('count = 2')}, {_range('count = 3')}"]
    for place, elements in enumerate(arrays):
        array = f"{_COMPOSITE}array_type, baseType = #int, sizeInBits = 192, alignInBits = 64, elements = {elements}>"
        found["a" + "bcdefghij"[place]] = array
    for count in (3, 4):  # One is padded.
        elements = f"sizeInBits = 128, elements = {_range(f'count = {count}')}"
        found["vector" + "abcde"[count]] = f"{_COMPOSITE}array_type, baseType = #int, flags = Vector, {elements}>"
    functions = ("#int", "#llvm.di_null_type", "#llvm.di_null_type, #int, #shared")
    for place, types in enumerate((*functions, "#int, #int")):
        convention = "callingConvention = DW_CC_nocall, " if place == len(functions) else ""
        found["routine" + "abcd"[place]] = f"#llvm.di_subroutine_type<{convention}types = {types}>"
        found["function" + "abcd"[place]] = (
            f"{_DERIVED}pointer_type, baseType = #routine{'abcd'[place]}, sizeInBits = 64>"
        )
    member = f'{_DERIVED}member, name = "next", baseType = {_NEXT}, sizeInBits = 64>'
    text = f'tag = DW_TAG_structure_type, name = "R", file = #f, line = 70, sizeInBits = 64, elements = {member}>'
    return {**found, "recursive": _RECURSIVE + text}


_FLAGS = (
    "isLocalToUnit = false, isDefined = true", "isLocalToUnit = true, isDefined = true",
    "isLocalToUnit = false, isDefined = true, alignInBits = 64",
    'isLocalToUnit = false, isDefined = true, linkageName = "_Z1g"',
)  # fmt: skip
_SPACES = (0, 1, 3, 4)
_PLACES = ("", "[DW_OP_constu(8), DW_OP_swap, DW_OP_xderef]", "", "[DW_OP_constu(12), DW_OP_swap, DW_OP_xderef]", "")


def module(language: str) -> str:
    """The module of a unit in a language; variables differ in space, alignment, linkage and what says where they are."""
    aliases = [
        '#f = #llvm.di_file<"a.cu" in "/src">',
        '#g = #llvm.di_file<"b.h" in "/inc">',
        f'#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = {language}, file = #f, producer = "p", isOptimized = false, emissionKind = Full>',
        '#ns = #llvm.di_namespace<name = "outer", exportSymbols = false>',
        '#in = #llvm.di_namespace<name = "inner", scope = #ns, exportSymbols = true>',
        "#an = #llvm.di_namespace<scope = #ns, exportSymbols = false>",
    ]
    types = _types()
    aliases += [f"#{name} = {text}" for name, text in types.items()]
    body: list[str] = []
    for place, name in enumerate(name for name in types if not name.startswith("routine")):
        space, where = _SPACES[place % 4], _PLACES[place % 5]
        variable = (
            f'#llvm.di_global_variable<scope = #cu, name = "{name}_", file = #{"fg"[place % 2]}, line = {place * 20}, '
            f"type = #{name}, {_FLAGS[place // 4 % 4]}>"
        )
        described = f"#llvm.di_global_variable_expression<var = {variable}, expr = <{where}>>"
        start = "()" if space == 3 else "(0 : i32)"
        attributes = f"addr_space = {space} : i32, dbg_exprs = [{described}]"
        body.append(f"llvm.mlir.global external @g{place}{start} {{{attributes}}} : i32")
    return "\n".join([*aliases, "module {", *body, "}\n"])
