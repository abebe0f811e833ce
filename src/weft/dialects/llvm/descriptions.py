"""The attributes of `llvm` that describe code and do not change it: aliasing, loops, effects, debug information.

They come with what `mlir-translate --import-llvm` makes of a compiler's output.  One table holds their fields, in the
order in which they are printed; a class is made of a line when a file has the attribute.
"""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Callable
from contextlib import nullcontext
from functools import cache
from typing import ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr, StringAttr
from xdsl.ir import Attribute, Data, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

_FOLLOWUPS = "followupAll:loop_annotation"

_FIELDS: dict[str, str] = {
    "access_group": "id:distinct",
    "alias_scope": "id:distinct domain:alias_scope_domain description",
    "alias_scope_domain": "id:distinct description",
    "blockaddress": "function tag:blocktag",
    "blocktag": "id:int",
    "cgprofile_entry": "from to count:int",
    "dereferenceable": "bytes:int mayBeNull",
    "di_annotation": "name value",
    "di_basic_type": "tag:word name sizeInBits:int encoding:word",
    "di_common_block": "scope decl name file:di_file line:int",
    "di_compile_unit": (
        "id:distinct sourceLanguage:word file:di_file producer isOptimized emissionKind:word nameTableKind:word "
        "splitDebugFilename"
    ),
    "di_composite_type": (
        "recId:distinct isRecSelf tag:word name file:di_file line:int scope baseType flags:flags sizeInBits:int "
        "alignInBits:int dataLocation:di_expression rank:di_expression allocated:di_expression "
        "associated:di_expression elements:list"
    ),
    "di_derived_type": (
        "tag:word name baseType sizeInBits:int alignInBits:int offsetInBits:int dwarfAddressSpace:int extraData"
    ),
    "di_generic_subrange": "count lowerBound upperBound stride",
    "di_global_variable": (
        "scope name linkageName file:di_file line:int type isLocalToUnit isDefined alignInBits:int"
    ),
    "di_global_variable_expression": "var:di_global_variable expr:di_expression",
    "di_imported_entity": "tag:word scope entity file:di_file line:int name elements:list",
    "di_label": "scope name file:di_file line:int",
    "di_lexical_block": "scope file:di_file line:int column:int",
    "di_lexical_block_file": "scope file:di_file discriminator:int",
    "di_local_variable": "scope name file:di_file line:int arg:int alignInBits:int type flags:flags",
    "di_module": "file:di_file scope name configMacros includePath apinotes line:int isDecl",
    "di_namespace": "name scope exportSymbols",
    "di_string_type": (
        "tag:word name sizeInBits:int alignInBits:int stringLength stringLengthExp:di_expression "
        "stringLocationExp:di_expression encoding:word"
    ),
    "di_subprogram": (
        "recId:distinct isRecSelf id:distinct compileUnit:di_compile_unit scope name linkageName file:di_file line:int "
        "scopeLine:int subprogramFlags:flags type:di_subroutine_type retainedNodes:list annotations:list"
    ),
    "di_subrange": "count lowerBound upperBound stride",
    "di_subroutine_type": "callingConvention:word types:list",
    "loop_annotation": (
        "disableNonforced vectorize:loop_vectorize interleave:loop_interleave unroll:loop_unroll "
        "unrollAndJam:loop_unroll_and_jam licm:loop_licm distribute:loop_distribute pipeline:loop_pipeline "
        "peeled:loop_peeled unswitch:loop_unswitch mustProgress isVectorized startLoc endLoc "
        "parallelAccesses:list"
    ),
    "loop_distribute": (
        "disable followupCoincident:loop_annotation followupSequential:loop_annotation "
        f"followupFallback:loop_annotation {_FOLLOWUPS}"
    ),
    "loop_interleave": "count",
    "loop_licm": "disable versioningDisable",
    "loop_peeled": "count",
    "loop_pipeline": "disable initiationinterval",
    "loop_unroll": (
        "disable count runtimeDisable full followupUnrolled:loop_annotation followupRemainder:loop_annotation "
        f"{_FOLLOWUPS}"
    ),
    "loop_unroll_and_jam": (
        "disable count followupOuter:loop_annotation followupInner:loop_annotation "
        f"followupRemainderOuter:loop_annotation followupRemainderInner:loop_annotation {_FOLLOWUPS}"
    ),
    "loop_unswitch": "partialDisable",
    "loop_vectorize": (
        "disable predicateEnable scalableEnable width followupVectorized:loop_annotation "
        f"followupEpilogue:loop_annotation {_FOLLOWUPS}"
    ),
    "memory_effects": (
        "other:effect argMem:effect inaccessibleMem:effect errnoMem:effect targetMem0:effect targetMem1:effect"
    ),
    "tbaa_root": "id",
    "tbaa_tag": "base_type:tbaa_type_desc access_type:tbaa_type_desc offset:int constant",
    "tbaa_type_desc": "id members:members",
    "vec_type_hint": "hint is_signed",
    "vscale_range": "minRange maxRange",
}  # fmt: skip
"""The fields of each, `name:kind`: an integer, a word (or string of words), a list, the members of a type, an attribute
whose own name may be left out, or any attribute.
"""

_ALIASED = ("access_group", "alias_scope", "di_", "loop_", "tbaa_")
"""What the names begin with of those that are elsewhere in the text, under a name of their own (`#tbaa_tag3`)."""

_WORD = re.compile(r"[A-Za-z_][\w$.]*\Z")
_NEXT_FIELD = re.compile(r"\s*,\s*[A-Za-z_]\w*\s*=")


class StructAttribute(Data[tuple[tuple[str, Attribute], ...]], ABC):
    """`#llvm.x<field = value, ...>`; fields that have their default are left out."""

    kinds: ClassVar[dict[str, str]]
    """The fields in their order, and what each holds."""

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[tuple[str, Attribute], ...]:
        """Parse `<field = value, ...>`, in any order."""
        found: dict[str, Attribute] = {}
        if parser.parse_optional_punctuation("<") is None or parser.parse_optional_punctuation(">") is not None:
            return ()
        while True:
            name = parser.parse_identifier()
            parser.parse_punctuation("=")
            if name not in cls.kinds or name in found:
                parser.raise_error(f"duplicate or unknown struct parameter name: {name}")
            kind = cls.kinds[name]
            found[name] = _READERS[kind](parser) if kind in _READERS else _attribute(parser, kind)
            if parser.parse_optional_punctuation(",") is None:
                break
        parser.parse_punctuation(">")
        return tuple((name, found[name]) for name in cls.kinds if name in found)

    def print_parameter(self, printer: Printer) -> None:
        """Print the fields that are there."""
        if not self.data and self.name == "llvm.tbaa_root":
            return
        with printer.in_angle_brackets():
            for index, (name, value) in enumerate(self.data):
                printer.print_string(f"{', ' if index else ''}{name} = ")
                _print_value(printer, value, self.kinds[name])


def _attribute(parser: AttrParser, mnemonic: str) -> Attribute:
    """An attribute; the name of one whose kind is known may be left out."""
    if not parser.lexer.input.content.startswith("<", parser.pos):
        return parser.parse_attribute()
    if mnemonic in ("di_expression", "di_file"):
        from weft.dialects.llvm.debug import ExpressionAttr, FileAttr

        own = FileAttr if mnemonic == "di_file" else ExpressionAttr
        return own.new(own.parse_parameters(parser))
    cls = attribute(mnemonic)
    return parser.parse_attribute() if cls is None else cls(cls.parse_parameter(parser))


@irdl_attr_definition
class DistinctAttr(ParametrizedAttribute):
    """`distinct[3]<attribute>`: equal to nothing but itself; the number tells apart those of a file."""

    name = "builtin.distinct"

    number: IntAttr
    referenced: Attribute

    def print_parameters(self, printer: Printer) -> None:
        """Print the whole attribute."""
        printer.print_string(f"distinct[{self.number.data}]")
        with printer.in_angle_brackets():
            if not isinstance(self.referenced, NoneAttr):
                printer.print_attribute(self.referenced)


def _distinct(parser: AttrParser) -> Attribute:
    """A distinct attribute, or any other one."""
    if parser.parse_optional_keyword("distinct") is None:
        return parser.parse_attribute()
    with parser.in_square_brackets():
        number = parser.parse_integer(allow_boolean=False, allow_negative=False)
    with parser.in_angle_brackets():
        referenced = parser.parse_optional_attribute()
    return DistinctAttr(IntAttr(number), NoneAttr() if referenced is None else referenced)


_FLAGS = (
    "Zero", "Private", "Protected", "Public", "FwdDecl", "AppleBlock", "Virtual", "Artificial", "Explicit",
    "Prototyped", "ObjcClassComplete", "ObjectPointer", "Vector", "StaticMember", "LValueReference",
    "RValueReference", "ExportSymbols", "SingleInheritance", "MultipleInheritance", "VirtualInheritance",
    "IntroducedVirtual", "BitField", "NoReturn", "TypePassByValue", "TypePassByReference", "EnumClass", "Thunk",
    "NonTrivial", "BigEndian", "LittleEndian", "AllCallsDescribed", "PureVirtual", "LocalToUnit", "Definition",
    "Optimized", "Pure", "Elemental", "Recursive", "MainSubprogram", "Deleted", "ObjCDirect",
)  # fmt: skip
"""The flags of types and variables, and after them those of functions, by their bits."""


def _read_flags(parser: AttrParser) -> StringAttr:
    """Parse flags, which MLIR keeps as bits."""
    found = read_word(parser).data.split("|")
    known = sorted(found, key=lambda word: _FLAGS.index(word) if word in _FLAGS else len(_FLAGS))
    return StringAttr("|".join(known))


_EFFECTS = ("none", "read", "write", "readwrite")


def _read_effect(parser: AttrParser) -> StringAttr:
    place = parser.pos
    word = read_word(parser)
    if word.data not in _EFFECTS:
        said = f"expected one of [{', '.join(_EFFECTS)}] for LLVM ModRefInfo, got: {word.data}"
        parser.raise_error(said, place, place)
    return word


def read_word(parser: AttrParser) -> StringAttr:
    """Parse a word, in quotes or not."""
    text = parser.parse_optional_str_literal()
    return StringAttr(parser.parse_identifier() if text is None else text)


def _list(parser: AttrParser) -> Attribute:
    """Attributes between commas; a comma may begin the next field instead."""
    found = [parser.parse_attribute()]
    while not _NEXT_FIELD.match(parser.lexer.input.content, parser.pos) and parser.parse_optional_punctuation(","):
        found.append(parser.parse_attribute())
    return ArrayAttr(found)


def _member(parser: AttrParser) -> Attribute:
    with parser.in_angle_brackets():
        node = parser.parse_attribute()
        parser.parse_punctuation(",")
        return ArrayAttr([node, IntAttr(parser.parse_integer(allow_boolean=False))])


_READERS: dict[str, Callable[[AttrParser], Attribute]] = {
    "distinct": _distinct,
    "int": lambda parser: IntAttr(parser.parse_integer(allow_boolean=False)),
    "list": _list,
    "members": lambda parser: ArrayAttr(
        parser.parse_comma_separated_list(parser.Delimiter.BRACES, lambda: _member(parser))
    ),
    "effect": _read_effect,
    "flags": _read_flags,
    "word": read_word,
}


def _print_value(printer: Printer, value: Attribute, kind: str) -> None:
    if kind == "int":
        printer.print_string(str(cast("IntAttr", value).data))
    elif kind in ("word", "effect", "flags"):
        print_word(printer, cast("StringAttr", value).data)
    elif kind == "list":
        printer.print_list(cast("ArrayAttr[Attribute]", value).data, printer.print_attribute)
    elif kind == "members":
        with printer.in_braces():
            printer.print_list(cast("ArrayAttr[ArrayAttr[Attribute]]", value).data, lambda m: _print_member(printer, m))
    elif isinstance(value, DistinctAttr) or (kind == "di_expression" and isinstance(value, ParametrizedAttribute)):
        value.print_parameters(printer)
    elif kind in _FIELDS and not kind.startswith(_ALIASED) and isinstance(value, StructAttribute):
        value.print_parameter(printer)
    else:
        printer.print_attribute(value)


def print_word(printer: Printer, word: str) -> None:
    """Print a word, in quotes if it needs them."""
    printer.print_string(word if _WORD.match(word) else f'"{word}"')


def _print_member(printer: Printer, member: ArrayAttr[Attribute]) -> None:
    node, offset = member.data
    nameless = getattr(printer, "nameless", nullcontext)
    with printer.in_angle_brackets():
        with nameless():
            printer.print_attribute(node)
        printer.print_string(f", {cast('IntAttr', offset).data}")


@cache
def attribute(mnemonic: str) -> type[StructAttribute] | None:
    """The class of `#llvm.mnemonic`, None when the table does not have it."""
    fields = _FIELDS.get(mnemonic)
    if fields is None:
        return None
    words = "".join(part.capitalize() for part in mnemonic.split("_"))
    body: dict[str, object] = {
        "name": f"llvm.{mnemonic}",
        "kinds": {name: kind for name, _, kind in (field.partition(":") for field in fields.split())},
        "__module__": __name__,
        "__doc__": f"`#llvm.{mnemonic}`, as in the documentation of MLIR's LLVM dialect.",
    }
    return type(f"{words}Attr", (StructAttribute,), body)
