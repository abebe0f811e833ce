"""The metadata of sparse operands in registers, and other words that products take as they are."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from weft.dialects.tile.memory import buffer_type
from weft.errors import CompileError, LayoutError
from weft.layout import Axis, TileLayout
from weft.layout.sparse import metadata_fragment
from weft.transforms.tile_lowering.lowering import Lowering


def metadata_words(env: Lowering, metadata: SSAValue, shape: tuple[int, int], axis: Axis, warps: int) -> list[SSAValue]:
    """The words of metadata that a thread holds, row by row; raises CompileError where they are laid out otherwise."""
    type = buffer_type(metadata)
    expected = None
    if type.element_bits == 32 and type.shape == shape:
        try:
            expected = metadata_fragment(shape, axis, warps)
        except LayoutError as failure:
            raise CompileError(failure.message, hint=failure.hint) from None
    fused = isinstance(type.layout, TileLayout) and type.layout.canonicalize(fuse_scopes=True)
    if expected is None or fused != expected.canonicalize(fuse_scopes=True):
        raise CompileError(
            f"this product needs metadata of {shape[0]} x {shape[1]} words of 32 bits in the instruction's layout, not "
            f"{'x'.join(map(str, type.shape))}x{type.element} {type.layout}",
            hint=f"use register({shape}, u32, metadata_layout({shape}, {'warp' if warps == 1 else 'warpgroup'}))",
        )
    return [word_operand(env, word) for word in env.words(metadata)]


def word_operand(env: Lowering, word: SSAValue | None) -> SSAValue:
    """A word of registers as an operand of 32 bits."""
    if word is None:
        return env.undefined(i32)
    return word if word.type == i32 else env.emit(llvm.BitcastOp.create(operands=[word], result_types=[i32]))
