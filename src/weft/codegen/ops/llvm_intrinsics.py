"""Intrinsics of `llvm` on integers, vectors and pointers, and those that only tell something."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.llvm import LLVMStructType
from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.access import generic, space_of
from weft.codegen.combine import combine_all
from weft.codegen.graph import B32, B64, Const
from weft.codegen.linear import Lin
from weft.codegen.ops.llvm_data import converted
from weft.codegen.ops.warp import halves, joined
from weft.codegen.selector import Selector, handles
from weft.codegen.types import GENERIC, Scalar, is_vector, layout, padded_size, pointer_space, scalar
from weft.codegen.vectors import elements, integers, integers1, integers2, pack
from weft.dialects import narrow
from weft.dialects.narrow import known_vector
from weft.isa import opcode


@handles(
    "llvm.intr.assume", "llvm.intr.lifetime.start", "llvm.intr.lifetime.end", "llvm.intr.var.annotation",
    "llvm.intr.invariant.start", "llvm.intr.invariant.end", "llvm.intr.experimental.noalias.scope.decl",
    "llvm.intr.dbg.label", "llvm.intr.vaend",
)  # fmt: skip
def select_nothing(s: Selector, op: Operation) -> None:
    """No code."""
    for result in op.results:
        s.values[result] = linear.const(0)


@handles("llvm.intr.dbg.declare", "llvm.intr.dbg.value")
def select_variable(s: Selector, op: Operation) -> None:
    """No code, but a note for a debugger."""
    if s.notes is not None:
        s.notes.add(s.block, op, s.get(op.operands[0]))


@handles(
    "llvm.intr.expect", "llvm.intr.expect.with.probability", "llvm.intr.ssa.copy", "llvm.intr.annotation",
    "llvm.intr.launder.invariant.group", "llvm.intr.strip.invariant.group", "llvm.intr.ptr.annotation",
    "llvm.intr.threadlocal.address",
)  # fmt: skip
def select_same(s: Selector, op: Operation) -> None:
    """The first operand."""
    s.values[op.results[0]] = s.get(op.operands[0])


@handles("llvm.intr.trap", "llvm.intr.ubsantrap", "llvm.intr.debugtrap")
def select_trap(s: Selector, op: Operation) -> None:
    """Stop: for good, or in a debugger."""
    s.emit(opcode("brkpt" if op.name.endswith("debugtrap") else "trap"))


@handles("llvm.unreachable", "ub.unreachable")
def select_unreachable(s: Selector, op: Operation) -> None:
    """Where no thread may come."""
    s.emit(opcode("trap"))
    s.emit(opcode("exit"))


@handles("llvm.intr.is.constant")
def select_is_constant(s: Selector, op: Operation) -> None:
    """Whether the compiler knows the value."""
    value = s.get(op.operands[0])
    known = isinstance(value, Const) or (isinstance(value, Lin) and value.is_const)
    s.values[op.results[0]] = Const("pred", int(known))


@handles("llvm.intr.ptrmask")
def select_pointer_mask(s: Selector, op: Operation) -> None:
    """A pointer with some bits cleared."""
    pointer, mask = op.operands
    address = generic(s, converted(s, s.int(pointer), pointer_space(pointer.type), pointer_space(op.results[0].type)))
    bits = s.number(mask, signed=True, low=True)
    bits = s.truncated(bits) if address.bits == 32 else s.extended(bits, signed=True)
    s.values[op.results[0]] = s.bitwise("and", address, bits)


@handles("llvm.intr.prefetch")
def select_prefetch(s: Selector, op: Operation) -> None:
    """Fetch a line into L1, or into L2 for a weak hint."""
    pointer = op.operands[0]
    address = s.int(pointer)
    space = space_of(s, address, pointer_space(pointer.type))
    if space not in (GENERIC, "global", "local"):
        return
    level = "L1" if narrow.number(op.properties["hint"]) > 1 else "L2"
    s.emit(opcode("prefetch", ss=space, level=level), s.address(address))


# -- bits -------------------------------------------------------------------------------------------------------


@handles("llvm.intr.bswap", wide=True)
def select_byte_swap(s: Selector, op: Operation) -> None:
    """The bytes in reverse order."""

    integers1(s, op, lambda x, kind: byte_swapped(s, x, kind.width))


def byte_swapped(s: Selector, x: Lin, width: int) -> Lin:
    """The bytes of an integer of up to 64 bits in reverse order."""
    if width > 32:
        low, high = (
            linear.of(s.pure(opcode("prmt", type="b32"), B32, s.int_value(h), 0, 0x0123)) for h in halves(s, x)
        )
        return s.shift_right(joined(s, high, low), 64 - width, signed=False)
    swapped = linear.of(s.pure(opcode("prmt", type="b32"), B32, s.int_value(x), 0, 0x0123))
    return s.shift_right(swapped, 32 - width, signed=False)


@handles("llvm.intr.fshl", "llvm.intr.fshr", wide=True)
def select_funnel_shift(s: Selector, op: Operation) -> None:
    """The upper (lower) half of two integers side by side, shifted left (right)."""
    left = op.name.endswith("l")

    def apply(a: Lin, b: Lin, by: Lin, kind: Scalar) -> Lin:
        width = kind.width
        if width == 32:  # Which takes an amount modulo 32.
            text = opcode("shf", dir="l" if left else "r", mode="wrap", type="b32")
            return linear.of(s.pure(text, B32, s.operand(b), s.operand(a), s.operand(by)))
        by = s.rem(s.exactly(by, width, signed=False), linear.const(width, by.bits), signed=False)
        if width < 32:
            high = s.extended(s.exactly(a, width, signed=False), signed=False)
            low = s.extended(s.exactly(b, width, signed=False), signed=False)
            whole = s.bitwise("or", s.shift_left(high, linear.const(width)), low)
            amount = linear.add(linear.const32(width), by, -1) if left else by
            return s.truncated(s.shift_right(whole, s.extended(amount, signed=False), signed=False))
        rest = linear.add(linear.const(width, by.bits), by, -1)
        up, down = (by, rest) if left else (rest, by)
        low = s.shift_right(s.exactly(b, width, signed=False), down, signed=False)
        return s.bitwise("or", s.shift_left(a, up), low)

    integers(s, op, apply)


# -- saturation and overflow --------------------------------------------------------------------------------------


def _wide_result(s: Selector, name: str, a: Lin, b: Lin, width: int, signed: bool) -> Lin:
    """The exact result of an operation on integers below 64 bits, in 64."""
    x, y = (s.extended(s.exactly(v, width, signed=signed), signed=signed) for v in (a, b))
    return {"add": s.add, "sub": s.sub, "mul": s.mul}[name](x, y)


def overflow(s: Selector, name: str, a: Lin, b: Lin, width: int, *, signed: bool) -> tuple[Lin, Any]:
    """The result of `add`, `sub` or `mul` modulo 2^width, and whether it wrapped."""
    ring = {"add": s.compared_sum if width == 64 else s.add, "sub": s.sub, "mul": s.mul}[name](a, b)
    if name == "mul" and 32 < width < 64:
        # The product of a * 2^(64 - width) and b wraps in 64 bits where that of a and b does in fewer.
        high = s.shift_left(a, linear.const(64 - width))
        _, wrapped = overflow(s, name, high, s.exactly(b, width, signed=signed), 64, signed=signed)
        return ring, wrapped
    if width < 64:
        exact = _wide_result(s, name, a, b, width, signed)
        low = -(1 << (width - 1)) if signed else 0
        high = (1 << (width - 1)) - 1 if signed else (1 << width) - 1
        exact = linear.of(s.int_value(exact)) if exact.terms else exact
        below = s.compare("lt", exact, linear.const(low), signed=True)
        above = s.compare("gt", exact, linear.const(high), signed=True)
        return ring, s.logic("or", below, above)
    if name == "mul":
        high = s.mul_high(a, b, signed=signed)
        want = s.shift_right(ring, 63, signed=True) if signed else linear.const(0)
        return ring, s.compare("ne", high, want)
    if not signed:
        return ring, s.compare("lt", *((ring, a) if name == "add" else (a, b)), signed=False)
    first, second = s.bitwise("xor", a, ring), s.bitwise("xor", b, ring) if name == "add" else s.bitwise("xor", a, b)
    return ring, s.compare("lt", s.bitwise("and", first, second), linear.const(0), signed=True)


_OVERFLOW = {
    f"llvm.intr.{sign}{name}.with.overflow": (name, sign == "s") for sign in "su" for name in ("add", "sub", "mul")
}


@handles(*_OVERFLOW, wide=True)
def select_overflow(s: Selector, op: Operation) -> None:
    """A result and whether it wrapped."""
    name, signed = _OVERFLOW[op.name]
    integers2(s, op, lambda a, b, kind: overflow(s, name, a, b, kind.width, signed=signed))


_SATURATED = {f"llvm.intr.{sign}{name}.sat": (name, sign == "s") for sign in "su" for name in ("add", "sub")}


@handles(*_SATURATED, wide=True)
def select_saturated(s: Selector, op: Operation) -> None:
    """A sum or difference that stays at the end of its range."""
    name, signed = _SATURATED[op.name]

    def apply(a: Lin, b: Lin, kind: Scalar) -> Lin:
        width = kind.width
        if signed and width == 32:
            return linear.of(s.pure(opcode(name, sat=True, type="s32"), B32, s.int_value(a), s.int_value(b)))
        ring, wrapped = overflow(s, name, a, b, width, signed=signed)
        if not signed:
            end = linear.const(-1 if name == "add" else 0, a.bits)
        else:
            known = s.exactly(a, width, signed=True)
            negative = s.compare("lt", known, linear.const(0, a.bits), signed=True)
            limit = 1 << (width - 1)
            end = s.choose(negative, linear.const(-limit, a.bits), linear.const(limit - 1, a.bits))
        return s.choose(wrapped, end, ring)

    integers(s, op, apply)


@handles("llvm.intr.sshl.sat", "llvm.intr.ushl.sat", wide=True)
def select_saturated_shift(s: Selector, op: Operation) -> None:
    """A shift to the left that stays at the end of its range."""
    signed = "sshl" in op.name

    def apply(a: Lin, b: Lin, kind: Scalar) -> Lin:
        width = kind.width
        a, b = s.exactly(a, width, signed=signed), s.exactly(b, width, signed=False)
        shifted = s.exactly(s.shift_left(a, b), width, signed=signed)
        back = s.shift_right(shifted, b, signed=signed)
        limit = 1 << (width - 1)
        end = linear.const(-1, a.bits)
        if signed:
            negative = s.compare("lt", a, linear.const(0, a.bits), signed=True)
            end = s.choose(negative, linear.const(-limit, a.bits), linear.const(limit - 1, a.bits))
        return s.choose(s.compare("eq", back, a), shifted, end)

    integers(s, op, apply)


@handles("llvm.intr.scmp", "llvm.intr.ucmp", wide=True)
def select_three_way(s: Selector, op: Operation) -> None:
    """-1, 0 or 1: less, equal, greater."""
    signed = op.name.endswith("scmp")
    type_ = op.results[0].type
    bits = 64 if scalar(narrow.element(type_)).cls == B64 else 32

    def apply(a: Lin, b: Lin, kind: Scalar) -> Lin:
        a, b = (s.exactly(x, kind.width, signed=signed) for x in (a, b))
        less, more = (s.from_test(s.compare(r, a, b, signed=signed), bits) for r in ("lt", "gt"))
        return s.sub(more, less)

    integers(s, op, apply)


# -- vectors ----------------------------------------------------------------------------------------------------

REDUCTIONS: dict[str, str] = {
    "add": "add", "mul": "mul", "and": "and", "or": "or", "xor": "xor", "smax": "maxsi", "smin": "minsi",
    "umax": "maxui", "umin": "minui", "fmax": "maxnumf", "fmin": "minnumf", "fmaximum": "maximumf",
    "fminimum": "minimumf", "fadd": "add", "fmul": "mul",
}  # fmt: skip


@handles(*(f"llvm.intr.vector.reduce.{name}" for name in REDUCTIONS))
def select_reduction(s: Selector, op: Operation) -> None:
    """All elements combined, in order, after the start value if there is one."""
    name = REDUCTIONS[op.name.rpartition(".")[2]]
    source = op.operands[-1]
    kind = scalar(known_vector(source.type).element_type)
    parts = elements(s, s.get(source), source.type)
    combine_all(s, op, name, [*map(s.get, op.operands[:-1]), *parts], kind)


@handles("llvm.intr.stepvector")
def select_steps(s: Selector, op: Operation) -> None:
    """0, 1, 2, ..."""
    from weft.codegen.constants import number

    type_ = known_vector(op.results[0].type)
    kind = scalar(type_.element_type)
    s.values[op.results[0]] = pack(s, [number(i, kind) for i in range(type_.get_shape()[0])], type_)


@handles("llvm.intr.vector.interleave2")
def select_interleave(s: Selector, op: Operation) -> None:
    """Elements of two vectors in turn."""
    a, b = (elements(s, s.get(v), v.type) for v in op.operands)
    s.values[op.results[0]] = pack(s, [x for pair in zip(a, b, strict=True) for x in pair], op.results[0].type)


@handles("llvm.intr.vector.deinterleave2")
def select_deinterleave(s: Selector, op: Operation) -> None:
    """Even and odd elements."""
    source = op.operands[0]
    parts = elements(s, s.get(source), source.type)
    halves_type = op.results[0].type
    assert isinstance(halves_type, LLVMStructType)
    half = halves_type.types.data[0]
    s.values[op.results[0]] = (*pack(s, parts[::2], half), *pack(s, parts[1::2], half))


@handles("llvm.intr.masked.load", "llvm.intr.masked.gather")
def select_masked_load(s: Selector, op: Operation) -> None:
    """Elements where the mask is true, the others from a vector; at one pointer in a row, or each at its own."""
    from weft.codegen.constants import number
    from weft.codegen.ops.vector_memory import guarded_load

    result = op.results[0]
    places, mask, *rest = op.operands
    element = known_vector(result.type).element_type
    others = elements(s, s.get(rest[0]), result.type) if rest else None
    out: list[Any] = []
    for index, (address, space) in enumerate(_addresses(s, places, result.type)):
        other = others[index] if others is not None else number(0, scalar(element))
        out.append(guarded_load(s, s.get(mask)[index], address, element, space, other))
    s.values[result] = pack(s, out, result.type)


@handles("llvm.intr.masked.store", "llvm.intr.masked.scatter")
def select_masked_store(s: Selector, op: Operation) -> None:
    """Elements written where the mask is true."""
    from weft.codegen.ops.vector_memory import guarded_store

    value, places, mask = op.operands
    type_ = known_vector(value.type)
    parts = elements(s, s.get(value), type_)
    for index, (address, space) in enumerate(_addresses(s, places, type_)):
        guarded_store(s, s.get(mask)[index], address, parts[index], type_.element_type, space)


def _running(s: Selector, places: Any, mask: Any, element: Any) -> list[Lin]:
    """The address of the next element at each bit of a mask: it moves on behind a true one."""
    base = s.int(places)
    found, moved = [base], linear.const(0, base.bits)
    for test in mask[:-1]:
        step = linear.scaled(s.from_test(test, base.bits), padded_size(element))
        moved = linear.of(s.int_value(s.add(moved, step)))
        found.append(s.add(base, moved))  # The sum shows in which state space the base lies.
    return found


@handles("llvm.intr.masked.expandload")
def select_expand(s: Selector, op: Operation) -> None:
    """The next element in memory for each true bit of the mask, the others from a vector."""
    from weft.codegen.ops.vector_memory import guarded_load

    pointer, mask, passthru = op.operands
    type_ = known_vector(op.results[0].type)
    space, tests = pointer_space(pointer.type), s.get(mask)
    places = _running(s, pointer, tests, type_.element_type)
    others = elements(s, s.get(passthru), type_)
    rows = zip(tests, places, others, strict=True)
    out = [guarded_load(s, test, place, type_.element_type, space, other) for test, place, other in rows]
    s.values[op.results[0]] = pack(s, out, type_)


@handles("llvm.intr.masked.compressstore")
def select_compress(s: Selector, op: Operation) -> None:
    """The elements whose mask is true, written next to each other."""
    from weft.codegen.ops.vector_memory import guarded_store

    value, pointer, mask = op.operands
    space, tests, type_ = pointer_space(pointer.type), s.get(mask), known_vector(value.type)
    places = _running(s, pointer, tests, type_.element_type)
    for test, place, part in zip(tests, places, elements(s, s.get(value), type_), strict=True):
        guarded_store(s, test, place, part, type_.element_type, space)


def _addresses(s: Selector, places: Any, type_: Any) -> list[tuple[Lin, str]]:
    """The address of each element."""
    if is_vector(places.type):
        space = pointer_space(places.type.element_type)
        return [(address, space) for address in s.get(places)]
    base, space, size = s.int(places), pointer_space(places.type), scalar(type_.element_type).bytes
    return [(linear.offset(base, index * size), space) for index in range(len(layout(type_).scalars) * _per(type_))]


def _per(type_: Any) -> int:
    kinds = layout(type_).scalars
    return type_.get_shape()[0] // len(kinds)
