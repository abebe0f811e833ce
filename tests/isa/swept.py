"""Statements of every form with one modifier, guard, number, sink or vector changed, each in every place."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from tests.isa.mutations import joined, split, tokens
from tests.isa.statements import legal_statements, somewhere
from weft.isa.target import Version

Change = Callable[[str, str, random.Random], Iterator[str]]

_COMMON = ("ftz", "sat", "satfinite", "rn", "rz", "relu", "wide", "sync", "aligned", "volatile", "gpu", "global", "v2")
_TYPES = ("b8", "u16", "s32", "b32", "b64", "u64", "b128", "f16", "f16x2", "bf16", "f32", "f64", "pred")
_GUARDS = ("@%p99", "@!%p99", "@%r99", "@!%r99", "@%f99", "@%tid.x", "@_", "@1", "@!1", "@L1", "@%p98 @%p99", "@-%p99")
_NUMBERS = (
    *(
        "0x10",
        "0X1f",
        "010",
        "08",
        "0b101",
        "1U",
        "0x1U",
        "-0x1",
        "+1",
        "--1",
        "-(-1)",
        "(1+2)",
        "!0",
        "~0",
        "1-2",
        "(1)",
    ),
    *(
        "2147483648",
        "-2147483649",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1.5",
        "-1.0",
    ),
    *("1e3", ".5", "1.", "1.0f", "0f3F8", "0F3f800000", "0d3FF", "-0f3F800000", "0x3F800000", "'a'", "1 2", ""),
)
_NUMBER = re.compile(r"(?<![\w.:%])-?\d[\w.]*")
_VECTOR = re.compile(r"\{[^{}]*\}")
_PREDICATE = re.compile(r"!?%p\d+")


def modified(text: str, stem: str, rng: random.Random) -> Iterator[str]:
    """One modifier dropped, or replaced by another of the family, a common one or another type; or one more."""
    opcode, operands = split(text)
    words = opcode[len(stem) :].split(".")[1:]
    others = sorted({*tokens(stem), *_COMMON, *_TYPES})
    for index in range(len(words)):
        yield joined(".".join([stem, *words[:index], *words[index + 1 :]]), operands)
        for other in rng.sample(others, min(12, len(others))):
            yield joined(".".join([stem, *words[:index], other, *words[index + 1 :]]), operands)
    for other in rng.sample(others, min(12, len(others))):
        place = rng.randrange(len(words) + 1)
        yield joined(".".join([stem, *words[:place], other, *words[place:]]), operands)


def guarded(text: str, stem: str, rng: random.Random) -> Iterator[str]:
    """The statement behind each kind of guard."""
    yield from (f"{guard} {text}" for guard in _GUARDS)


def numbered(text: str, stem: str, rng: random.Random) -> Iterator[str]:
    """Each form of a number in the place of a number, or of an operand that may be one."""
    found = list(_NUMBER.finditer(text, len(split(text)[0])))
    for match in found:
        yield from (f"{text[: match.start()]}{number}{text[match.end() :]}" for number in _NUMBERS)
    if not found:
        opcode, operands = split(text)
        for index in range(len(operands)):
            for number in rng.sample(_NUMBERS, 6):
                yield joined(opcode, [*operands[:index], number, *operands[index + 1 :]])


def resized(text: str, stem: str, rng: random.Random) -> Iterator[str]:
    """Vectors that are longer, shorter or nested, sinks in them and for whole operands, and predicates negated or not."""
    for match in _VECTOR.finditer(text):
        inside = match[0][1:-1].split(", ")
        changes = (inside[:-1], [*inside, inside[-1]], [*inside, "%r99"], inside[:1], ["_"] * len(inside), inside * 2)
        vectors = ["{" + ", ".join(change) + "}" for change in changes]
        for vector in (*vectors, inside[0], "{" + match[0] + "}", f"{match[0]}|_", "_", "{}"):
            yield text[: match.start()] + vector + text[match.end() :]
    for match in _PREDICATE.finditer(text):
        negated = match[0][1:] if match[0][0] == "!" else f"!{match[0]}"
        for other in (
            negated,
            f"-{match[0]}",
            f"!!{match[0].strip('!')}",
            f"{match[0]}|%p99",
            f"{match[0]}|_",
            f"_|{match[0]}",
        ):
            yield text[: match.start()] + other + text[match.end() :]
    opcode, operands = split(text)
    for index, operand in enumerate(operands):
        for other in (f"{operand}|_", f"-{operand}", f"{operand}+4", f"({operand})", f"{operand}.x", f"[{operand}]"):
            yield joined(opcode, [*operands[:index], other, *operands[index + 1 :]])
        yield joined(opcode, [*operands[:index], operand, *operands[index:]])
        yield joined(opcode, [*operands[:index], *operands[index + 1 :]])


CHANGES: dict[str, Change] = {"modified": modified, "guarded": guarded, "numbered": numbered, "resized": resized}


def swept(change: Change, stems: Iterable[str], rng: random.Random) -> dict[tuple[str, Version], list[str]]:
    """Every change of a legal statement of each form, by a target and version that have them."""
    groups: dict[tuple[str, Version], dict[str, None]] = defaultdict(dict)
    for stem in stems:
        for made in legal_statements(stem, 1, rng):
            texts = (text for text in change(made.text, stem, rng) if text != made.text)
            groups[somewhere(made.windows, rng)] |= dict.fromkeys(texts)
    return {point: list(texts) for point, texts in groups.items() if texts}
