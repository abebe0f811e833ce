"""The operands of structured operations of `linalg`: shapes, elements, inputs and outputs, the body's arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.dialects.builtin import MemRefType, TensorType, UnrankedMemRefType, UnrankedTensorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects.definitions import segments


def shape_of(kind: Attribute) -> Sequence[int]:
    """The extents of an operand, -1 for those not known; a scalar has none, as what has no rank."""
    if not isinstance(kind, MemRefType | TensorType):
        return ()
    return tuple(max(extent, -1) for extent in cast("Any", kind).get_shape())


def element_of(kind: Attribute) -> Attribute:
    """The type of an operand's elements; of a scalar itself."""
    return cast("Any", kind).element_type if isinstance(kind, MemRefType | TensorType) else kind


def inputs_of(op: Operation) -> int:
    """How many of the operands are inputs."""
    rest = op.name.removeprefix("linalg.")
    if rest in {"transpose", "broadcast"}:
        return 1
    if rest in {"map", "reduce"}:
        return len(op.operands) // 2 if rest == "reduce" else len(op.operands) - 1
    return segments(op)[0]


def check_destinations(op: Operation) -> None:
    """Each output that is a tensor gives a result of its type; operands are all tensors or all buffers."""
    first = inputs_of(op)
    outputs = [(place, kind) for place, kind in enumerate(op.operand_types) if place >= first]
    tensors = [(place, kind) for place, kind in outputs if is_tensor(kind)]
    if len(tensors) != len(op.results):
        raise VerifyException(
            f"expected the number of tensor results ({len(op.results)}) to be equal to the number of output tensors "
            f"({len(tensors)})"
        )
    for (place, kind), result in zip(tensors, op.results, strict=True):
        if kind != result.type:
            raise VerifyException(
                f"expected type of operand #{place} ('{kind}') to match type of corresponding result ('{result.type}')"
            )
    found = [isinstance(value.type, TensorType | UnrankedTensorType) for value in op.operands if not is_scalar(value)]
    if found and any(found) and not all(found):
        raise VerifyException("expected to have pure tensor or buffer semantics")


def is_tensor(kind: Attribute) -> bool:
    """Whether a type is a tensor of known rank."""
    return isinstance(kind, TensorType)


def is_scalar(value: SSAValue) -> bool:
    """Whether an operand is neither a tensor nor a buffer."""
    return not isinstance(value.type, MemRefType | TensorType | UnrankedMemRefType | UnrankedTensorType)


def check_body(op: Operation) -> None:
    """The body of an operation that is written with one: an argument for each operand, of its elements' type."""
    if not op.regions:
        return
    if len(op.regions[0].blocks) != 1:
        raise VerifyException("expects to have 1 region with 1 block")
    arguments = op.regions[0].blocks[0].args
    if len(arguments) != len(op.operands):
        raise VerifyException(
            "expected as many non-induction variable region arguments as the number of input/output operands"
        )
    for place, (argument, value) in enumerate(zip(arguments, op.operands, strict=True)):
        wanted = element_of(value.type)
        if argument.type != wanted:
            raise VerifyException(
                f"expected type of bb argument #{place} ('{argument.type}') to match element or self type of the "
                f"corresponding operand ('{wanted}')"
            )


def unlike(place: int, found: Attribute, wanted: Attribute) -> str:
    """What upstream says of a `linalg.yield` of another type than the output's elements have."""
    around = "the element type of the enclosing linalg.generic op"
    return f"type of yield operand {place} ('{found}') doesn't match {around} ('{wanted}')"
