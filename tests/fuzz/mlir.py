"""Texts of MLIR with tokens left out, doubled, exchanged, or replaced by others of the same text or of all.

`python -m tests.fuzz.mlir COUNT SEED` says of which texts something other than an error of MLIR comes.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from unittest.mock import patch

from xdsl.utils.exceptions import ParseError, VerifyException

import weft
from tests.dialects import oracle
from weft.errors import MlirError, WeftError
from weft.mlir import parse_mlir, wording

SOURCES = Path(weft.__file__).parent

_TOKEN = re.compile(r'"[^"\n]*"|[%#!@^]?[\w.$]+|->|\S')
_ROOT = Path(__file__).parents[1]
_LONGEST = 8000


@cache
def seeds() -> list[list[str]]:
    """Texts of all dialects, by file: operations of the tables one by one, snippets, and whole modules."""
    paths = [*oracle.FILES, *sorted(path for path in _ROOT.rglob("*.mlir") if path not in oracle.FILES)]
    found = ([case.text for case in oracle.cases(path) if 0 < len(case.text) < _LONGEST] for path in paths)
    return [texts for texts in found if texts]


@cache
def _words() -> list[str]:
    return sorted({match[0] for texts in seeds() for text in texts for match in _TOKEN.finditer(text)})


def mutated(text: str, rng: Random) -> str:
    """The text with one to three changes."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        spans = [match.span() for match in _TOKEN.finditer(text)]
        if not spans:
            return text
        (start, end), (other, stop) = sorted((rng.choice(spans), rng.choice(spans)))
        first, second = text[start:end], text[other:stop]
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:start] + text[end:]
        elif kind == 1:
            text = f"{text[:end]} {first}{text[end:]}"
        elif kind == 2 and end <= other:
            text = text[:start] + second + text[end:other] + first + text[stop:]
        elif kind == 3:
            text = text[:start] + second + text[end:]
        elif kind == 4:
            text = text[:other] + first + text[stop:]
        else:
            text = text[:start] + rng.choice(_words()) + text[end:]
    return text


def failure(text: str) -> str:
    """What comes of a text that should not come of any: "" if it is read, or refused with a place."""
    leaks: list[Exception] = []
    told = wording.message_of

    def message_of(error: Exception) -> str:
        if not isinstance(error, ParseError | VerifyException | WeftError):
            leaks.append(error)
        return told(error)

    with patch.object(wording, "message_of", message_of):
        try:
            parse_mlir(text, allow_unregistered=True)
        except MlirError as error:
            if not error.position.line:
                return f"no place: {error.message}"
        except Exception as error:
            return _said(error)
    return _said(leaks[0]) if leaks else ""


def _said(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    ours = next((frame for frame in reversed(frames) if Path(frame.filename).is_relative_to(SOURCES)), frames[-1])
    where = " ".join(f"{Path(frame.filename).name}:{frame.name}:{frame.lineno}" for frame in (ours, frames[-1]))
    return f"{type(error).__name__} {where}: {error}"


def failures(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """The texts of which something else comes, each with what it is."""
    rng = Random(seed)
    for _ in range(count):
        text = mutated(rng.choice(rng.choice(seeds())), rng)
        why = failure(text)
        if why:
            yield why, text


def main(count: str, seed: str) -> None:
    """Look for them."""
    kinds: dict[str, list[str]] = {}
    for why, text in failures(int(seed), int(count)):
        kinds.setdefault(why.partition(": ")[0], []).append(f"{why}\n{text}")
    for kind, examples in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"==== {len(examples)} {kind}\n{min(examples, key=len)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
