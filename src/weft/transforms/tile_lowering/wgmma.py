"""`tile.gemm_async`: `wgmma` for every 64 rows and step along K, on operands in shared memory or registers."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any, NamedTuple

from xdsl.dialects import arith, llvm
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, UnitAttr, f32, i32, i64
from xdsl.ir import Attribute, SSAValue

from weft.dialects.engine.making import new
from weft.dialects.rows import tile
from weft.dialects.tile.memory import buffer_type, matrix_shape
from weft.dialects.tile.types import SHARED, BufferType
from weft.dialects.tile.words import WgmmaOp
from weft.errors import CompileError, LayoutError
from weft.layout import Layout, TileLayout
from weft.layout.axis import tid_in_wg
from weft.layout.descriptors import Descriptor, descriptor
from weft.layout.sparse import COLUMNS, selectors
from weft.layout.wgmma import columns_of, depth_of, wgmma_fragment
from weft.transforms.tile_lowering.integers import divided, plus
from weft.transforms.tile_lowering.lowering import Lowering, handles
from weft.transforms.tile_lowering.sparse import metadata_words, word_operand
from weft.transforms.tile_lowering.words import indices

ROWS = 64
"""Rows of one product."""
_TYPES = {"f16": "f16", "bf16": "bf16", "f32": "tf32", "i8": "s8", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}
_SUMS = {"f32": "f32", "f16": "f16", "i32": "s32"}


class Product(NamedTuple):
    """One `wgmma`: its N, the K of what is stored of A, the types of sums and operands, whether A is sparse."""

    n: int
    k: int
    d: str
    a: str
    b: str
    sparse: bool = False


@handles("tile.gemm_async")
def lower_gemm_async(env: Lowering, op: tile.GemmAsyncOp) -> None:
    """Start d += a * b: K innermost, so that every sum's products follow each other."""
    d, a, b = (buffer_type(x) for x in (op.d, op.a, op.b))
    product = _product(d, a, b, _type(a, op.unsigned_a), _type(b, op.unsigned_b))
    product = product._replace(sparse=op.metadata is not None)
    words = env.words(op.d)
    held = _words_of(d, "d", product.d, product)
    right = SharedOperand(env, op.b, b, product.n, k_first=True, name="b", steps=1 + product.sparse)
    left = SharedOperand(env, op.a, a, ROWS, k_first=False, name="a") if a.space.data == SHARED else None
    fragments = [] if left is not None else _words_of(a, "a", product.a, product)
    (rows, columns), steps = matrix_shape(d), matrix_shape(a)[1] // product.k
    words_e = _metadata(env, op, product, (rows, steps)) if product.sparse else {}
    env.add(new("nvvm.wgmma.fence.aligned"))
    for i in range(rows // ROWS):
        for j in range(columns // product.n):
            places = held[i * (columns // product.n) + j]
            sums = [_sum(env, words[w], product.d) for w in places]
            for step in range(steps):
                if left is not None:
                    first, transposed = [left.at(i, step)], not left.found.k_major
                else:
                    first, transposed = (
                        [word_operand(env, env.words(op.a)[w]) for w in fragments[i * steps + step]],
                        False,
                    )
                turned = (transposed, not right.found.k_major)
                sums = _emit(env, op, product, sums, first, right.at(j, step), step, turned, words_e.get((i, step)))
            for place, value in zip(places, sums, strict=True):
                env.set_word(op.d, place, value)
    env.remove(op)


def _emit(
    env: Lowering, op: tile.GemmAsyncOp, product: Product, sums: list[SSAValue], a: list[SSAValue], b: SSAValue,
    step: int, transposed: tuple[bool, bool], metadata: tuple[SSAValue, int] | None,
) -> list[SSAValue]:  # fmt: skip
    """One product; only the first along K may leave out what was there."""
    add: list[SSAValue] = [op.add] if op.add is not None and step == 0 else []
    properties: dict[str, Attribute] = {
        "n": IntegerAttr(product.n, i64),
        "k": IntegerAttr(product.k * (1 + product.sparse), i64),
        "dtype": StringAttr(product.d),
        "atype": StringAttr(product.a),
        "btype": StringAttr(product.b),
        "operandSegmentSizes": indices(len(sums), len(a), 1, len(add), int(metadata is not None)),
    }
    if metadata is not None:
        add.append(metadata[0])
        properties["selector"] = IntegerAttr(metadata[1], i64)
    flags = {"fresh": op.fresh is not None and step == 0, "transpose_a": transposed[0], "transpose_b": transposed[1]}
    properties |= {name: UnitAttr() for name, holds in flags.items() if holds}
    made = WgmmaOp.create(
        operands=[*sums, *a, b, *add], properties=properties, result_types=[value.type for value in sums]
    )
    env.add(made)
    return list(made.results)


def _metadata(
    env: Lowering, op: tile.GemmAsyncOp, product: Product, extents: tuple[int, int]
) -> dict[tuple[int, int], tuple[SSAValue, int]]:
    """For each 64 rows and step along K the word of metadata, and which lanes' it is."""
    assert op.metadata is not None
    rows, steps = extents
    each = selectors(product.a)
    words = metadata_words(env, op.metadata, (rows // 2, steps * COLUMNS // each), tid_in_wg, 4)
    count = steps // each
    return {
        (i, step): (words[i * count + step // each], step % each) for i in range(rows // ROWS) for step in range(steps)
    }


# -- operands in shared memory ------------------------------------------------------------------------------------


class SharedOperand:
    """An operand in shared memory: its descriptor for each block and step.

    `constant` gives the descriptor's bits but for the address, `reader` is the instruction's name.
    """

    def __init__(
        self,
        env: Lowering,
        buffer: SSAValue,
        type: BufferType,
        block: int,
        *,
        k_first: bool,
        name: str,
        constant: Callable[[Descriptor], int] = lambda found: found.constant,
        reader: str = "wgmma",
        steps: int = 1,
    ):
        self._env = env
        shape = matrix_shape(type)
        try:
            self.found = descriptor(type.layout, shape, type.element_bits, block, k_first=k_first, steps=steps)
        except LayoutError as failure:
            raise CompileError(f"{reader} cannot read '{name}': {failure.message}", hint=failure.hint) from None
        place = env.places[buffer]
        size = type.element_bits // 8
        if place.alignment % self.found.alignment or (
            place.offset is not None and place.divisor * size % self.found.alignment
        ):
            raise CompileError(
                f"{reader} needs '{name}' aligned to {self.found.alignment} bytes: this region is not known to be",
                hint="use regions of whole blocks of rows, at offsets known to be multiples of 8 rows",
            )
        self._low, self._high = descriptor_base(env, buffer, type, constant(self.found))

    def at(self, block: int, step: int) -> SSAValue:
        """The descriptor (i64) for a block along M or N and a step along K."""
        return descriptor_at(self._env, self._low, self._high, self.found.corners[block][step])


def descriptor_at(env: Lowering, low: SSAValue, high: int, by: int) -> SSAValue:
    """A descriptor (i64) of the halves that `descriptor_base` gives, some bytes on."""
    low = plus(env, low, env.constant(by >> 4)) if by else low
    wide = env.emit(arith.ExtUIOp.create(operands=[low], result_types=[i64]))
    return env.emit(arith.OrIOp.create(operands=[wide, env.constant(high, 64)], result_types=[i64]))


WITHIN_BLOCK = (1 << 18) - 1
"""The bits of an address in shared memory that a descriptor has (PTX manual, "matrix-descriptor-encode")."""


def descriptor_base(env: Lowering, buffer: SSAValue, type: BufferType, constant: int) -> tuple[SSAValue, int]:
    """The low half of the descriptor's bits for the tile's own place, and the constant high half (in its place)."""
    pointer, offset = env.pointer(buffer), env.offset(buffer)
    address = env.emit(llvm.PtrToIntOp.create(operands=[pointer], result_types=[i32]))
    if _in_clusters(env):  # Addresses hold the block's rank from bit 24 on, which is no part of a descriptor.
        address = env.emit(arith.AndIOp.create(operands=[address, env.constant(WITHIN_BLOCK)], result_types=[i32]))
    units = env.emit(arith.ShRUIOp.create(operands=[address, env.constant(4)], result_types=[i32]))
    low = constant & 0xFFFFFFFF
    high = constant ^ low
    units = plus(env, units, env.constant(low)) if low else units
    if offset is not None:  # Both are multiples of 16 bytes: what does not change in a loop is computed before it.
        units = plus(env, units, divided(env, offset, 128 // type.element_bits))
    return units, high - (1 << 64) if high >> 63 else high


def _in_clusters(env: Lowering) -> bool:
    """Whether the kernel says that its blocks come in clusters."""
    function = env.entry.parent_op()
    found = None if function is None else function.properties.get("known_cluster_size")
    return isinstance(found, DenseArrayBase) and prod(found.get_values()) > 1


# -- operands in registers ----------------------------------------------------------------------------------------


@cache
def _fragments(layout: Layout, shape: tuple[int, int], operand: str, type: str, product: Product) -> list[list[int]]:
    """The words that are the registers of each fragment, row by row."""
    expected = wgmma_fragment(operand, type, shape)
    if not isinstance(layout, TileLayout) or layout.canonicalize(fuse_scopes=True) != expected.canonicalize(
        fuse_scopes=True
    ):
        of = "sums" if operand == "d" else "a"
        raise LayoutError(
            f"'{operand}' is not laid out as the {of} of wgmma: {layout}",
            hint=f'use wgmma_layout("{operand}", {shape}, ...)',
        )
    # A's are 32 bytes of each row, whatever their type; sums of half a word share one.
    columns, each = (product.n, product.n // (4 if type == "f16" else 2)) if operand == "d" else (product.k, 4)
    count = (shape[0] // ROWS) * (shape[1] // columns)
    return [list(range(at * each, (at + 1) * each)) for at in range(count)]


def _words_of(type: BufferType, operand: str, kind: str, product: Product) -> list[list[int]]:
    shape = matrix_shape(type)
    try:
        return _fragments(type.layout, shape, operand, kind, product)
    except LayoutError as failure:
        raise CompileError(failure.message, hint=failure.hint) from None


def _type(type: BufferType, unsigned: Any) -> str:
    found = _TYPES.get(str(type.element), "")
    return "u8" if found == "s8" and unsigned is not None else found


def _product(d: BufferType, a: BufferType, b: BufferType, left: str, right: str) -> Product:
    """The product that tiles are multiplied by; raises CompileError where there is none."""
    sums = _SUMS.get(str(d.element), "")
    eight = ("e4m3", "e5m2")
    whole = ("s8", "u8")
    known = (left == right and left in ("f16", "bf16", "tf32")) or (left in eight and right in eight)
    if not (
        (known and (sums == "f32" or (sums == "f16" and left != "bf16" and left != "tf32")))
        or (left in whole and right in whole and sums == "s32")
    ):
        raise CompileError(
            f"wgmma does not multiply {a.element} by {b.element} into {d.element}",
            hint="use f16, bf16, f32 (as tf32) or fp8 into f32; f16 or fp8 into f16; i8 or u8 into i32",
        )
    depth = depth_of(left)
    (rows, columns), steps = matrix_shape(d), matrix_shape(a)[1]
    if rows % ROWS or steps % depth:
        raise CompileError(
            f"{rows}x{columns}x{steps} is not a multiple of the shapes of wgmma",
            hint=f"make M a multiple of {ROWS}, N of 8, K of {depth}",
        )
    return Product(columns_of(columns, sums), depth, sums, left, right)


def _sum(env: Lowering, word: SSAValue | None, kind: str) -> SSAValue:
    type: Attribute = f32 if kind == "f32" else i32
    return env.undefined(type) if word is None else word
