"""Products in tensor memory (`tcgen05.mma`): dense, sparse, with block scales, and of a single warp; sm_100a and up.

D and, if it is not described by a 64-bit shared-memory descriptor, A are addresses of tensor memory; B is a descriptor.
`idesc` is the instruction descriptor, `enableInputD` whether D is added to.
"""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr, VectorType, i1, i32, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
)

from weft.dialects import narrow
from weft.dialects.formats import OperandTypes
from weft.dialects.nvvm.pointers import TENSOR
from weft.dialects.nvvm.tcgen05_attributes import (
    CTAGroupKind,
    CTAGroupKindAttr,
    MMABlockScaleKind,
    MMABlockScaleKindAttr,
    Tcgen05MMABlockScale,
    Tcgen05MMABlockScaleAttr,
    Tcgen05MMACollectorBBuffer,
    Tcgen05MMACollectorBBufferAttr,
    Tcgen05MMACollectorOp,
    Tcgen05MMACollectorOpAttr,
    Tcgen05MMAKindAttr,
)
from weft.dialects.verification import Described, PlainVerifyException, one_of

_A = one_of(TENSOR, i64)
"""A is an address of tensor memory, or a descriptor of shared memory."""

_LANES = Described(
    one_of(VectorType(i32, [4]), VectorType(i32, [8])),
    "fixed-length vector of 32-bit signless integer values of length 4/8",
)
_DISCARD = Tcgen05MMACollectorOpAttr(Tcgen05MMACollectorOp.DISCARD)
_B0 = Tcgen05MMACollectorBBufferAttr(Tcgen05MMACollectorBBuffer.B0)
_DEFAULT_SCALE = Tcgen05MMABlockScaleAttr(Tcgen05MMABlockScale.DEFAULT)


def _verify_shift(matrix_a: SSAValue, shift: UnitAttr | None, collector: Tcgen05MMACollectorOpAttr) -> None:
    """Rows of A can be shifted in tensor memory, and not into the collector buffer or out of it."""
    if shift is None:
        return
    if matrix_a.type != TENSOR:
        raise PlainVerifyException("A-shift can be applied only when matrix A is in tensor memory")
    if collector.data in (Tcgen05MMACollectorOp.FILL, Tcgen05MMACollectorOp.USE):
        raise PlainVerifyException("Cannot use collector buffer operation fill or use with ashift")


def _verify_lanes(mask: SSAValue | None, group: CTAGroupKindAttr) -> None:
    """The lanes to leave out are 4 words for one block and 8 for two."""
    vector = None if mask is None else narrow.vector(mask.type)
    if vector is None:
        return
    length = vector.get_shape()[0]
    if length != (4 if group.data is CTAGroupKind.CTA_1 else 8):
        raise PlainVerifyException(f"Disable Output Lane of length {length} is incompatible with CtaGroupAttr")


def _verify_scale(kind: MMABlockScaleKindAttr, scale: Tcgen05MMABlockScaleAttr) -> None:
    """Which block sizes a format has."""
    if kind.data is MMABlockScaleKind.MXF4NVF4:
        if scale.data is Tcgen05MMABlockScale.DEFAULT:
            raise PlainVerifyException("mxf4nvf4 requires block scale attribute")
    elif scale.data is Tcgen05MMABlockScale.BLOCK16:
        raise PlainVerifyException(f"{kind.data.value} kind does not support block16 attribute")


@irdl_op_definition
class Tcgen05MMAOp(IRDLOperation):
    """`nvvm.tcgen05.mma %d, %a, %b, %idesc, %enable (scale = %s)? (mask = %m)? {kind, ctaGroup} : (...)`."""

    name = "nvvm.tcgen05.mma"

    matrix_d = operand_def(TENSOR)
    matrix_a = operand_def(_A)
    matrix_b = operand_def(i64)
    idesc = operand_def(i32)
    enable_input_d = operand_def(i1)
    scale_input_d = opt_operand_def(i64)
    disable_output_lane = opt_operand_def(_LANES)
    kind = prop_def(Tcgen05MMAKindAttr)
    cta_group = prop_def(CTAGroupKindAttr, prop_name="ctaGroup")
    collector_op = prop_def(Tcgen05MMACollectorOpAttr, prop_name="collectorOp", default_value=_DISCARD)
    a_shift = opt_prop_def(UnitAttr, prop_name="aShift")

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (OperandTypes,)
    assembly_format = (
        "$matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d "
        "(`scale` `=` $scale_input_d^)? (`mask` `=` $disable_output_lane^)? "
        "attr-dict `:` `(` custom<OperandTypes>(type($matrix_a), type($disable_output_lane)) `)`"
    )

    def verify_(self) -> None:
        """The shift of A, and the lanes to leave out."""
        _verify_lanes(self.disable_output_lane, self.cta_group)
        _verify_shift(self.matrix_a, self.a_shift, self.collector_op)


@irdl_op_definition
class Tcgen05MMASparseOp(IRDLOperation):
    """`nvvm.tcgen05.mma.sp %d, %a, %b, %idesc, %enable, %metadata ... {kind, ctaGroup} : (...)`: A is 2:4 sparse."""

    name = "nvvm.tcgen05.mma.sp"

    matrix_d = operand_def(TENSOR)
    matrix_a = operand_def(_A)
    matrix_b = operand_def(i64)
    idesc = operand_def(i32)
    enable_input_d = operand_def(i1)
    sparse_metadata = operand_def(TENSOR)
    scale_input_d = opt_operand_def(i64)
    disable_output_lane = opt_operand_def(_LANES)
    kind = prop_def(Tcgen05MMAKindAttr)
    cta_group = prop_def(CTAGroupKindAttr, prop_name="ctaGroup")
    collector_op = prop_def(Tcgen05MMACollectorOpAttr, prop_name="collectorOp", default_value=_DISCARD)
    a_shift = opt_prop_def(UnitAttr, prop_name="aShift")

    irdl_options = (AttrSizedOperandSegments(as_property=True), ParsePropInAttrDict())
    custom_directives = (OperandTypes,)
    assembly_format = (
        "$matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d "
        "`,` $sparse_metadata "
        "(`scale` `=` $scale_input_d^)? (`mask` `=` $disable_output_lane^)? "
        "attr-dict `:` `(` custom<OperandTypes>(type($matrix_a), type($disable_output_lane)) `)`"
    )

    def verify_(self) -> None:
        """The shift of A, and the lanes to leave out."""
        _verify_lanes(self.disable_output_lane, self.cta_group)
        _verify_shift(self.matrix_a, self.a_shift, self.collector_op)


@irdl_op_definition
class Tcgen05MMABlockScaleOp(IRDLOperation):
    """`nvvm.tcgen05.mma.block_scale %d, %a, %b, %idesc, %enable, %scaleA, %scaleB {kind, ctaGroup} : (...)`."""

    name = "nvvm.tcgen05.mma.block_scale"

    matrix_d = operand_def(TENSOR)
    matrix_a = operand_def(_A)
    matrix_b = operand_def(i64)
    idesc = operand_def(i32)
    enable_input_d = operand_def(i1)
    scale_a = operand_def(TENSOR)
    scale_b = operand_def(TENSOR)
    kind = prop_def(MMABlockScaleKindAttr)
    cta_group = prop_def(CTAGroupKindAttr, prop_name="ctaGroup")
    block_scale = prop_def(Tcgen05MMABlockScaleAttr, prop_name="blockScale", default_value=_DEFAULT_SCALE)
    collector_op = prop_def(Tcgen05MMACollectorOpAttr, prop_name="collectorOp", default_value=_DISCARD)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d "
        "`,` $scale_a `,` $scale_b "
        "attr-dict `:` `(` type(operands) `)`"
    )

    def verify_(self) -> None:
        """The block size."""
        _verify_scale(self.kind, self.block_scale)


@irdl_op_definition
class Tcgen05MMASparseBlockScaleOp(IRDLOperation):
    """`nvvm.tcgen05.mma.sp.block_scale %d, %a, %b, %idesc, %enable, %metadata, %scaleA, %scaleB {...} : (...)`."""

    name = "nvvm.tcgen05.mma.sp.block_scale"

    matrix_d = operand_def(TENSOR)
    matrix_a = operand_def(_A)
    matrix_b = operand_def(i64)
    idesc = operand_def(i32)
    enable_input_d = operand_def(i1)
    sparse_metadata = operand_def(TENSOR)
    scale_a = operand_def(TENSOR)
    scale_b = operand_def(TENSOR)
    kind = prop_def(MMABlockScaleKindAttr)
    cta_group = prop_def(CTAGroupKindAttr, prop_name="ctaGroup")
    block_scale = prop_def(Tcgen05MMABlockScaleAttr, prop_name="blockScale", default_value=_DEFAULT_SCALE)
    collector_op = prop_def(Tcgen05MMACollectorOpAttr, prop_name="collectorOp", default_value=_DISCARD)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d "
        "`,` $sparse_metadata `,` $scale_a `,` $scale_b "
        "attr-dict `:` `(` type(operands) `)`"
    )

    def verify_(self) -> None:
        """The block size."""
        _verify_scale(self.kind, self.block_scale)


@irdl_op_definition
class Tcgen05MMAWsOp(IRDLOperation):
    """`nvvm.tcgen05.mma.ws %d, %a, %b, %idesc, %enable (, %zeroColMask)? {kind} : (...)`: B stays."""

    name = "nvvm.tcgen05.mma.ws"

    matrix_d = operand_def(TENSOR)
    matrix_a = operand_def(_A)
    matrix_b = operand_def(i64)
    idesc = operand_def(i32)
    enable_input_d = operand_def(i1)
    zero_col_mask = opt_operand_def(i64)
    kind = prop_def(Tcgen05MMAKindAttr)
    collector_b_buffer = prop_def(Tcgen05MMACollectorBBufferAttr, prop_name="collectorBBuffer", default_value=_B0)
    collector_op = prop_def(Tcgen05MMACollectorOpAttr, prop_name="collectorOp", default_value=_DISCARD)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d "
        "(`,` $zero_col_mask^)? "
        "attr-dict `:` `(` type(operands) `)`"
    )


@irdl_op_definition
class Tcgen05MMAWsSparseOp(IRDLOperation):
    """`nvvm.tcgen05.mma.ws.sp %d, %a, %b, %idesc, %enable, %metadata (, %zeroColMask)? {kind} : (...)`."""

    name = "nvvm.tcgen05.mma.ws.sp"

    matrix_d = operand_def(TENSOR)
    matrix_a = operand_def(_A)
    matrix_b = operand_def(i64)
    idesc = operand_def(i32)
    enable_input_d = operand_def(i1)
    sparse_metadata = operand_def(TENSOR)
    zero_col_mask = opt_operand_def(i64)
    kind = prop_def(Tcgen05MMAKindAttr)
    collector_b_buffer = prop_def(Tcgen05MMACollectorBBufferAttr, prop_name="collectorBBuffer", default_value=_B0)
    collector_op = prop_def(Tcgen05MMACollectorOpAttr, prop_name="collectorOp", default_value=_DISCARD)

    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$matrix_d `,` $matrix_a `,` $matrix_b `,` $idesc `,` $enable_input_d "
        "`,` $sparse_metadata (`,` $zero_col_mask^)? "
        "attr-dict `:` `(` type(operands) `)`"
    )
