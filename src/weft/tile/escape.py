"""The way out of the language: PTX written by hand, and addresses in memory for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import i32, i64

from weft.dialects.engine.making import new
from weft.tile.buffers import Buffer
from weft.tile.dtypes import dtype, u32, u64
from weft.tile.regions import Region, indexed
from weft.tile.scalars import Scalar, common, is_number, scalar
from weft.tile.tensors import Tensor
from weft.tile.trace import current, error


def inline_ptx(code: str, *operands: Any, results: Sequence[object] = ()) -> Any:
    """Insert PTX, with operands `{$r0}`, `{$r1}`, ... and results `{$w0}`, ... of the given types.

    Returns nothing, a number, or a tuple of numbers.  The code is verified.

        clock = inline_ptx("mov.u32 {$w0}, %clock;", results=(u32,))

    Raises:
        CompileError: an operand is not a number, or (when the kernel is compiled) the code is not valid PTX.
    """
    kinds = [dtype(each) for each in results]
    values: list[Scalar] = []
    for x in operands:
        if not is_number(x):
            raise error(
                f"{x!r} cannot be an operand of PTX", "pass numbers, or address(x, i, j) for an address in memory"
            )
        values.append(scalar(x, common(x, x)))
    op = new(
        "nvvm.inline_ptx",
        [value.value for value in values],
        results=[kind.mlir for kind in kinds],
        ptx_code=code,
    )
    current().add(op)
    found = tuple(Scalar(value, kind) for value, kind in zip(op.results, kinds, strict=True))
    return found[0] if len(found) == 1 else found or None


def address(tile: Any, *coordinates: Any) -> Scalar:
    """The address of an element, by default of the first one.

    It has 32 bits for a tile in shared memory, and 64 for a tensor: an address in global memory, for instructions with
    `.global`.
    """
    if isinstance(tile, Region):
        raise error("a region has no single address", "use address(tile, i, j), the address of an element")
    if not isinstance(tile, Buffer | Tensor):
        raise error(f"{tile!r} is not in memory")
    if coordinates and len(coordinates) != len(tile.shape):
        raise error(f"{len(coordinates)} coordinates for a tile of {len(tile.shape)} dimensions")
    found = indexed(tile, tile.shape, coordinates or (0,) * len(tile.shape))
    if isinstance(found, Region):
        raise error("a region has no single address", "give a number for each dimension")
    pointer = tile.element_pointer(found)
    kind, type = (u64, i64) if isinstance(tile, Tensor) else (u32, i32)
    return Scalar(current().value(llvm.PtrToIntOp.create(operands=[pointer], result_types=[type])), kind)
