"""The words that a query about instructions may use, read off the ISA table: what matches none of them is misspelt."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterator
from functools import cache

from weft.errors import meant
from weft.isa import families
from weft.isa.compiled import CompiledForm
from weft.isa.registry import compiled_forms
from weft.ptx.analysis.memory import space_name

KEYS = {
    "family": "the family of the instruction: ld, mma, cp.async",
    "guard": "its guard as written: %p1 or !%p1",
    "memory": "load, store, atomic, reduction, copy or barrier",
    "reads": "a register that it reads, including in addresses and as a guard",
    "space": "a state space that it loads from, stores to or copies between",
    "uses": "a register, variable, function or label among its operands",
    "writes": "a register that it writes",
}
"""The keys that are neither slots nor operands, and what each compares with."""

ACCESSES = frozenset({"load", "store", "atomic", "reduction", "copy", "barrier"})

Matches = Callable[[str], bool]


def _forms() -> Iterator[CompiledForm]:
    for stem in families():
        yield from compiled_forms(stem)


@cache
def operands() -> frozenset[str]:
    """The names of operands in the manual."""
    specs = [spec for form in _forms() for spec in form.operands]
    return frozenset(one.name for spec in specs for one in (spec, spec.second) if one is not None)


@cache
def slots() -> dict[str, frozenset[str]]:
    """Every slot, and the tokens that it may hold."""
    found: dict[str, set[str]] = {}
    for form in _forms():
        for element in form.elements:
            if element.slot:
                found.setdefault(element.slot, set()).update(element.tokens)
    return {slot: frozenset(tokens) for slot, tokens in found.items()}


@cache
def known_keys() -> frozenset[str]:
    """Every key: slots, operands, and `KEYS`."""
    return frozenset({*KEYS, *slots(), *operands()})


@cache
def modifiers() -> frozenset[str]:
    """Every word that may follow the first of an opcode; tokens with dots in them count in pieces."""
    tokens = {token for form in _forms() for element in form.elements for token in element.tokens}
    return frozenset({*(part for token in tokens for part in token.split(".")), *_words_of_stems(1)})


def _words_of_stems(start: int) -> Iterator[str]:
    for stem in families():
        yield from stem.split(".")[start:]


@cache
def _heads() -> frozenset[str]:
    return frozenset(stem.partition(".")[0] for stem in families())


@cache
def spaces() -> frozenset[str]:
    """The state spaces that instructions access; `shared` stands for its sub-spaces too."""
    found = {"generic"}
    for form in _forms():
        named = (form.effects.space, "src") if form.effects.space == "dst" else (form.effects.space,)
        for element in form.elements:
            if element.slot in named:
                found.update(map(space_name, element.tokens))
        if form.effects.space and form.effects.space not in slots():
            found.add(space_name(form.effects.space))
    return frozenset({*found, *(name.partition("::")[0] for name in found)})


def misspelt_value(key: str, value: str, matches: Matches) -> str | None:
    """The hint for a value that no instruction has for a key; None where one may, or where names are free."""
    known: Collection[str]
    if key == "family":
        known = families()
    elif key == "memory":
        known = ACCESSES
    elif key == "space":
        known = spaces()
    elif key in slots() and key not in operands():
        known = slots()[key]
    else:
        return None
    return None if any(map(matches, known)) else _hint(value, known)


def misspelt_opcode(word: str, glob: Callable[[str], Matches]) -> tuple[str, str] | None:
    """The part of an opcode (`mma.snc`) or of a modifier (`.trns`) that no instruction has, and a hint."""
    head, *rest = word.split(".")
    if head and not any(map(glob(head), _heads())) and not _spans(glob(word)):
        return head, _hint(head, _heads())
    for part in rest:
        if part and not any(map(glob(part), modifiers())) and not _spans(glob(word.lstrip("."))):
            return f".{part}", _hint(part, modifiers(), ".")
    return None


def _spans(matches: Matches) -> bool:
    """Whether a pattern whose wildcards go over dots is one of whole stems or tokens."""
    tokens = (token for form in _forms() for element in form.elements for token in element.tokens)
    return any(map(matches, families())) or any(map(matches, tokens))


def _hint(word: str, known: Collection[str], dot: str = "") -> str:
    near = difflib.get_close_matches(word.lower(), known, n=3) or difflib.get_close_matches(
        word, known, n=3, cutoff=0.5
    )
    listed = f"expected one of {', '.join(sorted(known))}" if len(known) <= 20 else "weft isa lists the instructions"
    return meant([dot + name for name in near], listed)
