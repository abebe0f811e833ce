"""What a thread starts and does not wait for: tensor copies (TMA) of tiles, and products of a warpgroup (`wgmma`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import I64, DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, i1, i16, i32, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.tile.memory import buffer_type, verify_product
from weft.dialects.tile.types import LOCAL, SHARED, BufferType

REDUCTIONS = ("add", "min", "max", "inc", "dec", "and", "or", "xor")
"""How a tensor store combines."""


def _shared(value: SSAValue, what: str) -> None:
    if buffer_type(value).space.data != SHARED:
        raise VerifyException(f"expected {what} in shared memory")


def _verify_dimensions(tile: SSAValue, dimensions: Sequence[int], coordinates: int) -> None:
    if len(dimensions) != len(buffer_type(tile).shape) or any(not -1 <= each < coordinates for each in dimensions):
        raise VerifyException("expected a dimension of the tensor for each dimension of the tile")


@irdl_op_definition
class TensorLoadOp(IRDLOperation):
    """`tile.tensor_load %dst, %map, %barrier[%i, %j] {dimensions}`: start to copy a box of a tensor into a tile.

    `map` points to the tensor map, whose box is that of the tile's layout (`weft.layout.boxes`).  Coordinates are the
    tensor's, its first dimension first; `dimensions` has the tensor's dimension for each of the tile's, -1 for those of
    extent 1.  The bytes count at the barrier.  With `mask`, the same place of each of its blocks is written; with
    `pair`, the barrier may be in the other block of the pair.  With `offsets`, the tile is a column of pixels (im2col).
    """

    name = "tile.tensor_load"

    dst = operand_def(BufferType)
    map = operand_def(LLVMPointerType)
    barrier = operand_def(LLVMPointerType)
    coordinates = var_operand_def(i32)
    offsets = var_operand_def(i16)
    mask = opt_operand_def(i16)
    predicate = opt_operand_def(i1)
    dimensions = prop_def(DenseArrayBase.constr(i64))
    pair = opt_prop_def(UnitAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$dst `,` $map `,` $barrier `[` $coordinates `]` (`offsets` `[` $offsets^ `]`)? (`mask` $mask^)? "
        "(`if` $predicate^)? attr-dict `:` type($dst) `,` type($map) `,` type($barrier)"
    )

    @staticmethod
    def of(
        dst: SSAValue,
        map: SSAValue,
        barrier: SSAValue,
        coordinates: Sequence[SSAValue],
        dimensions: Sequence[int],
        mask: SSAValue | None = None,
        predicate: SSAValue | None = None,
        offsets: Sequence[SSAValue] = (),
    ) -> TensorLoadOp:
        """Start a copy into shared memory."""
        more = [[mask] if mask is not None else [], [predicate] if predicate is not None else []]
        sizes = [1, 1, 1, len(coordinates), len(offsets), len(more[0]), len(more[1])]
        return TensorLoadOp.create(
            operands=[dst, map, barrier, *coordinates, *offsets, *more[0], *more[1]],
            properties={
                "dimensions": DenseArrayBase.from_list(i64, dimensions),
                "operandSegmentSizes": DenseArrayBase.from_list(i32, sizes),
            },
        )

    def verify_(self) -> None:
        """A tile in shared memory, whose dimensions are some of the tensor's."""
        _shared(self.dst, "a tile")
        _verify_dimensions(self.dst, self.dimensions.get_values(), len(self.coordinates))


@irdl_op_definition
class TensorStoreOp(IRDLOperation):
    """`tile.tensor_store %map, %src[%i, %j] {dimensions}`: start to copy a tile into a box of a tensor.

    As `tile.tensor_load`; the copy belongs to the thread's next group of bulk copies.  `reduction` combines with what
    is there.
    """

    name = "tile.tensor_store"

    map = operand_def(LLVMPointerType)
    src = operand_def(BufferType)
    coordinates = var_operand_def(i32)
    dimensions = prop_def(DenseArrayBase.constr(i64))
    reduction = opt_prop_def(StringAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$map `,` $src `[` $coordinates `]` attr-dict `:` type($map) `,` type($src)"

    @staticmethod
    def of(
        map: SSAValue,
        src: SSAValue,
        coordinates: Sequence[SSAValue],
        dimensions: Sequence[int],
        reduction: str | None = None,
    ) -> TensorStoreOp:
        """Start a copy into global memory."""
        properties: dict[str, Attribute] = {"dimensions": DenseArrayBase.from_list(i64, dimensions)}
        if reduction is not None:
            properties["reduction"] = StringAttr(reduction)
        return TensorStoreOp.create(operands=[map, src, *coordinates], properties=properties)

    def verify_(self) -> None:
        """A tile in shared memory, whose dimensions are some of the tensor's; a reduction that there is."""
        _shared(self.src, "a tile")
        _verify_dimensions(self.src, self.dimensions.get_values(), len(self.coordinates))
        if self.reduction is not None and self.reduction.data not in REDUCTIONS:
            raise VerifyException(f"expected a reduction of {', '.join(REDUCTIONS)}, found '{self.reduction.data}'")


class AsyncProduct(IRDLOperation):
    """What products that one thread or warpgroup starts have in common: d += a * b where `add` holds.

    `d` is M x N, `a` M x K, `b` K x N; d = a * b where `add` does not hold, or with `fresh`.  With `metadata`, words
    in registers, `a` is the half of M x K that is stored.
    """

    d = operand_def(BufferType)
    a = operand_def(BufferType)
    b = operand_def(BufferType)
    add = opt_operand_def(i1)
    metadata = opt_operand_def(BufferType)
    fresh = opt_prop_def(UnitAttr)
    unsigned_a = opt_prop_def(UnitAttr)
    unsigned_b = opt_prop_def(UnitAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$d `,` $a `,` $b (`add` $add^)? (`metadata` $metadata^ `:` type($metadata))? attr-dict `:` type($d) `,` "
        "type($a) `,` type($b)"
    )

    @classmethod
    def of(
        cls,
        d: SSAValue,
        a: SSAValue,
        b: SSAValue,
        add: SSAValue | None = None,
        metadata: SSAValue | None = None,
        *,
        fresh: bool = False,
        unsigned_a: bool = False,
        unsigned_b: bool = False,
    ) -> Self:
        """Start to multiply; adds always, where the condition holds, or (`fresh`) never."""
        flags = {"fresh": fresh, "unsigned_a": unsigned_a, "unsigned_b": unsigned_b}
        further = [add, metadata]
        sizes = [1, 1, 1, *(int(x is not None) for x in further)]
        return cls.create(
            operands=[d, a, b, *(x for x in further if x is not None)],
            properties={
                "operandSegmentSizes": DenseArrayBase.from_list(i32, sizes),
                **{name: UnitAttr() for name, holds in flags.items() if holds},
            },
        )


@irdl_op_definition
class GemmAsyncOp(AsyncProduct):
    """`tile.gemm_async %d, %a, %b (add %condition)? (metadata %e)?`: start d += a * b (d = a * b without `add`) by
    `wgmma`.

    `a` (M x K) is in shared memory or in registers, `b` (K x N) in shared memory, `d` (M x N) in the registers of a
    warpgroup; nothing may touch `d` until a wait for the product's group.  With `fresh`, nothing is added at all.
    """

    name = "tile.gemm_async"

    def verify_(self) -> None:
        """Matrices whose extents meet, in the memories that they must be in."""
        d, a, b = (buffer_type(x) for x in (self.d, self.a, self.b))
        if d.space.data != LOCAL or a.space.data not in (SHARED, LOCAL) or b.space.data != SHARED:
            raise VerifyException("expected 'd' in registers, 'a' in shared memory or registers, 'b' in shared memory")
        verify_product(d, a, b, stored=2 if self.metadata is not None else 1)
        if self.metadata is not None and buffer_type(self.metadata).space.data != LOCAL:
            raise VerifyException("expected 'metadata' in registers")


@irdl_op_definition
class WgmmaOp(IRDLOperation):
    """`wgmma.product`: one `wgmma.mma_async`: sums in registers, A by a descriptor (i64) or in registers (i32), B by a
    descriptor; `add` says whether the sums are added (always where it is left out and `fresh` is not given).  With
    `metadata` (i32), A is sparse, and the words are those of the lanes that `selector` names.
    """

    name = "wgmma.product"

    accumulators = var_operand_def()
    a = var_operand_def()
    b = operand_def(i64)
    add = opt_operand_def(i1)
    metadata = opt_operand_def(i32)
    selector = opt_prop_def(IntegerAttr[I64])
    n = prop_def(IntegerAttr[I64])
    k = prop_def(IntegerAttr[I64])
    dtype = prop_def(StringAttr)
    atype = prop_def(StringAttr)
    btype = prop_def(StringAttr)
    fresh = opt_prop_def(UnitAttr)
    transpose_a = opt_prop_def(UnitAttr)
    transpose_b = opt_prop_def(UnitAttr)
    sums = var_result_def()

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$accumulators `,` $a `,` $b (`add` $add^)? (`metadata` $metadata^)? attr-dict `:` type($accumulators) `,` "
        "type($a) `->` type($sums)"
    )
