"""Matrix products: `mma.sync` for every tile of its shape, on the registers that hold the fragments."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from xdsl.dialects import llvm
from xdsl.dialects.builtin import UnitAttr, VectorType, i32
from xdsl.ir import Attribute, Operation, SSAValue

from weft.dialects.engine.attributes import attr
from weft.dialects.engine.operations import op_class
from weft.dialects.nvvm.matrix_attributes import ShapeAttr
from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type
from weft.dialects.tile.types import BufferType
from weft.errors import CompileError, LayoutError
from weft.isa.fragments import Fragment, fragment
from weft.isa.opcode import opcode
from weft.layout import TileLayout, laneid
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.places import fragment_words
from weft.transforms.tile_lowering.words import indices


class Shape(NamedTuple):
    """An `mma.sync`: M x N x K and its types."""

    m: int
    n: int
    k: int
    a: str
    b: str
    d: str
    sparse: bool = False

    @property
    def depth(self) -> int:
        """The rows of B: of a sparse A, half of them are stored."""
        return self.k * (1 + self.sparse)


_TYPES = {"f16": "f16", "bf16": "bf16", "f32": "tf32", "f64": "f64", "i8": "s8", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}
_BYTES = {name: name for name in ("e4m3", "e5m2", "e2m3", "e3m2")}
"""Floats of a byte each, whose fragments are alike; of those of 6 bits the tile's type says nothing."""
_ACCUMULATORS = {"f32": "f32", "f16": "f16", "f64": "f64", "i32": "s32"}
_DEPTHS = {
    "f16": (16, 8),
    "bf16": (16, 8),
    "tf32": (8, 4),
    "s8": (32, 16),
    "u8": (32, 16),
    "e4m3": (32,),
    "e5m2": (32,),
    "e2m3": (32,),
    "e3m2": (32,),
    "f64": (4,),
}
"""The K of the shapes that there are for a type, the preferred one first; M x N is 16 x 8, for f64 8 x 8."""


_LAYOUTS = {"layoutA": attr("nvvm.mma_layout", "row"), "layoutB": attr("nvvm.mma_layout", "col")}
_ORDERED = {"orderedMetadata": UnitAttr()}


@handles("tile.gemm")
def lower_gemm(env: Lowering, op: tile.GemmOp) -> None:
    """d += a * b, K innermost so that every accumulator waits for itself only."""
    d, a, b = (buffer_type(x) for x in (op.d, op.a, op.b))
    types = _multiplied(a, unsigned=op.unsigned_a is not None), _multiplied(b, unsigned=op.unsigned_b is not None)
    if op.types is not None:
        left, _, right = op.types.data.partition(",")
        types = _BYTES.get(left), _BYTES.get(right)
    metadata = op.metadata
    sparse = metadata is not None
    shape, (rows, columns), depth = _shape(d, a, b, types, sparse=sparse), d.shape, a.shape[1]
    at_d = words_of(op, "d", d, "d", shape, (shape.m, shape.n))
    at_a = words_of(op, "a", a, "a", shape, (shape.m, shape.k))
    at_b = words_of(op, "b", b, "b", shape, (shape.depth, shape.n))
    steps = depth // shape.k
    codes = _codes(env, metadata, shape, (rows, steps)) if metadata is not None else []
    words_a, words_b = env.words(op.a), env.words(op.b)
    accumulators = env.words(op.d)
    for kk in range(steps):
        for i in range(rows // shape.m):
            left = [_operand(env, words_a[w], shape.a) for w in at_a[i, kk]]
            code = codes[i * steps + kk] if sparse else []
            for step in range(columns // shape.n):
                j = step if i % 2 == 0 else columns // shape.n - 1 - step
                right = [_operand(env, words_b[w], shape.b) for w in at_b[kk, j]]
                places = at_d[i, j]
                results = _product(
                    env, shape, left, right, [_accumulator(env, accumulators[w], shape.d) for w in places], code
                )
                for place, value in zip(places, results, strict=True):
                    env.set_word(op.d, place, value)
    env.remove(op)


def _codes(env: Lowering, metadata: SSAValue, shape: Shape, extents: tuple[int, int]) -> list[list[SSAValue]]:
    """The word of metadata and the selector of each product, row by row."""
    from weft.layout.sparse import COLUMNS, selectors
    from weft.transforms.tile_lowering.sparse import metadata_words

    (rows, steps), each = extents, selectors(shape.a)
    words = metadata_words(env, metadata, (rows // 2, steps * COLUMNS // each), laneid, 1)
    return [
        [words[row * (steps // each) + step // each], env.constant(step % each)]
        for row in range(rows // shape.m)
        for step in range(steps)
    ]


def _multiplied(type: BufferType, *, unsigned: bool) -> str | None:
    """The type that `mma.sync` multiplies the elements of a tile as."""
    found = _TYPES.get(str(type.element))
    return "u8" if unsigned and found == "s8" else found


def _shape(d: BufferType, a: BufferType, b: BufferType, types: tuple[str | None, str | None], *, sparse: bool) -> Shape:
    left, right = types
    accumulator = _ACCUMULATORS.get(str(d.element))
    if left is None or right is None or accumulator is None:
        raise CompileError(
            f"mma.sync does not multiply {a.element} by {b.element} into {d.element}",
            hint="use f16, bf16, f32 (as tf32) or fp8 into f32; f16 into f16; i8 into i32; f64 into f64",
        )
    m, n = (8, 8) if left == "f64" else (16, 8)
    rows, columns, depth = d.shape[0], d.shape[1], a.shape[1]
    for k in _DEPTHS[left][: 1 if sparse else None]:
        if depth % k == 0 and rows % m == 0 and columns % n == 0:
            return Shape(m, n, k, left, right, accumulator, sparse)
    raise CompileError(
        f"{rows}x{columns}x{depth} is not a multiple of mma.sync's shapes for {left}",
        hint=f"make M a multiple of {m}, N of {n}, K of {_DEPTHS[left][-1]}",
    )


@cache
def _fragment(shape: Shape, operand: str) -> Fragment:
    if shape.a in _BYTES:
        shape = shape._replace(a="e4m3", b="e4m3")
    slots = {"shape": f"m{shape.m}n{shape.n}k{shape.depth}", "alayout": "row", "blayout": "col"}
    code = opcode(
        "mma.sp" if shape.sparse else "mma", **slots, dtype=shape.d, atype=shape.a, btype=shape.b, ctype=shape.d
    )
    if code.problem is not None:
        raise CompileError(code.problem.message, hint=code.problem.hint)
    return fragment(code, operand)


@cache
def _registers(shape: Shape, operand: str) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """For each register of an operand's fragment, the lane, row and column of every element, position by position."""
    found = _fragment(shape, operand)
    return tuple(
        tuple(
            (lane, place.row, place.column)
            for lane in range(32)
            for place in (found.element(lane, register, position) for position in range(found.packed))
        )
        for register in range(found.registers)
    )


@cache
def _found(
    layout: TileLayout, extents: tuple[int, int], shape: Shape, operand: str, tile: tuple[int, int], bits: int
) -> dict[tuple[int, int], tuple[int, ...]]:
    return fragment_words(layout, extents, tile, _registers(shape, operand), bits)


def words_of(
    op: Operation, name: str, type: BufferType, operand: str, shape: Shape, tile: tuple[int, int]
) -> dict[tuple[int, int], tuple[int, ...]]:
    """The words that are the registers of an operand's fragment, for every tile."""
    try:
        return _found(type.layout, type.shape, shape, operand, tile, type.element_bits)
    except LayoutError as failure:
        raise CompileError(
            f"'{name}' is not laid out as the {name} fragment of mma.m{shape.m}n{shape.n}k{shape.k}: {failure.message}",
            hint=failure.hint or f"use mma_layout('{name}', ...)",
        ) from None


def _operand(env: Lowering, word: SSAValue | None, kind: str) -> SSAValue:
    """A word as `nvvm.mma.sync` takes it: vectors of two f16, i32 for other packed types and tf32, f64."""
    if kind == "f64":
        return env.undefined(_float64()) if word is None else word
    if word is None:
        word = env.undefined(i32)
    if kind == "f16":
        return env.emit(llvm.BitcastOp.create(operands=[word], result_types=[_pair()]))
    if kind == "tf32":
        return env.emit(llvm.BitcastOp.create(operands=[word], result_types=[i32]))
    return word


def _accumulator(env: Lowering, word: SSAValue | None, kind: str) -> SSAValue:
    if kind == "f16":
        return _operand(env, word, "f16")
    return env.undefined(_result_type(kind)) if word is None else word


def _float64() -> Attribute:
    from xdsl.dialects.builtin import f64

    return f64


def _pair() -> VectorType[Attribute]:
    from xdsl.dialects.builtin import f16

    return VectorType(f16, [2])


def _result_type(kind: str) -> Attribute:
    from xdsl.dialects.builtin import f32

    return {"f32": f32, "s32": i32, "f64": _float64(), "f16": _pair()}[kind]


def _product(
    env: Lowering, shape: Shape, a: list[SSAValue], b: list[SSAValue], c: list[SSAValue], code: list[SSAValue]
) -> list[SSAValue]:
    """One `mma.sync`, or `mma.sp.sync` with its metadata and selector: the registers of its result."""
    member = _result_type(shape.d)
    properties: dict[str, Attribute] = {
        "shape": ShapeAttr.of(shape.m, shape.n, shape.depth),
        "multiplicandAPtxType": attr("nvvm.mma_type", shape.a),
        "multiplicandBPtxType": attr("nvvm.mma_type", shape.b),
        "operandSegmentSizes": indices(len(a), len(b), len(c), *[1] * len(code)),
    }
    properties |= _ORDERED if code else _LAYOUTS
    structure = llvm.LLVMStructType.from_type_list([member] * len(c))
    made = op_class("nvvm.mma.sp.sync" if code else "nvvm.mma.sync")
    result = env.emit(made.create(operands=[*a, *b, *c, *code], properties=properties, result_types=[structure]))
    words = members(env, result, member, len(c))
    if shape.d != "f16":
        return words
    return [env.emit(llvm.BitcastOp.create(operands=[value], result_types=[i32])) for value in words]


def members(env: Lowering, structure: SSAValue, kind: Attribute, count: int) -> list[SSAValue]:
    """The members of a structure, all of one type."""
    found: list[SSAValue] = []
    for at in range(count):
        position = {"position": indices(at, bits=64)}
        made = llvm.ExtractValueOp.create(operands=[structure], properties=position, result_types=[kind])
        found.append(env.emit(made))
    return found
