"""Types of `llvm` as MLIR reads them: packed structs, which xDSL's type cannot be, functions, arrays and pointers."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects import llvm
from xdsl.dialects.builtin import ArrayAttr, IntAttr, NoneAttr, StringAttr, UnitAttr
from xdsl.ir import Attribute, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from weft.dialects.engine.attributes import plain
from weft.dialects.llvm.attributes import TYPES


@irdl_attr_definition
class PackedStructType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.struct<"name", packed (T, ...)>`: its members lie side by side."""

    name = "llvm.struct"

    struct_name: StringAttr
    types: ArrayAttr[Attribute]

    PACKED: ClassVar[bool] = True

    def print_parameters(self, printer: Printer) -> None:
        """Print `<"name", packed (T, ...)>`."""
        with printer.in_angle_brackets():
            if self.struct_name.data:
                printer.print_string_literal(self.struct_name.data)
                printer.print_string(", ")
            printer.print_string("packed ")
            with printer.in_parens():
                printer.print_list(self.types.data, printer.print_attribute)


@irdl_attr_definition
class OpaqueStructType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.struct<"name", opaque>`, of which nothing is known; in a structure of the name, `!llvm.struct<"name">`."""

    name = "llvm.struct"

    struct_name: StringAttr
    inner: IntAttr

    @property
    def types(self) -> ArrayAttr[Attribute]:
        """No members that are known."""
        return ArrayAttr(())

    def print_parameters(self, printer: Printer) -> None:
        """Print `<"name", opaque>` or `<"name">`."""
        with printer.in_angle_brackets():
            printer.print_string_literal(self.struct_name.data)
            if not self.inner.data:
                printer.print_string(", opaque")


_NO_ELEMENTS = frozenset(("llvm.func", "llvm.label", "llvm.metadata", "llvm.token", "llvm.void"))


def _element(parser: AttrParser, what: str, start: int) -> Attribute:
    """The type of a member, of which a value can be stored."""
    found = llvm.parse_llvm_type(parser)
    if found.name in _NO_ELEMENTS:
        parser.raise_error(f"invalid {what} element type: '{found}'", start, start)
    return found


_NO_RESULTS = frozenset(("llvm.func", "llvm.label", "llvm.metadata"))
_NO_ARGUMENTS = frozenset(("llvm.func", "llvm.void"))


def _parse_function(_: type[llvm.LLVMFunctionType], parser: AttrParser) -> list[Attribute]:
    """Parse `<R (T, ...)>`."""
    start = parser.pos
    with parser.in_angle_brackets():
        output = llvm.parse_llvm_type(parser)
        parser.parse_punctuation("(")
        inputs: list[Attribute] = []
        variadic: UnitAttr | NoneAttr = NoneAttr()
        closed = parser.parse_optional_punctuation(")") is not None
        while not closed:
            if parser.parse_optional_characters("...") is not None:
                variadic = UnitAttr()
            else:
                inputs.append(llvm.parse_llvm_type(parser))
            closed = isinstance(variadic, UnitAttr) or parser.parse_optional_punctuation(",") is None
            if closed:
                parser.parse_punctuation(")")
    if output.name in _NO_RESULTS:
        parser.raise_error(f"invalid function result type: '{output}'", start, start)
    wrong = next((kind for kind in inputs if kind.name in _NO_ARGUMENTS), None)
    if wrong is not None:
        parser.raise_error(f"invalid function argument type: '{wrong}'", start, start)
    return [ArrayAttr(inputs), output, variadic]


llvm.LLVMFunctionType.parse_parameters = classmethod(_parse_function)  # pyright: ignore


def _parse_struct(parser: AttrParser) -> llvm.LLVMStructType | PackedStructType | OpaqueStructType:
    """Parse what is behind `struct`, in a packed struct and in others."""
    start = parser.pos
    known: dict[str, Any] = vars(parser).setdefault("structs", {})
    with parser.in_angle_brackets():
        text = parser.parse_optional_str_literal()
        if text is not None:
            if text in known and known[text] is None and parser.parse_optional_punctuation(",") is None:
                return OpaqueStructType(StringAttr(text), IntAttr(1))
            parser.parse_punctuation(",")
            if parser.parse_optional_keyword("opaque") is not None:
                return OpaqueStructType(StringAttr(text), IntAttr(0))
        packed = parser.parse_optional_keyword("packed") is not None
        if text is None:
            return _struct(packed, "", _members(parser, start)[0])
        before = {text: known[text]} if text in known else {}
        known[text] = None  # Its own name may be in its members.
        try:
            members, last = _members(parser, start)
            found = _struct(packed, text, members)
            if before.get(text) not in (None, found):
                parser.raise_error("identified type already used with a different body", last, last)
        except BaseException:
            del known[text]
            known.update(before)  # The text may be read again, in another way.
            raise
        known[text] = found
        return found


def _members(parser: AttrParser, start: int) -> tuple[list[Attribute], int]:
    """The members of a struct, and where the last one begins."""
    places = [parser.pos]

    def member() -> Attribute:
        places.append(parser.pos)
        return _element(parser, "LLVM structure", start)

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, member), places[-1]


def _struct(packed: bool, name: str, members: list[Attribute]) -> llvm.LLVMStructType | PackedStructType:
    return (PackedStructType if packed else llvm.LLVMStructType)(StringAttr(name), ArrayAttr(members))


class StructSyntax(ParametrizedAttribute, TypeAttribute, ABC):
    """What `!llvm.struct` is read as: xDSL's type, or the packed one."""

    name = "llvm.struct"

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """Parse `<"name", packed? (T, ...)>`, to the type itself."""
        return [_parse_struct(parser)]

    @classmethod
    def new(cls, params: Sequence[Attribute]) -> Any:
        """The type that was read."""
        return params[0]


def _unsigned(parser: AttrParser, bits: int) -> int:
    """An integer that MLIR keeps without a sign; a negative one counts from above."""
    place = parser.pos
    value = parser.parse_integer(allow_boolean=False)
    if value >= 1 << bits or value <= -1 << (bits - 1):
        parser.raise_error("integer value too large", place, place)
    return value % (1 << bits)


def _parse_array(_: type[llvm.LLVMArrayType], parser: AttrParser) -> tuple[IntAttr, Attribute]:
    """Parse `<4 x T>`."""
    start = parser.pos
    with parser.in_angle_brackets():
        size = IntAttr(_unsigned(parser, 64))
        parser.parse_shape_delimiter()
        return size, _element(parser, "array", start)


llvm.LLVMArrayType.parse_parameters = classmethod(_parse_array)  # pyright: ignore


def _parse_pointer(_: type[llvm.LLVMPointerType], parser: AttrParser) -> tuple[IntAttr | NoneAttr]:
    """Parse `<space>`, or nothing; space 0 is the one that is not written."""
    if parser.parse_optional_characters("<") is None:
        return (NoneAttr(),)
    space = _unsigned(parser, 32)
    parser.parse_characters(">", " to end llvm.ptr parameters")
    return (IntAttr(space) if space else NoneAttr(),)


llvm.LLVMPointerType.parse_parameters = classmethod(_parse_pointer)  # pyright: ignore
_short_type = llvm._parse_optional_llvm_type  # pyright: ignore[reportPrivateUsage]


def _parse_short_type(parser: AttrParser) -> Attribute | None:
    """A type inside another one, where `!llvm.` may be left out."""
    if parser.parse_optional_keyword("struct") is not None:
        return _parse_struct(parser)
    if parser.parse_optional_keyword("func") is not None:
        return llvm.LLVMFunctionType.new(llvm.LLVMFunctionType.parse_parameters(parser))
    for name in TYPES:
        if parser.parse_optional_keyword(name) is not None:
            return plain(f"llvm.{name}")
    return _short_type(parser)


llvm._parse_optional_llvm_type = _parse_short_type  # pyright: ignore[reportPrivateUsage]
