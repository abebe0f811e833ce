"""The families by stem: the one place that knows which declarations exist.

Declaration modules live in `weft.isa.table`, one file a family of like things; each has a `FAMILIES` tuple.  One that
an instruction is asked of is imported alone: an index, which is made when the table has changed, says which.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from weft.isa.compiled import CompiledForm
from weft.isa.form import Family
from weft.made import kept

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


def _index() -> bytes:
    """The stems in order, each on a line with the module that declares it."""
    rows = sorted((family.stem, module) for module in _modules() for family in _declared(module))
    return "".join(f"{stem} {module}\n" for stem, module in rows).encode()


@cache
def stems() -> Mapping[str, str]:
    """The stems of all families, each with its module."""
    words = kept("isa/index.txt", ("isa/table",), _index).decode().split()
    return dict(zip(words[::2], words[1::2], strict=True))


@cache
def family(stem: str) -> Family:
    """The family of a stem.

    Raises:
        KeyError: there is none.
    """
    return next(found for found in _declared(stems()[stem]) if found.stem == stem)


_LONGEST_STEM = 80  # characters, well above the longest there is


@cache
def compiled_forms(stem: str) -> tuple[CompiledForm, ...]:
    """The forms of a family, made ready for use."""
    found = family(stem)
    return tuple(CompiledForm(found, form) for form in found.forms)


def stem_of(opcode: str) -> str | None:
    """The longest stem of a family that an opcode's text starts with, None when there is none."""
    end, known = len(opcode), stems()
    if end > _LONGEST_STEM:  # a hostile opcode of many parts must not be tried at each of them
        end = opcode.rfind(".", 0, _LONGEST_STEM)
    while end > 0:
        stem = opcode[:end]
        if stem in known:
            return stem
        end = opcode.rfind(".", 0, end)
    return None
