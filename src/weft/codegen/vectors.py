"""Vectors in the selector: their elements, packed registers, and operations on every element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from xdsl.ir import Operation

from weft.codegen import bytewise, linear
from weft.codegen.graph import B16, B32, Const, Value
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar, element_types, has_wide_elements, is_vector, lanes_of, scalar
from weft.dialects import narrow
from weft.isa import opcode


def is_float(packed: Scalar) -> bool:
    """Whether the elements of packed registers are 16-bit floats."""
    return packed.name in ("f16", "bf16")


def elements(s: Selector, value: tuple[Any, ...], type_: Any) -> tuple[Any, ...]:
    """The elements of a vector as scalars, or as pairs of them."""
    packed = lanes_of(type_)
    if packed is None:
        return tuple(zip(value[::2], value[1::2], strict=True)) if has_wide_elements(type_) else value
    return tuple(part for lane in value for part in split(s, lane, packed))


def split(s: Selector, lane: Any, packed: Scalar) -> tuple[Any, ...]:
    """The elements of one packed register."""
    count = 32 // packed.width
    if isinstance(lane, Const):
        mask = (1 << packed.width) - 1
        parts = [lane.pattern >> (i * packed.width) & mask for i in range(count)]
        return tuple(Const(B16, p) if is_float(packed) else linear.const32(p) for p in parts)
    if packed.width < 8:
        whole = linear.of(lane)
        return tuple(s.shift_right(whole, i * packed.width, signed=False) for i in range(count))
    # A lane that was put together of registers gives these back; `mov` takes apart only what comes from elsewhere.
    size = packed.width // 8
    found = bytewise.of_value(lane)
    pieces = [found[i * size : (i + 1) * size] for i in range(count)]
    if not is_float(packed):
        return tuple(bytewise.word(s, piece) for piece in pieces)
    halves = [bytewise.half(s, piece) for piece in pieces]
    own = s.pure_many(opcode("mov", type="b32"), (B16, B16), lane) if None in halves else halves
    return tuple(part if part is not None else own[i] for i, part in enumerate(halves))


def pack(s: Selector, parts: Sequence[Any], type_: Any) -> tuple[Any, ...]:
    """The vector with these elements."""
    packed = lanes_of(type_)
    if packed is None:
        return tuple(chain.from_iterable(parts)) if has_wide_elements(type_) else tuple(parts)
    count = 32 // packed.width
    return tuple(join(s, parts[i : i + count], packed) for i in range(0, len(parts), count))


def join(s: Selector, parts: Sequence[Any], packed: Scalar) -> Value | Const:
    """One packed register from its elements, or the low part of one."""
    width = packed.width
    if width >= 8:
        found = tuple(byte for part in parts for byte in _bytes(s, part, width // 8))
        return _lane(s, bytewise.word(s, found))
    whole = linear.const32(0)
    for i, part in enumerate(parts):
        bits = s.exactly(part, width, signed=False) if i + 1 < len(parts) else part
        whole = s.bitwise("or", whole, s.shift_left(bits, linear.const32(i * width)))
    return _lane(s, whole)


def _bytes(s: Selector, part: Any, count: int) -> bytewise.Bytes:
    found = bytewise.of_part(part, count)
    return found if found is not None else bytewise.of_value(s.int_value(part))[:count]


def _lane(s: Selector, word: Lin) -> Value | Const:
    return Const(B32, word.const & 0xFFFFFFFF) if word.is_const else s.int_value(word)


def elementwise(s: Selector, op: Operation, apply: Callable[..., Any]) -> None:
    """Bind the result of `op` to `apply(scalars of the operands..., kind)` for every element.

    `kind` is the scalar that an element of the first operand is.
    """
    (result,) = op.results
    out = _applied(s, op, apply)
    s.values[result] = pack(s, out, result.type) if is_vector(result.type) else out[0]


def _applied(s: Selector, op: Operation, apply: Callable[..., Any]) -> list[Any]:
    """What `apply` gives for each element of the operands; scalars among vectors go with every element."""
    operands = tuple(op.operands)
    types = [v.type for v in operands]
    vectors = list(map(is_vector, types))
    if True not in vectors:
        return [apply(*[s.values[v] for v in operands], scalar(types[0]))]
    kind = scalar(narrow.element(types[0]))
    parts = [elements(s, s.get(v), v.type) if whole else None for v, whole in zip(operands, vectors, strict=True)]
    count = max((len(p) for p in parts if p is not None), default=1)
    rows = [p if p is not None else (s.get(v),) * count for p, v in zip(parts, operands, strict=True)]
    return [apply(*row, kind) for row in zip(*rows, strict=True)]


def lanewise(s: Selector, op: Operation, apply: Callable[[Lin, Lin], Lin]) -> bool:
    """Bind the result of `op` to what `apply` makes of packed registers; False where there are none, or where all were
    put together of elements, which are at hand.
    """
    type_ = op.operands[0].type
    if not is_vector(type_) or lanes_of(type_) is None:
        return False
    rows = list(zip(*(s.get(value) for value in op.operands), strict=True))
    if not any(isinstance(lane, Value) and bytewise.is_whole(lane) for row in rows for lane in row):
        return False
    s.values[op.results[0]] = tuple(_lane(s, apply(*map(_word, row))) for row in rows)
    return True


def _word(lane: Value | Const) -> Lin:
    return linear.const32(lane.pattern) if isinstance(lane, Const) else linear.of(lane)


_BIT = Scalar("int", B32, 1, "i1")


def several(s: Selector, op: Operation, apply: Callable[..., Any]) -> None:
    """`elementwise` for operations of several results, or of a struct: `apply` gives a tuple."""
    results = op.results
    struct = results[0].type.name == "llvm.struct"
    types: list[Any] = list(element_types(results[0].type)) if struct else [result.type for result in results]
    columns = zip(*_applied(s, op, apply), strict=True)
    found = [_narrowed(s, type_, column) for type_, column in zip(types, columns, strict=True)]
    if struct:
        s.values[results[0]] = tuple(part for value in found for part in s.flatten(value))
        return
    for result, value in zip(results, found, strict=True):
        s.values[result] = value


def integers(s: Selector, op: Operation, apply: Callable[..., Any]) -> None:
    """`elementwise` for integers: predicates are handed over as integers of one bit.

    With several results, or a struct of them, `apply` gives a tuple.
    """

    def whole(*arguments: Any) -> Any:
        *operands, kind = arguments
        if kind.kind != "test":
            return apply(*operands, kind)
        return apply(*(s.from_test(x, 32) for x in operands), _BIT)

    result = op.results[0]
    if len(op.results) > 1 or result.type.name == "llvm.struct":
        several(s, op, whole)
    else:
        s.values[result] = _narrowed(s, result.type, _applied(s, op, whole))


def integers1(s: Selector, op: Operation, apply: Callable[[Any, Scalar], Any]) -> None:
    """`integers` for one operand."""
    integers(s, op, apply)


def integers2(s: Selector, op: Operation, apply: Callable[[Any, Any, Scalar], Any]) -> None:
    """`integers` for two operands."""
    integers(s, op, apply)


def _narrowed(s: Selector, type_: Any, parts: Sequence[Any]) -> Any:
    """The value of a type with these elements, of which those that are to be predicates may be integers."""
    if scalar(type_.element_type if is_vector(type_) else type_).kind == "test":
        parts = [s.to_test(part) if isinstance(part, Lin) else part for part in parts]
    return pack(s, parts, type_) if is_vector(type_) else parts[0]


def each1(s: Selector, op: Operation, apply: Callable[[Any, Scalar], Any]) -> None:
    """`elementwise` for one operand."""
    elementwise(s, op, apply)


def each2(s: Selector, op: Operation, apply: Callable[[Any, Any, Scalar], Any]) -> None:
    """`elementwise` for two operands."""
    elementwise(s, op, apply)


def is_packed_float(type_: Any) -> Scalar | None:
    """The packed scalar if the type is a vector of 16-bit floats in packed registers."""
    if not is_vector(type_):
        return None
    packed = lanes_of(type_)
    return packed if packed is not None and is_float(packed) else None


def splat(s: Selector, part: Any, type_: Any) -> tuple[Any, ...]:
    """The vector with every element the same."""
    packed = lanes_of(type_)
    count = 1
    for extent in type_.get_shape():
        count *= extent
    if packed is None:
        return pack(s, (part,) * count, type_)
    per_lane = 32 // packed.width
    return (join(s, [part] * per_lane, packed),) * (count // per_lane)
