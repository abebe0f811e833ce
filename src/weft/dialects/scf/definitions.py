"""The definitions of `scf`'s loops and conditions (see `weft.dialects.definitions`), whose classes check the rest."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import IndexType, UnitAttr

from weft.dialects import traits
from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.kinds import ANY, Kind, is_signless, same_types

WORDS = Vocabulary(
    {
        "any": ANY,
        "i1": Kind("1-bit signless integer", lambda kind: is_signless(kind) and cast("Any", kind).bitwidth == 1),
        "number": Kind("signless integer or index", lambda kind: isinstance(kind, IndexType) or is_signless(kind)),
    },
    {"unsignedCmp": AttributeKind("unit attribute", lambda value: isinstance(value, UnitAttr))},
    {"alike": same_types("lowerBound, upperBound, step", 0, 1, 2), "terminator": traits.terminator},
)

LINES = {
    "scf.condition": "i1 any* -> | | | | own",
    "scf.for": "number number number any* -> any* | unsignedCmp? | region:single | | alike own",
    "scf.if": "i1 -> any* | | thenRegion:single elseRegion:most | | own",
    "scf.while": "any* -> any* | | before:single after:single | | own",
}
