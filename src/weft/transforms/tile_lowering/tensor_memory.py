"""`tile.gemm_tensor`, `tile.tensor_read`, `tile.tensor_write`: products into tensor memory by `tcgen05.mma`, and copies
between it and registers by `tcgen05.ld` and `tcgen05.st`.

Sources: PTX manual, "Instruction descriptor", "Matrix Descriptors" and "Data Movement Shape" of the fifth-generation
tensor core.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from xdsl.dialects import llvm
from xdsl.dialects.builtin import VectorType, i32
from xdsl.ir import SSAValue

from weft.dialects.engine.making import new
from weft.dialects.nvvm.pointers import TENSOR
from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type, matrix_shape
from weft.dialects.tile.types import SHARED, BufferType
from weft.errors import CompileError
from weft.layout import Iter, TileLayout
from weft.layout.axis import TCol, TLane
from weft.layout.descriptors import STEP_BYTES, Descriptor
from weft.layout.tensor_memory import LANES, tensor_fragment
from weft.transforms.tile_lowering.integers import divided, multiple, plus
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.sparse import word_operand
from weft.transforms.tile_lowering.wgmma import SharedOperand

_KINDS = {
    "f16": ("f16", 0), "bf16": ("f16", 1), "f32": ("tf32", 2), "f8E4M3FN": ("f8f6f4", 0), "f8E5M2": ("f8f6f4", 1),
    "u8": ("i8", 0), "i8": ("i8", 1),
}  # fmt: skip
"""The kind of product that multiplies a type, and the type's code in the instruction descriptor."""
_SUMS = {("f16", "f32"): 1, ("tf32", "f32"): 1, ("f8f6f4", "f32"): 1, ("i8", "i32"): 2}
GROUPS = ("cta_1", "cta_2")
"""The blocks that a product is of: one, or a pair."""
MOST_COLUMNS = 256
MOST_REGISTERS = 128
"""Registers that one `tcgen05.ld` fills."""
_SWIZZLES = {0: 0, 128: 2, 64: 4, 32: 6}
VERSION = 1 << 46


class Product(NamedTuple):
    """One `tcgen05.mma`: its N, its kind, its instruction descriptor but for the directions of rows."""

    n: int
    kind: str
    word: int
    pair: bool


@handles("tile.gemm_tensor")
def lower_gemm_tensor(env: Lowering, op: tile.GemmTensorOp) -> None:
    """Start d += a * b, a product for every 256 columns and 32 bytes along K."""
    d, a, b = (buffer_type(x) for x in (op.d, op.a, op.b))
    product = _product(d, a, b, op)
    reading: Any = {"constant": constant_bits, "reader": "tcgen05.mma"}
    left = None
    if a.space.data == SHARED:
        left = SharedOperand(env, op.a, a, LANES, k_first=False, name="a", **reading)
    right = SharedOperand(env, op.b, b, product.n // (1 + product.pair), k_first=True, name="b", **reading)
    across = (left is not None and not left.found.k_major) << 15 | (not right.found.k_major) << 16
    word = env.constant(product.word | across)
    columns, steps = matrix_shape(d)[1], matrix_shape(a)[1] * a.element_bits // 8 // STEP_BYTES
    always, never = env.constant(1, 1), env.constant(0, 1)
    for block in range(columns // product.n):
        place = address(env, op.d, d, block * product.n)
        for step in range(steps):
            add = always if step else never if op.fresh is not None else op.add or always
            first = address(env, op.a, a, step * STEP_BYTES // 4) if left is None else left.at(0, step)
            env.add(
                new(
                    "nvvm.tcgen05.mma",
                    *(place, first, right.at(block, step), word, add),
                    kind=product.kind,
                    cta_group=GROUPS[product.pair],
                    collector_op="discard",
                )
            )
    env.remove(op)


def constant_bits(found: Descriptor) -> int:
    """The bits of a descriptor of shared memory, but for the address."""
    return (found.leading >> 4) << 16 | (found.stride >> 4) << 32 | VERSION | _SWIZZLES[found.swizzle] << 61


def _product(d: BufferType, a: BufferType, b: BufferType, op: tile.GemmTensorOp) -> Product:
    """The product that tiles are multiplied by; raises CompileError where there is none."""
    names = [
        "u8" if unsigned is not None and str(x.element) == "i8" else str(x.element)
        for x, unsigned in ((a, op.unsigned_a), (b, op.unsigned_b))
    ]
    kinds = [_KINDS.get(name, ("", 0)) for name in names]
    sums = _SUMS.get((kinds[0][0], str(d.element)))
    mixed = kinds[0][0] in ("f8f6f4", "i8")
    if sums is None or kinds[0][0] != kinds[1][0] or (names[0] != names[1] and not mixed):
        raise CompileError(
            f"tcgen05.mma does not multiply {a.element} by {b.element} into {d.element}",
            hint="use f16, bf16, f32 (as tf32) or fp8 into f32; i8 or u8 into i32",
        )
    (rows, columns), depth = matrix_shape(d), matrix_shape(a)[1]
    n, pair = widest(columns), op.pair is not None
    if rows != LANES or not n or depth * a.element_bits // 8 % STEP_BYTES or (pair and n != columns):
        most = " up to 256 for a pair" if pair else ""
        raise CompileError(
            f"{rows}x{columns}x{depth} is not a multiple of the shapes of tcgen05.mma",
            hint=f"make M {LANES}, N a multiple of 16{most}, K of {STEP_BYTES} bytes",
        )
    word = sums << 4 | kinds[0][1] << 7 | kinds[1][1] << 10 | (n >> 3) << 17 | (LANES << pair >> 4) << 24
    return Product(n, kinds[0][0], word, pair)


def widest(columns: int) -> int:
    """The N of products that these columns are made of, 0 where there is none."""
    return next((n for n in range(min(MOST_COLUMNS, columns), 0, -16) if columns % n == 0 and n % 16 == 0), 0)


def address(env: Lowering, buffer: SSAValue, type: BufferType, column: int = 0) -> SSAValue:
    """The place of a tile in tensor memory, some columns of 32 bits on.

    Raises:
        CompileError: the tile's rows are not the lanes, and its columns not columns one after another.
    """
    *_, columns = type.shape
    layout = type.layout
    whole = _whole(columns).canonicalize().shard
    if not isinstance(layout, TileLayout) or layout.canonicalize().shard != whole or layout.offset_on(TLane):
        raise CompileError(f"a matrix in tensor memory must have {LANES} rows, one per lane, and contiguous columns")
    each = 32 // type.element_bits
    by = layout.offset_on(TCol) // each + column
    base, offset = env.pointer(buffer), env.offset(buffer)
    value = env.emit(llvm.PtrToIntOp.create(operands=[base], result_types=[i32]))
    if offset is not None:
        value = plus(env, value, divided(env, offset, each))
    if by:
        value = plus(env, value, env.constant(by))
    return env.emit(llvm.IntToPtrOp.create(operands=[value], result_types=[TENSOR]))


def _whole(columns: int) -> TileLayout:
    return TileLayout((Iter(LANES, 1, TLane), Iter(columns, 1, TCol)))


@handles("tile.tensor_read")
def lower_read(env: Lowering, op: tile.TensorReadOp) -> None:
    """Loads of as many columns as registers can be filled at once, and a wait for them."""
    found: list[SSAValue] = []
    places = _transferred(env, op.dst, op.src)
    for place, count in places:
        kind: Any = i32 if count == 1 else VectorType(i32, [count])
        found.append(env.emit(new("nvvm.tcgen05.ld", place, results=[kind], shape="shape_32x32b")))
    env.add(new("nvvm.tcgen05.wait", kind="load"))
    word, at = env.word_type(op.dst), 0
    for value, (_, count) in zip(found, places, strict=True):
        for place in range(count):
            element = value
            if count > 1:
                element = env.emit(new("llvm.extractelement", value, env.constant(place), results=[i32]))
            if word != i32:
                element = env.emit(llvm.BitcastOp.create(operands=[element], result_types=[word]))
            env.set_word(op.dst, at, element)
            at += 1
    env.remove(op)


@handles("tile.tensor_write")
def lower_write(env: Lowering, op: tile.TensorWriteOp) -> None:
    """Stores of as many columns as registers can be read at once, and a wait for them."""
    words = [word_operand(env, word) for word in env.words(op.src)]
    for place, count in _transferred(env, op.src, op.dst):
        given, words = words[:count], words[count:]
        value = given[0]
        if count > 1:
            value = env.undefined(VectorType(i32, [count]))
            for at, word in enumerate(given):
                made = llvm.InsertElementOp.create(operands=[value, word, env.constant(at)], result_types=[value.type])
                value = env.emit(made)
        env.add(new("nvvm.tcgen05.st", place, value, shape="shape_32x32b"))
    env.add(new("nvvm.tcgen05.wait", kind="store"))
    env.remove(op)


def _transferred(env: Lowering, registers: SSAValue, tensor: SSAValue) -> list[tuple[SSAValue, int]]:
    """The warp's places in tensor memory that a transfer takes one after another, and the columns of each.

    Raises:
        CompileError: the registers are not laid out as rows of tensor memory.
    """
    of, type = buffer_type(registers), buffer_type(tensor)
    _, columns = matrix_shape(of)
    expected = tensor_fragment((LANES, columns)).canonicalize(fuse_scopes=True)
    if not isinstance(of.layout, TileLayout) or of.layout.canonicalize(fuse_scopes=True) != expected:
        raise CompileError(
            f"the registers are not laid out as the rows of tensor memory: {of.layout}",
            hint=f"use tensor_layout(({LANES}, {columns})), which gives each thread a row",
        )
    lane = multiple(env, env.thread("wid_in_wg"), 32 << 16)
    found: list[tuple[SSAValue, int]] = []
    for first, count in _parts(columns * of.element_bits // 32):
        place = address(env, tensor, type, first)
        value = plus(env, env.emit(llvm.PtrToIntOp.create(operands=[place], result_types=[i32])), lane)
        found.append((env.emit(llvm.IntToPtrOp.create(operands=[value], result_types=[TENSOR])), count))
    return found


def _parts(columns: int) -> list[tuple[int, int]]:
    """First column and number of columns of each load: powers of two."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < columns:
        count = min(MOST_REGISTERS, 1 << ((columns - at).bit_length() - 1))
        found.append((at, count))
        at += count
    return found
