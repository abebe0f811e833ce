"""PTX as other compilers write it, made when the tests run: nvcc, Triton, LLVM (through llvmlite and llc).

Everything is for sm_80. A compiler that is missing skips its kernels by name.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import llvm_tool, nvidia_tool

HERE = Path(__file__).parent
# A debug build, and line information, of some: they are full of directives that nothing else has.
NVCC_VARIANTS = {"-G": ("calls", "locals", "branches"), "-lineinfo": ("shared_tile", "halves")}


@dataclass(frozen=True)
class Source:
    """One module to be compiled: which compiler, which kernel, with which option."""

    compiler: str
    name: str
    option: str = ""

    def __str__(self) -> str:
        return "-".join(filter(None, (self.compiler, self.name, self.option.strip("-"))))

    def ptx(self) -> str:
        """The PTX text; skips the test when the compiler is not here."""
        return _compile(self)


def _run(arguments: list[str], stdin: str = "") -> str:
    done = subprocess.run(arguments, input=stdin, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _nvcc(source: Source) -> str:
    tool = nvidia_tool("nvcc")
    options = [source.option] if source.option else []
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder, "k.ptx")
        command = [
            tool.path,
            "-ptx",
            "-arch=sm_80",
            *options,
            str(HERE / "cuda" / f"{source.name}.cu"),
            "-o",
            str(result),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode and ("No such file" in done.stderr or "not found" in done.stderr):
            pytest.skip(f"nvcc lacks a host compiler or headers: {done.stderr.strip().splitlines()[-1]}")
        assert done.returncode == 0, done.stderr
        return result.read_text()


def _triton(source: Source) -> str:
    if importlib.util.find_spec("triton") is None:
        pytest.skip("triton is not here")
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(TRITON_CACHE_DIR=folder, TRITON_DEFAULT_FP_FUSION="1")
        from tests.corpus.triton_kernels import compile_kernel

        return compile_kernel(source.name)


def _llvmlite(source: Source) -> str:
    if importlib.util.find_spec("llvmlite") is None:
        pytest.skip("llvmlite is not here")
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
    machine = target.create_target_machine(cpu="sm_80", features="+ptx80", opt=3)
    return machine.emit_assembly(llvm.parse_assembly((HERE / "llvm" / f"{source.name}.ll").read_text()))


def _llc(source: Source) -> str:
    command = [llvm_tool("llc"), source.option, "-mcpu=sm_80", "-mattr=+ptx80", "-o", "-"]
    return _run([*command, str(HERE / "llvm" / f"{source.name}.ll")])


@functools.cache
def _compile(source: Source) -> str:
    return {"nvcc": _nvcc, "triton": _triton, "llvmlite": _llvmlite, "llc": _llc}[source.compiler](source)


def _sources() -> list[Source]:
    cuda = sorted(path.stem for path in (HERE / "cuda").glob("*.cu"))
    llvm = sorted(path.stem for path in (HERE / "llvm").glob("*.ll"))
    return [
        *(Source("nvcc", name) for name in cuda),
        *(Source("nvcc", name, option) for option, names in NVCC_VARIANTS.items() for name in names),
        *(Source("triton", name) for name in ("softmax", "matmul", "layernorm", "scan_and_count")),
        *(Source("llvmlite", name) for name in llvm),
        *(Source("llc", name, "-O0") for name in llvm),
    ]


SOURCES = _sources()
