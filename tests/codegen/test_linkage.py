"""Linkage, visibility and the directives of variables and functions, as LLVM's NVPTX gives them."""

from __future__ import annotations

import itertools
import re
import subprocess

import pytest

import weft
from tests.codegen.oracle import llvm_ptx, tool
from weft.ptx.ast import Directive, Module, Variable
from weft.toolchain import assemble, find

LINKAGES = (
    "private", "internal", "available_externally", "linkonce", "weak", "common", "appending", "extern_weak",
    "linkonce_odr", "weak_odr", "external",
)  # fmt: skip
VISIBILITIES = ("", "hidden", "protected")
SPACES = {0: "zero", 1: "one", 3: "three", 4: "four"}
TYPES = {
    "i32": "5 : i32", "f32": "1.5 : f32", "f64": "-2.0 : f64", "i8": "200 : i8", "i64": "-6 : i64",
    "!llvm.array<4 x i32>": "dense<[1, 2, 3, 4]> : tensor<4xi32>",
}  # fmt: skip
ZERO = "!llvm.array<4 x i32>", "dense<0> : tensor<4xi32>"


def users(names: list[tuple[str, int]]) -> str:
    """A function for each global that gives its address, so that none is left out."""
    text = ""
    for name, space in names:
        pointer = f"!llvm.ptr<{space}>" if space else "!llvm.ptr"
        text += (
            f"llvm.func @use_{name}() -> {pointer} {{ %0 = llvm.mlir.addressof @{name} : {pointer}\n"
            f"llvm.return %0 : {pointer} }}\n"
        )
    return text


def variables() -> str:
    """Globals of every linkage, visibility and space, with an initial value, with zeros, and without a value."""
    text, used = "", list[tuple[str, int]]()
    numbers = itertools.count()
    for linkage, visibility, space in itertools.product(LINKAGES, VISIBILITIES, SPACES):
        kinds: list[tuple[str, str]] = [("!llvm.array<4 x i32>", "")]
        if linkage != "extern_weak":
            kinds.append(ZERO)
            if space != 3:
                kinds += list(TYPES.items())
        for type_, value in kinds:
            if linkage == "common" and (type_, value) != ZERO:
                continue  # LLVM has common zeros only.
            if linkage == "appending" and "array" not in type_:
                continue
            if visibility and (linkage in ("private", "internal") or len(type_) < 5):
                continue
            name = f"g{next(numbers)}"
            used.append((name, space))
            text += (
                f"llvm.mlir.global {linkage} {visibility} @{name}({value}) {{addr_space = {space} : i32}} : {type_}\n"
            )
    return text + users(used)


def functions() -> str:
    """Functions and kernels of every linkage, in front of and after the function that calls them."""
    text, calls = "", ""
    numbers = itertools.count()
    for linkage, visibility, kind in itertools.product(LINKAGES, VISIBILITIES, ("func", "kernel", "noreturn")):
        if linkage in ("common", "appending", "extern_weak", "available_externally"):
            continue
        if visibility and linkage in ("private", "internal"):
            continue
        name, late = f"f{next(numbers)}", f"f{next(numbers)}"
        attributes = {
            "func": "attributes {no_inline}",
            "kernel": "attributes {nvvm.kernel}",
            "noreturn": 'attributes {passthrough = ["noinline", "noreturn"]}',
        }
        head = f"llvm.func {linkage} {visibility}"
        text = f"{head} @{name}(%x: i32) {attributes[kind]} {{ llvm.return }}\n{text}"
        if kind == "kernel":
            continue
        calls += f"llvm.call @{name}(%x) : (i32) -> ()\nllvm.call @{late}(%x) : (i32) -> ()\n"
        text += f"{head} @{late}(%x: i32) {attributes[kind]} {{ llvm.return }}\n"
    early, _, late = text.partition("llvm.func external  @f")
    rest = "llvm.func external  @f" + late
    caller = f"llvm.func @caller(%x: i32) {{ {calls} llvm.call @elsewhere(%x) : (i32) -> ()\nllvm.return }}\n"
    declared = (
        "llvm.func @elsewhere(i32)\nllvm.func @unused(i32)\nllvm.func available_externally @gone() { llvm.return }\n"
    )
    return early + caller + rest + declared


def of_variables(module: Module) -> dict[str, tuple[object, ...]]:
    """What is said of each variable; LLVM moves those in shared memory that one function uses into it."""
    moved = [s for f in module.functions for s in f.walk() if isinstance(s, Variable) and s.space == "shared"]
    return {
        v.name: (v.linkage, v.space, v.attributes, v.align, v.type, v.dims, v.initializer)
        for v in (*module.variables, *moved)
    }


def of_functions(module: Module) -> dict[str, list[tuple[object, ...]]]:
    found: dict[str, list[tuple[object, ...]]] = {}
    for f in module.functions:
        directives = tuple(d.name for d in f.directives)
        found.setdefault(f.name, []).append((f.kernel, f.linkage, f.body is not None, directives))
    return found


def test_variables_have_the_linkage_that_llvm_gives_them() -> None:
    text = variables()
    ours = of_variables(weft.compile(text, "sm_90a"))
    theirs = of_variables(weft.parse(llvm_ptx(text, "sm_90a", "86")))
    assert len(theirs) > 300
    assert {n: (ours.get(n), theirs[n]) for n in theirs if ours.get(n) != theirs[n]} == {}
    assert ours.keys() == theirs.keys()


def test_functions_have_the_linkage_that_llvm_gives_them() -> None:
    text = functions()
    ours = of_functions(weft.compile(text, "sm_90a"))
    theirs = of_functions(weft.parse(llvm_ptx(text, "sm_90a", "86")))
    assert len(theirs) > 50
    assert {n: (ours.get(n), theirs[n]) for n in theirs if ours.get(n) != theirs[n]} == {}
    assert ours.keys() == theirs.keys()


VISIBLE = """
gpu.module @m [#nvvm.target<chip="sm_90a", features="+ptx80">] {
  memref.global "private" @p : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
  memref.global "nested" @n : memref<4xf32> = uninitialized
  memref.global @q : memref<4xf32> = dense<1.0>
  memref.global constant @c : memref<4xf32> = dense<1.0>
  memref.global @s : memref<4xf32, 3> = uninitialized
  memref.global @e : memref<4xf32>
  gpu.func @helper(%x: i32) -> i32 attributes {sym_visibility = "private"} { gpu.return %x : i32 }
  func.func private @fp(%x: i32) -> i32 { func.return %x : i32 }
  func.func nested @fn(%x: i32) -> i32 { func.return %x : i32 }
  func.func @fu(%x: i32) -> i32 { func.return %x : i32 }
  func.func private @fd(%x: i32) -> i32
  func.func private @unused(%x: i32) -> i32
  func.func private @fi(%x: i32) -> i32 attributes {llvm.linkage = #llvm.linkage<internal>} { func.return %x : i32 }
  gpu.func @k(%a: i32, %o: memref<8xf32>) kernel {
    %i = arith.constant 1 : index
    %0 = func.call @fd(%a) : (i32) -> i32
    %2 = memref.get_global @p : memref<4xf32>
    %3 = memref.load %2[%i] : memref<4xf32>
    memref.store %3, %o[%i] : memref<8xf32>
    %4 = memref.get_global @n : memref<4xf32>
    memref.store %3, %4[%i] : memref<4xf32>
    gpu.return
  }
  gpu.func @kp() kernel attributes {sym_visibility = "private"} { gpu.return }
}
"""


def test_visibility_in_mlir_is_linkage_as_upstream_lowers_it() -> None:
    done = subprocess.run(
        [tool("mlir-opt"), "-gpu-lower-to-nvvm-pipeline=cubin-chip=sm_90a cubin-features=+ptx80 opt-level=0 cubin-format=isa"],
        input=VISIBLE, capture_output=True, text=True, check=True,
    )  # fmt: skip
    text = done.stdout.split('assembly = "')[-1].split('">')[0]
    theirs = weft.parse(text.replace("\\0A", "\n").replace("\\09", "\t").replace("\\22", '"'))
    ours = weft.compile(VISIBLE, "sm_90a")
    assert of_functions(ours) == of_functions(theirs)
    words = {v.name: (v.linkage, v.space) for v in ours.variables}
    assert words == {v.name: (v.linkage, v.space) for v in theirs.variables}


ALIASES = """
llvm.func @f(%x: i32) -> i32 { llvm.return %x : i32 }
llvm.func internal @i(%x: i32) -> i32 { llvm.return %x : i32 }
llvm.mlir.alias external @a : !llvm.func<i32 (i32)> { %0 = llvm.mlir.addressof @f : !llvm.ptr llvm.return %0 : !llvm.ptr }
llvm.mlir.alias internal @b : !llvm.func<i32 (i32)> { %0 = llvm.mlir.addressof @i : !llvm.ptr llvm.return %0 : !llvm.ptr }
llvm.mlir.alias external @c : !llvm.func<i32 (i32)> { %0 = llvm.mlir.addressof @a : !llvm.ptr llvm.return %0 : !llvm.ptr }
llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.mlir.addressof @c : !llvm.ptr
  %1 = llvm.mlir.constant(7 : i32) : i32
  %2 = llvm.call %0(%1) : !llvm.ptr, (i32) -> i32
  llvm.store %2, %p : i32, !llvm.ptr<1>
  llvm.return
}
"""


def test_aliases_name_functions() -> None:
    ours = weft.compile(ALIASES, "sm_90a")
    theirs = weft.parse(llvm_ptx(ALIASES, "sm_90a", "86"))
    aliases = [item for item in ours.items if isinstance(item, Directive)]
    assert aliases == [item for item in theirs.items if isinstance(item, Directive)]
    assert of_functions(ours).items() >= {n: of_functions(theirs)[n] for n in "abc"}.items()
    assert weft.verify(ours) == []
    if find("ptxas") is not None:
        assemble(ours)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (("llvm.mlir.global external @g(1 : i32) {addr_space = 1 : i32} : i32\nllvm.mlir.alias external @a : i32 "
         "{ %0 = llvm.mlir.addressof @g : !llvm.ptr<1> llvm.return %0 : !llvm.ptr<1> }"), "not a function with a body"),
        (("llvm.func weak @f() { llvm.return }\nllvm.mlir.alias external @a : !llvm.func<void ()> "
         "{ %0 = llvm.mlir.addressof @f : !llvm.ptr llvm.return %0 : !llvm.ptr }"), "is weak"),
        (("llvm.func @f() { llvm.return }\nllvm.mlir.alias weak @a : !llvm.func<void ()> "
         "{ %0 = llvm.mlir.addressof @f : !llvm.ptr llvm.return %0 : !llvm.ptr }"), "no weak aliases"),
        (("llvm.func @f() attributes {nvvm.kernel} { llvm.return }\nllvm.mlir.alias external @a : !llvm.func<void ()> "
         "{ %0 = llvm.mlir.addressof @f : !llvm.ptr llvm.return %0 : !llvm.ptr }"), "not a function with a body"),
        ("llvm.mlir.global external @g(1 : i32) {addr_space = 4 : i32, nvvm.managed} : i32", "cannot be managed"),
    ],
)  # fmt: skip
def test_what_ptx_has_no_linkage_for_is_refused(text: str, message: str) -> None:
    with pytest.raises(weft.CompileError, match=message):
        weft.compile(text, "sm_90a")


def annotated(kind: str, values: list[int]) -> tuple[str, str]:
    """Globals with an annotation of NVVM: as MLIR, and as LLVM IR, which alone can say it upstream."""
    mlir = (
        "".join(
            f"llvm.mlir.global external @{kind}{n}({n} : i64) {{addr_space = 1 : i32, nvvm.{kind}}} : i64\n"
            for n in values
        )
        + f"llvm.mlir.global internal @{kind}_i(0 : i64) {{addr_space = 1 : i32, nvvm.{kind}}} : i64\n"
        + users([(f"{kind}_i", 1)])
    )
    names = [(f"{kind}{n}", f"@{kind}{n} = addrspace(1) global i64 {n}") for n in values]
    names.append((f"{kind}_i", f"@{kind}_i = internal addrspace(1) global i64 0"))
    notes = "".join(f'!{i} = !{{ptr addrspace(1) @{n}, !"{kind}", i32 1}}\n' for i, (n, _) in enumerate(names))
    listed = ", ".join(f"!{i}" for i in range(len(names)))
    return mlir, "\n".join(line for _, line in names) + f"\n!nvvm.annotations = !{{{listed}}}\n{notes}"


@pytest.mark.parametrize("kind", ["managed", "texture", "surface", "sampler"])
def test_annotated_globals(kind: str) -> None:
    values = [n for n in range(64) if n & 7 < 5 and n >> 4 != 2] if kind == "sampler" else [0]
    mlir, ir = annotated(kind, values)
    command = [tool("llc"), "-march=nvptx64", "-mcpu=sm_90a", "-mattr=+ptx86", "-o", "-"]
    done = subprocess.run(command, input=ir, capture_output=True, text=True, check=True)
    ours, theirs = weft.compile(mlir, "sm_90a"), weft.parse(done.stdout)
    assert of_variables(ours) == of_variables(theirs)
    assert [v.attributes for v in ours.variables] == [v.attributes for v in theirs.variables]
    assert weft.verify(ours) == []
    if find("ptxas") is not None:
        assemble(ours)


def sampler(value: str) -> Variable:
    """What a sampler of an initial value, or of a region, is."""
    text = f"llvm.mlir.global internal @s({value}".replace("() :", "() {addr_space = 1 : i32, nvvm.sampler} :")
    text = text.replace(" : i64)", " : i64) {addr_space = 1 : i32, nvvm.sampler} : i64") + "\n" + users([("s", 1)])
    return next(v for v in weft.compile(text, "sm_90a").variables if v.name == "s")


def test_samplers_that_say_little() -> None:
    """One without a number is of all zeros; numbers that no addressing has say nothing of it."""
    zero = sampler("0 : i64)")
    assert sampler(") : i64 { %z = llvm.mlir.zero : i64 llvm.return %z : i64 }") == zero
    assert str(zero.initializer).count("addr_mode") == 3
    for mode in range(8):
        assert str(sampler(f"{mode} : i64)").initializer).count("addr_mode") == (3 if mode < 5 else 0)


@pytest.mark.parametrize(
    "notes", ['["nvvm.managed"]', '[["nvvm.managed", "1"]]', '["other", "nvvm.managed"]', '["other"]']
)
def test_attributes_that_are_handed_on_to_a_target(notes: str) -> None:
    text = f"llvm.mlir.global external @g(1 : i32) {{addr_space = 1 : i32, target_specific_attrs = {notes}}} : i32"
    (variable,) = weft.compile(text, "sm_90a").variables
    assert [a.name for a in variable.attributes] == (["managed"] if "managed" in notes else [])


def test_addresses_in_packed_structs_are_written_byte_by_byte() -> None:
    text = """
    llvm.mlir.global external @g(5 : i32) {addr_space = 1 : i32} : i32
    llvm.mlir.global external @p() {addr_space = 1 : i32} : !llvm.struct<packed (i8, ptr<1>)> {
      %0 = llvm.mlir.undef : !llvm.struct<packed (i8, ptr<1>)>
      %1 = llvm.mlir.constant(5 : i8) : i8
      %2 = llvm.insertvalue %1, %0[0] : !llvm.struct<packed (i8, ptr<1>)>
      %3 = llvm.mlir.addressof @g : !llvm.ptr<1>
      %4 = llvm.insertvalue %3, %2[1] : !llvm.struct<packed (i8, ptr<1>)>
      llvm.return %4 : !llvm.struct<packed (i8, ptr<1>)>
    }
    """
    ours = weft.compile(text, "sm_90a")
    (packed,) = [v for v in ours.variables if v.name == "p"]
    (other,) = [v for v in weft.parse(llvm_ptx(text, "sm_90a", "86")).variables if v.name == "p"]
    assert (packed.type, packed.dims, packed.initializer) == (other.type, other.dims, other.initializer)
    if find("ptxas") is not None:
        assemble(ours)


def test_private_variables_that_nothing_names_are_left_out() -> None:
    text = """
    llvm.mlir.global private @a(1 : i32) : i32
    llvm.mlir.global private @b(2 : i32) : i32
    llvm.mlir.global external @c() : !llvm.ptr { %0 = llvm.mlir.addressof @b : !llvm.ptr llvm.return %0 : !llvm.ptr }
    llvm.mlir.global appending @llvm.used() {section = "llvm.metadata"} : !llvm.array<1 x ptr> {
      %0 = llvm.mlir.undef : !llvm.array<1 x ptr>
      llvm.return %0 : !llvm.array<1 x ptr>
    }
    """
    assert [v.name for v in weft.compile(text, "sm_90a").variables] == ["b", "c"]


@pytest.mark.parametrize(
    ("visibility", "linkage"), [("", "visible"), ('"public" ', "visible"), ('"nested" ', ""), ('"private" ', "")]
)
def test_globals_of_memrefs_are_seen_by_others_where_they_are_public(visibility: str, linkage: str) -> None:
    text = f"""gpu.module @m {{ memref.global {visibility}@g : memref<4xi32> = dense<7>
    gpu.func @k(%out: memref<4xi32>) kernel {{
      %c = arith.constant 0 : index
      %g = memref.get_global @g : memref<4xi32>
      %v = memref.load %g[%c] : memref<4xi32>
      memref.store %v, %out[%c] : memref<4xi32>
      gpu.return }} }}"""
    assert [(v.name, v.linkage) for v in weft.compile(text, "sm_90a").variables] == [("g", linkage)]


def test_sections_are_of_the_program_but_for_those_of_metadata() -> None:
    text = """llvm.mlir.global external @a(1 : i32) {section = ".data"} : i32
    llvm.mlir.global external @b(1 : i32) {section = "llvm.metadata"} : i32
    llvm.mlir.global external @c(1 : i32) : i32"""
    assert [v.name for v in weft.compile(text, "sm_90a").variables] == ["a", "c"]


@pytest.mark.parametrize("device", [False, True])
def test_modules_inside_of_modules(device: bool) -> None:
    """Their functions and variables are those of one PTX module."""
    inner = """builtin.module { builtin.module {
      llvm.mlir.global external @c(1 : i32) : i32
      llvm.func @f() -> !llvm.ptr { %p = llvm.call @g() : () -> !llvm.ptr llvm.return %p : !llvm.ptr }
      llvm.func @g() -> !llvm.ptr attributes {no_inline} { %p = llvm.mlir.addressof @c : !llvm.ptr llvm.return %p : !llvm.ptr } } }
    llvm.func @h() { llvm.return }"""
    text = f"builtin.module {{ gpu.module @m {{ {inner} }} }}" if device else inner
    found = weft.compile(text, "sm_90a")
    assert ([v.name for v in found.variables], [f.name for f in found.functions]) == (["c"], ["g", "f", "g", "h"])
    assert "call.uni (__call_0), g" in found.to_ptx()


def test_variables_stand_behind_those_that_they_name() -> None:
    text = """
llvm.mlir.global internal constant @last() : !llvm.ptr { %p = llvm.mlir.addressof @middle : !llvm.ptr llvm.return %p : !llvm.ptr }
llvm.mlir.global internal constant @middle() : !llvm.struct<(ptr, ptr)> {
  %p = llvm.mlir.addressof @first : !llvm.ptr
  %q = llvm.mlir.addressof @other : !llvm.ptr
  %a = llvm.mlir.poison : !llvm.struct<(ptr, ptr)>
  %b = llvm.insertvalue %p, %a[0] : !llvm.struct<(ptr, ptr)>
  %c = llvm.insertvalue %q, %b[1] : !llvm.struct<(ptr, ptr)>
  llvm.return %c : !llvm.struct<(ptr, ptr)>
}
llvm.mlir.global internal constant @first(3 : i32) : i32
llvm.mlir.global internal constant @other() : !llvm.ptr { %p = llvm.mlir.addressof @first : !llvm.ptr llvm.return %p : !llvm.ptr }
llvm.func @f() -> !llvm.ptr { %p = llvm.mlir.addressof @last : !llvm.ptr llvm.return %p : !llvm.ptr }"""
    found = re.findall(r"\.global .* (\w+)(?:\[\d+\])? =", weft.compile(text, "sm_80").to_ptx())
    assert found == ["first", "other", "middle", "last"]
