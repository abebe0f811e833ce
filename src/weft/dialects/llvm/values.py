"""Members of aggregates, addresses of symbols, variadic arguments, and the token that is none."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseArrayBase, SymbolRefAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from weft.dialects.llvm.rules import member


def _member(parser: Parser, container: Attribute, position: Sequence[int]) -> Attribute:
    """The type at a position; what is wrong with it is said after the operation, as MLIR says it."""
    try:
        return member(container, position)
    except VerifyException as error:
        parser.raise_error(f"{getattr(parser, '_subject', '')}{error}")


def _parse_position(parser: Parser) -> list[int]:
    return parser.parse_comma_separated_list(parser.Delimiter.SQUARE, lambda: parser.parse_integer(allow_boolean=False))


class ExtractValueOp(llvm.ExtractValueOp):
    """`llvm.extractvalue %container[1, 0] : T`."""

    name = "llvm.extractvalue"

    @classmethod
    def parse(cls, parser: Parser) -> ExtractValueOp:
        """Parse everything after the operation's name."""
        container = parser.parse_unresolved_operand()
        position = _parse_position(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        result = _member(parser, kind, position)
        return cls.create(
            operands=[parser.resolve_operand(container, kind)],
            result_types=[result],
            properties={"position": DenseArrayBase.from_list(i64, position)},
            attributes=attributes,
        )


class InsertValueOp(llvm.InsertValueOp):
    """`llvm.insertvalue %value, %container[1, 0] : T`."""

    name = "llvm.insertvalue"

    @classmethod
    def parse(cls, parser: Parser) -> InsertValueOp:
        """Parse everything after the operation's name."""
        value = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        container = parser.parse_unresolved_operand()
        position = _parse_position(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        kind = parser.parse_type()
        inner = _member(parser, kind, position)
        return cls.create(
            operands=[parser.resolve_operand(container, kind), parser.resolve_operand(value, inner)],
            result_types=[kind],
            properties={"position": DenseArrayBase.from_list(i64, position)},
            attributes=attributes,
        )


@irdl_op_definition
class AddressOfOp(IRDLOperation):
    """`llvm.mlir.addressof @name : !llvm.ptr`: the address of a global or function."""

    name = "llvm.mlir.addressof"

    global_name = prop_def(SymbolRefAttr)
    result = result_def()

    traits = traits_def(Pure())
    assembly_format = "$global_name attr-dict `:` type($result)"


@irdl_op_definition
class DSOLocalEquivalentOp(IRDLOperation):
    """`llvm.dso_local_equivalent @name : !llvm.ptr`: a function of the same module that does the same."""

    name = "llvm.dso_local_equivalent"

    function_name = prop_def(SymbolRefAttr)
    res = result_def()

    traits = traits_def(Pure())
    assembly_format = "$function_name attr-dict `:` type($res)"


@irdl_op_definition
class NoneTokenOp(IRDLOperation):
    """`llvm.mlir.none : !llvm.token`: the token that stands for nothing."""

    name = "llvm.mlir.none"

    res = result_def()

    traits = traits_def(Pure())
    assembly_format = "attr-dict `:` type($res)"


@irdl_op_definition
class VaArgOp(IRDLOperation):
    """`llvm.va_arg %list : (!llvm.ptr) -> T`: the next variadic argument."""

    name = "llvm.va_arg"

    arg = operand_def()
    res = result_def()

    assembly_format = "$arg attr-dict `:` functional-type($arg, $res)"
