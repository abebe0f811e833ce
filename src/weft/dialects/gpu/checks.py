"""Checks of `gpu`'s operations that are in rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import DYNAMIC_INDEX, i8
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.engine.attributes import word_of
from weft.dialects.gpu.attribute_checks import verify_reduction
from weft.dialects.gpu.matrix_types import MMAMatrixType
from weft.dialects.memref.layouts import unknowns
from weft.dialects.verification import PlainVerifyException

if TYPE_CHECKING:
    from weft.dialects.rows import gpu

BYTES = "1D memref of 8-bit signless integer values"


def _same(op: gpu.SubgroupReduceOp | gpu.AllReduceOp) -> None:
    if op.value.type != op.result.type:
        raise VerifyException("requires the same type for all operands and results")


def _verify_unit_stride(memref: Attribute, role: str) -> None:
    ranked = narrow.memref(memref)
    strides = None if ranked is None else ranked.get_strides()
    if strides is None or (strides and strides[-1] != 1):
        raise PlainVerifyException(f"expected {role} memref most minor dim must have unit stride")


def _matrix(value: SSAValue) -> MMAMatrixType:
    assert isinstance(value.type, MMAMatrixType)
    return value.type


def _verify_element(scalar: SSAValue, matrix: SSAValue) -> None:
    if scalar.type != _matrix(matrix).element_type:
        raise VerifyException("failed to verify that value type matches element type of mma_matrix")


def rotate(op: gpu.RotateOp) -> None:
    """The width is a power of two, and the offset less."""
    offset, width = op.offset.value.data, op.width.value.data
    failed = "failed to satisfy constraint: 32-bit signless integer attribute whose"
    if offset < 0:
        raise VerifyException(f"attribute 'offset' {failed} minimum value is 0")
    if width <= 0 or width & width - 1:
        raise VerifyException(f"attribute 'width' {failed} value is a power of two > 0")
    if offset >= width:
        raise VerifyException(f"offset must be in the range [0, {width})")


def broadcast(op: gpu.SubgroupBroadcastOp) -> None:
    """A lane is named for that kind of broadcast only."""
    specific = op.broadcast_type.data.value == "specific_lane"
    if specific != (op.lane is not None):
        verb = "must" if specific else "can only"
        raise VerifyException(f"lane {verb} be specified for `specific_lane` broadcast")


def subgroup_reduce(op: gpu.SubgroupReduceOp) -> None:
    """A reduction of the type, over clusters whose size and stride are powers of two."""
    _same(op)
    verify_reduction(str(op.op.data), op.value.type)
    size, stride = op.cluster_size, op.cluster_stride.value.data
    if size is not None and (size.value.data & 0xFFFF_FFFF).bit_count() != 1:
        raise VerifyException(f"cluster size {size.value.data & 0xFFFF_FFFF} is not a power of two")
    if stride != 1 and size is None:
        raise VerifyException("cluster stride can only be specified if cluster size is specified")
    if (stride & 0xFFFF_FFFF).bit_count() != 1:
        raise VerifyException(f"cluster stride {stride & 0xFFFF_FFFF} is not a power of two")


def all_reduce(op: gpu.AllReduceOp) -> None:
    """A reduction of the type, by name or by a region that combines two values."""
    _same(op)
    if bool(op.body.blocks) == (op.op is not None):
        raise PlainVerifyException("expected either an op attribute or a non-empty body")
    if op.op is not None:
        verify_reduction(str(op.op.data), op.value.type)
    else:
        _verify_body(op)


def _verify_body(op: gpu.AllReduceOp) -> None:
    arguments = op.body.blocks[0].args
    if len(arguments) != 2:
        raise PlainVerifyException("expected two region arguments")
    if any(argument.type != op.value.type for argument in arguments):
        raise PlainVerifyException("incorrect region argument type")
    ends = [block.last_op for block in op.body.blocks]
    if None in ends:
        return  # Which is said of the block.
    yields = [last for last in ends if last is not None and last.name == "gpu.yield"]
    for end in yields:
        if len(end.operands) != 1:
            raise PlainVerifyException("expected one gpu.yield operand")
        if end.operands[0].type != op.value.type:
            raise PlainVerifyException("incorrect gpu.yield type")
    if not yields:
        raise PlainVerifyException("expected gpu.yield op in region")


def dynamic_memory(op: gpu.DynamicSharedMemoryOp) -> None:
    """The result must be a dynamic byte buffer in workgroup memory."""
    result = narrow.memref(op.result_memref.type)
    assert result is not None
    if result.element_type != i8 or result.get_num_dims() != 1:
        raise VerifyException(f"result #0 must be {BYTES}, but got '{result}'")
    if result.get_shape() != (-9223372036854775808,):
        raise VerifyException("result memref type must be memref<?xi8, #gpu.address_space<workgroup>>")
    if word_of(result.memory_space, "gpu.address_space") != "workgroup":
        raise VerifyException("address space must be address_space<workgroup>")


def alloc(op: gpu.AllocOp) -> None:
    """As many sizes as the shape leaves open, and symbols as the layout has."""
    found, expected = len(op.dynamic_sizes), sum(size == DYNAMIC_INDEX for size in op.memref.type.get_shape())
    if found != expected:
        raise VerifyException(f"incorrect number of dynamic sizes, has {found}, expected {expected}")
    symbols = unknowns(narrow.known_memref(op.memref.type))
    if len(op.symbol_operands) != symbols:
        raise VerifyException("symbol operand count does not equal memref symbol count")


def copy(op: gpu.MemcpyOp) -> None:
    """The same elements and shape."""
    dst, src = narrow.memref(op.dst.type), narrow.memref(op.src.type)
    assert dst is not None
    assert src is not None
    if dst.element_type != src.element_type:
        raise VerifyException("arguments have incompatible element type")
    pairs = zip(dst.get_shape(), src.get_shape(), strict=False)
    if dst.get_num_dims() != src.get_num_dims() or any(-1 not in pair and pair[0] != pair[1] for pair in pairs):
        raise VerifyException("arguments have incompatible shape")


def fill(op: gpu.MemsetOp) -> None:
    """A value of the buffer's elements."""
    dst = narrow.memref(op.dst.type)
    assert dst is not None
    if dst.element_type != narrow.element(op.value.type):
        raise VerifyException("failed to verify that all of {dst, value} have same element type")


def load_matrix(op: gpu.SubgroupMmaLoadMatrixOp) -> None:
    """Elements of a row are neighbours."""
    _verify_unit_stride(op.src_memref.type, "source")


def store_matrix(op: gpu.SubgroupMmaStoreMatrixOp) -> None:
    """Elements of a row are neighbours; only accumulators are stored."""
    _verify_unit_stride(op.dst_memref.type, "destination")
    if _matrix(op.src).operand.data != "COp":
        raise PlainVerifyException("expected the operand matrix being stored to have 'COp' operand type")


def compute(op: gpu.SubgroupMmaComputeOp) -> None:
    """The operands are A, B and C, in this order, and their shapes fit."""
    matrices = [_matrix(operand) for operand in (op.op_a, op.op_b, op.op_c)]
    if [matrix.operand.data for matrix in matrices] != ["AOp", "BOp", "COp"]:
        raise PlainVerifyException("operands must be in the order AOp, BOp, COp")
    (rows, depth), (same_depth, columns), extents = (matrix.sizes for matrix in matrices)
    if depth != same_depth or extents != (rows, columns):
        raise PlainVerifyException("operand shapes do not satisfy matmul constraints")


def extract(op: gpu.SubgroupMmaExtractThreadLocalOp) -> None:
    """The result is an element."""
    _verify_element(op.res, op.matrix)


def insert(op: gpu.SubgroupMmaInsertThreadLocalOp) -> None:
    """The value is an element."""
    _verify_element(op.value, op.matrix)
