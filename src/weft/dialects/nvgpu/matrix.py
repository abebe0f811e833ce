"""Warp-level matrix operations: `nvgpu.ldmatrix`, `nvgpu.mma.sync`, `nvgpu.mma.sp.sync`, `nvgpu.rcp`."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    I32,
    I64,
    ArrayAttr,
    BoolAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    UnitAttr,
    VectorType,
    f32,
    i16,
    i32,
)
from xdsl.irdl import (
    EqAttrConstraint,
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.narrow import Vector
from weft.dialects.nvgpu import verify
from weft.dialects.nvgpu.types import RcpRoundingMode, RcpRoundingModeAttr
from weft.dialects.verification import Described

_METADATA = "fixed-length vector of 16-bit signless integer values of length 2"


@irdl_op_definition
class LdMatrixOp(IRDLOperation):
    """`nvgpu.ldmatrix`: the warp loads `numTiles` tiles of 8 rows of 16 bytes from shared memory.

    Every lane gives the address of one row (`src_memref[indices]`); the result is `vector<numTiles x k x T>` with
    `k` elements of `T` in 32 bits.  `transpose` (16-bit elements only) hands out the tiles transposed.
    """

    name = "nvgpu.ldmatrix"

    src_memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType)
    transpose = prop_def(BoolAttr)
    num_tiles = prop_def(IntegerAttr[I32], prop_name="numTiles")
    res = result_def(VectorType)

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$src_memref `[` $indices `]` attr-dict `:` type($src_memref) `->` type($res)"

    def verify_(self) -> None:
        """Shared source, 32 bits a register, transposition of 16-bit elements only."""
        src, res = narrow.memref(self.src_memref.type), narrow.vector(self.res.type)
        assert src is not None
        assert res is not None
        tiles, transpose = self.num_tiles.value.data, bool(self.transpose.value.data)
        verify.ldmatrix(src, len(self.indices), res, tiles, transpose=transpose)


@irdl_op_definition
class StMatrixOp(IRDLOperation):
    """`nvgpu.stmatrix %src, %dst[indices] {transpose}`: the warp stores tiles of 8 rows of 16 bytes, sm_90 and up.

    Every lane gives the address of one row and `vector<tiles x k x T>` with `k` elements of `T` in 32 bits, as
    `nvgpu.ldmatrix` loads them; `transpose` (16-bit elements only) stores the tiles transposed.  MLIR 22 lacks it.
    """

    name = "nvgpu.stmatrix"

    src = operand_def(VectorType)
    dst_memref = operand_def(MemRefType)
    indices = var_operand_def(IndexType())
    transpose = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$src `,` $dst_memref `[` $indices `]` attr-dict `:` type($src) `,` type($dst_memref)"

    def verify_(self) -> None:
        """Shared destination, 1, 2 or 4 tiles of 32 bits a register, transposition of 16-bit elements only."""
        src, dst = narrow.vector(self.src.type), narrow.memref(self.dst_memref.type)
        assert src is not None
        assert dst is not None
        verify.stmatrix(src, dst, len(self.indices), transpose=self.transpose is not None)


@irdl_op_definition
class MmaSyncOp(IRDLOperation):
    """`nvgpu.mma.sync`: `res = matrix_a * matrix_b + matrix_c` on warp-wide fragments of shape `mmaShape` (m, n, k).

    Fragments are `vector<registers x elements-per-register x T>`; `tf32Enabled` lets f32 operands be read as tf32.
    """

    name = "nvgpu.mma.sync"

    matrix_a = operand_def(VectorType)
    matrix_b = operand_def(VectorType)
    matrix_c = operand_def(VectorType)
    mma_shape = prop_def(ArrayAttr[IntegerAttr[I64]], prop_name="mmaShape")
    tf32_enabled = opt_prop_def(UnitAttr, prop_name="tf32Enabled")
    res = result_def(VectorType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "`` `(` $matrix_a `,` $matrix_b `,` $matrix_c `)` attr-dict `:` "
        "`(` type($matrix_a) `,` type($matrix_b) `,` type($matrix_c) `)` `->` type($res)"
    )

    @property
    def shape(self) -> tuple[int, int, int]:
        """(m, n, k) of the warp-wide product."""
        m, n, k = (size.value.data for size in self.mma_shape)
        return m, n, k

    def verify_(self) -> None:
        """The fragments must hold the matrices of the shape."""
        sizes = [size.value.data for size in self.mma_shape]
        verify.mma(self.name, _fragments(self), sizes, tf32=self.tf32_enabled is not None, sparse=False)


@irdl_op_definition
class MmaSparseSyncOp(IRDLOperation):
    """`nvgpu.mma.sp.sync`: as `nvgpu.mma.sync`, with `matrix_a` 2:4 sparse; `sparse_metadata` says what was kept."""

    name = "nvgpu.mma.sp.sync"

    matrix_a = operand_def(VectorType)
    matrix_b = operand_def(VectorType)
    matrix_c = operand_def(VectorType)
    sparse_metadata = operand_def(Described(EqAttrConstraint(VectorType(i16, [2])), _METADATA))
    mma_shape = prop_def(ArrayAttr[IntegerAttr[I64]], prop_name="mmaShape")
    sparsity_selector = prop_def(IntegerAttr[I32], prop_name="sparsitySelector", default_value=IntegerAttr(0, i32))
    tf32_enabled = opt_prop_def(UnitAttr, prop_name="tf32Enabled")
    res = result_def(VectorType)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "`` `(` $matrix_a `,` $matrix_b `,` $matrix_c `)` `metadata` `` `(` $sparse_metadata `)` attr-dict `:` "
        "`(` type($matrix_a) `,` type($matrix_b) `,` type($matrix_c) `)` `->` type($res)"
    )

    @property
    def shape(self) -> tuple[int, int, int]:
        """(m, n, k) of the warp-wide product."""
        m, n, k = (size.value.data for size in self.mma_shape)
        return m, n, k

    def verify_(self) -> None:
        """The fragments must hold the matrices of the shape, with half of A left out."""
        sizes = [size.value.data for size in self.mma_shape]
        fragments = _fragments(self)
        verify.same_elements(fragments)
        if self.sparsity_selector.value.data not in (0, 1):
            raise VerifyException("sparsity selector should be 0 or 1")
        verify.mma(self.name, fragments, sizes, tf32=self.tf32_enabled is not None, sparse=True)


def _fragments(op: MmaSyncOp | MmaSparseSyncOp) -> tuple[Vector, Vector, Vector]:
    a, b, c = (narrow.vector(operand.type) for operand in (op.matrix_a, op.matrix_b, op.matrix_c))
    assert a is not None
    assert b is not None
    assert c is not None
    return a, b, c


@irdl_op_definition
class RcpOp(IRDLOperation):
    """`nvgpu.rcp`: elementwise reciprocal of a `vector<nxf32>`; only `approx, ftz` has an instruction."""

    name = "nvgpu.rcp"

    T: ClassVar = VarConstraint("T", Described(VectorType.constr(f32), "vector of 32-bit float values"))

    in_ = operand_def(T)
    rounding = prop_def(RcpRoundingModeAttr)
    ftz = opt_prop_def(UnitAttr)
    out = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$in_ `{` `rounding` `=` $rounding (`,` `ftz` $ftz^)? `}` attr-dict `:` type($out)"

    def verify_(self) -> None:
        """Only `approx, ftz` is supported."""
        if self.rounding.data != RcpRoundingMode.APPROX or self.ftz is None:
            rounding = f"#nvgpu<rcp_rounding_mode {self.rounding.data.value}>"
            raise VerifyException(f"has a limitation. {rounding} or non-ftz is not supported yet.")
