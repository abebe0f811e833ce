"""Print MLIR as mlir-opt spells it, so that files go both ways.

xDSL's printer is close.  The differences: `builtin.module` and `func.return`, the names of values, results printed one
by one where MLIR groups them as `%0:2`, dictionaries out of order, the type `i64` of integers in arrays and memory
spaces, and affine maps spelled out where MLIR names them `#map` at the start of the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO
from typing import cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    UnrankedMemRefType,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, ParametrizedAttribute
from xdsl.printer import Printer

from weft.dialects import narrow
from weft.dialects.narrow import MemRef
from weft.mlir.affine import affine_map, affine_set
from weft.mlir.floats import float_text
from weft.mlir.names import Names
from weft.mlir.spelling import SPELLING

_SHORT_NAMES = {
    "builtin.module": "module",
    **{f"func.{name}": name for name in ("call", "call_indirect", "constant", "return")},
}
"""Operations that MLIR prints without their dialect: the module, and `func`'s own directly in a `func.func`."""

_LLVM_TYPES = frozenset(
    f"llvm.{name}" for name in ("array", "func", "label", "metadata", "ppc_fp128", "ptr", "struct", "token", "void")
)


class MlirPrinter(Printer):
    """xDSL's printer with mlir-opt's spelling."""

    def __init__(self, stream: StringIO, root: Operation) -> None:
        super().__init__(stream=stream)
        self._names = Names(root)
        self._ssa_values = self._names.values
        self._blocks = self._names.blocks
        self._aliases: dict[Attribute, str] = {}
        self._nested = False

    @property
    def definitions(self) -> str:
        """The lines that define the aliases used so far."""
        return "".join(f"{alias} = {_spell_out(attribute)}\n" for attribute, alias in self._aliases.items())

    def _print_alias(self, attribute: AffineMapAttr | AffineSetAttr) -> None:
        alias = self._aliases.get(attribute)
        if alias is None:
            prefix = "#map" if isinstance(attribute, AffineMapAttr) else "#set"
            count = sum(known.startswith(prefix) for known in self._aliases.values())
            alias = self._aliases[attribute] = f"{prefix}{count or ''}"
        self.print_string(alias)

    def print_op(self, op: Operation) -> None:
        """Print an operation, under its short name where MLIR has one."""
        spelling = SPELLING.get(op.name)
        if spelling is not None and not self.print_generic_format:
            self._print_results(op)
            self.print_string(op.name)
            spelling(op, self)
            return
        short = _SHORT_NAMES.get(op.name)
        if short is None or self.print_generic_format or not (op.name == "builtin.module" or _directly_in_func(op)):
            super().print_op(op)
            return
        self._print_results(op)
        self.print_string(short)
        op.print(self)

    def _print_results(self, op: Operation) -> None:
        results = op.results
        if not results:
            return
        groups = self._names.groups.get(op, [0])
        for start, end in zip(groups, [*groups[1:], len(results)], strict=True):
            name = self._ssa_values[results[start]].partition("#")[0]
            size = f":{end - start}" if end - start > 1 else ""
            self.print_string(f"{', ' if start else ''}%{name}{size}")
        self.print_string(" = ")

    def print_block(self, block: Block, print_block_args: bool = True, print_block_terminator: bool = True) -> None:
        """Print a block; behind its label stand the blocks that lead to it."""
        if print_block_args:
            self._print_new_line()
            self.print_block_name(block)
            if block.args:
                with self.in_parens():
                    self.print_list(block.args, self.print_block_argument)
            self.print_string(":")
            self._print_predecessors(block)
        super().print_block(block, print_block_args=False, print_block_terminator=print_block_terminator)

    def _print_predecessors(self, block: Block) -> None:
        region = block.parent
        if region is None or region.blocks.first is block:
            return
        leading = set(block.predecessors())
        names = [self._blocks[found] for found in region.blocks if found in leading]
        if not names:
            self.print_string("  // no predecessors")
        elif len(names) == 1:
            self.print_string(f"  // pred: ^{names[0]}")
        else:
            listed = ", ".join(f"^{name}" for name in names)
            self.print_string(f"  // {len(names)} preds: {listed}")

    def print_attr_dict(self, attr_dict: Mapping[str, Attribute]) -> None:
        """Print `{...}` in the order of the names."""
        super().print_attr_dict(dict(sorted(attr_dict.items())))

    def print_attribute(self, attribute: Attribute) -> None:
        """Print an attribute or type; integers of type i64 in arrays and memory spaces are printed bare."""
        memref = narrow.memref(attribute)
        if memref is not None and isinstance(memref.memory_space, IntegerAttr):
            self._print_memref(memref)
        elif attribute.name == "unranked_memref":
            self._print_unranked(cast("UnrankedMemRefType[Attribute]", attribute))
        elif isinstance(attribute, ArrayAttr):
            with self.in_square_brackets():
                self.print_list(cast("ArrayAttr[Attribute]", attribute).data, self._print_element)
        elif isinstance(attribute, AffineMapAttr | AffineSetAttr):
            self._print_alias(attribute)
        elif attribute.name in _LLVM_TYPES:
            self._print_llvm_type(attribute)
        else:
            nested, self._nested = self._nested, False
            super().print_attribute(attribute)
            self._nested = nested

    def _print_llvm_type(self, attribute: Attribute) -> None:
        """Print a type of the `llvm` dialect, in its short form inside another one: `!llvm.struct<(ptr, i64)>`."""
        nested, self._nested = self._nested, True
        self.print_string(attribute.name.removeprefix("llvm.") if nested else f"!{attribute.name}")
        assert isinstance(attribute, ParametrizedAttribute)
        attribute.print_parameters(self)
        self._nested = nested

    def print_float(self, value: float, type: AnyFloat) -> None:
        """Print a number."""
        self.print_string(float_text(value, type))

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

    def _print_unranked(self, memref: UnrankedMemRefType[Attribute]) -> None:
        self.print_string("memref<*x")
        self.print_attribute(memref.element_type)
        if not isinstance(memref.memory_space, NoneAttr):
            self.print_string(", ")
            self._print_element(memref.memory_space)
        self.print_string(">")

    def _print_element(self, attribute: Attribute) -> None:
        if isinstance(attribute, IntegerAttr) and cast("IntegerAttr", attribute).type == i64:
            self.print_string(str(cast("IntegerAttr", attribute).value.data))
        else:
            self.print_attribute(cast("Attribute", attribute))


def _spell_out(attribute: Attribute) -> str:
    if isinstance(attribute, AffineMapAttr):
        return f"affine_map<{affine_map(attribute.data)}>"
    assert isinstance(attribute, AffineSetAttr)
    return f"affine_set<{affine_set(attribute.data)}>"


def _directly_in_func(op: Operation) -> bool:
    parent = op.parent_op()
    return parent is not None and parent.name == "func.func"


def print_mlir(module: ModuleOp) -> str:
    """The text of a module, as mlir-opt spells it, with a newline at the end."""
    stream = StringIO()
    printer = MlirPrinter(stream, module)
    printer.print_op(module)
    return f"{printer.definitions}{stream.getvalue()}\n"
