"""PTX as other compilers write it, made when the tests run: nvcc, Triton, LLVM (through llvmlite and llc).

SOURCES are for sm_80, OTHER_TARGETS for targets from sm_75 to sm_121a. A compiler that is missing skips its kernels by
name.
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

NEEDS_SM_80 = frozenset({"barriers", "halves", "tensor_core", "warps"})
NVCC_TARGETS = ("sm_86", "sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_120a", "sm_121a")
TRITON_KERNELS = ("softmax", "matmul", "layernorm", "scan_and_count")


@dataclass(frozen=True)
class Source:
    """One module to be compiled: which compiler, which kernel, with which option, for which target."""

    compiler: str
    name: str
    option: str = ""
    target: str = "sm_80"

    def __str__(self) -> str:
        target = "" if self.target == "sm_80" else self.target
        return "-".join(filter(None, (self.compiler, self.name, self.option.strip("-"), target)))

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
            f"-arch={source.target}",
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

        return compile_kernel(source.name, int(source.target.strip("sm_a")))


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
    version = "+ptx80" if source.target == "sm_80" else "+ptx88"
    command = [llvm_tool("llc"), source.option, f"-mcpu={source.target}", f"-mattr={version}", "-o", "-"]
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
        *(Source("triton", name) for name in TRITON_KERNELS),
        *(Source("llvmlite", name) for name in llvm),
        *(Source("llc", name, "-O0") for name in llvm),
    ]


def _other_targets() -> list[Source]:
    cuda = sorted(path.stem for path in (HERE / "cuda").glob("*.cu"))
    llvm = sorted(path.stem for path in (HERE / "llvm").glob("*.ll"))
    return [
        *(Source("nvcc", name, target="sm_75") for name in cuda if name not in NEEDS_SM_80),
        *(Source("nvcc", name, "", target) for target in NVCC_TARGETS for name in cuda),
        *(Source("nvcc", name, "-G", "sm_100a") for name in cuda),
        *(Source("triton", name, "", f"sm_{n}") for n in (75, 90, 100, 120) for name in TRITON_KERNELS),
        *(Source("llc", name, "-O3", target) for target in ("sm_75", "sm_90a", "sm_100a", "sm_120a") for name in llvm),
    ]


SOURCES = _sources()
OTHER_TARGETS = _other_targets()
