"""What operations do to memory, where the definitions of their classes say otherwise than upstream's.

Passes ask an operation for its effects (`cse`, `canonicalize`): without an answer they leave it alone.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from xdsl.ir import Operation, OpTrait, OpTraits
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
)

Effects = Set[EffectInstance]

_READ: Effects = frozenset((EffectInstance(MemoryEffectKind.READ),))
_NONE: Effects = frozenset()


class AllocatesResult(MemoryEffect):
    """Allocates what its results are."""

    @classmethod
    def get_effects(cls, op: Operation) -> Effects:
        """The allocation of the results, which nothing sees where they are not used."""
        return {EffectInstance(MemoryEffectKind.ALLOC, result) for result in op.results}


class ReadsBuffer(MemoryEffect):
    """Reads memory; nothing where its operand is a tensor."""

    @classmethod
    def get_effects(cls, op: Operation) -> Effects:
        """A read, or nothing."""
        return _NONE if op.operands and op.operands[0].type.name == "tensor" else _READ


class Loads(MemoryEffect):
    """Reads memory, unless it is volatile or more than unordered, and then more than that."""

    @classmethod
    def get_effects(cls, op: Operation) -> Effects | None:
        """A read, or nothing known."""
        ordering: Any = op.properties.get("ordering")
        plain = ordering is None or ordering.value.data <= 1
        return _READ if plain and "volatile_" not in op.properties else None


class Assembles(MemoryEffect):
    """Inline assembly: without effects, unless it says that it has some."""

    @classmethod
    def get_effects(cls, op: Operation) -> Effects | None:
        """Nothing, or nothing known."""
        return None if "has_side_effects" in op.properties else _NONE


def with_traits(cls: type[Operation], traits: Sequence[OpTrait]) -> type[Operation]:
    """A class of xDSL's with more traits from now on; effects among them are in place of its own."""
    effects = any(isinstance(trait, MemoryEffect) for trait in traits)
    rest = (trait for trait in cls.traits if trait not in traits and not (effects and isinstance(trait, MemoryEffect)))
    stated = (*rest, *traits)
    cls.traits = OpTraits(lambda: stated)
    return cls
