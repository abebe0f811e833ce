"""`nvgpu.warpgroup.*` to `wgmma`, sm_90a: descriptors, products of 64 rows, accumulators in registers."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from xdsl.dialects import llvm
from xdsl.dialects.arith import IndexCastOp
from xdsl.dialects.builtin import (
    BoolAttr,
    DenseIntOrFPElementsAttr,
    FloatTF32Type,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    VectorType,
    f16,
    i32,
    i64,
)
from xdsl.dialects.llvm import LLVMStructType
from xdsl.dialects.memref import StoreOp
from xdsl.ir import Attribute, Operation, SSAValue

from weft.dataclass import dataclass
from weft.dialects.engine.attributes import attr
from weft.dialects.engine.operations import op_class
from weft.dialects.nvgpu.types import TensorMapDescriptorType, WarpgroupAccumulatorType, WarpgroupMatrixDescriptorType
from weft.dialects.nvvm.matrix_attributes import ShapeAttr
from weft.mlir import compile_error
from weft.transforms.nvgpu_to_nvvm.layout import WGMMA_M, accumulator_type
from weft.transforms.nvgpu_to_nvvm.lowering import Lower, Lowering
from weft.transforms.nvgpu_to_nvvm.sizes import bit_width

if TYPE_CHECKING:
    from weft.dialects.rows import nvgpu

_SWIZZLE_MODES = {"none": 0, "swizzle_128b": 1, "swizzle_64b": 2, "swizzle_32b": 3}
_SWIZZLE_BYTES = {"none": 1, "swizzle_32b": 32, "swizzle_64b": 64, "swizzle_128b": 128}
_LBO_BIT, _SBO_BIT, _BASE_OFFSET_BIT, _MODE_BIT = 16, 32, 49, 62
_ROW = attr("nvvm.mma_layout", "row")
_COL = attr("nvvm.mma_layout", "col")
_ONE_IN = attr("nvvm.wgmma_scale_in", "one")
_ONE_OUT = attr("nvvm.wgmma_scale_out", "one")
_HALVES = VectorType(f16, [2])
_TEMPORAL = {"nontemporal": BoolAttr.from_bool(False)}
_WRAPPED = attr("nvvm.mma_int_overflow", "wrapped")


def lower_descriptor(lowering: Lowering, op: nvgpu.WarpgroupGenerateDescriptorOp) -> None:
    """The 64-bit matrix descriptor: start address, leading and stride byte offsets (all / 16), swizzle mode."""
    tensor_map = op.tensor_map.type
    assert isinstance(tensor_map, TensorMapDescriptorType)
    rows = tensor_map.tensor.get_shape()[0]
    swizzle = tensor_map.word("swizzle")
    span = _SWIZZLE_BYTES[swizzle]
    stride_offset = lowering.constant((span << 3) >> 4)
    leading_offset = lowering.constant((rows * span) >> 4)
    address = lowering.value(llvm.PtrToIntOp, [lowering.base_pointer(op.tensor)], i64)
    shifted = lowering.binary(llvm.ShlOp, address, lowering.constant(46))
    start = lowering.binary(llvm.LShrOp, shifted, lowering.constant(50))
    descriptor = lowering.constant(0)
    for field, bit in (
        (_SWIZZLE_MODES[swizzle], _MODE_BIT),
        (0, _BASE_OFFSET_BIT),
        (stride_offset, _SBO_BIT),
        (leading_offset, _LBO_BIT),
        (start, 0),
    ):
        value = lowering.constant(field) if isinstance(field, int) else field
        placed = lowering.binary(llvm.ShlOp, value, lowering.constant(bit))
        descriptor = lowering.binary(llvm.OrOp, descriptor, placed)
    lowering.substitute(op.descriptor, descriptor)


def lower_init(lowering: Lowering, op: nvgpu.WarpgroupMmaInitAccumulatorOp) -> None:
    """Structs of zeros, one for each 64 rows."""
    accumulator = op.matrix_c.type
    assert isinstance(accumulator, WarpgroupAccumulatorType)
    struct = accumulator_type(accumulator)
    element = accumulator.fragmented.element_type
    if element == f16:
        value = DenseIntOrFPElementsAttr.from_list(_HALVES, [0.0])
        zero = lowering.new("llvm.mlir.constant", results=[_HALVES], value=value).results[0]
    elif isinstance(element, IntegerType):
        zero = lowering.constant(0, cast("IntegerType", element))
    else:
        zero = lowering.float_constant(0.0, element)
    whole = lowering.poison(struct)
    tiles: list[SSAValue] = []
    for tile, registers in enumerate(struct.types):
        assert isinstance(registers, LLVMStructType)
        empty = lowering.extract_value(whole, registers, tile)
        tiles.append(lowering.put(empty, [zero] * len(registers.types)))
    lowering.substitute(op.matrix_c, lowering.put(whole, tiles))


@dataclass(frozen=True)
class _Product:
    """The sizes of one `nvgpu.warpgroup.mma`: the whole product, and the shape of one wgmma (`64 x n x k`)."""

    tensor_a: MemRefType[Attribute]
    tensor_b: MemRefType[Attribute]
    m: int
    n: int
    depth: int
    k: int

    def step_a(self, tile: int, step: int) -> int:
        """How far the descriptor of A moves for a tile of 64 rows and a step along k, in units of 16 bytes."""
        rows = WGMMA_M * _MOST_TF32 if self.is_tf32 else self.depth * self.tensor_a.get_shape()[1]
        return (self.k * step + rows * tile) * self.bits // 128

    def step_b(self, step: int) -> int:
        """How far the descriptor of B moves for a step along k, in units of 16 bytes: tf32 lies along k."""
        elements = (1 if self.is_tf32 else self.tensor_b.get_shape()[0]) * self.k * step
        return elements * self.bits // 128

    @property
    def is_tf32(self) -> bool:
        """Whether it is one of tf32, which mlir-opt steps through as if elements had 2 bytes."""
        return isinstance(self.tensor_a.element_type, FloatTF32Type)

    @property
    def bits(self) -> int:
        """Bits of an element in memory."""
        return 32 if self.is_tf32 else bit_width(self.tensor_a.element_type)


_MULTIPLIED = {
    "f16": ("f16", 16), "bf16": ("bf16", 16), "tf32": ("tf32", 8), "f8E4M3FN": ("e4m3", 32), "f8E5M2": ("e5m2", 32),
    "i8": ("s8", 32), "i1": ("b1", 256),
}  # fmt: skip
"""What wgmma calls the elements that it multiplies, and how many of them along K."""
_SUMS = {"f32": "f32", "f16": "f16", "i32": "s32"}
_MOST_TF32 = 32
"""Elements of the longest row of a swizzle, behind which a descriptor does not find the next ones."""


def _element(type_: Attribute) -> str:
    """A type of elements by its name, integers without their sign."""
    return str(type_).lstrip("su")


def _multiplied(op: Operation, element: Attribute) -> tuple[str, int]:
    """What wgmma calls elements and their number along K; raises CompileError where it has none of them."""
    found = _MULTIPLIED.get(_element(element))
    if found is None:
        raise compile_error(op, f"wgmma does not multiply {element}")
    return found


def _advance(lowering: Lowering, descriptor: SSAValue, distance: int) -> SSAValue:
    if not distance:
        return descriptor
    return lowering.add(descriptor, lowering.constant(distance, i64, i32))


def lower_mma(lowering: Lowering, op: nvgpu.WarpgroupMmaOp) -> None:
    """Fence, one wgmma for each 64 rows and step along k, commit, wait."""
    type_a, type_b, _ = lowering.original_types[op]
    result = op.matrix_d.type
    assert isinstance(type_a, WarpgroupMatrixDescriptorType)
    assert isinstance(type_b, WarpgroupMatrixDescriptorType)
    assert isinstance(result, WarpgroupAccumulatorType)
    m, n = result.fragmented.get_shape()
    kinds = [_multiplied(op, each.tensor.element_type) for each in (type_a, type_b)]
    depth = kinds[0][1]
    product = _Product(type_a.tensor, type_b.tensor, m, n, type_a.tensor.get_shape()[1], depth)
    if product.is_tf32 and op.transpose_b is not None:
        raise compile_error(op, "wgmma does not transpose tf32", "store B as N x K, and leave out transposeB")
    if product.is_tf32 and product.depth > _MOST_TF32:
        raise compile_error(
            op,
            f"{product.depth} elements of tf32 are more than a row of a swizzle",
            f"add products of {_MOST_TF32} along K",
        )
    properties: dict[str, Attribute] = {
        "shape": ShapeAttr.of(WGMMA_M, n, product.k),
        "typeA": attr("nvvm.wgmma_type", kinds[0][0]),
        "typeB": attr("nvvm.wgmma_type", kinds[1][0]),
        "typeD": attr("nvvm.wgmma_type", _SUMS[_element(result.fragmented.element_type)]),
        "scaleD": _ONE_OUT,
        "scaleA": _ONE_IN,
        "scaleB": _ONE_IN,
        "layoutA": _COL if op.transpose_a is not None else _ROW,
        "layoutB": _ROW if op.transpose_b is not None else _COL,
        "satfinite": _WRAPPED,
    }
    struct = accumulator_type(result)
    lowering.new("nvvm.wgmma.fence.aligned")
    whole = lowering.poison(struct)
    tiles: list[SSAValue] = []
    for tile, registers_type in enumerate(struct.types):
        registers = lowering.extract_value(op.matrix_c, registers_type, tile)
        for step in range(product.depth // product.k):
            a = _advance(lowering, op.descriptor_a, product.step_a(tile, step))
            b = _advance(lowering, op.descriptor_b, product.step_b(step))
            registers = lowering.value(op_class("nvvm.wgmma.mma_async"), [registers, a, b], registers_type, properties)
        tiles.append(registers)
    packed = lowering.put(whole, tiles)
    lowering.new("nvvm.wgmma.commit.group.sync.aligned")
    wait = op.properties.get("waitGroup", IntegerAttr(1, i64))
    lowering.new("nvvm.wgmma.wait.group.sync.aligned", group=wait)
    lowering.substitute(op.matrix_d, packed)


@dataclass(frozen=True)
class _Lane:
    """Where a lane's first register of a tile is stored, and the constants that lead to the others."""

    row: SSAValue
    column: SSAValue
    one: SSAValue
    eight: SSAValue


def _lane(lowering: Lowering) -> _Lane:
    one, two, four, eight, sixteen, warp = (lowering.constant(value, i32) for value in (1, 2, 4, 8, 16, 32))
    thread = lowering.value(op_class("nvvm.read.ptx.sreg.tid.x"), (), i32)
    lane = lowering.binary(llvm.URemOp, thread, warp)
    warp_index = lowering.binary(llvm.UDivOp, thread, warp)
    lane_row = lowering.binary(llvm.UDivOp, lane, four)
    column = lowering.mul(lowering.binary(llvm.URemOp, lane, four), two)
    return _Lane(lowering.add(lane_row, lowering.mul(warp_index, sixteen)), column, one, eight)


def _pairs(registers: LLVMStructType) -> int:
    """How many pairs of neighbours a lane holds: one in a register of two halves, else one in two registers."""
    count = len(registers.types)
    return count if registers.types.data[0] == _HALVES else count // 2


def _pair(lowering: Lowering, registers: SSAValue, index: int) -> list[SSAValue]:
    """Two neighbours."""
    types = registers.type
    assert isinstance(types, LLVMStructType)
    if types.types.data[0] == _HALVES:
        both = lowering.extract_value(registers, _HALVES, index)
        return [lowering.extract_element(both, place, f16) for place in (0, 1)]
    fields = (2 * index, 2 * index + 1)
    return [lowering.extract_value(registers, types.types.data[field], field) for field in fields]


def lower_store(lowering: Lowering, op: nvgpu.WarpgroupMmaStoreOp) -> None:
    """Each lane stores pairs of neighbours: rows `16 * warp + lane / 4 (+ 8)`, columns `8 * j + 2 * (lane % 4)`.

    The second 64 rows start at row 64; MLIR 22 starts them at the number of registers, 64 only for 128 columns.
    """
    struct = op.matrix_d.type
    assert isinstance(struct, LLVMStructType)
    lane: _Lane | None = None
    for tile, registers_type in enumerate(struct.types):
        assert isinstance(registers_type, LLVMStructType)
        registers = lowering.extract_value(op.matrix_d, registers_type, tile)
        if lane is None or not lowering.shared:
            lane = _lane(lowering)
        _store_tile(lowering, op, registers, lane, WGMMA_M * tile)


def _store_tile(
    lowering: Lowering, op: nvgpu.WarpgroupMmaStoreOp, registers: SSAValue, lane: _Lane, first_row: int
) -> None:
    """Store the registers of 64 rows."""
    types = registers.type
    assert isinstance(types, LLVMStructType)
    base = lowering.add(lane.row, lowering.constant(first_row, i32)) if first_row else lane.row
    for half in range(2):
        row = lowering.add(base, lowering.mul(lowering.constant(half, i32), lane.eight))
        row_index: SSAValue | None = None
        for group in range(_pairs(types) // 2):
            column = lowering.add(lane.column, lowering.mul(lowering.constant(group, i32), lane.eight))
            if row_index is None or not lowering.shared:
                row_index = lowering.value(IndexCastOp, [row], IndexType())
            left = lowering.value(IndexCastOp, [column], IndexType())
            right = lowering.value(IndexCastOp, [lowering.add(column, lane.one)], IndexType())
            values = _pair(lowering, registers, group * 2 + half)
            for value, place in zip(values, (left, right), strict=True):
                lowering.emit(StoreOp, [value, op.dst_memref, row_index, place], (), _TEMPORAL)


LOWERINGS: dict[str, Lower] = {
    "nvgpu.warpgroup.generate.descriptor": lower_descriptor,
    "nvgpu.warpgroup.mma": lower_mma,
    "nvgpu.warpgroup.mma.store": lower_store,
    "nvgpu.warpgroup.mma.init.accumulator": lower_init,
}
