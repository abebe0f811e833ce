"""Properties that are in an operation's dictionary, which MLIR looks at before the operation is made."""

from __future__ import annotations

import re
from dataclasses import replace

from xdsl.ir import Operation

from weft.errors import MlirError
from weft.mlir.positions import position, source
from weft.patterns import pattern

_ATTRIBUTE = re.compile(r"attribute '(\w+)' failed to satisfy constraint")
_HAND_WRITTEN = frozenset(
    [
        "gpu.func",
        "llvm.alloca",
        "llvm.call",
        "llvm.func",
        "llvm.mlir.global",
        "vector.transfer_read",
        "vector.transfer_write",
    ]
)
"""Operations whose parsers upstream look at no property in the dictionary."""
_DEPTH = {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1, ">": -1}
_TOKEN = pattern(r'"(?:[^"\\]++|\\.)*+"|->|[()\[\]<>{}]')


_INFERRED = {"llvm.atomicrmw": "val", "llvm.cmpxchg": "val", "llvm.extractelement": "vector"}
"""Operands whose types give those of others, by the operation; MLIR looks at them while it parses."""
_OPERAND = re.compile(r"operand #(\d) (must be .*)")


def error_in_types(op: Operation, message: str) -> MlirError | None:
    """The error that an operand has the wrong type, if the types of others follow from it in the operation's syntax."""
    found = _OPERAND.fullmatch(message)
    name = _INFERRED.get(op.name)
    if found is None or name is None or (found[1] == "0") != (name == "vector") or not source(op).startswith(op.name):
        return None
    return MlirError(f"custom op '{op.name}' '{name}' {found[2]}", position(op))


def error_in_dictionary(op: Operation, message: str) -> MlirError | None:
    """The error that a property has the wrong kind, if it is in the dictionary of an operation's own syntax."""
    found = _ATTRIBUTE.match(message) if op.name not in _HAND_WRITTEN else None
    text = source(op) if found is not None else ""
    if found is None or not text.startswith(op.name):
        return None
    span = _dictionary(text)
    if span is None or re.search(rf"\b{found[1]}\s*[=,}}]", text[span[0] : span[1]]) is None:
        return None
    place, before = position(op), text[: span[0]]
    line = before.count("\n")
    column = place.column + span[0] if not line else span[0] - before.rfind("\n")
    there = replace(place, line=place.line + line, column=column, source=_line(text, place.source, before))
    return MlirError(f"custom op '{op.name}' '{op.name}' op {message}", there)


def _line(text: str, first: str | None, before: str) -> str | None:
    return first if "\n" not in before else text.splitlines()[before.count("\n")]


def _dictionary(text: str) -> tuple[int, int] | None:
    """Where the dictionary of the operation that a text begins with stands; None where it has none."""
    depth, start = 0, -1
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "{" and start == -1 and not depth:
            start = match.start()
        elif token == "}" and not depth:
            return (start, match.end()) if start != -1 else None
        depth += _DEPTH.get(token, 0)
    return None
