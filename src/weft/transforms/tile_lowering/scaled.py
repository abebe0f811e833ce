"""`tile.gemm_scaled`: products whose blocks along K have scales, by `mma.sync` (sm_120a) or `tcgen05.mma` (sm_100a).

Sources: PTX manual, "Block Scaling" of `mma`; "Instruction descriptor", "Scale Factor layout" and `tcgen05.cp`.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from xdsl.dialects import llvm
from xdsl.dialects.builtin import f32, i32
from xdsl.ir import Attribute, SSAValue

from weft.dialects.engine.attributes import attr
from weft.dialects.engine.making import new
from weft.dialects.engine.operations import op_class
from weft.dialects.nvvm.matrix_attributes import ShapeAttr
from weft.dialects.nvvm.pointers import TENSOR as TENSOR_POINTER
from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type, matrix_shape
from weft.dialects.tile.types import TENSOR, BufferType
from weft.errors import CompileError
from weft.layout import TileLayout
from weft.layout.axis import laneid, m
from weft.layout.boxes import parts
from weft.layout.descriptors import STEP_BYTES
from weft.layout.scales import BLOCKS, ROWS, scale_fragment, width_of
from weft.layout.tensor_memory import LANES
from weft.transforms.tile_lowering.gemm import Shape, members, words_of
from weft.transforms.tile_lowering.integers import divided, plus
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.tensor_memory import (
    GROUPS,
    MOST_COLUMNS,
    VERSION,
    address,
    constant_bits,
)
from weft.transforms.tile_lowering.wgmma import SharedOperand, descriptor_at, descriptor_base
from weft.transforms.tile_lowering.words import indices

_TYPES = {
    "f8E4M3FN": ("e4m3", 0), "f8E5M2": ("e5m2", 1), "e4m3": ("e4m3", 0), "e5m2": ("e5m2", 1), "e2m3": ("e2m3", 3),
    "e3m2": ("e3m2", 4),
}  # fmt: skip
"""Types of a byte, and their codes in the instruction descriptor; that of two floats of 4 bits is 1."""


class Kind(NamedTuple):
    """A kind of product: the scales of a step of 32 bytes along K, their format, and what both are called."""

    name: str
    each: int
    format: str
    types: tuple[str, str]
    codes: tuple[int, int]


_KINDS = {
    (True, "f8E8M0FNU", 32): ("mxf4", 2, "ue8m0"),
    (True, "f8E4M3FN", 16): ("mxf4nvf4", 4, "ue4m3"),
    (False, "f8E8M0FNU", 32): ("mxf8f6f4", 1, "ue8m0"),
}
"""Whether elements are of 4 bits, the type of scales, the elements of a block."""


def _kind(op: tile.GemmScaledOp, counts: tuple[int, int]) -> Kind:
    """The kind of product, of so many scales for each row of A and column of B."""
    d, a, b, scale_a, scale_b = (buffer_type(x) for x in op.operands[:5])
    pairs = op.pairs is not None
    names = [str(x.element) for x in (a, b)] if op.types is None else op.types.data.split(",")
    types = [("e2m1", 1) if pairs else _TYPES.get(name, ("", 0)) for name in names]
    depth = matrix_shape(a)[1] * (1 + pairs)
    found = None
    if counts[0] == counts[1] and scale_a.element == scale_b.element and d.element == f32 and all(t for t, _ in types):
        found = _KINDS.get((pairs, str(scale_a.element), depth // counts[0] if depth % counts[0] == 0 else 0))
    if found is None:
        of = "e2m1x2 pairs" if pairs else " by ".join(names)
        raise CompileError(
            f"no instruction multiplies {of} into {d.element} with {counts[0]} scales of {scale_a.element} and "
            f"{counts[1]} of {scale_b.element} along {depth}",
            hint="use e8m0 scales of 32 elements, or for e2m1x2 also e4m3 scales of 16",
        )
    return Kind(*found, (types[0][0], types[1][0]), (types[0][1], types[1][1]))


@handles("tile.gemm_scaled")
def lower_gemm_scaled(env: Lowering, op: tile.GemmScaledOp) -> None:
    """Multiply in registers or into tensor memory."""
    (_into_tensor_memory if buffer_type(op.d).space.data == TENSOR else _in_registers)(env, op)
    env.remove(op)


# -- in registers -------------------------------------------------------------------------------------------------

_SHAPE = Shape(16, 8, STEP_BYTES, "e4m3", "e4m3", "f32")
"""Fragments are those of bytes."""


def _in_registers(env: Lowering, op: tile.GemmScaledOp) -> None:
    """Products of 16 x 8 and 32 bytes along K, K outermost."""
    d, a, b, scale_a, scale_b = (buffer_type(x) for x in op.operands[:5])
    kind = _kind(op, (scale_a.shape[-1], scale_b.shape[-1]))
    (rows, columns), depth = d.shape, a.shape[1]
    if rows % 16 or columns % 8 or depth % STEP_BYTES:
        raise CompileError(
            f"{rows}x{columns}x{depth} is not a multiple of the shapes of mma.sync with scales",
            hint=f"make M a multiple of 16, N of 8, K of {STEP_BYTES} bytes",
        )
    of_a, of_b = (
        _scales(name, type, extent, kind) for name, type, extent in (("a", scale_a, rows), ("b", scale_b, columns))
    )
    tiles = [(d, "d", (16, 8)), (a, "a", (16, STEP_BYTES)), (b, "b", (STEP_BYTES, 8))]
    at_d, at_a, at_b = (words_of(op, name, type, name, _SHAPE, tile) for type, name, tile in tiles)
    structure = llvm.LLVMStructType.from_type_list([f32] * 4)
    scaled = op_class("nvvm.mma.block_scale")
    for step in range(depth // STEP_BYTES):
        for i in range(rows // 16):
            for j in range(columns // 8):
                operands = [env.words(op.a)[w] or env.undefined(i32) for w in at_a[i, step]]
                operands += [env.words(op.b)[w] or env.undefined(i32) for w in at_b[step, j]]
                operands += [env.words(op.d)[w] or env.undefined(f32) for w in at_d[i, j]]
                for scales, places, row, thread in ((op.scale_a, of_a, 16 * i, 16), (op.scale_b, of_b, 8 * j, 8)):
                    place, number = places[row][step]
                    word = env.words(scales)[place // 4] or env.undefined(i32)
                    operands += [word, env.constant(place % 4, 16), env.constant(number // thread, 16)]
                made = scaled.create(operands=operands, properties=_properties(kind), result_types=[structure])
                for place, value in zip(at_d[i, j], members(env, env.emit(made), f32, 4), strict=True):
                    env.set_word(op.d, place, value)


def _scales(name: str, type: BufferType, rows: int, kind: Kind) -> list[list[tuple[int, int]]]:
    """For each row and step along K the place of its scales in registers, and its number among the rows of the place.

    Raises:
        CompileError: they are not laid out as `mma.sync` reads them.
    """
    shape = (rows, type.shape[-1])
    found = None
    if type.shape == shape and isinstance(type.layout, TileLayout):
        found = _places(type.layout, shape, kind.each)
    if found is None:
        raise CompileError(
            f"the scales of '{name}' are not laid out as mma.sync reads them: {type.layout}",
            hint=f"use scale_layout({shape})",
        )
    return found


@cache
def _places(layout: TileLayout, shape: tuple[int, int], each: int) -> list[list[tuple[int, int]]] | None:
    (rows, count), width = shape, width_of(shape[0])
    expected = scale_fragment(shape)
    found, wanted = layout.apply_all(shape), expected.apply_all(shape)
    storage = found[m].reshape(rows // width, width, count // each, each)
    first = storage[:, :1, :, :1]
    alike = (storage == first + np.arange(each)).all() and not (first % each).any()
    if not alike or layout.replica != expected.replica or (found[laneid] != wanted[laneid]).any():
        return None
    return [
        [(int(first[row // width, 0, step, 0]), row % width) for step in range(count // each)] for row in range(rows)
    ]


def _properties(kind: Kind) -> dict[str, Attribute]:
    depth = STEP_BYTES * (1 if kind.name == "mxf8f6f4" else 2)
    return {
        "shape": ShapeAttr.of(16, 8, depth),
        "multiplicandAPtxType": attr("nvvm.mma_type", kind.types[0]),
        "multiplicandBPtxType": attr("nvvm.mma_type", kind.types[1]),
        "scaleVecSize": attr("nvvm.scale_vec_size", f"x{kind.each}"),
        "blockScaleFormat": attr("nvvm.block_scale_format", kind.format),
        "kind": attr("nvvm.block_scale_kind", kind.name),
        "operandSegmentSizes": indices(4, 2, 4, *[1] * 6),
    }


# -- into tensor memory -------------------------------------------------------------------------------------------

_ROW_BYTES = 16


def _into_tensor_memory(env: Lowering, op: tile.GemmScaledOp) -> None:
    """Copy the scales to tensor memory, and start products of 32 bytes along K, which run behind the copies."""
    d, a, b, scale_a, scale_b = (buffer_type(x) for x in op.operands[:5])
    (rows, columns), steps = matrix_shape(d), matrix_shape(a)[1] // STEP_BYTES
    pair = op.pair is not None
    # Never twice the most: sums of 512 columns would leave no room for scales.
    n = columns if columns <= MOST_COLUMNS else ROWS
    if rows != LANES or n % (16 << pair) or columns % n or matrix_shape(a)[1] % STEP_BYTES or (pair and n != columns):
        above = f"at most {MOST_COLUMNS}" if pair else f"above {MOST_COLUMNS} of {ROWS}"
        raise CompileError(
            f"{rows}x{columns}x{matrix_shape(a)[1]} is not a multiple of the shapes of tcgen05.mma with scales",
            hint=f"make M {LANES}, N a multiple of {16 << pair}, {above}, K of {STEP_BYTES} bytes",
        )
    # What is left out before the columns may need a piece more.
    pieces = -(-columns // ROWS) if op.skip is None else max(-(-columns // ROWS), _pieces(scale_b))
    whole = pieces * ROWS
    kind = _kind(op, (scale_a.span // rows, scale_b.span // whole))
    left = SharedOperand(env, op.a, a, LANES, k_first=False, name="a", constant=constant_bits, reader="tcgen05.mma")
    right = SharedOperand(env, op.b, b, n >> pair, k_first=True, name="b", constant=constant_bits, reader="tcgen05.mma")
    if any(code > 1 for code in kind.codes):
        raise CompileError(
            "tcgen05.mma cannot read 6-bit floats that take a byte each",
            hint="use e4m3, which represents every e2m3, or e5m2, which represents every e3m2",
        )
    if not (left.found.k_major and right.found.k_major):
        raise CompileError(
            "scaled products need operands that are contiguous along K", hint="store B as N x K, and pass it transposed"
        )
    assert op.place is not None
    base = env.emit(llvm.PtrToIntOp.create(operands=[op.place], result_types=[i32]))
    group = GROUPS[pair]
    first_b = _copied(env, op.scale_a, scale_a, rows, base, 0, group)
    _copied(env, op.scale_b, scale_b, whole, base, first_b, group)
    of_columns = base if op.skip is None else plus(env, base, divided(env, op.skip, 32))
    always, never = env.constant(1, 1), env.constant(0, 1)
    word = (n >> 3) << 17 | LANES << pair >> 4 << 24 | kind.codes[0] << 7 | kind.codes[1] << 10
    word |= (kind.format == "ue8m0") << 23
    block_scale = "block16" if kind.each == BLOCKS else None
    properties: dict[str, Any] = {
        "kind": kind.name,
        "cta_group": group,
        "block_scale": block_scale,
        "collector_op": "discard",
    }
    for block in range(columns // n):
        place = address(env, op.d, d, block * n)
        for step in range(steps):
            piece, byte = divmod(step * kind.each, BLOCKS)
            of_a = piece * (rows // 32)
            of_b = first_b + piece * (whole // 32) + block * (n // 32)
            scales = [_moved(env, base, of_a), _moved(env, of_columns, of_b)]
            add = always if step else never if op.fresh is not None else op.add or always
            described = env.constant(word | byte << 29 | byte << 4)
            operands = [place, left.at(0, step), right.at(block, step), described, add, *scales]
            env.add(new("nvvm.tcgen05.mma.block_scale", *operands, **properties))


def _pieces(type: BufferType) -> int:
    """How many times 128 rows scales are of."""
    *_, pieces, _, _, _ = (1, *type.shape)
    return pieces


def _copied(
    env: Lowering, scales: SSAValue, type: BufferType, rows: int, base: SSAValue, column: int, group: str
) -> int:
    """Start the copies of the scales of some rows to tensor memory, from a column on: the column after them.

    Raises:
        CompileError: they are not pieces of 32 rows of 16 bytes.
    """
    pieces = type.span // (rows * BLOCKS)
    shape = (rows // ROWS, pieces, 32, _ROW_BYTES)
    tile, swizzle = parts(type.layout, type.shape)
    if type.span != prod(shape) or [x for x in type.shape if x > 1] != [x for x in shape if x > 1] or swizzle:
        raise CompileError(
            f"the scales of {rows} rows must be pieces of 32 x {_ROW_BYTES}, not {list(type.shape)}",
            hint=f"use tile(e8m0, {shape[0]}, {max(1, pieces)}, 32, {_ROW_BYTES}), filled from blocked_scales(...)",
        )
    places = tile.apply_all(type.shape)[m].reshape(-1, 32 * _ROW_BYTES)
    if (places - places[:, :1] != range(32 * _ROW_BYTES)).any() or (places[:, 0] % _ROW_BYTES).any():
        raise CompileError("a piece of scales must be contiguous in shared memory")
    low, high = descriptor_base(env, scales, type, (8 * _ROW_BYTES >> 4) << 32 | VERSION)
    for row in range(shape[0]):
        for piece in range(pieces):
            source = descriptor_at(env, low, high, int(places[row * pieces + piece, 0]))
            target = _moved(env, base, column + piece * (rows // 32) + row * BLOCKS)
            env.add(new("nvvm.tcgen05.cp", target, source, shape="shape_32x128b", multicast="warpx4", group=group))
    return column + pieces * (rows // 32)


def _moved(env: Lowering, base: SSAValue, column: int) -> SSAValue:
    """The place in tensor memory some columns behind another."""
    value = plus(env, base, env.constant(column)) if column else base
    return env.emit(llvm.IntToPtrOp.create(operands=[value], result_types=[TENSOR_POINTER]))
