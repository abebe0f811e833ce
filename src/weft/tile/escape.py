"""The way out of the language: PTX written by hand, and addresses in shared memory for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, i32

from weft.dialects.engine.operations import op_class
from weft.tile.buffers import Buffer
from weft.tile.dtypes import dtype, u32
from weft.tile.regions import Region
from weft.tile.scalars import Scalar, common, is_number, scalar
from weft.tile.trace import current, error


def inline_ptx(code: str, *operands: Any, results: Sequence[object] = ()) -> Any:
    """PTX as it is written: `{$r0}`, `{$r1}`, ... are the operands, `{$w0}`, ... the results, of the given types.

    It is verified where it is.  Gives nothing, a number, or a tuple of numbers.

        clock = inline_ptx("mov.u32 {$w0}, %clock;", results=(u32,))

    Raises:
        CompileError: an operand is no number; when the kernel is compiled, ptxas would refuse the code.
    """
    kinds = [dtype(each) for each in results]
    values: list[Scalar] = []
    for x in operands:
        if not is_number(x):
            raise error(f"{x!r} is not an operand of PTX", "numbers; address(tile, i, j) for a place in shared memory")
        values.append(scalar(x, common(x, x)))
    op = op_class("nvvm.inline_ptx").create(
        operands=[value.value for value in values],
        properties={
            "ptxCode": StringAttr(code),
            "operandSegmentSizes": DenseArrayBase.from_list(i32, [len(values), 0, 0]),
        },
        result_types=[kind.mlir for kind in kinds],
    )
    current().add(op)
    found = tuple(Scalar(value, kind) for value, kind in zip(op.results, kinds, strict=True))
    return found[0] if len(found) == 1 else found or None


def address(tile: Any, *coordinates: Any) -> Scalar:
    """The 32-bit address of an element of a tile in shared memory, of its first one without coordinates."""
    if isinstance(tile, Region):
        raise error("a region has no address of its own", "address(tile, i, j): of an element")
    if not isinstance(tile, Buffer):
        raise error(f"{tile!r} is not in shared memory")
    if coordinates and len(coordinates) != len(tile.shape):
        raise error(f"{len(coordinates)} coordinates of a tile of {len(tile.shape)} dimensions")
    pointer = tile.element_pointer(coordinates)
    return Scalar(current().value(llvm.PtrToIntOp.create(operands=[pointer], result_types=[i32])), u32)
