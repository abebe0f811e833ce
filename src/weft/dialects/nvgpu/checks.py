"""Upstream's conditions on nvgpu operations, in upstream's words (MLIR 22, `NVGPUDialect.cpp`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float8E4M3FNType,
    Float8E5M2Type,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatTF32Type,
    IntegerType,
    i8,
    i32,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.narrow import MemRef, Vector
from weft.dialects.nvgpu.types import TensorMapDescriptorType
from weft.dialects.verification import PlainVerifyException, element_bits, is_shared

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

_SHARED = "must have a memory space attribute of IntegerAttr(3) or gpu::AddressSpaceAttr(Workgroup)"
_THREADS = 32
_TILE = 8
_MAX_COORDINATES = 5
_MAX_BOX = 256
_SWIZZLE_BYTES = {"swizzle_32b": 32, "swizzle_64b": 64, "swizzle_128b": 128}
_WGMMA_M = 64


def _last_dimension_has_unit_stride(memref: MemRef) -> bool:
    strides = memref.get_strides()
    return strides is not None and (not strides or strides[-1] == 1)


def async_copy(op: nvgpu.DeviceAsyncCopyOp) -> None:
    """Shared destination, unit stride, 4, 8 or 16 bytes, 16 when L1 is bypassed."""
    dst, src, elements = op.dst.type, op.src.type, op.dst_elements.value.data
    if not _last_dimension_has_unit_stride(src):
        raise PlainVerifyException("source memref most minor dim must have unit stride")
    if not _last_dimension_has_unit_stride(dst):
        raise PlainVerifyException("destination memref most minor dim must have unit stride")
    if not is_shared(dst.memory_space):
        raise PlainVerifyException(f"destination memref {_SHARED}")
    if dst.element_type != src.element_type:
        raise PlainVerifyException("source and destination must have the same element type")
    _indices(src, op.src_indices, "source ")
    _indices(dst, op.dst_indices, "destination ")
    width = element_bits(dst.element_type)
    if width is None:
        raise VerifyException(f"cannot copy elements of type {dst.element_type}")
    allowed = [size // width for size in (32, 64, 128) if size >= width]
    if elements not in allowed:
        raise PlainVerifyException(
            f"Requested copy elements is {elements} with width {width}. "
            f"But copy elements could be one of {', '.join(map(str, allowed))}."
        )
    if op.bypass_l1 is not None and elements * width != 128:
        raise VerifyException(
            f"bypassL1 does not satify alignment for '{dst}' with destination element {elements}. "
            f"Unset bypassL1, or set destination element to {128 // width}"
        )


def _indices(kind: MemRef, given: Sequence[SSAValue], noun: str = "") -> None:
    if kind.get_num_dims() != len(given):
        raise VerifyException(f"expected {kind.get_num_dims()} {noun}indices, got {len(given)}")


def ldmatrix(op: nvgpu.LdmatrixOp) -> None:
    """Shared source, 32 bits a register, transposition of 16-bit elements only."""
    src, res = op.src_memref.type, op.res.type
    if src.element_type != res.element_type:
        raise VerifyException("failed to verify that srcMemref and res have same element type")
    bits = element_bits(src.element_type)
    if not is_shared(src.memory_space):
        raise PlainVerifyException(f"expected nvgpu.ldmatrix srcMemref {_SHARED}")
    if bits is None or bits > 32:
        raise PlainVerifyException("nvgpu.ldmatrix works for 32b or lower")
    if op.transpose.value.data and bits != 16:
        raise PlainVerifyException("nvgpu.ldmatrix transpose works only at 16b granularity")
    shape = res.get_shape()
    if len(shape) != 2:
        raise PlainVerifyException("results must be 2 dimensional vector")
    if shape[1] != 32 // bits:
        raise PlainVerifyException(f"expected vector register shape[1] = {32 // bits}")
    if shape[0] != op.num_tiles.value.data:
        raise PlainVerifyException("expected vector register shape[0] and numTiles to match")
    _indices(src, op.indices)


def stmatrix(op: nvgpu.StmatrixOp) -> None:
    """As `nvgpu.ldmatrix` is checked; 1, 2 or 4 tiles."""
    src, dst = op.src.type, op.dst_memref.type
    bits = element_bits(dst.element_type)
    if src.element_type != dst.element_type:
        raise VerifyException("failed to verify that src and dstMemref have same element type")
    if not is_shared(dst.memory_space):
        raise VerifyException(f"expected nvgpu.stmatrix dstMemref {_SHARED}")
    if bits is None or bits > 32:
        raise VerifyException("nvgpu.stmatrix works for 32b or lower")
    if op.transpose is not None and bits != 16:
        raise VerifyException("nvgpu.stmatrix transpose works only at 16b granularity")
    shape = src.get_shape()
    if len(shape) != 2:
        raise VerifyException("source must be 2 dimensional vector")
    if shape[1] != 32 // bits:
        raise VerifyException(f"expected vector register shape[1] = {32 // bits}")
    if shape[0] not in (1, 2, 4):
        raise VerifyException(f"expected 1, 2 or 4 tiles, got {shape[0]}")
    _indices(dst, op.indices)


def _fundamental_tile(element: Attribute, name: str) -> tuple[int, int]:
    """(depth, elements in one register) of the 8 x 8 tile that every tensor core shape is made of."""
    if isinstance(element, Float64Type):
        return 4, 1
    bits = element_bits(element)
    known = isinstance(element, Float16Type | BFloat16Type | Float32Type) or (
        isinstance(element, IntegerType) and bits in (4, 8)
    )
    if not known or bits is None:
        raise PlainVerifyException(f"expected input data type (i4,i8,f16,bf16,tf32,f64) supported by {name}")
    return 128 // bits, 32 // bits


def mma(op: nvgpu.MmaSyncOp) -> None:
    """The fragments hold the matrices of the shape."""
    _product(op, sparse=False)


def sparse_mma(op: nvgpu.MmaSpSyncOp) -> None:
    """The fragments hold the matrices of the shape, with half of A left out."""
    _same_elements(op)
    if op.sparsity_selector.value.data not in (0, 1):
        raise VerifyException("sparsity selector should be 0 or 1")
    _product(op, sparse=True)


def _same_elements(op: nvgpu.MmaSyncOp | nvgpu.MmaSpSyncOp) -> None:
    if op.matrix_a.type.element_type != op.matrix_b.type.element_type:
        raise VerifyException("failed to verify that matrixA and matrixB have same element type")


def _product(op: nvgpu.MmaSyncOp | nvgpu.MmaSpSyncOp, *, sparse: bool) -> None:
    _same_elements(op)
    fragments: list[Vector] = [op.matrix_a.type, op.matrix_b.type, op.matrix_c.type]
    shape = [size.value.data for size in op.mma_shape]
    element = fragments[0].element_type
    depth, per_register = _fundamental_tile(element, op.name)
    shapes = [fragment.get_shape() for fragment in fragments]
    for letter, dimensions in zip("ABC", shapes, strict=True):
        if len(dimensions) != 2:
            raise PlainVerifyException(f"matrix{letter} must be 2 dimensional vector")
    if len(shape) != 3:
        raise VerifyException("expected mmaShape to have three sizes")
    m, n, k = shape
    factor = 2 if sparse else 1
    expected = (m * k // factor, k * n, m * n)
    for letter, dimensions, elements, total in zip("ABC", shapes, expected, (m * k, k * n, m * n), strict=True):
        if dimensions[0] * dimensions[1] * _THREADS != elements:
            raise VerifyException(f"expected {total} warp-wide matrix {letter} elements")
    if op.tf32_enabled is not None and not isinstance(element, Float32Type):
        raise VerifyException("expected tf32 tensor cores only for F32 operands")
    tiles = (m // _TILE * (k // depth), k // depth * (n // _TILE), m // _TILE * (n // _TILE))
    registers = (tiles[0] // factor, tiles[1], tiles[2])
    for letter, dimensions, count, shown, width in zip(
        "ABC", shapes, registers, tiles, (per_register, per_register, 2), strict=True
    ):
        if dimensions != (count, width):
            raise VerifyException(f"expected matrix {letter} to be shaped ({shown} x {width})")


def rcp(op: nvgpu.RcpOp) -> None:
    """Only `approx, ftz` is supported."""
    if op.rounding.data.value != "approx" or op.ftz is None:
        rounding = f"#nvgpu<rcp_rounding_mode {op.rounding.data.value}>"
        raise VerifyException(f"has a limitation. {rounding} or non-ftz is not supported yet.")


def _tensor_map(descriptor: TensorMapDescriptorType, memref: MemRef | None) -> None:
    tensor = descriptor.tensor
    if descriptor.word("interleave") != "none":
        raise PlainVerifyException("Interleave options are not supported yet.")
    if not is_shared(tensor.memory_space):
        raise PlainVerifyException(
            "the tensor map descriptor has incorrect address space, it must be shared memory address space."
        )
    if not tensor.has_static_shape():
        raise PlainVerifyException("the tensor map descriptor must be static shaped")
    for size in tensor.get_shape():
        if not 0 < size <= _MAX_BOX:
            raise PlainVerifyException(
                f"the tensor map descriptor must have dimensions between 1 and {_MAX_BOX} but it is {size}"
            )
    span = _SWIZZLE_BYTES.get(descriptor.word("swizzle"))
    if tensor.get_num_dims() > 1 and span is not None:
        last = (element_bits(tensor.element_type) or 0) * tensor.get_shape()[-1] // 8
        if last != span:
            raise PlainVerifyException(
                f"the tensormap descriptor must have last dimension of {span} bytes but it is {last} bytes"
            )
    if memref is not None:
        _tensor_map_buffer(tensor, memref)


def _tensor_map_buffer(tensor: MemRef, memref: MemRef) -> None:
    if tensor.element_type != memref.element_type:
        raise PlainVerifyException("the element type of tensor map descriptor and memref must be same")
    if not is_shared(memref.memory_space):
        raise PlainVerifyException(
            "the destination memref has incorrect address space, it must be shared memory address space."
        )
    if not memref.has_static_shape():
        raise PlainVerifyException("the destination memref must be static shaped")
    if tensor.get_num_dims() != memref.get_num_dims():
        raise PlainVerifyException("the shape of tensor map descriptor and memref must have same rank")
    if tensor.get_shape() != memref.get_shape():
        raise PlainVerifyException(f"memref and tensor map shapes mismatch '{tensor}' != '{memref}'")


def tma_load(op: nvgpu.TmaAsyncLoadOp) -> None:
    """The descriptor's box is the destination, with one coordinate for each dimension."""
    _box(op, op.dst)


def tma_store(op: nvgpu.TmaAsyncReduceOp | nvgpu.TmaAsyncStoreOp) -> None:
    """The descriptor's box is the source, with one coordinate for each dimension."""
    _box(op, op.src)


def _box(op: nvgpu.TmaAsyncLoadOp | nvgpu.TmaAsyncStoreOp | nvgpu.TmaAsyncReduceOp, buffer: SSAValue) -> None:
    descriptor, count = op.tensor_map_descriptor.type, len(op.coordinates)
    _tensor_map(descriptor, narrow.memref(buffer.type))
    _few(count)
    if count != descriptor.tensor.get_num_dims():
        raise PlainVerifyException("number of coordinates do not match with the rank of tensor descriptor map.")


def _few(count: int) -> None:
    if count > _MAX_COORDINATES:
        raise PlainVerifyException(f"Maximum {_MAX_COORDINATES} coordinates are supported.")


def tma_box(op: nvgpu.TmaCreateDescriptorOp) -> None:
    """At most five dimensions, and a box that TMA can copy."""
    _few(len(op.box_dimensions))
    _tensor_map(op.tensor_map.type, None)


def warpgroup_descriptor(op: nvgpu.WarpgroupGenerateDescriptorOp) -> None:
    """Only tiles that TMA loaded with the 128-byte swizzle."""
    descriptor = op.tensor_map.type
    _tensor_map(descriptor, None)
    if descriptor.word("swizzle") != "swizzle_128b":
        raise PlainVerifyException("supports only swizzle_128b is supported for the time being")


def _wgmma_supports(d: Attribute, a: Attribute, b: Attribute) -> bool:
    """Whether wgmma has `d += a * b`; i8 is one more than upstream takes (it asks for i16 there)."""
    fp8 = (Float8E4M3FNType, Float8E5M2Type)
    float_result = isinstance(d, Float16Type | Float32Type)
    match a, b:
        case (Float16Type(), Float16Type()) | (BFloat16Type(), BFloat16Type()):
            return float_result
        case FloatTF32Type(), FloatTF32Type():
            return isinstance(d, Float32Type)
        case IntegerType(), IntegerType():
            return a == b and element_bits(a) in (1, 8) and element_bits(d) == 32 and isinstance(d, IntegerType)
        case _:
            return isinstance(a, fp8) and isinstance(b, fp8) and float_result


def _wgmma_n(n: int, element: Attribute) -> bool:
    """Whether wgmma has this width for operands of a type."""
    if isinstance(element, IntegerType):
        return n in (8, 24) or (n % 16 == 0 and 16 <= n <= 256)
    return n % 8 == 0 and 8 <= n <= 256


def warpgroup_mma(op: nvgpu.WarpgroupMmaOp) -> None:
    """The shapes are those of a product that wgmma has; A is transposed only if B is."""
    if op.transpose_a is not None and op.transpose_b is None:
        raise VerifyException("supports non-transpose A (Row Major) and transpose B (Column Major) for the time being ")
    a, b = op.descriptor_a.type.tensor, op.descriptor_b.type.tensor
    c, d = op.matrix_c.type.fragmented, op.matrix_d.type.fragmented
    if c != d:
        raise VerifyException("type of matrix C and matrix D must be the same")
    if any(type.get_num_dims() != 2 for type in (a, b, c)):
        raise VerifyException("has matrices A, B, C and D, they must be 2 dimensional")
    (a_m, a_k), (b_k, b_n), (c_m, c_n) = a.get_shape(), b.get_shape(), c.get_shape()
    if a_k != b_k:
        raise VerifyException(f"2nd dim matrix-A ({a_k})!= 1st dim matrix-B ({b_k} )")
    if a_m != c_m:
        raise VerifyException(f"1st dim matrix-A ( {a_m} )!= 1st dim matrix-C ( {c_m} )")
    if b_n != c_n:
        raise VerifyException(f"2nd dim matrix-B ( {b_n} ) != 2nd dim matrix-C ( {c_n} )")
    if not _wgmma_supports(c.element_type, a.element_type, b.element_type):
        raise VerifyException(f"'{c.element_type}' += '{a.element_type}' * '{b.element_type}', it is not supported.")
    if not _wgmma_n(b_n, a.element_type):
        raise VerifyException(f"has input type '{b}' n is set to {b_n}, it is not supported")


def warpgroup_store(op: nvgpu.WarpgroupMmaStoreOp) -> None:
    """The buffer has the accumulator's shape; MLIR 22 stores f32 only, in words that name nothing else."""
    accumulator, dst = op.matrix_d.type.fragmented, op.dst_memref.type
    if not isinstance(accumulator.element_type, Float32Type | Float16Type) and accumulator.element_type != i32:
        raise VerifyException("hit a limitation: only f32 results for the time being")
    shape = dst.get_shape()
    if accumulator.get_num_dims() != 2:
        raise VerifyException(f"results '{accumulator}' have other than two dimensions")
    if accumulator.get_shape() != shape:
        extents = "".join(f"[{extent}]" for extent in shape[:2])
        raise VerifyException(
            f"results ['{accumulator}'][{accumulator.get_shape()[1]}] values. However, destination memref{extents}  "
            "does not have same size as results"
        )


def warpgroup_accumulator(op: nvgpu.WarpgroupMmaInitAccumulatorOp) -> None:
    """The accumulator is one that wgmma has."""
    accumulator = op.matrix_c.type.fragmented
    shape = accumulator.get_shape()
    element = accumulator.element_type
    floats = Float16Type | Float32Type | BFloat16Type | Float8E4M3FNType | Float8E5M2Type
    known = isinstance(element, floats) or element in (i8, i32)  # MLIR takes no i32, which bytes need
    if len(shape) != 2 or shape[0] % _WGMMA_M or not known or not _wgmma_n(shape[1], accumulator.element_type):
        raise VerifyException(
            f"has type '{accumulator}'. It does not fit into warp-group level (wgmma) matrix multiplication "
            "instruction (or not supported yet)"
        )
