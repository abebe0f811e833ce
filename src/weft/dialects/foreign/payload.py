"""The short form of `linalg.map` and `linalg.reduce`: `{ arith.addf }` for a body of this one operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser
from xdsl.printer import Printer

Payload = tuple[type[Operation], dict[str, Attribute], type[Operation]]
"""The class of the operation, its attributes, and the class of what ends the body."""


def parse_payload(parser: Parser) -> Payload | None:
    """Parse `{ name attr-dict }`, if it is there.

    Raises:
        ParseError: there is no such operation.
    """
    if parser.parse_optional_punctuation("{") is None:
        return None
    place = parser.pos
    name = parser.parse_identifier()
    cls = parser.ctx.get_optional_op(name)
    if cls is None:
        parser.raise_error(f"custom op '{name}' is unknown", place, place)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("}")
    return cls, attributes, parser.ctx.get_op("linalg.yield")


def _element(value: SSAValue) -> Attribute:
    return cast("Attribute", getattr(value.type, "element_type", value.type))


def body_of(payload: Payload, inputs: Sequence[SSAValue], outputs: Sequence[SSAValue], *, start_first: bool) -> Region:
    """The body that a short form stands for; a reduction begins with what was reduced so far."""
    cls, attributes, end = payload
    block = Block(arg_types=[_element(value) for value in (*inputs, *outputs)])
    for place, argument in enumerate(block.args):
        argument.name_hint = "in" if place < len(inputs) else "init"
    given = [block.args[-1], *block.args[:-1]] if start_first else block.args[: len(inputs)]
    declared: Any = cls.get_irdl_definition().properties if issubclass(cls, IRDLOperation) else {}
    op: Any = cls.create(
        operands=given,
        result_types=[_element(outputs[-1])],
        properties={name: value for name, value in attributes.items() if name in declared},
        attributes={name: value for name, value in attributes.items() if name not in declared},
    )
    block.add_op(op)
    block.add_op(end.create(operands=op.results))
    return Region(block)


def payload_of(region: Region, outputs: int, *, start_first: bool) -> Operation | None:
    """The only operation of a body that has a short form; None of others."""
    if len(region.blocks) != 1:
        return None
    block = region.blocks[0]
    ops = list(block.ops)
    if len(ops) != 2 or ops[0].regions or len(ops[0].results) != 1:
        return None
    op, end = ops
    count = len(block.args)
    wanted = [block.args[-1], *block.args[:-1]] if start_first else block.args[: count - outputs]
    fits = list(op.operands) == list(wanted) and list(end.operands) == list(op.results)
    return op if fits and len(end.operands) == 1 else None


def print_payload(op: Operation, printer: Printer) -> None:
    """Print the short form."""
    printer.print_string(f" {{ {op.name}")
    shown = {**op.attributes, **op.properties}
    fastmath = shown.get("fastmath")
    if fastmath is not None and not getattr(fastmath, "data", True):
        del shown["fastmath"]
    if shown:
        printer.print_string(" ")
        printer.print_attr_dict(shown)
    printer.print_string(" }")
