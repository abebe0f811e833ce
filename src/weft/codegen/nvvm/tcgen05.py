"""Tensor memory: `nvvm.tcgen05.*` without the products."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.graph import B32
from weft.codegen.nvvm.fragments import half
from weft.codegen.nvvm.tma import cta_group
from weft.codegen.selector import Selector, handles
from weft.codegen.types import is_vector, layout
from weft.dialects import narrow
from weft.isa.opcode import opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm


@handles("nvvm.tcgen05.alloc")
def select_alloc(s: Selector, op: Operation) -> None:
    """Allocate columns; their address is written to shared memory."""
    pointer, columns = (s.int(v) for v in op.operands)
    text = opcode("tcgen05.alloc", cta_group=cta_group(op), ss="shared::cta" if pointer.bits == 32 else "", type="b32")
    s.emit(text, s.address(pointer), s.operand(columns))


@handles("nvvm.tcgen05.dealloc")
def select_dealloc(s: Selector, op: Operation) -> None:
    """Give columns back."""
    address, columns = (s.int(v) for v in op.operands)
    text = opcode("tcgen05.dealloc", cta_group=cta_group(op), type="b32")
    s.emit(text, s.int_value(address), s.operand(columns))


@handles("nvvm.tcgen05.relinquish_alloc_permit")
def select_relinquish(s: Selector, op: Operation) -> None:
    """Allocate no more."""
    s.emit(opcode("tcgen05.relinquish_alloc_permit", cta_group=cta_group(op)))


@handles("nvvm.tcgen05.fence")
def select_fence(s: Selector, op: nvvm.Tcgen05FenceOp) -> None:
    """Order what is before or after a synchronisation of threads."""
    s.emit(opcode(f"tcgen05.fence::{op.kind.data.value}_thread_sync"))


@handles("nvvm.tcgen05.wait")
def select_wait(s: Selector, op: nvvm.Tcgen05WaitOp) -> None:
    """Wait for the thread's loads or stores."""
    kind = {"load": "ld", "store": "st"}[op.kind.data.value]
    s.emit(opcode(f"tcgen05.wait::{kind}"))


@handles("nvvm.tcgen05.commit")
def select_commit(s: Selector, op: Operation) -> None:
    """Let an mbarrier track what was issued; with a mask, the mbarriers of several blocks."""
    address = s.int(op.operands[0])
    mask = [half(s, v) for v in op.operands[1:]]
    text = opcode(
        "tcgen05.commit",
        cta_group=cta_group(op),
        completion="mbarrier::arrive::one",
        ss="shared::cluster",
        multicast="multicast::cluster" if mask else "",
        type="b64",
    )
    s.emit(text, s.address(address), *mask)


@handles("nvvm.tcgen05.shift")
def select_shift(s: Selector, op: Operation) -> None:
    """Move rows down by one."""
    s.emit(opcode("tcgen05.shift", cta_group=cta_group(op)), s.address(s.int(op.operands[0])))


_MULTICASTS = {"warpx2_02_13": "warpx2::02_13", "warpx2_01_23": "warpx2::01_23", "warpx4": "warpx4", "none": ""}


@handles("nvvm.tcgen05.cp")
def select_copy(s: Selector, op: nvvm.Tcgen05CpOp) -> None:
    """Copy from shared to tensor memory."""
    address, descriptor = (s.int(v) for v in op.operands)
    slots: dict[str, Any] = {
        "cta_group": cta_group(op),
        "shape": op.shape.data.value.removeprefix("shape_"),
        "multicast": _MULTICASTS[op.multicast.data.value],
    }
    source = op.src_format
    if source is not None:
        slots |= {"dst_fmt": "b8x16", "src_fmt": source.data.value}
    s.emit(opcode("tcgen05.cp", **slots), s.address(address), s.int_value(descriptor))


_FIELDS = ((14, 0), (14, 16), (14, 32), (3, 49), (1, 52), (3, 61))
"""Bits and position of each field of a descriptor of shared memory, in the order of the operands."""
_DESCRIPTOR = 1 << 46


@handles("nvvm.tcgen05.mma_smem_desc")
def select_descriptor(s: Selector, op: Operation) -> None:
    """The descriptor of a matrix in shared memory."""
    total = linear.const(_DESCRIPTOR)
    for operand, (bits, position) in zip(op.operands, _FIELDS, strict=True):
        if bits == 1:
            field = s.from_test(s.test(operand), 64)
        else:
            low = s.bitwise("and", s.int(operand), linear.const32((1 << bits) - 1))
            field = s.extended(low, signed=False)
        total = s.bitwise("or", total, s.shift_left(field, linear.const(position)))
    s.values[op.results[0]] = total


def _halves(s: Selector, op: Operation, found: Any) -> list[int]:
    """The distance of the two halves of shape 16x32bx2, a constant."""
    if not found:
        return []
    offset = s.int(found[0])
    if not offset.is_const:
        raise compile_error(op, "the offset must be a constant")
    return [offset.const]


def _slots(op: Operation, type_: Any, flag: str) -> dict[str, Any]:
    shape = narrow.word(op.properties["shape"]).removeprefix("shape_")
    words = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}[shape]
    packed = op.properties.get(flag) is not None
    return {
        "shape": shape,
        "num": f"x{len(layout(type_).scalars) // words}",
        flag: f"{flag}::16b" if packed else "",
        "type": "b32",
    }


@handles("nvvm.tcgen05.ld")
def select_load(s: Selector, op: Operation) -> None:
    """Start loading registers from tensor memory."""
    result = op.results[0]
    text = opcode("tcgen05.ld", **_slots(op, result.type, "pack"))
    address, offset = s.address(s.int(op.operands[0])), _halves(s, op, op.operands[1:])
    outs = tuple(s.value(B32) for _ in layout(result.type).scalars)
    s.emit(text, outs, address, *offset, outs=outs)
    s.values[result] = s.unflatten(result.type, tuple(linear.of(value) for value in outs))


@handles("nvvm.tcgen05.st")
def select_store(s: Selector, op: Operation) -> None:
    """Start storing registers to tensor memory."""
    value = op.operands[1]
    text = opcode("tcgen05.st", **_slots(op, value.type, "unpack"))
    address, offset = s.address(s.int(op.operands[0])), _halves(s, op, op.operands[2:])
    words = s.get(value) if is_vector(value.type) else (s.get(value),)
    s.emit(text, address, *offset, tuple(s.int_value(word) for word in words))
