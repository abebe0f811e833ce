"""Numbers and dense elements as MLIR reads them.

xDSL is more lenient: it takes `1` for a float and reads the bits of a hexadecimal float in a dense list as a number.
"""

from __future__ import annotations

import math
import re
from array import array
from functools import cache, lru_cache
from math import prod
from typing import Any, cast

from xdsl.dialects.builtin import (
    AnyFloat,
    BytesAttr,
    ComplexType,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    RankedStructure,
    Signedness,
    TensorType,
)
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, base
from xdsl.parser import AttrParser
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from weft.dialects.dense import check_shaped, elements_of, size_of

MOST_BITS = (1 << 24) - 1
"""What MLIR's integers have at most."""
MOST_BYTES = 1 << 28
"""What the elements of a dense literal may take."""
LONG_LIST = 1000
"""Characters of a list of integers that is worth reading at once."""
_FLAT = re.compile(r"\s*<\s*\[([-0-9,\s]*+)\]\s*>")
_CODES = {8: "B", 16: "H", 32: "I", 64: "Q"}
_SPLAT = re.compile(r'\s*<\s*[^\s"\[(>]')
_TEXT = re.compile(r'\s*<\s*"([^"]*)"')
_DIGITS = re.compile(r"0x(?:[0-9a-fA-F]{2})*")
_RANKS = "Tensor literal has inconsistent ranks"
_DECIMAL = "unexpected decimal integer literal for a floating point value"
_FLOAT = (AnyFloat,)
_SHAPES = re.compile(r"Shape mismatch in dense literal. Expected (\[.*\]) shape from the type, but got (\[.*\]) shape")


def rounded(value: float, kind: AnyFloat) -> float:
    """A number as a type can hold it; one that is too large is infinite."""
    try:
        return FloatAttr(value, kind).value.data
    except OverflowError:
        return math.copysign(math.inf, value)


def float_of_bits(bits: int, kind: AnyFloat) -> float | None:
    """The number with these bits; None when there are more bits than the type has."""
    if bits.bit_length() > kind.bitwidth:
        return None
    return float(next(iter(kind.iter_unpack(bits.to_bytes(kind.compile_time_size, "little")))))


def _is_hexadecimal(text: str) -> bool:
    return text[:2].lower() == "0x"


class _Element(AttrParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """An element of a dense list, which becomes a value when the type behind the list is known."""

    def to_type(self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType[Any]) -> Any:
        """The value in a type.

        Raises:
            ParseError: the literal is none of this type.
        """
        if isinstance(type, _FLOAT) and not isinstance(self.value, tuple):
            return self._number(parser, cast("AnyFloat", type))
        if isinstance(type, ComplexType) and not isinstance(self.value, tuple):
            parser.raise_error(f"parsed 1 elements, but type ('{type}') expected 2 elements", self.span)
        if isinstance(type, ComplexType) or isinstance(self.value, tuple):
            return super().to_type(parser, type)
        if isinstance(self.value, float):
            parser.raise_error("expected integer elements, but parsed floating-point", self._digits)
        return self._integer(parser, cast("IntegerType | IndexType", type))

    def _number(self, parser: AttrParser, kind: AnyFloat) -> float:
        text = self._digits.text
        if isinstance(self.value, float):
            return rounded(self.value, kind)
        if not _is_hexadecimal(text):
            parser.raise_error(_DECIMAL, self._digits)
        if self.is_negative:
            parser.raise_error("hexadecimal float literal should not have a leading minus", self._digits)
        number = float_of_bits(int(text, 16), kind)
        if number is None:
            parser.raise_error("hexadecimal float constant out of range for type", self.span)
        return number

    @property
    def _digits(self) -> Span:
        """Where the number is, without its sign."""
        return Span(self.span.start + self.is_negative, self.span.end, self.span.input)

    def _integer(self, parser: AttrParser, kind: IntegerType | IndexType) -> int:
        width = kind.bitwidth if isinstance(kind, IntegerType) else 64
        sign = cast("Any", kind).signedness.data if isinstance(kind, IntegerType) else Signedness.SIGNLESS
        if isinstance(self.value, bool) and width != 1:
            parser.raise_error("expected i1 type for 'true' or 'false' values", self.span)
        if self.is_negative and sign is Signedness.UNSIGNED:
            parser.raise_error("expected unsigned integer elements, but parsed negative value", self._digits)
        value = int(cast("int", self.value))
        if not -(1 << (width - 1)) <= value < 1 << (width - (sign is Signedness.SIGNED)):
            parser.raise_error("integer constant out of range for type", self._digits)
        return value


@lru_cache(1 << 12)
def _as_i64(value: int) -> IntegerAttr[Any]:
    return IntegerAttr(value, 64)


class LiteralParser(AttrParser):
    """What of xDSL's parser of attributes reads numbers."""

    _splat: Any = False
    """The type of the dense literal that is read, if all its elements are one; False elsewhere."""
    _entry_places: list[int]
    """Where entries of dictionaries begin that are being read."""

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr[Any] | FloatAttr[Any] | None:
        """Parse a number with its type, if there is one.

        Raises:
            ParseError: the number is none of its type.
        """
        boolean = self.try_parse_builtin_boolean_attr()
        if boolean is not None:
            return boolean
        start = self.pos
        value = self.parse_optional_number()
        if value is None:
            return None
        literal = self._parser_state.lexer.input.content[start : self.pos].lstrip("- \t\n")
        if self.parse_optional_punctuation(":") is None:
            if not isinstance(value, int):
                return _as_f64(value)
            self._check_range(value, 64, Signedness.SIGNLESS, start)
            return _as_i64(value)
        kind = self.parse_type()
        if isinstance(kind, _FLOAT):
            return self._typed_float(value, cast("AnyFloat", kind), literal, start)
        if isinstance(kind, IntegerType | IndexType):
            return self._typed_integer(value, cast("IntegerType | IndexType", kind), start)
        self.raise_error(
            "floating point value not valid for specified type"
            if isinstance(value, float)
            else "integer literal not valid for specified type"
        )

    def _typed_float(self, value: float, kind: AnyFloat, literal: str, start: int) -> FloatAttr[Any]:
        if isinstance(value, float):
            return FloatAttr(rounded(value, kind), kind)
        if not _is_hexadecimal(literal):
            self.raise_error(_DECIMAL, start, start)
        if self._is_negative(start):
            self.raise_error("hexadecimal float literal should not have a leading minus", start + 1, start + 1)
        number = float_of_bits(value, kind)
        if number is None:
            self.raise_error("hexadecimal float constant out of range for type", start, start)
        return FloatAttr(number, kind)

    def _typed_integer(self, value: float, kind: IntegerType | IndexType, start: int) -> IntegerAttr[Any]:
        if isinstance(value, float):
            self.raise_error("floating point value not valid for specified type")
        width, signed = 64, Signedness.SIGNED
        if isinstance(kind, IntegerType):
            width, signed = kind.bitwidth, cast("Any", kind).signedness.data
            if width > MOST_BITS:
                self.raise_error(f"integer bitwidth is limited to {MOST_BITS} bits", start, start)
            if signed is Signedness.UNSIGNED and self._is_negative(start):
                self.raise_error("negative integer literal not valid for unsigned integer type", start + 1, start + 1)
        self._check_range(value, width, signed, start)
        return IntegerAttr(value, kind)

    def _is_negative(self, start: int) -> bool:
        """Whether a number that starts there has a minus; 0 may have one, too."""
        return self._parser_state.lexer.input.content.startswith("-", start)

    def _check_range(self, value: int, width: int, signed: Signedness, start: int) -> None:
        least = 0 if signed is Signedness.UNSIGNED else -(1 << max(width - 1, 0))
        if not least <= value < 1 << (width - (signed is Signedness.SIGNED)):
            place = start + self._is_negative(start)
            self.raise_error("integer constant out of range for attribute", place, place)

    def parse_dense_int_or_fp_elements_attr(self, type: Any) -> DenseIntOrFPElementsAttr:
        """Parse what is behind `dense`.

        Raises:
            ParseError: the elements are none of the type, or of another shape.
        """
        content, here = self._parser_state.lexer.input.content, self.pos
        start = content.rfind("dense", 0, here)
        splat = _SPLAT.match(content, self.pos)
        text = _TEXT.match(content, self.pos)
        if text is not None and not _DIGITS.fullmatch(text[1]):
            place = text.start(1) - 1
            self.raise_error("expected string containing hex digits starting with `0x`", place, place)
        try:
            if text is not None:
                self._resume_from(text.end())
                return self._parse_bytes(type, bytes.fromhex(text[1][2:]), start)
            if splat:
                return self._parse_splat(type)
            return self._parse_flat(type) or super().parse_dense_int_or_fp_elements_attr(type)
        except ParseError as error:
            if error.msg.startswith(_RANKS):  # At the element that differs, which xDSL looks for at the end.
                self._resume_from(here)
                self._careful = True
                super().parse_dense_int_or_fp_elements_attr(type)
            shapes = _SHAPES.match(error.msg)
            if shapes is None:
                raise
            message = f"inferred shape of elements literal ({shapes[2]}) does not match type ({shapes[1]})"
            self.raise_error(message, start, start)

    def _parse_bytes(self, type: Any, data: bytes, start: int) -> DenseIntOrFPElementsAttr:
        """Parse what is behind the bytes of elements: of all of them, or of one that stands for all."""
        self.parse_punctuation(">", " in dense attribute")
        if type is None:
            self.parse_punctuation(":", " in dense attribute")
            type = self._parse_dense_literal_type()
        self._check_room(prod(type.get_shape()) * size_of(type.element_type), start)
        found = elements_of(type, data)
        if found is None:
            self.raise_error(f"elements hex data size is invalid for provided type: '{type}'", start, start)
        return found

    def _check_room(self, size: int, place: int) -> None:
        if size > MOST_BYTES:
            self.raise_error(f"a dense literal of {size:,} bytes is too large", place, place)

    def _parse_optional_builtin_parametrized_attr(self) -> Attribute | None:
        if self._current_token.text == "opaque":
            return None  # It is a type only.
        if self._current_token.text != "sparse":
            return super()._parse_optional_builtin_parametrized_attr()
        from weft.mlir.sparse import parse_sparse

        start = self._consume_token().span.start
        return parse_sparse(self, start)

    def _parse_flat(self, type: Any) -> DenseIntOrFPElementsAttr | None:
        """Parse a long list of plain integers at once; None, with nothing read, where it is something else."""
        content = self._parser_state.lexer.input.content
        here = self.pos
        match = _FLAT.match(content, here)
        if match is None or match.end() - here < LONG_LIST:
            return None
        try:
            numbers = [int(word) for word in match[1].split(",")]
        except ValueError:
            return None
        if type is None:
            self._resume_from(match.end())
            self.parse_punctuation(":", " in dense attribute")
            type = self._parse_dense_literal_type()
        kind = type.element_type
        signless = getattr(getattr(kind, "signedness", None), "data", Signedness.SIGNLESS) is Signedness.SIGNLESS
        width = 64 if isinstance(kind, IndexType) else kind.bitwidth if isinstance(kind, IntegerType) else 1
        plain = signless and width in _CODES
        least, most = min(numbers), max(numbers)
        if not plain or type.get_shape() != (len(numbers),) or least < -(1 << width - 1) or most >= 1 << width:
            self._resume_from(here)  # Whatever is wrong with it, the long way says so.
            return None
        if self.pos < match.end():
            self._resume_from(match.end())
        mask = (1 << width) - 1
        data = array(_CODES[width], [number & mask for number in numbers])
        return DenseIntOrFPElementsAttr(type, BytesAttr(data.tobytes()))

    def _parse_splat(self, type: Any) -> DenseIntOrFPElementsAttr:
        """Parse one element that stands for all: read as the only one of its type, its bytes then repeated."""
        place = self.pos
        outer, self._splat = self._splat, type
        try:
            one = super().parse_dense_int_or_fp_elements_attr(None if type is None else _of_one(type))
            full = self._splat
        finally:
            self._splat = outer
        count = prod(full.get_shape())
        data = one.data.data
        self._check_room(count * len(data), place)
        return DenseIntOrFPElementsAttr(full, BytesAttr(data * count))

    def _parse_dense_literal_type(self) -> Any:
        place = self._parser_state.lexer.input.content.rfind("dense", 0, self.pos)
        found: Any = self.parse_type()
        check_shaped(self, found, place)
        if not _literal_type().verifies(found):
            self.raise_error("Expected memref, vector or tensor type of integer, index, float, or complex type")
        if self._splat is not False:
            self._splat = found
            return _of_one(found)
        return found

    _careful = False
    """Whether the shapes of elements are compared one after the other."""

    def _parse_tensor_literal(self) -> Any:
        if not self._careful:
            return super()._parse_tensor_literal()
        shapes: list[Any] = []

        def part() -> Any:
            found = self._parse_tensor_literal()
            shapes.append(found[1])
            if shapes[-1] != shapes[0]:
                message = "tensor literal is invalid; ranks are not consistent between elements"
                self.raise_error(message, self.pos, self.pos)
            return found

        listed = self.parse_optional_comma_separated_list(self.Delimiter.SQUARE, part)
        return super()._parse_tensor_literal() if listed is None else (listed, [len(listed), *shapes[:1]])

    def _parse_attribute_entry(self) -> tuple[str, Attribute]:
        place = self.pos
        entry = super()._parse_attribute_entry()
        self._entry_places.append(place)
        return entry

    def _find_duplicated_key(self, attrs: list[tuple[str, Attribute]]) -> str | None:
        """Refuse a key that is there already, at its place: entries have just been read, the last ones."""
        first = len(self._entry_places) - len(attrs)
        seen: set[str] = set()
        for (key, _), place in zip(attrs, self._entry_places[first:], strict=True):
            if key in seen:
                self.raise_error(f"duplicate key '{key}' in dictionary attribute", place, place)
            seen.add(key)
        del self._entry_places[first:]
        return None

    def _parse_tensor_literal_element(self) -> _Element:
        element = super()._parse_tensor_literal_element()
        return _Element(element.span.text.startswith("-"), element.value, element.span)


@cache
def _literal_type() -> AttrConstraint[Any]:
    """What dense literals are of; made once: it takes xDSL a millisecond."""
    return base(RankedStructure[IntegerType | IndexType | AnyFloat | ComplexType])


def _of_one(type: Any) -> Any:
    """The type of a tensor of one element."""
    return TensorType(type.element_type, [1])


def _as_f64(value: float) -> FloatAttr[Any]:
    from xdsl.dialects.builtin import f64

    return FloatAttr(value, f64)
