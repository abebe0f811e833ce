"""What may follow the beginning of an opcode: the words that an editor offers after a dot."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from weft.isa.compiled import CompiledForm, Element
from weft.isa.form import Row, fits
from weft.isa.registry import compiled_forms, stem_of, stems


@lru_cache(maxsize=512)
def continuations(written: str) -> dict[str, str]:
    """The words that may be behind `written` (`"mma.sync"`) and a dot, each with what it is a choice of.

    A word is offered when some legal combination has it beside what is written, in the order of the syntax lines.
    """
    found: dict[str, str] = {}
    for stem in stems():
        if stem.startswith(f"{written}."):
            found[stem[len(written) + 1 :].partition(".")[0]] = "instruction"
    stem = stem_of(written)
    if stem is None:
        return found
    for form in compiled_forms(stem):
        for token, element in _behind(form, written[len(stem) :]):
            found.setdefault(token, element.slot if element.slot and element.slot != token else "modifier")
    return found


def _behind(form: CompiledForm, rest: str) -> Iterator[tuple[str, Element]]:
    """The tokens of a form that may follow the text behind its stem, with the element of each."""
    yield from _walk(form, rest, 0, 0, {})


def _walk(
    form: CompiledForm, rest: str, position: int, index: int, slots: dict[str, str]
) -> Iterator[tuple[str, Element]]:
    if index == len(form.elements):
        return
    element = form.elements[index]
    for token in element.tokens:
        chosen = {**slots, element.slot: token} if element.slot else slots
        if position == len(rest):
            if _possible(form, chosen):
                yield token, element
            continue
        end = position + 1 + len(token)
        if rest.startswith(token, position + 1) and rest[end : end + 1] in ("", "."):
            yield from _walk(form, rest, end, index + 1, chosen)
    if element.optional:
        yield from _walk(form, rest, position, index + 1, {**slots, element.slot: ""})


def _possible(form: CompiledForm, slots: dict[str, str]) -> bool:
    """Whether some legal combination has these tokens."""
    return not form.form.rows or any(_admits(row, slots) for row in form.form.rows)


def _admits(row: Row, slots: dict[str, str]) -> bool:
    return all(fits(wanted, slots[name]) for name, wanted in row.when.items() if name in slots)
