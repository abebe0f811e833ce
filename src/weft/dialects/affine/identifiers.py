"""Which values may stand for the dimensions and symbols of an affine map, as upstream decides it."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import ConstantLike, is_side_effect_free
from xdsl.utils.exceptions import VerifyException

_SCOPES = frozenset({"builtin.module", "func.func", "gpu.func", "gpu.launch", "llvm.func"})
"""Operations in whose bodies every value is a symbol."""
_LOOPS = frozenset({"affine.for", "affine.parallel"})
_MAPS = frozenset({"affine.apply", "affine.delinearize_index", "affine.linearize_index"})


def check_identifiers(operands: Sequence[SSAValue], dimensions: int) -> None:
    """Check the operands of a map, the first of which are for its dimensions.

    Raises:
        VerifyException: one changes within its scope in ways that no affine map can follow.
    """
    if not all(_is_dimension(value) for value in operands[:dimensions]):
        raise VerifyException("operand cannot be used as a dimension id")
    if not all(_is_symbol(value) for value in operands[dimensions:]):
        raise VerifyException("operand cannot be used as a symbol")


def is_identifier(value: SSAValue) -> bool:
    """Whether a value may stand for a dimension, or for a symbol."""
    return _is_dimension(value)


def _block(value: SSAValue) -> Block | None:
    owner = value.owner
    return owner.parent if isinstance(owner, Operation) else owner


def _around(value: SSAValue) -> Operation | None:
    block = _block(value)
    return None if block is None else block.parent_op()


def _is_top_level(value: SSAValue) -> bool:
    parent = _around(value)
    return parent is None or parent.name in _SCOPES


def _is_dimension(value: SSAValue) -> bool:
    if _is_symbol(value):
        return True
    owner = value.owner
    if isinstance(owner, Operation):
        return owner.name in _MAPS and all(_is_dimension(operand) for operand in owner.operands)
    parent = owner.parent_op()
    return parent is not None and parent.name in _LOOPS and value in owner.args[: _variables(parent)]


def _variables(loop: Operation) -> int:
    """How many of the arguments of a loop's body count its steps."""
    return 1 if loop.name == "affine.for" else len(loop.regions[0].block.args)


def _is_symbol(value: SSAValue) -> bool:
    if not isinstance(value.type, IndexType):
        return False
    if _is_top_level(value):
        return True
    owner = value.owner
    if not isinstance(owner, Operation):
        return False
    if owner.has_trait(ConstantLike):
        return True
    if owner.name == "memref.dim":
        return _is_top_level(owner.operands[0])
    return is_side_effect_free(owner) and all(_is_symbol(operand) for operand in owner.operands)
