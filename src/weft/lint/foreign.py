"""What is not for lint to judge: assembly of the host, and PTX newer than the table of the ISA."""

from __future__ import annotations

import difflib
import re
from functools import cache

from weft.isa.opcode import Opcode
from weft.isa.registry import compiled_forms, stem_of, stems

_FIRST = re.compile(r"(?:^|[;{}:\n])\s*(?:@!?[%\w]+\s+)?(\.?[A-Za-z_][\w.]*(?:::[\w.]+)*)(?!\w*:(?!:))")
_DIRECTIVES = (".reg", ".pragma", ".shared", ".local", ".param", ".loc", ".file", ".branchtargets", ".callprototype")
_ALIKE = 0.75
_SHORT = 6


def is_ptx(text: str) -> bool:
    """Whether a template looks like PTX: it is empty, or has an instruction or directive of it, or a misspelt one."""
    words = _FIRST.findall(re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL))
    return not words or any(_is_word_of_ptx(word) for word in words)


def _is_word_of_ptx(word: str) -> bool:
    if word.startswith("."):
        return word in _DIRECTIVES
    if stem_of(word) is not None:
        return True
    first = {stem.partition(".")[0] for stem in stems()}
    return "." in word and bool(difflib.get_close_matches(word.partition(".")[0], first, n=1, cutoff=_ALIKE))


@cache
def _modifiers() -> frozenset[str]:
    """Every modifier that any instruction has."""
    elements = (element for stem in stems() for form in compiled_forms(stem) for element in form.elements)
    return frozenset(part for element in elements for token in element.tokens for part in token.split("."))


def newer_word(opcode: Opcode) -> str:
    """The word of an opcode that no instruction of the table has and that is not a misspelt one; empty for none."""
    if opcode.problem is None:
        return ""
    first, *rest = opcode.written.split(".")
    stems_ = {stem.partition(".")[0] for stem in stems()}
    if opcode.family is None and not difflib.get_close_matches(first, stems_, n=1, cutoff=_ALIKE):
        return first
    if opcode.family is None and first in stems_:
        return opcode.written
    if opcode.family is not None:
        rest = opcode.written[len(opcode.stem) :].split(".")
    return next((word for word in rest if word and word not in _modifiers() and not _misspelt(word)), "")


def _misspelt(word: str) -> bool:
    """Whether a word is one of the table's misspelt; short ones, types among them, are taken for that."""
    return len(word) < _SHORT or any(_alike(word.split("::"), token.split("::")) for token in _modifiers())


def _alike(one: list[str], other: list[str]) -> bool:
    """Whether two words are one and a misspelling of it: as many parts, each like its counterpart."""
    return len(one) == len(other) and all(
        a == b or difflib.SequenceMatcher(None, a, b).ratio() >= _ALIKE for a, b in zip(one, other, strict=True)
    )
