"""The operations of foreign dialects that are rows, in files `NAME.ops` beside this module, a line each."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from xdsl.ir import Operation
from xdsl.irdl import AnyAttr, irdl_op_definition, opt_prop_def, prop_def, traits_def

from weft.dialects.engine.operations import Property, Row, Table, groups
from weft.dialects.foreign.directives import DIRECTIVES
from weft.dialects.foreign.formats import read_format
from weft.dialects.foreign.inherent import default_of
from weft.dialects.foreign.operation import ForeignOp

DIALECTS = ("async", "bufferization", "linalg", "llvm", "ptr", "tensor", "transform")


class ForeignTable(Table):
    """The rows of a foreign dialect; what they demand is in `row_definitions`, beside this module."""

    def __init__(self, dialect: str) -> None:
        text = resources.files("weft.dialects.foreign").joinpath(f"{dialect}.ops").read_text(encoding="utf-8")
        rows = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
        super().__init__(dialect, rows, {}, {}, DIRECTIVES)
        self._package = "weft.dialects.foreign"

    def _type(self, word: str) -> Any:
        return AnyAttr()

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
