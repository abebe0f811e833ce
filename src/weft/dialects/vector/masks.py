"""What MLIR's verifiers say of masks: `vector.mask` and what it masks, constant and created masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import Operation
from xdsl.ir.affine import AffineConstantExpr, AffineDimExpr, AffineMap
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.narrow import Vector, known_vector
from weft.dialects.vector.vocabulary import scalable
from weft.dialects.verification import PlainVerifyException

if TYPE_CHECKING:
    from xdsl.dialects.vector import CreateMaskOp, TransferReadOp, TransferWriteOp

    from weft.dialects.rows import vector

Extents = Sequence[tuple[int, bool]]
"""Each extent, and whether it is scalable."""


def extents(kind: Vector) -> Extents:
    """The extent of each dimension, and whether it is scalable."""
    return list(zip(kind.get_shape(), scalable(kind), strict=True))


def spelled(shape: Extents, element: object) -> str:
    """The text of a vector's type."""
    sizes = "".join(f"[{size}]x" if grows else f"{size}x" for size, grows in shape)
    return f"vector<{sizes}{element}>"


def mask_extents(map_: AffineMap, vector: Vector) -> Extents | None:
    """The extents of the mask of a transfer: the vector's in the order of the source's dimensions, without those that
    are repeated; None for a map whose results are more than dimensions and constants.
    """
    places: dict[int, tuple[int, bool]] = {}
    for expr, extent in zip(map_.results, extents(vector), strict=False):
        if isinstance(expr, AffineDimExpr):
            places.setdefault(expr.position, extent)
        elif not isinstance(expr, AffineConstantExpr):
            return None
    return [places[dim] for dim in sorted(places)] or [(1, False)]


def _of_transfer(op: TransferReadOp | TransferWriteOp) -> Extents:
    """Of a transfer whose map its own check has looked at."""
    vector = op.result_types[0] if op.name == "vector.transfer_read" else op.operand_types[0]
    return mask_extents(op.permutation_map.data, known_vector(vector)) or []


def iteration_space(op: vector.ContractOp) -> Extents:
    """The extent of each iterator of a product."""
    found: dict[int, tuple[int, bool]] = {}
    for index, value in zip(op.indexing_maps.data, (op.lhs, op.rhs), strict=False):
        found |= zip(narrow.positions(index.data), extents(known_vector(value.type)), strict=True)
    return [found[dim] for dim in sorted(found)]


_MASKABLE: dict[str, Callable[[Any], Extents]] = {
    "vector.contract": iteration_space,
    "vector.gather": lambda op: extents(op.result_types[0]),
    "vector.multi_reduction": lambda op: extents(op.operand_types[0]),
    "vector.outerproduct": lambda op: extents(op.result_types[0]),
    "vector.reduction": lambda op: extents(op.operand_types[0]),
    "vector.transfer_read": _of_transfer,
    "vector.transfer_write": _of_transfer,
}
"""The shape of the mask of each operation that can be masked."""
_WITH_REST = ("vector.gather", "vector.transfer_read")
"""Operations of which the lanes that are not set can be given."""


def verify_mask(op: vector.MaskOp) -> None:
    """Check a mask and what is in it.

    Raises:
        VerifyException: they do not fit.
    """
    inside: list[Operation] = list(op.mask_region.block.ops)
    if not inside or inside[-1].name != "vector.yield":
        raise VerifyException("expects a terminator within the mask region")
    *masked, last = inside
    if len(masked) > 1:
        raise VerifyException("expects only one operation to mask")
    if len(last.operands) != len(op.results):
        raise VerifyException("expects number of results to match mask region yielded values")
    if masked:
        _verify_masked(op, masked[0], last)


def _verify_masked(op: vector.MaskOp, masked: Operation, last: Operation) -> None:
    shape = _MASKABLE.get(masked.name)
    if shape is None:
        raise VerifyException("expects a MaskableOpInterface within the mask region")
    if len(masked.results) != len(op.results):
        raise VerifyException("expects number of results to match maskable operation number of results")
    if list(masked.results) != list(last.operands):
        raise VerifyException(
            "expects all the results from the MaskableOpInterface to match all the values returned by the terminator"
        )
    if masked.result_types != op.result_types:
        raise VerifyException("expects result type to match maskable operation result type")
    wanted = shape(masked)
    if extents(known_vector(op.mask.type)) != list(wanted):
        raise VerifyException(f"expects a '{spelled(wanted, i1)}' mask for the maskable operation")
    if op.passthru is not None:
        if masked.name not in _WITH_REST:
            raise VerifyException("doesn't expect a passthru argument for this maskable operation")
        if op.passthru.type != op.result_types[0]:
            raise VerifyException("expects passthru type to match result type")


def verify_constant_mask(op: vector.ConstantMaskOp) -> None:
    """Check the sizes of a constant mask.

    Raises:
        VerifyException: they do not fit its type.
    """
    kind = cast("VectorType[Any]", op.result.type)
    sizes: tuple[int, ...] = op.mask_dim_sizes.get_values()
    if not kind.get_num_dims():
        if len(sizes) != 1:
            raise PlainVerifyException("array attr must have length 1 for 0-D vectors")
        if sizes[0] not in (0, 1):
            raise PlainVerifyException("mask dim size must be either 0 or 1 for 0-D vectors")
        return
    if len(sizes) != kind.get_num_dims():
        raise VerifyException("must specify array attr of size equal vector result rank")
    for size, (extent, grows) in zip(sizes, extents(kind), strict=True):
        if not 0 <= size <= extent:
            raise VerifyException("array attr of size out of bounds of vector result dimension size")
        if grows and size not in (0, extent):
            raise VerifyException("only supports 'none set' or 'all set' scalable dimensions")
    if 0 in sizes and any(sizes):
        raise VerifyException("expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim")


def verify_create_mask(op: CreateMaskOp) -> None:
    """Check how many sizes a mask is created from.

    Raises:
        VerifyException: it is another number than that of its dimensions.
    """
    rank = cast("VectorType[Any]", op.mask_vector.type).get_num_dims()
    if rank == 0 and len(op.mask_dim_sizes) != 1:
        raise VerifyException("must specify exactly one operand for 0-D create_mask")
    if rank and len(op.mask_dim_sizes) != rank:
        raise VerifyException("must specify an operand for each result vector dimension")
