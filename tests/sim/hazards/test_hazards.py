"""The corpus: right kernels are never accused, planted bugs and mutants are caught.

`python -m tests.sim.hazards --mutants` prints what is missed.
"""

from __future__ import annotations

from typing import Any

import pytest

import weft
from tests.sim.hazards.__main__ import MAX_STEPS, MODES
from tests.sim.hazards.case import Bug, Kernel
from tests.sim.hazards.corpus import KERNELS
from tests.sim.hazards.mutations import mutants

BUGS = [(kernel, bug) for kernel in KERNELS for bug in kernel.bugs]
EVERY = 24
"""Of so many planted bugs one is tried in the quick run."""
CAUGHT, MUTANTS_CAUGHT = 0.99, 0.99
"""Least shares that the default mode catches."""
ACCUSED: dict[str, str] = {}


def parameters() -> list[Any]:
    marks = {name: pytest.mark.xfail(reason=why, strict=False) for name, why in ACCUSED.items()}
    return [pytest.param(k, id=k.name, marks=[marks[k.name]] if k.name in marks else []) for k in KERNELS]


RIGHT = pytest.mark.parametrize("kernel", parameters())


def caught(kernel: Kernel, text: str, kinds: frozenset[str] = frozenset()) -> bool:
    fault = kernel.fault(text, max_steps=MAX_STEPS)
    return fault is not None and (not kinds or fault.kind in kinds)


def test_size() -> None:
    assert len(KERNELS) >= 30
    assert len(BUGS) >= 150
    assert len({kernel.name for kernel in KERNELS}) == len(KERNELS)


@pytest.mark.sample(5)
@RIGHT
def test_right_kernels(kernel: Kernel) -> None:
    assert kernel.correct(kernel.run())


@pytest.mark.slow
@pytest.mark.parametrize(
    "mode", [{"async_": "eager"}, {"async_": "lazy"}, *({"async_": "random", "seed": s} for s in range(6))]
)
@RIGHT
def test_right_kernels_in_every_mode(kernel: Kernel, mode: dict[str, Any]) -> None:
    assert kernel.correct(kernel.run(**mode))


@RIGHT
def test_harmless_places_exist(kernel: Kernel) -> None:
    for place in kernel.harmless:
        assert place in kernel.text


def test_some_planted_bugs() -> None:
    chosen = BUGS[::EVERY]
    found = sum(caught(kernel, bug.applied(kernel.text), bug.kinds) for kernel, bug in chosen)
    assert found >= len(chosen) * (CAUGHT - 0.2)


@pytest.mark.slow
def test_planted_bugs() -> None:
    missed = [
        f"{kernel.name}: {bug.name}" for kernel, bug in BUGS if not caught(kernel, bug.applied(kernel.text), bug.kinds)
    ]
    assert len(missed) <= (1 - CAUGHT) * len(BUGS), missed


@pytest.mark.slow
def test_mutants() -> None:
    every = [mutant for kernel in KERNELS for mutant in mutants(kernel)]
    missed = [f"{m.kernel.name} line {m.line}: {m.kind}" for m in every if not caught(m.kernel, m.text)]
    assert len(missed) <= (1 - MUTANTS_CAUGHT) * len(every), missed


@pytest.mark.slow
@RIGHT
def test_kernels_are_legal(kernel: Kernel) -> None:
    """Right or wrong, ptxas would take each of them."""
    for text in (kernel.text, *(bug.applied(kernel.text) for bug in kernel.bugs)):
        module = weft.parse(text)
        assert [d for d in weft.verify(module) if d.severity.value == "error"] == []


def test_edits_have_one_anchor() -> None:
    for kernel, bug in BUGS:
        assert bug.applied(kernel.text) != kernel.text
    kernel = KERNELS[0]
    with pytest.raises(ValueError, match="anchor"):
        Bug("none", "no such text", "", "").applied(kernel.text)


def test_modes_are_options() -> None:
    assert MODES["default"] == {}
