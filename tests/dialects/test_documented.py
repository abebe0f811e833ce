"""The examples in MLIR's own documentation: taken, refused and printed as mlir-opt does."""

from __future__ import annotations

import re

import pytest

from tests.dialects import oracle
from tests.dialects.arguments import CRASH, everything
from tests.dialects.documented import examples, files, outcomes_of
from tests.dialects.variants import compared, verdict

_VERDICTS = ("accepted", "refused", "other text")
_KNOWN = re.compile(r"linalg|ptr\.|async\.call|async\.func|smt\.")
"""Operations of dialects that are read and printed, and of which weft says less than mlir-opt."""


def _differences(mlir_opt: str, name: str) -> list[str]:
    if not files(name):
        pytest.skip("MLIR's definitions are not installed")
    given = [example.case() for example in examples(mlir_opt, name)]
    assert given
    return [
        f"{case.text}  theirs: {theirs}\n  ours:   {ours}\n"
        for case, ours, theirs in zip(given, oracle.ours(given), outcomes_of(mlir_opt, given), strict=True)
        if theirs != CRASH and verdict(theirs, ours) in _VERDICTS and not _KNOWN.search(case.text)
    ]


@pytest.mark.parametrize("name", ["Affine"])
def test_examples(name: str, mlir_opt: str) -> None:
    assert not _differences(mlir_opt, name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["Arith/", "Bufferization/IR", "ControlFlow", "Complex", "Func", "GPU", "Index", "LLVMIR", "Math", "MemRef",
             "NVGPU", "SCF", "Tensor/IR", "UB", "Vector"]
)  # fmt: skip
def test_more_examples(name: str, mlir_opt: str) -> None:
    assert not _differences(mlir_opt, name)


_UNSAID = re.compile(r"in property conversion|successors but found 0|op_bundle|indbr_operand|known constant|bundle tag")
"""What of a malformed generic form weft does not look for."""


def _drawn(mlir_opt: str, dialect: str, count: int, seed: int) -> list[str]:
    texts = list(dict.fromkeys(instance.text() for instance in everything(dialect, count, seed)))
    return [
        f"{text}  theirs: {theirs}\n  ours:   {ours}\n"
        for text, said, theirs, ours in compared(mlir_opt, texts)
        if said in _VERDICTS and not _UNSAID.search(theirs)
    ]


@pytest.mark.parametrize("dialect", ["memref", "vector"])
def test_definitions(dialect: str, mlir_opt: str) -> None:
    assert not _drawn(mlir_opt, dialect, 2, 11)


@pytest.mark.slow
@pytest.mark.parametrize(
    "dialect", ["affine", "arith", "async", "cf", "index", "llvm.intr", "math", "memref", "ptr", "scf", "vector"]
)
def test_many_definitions(dialect: str, mlir_opt: str) -> None:
    assert not _drawn(mlir_opt, dialect, 12, 3)
