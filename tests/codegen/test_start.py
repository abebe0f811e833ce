"""Starting the compiler: what is imported, and that the program around it keeps its garbage collector."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

import weft

ROOT = Path(__file__).resolve().parents[2]


def imported(*statements: str) -> set[str]:
    """The modules of a process that runs these statements."""
    script = "\n".join(["import sys", *statements, "print(*sys.modules, file=sys.stderr)"])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stderr.split())


def compiling(name: str) -> str:
    return f"import weft; weft.compile(open('examples/{name}.mlir').read(), 'sm_80').to_ptx()"


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "unused"),
    [
        (
            "saxpy",
            (
                "weft.dialects.gpu.sparse weft.dialects.nvvm "
                "weft.dialects.nvgpu weft.dialects.tile weft.dialects.memref.ops weft.dialects.llvm weft.transforms "
                "weft.codegen.nvvm weft.codegen.ops.subgroup_mma weft.isa.table.mma weft.isa.table.texture "
                "xdsl.dialects.llvm xdsl.dialects.math xdsl.dialects.affine "
                "weft.codegen.libdevice.table weft.codegen.doubles weft.codegen.elementary difflib"
            ),
        ),
        (
            "softmax",
            (
                "weft.dialects.gpu.sparse weft.dialects.nvvm weft.dialects.nvgpu "
                "weft.transforms weft.codegen.nvvm weft.isa.table.mma xdsl.dialects.llvm xdsl.dialects.affine"
            ),
        ),
        (
            "gemm_sm80",
            (
                "weft.dialects.gpu.sparse weft.dialects.nvvm.tma weft.dialects.nvvm.wgmma weft.dialects.nvvm.tcgen05 "
                "weft.dialects.tile weft.transforms.pipeline weft.transforms.tile_lowering weft.codegen.nvvm.tma "
                "weft.codegen.nvvm.tcgen05 weft.isa.table.wgmma "
                "weft.codegen.libdevice.table weft.codegen.doubles weft.codegen.elementary difflib"
            ),
        ),
    ],
)
def test_a_compilation_imports_what_the_kernel_needs(name: str, unused: str) -> None:
    modules = imported(compiling(name))
    assert not modules & set(unused.split())
    everywhere = {"numpy", "weft.mlir.printer", "weft.ptx.parser", "weft.sim", "weft.tile", "rich"}
    assert not modules & everywhere


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["saxpy", "gemm_sm80"])
def test_the_second_compilation_imports_nothing(name: str) -> None:
    imported(compiling(name), "before = set(sys.modules)", compiling(name), "assert set(sys.modules) == before")


@pytest.mark.sample(1)
@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(enabled: bool) -> None:
    switch = "gc.enable()" if enabled else "gc.disable()"
    imported(
        "import gc",
        switch,
        compiling("saxpy"),
        f"assert gc.isenabled() == {enabled} and gc.get_freeze_count() == 0",
        compiling("saxpy"),
        f"assert gc.isenabled() == {enabled} and gc.get_freeze_count() == 0",
    )


def test_what_the_program_has_frozen_stays_frozen() -> None:
    imported("import gc", "gc.freeze()", "count = gc.get_freeze_count()", compiling("saxpy"),
             "assert gc.get_freeze_count() > count / 2")  # fmt: skip


def test_cycles_of_the_program_are_still_collected() -> None:
    imported(
        "import gc, weakref",
        "class Node: pass",
        "node = Node(); node.itself = node; seen = weakref.ref(node)",
        compiling("saxpy"),
        "del node; gc.collect(); assert seen() is None",
    )


def test_an_error_leaves_the_collector_on() -> None:
    with pytest.raises(weft.MlirError):
        weft.compile("module {", "sm_80")
    assert gc.isenabled()


@pytest.mark.sample(1)
@pytest.mark.parametrize("package", ["weft.tile", "weft.dialects", "weft.codegen.compile"])
def test_xdsl_is_imported_in_the_quick_way(package: str) -> None:
    """With definitions that are made when they are needed, and operations without xDSL's constructors."""
    imported(
        f"import {package}",
        "from xdsl.dialects import arith",
        "from xdsl.ir import Operation",
        "assert arith.AddiOp.get_irdl_definition.__func__.__module__ == 'weft.dialects.deferred'",
        "assert Operation.create.__func__.__module__ == 'weft.dialects.building'",
    )


@pytest.mark.slow
def test_tile_kernels_leave_the_collector_as_it_was() -> None:
    imported(
        "import gc, weft.tile.kernels",
        "weft.tile.kernels.softmax.ptx('sm_80')",
        "assert gc.isenabled() and gc.get_freeze_count() == 0",
    )
