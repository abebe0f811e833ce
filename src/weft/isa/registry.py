"""The families by stem: the one place that knows which declarations exist.

Declaration modules live in `weft.isa.table`, one file a family of like things; each has a `FAMILIES` tuple.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from weft.isa.compiled import CompiledForm
from weft.isa.form import Family


@cache
def families() -> dict[str, Family]:
    """Every family by stem."""
    import weft.isa.table as table

    found: dict[str, Family] = {}
    for info in pkgutil.iter_modules(table.__path__, table.__name__ + "."):
        declared: tuple[Family, ...] = getattr(importlib.import_module(info.name), "FAMILIES", ())
        for family in declared:
            if family.stem in found:
                raise ValueError(f"family {family.stem!r} is declared twice")
            found[family.stem] = family
    return found


_LONGEST_STEM = 80  # characters, well above the longest there is


@cache
def compiled_forms(stem: str) -> tuple[CompiledForm, ...]:
    """The forms of a family, made ready for use."""
    family = families()[stem]
    return tuple(CompiledForm(family, form) for form in family.forms)


def stem_of(opcode: str) -> str | None:
    """The longest stem of a family that an opcode's text starts with, None when there is none."""
    known = families()
    end = len(opcode)
    if end > _LONGEST_STEM:  # a hostile opcode of many parts must not be tried at each of them
        end = opcode.rfind(".", 0, _LONGEST_STEM)
    while end > 0:
        stem = opcode[:end]
        if stem in known:
            return stem
        end = opcode.rfind(".", 0, end)
    return None
