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
    assert failures(0, 3000) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_many_mutated_modules(seed: int) -> None:
    assert failures(seed, 15_000) == []
