"""`llvm` aggregates, constants, undefined values and pointers, and the casts between types that conversions leave."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.access import alignment_of, generic, space_of
from weft.codegen.constants import constant, number
from weft.codegen.graph import B64
from weft.codegen.linear import Lin
from weft.codegen.memrefs import byte_offset, from_scalars
from weft.codegen.ops.arith_cast import from_bits
from weft.codegen.selector import Selector, handles
from weft.codegen.sums import symbol_of
from weft.codegen.types import (
    GENERIC,
    LOCAL,
    SHARED,
    Scalar,
    UnsupportedTypeError,
    element_types,
    is_memref,
    is_vector,
    lanes_of,
    layout,
    member,
    padded_size,
    pointer_space,
    repeated_type,
    scalar,
    struct_offsets,
)
from weft.codegen.vectors import elements, join, pack, split
from weft.dialects.narrow import known_vector
from weft.isa import opcode
from weft.mlir import compile_error

if TYPE_CHECKING:
    from xdsl.dialects.llvm import ShuffleVectorOp

    from weft.dialects.rows import llvm


@handles("builtin.unrealized_conversion_cast")
def select_cast(s: Selector, op: Operation) -> None:
    """A change of type only: the registers stay, regrouped."""
    scalars = [scalar for operand in op.operands for scalar in s.flatten(s.get(operand))]
    kinds = [kind for result in op.results for kind in layout(result.type).scalars]
    if len(scalars) != len(kinds):
        given, wanted = (", ".join(map(str, types)) for types in (op.operand_types, op.result_types))
        raise compile_error(op, f"the types ({given}) and ({wanted}) differ in their registers")
    at = 0
    for result in op.results:
        count = len(layout(result.type).scalars)
        part = tuple(_fitted(x, kind) for x, kind in zip(scalars[at : at + count], kinds[at : at + count], strict=True))
        if is_memref(result.type):
            s.values[result] = from_scalars(result.type, part)
        else:
            s.values[result] = part if layout(result.type).composite else part[0]
        at += count


def _fitted(part: Any, kind: Any) -> Any:
    bits = 32 if kind.cls == "b32" else 64
    if isinstance(part, Lin) and part.bits != bits:
        raise UnsupportedTypeError(f"a cast of a {part.bits}-bit register to {kind.name}")
    return part


@handles("llvm.mlir.constant")
def select_constant(s: Selector, op: Operation) -> None:
    """A constant."""
    result = op.results[0]
    s.values[result] = constant(op.properties["value"], result.type)


@handles("llvm.mlir.zero")
def select_zero(s: Selector, op: Operation) -> None:
    """A value of all zero bits."""
    result = op.results[0]
    s.values[result] = s.unflatten(result.type, tuple(zero(s, kind) for kind in layout(result.type).scalars))


@handles("llvm.mlir.undef", "llvm.mlir.poison", "ub.poison")
def select_undefined(s: Selector, op: Operation) -> None:
    """Any value: zero, which is free as an immediate."""
    select_zero(s, op)


def zero(s: Selector, kind: Any) -> Any:
    """The zero of a scalar type."""
    return from_bits(s, linear.const32(0), kind) if kind.kind == "packed" else number(0, kind)


@handles("llvm.freeze")
def select_freeze(s: Selector, op: Operation) -> None:
    """The same value: registers always hold something definite."""
    s.values[op.results[0]] = s.get(op.operands[0])


# -- aggregates -------------------------------------------------------------------------------------------------


@handles("llvm.extractvalue")
def select_extract(s: Selector, op: llvm.ExtractvalueOp) -> None:
    """A member of a struct or array: no code."""
    container, result = op.operands[0], op.results[0]
    start, count, _ = member(container.type, tuple(op.position.get_values()))
    scalars = s.get(container)
    s.values[result] = scalars[start : start + count] if layout(result.type).composite else scalars[start]


@handles("llvm.insertvalue")
def select_insert(s: Selector, op: llvm.InsertvalueOp) -> None:
    """A struct or array with one member replaced: no code."""
    container, value = op.operands
    start, count, _ = member(container.type, tuple(op.position.get_values()))
    scalars = s.get(container)
    s.values[op.results[0]] = (*scalars[:start], *s.flatten(s.get(value)), *scalars[start + count :])


@handles("llvm.extractelement")
def select_extract_element(s: Selector, op: Operation) -> None:
    """An element of a vector."""
    vector, position = op.operands
    place = s.number(position, signed=False, low=True)
    at = _lane_of(vector.type, place)
    if at is None:
        s.values[op.results[0]] = pick(s, elements(s, s.get(vector), vector.type), place)
    else:
        lane, part, packed = at
        s.values[op.results[0]] = split(s, s.get(vector)[lane], packed)[part]


@handles("llvm.insertelement")
def select_insert_element(s: Selector, op: Operation) -> None:
    """A vector with one element replaced."""
    vector, value, position = op.operands
    place = s.number(position, signed=False, low=True)
    at = _lane_of(vector.type, place)
    if at is not None:
        lane, part, packed = at
        lanes = s.get(vector)
        parts = list(split(s, lanes[lane], packed))
        parts[part] = s.get(value)
        s.values[op.results[0]] = (*lanes[:lane], join(s, parts, packed), *lanes[lane + 1 :])
        return
    parts = replaced(s, elements(s, s.get(vector), vector.type), s.get(value), place)
    s.values[op.results[0]] = pack(s, parts, vector.type)


def _lane_of(type_: Any, position: Lin) -> tuple[int, int, Scalar] | None:
    """The packed register that a constant position lies in, which of its elements it is, and what they are."""
    packed = lanes_of(type_) if position.is_const else None
    if packed is None or not 0 <= position.const < prod(type_.get_shape()):
        return None
    return *divmod(position.const, 32 // packed.width), packed


def pick(s: Selector, parts: tuple[Any, ...], position: Lin) -> Any:
    """parts[position]; a position that is not constant becomes a chain of selections."""
    from weft.codegen.ops.arith_int import choose_scalar

    if position.is_const:
        return parts[position.const if 0 <= position.const < len(parts) else 0]  # Behind the end, any value will do.
    found = parts[0]
    for index, part in enumerate(parts[1:], 1):
        test = s.compare("eq", position, linear.const(index, position.bits))
        found = choose_scalar(s, test, part, found)
    return found


def replaced(s: Selector, parts: tuple[Any, ...], value: Any, position: Lin) -> list[Any]:
    """The parts with parts[position] = value."""
    from weft.codegen.ops.arith_int import choose_scalar

    out = list(parts)
    if position.is_const:
        if 0 <= position.const < len(out):
            out[position.const] = value
        return out
    for index, part in enumerate(parts):
        test = s.compare("eq", position, linear.const(index, position.bits))
        out[index] = choose_scalar(s, test, value, part)
    return out


@handles("llvm.shufflevector")
def select_shuffle(s: Selector, op: ShuffleVectorOp) -> None:
    """Elements of two vectors in a given order."""
    first, second = op.operands
    parts = (*elements(s, s.get(first), first.type), *elements(s, s.get(second), second.type))
    mask = op.mask.get_values()
    s.values[op.results[0]] = pack(s, [parts[max(0, index)] for index in mask], op.results[0].type)


# -- pointers ---------------------------------------------------------------------------------------------------


@handles("llvm.getelementptr")
def select_gep(s: Selector, op: llvm.GetelementptrOp) -> None:
    """Pointer arithmetic, of vectors of pointers or by vectors of indices element by element."""
    result = op.results[0]
    if is_vector(result.type):
        addresses = [_element_address(s, op, lane) for lane in range(prod(known_vector(result.type).get_shape()))]
        s.values[result] = pack(s, addresses, result.type)
    else:
        s.values[result] = _element_address(s, op, 0)


def _element_address(s: Selector, op: llvm.GetelementptrOp, lane: int) -> Lin:
    address = _at(s, op.operands[0], lane)
    constants: tuple[int, ...] = op.rawConstantIndices.get_values()
    dynamic = iter(op.operands[1:])
    type_: Any = op.elem_type
    for position, raw in enumerate(constants):
        index = _index(s, next(dynamic), lane) if raw == _DYNAMIC_INDEX else linear.const(raw)
        if position == 0:
            address = byte_offset(s, address, index, padded_size(type_))
        elif type_.name == "llvm.struct":
            address = linear.offset(address, struct_offsets(type_)[index.const])
            type_ = element_types(type_)[index.const]
        else:
            type_ = repeated_type(type_)
            address = byte_offset(s, address, index, padded_size(type_))
    return address


_DYNAMIC_INDEX = -(1 << 31)


def _at(s: Selector, value: Any, lane: int) -> Lin:
    return elements(s, s.get(value), value.type)[lane] if is_vector(value.type) else s.int(value)


def _index(s: Selector, value: Any, lane: int) -> Lin:
    found, type_ = s.get(value), value.type
    if is_vector(type_):
        found, type_ = elements(s, found, type_)[lane], type_.element_type
    return s.extended(s.as_number(found, type_, signed=True, low=True), signed=True)


@handles("llvm.addrspacecast")
def select_space_cast(s: Selector, op: Operation) -> None:
    """A pointer seen through another state space."""
    source, target = pointer_space(op.operands[0].type), pointer_space(op.results[0].type)
    s.values[op.results[0]] = converted(s, s.int(op.operands[0]), source, target)


def converted(s: Selector, pointer: Lin, source: str, target: str) -> Lin:
    """A pointer from one state space as a pointer into another.

    One that becomes generic is known to lie where it did, and is made a generic address where one is asked for
    (`weft.codegen.access.generic`).
    """
    if source == target or (source == SHARED and target.startswith(SHARED)):
        return pointer  # The block's own shared memory lies at the same addresses in the cluster's window.
    if source != GENERIC and target != GENERIC:
        pointer, source = converted(s, pointer, source, GENERIC), GENERIC
    if source == GENERIC:
        known = next((value.space for value, c in pointer.terms if c == 1 and value.space), GENERIC)
        if known == target or (known == SHARED and target.startswith(SHARED)):
            return s.truncated(pointer) if known == SHARED else pointer
        value = s.pure(opcode("cvta", to=True, ss=target, size="u64"), B64, s.int_value(generic(s, pointer)))
        value.space = target
        result = linear.of(value)
        return s.truncated(result) if target.startswith("shared") else result
    if source in _KNOWN:
        return _known(s, pointer, source)
    value = s.int_value(pointer)
    if pointer.bits == 32:
        value = s.widened(value, signed=False)
    return linear.of(s.pure(opcode("cvta", ss=source, size="u64"), B64, value))


_KNOWN = frozenset(("global", SHARED, LOCAL))


def _known(s: Selector, pointer: Lin, space: str) -> Lin:
    """An address in a state space as a generic pointer that is known to lie there."""
    if space_of(s, pointer, GENERIC) == space:
        return pointer
    base = Lin(pointer.bits, pointer.terms, 0)
    value = s.int_value(base)
    if symbol := symbol_of(value):
        held = s.pure(opcode("mov", type="b64"), B64, symbol)
    else:
        base, pointer = pointer, linear.const(0)
        wide = s.widened(s.int_value(base), signed=False) if base.bits == 32 else s.int_value(base)
        held = s.pure(opcode("mov", type="b64"), B64, wide)
    held.space = space
    s.alignment[held] = alignment_of(s, base, 1)
    return linear.offset(linear.of(held), pointer.const)


@handles("llvm.ptrtoint")
def select_ptrtoint(s: Selector, op: Operation) -> None:
    """A pointer as an integer."""
    pointer = generic(s, s.int(op.operands[0]))
    width = scalar(op.results[0].type).width
    if width <= 32:
        s.values[op.results[0]] = s.truncated(pointer)
    else:
        s.values[op.results[0]] = s.extended(pointer, signed=False)


@handles("llvm.inttoptr")
def select_inttoptr(s: Selector, op: Operation) -> None:
    """An integer as a pointer."""
    integer = s.number(op.operands[0], signed=False, low=True)
    narrow = layout(op.results[0].type).scalars[0].cls == "b32"
    s.values[op.results[0]] = s.truncated(integer) if narrow else s.extended(integer, signed=False)
