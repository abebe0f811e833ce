"""The whole definition of an operation, by its name: read from its row, where the row has upstream's words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from xdsl.ir import Attribute

from weft.dialects.definitions import AttributeKind, Definition
from weft.dialects.engine.operations import Table, table_of
from weft.dialects.lazy import FOREIGN, TABLES


@cache
def definition(name: str) -> Definition | None:
    """The whole definition of an operation by its full name, None when it has none but xDSL's."""
    found = _table(name)
    rest = name.partition(".")[2]
    if found is not None:
        return found.definition(rest)
    if not name.startswith("linalg."):
        return None
    from weft.dialects.foreign import linalg

    return linalg.definition(name) if linalg.is_structured(name) else None


def _table(name: str) -> Table | None:
    dialect, _, rest = name.partition(".")
    found = table_of(name) if dialect in TABLES else None
    if found is not None or dialect not in (*FOREIGN, "llvm"):
        return found
    from weft.dialects.foreign.tables import table

    return table(dialect) if rest in table(dialect).names else None


def kept(name: str, written: Mapping[str, Attribute]) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """What of a dictionary becomes properties, and what stays; MLIR drops what it would have to store otherwise."""
    whole = definition(name)
    declared: Mapping[str, tuple[AttributeKind, bool]] = whole.attributes if whole is not None else {}
    properties = {key: value for key, value in written.items() if key in declared and declared[key][0].stored(value)}
    return properties, {key: value for key, value in written.items() if key not in declared}
