"""Whatever the bytes: a module or one of our errors, and a module survives printing, formatting and checking."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.judge import failure, seeds
from tests.fuzz.mutate import mutated


def failures(seed: int, count: int) -> list[tuple[str, bytes]]:
    chance, texts = random.Random(seed), seeds()
    inputs = (mutated(chance.choice(texts), texts, chance) for _ in range(count))
    return [(why, data) for data in inputs if (why := failure(data))]


def test_mutated_modules() -> None:
    assert failures(0, 500) == []


NUMBER = "9" * 5000


@pytest.mark.parametrize(
    "text",
    [
        f".version 8.0 .target sm_80 .address_size {NUMBER}",
        f".version 8.0 .target sm_80 .global .align {NUMBER} .b8 g;",
        f".version 8.0 .target sm_80 .global .b8 g[{NUMBER}];",
        f".version 8.0 .target sm_80 .func f() {{ .reg .b32 %r<{NUMBER}>; ret; }}",
        f".version 8.0 .target sm_80 .func f() {{ .reg .b32 %r<4>; mov.b32 %r{NUMBER}, {NUMBER}; ret; }}",
        f'.version 8.0 .target sm_80 .file {NUMBER} "a"\n.func f() {{\n.loc 1 {NUMBER} 3\nret; }}',
        f".version 8.0 .target sm_80 .func f() {{ p: .branchtargets L<{NUMBER}>; ret; }}",
        f".version 8.0 .target sm_80 .func _ZN{NUMBER}f1{NUMBER}E() {{ ret; }}",
    ],
    ids=["address size", "alignment", "extent", "count", "register and literal", "lines", "targets", "name"],
)
def test_enormous_numbers(text: str) -> None:
    assert failure(text.encode()) == ""


@pytest.mark.parametrize(
    "text",
    [
        "// a\0b\n.version 8.0\n.target sm_80",
        '.version 8.0 .target sm_80 .pragma "a\0b";',
        '.version 8.0 .target sm_80 .file 1 "a\0b"',
        ".version 8.0\n.target sm_80\n@@DWARF a\0b\n",
    ],
    ids=["banner", "pragma", "file", "old debug line"],
)
def test_nul(text: str) -> None:
    """ptxas ends at a NUL; no name or text of a module holds one."""
    assert failure(text.encode()) == ""


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(9))
def test_many_mutated_modules(seed: int) -> None:
    assert failures(seed, 15_000) == []
