"""Print MLIR as mlir-opt spells it, so that files go both ways.

xDSL's printer is close.  The differences: `builtin.module` and `func.return`, the names of values, results printed one
by one where MLIR groups them as `%0:2`, dictionaries out of order, the type `i64` of integers in arrays and memory
spaces, and affine maps spelled out where MLIR names them `#map` at the start of the text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from contextlib import AbstractContextManager
from copy import copy
from functools import cache, partial
from io import StringIO
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects.builtin import (
    AffineMapAttr,
    AffineSetAttr,
    AnyFloat,
    ArrayAttr,
    Builtin,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    NoneAttr,
    UnknownLoc,
    UnrankedMemRefType,
    UnregisteredOp,
    f64,
    i64,
)
from xdsl.ir import Attribute, Block, BlockArgument, Data, Operation, ParametrizedAttribute, Region
from xdsl.printer import Printer

from weft.dataclass import dataclass
from weft.dialects import lazy, narrow
from weft.dialects.affine.syntax import affine_map, affine_set
from weft.dialects.building import defaults
from weft.dialects.narrow import MemRef
from weft.errors import MlirError
from weft.mlir.aliases import Aliases
from weft.mlir.floats import float_text
from weft.mlir.generic import properties_and_attributes
from weft.mlir.locations import is_location, location_text
from weft.mlir.names import Names
from weft.mlir.positions import position
from weft.mlir.spelling import SPELLING

if TYPE_CHECKING:
    from xdsl.dialects.llvm import LinkageAttr

_SHORT = {"async": "async.func", "func": "func.func", "transform": "transform.sequence"}
"""The dialects whose operations MLIR prints without the dialect directly in one of theirs, and which one that is."""
_HOLDING = frozenset({"llvm.array", "llvm.func", "llvm.struct"})
"""Types of `llvm` that hold others."""
_LLVM_TYPES = frozenset(
    f"llvm.{name}"
    for name in ("array", "func", "label", "metadata", "ppc_fp128", "ptr", "struct", "token", "void", "x86_amx")
)


@dataclass(frozen=True, slots=True)
class Style:
    """What is printed beside the operations, and how; the options of mlir-opt."""

    debuginfo: bool = False
    """`--mlir-print-debuginfo`: with locations."""
    local: bool = False
    """`--mlir-print-local-scope`: attributes and locations spelled out where they are, without aliases."""
    generic: bool = False
    """`--mlir-print-op-generic`: every operation in the generic form."""


_LOCAL = Style(local=True)

_FLAGS = frozenset({"arith.overflow", "llvm.overflow", "llvm.fastmath"})
"""Sets of flags that MLIR writes with spaces between them, unlike `#arith.fastmath`."""

_LLVM_ALIASES = frozenset(
    f"llvm.{name}"
    for name in (
        "access_group", "alias_scope", "alias_scope_domain", "di_basic_type", "di_common_block", "di_compile_unit",
        "di_composite_type", "di_derived_type", "di_file", "di_generic_subrange", "di_global_variable",
        "di_global_variable_expression", "di_imported_entity", "di_label", "di_lexical_block",
        "di_lexical_block_file", "di_local_variable", "di_module", "di_namespace", "di_null_type", "di_string_type",
        "di_subprogram", "di_subroutine_type", "loop_annotation", "loop_distribute", "loop_interleave", "loop_licm",
        "loop_peeled", "loop_pipeline", "loop_unroll", "loop_unroll_and_jam", "loop_unswitch", "loop_vectorize",
        "tbaa_root", "tbaa_tag", "tbaa_type_desc",
    )
)  # fmt: skip
"""Attributes of `llvm` that MLIR gives names of their own."""


@cache
def _row_class(cls: type[Operation]) -> type[Operation]:
    """The class whose syntax an operation is printed in: weft's, for one of xDSL's that a row derives from."""
    own = lazy.operation(cls.name) if lazy.is_made(cls.name) else None
    return own if own is not None and issubclass(own, cls) else cls


def _as_row(op: Operation) -> Operation:
    """An operation as its row has it, with what it has by default: of xDSL's own class, a copy without uses."""
    own = _row_class(type(op))
    if own is type(op):
        return op
    seen = copy(op)
    seen.__class__ = own
    given = {name: value for is_property, name, value in defaults(own) if is_property}
    seen.properties = given | op.properties
    return seen


class MlirPrinter(Printer):
    """xDSL's printer with mlir-opt's spelling; what it has written is to be `finished`, unless the style is local."""

    def __init__(self, stream: StringIO, root: Operation, style: Style = _LOCAL) -> None:
        super().__init__(stream=stream, print_generic_format=style.generic)
        self._style = style
        self._names = Names(root, generic=style.generic)
        self._ssa_values = self._names.values
        self._blocks = self._names.blocks
        self._edges: dict[Region, defaultdict[Block, list[Block]]] = {}
        self._aliases = Aliases()
        self._nested = False

    def finished(self, text: str) -> str:
        """A text that this printer has written, with its aliases and their definitions."""
        return self._aliases.resolve(text)

    def print_op(self, op: Operation) -> None:
        """Print an operation, under its short name where MLIR has one, and its location."""
        location = self.print_op_alone(op)
        self.print_string(location)

    def print_op_alone(self, op: Operation) -> str:
        """Print an operation; what is to be printed after it for its location is returned."""
        location = self._location(op.location, deferred=True) if self._style.debuginfo else ""
        self._print_results(op)
        name = op.op_name.data if isinstance(op, UnregisteredOp) else op.name
        if self.print_generic_format or Operation.print is type(op).print:
            self.print_string(f'"{name}"')
            self._print_generic(op)
        else:
            spelling = SPELLING.get(name)
            dialect, _, rest = name.partition(".")
            within = _SHORT.get(dialect)
            short = name == "builtin.module" or (within is not None and "." not in rest and _is_directly_in(op, within))
            self.print_string(rest if short else name)
            if spelling is not None:
                spelling(op, self)
            else:
                _as_row(op).print(self)
        return f" loc({location})" if location else ""

    def _print_generic(self, op: Operation) -> None:
        """Print what is after the name of an operation in the generic form."""
        with self.in_parens():
            self.print_list(op.operands, self.print_ssa_value)
        if op.successors:
            with self.in_square_brackets():
                self.print_list(op.successors, self.print_block_name)
        regions = self._regions_text(op)  # What is named in them is numbered first.
        properties, attributes = properties_and_attributes(op)
        if properties:
            self.print_string(" <")
            self.print_attr_dict(properties)
            self.print_string(">")
        print(regions, end="", file=self.stream)  # Indented already.
        shown = {name: value for name, value in attributes.items() if name != "op_name__"}
        if shown:
            self.print_string(" ")
            self.print_attr_dict(shown)
        self.print_string(" : ")
        self.print_function_type(op.operand_types, op.result_types)

    def _regions_text(self, op: Operation) -> str:
        """The regions of an operation in the generic form."""
        if not op.regions:
            return ""
        stream, self.stream = self.stream, StringIO()
        self.print_string(" (")
        self.print_list(op.regions, self.print_region)
        self.print_string(")")
        text: str = self.stream.getvalue()
        self.stream = stream
        return text

    def _location(self, location: Attribute | None, *, deferred: bool) -> str:
        """The name of a location, or its text where there are no names."""
        found = UnknownLoc() if location is None or isinstance(location, NoneAttr) else location
        inside = partial(self._inside_location, deferred=deferred)
        if self._style.local:
            return location_text(found, inside)
        return self._aliases.mark(found, "loc", lambda: f"loc({location_text(found, inside)})", deferred=deferred)

    def _inside_location(self, attribute: Attribute, *, deferred: bool) -> str:
        if is_location(attribute):
            return self._location(attribute, deferred=deferred)
        return self._text(attribute, deferred=deferred)

    def _text(self, attribute: Attribute, *, deferred: bool) -> str:
        """The text of an attribute."""
        outer, self._deferred = self._deferred, deferred
        stream, self.stream = self.stream, StringIO()
        self.print_attribute(attribute)
        text: str = self.stream.getvalue()
        self.stream, self._deferred = stream, outer
        return text

    _deferred = False
    """Whether what is printed now is part of a definition after the text."""

    def print_block_argument(self, arg: BlockArgument, print_type: bool = True) -> None:
        """Print an argument, its type and its location."""
        self.print_ssa_value(arg)
        if not print_type:
            return
        self.print_string(": ")
        self.print_attribute(arg.type)
        self.print_argument_location(arg)

    def print_argument_location(self, arg: BlockArgument) -> None:
        """Print the location of an argument, spelled out, if locations are printed."""
        if not self._style.debuginfo:
            return
        location: Attribute = arg.location
        if isinstance(location, NoneAttr):
            location = UnknownLoc()
        self._location(location, deferred=False)
        self.print_string(f" loc({location_text(location, lambda inner: self._location(inner, deferred=False))})")

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
        if region not in self._edges:
            edges = self._edges[region] = defaultdict(list)
            for found in region.blocks:
                for target in found.last_op.successors if found.last_op is not None else ():
                    edges[target].append(found)
        names = [self._blocks[found] for found in self._edges[region][block]]
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
            self._print_map(attribute)
        elif is_location(attribute):
            located = self._location(attribute, deferred=self._deferred)
            self.print_string(f"loc({located})" if self._style.local else located)
        elif attribute.name in _LLVM_TYPES:
            self._print_llvm_type(attribute)
        elif attribute.name in _FLAGS:
            self.print_string(f"#{attribute.name}")
            text = StringIO()
            stream, self.stream = self.stream, text
            cast("Data[Any]", attribute).print_parameter(self)
            self.stream = stream
            self.print_string(re.sub(r"<(reassoc),(.*)>", r"<\2,\1>", text.getvalue()).replace(",", ", "))
        elif attribute.name == "llvm.linkage":
            self.print_string(f"#llvm.linkage<{cast('LinkageAttr', attribute).linkage.data}>")
        elif attribute.name in _LLVM_ALIASES and not self._style.local and self._defined is not attribute:
            self._print_llvm_alias(attribute)
        else:
            nested, self._nested = self._nested, False
            super().print_attribute(attribute)
            self._nested = nested

    _defined: Attribute | None = None
    """The attribute whose definition is being written."""

    def _print_llvm_alias(self, attribute: Attribute) -> None:
        def spell() -> str:
            outer, self._defined = self._defined, attribute
            text = self._text(attribute, deferred=deferred)
            self._defined = outer
            return text

        deferred = self._deferred
        kind = attribute.name.removeprefix("llvm.")
        self.print_string(self._aliases.mark(attribute, kind, spell, deferred=deferred))

    def nameless(self) -> AbstractContextManager[None]:
        """Inside an attribute that has no name of its own, which counts where aliases are numbered."""
        return self._aliases.nameless()

    def _print_llvm_type(self, attribute: Attribute) -> None:
        """Print a type of the `llvm` dialect, in its short form inside another one: `!llvm.struct<(ptr, i64)>`."""
        nested, self._nested = self._nested, True
        short = nested and (attribute.name not in _HOLDING or _is_compatible(attribute))
        self.print_string(attribute.name.removeprefix("llvm.") if short else f"!{attribute.name}")
        assert isinstance(attribute, ParametrizedAttribute)
        attribute.print_parameters(self)
        self._nested = nested

    def print_float(self, value: float, type: AnyFloat) -> None:
        """Print a number."""
        self.print_string(float_text(value, type))

    def _print_map(self, attribute: AffineMapAttr | AffineSetAttr) -> None:
        if self._style.local:
            self.print_string(_spell_out(attribute))
            return
        kind = "map" if isinstance(attribute, AffineMapAttr) else "set"
        self.print_string(self._aliases.mark(attribute, kind, lambda: _spell_out(attribute), deferred=self._deferred))

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
        elif isinstance(attribute, FloatAttr) and cast("Any", attribute).type == f64:
            self.print_float(cast("Any", attribute).value.data, f64)
        else:
            self.print_attribute(cast("Attribute", attribute))


def _spell_out(attribute: Attribute) -> str:
    if isinstance(attribute, AffineMapAttr):
        return f"affine_map<{affine_map(attribute.data)}>"
    assert isinstance(attribute, AffineSetAttr)
    return f"affine_set<{affine_set(attribute.data)}>"


def _is_directly_in(op: Operation, name: str) -> bool:
    parent = op.parent_op()
    return parent is not None and parent.name == name


def print_mlir(module: ModuleOp, style: Style | None = None) -> str:
    """The text of a module, as mlir-opt spells it, with a newline at the end.

    Raises:
        MlirError: regions, attributes or expressions are nested too deeply.
    """
    stream = StringIO()
    printer = MlirPrinter(stream, module, style or Style())
    try:
        printer.print_op(module)
        printer.print_metadata((Builtin,))
    except RecursionError as error:
        raise MlirError("the nesting is too deep", position(module)) from error
    return printer.finished(f"{stream.getvalue()}\n")


def _is_compatible(kind: Attribute) -> bool:
    from weft.dialects.llvm.kinds import is_compatible

    return is_compatible(kind)
