"""`gpu.warp_execute_on_lane_0`: a region that one lane runs on the vectors of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from weft.dialects import narrow
from weft.dialects.engine.making import new
from weft.dialects.engine.operations import op_class
from weft.dialects.formats import parse_typed, print_typed

if TYPE_CHECKING:
    from weft.dialects.rows import gpu


def verify_on_lane_0(op: gpu.WarpExecuteOnLane0Op) -> None:
    """Each vector of the region is a lane's, times the lanes."""
    block = op.warp_region.block
    if len(block.args) != len(op.args):
        raise VerifyException("expected same number op arguments and block arguments.")
    last = block.last_op
    yielded = last.operands if isinstance(last, op_class("gpu.yield")) else ()
    if len(yielded) != len(op.results):
        raise VerifyException("expected same number of yield operands and return values.")
    for whole, part in (*zip(block.args, op.args, strict=True), *zip(yielded, op.results, strict=True)):
        _verify_distribution(op, whole.type, part.type)


def _verify_distribution(op: gpu.WarpExecuteOnLane0Op, whole: Attribute, part: Attribute) -> None:
    if whole == part:
        return
    joined, lane = narrow.vector(whole), narrow.vector(part)
    if joined is None or lane is None:
        raise VerifyException("expected vector type for distributed operands.")
    if joined.get_num_dims() != lane.get_num_dims() or joined.element_type != lane.element_type:
        raise VerifyException("expected distributed vectors to have same rank and element type.")
    lanes = 1
    for dim, (all_, own) in enumerate(zip(joined.get_shape(), lane.get_shape(), strict=True)):
        if all_ % own:
            raise VerifyException(
                f"expected expanded vector dimension #{dim} ({all_}) to be a multipler of the distributed vector "
                f"dimension ({own})"
            )
        lanes *= all_ // own
    if lanes != op.warp_size.value.data:
        raise VerifyException(
            f"incompatible distribution dimensions from '{whole}' to '{part}' with warp size = "
            f"{op.warp_size.value.data}"
        )


def parse_on_lane_0(cls: type[Operation], parser: Parser) -> Operation:
    """Parse `(%lane)[32] args(%v : vector<4xi32>) -> (types) { ^bb0(%all: vector<128xi32>): ... }`."""
    with parser.in_parens():
        lane = parser.parse_operand(IndexType())
    with parser.in_square_brackets():
        size = parser.parse_integer(allow_boolean=False, allow_negative=False)
    arguments: list[SSAValue] = []
    if parser.parse_optional_keyword("args"):
        with parser.in_parens():
            arguments = parse_typed(parser)
    results: list[Attribute] = []
    if parser.parse_optional_punctuation("->"):
        results = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    region = parser.parse_region()
    _terminate(region)
    attributes = parser.parse_optional_attr_dict()
    return cls.create(
        operands=[lane, *arguments],
        result_types=results,
        properties={"warp_size": IntegerAttr(size, 64)},
        attributes=attributes,
        regions=[region],
    )


def print_on_lane_0(op: gpu.WarpExecuteOnLane0Op, printer: Printer) -> None:
    """Print what `parse_on_lane_0` parses."""
    with printer.in_parens():
        printer.print_ssa_value(op.laneid)
    printer.print_string(f"[{op.warp_size.value.data}]")
    if op.args:
        printer.print_string(" args(")
        print_typed(printer, op.args)
        printer.print_string(")")
    if op.results:
        printer.print_string(" -> (")
        printer.print_list(op.result_types, printer.print_attribute)
        printer.print_string(")")
    printer.print_string(" ")
    printer.print_region(op.warp_region, print_block_terminators=bool(op.results), print_empty_block=bool(op.args))
    printer.print_op_attributes(op.attributes)


def _terminate(region: Region) -> None:
    """Give the region the terminator that its text leaves out."""
    if not region.blocks:
        region.add_block(Block())
    block = region.blocks[0]
    if not isinstance(block.last_op, op_class("gpu.yield")):
        block.add_op(new("gpu.yield"))
