"""Modules with LLVM's debug metadata, at random: units, types, functions, scopes, variables; and what two compilers say.

`python -m tests.codegen.debug_cases COUNT SEED` compares weft's sections with those of LLVM's NVPTX.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from random import Random
from typing import Any

import weft
from tests.codegen.dwarf_reader import Entry, Unit, operations, units
from tests.conftest import llvm_tool
from weft.ptx.ast import Module
from weft.ptx.directive_nodes import File

_BASICS = (
    ("int", 32, "DW_ATE_signed"), ("float", 32, "DW_ATE_float"), ("unsigned", 32, "DW_ATE_unsigned"),
    ("char", 8, "DW_ATE_signed_char"), ("bool", 8, "DW_ATE_boolean"), ("double", 64, "DW_ATE_float"),
    ("long", 64, "DW_ATE_signed"), ("char16_t", 16, "DW_ATE_UTF"), ("half", 16, "DW_ATE_float"),
)  # fmt: skip
_LANGUAGES = ("DW_LANG_C99", "DW_LANG_C_plus_plus", "DW_LANG_C11", "DW_LANG_Fortran90", "DW_LANG_C_plus_plus_14", "DW_LANG_Julia")  # fmt: skip


_EMITTED = ("Full", "Full", "Full", "Full", "LineTablesOnly", "DebugDirectivesOnly")
_KINDS = ("pointer", "typedef", "const", "struct", "array", "enum", "union", "function", "recursive", "volatile", "reference")  # fmt: skip
"""Those of types."""


class _Maker:
    """Makes one module."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.aliases: list[str] = []
        self.body: list[str] = []
        self._count = 0
        self.files = [self.alias("f", f'#llvm.di_file<"{name}" in "/src">') for name in ("a.cu", "b.h")]
        table = rng.choice(("", "", ", nameTableKind = GNU", ", nameTableKind = None"))
        self.unit = self.alias("cu", f"#llvm.di_compile_unit<id = distinct[{self.number()}]<>, sourceLanguage = {rng.choice(_LANGUAGES)}, "
                               f'file = {self.files[0]}, producer = "p", isOptimized = true, emissionKind = {rng.choice(_EMITTED)}{table}>')  # fmt: skip
        self.spaces = [self.alias("ns", '#llvm.di_namespace<name = "outer", exportSymbols = false>')]
        self.spaces.append(self.alias("ns", f'#llvm.di_namespace<name = "inner", scope = {self.spaces[0]}, exportSymbols = true>'))  # fmt: skip
        self.types: list[str] = []
        for name, bits, encoding in _BASICS:
            self.types.append(self.alias("t", f'#llvm.di_basic_type<tag = DW_TAG_base_type, name = "{name}", sizeInBits = {bits}, encoding = {encoding}>'))  # fmt: skip
        for _ in range(rng.randint(2, 9)):
            self.types.append(self.type())

    def text(self) -> str:
        aliases = "\n".join(self.aliases)
        body = "\n".join(self.body)
        return f"{aliases}\nmodule {{\n{body}\n}}\n"

    def number(self) -> int:
        self._count += 1
        return self._count

    def alias(self, stem: str, text: str) -> str:
        name = f"#{stem}{self.number()}"
        self.aliases.append(f"{name} = {text}")
        return name

    def type(self) -> str:
        rng, base, file = self.rng, self.rng.choice(self.types), self.rng.choice(self.files)
        name, line = f"T{self.number()}", rng.randint(1, 300)
        scope = f", scope = {rng.choice(self.spaces)}" if rng.random() < 0.3 else ""
        kind = rng.choice(_KINDS)
        if kind == "pointer":
            space = rng.choice(("", ", dwarfAddressSpace = 3"))
            return self.alias(
                "t", f"#llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = {base}, sizeInBits = 64{space}>"
            )
        if kind == "reference":
            tag = rng.choice(("DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"))
            return self.alias("t", f"#llvm.di_derived_type<tag = {tag}, baseType = {base}, sizeInBits = 64>")
        if kind == "typedef":
            return self.alias("t", f'#llvm.di_derived_type<tag = DW_TAG_typedef, name = "{name}", baseType = {base}>')
        if kind in ("const", "volatile"):
            return self.alias("t", f"#llvm.di_derived_type<tag = DW_TAG_{kind}_type, baseType = {base}>")
        if kind == "function":
            types = ", ".join(rng.choice([*self.types, "#llvm.di_null_type"][-1 if not i and rng.random() < 0.3 else 0 :][:1] or self.types) for i in range(rng.randint(1, 3)))  # fmt: skip
            made = self.alias("t", f"#llvm.di_subroutine_type<types = {types}>")
            return self.alias(
                "t", f"#llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = {made}, sizeInBits = 64>"
            )
        if kind == "array":
            ranges = [rng.choice(("#llvm.di_subrange<count = 4 : i64>", "#llvm.di_subrange<count = 300 : i64, lowerBound = 0 : i64>",
                                  "#llvm.di_subrange<lowerBound = 1 : i64, upperBound = 5 : i64>", "#llvm.di_subrange<count = -1 : i64>"))
                      for _ in range(rng.randint(1, 2))]  # fmt: skip
            flags = rng.choice(("", ", flags = Vector")) if len(ranges) == 1 else ""
            return self.alias(
                "t",
                f"#llvm.di_composite_type<tag = DW_TAG_array_type, baseType = {base}{flags}, sizeInBits = 128, elements = {', '.join(ranges)}>",
            )
        if kind == "enum":
            return self.alias(
                "t",
                f'#llvm.di_composite_type<tag = DW_TAG_enumeration_type, name = "{name}", file = {file}, line = {line}{scope}, baseType = {self.types[0]}, sizeInBits = 32>',
            )
        own = ""
        if kind == "recursive":
            own = f"recId = distinct[{self.number()}]<>, "
            base = self.alias(
                "t",
                f"#llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #llvm.di_composite_type<{own}isRecSelf = true>, sizeInBits = 64>",
            )
        members = ", ".join(f'#llvm.di_derived_type<tag = DW_TAG_member, name = "m{i}", baseType = {base if not i else rng.choice(self.types)}, sizeInBits = 32, offsetInBits = {i * rng.choice((32, 64, 2048))}>'
                            for i in range(rng.randint(1, 3)))  # fmt: skip
        tag = "DW_TAG_union_type" if kind == "union" else rng.choice(("DW_TAG_structure_type", "DW_TAG_class_type"))
        aligned = rng.choice(("", "", ", alignInBits = 64"))
        return self.alias(
            "t",
            f'#llvm.di_composite_type<{own}tag = {tag}, name = "{name}", file = {file}, line = {line}{scope}, sizeInBits = {rng.choice((64, 128, 4096))}{aligned}, elements = {members}>',
        )

    def function(self, stem: str, *, kept: bool) -> tuple[str, str]:
        """A subprogram and its name; `kept` says that retained nodes may name variables without a location."""
        rng = self.rng
        name = f"{stem}{self.number()}"
        types = ", ".join(["#llvm.di_null_type", *(rng.choice(self.types) for _ in range(rng.randint(0, 2)))])
        made = self.alias("st", f"#llvm.di_subroutine_type<types = {types}>")
        linkage = f', linkageName = "_Z{name}"' if rng.random() < 0.5 else ""
        scope = rng.choice((self.files[0], self.files[1], *self.spaces))
        flags = rng.choice(("Definition", "Definition|Optimized", "LocalToUnit|Definition"))
        line = rng.randint(1, 400)
        return name, self.alias("sp", f"#llvm.di_subprogram<id = distinct[{self.number()}]<>, compileUnit = {self.unit}, scope = {scope}, "
                                f'name = "{name}"{linkage}, file = {rng.choice(self.files)}, line = {line}, scopeLine = {line}, '
                                f'subprogramFlags = "{flags}", type = {made}>')  # fmt: skip

    def block(self, scope: str) -> str:
        return self.alias(
            "lb",
            f"#llvm.di_lexical_block<scope = {scope}, file = {self.rng.choice(self.files)}, line = {self.rng.randint(1, 300)}, column = 3>",
        )

    def variable(self, scope: str, arg: int = 0) -> str:
        rng = self.rng
        position = f", arg = {arg}" if arg else ""
        flags = ", flags = Artificial" if rng.random() < 0.1 else ""
        return self.alias(
            "v",
            f'#llvm.di_local_variable<scope = {scope}, name = "v{self.number()}", file = {rng.choice(self.files)}, line = {rng.randint(1, 300)}{position}, type = {rng.choice(self.types)}{flags}>',
        )


def module(seed: str) -> str:
    """A random module."""
    rng = Random(seed)
    m = _Maker(rng)
    for _ in range(rng.randint(0, 3)):
        _variable(m, rng.choice((0, 1, 3, 4)))
    for _ in range(rng.randint(1, 2)):
        _function(m, rng)
    return m.text()


def functions(seed: int) -> str:
    """A module of several functions and variables."""
    rng = Random(f"functions {seed}")
    m = _Maker(rng)
    for _ in range(4):
        _variable(m, rng.choice((0, 1, 3, 4)))
    for _ in range(5):
        _function(m, rng)
    return m.text()


def _variable(m: _Maker, space: int) -> None:
    """A global variable."""
    rng = m.rng
    name = f"g{m.number()}"
    linkage = f', linkageName = "{name}"' if rng.random() < 0.4 else ""
    var = m.alias(
        "gv",
        f'#llvm.di_global_variable<scope = {m.unit}, name = "{name}_", file = {m.files[0]}, line = {rng.randint(1, 99)}{linkage}, type = {rng.choice(m.types)}, isLocalToUnit = {rng.choice(("true", "false"))}, isDefined = true>',
    )
    expression = rng.choice(("", "", f"[DW_OP_constu({rng.choice((4, 5, 8, 12))}), DW_OP_swap, DW_OP_xderef]"))
    init = "()" if space == 3 else "(0 : i32)"
    m.body.append(
        f"llvm.mlir.global external @{name}{init} {{addr_space = {space} : i32, dbg_exprs = [#llvm.di_global_variable_expression<var = {var}, expr = <{expression}>>]}} : i32"
    )


def _function(m: _Maker, rng: Random) -> None:
    name, own = m.function("k", kept=False)
    helpers = [m.function("h", kept=False)[1] for _ in range(rng.randint(0, 2))]
    lines: list[str] = []
    line = iter(range(1000, 9000))

    def at(scope: str, around: str = "") -> str:
        inner = f'fused<{scope}>["/src/a.cu":{next(line)}:{rng.randint(1, 9)}]'
        return f" loc(callsite({inner} at {around}))" if around else f" loc({inner})"

    lines.append("%one = llvm.mlir.constant(1 : i32) : i32")
    values = [("%n", "i32")]
    regions: list[tuple[str, str, list[str]]] = [(own, "", [m.variable(own, 1), m.variable(own)])]
    inner = m.block(own)
    regions.append((inner, "", [m.variable(inner)]))
    for helper in helpers:
        caller = f'fused<{rng.choice((own, inner))}>["/src/a.cu":{next(line)}:4]'
        theirs = [m.variable(helper, 1), m.variable(helper)]
        nested = m.block(m.block(helper))
        regions += [(helper, caller, theirs), (nested, caller, [m.variable(nested)])]
    stack = 0
    for scope, around, variables in regions:
        for variable in variables:
            value, kind = rng.choice(values)
            choice = rng.random()
            if choice < 0.15:
                lines.append(f"%a{stack} = llvm.alloca %one x i32 : (i32) -> !llvm.ptr")
                lines.append(f"llvm.store volatile %n, %a{stack} : i32, !llvm.ptr{at(scope, around)}")
                lines.append(f"llvm.intr.dbg.declare {variable} = %a{stack} : !llvm.ptr{at(scope, around)}")
                stack += 1
            elif choice < 0.3:
                number = rng.choice((0, 5, -1, 100000))
                lines.append(f"%c{m.number()} = llvm.mlir.constant({number} : i32) : i32")
                lines.append(f"llvm.intr.dbg.value {variable} = {lines[-1].split(' ')[0]} : i32{at(scope, around)}")
            elif choice < 0.9:
                lines.append(f"llvm.intr.dbg.value {variable} = {value} : {kind}{at(scope, around)}")
            made = f"%x{m.number()}"
            lines.append(f"{made} = llvm.mul {value}, {rng.choice(values)[0]} : i32{at(scope, around)}")
            values.append((made, "i32"))
    total = values[0][0]
    for value, _ in values[1:]:
        made = f"%x{m.number()}"
        lines.append(f"{made} = llvm.xor {total}, {value} : i32{at(own)}")
        total = made
    lines.append(f"llvm.store {total}, %p : i32, !llvm.ptr<1>{at(own)}")
    lines.append(f"llvm.return{at(own)}")
    kernel = " attributes {nvvm.kernel}" if rng.random() < 0.6 else ""
    m.body.append(
        f"llvm.func @{name}(%n: i32, %p: !llvm.ptr<1>){kernel} {{\n  " + "\n  ".join(lines) + f"\n}}{at(own)}"
    )


# -- comparing ----------------------------------------------------------------------------------------------------------

_ELSEWHERE = {"low_pc", "high_pc", "location", "const_value", "address_class", "stmt_list"}
"""Attributes that depend on the code."""


def canonical(entry: Entry, files: dict[int, str], depth: int = 5) -> tuple[object, ...]:
    """An entry without what depends on the code or on the order of entries."""
    values: list[tuple[str, object]] = []
    for name, value in sorted(entry.values.items()):
        located = entry.tag in ("variable", "formal_parameter", "subprogram", "inlined_subroutine", "lexical_block")
        if name in _ELSEWHERE and located:
            continue
        if isinstance(value, Entry):
            value = canonical(value, files, depth - 1) if depth else value.tag
        elif name.endswith("_file") and isinstance(value, int):
            value = files.get(value, value)
        values.append((name, value))
    children = sorted((canonical(child, files, depth) for child in entry.children), key=repr) if depth else []
    if entry.tag in ("compile_unit", "namespace"):
        children = [child for child in dict.fromkeys(children) if not str(child[0]).endswith("_type")]
        children = [child for child in children if child[0] != "namespace" or child[2]]
    return (entry.tag, tuple(values), tuple(children))


def described(module_: Module) -> list[tuple[object, ...]]:
    """What the sections of a module say."""
    files = {item.number: item.path for item in module_.items if isinstance(item, File)}
    return [(canonical(unit.root, files), sorted(unit.pubnames.items()), sorted(unit.pubtypes.items())) for unit in units(module_)]  # fmt: skip


def locations(found: list[Unit]) -> Counter[tuple[str, str, str]]:
    """How variables are found: the kinds of their locations, by function and name."""
    kinds: Counter[tuple[str, str, str]] = Counter()

    def walk(entry: Entry, function: str) -> None:
        for child in entry.children:
            if child.tag in ("variable", "formal_parameter"):
                origin = child.values.get("abstract_origin", child)
                assert isinstance(origin, Entry)
                kinds[function, str(origin.values.get("name")), _kind(child)] += 1
            named = child.values.get("abstract_origin", child)
            walk(child, str(named.values.get("name")) if isinstance(named, Entry) and child.tag in ("subprogram", "inlined_subroutine") else function)  # fmt: skip

    for unit in found:
        walk(unit.root, "")
    return kinds


def _kind(entry: Entry) -> str:
    space = entry.values.get("address_class", "")
    if "const_value" in entry.values:
        return f"constant {entry.values['const_value']} {space}"
    where = entry.values.get("location")
    if where is None:
        return "nowhere"
    if isinstance(where, list):
        return "list"
    first = operations(where)[0]  # pyright: ignore
    return f"{first[0] if first[0] != 'addr' else first} {space}"


def by_llvm(text: str) -> Module | None:
    """The PTX that LLVM makes of a module; None where it refuses, or where an assertion of its does not hold.

    In a unit of line tables only LLVM leaves a function out into which nothing was inlined, and asserts that it has no
    variables (`DwarfDebug::endFunctionImpl`): without assertions they turn up in the scopes of another function.
    """
    functions = text.split("llvm.func ")[1:]
    if "LineTablesOnly" in text and any(".dbg." in body and "callsite(" not in body for body in functions):
        return None
    for command in (
        [llvm_tool("mlir-translate"), "--mlir-to-llvmir"],
        [llvm_tool("llc"), "-march=nvptx64", "-mcpu=sm_90a", "-mattr=+ptx86", "-o", "-"],
    ):
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        if done.returncode:
            return None
        text = done.stdout
    return weft.parse(text)


def _named(entry: Any) -> object:
    """What tells an entry apart from those beside it."""
    values = dict(entry[1])
    origin = values.get("abstract_origin")
    return (entry[0], values.get("name"), values.get("call_line"), values.get("call_column"), origin and _named(origin))


def _variables(entry: Any) -> set[str]:
    """The names of variables in an entry, by which blocks are told apart."""
    here = {str(dict(entry[1]).get("name"))} if entry[0] == "variable" else set[str]()
    return here.union(*(_variables(child) for child in entry[2]))


def differences(theirs: Any, ours: Any, path: str = "") -> list[str]:
    """Where two descriptions differ; what only ours has ends a line with `only ours`."""
    if not (isinstance(theirs, tuple) and isinstance(ours, tuple) and len(theirs) == len(ours) == 3):
        return [f"{path} theirs {theirs!s:.500}", f"{path} ours   {ours!s:.500}"]
    path = f"{path}/{theirs[0]} {dict(theirs[1]).get('name', '')}"
    found: list[str] = []
    one, two = dict(theirs[1]), dict(ours[1])
    for name in one.keys() | two.keys():
        if one.get(name) != two.get(name):
            found += differences(one.get(name), two.get(name), f"{path}.{name}")
    only = [c for c in theirs[2] if c not in ours[2]], [c for c in ours[2] if c not in theirs[2]]
    for child in only[0]:
        alike = [c for c in only[1] if _named(c) == _named(child)]
        same = max(alike, key=lambda c: len(_variables(c) & _variables(child)), default=None)
        if same is not None:
            only[1].remove(same)
        found += differences(child, same, path)
    return found + [f"{path} {child!s:.500} only ours" for child in only[1]]


def main(count: str, seed: str) -> None:
    """Compare."""
    different, refused, located = 0, 0, Counter[str]()
    for number in range(int(count)):
        text = module(f"{seed} {number}")
        theirs = by_llvm(text)
        if theirs is None:
            refused += 1
            continue
        ours = weft.compile(text, "sm_90a", "8.6", debug="full")
        a, b = described(theirs), described(ours)
        if a != b:
            different += 1
            print(f"==== {seed} {number}")
            for one, two in zip(a, b, strict=False):
                print(*differences(one[0], two[0]), sep="\n")
                for k in (1, 2):
                    if one[k] != two[k]:
                        print("  names", one[k], two[k])
        mine, other = locations(units(ours)), locations(units(theirs))
        for key in other:
            located["same" if mine[key] == other[key] else "other"] += 1
            if mine[key] != other[key]:
                print(f"  {number} {key}: {[k for k in mine if k[:2] == key[:2]]}")
    print(count, "modules,", different, "different,", refused, "refused;", dict(located))


if __name__ == "__main__":
    main(*sys.argv[1:])
