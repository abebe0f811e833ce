"""Tensor memory (sm_100a): products into it, and copies from it to registers.

A buffer in space `tensor` lies in 128 lanes of columns of 32 bits: axes `TLane` and `TCol` of its layout.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, UnitAttr, i1, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
)
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.pointers import TENSOR as TENSOR_POINTER
from weft.dialects.tile.asynchronous import AsyncProduct
from weft.dialects.tile.memory import buffer_type, matrix_shape, verify_product
from weft.dialects.tile.types import LOCAL, SHARED, TENSOR, BufferType


def _in(value: SSAValue, name: str, *spaces: str) -> None:
    if buffer_type(value).space.data not in spaces:
        raise VerifyException(f"expected '{name}' in space {' or '.join(spaces)}")


def _verify_alike(dst: SSAValue, src: SSAValue) -> None:
    to, of = buffer_type(dst), buffer_type(src)
    if matrix_shape(to) != matrix_shape(of) or to.element != of.element:
        raise VerifyException("expected tiles of one shape and one type")


@irdl_op_definition
class GemmTensorOp(AsyncProduct):
    """`tile.gemm_tensor %d, %a, %b (add %condition)?`: start d += a * b by `tcgen05.mma`.

    One thread comes.  `d` (M x N) is in tensor memory, `b` (K x N) in shared memory, `a` (M x K) in either; d = a * b
    where `add` does not hold, or with `fresh`.  With `pair`, it comes for two blocks, each of which has `d`, `a` and
    half of the columns of `b`, those of the even block in front.
    """

    name = "tile.gemm_tensor"

    pair = opt_prop_def(UnitAttr)

    def verify_(self) -> None:
        """Matrices whose extents meet, in the memories that they must be in."""
        _in(self.d, "d", TENSOR)
        _in(self.a, "a", SHARED, TENSOR)
        _in(self.b, "b", SHARED)
        verify_product(*(buffer_type(x) for x in (self.d, self.a, self.b)), halves=1 + (self.pair is not None))


@irdl_op_definition
class GemmScaledOp(IRDLOperation):
    """`tile.gemm_scaled %d, %a, %b scaled %sa, %sb (at %place)? (skip %rows)? (add %condition)?`: d += a * sa * b * sb.

    Each of equal runs of elements along K has a scale: a row of `scale_a` for each row of `a`, of `scale_b` for each
    column of `b`.  All are in the registers of a warp (`mma.sync`), or `d` is in tensor memory and the others in shared
    memory; then one thread comes, and the scales are copied to tensor memory at `place`.  With `pairs`, a byte of `a`
    and `b` holds two floats of 4 bits; `types` ("e2m3,e4m3") says what bytes are that have no type of their own; d is
    set, not added to, where `add` does not hold, or with `fresh`.

    In tensor memory `skip` rows of `scale_b`, a multiple of 64, are before those of `b`; with `pair`, the thread comes
    for two blocks, each of which has `d`, `a`, its scales, half of the columns of `b`, and the scales of all of them.
    """

    name = "tile.gemm_scaled"

    d = operand_def(BufferType)
    a = operand_def(BufferType)
    b = operand_def(BufferType)
    scale_a = operand_def(BufferType)
    scale_b = operand_def(BufferType)
    place = opt_operand_def(TENSOR_POINTER)
    skip = opt_operand_def(i32)
    add = opt_operand_def(i1)
    pair = opt_prop_def(UnitAttr)
    pairs = opt_prop_def(UnitAttr)
    fresh = opt_prop_def(UnitAttr)
    types = opt_prop_def(StringAttr)

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    assembly_format = (
        "$d `,` $a `,` $b `scaled` $scale_a `,` $scale_b (`at` $place^)? (`skip` $skip^)? (`add` $add^)? attr-dict "
        "`:` type($d) `,` type($a) `,` type($b) `,` type($scale_a) `,` type($scale_b)"
    )

    @staticmethod
    def of(
        tiles: Sequence[SSAValue],
        place: SSAValue | None,
        skip: SSAValue | None,
        add: SSAValue | None,
        *,
        pair: bool,
        pairs: bool,
        fresh: bool,
        types: str = "",
    ) -> GemmScaledOp:
        """Multiply the tiles d, a, b by the scales of a and b."""
        more = [[x] if x is not None else [] for x in (place, skip, add)]
        sizes = DenseArrayBase.from_list(i32, [1] * 5 + [len(x) for x in more])
        flags = {name: UnitAttr() for name, holds in {"pair": pair, "pairs": pairs, "fresh": fresh}.items() if holds}
        named = {"types": StringAttr(types)} if types else {}
        return GemmScaledOp.create(
            operands=[*tiles, *more[0], *more[1], *more[2]], properties={**flags, **named, "operandSegmentSizes": sizes}
        )

    def verify_(self) -> None:
        """Matrices whose extents meet, in the memories that they must be in."""
        d, a, b = (buffer_type(x) for x in (self.d, self.a, self.b))
        wanted = SHARED if d.space.data == TENSOR else LOCAL
        for name in ("a", "b", "scale_a", "scale_b"):
            _in(getattr(self, name), name, wanted)
        verify_product(d, a, b, halves=1 + (self.pair is not None))


@irdl_op_definition
class TensorReadOp(IRDLOperation):
    """`tile.tensor_read %dst, %src`: tensor memory to the registers of a warpgroup (`tcgen05.ld`), and wait for it."""

    name = "tile.tensor_read"

    dst = operand_def(BufferType)
    src = operand_def(BufferType)

    assembly_format = "$dst `,` $src attr-dict `:` type($dst) `,` type($src)"

    def verify_(self) -> None:
        """From tensor memory to registers, of one shape."""
        _in(self.dst, "dst", LOCAL)
        _in(self.src, "src", TENSOR)
        _verify_alike(self.dst, self.src)


@irdl_op_definition
class TensorWriteOp(IRDLOperation):
    """`tile.tensor_write %dst, %src`: the registers of a warpgroup to tensor memory (`tcgen05.st`), and wait for it."""

    name = "tile.tensor_write"

    dst = operand_def(BufferType)
    src = operand_def(BufferType)

    assembly_format = "$dst `,` $src attr-dict `:` type($dst) `,` type($src)"

    def verify_(self) -> None:
        """From registers to tensor memory, of one shape."""
        _in(self.dst, "dst", TENSOR)
        _in(self.src, "src", LOCAL)
        _verify_alike(self.dst, self.src)
