"""The words in the texts of the sources: `python -m tests.words` adds those that stand nowhere else to `words.txt`."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import weft

ROOT = Path(__file__).resolve().parents[1]
SOURCES = Path(weft.__file__).parent
DICTIONARY = Path(__file__).with_suffix(".txt")
_WORD = re.compile(r"[A-Za-z_]\w+")
_PIECE = re.compile(r'#[^\n]*|("""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')')
"""A comment, or a text, which alone is a group."""
_ESCAPED = re.compile(r"\\+(?:x[\da-f]{2}|u[\da-f]{4}|.)")
"""Alike in raw texts and others: a module that is printed from its tree has the same words."""
_ELSEWHERE = ("tests", "docs", "examples", "benchmarks")
_KINDS = {".py", ".md", ".mlir", ".ptx", ".txt", ".expected", ".cu", ".c", ".ll", ".json"}


def texts_of(source: str) -> str:
    """The texts of a module, with its docstrings, and nothing else."""
    return _ESCAPED.sub(" ", "\n".join(_PIECE.findall(source)))


@cache
def _elsewhere() -> frozenset[str]:
    """The words of tests and documents."""
    found: set[str] = set()
    for folder in _ELSEWHERE:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in _KINDS and path != DICTIONARY and "__pycache__" not in path.parts:
                found.update(_WORD.findall(path.read_text(encoding="utf-8", errors="ignore")))
    return frozenset(found)


def dictionary() -> frozenset[str]:
    """The words that stand in one place only and are right."""
    return frozenset(DICTIONARY.read_text(encoding="utf-8").split()) if DICTIONARY.exists() else frozenset()


def strange() -> dict[str, str]:
    """Words of a text of the sources that stand nowhere else, neither in them nor in tests, documents and the dictionary; and
    their files.
    """
    count: Counter[str] = Counter()
    places: dict[str, str] = {}
    for path in sorted(SOURCES.rglob("*.py")) + sorted(SOURCES.rglob("*.ops")):
        source = path.read_text(encoding="utf-8")
        if path.suffix == ".py":
            source = _PIECE.sub(lambda piece: "" if piece[0][0] == "#" else piece[0], source)
        words = _WORD.findall(_ESCAPED.sub(" ", source))
        count.update(words)
        told = set(_WORD.findall(texts_of(source))) if path.suffix == ".py" else words
        places |= dict.fromkeys(told, path.relative_to(SOURCES).as_posix())
    known = _elsewhere() | dictionary()
    return {word: file for word, file in places.items() if count[word] < 2 and word not in known}


def main() -> None:
    """Add what is strange."""
    DICTIONARY.write_text("\n".join(sorted(dictionary() | strange().keys())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
