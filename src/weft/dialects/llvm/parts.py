"""What `llvm` demands of parts of vectors, of structures of results, and of what is in a module."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.kinds import is_scalable
from weft.dialects.traits import inherent
from weft.dialects.verification import PlainVerifyException, element_bits

_MOST_BITS = 1 << 17
"""LLVM's limit on a vector that parts are taken of or put into."""


def vector_bits(op: Operation) -> None:
    """Refuse vectors that are too large for `vector.extract` and `vector.insert`."""
    for value in (*op.operands, *op.results):
        kind = cast("Any", value.type)
        if (element_bits(kind.element_type) or 0) * kind.element_count() > _MOST_BITS:
            raise VerifyException("failed to verify that vectors are not bigger than 2^17 bits.")


def no_scalable_part(op: Operation) -> None:
    """A scalable vector is no part of a fixed one."""
    if is_scalable(op.results[0].type) and not is_scalable(op.operands[0].type):
        raise VerifyException("failed to verify that it is not extracting scalable from fixed-length vectors.")


def no_scalable_piece(op: Operation) -> None:
    """A scalable vector does not fit into a fixed one."""
    if is_scalable(op.operands[1].type) and not is_scalable(op.operands[0].type):
        raise VerifyException("failed to verify that it is not inserting scalable into fixed-length vectors.")


def module_level(op: Operation) -> None:
    """An operation that is in a module."""
    if not isinstance(op.parent_op(), ModuleOp):
        raise VerifyException("must appear at the module level")


def selectors(op: Operation) -> None:
    """A comdat holds selectors, and nothing else."""
    for inner in op.regions[0].block.ops:
        if inner.name != "llvm.comdat_selector":
            raise PlainVerifyException("only comdat selector symbols can appear in a comdat region", inner)


def _owner_name(value: SSAValue) -> str:
    """The name of the operation that a value is a result of."""
    return value.owner.name if isinstance(value.owner, Operation) else ""


def landing(op: Operation) -> None:
    """A landing pad stands in a function with a personality, and catches and filters constants."""
    function = op.parent_op()
    while function is not None and function.name != "llvm.func":
        function = function.parent_op()
    if function is not None and inherent(function, "personality") is None:
        raise PlainVerifyException("llvm.landingpad needs to be in a function with a personality")
    if inherent(op, "cleanup") is None and not op.operands:
        raise PlainVerifyException("landingpad instruction expects at least one clause or cleanup attribute")
    for place, value in enumerate(op.operands):
        if value.type.name == "llvm.array":
            continue
        source = _owner_name(value)
        if source == "llvm.bitcast":
            if _owner_name(cast("Operation", value.owner).operands[0]) != "llvm.mlir.addressof":
                raise PlainVerifyException("constant clauses expected")
        elif source not in ("llvm.mlir.zero", "llvm.mlir.addressof"):
            raise PlainVerifyException(f"clause #{place} is not a known constant - null, addressof, bitcast")


def unwinding(op: Operation) -> None:
    """Where a call unwinds to, a landing pad stands first."""
    block = op.successors[1]
    first = block.first_op
    if first is None:
        raise PlainVerifyException("must have at least one operation in unwind destination")
    if first.name != "llvm.landingpad":
        raise PlainVerifyException("first operation in unwind destination should be a llvm.landingpad operation")


def both_results(op: Operation) -> None:
    """A structure of two results, each of the operand's type."""
    kind, result = op.operands[0].type, op.results[0].type
    members = cast("Any", result).types.data if result.name == "llvm.struct" else ()
    if len(members) != 2 or any(member != kind for member in members):
        raise VerifyException(
            "expected result type to be an homogeneous struct with two elements matching the operand type, but got "
            f"'{result}'"
        )


def gathered(op: Operation) -> None:
    """Pointers, a bit and the other elements for each element that is loaded."""
    _pointers(op, 0, op.results[0].type)


def scattered(op: Operation) -> None:
    """A pointer for each element that is stored."""
    _pointers(op, 1, op.operands[0].type)


def _pointers(op: Operation, index: int, kind: Attribute) -> None:
    found = cast("Any", op.operands[index].type)
    shaped = cast("Any", kind)
    wanted = VectorType(found.element_type, shaped.get_shape(), shaped.scalable_dims)
    if found != wanted:
        raise VerifyException(f"expected operand #{index + 1} type to be '{wanted}'")
