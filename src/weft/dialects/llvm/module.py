"""What an `llvm` module says about itself: flags, comdats, constructors, options of the linker."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr, SymbolNameConstraint
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import IRDLOperation, irdl_attr_definition, irdl_op_definition, prop_def, region_def, traits_def
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator, SymbolOpInterface, SymbolTable

from weft.dialects.llvm.attributes import print_word, read_word
from weft.dialects.llvm.words import parse_word

_BEHAVIOURS = ("error", "warning", "require", "override", "append", "append_unique", "max", "min")
_SELECTIONS = ("any", "exactmatch", "largest", "nodeduplicate", "samesize")


def _behaviour(parser: AttrParser) -> StringAttr:
    position = parser.pos
    found = read_word(parser)
    if found.data not in _BEHAVIOURS:
        listed = ", ".join(_BEHAVIOURS)
        message = f"expected one of [{listed}] for LLVM Module Flag Behavior, got: {found.data}"
        parser.raise_error(message, position, position)
    return found


@irdl_attr_definition
class ModuleFlagAttr(ParametrizedAttribute):
    """`#llvm.mlir.module_flag<behaviour, "key", value>`."""

    name = "llvm.mlir.module_flag"

    behavior: StringAttr
    key: StringAttr
    value: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<behaviour, "key", value>`."""
        with parser.in_angle_brackets():
            behavior = _behaviour(parser)
            parser.parse_punctuation(",")
            key = StringAttr(parser.parse_str_literal())
            parser.parse_punctuation(",")
            return [behavior, key, parser.parse_attribute()]

    def print_parameters(self, printer: Printer) -> None:
        """Print `<behaviour, "key", value>`."""
        with printer.in_angle_brackets():
            printer.print_string(f"{self.behavior.data}, ")
            printer.print_attribute(self.key)
            printer.print_string(", ")
            printer.print_attribute(self.value)


@irdl_op_definition
class ModuleFlagsOp(IRDLOperation):
    """`llvm.module_flags [flags]`."""

    name = "llvm.module_flags"

    flags = prop_def(ArrayAttr)

    assembly_format = "$flags attr-dict"


@irdl_op_definition
class LinkerOptionsOp(IRDLOperation):
    """`llvm.linker_options ["option", ...]`."""

    name = "llvm.linker_options"

    options = prop_def(ArrayAttr[StringAttr])

    assembly_format = "$options attr-dict"


@irdl_op_definition
class GlobalCtorsOp(IRDLOperation):
    """`llvm.mlir.global_ctors ctors = [@f], priorities = [0 : i32], data = [#llvm.zero]`: run at the start."""

    name = "llvm.mlir.global_ctors"

    ctors = prop_def(ArrayAttr)
    priorities = prop_def(ArrayAttr)
    data = prop_def(ArrayAttr)

    assembly_format = "`ctors` `=` $ctors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"


@irdl_op_definition
class GlobalDtorsOp(IRDLOperation):
    """`llvm.mlir.global_dtors dtors = [@f], priorities = [0 : i32], data = [#llvm.zero]`: called at the end."""

    name = "llvm.mlir.global_dtors"

    dtors = prop_def(ArrayAttr)
    priorities = prop_def(ArrayAttr)
    data = prop_def(ArrayAttr)

    assembly_format = "`dtors` `=` $dtors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"


@irdl_op_definition
class ComdatOp(IRDLOperation):
    """`llvm.comdat @name { selectors }`: groups of which a linker keeps one."""

    name = "llvm.comdat"

    sym_name = prop_def(SymbolNameConstraint())
    body = region_def()

    traits = traits_def(NoTerminator(), SymbolOpInterface(), SymbolTable())
    assembly_format = "$sym_name $body attr-dict"


@irdl_op_definition
class ComdatSelectorOp(IRDLOperation):
    """`llvm.comdat_selector @name kind`."""

    name = "llvm.comdat_selector"

    sym_name = prop_def(SymbolNameConstraint())
    comdat = prop_def(StringAttr)

    traits = traits_def(SymbolOpInterface())

    @classmethod
    def parse(cls, parser: Parser) -> ComdatSelectorOp:
        """Parse everything after the operation's name."""
        properties = {
            "sym_name": parser.parse_symbol_name(),
            "comdat": StringAttr(parse_word(parser, "comdat", _SELECTIONS)),
        }
        return cls.create(properties=properties, attributes=parser.parse_optional_attr_dict())

    def print(self, printer: Printer) -> None:
        """Print everything after the operation's name."""
        printer.print_string(" ")
        printer.print_symbol_name(self.sym_name.data)
        printer.print_string(" ")
        print_word(printer, self.comdat.data)
        printer.print_op_attributes(self.attributes)
