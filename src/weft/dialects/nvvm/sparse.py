"""`mma.sp.sync`: products of a 2:4 sparse matrix A, whose metadata say where its elements stand."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, i32
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
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
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects.nvvm.matrix import inferred_type, parse_group
from weft.dialects.nvvm.matrix_attributes import MMAIntOverflowAttr, MMAKindAttr, MMATypeAttr, ShapeAttr
from weft.dialects.nvvm.products import verify_integer_options, verify_registers

_A = "multiplicandAPtxType"
_B = "multiplicandBPtxType"
_PROPERTIES = ("shape", "intOverflowBehavior", _A, _B, "orderedMetadata", "kind")


@irdl_op_definition
class MmaSpOp(IRDLOperation):
    """`nvvm.mma.sp.sync A[..] B[..] C[..] sparseMetadata[%e] selector[%f] {shape, ...} : (A, B, C) -> struct`.

    D = A * B + C, where A holds two of each four elements.
    """

    name = "nvvm.mma.sp.sync"

    operand_a = var_operand_def()
    operand_b = var_operand_def()
    operand_c = var_operand_def()
    sparse_metadata = operand_def(i32)
    sparsity_selector = operand_def(i32)
    shape = prop_def(ShapeAttr)
    int_overflow_behavior = opt_prop_def(MMAIntOverflowAttr, prop_name="intOverflowBehavior")
    a_type = opt_prop_def(MMATypeAttr, prop_name="multiplicandAPtxType")
    b_type = opt_prop_def(MMATypeAttr, prop_name="multiplicandBPtxType")
    ordered_metadata = opt_prop_def(UnitAttr, prop_name="orderedMetadata")
    kind = opt_prop_def(MMAKindAttr)
    res = result_def()

    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> MmaSpOp:
        """Parse everything after the operation's name; infer the element types that the registers give away."""
        groups = [parse_group(parser, letter) for letter in ("A", "B", "C")]
        sparsity = [parse_group(parser, name) for name in ("sparseMetadata", "selector")]
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        types = parser.parse_function_type()
        registers = types.inputs.data
        if len(registers) != len(groups):
            message = f"expected one type for each operand segment but got {len(registers)} types"
            parser.raise_error(message, position, parser.pos)
        operands: list[SSAValue] = []
        for group, register in zip(groups, registers, strict=True):
            operands += [parser.resolve_operand(operand, register) for operand in group]
        for group in sparsity:
            operands += [parser.resolve_operand(operand, i32) for operand in group]
        properties = {name: attributes.pop(name) for name in _PROPERTIES if name in attributes}
        for name, register in ((_A, registers[0]), (_B, registers[1])):
            inferred = inferred_type(register)
            if name not in properties and inferred is not None:
                properties[name] = MMATypeAttr(inferred)
        properties["operandSegmentSizes"] = DenseArrayBase.from_list(i32, [len(group) for group in groups + sparsity])
        return cls.create(
            operands=operands, result_types=types.outputs.data, properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name, without the element types that can be inferred."""
        groups = (("A", self.operand_a), ("B", self.operand_b), ("C", self.operand_c))
        sparsity = (("sparseMetadata", (self.sparse_metadata,)), ("selector", (self.sparsity_selector,)))
        for name, group in (*groups, *sparsity):
            printer.print_string(f" {name}[")
            printer.print_list(group, printer.print_ssa_value)
            printer.print_string("]")
        shown = {name: value for name, value in self.properties.items() if name != "operandSegmentSizes"}
        for name, group in ((_A, self.operand_a), (_B, self.operand_b)):
            inferred = inferred_type(group[0].type)
            if inferred is not None and shown.get(name) == MMATypeAttr(inferred):
                del shown[name]
        printer.print_op_attributes(dict(sorted(shown.items())) | self.attributes)
        printer.print_string(" : ")
        printer.print_function_type([group[0].type for _, group in groups], [self.res.type])

    def verify_(self) -> None:
        """There is such a product, and its operands are its registers."""
        if self.a_type is None or self.b_type is None:
            raise VerifyException("requires attributes 'multiplicandAPtxType' and 'multiplicandBPtxType'")
        element = self.a_type.data.value
        groups = (self.operand_a, self.operand_b, self.operand_c)
        verify_registers("mma.sp", self.shape.sizes, element, groups, self.res.type)
        verify_integer_options(element, None, self.int_overflow_behavior)
