"""What `linalg.transpose`, `broadcast`, `map` and `reduce` demand of their operands, in upstream's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, cast

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects.foreign.linalg_operands import check_body, check_destinations, element_of, shape_of, unlike
from weft.dialects.verification import PlainVerifyException


def _transposed(op: Operation) -> None:
    order = list(cast("Any", op.properties["permutation"]).get_values())
    source, target = (shape_of(value.type) for value in op.operands)
    check_destinations(op)
    if len(source) != len(target):
        raise VerifyException(f"input rank {len(source)} does not match init rank {len(target)}")
    if sorted(order) != [*range(len(source))]:
        raise VerifyException("permutation is not valid")
    for place, by in enumerate(order):
        if target[place] != source[by]:
            raise VerifyException(
                f"dim(result, {place}) = {target[place]} doesn't match dim(input, permutation[{place}]) = {source[by]}"
            )
    _check_moved(op)


def _broadcast(op: Operation) -> None:
    added = list(cast("Any", op.properties["dimensions"]).get_values())
    source, target = (shape_of(value.type) for value in op.operands)
    check_destinations(op)
    if len(source) + len(added) != len(target):
        raise VerifyException(
            f"input rank plus added dimensions does not match init rank. input rank: {len(source)}, dimensions size: "
            f"{len(added)}, init rank: {len(target)}"
        )
    for place, dimension in enumerate(added):
        if not 0 <= dimension < len(target):
            raise VerifyException(
                f"dimension {place} is out of range. expected range: [0, {len(target) - 1}], got: {dimension}"
            )
    left = [axis for axis in range(len(target)) if axis not in added]
    if len(left) != len(source):
        raise VerifyException(
            f"input dim {len(source)} should match init dim {left[-1]}. input: 0, init: {target[left[-1]]}"
        )
    for place, axis in enumerate(left):
        if source[place] != target[axis]:
            raise VerifyException(
                f"input dim {place} should match init dim {axis}. input: {source[place]}, init: {target[axis]}"
            )
    _check_moved(op)


def _check_moved(op: Operation) -> None:
    kinds = [element_of(value.type) for value in op.operands]
    if kinds[0] != kinds[1]:
        raise PlainVerifyException(f"'linalg.yield' op {unlike(1, kinds[0], kinds[1])}")


def _listed(shape: Sequence[int]) -> str:
    return ", ".join(str(-(1 << 63)) if extent == -1 else str(extent) for extent in shape)


def _mapped(op: Operation) -> None:
    arguments = op.regions[0].blocks[0].args
    check_destinations(op)
    if len(arguments) != len(op.operands):
        raise VerifyException(
            f"expects number of operands to match the arity of mapper, but got: {len(op.operands)} and {len(arguments)}"
        )
    shape = shape_of(op.operands[-1].type)
    for argument, value in zip(arguments, op.operands[:-1], strict=False):
        if argument.type != element_of(value.type):
            raise VerifyException(
                f"expected element type of input '{element_of(value.type)}' to match bbArg type '{argument.type}'"
            )
        if shape_of(value.type) != shape:
            found = _listed(shape_of(value.type))
            raise VerifyException(f"expected shape of input ({found}) to match shape of output ({_listed(shape)})")
    check_body(op)


def _reduced(op: Operation) -> None:
    along = list(cast("Any", op.properties["dimensions"]).get_values())
    count = len(op.operands) // 2
    if any(low >= high for low, high in pairwise(along)):
        kind = "i64 dense array attribute should be in increasing order"
        raise VerifyException(f"attribute 'dimensions' failed to satisfy constraint: {kind}")
    check_destinations(op)
    shapes = [shape_of(value.type) for value in op.operands]
    for what, group in (("input", shapes[:count]), ("output", shapes[count:])):
        for place, shape in enumerate(group):
            if shape != group[0]:
                raise VerifyException(
                    f"expects all {what}s to have the same shapes. Shape at {what}-index {place} is not equal to the "
                    f"shape at {what}-index 0."
                )
    source, target = shapes[0], shapes[count]
    if any(not 0 <= axis < len(source) for axis in along):
        raise VerifyException(f"dimensions for reduction should be in the range [0, {len(source) - 1}].")
    left = [extent for axis, extent in enumerate(source) if axis not in along]
    if len(left) != len(target):
        raise VerifyException(
            f"number of dimensions after reduction {len(left)} doesn't match the init rank {len(target)}"
        )
    if left != list(target):
        raise VerifyException(
            f"init dimensions [{_listed(target)}] doesn't match input dimensions after reduction [{_listed(left)}]"
        )
    arguments = op.regions[0].blocks[0].args
    if len(arguments) != len(op.operands):
        raise VerifyException("mismatching number of operands and block arguments")
    for place, (argument, value) in enumerate(zip(arguments, op.operands, strict=True)):
        if argument.type != element_of(value.type):
            raise VerifyException(
                f"{'input' if place < count else 'output'} element type '{element_of(value.type)}' does not match "
                f"corresponding block argument type '{argument.type}'"
            )


MOVES: Mapping[str, Callable[[Operation], None]] = {
    "linalg.transpose": _transposed,
    "linalg.broadcast": _broadcast,
    "linalg.map": _mapped,
    "linalg.reduce": _reduced,
}
"""What checks each operation that moves, maps or reduces elements and has a syntax of its own."""
