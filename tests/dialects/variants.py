"""Operations near valid ones, valid and not: other types, shapes, numbers and words, in the pretty and the generic form.

`python -m tests.dialects.variants NAME COUNT SEED` makes COUNT texts of each valid case of `ops/NAME*`, and says how
many of them weft takes, refuses and prints as mlir-opt does; `... NAME COUNT SEED all` shows the differences.

A type, an element type or an extent is changed in the whole text at once, so that values still fit where they are used;
a number, a word or a property in one place.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from tests.dialects import oracle
from tests.dialects.arguments import CRASH, upstream
from tests.dialects.mutations import variants

SCALARS = (
    "i1", "i4", "i7", "i8", "i16", "i32", "i64", "i128", "index", "f16", "bf16", "f32", "f64", "f80", "f128", "tf32",
    "f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f6E2M3FN", "f4E2M1FN", "si32", "ui8", "complex<f32>", "!llvm.ptr", "none",
    "tuple<i32>",
)  # fmt: skip
SHAPED = (
    "vector<4x{}>", "vector<[4]x{}>", "vector<2x[4]x{}>", "vector<{}>", "vector<2x3x{}>", "vector<1x{}>",
    "tensor<4x{}>", "tensor<?x{}>", "tensor<2x?x{}>", "tensor<{}>", "tensor<*x{}>", "memref<4x{}>", "memref<?x{}>",
    "memref<?x?x{}>", "memref<{}>", "memref<*x{}>", "memref<4x8x{}, 3>", "memref<4x{}, strided<[1], offset: ?>>",
    "memref<4x8x{}, strided<[1, 4]>>", "memref<4x8x{}, affine_map<(d0, d1) -> (d1, d0)>>",
    "memref<?x{}, #gpu.address_space<workgroup>>", 'memref<4x{}, "space">', "memref<2x3x4x{}, strided<[?, ?, 1]>, 1>",
    "memref<*x{}, 5>", "!llvm.array<4 x {}>", "!llvm.struct<({}, i32)>",
)  # fmt: skip
_ELEMENT = re.compile(r"(?<![\w.!\"@%#])(?:[su]?i\d+|index|b?f\d+\w*|tf32)(?![\w(])")
_DIMENSION = re.compile(r"(?<![\w.])(\[?\d+\]?|\?)x(?=[\[\]\w?*!<])")
_NUMBER = re.compile(r"(?<![\w.%#^@x\"])-?\d+(?![\w.x\"]|\.\d)")
_TYPE = re.compile(r"(?:vector|memref|tensor)<")
_PROPERTY = re.compile(r"<\{(.*)\}>")
_NUMBERS = ("0", "1", "2", "3", "4", "5", "8", "16", "-1", "-2", "100", "4294967296", "9223372036854775807")
_VALUES = (
    "unit", "42 : i32", "7 : i64", "-1 : i64", '"text"', "true", "f32", "[1, 2]", "array<i64: 1, 2>", "array<i32>",
    "1.5 : f32", "dense<1> : vector<2xi64>", "affine_map<(d0) -> (d0)>", "@symbol", "[]", "array<i1: true>", "{a}",
)  # fmt: skip


def shaped_types(text: str) -> list[str]:
    """The vectors, memrefs and tensors that a text names."""
    found: dict[str, None] = {}
    for match in _TYPE.finditer(text):
        depth = 0
        for end in range(match.end() - 1, len(text)):
            depth += (text[end] == "<") - (text[end] == ">" and text[end - 1] != "-")
            if not depth:
                found[text[match.start() : end + 1]] = None
                break
    return list(found)


def varied(rng: Random, text: str) -> str:
    """A text with one thing changed."""
    kind = rng.random()
    if kind < 0.3:
        return _other_type(rng, text)
    if kind < 0.45:
        return _everywhere(rng, text, _ELEMENT, lambda _: rng.choice(SCALARS))
    if kind < 0.65:
        return _everywhere(
            rng, text, _DIMENSION, lambda old: rng.choice(("?x", "1x", "2x", "4x", "8x", "[4]x", "", f"{old}{old}"))
        )
    if kind < 0.85 and _NUMBER.search(text):
        spans = [match.span() for match in _NUMBER.finditer(text)]
        start, end = rng.choice(spans)
        # Elements are counted out where they are written.
        small = "dense" in text or "sparse" in text
        return text[:start] + rng.choice(_NUMBERS[:-2] if small else _NUMBERS) + text[end:]
    lines = text.splitlines(keepends=True)
    inner = [place for place, line in enumerate(lines) if "." in line] or [0]
    place = rng.choice(inner)
    words = re.findall(r'"[^"]*"|[%#!@^]?[\w.$]+|->|\S', text)
    lines[place] = next(variants(rng, lines[place], words, 1), lines[place])
    return "".join(lines)


def _other_type(rng: Random, text: str) -> str:
    types = shaped_types(text) + list(dict.fromkeys(_ELEMENT.findall(text)))
    if not types:
        return text
    old = rng.choice(types)
    inner = _ELEMENT.findall(old)
    element = inner[-1] if inner else rng.choice(SCALARS)
    same = [kind for kind in SHAPED if kind.partition("<")[0] == old.partition("<")[0]]
    pool: Sequence[str] = same if same and rng.random() < 0.7 else (*SHAPED, "{}")
    return text.replace(old, rng.choice(pool).format(element))


def _everywhere(rng: Random, text: str, pattern: re.Pattern[str], other: object) -> str:
    found = sorted({match[0] for match in pattern.finditer(text)})
    if not found:
        return text
    old = rng.choice(found)
    new = other(old)  # pyright: ignore
    return pattern.sub(lambda match: new if match[0] == old else match[0], text)


def generic_variant(rng: Random, text: str) -> str:
    """A text in the generic form with a property missing, of another value, or of another kind."""
    match = _PROPERTY.search(text)
    if match is None or rng.random() < 0.4:
        return varied(rng, text)
    entries = _split(match[1])
    place = rng.randrange(len(entries))
    name = entries[place].partition(" = ")[0]
    choice = rng.random()
    if choice < 0.35:
        del entries[place]
    elif choice < 0.5:
        entries[place] = name
    else:
        value = rng.choice(_VALUES)
        entries[place] = name if value == "unit" else f"{name} = {value}"
    inside = f"<{{{', '.join(entries)}}}>" if entries else ""
    return text[: match.start()] + inside + text[match.end() :]


def _split(text: str) -> list[str]:
    parts, depth, last = [""], 0, ""
    for character in text:
        depth += character in "<([{"
        depth -= (character in ">)]}") and not (character == ">" and last == "-")
        last = character
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def valid_cases(name: str) -> list[str]:
    """The valid cases of the files whose names begin so."""
    found: list[str] = []
    for path in sorted(oracle.FOLDER.glob(f"{name}*")):
        if path.suffix != ".expected":
            given = zip(oracle.cases(path), oracle.stored(path), strict=True)
            found += [case.text for case, outcome in given if re.match(r"\d+:\d+: ", outcome) is None]
    return found


def texts(mlir_opt: str, name: str, count: int, seed: int) -> Iterator[str]:
    """`count` variants of each valid case, a third of them in the generic form."""
    given = valid_cases(name)
    generic = upstream(mlir_opt, [oracle.Case(text, 0) for text in given], "--mlir-print-op-generic")
    for number, (text, other) in enumerate(zip(given, generic, strict=True)):
        rng = Random(f"{name} {number} {seed}")
        for _ in range(count):
            if rng.random() < 0.3:
                changed = generic_variant(rng, other + "\n")
            else:
                changed = varied(rng, text)
                changed = varied(rng, changed) if rng.random() < 0.2 else changed
            if oracle.MARKER not in changed:
                yield changed if changed.endswith("\n") else changed + "\n"


def verdict(theirs: str, ours: str) -> str:
    """What of two outcomes agrees."""
    wrong, ours_wrong = (re.match(r"(\d+):\d+: ", outcome) for outcome in (theirs, ours))
    if theirs == ours:
        return "same error" if wrong else "same text"
    if wrong and ours_wrong:
        return "other message" if wrong[1] == ours_wrong[1] else "error elsewhere"
    return "accepted" if wrong else "refused" if ours_wrong else "other text"


def compared(mlir_opt: str, given: Sequence[str]) -> Iterator[tuple[str, str, str, str]]:
    """Each text, the verdict on it, and both outcomes; not those on which mlir-opt crashes."""
    for start in range(0, len(given), 300):
        some = [oracle.Case(text, 0) for text in given[start : start + 300]]
        for case, ours, theirs in zip(some, oracle.ours(some), upstream(mlir_opt, some), strict=True):
            if theirs != CRASH:
                yield case.text, verdict(theirs, ours), theirs, ours


def main(name: str, count: str, seed: str, shown: str = "") -> None:
    """Compare."""
    from tests.conftest import llvm_tool

    mlir_opt = llvm_tool("mlir-opt")
    given = list(dict.fromkeys(texts(mlir_opt, name, int(count), int(seed))))
    counts: Counter[str] = Counter()
    for text, said, theirs, ours in compared(mlir_opt, given):
        counts[said] += 1
        if (shown == "all" and not said.startswith("same")) or said == shown:
            print(f"==== {said}\n{text}  theirs: {theirs}\n  ours:   {ours}")
    valid = counts["same text"] + counts["other text"] + counts["refused"]
    invalid = sum(counts.values()) - valid
    print(name, len(given), dict(counts))
    print(f"valid: {counts['same text']} of {valid}; invalid refused: {invalid - counts['accepted']} of {invalid}")


if __name__ == "__main__":
    main(*sys.argv[1:])
