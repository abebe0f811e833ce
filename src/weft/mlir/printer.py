"""Print MLIR as mlir-opt spells it, so that files go both ways.

xDSL's printer is close.  The differences: `builtin.module` and `func.return`, results printed one by one where MLIR
groups them as `%0:2`, dictionaries out of order, and the type `i64` of integers in arrays and memory spaces.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, IntegerAttr, ModuleOp, NoneAttr, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.printer import Printer
from xdsl.traits import IsolatedFromAbove

from weft.dialects import narrow
from weft.dialects.narrow import MemRef

_SHORT_NAMES = {"builtin.module": "module", "func.return": "return", "func.call": "call"}
"""Operations that MLIR prints without their dialect: the module, and `func`'s own directly in a `func.func`."""


class MlirPrinter(Printer):
    """xDSL's printer with mlir-opt's spelling."""

    def print_op(self, op: Operation) -> None:
        """Print an operation, under its short name where MLIR has one."""
        short = _SHORT_NAMES.get(op.name)
        if short is None or self.print_generic_format or not (op.name == "builtin.module" or _directly_in_func(op)):
            super().print_op(op)
            return
        self._print_results(op)
        scope = op.has_trait(IsolatedFromAbove)
        if scope:
            self.enter_scope()
        self.print_string(short)
        op.print(self)
        if scope:
            self.exit_scope()

    def _print_results(self, op: Operation) -> None:
        results = op.results
        if len(results) < 2:
            super()._print_results(op)
            return
        name = self._group_name(results[0])
        for index, result in enumerate(results):
            self._ssa_values[result] = f"{name}#{index}"
        self.print_string(f"%{name}:{len(results)} = ")

    def _group_name(self, value: SSAValue) -> str:
        hint = value.name_hint
        if not hint:
            return self._get_new_valid_name_id()
        count = self.ssa_names.get(hint, 0)
        self.ssa_names[hint] = count + 1
        return f"{hint}_{count}" if count else hint

    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        """Print `{...}` in the order of the names."""
        super().print_attr_dict(dict(sorted(attr_dict.items())))

    def print_attribute(self, attribute: Attribute) -> None:
        """Print an attribute or type; integers of type i64 in arrays and memory spaces are printed bare."""
        memref = narrow.memref(attribute)
        if memref is not None and isinstance(memref.memory_space, IntegerAttr):
            self._print_memref(memref)
        elif isinstance(attribute, ArrayAttr):
            with self.in_square_brackets():
                self.print_list(cast("ArrayAttr[Attribute]", attribute).data, self._print_element)
        else:
            super().print_attribute(attribute)

    def _print_memref(self, memref: MemRef) -> None:
        self.print_string("memref<")
        shape = memref.get_shape()
        if shape:
            self.print_dimension_list(shape)
            self.print_string("x")
        self.print_attribute(memref.element_type)
        if not isinstance(memref.layout, NoneAttr):
            self.print_string(", ")
            self.print_attribute(memref.layout)
        self.print_string(", ")
        self._print_element(memref.memory_space)
        self.print_string(">")

    def _print_element(self, attribute: Attribute) -> None:
        if isinstance(attribute, IntegerAttr) and cast("IntegerAttr", attribute).type == i64:
            self.print_string(str(cast("IntegerAttr", attribute).value.data))
        else:
            self.print_attribute(cast("Attribute", attribute))


def _directly_in_func(op: Operation) -> bool:
    parent = op.parent_op()
    return parent is not None and parent.name == "func.func"


def print_mlir(module: ModuleOp) -> str:
    """The text of a module, as mlir-opt spells it, with a newline at the end."""
    stream = StringIO()
    MlirPrinter(stream=stream).print_op(module)
    return stream.getvalue() + "\n"
