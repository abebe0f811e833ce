"""Operations of xDSL with weft's verifier, and properties that xDSL's definition lacks.

Deriving from xDSL's class keeps what xDSL knows of it (canonicalization, who may be whose parent).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from xdsl.ir import Attribute, Operation, OpTrait, OpTraits
from xdsl.irdl import IRDLOperation, OpDef, OptPropertyDef, base
from xdsl.traits import SingleBlockImplicitTerminator

_Op = TypeVar("_Op", bound=IRDLOperation)
_REDEFINED: set[type[Operation]] = set()


def _terminators(definition: OpDef) -> list[OpTrait]:
    return [trait for trait in definition.traits if isinstance(trait, SingleBlockImplicitTerminator)]


def redefinition(**properties: type[Attribute]) -> Callable[[type[_Op]], type[_Op]]:
    """Decorate a class derived from one of xDSL's operations, with a `verify_` of its own.

    The definition stays xDSL's, with optional `properties` added; `verify_` runs after it, in place of xDSL's, and
    before how the regions must end.
    """

    def decorate(cls: type[_Op]) -> type[_Op]:
        known = cls.get_irdl_definition()
        added = {name: OptPropertyDef(base(kind)) for name, kind in properties.items()}
        syntax = None if "parse" in vars(cls) else known.assembly_format
        definition = replace(known, properties={**known.properties, **added}, assembly_format=syntax)
        without = replace(definition, traits=OpTraits(lambda: tuple(set(known.traits) - set(_terminators(known)))))
        own: Callable[[IRDLOperation], None] = vars(cls)["verify_"]

        def verify_(self: _Op) -> None:
            without.verify(self)
            own(self)
            for trait in _terminators(known):
                trait.verify(self)

        def get_irdl_definition(_: type[_Op]) -> OpDef:
            return definition

        cls.verify_ = verify_
        type.__setattr__(cls, "get_irdl_definition", classmethod(get_irdl_definition))
        return redefined(cls)

    return decorate


def redefined(cls: type[_Op]) -> type[_Op]:
    """Note that a class holds whatever xDSL's class of the same operation holds."""
    _REDEFINED.add(cls)
    return cls


def is_redefinition(cls: type[Operation]) -> bool:
    """Whether a class holds whatever xDSL's class of the same operation holds."""
    return cls in _REDEFINED
