"""What MLIR's verifiers say of operations of `tensor` and `bufferization` that fit their definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, TensorType
from xdsl.ir import Attribute, Block, Operation
from xdsl.utils.exceptions import VerifyException

from weft.dialects import slices
from weft.dialects.definitions import segments
from weft.dialects.kinds import Trait
from weft.dialects.traits import inherent
from weft.dialects.verification import PlainVerifyException


def element(kind: Attribute) -> Attribute:
    """The type of the elements of a tensor or memref."""
    return cast("Attribute", cast("Any", kind).element_type)


def extents(kind: Attribute) -> Sequence[int] | None:
    """The extents of a tensor or memref; None of one without a rank."""
    return tuple(cast("Any", kind).get_shape()) if isinstance(kind, TensorType | MemRefType) else None


def agree(one: Sequence[int] | None, other: Sequence[int] | None) -> bool:
    """Whether two shapes can be those of one value."""
    if one is None or other is None:
        return True
    return len(one) == len(other) and all(a == b or DYNAMIC_INDEX in (a, b) for a, b in zip(one, other, strict=True))


def dynamic(kind: Attribute) -> int:
    """How many extents are not known."""
    return (extents(kind) or ()).count(DYNAMIC_INDEX)


def _refuse(wrong: bool, message: str) -> None:
    if wrong:
        raise VerifyException(message)


def _shape(kind: Attribute) -> Sequence[int]:
    found = extents(kind)
    assert found is not None
    return found


def _spelled(shape: Sequence[int], kind: Attribute) -> str:
    sizes = "x".join("?" if extent == DYNAMIC_INDEX else str(extent) for extent in shape)
    return f"tensor<{sizes + 'x' if shape else ''}{element(kind)}>"


def _sliced(whole: int, part: Callable[[Operation], Attribute]) -> Trait:
    """A part of an operand has the sizes that are written, but for those of one element."""

    def trait(op: Operation) -> None:
        kind, found = op.operands[whole].type, part(op)
        rank = len(_shape(kind))
        parts = slices.lists(op, (rank, rank, rank))
        expected = _spelled(parts[1], kind)
        if slices.kept(parts[1], _shape(found)) is None:
            # MLIR leaves the blank at the end.
            raise PlainVerifyException(f"expected type to be '{expected}' or a rank-reduced version. (size mismatch) ")
        if element(found) != element(kind):
            raise PlainVerifyException(f"expected element type to be '{element(kind)}'")
        slices.within(_shape(kind), parts)

    return trait


def _collapsed(op: Operation) -> None:
    source, result = extents(op.operands[0].type), extents(op.results[0].type)
    if source is None or result is None or len(source) < len(result):
        raise VerifyException(
            f"expected the expanded type, '{op.operands[0].type}' to have a higher (or same) rank than the collapsed "
            f"type, '{op.results[0].type}'."
        )
    slices.verify_tensor_groups(op, result, source)


def _expanded(op: Operation) -> None:
    source, result = extents(op.operands[0].type), extents(op.results[0].type)
    sizes: Sequence[int] = cast("Any", inherent(op, "static_output_shape")).get_values()
    rank = len(result or ())
    _refuse(
        len(sizes) != rank,
        f"expected number of static shape dims to be equal to the output rank ({rank}) but found {len(sizes)} inputs "
        "instead",
    )
    wanted, given = sizes.count(DYNAMIC_INDEX), len(op.operands) - 1
    _refuse(
        wanted != given,
        "mismatch in dynamic dims in output_shape and static_output_shape: static_output_shape has "
        f"{wanted} dynamic dims while output_shape has {given} values",
    )
    if source is not None and result is not None:
        slices.verify_tensor_groups(op, source, result)


def _concatenated(op: Operation) -> None:
    result, dim = _shape(op.results[0].type), cast("Any", inherent(op, "dim")).value.data
    _refuse(not op.operands, "requires at least one input")
    kinds = op.operand_types
    shapes = [_shape(kind) for kind in kinds]
    _refuse(any(len(shape) != len(result) for shape in shapes), "rank of concatenated inputs must match result rank")
    _refuse(
        any(element(kind) != element(op.results[0].type) for kind in kinds), "inputs and result element type must match"
    )
    _refuse(dim >= len(result), "concatenation dim must be less than the tensor rank")
    inferred: list[int] = []
    for place in range(len(result)):
        found = [shape[place] for shape in shapes]
        known = [extent for extent in found if extent != DYNAMIC_INDEX]
        if place == dim:
            inferred.append(sum(found) if len(known) == len(found) else DYNAMIC_INDEX)
            continue
        _refuse(len(set(known)) > 1, f"static concatenation size mismatch along non-concatenated dimension {place}")
        inferred.append(known[0] if known else DYNAMIC_INDEX)
    expected = _spelled(inferred, op.results[0].type)
    _refuse(
        not agree(result, inferred),
        f"result type '{op.results[0].type}'does not match inferred shape '{expected}' static sizes",
    )


def _body(op: Operation, message: str, *, plain: bool = True) -> Block:
    """The block of an operation, with an index for each dimension of the result."""
    block, rank = op.regions[0].block, len(_shape(op.results[0].type))
    if len(block.args) != rank:
        raise (PlainVerifyException if plain else VerifyException)(message.format(rank))
    return block


def _yielded(block: Block, op: Operation) -> bool:
    last = block.last_op
    return last is not None and last.name == "tensor.yield" and last.operands[0].type == element(op.results[0].type)


def _generated(op: Operation) -> None:
    wanted, given = dynamic(op.results[0].type), len(op.operands)
    _refuse(wanted != given, f"incorrect number of dynamic sizes, has {given}, expected {wanted}")


def _generated_by(op: Operation) -> None:
    block = _body(op, "must have one body argument per input dimension")
    _refuse(not _yielded(block, op), "body must be terminated with a `yield` operation of the tensor element type")


def _padded(op: Operation) -> None:
    source, result = _shape(op.operands[0].type), _shape(op.results[0].type)
    low, high = (cast("Any", inherent(op, f"static_{side}")).get_values() for side in ("low", "high"))
    if not len(low) == len(source) == len(high):
        raise PlainVerifyException(
            f"failed to infer expectedType from sourceType '{op.operands[0].type}', specified resultType is "
            f"'{op.results[0].type}'"
        )
    expected = [
        DYNAMIC_INDEX if DYNAMIC_INDEX in (extent, before, behind) else extent + before + behind
        for extent, before, behind in zip(source, low, high, strict=True)
    ]
    if not agree(result, expected):
        raise PlainVerifyException(
            f"specified type '{op.results[0].type}' does not match the inferred type "
            f"'{_spelled(expected, op.operands[0].type)}'"
        )


def _padded_by(op: Operation) -> None:
    block = _body(op, "expected the block to have {} arguments")
    _refuse(not _yielded(block, op), "expected yield type to match shape element type")


def _reshaped(op: Operation) -> None:
    source, target = op.operands[0].type, op.results[0].type
    _refuse(
        element(source) != element(target), "element types of source and destination tensor types should be the same"
    )
    (count,), before, behind = _shape(op.operands[1].type), extents(source), extents(target)
    if behind is None:
        return
    if before is not None and DYNAMIC_INDEX not in (*before, *behind):
        _refuse(prod(before) != prod(behind), "source and destination tensor should have the same number of elements")
    _refuse(
        count == DYNAMIC_INDEX,
        "cannot use shape operand with dynamic length to reshape to statically-ranked tensor type",
    )
    _refuse(count != len(behind), "length of shape operand differs from the result's tensor rank")


def _picked(op: Operation, place: int, dims: Sequence[int], indices: Attribute, found: Attribute, side: str) -> None:
    """What `gather` gives or `scatter` takes: a slice for each list of coordinates."""
    kind = op.operands[place].type
    head = list(_shape(indices))[:-1]
    whole = [*head, *(1 if dim in dims else extent for dim, extent in enumerate(_shape(kind)))]
    reduced = [*head, *(extent for dim, extent in enumerate(_shape(kind)) if dim not in dims)]
    _refuse(
        list(_shape(found)) not in (whole, reduced) or element(found) != element(kind),
        f"{side} type mismatch: expected '{_spelled(whole, kind)}' or its rank-reduced variant "
        f"'{_spelled(reduced, kind)}' (got: '{found}')",
    )


def _within(op: Operation) -> None:
    """`gather` and `scatter` name dimensions that there are, in order, and move what is at them."""
    gathers = op.name == "tensor.gather"
    name, index, side = ("gather_dims", 0, "source") if gathers else ("scatter_dims", 1, "dest")
    dims: list[int] = list(cast("Any", inherent(op, name)).get_values())
    rank = len(_shape(op.operands[index].type))
    _refuse(not dims, f"{name} must be non-empty")
    _refuse(len(dims) > rank, f"{name} overflow {side} rank")
    _refuse(any(dim < 0 for dim in dims), f"{name} value must be non-negative")
    _refuse(any(dim >= rank for dim in dims), f"{name} value must be smaller than {side} rank")
    _refuse(sorted(set(dims)) != dims, f"{name} values must be strictly increasing")
    if gathers:
        _picked(op, 0, dims, op.operands[1].type, op.results[0].type, "result")
    else:
        _refuse(inherent(op, "unique") is None, "requires 'unique' attribute to be set")
        _picked(op, 1, dims, op.operands[2].type, op.operands[0].type, "source")


def _materialized(op: Operation) -> None:
    source, dest = op.operands[0].type, op.operands[1].type
    _refuse(element(source) != element(dest), "failed to verify that all of {source, dest} have same element type")
    _refuse(not agree(extents(source), extents(dest)), "source/destination shapes are incompatible")
    if isinstance(dest, MemRefType):
        _refuse(bool(op.results), "memref 'dest' implies zero results")
    else:
        _refuse(not op.results, "tensor 'dest' implies exactly one tensor result")
        _refuse(op.results[0].type != dest, "result and 'dest' types must match")
        _refuse(inherent(op, "restrict") is not None, "'restrict' is valid only for memref destinations")
    _refuse(
        (inherent(op, "writable") is not None) != isinstance(dest, MemRefType),
        "'writable' must be specified if and only if the destination is of memref type",
    )


def _tensor_allocated(op: Operation) -> None:
    sizes, copies, _ = segments(op)
    if copies:
        if sizes:
            raise PlainVerifyException("dynamic sizes not needed when copying a tensor")
        _refuse(op.operands[0].type != op.results[0].type, "expected that `copy` and return type match")
        return
    wanted = dynamic(op.results[0].type)
    _refuse(wanted != sizes, f"incorrect number of dynamic sizes, has {sizes}, expected {wanted}")


def _deallocated(op: Operation) -> None:
    memrefs, conditions, retained = segments(op)
    _refuse(conditions != memrefs, "must have the same number of conditions as memrefs to deallocate")
    _refuse(
        len(op.results) != retained, "must have the same number of updated conditions (results) as retained operands"
    )


def _combined(op: Operation) -> None:
    """What a loop's iterations put together goes into the loop's own results."""
    around = op.parent_op()
    loop = None if around is None or around.name != "scf.forall.in_parallel" else around.parent_op()
    dest = op.operands[1]
    if loop is not None and dest not in loop.regions[0].blocks[0].args:
        raise VerifyException("may only insert into an output block argument")


CHECKS: dict[str, Trait] = {
    "collapsed": _collapsed,
    "combined": _combined,
    "concatenated": _concatenated,
    "deallocated": _deallocated,
    "dims": _within,
    "expanded": _expanded,
    "extracted_slice": _sliced(0, lambda op: op.results[0].type),
    "generated": _generated,
    "generated_by": _generated_by,
    "inserted_slice": _sliced(1, lambda op: op.operands[0].type),
    "materialized": _materialized,
    "padded": _padded,
    "padded_by": _padded_by,
    "reshaped": _reshaped,
    "tensor_allocated": _tensor_allocated,
}
