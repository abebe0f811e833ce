"""The class of an operation of a foreign dialect by its name."""

from __future__ import annotations

from functools import cache

from xdsl.ir import Operation, OpTraits
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, OpTrait, Pure, SymbolOpInterface, SymbolTable

from weft.dialects.foreign.operation import ForeignOp
from weft.dialects.foreign.rows import row

_TRAITS: dict[str, type[OpTrait]] = {
    "terminator": IsTerminator,
    "isolated": IsolatedFromAbove,
    "open": NoTerminator,
    "pure": Pure,
    "table": SymbolTable,
    "symbol_operation": SymbolOpInterface,
}


@cache
def operation(name: str) -> type[Operation] | None:
    """The class of the operation of a full name; None if no foreign dialect has it."""
    found = row(name)
    if found is None:
        from weft.dialects.foreign.structured import structured

        return structured(name)
    if found.format == "CUSTOM":
        from weft.dialects.foreign.custom import SYNTAX

        base: type[ForeignOp] = SYNTAX[name]
    else:
        base = ForeignOp
    traits = [_TRAITS[trait]() for trait in found.traits if trait in _TRAITS]
    return type(name, (base,), {"name": name, "row": found, "traits": OpTraits(lambda: tuple(traits))})
