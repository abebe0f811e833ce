"""Tensor memory (`tcgen05`): allocation, copies, loads, stores and synchronisation; sm_100a and its family."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import Attribute, SSAValue

from weft.dialects import narrow
from weft.dialects.nvvm.pointers import TENSOR
from weft.dialects.verification import PlainVerifyException

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm

_MULTICASTS: dict[str, tuple[tuple[str, ...], str]] = {
    "shape_64x128b": (
        ("warpx2_02_13", "warpx2_01_23"),
        "Shape 64x128b requires multicast warpx2_01_23 or warpx2_02_13 for tcgen05.cp Op",
    ),
    "shape_32x128b": (("warpx4",), "Shape 32x128b requires multicast warpx4 for tcgen05.cp Op"),
}


def copy(op: nvvm.Tcgen05CpOp) -> None:
    """Shapes of fewer than 128 lanes say which warps get copies; the others do not."""
    allowed, message = _MULTICASTS.get(op.shape.data, (("none",), "Invalid multicast type for tcgen05.cp Op"))
    if op.multicast.data not in allowed:
        raise PlainVerifyException(message)


_REGISTERS = {"shape_16x64b": 1, "shape_16x128b": 2, "shape_16x256b": 4, "shape_32x32b": 1, "shape_16x32bx2": 1}
"""Registers of 32 bits that one repetition of a shape takes from a thread; up to 128 in all."""


def _length(data: Attribute) -> int:
    """Registers of an `i32` or `vector<Nxi32>`."""
    vector = narrow.vector(data)
    return 1 if vector is None else vector.get_shape()[0]


def _verify_offset(shape: str, offset: SSAValue | None) -> None:
    if shape == "shape_16x32bx2" and offset is None:
        raise PlainVerifyException("shape 16x32bx2 requires offset argument")


def load(op: nvvm.Tcgen05LdOp) -> None:
    """The number of registers is one that the shape can have; only 16x32bx2 has an offset."""
    shape = op.shape.data
    if op.offset is not None and shape != "shape_16x32bx2":
        raise PlainVerifyException("offset argument is only supported for shape 16x32bx2")
    _verify_offset(shape, op.offset)
    length = _length(op.res.type)
    if length < _REGISTERS[shape]:
        raise PlainVerifyException(f"invalid result type length {length} for shape {shape} in tcgen05.ld Op")


def store(op: nvvm.Tcgen05StOp) -> None:
    """The number of registers is one that the shape can have; 16x32bx2 has an offset."""
    shape = op.shape.data
    length = _length(op.val.type)
    if length < _REGISTERS[shape]:
        raise PlainVerifyException(f"invalid input length {length} for shape {shape} in tcgen05.st Op")
    _verify_offset(shape, op.offset)


def shift(op: nvvm.Tcgen05MmaOp | nvvm.Tcgen05MmaSpOp) -> None:
    """Rows of A can be shifted in tensor memory, and not into the collector buffer or out of it."""
    if op.a_shift is None:
        return
    if op.matrix_a.type != TENSOR:
        raise PlainVerifyException("A-shift can be applied only when matrix A is in tensor memory")
    if op.collector_op.data in ("fill", "use"):
        raise PlainVerifyException("Cannot use collector buffer operation fill or use with ashift")


def lanes(op: nvvm.Tcgen05MmaOp | nvvm.Tcgen05MmaSpOp) -> None:
    """The lanes to leave out are 4 words for one block and 8 for two."""
    mask = op.disable_output_lane
    vector = None if mask is None else narrow.vector(mask.type)
    if vector is None:
        return
    length = vector.get_shape()[0]
    if length != (4 if op.cta_group.data == "cta_1" else 8):
        raise PlainVerifyException(f"Disable Output Lane of length {length} is incompatible with CtaGroupAttr")


def scales(op: nvvm.Tcgen05MmaBlockScaleOp | nvvm.Tcgen05MmaSpBlockScaleOp) -> None:
    """Which block sizes a format has."""
    if op.kind.data == "mxf4nvf4":
        if op.block_scale.data == "default":
            raise PlainVerifyException("mxf4nvf4 requires block scale attribute")
    elif op.block_scale.data == "block16":
        raise PlainVerifyException(f"{op.kind.data} kind does not support block16 attribute")
