"""The examples compile, ptxas takes them, and the machine code is as good as LLVM's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import weft
from tests.conftest import ROOT
from weft.toolchain import Tool

EXAMPLES = sorted((ROOT / "examples").glob("*.mlir"))
KERNELS = sorted((ROOT / "benchmarks" / "kernels").glob("*.mlir"))


def target_of(path: Path) -> str:
    """The target that an example is written for."""
    return "sm_90a" if path.stem.endswith("sm90a") else "sm_80"


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The scripts in `benchmarks/` can be imported, as they are when one of them runs."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    yield
    for name in ("sass_vs_llvm", "peer", "report", "generate"):
        sys.modules.pop(name, None)


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_ptxas_and_the_verifier_accept(path: Path, ptxas: Tool) -> None:
    module = weft.compile(path.read_text(), target=target_of(path), filename=path.name)
    cubin = weft.assemble(module)
    kernel = cubin.kernel()
    assert not cubin.remarks, "ptxas waits for, or serialises, products of warpgroups"
    assert kernel.spills == 0
    assert kernel.stack_bytes == 0
    assert weft.verify(module) == []
    assert weft.parse(module.to_ptx()) == module


@pytest.mark.slow
@pytest.mark.parametrize("target", ["sm_90a", "sm_100a", "sm_120"])
def test_newer_targets(target: str, ptxas: Tool) -> None:
    """Code for sm_80 is code for what came after it."""
    for path in (path for path in EXAMPLES if target_of(path) == "sm_80"):
        assert weft.assemble(weft.compile(path.read_text(), target=target)).target == target


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "path",
    [
        *(path for path in EXAMPLES if target_of(path) == "sm_80"),
        *(pytest.param(path, marks=pytest.mark.slow) for path in KERNELS),
    ],
    ids=lambda path: path.stem,
)
def test_machine_code_beside_llvm(
    path: Path, ptxas: Tool, nvdisasm: Tool, mlir_opt: str, llc: str, benchmarks: None
) -> None:
    """At most 1.1 times the instructions of LLVM's pipeline, and at most 8 registers more; if it takes the kernel."""
    import peer  # pyright: ignore[reportMissingImports]
    import sass_vs_llvm  # pyright: ignore[reportMissingImports]

    ours = sass_vs_llvm.measure(sass_vs_llvm.ours(path, "sm_80"), "sm_80")
    theirs = sass_vs_llvm.attempt(peer.with_optimizer, path, "sm_80")
    assert not isinstance(theirs, str), theirs
    assert ours.instructions <= 1.1 * theirs.instructions
    assert ours.registers <= theirs.registers + 8
