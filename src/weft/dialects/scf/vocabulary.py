"""What the rows of `scf` say in words: kinds of types, of attributes, and traits."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import IndexType, TensorType, UnitAttr

from weft.dialects import traits
from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.kinds import ANY, Kind, is_signless, same_types

WORDS = Vocabulary(
    {
        "any": ANY,
        "i1": Kind("1-bit signless integer", lambda kind: is_signless(kind) and cast("Any", kind).bitwidth == 1),
        "index": Kind("index", lambda kind: isinstance(kind, IndexType)),
        "number": Kind("signless integer or index", lambda kind: isinstance(kind, IndexType) or is_signless(kind)),
        "tensor": Kind("ranked tensor of any type values", lambda kind: isinstance(kind, TensorType)),
    },
    {"unsignedCmp": AttributeKind("unit attribute", lambda value: isinstance(value, UnitAttr))},
    {"alike": same_types("lowerBound, upperBound, step", 0, 1, 2), "terminator": traits.terminator},
)
