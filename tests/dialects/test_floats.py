"""Floating-point constants of every type are spelled as mlir-opt spells them."""

from __future__ import annotations

import subprocess
from random import Random

import pytest

from weft.mlir import parse_mlir, print_mlir

# Type, powers of ten that it holds.
KINDS = {
    "f64": (-20, 20),
    "f32": (-20, 20),
    "bf16": (-20, 20),
    "tf32": (-20, 20),
    "f16": (-5, 4),
    "f8E5M2": (-4, 4),
    "f8E4M3FN": (-2, 2),
    "f6E3M2FN": (-1, 1),
    "f6E2M3FN": (-1, 0),
    "f4E2M1FN": (-1, 0),
}


def constants(seed: int) -> str:
    rng = Random(seed)
    lines: list[str] = []
    for kind, (low, high) in KINDS.items():
        for _ in range(40):
            digits = rng.choice([rng.random(), rng.randrange(1, 10**6) / 10**6, rng.randrange(1, 2**16) / 2**16])
            text = f"{rng.choice(['', '-'])}{digits * 10 ** rng.uniform(low, high):.17e}"
            lines.append(f"%{len(lines)} = arith.constant {text} : {kind}\n")
    return "".join(lines)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
def test_spelled_as_mlir_opt_spells(seed: int, mlir_opt: str) -> None:
    text = constants(seed)
    theirs = subprocess.run([mlir_opt], input=text, capture_output=True, text=True, check=True).stdout
    assert print_mlir(parse_mlir(text)).strip() == theirs.strip()
