"""How MLIR's types look in the `llvm` dialect: memory spaces, memref descriptors, vectors, nvgpu's handles."""

from __future__ import annotations

from functools import cache
from typing import cast

from xdsl.dialects.builtin import (
    IndexType,
    IntAttr,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    UnrankedMemRefType,
    VectorType,
    f16,
    i32,
    i64,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute

from weft.dialects.engine.attributes import word_of
from weft.dialects.narrow import MemRef, Vector
from weft.dialects.nvgpu.types import (
    DeviceAsyncTokenType,
    MBarrierGroupType,
    MBarrierTokenType,
    TensorMapDescriptorType,
    WarpgroupAccumulatorType,
    WarpgroupMatrixDescriptorType,
)
from weft.dialects.nvvm.pointers import GENERIC
from weft.dialects.verification import element_bits
from weft.errors import CompileError

WGMMA_M = 64
"""Rows of one wgmma: 16 for each warp of the warpgroup."""

_GPU_SPACES = {"global": 1, "workgroup": 3, "private": 0}


def address_space(memory_space: Attribute) -> int:
    """NVPTX's number of a memref's memory space; 0, generic, when it has none.

    Raises:
        ValueError: the space is neither an integer nor `#gpu.address_space`.
    """
    if isinstance(memory_space, NoneAttr):
        return 0
    if isinstance(memory_space, IntegerAttr):
        return memory_space.value.data
    space = word_of(memory_space, "gpu.address_space")
    if space is not None:
        return _GPU_SPACES[space]
    raise ValueError(f"memory space {memory_space} has no address space")


@cache
def pointer_type(space: int) -> LLVMPointerType:
    """`!llvm.ptr<space>`, plain `!llvm.ptr` for the generic space."""
    return LLVMPointerType(IntAttr(space)) if space else GENERIC


@cache
def descriptor_type(memref: MemRef) -> LLVMStructType:
    """The struct of a ranked memref: allocated pointer, aligned pointer, offset, sizes, strides."""
    pointer = pointer_type(address_space(memref.memory_space))
    rank = memref.get_num_dims()
    if not rank:
        return LLVMStructType.from_type_list([pointer, pointer, i64])
    extents = LLVMArrayType(rank, i64)
    return LLVMStructType.from_type_list([pointer, pointer, i64, extents, extents])


@cache
def unranked_descriptor() -> LLVMStructType:
    """The struct of a memref whose rank is known at run time only: the rank, and where the ranked struct is."""
    return LLVMStructType.from_type_list([i64, GENERIC])


@cache
def storage_type(element: Attribute) -> Attribute:
    """The type of an element in LLVM's memory: floats that LLVM has none of are integers of their size."""
    if isinstance(element, IndexType):
        return i64
    bits = element_bits(element) or 16
    if bits >= 16 or isinstance(element, IntegerType):
        return cast("Attribute", element)
    return IntegerType(bits)


@cache
def array_type(vector: Vector) -> Attribute:
    """A vector of two dimensions or more as nested arrays of one-dimensional vectors."""
    *outer, inner = vector.get_shape()
    result: Attribute = VectorType(vector.element_type, [inner])
    for extent in reversed(outer):
        result = LLVMArrayType(extent, result)
    return result


MOST_NUMBERS = 1 << 20
"""Of an accumulator: more than a warpgroup has registers for, by far."""


def accumulator_type(accumulator: WarpgroupAccumulatorType) -> LLVMStructType:
    """A warpgroup's accumulator: for each 64 rows, a struct of the registers that one lane holds.

    Raises CompileError for one that is too large.
    Two f16 share a register; MLIR 22 has a struct of as many single f16 there, which loses half of them.
    """
    rows, columns = accumulator.fragmented.get_shape()
    if rows * columns > MOST_NUMBERS:
        raise CompileError(f"an accumulator of {rows} x {columns} is too large: the limit is {MOST_NUMBERS} elements")
    element: Attribute = accumulator.fragmented.element_type
    held = [VectorType(f16, [2])] * (columns // 4) if element == f16 else [element] * (columns // 2)
    registers = LLVMStructType.from_type_list(held)
    return LLVMStructType.from_type_list([registers] * (rows // WGMMA_M))


def barrier_buffer(group: MBarrierGroupType) -> MemRef:
    """The buffer in shared memory that holds the barrier objects of a group."""
    space = group.memory_space
    shared = IntegerAttr(3, i64) if word_of(space, "gpu.address_space") else space
    return MemRefType(i64, [group.num_barriers.data], memory_space=shared)


def converted(type: Attribute) -> Attribute | None:
    """What values of an nvgpu type become, or None for a type that stays."""
    match type:
        case DeviceAsyncTokenType():
            return i32
        case MBarrierTokenType() | WarpgroupMatrixDescriptorType():
            return i64
        case WarpgroupAccumulatorType():
            return accumulator_type(type)
        case MBarrierGroupType():
            return barrier_buffer(type)
        case _:
            return None


def llvm_type(type: Attribute) -> Attribute:
    """The `llvm` type that a value of an MLIR type is cast to as an operand of `nvvm` and `llvm` operations."""
    match type:
        case IndexType():
            return i64
        case MemRefType():
            return descriptor_type(type)
        case UnrankedMemRefType():
            return unranked_descriptor()
        case VectorType():
            return array_type(type) if type.get_num_dims() > 1 else type
        case TensorMapDescriptorType():
            return GENERIC
        case MBarrierGroupType():
            return descriptor_type(barrier_buffer(type))
        case _:
            return converted(type) or type
