"""Loads and stores of any type at an address, as wide as the alignment allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd
from types import MappingProxyType
from typing import Any

from xdsl.ir import Attribute, SSAValue

from weft.codegen import bytewise, linear
from weft.codegen.graph import B16, B32, B64, BITS, PRED, Addr, Const, Inst, Value
from weft.codegen.knownbits import lowest, possible
from weft.codegen.linear import Lin
from weft.codegen.records import Place, places, spanned
from weft.codegen.selector import Selector
from weft.codegen.types import GENERIC, Scalar
from weft.codegen.window import Held
from weft.isa import opcode

MAX_VECTOR_BYTES = 16
_BYTE, _HALF = Scalar("int", B32, 8, "i8"), Scalar("int", B32, 16, "i16")
_ADDRESS = Scalar("int", B64, 64, "i64")


def space_of(s: Selector, address: Lin, space: str) -> str:
    """The state space of an address: its type's, or for a generic one that of the pointer it is computed from."""
    if space != GENERIC:
        return space
    return next((value.space for value, c in address.terms if c == 1 and value.space), GENERIC)


Order = Mapping[str, str]
"""The slots that say how an access is ordered: `{"sem": "volatile"}`, `{"sem": "acquire", "scope": "gpu"}`."""
RELAXED: Order = MappingProxyType({})
_OWN = frozenset({"local", "const", "param"})
"""State spaces that no other thread changes, so that accesses have no order."""
_BITCASTS = frozenset({"arith.bitcast", "llvm.bitcast", "vector.bitcast"})
_MOVES = frozenset({
    "llvm.extractelement", "llvm.insertelement", "llvm.shufflevector", "vector.extract", "vector.from_elements",
    "vector.insert", "vector.insert_strided_slice", "vector.shuffle",
})  # fmt: skip
"""What puts elements of vectors elsewhere, as they are."""
_MOST_MOVES = 4
"""Moves that are followed, one after another."""


def alignment_of(s: Selector, address: Lin, assumed: int) -> int:
    """The alignment in bytes of an address: what is assumed, or what follows from its terms if that is more."""
    known = address.const
    for value, coefficient in address.terms:
        known = gcd(known, coefficient * max(s.alignment.get(value, 1), lowest(possible(value))))
    if known == 0:
        return max(assumed, MAX_VECTOR_BYTES)
    return max(assumed, min(known & -known, MAX_VECTOR_BYTES))


def with_space(s: Selector, address: Lin, space: str) -> tuple[Lin, str]:
    """The address and the state space to access it in; a generic pointer of known space is used in that space."""
    return address, space_of(s, address, space)


def memory_type(kind: Scalar) -> str:
    """The type of the access that moves a scalar: integers narrower than their registers by width, the rest as bits."""
    if kind.kind == "test":
        return "u8"
    if kind.kind == "packed":
        return "b32"
    bits = 8 * kind.bytes
    if kind.kind == "int" and bits < BITS[kind.cls]:
        return f"u{bits}"
    return "b64" if kind.kind == "pointer" else f"b{BITS[kind.cls]}"


def _group(places: Sequence[Place], at: int, address: Lin, alignment: int) -> int:
    """How many scalars from `at` on one access moves: neighbours of one kind that the alignment lets go together."""
    start, kind = places[at]
    size = kind.bytes
    if size > 8 or kind.kind == "pointer" or kind.moved < size:
        return 1
    for count in (4, 2) if size <= 4 else (2,):
        wanted = [(start + i * size, kind) for i in range(count)]
        if (
            list(places[at : at + count]) == wanted
            and count * size <= alignment
            and address.const % (count * size) == 0
        ):
            return count
    return 1


def _width_at(offset: int, kind: Scalar, alignment: int) -> int:
    """The most bytes of a scalar that one access at the offset can move."""
    return min(kind.bytes, alignment, offset & -offset) if offset else min(kind.bytes, alignment)


def _bytes(where: Sequence[Place]) -> list[Place]:
    """The places with each byte, once, of those that share bytes."""
    whole: list[Place] = []
    for offset, kind in where:
        if kind.bit is None:
            whole.append((offset, kind))
            continue
        shared = bool(whole) and whole[-1] == (offset, _BYTE)
        whole += [(offset + at, _BYTE) for at in range(shared, spanned(kind))]
    return whole


def _taken_apart(s: Selector, found: list[Any], where: Sequence[Place]) -> list[Any]:
    """The scalars at places, of what was loaded for `_bytes` of them."""
    loaded = {offset: value for (offset, _), value in zip(_bytes(where), found, strict=True)}
    scalars: list[Any] = []
    for offset, kind in where:
        if kind.bit is None:
            scalars.append(loaded[offset])
            continue
        bits = linear.const(0, 64 if kind.cls == B64 else 32)
        for at in range(spanned(kind)):
            bits = s.bitwise("or", bits, _shifted(s, loaded[offset + at], 8 * at - kind.bit, bits.bits))
        scalars.append(s.to_test(bits) if kind.kind == "test" else bits)
    return scalars


def _put_together(s: Selector, scalars: Sequence[Any], where: Sequence[Place]) -> list[Any]:
    """What to store at `_bytes` of the places, of the scalars at them."""
    whole: dict[int, Any] = {}
    for scalar, (offset, kind) in zip(scalars, where, strict=True):
        if kind.bit is None:
            whole[offset] = scalar
            continue
        bits = s.from_test(scalar, 32) if kind.kind == "test" else s.exactly(scalar, kind.width, signed=False)
        for at in range(spanned(kind)):
            byte = _shifted(s, bits, kind.bit - 8 * at, 32)
            whole[offset + at] = s.bitwise("or", whole[offset + at], byte) if offset + at in whole else byte
    return list(whole.values())


def _shifted(s: Selector, value: Lin, by: int, bits: int) -> Lin:
    """An integer moved left, or right where `by` is negative, as one of `bits` bits."""
    if value.bits < bits:
        value = s.extended(value, signed=False)
    value = s.shift_left(value, linear.const32(by)) if by > 0 else s.shift_right(value, -by, signed=False)
    return s.truncated(value) if value.bits > bits else value


def load(
    s: Selector,
    address: Lin,
    type_: Attribute,
    space: str,
    alignment: int,
    *,
    order: Order = RELAXED,
    effect: bool = False,
    signed: bool = False,
    rejoined: bool = False,
) -> Any:
    """The value of a type in memory; a `signed` narrow integer is extended by its sign.

    Two bytes that are `rejoined` by all their users (`is_rejoined`) are loaded as one integer.
    """
    where = places(type_)
    if rejoined and _is_pair_of_bytes(where):
        (whole,) = load_places(s, address, [(0, _HALF)], space, alignment, order=order, effect=effect)
        return s.unflatten(type_, (s.exactly(whole, 8, signed=False), s.shift_right(whole, 8, signed=False)))
    scalars = load_places(s, address, where, space, alignment, order=order, effect=effect, signed=signed)
    return s.unflatten(type_, tuple(scalars))


def _is_pair_of_bytes(where: Sequence[Place]) -> bool:
    return len(where) == 2 and all(
        kind.kind == "int" and kind.width == 8 and offset == at for at, (offset, kind) in enumerate(where)
    )


def is_rejoined(result: SSAValue, moves: int = _MOST_MOVES) -> bool:
    """Whether all that is done with a vector, wherever its elements are moved, is to read them as another type."""
    return bool(result.uses) and all(
        use.operation.name in _BITCASTS
        or (moves and use.operation.name in _MOVES and is_rejoined(use.operation.results[0], moves - 1))
        for use in result.uses
    )


def load_places(
    s: Selector,
    address: Lin,
    where: Sequence[Place],
    space: str,
    alignment: int,
    *,
    order: Order = RELAXED,
    effect: bool = False,
    signed: bool = False,
) -> list[Any]:
    """The scalars at places from an address on."""
    scalar_places, where = where, _bytes(where)
    address, space = with_space(s, address, space)
    order = RELAXED if space in _OWN else order
    alignment = alignment_of(s, address, alignment)
    scalars: list[Any] = []
    at = 0
    base = s.address(address) if where else Addr(0)
    while at < len(where):
        offset, kind = where[at]
        width = _width_at(offset, kind, alignment)
        if width < kind.moved or kind.moved < kind.bytes:
            from weft.codegen.unaligned import load_pieces

            place = Addr(base.base, base.offset + offset)
            scalars.append(load_pieces(s, {**order, "ss": space}, place, kind, width, effect=effect))
            at += 1
            continue
        count = _group(where, at, Lin(address.bits, (), offset), alignment)
        cls = B32 if kind.kind == "test" else B64 if kind.kind == "pointer" else kind.cls
        narrow = kind.kind in ("int", "test") and 8 * kind.bytes < BITS[cls]
        by_sign = signed and narrow and kind.kind == "int" and kind.width == 8 * kind.bytes
        type_ = f"s{kind.width}" if by_sign else memory_type(kind)
        known = None if effect or order else _held(s, base, offset, space, kind, type_, cls, count)
        if known is not None:
            scalars += known
            at += count
            continue
        end = 1 << 8 * kind.bytes
        bounds = (-end // 2, end // 2 - 1) if by_sign else (0, end - 1) if narrow else (0, -1)
        outs = tuple(s.value(cls, *bounds) for _ in range(count))
        code = opcode("ld", **order, ss=space, vec=f"v{count}" if count > 1 else "", type=type_)
        place = Addr(base.base, base.offset + offset)
        if effect:
            s.emit(code, outs if count > 1 else outs[0], place, outs=outs)
        else:
            s.read(code, outs if count > 1 else outs[0], place, outs=outs)
            _note(s, outs[0].inst, count * kind.bytes, alignment, offset)
        scalars += [_loaded(s, value, kind) for value in outs]
        at += count
    return _taken_apart(s, scalars, scalar_places)


def _note(s: Selector, inst: Inst | None, size: int, alignment: int, offset: int) -> None:
    """Note an access that may be joined with its neighbours."""
    alignment = gcd(alignment, offset)
    if inst is not None and 4 <= size < alignment:
        s.aligned[inst] = alignment


def _held(
    s: Selector, base: Addr, offset: int, space: str, kind: Scalar, type_: str, cls: str, count: int
) -> list[Any] | None:
    """The scalars at a place, where memory is known to hold them all, in registers of the class they are loaded to.

    The upper part of an integer of 65 to 96 bits has a register of 64, another integer of as many bytes one of 32.
    """
    found: list[Any] = []
    for number in range(count):
        held = s.window.held(s.block, base, space, offset + number * kind.bytes)
        operand = None if held is None else _of_type(s, held, type_)
        if operand is None or (operand.bits if isinstance(operand, Lin) else BITS[operand.cls]) != BITS[cls]:
            return None
        found.append(_loaded(s, operand, kind))
    return found


def _of_type(s: Selector, held: Held, type_: str) -> Value | Const | Lin | None:
    """What a load of a type gives where something is held; None where that takes more than to name it."""
    operand, size = held.operand, int(type_[1:])
    if held.size * 8 != size:
        return None
    if type_[0] == "b":
        if held.type != type_:
            return None
        if isinstance(operand, int):
            return Const(f"b{size}", operand & (1 << size) - 1)
        return operand if operand.cls == f"b{size}" else None
    if held.type == type_ and not held.stored:
        return operand
    if size > 16 or isinstance(operand, Const) or (isinstance(operand, Value) and operand.cls != B32):
        return None
    whole = linear.const32(operand) if isinstance(operand, int) else linear.of(operand)
    return s.exactly(whole, size, signed=type_[0] == "s")


def _loaded(s: Selector, value: Value | Const | Lin, kind: Scalar) -> Any:
    if isinstance(value, Lin):
        whole = value
    elif kind.kind in ("test", "pointer"):
        whole = s.wrapped(value, _ADDRESS if kind.kind == "pointer" else _BYTE)
    else:
        return s.wrapped(value, kind)
    if kind.kind == "test":
        return s.compare("ne", whole, linear.const32(0))
    return s.truncated(whole) if kind.kind == "pointer" and kind.cls == B32 else whole


def store(
    s: Selector, address: Lin, value: Any, type_: Attribute, space: str, alignment: int, *, order: Order = RELAXED
) -> None:
    """Put a value of a type into memory."""
    store_places(s, address, s.flatten(value), places(type_), space, alignment, order=order)


def store_places(
    s: Selector,
    address: Lin,
    scalars: Sequence[Any],
    where: Sequence[Place],
    space: str,
    alignment: int,
    *,
    order: Order = RELAXED,
) -> None:
    """Put scalars into memory at places from an address on, with zeros above those that end within a byte.

    Other compilers rely on these zeros: LLVM's loads do not clear them.
    """
    scalars, where = _put_together(s, scalars, where), _bytes(where)
    scalars = [
        s.exactly(scalar, kind.width, signed=False) if kind.kind == "int" and kind.width % 8 else scalar
        for scalar, (_, kind) in zip(scalars, where, strict=True)
    ]
    address, space = with_space(s, address, space)
    ordered, order = bool(order), RELAXED if space in _OWN else order
    alignment = alignment_of(s, address, alignment)
    at = 0
    operands = [_stored(s, scalar, kind) for scalar, (_, kind) in zip(scalars, where, strict=True)]
    base = s.address(address) if where else Addr(0)
    while at < len(where):
        offset, kind = where[at]
        width = _width_at(offset, kind, alignment)
        if width < kind.moved or kind.moved < kind.bytes:
            from weft.codegen.unaligned import store_pieces

            place = Addr(base.base, base.offset + offset)
            store_pieces(s, {**order, "ss": space}, place, scalars[at], kind, width)
            at += 1
            continue
        count = _group(where, at, Lin(address.bits, (), offset), alignment)
        some, type_ = operands[at : at + count], memory_type(kind)
        if type_ == "u16" and None not in (halves := [_half(scalar) for scalar in scalars[at : at + count]]):
            some, type_ = halves, "b16"
        if type_ == "u8" and count > 1 and (pairs := _pairs(s, some)):
            some, type_ = pairs
        code = opcode("st", **order, ss=space, vec=f"v{len(some)}" if len(some) > 1 else "", type=type_)
        stored = s.emit(code, Addr(base.base, base.offset + offset), tuple(some) if len(some) > 1 else some[0])
        if not ordered:  # Nothing joins volatile accesses, those of local memory neither.
            _note(s, stored, count * kind.bytes, alignment, offset)
        at += count


def _pairs(s: Selector, operands: Sequence[Any]) -> tuple[list[Any], str] | None:
    """Bytes to store, two by two, with the type to store them as; None if not all are side by side in a register."""
    halves = list[tuple[bytewise.Byte, ...]]()
    for low, high in zip(operands[::2], operands[1::2], strict=True):
        if not isinstance(low, Value) or not isinstance(high, Value):
            return None
        first, second = bytewise.of_value(low)[0], bytewise.of_value(high)[0]
        if not isinstance(first, tuple) or second != (first[0], first[1] + 1) or first[1] % 2 or first[0].cls == B64:
            return None
        halves.append((first, second))
    if all(whole := [bytewise.register16(half) for half in halves]):
        return whole, "b16"
    return [s.operand(bytewise.word(s, half)) for half in halves], "u16"


def _half(scalar: Any) -> Value | None:
    """The register of 16 bits that holds an integer, however it was widened."""
    found = bytewise.of_lin(scalar) if isinstance(scalar, Lin) else None
    return bytewise.register16(found[:2]) if found is not None else None


def _stored(s: Selector, scalar: Any, kind: Scalar) -> Any:
    """The scalar as the source of a store (immediates are allowed)."""
    if kind.kind == "test":
        return s.operand(s.from_test(scalar, 32))
    if isinstance(scalar, Lin):
        if kind.kind == "pointer":
            scalar = s.extended(generic(s, scalar), signed=False)
        return s.operand(scalar)
    if isinstance(scalar, Const) and scalar.cls in (B16, PRED):
        return s.register(scalar, scalar.cls)
    return scalar


def generic(s: Selector, pointer: Lin) -> Lin:
    """A pointer as a generic address, to be kept or passed on: undoes what the selector knows of its state space."""
    if pointer.bits == 32:
        return pointer
    terms = dict(pointer.terms)
    for value, coefficient in pointer.terms:
        if value.space and coefficient == 1:
            # Not kept with the value: what a branch computes is not there after it.
            held = value.generic or s.pure(opcode("cvta", ss=value.space, size="u64"), value.cls, value)
            del terms[value]
            terms[held] = terms.get(held, 0) + 1
    return linear.rebuild(64, terms, pointer.const)


def in_tensor(s: Selector, tensor_map: Lin, coordinates: tuple[Value, ...]) -> Addr:
    """`[tensorMap, {coordinates}]`: an address with more parts has no offset, which is in the register."""
    place = s.address(tensor_map)
    return Addr(s.int_value(tensor_map) if place.offset else place.base, rest=(coordinates,))
