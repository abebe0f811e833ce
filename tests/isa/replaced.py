"""Statements of every form with one operand, or one part of it, replaced by each kind of operand that PTX has."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from tests.isa.mutations import joined, split
from tests.isa.statements import legal_statements, somewhere
from weft.isa.target import Version

LITERALS = (
    *("0", "1", "-1", "7", "255", "65535", "65536", "70000", "-70000", "0xFFFFFFFF", "4294967296"),
    *("0x1FFFFFFFFFFFFFFFF", "1.0", "0f3F800000", "0d3FF0000000000000", "WARP_SZ"),
)
SCALARS = (
    *LITERALS,
    *("_", "%p99", "%h99", "%r99", "%rd99", "%rq99", "%f99", "%fd99", "%c99", "%tid.x", "%clock64"),
    *("L1", "!%p99", "-%r99"),
)
KINDS = (*SCALARS, "{%r97, %r98}", "{%r97}", "[%rd99]")
"""An operand of each kind, and literals of each size: they replace whole operands, those without brackets also parts."""
NO_PREDICATES = tuple(kind for kind in KINDS if "%p" not in kind)
"""ptxas does not end, and takes all memory, where the address of a tensor map is a predicate."""

_LEAF = re.compile(r"%[a-z]+\d+(?:\.\w)?|(?<![\w.:%])-?\d[\w.]*")


def _leaves(operand: str) -> list[re.Match[str]]:
    """The registers and literals within brackets or braces; of a long vector the first two and the last."""
    if operand[0] not in "[{":
        return []
    found = list(_LEAF.finditer(operand))
    return found if len(found) <= 8 else [*found[:2], found[-1]]


def replacements(text: str, kinds: Sequence[str] = KINDS) -> Iterator[str]:
    """A statement with each operand and each part of one replaced by each of some kinds."""
    opcode, operands = split(text)
    for index, operand in enumerate(operands):
        others = [(operand[: m.start()], operand[m.end() :]) for m in _leaves(operand)]
        for kind in (kind for kind in kinds if operand[0] != "[" or kind in NO_PREDICATES):
            yield joined(opcode, [*operands[:index], kind, *operands[index + 1 :]])
        for before, after in others:
            for kind in (kind for kind in kinds if kind in (SCALARS if before != "[" else NO_PREDICATES[:-3])):
                yield joined(opcode, [*operands[:index], before + kind + after, *operands[index + 1 :]])


def replaced(stems: Iterable[str], per_form: int, rng: random.Random) -> dict[tuple[str, Version], list[str]]:
    """Every replacement in so many legal statements of each form, by a target and version that have them."""
    groups: dict[tuple[str, Version], dict[str, None]] = defaultdict(dict)
    for stem in stems:
        for made in legal_statements(stem, per_form, rng):
            groups[somewhere(made.windows, rng)] |= dict.fromkeys(replacements(made.text))
    return {point: list(texts) for point, texts in groups.items() if texts}
