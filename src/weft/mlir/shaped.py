"""Types of memory and other builtin syntax as MLIR reads it: brought to one form, refused where it means nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects.builtin import (
    AffineMapAttr,
    AnyFloat,
    ComplexType,
    DenseArrayBase,
    DictionaryAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    Signedness,
    StridedLayoutAttr,
    StringAttr,
    UnrankedMemRefType,
    UnregisteredAttr,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap
from xdsl.parser import AttrParser
from xdsl.utils.mlir_lexer import MLIRTokenKind

from weft.dialects.foreign.types import DIALECTS
from weft.mlir.literals import float_of_bits


class ShapedParser(AttrParser):
    """A part of the parser: memrefs, arrays of floats, names of resources."""

    def _parse_memref_attrs(self) -> Any:
        start = self.pos
        parsed = super()._parse_memref_attrs()
        self._check_element(parsed, start, "memref", _in_memory)
        space = _space(parsed.memory_space)
        if not (self._knows(space) if isinstance(space, UnregisteredAttr) else _can_be_space(space)):
            self.raise_error("unsupported memory space Attribute", start - len("memref<"), start)
        if isinstance(parsed, UnrankedMemRefType):
            unranked = cast("Any", parsed)
            return (
                parsed if space is parsed.memory_space else UnrankedMemRefType.from_type(unranked.element_type, space)
            )
        memref: MemRefType[Attribute] = parsed
        rank, layout = memref.get_num_dims(), memref.layout
        if isinstance(layout, AffineMapAttr):
            if layout.data.num_dims != rank:
                message = f"memref layout mismatch between rank and affine map: {rank} != {layout.data.num_dims}"
                self.raise_error(message, start - len("memref<"), start)
            if layout.data == AffineMap.identity(rank):
                layout = NoneAttr()
        elif isinstance(layout, StridedLayoutAttr) and len(layout.strides.data) != rank:
            self.raise_error("expected the number of strides to match the rank", start - len("memref<"), start)
        if layout is memref.layout and space is memref.memory_space:
            return memref
        return MemRefType(memref.element_type, memref.get_shape(), layout, space)

    def _knows(self, attribute: UnregisteredAttr) -> bool:
        """Whether the dialect of an attribute that is kept as text is one of MLIR's."""
        dialect = attribute.attr_name.data.partition(".")[0]
        return dialect in DIALECTS or self.ctx.get_optional_dialect(dialect) is not None

    def parse_dimension_list(self) -> list[int]:
        """Parse extents with `x` between them, and leave an `x` after the last; space may stand anywhere.

        Raises:
            ParseError: an extent is malformed.
        """
        extents: list[int] = []
        while self._current_token.kind in _EXTENT_TOKENS:
            extents.append(self.parse_shape_dimension())
            place = self.pos
            if self._parse_optional_shape_delimiter() is None:
                break
            if self._current_token.kind not in _EXTENT_TOKENS:
                self._resume_from(place)
                break
        return extents

    def _parse_complex_attrs(self) -> Any:
        place = self.pos
        kind = self.parse_type()
        if not isinstance(kind, IntegerType | AnyFloat):
            self.raise_error("invalid element type for complex", place, place)
        return ComplexType(cast("Any", kind))

    def _parse_tensor_attrs(self) -> Any:
        start = self.pos
        parsed = super()._parse_tensor_attrs()
        self._check_element(parsed, start, "tensor", _in_tensor)
        return parsed

    def _parse_vector_attrs(self) -> Any:
        start = self.pos
        parsed = super()._parse_vector_attrs()
        for extent in cast("Any", parsed).get_shape():
            if extent <= 0:
                place = start - len("vector<")
                message = (
                    f"vector types must have positive constant sizes but got {', '.join(map(str, parsed.get_shape()))}"
                )
                self.raise_error(message, place, place)
        if not _in_vector(cast("Any", parsed).element_type):
            place = start - len("vector<")
            self.raise_error("failed to verify 'elementType': VectorElementTypeInterface instance", place, place)
        return parsed

    def _check_element(self, parsed: Any, start: int, name: str, holds: Callable[[Attribute], bool]) -> None:
        """Refuse a type with elements that it cannot have, at the place of their type."""
        if not holds(parsed.element_type):
            found = _EXTENTS.match(self.lexer.input.content, start)
            place = start if found is None else found.end()
            self.raise_error(f"invalid {name} element type", place, place)

    def _parse_builtin_densearray_attr(self) -> Any:
        self.parse_punctuation("<")
        inner = self.pos
        kind = self.parse_type()
        if not isinstance(kind, IntegerType | AnyFloat):
            self.raise_error(f"expected integer or float type, got: '{kind}'", inner, inner)
        if isinstance(kind, IntegerType) and kind.bitwidth != 1 and kind.bitwidth % 8:
            self.raise_error("element type bitwidth must be a multiple of 8", inner, inner)
        values: list[Any] = []
        if self.parse_optional_punctuation(">") is None:
            self.parse_punctuation(":", " after dense array type")
            read = self._parse_integer_of if isinstance(kind, IntegerType) else self._parse_float_of
            values = self.parse_comma_separated_list(self.Delimiter.NONE, lambda: read(cast("Any", kind)))
            self.parse_punctuation(">", " to close an array attribute")
        return DenseArrayBase.from_list(cast("Any", kind), values)

    def _parse_integer_of(self, kind: Any) -> int:
        width, place = int(kind.bitwidth), self.pos
        truth = self.parse_optional_boolean()
        if truth is not None:
            if width != 1:
                self.raise_error("expected i1 type for 'true' or 'false' values", place, place)
            return int(truth)
        value = self.parse_optional_integer(allow_boolean=False)
        if value is None:
            self.raise_error("expected integer literal", self.pos, self.pos)
        if width == 1:
            self.raise_error("expected 'true' or 'false' values for i1 type", self.pos, self.pos)
        if not -(1 << width - 1) <= value < 1 << (width - (kind.signedness.data is Signedness.SIGNED)):
            self.raise_error("integer constant out of range", self.pos, self.pos)
        return value & (1 << width) - 1 if kind.signedness.data is Signedness.UNSIGNED else value

    def _parse_dialect_resource_handle(self, dialect_name: str, interface: OpAsmDialectInterface) -> str:
        """The name of a resource, as it is written: what the text says of it replaces what another text said."""
        key = self.parse_identifier(" for resource handle")
        if interface.lookup(key) is None:
            interface.declare_resource(key)
        self.dialect_resources.add((dialect_name, key))
        return key

    def _parse_float_of(self, kind: AnyFloat) -> float:
        negative = self.parse_optional_punctuation("-") is not None
        place, token = self.pos, self._current_token
        if token.kind is MLIRTokenKind.INTEGER_LIT:
            if token.text[:2].lower() != "0x":
                self.raise_error("unexpected decimal integer literal for a floating point value", place, place)
            if negative:
                self.raise_error("hexadecimal float literal should not have a leading minus", place, place)
            number = float_of_bits(self.parse_integer(), kind)
            if number is None:
                self.raise_error("hexadecimal float constant out of range for type", place, place)
            return number
        if token.kind is not MLIRTokenKind.FLOAT_LIT:
            self.raise_error("expected floating point literal", place, place)
        return -self.parse_float() if negative else self.parse_float()


_EXTENT_TOKENS = (MLIRTokenKind.INTEGER_LIT, MLIRTokenKind.QUESTION)
_EXTENTS = re.compile(r"(?:\s*(?:\*|\?|\d+)\s*x)*\s*")


def _is_number(kind: Attribute) -> bool:
    return isinstance(kind, IntegerType | IndexType | AnyFloat) or kind.name == "llvm.ppc_fp128"


def _full_name(kind: Attribute) -> str:
    return kind.attr_name.data if isinstance(kind, UnregisteredAttr) else kind.name


def _in_vector(kind: Attribute) -> bool:
    return _is_number(kind) or _full_name(kind) in ("llvm.ptr", "ptr.ptr")


_MEMREFS = ("complex", "vector", "memref", "unranked_memref", "ptr.ptr", "test.memref_element")


def _in_memory(kind: Attribute) -> bool:
    return _is_number(kind) or _full_name(kind) in _MEMREFS


def _in_tensor(kind: Attribute) -> bool:
    name = _full_name(kind)
    return _is_number(kind) or name in ("complex", "vector") or ("." in name and not name.startswith("builtin."))


def _can_be_space(space: Attribute) -> bool:
    """Whether it is none, a number, a text, a dictionary or an attribute of a dialect, whose name has a dot."""
    return isinstance(space, NoneAttr | IntegerAttr | StringAttr | DictionaryAttr) or "." in space.name


def _space(space: Attribute) -> Attribute:
    """A memory space; the one that is meant when none is written, as none."""
    if isinstance(space, IntegerAttr) and cast("Any", space).value.data == 0:
        return NoneAttr()
    return cast("Attribute", space)
