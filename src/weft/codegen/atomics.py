"""Atomic operations: `atom` and `red` where they exist, loops of compare-and-swap where they do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Attribute

from weft.codegen import linear
from weft.codegen.access import opcode, with_space
from weft.codegen.graph import B32, B64, Carried, Const, Loop, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import from_bits, to_bits
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar, layout, scalar
from weft.mlir import compile_error

_INTEGER = {
    "addi": ("add", "u"), "maxs": ("max", "s"), "mins": ("min", "s"), "maxu": ("max", "u"), "minu": ("min", "u"),
    "andi": ("and", "b"), "ori": ("or", "b"), "xori": ("xor", "b"), "assign": ("exch", "b"), "inc": ("inc", "u"),
    "dec": ("dec", "u"),
}  # fmt: skip


def read_modify_write(
    s: Selector, op: Any, kind: str, address: Lin, value: Any, type_: Attribute, space: str, *, used: bool
) -> Any:
    """Combine `value` into memory and give what was there; `kind` is named as in `memref.atomic_rmw`."""
    element = scalar(type_)
    address, space = with_space(s, address, space)
    if kind == "subi":
        kind, value = "addi", s.sub(linear.const(0, value.bits), value)
    found = _instruction(kind, element)
    if found is None:
        return _swap_loop(s, op, kind, address, value, element, space)
    name, type_name = found
    cls = element.cls
    source = s.as_operand(value)
    if isinstance(source, Const):
        source = s.register(source, cls)
    where = s.address(address)
    # Relaxed is the default; spelled without a semantics it exists since the first PTX versions.
    if not used and name not in ("exch",):
        s.emit(opcode("red", space, f"{name}{_noftz(type_name)}.{type_name}"), where, source)
        return from_bits(s, linear.const(0, 64 if cls == B64 else 32), element)
    out = s.value(cls)
    s.emit(opcode("atom", space, f"{name}{_noftz(type_name)}.{type_name}"), out, where, source, outs=(out,))
    return s.wrapped(out, element)


def _noftz(type_name: str) -> str:
    return ".noftz" if type_name in ("f16", "bf16") else ""


def _instruction(kind: str, element: Scalar) -> tuple[str, str] | None:
    if kind == "addf" and element.kind == "float":
        return "add", element.name
    if kind == "assign" and element.kind == "float" and element.width >= 32:
        return "exch", f"b{element.width}"
    if kind in _INTEGER and element.kind == "int" and element.width in (32, 64):
        name, letter = _INTEGER[kind]
        return (name, f"{letter}{element.width}") if element.width == 32 or name not in ("inc", "dec") else None
    return None


def exchange_compare(
    s: Selector, op: Any, address: Lin, expected: Any, value: Any, type_: Attribute, space: str
) -> tuple[Any, Any]:
    """Compare and exchange: the old value, and whether it was the expected one."""
    kind = layout(type_).scalars[0]
    address, space = with_space(s, address, space)
    width = 32 if kind.cls == B32 else 64
    if kind.width not in (32, 64):
        raise compile_error(op, f"a compare-and-exchange of {kind.name} has no lowering")
    old = s.value(kind.cls)
    a, b = (s.operand(to_bits(s, x, kind)) for x in (expected, value))
    s.emit(opcode("atom", space, f"cas.b{width}"), old, s.address(address), a, b, outs=(old,))
    wrapped = s.wrapped(old, kind)
    same = s.compare("eq", to_bits(s, wrapped, kind), to_bits(s, expected, kind), signed=True)
    return wrapped, same


def _swap_loop(s: Selector, op: Any, kind: str, address: Lin, value: Any, element: Scalar, space: str) -> Any:
    """Read, combine, compare-and-swap, again until nobody came between."""
    if element.width not in (32, 64):
        raise compile_error(op, f"an atomic '{kind}' of {element.name} has no lowering")
    return update(s, op, address, element, space, lambda old: _combine(s, op, kind, old, value, element))


def update(s: Selector, op: Any, address: Lin, element: Scalar, space: str, combine: Callable[[Any], Any]) -> Any:
    """Replace the element by `combine(old)` atomically, and give the old one."""
    if element.width not in (32, 64):
        raise compile_error(op, f"an atomic update of {element.name} has no lowering")
    width, cls = element.width, element.cls
    address, space = with_space(s, address, space)
    where = s.address(address)
    first = s.value(cls)
    s.emit(opcode("ld", space, f"b{width}"), first, where, outs=(first,))
    loop = Loop(s.child(loop=True))
    assumed, result = Value(cls, loop.body), Value(cls, s.block)
    with s.at(loop.body):
        updated = combine(s.wrapped(assumed, element))
        new = s.operand(to_bits(s, updated, element))
        seen = s.value(cls)
        s.emit(opcode("atom", space, f"cas.b{width}"), seen, where, assumed, new, outs=(seen,))
        loop.again = s.compare("ne", linear.of(seen), linear.of(assumed), signed=True)
    loop.carried.append(Carried(assumed, first, seen, result))
    s.block.items.append(loop)
    return s.wrapped(result, element)


def _combine(s: Selector, op: Any, kind: str, old: Any, value: Any, element: Scalar) -> Any:
    if element.kind == "int":
        if kind == "muli":
            return s.mul(old, value)
        if kind == "nandi":
            both = s.bitwise("and", old, value)
            return s.bitwise("xor", both, linear.const(-1, both.bits))
        raise compile_error(op, f"an atomic '{kind}' of {element.name} has no lowering")
    from weft.codegen.floats import binary

    names = {
        "mulf": "mul", "maximumf": "maximum", "minimumf": "minimum", "maxnumf": "maxnum", "minnumf": "minnum",
        "subf": "sub", "addf": "add",
    }  # fmt: skip
    if kind not in names:
        raise compile_error(op, f"an atomic '{kind}' of {element.name} has no lowering")
    return binary(s, names[kind], old, value, element)
