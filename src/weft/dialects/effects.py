"""What operations do to memory, where the definitions of their classes say otherwise than upstream's.

Passes ask an operation for its effects (`cse`, `canonicalize`): without an answer they leave it alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from typing import Any

from xdsl.ir import Operation, OpTraits
from xdsl.traits import (
    EffectInstance,
    MemoryEffect,
    MemoryEffectKind,
    MemoryReadEffect,
    NoMemoryEffect,
    RecursiveMemoryEffect,
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


_TABLE: Mapping[type[MemoryEffect] | None, str] = {
    NoMemoryEffect: (
        "arith.remui arith.extsi gpu.shuffle gpu.rotate gpu.subgroup_broadcast llvm.intr.expect llvm.intr.fabs "
        "llvm.intr.frexp llvm.intr.get.active.lane.mask memref.distinct_objects vector.bitcast vector.create_mask "
        "vector.reduction"
    ),
    MemoryReadEffect: (
        "memref.reshape nvgpu.warpgroup.generate.descriptor transform.match.operation_empty "
        "transform.match.operation_name transform.verify vector.gather vector.maskedload"
    ),
    ReadsBuffer: "vector.transfer_read",
    RecursiveMemoryEffect: "vector.mask",
    AllocatesResult: (
        "gpu.alloc llvm.alloca memref.alloc memref.alloca transform.cast transform.get_consumers_of_result "
        "transform.get_defining_op transform.get_operand transform.get_parent_op "
        "transform.get_producer_of_operand transform.get_result transform.get_type "
        "transform.match.structured.elemental_bitwidth transform.merge_handles transform.num_associations "
        "transform.param.constant transform.replicate transform.select transform.split_handle"
    ),
    Loads: "llvm.load",
    Assembles: "llvm.inline_asm",
    None: (
        "nvvm.convert.bf16x2.to.f8x2 nvvm.convert.f16x2.to.f8x2 nvvm.convert.f32x2.to.f4x2 "
        "nvvm.convert.f32x2.to.f6x2 nvvm.convert.f32x2.to.f8x2 nvvm.convert.f4x2.to.f16x2 "
        "nvvm.convert.f6x2.to.f16x2 nvvm.convert.f8x2.to.bf16x2 nvvm.convert.f8x2.to.f16x2 "
        "nvvm.convert.float.to.tf32 nvvm.dot.accumulate.2way nvvm.dot.accumulate.4way nvvm.ldmatrix "
        "nvvm.mma.block_scale nvvm.mma.sp.block_scale nvvm.mma.sp.sync nvvm.mma.sync nvvm.read.ptx.sreg.clock "
        "nvvm.read.ptx.sreg.clock64 nvvm.read.ptx.sreg.globaltimer nvvm.read.ptx.sreg.globaltimer.lo "
        "nvvm.wmma.load nvvm.wmma.mma"
    ),
}
"""The operations of each effect; under None those of which nothing is known."""
_EFFECTS = {name: effect for effect, names in _TABLE.items() for name in names.split()}


def as_upstream(cls: type[Operation]) -> type[Operation]:
    """A class, with upstream's effects among its traits from now on."""
    if cls.name in _EFFECTS and cls not in _DONE:
        cls.traits = OpTraits(_traits_with(cls.traits, _EFFECTS[cls.name]))
        _DONE.add(cls)
        scalar = getattr(cls, "SCALAR", None)  # What the reader makes of the form without vectors.
        if scalar is not None:
            as_upstream(scalar)
    return cls


_DONE: set[type[Operation]] = set()


def _traits_with(given: OpTraits, effect: type[MemoryEffect] | None) -> Callable[[], tuple[Any, ...]]:
    def traits() -> tuple[Any, ...]:
        rest = [trait for trait in given.traits if not isinstance(trait, MemoryEffect)]
        return (*rest, effect()) if effect is not None else tuple(rest)

    return traits
