"""What stands in a row, and how its parts are read.

A row begins in the first column, and what is indented goes on with it:

    names operands -> results | properties | format | traits and checks | instructions | what the operation does

Operations that differ in nothing else share a row, with commas between their names. An operand or a result is
`name:type`, with `?` or `*` behind where there may be none or any number (and a region is `name:region`, a block to
jump to `name:block`); a type is a word of the table, of MLIR (`i32`, `4xi8` for a vector) or several with `/` between
them, and may have a rule behind `=` that the table knows, of what it follows from. A property is `name:kind`, the name
alone where the kind is called so too, `name?` where it is a unit attribute, with `?` before the colon where it may be
absent and its default behind `=`; a kind of another dialect has its full name. Without a format there is `attr-dict`;
`bare($x)` in one is the type of `$x` without the name of its only class; what no format says is `syntax(module.name)`,
the functions `parse_name` and `print_name` of a module of the dialect's; `generic` is MLIR's generic form. `xdsl` is
xDSL's class of this name, with the row's effects and `constant` if it has them. A trait is one of `TRAITS` or of the
table, or `parent=` an operation's full name, a check a function of a module, `module.function`; `xdsl.Class` is what
the operation derives from, so that xDSL's passes know it, and whose traits it has, too. The instructions are those that
the operation can be; `= stem slots, n` is the one that it is, with its slots and the operands before its own. What else
a definition of xDSL says (segment sizes, properties in the dictionary, directives) follows from these.

A row is an operation's whole definition in upstream's words, too (`weft.dialects.definitions`). The words mean what the
dialect's `Vocabulary` says, if it has one; a property that is not there means the constraint of the table, and so does
a type where the vocabulary is `of_table`. In others a type is a kind of the vocabulary, with what xDSL infers it by
behind `=`. A region, with what upstream calls it behind `=`, is a `region` of any number of blocks, `region.one`,
`region.most` of one at most, or `region.single` of one by the trait of this name. What upstream calls a property
follows from its kind, or from its name; a trait with `!` is checked behind what is in the regions, and `own` says that
the class checks more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from xdsl.irdl import IRDLOperation

from weft.dataclass import dataclass

_VALUE = re.compile(r"(\w+):([^=?*]+)(?:=([^?*]+))?([?*]?)")
_WORD = re.compile(r"(\w+)(\??):?(\w*(?:\.\w+)*)(?:\(([^)]*)\))?=?(.*)")
_NAMES = re.compile(r"((?:[^\s,]+,\s*)*[^\s,]+)\s(.*)", re.DOTALL)
_BARE = re.compile(r"bare\((\$\w+)\)")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class RowError(ValueError):
    """A row has a word that means nothing, or two things."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row, taken apart at its bars."""

    operands: str
    results: str
    properties: str
    format: str
    words: tuple[str, ...]
    instructions: str
    summary: str


@dataclass(frozen=True, slots=True)
class Group:
    """Operands or results, as a row states them."""

    name: str
    kind: str
    """A word for the type of each, or `region` or `block`."""
    rule: str
    """What the type follows from, or how it is written; nothing for most."""
    count: str
    """``""``, ``"?"`` or ``"*"``."""

    @property
    def is_part(self) -> bool:
        """Whether it is a region or a block."""
        return self.kind == "block" or self.kind.startswith("region")


@dataclass(frozen=True, slots=True)
class Property:
    """A property, as a row states it."""

    name: str
    field: str
    """What it is called in Python."""
    kind: str
    words: tuple[str, ...]
    """What stands in parentheses behind the kind."""
    optional: bool
    default: str


def split_rows(text: str) -> Mapping[str, str]:
    """The text of each row behind its names, by each of these.

    Raises:
        RowError: two rows have one name, or a row has none.
    """
    found: dict[str, str] = {}
    for row in re.split(r"\n(?=\S)", text.strip()):
        match = _NAMES.match(row)
        if match is None:
            raise RowError(f"no name before a space: {row}")
        for name in "".join(match[1].split()).split(","):
            if name in found:
                raise RowError(f"{name} has two rows")
            found[name] = match[2]
    return found


def read_row(text: str) -> Row:
    """A row taken apart, by its text behind the names."""
    parts = [" ".join(part.split()) for part in re.split(r"\|(?=\s|$)", text)]
    values, properties, form, words, instructions, summary = (*parts, "", "")[:6]
    form = _BARE.sub(r"custom<BareType>(type(\1))", form)
    operands, _, results = values.partition("->")
    return Row(operands, results, properties, form or "attr-dict", tuple(words.split()), instructions, summary)


def groups(text: str) -> Iterator[Group]:
    """The operands or results of a row."""
    for word in text.split():
        found = _VALUE.fullmatch(word)
        assert found is not None, word
        yield Group(found[1], found[2], found[3] or "", found[4])


def properties(row: Row) -> Iterator[Property]:
    """The properties of a row."""
    for word in row.properties.split():
        found = _WORD.fullmatch(word)
        assert found is not None
        written, optional, kind, words, default = found.groups()
        field = _HUMP.sub("_", written).lower()
        field += "_" * (field == "name" or hasattr(IRDLOperation, field))
        known = tuple(words.split(",")) if words else ()
        yield Property(written, field, kind or ("unit" if optional else written), known, bool(optional), default)


def is_loose(values: Iterable[Group]) -> bool:
    """Whether several groups may have any number of values."""
    return sum(bool(group.count) and not group.is_part for group in values) > 1
