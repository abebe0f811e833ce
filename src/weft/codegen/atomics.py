"""Atomic operations: `atom` and `red` where they exist, loops of compare-and-swap where they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Attribute, Operation

from weft.codegen import linear
from weft.codegen.access import RELAXED, Order, with_space
from weft.codegen.graph import B16, B32, B64, PRED, Addr, Carried, Const, Loop, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import from_bits, to_bits
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar, layout, scalar
from weft.codegen.vectors import is_float
from weft.isa import opcode
from weft.mlir import compile_error

_INTEGER = {
    "addi": ("add", "u"), "maxs": ("max", "s"), "mins": ("min", "s"), "maxu": ("max", "u"), "minu": ("min", "u"),
    "andi": ("and", "b"), "ori": ("or", "b"), "xori": ("xor", "b"), "assign": ("exch", "b"), "inc": ("inc", "u"),
    "dec": ("dec", "u"),
}  # fmt: skip


def read_modify_write(
    s: Selector,
    op: Operation,
    kind: str,
    address: Lin,
    value: Any,
    type_: Attribute,
    space: str,
    *,
    used: bool,
    order: Order = RELAXED,
) -> Any:
    """Combine `value` into memory and give what was there; `kind` is named as in `memref.atomic_rmw`.

    `order` is of the slots of `atom`.
    """
    packed = layout(type_).composite and len(layout(type_).scalars) == 1
    element = layout(type_).scalars[0] if packed else scalar(type_)
    if packed:
        (value,) = value
    address, space = with_space(s, address, space)
    if kind == "subi":
        kind, value = "addi", s.sub(linear.const(0, value.bits), value)
    found = _instruction(kind, element)
    if found is None or not s.module.available("atom", ss=space, **found):
        found_before = _swap_loop(s, op, kind, address, value, element, space, order)
        return (found_before,) if packed else found_before
    cls = element.cls
    source = s.as_operand(value)
    if isinstance(source, Const):
        source = s.register(source, cls)
    where = s.address(address)
    # Relaxed is the default; spelled without a semantics it exists since the first PTX versions.
    if not used and found["op"] != "exch" and order.get("sem") not in ("acquire", "acq_rel"):
        s.emit(opcode("red", **order, ss=space, **found), where, source)
        unused = from_bits(s, linear.const(0, 64 if cls == B64 else 32), element)
        return (unused,) if packed else unused
    out = s.value(cls)
    s.emit(opcode("atom", **order, ss=space, **found), out, where, source, outs=(out,))
    return (out,) if packed else s.wrapped(out, element)


def is_one_instruction(s: Selector, kind: str, type_: Attribute, space: str) -> bool:
    """Whether `read_modify_write` needs no loop."""
    found = _instruction(kind.replace("subi", "addi"), layout(type_).scalars[0])
    return found is not None and s.module.available("atom", ss=space, **found) is not None


def _instruction(kind: str, element: Scalar) -> dict[str, str | bool] | None:
    """The slots of `atom` that say what is done to what, None where it has none for it."""
    if kind == "addf" and element.kind in ("float", "packed"):
        type_ = element.name if element.kind == "float" else f"{element.name}x2"
        return {"op": "add", "noftz": "f16" in type_, "type": type_}
    if kind == "assign" and element.kind == "float" and element.width >= 32:
        return {"op": "exch", "type": f"b{element.width}"}
    if kind in _INTEGER and element.kind == "int" and element.width in (32, 64):
        name, letter = _INTEGER[kind]
        if element.width == 32 or name not in ("inc", "dec"):
            return {"op": name, "type": f"{letter}{element.width}"}
    return None


def exchange_compare(
    s: Selector,
    op: Operation,
    address: Lin,
    expected: Any,
    value: Any,
    type_: Attribute,
    space: str,
    *,
    order: Order = RELAXED,
) -> tuple[Any, Any]:
    """Compare and exchange: the old value, and whether it was the expected one."""
    kind, *more = layout(type_).scalars
    if more:
        raise compile_error(op, f"a compare-and-exchange of {type_} has no lowering")
    address, space = with_space(s, address, space)
    if kind.width == 8:
        return _exchange_byte(s, address, kind, space, expected, value, order)
    if kind.width not in _WIDTHS:
        raise compile_error(op, f"a compare-and-exchange of {kind.name} has no lowering")
    a, b = (_bits(s, x, kind) for x in (expected, value))
    old = _compare_and_swap(s, s.address(address), space, kind.width, a, b, order)
    wrapped = from_bits(s, linear.of(old) if old.cls != B16 else to_bits(s, old, _HALF), kind)
    known, wanted = (s.exactly(to_bits(s, x, kind), kind.width, signed=False) for x in (wrapped, expected))
    return wrapped, s.compare("eq", known, wanted)


def _exchange_byte(
    s: Selector, address: Lin, kind: Scalar, space: str, expected: Any, value: Any, order: Order
) -> tuple[Any, Any]:
    """Compare and exchange a byte: it stays as it is where it is not the expected one."""
    wanted = s.exactly(expected, 8, signed=False)

    def change(old: Any) -> Any:
        return s.choose(s.compare("eq", old, wanted), s.exactly(value, 8, signed=False), old)

    old = _update_byte(s, address, kind, space, change, order)
    return old, s.compare("eq", s.exactly(old, 8, signed=False), wanted)


_WIDTHS = (16, 32, 64)
_HALF = Scalar("float", B16, 16, "f16")


def _bits(s: Selector, value: Any, kind: Scalar) -> Any:
    """A scalar as the operand of a compare-and-swap."""
    if kind.width == 16:
        return s.register(from_bits(s, to_bits(s, value, kind), _HALF), B16)
    return s.operand(to_bits(s, value, kind))


def _compare_and_swap(
    s: Selector, where: Addr, space: str, width: int, a: Any, b: Any, order: Order = RELAXED
) -> Value:
    old = s.value({16: B16, 32: B32, 64: B64}[width])
    s.emit(opcode("atom", **order, ss=space, op="cas", type=f"b{width}"), old, where, a, b, outs=(old,))
    return old


def _swap_loop(
    s: Selector, op: Operation, kind: str, address: Lin, value: Any, element: Scalar, space: str, order: Order
) -> Any:
    """Read, combine, compare-and-swap, again until nobody came between."""
    return update(s, op, address, element, space, lambda old: _combine(s, op, kind, old, value, element), order)


def update(
    s: Selector,
    op: Operation,
    address: Lin,
    element: Scalar,
    space: str,
    combine: Callable[[Any], Any],
    order: Order = RELAXED,
) -> Any:
    """Replace the element by `combine(old)` atomically, and give the old one.

    Elements of 8 bits are changed inside the aligned word around them.
    """
    address, space = with_space(s, address, space)
    if element.kind == "packed":
        word = _swapped(s, address, space, 32, lambda old: s.register(combine(old), B32), order)
        return word if is_float(element) else s.wrapped(word, element)
    if element.width == 8:
        return _update_byte(s, address, element, space, combine, order)
    if element.width not in _WIDTHS:
        raise compile_error(op, f"an atomic update of {element.name} has no lowering")
    if element.width == 16:
        half = _swapped(
            s, address, space, 16, lambda old: _bits(s, combine(_from_half(s, old, element)), element), order
        )
        return _from_half(s, half, element)
    final = _swapped(
        s, address, space, element.width, lambda old: _bits(s, combine(s.wrapped(old, element)), element), order
    )
    return s.wrapped(final, element)


def _from_half(s: Selector, value: Value, element: Scalar) -> Any:
    return value if element.cls == B16 else from_bits(s, to_bits(s, value, _HALF), element)


def _swapped(s: Selector, address: Lin, space: str, width: int, change: Callable[[Value], Any], order: Order) -> Value:
    """The loop around a compare-and-swap: the register with the bits that were replaced."""
    cls = {16: B16, 32: B32, 64: B64}[width]
    where = s.address(address)
    first = s.value(cls)
    s.emit(opcode("ld", ss=space, type=f"b{width}"), first, where, outs=(first,))
    loop = Loop(s.child(loop=True), source=s.source)
    assumed, result = Value(cls, loop.body), Value(cls, s.block)
    with s.at(loop.body):
        seen = _compare_and_swap(s, where, space, width, assumed, change(assumed), order)
        if width == 16:
            loop.again = s.pure(opcode("setp", cmp="ne", type="b16"), PRED, seen, assumed)
        else:
            loop.again = s.compare("ne", linear.of(seen), linear.of(assumed))
    loop.carried.append(Carried(assumed, first, seen, result))
    s.block.items.append(loop)
    return result


def _update_byte(
    s: Selector, address: Lin, element: Scalar, space: str, combine: Callable[[Any], Any], order: Order
) -> Any:
    low = s.bitwise("and", s.truncated(address), linear.const32(3))
    base = linear.of(s.int_value(s.sub(address, low if address.bits == 32 else s.extended(low, signed=False))))
    for value, _ in base.terms:
        value.space = space
    shift = linear.of(s.int_value(s.shift_left(low, linear.const32(3))))
    mask = linear.of(s.int_value(s.shift_left(linear.const32(255), shift)))

    def change(word: Value) -> Any:
        old = s.exactly(s.shift_right(linear.of(word), shift, signed=False), 8, signed=False)
        new = s.exactly(combine(old), 8, signed=False)
        rest = s.bitwise("and", linear.of(word), s.bitwise("xor", mask, linear.const32(-1)))
        return s.operand(s.bitwise("or", rest, s.shift_left(new, shift)))

    final = _swapped(s, base, space, 32, change, order)
    return s.exactly(s.shift_right(linear.of(final), shift, signed=False), 8, signed=False)


def _combine(s: Selector, op: Operation, kind: str, old: Any, value: Any, element: Scalar) -> Any:
    if kind == "assign":
        return value
    if element.kind == "int" and not element.floating:
        return _combine_integers(s, op, kind, old, value, element)
    from weft.codegen.floats import binary

    names = {
        "mulf": "mul", "maximumf": "maximum", "minimumf": "minimum", "maxnumf": "maxnum", "minnumf": "minnum",
        "subf": "sub", "addf": "add",
    }  # fmt: skip
    if kind not in names:
        raise compile_error(op, f"an atomic '{kind}' of {element.name} has no lowering")
    return binary(s, names[kind], old, value, element)


def _combine_integers(s: Selector, op: Operation, kind: str, old: Any, value: Any, element: Scalar) -> Any:
    ring = {"addi": s.add, "muli": s.mul}
    if kind in ring:
        return ring[kind](old, value)
    if kind in ("andi", "ori", "xori", "nandi"):
        both = s.bitwise({"nandi": "and"}.get(kind, kind[:-1]), old, value)
        return s.bitwise("xor", both, linear.const(-1, both.bits)) if kind == "nandi" else both
    if kind in ("maxs", "mins", "maxu", "minu"):
        signed = kind.endswith("s")
        a, b = (s.exactly(x, element.width, signed=signed) for x in (old, value))
        return s.extreme(kind[:3], a, b, signed=signed)
    if kind in ("inc", "dec"):
        return _wrapping_step(s, kind, old, value, element.width)
    if kind in ("subcond", "subsat"):
        a, b = (s.exactly(x, element.width, signed=False) for x in (old, value))
        other = a if kind == "subcond" else linear.const(0, a.bits)
        return s.choose(s.compare("ge", a, b, signed=False), s.sub(a, b), other)
    raise compile_error(op, f"an atomic '{kind}' of {element.name} has no lowering")


def _wrapping_step(s: Selector, kind: str, old: Lin, value: Lin, width: int) -> Lin:
    """old >= value ? 0 : old + 1, or old == 0 || old > value ? value : old - 1, unsigned."""
    a, b = (s.exactly(x, width, signed=False) for x in (old, value))
    zero = linear.const(0, a.bits)
    if kind == "inc":
        return s.choose(s.compare("ge", a, b, signed=False), zero, linear.offset(a, 1))
    over = s.logic("or", s.compare("eq", a, zero), s.compare("gt", a, b, signed=False))
    return s.choose(over, b, linear.offset(a, -1))
