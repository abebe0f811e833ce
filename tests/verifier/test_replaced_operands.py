"""The verifier beside ptxas on every kind of operand in every place: statements of all forms, operand by operand.

benchmarks/verifier.md says what is left.
"""

from __future__ import annotations

import random

import pytest

from tests.isa.replaced import replaced
from tests.isa.statements import all_stems
from tests.isa.test_table_against_ptxas import differing
from weft.toolchain import Tool

PARTS = 8


def test_samples_agree(ptxas: Tool) -> None:
    rng = random.Random(3)
    groups = replaced(all_stems()[::4], 1, rng)
    drawn = {point: rng.sample(texts, max(1, len(texts) // 60)) for point, texts in groups.items()}
    total, alarms, misses = differing(drawn)
    assert total > 150
    assert len(alarms) + len(misses) <= 2, [*alarms, *misses]


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("part", range(PARTS))
def test_all_replacements(ptxas: Tool, part: int) -> None:
    total, alarms, misses = differing(replaced(all_stems()[part::PARTS], 1, random.Random(part)))
    assert total > 5000
    assert len(alarms) + len(misses) <= total * 0.02, [*alarms, *misses]
