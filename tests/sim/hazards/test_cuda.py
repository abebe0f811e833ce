"""CUDA C compiled by nvcc: right kernels are never accused, planted bugs are caught, under schedules of every kind."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.sim.hazards import (
    algorithms,
    combined,
    idioms,
    irregular,
    libraries,
    orders,
    pipelines,
    programs,
    protocols,
    requests,
    shapes,
    workloads,
)
from tests.sim.hazards.cuda import Compiled, compiled, variants
from tests.sim.hazards.irregular import Source

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed"),
]
MAX_STEPS = 200_000
UNSEEN = frozenset(
    {
        # What they store is the same in either order.
        ("tree by a warp at the end", "no warp barrier after the load"),
        ("producers and consumers", "atomic"),
        # The group that is left out is waited for all the same.
        ("cp.async in 2 stages", "commit only some"),
        # The slot before is free by then.
        ("products by roles in 2 stages", "the slot in use is free"),
        ("products by roles in 2 stages", "no wait at the end"),
        # Lanes that have told, and lanes that have heard, are followed, not which lane has told which.
        ("messages of every thread", "another word"),
        # The one before must give the turn between two stores that follow each other.
        ("a queue of those who want a lock", "asked to wait too late"),
    }
)
"""Bugs that do no harm, or that are not found."""


def built(sources: list[Source], target: str, tmp_path_factory: pytest.TempPathFactory) -> list[Compiled]:
    cache: Path = tmp_path_factory.getbasetemp() / "cuda"
    return compiled(variants(sources), target, cache)


SETS = pytest.mark.parametrize(
    ("sources", "target"),
    [
        (irregular.all_sources(), "sm_80"),
        *(
            (family.all_sources(), "sm_90a")
            for family in (
                idioms,
                programs,
                algorithms,
                protocols,
                pipelines,
                combined,
                libraries,
                orders,
                shapes,
                workloads,
            )
        ),
        (requests.all_sources(), "sm_100a"),
    ],
    ids=[
        "irregular",
        "idioms",
        "programs",
        "algorithms",
        "protocols",
        "pipelines",
        "combined",
        "libraries",
        "orders",
        "shapes",
        "workloads",
        "requests",
    ],
)


@SETS
def test_bugs_are_caught(sources: list[Source], target: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    every = [one for one in built(sources, target, tmp_path_factory) if one.variant.bug]
    missed = {(one.variant.source.name, one.variant.bug) for one in every if one.fault(max_steps=MAX_STEPS) is None}
    assert len(every) > 20
    assert missed <= UNSEEN


@SETS
@pytest.mark.parametrize(
    "mode", [{}, {"async_": "eager"}, *({"async_": "random", "seed": seed} for seed in range(3))], ids=str
)
def test_right_kernels_are_not_accused(
    sources: list[Source], target: str, mode: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    for one in built(sources, target, tmp_path_factory):
        if not one.variant.bug:
            assert one.fault(max_steps=MAX_STEPS, **mode) is None, one.variant.source.name
