"""Every operation of `nvvm` to PTX: ptxas takes it, and LLVM does the same with the same operands."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise

import pytest

from tests.codegen import nvvm_cases, product_cases
from tests.codegen.oracle import llvm_bodies
from tests.codegen.trace import bodies, traced
from weft.codegen import compile_module
from weft.dialects import lazy
from weft.errors import CompileError
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
        compare(group, module, target)


def compare(cases: list[Case], module: Module, target: str) -> None:
    """What LLVM makes of cases, the functions `f0`, `f1`... of a module, with what that has."""
    mine = bodies(module.to_ptx())
    theirs = llvm_bodies({f"f{i}": case.module(f"f{i}") for i, case in enumerate(cases)}, target)
    for i, case in enumerate(cases):
        if f"f{i}" in theirs and case.op not in OTHERWISE:
            assert traced(mine[f"f{i}"]) == traced(theirs[f"f{i}"]), case.module()


def test_every_operation_has_cases() -> None:
    covered = {case.op for case in CASES}
    missing = set(lazy.operation_names("nvvm")) - covered
    assert not missing


def telling() -> list[Case]:
    """The cases of each operation that have a word, or two in a row, that none before had."""
    seen: dict[str, set[str]] = defaultdict(set)
    found: list[Case] = []
    for case in dict.fromkeys(CASES):
        words = {*re.findall(r"[\w.]+", case.module()), *pairwise(re.findall(r"\b[a-zA-Z_]{3,}\b", case.module()))}
        if words - seen[case.op]:
            found.append(case)
            seen[case.op] |= words
    return found


NEWER = {"sm_80": "sm_90", "sm_100": "sm_100a"}
"""Targets that take as much, to ask for fewer modules."""


def test_each_word_is_what_llvm_makes_of_it() -> None:
    groups: dict[str, list[Case]] = defaultdict(list)
    for case in telling():
        groups[NEWER.get(case.target, case.target)].append(case)
    for target, group in groups.items():
        text = "".join(case.module(f"f{i}") for i, case in enumerate(group))
        compare(group, compile_module(text, target), target)


PLACES = {
    "argument": "",
    "variable": "{0}_at = llvm.mlir.addressof @place{2} : {1}",
    "local": "{0}_n = llvm.mlir.constant(1 : i32) : i32\n{0}_at = llvm.alloca {0}_n x !llvm.array<512 x i8> : (i32) -> {1}",
}
"""What a pointer may point to, as MLIR with its name and its type."""
VARIABLE = "llvm.mlir.global external @place() {alignment = 128 : i64} : !llvm.array<512 x i8>\n"


def moved(case: Case, name: str, place: str) -> str:
    """A case whose pointers are 128 bytes behind what they were, or behind something else that has their type."""
    head, _, body = case.module(name).partition("{\n")
    lines = list[str]()
    for pointer, kind in re.findall(r"(%\w+): (!llvm\.ptr(?:<\d>)?)", head):
        if place != "argument" and kind != "!llvm.ptr":
            continue
        base = pointer if place == "argument" else f"{pointer}_at"
        lines += [
            PLACES[place].format(pointer, kind, name[1:]),
            f"{pointer}_by = llvm.getelementptr {base}[128] : ({kind}) -> {kind}, i8",
        ]
        body = re.sub(rf"{pointer}\b", f"{pointer}_by", body)
    return "\n".join([head + "{", *lines, body])


@pytest.mark.sample(1)
@pytest.mark.usefixtures("ptxas")
@pytest.mark.parametrize("place", PLACES)
def test_pointers_with_offsets(place: str) -> None:
    """An address that is a sum is computed where an instruction takes no offset."""
    elsewhere = list[str]()
    for target, group in by_target(sampled()).items():
        modules = list[Module]()
        for i, case in enumerate(group):
            try:
                modules.append(
                    compile_module(VARIABLE.replace("@place", f"@place{i}") + moved(case, f"f{i}", place), target)
                )
            except CompileError as error:
                # What takes shared memory only is right to refuse the others'.
                assert re.search(r"is in \.(global|local), but the instruction's address is \.shared", str(error)), case
                elsewhere.append(case.op)
        assemble(together(modules, target), options=("-c",))
    assert len(elsewhere) <= (0 if place == "argument" else 8), elsewhere


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
