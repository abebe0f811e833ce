"""The families by stem: the one place that knows which declarations exist.

Declaration modules live in `weft.isa.table`, one file a family of like things; each has a `FAMILIES` tuple.  One that
an instruction is asked of is imported alone: `weft.isa.index`, which `python -m weft.mc build` writes, says which.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from weft.isa.compiled import CompiledForm
from weft.isa.form import Family
from weft.isa.index import MODULES

_TABLE = "weft.isa.table"


def _declared(module: str) -> tuple[Family, ...]:
    return getattr(importlib.import_module(f"{_TABLE}.{module}"), "FAMILIES", ())


@cache
def families() -> dict[str, Family]:
    """Every family by stem; imports the whole table."""
    found: dict[str, Family] = {}
    for module in _modules():
        for family in _declared(module):
            if family.stem in found:
                raise ValueError(f"family {family.stem!r} is declared twice")
            found[family.stem] = family
    return found


def _modules() -> list[str]:
    return [info.name for info in pkgutil.iter_modules(importlib.import_module(_TABLE).__path__)]


def index() -> dict[str, str]:
    """Stem to the module that declares it, read from the table itself: what `weft.isa.index` should hold."""
    return dict(sorted((family.stem, module) for module in _modules() for family in _declared(module)))


def stems() -> Mapping[str, str]:
    """The stems of all families, each with its module."""
    return MODULES


@cache
def family(stem: str) -> Family:
    """The family of a stem.

    Raises:
        KeyError: there is none.
    """
    return next(found for found in _declared(MODULES[stem]) if found.stem == stem)


_LONGEST_STEM = 80  # characters, well above the longest there is


@cache
def compiled_forms(stem: str) -> tuple[CompiledForm, ...]:
    """The forms of a family, made ready for use."""
    found = family(stem)
    return tuple(CompiledForm(found, form) for form in found.forms)


def stem_of(opcode: str) -> str | None:
    """The longest stem of a family that an opcode's text starts with, None when there is none."""
    end = len(opcode)
    if end > _LONGEST_STEM:  # a hostile opcode of many parts must not be tried at each of them
        end = opcode.rfind(".", 0, _LONGEST_STEM)
    while end > 0:
        stem = opcode[:end]
        if stem in MODULES:
            return stem
        end = opcode.rfind(".", 0, end)
    return None
