"""The same bits seen as another type."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import IntegerType, VectorType, i64

from weft.codegen.graph import Const
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import from_bits, to_bits
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar, UnsupportedTypeError, is_vector, layout, scalar
from weft.codegen.vectors import elements, pack
from weft.isa import opcode

_WIDEST = IntegerType(128)


def recast(s: Selector, value: Any, source: Any, target: Any) -> Any:
    """`value` of type `source` as a value of type `target` with the same bits."""
    if source == target:
        return value
    source, target = (VectorType(i64, [2]) if type_ == _WIDEST else type_ for type_ in (source, target))
    have, want = layout(source), layout(target)
    parts = s.flatten(value)
    if len(have.scalars) == len(want.scalars) and all(
        _width(a) == _width(b) for a, b in zip(have.scalars, want.scalars, strict=True)
    ):
        out = tuple(_rewrapped(s, p, a, b) for p, a, b in zip(parts, have.scalars, want.scalars, strict=True))
        return out if want.composite else out[0]
    return _regrouped(s, value, source, target)


def _width(kind: Scalar) -> int:
    return 32 if kind.kind == "packed" else kind.width


def _rewrapped(s: Selector, part: Any, have: Scalar, want: Scalar) -> Any:
    if have == want:
        return part
    if want.kind == "packed":
        if isinstance(part, Lin):
            return Const("b32", part.const & 0xFFFFFFFF) if part.is_const else s.int_value(part)
        return part
    return from_bits(s, to_bits(s, part, have), want)


def _regrouped(s: Selector, value: Any, source: Any, target: Any) -> Any:
    """A cast that changes the number of registers: through the elements' bits."""
    small = _bits_of(s, value, source)
    kind = scalar(target.element_type if is_vector(target) else target)
    have = kind_width(source)
    want = kind.width
    if want > have:
        per = want // have
        words = [_concatenated(s, small[i : i + per], have, want) for i in range(0, len(small), per)]
    else:
        words = [
            s.truncated(s.shift_right(word, i * want, signed=False)) if want <= 32 else word
            for word in small
            for i in range(have // want)
        ]
    out = [from_bits(s, word, kind) for word in words]
    return pack(s, out, target) if is_vector(target) else out[0]


def kind_width(type_: Any) -> int:
    """The width of an element of the type."""
    return scalar(type_.element_type if is_vector(type_) else type_).width


def _bits_of(s: Selector, value: Any, type_: Any) -> list[Lin]:
    if is_vector(type_):
        kind = scalar(type_.element_type)
        return [to_bits(s, part, kind) for part in elements(s, value, type_)]
    if layout(type_).composite:
        raise UnsupportedTypeError(f"a bitcast of {type_}")
    return [to_bits(s, value, scalar(type_))]


def _concatenated(s: Selector, parts: list[Lin], width: int, total: int) -> Lin:
    """Integers of `width` bits, the lowest first, as one of `total` bits."""
    if total == 64:
        half = len(parts) // 2
        low, high = (
            (parts[i] if half == 1 else _concatenated(s, parts[i * half : (i + 1) * half], width, 32)) for i in (0, 1)
        )
        from weft.codegen import linear
        from weft.codegen.graph import B64

        if low.is_const and high.is_const:
            return linear.const((low.const & 0xFFFFFFFF) | high.const << 32)
        return linear.of(s.pure(opcode("mov", type="b64"), B64, (s.int_value(low), s.int_value(high))))
    from weft.codegen.types import Scalar as Kind
    from weft.codegen.vectors import join

    joined = join(s, parts, Kind("packed", "b32", width, f"i{width}"))
    return to_bits(s, joined, Kind("float", "b32", 32, "f32"))
