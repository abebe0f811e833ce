"""Affine expressions are folded and spelled as mlir-opt folds and spells them."""

from __future__ import annotations

import re
import subprocess
from random import Random

import pytest

from weft.mlir import parse_mlir, print_mlir


def expression(rng: Random, depth: int) -> str:
    """A random affine expression of two dimensions and two symbols."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["d0", "d1", "s0", "s1", str(rng.randrange(9))])
    inner = expression(rng, depth - 1)
    return rng.choice(
        [
            f"({inner} {rng.choice('+-')} {expression(rng, depth - 1)})",
            f"({inner}) * {rng.randrange(-4, 9)}",
            f"{rng.randrange(1, 5)} * ({inner})",
            f"({inner}) {rng.choice(['floordiv', 'ceildiv', 'mod'])} {rng.choice([1, 2, 3, 4, 8])}",
            f"-({inner})",
            f"({inner}) * {rng.choice(['s0', 's1'])}",
        ]
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_folds_as_mlir_opt_folds(seed: int, mlir_opt: str) -> None:
    rng = Random(seed)
    maps = [f"(d0, d1)[s0, s1] -> ({expression(rng, 4)})" for _ in range(150)]
    lines = [f"%{at} = affine.apply affine_map<{text}>(%x, %x)[%x, %x]" for at, text in enumerate(maps)]
    text = "\n".join(["func.func @f(%x: index) {", *lines, "  return", "}"])
    theirs = subprocess.run([mlir_opt], input=text, capture_output=True, text=True, check=True).stdout
    ours = print_mlir(parse_mlir(text))
    named = re.compile(r"#map\d* = (.*)")
    assert set(named.findall(ours)) == set(named.findall(theirs))
    assert ours.strip() == theirs.strip()
