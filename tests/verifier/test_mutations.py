"""The verifier beside ptxas on statements with one thing changed: what each refuses and the other accepts.

benchmarks/verifier.md explains what is left.
"""

from __future__ import annotations

import pytest

from tests.isa.test_table_against_ptxas import disagreements
from weft.toolchain import Tool


def test_few_disagreements(ptxas: Tool) -> None:
    total, alarms, misses = disagreements(seed=7, per_form=1)
    assert total > 200
    assert len(alarms) <= 1, alarms
    assert len(misses) <= total * 0.01, misses


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_false_alarms_are_rare(ptxas: Tool) -> None:
    """At most one refusal in a thousand is wrong, of some ten thousand changed statements."""
    total, alarms, misses = 0, list[str](), list[str]()
    for seed in range(201, 204):
        asked, wrong, missed = disagreements(seed, per_form=12)
        total += asked
        alarms += wrong
        misses += missed
    assert total > 5000
    assert len(alarms) <= total * 0.001, alarms
    assert len(misses) <= total * 0.003, misses
