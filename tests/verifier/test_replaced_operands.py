"""The verifier beside ptxas on every kind of operand in every place: statements of all forms, operand by operand.

benchmarks/verifier.md says what is left.
"""

from __future__ import annotations

import random

import pytest

from tests.isa.replaced import LITERALS, replaced, replacements
from tests.isa.statements import all_stems, legal_statements, somewhere
from tests.isa.test_table_against_ptxas import differing, refused_by_us
from weft.isa.registry import compiled_forms
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


def test_literals_beyond_wide_ranges_are_judged_at_once() -> None:
    """However many values a literal may have, none of them is looked at one by one."""
    wide = 1 << 16
    texts = [
        (text, *somewhere(made.windows, random.Random(1)))
        for stem in all_stems()
        if any(
            isinstance(values := spec.arg.values, range) and len(values) > wide
            for form in compiled_forms(stem)
            for spec in form.operands
        )
        for made in legal_statements(stem, 1, random.Random(1))
        for text in replacements(made.text, LITERALS)
    ]
    assert len(texts) > 500
    assert sum(bool(refused_by_us(*each)) for each in texts) > 100
