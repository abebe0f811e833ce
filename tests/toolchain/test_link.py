"""Linking weft's objects with each other, with nvcc's and with LLVM's: the same program, split at every place."""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import pytest

import weft
from tests.codegen.oracle import llvm_ptx
from tests.command import weft as run
from tests.conftest import nvidia_tool
from weft.errors import ToolError
from weft.toolchain import Cubin, assemble, link
from weft.toolchain.elf import sections

TARGET = "sm_90a"

# A kernel that calls a function and reads variables of elsewhere; both sides have a helper of the same name.
KERNEL = """
llvm.mlir.global external @table() {addr_space = 1 : i32} : !llvm.array<4 x f32>
llvm.func @scale(f32, i32) -> f32
llvm.func internal @helper(%x: f32) -> f32 attributes {no_inline} { %0 = llvm.fadd %x, %x : f32 llvm.return %0 : f32 }
llvm.func weak @shared_by_both(%x: f32) -> f32 { llvm.return %x : f32 }
llvm.func @kernel(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel} {
  %0 = llvm.load %p : !llvm.ptr<1> -> f32
  %1 = llvm.call @helper(%0) : (f32) -> f32
  %2 = llvm.call @scale(%1, %n) : (f32, i32) -> f32
  %3 = llvm.mlir.addressof @table : !llvm.ptr<1>
  %4 = llvm.getelementptr %3[0, %n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, !llvm.array<4 x f32>
  %5 = llvm.load %4 : !llvm.ptr<1> -> f32
  %6 = llvm.fmul %2, %5 : f32
  %7 = llvm.call @shared_by_both(%6) : (f32) -> f32
  llvm.store %7, %p : f32, !llvm.ptr<1>
  llvm.return
}
"""
LIBRARY = """
llvm.mlir.global external @table(dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>) {addr_space = 1 : i32} : !llvm.array<4 x f32>
llvm.func internal @helper(%x: f32) -> f32 { %0 = llvm.fmul %x, %x : f32 llvm.return %0 : f32 }
llvm.func weak @shared_by_both(%x: f32) -> f32 { llvm.return %x : f32 }
llvm.func @scale(%x: f32, %n: i32) -> f32 {
  %0 = llvm.sitofp %n : i32 to f32
  %1 = llvm.call @helper(%x) : (f32) -> f32
  %2 = llvm.fmul %0, %1 : f32
  llvm.return %2 : f32
}
"""
CUDA = {
    "kernel": """
extern __device__ float table[4];
extern "C" __device__ float scale(float x, int n);
static __device__ __noinline__ float helper(float x) { return x + x; }
extern "C" __global__ void kernel(float *p, int n) { *p = scale(helper(*p), n) * table[n]; }
""",
    "library": """
__device__ float table[4] = {1, 2, 3, 4};
static __device__ __noinline__ float helper(float x) { return x * x; }
extern "C" __device__ float scale(float x, int n) { return n * helper(x); }
""",
}
MLIR = {"kernel": KERNEL, "library": LIBRARY}
COMPILERS = ("weft", "llvm", "nvcc")


def made(compiler: str, part: str, folder: Path) -> Cubin | bytes:
    """One of the two parts of the program, as an object."""
    if compiler == "weft":
        return assemble(weft.compile(MLIR[part], TARGET), relocatable=True)
    if compiler == "llvm":
        return assemble(llvm_ptx(MLIR[part], TARGET, "86", level=2), relocatable=True)
    source, result = folder / f"{part}.cu", folder / f"{part}.cubin"
    source.write_text(CUDA[part])
    tool = nvidia_tool("nvcc")
    command = [tool.path, f"-arch={TARGET}", "-rdc=true", "-cubin", "-o", str(result), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"nvcc does not work here: {done.stderr.strip()[:200]}")
    return result.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("kernel", COMPILERS)
def test_parts_of_any_two_compilers_link(kernel: str, tmp_path: Path) -> None:
    nvidia_tool("ptxas")
    nvidia_tool("nvlink")
    first = made(kernel, "kernel", tmp_path)
    for library in COMPILERS:
        linked = link({"kernel": first, "library": made(library, "library", tmp_path)}, TARGET)
        assert [resources.name for resources in linked.kernels] == ["kernel"], (kernel, library)
        names = sections(linked.data)
        assert any(name.startswith(".text.kernel") for name in names)
        assert any(name.startswith(".nv.global.init") for name in names), "the table"


def test_an_object_of_two_links_like_the_two() -> None:
    nvidia_tool("nvlink")
    parts = [assemble(weft.compile(MLIR[part], TARGET), relocatable=True) for part in MLIR]
    together = link([link(parts, relocatable=True)])
    assert [resources.name for resources in together.kernels] == ["kernel"]


def test_what_does_not_link_is_an_error_with_the_names() -> None:
    nvidia_tool("nvlink")
    kernel = assemble(weft.compile(KERNEL, TARGET), relocatable=True)
    with pytest.raises(ToolError, match="Undefined reference to '(scale|table)' in 'k.o'"):
        link({"k.o": kernel})
    with pytest.raises(ToolError, match="Multiple definition of 'kernel'"):
        link({"a.o": kernel, "b.o": kernel})
    with pytest.raises(ToolError, match=r"b\.o: this is not a cubin"):
        link({"a.o": kernel, "b.o": b"no object"})
    with pytest.raises(ToolError, match="unknown target"):
        link([kernel.data])
    with pytest.raises(ToolError, match="no objects"):
        link([], TARGET)


def test_a_cubin_with_open_names_says_how_to_link() -> None:
    nvidia_tool("ptxas")
    with pytest.raises(ToolError, match="Unresolved extern") as caught:
        assemble(weft.compile(KERNEL, TARGET))
    assert "--emit obj" in caught.value.hint


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run("compile", *arguments)


def test_the_command_links_files_of_all_kinds(tmp_path: Path) -> None:
    nvidia_tool("nvlink")
    for part, text in MLIR.items():
        (tmp_path / f"{part}.mlir").write_text(text)
    kernel, library = str(tmp_path / "kernel.mlir"), str(tmp_path / "library.mlir")
    ptx, obj, cubin = (str(tmp_path / name) for name in ("library.ptx", "kernel.o", "all.cubin"))
    assert command(library, "-t", TARGET, "-o", ptx).returncode == 0
    assert command(kernel, "-t", TARGET, "--emit", "obj", "-o", obj).returncode == 0
    found: list[bytes] = []
    for one, other in product((kernel, obj), (library, ptx)):
        done = command(one, other, "-t", TARGET, "--emit", "cubin", "-o", cubin)
        assert done.returncode == 0, done.stderr
        found.append(b"".join(c for n, c in sections(Path(cubin).read_bytes()).items() if n.startswith(".text.")))
    assert len(set(found)) == 1
    done = command(kernel, "-t", TARGET, "--emit", "cubin", "-o", cubin)
    assert done.returncode == 1
    assert "Unresolved extern" in done.stderr
    assert command(kernel, library).returncode == 2
    done = command(ptx, ptx, "-t", TARGET, "--emit", "cubin", "-o", cubin)
    assert done.returncode == 1
    assert f"in '{ptx} (2)', first defined in '{ptx}'" in done.stderr, "a file that is named twice has two names"
