"""Texts of MLIR with changed tokens are read, or refused by an error of MLIR with a place."""

from __future__ import annotations

import re

import pytest

from tests.fuzz import mlir
from weft.errors import MlirError
from weft.mlir import parse_mlir


def test_mutated_texts() -> None:
    assert list(mlir.failures(0, 250)) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_many_mutated_texts(seed: int) -> None:
    assert list(mlir.failures(seed, 20_000)) == []


REFUSED = {
    "linalg.map { arith.addf }": "'linalg.map' op expected 1 or more operands behind 'outs'",
    "linalg.map { arith.addf } ins(%m : memref<4xf32>)": "'linalg.map' op expected 1 or more operands behind 'outs'",
    "linalg.reduce { arith.addf } dimensions = [0]": "'linalg.reduce' op expected 1 or more operands behind 'outs'",
    "linalg.generic [1] ins(%m : memref<4xf32>) {}": ("custom op 'linalg.generic' invalid kind of attribute specified"),
    f"linalg.transpose ins(%t : memref<4x8xf32>) outs(%t : memref<4x8xf32>) permutation = [1, {1 << 99}]": (
        "custom op 'linalg.transpose' integer value too large"
    ),
    **dict.fromkeys(
        (
            f"%0 = arith.constant {'9' * 4400} : i128",
            f"affine.for %i = 0 to {'9' * 4400} {{}}",
            f"nvvm.barrier id = {1 << 70}",
        ),
        "integer constant out of range for attribute",
    ),
    '""() : () -> ()': "empty operation name is invalid",
    "cf.br ^bb0\n^bb0:\n  cf.br ^bb1\n^bb0:\n  cf.br ^bb1\n^bb1:": "redefinition of block '^bb0'",
    "%0 = complex.abs %m : memref<4xf32>": "a type cannot be inferred from those given",
    "llvm.func @g() attributes {target_features = #llvm.target_features}": "expected '<'",
    '%0 = "vector.multi_reduction"(%w, %v) {kind = #vector.kind<most>} : (vector<4x8xf32>, vector<8xf32>) -> i32': (
        "'most' is not a valid CombiningKindFlag"
    ),
    "scf.for %i = %l to %i step %l {}": "use of undeclared SSA value name",
    "%0 = affine.for %i = 0 to 4 iter_args(%x = %x) -> (f32) { affine.yield %x : f32 }": (
        "use of undeclared SSA value name"
    ),
    "%0 = memref.transpose %t (i, j) -> (k, i) : memref<4x8xf32> to memref<8x4xf32>": "use of undeclared identifier",
    "%0 = vector.multi_reduction <most>, %w, %v [0] : vector<4x8xf32> to vector<8xf32>": (
        "expected ::mlir::vector::CombiningKind to be one of: add, mul, minui, minsi, minnumf, maxui, maxsi, maxnumf,"
        " and, or, xor, maximumf, minimumf"
    ),
}


@pytest.mark.parametrize("operation", REFUSED, ids=lambda text: text[:60])
def test_is_refused_in_words(operation: str) -> None:
    values = "%m: memref<4xf32>, %l: index, %t: memref<4x8xf32>, %w: vector<4x8xf32>, %v: vector<8xf32>"
    with pytest.raises(MlirError, match=re.escape(REFUSED[operation])) as caught:
        parse_mlir(f"func.func @f({values}) {{\n  {operation}\n  return\n}}")
    assert caught.value.position.line == (5 if "^bb0" in operation else 2)
