"""What debuggers are told under `-g`: units, functions, scopes, types, variables and names, as LLVM's NVPTX has them."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import weft
from tests.codegen import debug_cases, debug_corners, debug_types, debug_values, dwarf_reader
from tests.codegen.dwarf_reader import Entry, operations, units
from tests.conftest import llvm_tool, nvidia_tool
from tests.differential.c import judge
from tests.differential.c.generate import generate
from weft.codegen.debug import entries, sections, types
from weft.ptx.ast import Module
from weft.toolchain import assemble

VARIABLES = """
#f = #llvm.di_file<"a.cu" in "/src">
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C99, file = #f, isOptimized = true, emissionKind = Full>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #cu, scope = #f, name = "k", file = #f, line = 5, subprogramFlags = "Definition">
#n = #llvm.di_local_variable<scope = #sp, name = "n", file = #f, line = 5, arg = 1, type = #int>
#s = #llvm.di_local_variable<scope = #sp, name = "s", file = #f, line = 6, type = #int>
#d = #llvm.di_local_variable<scope = #sp, name = "d", file = #f, line = 7, type = #int>
module {
  llvm.func @k(%n: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %one = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0 : i32) : i32
    llvm.intr.dbg.value #n = %n : i32 loc(fused<#sp>["/src/a.cu":5:3])
    llvm.br ^loop(%zero, %zero : i32, i32) loc(fused<#sp>["/src/a.cu":6:3])
  ^loop(%i: i32, %s: i32):
    llvm.intr.dbg.value #s = %s : i32 loc(fused<#sp>["/src/a.cu":6:3])
    %d = llvm.mul %i, %i : i32 loc(fused<#sp>["/src/a.cu":7:3])
    llvm.intr.dbg.value #d = %d : i32 loc(fused<#sp>["/src/a.cu":7:3])
    %t = llvm.xor %s, %d : i32 loc(fused<#sp>["/src/a.cu":8:3])
    %j = llvm.add %i, %one : i32 loc(fused<#sp>["/src/a.cu":9:3])
    %c = llvm.icmp "slt" %j, %n : i32 loc(fused<#sp>["/src/a.cu":9:5])
    llvm.cond_br %c, ^loop(%j, %t : i32, i32), ^end(%t : i32) loc(fused<#sp>["/src/a.cu":9:7])
  ^end(%r: i32):
    llvm.store %r, %p : i32, !llvm.ptr<1> loc(fused<#sp>["/src/a.cu":10:3])
    llvm.return loc(fused<#sp>["/src/a.cu":11:3])
  } loc(fused<#sp>["/src/a.cu":5:1])
}
"""


def check(text: str, *, exact: bool = True) -> None:
    """Compare with LLVM where its answer can be trusted: of some modules llc dies mostly, and not always."""
    try:
        compare(text, exact=exact)
    except AssertionError:
        if all(debug_cases.by_llvm(text) is not None for _ in range(4)):
            raise


def compare(text: str, *, exact: bool = True) -> None:
    """LLVM's entries are there, and variables that it loses on the way may be.

    What is inlined depends on the code; where that is optimised only as many variables have to be somewhere.
    """
    theirs = debug_cases.by_llvm(text)
    if theirs is None:
        return
    ours = weft.compile(text, "sm_90a", "8.6", debug="full")
    assert weft.verify(ours) == []
    assert weft.parse(ours.to_ptx()) == ours
    if assembles(theirs):  # ptxas 13.5 dies of some that LLVM writes.
        assemble(ours)
    given, made = debug_cases.described(theirs), debug_cases.described(ours)
    assert len(given) == len(made)
    for one, two in zip(given, made, strict=True):
        lines = debug_cases.differences(one[0], two[0])
        assert not exact or [line for line in lines if not line.endswith("only ours")] == []
        for names, more in zip(one[1:], two[1:], strict=True):
            assert not exact or _missing(names, more) == []
    known, found = (Counter(dict(located(m))) for m in (theirs, ours))
    assert found.total() >= 0.9 * known.total() - 1


def _missing(names: Any, more: Any) -> list[Any]:
    """Names that only LLVM has; namespaces with nothing inside do not count."""
    return [name for name in names if name not in more and name[1] != "namespace"]


def assembles(module: Module) -> bool:
    """Whether ptxas takes a module."""
    try:
        assemble(module)
    except weft.ToolError:
        return False
    return True


def located(module: Module) -> list[tuple[tuple[str, str], int]]:
    """The variables of each function that are somewhere."""
    kinds = debug_cases.locations(units(module))
    found = Counter((function, name) for function, name, kind in kinds if kind != "nowhere")
    return [(key, 1) for key in found]


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", [10, 12, 14, 15, 18, 23])
def test_functions_scopes_and_variables(seed: int) -> None:
    """What was inlined where, and which variables lie in which blocks, in units with all tables, lines only and others."""
    text = debug_cases.functions(seed)
    theirs, ours = debug_cases.by_llvm(text), weft.compile(text, "sm_90a", "8.6", debug="full")
    assert theirs is not None
    given, made = debug_cases.described(theirs), debug_cases.described(ours)
    assert len(given) == len(made)
    for one, two in zip(given, made, strict=True):
        assert debug_cases.differences(one[0], two[0]) == []
        assert one[1:] == two[1:]
    assert debug_cases.locations(units(theirs)) == debug_cases.locations(units(ours))


@pytest.mark.sample(1)
@pytest.mark.usefixtures("ptxas")
@pytest.mark.parametrize("language", debug_types.LANGUAGES)
def test_types_in_every_language(language: str) -> None:
    """All entries of types and of global variables, and the tables of names, are LLVM's."""
    text = debug_types.module(language)
    theirs, ours = debug_cases.by_llvm(text), weft.compile(text, "sm_90a", "8.6", debug="full")
    assert theirs is not None
    assemble(ours)
    (given,), (made,) = debug_cases.described(theirs), debug_cases.described(ours)
    assert debug_cases.differences(given[0], made[0]) == []
    assert given[1:] == made[1:]
    assert debug_cases.locations(units(theirs)) == debug_cases.locations(units(ours))


CORNERS = [
    ("DW_LANG_C_plus_plus", "Full", "Default", ""), ("DW_LANG_Fortran90", "Full", "None", "outer"),
    ("DW_LANG_C_plus_plus", "LineTablesOnly", "GNU", ""),
]  # fmt: skip


@pytest.mark.parametrize(("language", "emitted", "table", "space"), CORNERS)
def test_what_metadata_has_rarely(language: str, emitted: str, table: str, space: str) -> None:
    """LLVM forgets static variables of blocks."""
    text = debug_corners.module(language, emitted, table, space)
    theirs, ours = debug_cases.by_llvm(text), weft.compile(text, "sm_90a", "8.6", debug="full")
    assert theirs is not None
    (given,), (made,) = debug_cases.described(theirs), debug_cases.described(ours)
    assert all(line.endswith("only ours") for line in debug_cases.differences(given[0], made[0]))
    more = {name for names, others in zip(given[1:], made[1:], strict=True) for name in {*others} - {*names}}
    full = emitted == "Full"
    assert more == ({("(anonymous namespace)::k::deep", "variable")} if full and table == "Default" else set())
    assert [names for names in given[1:] if not names] == [names for names in made[1:] if not names]
    mine, others = (debug_cases.locations(units(each)) for each in (ours, theirs))
    assert others - mine == Counter()
    assert mine - others == Counter({("k", "deep", "('addr', 's2') 5"): 1} if full else {})


def _numbers(module: Module) -> dict[str, list[int]]:
    """The variables that are numbers from some place on: those that each is, of 64 bits."""
    found: dict[str, list[int]] = {}
    for entry in (entry for unit in units(module) for entry in unit.root.walk()):
        ranges = entry.values.get("location")
        if isinstance(ranges, list):
            found[str(entry.values["name"])] = [_number(operations(where)) for _, _, where in ranges]  # pyright: ignore
    return found


def _number(found: list[tuple[Any, ...]]) -> int:
    """What operations compute; LLVM says -1 as the inverse (32) of 0."""
    name, value = found[0]
    assert name in ("constu", "consts") and found[1:] in ([], [(32,)])
    return (~value if found[1:] else value) & (1 << 64) - 1


def test_variables_that_are_constants() -> None:
    """Of every type, signed or not, all the time or before they become another number."""
    text = debug_values.constants()
    theirs, ours = debug_cases.by_llvm(text), weft.compile(text, "sm_90a", "8.6", debug="full")
    assert theirs is not None
    known = debug_cases.locations(units(theirs))
    assert known.total() > 200
    assert debug_cases.locations(units(ours)) == known
    assert _numbers(ours) == _numbers(theirs)


def test_variables_in_memory_and_in_pieces() -> None:
    """Where each is: NVIDIA's class of addresses (5 global, 8 shared, 4 constant, 6 local), and what finds it."""
    module = weft.compile(debug_values.places(), "sm_90a", "8.6", debug="full")
    registers = dict(re.findall(r"ld\.param\.\w+ (%\w+), \[k_param_(\d)\]", module.to_ptx()))
    given = {register: "nmpq"[int(place)] for register, place in registers.items()}
    # A generic address in global memory is the same number as the global one.
    given |= {to: given[of] for to, of in re.findall(r"cvta\.to\.global\.u64 (%\w+), (%\w+)", module.to_ptx())}
    found: dict[str, Any] = {}
    for entry in (entry for unit in units(module) for entry in unit.root.walk() if entry.tag == "variable"):
        where: Any = entry.values.get("location")
        lists = [where] if isinstance(where, tuple) else [part for _, _, part in where or []]
        known = [[tuple(given.get(one, one) for one in step) for step in operations(part)] for part in lists]
        found[str(entry.values["name"])] = (entry.values.get("address_class"), *known)
    local, piece = "__local_depot0", ("piece", 4)
    assert found == {
        "alloca": (6, [("addr", local)]),
        "behind": (6, [("addr", local), ("plus", 8)]),
        "further": (6, [("addr", local), ("plus", 12)]),
        "shared": (8, [("addr", "s")]),
        "shared12": (8, [("addr", "s"), ("plus", 12)]),
        "seen": (8, [("addr", "s")]),
        "constant": (4, [("addr", "c")]),
        "global": (5, [("addr", "g")]),
        "given": (2, [("bregx", "p", 0)]),
        "given200": (2, [("bregx", "p", 200)]),
        "before": (2, [("bregx", "p", -4)]),
        "generic": (2, [("bregx", "q", 8)]),
        "added": (2, [("bregx", "p", 300)]),
        "held": (2, [("regx", "n")]),
        "pointer": (2, [("regx", "p")]),
        "pointed": (2, [("bregx", "p", 0)]),
        "stacked": (2, [("regx", "n")]),
        "both": (None, [("regx", "n"), piece], [("regx", "n"), piece, ("regx", "m"), piece]),
        "upper": (None, [piece, ("regx", "n"), piece]),
        "apart": (None, [("regx", "n"), ("piece", 2)], [("regx", "n"), ("piece", 2), piece, ("regx", "m"), ("piece", 2)]),
        **dict.fromkeys(("computed", "unknown", "twice", "nowhere", "sum", "loaded", "plus"), (None,)),
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("ptxas")
def test_many() -> None:
    for number in range(300):
        check(debug_cases.module(f"more {number}"))


def imported(number: int, level: int, folder: Path) -> str:
    """Random C through clang, optimised or not, as MLIR."""
    source, ir = folder / "k.c", folder / "k.ll"
    source.write_text(judge.source([generate(f"k{number}", f"debug {number}")]))
    command = [llvm_tool("clang"), "-w", "-target", "nvptx64-nvidia-cuda", "-g", "-O0", "-S", "-emit-llvm",
               "-Xclang", "-target-cpu", "-Xclang", "sm_90", "-Xclang", "-target-feature", "-Xclang", "+ptx86"]  # fmt: skip
    subprocess.run([*command, str(source), "-o", str(ir)], check=True, capture_output=True)
    ir.write_text(re.sub(r"\boptnone\b|\bnoinline\b", "", ir.read_text()))
    subprocess.run([llvm_tool("opt"), f"-O{level}", "-S", str(ir), "-o", str(ir)], check=True, capture_output=True)
    command = [llvm_tool("mlir-translate"), "--import-llvm", "--mlir-print-debuginfo", str(ir)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.mark.slow
@pytest.mark.usefixtures("ptxas")
def test_c(tmp_path: Path) -> None:
    check(imported(0, 0, tmp_path))


@pytest.mark.slow
@pytest.mark.usefixtures("ptxas")
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_more_c(level: int, tmp_path: Path) -> None:
    for number in range(1, 12):
        check(imported(number, level, tmp_path), exact=False)  # weft optimises: calls that leave no code have no entry.


def test_registers_hold_variables_until_they_are_written() -> None:
    module = weft.compile(VARIABLES, "sm_90a", debug="full")
    (root,) = (unit.root for unit in units(module))
    found = {entry.values["name"]: entry for entry in root.walk() if entry.tag in ("variable", "formal_parameter")}
    text = module.to_ptx()

    def lines_of(name: str) -> list[tuple[str, str]]:
        """Each register of a variable, and the text while it holds it."""
        ranges = found[name].values["location"]
        assert isinstance(ranges, list)
        return [
            (str(operations(where)[0][1]), text.partition(f"{begin}:\n")[2].partition(f"{end}:\n")[0])  # pyright: ignore
            for begin, end, where in ranges  # pyright: ignore
        ]

    assert isinstance(found["n"].values["location"], tuple)  # In one place all the time.
    for name in ("s", "d"):
        assert lines_of(name)
        for register, held in lines_of(name):
            inside = [line for line in held.splitlines() if line.endswith(";")][:-1]
            assert not [line for line in inside if re.match(rf"\s*(@\S+ )?[\w.:]+ {register}\b", line)]


def test_the_tables_of_names() -> None:
    module = weft.compile(VARIABLES, "sm_90a", debug="full")
    (unit,) = units(module)
    assert (unit.pubnames, unit.pubtypes) == ({"k": "subprogram"}, {"int": "base_type"})
    assert isinstance(unit.root, Entry)


def test_a_debugger_sees_variables(tmp_path: Path) -> None:
    nvidia_tool("ptxas")
    path = tmp_path / "k.cubin"
    path.write_bytes(assemble(weft.compile(VARIABLES, "sm_90a", debug="full")).data)
    shown = subprocess.run([llvm_tool("llvm-dwarfdump"), str(path)], capture_output=True, text=True, check=True).stdout
    assert {"n", "s", "d"} <= set(re.findall(r'DW_AT_name\t\("(.*)"\)', shown))
    assert "DW_TAG_formal_parameter" in shown


SPELLED = {
    "LOW": "low_pc", "HIGH": "high_pc", "ORIGIN": "abstract_origin", "SIZE": "byte_size", "FILE": "decl_file",
    "LINE": "decl_line", "OFFSET": "data_member_location", "CONSTANT": "const_value", "LOWER": "lower_bound",
    "UPPER": "upper_bound", "CONVENTION": "calling_convention", "VECTOR": "GNU_vector", "GNU_NAMES": "GNU_pubnames",
    "EXPORTED": "export_symbols",
}  # fmt: skip
"""Attributes that are not called as the standard calls them."""
TAGGED = {"inlined": "inlined_subroutine", "parameter": "formal_parameter", "subrange": "subrange_type",
          "subroutine": "subroutine_type", "unspecified": "unspecified_parameters",
          "DW_TAG_ptr_to_member_type": "ptr_to_member_type"}  # fmt: skip


def test_numbers_are_those_of_the_standard() -> None:
    """As the reader of the tests, which reads LLVM's sections too, has them."""
    numbers = {name: value for name, value in vars(entries).items() if name.isupper() and isinstance(value, int)}
    attributes = {name: number for name, number in numbers.items() if not name.startswith("_")}
    assert len(attributes) > 35
    assert {name: dwarf_reader.NAMES.get(number) for name, number in attributes.items()} == {
        name: SPELLED.get(name, name.lower()) for name in attributes
    }
    tags = {name: TAGGED.get(name, name.removeprefix("DW_TAG_")) for name in entries.TAGS}
    assert {name: dwarf_reader.TAGS.get(number) for name, number in entries.TAGS.items()} == tags


def test_numbers_take_the_least_form_that_holds_them() -> None:
    """`data1` (0x0b), `data2`, `data4`, `data8`, and `udata` (0x0f) of any length."""
    forms = [entries.data(entries.SIZE, (1 << bits) - 1)[1] for bits in range(1, 71)]
    assert forms == [0x0B] * 8 + [0x05] * 8 + [0x06] * 16 + [0x07] * 32 + [0x0F] * 6


@pytest.mark.parametrize(
    ("table", "described"),
    [
        (sections._LANGUAGES, "distinct !DICompileUnit(language: {}, file: !0)"),
        (types._ENCODINGS, "!DIBasicType(encoding: {})"),
        (types._CONVENTIONS, "!DISubroutineType(cc: {}, types: !{{}})"),
    ],
    ids=["languages", "encodings", "conventions"],
)
def test_names_are_those_of_llvm(table: dict[str, int], described: str) -> None:
    """LLVM reads numbers, and prints the names that it knows them by."""
    nodes = {f"!{place}": described.format(number) for place, number in enumerate(sorted(set(table.values())), 1)}
    lines = ['!0 = !DIFile(filename: "a", directory: "b")', *(f"{name} = {node}" for name, node in nodes.items())]
    command = [llvm_tool("opt"), "-S", "-passes=", "--disable-verify", "-"]
    text = "\n".join([*lines, f"!all = !{{!0, {', '.join(nodes)}}}"])
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    names = re.findall(r"(?:language|encoding|cc): (\w+)", done)
    alike = {"DW_CC_LLVM_DeviceKernel": "DW_CC_LLVM_OpenCLKernel"}
    known = dict(zip(names, sorted(set(table.values())), strict=True))
    assert {**known, **{alike[name]: number for name, number in known.items() if name in alike}} == table
