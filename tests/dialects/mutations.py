"""Operations as text with something wrong: a token left out, doubled, or put in the place of another.

`python -m tests.dialects.mutations NAME COUNT SEED` compares COUNT variants of each valid case of `ops/NAME*.ops` with
mlir-opt.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from random import Random

from tests.dialects import oracle
from tests.dialects.arguments import differences

_TOKEN = re.compile(r'"[^"]*"|[%#!@^]?[\w.$]+|->|\S')


def variants(rng: Random, line: str, words: list[str], count: int) -> Iterator[str]:
    """`count` texts near a line; words are taken from it, or from others."""
    spans = [match.span() for match in _TOKEN.finditer(line)]
    first = next((n for n, (start, end) in enumerate(spans) if "." in line[start:end]), 0) + 1
    spans = spans[first:]
    if not spans:
        return
    for _ in range(count):
        start, end = rng.choice(spans)
        kind = rng.random()
        if kind < 0.35:
            changed = line[:start] + line[end:]
        elif kind < 0.5:
            changed = line[:end] + " " + line[start:end] + line[end:]
        elif kind < 0.8:
            changed = line[:start] + rng.choice(words) + line[end:]
        else:
            other, stop = rng.choice(spans)
            changed = line[:start] + line[other:stop] + line[end:]
        if changed != line:
            yield changed


def cases_of(name: str, count: int, seed: int) -> list[oracle.Case]:
    """Variants of every valid case of the files whose names begin so."""
    found: dict[str, None] = {}
    for path in sorted(oracle.FOLDER.glob(f"{name}*.ops")):
        rng = Random(f"{path.name} {seed}")
        given = zip(oracle.cases(path), oracle.stored(path), strict=True)
        valid = [case.text for case, outcome in given if re.match(r"\d+:\d+: ", outcome) is None]
        lines = [text.splitlines()[1] for text in valid]
        words = sorted({match[0] for line in lines for match in _TOKEN.finditer(line)})
        for text, line in zip(valid, lines, strict=True):
            found |= dict.fromkeys(text.replace(line, changed) for changed in variants(rng, line, words, count))
    return [oracle.Case(text, 0) for text in found]


def main(name: str, count: str, seed: str) -> None:
    """Compare."""
    from tests.conftest import llvm_tool

    given = cases_of(name, int(count), int(seed))
    found = list(differences(llvm_tool("mlir-opt"), given))
    print("\n".join(found))
    print(len(given), "texts,", len(found), "differences")


if __name__ == "__main__":
    main(*sys.argv[1:])
