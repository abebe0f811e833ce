"""A module whose variables are constants, at first or always; and one whose variables are in memory and in pieces."""

from __future__ import annotations

from dataclasses import dataclass, field

_HEAD = """#f = #llvm.di_file<"a.cu" in "/src">
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C99, file = #f, isOptimized = true, emissionKind = Full>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#plain = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "plain", sizeInBits = 32, encoding = DW_ATE_unsigned>
#byte = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "byte", sizeInBits = 8, encoding = DW_ATE_unsigned_char>
#char = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "char", sizeInBits = 8, encoding = DW_ATE_signed_char>
#bool = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "bool", sizeInBits = 8, encoding = DW_ATE_boolean>
#wide = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "wide", sizeInBits = 16, encoding = DW_ATE_UTF>
#long = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "long", sizeInBits = 64, encoding = DW_ATE_signed>
#half = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "half", sizeInBits = 16, encoding = DW_ATE_float>
#float = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "float", sizeInBits = 32, encoding = DW_ATE_float>
#double = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "double", sizeInBits = 64, encoding = DW_ATE_float>
#ptr = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #int, sizeInBits = 64>
#own = #llvm.di_derived_type<tag = DW_TAG_typedef, name = "own", baseType = #int>
#kept = #llvm.di_derived_type<tag = DW_TAG_const_type, baseType = #plain>
#enum = #llvm.di_composite_type<tag = DW_TAG_enumeration_type, name = "E", file = #f, line = 3, baseType = #int, sizeInBits = 32>
#set = #llvm.di_composite_type<tag = DW_TAG_enumeration_type, name = "F", file = #f, line = 3, baseType = #plain, sizeInBits = 32>
#any = #llvm.di_composite_type<tag = DW_TAG_enumeration_type, name = "G", file = #f, line = 3, sizeInBits = 32>
#pair = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "S", file = #f, line = 7, sizeInBits = 64, elements = #llvm.di_derived_type<tag = DW_TAG_member, name = "m", baseType = #int, sizeInBits = 32>>
#routine = #llvm.di_subroutine_type<types = #llvm.di_null_type>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #cu, scope = #f, name = "k", file = #f, line = 5, subprogramFlags = "Definition", type = #routine>
"""
_AT = ' loc(fused<#sp>["/src/a.cu":6:3])'
INTEGERS = (0, 5, 31, 32, -1, 127, 128, -128, 100000)
_SCALARS = {
    **dict.fromkeys(("int", "plain", "own", "kept", "enum", "set", "any", "pair", "ptr"), ("i32", INTEGERS)),
    "byte": ("i8", (0, 5, 127, -1, -128)), "char": ("i8", (0, 5, 127, -1, -128)), "bool": ("i8", (0, 1)),
    "wide": ("i16", (0, 5, 127, -1, -128)), "long": ("i64", INTEGERS),
    "half": ("f16", (0.0, 1.5, -2.0)), "float": ("f32", (0.0, 1.5, -2.0)), "double": ("f64", (0.0, 1.5, -2.0)),
}  # fmt: skip


@dataclass
class Text:
    """A function's variables, its operations and what comes before it in the module."""

    variables: list[str] = field(default_factory=list[str])
    lines: list[str] = field(default_factory=list[str])
    globals: str = ""

    def variable(self, name: str, type_: str) -> str:
        """A new local variable."""
        self.variables.append(
            f'#v_{name} = #llvm.di_local_variable<scope = #sp, name = "{name}", file = #f, line = 6, type = #{type_}>'
        )
        return f"#v_{name}"

    def becomes(self, variable: str, value: str, type_: str, expression: str = "") -> None:
        """A variable becomes a value."""
        where = f" #llvm.di_expression<{expression}>" if expression else ""
        self.lines.append(f"llvm.intr.dbg.value {variable}{where} = {value} : {type_}{_AT}")

    def lies(self, variable: str, address: str, type_: str, expression: str = "") -> None:
        """A variable is at an address."""
        where = f" #llvm.di_expression<{expression}>" if expression else ""
        self.lines.append(f"llvm.intr.dbg.declare {variable}{where} = {address} : {type_}{_AT}")

    def module(self, arguments: str) -> str:
        """All of it, with a kernel's arguments."""
        variables, lines = "\n".join(self.variables), "\n".join(self.lines)
        return f"""{_HEAD}{variables}
module {{
{self.globals}
llvm.func @k({arguments}) attributes {{nvvm.kernel}} {{
{lines}
llvm.return{_AT}
}}{_AT}
}}
"""


def constants() -> str:
    """Variables of every type that are a number all the time, and ones that are another number in the end."""
    text = Text()
    types = {type_ for type_, _ in _SCALARS.values()}
    late = {type_: "7.5" if type_[0] == "f" else "1" for type_ in types}
    text.lines += [f"%late_{type_} = llvm.mlir.constant({late[type_]} : {type_}) : {type_}" for type_ in sorted(types)]
    changing: list[tuple[str, str]] = []
    for name, (type_, numbers) in _SCALARS.items():
        for place, number in enumerate(numbers):
            value = f"%c_{name}{place}"
            text.lines.append(f"{value} = llvm.mlir.constant({number} : {type_}) : {type_}")
            text.becomes(text.variable(f"{name}{place}", name), value, type_)
            changing.append((text.variable(f"late_{name}{place}", name), type_))
            text.becomes(changing[-1][0], value, type_)
    text.lines.append(f"llvm.store volatile %n, %p : i32, !llvm.ptr<1>{_AT}")
    for variable, type_ in changing:
        text.becomes(variable, f"%late_{type_}", type_)
    text.lines.append(f"llvm.store volatile %n, %p : i32, !llvm.ptr<1>{_AT}")
    return text.module("%n: i32, %p: !llvm.ptr<1>")


PLACES: dict[str, tuple[str, str, str, str]] = {
    "alloca": ("lies", "%a", "ptr", ""),
    "behind": ("lies", "%a8", "ptr", ""),
    "further": ("lies", "%a8", "ptr", "[DW_OP_plus_uconst(4)]"),
    "shared": ("lies", "%s", "ptr<3>", ""),
    "shared12": ("lies", "%s12", "ptr<3>", ""),
    "seen": ("lies", "%sg", "ptr", ""),
    "constant": ("lies", "%c", "ptr<4>", ""),
    "global": ("lies", "%g", "ptr<1>", ""),
    "given": ("lies", "%p", "ptr<1>", ""),
    "given200": ("lies", "%p200", "ptr<1>", ""),
    "before": ("lies", "%p4", "ptr<1>", ""),
    "computed": ("lies", "%px", "ptr<1>", ""),
    "generic": ("lies", "%q8", "ptr", ""),
    "added": ("lies", "%p", "ptr<1>", "[DW_OP_plus_uconst(300)]"),
    "unknown": ("lies", "%p", "ptr<1>", "[DW_OP_minus]"),
    "twice": ("lies", "%p", "ptr<1>", "[DW_OP_deref]"),
    "held": ("becomes", "%n", "i32", ""),
    "pointer": ("becomes", "%p", "ptr<1>", ""),
    "nowhere": ("becomes", "%q8", "ptr", ""),
    "sum": ("becomes", "%p200", "ptr<1>", ""),
    "pointed": ("becomes", "%p", "ptr<1>", "[DW_OP_deref]"),
    "loaded": ("becomes", "%p", "ptr<1>", "[DW_OP_deref, DW_OP_plus_uconst(8)]"),
    "plus": ("becomes", "%p", "ptr<1>", "[DW_OP_plus_uconst(8), DW_OP_stack_value]"),
    "stacked": ("becomes", "%n", "i32", "[DW_OP_stack_value]"),
}
"""Variables, and the value or address that each is given, with its type and an expression."""
PIECES = {
    "both": (("%n", 0, 32), ("%m", 32, 32)),
    "upper": (("%n", 32, 32),),
    "apart": (("%n", 0, 16), ("%m", 48, 16)),
}
"""Variables of 64 bits that are given values piece by piece: from which bit, and how many."""


def places() -> str:
    """Variables in memory of every kind, in registers, and in pieces."""
    text = Text(
        globals="""llvm.mlir.global internal @s() {addr_space = 3 : i32} : !llvm.array<16 x i32>
llvm.mlir.global internal @c(dense<1> : tensor<4xi32>) {addr_space = 4 : i32} : !llvm.array<4 x i32>
llvm.mlir.global external @g(dense<1> : tensor<4xi32>) {addr_space = 1 : i32} : !llvm.array<4 x i32>""",
        lines=[
            "%one = llvm.mlir.constant(4 : i32) : i32",
            "%a = llvm.alloca %one x i32 : (i32) -> !llvm.ptr",
            "%a8 = llvm.getelementptr %a[2] : (!llvm.ptr) -> !llvm.ptr, i32",
            "%s = llvm.mlir.addressof @s : !llvm.ptr<3>",
            "%s12 = llvm.getelementptr %s[3] : (!llvm.ptr<3>) -> !llvm.ptr<3>, i32",
            "%sg = llvm.addrspacecast %s : !llvm.ptr<3> to !llvm.ptr",
            "%c = llvm.mlir.addressof @c : !llvm.ptr<4>",
            "%g = llvm.mlir.addressof @g : !llvm.ptr<1>",
            "%p200 = llvm.getelementptr %p[50] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32",
            "%p4 = llvm.getelementptr %p[-1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32",
            "%px = llvm.getelementptr %p[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32",
            "%q8 = llvm.getelementptr %q[2] : (!llvm.ptr) -> !llvm.ptr, i32",
        ],
    )
    for name, (how, value, type_, expression) in PLACES.items():
        give = text.lies if how == "lies" else text.becomes
        give(text.variable(name, "int"), value, type_ if type_[0] == "i" else f"!llvm.{type_}", expression)
    for name, pieces in PIECES.items():
        variable = text.variable(name, "long")
        for value, first, bits in pieces:
            text.becomes(variable, value, "i32", f"[DW_OP_LLVM_fragment({first}, {bits})]")
    pointers = {"%a": "", "%s12": "<3>", "%c": "<4>", "%g": "<1>", "%px": "<1>", "%sg": "", "%q8": "", "%a8": ""}
    for place, (pointer, space) in enumerate(pointers.items()):
        text.lines.append(f"%read{place} = llvm.load volatile {pointer} : !llvm.ptr{space} -> i32{_AT}")
    for value, pointer in (("%n", "%p"), ("%m", "%p200")):
        text.lines.append(f"llvm.store volatile {value}, {pointer} : i32, !llvm.ptr<1>{_AT}")
    return text.module("%n: i32, %m: i32, %p: !llvm.ptr<1>, %q: !llvm.ptr")
