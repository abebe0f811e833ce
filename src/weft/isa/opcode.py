"""Opcodes: forms with their slots resolved, interned so that each opcode text is decoded once per process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache, partial
from typing import Any, NamedTuple

from weft.dataclass import dataclass
from weft.errors import IsaError, meant, near_names
from weft.isa.compiled import CompiledForm
from weft.isa.form import PURE, Effects, Family, Row
from weft.isa.registry import compiled_forms, stem_of, stems
from weft.isa.slot_problems import slot_problem
from weft.isa.target import Window, widest
from weft.isa.types import TYPES


@dataclass(frozen=True, slots=True)
class Variant:
    """One form that an opcode can be, with the slots it gives."""

    compiled: CompiledForm
    slots: Mapping[str, str]
    _windows: dict[frozenset[str], tuple[Window, ...]] = field(
        default_factory=dict[frozenset[str], "tuple[Window, ...]"], init=False, compare=False, repr=False
    )

    def windows(self, present: frozenset[str] = frozenset()) -> tuple[Window, ...]:
        """Where this variant exists; `present` names its optional operands that are written."""
        asked = present & self.compiled.decisive
        found = self._windows.get(asked)
        if found is None:
            found = self._windows[asked] = self.compiled.windows(self.slots, asked)
        return found


@dataclass(frozen=True, slots=True)
class Problem:
    """Why an opcode is not legal anywhere: a message, the offending token, what could be there, the nearest fix."""

    message: str
    token: str = ""
    allowed: tuple[str, ...] = ()
    hint: str = ""


class Opcode:
    """An instruction's opcode: stem and modifiers, as one interned, immutable object.

    `text` is the canonical spelling, `written` the spelling it was decoded from.  `opcode["shape"]` is a slot's token
    (an empty string when it is left out), `slot_names` are what can be asked for, and `get` asks any opcode for any
    slot.  `family` is None when the table does not know the stem; `variants` is empty when
    the modifiers fit no form, and `problem` then says why.  `stem` is the family's stem (`ldmatrix`, `cp.async`), or
    the whole text of an unknown opcode; `effects` what the instruction does beyond its destinations; `windows` where
    the opcode exists whatever its operands.  Opcodes with the same canonical text are equal.

    Only `written` is known at once: the table is asked when something else is, which reading a module never does.
    """

    __slots__ = ("effects", "family", "problem", "stem", "text", "variants", "windows", "written")

    written: str
    text: str
    family: Family | None
    variants: tuple[Variant, ...]
    problem: Problem | None
    stem: str
    effects: Effects
    windows: tuple[Window, ...]

    def __init__(self, written: str) -> None:
        self.written = written

    def __getattr__(self, name: str) -> Any:
        if name not in Opcode.__slots__ or name == "written":
            raise AttributeError(f"'Opcode' object has no attribute '{name}'")
        self._resolve(*_decoded(self.written))
        return getattr(self, name)

    def _resolve(
        self, text: str, family: Family | None, variants: tuple[Variant, ...], problem: Problem | None
    ) -> None:
        self.family = family
        self.variants = variants
        self.problem = problem
        self.stem = family.stem if family else text
        self.effects = PURE
        if variants:
            self.effects = variants[0].compiled.effects
        elif family:
            self.effects = family.effects
        self.windows = widest(w for v in variants for w in v.windows() if w.targets)
        self.text = text

    @property
    def valid(self) -> bool:
        """Whether some target and version has this opcode."""
        return self.problem is None

    @property
    def canonical(self) -> bool:
        """Whether the modifiers were written in the manual's order (ptxas does not care)."""
        return self.text == self.written

    @property
    def slots(self) -> Mapping[str, str]:
        """Slot name to token, for the first form that fits."""
        return self.variants[0].slots if self.variants else {}

    @property
    def slot_names(self) -> tuple[str, ...]:
        """The slots of all forms of the family, in the order of the syntax lines; empty for an unknown stem."""
        return _slot_names(self.family.stem) if self.family else ()

    def get(self, slot: str) -> str:
        """A slot's token; an empty string when it is left out, and for a slot that the family does not have."""
        for variant in self.variants:
            token = variant.slots.get(slot)
            if token is not None:
                return token
        return ""

    def __getitem__(self, slot: str) -> str:
        """A slot's token, empty when it is left out; raises IsaError for a slot that the family does not have."""
        token = self.get(slot)
        if not token and slot not in self.slot_names:
            raise self._no_slot(slot)
        return token

    def replace(self, **slots: str | bool) -> Opcode:
        """The opcode with other tokens in some slots: `opcode.replace(ftz=True)`; an empty string takes one out.

        Raises IsaError as `opcode` does.
        """
        if self.family is None:
            raise self._no_slot(next(iter(slots), ""))
        return opcode(self.stem, **{**{name: token for name, token in self.slots.items() if token}, **slots})

    def qualified(self, modifiers: str) -> Opcode:
        """The opcode with more modifiers as somebody wrote them (`nc.L1::no_allocate`); it has a problem if they are
        wrong.
        """
        return decode(f"{self.stem}.{modifiers}{self.text[len(self.stem) :]}")

    @property
    def unsynchronised(self) -> Opcode:
        """The opcode with the same slots in the form without `.sync`, which targets before sm_70 have."""
        forms = (form.spell(self.slots) for form in compiled_forms(self.stem))
        return decode(next(text for text in forms if ".sync" not in text))

    def _no_slot(self, slot: str) -> IsaError:
        if self.family is None:
            problem = self.problem or _unknown_stem(self.text)
            return IsaError(problem.message, hint=problem.hint)
        names = self.slot_names
        near = near_names(slot, names)
        listed = f"the slots of '{self.stem}' are {', '.join(names)}" if names else f"'{self.stem}' has no slots"
        return IsaError(f"'{self.stem}' has no slot '{slot}'", hint=meant(near, listed))

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Opcode) and self.text == other.text)

    def __hash__(self) -> int:
        return hash(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Opcode({self.text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return decode, (self.written,)


@lru_cache(maxsize=1024)
def _slot_names(stem: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e.slot for form in compiled_forms(stem) for e in form.elements if e.slot))


_INTERNED: dict[str, Opcode] = {}
_INTERN_LIMIT = 100_000  # Hostile input must not grow the table without bound.


def decode(text: str) -> Opcode:
    """The opcode spelled `text` (`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`).

    Never raises: an unknown stem or modifier gives an opcode that keeps the text and has a `problem`.  The same text
    always gives the same object.
    """
    found = _INTERNED.get(text)
    if found is None:
        found = Opcode(text)
        if len(_INTERNED) < _INTERN_LIMIT:
            _INTERNED[text] = found
    return found


class _Decoded(NamedTuple):
    """What the table says about a spelling: the canonical one, the family, the forms that it can be."""

    text: str
    family: Family | None
    variants: tuple[Variant, ...] = ()
    problem: Problem | None = None


def _decoded(text: str) -> _Decoded:
    stem = stem_of(text)
    if stem is None:
        return _Decoded(text, None, problem=_unknown_stem(text))
    forms = compiled_forms(stem)
    rest = text[len(stem) :]
    variants = [Variant(form, slots) for form in forms if (slots := form.match(rest)) is not None]
    if not variants:
        tokens = rest.split(".")[1:]
        for form in forms:
            slots, unplaced, missing = form.match_any_order(tokens)
            if not unplaced and not missing:
                variants.append(Variant(form, slots))
    if not variants:
        moved = _with_longer_stem(stem, rest.split(".")[1:])
        if moved is not None:
            return _Decoded(moved.text, moved.family, moved.variants, moved.problem)
        return _Decoded(text, forms[0].family, problem=_no_form(text, stem, forms))
    legal = [variant for variant in variants if variant.windows()]
    chosen = legal or variants
    canonical = chosen[0].compiled.spell(chosen[0].slots)
    problem = None if legal else _illegal(variants[0])
    return _Decoded(canonical, forms[0].family, tuple(chosen), problem)


_FLOATING = frozenset({"cc", "sp", "sp::ordered_metadata"})
"""Words of stems that ptxas takes anywhere among the modifiers."""


def _with_longer_stem(stem: str, tokens: list[str]) -> Opcode | None:
    """The opcode of a longer stem whose last words stand among the modifiers: `mma.sync...sp::ordered_metadata...`."""
    for longer in stems():
        words = longer.removeprefix(stem + ".").split(".")
        if longer.startswith(stem + ".") and _FLOATING.issuperset(words) and all(word in tokens for word in words):
            found = decode(".".join([longer, *(token for token in tokens if token not in words)]))
            if found.variants:
                return found
    return None


def _unknown_stem(text: str) -> Problem:
    stem = text.partition(".")[0]
    longer = [name for name in stems() if name.startswith(stem + ".")]
    near = near_names(text, longer, 3) or longer or near_names(stem, stems(), 3)
    return Problem(f"unknown instruction '{text}'", stem, tuple(near[:8]), meant(near[:3]))


_MOST_LISTED = 16
_TYPES = frozenset(TYPES)
_CACHED = frozenset({"ca", "cg", "cs", "lu", "cv", "wb", "wt"})
"""Cache operators: what is written for another one is none of the longer words that look like it."""


def _no_form(text: str, stem: str, forms: tuple[CompiledForm, ...]) -> Problem:
    tokens = text[len(stem) :].split(".")[1:]
    ranked = sorted(
        ((len(unplaced) + len(missing), index, unplaced, missing) for index, form in enumerate(forms)
         for _, unplaced, missing in (form.match_any_order(tokens),)),
    )  # fmt: skip
    _, index, unplaced, missing = ranked[0]
    form = forms[index]
    known = {token for f in forms for element in f.elements for token in element.tokens}
    if unplaced:
        token = unplaced[0]
        if token in known:
            elsewhere = f"'.{token}' is not allowed in '{text}'"
            places = sum(token in element.tokens for element in form.elements)
            message = f"duplicate modifier '.{token}' in '{text}'" if tokens.count(token) > places > 0 else elsewhere
            return Problem(message, f".{token}", hint=f"syntax: {form.form.syntax}")
        near = [] if token in _CACHED else near_names(token, sorted(known), 3)
        alike = next((kind & known for kind in (_TYPES, _CACHED) if token in kind), frozenset[str]())
        wanted = tuple(f".{t}" for element in missing for t in element.tokens)
        hint = meant([f".{t}" for t in near], f"syntax: {form.form.syntax}")
        if not near and 0 < len(wanted) <= 8:
            hint = f"use one of {', '.join(wanted)}"
        elif not near and 0 < len(alike) <= _MOST_LISTED:
            hint = f"use one of {', '.join(f'.{t}' for t in sorted(alike))}"
        return Problem(f"'.{token}' is not a modifier of '{stem}'", f".{token}", wanted, hint)
    element = missing[0]
    allowed = tuple(f".{token}" for token in element.tokens)
    what = f"'{allowed[0]}'" if len(allowed) == 1 else f"one of {', '.join(allowed)}"
    return Problem(f"'{text}' lacks {what}", "", allowed, f"syntax: {form.form.syntax}")


def _illegal(variant: Variant) -> Problem:
    """Why a combination of known modifiers exists nowhere: a broken rule, or the rows nearest to it."""
    form, slots = variant.compiled, variant.slots
    text = form.spell(slots)
    broken = form.broken_rules(slots)
    if broken:
        return Problem(f"'{text}' is illegal: {broken[0]}")
    nearest = form.nearest_rows(slots)
    if not nearest:
        return Problem(f"no target supports '{text}'")
    # First what keeps most of what was written.
    nearest.sort(key=lambda item: -sum(bool(slots.get(n)) for n in item[0].when if n not in item[1]))
    alternatives = list(dict.fromkeys(_alternative(form, nearest, row, names, slots) for row, names in nearest))
    slot = nearest[0][1][0]
    token = f".{slots[slot]}" if slots.get(slot) else ""
    return Problem(
        f"'{text}' is not a legal combination: {'; or '.join(alternatives[:3])}",
        token,
        hint=alternatives[0].rpartition("it ")[2] if len(alternatives) > 1 else "",
    )


def _alternative(
    form: CompiledForm, nearest: list[tuple[Row, list[str]]], row: Row, names: list[str], slots: Mapping[str, str]
) -> str:
    """What the slots would need to match a row, or one of the rows that differ in the same slots only."""
    held = [n for n in row.when if n not in names and slots.get(n)]
    alike = [
        other for other, mismatches in nearest
        if mismatches == names and [n for n in other.when if n not in names and slots.get(n)] == held
    ]  # fmt: skip
    needs = [
        " or ".join(dict.fromkeys(_spell_constraint(form, n, slots.get(n, ""), other.when[n]) for other in alike))
        for n in names
    ]
    context = f"with {', '.join(f'.{slots[n]}' for n in held)} " if held else ""
    return f"{context}it needs {' and '.join(needs)}"


def _spell_constraint(form: CompiledForm, slot: str, held: str, wanted: Any) -> str:
    if wanted is True:
        tokens = next(e.tokens for e in form.elements if e.slot == slot)
        return " or ".join(f"'.{token}'" for token in tokens)
    if wanted is False:
        return f"no '.{held or slot}'"
    if callable(wanted):
        return f"another .{slot}"
    return " or ".join(f"'.{token}'" if token else f"no .{slot}" for token in wanted.split("|"))


def opcode(stem: str, /, **slots: str | bool) -> Opcode:
    """The opcode of family `stem` with the given slots: `opcode("ldmatrix", shape="m8n8", num="x4", trans=True, ...)`.

    A flag takes True or False; leave optional slots out or pass an empty string.  Raises IsaError when the family or a
    slot is unknown or the combination is not legal on any target.  Equal ones are the same object.
    """
    found = _BUILT.get((stem, *slots.items()))  # By the order they are written in: sorting costs more than an entry.
    if found is None:
        found = _find(stem, slots)
        found = _BUILT[stem, *slots.items()] = _BUILT.setdefault((found.text,), found)
    return found


def deferred(stem: str, /, **slots: str | bool) -> partial[Opcode]:
    """A call that gives `opcode(stem, **slots)`: for tables, of which few rows are ever asked for."""
    return partial(opcode, stem, **slots)


def legal_opcode(stem: str, /, **slots: str | bool) -> Opcode | None:
    """The opcode as of `opcode`, None where no target has one with these slots."""
    try:
        return opcode(stem, **slots)
    except IsaError:
        return None


_BUILT: dict[tuple[str | tuple[str, str | bool], ...], Opcode] = {}


def _find(stem: str, given: dict[str, str | bool]) -> Opcode:
    if stem not in stems():
        problem = _unknown_stem(stem)
        raise IsaError(problem.message, hint=problem.hint)
    problem: Problem | None = None
    for form in compiled_forms(stem):
        spelled = _spell_exactly(form, given)
        if spelled is None:
            continue
        found = decode(spelled)
        if found.valid:
            return found
        problem = problem or found.problem
    if problem is not None:
        raise IsaError(problem.message, hint=problem.hint)
    message, hint = slot_problem(stem, compiled_forms(stem), given)
    raise IsaError(message, hint=hint)


def _spell_exactly(form: CompiledForm, given: Mapping[str, str | bool]) -> str | None:
    """The text of `form` with just these slots, or None when it lacks a slot or a token, or needs another.

    True stands for the token of a slot that has but one.
    """
    places = {element.slot: element for element in form.elements if element.slot}
    wanted: dict[str, str] = {}
    for name, token in given.items():
        if token is True:
            token = places[name].tokens[0] if name in places and len(places[name].tokens) == 1 else name
        wanted[name] = token or ""
    if any(token and (name not in places or token not in places[name].tokens) for name, token in wanted.items()):
        return None
    if any(not element.optional and not wanted.get(name) for name, element in places.items()):
        return None
    return form.spell(wanted)
