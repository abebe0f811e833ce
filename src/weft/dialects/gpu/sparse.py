"""Sparse matrices of the host (`cuSPARSE`), so that files with both sides can be read."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import OpaqueSyntaxAttribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    AttrSizedResultSegments,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_result_def,
    prop_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.str_enum import StrEnum

from weft.dialects.formats import Keyword
from weft.dialects.gpu.asynchronous import ASYNC, TOKEN, AsyncDependencies


@irdl_attr_definition
class DenseTensorHandleType(ParametrizedAttribute, TypeAttribute):
    """`!gpu.sparse.dntensor_handle`."""

    name = "gpu.sparse.dntensor_handle"


@irdl_attr_definition
class SparseMatrixHandleType(ParametrizedAttribute, TypeAttribute):
    """`!gpu.sparse.spmat_handle`."""

    name = "gpu.sparse.spmat_handle"


@irdl_attr_definition
class ProductHandleType(ParametrizedAttribute, TypeAttribute):
    """`!gpu.sparse.spgemmop_handle`."""

    name = "gpu.sparse.spgemmop_handle"


class TransposeMode(StrEnum):
    """Whether a matrix is read transposed."""

    NON_TRANSPOSE = "NON_TRANSPOSE"
    TRANSPOSE = "TRANSPOSE"
    CONJUGATE_TRANSPOSE = "CONJUGATE_TRANSPOSE"


@irdl_attr_definition
class TransposeModeAttr(Keyword, EnumAttribute[TransposeMode], OpaqueSyntaxAttribute):
    """`#gpu<mat_transpose_mode TRANSPOSE>`."""

    name = "gpu.mat_transpose_mode"


class Prune2To4SpMatFlag(StrEnum):
    """Whether a matrix is pruned, and checked."""

    NONE = "NONE"
    PRUNE_ONLY = "PRUNE_ONLY"
    PRUNE_AND_CHECK = "PRUNE_AND_CHECK"


@irdl_attr_definition
class Prune2To4SpMatFlagAttr(Keyword, EnumAttribute[Prune2To4SpMatFlag], OpaqueSyntaxAttribute):
    """`#gpu<prune_2to4_spmat_flag PRUNE_ONLY>`."""

    name = "gpu.prune_2to4_spmat_flag"


class SpGEMMWorkEstimationOrComputeKind(StrEnum):
    """Which step of a sparse product is taken."""

    WORK_ESTIMATION = "WORK_ESTIMATION"
    COMPUTE = "COMPUTE"


@irdl_attr_definition
class SpGEMMWorkEstimationOrComputeKindAttr(
    Keyword, EnumAttribute[SpGEMMWorkEstimationOrComputeKind], OpaqueSyntaxAttribute
):
    """`#gpu<spgemm_work_estimation_or_compute_kind COMPUTE>`."""

    name = "gpu.spgemm_work_estimation_or_compute_kind"


DENSE, SPARSE, PRODUCT, INDEX = DenseTensorHandleType(), SparseMatrixHandleType(), ProductHandleType(), IndexType()
_AS_WRITTEN = TransposeModeAttr(TransposeMode.NON_TRANSPOSE)
_A = "(`{` $modeA^ `}`)?"
_B = "(`{` $modeB^ `}`)?"


def _types(*names: str) -> str:
    return " `,` ".join(f"type(${name})" for name in names)


@irdl_op_definition
class CreateDnTensorOp(IRDLOperation):
    """`gpu.create_dn_tensor async? %memref, %dims : index, ... into memref`."""

    name = "gpu.create_dn_tensor"

    async_dependencies = var_operand_def(TOKEN)
    memref = operand_def(MemRefType)
    dims = var_operand_def(INDEX)
    dn_tensor = result_def(DENSE)
    async_token = opt_result_def(TOKEN)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    custom_directives = (AsyncDependencies,)
    assembly_format = f"{ASYNC} $memref `,` $dims attr-dict `:` type($dims) `into` type($memref)"


class DestroyOperation(IRDLOperation, ABC):
    """The end of a handle."""

    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)


@irdl_op_definition
class DestroyDnTensorOp(DestroyOperation):
    """`gpu.destroy_dn_tensor async? %tensor`."""

    name = "gpu.destroy_dn_tensor"

    async_dependencies = var_operand_def(TOKEN)
    dn_tensor = operand_def(DENSE)

    assembly_format = f"{ASYNC} $dn_tensor attr-dict"


@irdl_op_definition
class DestroySpMatOp(DestroyOperation):
    """`gpu.destroy_sp_mat async? %matrix`."""

    name = "gpu.destroy_sp_mat"

    async_dependencies = var_operand_def(TOKEN)
    spmat = operand_def(SPARSE)

    assembly_format = f"{ASYNC} $spmat attr-dict"


@irdl_op_definition
class SpGEMMDestroyDescrOp(DestroyOperation):
    """`gpu.spgemm_destroy_descr async? %descriptor`."""

    name = "gpu.spgemm_destroy_descr"

    async_dependencies = var_operand_def(TOKEN)
    desc = operand_def(PRODUCT)

    assembly_format = f"{ASYNC} $desc attr-dict"


@irdl_op_definition
class SpGEMMCreateDescrOp(IRDLOperation):
    """`gpu.spgemm_create_descr async?`."""

    name = "gpu.spgemm_create_descr"

    async_dependencies = var_operand_def(TOKEN)
    desc = result_def(PRODUCT)
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = f"{ASYNC} attr-dict"


class CreateOperation(IRDLOperation, ABC):
    """A sparse matrix made of its buffers."""

    spmat = result_def(SPARSE)
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)


@irdl_op_definition
class CreateCooOp(CreateOperation):
    """`gpu.create_coo async? %rows, %cols, %nnz, %rowIdxs, %colIdxs, %values : types`."""

    name = "gpu.create_coo"

    async_dependencies = var_operand_def(TOKEN)
    rows = operand_def(INDEX)
    cols = operand_def(INDEX)
    nnz = operand_def(INDEX)
    row_idxs = operand_def(MemRefType)
    col_idxs = operand_def(MemRefType)
    values = operand_def(MemRefType)

    assembly_format = (
        f"{ASYNC} $rows `,` $cols `,` $nnz `,` $row_idxs `,` $col_idxs `,` $values attr-dict `:` "
        f"{_types('row_idxs', 'col_idxs', 'values')}"
    )


@irdl_op_definition
class CreateCooAoSOp(CreateOperation):
    """`gpu.create_coo_aos async? %rows, %cols, %nnz, %idxs, %values : types`."""

    name = "gpu.create_coo_aos"

    async_dependencies = var_operand_def(TOKEN)
    rows = operand_def(INDEX)
    cols = operand_def(INDEX)
    nnz = operand_def(INDEX)
    idxs = operand_def(MemRefType)
    values = operand_def(MemRefType)

    assembly_format = f"{ASYNC} $rows `,` $cols `,` $nnz `,` $idxs `,` $values attr-dict `:` {_types('idxs', 'values')}"


@irdl_op_definition
class CreateCsrOp(CreateOperation):
    """`gpu.create_csr async? %rows, %cols, %nnz, %rowPos, %colIdxs, %values : types`."""

    name = "gpu.create_csr"

    async_dependencies = var_operand_def(TOKEN)
    rows = operand_def(INDEX)
    cols = operand_def(INDEX)
    nnz = operand_def(INDEX)
    row_pos = operand_def(MemRefType)
    col_idxs = operand_def(MemRefType)
    values = operand_def(MemRefType)

    assembly_format = (
        f"{ASYNC} $rows `,` $cols `,` $nnz `,` $row_pos `,` $col_idxs `,` $values attr-dict `:` "
        f"{_types('row_pos', 'col_idxs', 'values')}"
    )


@irdl_op_definition
class CreateCscOp(CreateOperation):
    """`gpu.create_csc async? %rows, %cols, %nnz, %colPos, %rowIdxs, %values : types`."""

    name = "gpu.create_csc"

    async_dependencies = var_operand_def(TOKEN)
    rows = operand_def(INDEX)
    cols = operand_def(INDEX)
    nnz = operand_def(INDEX)
    col_pos = operand_def(MemRefType)
    row_idxs = operand_def(MemRefType)
    values = operand_def(MemRefType)

    assembly_format = (
        f"{ASYNC} $rows `,` $cols `,` $nnz `,` $col_pos `,` $row_idxs `,` $values attr-dict `:` "
        f"{_types('col_pos', 'row_idxs', 'values')}"
    )


@irdl_op_definition
class CreateBsrOp(CreateOperation):
    """`gpu.create_bsr async? %brows, %bcols, %bnnz, %rBlockSize, %cBlockSize, %bRowPos, %bColIdxs, %values : types`."""

    name = "gpu.create_bsr"

    async_dependencies = var_operand_def(TOKEN)
    brows = operand_def(INDEX)
    bcols = operand_def(INDEX)
    bnnz = operand_def(INDEX)
    r_block_size = operand_def(INDEX)
    c_block_size = operand_def(INDEX)
    b_row_pos = operand_def(MemRefType)
    b_col_idxs = operand_def(MemRefType)
    values = operand_def(MemRefType)

    assembly_format = (
        f"{ASYNC} $brows `,` $bcols `,` $bnnz `,` $r_block_size `,` $c_block_size `,` $b_row_pos `,` $b_col_idxs `,` "
        f"$values attr-dict `:` {_types('b_row_pos', 'b_col_idxs', 'values')}"
    )


@irdl_op_definition
class Create2To4SpMatOp(IRDLOperation):
    """`gpu.create_2to4_spmat async? {PRUNE_AND_CHECK} %rows, %cols, %memref : memref`."""

    name = "gpu.create_2to4_spmat"

    async_dependencies = var_operand_def(TOKEN)
    rows = operand_def(INDEX)
    cols = operand_def(INDEX)
    memref = operand_def(MemRefType)
    prune_flag = prop_def(Prune2To4SpMatFlagAttr, prop_name="pruneFlag")
    sp_mat = result_def(SPARSE)
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = f"{ASYNC} `{{` $pruneFlag `}}` $rows `,` $cols `,` $memref attr-dict `:` type($memref)"


@irdl_op_definition
class SetCsrPointersOp(IRDLOperation):
    """`gpu.set_csr_pointers async? %spmat, %positions, %coordinates, %values : types`."""

    name = "gpu.set_csr_pointers"

    async_dependencies = var_operand_def(TOKEN)
    spmat = operand_def(SPARSE)
    positions = operand_def(MemRefType)
    coordinates = operand_def(MemRefType)
    values = operand_def(MemRefType)
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = (
        f"{ASYNC} $spmat `,` $positions `,` $coordinates `,` $values attr-dict `:` "
        f"{_types('positions', 'coordinates', 'values')}"
    )


@irdl_op_definition
class SpMatGetSizeOp(IRDLOperation):
    """`gpu.spmat_get_size async? %spmat`: rows, columns, stored elements."""

    name = "gpu.spmat_get_size"

    async_dependencies = var_operand_def(TOKEN)
    spmat = operand_def(SPARSE)
    rows = result_def(INDEX)
    cols = result_def(INDEX)
    nnz = result_def(INDEX)
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = f"{ASYNC} $spmat attr-dict"


@irdl_op_definition
class SpMVBufferSizeOp(IRDLOperation):
    """`gpu.spmv_buffer_size async? %A{mode}?, %x, %y into T`."""

    name = "gpu.spmv_buffer_size"

    async_dependencies = var_operand_def(TOKEN)
    spmat_a = operand_def(SPARSE)
    dn_x = operand_def(DENSE)
    dn_y = operand_def(DENSE)
    mode_a = prop_def(TransposeModeAttr, prop_name="modeA", default_value=_AS_WRITTEN)
    compute_type = prop_def(TypeAttribute, prop_name="computeType")
    buffer_sz = result_def(INDEX)
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = f"{ASYNC} $spmat_a {_A} `,` $dn_x `,` $dn_y attr-dict `into` $computeType"


@irdl_op_definition
class SpMVOp(IRDLOperation):
    """`gpu.spmv async? %A{mode}?, %x, %y, %buffer : memref into T`: y = A x."""

    name = "gpu.spmv"

    async_dependencies = var_operand_def(TOKEN)
    spmat_a = operand_def(SPARSE)
    dn_x = operand_def(DENSE)
    dn_y = operand_def(DENSE)
    buffer = operand_def(MemRefType)
    mode_a = prop_def(TransposeModeAttr, prop_name="modeA", default_value=_AS_WRITTEN)
    compute_type = prop_def(TypeAttribute, prop_name="computeType")
    async_token = opt_result_def(TOKEN)

    custom_directives = (AsyncDependencies,)
    assembly_format = (
        f"{ASYNC} $spmat_a {_A} `,` $dn_x `,` $dn_y `,` $buffer attr-dict `:` type($buffer) `into` $computeType"
    )


class TwoModes(IRDLOperation, ABC):
    """A product of two matrices, each of which may be transposed."""

    mode_a = prop_def(TransposeModeAttr, prop_name="modeA", default_value=_AS_WRITTEN)
    mode_b = prop_def(TransposeModeAttr, prop_name="modeB", default_value=_AS_WRITTEN)
    compute_type = prop_def(TypeAttribute, prop_name="computeType")

    custom_directives = (AsyncDependencies,)


@irdl_op_definition
class SpMMBufferSizeOp(TwoModes):
    """`gpu.spmm_buffer_size async? %A{mode}?, %B{mode}?, %C : index, ... into T`."""

    name = "gpu.spmm_buffer_size"

    async_dependencies = var_operand_def(TOKEN)
    spmat_a = operand_def(SPARSE)
    dnmat_b = operand_def(DENSE)
    dnmat_c = operand_def(DENSE)
    buffer_szs = var_result_def(INDEX)
    async_token = opt_result_def(TOKEN)

    irdl_options = (AttrSizedResultSegments(as_property=True),)
    assembly_format = (
        f"{ASYNC} $spmat_a {_A} `,` $dnmat_b {_B} `,` $dnmat_c attr-dict `:` type($buffer_szs) `into` $computeType"
    )


@irdl_op_definition
class SpMMOp(TwoModes):
    """`gpu.spmm async? %A{mode}?, %B{mode}?, %C, %buffers : memrefs into T`: C = A B."""

    name = "gpu.spmm"

    async_dependencies = var_operand_def(TOKEN)
    spmat_a = operand_def(SPARSE)
    dnmat_b = operand_def(DENSE)
    dnmat_c = operand_def(DENSE)
    buffers = var_operand_def(MemRefType)
    async_token = opt_result_def(TOKEN)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        f"{ASYNC} $spmat_a {_A} `,` $dnmat_b {_B} `,` $dnmat_c `,` $buffers attr-dict `:` type($buffers) "
        "`into` $computeType"
    )


@irdl_op_definition
class SDDMMBufferSizeOp(TwoModes):
    """`gpu.sddmm_buffer_size async? %A{mode}?, %B{mode}?, %C into T`."""

    name = "gpu.sddmm_buffer_size"

    async_dependencies = var_operand_def(TOKEN)
    dnmat_a = operand_def(DENSE)
    dnmat_b = operand_def(DENSE)
    spmat_c = operand_def(SPARSE)
    buffer_sz = result_def(INDEX)
    async_token = opt_result_def(TOKEN)

    assembly_format = f"{ASYNC} $dnmat_a {_A} `,` $dnmat_b {_B} `,` $spmat_c attr-dict `into` $computeType"


@irdl_op_definition
class SDDMMOp(TwoModes):
    """`gpu.sddmm async? %A{mode}?, %B{mode}?, %C, %buffer : memref into T`: C = A B where C has elements."""

    name = "gpu.sddmm"

    async_dependencies = var_operand_def(TOKEN)
    dnmat_a = operand_def(DENSE)
    dnmat_b = operand_def(DENSE)
    spmat_c = operand_def(SPARSE)
    buffer = operand_def(MemRefType)
    async_token = opt_result_def(TOKEN)

    assembly_format = (
        f"{ASYNC} $dnmat_a {_A} `,` $dnmat_b {_B} `,` $spmat_c `,` $buffer attr-dict `:` type($buffer) "
        "`into` $computeType"
    )


@irdl_op_definition
class SpGEMMWorkEstimationOrComputeOp(TwoModes):
    """`gpu.spgemm_work_estimation_or_compute async? {COMPUTE} %A, %B, %C, %desc, %size, %buffer : T into memref`."""

    name = "gpu.spgemm_work_estimation_or_compute"

    async_dependencies = var_operand_def(TOKEN)
    desc = operand_def(PRODUCT)
    spmat_a = operand_def(SPARSE)
    spmat_b = operand_def(SPARSE)
    spmat_c = operand_def(SPARSE)
    buffer_sz = operand_def(INDEX)
    buffer = operand_def(MemRefType)
    kind = prop_def(SpGEMMWorkEstimationOrComputeKindAttr)
    buffer_sz_new = result_def(INDEX)
    async_token = opt_result_def(TOKEN)

    assembly_format = (
        f"{ASYNC} `{{` $kind `}}` $spmat_a {_A} `,` $spmat_b {_B} `,` $spmat_c `,` $desc `,` $buffer_sz `,` $buffer "
        "attr-dict `:` $computeType `into` type($buffer)"
    )


@irdl_op_definition
class SpGEMMCopyOp(TwoModes):
    """`gpu.spgemm_copy async? %A{mode}?, %B{mode}?, %C, %desc : T`."""

    name = "gpu.spgemm_copy"

    async_dependencies = var_operand_def(TOKEN)
    desc = operand_def(PRODUCT)
    spmat_a = operand_def(SPARSE)
    spmat_b = operand_def(SPARSE)
    spmat_c = operand_def(SPARSE)
    async_token = opt_result_def(TOKEN)

    assembly_format = f"{ASYNC} $spmat_a {_A} `,` $spmat_b {_B} `,` $spmat_c `,` $desc attr-dict `:` $computeType"
