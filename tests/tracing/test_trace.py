"""Traces against NVIDIA's own tools: line tables, control fields, live registers; and the maps between stages."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import weft
from tests.conftest import nvidia_tool
from tests.corpus.sources import Source
from tests.fatbin.test_fatbin import entry, fatbin, in_library
from weft.errors import JsonError, ToolError, WeftError
from weft.toolchain import Tool, assemble
from weft.tracing.build import _edges
from weft.tracing.control import decode
from weft.tracing.lines import PTX_LINES, SOURCE_LINES, line_table, ptx_text
from weft.tracing.machine import parse_listing, read_machine
from weft.tracing.occupancy import occupancy
from weft.tracing.stages import llvm_stage, ptx_stage

ROOT = Path(__file__).resolve().parents[2]
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs/trace.schema.json").read_text())
CORPUS = [
    Source("nvcc", "shared_tile", "-lineinfo"),
    Source("nvcc", "calls"),
    Source("nvcc", "halves", target="sm_90a"),
    Source("nvcc", "warps", target="sm_120a"),
]


@cache
def gemm(target: str = "sm_80") -> weft.Trace:
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    return weft.trace(ROOT / "examples/gemm_sm80.mlir", target)


def disassembled(cubin: bytes, *options: str) -> str:
    tool = nvidia_tool("nvdisasm")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "k.cubin")
        path.write_bytes(cubin)
        done = subprocess.run([tool.path, *options, str(path)], capture_output=True, text=True, check=True)
    return done.stdout


def lines_of_nvdisasm(cubin: bytes) -> dict[str, dict[int, int]]:
    """For each function, the line of PTX of each address, by `nvdisasm -gp`."""
    found: dict[str, dict[int, int]] = {}
    function, line = "", 0
    for text in disassembled(cubin, "-c", "-gp").splitlines():
        if match := re.match(r"\s*\.section\s+\.text\.([^,]+)", text):
            function, line = match[1], 0
        elif match := re.search(r'//## File "\.nv_debug_ptx_txt[^"]*", line (\d+)', text):
            line = int(match[1])
        elif match := re.match(r"\s*/\*([0-9a-f]{4,})\*/", text):
            found.setdefault(function, {})[int(match[1], 16)] = line
    return found


@pytest.mark.slow
@pytest.mark.parametrize("source", CORPUS, ids=str)
def test_the_line_table_is_that_of_nvdisasm(source: Source) -> None:
    cubin = assemble(source.ptx(), options=("-lineinfo",)).data
    rows = line_table(cubin, PTX_LINES)
    checked = 0
    for name, code in read_machine(cubin).functions.items():
        expected = lines_of_nvdisasm(cubin)[name]
        for instruction in code.instructions:
            mine = [row.line for row in rows[name] if row.address <= instruction.address]
            assert mine[-1] == expected[instruction.address]
            checked += 1
    assert checked > 20
    kept, written = ptx_text(cubin).splitlines(), source.ptx().splitlines()
    statements = [
        (n, line.strip()) for n, line in enumerate(written) if line.strip().endswith(";") and "//" not in line
    ]
    assert statements and all(kept[n].strip() == text for n, text in statements if not text.startswith("."))


def test_source_lines_of_nvcc() -> None:
    source = Source("nvcc", "shared_tile", "-lineinfo")
    cubin = assemble(source.ptx(), options=("-lineinfo",)).data
    rows = [row for rows in line_table(cubin, SOURCE_LINES).values() for row in rows]
    assert rows and all(row.file.endswith((".cu", ".h", ".hpp", ".cuh")) for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("source", CORPUS, ids=str)
def test_reuse_flags_are_those_of_the_text(source: Source) -> None:
    machine = read_machine(assemble(source.ptx()).data)
    for code in machine.functions.values():
        for instruction in code.instructions:
            assert len(instruction.control.reuse) == instruction.text.count(".reuse"), instruction.text
            assert 6 not in (instruction.control.write, instruction.control.read)


@pytest.mark.sample(1)
@pytest.mark.parametrize("source", CORPUS, ids=str)
def test_results_are_waited_for(source: Source) -> None:
    """In straight code nothing reads what a load writes before it waits for the load's barrier."""
    checked = 0
    for code in read_machine(assemble(source.ptx()).data).functions.values():
        pending: dict[str, int] = {}
        for instruction in code.instructions:
            for barrier in instruction.control.waits:
                pending = {name: on for name, on in pending.items() if on != barrier}
            if instruction.opcode.startswith(("BRA", "EXIT", "BSYNC", "CALL", "RET", "DEPBAR")) or instruction.target:
                pending.clear()
            operands = instruction.operands.split(",")
            reads = set(re.findall(r"\bR\d+\b", ",".join(operands[1:])))
            assert not reads & set(pending), instruction.text
            first = re.match(r"R\d+$", operands[0].strip())
            if instruction.control.write is not None and first and instruction.opcode.startswith(("LD", "MUFU", "S2R")):
                pending[first[0]] = instruction.control.write
                checked += 1
    assert checked > 3


def test_decoding_a_known_instruction() -> None:
    control = decode(0x000FE200078E00FF << 64 | 0x00000A00FF017624)
    assert str(control) == "B------:R-:W-:-:S01"
    assert str(decode(0x000E620000002100 << 64)) == "B------:R-:W1:-:S01"


@pytest.mark.slow
def test_live_registers_never_exceed_the_allocation() -> None:
    for target in ("sm_80", "sm_90"):
        trace = gemm(target)
        (kernel,) = trace.kernels
        assert 0 < kernel.live <= kernel.registers
        assert max(live[0] for live in trace.stage("sass").columns["live"]) == kernel.live


def test_every_machine_instruction_has_its_ptx() -> None:
    trace = gemm()
    links = trace.links[-1]
    assert {end for _, end in links.edges} == set(range(len(trace.stage("sass").spans)))
    ptx, sass = trace.stage("ptx"), trace.stage("sass")
    lines, machine = ptx.text.splitlines(), sass.text.splitlines()
    products = {n for n, span in enumerate(sass.spans) if "HMMA" in machine[span.line - 1]}
    assert len(products) == 16
    for start, end in links.edges:
        if end in products:
            assert "mma.sync" in lines[ptx.spans[start].line - 1]
    (kernel,) = trace.kernels
    facts = kernel.occupancy
    assert facts is not None and facts["next"] < kernel.registers
    for more, blocks in ((0, facts["blocks"] + 1), (1, facts["blocks"])):  # So few for one more block.
        found = occupancy("sm_80", kernel.threads, facts["next"] + more, kernel.shared_bytes)
        assert found.blocks == blocks


def test_operations_that_own_code_are_marked() -> None:
    trace = gemm()
    edges = trace.links[0].edges
    ptx = trace.stage("ptx")
    with_place = [n for n, span in enumerate(ptx.spans) if span.function]
    assert len({end for _, end in edges}) >= 0.95 * len(with_place)
    lines = trace.stage("mlir").text.splitlines()
    owners = {lines[trace.stage("mlir").spans[start].line - 1].strip() for start, _ in edges}
    wanted = (
        "nvgpu.mma.sync",
        "nvgpu.ldmatrix",
        "nvgpu.device_async_copy",
        "memref.store",
        "vector.store",
        "gpu.barrier",
        "gpu.return",
    )
    owning = [line.strip() for line in lines if any(f"{word} " in f"{line} " for word in wanted)]
    assert len(owning) > 20
    assert len([line for line in owning if line in owners]) >= 0.95 * len(owning)


@pytest.mark.slow
def test_branches_come_from_the_loops_and_conditions_they_are_of() -> None:
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    text = """func.func @k(%a: memref<?xf32>, %n: index) attributes {gpu.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %some = arith.cmpf ogt, %x, %x : f32
    scf.if %some {
      memref.store %x, %a[%c0] : memref<?xf32>
      gpu.barrier
    }
  }
  cf.br ^end
^end:
  return
}
"""
    trace = weft.trace(text, "sm_80")
    mlir, ptx = trace.stage("mlir"), trace.stage("ptx")
    lines = ptx.text.splitlines()
    branches = {n for n, span in enumerate(ptx.spans) if re.search(r"\bbra\b", lines[span.line - 1])}
    sources = [text.splitlines()[mlir.spans[start].line - 1].split()[0] for start, end in trace.links[0].edges
               if end in branches]  # fmt: skip
    assert len(branches) == 3 and sorted(sources) == ["scf.for", "scf.for", "scf.if"]


def test_an_mma_is_followed_through_all_stages() -> None:
    trace = gemm()
    mlir = trace.stage("mlir")
    lines = mlir.text.splitlines()
    number = next(n for n, span in enumerate(mlir.spans) if "nvgpu.mma.sync" in lines[span.line - 1])
    related = trace.related("mlir", [number])
    ptx, sass = trace.stage("ptx"), trace.stage("sass")
    opcodes = {ptx.text.splitlines()[ptx.spans[n].line - 1].split()[0] for n in related["ptx"]}
    assert opcodes == {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"}
    texts = [sass.text.splitlines()[sass.spans[n].line - 1] for n in related["sass"]]
    assert sum("HMMA" in text for text in texts) == len(related["ptx"])
    back = trace.related("sass", related["sass"])
    assert number in back["mlir"]


def test_json_has_the_schema_and_comes_back() -> None:
    trace = gemm()
    text = trace.to_json()
    jsonschema.validate(json.loads(text), SCHEMA)
    assert weft.Trace.from_json(text).to_json() == text
    with pytest.raises(JsonError):
        weft.Trace.from_json(text.replace('"version":1', '"version":99'))
    for broken in ("", "[]", "{}", '{"version":1}'):
        with pytest.raises(JsonError):
            weft.Trace.from_json(broken)


def test_inputs_of_all_kinds(tmp_path: Path) -> None:
    trace = gemm()
    text = "\n".join(
        line for line in trace.stage("ptx").text.splitlines() if ".loc" not in line and ".file" not in line
    )
    assert [stage.name for stage in weft.trace(text).stages] == ["ptx", "sass"]
    assert [stage.name for stage in weft.trace(weft.parse(text)).stages] == ["ptx", "sass"]
    cubin = assemble(text, options=("-lineinfo",)).data
    assert [stage.name for stage in weft.trace(cubin).stages] == ["ptx", "sass"]
    path = tmp_path / "k.cubin"
    path.write_bytes(assemble(text).data)
    assert [stage.name for stage in weft.trace(path).stages] == ["sass"]
    with pytest.raises(WeftError, match="needs a target"):
        weft.trace(ROOT / "examples/gemm_sm80.mlir")
    path.write_bytes(b"\x7fELF" + bytes(100))
    with pytest.raises(ToolError):
        weft.trace(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(WeftError):
        weft.trace(path)
    with pytest.raises(OSError, match="nowhere"):
        weft.trace("nowhere.ptx")


@pytest.mark.slow
def test_a_kernel_of_triton(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    triton = pytest.importorskip("triton")
    # A cache that others use may hold the kernel as compiled from a copy of its file, which need not be there any more.
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    from tests.corpus.triton_kernels import matmul

    nvidia_tool("nvdisasm")
    signature = (
        dict.fromkeys("abc", "*fp16") | dict.fromkeys("mnk", "i32") | dict.fromkeys(("BM", "BN", "BK"), "constexpr")
    )
    made = triton.compile(
        ASTSource(fn=matmul, signature=signature, constexprs={"BM": 64, "BN": 64, "BK": 32}),
        target=GPUTarget("cuda", 80, 32),
    )
    for suffix, content in made.asm.items():
        (tmp_path / f"matmul.{suffix}").write_bytes(content if isinstance(content, bytes) else content.encode())
    for trace in (weft.trace(dict(made.asm)), weft.trace(tmp_path), weft.trace(tmp_path, "sm_90a")):
        assert [stage.name for stage in trace.stages] == ["source", "ttir", "ttgir", "llir", "ptx", "sass"]
        source, sass = trace.stage("source"), trace.stage("sass")
        lines = source.text.splitlines()
        dot = next(n for n, span in enumerate(source.spans) if "tl.dot(" in lines[span.line - 1])
        related = trace.related("source", [dot])
        texts = [sass.text.splitlines()[sass.spans[n].line - 1] for n in related["sass"]]
        assert any("HMMA" in text for text in texts)
        assert {end for _, end in trace.links[-1].edges} == set(range(len(sass.spans)))


def test_a_listing_without_functions_is_no_defect() -> None:
    assert parse_listing("").functions == {}
    assert parse_listing("//---- .text.k ----\nnonsense\n").functions == {}


@pytest.mark.slow
def test_damaged_line_tables_are_refused() -> None:
    cubin = bytearray(assemble(gemm().stage("ptx").text, options=("-lineinfo",)).data)
    table = line_table(bytes(cubin), PTX_LINES)
    assert table
    for position in range(0, len(cubin), 37):
        changed = bytes(cubin[:position]) + b"\xff" + bytes(cubin[position + 1 :])
        with contextlib.suppress(ToolError):
            line_table(changed, PTX_LINES)


TEXT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<4>;
	mov.u32 %r1, %tid.x;
	add.u32 %r2, %r1, 1;
	ret;
}
"""


def test_a_cubin_of_nvcc_with_its_lines(nvcc: Tool, tmp_path: Path) -> None:
    """`nvcc -cubin -lineinfo`: the source is found, and every line with code has some."""
    source = tmp_path / "k.cu"
    source.write_text(
        "__global__ void k(float* x, int n) {\n  int i = threadIdx.x;\n  if (i < n)\n    x[i] *= 2.0f;\n}\n"
    )
    made = tmp_path / "k.cubin"
    command = [nvcc.path, "-cubin", "-lineinfo", "-arch=sm_80", str(source), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"nvcc lacks something: {done.stderr.strip().splitlines()[-1]}")
    found = weft.trace(made)
    assert [stage.name for stage in found.stages] == ["source", "ptx", "sass"] and found.target == "sm_80"
    lines = found.stage("source").text.splitlines()
    product = [n for n, span in enumerate(found.stage("source").spans) if "*=" in lines[span.line - 1]]
    machine = found.stage("sass")
    words = [machine.text.splitlines()[machine.spans[n].line - 1] for n in found.related("source", product)["sass"]]
    assert any("LDG" in word for word in words) and any("STG" in word for word in words)
    ptx = found.stage("ptx")
    made_of = [ptx.text.splitlines()[ptx.spans[n].line - 1] for n in found.related("source", product)["ptx"]]
    assert any("ld.global" in line for line in made_of) and any("st.global" in line for line in made_of)


def test_libraries_and_wheels(tmp_path: Path) -> None:
    one, two = (TEXT.replace("entry k", f"entry {name}") for name in ("first", "second"))
    library = tmp_path / "libk.so"
    library.write_bytes(in_library(fatbin(entry(one), entry(two))))
    with pytest.raises(weft.WeftError, match="the file contains 2 PTX modules"):
        weft.trace(library)
    assert weft.trace(f"{library}#2").kernels[0].name == "second"
    wheel = tmp_path / "k-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("k/libk.so", in_library(fatbin(entry(one))))
    found = weft.trace(wheel, "sm_90")
    assert found.kernels[0].name == "first" and found.target == "sm_90" and found.stage("sass").spans


def test_counters_are_columns() -> None:
    found = weft.trace(TEXT)
    result = weft.run(weft.parse(found.stage("ptx").text), "k", (2,), (64,), [0], counters=True)
    assert result.counters is not None
    counted = found.counted(result.counters)
    lines = counted.stage("ptx").text.splitlines()
    ran = {
        lines[span.line - 1].split()[0]: executed
        for span, executed in zip(counted.stage("ptx").spans, counted.stage("ptx").columns["executed"], strict=True)
    }
    assert ran["mov.u32"] == 4 and sum(ran.values()) == sum(one.warps for one in result.counters.lines)
    assert "executed" not in found.stage("ptx").columns
    jsonschema.validate(json.loads(counted.to_json()), SCHEMA)
    assert weft.Trace.from_json(counted.to_json()) == counted


def test_what_cute_dumps_of_kernels(tmp_path: Path) -> None:
    """Names as CuTe DSL gives them; the kernel is one of Triton's, whose IR has locations of the same kind."""
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    kept = ROOT / "docs/tutorials/triton"
    for name in ("one", "two"):
        (tmp_path / f"cute_dsl_{name}.mlir").write_text((kept / "softmax.ttgir").read_text())
        (tmp_path / f"cute_dsl_{name}_clean.mlir").write_text("")
        (tmp_path / f"{name}.sm_80.ptx").write_text((kept / "softmax.ptx").read_text())
    with pytest.raises(WeftError, match="has 2 kernels"):
        weft.trace(tmp_path, "sm_80")
    made = weft.trace(tmp_path / "two.sm_80.ptx", "sm_80")
    assert made.name == "two"
    assert [stage.name for stage in made.stages][-3:] == ["mlir", "ptx", "sass"]
    assert len({one for one, _ in made.links[-2].edges}) > 20
    for path in tmp_path.glob("*two*"):
        path.unlink()
    assert weft.trace(tmp_path, "sm_80").name == "one"


LLVM = """define void @k() !dbg !1 {
  %a = add i32 1, 2, !dbg !3
  %b = mul i32 %a, 3, !dbg !4
  %c = sub i32 %b, 4, !dbg !5
  ret void, !dbg !6
}
!1 = distinct !DISubprogram(name: "k", file: !2)
!2 = !DIFile(filename: "k.py", directory: "/")
!3 = !DILocation(line: 7, column: 3, scope: !1)
!4 = !DILocation(line: 7, column: 9, scope: !1)
!5 = !DILocation(line: 8, column: 1, scope: !1)
!6 = !DILocation(line: 9, column: 1, scope: !1)
"""
PTX = """.version 8.0
.target sm_80
.address_size 64
.entry k()
{
	.reg .b32 %r<3>;
	.loc 1 7 9
	mov.u32 %r0, 1;
	.loc 1 7 3
	mov.u32 %r1, 1;
	.loc 1 7 5
	mov.u32 %r2, 1;
	.loc 1 9 1
	ret;
}
.file 1 "/k.py"
"""


def test_statements_of_one_line_are_told_apart_by_their_columns() -> None:
    """A column that nothing else has leaves the line."""
    one, other = llvm_stage(LLVM), ptx_stage(weft.parse(PTX), PTX)
    texts = [other.stage.text.splitlines()[span.line - 1].strip() for span in other.stage.spans]
    made: dict[str, set[int]] = {}
    for start, end in _edges(one, other):
        made.setdefault(texts[end], set()).add(start)
    assert made == {"mov.u32 %r0, 1;": {1}, "mov.u32 %r1, 1;": {0}, "mov.u32 %r2, 1;": {0, 1}, "ret;": {3}}


@pytest.mark.sample(1)
@pytest.mark.parametrize("known", [True, False])
def test_mlir_whose_operations_come_from_elsewhere(tmp_path: Path, known: bool) -> None:
    """The file that its locations name is the first stage, where it can be read; else its own lines are."""
    nvidia_tool("ptxas"), nvidia_tool("nvdisasm")
    source, path = tmp_path / "k.py", tmp_path / "k.mlir"
    if known:
        source.write_text("first\nx[0] = 7\n")
    where = f'loc("{source}":2:1)'
    path.write_text(f"""module attributes {{gpu.container_module}} {{
  gpu.module @m {{
    gpu.func @k(%x: memref<4xi32>) kernel {{
      %zero = arith.constant 0 : index {where}
      %seven = arith.constant 7 : i32 {where}
      memref.store %seven, %x[%zero] : memref<4xi32> {where}
      gpu.return {where}
    }} {where}
  }} {where}
}} {where}
""")
    trace = weft.trace(path, "sm_80")
    assert [stage.name for stage in trace.stages] == (["source"] if known else []) + ["mlir", "ptx", "sass"]
    if known:
        (line,) = {trace.stage("source").spans[first].line for first, _ in trace.links[0].edges}
        assert trace.stage("source").text.splitlines()[line - 1] == "x[0] = 7"
    assert trace.stage("mlir").text == path.read_text()
