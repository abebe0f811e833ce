"""The methods of builders: one for each family of instructions, found by its name when it is called.

`families.pyi`, which `scripts/builder_stub.py` writes, lists them with their slots for editors and type checkers.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from weft.errors import nearest
from weft.isa.registry import stems


@cache
def attributes() -> dict[str, str]:
    """Families by the name of the builder's method: `cp_async` for `cp.async`, `and_` for `and`."""
    names = {stem.replace("::", "_").replace(".", "_"): stem for stem in stems()}
    return {f"{name}_" if keyword.iskeyword(name) else name: stem for name, stem in names.items()}


def family_of(name: str) -> str:
    """The family that a method of the builder is named after; raises AttributeError for none."""
    found = attributes().get(name)
    if found is None:
        words = name.split("_")
        starts = ("_".join(words[:count]) for count in range(len(words) - 1, 0, -1))
        family = next((start for start in starts if start in attributes()), None)
        hint = (
            nearest(name, list(attributes()))
            if family is None
            else f"use the method '{family}', with modifiers as slots"
        )
        raise AttributeError(f"unknown instruction '{name}': {hint}")
    return found


class Statements:
    """Has a method for each family, which adds an instruction of it by `emit`."""

    emit: Callable[..., Any]

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        return partial(self.emit, family_of(name))


class Results(Statements):
    """The same where `emit` returns the register that the instruction writes."""
