"""`llvm.call_intrinsic` of LLVM's intrinsics that are no NVIDIA GPU's own, by their names.

Where the dialect has an operation for one, this is selected as that operation.  `mlir-translate --import-llvm` leaves
the others so: those that optimizers make (vectorizers above all) and that other languages than C use.

Source: LLVM's language reference, "Intrinsic Functions".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i1, i32, i64
from xdsl.ir import Attribute, Operation

from weft.codegen import floats, linear
from weft.codegen.constants import constant_of, number
from weft.codegen.graph import B64, PRED
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.ops.applied import Applied
from weft.codegen.ops.arith_cast import refloated
from weft.codegen.ops.arith_int import choose_scalar, truth
from weft.codegen.ops.llvm_intrinsics import overflow
from weft.codegen.ops.vector_memory import guarded_load, guarded_store
from weft.codegen.selector import Selector, handler_of
from weft.codegen.types import Scalar, element_types, pointer_space, scalar
from weft.codegen.vectors import elements, elementwise, integers, pack, several
from weft.dialects import narrow
from weft.dialects.engine.definitions import definition
from weft.dialects.narrow import known_vector
from weft.isa import opcode
from weft.mlir import compile_error
from weft.ptx.operands import Register

_OVERLOAD = re.compile(r"(i\d+|b?f\d+|p\d+|v\d+(i\d+|b?f\d+|p\d+)|s_\w+|sl_\w+)")
"""How a part of a name tells a type for which an intrinsic is overloaded."""
_NUMBERS = {"prefetch": ("rw", "hint", "cache")}
"""Operands that are attributes of operations, in their order, where there are several."""

_Handler = Callable[[Selector, Any], None]
_NAMED: dict[str, _Handler] = {}


def named(*names: str) -> Callable[[_Handler], _Handler]:
    """Register the selection of intrinsics by their names without `llvm.` and types."""

    def register(function: _Handler) -> _Handler:
        _NAMED.update(dict.fromkeys(names, function))
        return function

    return register


def select_named(s: Selector, op: Any) -> bool:
    """Select an intrinsic; whether there is one of this name."""
    parts = _name(op).removeprefix("llvm.").split(".")
    for length in range(len(parts), 0, -1):
        if not all(map(_OVERLOAD.fullmatch, parts[length:])):
            return False
        name = ".".join(parts[:length])
        if name in _NAMED:
            _NAMED[name](s, op)
            return True
        handler = handler_of(f"llvm.intr.{name}")
        if handler is not None:
            handler(s, _operation(op, name))
            return True
    return False


def _operation(op: Any, name: str) -> Applied:
    """An intrinsic as the operation that the dialect has for it: what must be constant is an attribute of that."""
    full = f"llvm.intr.{name}"
    whole = definition(full)
    operands, properties = list(op.operands), dict(op.properties)
    if whole is not None and not any(group.count for group in whole.operands):
        count = len(whole.operands)
        required = [key for key, (_, must) in whole.attributes.items() if must and key not in properties]
        names = _NUMBERS.get(name, required)
        if len(operands) != count + len(names):
            raise compile_error(op, f"'llvm.{name}' takes {count + len(names)} operands, got {len(operands)}")
        properties |= {key: _number(op, value) for key, value in zip(names, operands[count:], strict=True)}
        operands = operands[:count]
    return Applied(full, operands, op.results, properties, op.attributes, op.location)


def _name(op: Operation) -> str:
    return narrow.text(op.properties["intrin"])


def _constant(op: Operation, value: Any) -> int:
    found = constant_of(value)
    if found is None:
        raise compile_error(op, f"this operand of '{narrow.text(op.properties['intrin'])}' must be a constant")
    return found


def _number(op: Operation, value: Any) -> Attribute:
    width = value.type.bitwidth
    return IntegerAttr(_constant(op, value), {1: i1, 64: i64}.get(width, i32))


def _parts(s: Selector, value: Any) -> Sequence[Any]:
    """The elements of a vector."""
    return elements(s, s.get(value), value.type)


# -- what says nothing -----------------------------------------------------------------------------------------------


@named("donothing", "sideeffect", "pseudoprobe", "fake.use")
def _nothing(s: Selector, op: Operation) -> None:
    """No code."""


@named("arithmetic.fence")
def _same(s: Selector, op: Operation) -> None:
    s.values[op.results[0]] = s.get(op.operands[0])


@named("allow.runtime.check", "allow.ubsan.check", "experimental.widenable.condition")
def _allowed(s: Selector, op: Operation) -> None:
    s.values[op.results[0]] = truth(True)


@named("get.rounding")
def _rounding(s: Selector, op: Operation) -> None:
    """To nearest, which is all that instructions without a mode do."""
    s.values[op.results[0]] = linear.const(1)


@named("objectsize")
def _object_size(s: Selector, op: Operation) -> None:
    """Not known, which is 0 where the least is asked for."""
    least, bits = _constant(op, op.operands[1]), scalar(op.results[0].type).width
    s.values[op.results[0]] = linear.const(0 if least else -1, 64 if bits > 32 else 32)


@named("returnaddress")
def _return_address(s: Selector, op: Operation) -> None:
    """Not known: 0."""
    s.values[op.results[0]] = linear.const(0, 64)


@named("load.relative")
def _relative(s: Selector, op: Any) -> None:
    """An address from where it lies: the number at an offset from it, added."""
    base, offset = s.int(op.operands[0]), s.number(op.operands[1], signed=True)
    offset = s.extended(offset, signed=True) if offset.bits == 32 else offset
    place = s.add(base, offset)
    found = guarded_load(s, truth(True), place, i32, pointer_space(op.operands[0].type), linear.const(0))
    s.values[op.results[0]] = s.add(base, s.extended(found, signed=True))


@named("readcyclecounter", "readsteadycounter")
def _clock(s: Selector, op: Operation) -> None:
    """The cycles of the multiprocessor, or nanoseconds that all count alike."""
    cycles = _name(op).startswith("llvm.readcycle")
    value = s.value(B64)
    s.emit(opcode("mov", type="u64"), value, Register("%clock64" if cycles else "%globaltimer"), outs=(value,))
    s.values[op.results[0]] = linear.of(value)


# -- numbers ---------------------------------------------------------------------------------------------------------


@named("canonicalize")
def _canonical(s: Selector, op: Operation) -> None:
    """The same number, as arithmetic gives it: a NaN becomes the canonical one."""

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.name not in ("f32", "f64"):
            return refloated(s, apply(refloated(s, x, kind, floats.F32), floats.F32), floats.F32, kind)
        code = opcode("mul", rnd="rn", type=kind.name)
        return s.pure(code, kind.cls, s.register(x, kind.cls), number(1.0, kind))

    elementwise(s, op, apply)


@named("minimumnum", "maximumnum")
def _extreme(s: Selector, op: Operation) -> None:
    """The number of two that is no NaN, or the lesser (greater), -0 below 0: what `min` and `max` give."""
    name = "minnum" if _name(op).startswith("llvm.min") else "maxnum"

    def apply(a: Any, b: Any, kind: Scalar) -> Any:
        return floats.binary(s, name, a, b, kind)

    elementwise(s, op, apply)


@named("fptosi.sat", "fptoui.sat")
def _saturated(s: Selector, op: Operation) -> None:
    """A float as an integer, rounded towards zero, that stays at the ends of its range; 0 for a NaN.

    `cvt` does so but for a NaN of f64, or as 64 bits.
    """
    signed = _name(op).startswith("llvm.fptosi")
    target = scalar(narrow.element(op.results[0].type))
    width = 1 if target.kind == "test" else target.width
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.name not in ("f16", "f32", "f64"):
            x, kind = refloated(s, x, kind, floats.F32), floats.F32
        bits = 32 if width <= 32 else 64
        value = s.register(x, kind.cls)
        code = opcode("cvt", rnd="rzi", type=f"{'s' if signed else 'u'}{bits}", atype=kind.name)
        found = linear.of(s.pure(code, f"b{bits}", value))
        if kind.name == "f64" or bits == 64:
            ordered = s.pure(opcode("setp", cmp="num", type=kind.name), PRED, value, value)
            found = s.choose(ordered, found, linear.const(0, bits))
        if width != bits:
            found = _within(s, found, low, high, signed=signed)
        return s.to_test(found) if target.kind == "test" else found

    elementwise(s, op, apply)


def _within(s: Selector, x: Lin, low: int, high: int, *, signed: bool) -> Lin:
    """The nearest number of a range."""
    x = s.extreme("min", x, linear.const(high, x.bits), signed=signed)
    return s.extreme("max", x, linear.const(low, x.bits), signed=signed) if signed else x


@named("modf", "sincospi")
def _two(s: Selector, op: Operation) -> None:
    """The fraction and the whole part, each with the sign; or sine and cosine of a number of half turns."""
    from weft.codegen.libdevice.arithmetic import Arithmetic
    from weft.codegen.libdevice.functions import sincospi
    from weft.codegen.libdevice.parts import modf

    function = modf if _name(op).startswith("llvm.modf") else sincospi

    def apply(x: Any, kind: Scalar) -> Any:
        if kind.name not in ("f32", "f64"):
            wide = apply(refloated(s, x, kind, floats.F32), floats.F32)
            return tuple(refloated(s, part, floats.F32, kind) for part in wide)
        return function(Arithmetic(s, kind), s.register(x, kind.cls))

    several(s, op, apply)


@named("smul.fix", "umul.fix", "smul.fix.sat", "umul.fix.sat")
def _fixed_product(s: Selector, op: Operation) -> None:
    """The product of numbers with a fixed point, rounded down; what saturates stays at the ends of its range."""
    name, scale = _name(op), _constant(op, op.operands[2])
    signed, saturates = name.startswith("llvm.s"), ".sat." in name

    def apply(a: Lin, b: Lin, _: Lin, kind: Scalar) -> Lin:
        width = kind.width
        if width > 32:
            raise compile_error(op, f"'llvm.call_intrinsic': products with a fixed point of i{width} have no lowering")
        x, y = (s.extended(s.exactly(v, width, signed=signed), signed=signed) for v in (a, b))
        exact = linear.of(s.int_value(s.shift_right(s.mul(x, y), linear.const(scale), signed=signed)))
        low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
        return s.truncated(_within(s, exact, low, high, signed=signed) if saturates else exact)

    integers(s, op, apply)


@named("clmul")
def _carryless(s: Selector, op: Operation) -> None:
    """The product whose partial products are combined by `xor`."""

    def apply(a: Lin, b: Lin, kind: Scalar) -> Lin:
        total = linear.const(0, a.bits)
        for bit in range(kind.width):
            one = s.bitwise("and", s.shift_right(b, linear.const(bit), signed=False), linear.const(1, b.bits))
            mask = s.sub(linear.const(0, b.bits), one)
            part = s.bitwise("and", s.shift_left(a, linear.const(bit)), mask)
            total = s.bitwise("xor", total, part)
        return total

    integers(s, op, apply)


@named("masked.udiv", "masked.sdiv", "masked.urem", "masked.srem")
def _masked_division(s: Selector, op: Operation) -> None:
    """A quotient or remainder where the mask is true; elsewhere nothing is divided by 0."""
    name = _name(op).split(".")[2]
    signed, quotient = name[0] == "s", name.endswith("div")

    def apply(a: Lin, b: Lin, test: Test, kind: Scalar) -> Lin:
        a, b = (s.exactly(x, kind.width, signed=signed) for x in (a, b))
        divisor = linear.of(s.int_value(s.choose(test, b, linear.const(1, b.bits))))
        return (s.div if quotient else s.rem)(a, divisor, signed=signed)

    elementwise(s, op, apply)


# -- vectors ---------------------------------------------------------------------------------------------------------


@named("vector.reverse")
def _reversed(s: Selector, op: Operation) -> None:
    s.values[op.results[0]] = pack(s, _parts(s, op.operands[0])[::-1], op.results[0].type)


@named("vector.splice", "vector.splice.left", "vector.splice.right", "experimental.vector.splice")
def _spliced(s: Selector, op: Operation) -> None:
    """Elements in a row of two vectors side by side: from an offset on, or before the end of the first one."""
    first, second, offset = op.operands
    parts = (*_parts(s, first), *_parts(s, second))
    count, start = len(parts) // 2, _constant(op, offset)
    if ".splice.right" in _name(op):
        start = -start
    start %= count if start < 0 else 2 * count
    s.values[op.results[0]] = pack(s, parts[start : start + count], op.results[0].type)


@named(*(f"vector.interleave{count}" for count in range(3, 9)))
def _interleaved(s: Selector, op: Operation) -> None:
    """Elements of several vectors in turn."""
    rows = zip(*(_parts(s, value) for value in op.operands), strict=True)
    s.values[op.results[0]] = pack(s, [part for row in rows for part in row], op.results[0].type)


@named(*(f"vector.deinterleave{count}" for count in range(3, 9)))
def _deinterleaved(s: Selector, op: Operation) -> None:
    """Every so many-th element."""
    parts, types = _parts(s, op.operands[0]), element_types(op.results[0].type)
    found = [pack(s, parts[start :: len(types)], type_) for start, type_ in enumerate(types)]
    s.values[op.results[0]] = tuple(part for vector in found for part in vector)


@named("vector.partial.reduce.add", "experimental.vector.partial.reduce.add", "vector.partial.reduce.fadd")
def _partly_reduced(s: Selector, op: Operation) -> None:
    """A vector to which the parts of a longer one are added."""
    total, source = op.operands
    sums, parts, kind = list(_parts(s, total)), _parts(s, source), scalar(known_vector(source.type).element_type)
    for index, part in enumerate(parts):
        old = sums[index % len(sums)]
        sums[index % len(sums)] = s.add(old, part) if kind.kind == "int" else floats.binary(s, "add", old, part, kind)
    s.values[op.results[0]] = pack(s, sums, op.results[0].type)


def _tests(s: Selector, mask: Any) -> list[Test]:
    """Which elements of a vector are not 0."""
    kind = scalar(known_vector(mask.type).element_type)
    parts = _parts(s, mask)
    if kind.kind == "test":
        return list(parts)
    exact = (s.exactly(part, kind.width, signed=False) for part in parts)
    return [s.compare("ne", part, linear.const(0, part.bits)) for part in exact]


@named("experimental.cttz.elts")
def _first_set(s: Selector, op: Operation) -> None:
    """How many elements are 0 before the first that is not; all of them where there is none."""
    tests, bits = _tests(s, op.operands[0]), 64 if scalar(op.results[0].type).width > 32 else 32
    found = linear.const(len(tests), bits)
    for index, test in reversed(list(enumerate(tests))):
        found = s.choose(test, linear.const(index, bits), found)
    s.values[op.results[0]] = found


@named("experimental.vector.extract.last.active")
def _last(s: Selector, op: Operation) -> None:
    """The last element whose mask is true, or another value."""
    source, mask, found = op.operands[0], op.operands[1], s.get(op.operands[2])
    for test, part in zip(_tests(s, mask), _parts(s, source), strict=True):
        found = choose_scalar(s, test, part, found)
    s.values[op.results[0]] = found


@named("vector.compress", "experimental.vector.compress")
def _compressed(s: Selector, op: Operation) -> None:
    """The elements whose mask is true next to each other, and behind them what another vector has there."""
    source, mask, others = op.operands
    out, count = list(_parts(s, others)), linear.const(0)
    for index, (test, part) in enumerate(zip(_tests(s, mask), _parts(s, source), strict=True)):
        for place in range(index + 1):
            here = s.logic("and", test, s.compare("eq", count, linear.const(place)))
            out[place] = choose_scalar(s, here, part, out[place])
        count = linear.of(s.int_value(s.add(count, s.from_test(test, 32))))
    s.values[op.results[0]] = pack(s, out, op.results[0].type)


@named("experimental.vector.match")
def _matched(s: Selector, op: Operation) -> None:
    """Which elements are in another vector, where the mask is true."""
    first, second, mask = op.operands
    kind = scalar(known_vector(first.type).element_type)
    known = [s.exactly(part, kind.width, signed=False) for part in _parts(s, second)]
    out: list[Test] = []
    for test, part in zip(_tests(s, mask), _parts(s, first), strict=True):
        value, found = s.exactly(part, kind.width, signed=False), truth(False)
        for other in known:
            found = s.logic("or", found, s.compare("eq", value, other))
        out.append(s.logic("and", test, found))
    s.values[op.results[0]] = pack(s, out, op.results[0].type)


@named("experimental.get.vector.length")
def _length(s: Selector, op: Operation) -> None:
    """How many elements to take next: as many as there are, or as a vector has."""
    count, most = s.number(op.operands[0], signed=False), _constant(op, op.operands[1])
    least = s.extreme("min", count, linear.const(most, count.bits), signed=False)
    s.values[op.results[0]] = s.truncated(least) if least.bits == 64 else least


@named(*(f"experimental.vector.histogram.{name}" for name in ("add", "uadd.sat", "umax", "umin")))
def _histogram(s: Selector, op: Any) -> None:
    """Numbers in memory changed one after the other, as several pointers may be the same."""
    pointers, given, mask = op.operands
    name = re.sub(r"\.v\d+p\d+.*", "", _name(op)).removeprefix("llvm.experimental.vector.histogram.")
    space = pointer_space(known_vector(pointers.type).element_type)
    kind = scalar(given.type)
    value = s.exactly(s.int(given), kind.width, signed=False)
    for test, place in zip(_tests(s, mask), _parts(s, pointers), strict=True):
        old = guarded_load(s, test, place, given.type, space, number(0, kind))
        old = s.exactly(old, kind.width, signed=False)
        guarded_store(s, test, place, _counted(s, name, old, value, kind), given.type, space)


def _counted(s: Selector, name: str, old: Lin, value: Lin, kind: Scalar) -> Lin:
    if name in ("umax", "umin"):
        return s.extreme("max" if name == "umax" else "min", old, value, signed=False)
    if name == "add":
        return s.add(old, value)
    total, wrapped = overflow(s, "add", old, value, kind.width, signed=False)
    return s.choose(wrapped, linear.const(-1, old.bits), total)
