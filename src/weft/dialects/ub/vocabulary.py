"""What the row of `ub` says in words."""

from __future__ import annotations

from xdsl.dialects.ub import PoisonAttr

from weft.dialects.definitions import AttributeKind, Vocabulary
from weft.dialects.kinds import ANY

_POISON = AttributeKind("PoisonAttrInterface instance", lambda _: True, lambda value: isinstance(value, PoisonAttr))
WORDS = Vocabulary({"any": ANY}, {"poison": _POISON}, {})
