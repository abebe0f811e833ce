"""What the warp's matrix products have in common: `A[..] B[..] C[..]`, more operands in brackets, one type a group."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar, NoReturn, Self

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, VectorType, f16, f32, f64, i16, i32
from xdsl.dialects.llvm import LLVMStructType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from weft.dialects.engine.attributes import attr, attr_class
from weft.dialects.nvvm.matrix_attributes import ShapeAttr

A_TYPE = "multiplicandAPtxType"
B_TYPE = "multiplicandBPtxType"
_SIZES = "operandSegmentSizes"

SPARSITY: Sequence[tuple[str, Sequence[Attribute]]] = (("sparseMetadata", (i32,)), ("selector", (i32,)))
"""Where the elements of a sparse A stand, and which lanes hold that."""

SCALES: Sequence[tuple[str, Sequence[Attribute]]] = (("scaleA", (i32, i16, i16)), ("scaleB", (i32, i16, i16)))
"""The scales of A and of B: the data, which of its bytes, which lanes hold it."""

_MULTIPLICANDS: dict[Attribute, str] = {VectorType(f16, [2]): "f16", f16: "f16", f32: "tf32", f64: "f64"}
ACCUMULATORS: dict[Attribute, str] = _MULTIPLICANDS | {f32: "f32", i32: "s32"}
"""What the registers of accumulators hold, which MLIR takes those of `mma.sync`'s multiplicands to be."""


# Written out: four products share a syntax of named groups of registers, which no format can say.
class GroupedProduct(IRDLOperation, ABC):
    """D = A * B + C on registers; the types of A's and B's elements are written unless the registers tell them.

    Classes define their operands themselves: those of a class come in front of those of its bases.
    """

    FURTHER: ClassVar[Sequence[tuple[str, Sequence[Attribute]]]] = ()
    """The groups of operands behind A, B and C: their names, and the types of their values."""

    ALWAYS_ORDERED: ClassVar[bool] = False
    """Whether the metadata are always ordered, which then need not be written."""

    INFERRED: ClassVar[Mapping[Attribute, str]] = _MULTIPLICANDS
    """The element types that are not written, by the register's type."""

    WRITTEN: ClassVar[bool] = False
    """Whether the element types must be written where they are not inferred."""

    GAP: ClassVar[str] = ""
    """What MLIR prints behind each group."""

    shape = prop_def(ShapeAttr)
    a_type = opt_prop_def(attr_class("nvvm.mma_type"), prop_name="multiplicandAPtxType")
    b_type = opt_prop_def(attr_class("nvvm.mma_type"), prop_name="multiplicandBPtxType")
    res = result_def(LLVMStructType)

    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """Parse everything after the operation's name; infer the element types that the registers give away."""
        groups = [_group(parser, letter) for letter in "ABC"]
        others = [_group(parser, name) for name, _ in cls.FURTHER]
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        position = parser.pos
        types = parser.parse_function_type()
        if len(types.inputs.data) != len(groups):
            message = f"expected one type for each operand segment but got {len(types.inputs.data)} types"
            _refuse(cls, parser, message)
        operands: list[SSAValue] = []
        for group, register in zip(groups, types.inputs.data, strict=True):
            operands += [parser.resolve_operand(operand, register) for operand in group]
        for group, (_, expected) in zip(others, cls.FURTHER, strict=True):
            operands += parser.resolve_operands(group, expected, position)
        properties = {name: attributes.pop(name) for name in cls.get_irdl_definition().properties if name in attributes}
        for name, register in zip((A_TYPE, B_TYPE), types.inputs.data, strict=False):
            inferred = cls.INFERRED.get(register)
            if name not in properties and inferred is not None:
                properties[name] = attr("nvvm.mma_type", inferred)
            elif name not in properties and cls.WRITTEN:
                _refuse(cls, parser, f"attribute {name} is not provided explicitly and cannot be inferred")
        if cls.ALWAYS_ORDERED:
            properties["orderedMetadata"] = UnitAttr()
        sizes = [len(group) for group in groups] + [1] * sum(len(expected) for _, expected in cls.FURTHER)
        properties[_SIZES] = DenseArrayBase.from_list(i32, sizes)
        return cls.create(
            operands=operands, result_types=types.outputs.data, properties=properties, attributes=attributes
        )

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name, without the element types that can be inferred."""
        groups = self._groups()
        first = len(self.operands) - sum(len(types) for _, types in self.FURTHER)
        for letter, group in zip("ABC", groups, strict=True):
            _print_group(printer, letter, group, self.GAP)
        for name, types in self.FURTHER:
            _print_group(printer, name, self.operands[first : first + len(types)], self.GAP)
            first += len(types)
        shown = {name: value for name, value in self.properties.items() if name != _SIZES}
        for name, group in zip((A_TYPE, B_TYPE), groups, strict=False):
            if group and group[0].type in _MULTIPLICANDS:
                shown.pop(name, None)
        printer.print_op_attributes(shown | self.attributes)
        printer.print_string(" : ")
        printer.print_function_type([group[0].type for group in groups if group], self.result_types)

    def _groups(self) -> Sequence[Sequence[SSAValue]]:
        sizes = self.properties[_SIZES]
        assert isinstance(sizes, DenseArrayBase)
        a, b, c, *_ = sizes.get_values()
        values = self.operands
        return values[:a], values[a : a + b], values[a + b : a + b + c]


def _refuse(cls: type[GroupedProduct], parser: Parser, message: str) -> NoReturn:
    """Raise an error at the name of the operation that is being parsed."""
    start = parser.lexer.input.content.rfind(cls.name, 0, parser.pos)
    parser.raise_error(f"custom op '{cls.name}' {message}", start, start)


def _group(parser: Parser, name: str) -> list[UnresolvedOperand]:
    """Parse `A[%x, %y]`."""
    parser.parse_keyword(name)
    square, operand = parser.Delimiter.SQUARE, parser.parse_unresolved_operand
    return parser.parse_comma_separated_list(square, operand, " in operand list")


def _print_group(printer: Printer, name: str, group: Sequence[SSAValue], gap: str) -> None:
    printer.print_string(f" {name}[")
    printer.print_list(group, printer.print_ssa_value)
    printer.print_string(f"]{gap}")


class SparseProduct(GroupedProduct):
    """A product of which A holds two of each four elements."""

    FURTHER: ClassVar = SPARSITY

    sparse_metadata = operand_def(i32)
    sparsity_selector = operand_def(i32)
    ordered_metadata = opt_prop_def(UnitAttr, prop_name="orderedMetadata")
