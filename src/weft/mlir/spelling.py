"""Operations of xDSL whose text is not quite mlir-opt's: what is after their names instead."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import Any

from xdsl.dialects import cf
from xdsl.ir import Operation
from xdsl.printer import Printer

from weft.dialects.destinations import print_destination


def _overflow(op: Operation, printer: Printer) -> None:
    """Arithmetic with `overflow<nsw, nuw>`, a space between the two."""
    buffer = StringIO()
    stream, printer.stream = printer.stream, buffer
    op.print(printer)
    printer.stream = stream
    printer.print_string(buffer.getvalue().replace("overflow<nsw,nuw>", "overflow<nsw, nuw>"))


def _switch(op: cf.SwitchOp, printer: Printer) -> None:
    """A switch, a case a line; values are written without a sign."""
    printer.print_string(" ")
    printer.print_ssa_value(op.flag)
    printer.print_string(" : ")
    printer.print_attribute(op.flag.type)
    printer.print_string(", [")
    width = getattr(op.flag.type, "bitwidth", 64)
    values = () if op.case_values is None else [value % 2**width for value in op.case_values.get_values()]
    segments = (len(op.default_operands), *op.case_operand_segments.get_values())
    operands = (*op.default_operands, *op.case_operands)
    with printer.indented():
        names = zip(("default", *values), (op.default_block, *op.case_blocks), segments, strict=True)
        for place, (name, block, count) in enumerate(names):
            printer.print_string("," if place else "")
            _new_line(printer)
            printer.print_string(f"{name}: ")
            print_destination(printer, block, operands[:count])
            operands = operands[count:]
    if values:
        _new_line(printer)
    printer.print_string("]")
    printer.print_op_attributes(op.attributes)


def _new_line(printer: Printer) -> None:
    printer.print_string("\n", indent=printer._indent)  # pyright: ignore[reportPrivateUsage]


SPELLING: dict[str, Callable[[Any, Printer], None]] = {
    "cf.switch": _switch,
    **{f"llvm.{name}": _overflow for name in ("add", "sub", "mul", "shl", "trunc")},
    **{f"arith.{name}": _overflow for name in ("addi", "subi", "muli", "shli", "trunci")},
}
