"""What may be put elsewhere is what the table knows to be without effects."""

from __future__ import annotations

from weft.codegen.sinking import FUNCTIONS
from weft.isa import families
from weft.isa.form import PURE


def test_functions_are_families_without_effects() -> None:
    assert {stem for stem, family in families().items() if family.effects == PURE} >= FUNCTIONS
