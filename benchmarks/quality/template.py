"""Kernels written as MLIR's text, with words for arguments, their types and constants."""

from __future__ import annotations

import re

from quality.emitter import Value, Writer

_WORD = re.compile(r"%(\w+(?:#\d+)?)|\$(\w+?)(?=x\$|xb?[fi]\d|\b)|#(-?\d[\d.]*(?:e[+-]?\d+)?)(?::(\w+))?")


def fill(w: Writer, text: str, /, **words: Value | str) -> None:
    """Write the lines of a body.

    `%a` is the argument `a`, `$a` its type or a word given as text, `#5` a constant of `index`, `#5:i32` of that type;
    names that were not given are the text's own.  A line that ends with `...` goes on in the next.
    """

    def word(match: re.Match[str]) -> str:
        name, type_, number, kind = match.groups()
        if number is not None:
            kind = kind or "index"
            return w.const(float(number) if kind[0] in "fb" else int(number), kind).name
        if name is not None:
            given = words.get(name)
            return given.name if isinstance(given, Value) else f"%{name}"
        given = words[type_]
        return given.type if isinstance(given, Value) else given

    once = re.sub(r"(#|#-?\d[\d.]*:)\$(\w+)", lambda match: f"{match[1]}{words[match[2]]}", text)
    for line in re.sub(r"\.\.\.\n\s*", " ", once).strip().splitlines():
        if line.strip():
            w.line(_WORD.sub(word, line.strip()))
