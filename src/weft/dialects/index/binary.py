"""Operations of `index` on two values."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import IndexType
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import NoMemoryEffect, Pure


class BinaryOperation(IRDLOperation, ABC):
    """`index.X %lhs, %rhs`."""

    lhs = operand_def(IndexType())
    rhs = operand_def(IndexType())
    result = result_def(IndexType())

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict"


class DivisionOperation(IRDLOperation, ABC):
    """`index.X %lhs, %rhs`: not to be run where the program does not, for the divisor may be zero."""

    lhs = operand_def(IndexType())
    rhs = operand_def(IndexType())
    result = result_def(IndexType())

    traits = traits_def(NoMemoryEffect())
    assembly_format = "$lhs `,` $rhs attr-dict"


@irdl_op_definition
class AddOp(BinaryOperation):
    """`index.add`: the sum."""

    name = "index.add"


@irdl_op_definition
class SubOp(BinaryOperation):
    """`index.sub`: the difference."""

    name = "index.sub"


@irdl_op_definition
class MulOp(BinaryOperation):
    """`index.mul`: the product."""

    name = "index.mul"


@irdl_op_definition
class DivSOp(DivisionOperation):
    """`index.divs`: the signed quotient, rounded towards zero."""

    name = "index.divs"


@irdl_op_definition
class DivUOp(DivisionOperation):
    """`index.divu`: the unsigned quotient."""

    name = "index.divu"


@irdl_op_definition
class CeilDivSOp(DivisionOperation):
    """`index.ceildivs`: the signed quotient, rounded up."""

    name = "index.ceildivs"


@irdl_op_definition
class CeilDivUOp(DivisionOperation):
    """`index.ceildivu`: the unsigned quotient, rounded up."""

    name = "index.ceildivu"


@irdl_op_definition
class FloorDivSOp(DivisionOperation):
    """`index.floordivs`: the signed quotient, rounded down."""

    name = "index.floordivs"


@irdl_op_definition
class RemSOp(BinaryOperation):
    """`index.rems`: the signed remainder, with the sign of the left operand."""

    name = "index.rems"


@irdl_op_definition
class RemUOp(BinaryOperation):
    """`index.remu`: the unsigned remainder."""

    name = "index.remu"


@irdl_op_definition
class MaxSOp(BinaryOperation):
    """`index.maxs`: the larger, signed."""

    name = "index.maxs"


@irdl_op_definition
class MaxUOp(BinaryOperation):
    """`index.maxu`: the larger, unsigned."""

    name = "index.maxu"


@irdl_op_definition
class MinSOp(BinaryOperation):
    """`index.mins`: the smaller, signed."""

    name = "index.mins"


@irdl_op_definition
class MinUOp(BinaryOperation):
    """`index.minu`: the smaller, unsigned."""

    name = "index.minu"


@irdl_op_definition
class ShlOp(BinaryOperation):
    """`index.shl`: shift left."""

    name = "index.shl"


@irdl_op_definition
class ShrSOp(BinaryOperation):
    """`index.shrs`: shift right, filled with the sign."""

    name = "index.shrs"


@irdl_op_definition
class ShrUOp(BinaryOperation):
    """`index.shru`: shift right, filled with zeros."""

    name = "index.shru"


@irdl_op_definition
class AndOp(BinaryOperation):
    """`index.and`: bitwise and."""

    name = "index.and"


@irdl_op_definition
class OrOp(BinaryOperation):
    """`index.or`: bitwise or."""

    name = "index.or"


@irdl_op_definition
class XOrOp(BinaryOperation):
    """`index.xor`: bitwise exclusive or."""

    name = "index.xor"
