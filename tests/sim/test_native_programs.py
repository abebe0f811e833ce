"""Random programs do in compiled code what they do in NumPy."""

from __future__ import annotations

import pytest

from tests.sim.bundles import Bundle
from tests.sim.programs import difference, program
from tests.sim.tiers import counted

pytest.importorskip("llvmlite")

KEPT = (27, 77, 31239)
"""Seeds of programs that differed once: registers behind an instruction alone in its block, a sign copied by LLVM."""


@pytest.mark.sample(1)
@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("seed", [*KEPT, *range(1000, 1400)])
def test_programs_do_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In code, as long as nothing is wrong with them."""
    made = program(seed)
    counted(monkeypatch, gives_up=bool(made.planted))
    assert not difference(made, check="fast")


@pytest.mark.sample(1)
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_bundles_do_the_same(seed: int, strict: bool) -> None:
    assert not list(Bundle(seed, 16, 5, strict=strict).differences())
