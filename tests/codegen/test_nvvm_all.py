"""Every operation of `nvvm` to PTX: ptxas takes it, and LLVM does the same with the same operands."""

from __future__ import annotations

from collections import defaultdict

import pytest

from tests.codegen import nvvm_cases, product_cases
from tests.codegen.oracle import llvm_bodies
from tests.codegen.trace import bodies, traced
from weft.codegen import compile_module
from weft.dialects import lazy
from weft.ptx.ast import Module
from weft.toolchain import assemble

Case = nvvm_cases.Case | product_cases.Product
CASES: list[Case] = [*nvvm_cases.everything(), *product_cases.everything()]
SAMPLED = 1
"""Cases of an operation in a default run; the slow run has them all."""

OTHERWISE = {
    "nvvm.mbarrier.try_wait.parity": "LLVM loops with labels of its own",
    "nvvm.cp.async.bulk.shared.cluster.global": "the block's own memory is written as part of the cluster's",
    "nvvm.wgmma.mma_async": "a fence stands before the first, without which PTX promises nothing; LLVM writes none",
}
"""Operations whose instruction is spelled differently, for a reason that has been looked at."""


def sampled() -> list[Case]:
    by_op: dict[str, list[Case]] = defaultdict(list)
    for case in CASES:
        by_op[case.op].append(case)
    return [cases[len(cases) * i // SAMPLED] for cases in by_op.values() for i in range(min(SAMPLED, len(cases)))]


def by_target(cases: list[Case]) -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = defaultdict(list)
    for case in dict.fromkeys(cases):
        found[case.target].append(case)
    return found


def together(modules: list[Module], target: str) -> Module:
    """One module with all their functions."""
    version = max(module.version for module in modules)
    return Module(version, (target,), 64, [item for module in modules for item in module.items])


def check(cases: list[Case]) -> None:
    for target, group in by_target(cases).items():
        modules = [compile_module(case.module(f"f{i}"), target) for i, case in enumerate(group)]
        module = together(modules, target)
        assemble(module, options=("-c",))
        mine = bodies(module.to_ptx())
        theirs = llvm_bodies({f"f{i}": case.module(f"f{i}") for i, case in enumerate(group)}, target)
        for i, case in enumerate(group):
            if f"f{i}" in theirs and case.op not in OTHERWISE:
                assert traced(mine[f"f{i}"]) == traced(theirs[f"f{i}"]), case.module()


def test_every_operation_has_cases() -> None:
    covered = {case.op for case in CASES}
    missing = set(lazy.operation_names("nvvm")) - covered
    assert not missing


@pytest.mark.usefixtures("ptxas")
def test_samples_are_what_llvm_makes() -> None:
    check(sampled()[::5])


@pytest.mark.slow
@pytest.mark.usefixtures("ptxas")
@pytest.mark.parametrize("part", range(8))
def test_drawn_arguments(part: int) -> None:
    """Of what LLVM and ptxas take, nearly all is the same; the rest is spelled otherwise or refused for a reason."""
    from tests.codegen.nvvm_drawn import compared, drawn

    said = [verdict for _, verdict, _ in compared(list(drawn(2, 5))[part::8])]
    assert len(said) > 12
    assert sum(verdict not in ("same", "otherwise") for verdict in said) <= 2


@pytest.mark.slow
@pytest.mark.usefixtures("ptxas")
def test_all_cases_are_what_llvm_makes() -> None:
    check(CASES)
