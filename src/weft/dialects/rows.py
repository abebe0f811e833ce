"""The operations that are rows, for annotations: `from weft.dialects.rows import nvvm`, `op: nvvm.BarrierOp`.

`rows.pyi`, which `scripts/row_stubs.py` writes, says what their operands, results and properties are; type checkers and
editors read it. The names are there at run time too, but whoever wants a class asks `op_class` for it.
"""

from __future__ import annotations

from typing import Any

from weft.dialects.engine.operations import tables
from weft.dialects.lazy import TABLES


class Dialect:
    """The classes of a dialect, by the names that they have."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        for table in tables(self._name):
            if name in table.titles:
                found = vars(self)[name] = table.operation(table.titles[name])
                return found
        raise AttributeError(f"no row of '{self._name}' has the class '{name}'")


def __getattr__(name: str) -> Any:
    if name in TABLES:
        found = globals()[name] = Dialect(name)
        return found
    raise AttributeError(f"no operation of '{name}' is a row")
