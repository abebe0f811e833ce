"""The syntax of the warp's matrix products: `A[..] B[..] C[..]`, more operands in brackets, one type a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn, TypeAlias

from xdsl.dialects.builtin import DenseArrayBase, UnitAttr, VectorType, f16, f32, f64, i16, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from weft.dialects.engine.attributes import attr

if TYPE_CHECKING:
    from weft.dialects.rows import nvvm

    Product: TypeAlias = nvvm.MmaSyncOp | nvvm.MmaSpSyncOp | nvvm.MmaBlockScaleOp | nvvm.MmaSpBlockScaleOp

A_TYPE = "multiplicandAPtxType"
B_TYPE = "multiplicandBPtxType"
_SIZES = "operandSegmentSizes"

_SPARSITY: Sequence[tuple[str, Sequence[Attribute]]] = (("sparseMetadata", (i32,)), ("selector", (i32,)))
"""Where the elements of a sparse A stand, and which lanes hold that."""

_SCALES: Sequence[tuple[str, Sequence[Attribute]]] = (("scaleA", (i32, i16, i16)), ("scaleB", (i32, i16, i16)))
"""The scales of A and of B: the data, which of its bytes, which lanes hold it."""

_MULTIPLICANDS: dict[Attribute, str] = {VectorType(f16, [2]): "f16", f16: "f16", f32: "tf32", f64: "f64"}
_ACCUMULATORS: dict[Attribute, str] = _MULTIPLICANDS | {f32: "f32", i32: "s32"}
"""What the registers of accumulators hold, which MLIR takes those of `mma.sync`'s multiplicands to be."""


class Syntax(NamedTuple):
    """What a product has in its text beyond A, B and C."""

    further: Sequence[tuple[str, Sequence[Attribute]]] = ()
    """The groups of operands behind A, B and C: their names, and the types of their values."""
    always_ordered: bool = False
    """Whether the metadata are always ordered, which then need not be written."""
    inferred: Mapping[Attribute, str] = _MULTIPLICANDS
    """The element types that are not written, by the register's type."""
    written: bool = False
    """Whether the element types must be written where they are not inferred."""
    gap: str = ""
    """What MLIR prints behind each group."""

    @property
    def others(self) -> int:
        """How many operands there are behind A, B and C."""
        return sum(len(types) for _, types in self.further)


SYNTAX: Mapping[str, Syntax] = {
    "nvvm.mma.sync": Syntax(inferred=_ACCUMULATORS, gap=" "),
    "nvvm.mma.sp.sync": Syntax(_SPARSITY, written=True),
    "nvvm.mma.block_scale": Syntax(_SCALES),
    "nvvm.mma.sp.block_scale": Syntax((*_SPARSITY, *_SCALES), always_ordered=True),
}
"""By the operation's full name."""


def parse_product(cls: type[IRDLOperation], parser: Parser) -> Operation:
    """Parse everything after the operation's name; infer the element types that the registers give away."""
    syntax = SYNTAX[cls.name]
    groups = [_group(parser, letter) for letter in "ABC"]
    others = [_group(parser, name) for name, _ in syntax.further]
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
    for group, (_, expected) in zip(others, syntax.further, strict=True):
        operands += parser.resolve_operands(group, expected, position)
    properties = {name: attributes.pop(name) for name in cls.get_irdl_definition().properties if name in attributes}
    for name, register in zip((A_TYPE, B_TYPE), types.inputs.data, strict=False):
        inferred = syntax.inferred.get(register)
        if name not in properties and inferred is not None:
            properties[name] = attr("nvvm.mma_type", inferred)
        elif name not in properties and syntax.written:
            _refuse(cls, parser, f"attribute {name} is not provided explicitly and cannot be inferred")
    if syntax.always_ordered:
        properties["orderedMetadata"] = UnitAttr()
    properties[_SIZES] = DenseArrayBase.from_list(i32, [*map(len, groups), *[1] * syntax.others])
    return cls.create(operands=operands, result_types=types.outputs.data, properties=properties, attributes=attributes)


def print_product(op: Product, printer: Printer) -> None:
    """Print everything after the operation's name, without the element types that can be inferred."""
    syntax = SYNTAX[op.name]
    groups = (op.operand_a, op.operand_b, op.operand_c)
    first = len(op.operands) - syntax.others
    for letter, group in zip("ABC", groups, strict=True):
        _print_group(printer, letter, group, syntax.gap)
    for name, types in syntax.further:
        _print_group(printer, name, op.operands[first : first + len(types)], syntax.gap)
        first += len(types)
    shown = {name: value for name, value in op.properties.items() if name != _SIZES}
    for name, group in zip((A_TYPE, B_TYPE), groups, strict=False):
        if group and group[0].type in _MULTIPLICANDS:
            shown.pop(name, None)
    printer.print_op_attributes(shown | op.attributes)
    printer.print_string(" : ")
    printer.print_function_type([group[0].type for group in groups if group], op.result_types)


def _refuse(cls: type[IRDLOperation], parser: Parser, message: str) -> NoReturn:
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
