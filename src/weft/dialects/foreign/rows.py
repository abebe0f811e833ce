"""The operations of foreign dialects, a line each, in files `NAME.ops` beside this module.

    name | operands -> results | attributes | regions | traits | format

An operand or result is a name, with `?` or `*` where there may be none or any number, `~KIND` for what it can be (in
`transform` a handle, elsewhere anything, if nothing is said), and its type where the text does not say it: `:index`,
`:!async.token`, `=dest` (that of another), `=element(dest)`, `=elements(dest)` (as many times as there are elements),
`=mask(dest)`, or `:<ptr.ptr>` for the only class of type, of which the text has the parameters.
An attribute is `name:kind`, with `?` where it may be absent and `=value` for what it then is; a region is a name, with
`*` for any number. The format is MLIR's declarative one, or `CUSTOM`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources

from weft.dataclass import dataclass

DIALECTS = ("async", "bufferization", "linalg", "llvm", "ptr", "tensor", "transform")


@dataclass(frozen=True, slots=True)
class Values:
    """A group of operands or results."""

    name: str
    count: str
    """``""``, ``"?"`` or ``"*"``."""
    kind: str
    """What its type can be, a word of `weft.dialects.foreign.derived`; nothing for what is usual."""
    type: str
    """The rule for its type, with the `:` or `=` in front; nothing where the text has it."""


@dataclass(frozen=True, slots=True)
class Inherent:
    """An attribute of an operation's own."""

    name: str
    kind: str
    words: Sequence[str] = ()
    """What an enumeration (`words`, `enum`) can be."""
    default: str | None = None
    """What it is where it is absent, as it is written; None when it then is nothing."""
    optional: bool = False
    """Whether it may be absent."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line."""

    name: str
    operands: Sequence[Values]
    results: Sequence[Values]
    attributes: Mapping[str, Inherent]
    regions: Sequence[str]
    traits: Sequence[str]
    format: str


_VALUE = re.compile(r"(\w+)([?*]?)(?:~([\w.()]+))?([:=].*)?")
_ATTRIBUTE = re.compile(r"(\w+)(\??):(\w+)(?:\(([^)]*)\))?(?:=(.*))?")


def _values(text: str) -> Sequence[Values]:
    found = [_VALUE.fullmatch(word) for word in text.split()]
    return tuple(Values(match[1], match[2], match[3] or "", match[4] or "") for match in found if match is not None)


def _attribute(word: str) -> Inherent:
    match = _ATTRIBUTE.fullmatch(word)
    assert match is not None, word
    return Inherent(match[1], match[3], tuple(match[4].split(",")) if match[4] else (), match[5], bool(match[2]))


def _row(dialect: str, line: str) -> Row:
    name, values, attributes, regions, traits, written = (part.strip() for part in line.split("|", 5))
    operands, _, results = values.partition("->")
    known = {found.name: found for found in map(_attribute, attributes.split())}
    return Row(
        f"{dialect}.{name}", _values(operands), _values(results), known, regions.split(), traits.split(), written
    )


@cache
def lines(dialect: str) -> Mapping[str, str]:
    """The lines of a dialect by the names of its operations."""
    text = resources.files("weft.dialects.foreign").joinpath(f"{dialect}.ops").read_text(encoding="utf-8")
    return {line.partition(" ")[0]: line for line in text.splitlines() if line and not line.startswith("#")}


def row(name: str) -> Row | None:
    """The row of an operation by its full name; None if there is none."""
    dialect, _, rest = name.partition(".")
    line = lines(dialect).get(rest) if dialect in DIALECTS else None
    return None if line is None else _row(dialect, line)
