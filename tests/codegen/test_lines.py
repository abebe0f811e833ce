"""Where instructions come from: `.file` and `.loc` from MLIR's locations and LLVM's metadata, DWARF for debuggers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import weft
from tests.conftest import llvm_tool, nvidia_tool
from weft.ptx.ast import Instruction, Module
from weft.ptx.directive_nodes import Loc
from weft.ptx.lines import Location
from weft.toolchain import assemble
from weft.toolchain.sass import code_difference

PLAIN = """\
gpu.module @m {
  func.func @half(%x: f32) -> f32 attributes {no_inline} {
    %c = arith.constant 0.5 : f32
    %h = arith.mulf %x, %c : f32
    return %h : f32
  }
  gpu.func @k(%a: memref<64xf32>, %b: memref<64xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<64xf32>
    %w = memref.load %b[%i] : memref<64xf32>
    %s = arith.addf %v, %w : f32
    %h = func.call @half(%s) : (f32) -> f32
    gpu.barrier
    memref.store %h, %a[%i] : memref<64xf32>
    gpu.return
  }
}
"""

METADATA = """
#f = #llvm.di_file<"a.cu" in "/src">
#cu = #llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C_plus_plus, file = #f, producer = "clang", isOptimized = true, emissionKind = Full>
#int = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>
#ptr = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #int, sizeInBits = 64>
#st = #llvm.di_subroutine_type<types = #int, #ptr>
#sp = #llvm.di_subprogram<id = distinct[1]<>, compileUnit = #cu, scope = #f, name = "k", linkageName = "_Z1k", file = #f, line = 5, scopeLine = 6, subprogramFlags = "Definition|Optimized", type = #st>
#h = #llvm.di_subprogram<id = distinct[2]<>, compileUnit = #cu, scope = #f, name = "h", linkageName = "_Z1h", file = #f, line = 25, scopeLine = 26, subprogramFlags = "Definition|Optimized", type = #st>
#block = #llvm.di_lexical_block<scope = #h, file = #f, line = 27, column = 3>
#g = #llvm.di_file<"b.h" in "/src">
#included = #llvm.di_lexical_block_file<scope = #block, file = #g, discriminator = 0>
module {
  llvm.func @k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %0 = llvm.load %p : !llvm.ptr<1> -> f32 loc(#l1)
    %1 = llvm.fadd %0, %0 : f32 loc(#l2)
    %2 = llvm.fmul %1, %0 : f32 loc(callsite(fused<#included>["b.h":3:4] at callsite(fused<#h>["/src/a.cu":28:5] at fused<#sp>["/src/a.cu":8:3])))
    llvm.store %2, %p : f32, !llvm.ptr<1> loc(fused<#sp>["/src/a.cu":10:9])
    llvm.return loc(fused<#sp>["/src/a.cu":11:1])
  } loc(#lf)
}
#lf = loc(fused<#sp>["/src/a.cu":5:1])
#l1 = loc(fused<#sp>["/src/a.cu":7:3])
#l2 = loc(callsite(fused<#h>["/src/a.cu":28:5] at fused<#sp>["/src/a.cu":8:3]))
"""


def places(module: Module, function: str = "k") -> dict[str, list[Location | None]]:
    """The places of each opcode's instructions."""
    found: dict[str, list[Location | None]] = {}
    (body,) = (f for f in module.functions if f.name == function and f.body)
    for instruction, place in zip(body.instructions(), module.locations[function], strict=True):
        found.setdefault(instruction.opcode.text.partition(".")[0], []).append(place)
    return found


def disassembled(cubin: bytes, folder: Path, *options: str) -> str:
    path = folder / "k.cubin"
    path.write_bytes(cubin)
    tool = nvidia_tool("nvdisasm")
    return subprocess.run([tool.path, *options, "-c", str(path)], capture_output=True, text=True, check=True).stdout


def test_instructions_come_from_lines_of_the_text() -> None:
    module = weft.compile(PLAIN, "sm_90a", filename="k.mlir", debug="lines")
    found = places(module)
    assert found["bar"] == [Location("k.mlir", 13, 5)]
    assert found["st"] == [Location("k.mlir", 14, 5)]
    assert [place.line for place in found["ld"] if place is not None][-3:] == [9, 10, 12]
    assert [place.line for place in found["add"] if place is not None][-1] == 11
    assert places(module, "half")["mul"] == [Location("k.mlir", 4, 10)]


@pytest.mark.slow
def test_sass_names_the_lines(tmp_path: Path) -> None:
    nvidia_tool("ptxas")
    module = weft.compile(PLAIN, "sm_90a", filename="k.mlir", debug="lines")
    text = disassembled(assemble(module).data, tmp_path, "-g")
    kernel = text.partition(".text.k:")[2].partition(".text.half")[0]
    lines = {int(line) for line in re.findall(r'File "[^"]*k\\.mlir", line (\\d+)'.replace("\\\\", "\\"), kernel)}
    assert lines >= {9, 10, 11, 13, 14, 15}


@pytest.mark.parametrize("debug", ["lines", "full"])
def test_the_code_is_the_same_with_lines(debug: str) -> None:
    plain, marked = weft.compile(PLAIN, "sm_90a"), weft.compile(PLAIN, "sm_90a", debug=debug)
    assert plain.locations == {}
    assert "debug" not in plain.to_ptx()
    for one, other in zip(plain.functions, marked.functions, strict=True):
        assert list(one.instructions()) == list(other.instructions())
    assert weft.verify(marked) == []
    assert weft.parse(marked.to_ptx()) == marked
    assert weft.parse(marked.to_ptx()).locations == marked.locations
    assert weft.from_bytes(marked.to_bytes()).locations == marked.locations
    nvidia_tool("ptxas")
    if debug == "lines":
        different = code_difference(assemble(plain), assemble(marked))
        assert [name for name in different if not name.startswith(".nv.info")] == []


@pytest.mark.slow
def test_inlined_calls_name_the_functions(tmp_path: Path) -> None:
    module = weft.compile(METADATA, "sm_90a", debug="lines")
    found = places(module)
    caller = Location("/src/a.cu", 8, 3)
    call = Location("/src/a.cu", 28, 5, "_Z1h", caller)
    assert found["add"] == [call]
    assert found["mul"] == [Location("/src/b.h", 3, 4, "_Z1h", Location("/src/a.cu", 28, 5, "_Z1h", caller))]
    assert module.version >= (7, 0)
    nvidia_tool("ptxas")
    text = disassembled(assemble(module).data, tmp_path, "-gi")
    assert 'File "/src/b.h", line 3 inlined at "/src/a.cu", line 28' in text
    assert 'File "/src/a.cu", line 28 inlined at "/src/a.cu", line 8' in text


def test_older_ptx_has_the_innermost_place_only() -> None:
    module = weft.compile(METADATA, "sm_75", "6.5", debug="lines")
    assert places(module)["mul"] == [Location("/src/b.h", 3, 4)]
    assert weft.verify(module) == []


def test_places_are_those_of_llvm() -> None:
    ir = subprocess.run(
        [llvm_tool("mlir-translate"), "--mlir-to-llvmir"], input=METADATA, capture_output=True, text=True, check=True
    ).stdout
    command = [llvm_tool("llc"), "-march=nvptx64", "-mcpu=sm_90a", "-mattr=+ptx86", "-o", "-"]
    done = subprocess.run(command, input=ir, capture_output=True, text=True, check=True)
    theirs = weft.parse(done.stdout).locations["k"]
    ours = weft.compile(METADATA, "sm_90a", debug="lines").locations["k"]
    assert [(p.file, p.line, p.column) for p in ours if p] == [(p.file, p.line, p.column) for p in theirs if p]


@pytest.mark.parametrize("text", [PLAIN, METADATA], ids=["plain", "metadata"])
def test_debuggers_sections_are_sound(text: str, tmp_path: Path) -> None:
    nvidia_tool("ptxas")
    dump = llvm_tool("llvm-dwarfdump")
    module = weft.compile(text, "sm_90a", filename="/src/k.mlir", debug="full")
    assert module.targets == ("sm_90a", "debug")
    path = tmp_path / "k.cubin"
    path.write_bytes(assemble(module).data)
    done = subprocess.run([dump, "--verify", str(path)], capture_output=True, text=True, check=False)
    # Every function of a cubin starts at 0 of a section of its own, so that their ranges seem to overlap.
    assert set(re.findall(r"error: (.*?)(?: occurred.*|[:.])$", done.stdout, re.MULTILINE)) <= {
        "DIEs have overlapping address ranges", "Aggregated error counts"
    }  # fmt: skip
    shown = subprocess.run([dump, str(path)], capture_output=True, text=True, check=True).stdout
    names = re.findall(r'DW_AT_name\t\("(.*)"\)', shown)
    if text is PLAIN:
        assert names == ["k.mlir", "half", "k"]
        assert re.findall(r"DW_AT_decl_line\t\((\d+)\)", shown) == ["2", "7"]
    else:
        assert {"a.cu", "k", "h", "int"} <= set(names)
        assert shown.count("DW_TAG_inlined_subroutine") == 2
        assert 'DW_AT_MIPS_linkage_name\t("_Z1k")' in shown
        assert 'DW_AT_producer\t("clang")' in shown
        assert "DW_AT_call_line\t(28)" in shown


SOURCE = """\
static inline int twice(int x) {
  return x * 2;
}
int kernel(int *p, int n) {
  int s = p[n];
  s = twice(s) ^
      p[n + 1];
  p[0] = s;
  return s;
}
"""


def test_lines_of_c_come_through_clang(tmp_path: Path) -> None:
    clang, translate = llvm_tool("clang"), llvm_tool("mlir-translate")
    source, ir = tmp_path / "k.c", tmp_path / "k.ll"
    source.write_text(SOURCE)
    options = ["-target", "nvptx64-nvidia-cuda", "-g", "-O2", "-S", "-emit-llvm"]
    subprocess.run([clang, *options, str(source), "-o", str(ir)], check=True, capture_output=True)
    done = subprocess.run(
        [translate, "--import-llvm", "--mlir-print-debuginfo", str(ir)], check=True, capture_output=True, text=True
    )
    module = weft.compile(done.stdout, "sm_90a", debug="full")
    found = {place for place in module.locations["kernel"] if place is not None}
    assert {Path(place.file) for place in found} == {source}
    assert {place.line for place in found} >= {5, 7, 8, 9}
    assert {place.function for place in found if place.inlined_at is not None} <= {"twice"}
    assert weft.verify(module) == []
    nvidia_tool("ptxas")
    assemble(module)


ODD = {
    "unknown": ("unknown", None),
    "line 0": ('"a.py":0:0', None),
    "a name": ('"x"', None),
    "a name around": ('"x"("a.py":3:4)', Location("a.py", 3, 4)),
    "fused": ('fused[unknown, "a.py":3:4, "b.py":5:6]', Location("a.py", 3, 4)),
    "a stretch": ('"a.py":3:4 to 5:6', Location("a.py", 3, 4)),
    "an unnamed call": (
        'callsite("a.py":3:4 at "b.py":5:6)',
        Location("a.py", 3, 4, "(inlined)", Location("b.py", 5, 6)),
    ),
    "a named call": (
        'callsite("f"("a.py":3:4) at "g"("b.py":5:6))',
        Location("a.py", 3, 4, "f", Location("b.py", 5, 6)),
    ),
    "a call from nowhere": ('callsite("a.py":3:4 at unknown)', Location("a.py", 3, 4)),
    "odd characters": ('"a\\\\22\\\\0A\\\\C3\\\\A9.py":3:4', Location("a???.py", 3, 4)),
}


@pytest.mark.parametrize("name", ODD)
def test_locations_of_every_kind(name: str) -> None:
    text, wanted = ODD[name]
    text = text.replace("\\\\", "\\")
    deep = f"module {{ llvm.func @k() attributes {{nvvm.kernel}} {{ nvvm.barrier0 loc({text})\n llvm.return }} }}"
    module = weft.compile(deep.replace("nvvm.barrier0", "nvvm.barrier"), "sm_90a", debug="lines", filename="k.mlir")
    (place,) = places(module)["bar" if "bar" in places(module) else "barrier"]
    assert place == wanted
    assert weft.verify(module) == []


def test_calls_that_nest_without_end_are_cut() -> None:
    location = '"a.py":1:1'
    for line in range(2, 150):
        location = f'callsite({location} at "a.py":{line}:1)'
    text = f"llvm.func @k() attributes {{nvvm.kernel}} {{ nvvm.barrier loc({location})\n llvm.return }}"
    module = weft.compile(text, "sm_90a", debug="full")
    assert sum(isinstance(s, Loc) for s in module.kernels[0].walk()) < 70
    assert weft.verify(module) == []


@pytest.mark.slow
def test_the_command_line(tmp_path: Path) -> None:
    source = tmp_path / "k.mlir"
    source.write_text(PLAIN)

    def compiled(*options: str) -> Module:
        command = [sys.executable, "-m", "weft", "compile", str(source), "-t", "sm_90a", *options]
        return weft.parse(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    assert compiled().locations == {}
    assert compiled("-lineinfo").locations == compiled("--lineinfo").locations != {}
    assert compiled("-g").targets == ("sm_90a", "debug")
    instructions = [s for s in compiled("-lineinfo").kernels[0].walk() if isinstance(s, Instruction)]
    assert len(compiled("-lineinfo").locations["k"]) == len(instructions)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(weft.IsaError, match="unknown kind of debug information"):
        weft.compile(PLAIN, "sm_90a", debug="much")
