"""What a form says of its operands by a function of the slots is known, for every combination of tokens that is legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random

from tests.effort import draws
from weft.isa.compiled import CompiledForm
from weft.isa.form import Slots
from weft.isa.registry import compiled_forms, stems
from weft.isa.types import TYPES

LENIENT = frozenset({
    "absent", "bare", "braced", "float", "literal", "literals", "longer", "more", "number", "predicate", "predicates",
    "present", "register", "scalar", "shorter", "type", "wide", "wraps",
})  # fmt: skip
"""What ptxas may take more of, as `Arg` says."""


def legal(form: CompiledForm, rng: Random) -> Iterator[Slots]:
    """Combinations of tokens that a form has, in a drawn order."""
    named = [element for element in form.elements if element.slot]
    choices = [list(("", *e.tokens) if e.optional else e.tokens) for e in named]
    for each in choices:
        rng.shuffle(each)
    for tokens in islice(product(*choices), 4000):
        slots = {element.slot: token for element, token in zip(named, tokens, strict=True)}
        if form.windows(slots):
            yield slots


def test_types_counts_and_leniency_are_known() -> None:
    rng = Random("functions")
    asked = 0
    for stem in stems():
        for form in compiled_forms(stem):
            told = [
                s for s in form.operands if callable(s.arg.type) or callable(s.arg.count) or callable(s.arg.lenient)
            ]
            for slots in islice(legal(form, rng), draws(40, 1000)) if told else ():
                for spec in told:
                    asked += 1
                    assert spec.type(slots) in TYPES or not spec.type(slots), (form.form.syntax, slots)
                    assert 0 <= (spec.count(slots) or 0) <= 128, (form.form.syntax, slots)
                    assert LENIENT.issuperset(spec.lenient(slots).split()), (form.form.syntax, slots)
    assert asked > 1000
