"""Tensor memory (`tcgen05`): allocation, copies, loads, stores and synchronisation; sm_100a and its family."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr, VectorType, i1, i8, i16, i32, i64
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)

from weft.dialects import narrow
from weft.dialects.nvvm.pointers import TENSOR
from weft.dialects.nvvm.tcgen05_attributes import (
    CTAGroupKind,
    CTAGroupKindAttr,
    Tcgen05CpMulticast,
    Tcgen05CpMulticastAttr,
    Tcgen05CpShape,
    Tcgen05CpShapeAttr,
    Tcgen05CpSrcFormatAttr,
    Tcgen05FenceKindAttr,
    Tcgen05LdStShape,
    Tcgen05LdStShapeAttr,
    Tcgen05WaitKindAttr,
)
from weft.dialects.verification import Described, PlainVerifyException, one_of

_POINTER = Described(LLVMPointerType, "LLVM pointer type or LLVM pointer in address space 3")
_ONE_CTA = CTAGroupKindAttr(CTAGroupKind.CTA_1)


@irdl_op_definition
class Tcgen05AllocOp(IRDLOperation):
    """`nvvm.tcgen05.alloc %addr, %nCols {group} : ptr, i32`: allocate columns; their address is written to `addr`."""

    name = "nvvm.tcgen05.alloc"

    addr = operand_def(_POINTER)
    n_cols = operand_def(i32)
    group = prop_def(CTAGroupKindAttr, default_value=_ONE_CTA)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$addr `,` $n_cols attr-dict `:` type(operands)"


@irdl_op_definition
class Tcgen05DeallocOp(IRDLOperation):
    """`nvvm.tcgen05.dealloc %taddr, %nCols {group} : ptr<6>, i32`: give columns back."""

    name = "nvvm.tcgen05.dealloc"

    taddr = operand_def(TENSOR)
    n_cols = operand_def(i32)
    group = prop_def(CTAGroupKindAttr, default_value=_ONE_CTA)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$taddr `,` $n_cols attr-dict `:` type(operands)"


@irdl_op_definition
class Tcgen05RelinquishAllocPermitOp(IRDLOperation):
    """`nvvm.tcgen05.relinquish_alloc_permit {group}`: this block allocates no more."""

    name = "nvvm.tcgen05.relinquish_alloc_permit"

    group = prop_def(CTAGroupKindAttr, default_value=_ONE_CTA)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "attr-dict"


@irdl_op_definition
class Tcgen05FenceOp(IRDLOperation):
    """`nvvm.tcgen05.fence <before>` or `<after>`: order tcgen05 operations and a thread synchronisation."""

    name = "nvvm.tcgen05.fence"

    kind = prop_def(Tcgen05FenceKindAttr)

    assembly_format = "$kind attr-dict"


@irdl_op_definition
class Tcgen05WaitOp(IRDLOperation):
    """`nvvm.tcgen05.wait <load>` or `<store>`: wait for the thread's loads or stores of tensor memory."""

    name = "nvvm.tcgen05.wait"

    kind = prop_def(Tcgen05WaitKindAttr)

    assembly_format = "$kind attr-dict"


@irdl_op_definition
class Tcgen05CommitOp(IRDLOperation):
    """`nvvm.tcgen05.commit %addr (, multicast_mask = %mask)? {group} : ptr`: an mbarrier tracks what was issued."""

    name = "nvvm.tcgen05.commit"

    addr = operand_def(_POINTER)
    multicast_mask = opt_operand_def(i16)
    group = prop_def(CTAGroupKindAttr, default_value=_ONE_CTA)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$addr (`,` `multicast_mask` `=` $multicast_mask^)? attr-dict `:` type(operands)"


@irdl_op_definition
class Tcgen05ShiftOp(IRDLOperation):
    """`nvvm.tcgen05.shift %taddr {group} : ptr<6>`: move rows down by one."""

    name = "nvvm.tcgen05.shift"

    taddr = operand_def(TENSOR)
    group = prop_def(CTAGroupKindAttr, default_value=_ONE_CTA)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$taddr attr-dict `:` type(operands)"


_MULTICASTS: dict[Tcgen05CpShape, tuple[tuple[Tcgen05CpMulticast, ...], str]] = {
    Tcgen05CpShape.SHAPE_64X128B: (
        (Tcgen05CpMulticast.WARPX2_02_13, Tcgen05CpMulticast.WARPX2_01_23),
        "Shape 64x128b requires multicast warpx2_01_23 or warpx2_02_13 for tcgen05.cp Op",
    ),
    Tcgen05CpShape.SHAPE_32X128B: (
        (Tcgen05CpMulticast.WARPX4,),
        "Shape 32x128b requires multicast warpx4 for tcgen05.cp Op",
    ),
}


@irdl_op_definition
class Tcgen05CpOp(IRDLOperation):
    """`nvvm.tcgen05.cp %taddr, %smem_desc {shape, multicast, srcFormat, group}`: shared to tensor memory."""

    name = "nvvm.tcgen05.cp"

    taddr = operand_def(TENSOR)
    smem_desc = operand_def(i64)
    shape = prop_def(Tcgen05CpShapeAttr)
    group = prop_def(CTAGroupKindAttr, default_value=_ONE_CTA)
    multicast = prop_def(Tcgen05CpMulticastAttr, default_value=Tcgen05CpMulticastAttr(Tcgen05CpMulticast.NONE))
    src_format = opt_prop_def(Tcgen05CpSrcFormatAttr, prop_name="srcFormat")

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$taddr `,` $smem_desc attr-dict"

    def verify_(self) -> None:
        """Shapes of fewer than 128 lanes say which warps get copies; the others do not."""
        allowed, message = _MULTICASTS.get(
            self.shape.data, ((Tcgen05CpMulticast.NONE,), "Invalid multicast type for tcgen05.cp Op")
        )
        if self.multicast.data not in allowed:
            raise PlainVerifyException(message)


@irdl_op_definition
class Tcgen05MmaSmemDescOp(IRDLOperation):
    """`nvvm.tcgen05.mma_smem_desc (%start, %leading, %stride, %base, %mode, %swizzle) : (...) -> i64`: a descriptor."""

    name = "nvvm.tcgen05.mma_smem_desc"

    start_addr = operand_def(i32)
    leading_dim_offset = operand_def(i32)
    stride_dim_offset = operand_def(i32)
    base_offset = operand_def(i8)
    leading_dim_mode = operand_def(i1)
    swizzle_mode = operand_def(i8)
    res = result_def(i64)

    assembly_format = "`(` operands `)` attr-dict `:` `(` type(operands) `)` `->` type($res)"


_REGISTERS = {
    Tcgen05LdStShape.SHAPE_16X64B: 1,
    Tcgen05LdStShape.SHAPE_16X128B: 2,
    Tcgen05LdStShape.SHAPE_16X256B: 4,
    Tcgen05LdStShape.SHAPE_32X32B: 1,
    Tcgen05LdStShape.SHAPE_16X32BX2: 1,
}
"""Registers of 32 bits that one repetition of a shape takes from a thread; up to 128 in all."""


def _length(data: Attribute) -> int:
    """Registers of an `i32` or `vector<Nxi32>`."""
    vector = narrow.vector(data)
    return 1 if vector is None else vector.get_shape()[0]


def _fits(shape: Tcgen05LdStShape, data: Attribute) -> bool:
    length = _length(data)
    return length >= _REGISTERS[shape]


_DATA = Described(
    one_of(i32, *(VectorType(i32, [1 << power]) for power in range(1, 8))),
    "32-bit signless integer or vector of 32-bit signless integer values of length 2/4/8/16/32/64/128",
)
"""Registers: one, or a power of two up to 128."""


def _verify_offset(shape: Tcgen05LdStShape, offset: SSAValue | None) -> None:
    if shape is Tcgen05LdStShape.SHAPE_16X32BX2 and offset is None:
        raise PlainVerifyException("shape 16x32bx2 requires offset argument")


@irdl_op_definition
class Tcgen05LdOp(IRDLOperation):
    """`nvvm.tcgen05.ld %tmemAddr (, %offset)? (pack)? {shape} : vector<Nxi32>`: tensor memory to registers."""

    name = "nvvm.tcgen05.ld"

    tmem_addr = operand_def(TENSOR)
    offset = opt_operand_def(i64)
    pack = opt_prop_def(UnitAttr)
    shape = prop_def(Tcgen05LdStShapeAttr)
    res = result_def(_DATA)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$tmem_addr (`,` $offset^)? (`pack` $pack^)? attr-dict `:` type($res)"

    def verify_(self) -> None:
        """The number of registers is one that the shape can have; only 16x32bx2 has an offset."""
        shape = self.shape.data
        if self.offset is not None and shape is not Tcgen05LdStShape.SHAPE_16X32BX2:
            raise PlainVerifyException("offset argument is only supported for shape 16x32bx2")
        _verify_offset(shape, self.offset)
        if not _fits(shape, self.res.type):
            length = _length(self.res.type)
            raise PlainVerifyException(f"invalid result type length {length} for shape {shape.value} in tcgen05.ld Op")


@irdl_op_definition
class Tcgen05StOp(IRDLOperation):
    """`nvvm.tcgen05.st %tmemAddr, %val (, %offset)? (unpack)? {shape} : vector<Nxi32>`: registers to tensor memory."""

    name = "nvvm.tcgen05.st"

    tmem_addr = operand_def(TENSOR)
    val = operand_def(_DATA)
    offset = opt_operand_def(i64)
    unpack = opt_prop_def(UnitAttr)
    shape = prop_def(Tcgen05LdStShapeAttr)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$tmem_addr `,` $val (`,` $offset^)? (`unpack` $unpack^)? attr-dict `:` type($val)"

    def verify_(self) -> None:
        """The number of registers is one that the shape can have; 16x32bx2 has an offset."""
        shape = self.shape.data
        if not _fits(shape, self.val.type):
            length = _length(self.val.type)
            raise PlainVerifyException(f"invalid input length {length} for shape {shape.value} in tcgen05.st Op")
        _verify_offset(shape, self.offset)
