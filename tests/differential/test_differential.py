"""Random kernels compute with weft what they compute with LLVM: other ones every day, and more when there is time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.codegen.oracle import tool
from tests.differential import judge
from tests.differential.generator import generate
from tests.differential.program import Kernel
from tests.differential.shrink import readable, shrunk
from tests.effort import draws

BATCH = 10


def batch(seed: str, first: int) -> list[Kernel]:
    return [generate(f"k{i}", f"{seed} {i}") for i in range(first, first + draws(5, BATCH))]


def wrong(seed: str, first: int) -> list[str]:
    """What goes wrong, each with the command that shows it."""
    tool("mlir-opt")
    kernels = batch(seed, first)
    compared, findings = judge.check(kernels)
    assert compared > len(kernels) // 2
    return [
        f"{finding.kind}: {finding.message} (python -m tests.differential --seed {seed} --only {finding.kernel.name[1:]})"
        for finding in findings
        if finding.kind != "upstream"
    ]


@pytest.mark.sample(1)
@pytest.mark.parametrize("first", range(0, 200, BATCH))
def test_of_the_day(first: int) -> None:
    assert not wrong(datetime.now(UTC).date().isoformat(), first)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 1000, BATCH))
def test_more(first: int) -> None:
    assert not wrong("more", first)


def wrong_c(seed: str, first: int, count: int, levels: list[int]) -> list[str]:
    """What goes wrong with random C."""
    from tests.differential.c import judge as c
    from tests.differential.c.generate import generate as program

    for name in ("clang", "mlir-translate", "llc"):
        tool(name)
    compared, findings = c.check([program(f"k{i}", f"{seed} {i}") for i in range(first, first + count)], levels)
    assert compared == count
    return [
        f"{finding.kind}: {finding.message} (python -m tests.differential --axis c --seed {seed} --only {finding.program.name[1:]})"
        for finding in findings
    ]


def test_c_of_the_day() -> None:
    """Random C at one of clang's levels, another each day."""
    today = datetime.now(UTC).date()
    assert not wrong_c(today.isoformat(), 0, draws(2, 5), [today.day % 4])


@pytest.mark.slow
@pytest.mark.parametrize("level", range(4))
def test_more_c(level: int) -> None:
    assert not wrong_c("more", level * 25, 25, [level])


@pytest.mark.slow
def test_triton(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Random kernels in Triton: weft of the LLVM IR that Triton makes, and what Triton makes of it itself."""
    pytest.importorskip("triton")
    from tests.differential.triton_axis import judge as triton
    from tests.differential.triton_axis.generate import generate as program

    tool("mlir-translate")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    compared = 0
    for i in range(20):
        try:
            finding = triton.judged(program(f"k{i}", f"more {i}"))
        except triton.Refused:
            continue
        assert finding is None, finding
        compared += 1
    assert compared > 10


def test_a_kernel_is_known_by_its_seed() -> None:
    assert generate("k", "a seed").text() == generate("k", "a seed").text()


@pytest.mark.slow
def test_what_differs_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A compiler that takes `or` for `xor` is shown with little else."""
    tool("mlir-opt")
    from tests.differential import shrink

    right = shrink.by_weft

    def broken(kernels: list[Kernel]) -> object:
        module = right(kernels)
        from weft import parse

        return parse(module.to_ptx().replace("xor.b32", "or.b32").replace("xor.b64", "or.b64"))

    monkeypatch.setattr(judge, "by_weft", broken)
    monkeypatch.setattr(shrink, "by_weft", broken)
    findings: list[judge.Finding] = []
    for first in range(0, 500, BATCH):
        findings = [finding for finding in judge.check(batch("broken", first))[1] if finding.kind == "difference"]
        if findings:
            break
    small = shrunk(findings[0], budget=60)
    assert len(small.removed) > sum(not node.kept for node in small.nodes()) * 0.6
    assert len(readable(small).splitlines()) < len(findings[0].kernel.text().splitlines()) * 0.7
