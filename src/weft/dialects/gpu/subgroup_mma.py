"""Matrices of a subgroup (`gpu.subgroup_mma_*`): loads, stores, products and elementwise arithmetic."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IndexType, IntegerAttr, MemRefType, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.engine.attributes import attr_class
from weft.dialects.gpu.matrix_types import MMAMatrixType
from weft.dialects.gpu.rules import NUMBER
from weft.dialects.verification import Described, PlainVerifyException


def _verify_unit_stride(memref: Attribute, role: str) -> None:
    ranked = narrow.memref(memref)
    strides = None if ranked is None else ranked.get_strides()
    if strides is None or (strides and strides[-1] != 1):
        raise PlainVerifyException(f"expected {role} memref most minor dim must have unit stride")


_MULTIPLICANDS = (
    "gpu.mma_matrix of 8-bit signed integer or 8-bit unsigned integer or 16-bit float or 32-bit float or 64-bit float "
    "values"
)
_ACCUMULATORS = "gpu.mma_matrix of 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float values"
_STORED = (
    "gpu.mma_matrix of 8-bit signed integer or 8-bit unsigned integer or 32-bit signless integer or 16-bit float or "
    "32-bit float or 64-bit float values"
)
_ELEMENTS = "8-bit signless integer or 32-bit signless integer or 16-bit float or 32-bit float or 64-bit float"
_MEMORY = f"memref of {_ELEMENTS} or vector of {_ELEMENTS} values of ranks 1 values"


def _matrix(value: SSAValue) -> MMAMatrixType:
    assert isinstance(value.type, MMAMatrixType)
    return value.type


def _verify_element(scalar: SSAValue, matrix: SSAValue) -> None:
    if scalar.type != _matrix(matrix).element_type:
        raise VerifyException("failed to verify that value type matches element type of mma_matrix")


@irdl_op_definition
class SubgroupMmaLoadMatrixOp(IRDLOperation):
    """`gpu.subgroup_mma_load_matrix %m[%i, %j] {leadDimension, transpose} : memref -> matrix`.

    `leadDimension` is the distance of rows in elements.
    """

    name = "gpu.subgroup_mma_load_matrix"

    src_memref = operand_def(Described(base(MemRefType), _MEMORY))
    indices = var_operand_def(IndexType)
    lead_dimension = prop_def(IntegerAttr[IndexType], prop_name="leadDimension")
    transpose = opt_prop_def(UnitAttr)
    res = result_def(MMAMatrixType)

    traits = traits_def(MemoryReadEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$src_memref `` `[` $indices `]` attr-dict `:` type($src_memref) `->` type($res)"

    def verify_(self) -> None:
        """Elements of a row are neighbours."""
        _verify_unit_stride(self.src_memref.type, "source")


@irdl_op_definition
class SubgroupMmaStoreMatrixOp(IRDLOperation):
    """`gpu.subgroup_mma_store_matrix %a, %m[%i, %j] {leadDimension, transpose} : matrix, memref`."""

    name = "gpu.subgroup_mma_store_matrix"

    src = operand_def(Described(base(MMAMatrixType), _STORED))
    dst_memref = operand_def(Described(base(MemRefType), _MEMORY))
    indices = var_operand_def(IndexType)
    lead_dimension = prop_def(IntegerAttr[IndexType], prop_name="leadDimension")
    transpose = opt_prop_def(UnitAttr)

    traits = traits_def(MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$src `,` $dst_memref `` `[` $indices `]` attr-dict `:` type($src) `,` type($dst_memref)"

    def verify_(self) -> None:
        """Elements of a row are neighbours; only accumulators are stored."""
        _verify_unit_stride(self.dst_memref.type, "destination")
        if _matrix(self.src).operand.data != "COp":
            raise PlainVerifyException("expected the operand matrix being stored to have 'COp' operand type")


@irdl_op_definition
class SubgroupMmaComputeOp(IRDLOperation):
    """`gpu.subgroup_mma_compute %a, %b, %c {a_transpose, b_transpose} : A, B -> C`: A * B + C."""

    name = "gpu.subgroup_mma_compute"

    C: ClassVar = VarConstraint("C", Described(base(MMAMatrixType), _ACCUMULATORS))

    op_a = operand_def(Described(base(MMAMatrixType), _MULTIPLICANDS))
    op_b = operand_def(Described(base(MMAMatrixType), _MULTIPLICANDS))
    op_c = operand_def(C)
    a_transpose = opt_prop_def(UnitAttr)
    b_transpose = opt_prop_def(UnitAttr)
    res = result_def(C)

    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$op_a `,` $op_b `,` $op_c attr-dict `:` type($op_a) `,` type($op_b) `->` type($res)"

    def verify_(self) -> None:
        """The operands are A, B and C, in this order, and their shapes fit."""
        matrices = [_matrix(operand) for operand in (self.op_a, self.op_b, self.op_c)]
        if [matrix.operand.data for matrix in matrices] != ["AOp", "BOp", "COp"]:
            raise PlainVerifyException("operands must be in the order AOp, BOp, COp")
        (rows, depth), (same_depth, columns), extents = (matrix.sizes for matrix in matrices)
        if depth != same_depth or extents != (rows, columns):
            raise PlainVerifyException("operand shapes do not satisfy matmul constraints")


@irdl_op_definition
class SubgroupMmaConstantMatrixOp(IRDLOperation):
    """`gpu.subgroup_mma_constant_matrix %value : matrix`: every element is `value`."""

    name = "gpu.subgroup_mma_constant_matrix"

    value = operand_def()
    res = result_def(MMAMatrixType)

    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> SubgroupMmaConstantMatrixOp:
        """Parse everything after the operation's name; the value is of the matrix's element type."""
        value = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        matrix = parser.parse_type()
        if not isinstance(matrix, MMAMatrixType):
            parser.raise_error("expected a !gpu.mma_matrix type")
        operand = parser.resolve_operand(value, matrix.element_type)
        return cls.create(operands=[operand], result_types=[matrix], attributes=attributes)

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.res.type)


@irdl_op_definition
class SubgroupMmaElementwiseOp(IRDLOperation):
    """`gpu.subgroup_mma_elementwise op %args : (matrices) -> matrix`."""

    name = "gpu.subgroup_mma_elementwise"

    args = var_operand_def(MMAMatrixType)
    op_type = prop_def(attr_class("gpu.mma_element_wise"), prop_name="opType")
    res = result_def(MMAMatrixType)

    traits = traits_def(Pure())
    assembly_format = "$opType $args attr-dict `:` functional-type($args, $res)"


@irdl_op_definition
class SubgroupMmaExtractThreadLocalOp(IRDLOperation):
    """`gpu.subgroup_mma_extract_thread_local %matrix[%i] : matrix -> T`: element `i` of those that this lane holds."""

    name = "gpu.subgroup_mma_extract_thread_local"

    matrix = operand_def(MMAMatrixType)
    indices = var_operand_def(IndexType)
    res = result_def()

    traits = traits_def(Pure())
    assembly_format = "$matrix `` `[` $indices `]` attr-dict `:` type($matrix) `->` type($res)"

    def verify_(self) -> None:
        """The result is an element."""
        _verify_element(self.res, self.matrix)


@irdl_op_definition
class SubgroupMmaInsertThreadLocalOp(IRDLOperation):
    """`gpu.subgroup_mma_insert_thread_local %value, %matrix[%i] : T, matrix -> matrix`."""

    name = "gpu.subgroup_mma_insert_thread_local"

    value = operand_def(NUMBER)
    matrix = operand_def(MMAMatrixType)
    indices = var_operand_def(IndexType)
    res = result_def(MMAMatrixType)

    traits = traits_def(Pure())
    assembly_format = (
        "$value `,` $matrix `` `[` $indices `]` attr-dict `:` type($value) `,` type($matrix) `->` type($res)"
    )

    def verify_(self) -> None:
        """The value is an element."""
        _verify_element(self.value, self.matrix)
