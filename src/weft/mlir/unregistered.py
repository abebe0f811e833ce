"""Operations of dialects that nobody knows."""

from __future__ import annotations

from functools import cache

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import Operation, OpTrait
from xdsl.traits import IsTerminator


@cache
def modest(cls: type[UnregisteredOp]) -> type[Operation]:
    """The class of an unknown operation, of which nothing is taken for granted but that it may end a block.

    xDSL's class has every trait that is asked for.
    """

    class UnknownOp(cls):
        @classmethod
        def has_trait(cls, trait: type[OpTrait] | OpTrait, *, value_if_unregistered: bool = True) -> bool:
            return trait is IsTerminator and value_if_unregistered

    return UnknownOp
