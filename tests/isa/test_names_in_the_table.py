"""What a form says of slots and operands names those of its syntax, and tokens, types and spaces that there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from weft.isa.compiled import CompiledForm, OperandSpec
from weft.isa.registry import compiled_forms, families
from weft.isa.types import TYPES

SPACES = {
    "global",
    "shared",
    "local",
    "const",
    "param",
    "generic",
    "texture",
    "surface",
    "tmem",
    "fabric",
    "dst",
    "src",
}


def named(specs: tuple[OperandSpec, ...]) -> Iterator[str]:
    for spec in specs:
        yield spec.name
        yield from named(spec.rest)
        if spec.second is not None:
            yield spec.second.name


def tokens(wanted: Any) -> set[str]:
    return set(wanted.split("|")) - {""} if isinstance(wanted, str) else set()


SHARED = {
    "abs: row of type: s8x4",
    "ldu: row of scope: sys",
    "tld4: operand dpdx",
    "tld4: operand dpdy",
    "tld4: operand lod",
    "tld4: operand sample",
}
"""What a helper says for several families, of which this one has less."""


def is_typed(slot: str) -> bool:
    return slot.endswith("type") and not slot.endswith(("phase_type", "override_type"))


class Group:
    """The forms whose stems begin with the same word: they share rows and what they say of operands."""

    def __init__(self, forms: list[CompiledForm]) -> None:
        self.forms = forms
        self.operands = {name for form in forms for name in named(form.operands)} | {"_"}
        self.slots: defaultdict[str, set[str]] = defaultdict(set)
        for form in forms:
            for element in form.elements:
                if element.slot:
                    self.slots[element.slot].update(element.tokens)

    def is_space(self, name: str) -> bool:
        return not name or name.partition("::")[0] in SPACES or name in self.slots

    def wrong(self) -> Iterator[str]:
        for compiled in self.forms:
            form = compiled.form
            yield from (f"slot {name}" for name in form.slots if name not in self.slots)
            for name, text in form.slots.items():
                if is_typed(name):
                    yield from (f"type {token}" for token in text.split() if token not in TYPES)
            for name, arg in form.args.items():
                if name not in self.operands:
                    yield f"operand {name}"
                if isinstance(arg.type, str) and arg.type and arg.type not in self.slots and arg.type not in TYPES:
                    yield f"type of {name}: {arg.type}"
                if not self.is_space(arg.space or "") or not self.is_space(arg.within):
                    yield f"space of {name}: {arg.space} {arg.within}"
                if isinstance(arg.when, str) and arg.when and arg.when not in self.slots:
                    yield f"{name} when {arg.when}"
                if arg.access not in (None, "r", "w", "rw"):
                    yield f"access of {name}: {arg.access}"
            places = [rows for arg in form.args.values() for rows in (arg.whole, arg.called, arg.strict)]
            replaced = [row for rows in places if isinstance(rows, tuple) for row in rows]
            for row in (*form.rows, *form.needs, *replaced):
                for name, wanted in row.when.items():
                    if not tokens(wanted) <= self.slots[name]:
                        yield f"row of {name}: {wanted}"
                yield from (f"need of {name}" for name in row.has if name not in self.operands)
            effects = compiled.effects
            if not self.is_space(effects.space) or not set(effects.memory) <= {"r", "w"}:
                yield f"effects {effects}"
            if effects.collective not in ("", "warp", "warpgroup", "cta", "cluster"):
                yield f"collective {effects.collective}"


def test_names() -> None:
    groups: defaultdict[str, list[CompiledForm]] = defaultdict(list)
    for stem in families():
        groups[stem.partition(".")[0]] += compiled_forms(stem)
    assert len(groups) > 100
    assert sorted({f"{stem}: {each}" for stem, forms in groups.items() for each in Group(forms).wrong()}) == sorted(
        SHARED
    )
