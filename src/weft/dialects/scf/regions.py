"""`scf.execute_region` and `scf.index_switch` in MLIR's syntax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from xdsl.dialects import scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, UnitAttr, i64
from xdsl.ir import Attribute, Operation, Region
from xdsl.utils.exceptions import VerifyException

from weft.dialects.formats import print_results
from weft.dialects.scf.edges import check_edge, terminate

if TYPE_CHECKING:
    from xdsl.parser import Parser
    from xdsl.printer import Printer

    from weft.dialects.rows import scf as rows


def verify_execute_region(op: rows.ExecuteRegionOp) -> None:
    """There are blocks, without arguments of the region's own, and what they yield are the results."""
    if not op.region.blocks:
        raise VerifyException("region needs to have at least one block")
    if op.region.blocks[0].args:
        raise VerifyException("region cannot have any arguments")
    for block in op.region.blocks:
        if isinstance(block.last_op, scf.YieldOp):
            check_edge(block.last_op, block.last_op.operands, "parent", op.result_types)


def parse_execute_region(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.execute_region -> T no_inline? { blocks }`."""
    types: list[Attribute] = []
    if parser.parse_optional_punctuation("->"):
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    properties: dict[str, Attribute] = {}
    if parser.parse_optional_keyword("no_inline"):
        properties["no_inline"] = UnitAttr()
    region = parser.parse_region()
    attributes = parser.parse_optional_attr_dict()
    return cls.create(result_types=types, properties=properties, attributes=attributes, regions=[region])


def print_execute_region(op: rows.ExecuteRegionOp, printer: Printer) -> None:
    """Print what `parse_execute_region` parses."""
    print_results(printer, op)
    printer.print_string(" no_inline " if "no_inline" in op.properties else " ")
    printer.print_region(op.region)
    printer.print_op_attributes(op.attributes)


def verify_index_switch(op: rows.IndexSwitchOp) -> None:
    """A region for each case, each case once, and every region yields the results."""
    values = op.cases.get_values()
    if len(values) != len(op.case_regions):
        raise VerifyException(f"has {len(op.case_regions)} case regions but {len(values)} case values")
    for place, value in enumerate(values):
        if value in values[:place]:
            raise VerifyException(f"has duplicate case value: {value}")
    for name, region in _named(op):
        end = region.block.last_op
        if not isinstance(end, scf.YieldOp):
            found = end.name if end is not None else "nothing"
            raise VerifyException(f"expected region to end with scf.yield, but got {found}")
        if len(end.operands) != len(op.results):
            raise VerifyException(
                f"expected each region to return {len(op.results)} values, but {name} returns {len(end.operands)}"
            )
        for place, (given, wanted) in enumerate(zip(end.operand_types, op.result_types, strict=True)):
            if given != wanted:
                raise VerifyException(f"expected result #{place} of each region to be '{wanted}'")


def _named(op: rows.IndexSwitchOp) -> Iterator[tuple[str, Region]]:
    yield "default region", op.default_region
    for place, region in enumerate(op.case_regions):
        yield f"case region #{place}", region


def parse_index_switch(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `scf.index_switch %x -> T case 2 { ... } default { ... }`."""
    value = parser.parse_operand(IndexType())
    attributes = parser.parse_optional_attr_dict()
    types: list[Attribute] = []
    if parser.parse_optional_punctuation("->"):
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    numbers: list[int] = []
    regions: list[Region] = []
    while parser.parse_optional_keyword("case"):
        numbers.append(parser.parse_integer(allow_boolean=False))
        regions.append(parser.parse_region())
    parser.parse_keyword("default")
    default = parser.parse_region()
    terminate(default, scf.YieldOp)
    return cls.create(
        operands=[value],
        result_types=types,
        properties={"cases": DenseArrayBase.from_list(i64, numbers)},
        attributes=attributes,
        regions=[default, *regions],
    )


def print_index_switch(op: rows.IndexSwitchOp, printer: Printer) -> None:
    """Print what `parse_index_switch` parses."""
    printer.print_string(" ")
    printer.print_ssa_value(op.arg)
    printer.print_op_attributes(op.attributes)
    if op.results:
        printer.print_string(" -> ")
        printer.print_list(op.result_types, printer.print_attribute)
    printer.print_string(" ")
    for number, region in zip(op.cases.get_values(), op.case_regions, strict=True):
        _new_line(printer)
        printer.print_string(f"case {number} ")
        printer.print_region(region)
    _new_line(printer)
    printer.print_string("default ")
    printer.print_region(op.default_region, print_block_terminators=bool(op.results))


def _new_line(printer: Printer) -> None:
    printer.print_string("\n", indent=printer._indent)  # pyright: ignore[reportPrivateUsage]
