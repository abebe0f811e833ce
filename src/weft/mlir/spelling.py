"""Operations of xDSL whose text is not quite mlir-opt's: what is after their names instead."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from typing import Any

from xdsl.dialects import cf, llvm
from xdsl.ir import Operation
from xdsl.printer import Printer

from weft.dialects.strings import text_bytes

_GLOBAL = (
    "global_type", "sym_name", "linkage", "constant", "thread_local_", "unnamed_addr", "value",
    "visibility_", "comdat",
)  # fmt: skip


def _global(op: llvm.GlobalOp, printer: Printer) -> None:
    """A global of `llvm`; the type of one that holds text follows from it."""
    from weft.dialects.llvm.globals import print_head

    print_head(op, printer)
    if op.constant is not None:
        printer.print_string(" constant")
    printer.print_string(" ")
    printer.print_symbol_name(op.sym_name.data)
    with printer.in_parens():
        if op.value is not None:
            printer.print_attribute(op.value)
    if "comdat" in op.properties:
        printer.print_string(" comdat(")
        printer.print_attribute(op.properties["comdat"])
        printer.print_string(")")
    printer.print_op_attributes(op.properties | op.attributes, reserved_attr_names=_GLOBAL)
    if text_bytes(op.value) is None:
        printer.print_string(" : ")
        printer.print_attribute(op.global_type)
    if op.body.blocks:
        printer.print_string(" ")
        printer.print_region(op.body, print_entry_block_args=False)


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
            printer.print_block_name(block)
            if count:
                with printer.in_parens():
                    printer.print_list(operands[:count], printer.print_ssa_value)
                    printer.print_string(" : ")
                    printer.print_list([value.type for value in operands[:count]], printer.print_attribute)
            operands = operands[count:]
    if values:
        _new_line(printer)
    printer.print_string("]")
    printer.print_op_attributes(op.attributes)


def _new_line(printer: Printer) -> None:
    printer.print_string("\n", indent=printer._indent)  # pyright: ignore[reportPrivateUsage]


SPELLING: dict[str, Callable[[Any, Printer], None]] = {
    "cf.switch": _switch,
    "llvm.mlir.global": _global,
    **{f"llvm.{name}": _overflow for name in ("add", "sub", "mul", "shl", "trunc")},
    **{f"arith.{name}": _overflow for name in ("addi", "subi", "muli", "shli", "trunci")},
}
