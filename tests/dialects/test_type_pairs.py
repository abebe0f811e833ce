"""Conversions between all pairs of types: what mlir-opt takes is taken, what it refuses is refused in its words."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from tests.dialects.oracle import Case, ours, upstream

SCALARS = ("i1", "i8", "i32", "i64", "si32", "index", "f16", "bf16", "f32", "f64", "f8E4M3FN", "f4E2M1FN", "tf32")
SHAPES = (
    "{}", "vector<4x{}>", "vector<[4]x{}>", "vector<2x4x{}>", "vector<{}>", "tensor<4x{}>", "tensor<?x{}>",
    "tensor<*x{}>", "memref<4x{}>", "memref<?x{}>", "memref<4x{}, 3>", "memref<4x{}, strided<[2], offset: ?>>",
    "memref<*x{}>",
)  # fmt: skip
STRANGE = ("!llvm.ptr", "none", "complex<f32>", "!llvm.struct<(i32)>", "memref<4xvector<4xf32>>", "tuple<i32>")
TYPES = (*(shape.format(scalar) for shape, scalar in product(SHAPES, SCALARS)), *STRANGE)
CONVERSIONS = (
    "arith.bitcast", "arith.extf", "arith.extsi", "arith.extui", "arith.fptosi", "arith.fptoui", "arith.index_cast",
    "arith.index_castui", "arith.sitofp", "arith.truncf", "arith.trunci", "arith.uitofp", "index.castu", "index.casts",
    "memref.cast", "memref.memory_space_cast", "vector.bitcast", "vector.shape_cast", "vector.type_cast",
    "llvm.bitcast", "llvm.zext", "llvm.trunc", "llvm.fpext", "llvm.fptosi", "llvm.ptrtoint", "llvm.inttoptr",
    "llvm.addrspacecast", "builtin.unrealized_conversion_cast",
)  # fmt: skip


def pairs(name: str, count: int, seed: int) -> list[Case]:
    """A conversion between types at random; the two have mostly one shape, or one kind of elements."""
    source = random.Random(f"{name} {seed}")
    cases: list[Case] = []
    for _ in range(count):
        shape, scalar = source.choice(SHAPES), source.choice(SCALARS)
        given = shape.format(scalar)
        wanted = source.choice(
            (shape.format(source.choice(SCALARS)), source.choice(SHAPES).format(scalar), source.choice(TYPES))
        )
        if source.random() < 0.05:
            given, wanted = wanted, given
        if wanted.startswith("tensor<*") and not given.startswith("tensor"):
            continue  # What mlir-opt says depends on memory that it does not own.
        cases.append(Case(f"func.func @f(%a: {given}) {{\n  %0 = {name} %a : {given} to {wanted}\n  return\n}}\n", 1))
    return cases


def outcomes(mlir_opt: str, cases: list[Case]) -> list[str | None]:
    """mlir-opt's outcomes; None where it crashes."""
    try:
        return list(upstream(mlir_opt, cases))
    except AssertionError:
        half = len(cases) // 2
        return [*outcomes(mlir_opt, cases[:half]), *outcomes(mlir_opt, cases[half:])] if half else [None]


def compare(names: Sequence[str], count: int, seed: int, mlir_opt: str) -> None:
    cases = [case for name in names for case in pairs(name, count, seed)]
    found = zip(cases, outcomes(mlir_opt, cases), ours(cases), strict=True)
    assert not [(case.text, theirs, own) for case, theirs, own in found if theirs not in (None, own)]


def test_converted_as_upstream_converts(mlir_opt: str) -> None:
    compare(CONVERSIONS, 12, 1, mlir_opt)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
@pytest.mark.parametrize("name", CONVERSIONS)
def test_converted_as_upstream_converts_often(name: str, seed: int, mlir_opt: str) -> None:
    compare((name,), 400, seed, mlir_opt)
