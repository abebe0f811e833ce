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
    assert found == len(chosen)


@pytest.mark.slow
@RIGHT
def test_planted_bugs(kernel: Kernel) -> None:
    assert [bug.name for bug in kernel.bugs if not caught(kernel, bug.applied(kernel.text), bug.kinds)] == []


@pytest.mark.slow
@RIGHT
def test_mutants(kernel: Kernel) -> None:
    assert [f"line {m.line}: {m.kind}" for m in mutants(kernel) if not caught(kernel, m.text)] == []


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
