"""`complex.powi`."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.builtin import ComplexType, IntegerType
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure

from weft.dialects.verification import Described

_COMPLEX = Described(base(ComplexType), "complex type with floating-point elements")


@irdl_op_definition
class PowIOp(IRDLOperation):
    """`complex.powi %base, %exponent : complex<T>, U`: a complex number to the power of an integer."""

    name = "complex.powi"

    T: ClassVar = VarConstraint("T", _COMPLEX)

    lhs = operand_def(T)
    rhs = operand_def(Described(base(IntegerType), "signless-integer-like"))
    fastmath = opt_prop_def(FastMathFlagsAttr)
    result = result_def(T)

    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` type($rhs)"
