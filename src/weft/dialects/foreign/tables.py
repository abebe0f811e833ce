"""The operations of foreign dialects that are rows, in files `NAME.ops` beside this module, a line each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

from xdsl.ir import Operation
from xdsl.irdl import AnyAttr, irdl_op_definition, opt_prop_def, prop_def, traits_def

from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.engine.operations import Check, Table
from weft.dialects.engine.rows import Group, Property, Row, groups
from weft.dialects.foreign.directives import DIRECTIVES
from weft.dialects.foreign.formats import read_format
from weft.dialects.foreign.inherent import default_of
from weft.dialects.foreign.operation import ForeignOp
from weft.dialects.gpu.binary import name_of
from weft.dialects.kinds import Kind

_STATED = re.compile(r"(?:match|natural|none_or_three|positive|three)\(\w+(?:,\w+)*\)")
"""What a row says of its operands and properties by their names."""
_FOLLOWING = ("async", "linalg", "ptr", "transform")
"""Dialects whose types follow from each other as rows say; others have words for what they demand."""
DIALECTS = ("async", "bufferization", "linalg", "llvm", "ptr", "tensor", "transform")


class ForeignTable(Table):
    """The rows of a foreign dialect."""

    def __init__(self, dialect: str) -> None:
        text = resources.files("weft.dialects.foreign").joinpath(f"{dialect}.ops").read_text(encoding="utf-8")
        rows = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
        super().__init__(dialect, rows, {}, {}, DIRECTIVES, vocabulary="llvm" if dialect == "llvm" else "foreign")
        self._package = "weft.dialects.foreign"

    def _type(self, group: Group) -> Any:
        return AnyAttr()

    def _attributes(
        self, name: str, known: Mapping[str, AttributeKind]
    ) -> Iterator[tuple[str, tuple[AttributeKind, bool]]]:
        from weft.dialects.foreign.following import attribute  # As the vocabulary, for those who verify.

        row = self.row(name)
        yield from ((found.name, attribute(known, found, row)) for found in self.properties(name))

    def _checks(self, row: Row, words: Vocabulary) -> Iterator[Check]:
        from weft.dialects.foreign.following import following

        if self._dialect == "transform":
            yield words.traits["handles"]
        if self._dialect in _FOLLOWING:
            yield from following(row)
        yield from super()._checks(row, words)

    def _means(self, word: str, words: Vocabulary) -> bool:
        return super()._means(word, words) or _STATED.fullmatch(word) is not None

    def _functions(self, row: Row) -> Iterator[Check]:
        return iter(())

    def _kind(self, words: Vocabulary, group: Group) -> Kind:
        if not group.kind.startswith("op("):
            return super()._kind(words, group)
        text = group.kind[3:-1]

        def holds(kind: Any) -> bool:
            return name_of(kind) == "transform.op" and kind.value.data.strip('"') == text

        return Kind(f"Transform IR handle to {text} operations", holds)

    def _property(self, found: Property) -> Any:
        if found.optional:
            return opt_prop_def(AnyAttr(), default_value=default_of(found), prop_name=found.name)
        return prop_def(AnyAttr(), prop_name=found.name)

    def _class(self, row: Row, title: str, fields: dict[str, Any]) -> type[Operation]:
        fields["traits"] = traits_def(*(self._traits[word] for word in row.words if word in self._traits))
        made = irdl_op_definition(type(title, (ForeignOp,), fields))
        implicit = next((word for word in row.words if word.startswith("implicit=")), "")
        known: dict[str, Any] = {
            "operand_groups": [group for group in groups(row.operands) if not group.is_part],
            "result_groups": [*groups(row.results)],
            "inherent": {found.name: found for found in self.properties(fields["name"].partition(".")[2])},
            "implicit": implicit.removeprefix("implicit="),
            "read_format": classmethod(read_format),
        }
        return type(title, (made,), known)


@cache
def table(dialect: str) -> ForeignTable:
    """The table of a foreign dialect."""
    return ForeignTable(dialect)


@cache
def operation(name: str) -> type[Operation] | None:
    """The class of the operation of a full name; None if no foreign dialect has it."""
    dialect, _, rest = name.partition(".")
    if dialect in DIALECTS and rest in table(dialect).names:
        return table(dialect).operation(rest)
    if dialect != "linalg":
        return None
    from weft.dialects.foreign.structured import structured

    return structured(name)
